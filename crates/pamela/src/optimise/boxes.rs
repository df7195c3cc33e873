//! Bounds of expressions and of their slopes over boxes.

use std::collections::HashMap;

use super::interval::Interval;
use crate::expr::{Arena, ExprId, Function, Node, Relation};
use crate::formula::Formula;
use crate::ring::Rational;

/// Bounds of a value over a box, and of its derivative by each variable.
#[derive(Clone, Debug)]
pub struct Bounded {
    pub value: Interval,
    pub slopes: Vec<Interval>,
}

/// An operation on earlier results.
enum Step {
    Constant(Interval),
    Variable(usize),
    Add(Vec<usize>),
    Mul(Vec<usize>),
    /// A power with a constant exponent.
    Pow(usize, Rational),
    /// A power of a positive base with any other exponent.
    Power(usize, usize),
    Extreme(Vec<usize>, f64),
    Apply(Function, usize),
    Mod(usize, usize),
    Compare(Relation, usize, usize),
    If(usize, usize, usize),
}

/// Several formulas, evaluated over boxes.
pub struct Program<'a> {
    steps: Vec<Step>,
    known: HashMap<(*const Arena, ExprId), usize>,
    variables: &'a [String],
    named: &'a dyn Fn(&str) -> Option<Named<'a>>,
    results: Vec<Bounded>,
}

/// The meaning of a name that is not a variable.
pub enum Named<'a> {
    Number(Rational),
    Formula(&'a Formula),
}

impl<'a> Program<'a> {
    pub fn new(variables: &'a [String], named: &'a dyn Fn(&str) -> Option<Named<'a>>) -> Self {
        Program {
            steps: Vec::new(),
            known: HashMap::new(),
            variables,
            named,
            results: Vec::new(),
        }
    }

    /// Adds an expression and returns the index of its result; `None` if its bounds are not known.
    pub fn add(&mut self, arena: &'a Arena, root: ExprId) -> Option<usize> {
        let key = |id: ExprId| (std::ptr::from_ref(arena), id);
        let mut pending = vec![(root, false)];
        while let Some((id, is_ready)) = pending.pop() {
            if self.known.contains_key(&key(id)) {
                continue;
            }
            if !is_ready {
                pending.push((id, true));
                pending.extend(arena.operands(id).into_iter().map(|own| (own, false)));
                continue;
            }
            let step = self.step(arena, id)?;
            self.steps.push(step);
            self.known.insert(key(id), self.steps.len() - 1);
        }
        self.known.get(&key(root)).copied()
    }

    fn step(&mut self, arena: &'a Arena, id: ExprId) -> Option<Step> {
        let of = |id: &ExprId| self.known.get(&(std::ptr::from_ref(arena), *id)).copied();
        let all = |list: &[ExprId]| list.iter().map(of).collect::<Option<Vec<usize>>>();
        Some(match arena.node(id) {
            Node::Number(value) => Step::Constant(Interval::of(value)),
            _ if arena.as_unit(id).is_some() => Step::Constant(Interval::ONE),
            Node::Symbol(symbol) => {
                let name = arena.symbol_name(*symbol)?;
                if let Some(place) = self.variables.iter().position(|own| own == name) {
                    return Some(Step::Variable(place));
                }
                match (self.named)(name)? {
                    Named::Number(value) => Step::Constant(Interval::of(&value)),
                    Named::Formula(formula) => {
                        let own = self.add(formula.arena(), formula.root())?;
                        Step::Add(vec![own])
                    }
                }
            }
            Node::Add(list) => Step::Add(all(list)?),
            Node::Mul(list) => Step::Mul(all(list)?),
            Node::Pow(base, exponent) => match arena.as_number(*exponent) {
                Some(exponent) => Step::Pow(of(base)?, exponent.clone()),
                None => Step::Power(of(base)?, of(exponent)?),
            },
            Node::Max(list) => Step::Extreme(all(list)?, 1.0),
            Node::Min(list) => Step::Extreme(all(list)?, -1.0),
            Node::Apply(function, of_what) if has_bounds(*function) => {
                Step::Apply(*function, of(of_what)?)
            }
            Node::Mod(a, b) => Step::Mod(of(a)?, of(b)?),
            Node::Compare(relation, a, b) => Step::Compare(*relation, of(a)?, of(b)?),
            Node::If(condition, then, otherwise) => {
                Step::If(of(condition)?, of(then)?, of(otherwise)?)
            }
            _ => return None,
        })
    }

    /// Evaluates all results over a box.
    pub fn run(&mut self, cell: &[Interval]) -> &[Bounded] {
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        for step in &self.steps {
            let next = bounded(step, &results, cell);
            results.push(next);
        }
        self.results = results;
        &self.results
    }
}

/// The slopes of a sum, each with its factor.
fn combined(parts: &[(Interval, &Bounded)], variables: usize) -> Vec<Interval> {
    let slope = |place: usize| {
        let changing = parts
            .iter()
            .filter(|(_, part)| part.slopes[place] != Interval::ZERO);
        changing
            .map(|(factor, part)| factor.times(part.slopes[place]))
            .reduce(Interval::plus)
            .unwrap_or(Interval::ZERO)
    };
    (0..variables).map(slope).collect()
}

/// A value that may jump: 0 where no operand changes, else anything.
fn jumping(value: Interval, parts: &[&Bounded], variables: usize) -> Bounded {
    let is_fixed = |place: usize| {
        parts
            .iter()
            .all(|part| part.slopes[place] == Interval::ZERO)
    };
    let slope = |place| {
        if is_fixed(place) {
            Interval::ZERO
        } else {
            Interval::WHOLE
        }
    };
    Bounded {
        value,
        slopes: (0..variables).map(slope).collect(),
    }
}

fn bounded(step: &Step, known: &[Bounded], cell: &[Interval]) -> Bounded {
    let count = cell.len();
    match step {
        Step::Constant(value) => Bounded {
            value: *value,
            slopes: vec![Interval::ZERO; count],
        },
        Step::Variable(place) => {
            let mut slopes = vec![Interval::ZERO; count];
            slopes[*place] = Interval::ONE;
            Bounded {
                value: cell[*place],
                slopes,
            }
        }
        Step::Add(list) => {
            let parts: Vec<(Interval, &Bounded)> = list
                .iter()
                .map(|own| (Interval::ONE, &known[*own]))
                .collect();
            let values = parts.iter().map(|(_, part)| part.value);
            Bounded {
                value: values.reduce(Interval::plus).unwrap_or(Interval::ZERO),
                slopes: combined(&parts, count),
            }
        }
        Step::Mul(list) => product(list, known, count),
        Step::Pow(base, exponent) => power(&known[*base], exponent, count),
        Step::Power(base, exponent) => {
            // exp(e * log(b))
            let log = applied(Function::Log, &known[*base], count);
            let all = [known[*exponent].clone(), log];
            applied(Function::Exp, &product(&[0, 1], &all, count), count)
        }
        Step::Extreme(list, sign) => extreme(list.iter().map(|own| &known[*own]), *sign, count),
        Step::Apply(function, of) => applied(*function, &known[*of], count),
        Step::Mod(a, b) => remainder(&known[*a], &known[*b], count),
        Step::Compare(relation, a, b) => {
            let (a, b) = (&known[*a], &known[*b]);
            let truth = compared(*relation, a.value, b.value);
            let value = Interval::of_truth(truth);
            match truth {
                Some(_) => Bounded {
                    value,
                    slopes: vec![Interval::ZERO; count],
                },
                None => jumping(value, &[a, b], count),
            }
        }
        Step::If(condition, then, otherwise) => {
            let (condition, then, otherwise) =
                (&known[*condition], &known[*then], &known[*otherwise]);
            if condition.value.is_true() {
                return then.clone();
            }
            if condition.value.is_false() {
                return otherwise.clone();
            }
            let value = then.value.join(otherwise.value);
            jumping(value, &[condition, then, otherwise], count)
        }
    }
}

/// `a - b * floor(a / b)`, for positive `b`.
fn remainder(a: &Bounded, b: &Bounded, count: usize) -> Bounded {
    let quotient = a.value.times(b.value.reciprocal());
    let times = quotient.low.floor();
    if b.value.low > 0.0 && times == quotient.high.floor() {
        let value = a.value.minus(b.value.times(Interval::at(times)));
        return Bounded {
            value,
            slopes: combined(&[(Interval::ONE, a), (Interval::at(-times), b)], count),
        };
    }
    let value = Interval {
        low: 0.0,
        high: b.value.high,
    };
    jumping(value, &[a, b], count)
}

fn compared(relation: Relation, a: Interval, b: Interval) -> Option<bool> {
    match relation {
        Relation::Less if a.high < b.low => Some(true),
        Relation::Less if a.low >= b.high => Some(false),
        Relation::LessEqual if a.high <= b.low => Some(true),
        Relation::LessEqual if a.low > b.high => Some(false),
        Relation::Equal if a.high < b.low || b.high < a.low => Some(false),
        Relation::Equal if a == b && a.low == a.high => Some(true),
        _ => None,
    }
}

fn product(list: &[usize], known: &[Bounded], count: usize) -> Bounded {
    let mut all = known[list[0]].clone();
    for own in &list[1..] {
        let own = &known[*own];
        let slopes = combined(&[(own.value, &all), (all.value, own)], count);
        all = Bounded {
            value: all.value.times(own.value),
            slopes,
        };
    }
    all
}

/// A function of one operand, with its slope there.
fn of_one(value: Interval, slope: Interval, of: &Bounded, count: usize) -> Bounded {
    Bounded {
        value,
        slopes: combined(&[(slope, of)], count),
    }
}

fn power(base: &Bounded, exponent: &Rational, count: usize) -> Bounded {
    let own = base.value;
    let raised = |exponent: &Rational| -> Interval {
        let size = exponent.abs();
        let positive = match size.to_i64().and_then(|n| u32::try_from(n).ok()) {
            Some(0) => return Interval::ONE,
            Some(1) => own,
            Some(n) => own.whole_power(n),
            None => own.root(size.to_f64()),
        };
        if exponent.is_negative() {
            positive.reciprocal()
        } else {
            positive
        }
    };
    let less = exponent - &Rational::ONE;
    let slope = if !exponent.is_integer() && own.low <= 0.0 {
        Interval::WHOLE
    } else {
        Interval::of(exponent).times(raised(&less))
    };
    of_one(raised(exponent), slope, base, count)
}

fn extreme<'b>(mut parts: impl Iterator<Item = &'b Bounded>, sign: f64, count: usize) -> Bounded {
    let Some(first) = parts.next() else {
        return jumping(Interval::ZERO, &[], count);
    };
    parts.fold(first.clone(), |all, own| {
        let (above, below) = if sign > 0.0 { (&all, own) } else { (own, &all) };
        // If one operand never exceeds the other, the other one is the extreme.
        if above.value.low >= below.value.high {
            return all;
        }
        if below.value.low >= above.value.high {
            return own.clone();
        }
        let ends = |f: fn(f64, f64) -> f64| Interval {
            low: f(all.value.low, own.value.low),
            high: f(all.value.high, own.value.high),
        };
        Bounded {
            value: ends(if sign > 0.0 { f64::max } else { f64::min }),
            slopes: all
                .slopes
                .iter()
                .zip(&own.slopes)
                .map(|(a, b)| a.join(*b))
                .collect(),
        }
    })
}

/// The functions of which [`applied`] knows bounds.
fn has_bounds(function: Function) -> bool {
    use Function::{Abs, Ceil, Exp, Floor, Integer, Log, Sqrt};
    matches!(function, Floor | Ceil | Abs | Sqrt | Log | Exp | Integer)
}

fn applied(function: Function, of: &Bounded, count: usize) -> Bounded {
    let own = of.value;
    match function {
        Function::Floor | Function::Ceil => {
            let round = if function == Function::Floor {
                f64::floor
            } else {
                f64::ceil
            };
            let value = Interval {
                low: round(own.low),
                high: round(own.high),
            };
            if value.low == value.high {
                of_one(value, Interval::ZERO, of, count)
            } else {
                jumping(value, &[of], count)
            }
        }
        Function::Abs => {
            let negated = of_one(own.negated(), Interval::at(-1.0), of, count);
            extreme([of, &negated].into_iter(), 1.0, count)
        }
        Function::Sqrt => match Rational::ONE.checked_div(&Rational::from(2)) {
            Some(half) => power(of, &half, count),
            None => jumping(Interval::WHOLE, &[of], count),
        },
        Function::Log => {
            let value = Interval {
                low: own.low.max(0.0),
                high: own.high.max(0.0),
            };
            let slope = if own.low > 0.0 {
                own.reciprocal()
            } else {
                Interval::WHOLE
            };
            of_one(value.rising(f64::ln), slope, of, count)
        }
        Function::Exp => {
            let value = own.rising(f64::exp);
            let value = Interval {
                low: value.low.max(0.0),
                ..value
            };
            of_one(value, value, of, count)
        }
        Function::Integer => {
            let is_whole = own.low == own.high && own.low.fract() == 0.0;
            let truth = if own.low.ceil() > own.high {
                Some(false)
            } else {
                is_whole.then_some(true)
            };
            jumping(Interval::of_truth(truth), &[of], count)
        }
        _ => jumping(Interval::WHOLE, &[of], count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Model, Options};

    /// Values at points of a box, by the exact evaluator, lie within the bounds over the box; so do quotients of differences
    /// within those of the slopes.
    #[test]
    fn bounds_hold_at_points() {
        let texts = [
            "x + 2 / x",
            "x ^ 3 - 4 * x ^ 2 + x",
            "max(x, 4 / x, x ^ 2 - 3)",
            "min(x, 3) * abs(x - 2)",
            "sqrt(x) * log(x)",
            "exp(-1 * x) * x ^ 2",
            "if (x < 2) x else 4 - x",
            "floor(x) + x mod 2",
            "x ^ (3 / 2) - 2 ^ x",
            "(x - 3) ^ 2 / (x ^ 2 + 1)",
        ];
        for text in texts {
            let model = format!("numeric parameter x : > 0\nnumeric T = {text}");
            let compiled = Model::parse(&model)
                .unwrap()
                .compile(&Options::default())
                .unwrap();
            let formula = &compiled.equations()[0].formula;
            let variables = ["x".to_string()];
            let nothing = |_: &str| None;
            let mut program = Program::new(&variables, &nothing);
            let root = program.add(formula.arena(), formula.root()).unwrap();
            for (from, to) in [(1, 2), (3, 8), (2, 40), (15, 16), (31, 33)] {
                let (low, high) = (f64::from(from) / 8.0, f64::from(to) / 8.0);
                let found = program.run(&[Interval { low, high }])[root].clone();
                let value = |x: f64| {
                    let point = [("x", Rational::from_f64(x).unwrap())];
                    compiled
                        .at(crate::compiled::Point::from(point))
                        .unwrap()
                        .number("T")
                        .unwrap()
                };
                let places = (0..=16).map(|k| low + (high - low) * f64::from(k) / 16.0);
                let places: Vec<f64> = places.collect();
                for pair in places.windows(2) {
                    let (here, next) = (value(pair[0]), value(pair[1]));
                    assert!(
                        found.value.low <= here && here <= found.value.high,
                        "{text} {found:?}"
                    );
                    let slope = (next - here) / (pair[1] - pair[0]);
                    let Interval { low, high } = found.slopes[0];
                    assert!(
                        low - 1e-9 <= slope && slope <= high + 1e-9,
                        "{text} {found:?} {slope}"
                    );
                }
            }
        }
    }
}
