//! Both models with their closed forms, and the points at which they are evaluated.

use std::collections::BTreeSet;

use super::Request;
use crate::algebra::RuleBase;
use crate::claims::{
    Axis, FAR_LOOP, Place, boundaries, combinations, is_inside, limit, numbers_in, scalar_axes,
    values_at,
};
use crate::compiled::{Compiled, Method, Point};
use crate::diagnostic::{Error, Result, listed};
use crate::eval::{Number, Value};
use crate::expr::{Node, Sort};
use crate::formula::Formula;
use crate::pipeline::{Model, Options, Simplified, SimplifiedEquation};
use crate::ring::Rational;
use crate::timing::{Moment, Origin};

/// Points at which values are compared.
const MOST_POINTS: usize = 6_000;
/// The same where values take loops or long numbers.
const MOST_OPEN: usize = 1_000;
/// The same where values are moments of laws without a closed form.
const MOST_RANDOM: usize = 60;

/// Two models.
pub(super) struct Sides<'m> {
    pub(super) models: [&'m Model; 2],
    pub(super) compiled: [Compiled; 2],
    /// The closed forms without units.
    pub(super) simplified: [Simplified; 2],
    pub(super) rules: &'m RuleBase,
    /// Names of values that both have.
    pub(super) names: Vec<String>,
    pub(super) only_old: Vec<String>,
    pub(super) only_new: Vec<String>,
    /// The parameters of both, with the values that both allow.
    pub(super) axes: Vec<Axis>,
}

/// The values of both sides at a point.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    pub(super) place: Place,
    pub(super) values: [f64; 2],
}

impl<'m> Sides<'m> {
    /// # Errors
    /// Fails if a model has no closed forms, or if a requested name is not in both.
    pub(super) fn new(
        old: &'m Model,
        new: &'m Model,
        rules: &'m RuleBase,
        request: &Request,
    ) -> Result<Sides<'m>> {
        let options = Options {
            times: true,
            most_moments: Some(1),
            effort: request.effort,
            ..Options::default()
        };
        let compile = |model: &Model| model.compile_with(rules.clone(), &options);
        let compiled = [compile(old)?, compile(new)?];
        let simplified = [0, 1].map(|side: usize| compiled[side].simplified().without_units());
        let [of_old, of_new] = [0, 1].map(|side: usize| named(&simplified[side]));
        let missing = |these: &[String], others: &[String]| -> Vec<String> {
            let missing = these.iter().filter(|name| !others.contains(name));
            missing.cloned().collect()
        };
        let both = of_new.iter().filter(|name| of_old.contains(name));
        let both: Vec<String> = both.cloned().collect();
        if let Some(unknown) = request
            .only
            .iter()
            .chain(&request.more_is_better)
            .find(|own| !both.contains(own))
        {
            let known: Vec<&str> = both.iter().map(String::as_str).collect();
            let message = format!("the models have no value `{unknown}` in common");
            let hint = if known.is_empty() {
                "they have no value of the same name".to_owned()
            } else {
                format!("both have {}", listed(&known))
            };
            return Err(Error::new(message).hint(hint));
        }
        let is_asked = |name: &String| request.only.is_empty() || request.only.contains(name);
        Ok(Sides {
            models: [old, new],
            only_old: missing(&of_old, &of_new),
            only_new: missing(&of_new, &of_old),
            names: both.iter().filter(|name| is_asked(name)).cloned().collect(),
            axes: axes([old, new]),
            compiled,
            simplified,
            rules,
        })
    }

    /// The equation of a side.
    pub(super) fn equation(&self, side: usize, name: &str) -> Option<&SimplifiedEquation> {
        self.simplified[side].equation(name)
    }

    /// Parameters that only one side has.
    pub(super) fn parameters_only(&self, side: usize) -> Vec<String> {
        let [own, other] = [side, 1 - side].map(|side| scalar_axes(self.models[side].checked()));
        let missing = own
            .into_iter()
            .filter(|axis| !other.iter().any(|o| o.name == axis.name));
        missing.map(|axis| axis.name).collect()
    }

    /// The facts of both models.
    pub(super) fn facts(&self) -> impl Iterator<Item = &Formula> {
        self.simplified.iter().flat_map(|own| &own.facts)
    }

    /// The axes with the values at which a name is evaluated, and points: small ones, and boundaries.
    pub(super) fn sample(&self, name: &str) -> (Vec<Axis>, Vec<Place>) {
        let (mut axes, mut numbers) = (self.axes.clone(), BTreeSet::new());
        for own in (0..2).filter_map(|side| self.equation(side, name)) {
            limit(&mut axes, &own.formula);
            numbers_in(&own.formula, &mut numbers);
        }
        let numbers = boundaries(&numbers);
        let candidates = axes.iter().map(|axis| axis.candidates(&numbers));
        let candidates: Vec<Vec<Rational>> = candidates.collect();
        let is_open = axes.iter().any(|axis| axis.far <= FAR_LOOP);
        let forms = (0..2).filter_map(|side| self.equation(side, name));
        let mut forms = forms.map(|own| &own.formula);
        let most = if forms.any(has_laws) {
            MOST_RANDOM
        } else if is_open {
            MOST_OPEN
        } else {
            MOST_POINTS
        };
        let mut places = combinations(&candidates, most);
        places.retain(|place| self.is_inside(place));
        (axes, places)
    }

    fn is_inside(&self, place: &Place) -> bool {
        is_inside(&self.axes, self.facts(), place)
    }

    /// Both values at the points where both have one.
    pub(super) fn pairs(&self, name: &str, places: &[Place]) -> Vec<Pair> {
        let [old, new] = [0, 1].map(|side| self.column(side, name, places));
        let values = old.into_iter().zip(new).zip(places);
        let known = values.filter(|((old, new), _)| old.is_finite() && new.is_finite());
        let pair = |((old, new), place): ((f64, f64), &Place)| Pair {
            place: place.clone(),
            values: [old, new],
        };
        known.map(pair).collect()
    }

    fn column(&self, side: usize, name: &str, places: &[Place]) -> Vec<f64> {
        let own: Vec<(usize, &str)> = self.own_axes(side).collect();
        values_at(&self.compiled[side], name, &own, places)
    }

    /// The axes that a side has as parameters.
    fn own_axes(&self, side: usize) -> impl Iterator<Item = (usize, &str)> {
        let parameters: BTreeSet<&str> = self.models[side].scalar_parameters().collect();
        let axes = self.axes.iter().enumerate();
        axes.filter(move |(_, axis)| parameters.contains(axis.name.as_str()))
            .map(|(number, axis)| (number, axis.name.as_str()))
    }

    /// The exact values of both sides at a point.
    pub(super) fn exact(&self, name: &str, place: &Place) -> Option<[Number; 2]> {
        let value = |side: usize| {
            let mut point = Point::default();
            for (axis, parameter) in self.own_axes(side) {
                point = point.with(parameter, place[axis].clone());
            }
            let only = Options {
                only: vec![name.to_owned()],
                ..Options::default()
            };
            let compiled = self.compiled[side].restricted(&only).ok()?;
            let found = compiled.at(point).ok()?;
            let own = found.equations.iter().find(|own| own.name == name)?;
            match &own.value {
                Value::Scalar(number) if own.method != Method::Run => Some(number.clone()),
                _ => None,
            }
        };
        Some([value(0)?, value(1)?])
    }

    /// A point as it is printed, without parameters on which nothing depends.
    pub(super) fn shown(&self, name: &str, place: &Place) -> Vec<(String, String)> {
        let mut used: BTreeSet<String> = BTreeSet::new();
        for side in 0..2 {
            match self.equation(side, name) {
                Some(own) if own.formula.mentions().is_empty() => {
                    used.extend(own.formula.parameters())
                }
                _ => used.extend(self.axes.iter().map(|axis| axis.name.clone())),
            }
        }
        let pairs = self
            .axes
            .iter()
            .zip(place)
            .filter(|(axis, _)| used.contains(&axis.name));
        let shown = pairs.map(|(axis, value)| {
            let unit = self
                .models
                .iter()
                .find_map(|own| own.shown_number(&axis.name));
            let text = match unit {
                Some(unit) => format!("{} [{}]", unit.exact(value), unit.unit),
                None => value.to_string(),
            };
            (axis.name.clone(), text)
        });
        shown.collect()
    }
}

/// The values of a model that are compared: numbers, and means of laws.
fn named(simplified: &Simplified) -> Vec<String> {
    let is_value = |own: &&SimplifiedEquation| {
        let is_mean = match &own.origin {
            Origin::Moment { moment, .. } => *moment == Moment::Mean,
            _ => true,
        };
        is_mean
            && own.sort == Sort::Scalar
            && own.formals.is_empty()
            && !own.auxiliary
            && !matches!(own.origin, Origin::Least { .. } | Origin::Most { .. })
    };
    let shown = simplified.shown().filter(is_value);
    shown.map(|own| own.name.clone()).collect()
}

/// The parameters of both models, with the values that both allow.
fn axes(models: [&Model; 2]) -> Vec<Axis> {
    let mut axes: Vec<Axis> = Vec::new();
    for model in models {
        for axis in scalar_axes(model.checked()) {
            match axes.iter_mut().find(|own| own.name == axis.name) {
                Some(own) => own.meet(&axis),
                None => axes.push(axis),
            }
        }
    }
    axes
}

/// True if a value is computed from laws at each point.
fn has_laws(formula: &Formula) -> bool {
    let arena = formula.arena();
    let (mut pending, mut seen) = (vec![formula.root()], BTreeSet::new());
    while let Some(id) = pending.pop() {
        if matches!(arena.node(id), Node::Law(..) | Node::Cumulant(..)) {
            return true;
        }
        let operands = arena.operands(id).into_iter();
        pending.extend(operands.filter(|operand| seen.insert(operand.index())));
    }
    false
}
