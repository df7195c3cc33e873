//! What can be written on the command line: the commands, whose arguments stand beside what they do.

use clap::{Parser, Subcommand};

/// Compiles performance models of parallel programs into closed-form formulas.
#[derive(Debug, Parser)]
#[command(name = "pamela", version, propagate_version = true, after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 done, 1 the model or its data are wrong, 2 the command line is wrong,
3 the result is incomplete (reductions are left that take looping, or values that take too many steps).";

/// The arguments of a command are described when it is the one that is called.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Read a model and report what is wrong with it
    #[command(after_help = super::check::EXAMPLES)]
    Check(super::check::Arguments),
    /// Print the closed forms of a model's equations with their conditions
    #[command(after_help = super::simplify::EXAMPLES)]
    Simplify(super::simplify::Arguments),
    /// Print the values of a model's equations at one point
    #[command(after_help = super::evaluate::EXAMPLES)]
    Eval(super::evaluate::Arguments),
    /// Print a table of values over a grid of points
    #[command(after_help = super::sweep::EXAMPLES)]
    Sweep(super::sweep::Arguments),
    /// Put the parts of a sweep together
    #[command(after_help = super::merge::EXAMPLES)]
    Merge(super::merge::Arguments),
    /// Draw values over a parameter or two, speedups, laws
    #[cfg(feature = "plot")]
    #[command(after_help = super::plot::EXAMPLES)]
    Plot(super::plot::Arguments),
    /// Find the parameters at which a value is least or greatest
    #[command(visible_alias = "optimize", after_help = super::optimise::EXAMPLES)]
    Optimise(super::optimise::Arguments),
    /// Write a page about a model, with sliders for its parameters
    #[command(after_help = super::report::EXAMPLES)]
    Report(super::report::Arguments),
    /// Run a model, with contention: times, utilisations, queues
    #[command(after_help = super::simulate::EXAMPLES)]
    Simulate(super::simulate::Arguments),
    /// Formula, bounds and estimates of a time beside its simulation, over a grid of points, as a table in CSV
    #[command(after_help = super::compare::EXAMPLES)]
    Compare(super::compare::Arguments),
    /// Find laws that describe samples: moments with their uncertainty, laws with their goodness of fit
    #[command(after_help = super::fit::EXAMPLES)]
    Fit(super::fit::Arguments),
    /// Make a model of a program in C, with OpenMP
    #[cfg(feature = "programs")]
    #[command(after_help = super::model::EXAMPLES)]
    Model(super::model::Arguments),
    /// Build a program in C with probes, run it, and keep its counts and times
    #[cfg(feature = "programs")]
    #[command(after_help = super::profile::EXAMPLES)]
    Profile(super::profile::Arguments),
    /// Measure what OpenMP takes on this machine
    #[cfg(feature = "programs")]
    #[command(after_help = super::machine::EXAMPLES)]
    Machine(super::machine::Arguments),
    /// Find the times of a model from measured times
    #[cfg(feature = "programs")]
    #[command(after_help = super::calibrate::EXAMPLES)]
    Calibrate(super::calibrate::Arguments),
    /// List, show and check rewrite rules
    #[command(after_help = super::rules::EXAMPLES)]
    Rules(super::rules::Arguments),
    /// Measure this program beside others, and what the papers predict
    #[command(after_help = super::study::EXAMPLES)]
    Study(super::study::Arguments),
}
