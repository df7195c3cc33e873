//! Variables that functions assign, use or store, and calls.

use std::collections::{BTreeMap, BTreeSet};

use super::{WholeProgram, address, sites};
use crate::source::Family;
use crate::source::tree::*;

/// Adds the set of a function to that of its caller; true if the caller's set grew.
fn extended<T: Clone + Ord>(sets: &mut [BTreeSet<T>], caller: usize, callee: usize) -> bool {
    let more = sets[callee].clone();
    let before = sets[caller].len();
    sets[caller].extend(more);
    sets[caller].len() > before
}

impl<'a> WholeProgram<'a> {
    /// The variables that a function declares anywhere, and its formals.
    fn own_variables(function: &'a Function) -> BTreeMap<&'a str, &'a Variable> {
        let mut own: BTreeMap<&str, &Variable> = BTreeMap::new();
        for formal in &function.formals {
            own.insert(&formal.name, formal);
        }
        function.body.walk(&mut |statement| {
            if let StatementKind::Declaration(variables) = &statement.kind {
                let variables = variables.iter().filter(|variable| !variable.is_extern);
                own.extend(variables.map(|variable| (variable.name.as_str(), variable)));
            }
        });
        own
    }

    /// Addresses with which globals begin.
    fn look_at_globals(&mut self) {
        let globals = self.units.iter().flat_map(|unit| &unit.program.globals);
        for value in globals.filter_map(|variable| variable.value.as_ref()) {
            value.walk(&mut |part| {
                if let Some(place) = address(part) {
                    self.kept_globals.extend(place.name());
                    self.kept_members.extend(place.member());
                }
                let function = part.name().and_then(|name| self.function(name, usize::MAX));
                self.kept_functions.extend(function);
            });
        }
    }

    pub(super) fn look_through(&mut self) {
        for entry in &self.functions {
            self.variables
                .push(WholeProgram::own_variables(entry.function));
        }
        let globals = self.globals.values().copied();
        let all = self.variables.iter().flat_map(|own| own.values().copied());
        let volatile = globals.chain(all).filter(|variable| variable.is_volatile);
        self.volatile = volatile.map(|variable| variable.name.as_str()).collect();
        self.look_at_globals();
        self.look_for_kept_names();
        for at in 0..self.functions.len() {
            self.look_at_function(at);
        }
        self.count_call_sites();
        self.close();
        self.close_unseen();
        self.look_at_handed_globals();
    }

    /// A global whose address goes to a function that also uses its name has two names there.
    fn look_at_handed_globals(&mut self) {
        let mut found = BTreeSet::new();
        for (at, entry) in self.functions.iter().enumerate() {
            entry.function.body.walk_expressions(&mut |expression| {
                let ExpressionKind::Call(function, arguments) = &expression.kind else {
                    return;
                };
                let callee = function.name().and_then(|name| self.function(name, at));
                let Some(callee) = callee else { return };
                let names = arguments.iter().filter_map(|argument| {
                    let own = argument.name();
                    let name = own.or_else(|| address(argument)?.name())?;
                    let is_global = !self.variables[at].contains_key(name);
                    (is_global && self.uses[callee].contains(name)).then_some(name)
                });
                found.extend(names);
            });
        }
        self.kept_globals.extend(found);
    }

    /// Adds the writes of unknown calls: those of functions whose addresses are stored, and globals visible in other
    /// files.
    fn close_unseen(&mut self) {
        let stored = self.kept_functions.iter();
        let (mut assigned, mut used) = (BTreeSet::new(), BTreeSet::new());
        for at in stored {
            assigned.extend(self.assigns[*at].iter().cloned());
            used.extend(self.uses[*at].iter().copied());
        }
        let visible = self
            .globals
            .values()
            .filter(|variable| !variable.is_static && !variable.is_constant);
        for variable in visible {
            // Calls by address count as well: the function may be one of another file.
            assigned.insert(variable.name.clone());
            used.insert(variable.name.as_str());
        }
        for at in 0..self.functions.len() {
            if self.calls_unknown[at] {
                self.assigns[at].extend(assigned.iter().cloned());
                self.uses[at].extend(used.iter().copied());
            }
        }
        if self.calls_unknown.contains(&true) {
            self.written.extend(assigned.iter().cloned());
        }
        self.written_unseen = assigned;
    }

    /// Collects what a function itself assigns, uses, calls and takes the address of.
    ///
    /// One long function, because it is a table with an arm for each kind of expression.
    fn look_at_function(&mut self, at: usize) {
        let entry = self.functions[at];
        let mut of_members = false;
        // Number of times that the address of a member is taken, minus those where it is passed directly to a call.
        let mut kept: BTreeMap<&str, i64> = BTreeMap::new();
        self.sites.push(sites(entry.function));
        let (mut assigns, mut uses) = (BTreeSet::new(), BTreeSet::new());
        let mut calls = BTreeSet::new();
        let mut calls_unknown = false;
        // Number of times that functions are named, minus the number of their calls.
        let mut named: BTreeMap<usize, i64> = BTreeMap::new();
        // Number of times that an address is taken, minus those where it is passed directly to a call.
        let mut addresses: BTreeMap<&str, i64> = BTreeMap::new();
        entry
            .function
            .body
            .walk_expressions(&mut |expression| match &expression.kind {
                ExpressionKind::Assign(_, place, _) | ExpressionKind::Update { place, .. } => {
                    assigns.extend(place.place());
                    assigns.extend(place.member().map(|name| format!("->{name}")));
                    if self.holds_members(at, place) {
                        assigns.insert("->".to_string());
                    }
                }
                ExpressionKind::Field { .. } => of_members = true,
                ExpressionKind::Name(name) => {
                    uses.insert(name.as_str());
                    if self.variable(at, name).is_none()
                        && let Some(function) = self.function(name, at)
                    {
                        *named.entry(function).or_insert(0) += 1;
                    }
                }
                ExpressionKind::Unary(operator, inner) if operator == "&" => {
                    assigns.extend(inner.place());
                    if let Some(name) = inner.name() {
                        *addresses.entry(name).or_insert(0) += 1;
                    }
                    if let Some(name) = inner.member() {
                        *kept.entry(name).or_insert(0) += 1;
                        assigns.insert(format!("->{name}"));
                    }
                }
                ExpressionKind::Call(function, arguments) => {
                    let callee = function.name().and_then(|name| self.function(name, at));
                    if let Some(callee) = callee {
                        *named.entry(callee).or_insert(0) -= 1;
                    }
                    calls.extend(callee);
                    calls_unknown |= self.is_unknown(at, expression);
                    let name = function.name();
                    let passed = arguments.iter().enumerate();
                    let passed = passed.filter(|(place, _)| !self.keeps_argument(at, name, *place));
                    for place in passed.filter_map(|(_, argument)| address(argument)) {
                        if let Some(name) = place.name() {
                            *addresses.entry(name).or_insert(0) -= 1;
                        }
                        if let Some(name) = place.member() {
                            *kept.entry(name).or_insert(0) -= 1;
                        }
                    }
                    assigns.extend(self.written_outside(at, expression));
                    calls.extend(arguments.iter().filter_map(|part| self.handed(at, part)));
                }
                _ => {}
            });
        let kept = kept.into_iter().filter(|(_, times)| *times > 0);
        self.kept_members.extend(kept.map(|(name, _)| name));
        of_members |= assigns.iter().any(|name| name.starts_with("->"));
        self.of_members.push(of_members);
        // Variables that a call may change through a pointer are not known.
        assigns.extend(addresses.keys().map(ToString::to_string));
        let own = &self.variables[at];
        let of_own = |name: &str| own.contains_key(name.split('[').next().unwrap_or(name));
        self.written
            .extend(assigns.iter().filter(|name| !of_own(name)).cloned());
        let addressed = addresses.into_iter().filter(|(_, times)| *times > 0);
        let addressed: Vec<(&str, i64)> = addressed.collect();
        let kept = addressed.iter().map(|(name, _)| *name);
        self.kept_globals.extend(kept.filter(|name| !of_own(name)));
        let addressed = addressed.into_iter();
        let mut of_threads = false;
        entry.function.body.walk(&mut |statement| {
            of_threads |= statement
                .pragmas
                .iter()
                .any(|pragma| pragma.family == Family::OpenMp);
        });
        self.of_threads
            .push(of_threads || uses.iter().any(|name| name.starts_with("omp_get_")));
        let stored = named.into_iter().filter(|(_, times)| *times > 0);
        self.kept_functions
            .extend(stored.map(|(function, _)| function));
        self.calls_unknown.push(calls_unknown);
        self.assigns.push(assigns);
        self.uses.push(uses);
        self.calls.push(calls);
        self.addressed
            .push(addressed.map(|(name, _)| name).collect());
    }

    /// The only function with so many arguments whose address is kept.
    pub fn only_target(&self, arguments: usize) -> Option<usize> {
        let formals = |at: &&usize| self.functions[**at].function.formals.len() == arguments;
        let mut found = self.kept_functions.iter().filter(formals);
        let (first, second) = (found.next(), found.next());
        let only = first.copied().filter(|_| second.is_none())?;
        // A target that calls by address may call itself.
        let mut reached = BTreeSet::from([only]);
        let mut open = vec![only];
        while let Some(at) = open.pop() {
            let mut by_address = false;
            self.functions[at]
                .function
                .body
                .walk_expressions(&mut |part| {
                    if let ExpressionKind::Call(function, _) = &part.kind {
                        let name = function.name();
                        by_address |= name.is_none_or(|name| self.variable(at, name).is_some());
                    }
                });
            if by_address {
                return None;
            }
            open.extend(
                self.calls[at]
                    .iter()
                    .copied()
                    .filter(|callee| reached.insert(*callee)),
            );
        }
        Some(only)
    }

    fn count_call_sites(&mut self) {
        let mut call_sites = vec![0; self.functions.len()];
        for at in 0..self.functions.len() {
            self.functions[at]
                .function
                .body
                .walk_expressions(&mut |expression| {
                    if let ExpressionKind::Call(function, _) = &expression.kind
                        && let Some(callee) =
                            function.name().and_then(|name| self.function(name, at))
                    {
                        call_sites[callee] += 1;
                    }
                });
        }
        self.call_sites = call_sites;
    }

    /// Extends the sets of functions by those of their callees, transitively.
    fn close(&mut self) {
        loop {
            let mut changed = false;
            for at in 0..self.functions.len() {
                for callee in self.calls[at].clone() {
                    changed |= extended(&mut self.assigns, at, callee);
                    changed |= extended(&mut self.uses, at, callee);
                    changed |= self.of_threads[callee] && !self.of_threads[at];
                    self.of_threads[at] |= self.of_threads[callee];
                    changed |= self.calls_unknown[callee] && !self.calls_unknown[at];
                    self.calls_unknown[at] |= self.calls_unknown[callee];
                    changed |= self.of_members[callee] && !self.of_members[at];
                    self.of_members[at] |= self.of_members[callee];
                    changed |= extended(&mut self.calls, at, callee);
                }
            }
            if !changed {
                return;
            }
        }
    }
}
