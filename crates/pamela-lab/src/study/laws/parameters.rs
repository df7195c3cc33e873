//! The generalized lambda distributions of Table 5.1 of the thesis: parameters, moments, order statistics.

use super::lambdas::Lambdas;
use super::{WORKLOADS, fitted, law, title};
use crate::law::{Cumulants, Distribution, Gld, Grid, Probability, order};
use crate::study::report::{MOMENTS, Report, Table, Unit, errors, moments};

const COLUMNS: [&str; 9] = [
    "lambda1",
    "lambda2",
    "lambda3",
    "lambda4",
    "E",
    "Var",
    "Skw",
    "Kur",
    "cdf apart",
];
/// `k` and `N`.
const ORDERS: [(f64, f64); 5] = [
    (1.0, 10.0),
    (5.0, 10.0),
    (10.0, 10.0),
    (50.0, 100.0),
    (100.0, 100.0),
];
/// Probabilities at which cdfs are compared.
const COMPARED: u32 = 10_000;

/// The study for uniform, exponential and normal laws.
///
/// # Errors
/// Fails if an order statistic cannot be computed, which does not happen for these laws.
pub fn parameters() -> Result<Report, String> {
    let mut shapes = Table::new("parameters and moments", "law", &COLUMNS);
    let mut tables = Vec::new();
    for (name, arguments) in WORKLOADS {
        let (law, point) = (law(name, arguments)?, title(name, arguments));
        let (printed, fitted) = (Lambdas::printed(name), fitted(&law)?);
        shapes.add(&point, "the law", Unit::Value, row(None, &law, &law));
        if let Some(printed) = &printed {
            let values = row(Some(printed.parameters()), printed, &law);
            shapes.add(&point, "Table 5.1", Unit::Value, values);
        }
        let values = row(Some(fitted.parameters()), &fitted, &law);
        shapes.add(&point, "gld", Unit::Value, values);
        tables.push(orders(&point, &law, printed.as_ref(), &fitted)?);
    }
    tables.insert(0, shapes);
    tables.insert(1, betas()?);
    let notes = [
        "lambda1 to lambda4: R(F) = lambda1 + (F^lambda3 - (1-F)^lambda4) / lambda2 (thesis 5.7); where lambda3 and \
         lambda4 are 0, its limit",
        "Table 5.1: the parameters that the thesis prints, lambda1 of the exponential as its errata have it",
        "gld: fitted to the law's four moments, as `pamela eval --laws gld` does",
        "cdf apart: greatest difference of the cdfs at 10,000 quantiles (thesis: some 1e-3 for the normal law)",
        "order statistics: measured by integration of the law itself; values. All other rows are predictions; their \
         errors are in per cent of the measured value",
        "grid: of the law's quantile grid, as `pamela eval` does",
        "Table 5.2: beta laws on (0, L) with the shapes 1 and L, and on mu +- sigma sqrt(2 L) with the shapes L and L; \
         they become the exponential and the normal law as L grows, with errors of the order of 1/L",
    ];
    Ok(Report {
        title: "Generalized lambda distributions of well-known laws (thesis, Table 5.1)"
            .to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables,
        drawings: Vec::new(),
    })
}

/// Table 5.2: generalized beta distributions, which become the exponential and the normal law.
fn betas() -> Result<Table, String> {
    let columns = [
        "beta1",
        "beta2",
        "beta3",
        "beta4",
        "E",
        "Var",
        "Skw",
        "Kur",
        "cdf apart",
    ];
    let mut table = Table::new("Table 5.2: generalized beta distributions", "law", &columns);
    let mut add = |name: &str, method: String, betas: [f64; 4]| -> Result<(), String> {
        let beta = law("beta", &betas[2..])?;
        let moments = beta.cumulants().scaled(betas[1]).shifted(betas[0]);
        let known = WORKLOADS.iter().find(|(known, _)| *known == name);
        let known = law(name, known.map_or(&[], |(_, arguments)| arguments))?;
        let at = |k: u32| {
            let p = Probability::below((f64::from(k) + 0.5) / f64::from(COMPARED));
            (known.cdf(betas[0] + betas[1] * beta.quantile(p)).below - p.below).abs()
        };
        let apart = (0..COMPARED).map(at).fold(0.0, f64::max);
        let moments = [
            moments.mean,
            moments.variance,
            moments.skewness(),
            moments.kurtosis(),
            apart,
        ];
        let values = betas.into_iter().chain(moments).map(Some);
        table.add(name, &method, Unit::Value, values.collect());
        Ok(())
    };
    add("uniform", "any L".to_string(), [0.0, 1.0, 1.0, 1.0])?;
    for limit in [10.0, 100.0, 1000.0] {
        add(
            "exponential",
            format!("L = {limit}"),
            [0.0, limit, 1.0, limit],
        )?;
    }
    for limit in [10.0_f64, 100.0, 1000.0] {
        let ends = [-(2.0 * limit).sqrt(), (8.0 * limit).sqrt()];
        add(
            "normal",
            format!("L = {limit}"),
            [ends[0], ends[1], limit, limit],
        )?;
    }
    Ok(table)
}

fn row(
    lambdas: Option<[f64; 4]>,
    shape: &dyn Distribution,
    law: &dyn Distribution,
) -> Vec<Option<f64>> {
    let Cumulants { mean, variance, .. } = shape.cumulants();
    let (skewness, kurtosis) = (shape.cumulants().skewness(), shape.cumulants().kurtosis());
    let lambdas = lambdas.map_or([None; 4], |lambdas| lambdas.map(Some));
    let known = [mean, variance, skewness, kurtosis, apart(shape, law)].map(Some);
    // All of them are of the order of 1: what is less is what rounding left of 0.
    let rounded = |value: f64| if value.abs() < 1e-14 { 0.0 } else { value };
    let values = lambdas.into_iter().chain(known);
    values.map(|value| value.map(rounded)).collect()
}

/// The greatest difference of two cdfs, among the quantiles of the first.
fn apart(shape: &dyn Distribution, law: &dyn Distribution) -> f64 {
    let at = |k: u32| {
        let p = Probability::below((f64::from(k) + 0.5) / f64::from(COMPARED));
        (law.cdf(shape.quantile(p)).below - p.below).abs()
    };
    (0..COMPARED).map(at).fold(0.0, f64::max)
}

fn orders(
    name: &str,
    law: &dyn Distribution,
    printed: Option<&Lambdas>,
    fitted: &Gld,
) -> Result<Table, String> {
    let title = format!("the k-th smallest of N {name}");
    let mut table = Table::new(title, "k of N", &MOMENTS);
    let grid = Grid::of(law);
    for (k, n) in ORDERS {
        let point = format!("{k} of {n}");
        let measured = moments(&order::kth(law, k, n)?);
        table.add(&point, "measured", Unit::Value, measured.clone());
        let mut predict = |method: &str, predicted: Cumulants| {
            let errors = errors(&moments(&predicted), &measured);
            table.add(&point, method, Unit::ErrorInPercent, errors);
        };
        if let Some(printed) = printed {
            predict("Table 5.1", order::kth(printed, k, n)?);
        }
        predict("gld", order::kth(fitted, k, n)?);
        predict("grid", grid.kth(k, n).cumulants());
    }
    Ok(table)
}
