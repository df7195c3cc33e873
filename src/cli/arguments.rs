//! The commands and options of the command line. The arguments of each command are in its own module.

use clap::{Parser, Subcommand};

use super::shared::HELP;

/// Compiles performance models of parallel programs into closed-form formulas.
#[derive(Debug, Parser)]
#[command(name = "pamela", version, propagate_version = true, after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 success; 1 error in the model or its data; 2 error in the command line; 3 incomplete result: \
reductions stay open, or values take too many steps.";

/// The commands. The arguments of a command are built only when it is called.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub enum Command {
    /// Write a commented model to start from
    #[command(before_help = super::new::EXAMPLES, help_template = HELP)]
    New(super::new::Arguments),
    /// List the examples that the program carries, or print one
    #[command(before_help = super::examples::EXAMPLES, help_template = HELP)]
    Examples(super::examples::Arguments),
    /// Check models and report errors
    #[command(before_help = super::check::EXAMPLES, after_help = super::check::NOTES, help_template = HELP)]
    Check(super::check::Arguments),
    /// Lay out models: indentation, spaces and empty lines
    #[command(before_help = super::fmt::EXAMPLES, after_help = super::fmt::NOTES, help_template = HELP)]
    Fmt(super::fmt::Arguments),
    /// Print the closed forms of a model and the conditions under which they hold
    #[command(before_help = super::simplify::EXAMPLES, after_help = super::simplify::NOTES, help_template = HELP)]
    Simplify(super::simplify::Arguments),
    /// Evaluate a model at one point
    #[command(before_help = super::evaluate::EXAMPLES, help_template = HELP)]
    Eval(super::evaluate::Arguments),
    /// Evaluate a model over a grid of points and print a table
    #[cfg(feature = "tools")]
    #[command(before_help = super::sweep::EXAMPLES, after_help = super::sweep::NOTES, help_template = HELP)]
    Sweep(super::sweep::Arguments),
    /// Merge the parts of a sweep into one table
    #[cfg(feature = "tools")]
    #[command(before_help = super::merge::EXAMPLES, after_help = super::merge::NOTES, help_template = HELP)]
    Merge(super::merge::Arguments),
    /// Draw times, speedups, distributions or task graphs
    #[cfg(feature = "plot")]
    #[command(before_help = super::plot::EXAMPLES, after_help = super::plot::NOTES, help_template = HELP)]
    Plot(super::plot::Arguments),
    /// Find the parameters that minimise or maximise a value
    #[cfg(feature = "tools")]
    #[command(
        visible_alias = "optimize",
        before_help = super::optimise::EXAMPLES,
        after_help = super::optimise::NOTES,
        help_template = HELP
    )]
    Optimise(super::optimise::Arguments),
    /// Find all values of a parameter for which a condition holds
    #[cfg(feature = "tools")]
    #[command(before_help = super::solve::EXAMPLES, after_help = super::solve::NOTES, help_template = HELP)]
    Solve(super::solve::Arguments),
    /// Write an HTML page with formulas, pictures and a slider for each parameter
    #[cfg(feature = "tools")]
    #[command(before_help = super::report::EXAMPLES, after_help = super::report::NOTES, help_template = HELP)]
    Report(super::report::Arguments),
    /// Simulate a model with contention: times, utilisations, queues
    #[cfg(feature = "tools")]
    #[command(before_help = super::simulate::EXAMPLES, after_help = super::simulate::NOTES, help_template = HELP)]
    Simulate(super::simulate::Arguments),
    /// Compare formula, bounds and estimates of a time with simulation or measurements
    #[cfg(feature = "tools")]
    #[command(before_help = super::compare::EXAMPLES, after_help = super::compare::NOTES, help_template = HELP)]
    Compare(super::compare::Arguments),
    /// Compare two models or C programs: where which is slower, by what factor
    #[cfg(feature = "tools")]
    #[command(before_help = super::diff::EXAMPLES, after_help = super::diff::NOTES, help_template = HELP)]
    Diff(super::diff::Arguments),
    /// Fit probability distributions to samples
    #[cfg(feature = "tools")]
    #[command(before_help = super::fit::EXAMPLES, after_help = super::fit::NOTES, help_template = HELP)]
    Fit(super::fit::Arguments),
    /// Derive a model from a C program with OpenMP or MPI
    #[cfg(feature = "programs")]
    #[command(before_help = super::model::EXAMPLES, after_help = super::model::NOTES, help_template = HELP)]
    Model(super::model::Arguments),
    /// Measure a C program: branch counts, loop counts and run times
    #[cfg(feature = "programs")]
    #[command(before_help = super::profile::EXAMPLES, after_help = super::profile::NOTES, help_template = HELP)]
    Profile(super::profile::Arguments),
    /// Measure the cost of OpenMP or MPI operations on this machine
    #[cfg(feature = "programs")]
    #[command(before_help = super::machine::EXAMPLES, after_help = super::machine::NOTES, help_template = HELP)]
    Machine(super::machine::Arguments),
    /// Fit the time parameters of a model to measured times
    #[cfg(feature = "programs")]
    #[command(before_help = super::calibrate::EXAMPLES, after_help = super::calibrate::NOTES, help_template = HELP)]
    Calibrate(super::calibrate::Arguments),
    /// List, show and check rewrite rules
    #[cfg(feature = "tools")]
    #[command(before_help = super::rules::EXAMPLES, help_template = HELP)]
    Rules(super::rules::Arguments),
    /// Run studies: compare pamela with other programs, with published results and with measurements
    #[command(after_help = super::study::NOTES, help_template = HELP)]
    Study(super::study::Arguments),
    /// Serve an editor: errors, closed forms, completion, layout
    #[cfg(feature = "editor")]
    #[command(before_help = super::lsp::EXAMPLES, after_help = super::lsp::NOTES, help_template = HELP)]
    Lsp(super::lsp::Arguments),
    /// Serve an assistant: check, closed forms, values, reference of the language
    #[cfg(feature = "editor")]
    #[command(before_help = super::mcp::EXAMPLES, after_help = super::mcp::NOTES, help_template = HELP)]
    Mcp(super::mcp::Arguments),
    /// Print a script that completes commands in a shell
    #[cfg(feature = "tools")]
    #[command(before_help = super::shell::COMPLETIONS, help_template = HELP)]
    Completions(super::shell::Completions),
    /// Write manual pages
    #[cfg(feature = "tools")]
    #[command(before_help = super::shell::MAN, help_template = HELP)]
    Man(super::shell::Man),
}
