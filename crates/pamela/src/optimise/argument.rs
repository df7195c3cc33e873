//! The location of an optimum, as a formula.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::compiled::Compiled;
use crate::compiled::decimal;
use crate::diagnostic::Result;
use crate::eval::{Bindings, Limits, Number, Value, evaluate};
use crate::expr::{Arena, ExprId, Node};
use crate::formula::{Formula, present};
use crate::pipeline::{Model, Options, SimplifiedEquation};
use crate::ring::Rational;

/// How the location of an optimum follows from the closed form.
#[derive(Clone, Debug)]
pub enum Argument {
    /// The slope of the closed form is 0 here; the best whole number lies beside it.
    Stationary {
        /// The location, as a formula.
        formula: String,
        /// The value of the formula.
        value: f64,
    },
    /// Two regimes meet here; the best whole number is next to the crossing.
    Crossing {
        /// The location, as a formula.
        formula: String,
        /// The value of the formula.
        value: f64,
    },
    /// An end of the range.
    End,
}

/// Explains the best `place` of the parameter `name`; `None` if no explanation fits.
///
/// `ends` are the ends of the range; neighbouring values are at most `step` apart.
pub(super) fn of(
    compiled: &Compiled,
    equation: &SimplifiedEquation,
    (name, place): (&str, f64),
    known: &Bindings,
    ends: [f64; 2],
    step: f64,
) -> Result<Option<Argument>> {
    let is_beside = |value: &f64| step == 1.0 && value.floor() <= place && place <= value.ceil();
    let near = |value: &f64| (value - place).abs() < step || is_beside(value);
    let parameters: Vec<&str> = compiled
        .parameters()
        .iter()
        .map(|p| p.name.as_str())
        .collect();
    if let Some(text) = stationary(&equation.formula, name, place, known)
        && let Some((formula, value)) = simplified(&text, &parameters, known)
        && near(&value)
    {
        return Ok(Some(Argument::Stationary { formula, value }));
    }
    let crossings = equation
        .regimes
        .iter()
        .flat_map(|regimes| &regimes.crossings);
    for crossing in crossings.filter(|crossing| crossing.parameter == name) {
        if let Ok(Value::Scalar(value)) = crossing.formula.evaluate(known)
            && near(&value.to_f64())
        {
            let formula = crossing.formula.pamela();
            return Ok(Some(Argument::Crossing {
                formula,
                value: value.to_f64(),
            }));
        }
    }
    Ok(ends.contains(&place).then_some(Argument::End))
}

/// A formula in its simplest form, with its value.
fn simplified(text: &str, parameters: &[&str], known: &Bindings) -> Option<(String, f64)> {
    let declared: String = parameters
        .iter()
        .map(|name| format!("numeric parameter {name} : > 0\n"))
        .collect();
    let mut result = "place".to_string();
    while parameters.contains(&result.as_str()) {
        result.push('_');
    }
    let model = Model::parse(&format!("{declared}numeric {result} = {text}\n")).ok()?;
    let simplified = model.simplify(&Options::default()).ok()?;
    let formula = &simplified.equation(&result)?.formula;
    match formula.evaluate(known).ok()? {
        Value::Scalar(value) => Some((formula.pamela(), value.to_f64())),
        _ => None,
    }
}

/// The part of a closed form that decides at a point, as a sum of powers of a parameter with factors.
struct Branch<'a> {
    arena: Arena,
    name: &'a str,
    there: Bindings,
}

/// Powers of the parameter, each with its factors.
type Terms = BTreeMap<Rational, ExprId>;

/// The zero of the slope of a constant plus two powers: `(-q b / (p a))^(1 / (p - q))` for `a x^p + b x^q`.
fn stationary(formula: &Formula, name: &str, place: f64, known: &Bindings) -> Option<String> {
    let mut there = known.clone();
    there.insert(
        name.to_string(),
        Value::Scalar(Number::Exact(decimal(place)?)),
    );
    let mut branch = Branch {
        arena: formula.arena().clone(),
        name,
        there,
    };
    let terms = branch.terms(formula.root())?;
    let powers: Vec<(&Rational, &ExprId)> =
        terms.iter().filter(|(power, _)| !power.is_zero()).collect();
    let [(q, b), (p, a)] = powers[..] else {
        return None;
    };
    let (p, q, a, b) = (p.clone(), q.clone(), *a, *b);
    let arena = &mut branch.arena;
    let ratio = arena.number(-(q.checked_div(&p)?));
    let below = arena.number(-1);
    let below = arena.pow(a, below);
    let base = arena.mul(&[ratio, b, below]);
    let exponent = arena.number((&p - &q).recip()?);
    let root = arena.pow(base, exponent);
    let root = present(arena, root);
    Some(Formula::new(Arc::new(branch.arena), root, Vec::new()).pamela())
}

impl Branch<'_> {
    fn depends(&self, id: ExprId) -> bool {
        let names = self.arena.free(id).iter();
        names
            .into_iter()
            .any(|&symbol| self.arena.symbol_name(symbol) == Some(self.name))
    }

    fn value(&self, id: ExprId) -> Option<f64> {
        match evaluate(&self.arena, id, &self.there, Limits::default()).ok()? {
            Value::Scalar(value) => Some(value.to_f64()),
            _ => None,
        }
    }

    /// The operand that is the largest at the point, or the smallest.
    fn active(&self, list: &[ExprId], sign: f64) -> Option<ExprId> {
        let values = list.iter().map(|&id| Some((sign * self.value(id)?, id)));
        let values: Vec<(f64, ExprId)> = values.collect::<Option<_>>()?;
        values
            .into_iter()
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, id)| id)
    }

    fn terms(&mut self, id: ExprId) -> Option<Terms> {
        let one = self.arena.number(1);
        if !self.depends(id) {
            return Some(BTreeMap::from([(Rational::from(0), id)]));
        }
        match self.arena.node(id).clone() {
            Node::Symbol(_) => Some(BTreeMap::from([(Rational::from(1), one)])),
            Node::Max(list) => {
                let active = self.active(&list, 1.0)?;
                self.terms(active)
            }
            Node::Min(list) => {
                let active = self.active(&list, -1.0)?;
                self.terms(active)
            }
            Node::Add(list) => {
                let mut all = Terms::new();
                for &term in &list {
                    for (power, factor) in self.terms(term)? {
                        let sum = all
                            .get(&power)
                            .map_or(factor, |&sum| self.arena.add(&[sum, factor]));
                        all.insert(power, sum);
                    }
                }
                Some(all)
            }
            Node::Mul(list) => {
                let mut all = Terms::from([(Rational::from(0), one)]);
                for &factor in &list {
                    let own = self.terms(factor)?;
                    all = self.product(&all, &own);
                }
                Some(all)
            }
            Node::Pow(base, exponent) => {
                let exponent = self.arena.as_number(exponent).cloned()?;
                let base = self.terms(base)?;
                if let (1, Some((power, &factor))) = (base.len(), base.iter().next()) {
                    let raised = self.arena.number(exponent.clone());
                    let factor = self.arena.pow(factor, raised);
                    return Some(BTreeMap::from([(power * &exponent, factor)]));
                }
                let times = exponent.to_i64().filter(|n| (1..=4).contains(n))?;
                let mut all = Terms::from([(Rational::from(0), one)]);
                for _ in 0..times {
                    all = self.product(&all, &base);
                }
                Some(all)
            }
            _ => None,
        }
    }

    fn product(&mut self, a: &Terms, b: &Terms) -> Terms {
        let mut all = Terms::new();
        for (p, &x) in a {
            for (q, &y) in b {
                let factor = self.arena.mul(&[x, y]);
                let power = p + q;
                let sum = all
                    .get(&power)
                    .map_or(factor, |&sum| self.arena.add(&[sum, factor]));
                all.insert(power, sum);
            }
        }
        all
    }
}
