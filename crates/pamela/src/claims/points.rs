//! Points at which claims are tried: small ones, boundaries, and numbers of the text.

use std::collections::BTreeSet;

use crate::eval::{Bindings, Number, Value};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::formula::Formula;
use crate::model;
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind, ParameterFact, Relation};

/// Numbers of the text that are tried, the smallest first.
const MOST_NUMBERS: usize = 24;
/// Whole numbers beyond are not tried.
const FARTHEST: i64 = 1 << 40;

/// A parameter, and the values that its own declaration allows.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) name: String,
    pub(crate) is_whole: bool,
    /// The least value, and whether it is excluded.
    pub(crate) low: Option<(Rational, bool)>,
    pub(crate) high: Option<(Rational, bool)>,
    /// Greater values take too long to evaluate, and are not tried.
    pub(crate) far: i64,
}

impl Axis {
    /// The axis of a declared parameter. Bounds that are not numbers are left to the facts.
    pub(crate) fn of(parameter: &crate::syntax::tree::Equation) -> Axis {
        let mut axis = Axis {
            name: parameter.name.text.clone(),
            is_whole: false,
            low: None,
            high: None,
            far: FARTHEST,
        };
        for fact in &parameter.facts {
            match fact {
                ParameterFact::Integer(_) => axis.is_whole = true,
                ParameterFact::Bound(relation, bound) => {
                    if let Some(number) = number(bound) {
                        axis.bound(*relation, number);
                    }
                }
                _ => {}
            }
        }
        axis
    }

    pub(super) fn bound(&mut self, relation: Relation, number: Rational) {
        let excluded = matches!(relation, Relation::Less | Relation::Greater);
        let bound = Some((number.clone(), excluded));
        match relation {
            Relation::Greater | Relation::GreaterEqual if self.low < bound => self.low = bound,
            Relation::Less | Relation::LessEqual if self.is_lower(&number, excluded) => {
                self.high = bound;
            }
            _ => {}
        }
    }

    /// True if an upper bound is stricter than the known one.
    fn is_lower(&self, number: &Rational, excluded: bool) -> bool {
        self.high.as_ref().is_none_or(|(high, is_excluded)| {
            number < high || number == high && excluded && !is_excluded
        })
    }

    /// Leaves the values that another declaration of the parameter allows as well.
    pub(crate) fn meet(&mut self, other: &Axis) {
        self.is_whole |= other.is_whole;
        let relation = |excluded: &bool, plain, strict| if *excluded { strict } else { plain };
        if let Some((low, excluded)) = &other.low {
            let relation = relation(excluded, Relation::GreaterEqual, Relation::Greater);
            self.bound(relation, low.clone());
        }
        if let Some((high, excluded)) = &other.high {
            let relation = relation(excluded, Relation::LessEqual, Relation::Less);
            self.bound(relation, high.clone());
        }
    }

    /// True if the declaration allows the value.
    pub(crate) fn allows(&self, value: &Rational) -> bool {
        let above =
            |(low, excluded): &(Rational, bool)| if *excluded { value > low } else { value >= low };
        let below = |(high, excluded): &(Rational, bool)| {
            if *excluded {
                value < high
            } else {
                value <= high
            }
        };
        (!self.is_whole || value.is_integer())
            && self.low.as_ref().is_none_or(above)
            && self.high.as_ref().is_none_or(below)
    }

    /// The least whole value; `None` if there is no least one.
    pub(crate) fn first(&self) -> Option<i64> {
        let (low, excluded) = self.low.as_ref()?;
        let first = if *excluded {
            low.floor() + Rational::ONE
        } else {
            low.ceil()
        };
        first.to_i64()
    }

    /// The greatest whole value; `None` if there is no greatest one.
    pub(crate) fn last(&self) -> Option<i64> {
        let (high, excluded) = self.high.as_ref()?;
        let last = if *excluded {
            high.ceil() - Rational::ONE
        } else {
            high.floor()
        };
        last.to_i64()
    }

    /// Values to try, the most telling first, without repetitions; `numbers` are those of the text.
    pub(crate) fn candidates(&self, numbers: &BTreeSet<Rational>) -> Vec<Rational> {
        let mut found: Vec<Rational> = Vec::new();
        let mut add = |value: Rational| {
            let is_near = value.abs() <= Rational::from(self.far);
            if is_near && self.allows(&value) && !found.contains(&value) {
                found.push(value);
            }
        };
        let fraction = |a, b| Rational::new(a, b).unwrap_or(Rational::ONE);
        let first = self.first().unwrap_or(0);
        for step in 0..3 {
            add(Rational::from(first.saturating_add(step)));
        }
        let ends = [&self.high, &self.low].into_iter().flatten();
        for (end, _) in ends {
            add(end.clone());
            add(end - &Rational::ONE);
        }
        if !self.is_whole {
            for (a, b) in [(1, 2), (1, 10), (10, 1), (1, 1000), (1000, 1)] {
                add(fraction(a, b));
            }
        }
        let mut near: Vec<&Rational> = numbers.iter().collect();
        near.sort_by_key(|number| number.abs());
        for number in near.iter().take(MOST_NUMBERS) {
            for next in [
                (*number).clone(),
                *number + &Rational::ONE,
                *number - &Rational::ONE,
            ] {
                add(next.clone());
                add(next.floor());
            }
        }
        if !self.is_whole {
            // Between two numbers of the text.
            let middles = near.windows(2).take(MOST_NUMBERS);
            middles.for_each(|pair| add(&(pair[0] + pair[1]) * &fraction(1, 2)));
            let (low, high) = (self.low.as_ref(), self.high.as_ref());
            if let (Some((low, _)), Some((high, _))) = (low, high) {
                add(&(low + high) * &fraction(1, 2));
            }
        }
        for step in 3..9 {
            add(Rational::from(first.saturating_add(step)));
        }
        if self.low.is_none() {
            [-1, -2, -3]
                .into_iter()
                .for_each(|own| add(Rational::from(own)));
        }
        for power in 2..21 {
            let power = 1_i64 << power;
            add(Rational::from(first.saturating_add(power)));
            add(Rational::from(power));
        }
        found
    }
}

/// The axes of all parameters that are numbers.
pub(crate) fn scalar_axes(model: &model::Model) -> Vec<Axis> {
    let is_law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
    let parameters = model.parameters();
    let numbers = parameters.filter(|own| !own.facts.iter().any(is_law));
    numbers.map(Axis::of).collect()
}

/// A number as it is written.
fn number(expr: &Expr) -> Option<Rational> {
    match &expr.kind {
        ExprKind::Number(value) => Some(value.clone()),
        ExprKind::Negate(inner) => number(inner).map(|value| -value),
        _ => None,
    }
}

/// The numbers in an expression, and the quotients, roots and sums that two of them make.
pub(crate) fn boundaries(numbers: &BTreeSet<Rational>) -> BTreeSet<Rational> {
    let mut all = numbers.clone();
    let few: Vec<&Rational> = numbers.iter().take(MOST_NUMBERS / 2).collect();
    for &a in &few {
        let root = a.to_f64().abs().sqrt();
        if root.is_finite() && root < FARTHEST as f64 {
            all.insert(Rational::from(root as i64));
        }
        for &b in &few {
            all.insert(a + b);
            all.extend(a.checked_div(b));
        }
    }
    let is_near = |value: &Rational| value.abs() < Rational::from(FARTHEST);
    all.retain(is_near);
    all
}

/// Adds the numbers that an expression of the language contains, also those of the names in it.
pub(crate) fn numbers_of(
    model: &model::Model,
    expr: &Expr,
    seen: &mut BTreeSet<usize>,
    numbers: &mut BTreeSet<Rational>,
) {
    match &expr.kind {
        ExprKind::Number(value) => drop(numbers.insert(value.clone())),
        ExprKind::Name(name) | ExprKind::Call(crate::syntax::tree::Name { text: name, .. }, _) => {
            if let Some(position) = model.position(name).filter(|own| seen.insert(*own)) {
                let own = &model.equations()[position];
                if let Some(crate::syntax::tree::Value::Numeric(value)) = &own.value {
                    model::with_stack(|| numbers_of(model, value, seen, numbers));
                }
            }
        }
        _ => {}
    }
    model::parts_of_expr(expr, &mut |part, _| {
        if let model::Part::Expr(part) = part {
            model::with_stack(|| numbers_of(model, part, seen, numbers));
        }
    });
}

/// Adds the numbers that a formula contains.
pub(crate) fn numbers_in(formula: &Formula, numbers: &mut BTreeSet<Rational>) {
    let arena: &Arena = formula.arena();
    let mut pending: Vec<ExprId> = formula.conditions().to_vec();
    pending.push(formula.root());
    let mut seen: BTreeSet<u32> = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !seen.insert(id.index()) || numbers.len() > 4 * MOST_NUMBERS {
            continue;
        }
        if let Node::Number(_) = arena.node(id)
            && let Some(value) = arena.as_number(id)
        {
            numbers.insert(value.abs());
        }
        pending.extend(arena.operands(id));
    }
}

/// Exponents and arguments of factorials are tried up to this.
const FAR_EXPONENT: i64 = 64;
/// Parameters of loops that stay open, or that the definition runs, are tried up to this.
pub(crate) const FAR_LOOP: i64 = 1_000;

/// Keeps points near where a formula has exponents, factorials or loops.
pub(crate) fn limit(axes: &mut [Axis], formula: &Formula) {
    let arena = formula.arena();
    let loops = formula.open_reductions() > 0 || !formula.conditions().is_empty();
    if loops {
        axes.iter_mut()
            .for_each(|axis| axis.far = axis.far.min(FAR_LOOP));
    }
    let (mut pending, mut seen) = (vec![formula.root()], BTreeSet::new());
    while let Some(id) = pending.pop() {
        if !seen.insert(id.index()) {
            continue;
        }
        let grows = match *arena.node(id) {
            Node::Pow(_, exponent) => Some(exponent),
            Node::Apply(Function::Factorial | Function::Exp, operand) => Some(operand),
            _ => None,
        };
        for &symbol in grows.into_iter().flat_map(|grows| arena.free(grows)) {
            if let Some(name) = arena.symbol_name(symbol)
                && let Some(axis) = axes.iter_mut().find(|axis| axis.name == name)
            {
                axis.far = axis.far.min(FAR_EXPONENT);
            }
        }
        pending.extend(arena.operands(id));
    }
}

/// A point: one value for each axis.
pub(crate) type Place = Vec<Rational>;

/// The combinations of candidates, at most `most`: few of each axis together, and more of each axis by itself.
pub(crate) fn combinations(candidates: &[Vec<Rational>], most: usize) -> Vec<Place> {
    let mut lengths: Vec<usize> = candidates.iter().map(Vec::len).collect();
    if lengths.contains(&0) {
        return Vec::new();
    }
    let product = |lengths: &[usize]| {
        lengths
            .iter()
            .try_fold(1_usize, |all, own| all.checked_mul(*own))
    };
    while product(&lengths).is_none_or(|all| all > most / 2) {
        let Some(longest) = (0..lengths.len()).max_by_key(|&axis| lengths[axis]) else {
            break;
        };
        if lengths[longest] <= 1 {
            break;
        }
        lengths[longest] -= 1;
    }
    let count = product(&lengths).unwrap_or(0).min(most);
    let mut places: Vec<Place> = (0..count)
        .map(|number| place(candidates, &lengths, number))
        .collect();
    // The rest by a sequence that visits all lists alike.
    let full: Vec<usize> = candidates.iter().map(Vec::len).collect();
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    if full != lengths {
        for _ in 0..most / 2 {
            let mut pick = |length: usize| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize % length
            };
            let own = candidates.iter().map(|list| list[pick(list.len())].clone());
            places.push(own.collect());
        }
    }
    places
}

fn place(candidates: &[Vec<Rational>], lengths: &[usize], mut number: usize) -> Place {
    let own = candidates.iter().zip(lengths).map(|(list, length)| {
        let value = list[number % length].clone();
        number /= length;
        value
    });
    own.collect()
}

/// The point as bindings of a formula.
pub(crate) fn bindings(axes: &[Axis], place: &Place) -> Bindings {
    let pairs = axes.iter().zip(place);
    let value = |value: &Rational| Value::Scalar(Number::Exact(value.clone()));
    pairs
        .map(|(axis, own)| (axis.name.clone(), value(own)))
        .collect()
}
