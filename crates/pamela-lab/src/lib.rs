//! Experiments: random models, and comparisons with other programs and with papers.

pub mod models;
pub mod study;

use pamela::{
    algebra, compiled, diagnostic, eval, expr, formula, law, model, pipeline, ring, rules,
    simulate, syntax, timing,
};
use pamela_gates as gates;
