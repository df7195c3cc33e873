//! Literals of C.

use super::number::*;
use super::value::Value;

/// Numbers of C: `10`, `0x1fUL`, `'a'`, `1e-3`.
pub fn literal(text: &str) -> Value {
    let lower = text.to_lowercase().replace('\'', "");
    match lower.as_str() {
        "true" => return Value::integer(Some(Number::constant(1))),
        "false" => return Value::integer(Some(Number::constant(0))),
        _ => {}
    }
    if text.starts_with('\'') {
        let mut letters = text.chars().skip(1);
        let letter = letters
            .next()
            .filter(|letter| *letter != '\\' && letters.next() == Some('\''));
        return Value::integer(letter.map(|letter| Number::constant(i64::from(u32::from(letter)))));
    }
    let is_hexadecimal = lower.starts_with("0x");
    let digits = lower.trim_end_matches(['u', 'l']);
    let whole = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    };
    if let Some(whole) = whole {
        return Value {
            wraps: lower[digits.len()..].contains('u'),
            ..Value::integer(Some(Number::constant(whole)))
        };
    }
    let digits = lower.trim_end_matches(['f', 'l']);
    let is_real = !is_hexadecimal && digits.parse::<f64>().is_ok_and(f64::is_finite);
    Value::real(is_real.then(|| real(digits)))
}

/// `2.` and `.5` as the language writes them; whole values are whole numbers.
fn real(digits: &str) -> Number {
    if let Some(whole) = digits
        .parse::<f64>()
        .ok()
        .filter(|x| x.fract() == 0.0 && x.abs() < 1e15)
    {
        return Number::constant(whole as i64);
    }
    let mut text = digits.replace(".e", ".0e");
    if text.starts_with('.') {
        text.insert(0, '0');
    }
    if text.ends_with('.') {
        text.push('0');
    }
    Number::atom(Atom::Real(text))
}
