//! Proves that the longest path never exceeds the greatest of the forms: by potentials of tasks, for the times at the
//! edges of the cone in which a form is the greatest.
//!
//! For fixed sizes the longest path is convex in the times and grows with them by the same factor. So if the longest
//! path is at most a form at all edges of a cone of times, it is at most the form in the whole cone.

mod guess;
mod potential;
mod precedences;

pub use potential::{Direction, Potential};

use super::affine::Affine;
use super::forms::{Form, Guess};
use super::grid::Tasks;
use super::linear::common_divisor;
use super::problem::Problem;
use super::region::Region;
use precedences::Precedences;

/// Cones with more edges are not examined.
const MOST_EDGES: usize = 40;

/// Proof that the longest path does not exceed a form, for times at an edge of the cone in which the form is the
/// greatest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub times: Vec<i64>,
    pub direction: Direction,
    /// Potential of each family.
    pub potentials: Vec<Potential>,
}

/// The potentials that prove that the longest path is at most the greatest of the forms.
pub fn proof(problem: &Problem, tasks: &Tasks, guess: &Guess) -> Option<Vec<Edge>> {
    let facts: Vec<Affine> = problem
        .sizes
        .iter()
        .zip(&guess.from)
        .map(|(&size, &from)| Affine::variable(size).shifted(-from))
        .collect();
    let precedences = Precedences::new(problem, &facts)?;
    let mut done: Vec<Edge> = Vec::new();
    for (number, form) in guess.forms.iter().enumerate() {
        for times in edges(problem, guess, number, &facts)? {
            if done.iter().any(|edge| edge.times == times) {
                continue;
            }
            let whole = at_times(form, &times);
            let (direction, potentials) =
                guess::bounds(problem, tasks, &precedences, &times, &whole)?;
            done.push(Edge {
                times,
                direction,
                potentials,
            });
        }
    }
    Some(done)
}

/// Value of a form for these times.
fn at_times(form: &Form, times: &[i64]) -> Affine {
    let parts = form.iter().zip(times);
    parts.fold(Affine::default(), |sum, (part, &time)| sum.plus(part, time))
}

/// The edges of the cone of times for which a form is the greatest.
fn edges(
    problem: &Problem,
    guess: &Guess,
    number: usize,
    facts: &[Affine],
) -> Option<Vec<Vec<i64>>> {
    let unit = |place: usize| (0..problem.times).map(|k| i64::from(k == place)).collect();
    let mut edges: Vec<Vec<i64>> = (0..problem.times).map(unit).collect();
    for (other, form) in guess.forms.iter().enumerate() {
        if other == number {
            continue;
        }
        let half = difference(&guess.forms[number], form, facts)?;
        let height = |edge: &[i64]| edge.iter().zip(&half).map(|(a, b)| a * b).sum::<i64>();
        let (inside, outside): (Vec<Vec<i64>>, Vec<Vec<i64>>) =
            edges.into_iter().partition(|edge| height(edge) >= 0);
        let mut kept = inside.clone();
        for low in &outside {
            for high in inside.iter().filter(|edge| height(edge) > 0) {
                let (up, down) = (height(high), -height(low));
                let edge = high.iter().zip(low).map(|(h, l)| down * h + up * l);
                let edge = shortest(edge.collect());
                if !kept.contains(&edge) {
                    kept.push(edge);
                }
            }
        }
        if kept.len() > MOST_EDGES {
            return None;
        }
        edges = kept;
    }
    Some(edges)
}

/// `h` where the forms differ by `g * h`, for a `g` of the sizes that is never below 0 and times `h`.
fn difference(a: &Form, b: &Form, facts: &[Affine]) -> Option<Vec<i64>> {
    let parts: Vec<Affine> = a.iter().zip(b).map(|(a, b)| a.plus(b, -1)).collect();
    let first = parts.iter().find(|part| **part != Affine::default())?;
    let numbers = |part: &Affine| -> Vec<i64> {
        let terms = part.terms().map(|(_, coefficient)| coefficient);
        [part.constant].into_iter().chain(terms).collect()
    };
    let content = numbers(first).into_iter().fold(0, common_divisor);
    let step = first.divided(content);
    let region = Region::new(facts.iter().cloned());
    let sign = match (region.proves(&step), region.proves(&step.scaled(-1))) {
        (true, _) => 1,
        (_, true) => -1,
        _ => return None,
    };
    let step = step.scaled(sign);
    let multiple = |part: &Affine| {
        let pair = numbers(&step).into_iter().zip(numbers(part));
        let factor = if *part == Affine::default() {
            0
        } else {
            pair.clone()
                .find(|(own, _)| *own != 0)
                .map(|(own, other)| other / own)?
        };
        (step.scaled(factor) == *part).then_some(factor)
    };
    parts.iter().map(multiple).collect()
}

fn shortest(edge: Vec<i64>) -> Vec<i64> {
    let divisor = edge.iter().copied().fold(0, common_divisor).max(1);
    edge.into_iter().map(|part| part / divisor).collect()
}
