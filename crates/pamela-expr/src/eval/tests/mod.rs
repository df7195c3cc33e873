//! Values derived by hand, and properties of random expressions.

mod blocks;
mod certified;
mod elementary;
mod exact;
mod graphs;
mod properties;
mod random;
mod read;
mod vectors;

use super::{Bindings, EvalError, Limits, Value, evaluate};
use crate::expr::Arena;
pub use read::read;

/// Values of parameters, from texts such as `1/3`.
fn bindings(values: &[(&str, &str)]) -> Bindings {
    let mut bindings = Bindings::new();
    for (name, text) in values {
        let value = value_at(text, &Bindings::new()).expect("a number");
        bindings.insert(name.to_string(), value);
    }
    bindings
}

fn value_at(text: &str, bindings: &Bindings) -> Result<Value, EvalError> {
    let mut arena = Arena::new();
    let root = read(&mut arena, text);
    evaluate(&arena, root, bindings, Limits { steps: 100_000 })
}
