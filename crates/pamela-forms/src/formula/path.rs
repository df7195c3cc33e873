//! Decides tests by the conditions on the path to an expression.
//!
//! Tests and conditions compare a polynomial with a number. One may decide the other if their
//! polynomials agree up to a factor and a constant: `t > 1` decides `t > 0` and `2 <= 2 * t`.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::reachable;
use super::sum::Sum;
use crate::expr::{Arena, ExprId, Node, Relation, Sort};
use crate::ring::{Monomial, Polynomial, Rational};

/// Maxima of more operands are not looked at.
const MOST_OPERANDS: usize = 4;
/// Limit on the searches for tests that a condition may decide; after that, none is decided.
const LOOKS: u32 = 200_000;

/// A polynomial without a constant, its content taken out and its first coefficient positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Form(u32);

/// `form` lies between two numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Range {
    lower: Option<Bound>,
    upper: Option<Bound>,
    /// A number that the form does not equal.
    hole: Option<Rational>,
}

/// A number, and whether it is left out.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Bound(Rational, bool);

/// The conditions on the path to an expression that may decide tests in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Path(Arc<[(Form, Range)]>);

impl Path {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// `form sign number`
#[derive(Clone, Debug)]
struct Test {
    form: Form,
    sign: Sign,
    number: Rational,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// The relation: at least, or more than.
    Above {
        strict: bool,
    },
    Below {
        strict: bool,
    },
    Equal,
    Unequal,
}

impl Sign {
    fn negated(self) -> Sign {
        match self {
            Sign::Above { strict } => Sign::Below { strict: !strict },
            Sign::Below { strict } => Sign::Above { strict: !strict },
            Sign::Equal => Sign::Unequal,
            Sign::Unequal => Sign::Equal,
        }
    }

    fn mirrored(self) -> Sign {
        match self {
            Sign::Above { strict } => Sign::Below { strict },
            Sign::Below { strict } => Sign::Above { strict },
            same => same,
        }
    }
}

/// The tests below an expression that conditions in it may decide.
#[derive(Default)]
pub(super) struct Tests {
    forms: FxHashMap<Polynomial, Form>,
    /// Expressions in which each form is tested.
    places: FxHashMap<Form, FxHashSet<ExprId>>,
    /// Cache: true if a form is tested inside an expression.
    inside: FxHashMap<(Form, ExprId), bool>,
    looks: u32,
}

impl Tests {
    /// Collects the tests in `root`; empty if it has no conditionals or brackets.
    pub fn new(arena: &mut Arena, root: ExprId) -> Tests {
        let mut tests = Tests::default();
        let order = reachable(arena, &[root]);
        let conditional = |id: &ExprId| matches!(arena.node(*id), Node::If(..) | Node::Compare(..));
        if !order.iter().any(conditional) {
            return tests;
        }
        for id in order {
            for form in tests.tested(arena, id) {
                tests.places.entry(form).or_default().insert(id);
            }
        }
        tests
    }

    fn tested(&mut self, arena: &mut Arena, id: ExprId) -> Vec<Form> {
        match arena.node(id).clone() {
            Node::Max(list) | Node::Min(list) if list.len() <= MOST_OPERANDS => {
                let pairs = pairs(&list);
                let tests = pairs
                    .into_iter()
                    .filter_map(|(a, b)| self.at_least(arena, a, b));
                tests.map(|test| test.form).collect()
            }
            _ if arena.is_boolean(id) => {
                let test = self.test(arena, id);
                test.map(|test| test.form).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// The test that a truth value stands for, if it is a single test.
    fn test(&mut self, arena: &mut Arena, id: ExprId) -> Option<Test> {
        match *arena.node(id) {
            Node::Compare(relation, a, b) => {
                let sign = match relation {
                    Relation::Less => Sign::Above { strict: true },
                    Relation::LessEqual => Sign::Above { strict: false },
                    Relation::Equal => Sign::Equal,
                };
                self.difference(arena, b, a, sign)
            }
            // `integer(x)`
            Node::Apply(..) => {
                let zero = arena.number(0);
                self.difference(arena, id, zero, Sign::Above { strict: true })
            }
            _ => None,
        }
    }

    /// `a >= b`
    fn at_least(&mut self, arena: &mut Arena, a: ExprId, b: ExprId) -> Option<Test> {
        self.difference(arena, a, b, Sign::Above { strict: false })
    }

    /// `a - b sign 0`
    fn difference(&mut self, arena: &mut Arena, a: ExprId, b: ExprId, sign: Sign) -> Option<Test> {
        if arena.sort(a) != Sort::Scalar || arena.sort(b) != Sort::Scalar {
            return None;
        }
        let difference = arena.subtract(a, b);
        let polynomial = Sum::read(arena, difference)?.polynomial;
        let constant = polynomial.coefficient(&Monomial::one());
        let form = &polynomial - &Polynomial::from(constant.clone());
        let scale = form.content();
        let inverse = scale.recip()?;
        let next = Form(self.forms.len() as u32);
        let form = *self.forms.entry(form.scale(&inverse)).or_insert(next);
        Some(Test {
            form,
            sign: if scale.is_negative() {
                sign.mirrored()
            } else {
                sign
            },
            number: -(&constant * &inverse),
        })
    }

    /// Extends the path into the branch `inside`, where `condition` has the truth value `holds`.
    pub fn assume(
        &mut self,
        arena: &mut Arena,
        path: &Path,
        condition: ExprId,
        holds: bool,
        inside: ExprId,
    ) -> Path {
        let mut ranges = path.0.to_vec();
        let mut pending = vec![(condition, holds)];
        while let Some((id, holds)) = pending.pop() {
            if let Some(mut test) = self.test(arena, id) {
                if !holds {
                    test.sign = test.sign.negated();
                }
                let position = ranges.partition_point(|(form, _)| *form < test.form);
                if ranges
                    .get(position)
                    .is_none_or(|(form, _)| *form != test.form)
                {
                    ranges.insert(position, (test.form, Range::default()));
                }
                ranges[position].1.narrow(&test);
                continue;
            }
            match arena.node(id).clone() {
                Node::Mul(list) if holds => pending.extend(list.iter().map(|&part| (part, true))),
                // The negation of a disjunction may be a product; if both are sums, nothing is learnt.
                Node::Add(_) if arena.is_boolean(id) => {
                    let opposite = arena.not(id);
                    if !matches!(arena.node(opposite), Node::Add(_)) {
                        pending.push((opposite, !holds));
                    }
                }
                _ => {}
            }
        }
        self.within(arena, &Path(ranges.into()), inside)
    }

    /// Keeps the part of a path that may decide tests in `id`.
    pub fn within(&mut self, arena: &Arena, path: &Path, id: ExprId) -> Path {
        let matters = |(form, _): &&(Form, Range)| self.occurs(arena, *form, id);
        let ranges: Vec<(Form, Range)> = path.0.iter().filter(matters).cloned().collect();
        if ranges.len() == path.0.len() {
            path.clone()
        } else {
            Path(ranges.into())
        }
    }

    fn occurs(&mut self, arena: &Arena, form: Form, id: ExprId) -> bool {
        let Tests {
            places,
            inside,
            looks,
            ..
        } = self;
        // An expression is newer than its parts.
        let Some((places, &first)) = places
            .get(&form)
            .and_then(|places| Some((places, places.iter().min()?)))
        else {
            return false;
        };
        let (mut pending, mut seen) = (vec![id], FxHashSet::default());
        while let Some(part) = pending.pop() {
            if part < first || !seen.insert(part) {
                continue;
            }
            *looks += 1;
            if *looks > LOOKS {
                return false;
            }
            let known = inside.get(&(form, part)).copied();
            if known == Some(true) || places.contains(&part) {
                inside.insert((form, id), true);
                return true;
            }
            if known.is_none() {
                pending.extend(arena.operands(part));
            }
        }
        inside.extend(seen.into_iter().map(|part| ((form, part), false)));
        false
    }

    /// The truth value of `id` on the path, if it is known.
    pub fn decided(&mut self, arena: &mut Arena, path: &Path, id: ExprId) -> Option<bool> {
        let test = self.test(arena, id)?;
        path.decides(&test)
    }

    /// Removes operands of a maximum (or minimum) that are never extreme on the path.
    pub fn contenders(
        &mut self,
        arena: &mut Arena,
        path: &Path,
        operands: &[ExprId],
        largest: bool,
    ) -> Vec<ExprId> {
        let mut left = operands.to_vec();
        if operands.len() > MOST_OPERANDS {
            return left;
        }
        for (a, b) in pairs(operands) {
            let test = self.at_least(arena, a, b);
            let loser = match test.and_then(|test| path.decides(&test)) {
                Some(above) if above == largest => b,
                Some(_) => a,
                None => continue,
            };
            if left.len() > 1 && left.contains(&a) && left.contains(&b) {
                left.retain(|&operand| operand != loser);
            }
        }
        left
    }
}

fn pairs(list: &[ExprId]) -> Vec<(ExprId, ExprId)> {
    let numbered = list.iter().enumerate();
    numbered
        .flat_map(|(k, &a)| list[k + 1..].iter().map(move |&b| (a, b)))
        .collect()
}

impl Path {
    fn decides(&self, test: &Test) -> Option<bool> {
        let place = self.0.binary_search_by_key(&test.form, |(form, _)| *form);
        let range = &self.0[place.ok()?].1;
        if range.implies(test.sign, &test.number) {
            Some(true)
        } else {
            range
                .implies(test.sign.negated(), &test.number)
                .then_some(false)
        }
    }
}

impl Range {
    fn narrow(&mut self, test: &Test) {
        let number = &test.number;
        let tighter = |known: &Option<Bound>, strict: bool, larger: bool| match known {
            Some(Bound(other, excluded)) if number == other => strict && !excluded,
            Some(Bound(other, _)) => (number > other) == larger,
            None => true,
        };
        match test.sign {
            Sign::Above { strict } if tighter(&self.lower, strict, true) => {
                self.lower = Some(Bound(number.clone(), strict));
            }
            Sign::Below { strict } if tighter(&self.upper, strict, false) => {
                self.upper = Some(Bound(number.clone(), strict));
            }
            Sign::Equal => {
                self.lower = Some(Bound(number.clone(), false));
                self.upper = self.lower.clone();
            }
            Sign::Unequal => self.hole = Some(number.clone()),
            _ => {}
        }
        // `t >= 1` and `t != 1`
        for bound in [&mut self.lower, &mut self.upper].into_iter().flatten() {
            bound.1 |= self.hole.as_ref() == Some(&bound.0);
        }
    }

    fn implies(&self, sign: Sign, number: &Rational) -> bool {
        let above = |strict: bool| {
            let bound = self.lower.as_ref();
            bound.is_some_and(|Bound(lower, excluded)| {
                lower > number || lower == number && (*excluded || !strict)
            })
        };
        let below = |strict: bool| {
            let bound = self.upper.as_ref();
            bound.is_some_and(|Bound(upper, excluded)| {
                upper < number || upper == number && (*excluded || !strict)
            })
        };
        match sign {
            Sign::Above { strict } => above(strict),
            Sign::Below { strict } => below(strict),
            Sign::Equal => above(false) && below(false),
            Sign::Unequal => above(true) || below(true) || self.hole.as_ref() == Some(number),
        }
    }
}
