//! Closed forms against the definition: on the corpus and on random models.

mod annotated;
mod corpus;
mod derivations;
mod determinism;
mod discrete;
mod distributions;
mod enclosures;
mod facts;
mod fuzz;
mod graphs;
mod inexact;
mod kept;
mod labels;
mod latex;
mod law_derivations;
mod laws;
mod plain;
mod processes;
mod random_models;
mod readable;
mod regimes;
mod replayed;
mod samples;
mod series;
mod support;
mod units;
