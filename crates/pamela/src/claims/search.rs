//! Looks for points at which a claim is false, and makes them small.

use std::collections::{BTreeMap, BTreeSet};

use super::points::{Axis, Place, combinations};
use super::values::{is_inside, values_at};
use crate::compiled::Compiled;
use crate::eval::Value;
use crate::formula::Formula;
use crate::model::{self, Evaluator, Limits};
use crate::pipeline::Model;
use crate::ring::Rational;

/// Points tried for one claim, and for the smallest counterexample.
const MOST_POINTS: usize = 6_000;
const MOST_BELOW: usize = 20_000;
/// The same where each point takes the definition, with its steps at one point.
const MOST_DEFINED: usize = 600;
const STEPS: u64 = 200_000;
/// Points from which the ends of a condition are looked for.
const MOST_BASES: usize = 40;
/// Rounds in which single values of a counterexample are made smaller.
const ROUNDS: usize = 4;
/// Values of a whole parameter that are tried in place of a larger one.
const MOST_LOWER: i64 = 2_000;

/// Truth values by name at points.
pub(super) struct Oracle<'c> {
    /// The model with equations for the claims.
    pub(super) model: &'c Model,
    /// Closed forms of those equations that have one.
    pub(super) compiled: &'c [Compiled],
    /// All parameters.
    pub(super) axes: &'c [Axis],
    pub(super) facts: &'c [Formula],
}

/// A point at which a claim is false.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) place: Place,
    /// True if all smaller points of whole numbers were tried.
    pub(super) is_smallest: bool,
}

/// The equations of a claim.
pub(super) struct Asked<'n> {
    /// Truth value: the condition does not hold, or the claim does.
    pub(super) holds: &'n str,
    /// Truth value of the condition, if the claim has one.
    pub(super) when: Option<&'n str>,
    /// Axes on which it depends.
    pub(super) axes: &'n [usize],
}

impl Oracle<'_> {
    /// The closed forms in which an equation is closed.
    fn closed(&self, name: &str) -> Option<&Compiled> {
        let has = |own: &&Compiled| {
            let mut equations = own.equations().iter();
            equations.any(|own| own.name == name && own.formula.open_reductions() == 0)
        };
        self.compiled.iter().find(has)
    }

    /// True if the facts hold at a point.
    fn is_inside(&self, place: &Place) -> bool {
        let axes = self.axes.iter().zip(place);
        if !axes.clone().all(|(axis, value)| axis.allows(value)) {
            return false;
        }
        is_inside(self.axes, self.facts.iter(), place)
    }

    /// The truth of an equation at points inside of the facts; `None` where it has no value.
    fn truths(&self, name: &str, places: &[Place]) -> Vec<Option<bool>> {
        match self.closed(name) {
            Some(compiled) => self.by_columns(compiled, name, places),
            None => {
                let places = places.iter().enumerate();
                let truth = |(number, place)| {
                    if number < MOST_DEFINED {
                        self.by_definition(name, place, STEPS)
                    } else {
                        None
                    }
                };
                places.map(truth).collect()
            }
        }
    }

    fn by_columns(&self, compiled: &Compiled, name: &str, places: &[Place]) -> Vec<Option<bool>> {
        let axes = self.axes.iter().enumerate();
        let axes: Vec<(usize, &str)> = axes
            .map(|(number, axis)| (number, axis.name.as_str()))
            .collect();
        let values = values_at(compiled, name, &axes, places).into_iter();
        let truth = |value: f64| (!value.is_nan()).then_some(value != 0.0);
        values.map(truth).collect()
    }

    /// The truth of an equation at a point, by the definition.
    pub(super) fn by_definition(&self, name: &str, place: &Place, steps: u64) -> Option<bool> {
        match self.value(name, place, steps)? {
            model::Value::Scalar(number) => Some(!number.is_zero()),
            model::Value::Vector(_) => None,
        }
    }

    /// The value of an equation at a point, by the definition.
    pub(super) fn value(&self, name: &str, place: &Place, steps: u64) -> Option<model::Value> {
        let given = self.given(place);
        let mut evaluator = Evaluator::new(self.model.checked(), &given, Limits { steps });
        evaluator.equation(name).ok()
    }

    fn given(&self, place: &Place) -> BTreeMap<String, model::Value> {
        let pairs = self.axes.iter().zip(place);
        let value = |value: &Rational| {
            let value = model::Fraction::from(value.to_big());
            model::Value::from(model::Number::Exact(value))
        };
        pairs
            .map(|(axis, own)| (axis.name.clone(), value(own)))
            .collect()
    }

    /// A point at which the claim is false, confirmed by the definition.
    pub(super) fn refute(&self, asked: &Asked<'_>, numbers: &BTreeSet<Rational>) -> Option<Found> {
        let most = match self.closed(asked.holds) {
            Some(_) => MOST_POINTS,
            None => MOST_DEFINED,
        };
        let candidates: Vec<Vec<Rational>> = self
            .axes
            .iter()
            .enumerate()
            .map(|(number, axis)| {
                let mut own = axis.candidates(numbers);
                // What the claim does not depend on only has to be inside of the facts.
                own.truncate(if asked.axes.contains(&number) {
                    own.len()
                } else {
                    4
                });
                own
            })
            .collect();
        let mut places = combinations(&candidates, most);
        places.retain(|place| self.is_inside(place));
        let ends = self.ends(asked, &places);
        places.extend(ends);
        let truths = self.truths(asked.holds, &places);
        let false_at = places.iter().zip(&truths);
        let mut wrong: Vec<&Place> = false_at
            .filter(|(_, truth)| **truth == Some(false))
            .map(|(place, _)| place)
            .collect();
        wrong.sort_by_key(|place| size(place));
        let wrong = wrong.into_iter().take(MOST_BASES);
        let mut confirmed = wrong.filter(|place| self.is_refuted(asked.holds, place));
        let place = confirmed.next()?.clone();
        Some(self.smaller(asked, place, &candidates))
    }

    /// True if the definition says that the claim is false, or, where it takes too long, the closed form does.
    fn is_refuted(&self, name: &str, place: &Place) -> bool {
        match self.by_definition(name, place, Limits::default().steps / 10) {
            Some(truth) => !truth,
            None => {
                let mut point = crate::compiled::Point::default();
                for (axis, value) in self.axes.iter().zip(place) {
                    point = point.with(&axis.name, value.clone());
                }
                let found = self
                    .closed(name)
                    .and_then(|compiled| compiled.at(point).ok());
                found.is_some_and(|found| {
                    let own = found.equations.iter().find(|own| own.name == name);
                    own.is_some_and(|own| {
                        own.method == crate::compiled::Method::Closed
                            && matches!(&own.value, Value::Scalar(number) if number.is_zero())
                    })
                })
            }
        }
    }

    /// The number of points, if the claim depends on few whole numbers and holds at all of them.
    pub(super) fn holds_everywhere(&self, asked: &Asked<'_>, most: i64) -> Option<u64> {
        let mut places: Vec<Place> = vec![vec![Rational::ZERO; self.axes.len()]];
        if asked.axes.len() != self.axes.len() && !self.facts_are_about(asked.axes) {
            return None;
        }
        for (number, axis) in self.axes.iter().enumerate() {
            let values: Vec<Rational> = if !asked.axes.contains(&number) {
                axis.candidates(&BTreeSet::new())
                    .into_iter()
                    .take(1)
                    .collect()
            } else if axis.is_whole {
                let (first, last) = (axis.first()?, axis.last()?);
                let count = last.checked_sub(first)?.max(-1).checked_add(1)?;
                let all = count.checked_mul(i64::try_from(places.len()).ok()?)?;
                if all > most {
                    return None;
                }
                (first..=last).map(Rational::from).collect()
            } else {
                return None;
            };
            let longer = values.iter().flat_map(|value| {
                places.iter().map(|place| {
                    let mut next = place.clone();
                    next[number] = value.clone();
                    next
                })
            });
            places = longer.collect();
        }
        places.retain(|place| self.is_inside(place));
        let truths = self.truths(asked.holds, &places);
        let all = truths.iter().all(|truth| *truth == Some(true));
        (all && !places.is_empty()).then_some(places.len() as u64)
    }

    /// True if no fact ties the axes of a claim to others.
    fn facts_are_about(&self, axes: &[usize]) -> bool {
        let names: BTreeSet<&str> = axes
            .iter()
            .map(|&own| self.axes[own].name.as_str())
            .collect();
        self.facts.iter().all(|fact| {
            let parameters = fact.parameters();
            let inside = parameters
                .iter()
                .filter(|name| names.contains(name.as_str()))
                .count();
            inside == 0 || inside == parameters.len()
        })
    }

    /// The ends of the condition, along each whole axis from points at which it holds.
    fn ends(&self, asked: &Asked<'_>, places: &[Place]) -> Vec<Place> {
        let Some(when) = asked.when else {
            return Vec::new();
        };
        let truths = self.truths(when, places);
        let holds = places.iter().zip(truths);
        let holds = holds.filter(|(_, truth)| *truth == Some(true));
        let bases: Vec<&Place> = holds.map(|(place, _)| place).take(MOST_BASES).collect();
        let whole = asked.axes.iter().filter(|&&own| self.axes[own].is_whole);
        let mut found: Vec<Place> = Vec::new();
        for &axis in whole {
            for base in &bases {
                found.extend(self.end(when, base, axis));
            }
        }
        found
    }

    /// The last values of an axis, from a point on, at which the condition holds.
    fn end(&self, when: &str, base: &Place, axis: usize) -> Vec<Place> {
        let at = |value: i64| {
            let mut place = base.clone();
            place[axis] = Rational::from(value);
            place
        };
        let Some(from) = base[axis].to_i64() else {
            return Vec::new();
        };
        let far = self.axes[axis].far.saturating_add(from);
        let steps: Vec<i64> = (0..32)
            .map(|power| from.saturating_add(1 << power))
            .take_while(|step| *step <= far)
            .collect();
        let places: Vec<Place> = steps.iter().map(|&value| at(value)).collect();
        let inside: Vec<bool> = self.where_true(when, &places);
        let Some(first) = inside.iter().position(|holds| !holds) else {
            return Vec::new();
        };
        let (mut low, mut high) = (
            if first == 0 { from } else { steps[first - 1] },
            steps[first],
        );
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.where_true(when, &[at(middle)])[0] {
                low = middle
            } else {
                high = middle
            }
        }
        let near = [low, low - 1].into_iter().map(at);
        near.filter(|place| self.is_inside(place)).collect()
    }

    fn where_true(&self, name: &str, places: &[Place]) -> Vec<bool> {
        let inside: Vec<bool> = places.iter().map(|place| self.is_inside(place)).collect();
        let truths = self.truths(name, places);
        let both = inside.iter().zip(truths);
        both.map(|(inside, truth)| *inside && truth == Some(true))
            .collect()
    }

    /// The smallest of `places` at which the claim is false, in their order.
    fn first_false(&self, name: &str, places: &[Place]) -> Option<Place> {
        let inside: Vec<Place> = places
            .iter()
            .filter(|own| self.is_inside(own))
            .cloned()
            .collect();
        let truths = self.truths(name, &inside);
        let pairs = inside.into_iter().zip(truths);
        let mut wrong = pairs.filter(|(_, truth)| *truth == Some(false));
        wrong
            .find(|(place, _)| self.is_refuted(name, place))
            .map(|(place, _)| place)
    }

    /// A smaller counterexample.
    fn smaller(&self, asked: &Asked<'_>, place: Place, candidates: &[Vec<Rational>]) -> Found {
        let mut place = place;
        for _ in 0..ROUNDS {
            let before = place.clone();
            for axis in 0..self.axes.len() {
                let lower = self.lower_values(&place[axis], axis, candidates);
                let places: Vec<Place> = lower
                    .into_iter()
                    .map(|value| {
                        let mut next = place.clone();
                        next[axis] = value;
                        next
                    })
                    .collect();
                if let Some(smaller) = self.first_false(asked.holds, &places) {
                    place = smaller;
                }
            }
            if place == before {
                break;
            }
        }
        let (below, is_all) = self.below(asked, &place);
        let has_first =
            |axis: &usize| self.axes[*axis].is_whole && self.axes[*axis].first().is_some();
        let is_whole = asked.axes.iter().all(has_first);
        match self.first_false(asked.holds, &below) {
            Some(smallest) => Found {
                place: smallest,
                is_smallest: is_whole,
            },
            None => Found {
                place,
                is_smallest: is_whole && is_all,
            },
        }
    }

    /// Values of an axis that are simpler than one, the simplest first.
    fn lower_values(
        &self,
        value: &Rational,
        axis: usize,
        candidates: &[Vec<Rational>],
    ) -> Vec<Rational> {
        let own = &self.axes[axis];
        if own.is_whole
            && let (Some(first), Some(last)) = (own.first().or(Some(0)), value.to_i64())
        {
            let from = first.max(last.saturating_sub(MOST_LOWER));
            let near = (first..last.min(first.saturating_add(MOST_LOWER))).chain(from..last);
            return near.map(Rational::from).collect();
        }
        let mut simpler: Vec<Rational> = candidates[axis].clone();
        simpler.retain(|other| simplicity(other) < simplicity(value));
        simpler.sort_by_key(simplicity);
        simpler
    }

    /// All points that are smaller in the whole numbers of a claim, the smallest first, and whether these are all; the
    /// other values stay.
    fn below(&self, asked: &Asked<'_>, place: &Place) -> (Vec<Place>, bool) {
        let whole = asked
            .axes
            .iter()
            .copied()
            .filter(|&own| self.axes[own].is_whole);
        let whole: Vec<(usize, i64, i64)> = whole
            .filter_map(|own| {
                let first = self.axes[own].first()?;
                Some((own, first, place[own].to_i64()?.saturating_sub(first)))
            })
            .collect();
        let total = whole
            .iter()
            .map(|(_, _, above)| above)
            .fold(0_i64, |a, b| a.saturating_add(*b));
        let mut found: Vec<Place> = Vec::new();
        for sum in 0..=total {
            let mut parts = vec![0; whole.len()];
            if !compositions(sum, &mut parts, 0, &mut |parts| {
                let mut next = place.clone();
                for ((own, first, _), part) in whole.iter().zip(parts) {
                    next[*own] = Rational::from(first.saturating_add(*part));
                }
                found.push(next);
                found.len() < MOST_BELOW
            }) {
                return (found, false);
            }
        }
        (found, true)
    }
}

/// Visits the ways to write a sum in parts, in the order of the parts; `false` ends it.
fn compositions(
    sum: i64,
    parts: &mut Vec<i64>,
    from: usize,
    visit: &mut dyn FnMut(&[i64]) -> bool,
) -> bool {
    match parts.len() - from {
        0 => sum != 0 || visit(parts),
        1 => {
            parts[from] = sum;
            visit(parts)
        }
        _ => (0..=sum).all(|own| {
            parts[from] = own;
            compositions(sum - own, parts, from + 1, visit)
        }),
    }
}

/// Numbers of few digits come first.
fn simplicity(value: &Rational) -> (u64, Rational) {
    let is_negative = u64::from(value.is_negative());
    (value.bits() * 2 + is_negative, value.abs())
}

/// The sum of all values without their signs, then the values.
fn size(place: &Place) -> (Rational, Place) {
    let sum = place
        .iter()
        .fold(Rational::ZERO, |all, value| &all + &value.abs());
    (sum, place.clone())
}
