//! Experiments: random models, samples of every rule, and comparisons with other programs and with
//! papers.

pub mod gates;
pub mod models;
pub mod study;

use pamela::{
    algebra, compiled, diagnostic, eval, expr, formula, law, model, pipeline, ring, rules,
    simulate, syntax, timing, words,
};
