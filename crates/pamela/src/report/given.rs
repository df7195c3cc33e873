//! The page of a model at given values: which sliders it has, and where they begin.

use std::collections::BTreeMap;

use super::{Heading, Page, Slider};
use crate::compiled::{Compiled, Parameter, decimal};
use crate::diagnostic::Error;
use crate::eval::{Bindings, Number, Value};
use crate::formula::Formula;
use crate::model;
use crate::ring::Rational;
use crate::sweep::Axis;
use crate::uncertain::{Factor, Sampling, Spread as Distribution, spread};

/// Values of parameters: axes with several values, and single values.
pub type Values<'a> = (&'a [Axis], &'a [(String, Rational)]);

/// What a page is about, in words.
pub struct Texts {
    /// The text of the model.
    pub model: String,
    /// Heading of the page.
    pub heading: Heading,
    /// The command that prints the values of the page, if there is one.
    pub command: String,
    /// Answers to questions.
    pub answers: Vec<String>,
}

/// The page about a compiled model.
///
/// # Errors
/// Fails for a parameter without a value.
pub fn page_at(
    compiled: &Compiled,
    (axes, constants): Values,
    texts: Texts,
    factors: &[Factor],
) -> Result<String, Error> {
    let mut sliders = sliders(compiled, (axes, constants))?;
    begin_where_facts_hold(compiled, &mut sliders, axes);
    let first = axes.iter().find(|axis| axis.len() > 1);
    let first = first.map(|axis| &axis.names[0]);
    let axis = sliders.iter().position(|s| Some(&s.name) == first);
    let several = || sliders.iter().position(|s| s.values.len() > 1);
    let Texts {
        model,
        heading,
        command,
        answers,
    } = texts;
    let page = Page {
        unknown: unknown(compiled, &sliders, factors)?,
        heading,
        model,
        axis: axis.or_else(several).unwrap_or(0),
        sliders,
        command,
        answers,
    };
    Ok(super::page(compiled, &page))
}

/// The laws of the results that are shown, at the first values of the sliders.
fn unknown(
    compiled: &Compiled,
    sliders: &[Slider],
    factors: &[Factor],
) -> Result<Vec<(Distribution, String)>, Error> {
    if factors.is_empty() {
        return Ok(Vec::new());
    }
    let known = sliders
        .iter()
        .map(|slider| (slider.name.as_str(), slider.values[slider.start]));
    let known: Vec<(&str, f64)> = known.collect();
    let spreads = spread(
        &compiled.plan_of_values(&[])?,
        &known,
        factors,
        &Sampling::default(),
    )?;
    let is_shown = |own: &Distribution| {
        let mut equations = compiled
            .equations()
            .iter()
            .filter(|own| !own.auxiliary && !own.superseded);
        equations.any(|equation| equation.name == own.name && !equation.origin.is_bound())
    };
    let shown = spreads.into_iter().filter(is_shown).map(|own| {
        let unit = compiled.shown(&own.name);
        let name = unit.map_or(String::new(), |unit| unit.unit.clone());
        (own.in_unit(unit), name)
    });
    Ok(shown.collect())
}

/// Values that a page may begin with, tried in this order, of a whole parameter and of another one.
const WHOLE: [i64; 9] = [8, 4, 2, 1, 0, 16, 64, 1024, -1];
const HUNDREDTHS: [i64; 10] = [100, 50, 10, 1, 200, 1000, 10_000, 100_000, 0, -100];

/// A value for each parameter that has none: one that the facts of the model allow, if one of a few does.
///
/// # Errors
/// Fails if the model cannot be evaluated.
pub fn assumed(
    compiled: &Compiled,
    constants: &[(String, Rational)],
) -> Result<Vec<(String, Rational)>, Error> {
    let parameters: Vec<&Parameter> = compiled.parameters().iter().filter(|p| !p.law).collect();
    let mut known = starts(compiled, (&[], constants), &parameters)?;
    let mut assumed = Vec::new();
    for parameter in parameters {
        let name = &parameter.name;
        if known.contains_key(name) {
            continue;
        }
        let whole = is_whole(compiled, parameter, &Rational::from(1));
        let hundredths = if whole {
            WHOLE.map(|value| 100 * value).to_vec()
        } else {
            HUNDREDTHS.to_vec()
        };
        let candidates = hundredths.into_iter();
        let candidates: Vec<Rational> = candidates
            .filter_map(|value| Rational::new(value, 100))
            .collect();
        let holds = |value: &&Rational| {
            let mut with = known.clone();
            with.insert(name.clone(), (*value).clone());
            let doubles = with
                .iter()
                .map(|(name, value)| (name.as_str(), value.to_f64()));
            bindings(doubles).is_none_or(|values| facts_hold(compiled, &values))
        };
        let chosen = candidates.iter().find(holds).or(candidates.first());
        if let Some(value) = chosen {
            known.insert(name.clone(), value.clone());
            assumed.push((name.clone(), value.clone()));
        }
    }
    Ok(assumed)
}

/// One for each parameter, in the order of the model.
fn sliders(compiled: &Compiled, (axes, constants): Values) -> Result<Vec<Slider>, Error> {
    let parameters: Vec<&Parameter> = compiled.parameters().iter().filter(|p| !p.law).collect();
    let starts = starts(compiled, (axes, constants), &parameters)?;
    let mut missing = Vec::new();
    let mut sliders = Vec::new();
    for parameter in parameters {
        let name = &parameter.name;
        let axis = axes.iter().find_map(|axis| values(axis, name));
        let axis = axis.filter(|values| values.len() > 1);
        let slider = match (axis, starts.get(name)) {
            (Some(values), _) => Slider::of_list(name, values),
            (None, Some(value)) => {
                let whole = is_whole(compiled, parameter, value);
                let allowed = |x: f64| is_allowed(compiled, name, x);
                Slider::around(name, value.to_f64(), whole, allowed)
            }
            (None, None) => {
                missing.push(name.as_str());
                continue;
            }
        };
        sliders.push(Slider {
            meaning: parameter.comment.clone().unwrap_or_default(),
            unit: compiled.shown(name).map(|shown| shown.base.clone()),
            ..slider
        });
    }
    match missing.as_slice() {
        [] => Ok(sliders),
        [name] => Err(Error::new(format!(
            "`{name}` has no value; set it or give a range for its slider, for example `{name}=1:100`"
        ))),
        [name, ..] => Err(Error::new(format!(
            "`{}` have no values; set them or give ranges for their sliders, for example `{name}=1:100`",
            missing.join("`, `")
        ))),
    }
}

/// The values of a parameter along an axis that it is on.
fn values(axis: &Axis, name: &str) -> Option<Vec<f64>> {
    let place = axis.names.iter().position(|own| own == name)?;
    Some(axis.values[place].doubles(0, axis.len() as usize))
}

/// The values that parameters have at first, as far as they are given or the model says.
fn starts(
    compiled: &Compiled,
    (axes, constants): Values,
    parameters: &[&Parameter],
) -> Result<BTreeMap<String, Rational>, Error> {
    let mut starts: BTreeMap<String, Rational> = constants.iter().cloned().collect();
    for axis in axes {
        for name in &axis.names {
            let values = values(axis, name).unwrap_or_default();
            let middle = values.get(values.len() / 2).copied();
            starts.extend(middle.and_then(decimal).map(|value| (name.clone(), value)));
        }
    }
    // The values of sliders are used for the computation as they are shown.
    for value in starts.values_mut() {
        *value = decimal(value.to_f64()).unwrap_or_else(|| value.clone());
    }
    if parameters.iter().all(|p| starts.contains_key(&p.name)) {
        return Ok(starts);
    }
    let mut model = compiled.model()?.clone();
    for (name, value) in &starts {
        model.define_number(name, value)?;
    }
    let (values, limits) = (BTreeMap::new(), model::Limits::default());
    for parameter in parameters.iter().filter(|p| p.default) {
        let mut evaluator = model::Evaluator::new(model.checked(), &values, limits);
        let value = evaluator.equation(&parameter.name).ok();
        if let Some(model::Value::Scalar(value)) = value {
            let value = decimal(value.to_f64());
            let own = value.map(|value| (parameter.name.clone(), value));
            starts.extend(own.filter(|(name, _)| !constants.iter().any(|(c, _)| c == name)));
        }
    }
    Ok(starts)
}

/// True if the parameter is declared whole, is used as whole by a closed form, or has a large whole value.
fn is_whole(compiled: &Compiled, parameter: &Parameter, value: &Rational) -> bool {
    let used = || {
        let mut forms = compiled.equations().iter().map(|e| &e.formula);
        forms.any(|formula| {
            formula
                .whole_parameters()
                .any(|name| name == parameter.name)
        })
    };
    parameter.whole || value.is_integer() && (value.to_f64() >= 100.0 || used())
}

/// True if all that the model states of this parameter alone holds.
fn is_allowed(compiled: &Compiled, name: &str, value: f64) -> bool {
    let values = bindings([(name, value)].into_iter());
    values.is_some_and(|values| facts_hold(compiled, &values))
}

/// Exact values; `None` where one is not finite.
fn bindings<'a>(values: impl Iterator<Item = (&'a str, f64)>) -> Option<Bindings> {
    let exact = |(name, value): (&str, f64)| {
        let value = Value::Scalar(Number::Exact(decimal(value)?));
        Some((name.to_string(), value))
    };
    values.map(exact).collect()
}

/// True if all that the model states of no other parameters holds.
fn facts_hold(compiled: &Compiled, values: &Bindings) -> bool {
    let known = |fact: &&Formula| {
        let parameters = fact.parameters();
        !parameters.is_empty() && parameters.iter().all(|name| values.contains_key(name))
    };
    let mut facts = compiled.simplified().facts.iter().filter(known);
    facts.all(|fact| match fact.evaluate(values) {
        Ok(Value::Scalar(number)) => !number.is_zero(),
        _ => true,
    })
}

/// Moves a slider with several given values to the nearest one at which the model has values, if the middle one has
/// none: a page should begin with numbers.
fn begin_where_facts_hold(compiled: &Compiled, sliders: &mut [Slider], axes: &[Axis]) {
    let at = |sliders: &[Slider]| {
        let values = sliders.iter();
        let at = |slider: &Slider| slider.values.get(slider.start).copied().unwrap_or(f64::NAN);
        bindings(values.map(|slider| (slider.name.as_str(), at(slider))))
    };
    let holds = |sliders: &[Slider]| at(sliders).is_none_or(|at| facts_hold(compiled, &at));
    if holds(sliders) {
        return;
    }
    for axis in axes.iter().flat_map(|axis| &axis.names) {
        let Some(place) = sliders.iter().position(|slider| slider.name == *axis) else {
            continue;
        };
        let middle = sliders[place].start;
        let mut positions: Vec<usize> = (0..sliders[place].values.len()).collect();
        positions.sort_by_key(|position| position.abs_diff(middle));
        for position in positions {
            sliders[place].start = position;
            if holds(sliders) {
                return;
            }
        }
        sliders[place].start = middle;
    }
}
