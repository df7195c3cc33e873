//! Positions at which the total demand may be largest, and the total demand at these positions.
//!
//! A demand whose position is a constant, `i + c`, `c - i`, a quotient of these, or a remainder of either, is a sum
//! of *runs* of neighbouring positions, one for each round. Take a position that is not the first of any run. If no
//! amount rises with the position, all runs that cover it cover the previous position with at least the same amount.
//! So the largest component of any sum of such demands is at the first position of a run. If no amount falls, it is
//! at the last position of a run; if all amounts are convex, at one of both ends.

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation, Symbol};
use crate::ring::Polynomial;

use super::{one, vectors};
use crate::algebra::builtins::monotone::{self, Direction};
use crate::algebra::builtins::vectors::{Demand, linear, reciprocal};
use crate::algebra::pattern::Value;
use crate::algebra::scope::Scope;
use crate::algebra::terms::{Terms, expr_of};

/// Sums of more demands are left alone.
const MOST_DEMANDS: usize = 5;
/// For more positions, finding the busiest one takes longer than a loop over them.
const MOST_PLACES: usize = 8;
/// Limit on the positions in each iteration of an outer loop.
const MOST_PLACES_WITHIN: usize = 4;

/// The ends of the runs of a demand that are candidates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    First,
    Last,
    Both,
}

/// A demand whose runs are known: what is known of it without its index.
struct Runs {
    first: Vec<ExprId>,
    last: Vec<ExprId>,
    /// Whole numbers, or the runs are others.
    whole: Vec<ExprId>,
    /// Direction of the amount along the positions, if known.
    direction: Option<Direction>,
    convex: bool,
    /// Blocks that are dealt out in turn.
    in_blocks: bool,
}

/// Positions that include a busiest one, the amounts that must be nonnegative, and the terms that must be whole.
pub fn places(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(candidates(scope, values))
}

fn candidates(scope: &mut Scope, values: &[Value]) -> Option<Vec<Value>> {
    let demands = vectors::all(scope, values)?;
    let array = demands.first()?.array;
    let is_range = |demand: &Demand| {
        let &[index] = demand.binders.as_slice() else {
            return false;
        };
        linear(&mut scope.terms, demand.position, index).is_some()
    };
    // A single place, and ranges of places, have shorter forms.
    let is_place = demands.len() == 1 && demands[0].binders.is_empty();
    let few = demands.len() <= MOST_DEMANDS;
    let same = demands.iter().all(|demand| demand.array == array);
    if is_place || !few || !same || demands.iter().all(is_range) || are_one(scope, &demands) {
        return None;
    }
    let runs: Vec<Runs> = demands
        .iter()
        .map(|demand| runs(scope, demand))
        .collect::<Option<_>>()?;
    // A round of blocks has a separate sum for each position; with varying amounts the formula would fill a page.
    let differs = |run: &Runs| run.direction != Some(Direction::Constant);
    if runs.iter().any(|run| run.in_blocks && differs(run)) {
        return None;
    }
    let ends = ends(&runs)?;
    let (mut found, mut whole) = (Vec::new(), Vec::new());
    for run in runs {
        let [first, last] = [Ends::Last, Ends::First].map(|other| ends != other);
        let own = [(first, run.first), (last, run.last)];
        let own = own.into_iter().filter(|(taken, _)| *taken);
        for place in own.flat_map(|(_, places)| places) {
            let place = scope.terms.canonical(place);
            if !found.contains(&place) {
                found.push(place);
            }
        }
        whole.extend(run.whole);
    }
    // Points alone are all the places there are, whatever is asked for there.
    let all_points = demands.iter().all(|demand| demand.binders.is_empty());
    let amounts: Vec<ExprId> = if all_points {
        Vec::new()
    } else {
        demands
            .iter()
            .map(|demand| scope.terms.expression(&demand.amount))
            .collect()
    };
    let most = if demands.iter().any(|demand| is_within(scope, demand)) {
        MOST_PLACES_WITHIN
    } else {
        MOST_PLACES
    };
    let few = found.len() <= most;
    few.then(|| [found, amounts, whole].map(Value::list).to_vec())
}

/// True if the demands are one: rules of one demand have shorter forms of it, and find them in less time.
fn are_one(scope: &mut Scope, demands: &[Demand]) -> bool {
    let terms = &mut scope.terms;
    let &[common] = demands[0].binders.as_slice() else {
        return false;
    };
    let common = terms.arena.symbol(common);
    let mut first = None;
    demands.iter().all(|demand| {
        let &[index] = demand.binders.as_slice() else {
            return false;
        };
        let own = (
            terms.arena.range(index),
            terms.arena.substitute(demand.position, index, common),
        );
        *first.get_or_insert(own) == own
    })
}

/// True if a demand mentions the index of a loop around, beside its own.
fn is_within(scope: &Scope, demand: &Demand) -> bool {
    let arena = &scope.terms.arena;
    let bounds = demand
        .binders
        .iter()
        .filter_map(|&index| arena.range(index));
    let bounds = bounds.flat_map(|(lower, upper)| [lower, upper]);
    let amount = demand.amount.atoms().into_iter().map(expr_of);
    let mut parts = bounds.chain(amount).chain([demand.position]);
    parts.any(|part| {
        let mut free = arena.free(part).iter();
        free.any(|symbol| arena.range(*symbol).is_some() && !demand.binders.contains(symbol))
    })
}

/// The ends at which all demands agree.
fn ends(runs: &[Runs]) -> Option<Ends> {
    let none = |unwanted| {
        runs.iter()
            .all(|run| run.direction.is_some_and(|d| d != unwanted))
    };
    if none(Direction::Rising) {
        return Some(Ends::First);
    }
    if none(Direction::Falling) {
        return Some(Ends::Last);
    }
    runs.iter().all(|run| run.convex).then_some(Ends::Both)
}

fn runs(scope: &mut Scope, demand: &Demand) -> Option<Runs> {
    let point = |position| Runs {
        first: vec![position],
        last: vec![position],
        whole: Vec::new(),
        direction: Some(Direction::Constant),
        convex: true,
        in_blocks: false,
    };
    match *demand.binders.as_slice() {
        [] => Some(point(demand.position)),
        [index] if !scope.terms.mentions(demand.position, index) => Some(point(demand.position)),
        [index] => of_range(scope, demand, index),
        _ => None,
    }
}

fn of_range(scope: &mut Scope, demand: &Demand, index: Symbol) -> Option<Runs> {
    let terms = &mut scope.terms;
    let (lower, upper) = terms.arena.range(index)?;
    let (inner, owners) = match *terms.arena.node(demand.position) {
        Node::Mod(inner, owners) if !terms.mentions(owners, index) => (inner, Some(owners)),
        Node::Mod(..) => return None,
        _ => (demand.position, None),
    };
    let (step, block) = match *terms.arena.node(inner) {
        Node::Apply(Function::Floor, quotient) => (quotient, true),
        _ => (inner, false),
    };
    let (slope, _) = linear(terms, step, index)?;
    let rising = slope
        .as_term()
        .is_some_and(|(_, number)| !number.is_negative());
    let slope = if rising { slope } else { -&slope };
    let mut whole = vec![terms.arena.subtract(upper, lower)];
    if block {
        let length = reciprocal(terms, &slope)?;
        let length = terms.expression(&length);
        let positive = terms.polynomial(length);
        if !scope.prover.positive(&mut scope.terms, &positive) {
            return None;
        }
        whole.push(length);
    } else if slope != Polynomial::one() {
        return None;
    }
    let terms = &mut scope.terms;
    let (low, high) = if rising {
        (lower, upper)
    } else {
        (upper, lower)
    };
    let [low, high] = [low, high].map(|end| terms.arena.substitute(inner, index, end));
    let (mut first, mut last) = (vec![low], vec![high]);
    if block {
        // The first and the last block may be cut: each is a run of its own.
        let one = terms.arena.number(1);
        first.extend([terms.arena.add(&[low, one]), high]);
        last.extend([low, terms.arena.subtract(high, one)]);
    }
    if let Some(owners) = owners {
        whole.extend([low, owners]);
        for places in [&mut first, &mut last] {
            for place in places.iter_mut() {
                *place = terms.arena.modulo(*place, owners);
            }
        }
        let (zero, one) = (terms.arena.number(0), terms.arena.number(1));
        first.push(zero);
        last.push(terms.arena.subtract(owners, one));
    }
    let amount = terms.expression(&demand.amount);
    let convex = is_convex(scope, amount, index);
    let direction = monotone::direction(scope, amount, index).map(|direction| {
        if rising {
            direction
        } else {
            direction.reversed()
        }
    });
    Some(Runs {
        first,
        last,
        whole,
        direction,
        convex,
        in_blocks: block && owners.is_some(),
    })
}

/// True if the amount grows by no less from each index to the next.
fn is_convex(scope: &mut Scope, amount: ExprId, index: Symbol) -> bool {
    let growth = monotone::step(scope, amount, index);
    let bend = monotone::step(scope, growth, index);
    let bend = scope.terms.polynomial(bend);
    let (bend, _) = monotone::over_common_denominator(scope, &bend);
    scope.prover.nonnegative(&mut scope.terms, &bend)
}

/// The total demand at each place.
pub fn met(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    one(met_at(scope, values))
}

fn met_at(scope: &mut Scope, values: &[Value]) -> Option<Vec<Value>> {
    let demands = vectors::all(scope, values)?;
    let places = values.get(1)?.as_list()?.to_vec();
    let terms = &mut scope.terms;
    let here = |&place: &ExprId| {
        let parts: Option<Vec<ExprId>> = demands
            .iter()
            .map(|demand| asked_at(terms, demand, place))
            .collect();
        Some(terms.arena.add(&parts?))
    };
    let met: Vec<ExprId> = places.iter().map(here).collect::<Option<_>>()?;
    Some(vec![Value::list(met)])
}

/// The amount of a demand at one position.
fn asked_at(terms: &mut Terms, demand: &Demand, place: ExprId) -> Option<ExprId> {
    let amount = terms.expression(&demand.amount);
    let same = terms.arena.relate(Relation::Equal, demand.position, place);
    let here = terms.arena.mul(&[amount, same]);
    let here = terms.canonical(here);
    demand.binders.iter().rev().try_fold(here, |body, &index| {
        let (lower, upper) = terms.arena.range(index)?;
        Some(
            terms
                .arena
                .reduce(ReduceKind::Sum, index, lower, upper, body),
        )
    })
}
