//! Closed forms against the definition: on the corpus and on random models.

mod corpus;
mod determinism;
mod fuzz;
mod random_models;
mod series;
mod support;
