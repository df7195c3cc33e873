//! Bounds of fitted times.

use super::Unknown;
use super::matrix::Matrix;
use crate::problem::Problem;

/// The least or the greatest value of a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub value: f64,
    /// True if the value itself is outside.
    pub is_strict: bool,
    /// As the model declares it: `> 0`.
    pub text: String,
}

/// A time stays this far from a strict bound, beside the bound.
const NEAR: f64 = 1e-5;
/// A time stays this far from the strict bound 0: no sum of measured times shows it.
const NEAR_ZERO: f64 = 1e-30;

impl Bound {
    /// The bounds of a time of which nothing is declared: at least 0.
    pub fn of_times() -> [Bound; 2] {
        let bound = |value, text: &str| Bound {
            value,
            is_strict: false,
            text: text.to_string(),
        };
        [bound(0.0, ">= 0"), bound(f64::INFINITY, "")]
    }

    /// How far a time stays from the bound.
    fn margin(&self) -> f64 {
        if self.is_strict {
            (NEAR * self.value.abs()).max(NEAR_ZERO)
        } else {
            0.0
        }
    }
}

impl Unknown {
    /// The least and the greatest value that the fit may give it.
    pub fn edges(&self) -> [f64; 2] {
        let [least, most] = &self.bounds;
        [least.value + least.margin(), most.value - most.margin()]
    }
}

/// The edges of all times.
///
/// # Errors
/// Bounds between which there is no value.
pub fn edges(names: &[Unknown]) -> Result<Vec<[f64; 2]>, Problem> {
    let of = |name: &Unknown| {
        let [least, most] = name.edges();
        if least >= most {
            let [least, most] = name.bounds.each_ref().map(|bound| &bound.text);
            let message = format!("`{least}` and `{most}` leave no value of {name} to fit");
            return Err(Problem::new(message).hint("change its declaration"));
        }
        Ok([least, most])
    };
    names.iter().map(of).collect()
}

/// Names the times at each bound that keeps them from a better fit; they have an effect of their own.
pub fn held(names: &[&Unknown], times: &[f64], matrix: &Matrix) -> Vec<String> {
    let (chosen, _) = matrix.independent();
    let mut at_bounds: Vec<((&str, bool), Vec<String>)> = Vec::new();
    for k in chosen {
        let [least, most] = names[k].edges();
        let is_upper = times[k] >= most;
        if !is_upper && times[k] > least {
            continue;
        }
        let bound = &names[k].bounds[usize::from(is_upper)];
        let bound = (bound.text.as_str(), is_upper);
        match at_bounds.iter_mut().find(|(own, _)| *own == bound) {
            Some((_, held)) => held.push(names[k].to_string()),
            None => at_bounds.push((bound, vec![names[k].to_string()])),
        }
    }
    let note = |((bound, is_upper), held): ((&str, bool), Vec<String>)| {
        let side = if is_upper { "more" } else { "less" };
        let (are, them) = match held.len() {
            1 => ("is at its bound", "it"),
            _ => ("are at their bound", "them"),
        };
        let held = held.join(", ");
        format!("{held} {are} `{bound}`: the measured times alone would make {them} {side}")
    };
    at_bounds.into_iter().map(note).collect()
}
