//! The files of a program together: functions, globals, and what calls and assigns what.

use std::collections::{BTreeMap, BTreeSet, HashMap};

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
        };
        for (unit, read) in units.iter().enumerate() {
            for function in &read.program.functions {
                let entry = Entry { unit, function };
                let list = whole.by_name.entry(&function.name).or_default();
                list.push(whole.functions.len());
                whole.functions.push(entry);
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

    pub fn is_addressed(&self, function: usize, name: &str) -> bool {
        self.addressed[function].contains(name)
    }

    /// Whether a function calls itself, directly or by others.
    pub fn is_recursive(&self, function: usize) -> bool {
        self.calls[function].contains(&function)
    }

    fn look_through(&mut self) {
        for at in 0..self.functions.len() {
            let entry = self.functions[at];
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
                    }
                    ExpressionKind::Name(name) => {
                        uses.insert(name.as_str());
                    }
                    ExpressionKind::Unary(operator, inner) if operator == "&" => {
                        assigns.extend(inner.place());
                        if let Some(name) = inner.name() {
                            *addresses.entry(name).or_insert(0) += 1;
                        }
                    }
                    ExpressionKind::Call(function, arguments) => {
                        calls.extend(function.name().and_then(|name| self.function(name, at)));
                        for name in arguments.iter().filter_map(address) {
                            *addresses.entry(name).or_insert(0) -= 1;
                        }
                    }
                    _ => {}
                });
            // What a call may change by a pointer is not known.
            assigns.extend(addresses.keys().map(ToString::to_string));
            let addressed = addresses.into_iter().filter(|(_, times)| *times > 0);
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

/// The variable of `&x`.
fn address(argument: &Expression) -> Option<&str> {
    match &argument.kind {
        ExpressionKind::Unary(operator, inner) if operator == "&" => inner.name(),
        _ => None,
    }
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
