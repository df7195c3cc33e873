//! Predictions for the largest of several workloads, beside counts.

use crate::law::{Cumulants, Empirical, baseline, order};
use crate::study::report::{Drawing, Table, Unit, errors};
use crate::study::sample::{ChiSquare, Sample};

/// Numbers of processors.
pub const COPIES: [usize; 7] = [2, 4, 8, 16, 32, 64, 128];

/// Columns with errors of raw moments, as in the thesis.
pub const POWERS: [&str; 4] = ["E[Y]", "E[Y^2]", "E[Y^3]", "E[Y^4]"];

/// Tables and figures of an experiment.
#[derive(Default)]
pub struct Part {
    pub tables: Vec<Table>,
    pub drawings: Vec<Drawing>,
    pub fits: Vec<Fit>,
}

/// A row of Table 5.9: the fit of the predicted law of the largest to the counts.
pub struct Fit {
    pub experiment: String,
    pub errors: [Option<f64>; 4],
    pub chi_square: ChiSquare,
}

/// Workloads of one processor, and the largest workload of several processors in one run.
pub struct Copies {
    pub count: usize,
    pub one: Sample,
    pub largest: Cumulants,
    /// The standard error of the mean of the largest, in per cent.
    pub noise: f64,
}

impl Copies {
    /// Copies on processors that are counted in the same runs.
    pub fn together(count: usize, one: Vec<f64>, largest: &[f64]) -> Copies {
        let cumulants = Empirical::cumulants_of(largest);
        Copies {
            count,
            one: Sample::new(one),
            noise: noise(&cumulants, largest.len() as f64),
            largest: cumulants,
        }
    }

    /// Copies in independent runs: the largest over all ways to choose this many of them.
    pub fn chosen(count: usize, one: Vec<f64>) -> Copies {
        let one = Sample::new(one);
        let largest = one.largest(count);
        Copies {
            count,
            noise: noise(&largest, (one.len() / count) as f64),
            one,
            largest,
        }
    }

    /// Adds the counts and the errors of the predictions.
    ///
    /// # Errors
    /// Fails if no law has the moments, which does not happen for counts.
    pub fn add_rows(&self, table: &mut Table) -> Result<(), String> {
        let point = self.count.to_string();
        let counted = self.largest.raw_moments().map(Some);
        table.add(&point, "counted", Unit::Value, counted.to_vec());
        let only_mean = |value: Option<f64>| vec![value, None, None, None];
        table.add(
            &point,
            "noise",
            Unit::ErrorInPercent,
            only_mean(Some(self.noise)),
        );
        let n = self.count as f64;
        let mut predict = |method: &str, law: &Cumulants| {
            let errors = errors(&law.raw_moments().map(Some), &counted);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        };
        predict("gld", &order::largest(&self.one.fitted()?, n)?);
        predict("empirical", &order::largest(&self.one.law()?, n)?);
        if let Some(mean) = baseline::gumbel(&self.one.cumulants(), n) {
            let errors = errors(&[Some(mean)], &counted[..1]);
            table.add(&point, "Gumbel", Unit::ErrorInPercent, only_mean(errors[0]));
        }
        Ok(())
    }

    /// The fit of the predicted law of the largest to independent samples of it.
    ///
    /// # Errors
    /// Fails for too few samples.
    pub fn fit(&self, experiment: String, largest: Vec<f64>) -> Result<Fit, String> {
        let law = self.one.fitted()?;
        let predicted = order::largest(&law, self.count as f64)?
            .raw_moments()
            .map(Some);
        let found = errors(&predicted, &self.largest.raw_moments().map(Some));
        Ok(Fit {
            experiment,
            errors: [0, 1, 2, 3].map(|r| found[r]),
            chi_square: Sample::new(largest).chi_square(&law, self.count, 0)?,
        })
    }
}

fn noise(largest: &Cumulants, runs: f64) -> f64 {
    100.0 * largest.deviation() / (runs.max(1.0).sqrt() * largest.mean)
}

/// A table for [`Copies::add_rows`].
pub fn errors_of(figure: &str, workload: &str) -> Table {
    let title = format!("Figure {figure}: the largest of N counts, {workload}");
    Table::new(title, "N", &POWERS)
}

/// Absolute errors over N.
pub fn drawn(figure: &str, table: &Table) -> Drawing {
    let curves: [(&str, &[usize]); 2] = [("gld", &[0, 1, 2, 3]), ("Gumbel", &[0])];
    Drawing::of_table(figure, table, "error [%]", &curves)
}

/// Adds the moments of a count, the printed ones and the known ones.
pub fn add_moments(
    table: &mut Table,
    point: &str,
    counted: &Cumulants,
    others: &[(&str, [f64; 4])],
) {
    let row = |law: &Cumulants| {
        [law.mean, law.variance, law.skewness(), law.kurtosis()]
            .map(Some)
            .to_vec()
    };
    table.add(point, "counted", Unit::Value, row(counted));
    for (name, values) in others {
        table.add(point, name, Unit::Value, values.map(Some).to_vec());
    }
}

pub const FOUR: [&str; 4] = ["E", "Var", "Skw", "Kur"];
