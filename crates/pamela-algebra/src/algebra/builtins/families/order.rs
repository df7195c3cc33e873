//! Closed forms under the assumption that some sizes are at least others.

use super::{Size, written};
use crate::algebra::families::{Closed, Problem, close};
use crate::algebra::scope::Scope;
use crate::algebra::terms::Terms;
use crate::expr::{ExprId, Relation};

/// Pairs of positions of sizes: the first size is at least the second.
pub type Order = Vec<[usize; 2]>;

/// Rewrites the problem in differences of sizes: each size becomes its excess over the greatest smaller size. Also
/// returns the expressions of the new sizes.
pub fn ordered(
    terms: &mut Terms,
    problem: &Problem,
    sizes: &[Size],
    order: &Order,
) -> (Problem, Vec<Size>) {
    (
        beyond(problem, sizes, order),
        differences(terms, sizes, order),
    )
}

fn beyond(problem: &Problem, sizes: &[Size], order: &Order) -> Problem {
    let links = links(sizes.len(), order).into_iter();
    links.fold(problem.clone(), |problem, [size, other]| {
        problem.beyond(sizes[size].0, sizes[other].0)
    })
}

fn differences(terms: &mut Terms, sizes: &[Size], order: &Order) -> Vec<Size> {
    let mut own = sizes.to_vec();
    for [size, other] in links(sizes.len(), order) {
        own[size].1 = terms.arena.subtract(sizes[size].1, sizes[other].1);
    }
    own
}

/// Pairs of a size and the greatest other size that is known to be at most as large; greater sizes first.
fn links(count: usize, order: &Order) -> Order {
    let mut reaches = vec![vec![false; count]; count];
    for &[size, other] in order {
        reaches[size][other] = true;
    }
    for middle in 0..count {
        for size in 0..count {
            for other in 0..count {
                reaches[size][other] |= reaches[size][middle] && reaches[middle][other];
            }
        }
    }
    // Of two equal sizes, the first counts as the smaller.
    let above = |size: usize, other: usize| {
        reaches[size][other] && size != other && (!reaches[other][size] || other < size)
    };
    let rank = |size: usize| (0..count).filter(|&other| above(size, other)).count();
    let mut sizes: Vec<usize> = (0..count).collect();
    sizes.sort_by_key(|&size| std::cmp::Reverse(rank(size)));
    let greatest = |size: usize| {
        let others = (0..count).filter(|&other| above(size, other));
        others
            .max_by_key(|&other| rank(other))
            .map(|other| [size, other])
    };
    sizes.into_iter().filter_map(greatest).collect()
}

/// The order relations between sizes that can be proved.
pub(super) fn known_order(scope: &mut Scope, sizes: &[Size]) -> Order {
    let mut known = Vec::new();
    for (place, size) in sizes.iter().enumerate() {
        for (before, other) in sizes.iter().enumerate() {
            let holds = scope
                .terms
                .arena
                .relate(Relation::LessEqual, other.1, size.1);
            if place != before && scope.holds(holds) {
                known.push([place, before]);
            }
        }
    }
    known
}

/// A closed form, perhaps where some sizes are at least others, of which the last may not be known.
pub(super) struct Part {
    order: Order,
    is_known: bool,
    closed: Closed,
}

/// The closed form for all sizes, or for those that are possible, or else one for each order of two of them.
///
/// A form for one of two orders is not accepted as a closed form. Often references have no instance in that order, so
/// the graph is trivial there.
pub(super) fn by_order(problem: &Problem, sizes: &[Size], known: &Order) -> Option<Vec<Part>> {
    let part = |more: &[[usize; 2]]| {
        let order: Order = known.iter().chain(more).copied().collect();
        Some(Part {
            closed: close(&beyond(problem, sizes, &order))?,
            order,
            is_known: more.is_empty(),
        })
    };
    if let Some(closed) = close(problem) {
        let (order, is_known) = (Vec::new(), true);
        return Some(vec![Part {
            order,
            is_known,
            closed,
        }]);
    }
    if !known.is_empty()
        && let Some(part) = part(&[])
    {
        return Some(vec![part]);
    }
    let pairs = (0..sizes.len()).flat_map(|k| (0..k).map(move |j| [k, j]));
    let open = pairs.filter(|[k, j]| !known.contains(&[*k, *j]) && !known.contains(&[*j, *k]));
    let mut both = open.map(|[k, j]| {
        let all = [part(&[[k, j]]), part(&[[j, k]])];
        all.into_iter().collect::<Option<Vec<Part>>>()
    });
    both.find_map(|parts| parts)
}

impl Part {
    /// The value and the conditions under which it holds.
    pub(super) fn written(
        &self,
        terms: &mut Terms,
        sizes: &[Size],
        times: &[ExprId],
    ) -> (Option<ExprId>, ExprId) {
        let own = differences(terms, sizes, &self.order);
        let asked = self.order.last().filter(|_| !self.is_known);
        let holds = asked.map(|&[size, other]| {
            let (size, other) = (sizes[size].1, sizes[other].1);
            terms.arena.relate(Relation::LessEqual, other, size)
        });
        (holds, written(terms, &self.closed, &own, times))
    }
}
