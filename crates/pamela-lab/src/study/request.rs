//! Questions and answers in the notation of the peers.

use num_bigint::BigInt;
use num_rational::BigRational;
use serde::Serialize;

use super::points::Point;
use super::verdict::{Answer, Verdict};
use crate::model::{Model, Number};
use crate::syntax::tree::{Equation, ParameterFact, Relation};

#[derive(Serialize)]
struct Request<'a> {
    sum: &'a str,
    parameters: Vec<Parameter>,
    points: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// The facts about a parameter that SymPy's symbols can express.
#[derive(Serialize)]
struct Parameter {
    name: String,
    integer: bool,
    at_least: Option<i64>,
}

/// The request to the peer `name` for the closed form of `text` and its values at `points`.
pub fn request(name: &str, text: &str, asked: &str, model: &Model, points: &[Point]) -> String {
    if name == "maxima" {
        return maxima(text, model, points);
    }
    let request = Request {
        sum: text,
        parameters: model.parameters().map(parameter).collect(),
        points: points
            .iter()
            .map(|point| {
                let values = point.values.iter();
                values
                    .map(|(name, value)| (name.clone(), value.to_string().into()))
                    .collect()
            })
            .collect(),
    };
    // Texts and numbers are always JSON.
    serde_json::to_string(&request).unwrap_or_else(|_| asked.to_string())
}

fn parameter(equation: &Equation) -> Parameter {
    let at_least = equation.facts.iter().find_map(|fact| match fact {
        ParameterFact::Bound(Relation::GreaterEqual, bound) => bound.to_string().parse().ok(),
        _ => None,
    });
    Parameter {
        name: equation.name.text.clone(),
        integer: is_integer(equation),
        at_least,
    }
}

fn is_integer(equation: &Equation) -> bool {
    let mut facts = equation.facts.iter();
    facts.any(|fact| matches!(fact, ParameterFact::Integer(_)))
}

/// The facts, then the question, then the facts taken back.
fn maxima(text: &str, model: &Model, points: &[Point]) -> String {
    let integers: Vec<String> = model
        .parameters()
        .filter(|parameter| is_integer(parameter))
        .map(|parameter| format!("{}, integer", parameter.name.text))
        .collect();
    let mut facts: Vec<String> = model
        .parameters()
        .flat_map(|parameter| {
            let name = &parameter.name.text;
            parameter.facts.iter().filter_map(move |fact| match fact {
                bound @ ParameterFact::Bound(..) => Some(format!("{name} {bound}")),
                _ => None,
            })
        })
        .collect();
    let stated = model.assumptions().iter().map(ToString::to_string);
    facts.extend(stated.filter(|fact| fact.contains(">=") || fact.contains("<=")));
    let points: Vec<String> = points
        .iter()
        .map(|point| {
            let values = point.values.iter();
            let values: Vec<String> = values.map(|(name, x)| format!("{name} = {x}")).collect();
            format!("[{}]", values.join(", "))
        })
        .collect();
    let declare = if integers.is_empty() {
        String::new()
    } else {
        format!("declare({})$ ", integers.join(", "))
    };
    format!(
        "kill(facts, features)$ {declare}apply(assume, [{}])$ study(lambda([], {text}), [{}])$",
        facts.join(", "),
        points.join(", ")
    )
}

/// Compares the values of a peer at `points`.
pub fn verdict(points: &[Point], values: &[String]) -> Verdict {
    let mut verdict = Verdict::default();
    for (point, text) in points.iter().zip(values) {
        let answer = match (text.as_str(), number(text)) {
            ("declined", _) => Answer::Declined,
            (_, Some(value)) => Answer::Value(value),
            (_, None) => Answer::Undefined(text.clone()),
        };
        verdict.add(point, answer);
    }
    verdict
}

/// `3/2`, `7`, `0.6931` or `1.2e-5`.
fn number(text: &str) -> Option<Number> {
    let whole = |text: &str| text.trim().parse::<BigInt>().ok();
    if let Some(value) = whole(text) {
        return Some(Number::from(BigRational::from_integer(value)));
    }
    if let Some((numerator, denominator)) = text.split_once('/') {
        let denominator = whole(denominator).filter(|value| *value != BigInt::ZERO)?;
        return Some(Number::from(BigRational::new(
            whole(numerator)?,
            denominator,
        )));
    }
    let value: f64 = text.parse().ok()?;
    value.is_finite().then(|| Number::double(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_peers_are_read_exactly_or_as_doubles() {
        let exact = |n: i64, d: i64| Some(Number::from(BigRational::new(n.into(), d.into())));
        assert_eq!(number("-3/2"), exact(-3, 2));
        assert_eq!(number("12"), exact(12, 1));
        assert_eq!(number("0.5"), Some(Number::double(0.5)));
        assert_eq!(number("1/0"), None);
        assert_eq!(number("nan"), None);
        assert_eq!(number("no value: zoo"), None);
    }
}
