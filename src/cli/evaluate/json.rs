//! Values as JSON.

use std::collections::BTreeMap;

use crate::cli::units::{self, PREDEFINED_ARRAY, Shows};
use crate::compiled::{Evaluated, EvaluatedEquation, LawValue, Method, Verdict};
use crate::diagnostic::Error;
use crate::eval::{Number, PathLaw, Value, Vector};
use crate::expr::Sort;
use crate::formula::json::{
    Component, Condition, EvaluatedEquation as JsonEquation, EvaluatedModel, JsonExact, JsonLaw,
    JsonValue,
};
use crate::law::{Carrier, Law};
use crate::pipeline::Shown;
use crate::ring::Rational;
use crate::timing::Standing;
use crate::uncertain::Spread;

/// Longer vectors are written by components.
const MAX_JSON_LIST: usize = 100_000;

/// All values with their units, standings and notes.
pub fn values(evaluated: &Evaluated, shown: &Shows) -> EvaluatedModel {
    let condition = |(condition, standing): &(String, Verdict)| Condition {
        condition: condition.clone(),
        holds: (*standing != Verdict::Undecided).then_some(*standing == Verdict::Holds),
    };
    EvaluatedModel {
        equations: evaluated
            .equations
            .iter()
            .map(|e| equation(e, shown.of(e)))
            .collect(),
        conditions: evaluated.conditions.iter().map(condition).collect(),
        errors: (evaluated.failures.iter().chain(&evaluated.refuted))
            .flat_map(Error::reports)
            .collect(),
        without_value: evaluated.without_value.clone(),
    }
}

/// With the laws of results where some numbers are not known, in the units of their values.
pub fn with_spreads(
    mut model: EvaluatedModel,
    spreads: &[Spread],
    evaluated: &Evaluated,
    shown: &Shows,
) -> EvaluatedModel {
    for own in spreads {
        let evaluated = evaluated
            .equations
            .iter()
            .find(|other| other.name == own.name);
        let unit = evaluated.and_then(|own| shown.of(own));
        if let Some(equation) = model
            .equations
            .iter_mut()
            .find(|other| other.name == own.name)
        {
            equation.uncertainty = serde_json::to_value(own.clone().in_unit(unit.as_ref())).ok();
        }
    }
    model
}

fn equation(equation: &EvaluatedEquation, unit: Option<Shown>) -> JsonEquation {
    let (value, exact) = match &equation.value {
        Value::Scalar(number) if unit.is_some() => {
            let number = units::shown(number, unit.as_ref());
            let value = JsonValue::Scalar(number.to_f64());
            (Some(value), exact_text(&number).map(JsonExact::Scalar))
        }
        Value::Scalar(number) => (
            Some(JsonValue::Scalar(number.to_f64())),
            exact_text(number).map(JsonExact::Scalar),
        ),
        Value::Vector(vector) => {
            let (value, exact) = vector_json(vector);
            (Some(value), exact)
        }
        Value::Law(_) => (None, None),
    };
    // Readers of laws find the same fields where a law is one value.
    let certain = match (&equation.value, equation.sort) {
        (Value::Scalar(number), Sort::Law) => {
            let law = Law::constant(number.to_f64());
            Some(law_json(&LawValue::of(&law, Carrier::Grid)))
        }
        _ => None,
    };
    let method = match equation.method {
        Method::Closed if exact.is_some() => "exact",
        Method::Closed => "rounded",
        Method::Definition => "definition",
        Method::Run => "run",
    };
    let law = equation.law.as_ref();
    let own = law.map_or(&[][..], |law| &law.approximations);
    let shown = law.filter(|_| !equation.has_bounds_alone());
    let paths = equation.paths.as_ref();
    JsonEquation {
        name: equation.name.clone(),
        sort: equation.sort,
        unit: units::name(&equation.value, unit),
        value,
        exact,
        law: shown.map(law_json).or(certain),
        standard_errors: standard_errors(equation),
        uncertainty: None,
        bounds: paths.and_then(|paths| paths.bounds.as_ref()).map(|bounds| {
            let quantiles = bounds
                .quantiles
                .iter()
                .map(|(p, ends)| (p.to_string(), *ends));
            quantiles
                .chain([("mean".to_string(), bounds.mean)])
                .collect()
        }),
        certificate: equation.certificate().map(Standing::certificate),
        standing: equation.standing.words(),
        method: match (law, paths.map(|paths| paths.law)) {
            (Some(_), Some(PathLaw::Samples)) => "simulated".to_string(),
            (Some(_), Some(PathLaw::Normal)) => "normal".to_string(),
            (Some(_), Some(PathLaw::Lower | PathLaw::Upper)) => "bounds".to_string(),
            (None, _) => method.to_string(),
            (Some(law), None) => law
                .method
                .map_or("moments".to_string(), |method| method.to_string()),
        },
        approximations: equation
            .approximations
            .iter()
            .map(ToString::to_string)
            .chain(own.iter().cloned())
            .collect(),
    }
}

/// The standard errors of the mean and of quantiles, by their names.
fn standard_errors(equation: &EvaluatedEquation) -> Option<BTreeMap<String, f64>> {
    let of_mean = |error: f64| ("mean".to_string(), error);
    let paths = equation.paths.as_ref();
    let of_paths = paths.and_then(|paths| paths.errors.as_ref());
    match (of_paths, equation.standard_error) {
        (Some(errors), _) => {
            let quantiles = errors.quantiles.iter();
            let quantiles = quantiles.map(|(p, error)| (p.to_string(), *error));
            Some(quantiles.chain([of_mean(errors.mean)]).collect())
        }
        (None, error) => error.map(|error| [of_mean(error)].into()),
    }
}

fn law_json(law: &LawValue) -> JsonLaw {
    let quantiles = law.quantiles.iter();
    let told = |order: usize, value: f64| {
        if law.moments >= order {
            value
        } else {
            f64::NAN
        }
    };
    JsonLaw {
        mean: told(1, law.cumulants.mean),
        variance: told(2, law.cumulants.variance),
        std: told(2, law.cumulants.deviation()),
        skewness: told(3, law.cumulants.skewness()),
        kurtosis: told(4, law.cumulants.kurtosis()),
        quantiles: quantiles.map(|(p, x)| (p.to_string(), *x)).collect(),
        support: [law.support.lower, law.support.upper],
    }
}

fn vector_json(vector: &Vector) -> (JsonValue, Option<JsonExact>) {
    if let Some(list) = vector.as_list(PREDEFINED_ARRAY, MAX_JSON_LIST) {
        let exact: Option<Vec<String>> = list.iter().map(exact_text).collect();
        let values = list.iter().map(Number::to_f64).collect();
        return (JsonValue::List(values), exact.map(JsonExact::List));
    }
    let components = vector.components().map(|(array, index, number)| Component {
        array: array.to_string(),
        index: index.to_string(),
        value: number.to_f64(),
        exact: exact_text(number),
    });
    (JsonValue::Components(components.collect()), None)
}

fn exact_text(number: &Number) -> Option<String> {
    number.as_exact().map(Rational::to_string)
}
