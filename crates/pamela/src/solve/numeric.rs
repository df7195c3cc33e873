//! The exact set where a condition holds, where all other parameters have numbers.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::condition::{Problem, Side};
use super::gaps::Question;
use super::lattice::{Cell, Lattice, Pieces};
use super::range::Range;
use super::signs::{Obstacle, Signs, sign_at};
use super::truth::{Truth, within_each};
use crate::compiled::{Column, Compiled, Input, Plan};
use crate::diagnostic::{Error, Result};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::formula::{Formula, expression_text};
use crate::pipeline::Options;
use crate::ring::Rational;

/// Points that are evaluated one by one where no method decides a condition.
pub const MOST_POINTS: u64 = 1_000_000;

/// Points that are evaluated at a time.
const CHUNK: usize = 4096;

/// A part of the line in which the variable is a sign times a positive number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Negative,
    Zero,
    Positive,
}

/// The expressions of a problem over one variable.
pub struct Line<'c> {
    compiled: &'c Compiled,
    problem: &'c Problem,
    pub name: String,
    pub lattice: Lattice,
    /// True if the variable is not declared to be whole, but the closed forms hold only for whole numbers.
    pub is_taken_whole: bool,
    pub known: BTreeMap<String, Rational>,
    pub arena: Arena,
    /// The sides of comparisons, over the variable and the parameters without numbers.
    pub sides: BTreeMap<String, ExprId>,
    /// Facts of the parameters.
    pub facts: Vec<ExprId>,
    /// Conditions under which the closed forms hold.
    pub conditions: Vec<ExprId>,
}

/// Where the condition holds in a part of the line, as cells of positive numbers.
pub struct Answered {
    pub part: Part,
    pub pieces: Pieces<Truth>,
    /// The ranges of positive real numbers.
    pub ranges: Vec<Range>,
}

impl<'c> Line<'c> {
    /// Collects the expressions, with numbers for all parameters but one.
    pub fn new(
        compiled: &'c Compiled,
        problem: &'c Problem,
        name: &str,
        known: BTreeMap<String, Rational>,
    ) -> Result<Line<'c>> {
        let is_whole = compiled
            .parameters()
            .iter()
            .any(|own| own.name == name && own.whole);
        let mut line = Line {
            compiled,
            problem,
            name: name.to_owned(),
            is_taken_whole: false,
            lattice: if is_whole {
                Lattice::Whole
            } else {
                Lattice::Real
            },
            known,
            arena: Arena::new(),
            sides: BTreeMap::new(),
            facts: Vec::new(),
            conditions: Vec::new(),
        };
        line.read()?;
        Ok(line)
    }

    fn read(&mut self) -> Result<()> {
        let (compiled, problem) = (self.compiled, self.problem);
        for (_, left, right) in problem.condition.comparisons() {
            for name in [left, right].into_iter().filter_map(Side::equation) {
                if self.sides.contains_key(name) {
                    continue;
                }
                let equation = super::side_of(compiled, problem, name)?;
                let value = self.own(&equation.formula, equation.formula.root());
                let value = self.expanded(value, 0)?;
                self.sides.insert(name.to_owned(), value);
            }
        }
        for fact in &compiled.simplified().facts {
            let own = self.own(fact, fact.root());
            self.facts.push(own);
        }
        let names: Vec<String> = self.sides.keys().cloned().collect();
        let mut seen = Vec::new();
        for name in names {
            self.require(&name, &mut seen)?;
        }
        self.take_whole();
        self.require_facts()
    }

    /// An expression of a formula in the arena of the line, with the numbers of the other parameters.
    fn own(&mut self, formula: &Formula, id: ExprId) -> ExprId {
        let id = self
            .arena
            .import(formula.arena(), id, &mut FxHashMap::default());
        let known = &self.known;
        self.arena.replace(id, &|arena, own| {
            if arena.as_unit(own).is_some() {
                return Some(arena.number(1));
            }
            let Node::Symbol(symbol) = arena.node(own) else {
                return None;
            };
            let value = known.get(arena.symbol_name(*symbol)?)?.clone();
            Some(arena.number(value))
        })
    }

    /// An expression with the closed forms of the equations that it mentions; collects their conditions.
    fn expanded(&mut self, id: ExprId, depth: usize) -> Result<ExprId> {
        let names: Vec<String> = self
            .arena
            .mentioned(id)
            .map(|own| own.name.clone())
            .collect();
        let mut now = id;
        for name in names {
            let found = self
                .compiled
                .equations()
                .iter()
                .find(|own| own.name == name);
            let Some(equation) = found.filter(|own| own.formals.is_empty() && depth < 100) else {
                continue;
            };
            let value = self.own(&equation.formula, equation.formula.root());
            let value = self.expanded(value, depth + 1)?;
            now = self.arena.replace(now, &|arena, own| {
                let is_it = arena.as_reference(own).is_some_and(|own| own.name == name);
                is_it.then_some(value)
            });
        }
        Ok(now)
    }

    /// Collects the conditions of the closed forms of the sides and of what they mention.
    fn require(&mut self, name: &str, seen: &mut Vec<String>) -> Result<()> {
        if seen.iter().any(|own| own == name) {
            return Ok(());
        }
        seen.push(name.to_owned());
        let found = self
            .compiled
            .equations()
            .iter()
            .find(|own| own.name == name);
        let Some(equation) = found else {
            return Ok(());
        };
        for &condition in equation.formula.conditions() {
            let own = self.own(&equation.formula, condition);
            let own = self.expanded(own, 0)?;
            self.conditions.push(own);
        }
        for name in equation.formula.mentions() {
            self.require(&name, seen)?;
        }
        Ok(())
    }

    /// Decides the condition everywhere.
    pub fn answer(&self) -> Result<Vec<Answered>> {
        let parts = [Part::Negative, Part::Zero, Part::Positive];
        let answers = parts.map(|part| self.in_part(part));
        answers.into_iter().collect()
    }

    /// Takes the variable as a whole number if the closed forms hold only there.
    fn take_whole(&mut self) {
        let variable = self.arena.parameter(&self.name);
        let whole = self.arena.apply(Function::Integer, variable);
        if self.lattice == Lattice::Real && self.conditions.contains(&whole) {
            self.lattice = Lattice::Whole;
            self.is_taken_whole = true;
            self.facts.push(whole);
        }
    }

    /// Facts about other parameters must hold.
    fn require_facts(&self) -> Result<()> {
        for (fact, own) in self.compiled.simplified().facts.iter().zip(&self.facts) {
            if self.arena.as_number(*own).is_some_and(Rational::is_zero) {
                let text = fact.pamela();
                let given: Vec<String> = fact
                    .parameters()
                    .iter()
                    .filter_map(|name| Some(format!("{name} = {}", self.known.get(name)?)))
                    .collect();
                return Err(Error::new(format!(
                    "the model requires `{text}`, which does not hold for {}",
                    given.join(", ")
                )));
            }
        }
        Ok(())
    }

    /// True if all facts hold at a number.
    pub fn is_in_domain(&self, at: &Rational) -> bool {
        self.facts.iter().all(|&fact| {
            let sign = sign_at(&self.arena, fact, &self.name, at);
            matches!(sign, Ok(Some(sign)) if sign.is_ne())
        })
    }

    /// True if a side depends on the variable.
    pub fn depends(&self, side: &str) -> bool {
        self.sides.get(side).is_some_and(|&id| self.mentions(id))
    }

    /// True if an expression depends on the variable.
    pub fn mentions(&self, id: ExprId) -> bool {
        let mut free = self.arena.free(id).iter();
        free.any(|&symbol| self.arena.symbol_name(symbol) == Some(self.name.as_str()))
    }

    /// Adds facts: the variable lies between two numbers.
    pub fn restrict(&mut self, [first, last]: &[Rational; 2]) {
        let variable = self.arena.parameter(&self.name);
        let [first, last] = [first, last].map(|end| self.arena.number(end.clone()));
        for [low, high] in [[first, variable], [variable, last]] {
            let fact = self
                .arena
                .relate(crate::expr::Relation::LessEqual, low, high);
            self.facts.push(fact);
        }
    }

    /// An expression over a positive variable, in place of the variable of a part.
    fn turned(&self, signs: &mut Signs, part: Part, id: ExprId) -> ExprId {
        let symbol = signs.variable;
        let arena = &mut signs.arena;
        let variable = arena.symbol(symbol);
        let by = match part {
            Part::Positive => variable,
            Part::Zero => arena.number(0),
            Part::Negative => arena.negate(variable),
        };
        let is_whole = self.lattice == Lattice::Whole;
        let id = arena.replace(id, &|arena, own| match arena.node(own) {
            Node::Apply(Function::Integer, of) if is_whole && *of == variable => {
                Some(arena.number(1))
            }
            _ => None,
        });
        arena.substitute(id, symbol, by)
    }

    fn in_part(&self, part: Part) -> Result<Answered> {
        let mut signs = Signs::new(self.arena.clone(), &self.name, self.lattice);
        let turned = |signs: &mut Signs, id: ExprId| self.turned(signs, part, id);
        let cell = match part {
            Part::Zero => Cell::at(signs.lattice.one()),
            _ => signs.lattice.whole(),
        };
        let mut domain = vec![(cell, Truth::Yes)];
        let mut all_facts = Vec::new();
        for &fact in &self.facts {
            let fact = turned(&mut signs, fact);
            domain = within_each(&domain, |cell| signs.truth_of(fact, cell));
            all_facts.push(fact);
        }
        let sides = self.sides.iter();
        let sides = sides.map(|(name, &id)| (name.as_str(), turned(&mut signs, id)));
        let sides: BTreeMap<&str, ExprId> = sides.collect();
        let conditions = self.conditions.iter();
        let conditions: Vec<ExprId> = conditions.map(|&id| turned(&mut signs, id)).collect();
        let pieces = within_each(&domain, |cell| {
            let mut applies = vec![(cell, Truth::Yes)];
            for &condition in &conditions {
                applies = within_each(&applies, |cell| {
                    let own = signs.truth_of(condition, cell).into_iter();
                    own.map(|(cell, truth)| (cell, proved(condition, truth)))
                        .collect()
                });
            }
            let mut all = Vec::new();
            for (cell, applies) in signs.lattice.joined(applies) {
                match applies {
                    Truth::Yes => all.extend(signs.truth(&self.problem.condition, &sides, cell)),
                    other => all.push((cell, other)),
                }
            }
            all
        });
        let pieces = signs.lattice.joined(pieces);
        self.require_decidable(&signs, part, &pieces)?;
        let pieces = self.enumerated(part, pieces)?;
        let question = Question {
            condition: &self.problem.condition,
            sides: &sides,
            facts: all_facts,
            conditions,
        };
        let ranges = match (self.lattice, part) {
            (Lattice::Whole, _) | (_, Part::Zero) => Vec::new(),
            _ => signs.ranges(&question, &pieces).map_err(|obstacle| {
                let near = pieces.first().map_or(cell, |(cell, _)| *cell);
                self.refusal(&signs, part, near, &obstacle)
            })?,
        };
        Ok(Answered {
            part,
            pieces,
            ranges,
        })
    }

    /// An error if more points are left than can be evaluated one by one.
    fn require_decidable(&self, signs: &Signs, part: Part, pieces: &Pieces<Truth>) -> Result<()> {
        let mut points = 0_u64;
        for (cell, truth) in pieces {
            let Truth::Open(obstacle) = truth else {
                continue;
            };
            points = points.saturating_add(cell.len());
            let is_listed = self.lattice.is_point(*cell) || self.lattice == Lattice::Whole;
            if points <= MOST_POINTS && is_listed {
                continue;
            }
            return Err(self.refusal(signs, part, *cell, obstacle));
        }
        Ok(())
    }

    fn refusal(&self, signs: &Signs, part: Part, cell: Cell, obstacle: &Obstacle) -> Error {
        let text = expression_text(&signs.arena, obstacle.part(), &[]);
        let name = &self.name;
        let reason = match obstacle {
            Obstacle::Form(_) => format!("no method solves `{text}` for {name}"),
            Obstacle::Undecided(_) => format!("`{text}` is too close to 0 to decide its sign"),
            Obstacle::TooFar(_) => {
                format!("`{text}` changes its sign beyond all numbers that are looked at")
            }
            Obstacle::TooMany(_) => format!("`{text}` changes too often"),
            Obstacle::Unproved(_) => format!("the closed form holds only where `{text}`"),
        };
        let at = |index: i64| {
            let value = self.lattice.value(index);
            crate::eval::Number::Exact(if part == Part::Negative {
                -value
            } else {
                value
            })
            .decimal_text()
        };
        let place = match (self.lattice.is_unbounded(cell), part) {
            (true, Part::Negative) => format!("for {name} <= {}", at(cell.first)),
            (true, _) => format!("for {name} >= {}", at(cell.first)),
            (false, Part::Negative) => {
                format!("for {name} from {} to {}", at(cell.last), at(cell.first))
            }
            (false, _) => format!("for {name} from {} to {}", at(cell.first), at(cell.last)),
        };
        let error = Error::new(format!("the condition is not decided {place}: {reason}"));
        let range = format!("`--for {name}=1:1000`");
        match (self.lattice, obstacle) {
            (_, Obstacle::Unproved(_)) => error.hint(format!(
                "give {name} a range in which it holds, such as {range}, or state it as a fact of the model"
            )),
            (Lattice::Whole, _) => error.hint(format!(
                "give {name} a range of at most {MOST_POINTS} numbers, such as {range}, and every point is evaluated"
            )),
            (Lattice::Real, _) => error.hint(format!(
                "give {name} a smaller range, such as {range}; if it is a whole number, declare it `integer`"
            )),
        }
    }

    /// Evaluates the points that are left.
    fn enumerated(&self, part: Part, pieces: Pieces<Truth>) -> Result<Pieces<Truth>> {
        let is_open = |truth: &Truth| matches!(truth, Truth::Open(_));
        if !pieces.iter().any(|(_, truth)| is_open(truth)) {
            return Ok(pieces);
        }
        let options = Options {
            only: vec![self.problem.truth.clone()],
            without_moments: true,
            laws: self.compiled.carrier(),
            ..Options::default()
        };
        let compiled = self.compiled.model()?.compile(&options)?;
        let plan = compiled.plan_of_values(&[])?;
        let mut all = Vec::new();
        for (cell, truth) in pieces {
            if !is_open(&truth) {
                all.push((cell, truth));
                continue;
            }
            let indices: Vec<i64> = (cell.first..=cell.last).collect();
            for chunk in indices.chunks(CHUNK) {
                let truths = self.truths_at(&compiled, &plan, part, chunk)?;
                let chunk = chunk.iter().map(|&index| Cell::at(index));
                all.extend(chunk.zip(truths));
            }
        }
        Ok(self.lattice.joined(all))
    }

    /// The truth at each of some points, from the closed form of the condition or its definition.
    fn truths_at(
        &self,
        compiled: &Compiled,
        plan: &Plan,
        part: Part,
        indices: &[i64],
    ) -> Result<Vec<Truth>> {
        let numbers = indices
            .iter()
            .map(|&index| value_of(part, self.lattice, index));
        let numbers: Vec<Rational> = numbers.collect();
        let column = Column::of_exact(numbers.iter().cloned().map(Some).collect());
        let column = Input::Column(std::sync::Arc::new(column), 0);
        let mut given = vec![(self.name.as_str(), column)];
        let known = self.known.iter();
        given.extend(known.map(|(name, value)| (name.as_str(), Input::Constant(value.clone()))));
        let inputs = plan.inputs(&given)?;
        let mut values = vec![f64::NAN; indices.len()];
        plan.put_all(
            &inputs,
            indices.len(),
            &mut plan.workspace(),
            &mut [&mut values],
        );
        let each = values.into_iter().zip(&numbers);
        each.map(|(value, at)| match value {
            1.0 => Ok(Truth::Yes),
            0.0 => Ok(Truth::No),
            _ => self.without_value(compiled, at),
        })
        .collect()
    }

    /// Truth at a point where the batch has no value: undefined, unless it is only not computed.
    fn without_value(&self, compiled: &Compiled, at: &Rational) -> Result<Truth> {
        let mut point = crate::compiled::Point::default();
        for (name, value) in &self.known {
            point = point.with(name, value.clone());
        }
        let evaluated = compiled.at(point.with(&self.name, at.clone()));
        match evaluated {
            Ok(evaluated) if !evaluated.unfinished.is_empty() => Err(Error::new(format!(
                "the condition takes too many steps at {} = {at}",
                self.name
            ))),
            _ => Ok(Truth::Undefined),
        }
    }
}

/// Where a condition of the closed form does not hold, the definition gives the value.
fn proved(condition: ExprId, truth: Truth) -> Truth {
    match truth {
        Truth::No | Truth::Undefined => Truth::Open(Obstacle::Unproved(condition)),
        other => other,
    }
}

/// The number with an index in a part of the line.
pub fn value_of(part: Part, lattice: Lattice, index: i64) -> Rational {
    match part {
        Part::Negative => -lattice.value(index),
        Part::Zero => Rational::ZERO,
        Part::Positive => lattice.value(index),
    }
}
