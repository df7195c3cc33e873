//! Experiments: random models, every rule sampled, and results beside those of other programs and of the papers.

pub mod gates;
pub mod models;
pub mod study;

use pamela::{
    algebra, diagnostic, eval, expr, formula, law, model, pipeline, ring, rules, simulate, syntax,
    timing, words,
};
