//! Values of checked models by the definition: the evaluator loops, and enumerates or simulates
//! random values.
//!
//! It shares no code with the closed forms, which are tested against it.

mod arithmetic;
mod at_least;
mod at_most;
mod broken_facts;
mod calls;
mod chance;
mod closed_section;
mod conditions;
mod copies;
mod cumulants;
mod demands;
mod distribution;
mod environment;
mod equilibrium;
mod erlang;
mod evaluate;
mod execution;
mod expressions;
mod families;
mod floor_sums;
mod graphs;
mod memory;
mod moments;
mod order_free;
mod order_statistics;
mod parts;
mod processes;
mod quantiles;
mod random;
mod reductions;
mod replaced;
mod resources;
mod run;
mod samples;
mod scope;
mod simulation;
mod standing;
mod support;
mod truncated;
mod undisturbed;
mod value;

#[cfg(test)]
mod tests;

use pamela_model::model::{
    BOUNDS, Extent, FCFS, MOST_FORMALS, Measure, Model, PREFIXES, Replacements, Sort, Sorts,
    fraction, laws, not_supported, number, predefined, walk, with_stack,
};

pub use broken_facts::BROKEN_ASSUMPTION;
pub use closed_section::{CLOSED_SECTION, ClosedSection, Held, Station, closed_section, element};
pub use cumulants::Cumulants;
pub use distribution::Distribution;
pub use equilibrium::{Equilibrium, balanced_job_bounds, equilibrium};
pub use evaluate::{Evaluator, Limits};
pub use execution::{Choice, Decision, Element, Names, Tasks};
pub use graphs::{GraphCounts, MAX_PRECEDENCES, MAX_TASKS};
pub use processes::Timing;
pub use value::{Value, Vector};
