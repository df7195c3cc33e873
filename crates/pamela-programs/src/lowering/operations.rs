//! The values of operations on linear forms.

use std::collections::BTreeSet;

use super::changes::Form;
use super::graph::{Way, variable};
use super::proofs::proves;
use super::state::Facts;

/// The value of an operation. One that is not linear is a variable of its own, with what is known of it.
pub fn calculated(
    facts: &Facts,
    fresh: &mut BTreeSet<String>,
    way: &mut Way,
    operator: &str,
    [a, b]: [&Form; 2],
) -> Option<Form> {
    let divisor = b
        .rest
        .as_constant()
        .filter(|own| b.variables.is_empty() && *own > 1);
    let value = variable(&format!("{operator} {}", fresh.len()));
    let mut known = Vec::new();
    match (operator, divisor) {
        ("+", _) => return a.clone().plus(b, 1),
        ("-", _) => return a.clone().plus(b, -1),
        ("*", _) if a == b && !a.variables.is_empty() => {
            // A square less what it is near a number is a square, too.
            for near in [0, 1, -1, 2] {
                let line = value.clone().plus(a, -2 * near)?;
                known.push(line.plus(&Form::constant(near * near), 1)?);
            }
        }
        ("*", _) => return product(a, b),
        ("/", Some(divisor)) => {
            // Rounded towards 0.
            let is_above = proves(facts, way, a, 2);
            let rest = a.clone().plus(&value, -divisor)?;
            let above = i64::from(!is_above) * (divisor - 1);
            known.push(rest.clone().plus(&Form::constant(above), 1)?);
            known.push(Form::constant(divisor - 1).plus(&rest, -1)?);
            known.extend(Some(value.clone()).filter(|_| is_above));
        }
        ("%", Some(divisor)) => {
            let is_above = proves(facts, way, a, 2);
            let below = i64::from(!is_above) * (divisor - 1);
            known.push(value.clone().plus(&Form::constant(below), 1)?);
            known.push(Form::constant(divisor - 1).plus(&value, -1)?);
        }
        _ => return None,
    }
    fresh.extend(value.variables.keys().cloned());
    way.known.extend(known);
    Some(value)
}

/// A product, of which one factor is a number.
fn product(a: &Form, b: &Form) -> Option<Form> {
    let constant = |form: &Form| {
        let constant = form.rest.as_constant();
        constant.filter(|_| form.variables.is_empty())
    };
    match (constant(a), constant(b)) {
        (Some(factor), _) => Form::default().plus(b, factor),
        (_, Some(factor)) => Form::default().plus(a, factor),
        _ => None,
    }
}
