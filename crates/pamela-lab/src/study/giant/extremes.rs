//! The largest of many copies: exact, and by laws of extreme values (Figures 3 and 4).

use std::sync::Arc;

use crate::law::{Distribution, Mixture, Named, Probability, Support, Truncated, order};
use crate::study::report::{Table, Unit, errors};

const COPIES: [f64; 6] = [2.0, 8.0, 64.0, 1024.0, 1e6, 1e12];

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

/// A law of phases with its slowest part: the density falls like `a t^k e^(-rate t)`.
struct Phases {
    title: &'static str,
    law: Arc<dyn Distribution>,
    a: f64,
    k: f64,
    rate: f64,
}

fn phases() -> Result<[Phases; 3], String> {
    let law = |name: &str, arguments: &[f64]| Named::new(name, arguments).map(Arc::new);
    let parts: Vec<(f64, Arc<dyn Distribution>)> = vec![
        (0.9, law("erlang", &[2.0, 2.0])?),
        (0.1, law("exponential", &[2.0])?),
    ];
    Ok([
        Phases {
            title: "exponential(1)",
            law: law("exponential", &[1.0])?,
            a: 1.0,
            k: 0.0,
            rate: 1.0,
        },
        Phases {
            title: "erlang(4, 4)",
            law: law("erlang", &[4.0, 4.0])?,
            a: 1.0 / 6.0,
            k: 3.0,
            rate: 1.0,
        },
        Phases {
            title: "mixture(0.9, erlang(2, 2), 0.1, exponential(2))",
            law: Arc::new(Mixture::new(parts)?),
            a: 0.05,
            k: 0.0,
            rate: 0.5,
        },
    ])
}

/// Figure 3: the tables of laws without an upper end, by law.
pub(super) fn unbounded() -> Result<Vec<(&'static str, Table)>, String> {
    let tables = phases()?.into_iter().map(|phases| {
        let title = format!("Figure 3: the largest of n {}", phases.title);
        let mut table = Table::new(title, "n", &["E", "Var"]);
        for n in COPIES {
            phases.compare(&mut table, n)?;
        }
        Ok((phases.title, table))
    });
    tables.collect()
}

impl Phases {
    fn compare(&self, table: &mut Table, n: f64) -> Result<(), String> {
        let point = number(n);
        let exact = order::largest(self.law.as_ref(), n)?;
        let measured = [Some(exact.mean), Some(exact.variance)];
        table.add(&point, "measured", Unit::Value, measured.to_vec());
        let mut predict = |method: &str, mean: f64, variance: Option<f64>| {
            let errors = errors(&[Some(mean), variance], &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        };
        let gumbel = |alpha: f64| alpha * alpha * std::f64::consts::PI.powi(2) / 6.0;
        let beta = self.law.quantile(Probability::above(1.0 / n));
        let alpha = 1.0 / n / density(self.law.as_ref(), beta);
        predict("(6), (7), (12)", beta + alpha * EULER, Some(gumbel(alpha)));
        let alpha = 1.0 / self.rate;
        let short = n.ln() + self.k * n.ln().ln();
        let long = short + self.a.ln() - (1.0 + self.k) * self.rate.ln();
        let variance = Some(gumbel(alpha));
        predict("(8)", alpha * (long + EULER), variance);
        if self.k > 0.0 {
            predict("(10)", alpha * (short + EULER), variance);
        } else if self.a == self.rate {
            predict("(16)", alpha * (n.ln() + EULER), variance);
            if n <= 1024.0 {
                let harmonic = |power: i32| (1..=n as u32).map(move |i| f64::from(i).powi(-power));
                let second = alpha * alpha * harmonic(2).sum::<f64>();
                predict("(17)", alpha * harmonic(1).sum::<f64>(), Some(second));
            }
        }
        let law = self.law.cumulants();
        let bound = law.mean + law.variance.sqrt() * (n - 1.0) / (2.0 * n - 1.0).sqrt();
        predict("David", bound, None);
        Ok(())
    }
}

/// Figure 4: the same law with and without an upper end.
pub(super) fn truncated() -> Result<Table, String> {
    const END: f64 = 7.0;
    let law: Arc<dyn Distribution> = Arc::new(Named::new("erlang", &[2.0, 2.0])?);
    let bounds = Support::new(0.0, END);
    let truncated = Truncated::new(law.clone(), bounds).ok_or("no value is below the end")?;
    let title = "Figure 4: the largest of n erlang(2, 2), as it is and below 7";
    let columns = ["E", "E below 7", "Var", "Var below 7", "ratio of E"];
    let mut table = Table::new(title, "n", &columns);
    for n in [4.0, 16.0, 64.0, 1024.0, 1e6, 1e12] {
        let point = number(n);
        let open = order::largest(law.as_ref(), n)?;
        let below = order::largest(&truncated, n)?;
        let ratio = open.mean / below.mean;
        let measured = [open.mean, below.mean, open.variance, below.variance, ratio].map(Some);
        table.add(&point, "measured", Unit::Value, measured.to_vec());
        let beta = law.quantile(Probability::above(1.0 / n));
        let alpha = 1.0 / n / density(law.as_ref(), beta);
        let gumbel = [
            beta + alpha * EULER,
            alpha * alpha * std::f64::consts::PI.powi(2) / 6.0,
        ];
        // Reflected Weibull with exponent 1: mean and deviation are the distance of the quantile from the end.
        let distance = END - truncated.quantile(Probability::above(1.0 / n));
        let weibull = [END - distance, distance * distance];
        let predicted = [
            gumbel[0],
            weibull[0],
            gumbel[1],
            weibull[1],
            gumbel[0] / weibull[0],
        ];
        let errors = errors(&predicted.map(Some), &measured);
        table.add(&point, "(12), (19)", Unit::ErrorInPercent, errors);
    }
    Ok(table)
}

/// By the differences of tails, which keep their digits however rare they are.
fn density(law: &dyn Distribution, x: f64) -> f64 {
    const STEP: f64 = 1e-4;
    let [before, after] = [x - STEP, x + STEP].map(|x| law.cdf(x).above);
    (before - after) / (2.0 * STEP)
}

fn number(n: f64) -> String {
    if n < 1e6 {
        n.to_string()
    } else {
        format!("{n:e}")
    }
}
