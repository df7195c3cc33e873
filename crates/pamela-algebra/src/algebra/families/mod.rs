//! Closed forms of longest paths of regular graphs: guessed from small instances, and proved for all sizes.

mod affine;
mod forms;
mod grid;
mod linear;
mod lower;
mod paths;
mod problem;
mod region;
mod samples;
#[cfg(test)]
mod tests;
mod upper;

use std::cell::RefCell;
use std::collections::VecDeque;

pub use affine::{Affine, Variable};
pub use forms::Form;
pub use lower::{Reach, Segment};
pub use problem::{Family, Problem, Reference, Span};
pub use upper::{Direction, Edge, Potential};

use paths::Counts;
use samples::Samples;

/// Problems with more sizes are not tried.
pub const MOST_SIZES: usize = 3;
/// A form may begin to hold this many values of a size later; smaller values are closed one by one.
const MOST_CASES: i64 = 5;

/// The longest path of a problem, for all values of its sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Closed {
    /// A maximum of forms.
    Greatest(Vec<Form>),
    /// A case distinction: one form if a size is at least a number, another one below it.
    Cases(Variable, i64, Box<[Closed; 2]>),
}

/// The forms whose maximum is the longest path, for sizes from some values on, with the proofs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    pub from: Vec<i64>,
    /// The forms, each with a proof that some path reaches it.
    pub reached: Vec<(Form, Reach)>,
    /// The potentials that prove that no path exceeds the forms.
    pub edges: Vec<Edge>,
}

/// The forms of a problem, for sizes that are at least these values.
pub fn prove(problem: &Problem, least: &[i64]) -> Option<Proof> {
    let proof = proof(problem, least);
    samples::forget();
    proof
}

fn proof(problem: &Problem, least: &[i64]) -> Option<Proof> {
    let samples = Samples::of(problem)?;
    let guess = forms::guess(problem, &samples, least)?;
    let tasks = samples.tasks(problem, &guess.from);
    let forms = guess.forms.iter().zip(&guess.times);
    let reached = forms.map(|(form, times)| {
        let reach = lower::reach(problem, &samples, &guess.from, form, times)?;
        Some((form.clone(), reach))
    });
    let reached = reached.collect::<Option<Vec<(Form, Reach)>>>()?;
    let edges = upper::proof(problem, &tasks, &guess)?;
    Some(Proof {
        from: guess.from,
        reached,
        edges,
    })
}

/// Number of problems remembered with their closed forms: equations that mention each other ask for the same ones.
const MOST_KNOWN: usize = 64;

thread_local! {
    static KNOWN: RefCell<VecDeque<(Problem, Option<Closed>)>> = const { RefCell::new(VecDeque::new()) };
}

/// The closed form of a problem with nonnegative times, if one is found and proved.
pub fn close(problem: &Problem) -> Option<Closed> {
    let known = KNOWN.with_borrow(|all| {
        let mut all = all.iter();
        all.find(|known| known.0 == *problem)
            .map(|known| known.1.clone())
    });
    if let Some(closed) = known {
        return closed;
    }
    let closed = close_from(problem, &vec![0; problem.sizes.len()]);
    samples::forget();
    KNOWN.with_borrow_mut(|all| {
        all.push_front((problem.clone(), closed.clone()));
        all.truncate(MOST_KNOWN);
    });
    closed
}

/// Like `close`, for sizes that are at least these.
fn close_from(problem: &Problem, least: &[i64]) -> Option<Closed> {
    let nothing = Closed::Greatest(vec![vec![Affine::default(); problem.times]]);
    if problem.sizes.is_empty() {
        let counts = problem.instances(&[])?.all_counts(problem)?;
        let constant = |counts: Counts| counts.into_iter().map(Affine::constant).collect();
        let forms: Vec<Form> = counts.into_iter().map(constant).collect();
        return Some(if forms.is_empty() {
            nothing
        } else {
            Closed::Greatest(forms)
        });
    }
    let proof = proof(problem, least)?;
    let forms = proof.reached.into_iter().map(|(form, _)| form);
    let mut closed = Closed::Greatest(forms.collect());
    for (place, (&size, &from)) in problem.sizes.iter().zip(&proof.from).enumerate() {
        if from <= 0 && problem.natural.contains(&size) {
            continue;
        }
        let mut others = proof.from.clone();
        others.remove(place);
        let below = below(problem, (size, from), &others, &nothing)?;
        closed = if below == closed {
            closed
        } else {
            Closed::Cases(size, from, Box::new([closed, below]))
        };
    }
    Some(closed)
}

/// The closed form where a size is below a number; by cases of the others as elsewhere.
fn below(
    problem: &Problem,
    (size, from): (Variable, i64),
    others: &[i64],
    nothing: &Closed,
) -> Option<Closed> {
    let mut cases = Vec::new();
    let mut value = from - 1;
    let last = loop {
        let never = value < 0 && problem.natural.contains(&size);
        if never || problem.is_empty_where(&[Affine::constant(value).with(size, -1)]) {
            break nothing.clone();
        }
        if let Some(rest) = problem.at_most(size, value) {
            break close_from(&rest, others)?;
        }
        if from - value > MOST_CASES {
            return None;
        }
        cases.push((value, close_from(&problem.at(size, value), others)?));
        value -= 1;
    };
    let chain = cases.into_iter().rev();
    Some(chain.fold(last, |below, (value, own)| {
        if own == below {
            below
        } else {
            Closed::Cases(size, value, Box::new([own, below]))
        }
    }))
}
