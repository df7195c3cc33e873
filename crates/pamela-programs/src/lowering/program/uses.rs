//! What functions assign, use and call, and what is written or kept somewhere.

use std::collections::{BTreeMap, BTreeSet};

use super::{WholeProgram, address, sites};
use crate::source::Family;
use crate::source::tree::*;

/// Adds what a function's set has to that of its caller; whether that had not all of it.
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
        for at in 0..self.functions.len() {
            self.look_at_function(at);
        }
        self.count_call_sites();
        self.close();
    }

    /// What a function itself assigns, uses, calls and keeps the address of.
    fn look_at_function(&mut self, at: usize) {
        let entry = self.functions[at];
        let mut of_members = false;
        // How often the address of a member is taken, less how often it goes straight into a call.
        let mut kept: BTreeMap<&str, i64> = BTreeMap::new();
        self.sites.push(sites(entry.function));
        let (mut assigns, mut uses) = (BTreeSet::new(), BTreeSet::new());
        let mut calls = BTreeSet::new();
        // How often an address is taken, less how often it goes straight into a call.
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
                    calls.extend(function.name().and_then(|name| self.function(name, at)));
                    for place in arguments.iter().filter_map(address) {
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
        // What a call may change by a pointer is not known.
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
        self.assigns.push(assigns);
        self.uses.push(uses);
        self.calls.push(calls);
        self.addressed
            .push(addressed.map(|(name, _)| name).collect());
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

    /// What functions do by those that they call.
    fn close(&mut self) {
        loop {
            let mut changed = false;
            for at in 0..self.functions.len() {
                for callee in self.calls[at].clone() {
                    changed |= extended(&mut self.assigns, at, callee);
                    changed |= extended(&mut self.uses, at, callee);
                    changed |= self.of_threads[callee] && !self.of_threads[at];
                    self.of_threads[at] |= self.of_threads[callee];
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
