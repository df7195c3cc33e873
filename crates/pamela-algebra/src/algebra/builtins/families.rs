//! Longest paths of regular graphs.

mod order;

use num_integer::Integer;

use crate::expr::{ExprId, Function, GraphPart, Node, ReduceKind, Relation, Symbol};
use crate::ring::{Polynomial, Rational};

use crate::algebra::families::{
    Affine, Closed, Family, Form, MOST_SIZES, Problem, Reference, Span, Variable,
};
use crate::algebra::scope::{Candidate, Scope, mentions_index};
use crate::algebra::terms::{Terms, expr_of};

pub use order::{Order, ordered};
use order::{by_order, known_order};

/// Graphs of more families, or of more different times, are not looked at.
const MOST_FAMILIES: usize = 12;
const MOST_TIMES: usize = 6;

/// More is not looked at in a graph, neither as a factor nor as a distance.
const LARGEST: i64 = 1 << 31;

/// `graph { .. }`: a maximum of sums of task times, if its ranges and references are affine.
pub fn longest_path(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    closed(scope, term).into_iter().collect()
}

/// A size with the expression that it stands for.
pub type Size = (Variable, ExprId);

/// A graph as a problem, with the expressions that its variables and times stand for.
pub struct Regular {
    pub problem: Problem,
    pub sizes: Vec<Size>,
    /// The times of the problem.
    pub times: Vec<ExprId>,
    /// Expressions whose multiples are the times of the tasks.
    bases: Vec<ExprId>,
}

/// A graph whose ranges and references are affine, and whose times do not depend on indices.
pub fn regular(terms: &mut Terms, term: ExprId) -> Option<Regular> {
    let Node::Graph(GraphPart::LongestPath(_), families) = terms.arena.node(term).clone() else {
        return None;
    };
    if families.len() > MOST_FAMILIES || mentions_index(terms, term) {
        return None;
    }
    let mut reader = Reader {
        terms,
        variables: Vec::new(),
        sizes: Vec::new(),
        times: Vec::new(),
    };
    let read: Option<Vec<Read>> = families
        .iter()
        .map(|&family| reader.family(family))
        .collect();
    let read = read?;
    let Reader {
        variables,
        sizes,
        times,
        ..
    } = reader;
    if sizes.len() > MOST_SIZES || times.len() > MOST_TIMES {
        return None;
    }
    let units: Vec<Rational> = times.iter().map(|time| time.unit()).collect();
    let families = read.into_iter().map(|family| {
        let (time, factor) = family.weight;
        let factor = if times.is_empty() {
            0
        } else {
            let factor = factor.checked_div(&units[time])?.to_i64()?;
            (factor <= LARGEST).then_some(factor)?
        };
        Some(Family {
            ranges: family.ranges,
            weight: (time, factor),
            after: family.after,
        })
    });
    let problem = Problem {
        sizes: sizes.iter().map(|&(size, _)| size).collect(),
        families: families.collect::<Option<Vec<Family>>>()?,
        times: times.len().max(1),
        next: variables.len() as Variable,
        natural: Vec::new(),
    };
    let bases: Vec<ExprId> = times.iter().map(|time| time.value).collect();
    let values = bases.iter().zip(units).map(|(&base, unit)| {
        let unit = terms.arena.number(unit);
        terms.arena.mul(&[unit, base])
    });
    Some(Regular {
        problem,
        sizes,
        times: values.collect(),
        bases,
    })
}

fn closed(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let Regular {
        problem,
        sizes,
        times,
        bases,
    } = regular(&mut scope.terms, term)?;
    let known = known_order(scope, &sizes);
    let terms = &mut scope.terms;
    let parts = by_order(&problem, &sizes, &known)?;
    let zero = terms.arena.number(0);
    let mut guards = Vec::new();
    for base in bases {
        guards.push(terms.arena.relate(Relation::LessEqual, zero, base));
    }
    for &(_, size) in &sizes {
        guards.push(terms.arena.apply(Function::Integer, size));
    }
    let parts = parts.iter().map(|part| part.written(terms, &sizes, &times));
    let right = match &parts.collect::<Vec<_>>()[..] {
        [(None, whole)] => *whole,
        [(Some(holds), one), (_, other)] => terms.arena.if_else(*holds, *one, *other),
        _ => return None,
    };
    Some(Candidate { right, guards })
}

/// A closed form as an expression.
fn written(terms: &mut Terms, closed: &Closed, sizes: &[Size], times: &[ExprId]) -> ExprId {
    match closed {
        Closed::Greatest(forms) => {
            let forms = forms.iter().map(|form| sum_of(terms, form, sizes, times));
            let forms: Vec<ExprId> = forms.collect();
            terms.arena.max(&forms)
        }
        Closed::Cases(size, from, cases) => {
            let size = value_of(sizes, *size, terms);
            let from = terms.arena.number(*from);
            let reached = terms.arena.relate(Relation::LessEqual, from, size);
            let [there, below] = [0, 1].map(|case| written(terms, &cases[case], sizes, times));
            terms.arena.if_else(reached, there, below)
        }
    }
}

fn value_of(sizes: &[Size], variable: Variable, terms: &mut Terms) -> ExprId {
    let known = sizes.iter().find(|(size, _)| *size == variable);
    match known {
        Some(&(_, value)) => value,
        None => terms.arena.number(0),
    }
}

pub fn sum_of(terms: &mut Terms, form: &Form, sizes: &[Size], times: &[ExprId]) -> ExprId {
    let mut sum = Vec::new();
    for (part, &time) in form.iter().zip(times) {
        let mut count = vec![terms.arena.number(part.constant)];
        for (variable, coefficient) in part.terms() {
            let (value, number) = (
                value_of(sizes, variable, terms),
                terms.arena.number(coefficient),
            );
            count.push(terms.arena.mul(&[number, value]));
        }
        let count = terms.arena.add(&count);
        sum.push(terms.arena.mul(&[count, time]));
    }
    terms.arena.add(&sum)
}

/// A family whose weight is a multiple of one of the times.
struct Read {
    ranges: Vec<Span>,
    weight: (usize, Rational),
    after: Vec<Reference>,
}

/// A time that tasks take multiples of.
struct Time {
    value: ExprId,
    multiples: Vec<Rational>,
}

impl Time {
    /// The greatest number of which all multiples are whole multiples.
    fn unit(&self) -> Rational {
        let denominators = self.multiples.iter().map(Rational::denominator);
        let all = denominators.reduce(|a, b| a.lcm(&b));
        let all = all.map(Rational::from).unwrap_or(Rational::ONE);
        all.recip().unwrap_or(Rational::ONE)
    }
}

/// Meaning of a variable in an affine form.
enum Meaning {
    Index(Symbol),
    Size(ExprId),
}

struct Reader<'t> {
    terms: &'t mut Terms,
    variables: Vec<Meaning>,
    sizes: Vec<Size>,
    times: Vec<Time>,
}

impl Reader<'_> {
    fn family(&mut self, family: ExprId) -> Option<Read> {
        let (task, ranges) = self.ranges(family)?;
        let Node::Graph(GraphPart::Task, operands) = self.terms.arena.node(task).clone() else {
            return None;
        };
        let (&weight, after) = operands.split_first()?;
        let weight = self.weight(weight)?;
        let mut references = Vec::new();
        for &reference in after {
            references.extend(self.reference(reference)?);
        }
        Some(Read {
            ranges,
            weight,
            after: references,
        })
    }

    /// The body inside nested ranges, and these ranges.
    fn ranges(&mut self, mut part: ExprId) -> Option<(ExprId, Vec<Span>)> {
        let mut ranges = Vec::new();
        while let Node::Reduce(r) = *self.terms.arena.node(part)
            && r.kind == ReduceKind::Each
        {
            let (lower, upper) = (self.affine(r.lower)?, self.affine(r.upper)?);
            let index = self.variables.len() as Variable;
            self.variables.push(Meaning::Index(r.index));
            ranges.push(Span {
                index,
                lower,
                upper,
            });
            part = r.body;
        }
        Some((part, ranges))
    }

    /// A multiple of a time without indices.
    fn weight(&mut self, weight: ExprId) -> Option<(usize, Rational)> {
        if mentions_index(self.terms, weight) || self.terms.arena.is_random(weight) {
            return None;
        }
        let polynomial = self.terms.polynomial(weight);
        if polynomial.is_zero() {
            return Some((0, Rational::ZERO));
        }
        let (value, multiple) = match polynomial.as_term() {
            Some((monomial, coefficient)) if coefficient.is_positive() => {
                let monomial = Polynomial::term(monomial.clone(), Rational::ONE);
                (self.terms.expression(&monomial), coefficient.clone())
            }
            _ => (weight, Rational::ONE),
        };
        let known = self.times.iter().position(|time| time.value == value);
        let place = known.unwrap_or_else(|| {
            self.times.push(Time {
                value,
                multiples: Vec::new(),
            });
            self.times.len() - 1
        });
        self.times[place].multiples.push(multiple.clone());
        Some((place, multiple))
    }

    /// A reference; none where it is never there.
    fn reference(&mut self, reference: ExprId) -> Option<Option<Reference>> {
        let (inner, ranges) = self.ranges(reference)?;
        let Node::Graph(part, operands) = self.terms.arena.node(inner).clone() else {
            return None;
        };
        let (&condition, indices) = operands.split_first()?;
        if self
            .terms
            .arena
            .as_number(condition)
            .is_some_and(Rational::is_zero)
        {
            return Some(None);
        }
        let mut conditions = Vec::new();
        self.conditions(condition, &mut conditions)?;
        let (family, arguments) = match part {
            GraphPart::After(family) => {
                let indices = indices.iter().map(|&index| self.affine(index));
                (family, Some(indices.collect::<Option<Vec<Affine>>>()?))
            }
            GraphPart::AfterAll(family) => (family, None),
            GraphPart::LongestPath(_) | GraphPart::Task => return None,
        };
        Some(Some(Reference {
            family: family as usize,
            arguments,
            ranges,
            conditions,
        }))
    }

    /// Comparisons of whole numbers as affine forms that must be at least 0.
    fn conditions(&mut self, condition: ExprId, found: &mut Vec<Affine>) -> Option<()> {
        match self.terms.arena.node(condition).clone() {
            Node::Number(value) if value.is_one() => Some(()),
            Node::Mul(list) => list
                .iter()
                .try_for_each(|&part| self.conditions(part, found)),
            Node::Compare(relation, left, right) => {
                let distance = self.affine(right)?.plus(&self.affine(left)?, -1);
                found.push(match relation {
                    Relation::Less => distance.shifted(-1),
                    Relation::LessEqual | Relation::Equal => distance.clone(),
                });
                if relation == Relation::Equal {
                    found.push(distance.scaled(-1));
                }
                Some(())
            }
            _ => None,
        }
    }

    fn affine(&mut self, expr: ExprId) -> Option<Affine> {
        let polynomial = self.terms.polynomial(expr);
        let mut sum = Affine::constant(0);
        for (monomial, coefficient) in polynomial.terms() {
            let coefficient = coefficient.is_integer().then(|| coefficient.to_i64())??;
            if coefficient.unsigned_abs() > LARGEST as u64 {
                return None;
            }
            sum = match monomial.powers() {
                [] => sum.shifted(coefficient),
                [(atom, 1)] => {
                    let variable = self.variable(expr_of(*atom))?;
                    sum.with(variable, coefficient)
                }
                _ => {
                    // A product of sizes is a size of its own.
                    let product = Polynomial::term(monomial.clone(), Rational::ONE);
                    let product = self.terms.expression(&product);
                    let variable = self.variable(product)?;
                    sum.with(variable, coefficient)
                }
            };
        }
        Some(sum)
    }

    fn variable(&mut self, atom: ExprId) -> Option<Variable> {
        if let Node::Symbol(symbol) = *self.terms.arena.node(atom)
            && self.terms.arena.range(symbol).is_some()
        {
            // If two nested ranges bind one index, the inner one is meant.
            let is_index = |meaning: &Meaning| matches!(meaning, Meaning::Index(s) if *s == symbol);
            let place = self.variables.iter().rposition(is_index)?;
            return Some(place as Variable);
        }
        if mentions_index(self.terms, atom) {
            return None;
        }
        let known = self
            .variables
            .iter()
            .position(|meaning| matches!(meaning, Meaning::Size(known) if *known == atom));
        let place = known.unwrap_or_else(|| {
            self.sizes.push((self.variables.len() as Variable, atom));
            self.variables.push(Meaning::Size(atom));
            self.variables.len() - 1
        });
        Some(place as Variable)
    }
}
