//! Programs with probes: at the branches, loops, messages and values that a model needs, and around the timed code.

mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::lowering::{Elements, elements, plain, sites};
use crate::source::tree::*;
use crate::source::{Family, Unit};

/// Declarations of the probe functions, inserted before each file.
const DECLARATIONS: &str = "struct pamela_loop { int site; unsigned long long trips; }; \
struct pamela_region { unsigned long long begin; }; \
int pamela_probe(int, int); int pamela_elements(int, int); const int *pamela_each(int, const int *); \
void pamela_type(int, const void *); void pamela_value(int, long long); void pamela_restart(int); \
void pamela_loop_end(struct pamela_loop *); \
struct pamela_region pamela_region_begin(void); void pamela_region_end(struct pamela_region *);\n";

/// Instrumentation of a program.
#[derive(Clone, Debug, Default)]
pub struct Instrumentation {
    /// Sites that are counted, `sort/if1`, with their numbers.
    pub sites: BTreeMap<String, usize>,
    /// The timed function; a region takes precedence.
    pub timed: Option<String>,
}

/// Text inserted at a byte. Closing text comes before opening text at the same byte, and outer openings come first.
struct Edit {
    at: usize,
    opens: bool,
    order: i64,
    text: String,
}

struct Editor<'a> {
    text: &'a str,
    wanted: &'a Instrumentation,
    sites: std::collections::HashMap<usize, String>,
    name: &'a str,
    edits: Vec<Edit>,
    placed: Vec<usize>,
    /// Positions of the first parts of `for`.
    first: BTreeSet<usize>,
}

/// The preprocessed texts with probes, and the sites that cannot be counted: parts of `&&` and `||`, loops whose
/// iterations threads share.
pub fn instrument(units: &[Unit], wanted: &Instrumentation) -> (Vec<String>, Vec<String>) {
    let mut placed = Vec::new();
    let mut texts = Vec::new();
    for unit in units {
        let mut edits = Vec::new();
        for function in &unit.program.functions {
            let mut editor = Editor {
                text: &unit.text.full,
                wanted,
                sites: sites(function),
                name: &function.name,
                edits: Vec::new(),
                placed: Vec::new(),
                first: BTreeSet::new(),
            };
            editor.time(function);
            editor.begin(function);
            editor.statement(&function.body, &[]);
            placed.append(&mut editor.placed);
            edits.append(&mut editor.edits);
        }
        texts.push(applied(&unit.text.full, edits));
    }
    let lost = wanted
        .sites
        .iter()
        .filter(|(_, number)| !placed.contains(number));
    let lost = lost.map(|(site, _)| site.clone()).collect();
    (texts, lost)
}

fn applied(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.at, edit.opens, edit.order));
    let mut result = DECLARATIONS.to_string();
    let mut done = 0;
    for edit in edits {
        result.push_str(&text[done..edit.at]);
        result.push_str(&edit.text);
        done = edit.at;
    }
    result.push_str(&text[done..]);
    result
}

/// Start of a statement, including the pragmas before it.
fn start(statement: &Statement) -> usize {
    let pragmas = statement.pragmas.iter().map(|pragma| pragma.start);
    pragmas.fold(statement.span.start, usize::min)
}

fn is_shared(statement: &Statement) -> bool {
    statement
        .pragmas
        .iter()
        .any(|pragma| pragma.family == Family::OpenMp)
}

impl Editor<'_> {
    fn put(&mut self, at: usize, opens: bool, text: String) {
        let number = self.edits.len() as i64;
        let order = if opens { number } else { -number };
        self.edits.push(Edit {
            at,
            opens,
            order,
            text,
        });
    }

    /// Puts a statement into braces, behind a declaration.
    fn brace(&mut self, statement: &Statement, before: &str) {
        self.put(start(statement), true, format!("{{ {before}\n"));
        self.put(statement.span.end, false, "\n}".to_string());
    }

    /// Inserts a probe around a condition.
    fn probe(&mut self, condition: &Expression, number: usize) {
        self.placed.push(number);
        self.put(
            condition.span.start,
            true,
            format!("(pamela_probe({number}, !!("),
        );
        self.put(condition.span.end, false, ")))".to_string());
    }

    fn number(&self, start: usize, case: Option<usize>) -> Option<usize> {
        let site = self.sites.get(&start)?;
        let name = match case {
            Some(case) => format!("{}/{site}/{case}", self.name),
            None => format!("{}/{site}", self.name),
        };
        self.wanted.sites.get(&name).copied()
    }

    /// The clock around the body of the function, or around the region in it.
    fn time(&mut self, function: &Function) {
        const CLOCK: &str = "struct pamela_region pamela_clock __attribute__((cleanup(pamela_region_end))) = \
                             pamela_region_begin();";
        let mut region = None;
        function.body.walk(&mut |statement| {
            if statement.is("region") {
                region = region.or(Some(statement));
            }
        });
        match region {
            Some(statement) => self.brace(statement, CLOCK),
            None if self.wanted.timed.as_deref() == Some(&function.name) => {
                self.put(function.body.span.start + 1, true, format!(" {CLOCK} "));
            }
            None => {}
        }
    }

    /// `around`: the loops around, outermost first.
    fn statement<'s>(&mut self, statement: &'s Statement, around: &[&'s Statement]) {
        let start = statement.span.start;
        let number = self.number(start, None);
        let mut inside = around.to_vec();
        self.behind(statement);
        match &statement.kind {
            StatementKind::If { condition, .. } => {
                if let Some(number) = number {
                    self.probe(condition, number);
                    self.restart(number, around);
                }
            }
            StatementKind::For { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. } => {
                if let Some(number) = number.filter(|_| !is_shared(statement)) {
                    self.repetition(statement, body, number);
                }
                inside.push(statement);
            }
            StatementKind::Switch { value, cases } => self.switch(start, value, cases),
            _ => {}
        }
        for expression in statement.expressions() {
            let (mut choices, mut calls) = (Vec::new(), Vec::new());
            expression.walk(&mut |part| match &part.kind {
                ExpressionKind::Conditional(condition, ..) => {
                    choices.push((part.span.start, &**condition));
                }
                ExpressionKind::Call(called, arguments) => {
                    let places = called.name().and_then(plain).and_then(elements);
                    calls.extend(places.map(|places| (part.span.end, places, arguments)));
                }
                _ => {}
            });
            for (end, places, arguments) in calls {
                if let Some(number) = self.number(end, None) {
                    self.message(number, places, arguments);
                }
            }
            for (start, condition) in choices {
                if let Some(number) = self
                    .number(start, None)
                    .filter(|n| !self.placed.contains(n))
                {
                    self.probe(condition, number);
                }
            }
        }
        self.within(statement);
        for inner in statement.inner() {
            self.statement(inner, &inside);
        }
    }

    /// Inserts probes around the message arguments of an MPI call.
    fn message(
        &mut self,
        number: usize,
        (elements, kind): (Elements, usize),
        arguments: &[Expression],
    ) {
        let (probe, place) = match elements {
            Elements::One(place) => ("pamela_elements", place),
            Elements::Each(place) => ("pamela_each", place),
        };
        let (Some(elements), Some(kind)) = (arguments.get(place), arguments.get(kind)) else {
            return;
        };
        self.placed.push(number);
        self.around(elements, format!("{probe}({number}, ("), "))");
        // The type of a type of MPI is known to the compiler alone.
        self.around(
            kind,
            "({ __auto_type pamela_sent = (".to_string(),
            &format!("); pamela_type({number}, &pamela_sent); pamela_sent; }})"),
        );
    }

    fn around(&mut self, expression: &Expression, before: String, behind: &str) {
        self.put(expression.span.start, true, before);
        self.put(expression.span.end, false, behind.to_string());
    }

    /// The positions of a branch's trials begin anew with the loop around it, unless threads share that.
    fn restart(&mut self, number: usize, around: &[&Statement]) {
        let is_apart = |statement: &&Statement| is_shared(statement);
        let Some(inner) = around.last() else { return };
        // Loops that are collapsed have nothing between them.
        if around[around.len().saturating_sub(3)..]
            .iter()
            .any(is_apart)
        {
            return;
        }
        let inner = *inner;
        self.brace(inner, &format!("pamela_restart({number});"));
    }

    fn repetition(&mut self, statement: &Statement, body: &Statement, number: usize) {
        self.placed.push(number);
        let name = format!("pamela_loop_{number}");
        self.brace(
            statement,
            &format!(
                "struct pamela_loop {name} __attribute__((cleanup(pamela_loop_end))) = {{ {number}, 0 }};"
            ),
        );
        self.brace(body, &format!("{name}.trips++;"));
    }

    fn switch(&mut self, start: usize, value: &Expression, cases: &[Case]) {
        let mut probes = String::new();
        for (place, case) in cases.iter().enumerate() {
            let (Some(number), Some(case)) = (self.number(start, Some(place)), &case.value) else {
                continue;
            };
            self.placed.push(number);
            let value = &self.text[case.span.start..case.span.end];
            probes.push_str(&format!(
                "pamela_probe({number}, pamela_chosen == ({value}));"
            ));
        }
        if probes.is_empty() {
            return;
        }
        self.put(
            value.span.start,
            true,
            "(({ long long pamela_chosen = ".to_string(),
        );
        self.put(
            value.span.end,
            false,
            format!("; {probes} pamela_chosen; }}))"),
        );
    }
}
