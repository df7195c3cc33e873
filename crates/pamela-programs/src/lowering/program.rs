//! All files of a program together: functions, globals, calls and assignments.

mod facts;
mod kept;
mod recursion;
mod sites;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::library;
use crate::problem::{Place, Problem};
use crate::source::tree::*;
use crate::source::{Family, Pragma, Unit};

pub use facts::StatedFacts;
pub use sites::{AT_BEGIN, dependences, sites};

/// A function with its file.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    pub unit: usize,
    pub function: &'a Function,
}

pub struct WholeProgram<'a> {
    units: &'a [Unit],
    pub functions: Vec<Entry<'a>>,
    by_name: HashMap<&'a str, Vec<usize>>,
    /// Stated facts by the name of a parameter.
    pub facts: BTreeMap<String, StatedFacts>,
    /// For each function, the spelling of its sites by their first byte: `if1`, `for2`.
    sites: Vec<HashMap<usize, String>>,
    /// For each function, the globals that it assigns, directly or through calls.
    assigns: Vec<BTreeSet<String>>,
    /// For each function, the globals that it uses, directly or through calls.
    uses: Vec<BTreeSet<&'a str>>,
    calls: Vec<BTreeSet<usize>>,
    call_sites: Vec<usize>,
    /// Names whose address is kept somewhere, by function.
    addressed: Vec<BTreeSet<&'a str>>,
    /// True if a function shares work among threads or asks for the thread number, directly or through calls.
    of_threads: Vec<bool>,
    pub constants: BTreeMap<&'a str, &'a Expression>,
    /// Members of all structures.
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
    /// Globals whose addresses are stored somewhere.
    kept_globals: BTreeSet<&'a str>,
    /// For each function, names whose addresses it keeps.
    kept_names: Vec<BTreeSet<&'a str>>,
    /// Functions whose addresses are kept somewhere: a call by address may be one of each.
    kept_functions: BTreeSet<usize>,
    /// True if a function calls by address or calls a function outside the files, directly or through calls.
    calls_unknown: Vec<bool>,
    /// Variables that such a call may write.
    written_unseen: BTreeSet<String>,
}

impl<'a> WholeProgram<'a> {
    /// # Errors
    /// Fails if a pragma that declares a parameter is invalid.
    pub fn new(units: &'a [Unit]) -> Result<WholeProgram<'a>, Problem> {
        let mut whole = WholeProgram {
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
            kept_names: Vec::new(),
            kept_functions: BTreeSet::new(),
            calls_unknown: Vec::new(),
            written_unseen: BTreeSet::new(),
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
        let stated = pragma.argument("param").and_then(StatedFacts::read);
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

    /// The function with the region to model.
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
        self.beginning(function, span).0
    }

    /// The first words of the code at a span, and whether the code is longer.
    pub fn beginning(&self, function: usize, span: Span) -> (String, bool) {
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
            Some((end, _)) => (format!("{} ..", &line[..end]), true),
            None => (line.to_string(), false),
        }
    }

    /// A function by name; if two files have one, the one in the same file.
    pub fn function(&self, name: &str, from: usize) -> Option<usize> {
        let candidates = self.by_name.get(name)?;
        let unit = self.functions.get(from).map(|entry| entry.unit);
        let near = candidates
            .iter()
            .find(|at| Some(self.functions[**at].unit) == unit);
        near.or(candidates.first()).copied()
    }

    /// # Errors
    /// Fails if there is no such function.
    pub fn entry(&self, name: &str) -> Result<usize, Problem> {
        let known = self.by_name.get(name).and_then(|list| list.first());
        known.copied().ok_or_else(|| {
            let names: Vec<&str> = self
                .functions
                .iter()
                .map(|e| e.function.name.as_str())
                .take(8)
                .collect();
            let hint = if names.is_empty() {
                "the program has no function".to_string()
            } else {
                format!("choose one as `entry`: {}", names.join(", "))
            };
            Problem::new(format!("there is no function `{name}`")).hint(hint)
        })
    }

    pub fn site(&self, function: usize, start: usize) -> String {
        let known = self.sites[function].get(&start);
        known.cloned().unwrap_or_else(|| "site".to_string())
    }

    /// The profile site of the value of `place` after the statement that begins here: `main/set3/n`.
    pub fn site_of_value(&self, function: usize, start: usize, place: &str) -> Option<String> {
        let site = self.sites[function].get(&start)?;
        let name = &self.functions[function].function.name;
        Some(format!("{name}/{site}/{place}"))
    }

    /// The profile site of a value at the beginning of the function.
    pub fn site_at_begin(&self, function: usize, place: &str) -> String {
        format!(
            "{}/{AT_BEGIN}/{place}",
            self.functions[function].function.name
        )
    }

    pub fn globals_assigned(&self, function: usize) -> &BTreeSet<String> {
        &self.assigns[function]
    }

    pub fn globals_used(&self, function: usize) -> &BTreeSet<&'a str> {
        &self.uses[function]
    }

    /// The reason why a function cannot be modelled, if any.
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

    /// True if the address of a variable is kept somewhere: its value may change at any time.
    pub fn is_addressed(&self, function: usize, name: &str) -> bool {
        self.addressed[function].contains(name)
            || self.kept_globals.contains(name) && !self.variables[function].contains_key(name)
    }

    /// True if the address of a member is stored somewhere: its value may change at any time.
    pub fn is_kept(&self, member: &str) -> bool {
        self.kept_members.contains(member)
    }

    pub fn is_volatile(&self, name: &str) -> bool {
        self.volatile.contains(name)
    }

    /// True if a function itself gives its own variable a value.
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

    /// True if a global keeps its initial value for the whole program.
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

    /// True if a value that is stored here may be a structure: `*m = other`, `grids[i] = grid`.
    pub fn holds_members(&self, function: usize, place: &Expression) -> bool {
        match &place.kind {
            ExpressionKind::Unary(operator, inner) if operator == "*" => {
                self.points_to_members(function, inner)
            }
            ExpressionKind::Index(array, _) => self.points_to_members(function, array),
            _ => false,
        }
    }

    /// True if structures may lie where an expression points to.
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

    /// The members that a call of a function outside the files may write.
    pub fn written_outside(&self, function: usize, call: &Expression) -> Vec<String> {
        let ExpressionKind::Call(callee, arguments) = &call.kind else {
            return Vec::new();
        };
        let name = callee.name();
        if name.is_some_and(|name| self.function(name, function).is_some()) {
            return Vec::new();
        }
        let mut written = Vec::new();
        if self.is_unknown(function, call) {
            written.extend(self.written_unseen.iter().cloned());
        }
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

    /// True if a call is one by address, or one of a function of which only the name is known.
    fn is_unknown(&self, function: usize, call: &Expression) -> bool {
        let ExpressionKind::Call(callee, _) = &call.kind else {
            return false;
        };
        let Some(name) = callee.name() else {
            return true;
        };
        self.function(name, function).is_none()
            && (self.variable(function, name).is_some() || library::is_unknown(name))
    }

    /// The function of the program whose address is passed.
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

    /// True if a function is straight code, as the comparison of two numbers is.
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

    /// True if a function uses or writes members of structures, directly or through calls.
    pub fn is_of_members(&self, function: usize) -> bool {
        self.of_members[function]
    }
}

/// The operand `x` of `&x`.
fn address(argument: &Expression) -> Option<&Expression> {
    match &argument.kind {
        ExpressionKind::Unary(operator, inner) if operator == "&" => Some(inner),
        _ => None,
    }
}
