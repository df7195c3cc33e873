//! Compares closed forms of free expressions with their definition, at boundaries and coincidences first.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::ours::answer;
use super::points::{Point, point};
use super::side_by_side::side_by_side;
use super::verdict::{Answer, Verdict, Wrong};
use crate::algebra::RuleBase;
use crate::models::free::{Draw, EQUATION, Free, Points};
use crate::pipeline::{Model, Options};

/// Points of each model at which the definition has a value.
const POINTS: usize = 30;
/// Draws for these; facts refuse some of them.
const DRAWS: usize = 90;
/// Steps of the definition at a point.
const STEPS: u64 = 20_000;
/// Smaller models that are tried for one that differs.
const SHRINKS: usize = 2_000;

/// Counts of comparisons.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparisons {
    pub models: usize,
    pub compared: usize,
    /// Points at which two operands of an extreme, the sides of a comparison or the ends of a loop are equal.
    pub boundary: usize,
    /// Points excluded by conditions.
    pub declined: usize,
    /// Models whose closed form contains reductions.
    pub open: usize,
    /// Models that are rejected because they have no value anywhere.
    pub refused: usize,
    /// Seeds of models where a closed form was wrong, and stayed open for it.
    pub stopped: Vec<u64>,
    /// The smallest first.
    pub differences: Vec<Difference>,
}

/// A reduced model whose closed form differs from its definition.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    pub seed: u64,
    pub text: String,
    pub wrong: Wrong,
}

/// Compares models of this many seeds.
pub fn free(
    rules: &RuleBase,
    models: u64,
    first: u64,
    progress: &(dyn Fn(&str) + Sync),
) -> Comparisons {
    let seeds: Vec<u64> = (first..).zip(0..models).map(|(seed, _)| seed).collect();
    let done = AtomicU64::new(0);
    let found = side_by_side(&seeds, |&seed| {
        progress(&format!(
            "{} of {models}",
            done.fetch_add(1, Ordering::Relaxed)
        ));
        compare(rules, seed)
    });
    let mut all = Comparisons::default();
    for one in found {
        all.models += one.models;
        all.compared += one.compared;
        all.boundary += one.boundary;
        all.declined += one.declined;
        all.open += one.open;
        all.refused += one.refused;
        all.stopped.extend(one.stopped);
        all.differences.extend(one.differences);
    }
    all.differences
        .sort_by_key(|difference| difference.text.len());
    all
}

/// Compares the model of one seed, and cuts it down if it differs.
fn compare(rules: &RuleBase, seed: u64) -> Comparisons {
    let mut model = Free::new(seed);
    let mut found = Comparisons::default();
    let Some(mut wrong) = first_wrong(rules, &model, seed, &mut found) else {
        return found;
    };
    let mut tries = 0;
    'smaller: loop {
        for smaller in model.smaller() {
            tries += 1;
            if tries > SHRINKS {
                break 'smaller;
            }
            if let Some(still) = first_wrong(rules, &smaller, seed, &mut Comparisons::default()) {
                (model, wrong) = (smaller, still);
                continue 'smaller;
            }
        }
        break;
    }
    found.differences.push(Difference {
        seed,
        text: model.text(),
        wrong,
    });
    found
}

/// The first point at which the closed form has another value than the definition, or none.
fn first_wrong(
    rules: &RuleBase,
    free: &Free,
    seed: u64,
    counts: &mut Comparisons,
) -> Option<Wrong> {
    // A smaller model may have lost the loop of an index.
    let model = Model::parse(&free.text()).ok()?;
    counts.models += 1;
    let drawn = drawn(free, &model, seed)?;
    let nowhere = |reason: String| {
        let point = drawn.first()?;
        Verdict::of(&point.point, Answer::Undefined(reason))
            .wrong
            .pop()
    };
    let simplify = || model.simplify_with(rules.clone(), &Options::default());
    let simplified = match catch_unwind(AssertUnwindSafe(simplify)) {
        Ok(Ok(simplified)) => simplified,
        Ok(Err(error)) => {
            counts.refused += 1;
            return nowhere(error.to_string());
        }
        Err(_) => return nowhere("a panic".to_string()),
    };
    if !simplified.refuted.is_empty() {
        counts.stopped.push(seed);
    }
    let formula = &simplified.equation(EQUATION)?.formula;
    counts.open += usize::from(formula.open_reductions() > 0);
    let mut verdict = Verdict::default();
    for Drawn { point, boundary } in &drawn {
        let before = verdict.compared;
        verdict.add(point, answer(formula, point));
        counts.boundary += (verdict.compared - before) * usize::from(*boundary);
    }
    counts.compared += verdict.compared;
    counts.declined += verdict.declined;
    verdict.wrong.into_iter().next()
}

struct Drawn {
    point: Point,
    boundary: bool,
}

/// Points that satisfy the facts, and at which the definition has a value.
fn drawn(free: &Free, model: &Model, seed: u64) -> Option<Vec<Drawn>> {
    let mut points = Points::new(free, seed).ok()?;
    let mut found: Vec<Drawn> = Vec::new();
    for _ in 0..DRAWS {
        let Draw { values, boundary } = points.draw();
        if found.iter().any(|known| known.point.values == values) {
            continue;
        }
        if let Some(point) = point(model.checked(), EQUATION, values, STEPS) {
            found.push(Drawn { point, boundary });
        }
        if found.len() == POINTS {
            break;
        }
    }
    Some(found)
}

impl fmt::Display for Comparisons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} comparisons of {} models with their definition: {} at boundaries; conditions leave out {} further points\n\
             {} models stay open, {} have a value nowhere",
            self.compared, self.models, self.boundary, self.declined, self.open, self.refused
        )?;
        if !self.stopped.is_empty() {
            let count = self.stopped.len();
            writeln!(
                f,
                "{count} had a wrong closed form that was not printed: seeds {:?}",
                self.stopped
            )?;
        }
        for Difference { seed, text, wrong } in &self.differences {
            writeln!(
                f,
                "\nseed {seed} at {}: {} by definition, {} found\n{text}",
                wrong.point, wrong.expected, wrong.found
            )?;
        }
        match self.differences.len() {
            0 => write!(f, "no difference"),
            n => write!(f, "{n} differences"),
        }
    }
}
