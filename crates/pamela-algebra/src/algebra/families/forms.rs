//! Guesses affine forms from small instances: the longest path is the greatest of them.

use std::rc::Rc;

use super::affine::Affine;
use super::paths::{Counts, Ties};
use super::problem::{Problem, Sample};
use super::samples::{Samples, points};

/// Multiplicity of each time on a path, as a function of the sizes.
pub type Form = Vec<Affine>;

/// Weights that are tried, where there are several times.
const WEIGHTS: usize = 24;
/// No part of a form begins to hold later.
const LATEST: i64 = 3;

/// Forms guessed from small instances, valid for sizes from these values on.
pub struct Guess {
    pub from: Vec<i64>,
    pub forms: Vec<Form>,
    /// Times for which each form is the greatest.
    pub times: Vec<Vec<i64>>,
}

pub fn guess(problem: &Problem, samples: &Samples, least: &[i64]) -> Option<Guess> {
    let sizes = problem.sizes.len();
    let grid: Vec<&[i64]> = samples
        .all
        .iter()
        .map(|sample| sample.0.as_slice())
        .collect();
    let trials = trials(problem.times);
    let counts: Vec<Vec<Counts>> = trials
        .iter()
        .map(|times| {
            let counts = |sample: &Rc<Sample>| {
                let one = &sample.1;
                one.counts(problem, &one.longest(problem, times, Ties::First))
            };
            samples.all.iter().map(counts).collect()
        })
        .collect();
    let mut begins = points(least, &vec![LATEST; sizes]);
    begins.sort_by_key(|from| (from.iter().sum::<i64>(), from.clone()));
    begins.into_iter().find_map(|from| {
        let fitted: Option<Vec<Form>> = counts
            .iter()
            .map(|counts| fit(problem, &from, &grid, counts))
            .collect();
        let (mut forms, mut times): (Vec<Form>, Vec<Vec<i64>>) = (Vec::new(), Vec::new());
        for (form, trial) in fitted?.into_iter().zip(&trials) {
            if !forms.contains(&form) {
                forms.push(form);
                times.push(trial.clone());
            }
        }
        Some(Guess { from, forms, times })
    })
}

/// Times of very different sizes, always the same.
fn trials(times: usize) -> Vec<Vec<i64>> {
    if times == 1 {
        return vec![vec![1]];
    }
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % bound
    };
    let mut trial = || -> Vec<i64> {
        let one = |_| ((1 << next(11)) * 64 + next(64)) as i64 + 1;
        (0..times).map(one).collect()
    };
    (0..WEIGHTS).map(|_| trial()).collect()
}

/// Counts as affine forms of the sizes, from a point on.
fn fit(problem: &Problem, from: &[i64], grid: &[&[i64]], counts: &[Counts]) -> Option<Form> {
    let known = |point: &[i64]| {
        let place = grid.iter().position(|other| *other == point)?;
        Some(&counts[place])
    };
    let origin = known(from)?;
    let mut form: Form = origin
        .iter()
        .map(|&count| Affine::constant(count))
        .collect();
    for (place, &size) in problem.sizes.iter().enumerate() {
        let mut beside = from.to_vec();
        beside[place] += 1;
        let beside = known(&beside)?;
        for (part, (there, here)) in form.iter_mut().zip(beside.iter().zip(origin)) {
            let slope = there - here;
            *part = part.clone().with(size, slope).shifted(-slope * from[place]);
        }
    }
    let fits = |(point, counts): (&&[i64], &Counts)| {
        let below = point.iter().zip(from).any(|(value, from)| value < from);
        below || value(problem, &form, point) == *counts
    };
    grid.iter().zip(counts).all(fits).then_some(form)
}

/// The counts in a form at given sizes.
pub fn value(problem: &Problem, form: &Form, point: &[i64]) -> Counts {
    let mut values = vec![0; problem.next as usize];
    for (&size, &value) in problem.sizes.iter().zip(point) {
        values[size as usize] = value;
    }
    form.iter().map(|part| part.value(&values)).collect()
}
