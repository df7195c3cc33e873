//! The larger of two variables made of exponential phases (thesis 2.11 to 2.13), and by the Gram-Charlier series
//! (thesis, Table D.1).

use std::sync::Arc;

use super::law;
use crate::law::baseline::{
    Erlang, Hyperexponential, erlangs, gram_charlier, hyperexponential_and_erlang,
    hyperexponentials,
};
use crate::law::{Distribution, Family, Fitted, Mixture, order};
use crate::study::report::{Report, Table, Unit, errors};

/// One that is nearly exponential, and one of many stages.
const ERLANGS: [Erlang; 2] = [
    Erlang {
        stages: 3,
        rate: 2.0,
    },
    Erlang {
        stages: 20,
        rate: 16.0,
    },
];
/// With the squared coefficients of variation 1.9 and 3.3.
const HYPEREXPONENTIALS: [Hyperexponential; 2] = [
    Hyperexponential {
        p: 0.3,
        rates: [0.5, 4.0],
    },
    Hyperexponential {
        p: 0.9,
        rates: [1.5, 0.2],
    },
];

/// The laws of Table D.1 with the printed values; the uniform law is not specified there, so a centred and
/// standardised one is used.
const TABLE_D_1: [(&str, [f64; 2], usize, [f64; 4]); 4] = [
    ("normal", [0.0, 1.0], 2, [0.564, 1.0, 1.410, 3.0]),
    ("uniform", [-0.5, 0.5], 2, UNIFORM),
    (
        "uniform",
        [-1.732_050_807_568_877_2, 1.732_050_807_568_877_2],
        2,
        UNIFORM,
    ),
    ("exponential", [1.0, 0.0], 1, [0.837, 4.019, 11.502, 36.703]),
];
const UNIFORM: [f64; 4] = [0.022, 0.083, 0.215, 1.8];

/// Both.
///
/// # Errors
/// Fails if an order statistic cannot be computed, which does not happen for these laws.
pub fn series() -> Result<Report, String> {
    let notes = [
        "measured: the larger one of the laws themselves, by integration to some 1e-10; values",
        "formula: Er (stages, rate) by thesis 2.11, H2 (p, two rates) by 2.12, both by 2.13, as the errata have them; \
         relative error in per cent of the measured value",
        "four moments: of the families fitted to four moments, within times from 0; relative error",
        "Gram-Charlier: the series of type A about the standard normal law with Q = 4 (thesis D.13); values, and below \
         them their relative error",
        "Table D.1: what the thesis prints. Its uniform row mixes centred and standardized moments; 0.837 and 36.703 of \
         the exponential row are not those of the series",
    ];
    Ok(Report {
        title: "The larger of two variables: laws of phases, and the Gram-Charlier series"
            .to_string(),
        notes: notes.map(str::to_string).to_vec(),
        tables: vec![phases()?, table_d_1()?],
        drawings: Vec::new(),
    })
}

fn phases() -> Result<Table, String> {
    let mut table = Table::new("the larger of two laws of phases", "laws", &["E", "Var"]);
    let ([x, y], [h, g]) = (ERLANGS, HYPEREXPONENTIALS);
    for (point, formula, first, second) in [
        (
            "Er(3, 2), Er(20, 16)",
            erlangs(x, y),
            erlang(x)?,
            erlang(y)?,
        ),
        (
            "H2(.3, .5, 4), H2(.9, 1.5, .2)",
            hyperexponentials(h, g),
            mixture(h)?,
            mixture(g)?,
        ),
        (
            "H2(.3, .5, 4), Er(20, 16)",
            hyperexponential_and_erlang(h, y),
            mixture(h)?,
            erlang(y)?,
        ),
    ] {
        let exact = order::largest_of(&[first.as_ref(), second.as_ref()])?;
        let measured = [Some(exact.mean), Some(exact.variance)];
        let fit = |law: &dyn Distribution| Fitted::new(law.cumulants(), law.support(), Family::Gld);
        let fitted = order::largest_of(&[&fit(first.as_ref())?, &fit(second.as_ref())?])?;
        table.add(point, "measured", Unit::Value, measured.to_vec());
        for (method, predicted) in [
            ("formula", formula),
            ("four moments", [fitted.mean, fitted.variance]),
        ] {
            let errors = errors(&predicted.map(Some), &measured);
            table.add(point, method, Unit::ErrorInPercent, errors);
        }
    }
    Ok(table)
}

fn erlang(phases: Erlang) -> Result<Arc<dyn Distribution>, String> {
    let stages = f64::from(phases.stages);
    Ok(Arc::new(law("erlang", &[stages, stages / phases.rate])?))
}

fn mixture(phases: Hyperexponential) -> Result<Arc<dyn Distribution>, String> {
    let [first, second] = phases.rates.map(|rate| law("exponential", &[1.0 / rate]));
    let parts: Vec<(f64, Arc<dyn Distribution>)> = vec![
        (phases.p, Arc::new(first?)),
        (1.0 - phases.p, Arc::new(second?)),
    ];
    Ok(Arc::new(Mixture::new(parts)?))
}

fn table_d_1() -> Result<Table, String> {
    let columns = ["E[Y]", "E[Y^2]", "E[Y^3]", "E[Y^4]"];
    let mut table = Table::new("the larger of two of the same law", "law", &columns);
    for (name, arguments, count, printed) in TABLE_D_1 {
        let law = law(name, &arguments[..count])?;
        let point = match arguments {
            [lower, _] if lower < -1.0 => "uniform(-sqrt(3), sqrt(3))".to_string(),
            _ => super::title(name, &arguments[..count]),
        };
        let measured = order::largest(&law, 2.0)?.raw_moments().map(Some);
        let series = gram_charlier(&law.cumulants(), &law.cumulants()).map(Some);
        table.add(&point, "measured", Unit::Value, measured.to_vec());
        table.add(&point, "Table D.1", Unit::Value, printed.map(Some).to_vec());
        table.add(&point, "Gram-Charlier", Unit::Value, series.to_vec());
        let errors = errors(&series, &measured);
        table.add(&point, "its error", Unit::ErrorInPercent, errors);
    }
    Ok(table)
}
