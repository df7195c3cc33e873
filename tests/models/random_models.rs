//! Random models: the closed form of each equation equals its definition wherever its conditions hold.

use std::fmt;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::selection::{SHARE, is_full, number_from};

use super::support::points::points;
use super::support::{closed_forms, compare, lowered, read};
use pamela_lab::models::grower::INEXACT;

const POINTS: usize = 10;

/// A numeric expression; indices and parameters are numbered, so that a shrunken one still has them.
#[derive(Clone, Debug)]
enum Number {
    Integer(i64),
    Half,
    /// One of [`PARAMETERS`].
    Parameter(usize),
    /// The index of an enclosing loop, counted from the outermost.
    Index(usize),
    Add(Box<Number>, Box<Number>),
    Subtract(Box<Number>, Box<Number>),
    Multiply(Box<Number>, Box<Number>),
    Extreme(&'static str, Box<Number>, Box<Number>),
    /// A quotient that has no value where the right one is 0.
    Quotient(Box<Number>, Box<Number>),
    /// The largest or smallest component of a list of two: what stands before the list, with its bracket.
    Component(&'static str, Box<Number>, Box<Number>),
    /// `mod` or `div` by a positive divisor.
    Divide(&'static str, Box<Number>, Divisor),
    /// A step or a comparison of a logarithm or a root: what stands before the operand and after it.
    Inexact((&'static str, &'static str), Box<Number>),
    Bracket(&'static str, Box<Number>, Box<Number>),
    If(Box<Number>, Box<Number>, Box<Number>),
    Reduce(&'static str, Bound, Bound, Box<Number>),
}

/// A bound of a loop: affine in one index or parameter.
#[derive(Clone, Debug)]
struct Bound {
    factor: i64,
    of: Option<Box<Number>>,
    offset: i64,
}

#[derive(Clone, Copy, Debug)]
enum Divisor {
    P,
    Constant(i64),
}

#[derive(Clone, Debug)]
enum Process {
    Delay(Number),
    UseServer(Number),
    /// `use(fcfs(e mod P, 1), max(0, t))`; no server is held for a negative time.
    UseCyclic(Number, Number),
    Pair(&'static str, Box<Process>, Box<Process>),
    Replicate(&'static str, Bound, Bound, Box<Process>),
    If(Number, Box<Process>, Box<Process>),
}

/// Components of a list that are named, or not.
const LISTS: [&str; 4] = ["max([", "min([", "min(2 * [", "max(unitvec(2) - ["];

const PARAMETERS: [&str; 4] = ["N", "M", "P", "x"];

/// A model: one numeric equation or one process, its parameters declared or bare.
#[derive(Clone)]
struct Model {
    declared: bool,
    body: Body,
}

#[derive(Clone, Debug)]
enum Body {
    Number(Number),
    Process(Process),
}

fn leaf() -> BoxedStrategy<Number> {
    prop_oneof![
        3 => (0i64..=3).prop_map(Number::Integer),
        1 => Just(Number::Half),
        3 => (0usize..PARAMETERS.len()).prop_map(Number::Parameter),
        5 => (0usize..3).prop_map(Number::Index),
    ]
    .boxed()
}

fn bound() -> impl Strategy<Value = Bound> {
    let of = prop_oneof![
        2 => Just(None),
        3 => (0usize..3).prop_map(|parameter| Some(Box::new(Number::Parameter(parameter)))),
        3 => (0usize..2).prop_map(|index| Some(Box::new(Number::Index(index)))),
    ];
    (
        prop_oneof![5 => Just(1i64), 1 => Just(2), 1 => Just(-1)],
        of,
        -1i64..=2,
    )
        .prop_map(|(factor, of, offset)| Bound { factor, of, offset })
}

fn divisor() -> impl Strategy<Value = Divisor> {
    prop_oneof![Just(Divisor::P), (1i64..=3).prop_map(Divisor::Constant)]
}

fn number(depth: u32) -> BoxedStrategy<Number> {
    let reductions = prop_oneof![4 => Just("sum"), 2 => Just("max"), 1 => Just("min")];
    leaf()
        .prop_recursive(depth, 12, 2, move |inner| {
            let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
            let relation = prop_oneof![Just("<"), Just("<="), Just("=="), Just("!="), Just(">=")];
            let bracket = (relation, pair()).prop_map(|(relation, (l, r))| Number::Bracket(relation, l, r));
            prop_oneof![
                2 => pair().prop_map(|(l, r)| Number::Add(l, r)),
                1 => pair().prop_map(|(l, r)| Number::Subtract(l, r)),
                2 => pair().prop_map(|(l, r)| Number::Multiply(l, r)),
                1 => (prop_oneof![Just("max"), Just("min")], pair()).prop_map(|(name, (l, r))| Number::Extreme(name, l, r)),
                1 => pair().prop_map(|(l, r)| Number::Quotient(l, r)),
                1 => (proptest::sample::select(&LISTS[..]), pair())
                    .prop_map(|(opening, (l, r))| Number::Component(opening, l, r)),
                1 => (prop_oneof![Just("mod"), Just("div")], inner.clone(), divisor())
                    .prop_map(|(name, l, divisor)| Number::Divide(name, Box::new(l), divisor)),
                1 => (proptest::sample::select(&INEXACT[..]), inner.clone())
                    .prop_map(|(around, operand)| Number::Inexact(around, Box::new(operand))),
                1 => bracket.clone(),
                1 => (bracket, pair()).prop_map(|(c, (a, b))| Number::If(Box::new(c), a, b)),
                5 => (reductions.clone(), bound(), bound(), inner.clone())
                    .prop_map(|(name, lower, upper, body)| Number::Reduce(name, lower, upper, Box::new(body))),
            ]
        })
        .boxed()
}

fn process() -> BoxedStrategy<Process> {
    let time = || number(1);
    prop_oneof![
        time().prop_map(Process::Delay),
        time().prop_map(Process::UseServer),
        (leaf(), time()).prop_map(|(index, time)| Process::UseCyclic(index, time)),
    ]
    .prop_recursive(3, 10, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        let replicated = prop_oneof![3 => Just("seq"), 3 => Just("par"), 1 => Just("any")];
        let condition = (prop_oneof![Just("<"), Just("<="), Just("==")], leaf(), leaf())
            .prop_map(|(relation, l, r)| Number::Bracket(relation, Box::new(l), Box::new(r)));
        prop_oneof![
            4 => (replicated, bound(), bound(), boxed())
                .prop_map(|(name, lower, upper, body)| Process::Replicate(name, lower, upper, body)),
            2 => (prop_oneof![Just(";"), Just("||")], boxed(), boxed()).prop_map(|(name, l, r)| Process::Pair(name, l, r)),
            1 => (prop_oneof![1 => Just(Number::Half), 3 => condition], boxed(), boxed()).prop_map(|(c, a, b)| Process::If(c, a, b)),
        ]
    })
    .boxed()
}

fn model() -> impl Strategy<Value = Model> {
    let body =
        prop_oneof![3 => number(4).prop_map(Body::Number), 2 => process().prop_map(Body::Process)];
    (any::<bool>(), body).prop_map(|(declared, body)| Model { declared, body })
}

/// One of the ways to write the same model.
#[derive(Clone, Copy)]
struct Spelling {
    /// What the names of indices begin with.
    index: &'static str,
    /// True if the operands of commutative operators change places.
    swapped: bool,
}

const PLAIN: Spelling = Spelling {
    index: "i",
    swapped: false,
};

/// Writes with the number of enclosing loops, which says how the indices are called.
struct Writer {
    text: String,
    depth: usize,
    spelling: Spelling,
}

impl Writer {
    fn push(&mut self, text: impl AsRef<str>) {
        self.text.push_str(text.as_ref());
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Integer(value) => self.push(value.to_string()),
            Number::Half => self.push("0.5"),
            Number::Parameter(which) => self.push(PARAMETERS[*which]),
            // Outside of all loops there is no index to name.
            Number::Index(_) if self.depth == 0 => self.push("M"),
            Number::Index(which) => {
                self.push(format!("{}{}", self.spelling.index, which % self.depth))
            }
            Number::Add(left, right) => {
                let (left, right) = self.ordered(left, right);
                self.binary(left, "+", right);
            }
            Number::Subtract(left, right) => self.binary(left, "-", right),
            Number::Multiply(left, right) => {
                let (left, right) = self.ordered(left, right);
                self.binary(left, "*", right);
            }
            Number::Bracket(relation, left, right) => self.binary(left, relation, right),
            Number::Extreme(name, left, right) => {
                let (left, right) = self.ordered(left, right);
                self.push(format!("{name}("));
                self.number(left);
                self.push(", ");
                self.number(right);
                self.push(")");
            }
            Number::Quotient(left, right) => {
                self.push("(");
                self.number(left);
                // What is always 0 is refused.
                self.push(" / (2 * x - ");
                self.number(right);
                self.push("))");
            }
            Number::Component(opening, left, right) => {
                self.push(opening);
                self.number(left);
                self.push(", ");
                self.number(right);
                self.push("])");
            }
            Number::Divide(name, left, divisor) => {
                self.push("(");
                self.number(left);
                match divisor {
                    Divisor::P => self.push(format!(" {name} P)")),
                    Divisor::Constant(value) => self.push(format!(" {name} {value})")),
                }
            }
            Number::Inexact((opening, closing), operand) => {
                self.push(opening);
                self.number(operand);
                self.push(closing);
            }
            Number::If(condition, then, otherwise) => {
                self.push("(if ");
                self.number(condition);
                self.push(" ");
                self.number(then);
                self.push(" else ");
                self.number(otherwise);
                self.push(")");
            }
            Number::Reduce(name, lower, upper, body) => {
                self.range(name, lower, upper);
                self.depth += 1;
                self.number(body);
                self.depth -= 1;
                self.push(" }");
            }
        }
    }

    fn ordered<'a, T>(&self, left: &'a T, right: &'a T) -> (&'a T, &'a T) {
        if self.spelling.swapped {
            (right, left)
        } else {
            (left, right)
        }
    }

    fn binary(&mut self, left: &Number, operator: &str, right: &Number) {
        self.push("(");
        self.number(left);
        self.push(format!(" {operator} "));
        self.number(right);
        self.push(")");
    }

    fn range(&mut self, name: &str, lower: &Bound, upper: &Bound) {
        self.push(format!("{name} ({}{} = ", self.spelling.index, self.depth));
        self.bound(lower);
        self.push(", ");
        self.bound(upper);
        self.push(") { ");
    }

    fn bound(&mut self, bound: &Bound) {
        if let Some(of) = &bound.of {
            if bound.factor != 1 {
                self.push(format!("{} * ", bound.factor));
            }
            self.number(of);
            self.push(format!(" + {}", bound.offset));
        } else {
            self.push(bound.offset.to_string());
        }
    }

    fn process(&mut self, process: &Process) {
        match process {
            Process::Delay(time) => self.call("delay(", time),
            Process::UseServer(time) => self.service("use(fcfs(0, 1), ", time),
            Process::UseCyclic(index, time) => {
                self.push("use(fcfs(");
                self.number(index);
                self.service(" mod P, 1), ", time);
            }
            Process::Pair(name, left, right) => {
                // The order of a sequence does not change its time either.
                let (left, right) = self.ordered(left, right);
                self.push("{ ");
                self.process(left);
                self.push(format!(" {name} "));
                self.process(right);
                self.push(" }");
            }
            Process::Replicate(name, lower, upper, body) => {
                self.range(name, lower, upper);
                self.depth += 1;
                self.process(body);
                self.depth -= 1;
                self.push(" }");
            }
            Process::If(condition, then, otherwise) => {
                self.push("if (");
                self.number(condition);
                self.push(") { ");
                self.process(then);
                self.push(" } else { ");
                self.process(otherwise);
                self.push(" }");
            }
        }
    }

    fn service(&mut self, opening: &str, time: &Number) {
        self.push(opening);
        self.call("max(0, ", time);
        self.push(")");
    }

    fn call(&mut self, opening: &str, argument: &Number) {
        self.push(opening);
        self.number(argument);
        self.push(")");
    }
}

impl Model {
    fn text(&self) -> String {
        self.spelled(PLAIN)
    }

    fn spelled(&self, spelling: Spelling) -> String {
        let facts = if self.declared {
            [
                " : integer >= 0",
                " : integer",
                " : integer >= 1",
                " : >= 0",
            ]
        } else {
            [""; 4]
        };
        let mut writer = Writer {
            text: String::new(),
            depth: 0,
            spelling,
        };
        for (parameter, fact) in PARAMETERS.iter().zip(facts) {
            writer.push(format!("numeric parameter {parameter}{fact}\n"));
        }
        match &self.body {
            Body::Number(number) => {
                writer.push("numeric f = ");
                writer.number(number);
            }
            Body::Process(process) => {
                writer.push("process main = ");
                writer.process(process);
            }
        }
        writer.push("\n");
        writer.text
    }
}

/// A failing case shows as the text of the model.
impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text())
    }
}

const SEED: u64 = 20_021;

pub fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        // The same models in every run; PROPTEST_RNG_SEED asks for others.
        rng_seed: RngSeed::Fixed(SEED),
        max_shrink_iters: 4_096,
        max_shrink_time: 60_000,
        ..ProptestConfig::default()
    }
}

/// As many models as a variable of the environment says, or else `few` in a full run and a part of them in others.
pub fn config_of(variable: &str, few: u32) -> ProptestConfig {
    let share = if is_full() {
        few
    } else {
        few.div_ceil(SHARE as u32)
    };
    config(number_from(variable, share.into()) as u32)
}

/// Name and text of each closed form.
fn formulas(text: &str) -> Vec<(String, String, Vec<String>)> {
    let closed = closed_forms("random.pam", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    closed
        .into_iter()
        .map(|closed| (closed.name, closed.formula, closed.conditions))
        .collect()
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_closed_form_equals_its_definition_where_its_conditions_hold(model in model()) {
        let text = model.text();
        let checked = read("random.pam", &text);
        let closed = closed_forms("random.pam", &text).unwrap_or_else(|error| panic!("{error}"));
        let comparison = compare("random.pam", &text, &closed, &points(&checked, POINTS));
        prop_assert!(comparison.wrong.is_empty(), "{}", comparison.wrong.join("\n"));
    }

    #[test]
    fn a_time_equals_its_definition_before_simplification(model in model()) {
        let text = model.text();
        let checked = read("random.pam", &text);
        let lowered = lowered("random.pam", &text).unwrap_or_else(|error| panic!("{error}"));
        let comparison = compare("random.pam", &text, &lowered, &points(&checked, POINTS));
        prop_assert!(comparison.wrong.is_empty(), "{}", comparison.wrong.join("\n"));
    }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn a_closed_form_does_not_depend_on_the_names_of_indices(model in model()) {
        let renamed = model.spelled(Spelling { index: "z", swapped: false });
        prop_assert_eq!(formulas(&model.text()), formulas(&renamed));
    }

    #[test]
    fn a_closed_form_does_not_depend_on_the_order_of_operands(model in model()) {
        let swapped = model.spelled(Spelling { index: "i", swapped: true });
        prop_assert_eq!(formulas(&model.text()), formulas(&swapped));
    }
}
