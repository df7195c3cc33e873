//! `pamela eval`

use super::arguments::Eval;
use super::{Outcome, output, read_model, rule_base, values};
use crate::diagnostic::Error;
use crate::eval::{Number, Value, Vector};
use crate::formula::json::{
    Component, Condition, EvaluatedEquation as JsonEquation, EvaluatedModel, JsonExact, JsonValue,
};
use crate::pipeline::{Evaluated, EvaluatedEquation, Method, Options};
use crate::ring::Rational;

/// The array whose components a list names.
const PREDEFINED_ARRAY: &str = "fcfs";
/// Longer vectors are written as sums of unit vectors, by components in JSON.
const MAX_LIST: usize = 64;
const MAX_JSON_LIST: usize = 100_000;

pub fn run(arguments: &Eval) -> Result<Outcome, Error> {
    let model = read_model(&arguments.input)?;
    let options = Options {
        all: true,
        ..Options::default()
    };
    let values = values::given(&arguments.values)?;
    let evaluated = model.evaluate(&values, rule_base(&arguments.rules)?, &options)?;
    if arguments.json {
        output::json(&as_json(&evaluated))?;
    } else {
        output::line(&pamela(&evaluated))?;
    }
    Ok(Outcome::Done)
}

/// A model whose equations are values.
fn pamela(evaluated: &Evaluated) -> String {
    let mut lines: Vec<String> = evaluated
        .conditions
        .iter()
        .filter(|(_, holds)| !holds)
        .map(|(condition, _)| format!("% note: {condition} does not hold here"))
        .collect();
    for equation in &evaluated.equations {
        if equation.method == Method::Definition {
            lines.push("% note: by the model's definition, where no closed form applies".into());
        }
        let notes = equation.approximations.iter();
        lines.extend(notes.map(|note| format!("% note: {note}")));
        let value = value_text(&equation.value);
        lines.push(format!("numeric {} = {value}", equation.name));
    }
    lines.join("\n")
}

fn value_text(value: &Value) -> String {
    let vector = match value {
        Value::Scalar(number) => return number.to_string(),
        Value::Vector(vector) => vector,
    };
    if let Some(list) = vector.as_list(PREDEFINED_ARRAY, MAX_LIST) {
        let elements: Vec<String> = list.iter().map(Number::to_string).collect();
        return match elements.is_empty() {
            true => "[0]".to_string(),
            false => format!("[{}]", elements.join(", ")),
        };
    }
    let terms: Vec<String> = vector
        .components()
        .map(|(array, index, number)| {
            let array = match array {
                PREDEFINED_ARRAY => String::new(),
                other => format!("{other}, "),
            };
            format!("{number} * unitvec({array}{index})")
        })
        .collect();
    if terms.is_empty() {
        "[0]".to_string()
    } else {
        terms.join(" + ")
    }
}

fn as_json(evaluated: &Evaluated) -> EvaluatedModel {
    let condition = |(condition, holds): &(String, bool)| Condition {
        condition: condition.clone(),
        holds: *holds,
    };
    EvaluatedModel {
        equations: evaluated.equations.iter().map(equation).collect(),
        conditions: evaluated.conditions.iter().map(condition).collect(),
    }
}

fn equation(equation: &EvaluatedEquation) -> JsonEquation {
    let (value, exact) = match &equation.value {
        Value::Scalar(number) => (
            JsonValue::Scalar(number.to_f64()),
            exact_text(number).map(JsonExact::Scalar),
        ),
        Value::Vector(vector) => vector_json(vector),
    };
    let method = match equation.method {
        Method::Closed => "exact",
        Method::Definition => "definition",
    };
    JsonEquation {
        name: equation.name.clone(),
        sort: equation.sort,
        value,
        exact,
        method: method.to_string(),
        approximations: equation.approximations.clone(),
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
