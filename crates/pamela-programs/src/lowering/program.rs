//! The files of a program together: functions, globals, and what calls and assigns what.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::library;
use crate::problem::{Place, Problem};
use crate::source::tree::*;
use crate::source::{Family, Pragma, Unit};

/// A function with the file that it stands in.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub unit: usize,
    pub function: &'a Function,
}

/// What the user states of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// `>= 1`
    pub text: String,
    /// The least value that follows from it.
    pub least: Option<i64>,
}

impl Stated {
    /// `n >= 1`, as a pragma says it: the name, and what is stated.
    fn read(text: &str) -> Option<(String, Stated)> {
        let text = text.trim();
        let end = text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() {
            return None;
        }
        let rest = rest.trim().trim_start_matches(':').trim();
        let least = rest
            .split(">=")
            .nth(1)
            .and_then(|after| after.split_whitespace().next()?.parse().ok());
        let above = rest
            .split('>')
            .nth(1)
            .and_then(|after| after.split_whitespace().next()?.parse::<i64>().ok());
        Some((
            name.to_string(),
            Stated {
                text: rest.to_string(),
                least: least.or(above.and_then(|above| above.checked_add(1))),
            },
        ))
    }

    /// The facts of a whole number.
    pub fn for_integer(&self) -> String {
        match self.text.contains("integer") {
            true => self.text.clone(),
            false => format!("integer {}", self.text).trim_end().to_string(),
        }
    }
}

pub struct Whole<'a> {
    units: &'a [Unit],
    pub functions: Vec<Entry<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// By the name of a parameter.
    pub facts: BTreeMap<String, Stated>,
    /// For each function, the spelling of its sites by their first byte: `if1`, `for2`.
    sites: Vec<HashMap<usize, String>>,
    /// For each function, the globals that it, or what it calls, assigns.
    assigns: Vec<BTreeSet<String>>,
    /// The same for those that it uses.
    uses: Vec<BTreeSet<&'a str>>,
    calls: Vec<BTreeSet<usize>>,
    call_sites: Vec<usize>,
    /// Names whose address is kept somewhere, by function.
    addressed: Vec<BTreeSet<&'a str>>,
    /// Whether a function, or what it calls, shares work among threads or asks which thread it is.
    of_threads: Vec<bool>,
    pub constants: BTreeMap<&'a str, &'a Expression>,
    /// Of all structures.
    pub members: BTreeMap<&'a str, Member>,
    /// Members whose addresses are kept somewhere.
    kept_members: BTreeSet<&'a str>,
    of_members: Vec<bool>,
    /// For each function, its own variables, and behind them those of all.
    variables: Vec<BTreeMap<&'a str, &'a Variable>>,
    globals: BTreeMap<&'a str, &'a Variable>,
    volatile: BTreeSet<&'a str>,
    /// Globals that some function gives a value.
    written: BTreeSet<String>,
    /// Those whose address is kept somewhere.
    kept_globals: BTreeSet<&'a str>,
}

impl<'a> Whole<'a> {
    /// # Errors
    /// A pragma that declares a parameter is wrong.
    pub fn new(units: &'a [Unit]) -> Result<Whole<'a>, Problem> {
        let mut whole = Whole {
            units,
            functions: Vec::new(),
            by_name: HashMap::new(),
            facts: BTreeMap::new(),
            sites: Vec::new(),
            assigns: Vec::new(),
            uses: Vec::new(),
            calls: Vec::new(),
            call_sites: Vec::new(),
            addressed: Vec::new(),
            of_threads: Vec::new(),
            constants: BTreeMap::new(),
            members: BTreeMap::new(),
            kept_members: BTreeSet::new(),
            of_members: Vec::new(),
            variables: Vec::new(),
            globals: BTreeMap::new(),
            volatile: BTreeSet::new(),
            written: BTreeSet::new(),
            kept_globals: BTreeSet::new(),
        };
        for (unit, read) in units.iter().enumerate() {
            for function in &read.program.functions {
                let entry = Entry { unit, function };
                let list = whole.by_name.entry(&function.name).or_default();
                list.push(whole.functions.len());
                whole.functions.push(entry);
            }
            for (name, member) in &read.program.members {
                let known = whole.members.get(name.as_str());
                let member = known.map_or(*member, |known| known.or(*member));
                whole.members.insert(name, member);
            }
            for variable in &read.program.globals {
                whole.globals.insert(&variable.name, variable);
            }
            for (name, value) in &read.program.constants {
                whole.constants.insert(name, value);
            }
        }
        for pragma in units.iter().flat_map(|unit| &unit.text.pragmas) {
            whole.declare(pragma)?;
        }
        whole.look_through();
        Ok(whole)
    }

    /// `#pragma pamela param(n >= 1)`
    fn declare(&mut self, pragma: &Pragma) -> Result<(), Problem> {
        if pragma.family != Family::Pamela || !pragma.has("param") {
            return Ok(());
        }
        let stated = pragma.argument("param").and_then(Stated::read);
        let Some((name, stated)) = stated else {
            return Err(
                Problem::new("`param` needs the name of a parameter in parentheses")
                    .at(pragma.place.clone())
                    .hint("for example #pragma pamela param(n >= 1)"),
            );
        };
        self.facts.insert(name, stated);
        Ok(())
    }

    /// The function with the region that alone is to be modelled.
    pub fn region(&self) -> Option<String> {
        let has_region = |entry: &&Entry| {
            let mut found = false;
            entry
                .function
                .body
                .walk(&mut |statement| found |= statement.is("region"));
            found
        };
        self.functions
            .iter()
            .find(has_region)
            .map(|entry| entry.function.name.clone())
    }

    pub fn place(&self, function: usize, span: Span) -> Place {
        let unit = self.functions[function].unit;
        self.units[unit].text.place(span.start, span.end)
    }

    pub fn place_in(&self, unit: usize, span: Span) -> Place {
        self.units[unit].text.place(span.start, span.end)
    }

    /// The beginning of a piece of code, on one line.
    pub fn snippet(&self, function: usize, span: Span) -> String {
        const LONGEST: usize = 40;
        let unit = self.functions[function].unit;
        let text = self.units[unit]
            .text
            .code
            .get(span.start..span.end)
            .unwrap_or_default();
        let words: Vec<&str> = text.split_whitespace().take(LONGEST).collect();
        let line = words.join(" ");
        let line = line.trim_end_matches([';', '{', ' ']);
        // A condition without its parentheses.
        let bare = line
            .strip_prefix('(')
            .and_then(|inner| inner.strip_suffix(')'));
        let line = bare
            .filter(|inner| !inner.contains(['(', ')']))
            .unwrap_or(line);
        match line.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{} ..", &line[..end]),
            None => line.to_string(),
        }
    }

    /// A function by its name: that of the same file where two files have one.
    pub fn function(&self, name: &str, from: usize) -> Option<usize> {
        let candidates = self.by_name.get(name)?;
        let unit = self.functions.get(from).map(|entry| entry.unit);
        let near = candidates
            .iter()
            .find(|at| Some(self.functions[**at].unit) == unit);
        near.or(candidates.first()).copied()
    }

    /// # Errors
    /// There is no such function.
    pub fn entry(&self, name: &str) -> Result<usize, Problem> {
        let known = self.by_name.get(name).and_then(|list| list.first());
        known.copied().ok_or_else(|| {
            let names: Vec<&str> = self
                .functions
                .iter()
                .map(|e| e.function.name.as_str())
                .take(8)
                .collect();
            let hint = match names.is_empty() {
                true => "the program has no function".to_string(),
                false => format!("name one by --entry: {}", names.join(", ")),
            };
            Problem::new(format!("there is no function `{name}`")).hint(hint)
        })
    }

    pub fn site(&self, function: usize, start: usize) -> String {
        let known = self.sites[function].get(&start);
        known.cloned().unwrap_or_else(|| "site".to_string())
    }

    pub fn globals_assigned(&self, function: usize) -> &BTreeSet<String> {
        &self.assigns[function]
    }

    pub fn globals_used(&self, function: usize) -> &BTreeSet<&'a str> {
        &self.uses[function]
    }

    /// What a function does that no model can say.
    pub fn refused(&self, function: usize) -> Option<&'static str> {
        let body = &self.functions[function].function.body;
        let mut labels = BTreeSet::new();
        let mut reason = None;
        body.walk(&mut |statement| match &statement.kind {
            StatementKind::Label(label) => {
                labels.insert(label.as_str());
            }
            StatementKind::Goto(label) if labels.contains(label.as_str()) => {
                reason = Some("jumps back");
            }
            _ => {}
        });
        body.walk_expressions(&mut |expression| {
            if let ExpressionKind::Call(function, _) = &expression.kind
                && matches!(
                    function.name(),
                    Some("setjmp" | "_setjmp" | "sigsetjmp" | "__sigsetjmp")
                )
            {
                reason = Some("uses setjmp");
            }
        });
        reason
    }

    pub fn is_of_threads(&self, function: usize) -> bool {
        self.of_threads[function]
    }

    pub fn is_called_once(&self, function: usize) -> bool {
        self.call_sites[function] <= 1
    }

    /// Whether the address of a variable is kept somewhere: its value may change at any time.
    pub fn is_addressed(&self, function: usize, name: &str) -> bool {
        self.addressed[function].contains(name)
            || self.kept_globals.contains(name) && !self.variables[function].contains_key(name)
    }

    /// The same for a member.
    pub fn is_kept(&self, member: &str) -> bool {
        self.kept_members.contains(member)
    }

    pub fn is_volatile(&self, name: &str) -> bool {
        self.volatile.contains(name)
    }

    /// Whether a function itself gives its own variable a value.
    pub fn writes(&self, function: usize, name: &str) -> bool {
        let mut found = false;
        let body = &self.functions[function].function.body;
        body.walk_expressions(&mut |expression| {
            found |= match &expression.kind {
                ExpressionKind::Assign(_, place, _) | ExpressionKind::Update { place, .. } => {
                    place.name() == Some(name)
                }
                ExpressionKind::Unary(operator, inner) => {
                    operator == "&" && inner.name() == Some(name)
                }
                _ => false,
            };
        });
        found
    }

    /// Whether the value in front of which a global stands is the one that it has when the program begins and keeps.
    pub fn is_never_written(&self, variable: &Variable) -> bool {
        let is_whole = self.by_name.contains_key("main");
        let name = variable.name.as_str();
        variable.value.is_some()
            && !variable.is_volatile
            && (variable.is_constant
                || !self.written.contains(name)
                    && !self.kept_globals.contains(name)
                    && (variable.is_static || is_whole))
    }

    fn variable(&self, function: usize, name: &str) -> Option<&'a Variable> {
        let own = self.variables.get(function).and_then(|own| own.get(name));
        own.or_else(|| self.globals.get(name)).copied()
    }

    /// Whether a value that is stored here may be a structure: `*m = other`, `grids[i] = grid`.
    pub fn holds_members(&self, function: usize, place: &Expression) -> bool {
        match &place.kind {
            ExpressionKind::Unary(operator, inner) if operator == "*" => {
                self.points_to_members(function, inner)
            }
            ExpressionKind::Index(array, _) => self.points_to_members(function, array),
            _ => false,
        }
    }

    /// Whether structures may lie where an expression points to.
    fn points_to_members(&self, function: usize, expression: &Expression) -> bool {
        if self.members.is_empty() {
            return false;
        }
        let inner = |part: &Expression| self.points_to_members(function, part);
        match &expression.kind {
            ExpressionKind::Name(name) => self.variable(function, name).is_some_and(|variable| {
                variable.base == Kind::Other
                    && (variable.is_pointer || variable.element.is_some())
                    && variable.kind == Kind::Other
            }),
            ExpressionKind::Field { name, .. } => {
                let member = self.members.get(name.as_str());
                member.is_some_and(|m| m.kind == Kind::Other && m.base == Kind::Other)
            }
            ExpressionKind::Unary(operator, place) if operator == "&" => match &place.kind {
                ExpressionKind::Name(name) => {
                    let variable = self.variable(function, name);
                    variable.is_some_and(|variable| variable.base == Kind::Other)
                }
                ExpressionKind::Field { .. } => inner(place),
                _ => self.holds_members(function, place),
            },
            ExpressionKind::Unary(_, part)
            | ExpressionKind::Cast(_, part)
            | ExpressionKind::Update { place: part, .. } => inner(part),
            ExpressionKind::Index(part, _) => inner(part),
            ExpressionKind::Binary(_, a, b) => inner(a) || inner(b),
            ExpressionKind::Conditional(_, a, b) => inner(a) || inner(b),
            _ => false,
        }
    }

    /// What a call of a function that is not in the files may write: members of structures.
    pub fn written_outside(&self, function: usize, call: &Expression) -> Vec<String> {
        let ExpressionKind::Call(callee, arguments) = &call.kind else {
            return Vec::new();
        };
        let name = callee.name();
        if name.is_some_and(|name| self.function(name, function).is_some()) {
            return Vec::new();
        }
        let mut written = Vec::new();
        let writes = name.is_none_or(library::writes);
        for argument in arguments {
            if let ExpressionKind::Unary(operator, inner) = &argument.kind
                && operator == "&"
                && let Some(member) = inner.member()
            {
                written.push(format!("->{member}"));
            } else if writes && self.points_to_members(function, argument) {
                written.push("->".to_string());
            }
            // A function of the program that is handed on may be called.
            let handed = self.handed(function, argument);
            let assigned = handed.and_then(|at| self.assigns.get(at));
            written.extend(assigned.into_iter().flatten().cloned());
        }
        written
    }

    /// The function of the program whose address an argument is.
    pub fn handed(&self, function: usize, argument: &Expression) -> Option<usize> {
        match &argument.kind {
            ExpressionKind::Name(name) if self.variable(function, name).is_none() => {
                self.function(name, function)
            }
            ExpressionKind::Unary(operator, inner) if operator == "&" => {
                self.handed(function, inner)
            }
            ExpressionKind::Cast(_, inner) => self.handed(function, inner),
            _ => None,
        }
    }

    /// Whether a function is straight code, as the comparison of two numbers is.
    pub fn is_straight(&self, function: usize) -> bool {
        let mut straight = !self.is_recursive(function);
        let body = &self.functions[function].function.body;
        body.walk(&mut |statement| {
            straight &= !matches!(
                statement.kind,
                StatementKind::For { .. }
                    | StatementKind::While { .. }
                    | StatementKind::DoWhile { .. }
                    | StatementKind::Goto(_)
                    | StatementKind::Broken
            );
        });
        body.walk_expressions(&mut |expression| {
            if let ExpressionKind::Call(callee, _) = &expression.kind {
                straight &= match callee.name() {
                    None => false,
                    Some(name) => match self.function(name, function) {
                        Some(callee) => callee != function && self.is_straight(callee),
                        None => !library::is_apart(name),
                    },
                };
            }
        });
        straight
    }

    /// Whether a function, or what it calls, asks for members of structures or writes them.
    pub fn is_of_members(&self, function: usize) -> bool {
        self.of_members[function]
    }

    /// Whether a function calls itself, directly or by others.
    pub fn is_recursive(&self, function: usize) -> bool {
        self.calls[function].contains(&function)
    }

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

    fn look_through(&mut self) {
        for entry in &self.functions {
            self.variables.push(Whole::own_variables(entry.function));
        }
        let globals = self.globals.values().copied();
        let all = self.variables.iter().flat_map(|own| own.values().copied());
        let volatile = globals.chain(all).filter(|variable| variable.is_volatile);
        self.volatile = volatile.map(|variable| variable.name.as_str()).collect();
        self.look_at_globals();
        for at in 0..self.functions.len() {
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
        self.close();
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

/// Adds what a function's set has to that of its caller; whether that had not all of it.
fn extended<T: Clone + Ord>(sets: &mut [BTreeSet<T>], caller: usize, callee: usize) -> bool {
    let more = sets[callee].clone();
    let before = sets[caller].len();
    sets[caller].extend(more);
    sets[caller].len() > before
}

/// What `&x` is the address of.
fn address(argument: &Expression) -> Option<&Expression> {
    match &argument.kind {
        ExpressionKind::Unary(operator, inner) if operator == "&" => Some(inner),
        _ => None,
    }
}

/// What the counts of sites depend on, as `#pragma pamela depends(n, P)` says of the statement around them.
pub fn dependences(units: &[Unit]) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for function in units.iter().flat_map(|unit| &unit.program.functions) {
        let sites = sites(function);
        function.body.walk(&mut |statement| {
            let stated = statement.pragmas.iter();
            let stated = stated.filter(|pragma| pragma.family == Family::Pamela);
            let Some(names) = stated
                .filter_map(|pragma| pragma.argument("depends"))
                .next()
            else {
                return;
            };
            let names: Vec<String> = names
                .split(',')
                .map(|name| name.trim().to_string())
                .collect();
            // What an inner statement says comes later.
            let span = statement.span;
            let inside = sites
                .iter()
                .filter(|(start, _)| (span.start..span.end).contains(start));
            for (_, site) in inside {
                all.insert(format!("{}/{site}", function.name), names.clone());
            }
        });
    }
    all
}

/// The branches and loops of a function, numbered by their kind in the order of the text.
pub fn sites(function: &Function) -> HashMap<usize, String> {
    let mut sites = HashMap::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    function.body.walk(&mut |statement| {
        let kind = match &statement.kind {
            StatementKind::If { .. } => "if",
            StatementKind::For { .. } => "for",
            StatementKind::While { .. } => "while",
            StatementKind::DoWhile { .. } => "do",
            StatementKind::Switch { .. } => "switch",
            _ => return,
        };
        let number = numbers.entry(kind).or_insert(0);
        *number += 1;
        sites
            .entry(statement.span.start)
            .or_insert_with(|| format!("{kind}{number}"));
    });
    // Branches inside expressions come behind those of statements.
    function.body.walk_expressions(&mut |expression| {
        let kind = match &expression.kind {
            ExpressionKind::Conditional(..) => "choice",
            ExpressionKind::Binary(operator, ..) if operator == "&&" || operator == "||" => "both",
            _ => return,
        };
        let number = numbers.entry(kind).or_insert(0);
        *number += 1;
        sites
            .entry(expression.span.start)
            .or_insert_with(|| format!("{kind}{number}"));
    });
    sites
}
