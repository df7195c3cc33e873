//! Compares results of random models with their definition, at many points.

use std::fmt;

use serde::Serialize;

use super::results::own_results;
use crate::algebra::RuleBase;
use crate::diagnostic::Error;
use crate::models;
use crate::pipeline::{Model, Options};
use crate::study::ours::answer;
use crate::study::points::{large_points, points};
use crate::study::verdict::{Verdict, Wrong};

/// Counts of comparisons.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Comparisons {
    pub models: usize,
    pub compared: usize,
    /// Points at which a range has no index.
    pub degenerate: usize,
    /// Points at which a parameter is 0.
    pub zero: usize,
    /// Points at which a parameter is at least a million.
    pub large: usize,
    /// Points excluded by conditions.
    pub declined: usize,
    pub differences: Vec<Difference>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    pub result: String,
    pub text: String,
    pub wrong: Wrong,
}

/// Compares results of random processes and distributions, from the first seed on, until this many comparisons are
/// made.
///
/// # Errors
/// Fails for a model without results.
pub fn compare(
    rules: &RuleBase,
    comparisons: usize,
    first: u64,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Comparisons, Error> {
    let makers = [models::processes::model, models::distributions::model];
    let mut found = Comparisons::default();
    for seed in first.. {
        for maker in makers {
            if found.compared >= comparisons {
                return Ok(found);
            }
            progress(&format!("{} of {comparisons}", found.compared));
            found.add(&maker(seed), rules)?;
        }
    }
    Ok(found)
}

impl Comparisons {
    fn add(&mut self, text: &str, rules: &RuleBase) -> Result<(), Error> {
        let model = Model::parse(text)?;
        let simplified = model.simplify_with(rules.clone(), &Options::default())?;
        self.models += 1;
        for equation in own_results(&simplified) {
            let name = &equation.name;
            let mut verdict = Verdict::default();
            let of_model = points(model.checked(), name);
            for point in of_model.iter().chain(&large_points(model.checked(), name)) {
                let before = verdict.compared;
                verdict.add(point, answer(&equation.formula, point));
                let compared = verdict.compared - before;
                let any = |holds: fn(f64) -> bool| {
                    point.values.values().any(|value| holds(double(value)))
                };
                self.degenerate += compared * usize::from(point.degenerate);
                self.zero += compared * usize::from(any(|value| value == 0.0));
                self.large += compared * usize::from(any(|value| value >= 1e6));
            }
            self.compared += verdict.compared;
            self.declined += verdict.declined;
            let differences = verdict.wrong.into_iter().map(|wrong| Difference {
                result: name.clone(),
                text: text.to_string(),
                wrong,
            });
            self.differences.extend(differences);
        }
        Ok(())
    }
}

fn double(value: &num_rational::BigRational) -> f64 {
    num_traits::ToPrimitive::to_f64(value).unwrap_or(f64::NAN)
}

impl fmt::Display for Comparisons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} comparisons of {} models with their definition: {} at points where a range is empty, {} where a \
             parameter is 0,\n{} where one is a million or more; conditions leave out {} further points",
            self.compared, self.models, self.degenerate, self.zero, self.large, self.declined
        )?;
        for difference in &self.differences {
            let wrong = &difference.wrong;
            writeln!(
                f,
                "\n{} at {}: {} by definition, {} found\n{}",
                difference.result, wrong.point, wrong.expected, wrong.found, difference.text
            )?;
        }
        match self.differences.len() {
            0 => write!(f, "no difference"),
            n => write!(f, "{n} differences"),
        }
    }
}
