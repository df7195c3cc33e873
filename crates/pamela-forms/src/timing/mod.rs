//! Lowers a model to equations over its parameters: substitutes names and turns processes into
//! times.
//!
//! Each process `L` gives `phi_L` (critical path), `delta_L` (demand), `omega_L = max(delta_L)` and
//! `T_L` (lower bound of the execution time). Source: the calculus of thesis section 6.1.2 with its
//! errata.

mod answers;
mod argument;
mod arrays;
mod bounds;
mod certificate;
mod choices;
mod closed;
mod collect;
mod cost;
mod domains;
mod facts;
mod graphs;
mod judge;
mod laws;
mod mean_value;
mod mention;
mod named;
mod notes;
mod numeric;
mod open;
mod origin;
mod process;
mod random_demand;
mod replaced;
mod routine;
mod scope;
mod single_server;
mod standing;
mod support;
mod units;
mod vectors;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::diagnostic::{Diagnostic, Error, Result, Span};
pub use crate::expr::Moment;
use crate::expr::{Arena, ExprId, Sort};
use crate::model::{Extent, Model};
use crate::syntax::tree::{Equation, Name, Type};
pub use bounds::ESTIMATE_PART;
pub use certificate::{Application, Order, Precondition, Proof, Theorem};
use cost::Notes;
use named::{Function, Section};
pub use notes::as_texts;
pub use notes::{Note, note_path_law, rests_on_paths_alone};
use notes::{of_demand, of_time};
pub use origin::{Origin, Share};
use scope::Lowering;
pub(crate) use standing::of_derived;
pub use standing::{Method, Standing};

/// The lowered equations and facts of a model.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// Equations in the order of the model; those of a process in the order T, phi, delta, omega,
    /// L, U, U2, U1.
    pub equations: Vec<LoweredEquation>,
    /// Declared facts and assumptions, without trivial ones.
    pub facts: Vec<Fact>,
    /// Source location of each fact.
    pub fact_spans: Vec<Span>,
    /// Errors of the equations that are missing.
    pub failures: Vec<Diagnostic>,
}

/// One equation over parameters.
#[derive(Clone, Debug)]
pub struct LoweredEquation {
    /// Name of a numeric equation, or `T_main`, `phi_main`, ... for a process `main`.
    pub name: String,
    /// Sort of the value: number, vector or law.
    pub sort: Sort,
    /// The value, without simplification.
    pub expr: ExprId,
    /// Number of components, if the value is a vector.
    pub length: usize,
    /// True if the equation only names a law; its moments would add nothing.
    pub plain: bool,
    /// Parameters that stand for the arguments of an equation that others call.
    pub formals: Vec<String>,
    /// True for a part that others mention and that has no name in the model.
    pub auxiliary: bool,
    /// True if mentions keep the name.
    pub kept: bool,
    /// Declared facts about the name.
    pub declared: Vec<ExprId>,
    /// Conditions that are 1 wherever the model defines the equation, such as nonzero divisors.
    pub conditions: Vec<ExprId>,
    /// The part of the model that the equation comes from.
    pub origin: Origin,
    /// Notes for the reader, for example that a demand was not counted.
    pub notes: Vec<Note>,
    /// How the value relates to the time of a run.
    pub standing: Standing,
    /// The standing if the times in the value included all queueing.
    pub standing_without_waiting: Standing,
    /// Source location of the name in the model.
    pub span: Span,
}

/// A fact about the parameters of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The expression is an integer.
    Integer(ExprId),
    /// The relation is 1.
    Holds(ExprId),
}

/// Substitutes all names and turns processes into times.
///
/// Equations with arguments are macros and give no equation of their own. Parameters stay symbols,
/// even with a default.
///
/// # Errors
/// Fails with all errors found: constructs that are not supported yet (such as operations on
/// vectors of unknown length), probabilities that do not add up to 1, or false facts.
pub fn lower(model: &Model, arena: &mut Arena) -> Result<Lowered> {
    let mut lowered = lower_each(model, arena)?;
    match std::mem::take(&mut lowered.failures) {
        none if none.is_empty() => Ok(lowered),
        diagnostics => Err(Error {
            diagnostics,
            sources: model.sources().clone(),
        }),
    }
}

/// Like [`lower`], but equations with errors are left out and their errors are returned.
///
/// # Errors
/// Fails if a fact is false or cannot be read.
pub fn lower_each(model: &Model, arena: &mut Arena) -> Result<Lowered> {
    lower_with(model, arena, ProcessEquations::default(), Names::default())
}

/// Which equations of processes to make beside `T`, `phi`, `delta` and `omega`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessEquations {
    /// `L`, `U`, `U2` and `U1`.
    pub bounds: bool,
    /// For processes whose `T` is only a bound: the exact time if it is known, else `L` and `U`.
    pub times: bool,
    /// For such processes: the exact time if it is known, else nothing.
    pub exact_times: bool,
    /// The exact time, if it is known, as an auxiliary equation; `T` may equal it.
    pub settling: bool,
    /// An estimate of the time of each process that allows it.
    pub contention: Option<Contention>,
}

/// An estimate of times with contention; not a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contention {
    /// Estimates by mean value analysis, for the requested process.
    MeanValue,
    /// Between `L` and `U`, which are made as well.
    Between,
}

/// Which equations stay names inside others, by position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Names<'n> {
    /// Never names.
    pub written_out: &'n [usize],
    /// Always names.
    pub kept: &'n [usize],
}

/// Like [`lower_each`], with further equations.
///
/// # Errors
/// Fails like [`lower_each`].
pub fn lower_with(
    model: &Model,
    arena: &mut Arena,
    wanted: ProcessEquations,
    names: Names<'_>,
) -> Result<Lowered> {
    let mut lowering = Lowering::new(model, arena);
    lowering.written_out = names.written_out.iter().copied().collect();
    lowering.kept = names.kept.iter().copied().collect();
    let mut lowered = Lowered::default();
    let mut diagnostics = Vec::new();
    for (position, equation) in model.equations().iter().enumerate() {
        if !equation.formals.is_empty() || equation.parameter && equation.kind == Type::Numeric {
            continue;
        }
        let equations = lowering
            .equation(position, equation)
            .unwrap_or_else(|diagnostic| {
                diagnostics.push(diagnostic);
                Vec::new()
            });
        if equation.kind != Type::Process || equation.auxiliary {
            let of_library = |own: LoweredEquation| LoweredEquation {
                auxiliary: own.auxiliary || equation.auxiliary,
                ..own
            };
            lowered
                .equations
                .extend(equations.into_iter().map(of_library));
            continue;
        }
        let times = lowering.times_at(position, equation, equations, wanted, &mut diagnostics);
        lowered.equations.extend(times);
        if wanted.contention == Some(Contention::MeanValue)
            && model.main_process() == Some(position)
        {
            match lowering.mean_value_at(position, &equation.name) {
                Ok(equations) => lowered.equations.extend(equations),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
    }
    lowered.equations.extend(lowering.functions());
    match lowering.facts() {
        Ok(facts) => (lowered.facts, lowered.fact_spans) = facts.into_iter().unzip(),
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            return Err(Error {
                diagnostics: without_repetitions(diagnostics),
                sources: model.sources().clone(),
            });
        }
    }
    lowered.failures = without_repetitions(diagnostics);
    Ok(lowered)
}

/// Removes messages that repeat at the same location.
pub fn without_repetitions(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    diagnostics.retain(|d| seen.insert((d.message.clone(), d.labels.first().map(|l| l.0))));
    diagnostics
}

/// True if bounds add information to the time of a process.
///
/// True if the time is a lower bound or uses means of branches.
pub(crate) fn wants_bounds(time: &LoweredEquation) -> bool {
    matches!(time.origin, Origin::Time(_))
        && time.sort == Sort::Scalar
        && (matches!(
            time.standing,
            Standing::Lower | Standing::Upper | Standing::Unknown
        ) || time.notes.contains(&Note::Weighed))
}

impl Lowering<'_, '_> {
    fn equation(
        &mut self,
        position: usize,
        equation: &Equation,
    ) -> std::result::Result<Vec<LoweredEquation>, Diagnostic> {
        let name = &equation.name;
        match equation.kind {
            Type::Resource => Ok(Vec::new()),
            Type::Numeric => {
                let number = self.number_at(position, name.span)?;
                let provisos = number.provisos.notes;
                let own = Notes {
                    contention: false,
                    ..provisos
                };
                let mut notes = of_time(own, false);
                if provisos.contention {
                    notes.push(Note::ByLowerBounds);
                }
                let [standing, standing_without_waiting] =
                    self.standing_of_number(position, name.span);
                let length = match self.model.extent_of(position) {
                    Some(Extent::List(length)) => length,
                    _ => 0,
                };
                let (own, conditions) = (name.text.clone(), &number.provisos.conditions);
                let kept = self.kept.contains(&position);
                let declared = if kept {
                    let mention = self.number_mentioned(position, name.span)?;
                    self.declared_of(position, mention)?
                } else {
                    Vec::new()
                };
                Ok(vec![LoweredEquation {
                    kept,
                    declared,
                    notes,
                    standing,
                    standing_without_waiting,
                    length,
                    ..self.own_equation(own, Origin::Equation, number.expr, conditions, name.span)
                }])
            }
            Type::Process => {
                let section = self.section_at(position, name.span)?;
                Ok(self.equations_of(position, &section, name))
            }
        }
    }

    fn own_equation(
        &self,
        name: String,
        origin: Origin,
        expr: ExprId,
        conditions: &[ExprId],
        span: Span,
    ) -> LoweredEquation {
        LoweredEquation {
            name,
            sort: self.arena.sort(expr),
            expr,
            length: 0,
            origin,
            plain: self.is_plain_law(expr),
            kept: false,
            declared: Vec::new(),
            formals: Vec::new(),
            auxiliary: false,
            conditions: conditions.to_vec(),
            notes: Vec::new(),
            standing: Standing::exact(),
            standing_without_waiting: Standing::exact(),
            span,
        }
    }

    /// The equations with arguments that others call by name.
    fn functions(&self) -> Vec<LoweredEquation> {
        let place = |position: usize| &self.model.equations()[position].name;
        let own = |name: &str, function: &Function, span| LoweredEquation {
            formals: function.formals.clone(),
            auxiliary: true,
            declared: function.declared.clone(),
            ..self.own_equation(
                name.to_owned(),
                Origin::Part,
                function.expr,
                &function.conditions,
                span,
            )
        };
        let numeric = self.functions_by_name.iter();
        let numeric = numeric.filter_map(|(&position, function)| {
            let name = place(position);
            Some(LoweredEquation {
                kept: self.kept.contains(&position),
                ..own(&name.text, function.as_ref()?, name.span)
            })
        });
        let routines = self.routines_by_name.iter();
        let routines = routines
            .filter_map(|(&position, routine)| Some((place(position).span, routine.as_ref()?)));
        let parts = routines.flat_map(|(span, routine)| {
            let parts = routine.functions();
            parts.map(move |(name, function)| own(name, function, span))
        });
        numeric.chain(parts).collect()
    }

    /// The four equations of a process, then those of the amounts that have names.
    fn equations_of(
        &mut self,
        position: usize,
        section: &Section,
        name: &Name,
    ) -> Vec<LoweredEquation> {
        let cost = section.cost;
        let omega = arrays::largest_demand(self.arena, cost.delta);
        let random = self.arena.sort(cost.time) != Sort::Scalar;
        let parts = self.standing_of_parts(position);
        let of_parts = |own: Standing| own.join(parts.clone());
        let standings = [
            of_parts(cost.notes.of_time(random)),
            of_parts(Standing::exact()),
            of_parts(cost.notes.of_demand()),
        ];
        // Each of them may go by times that are named in the process.
        let named = section.provisos.notes;
        let by_bounds = named.contention.then_some(Note::ByLowerBounds);
        let named = Notes {
            contention: false,
            ..named
        };
        let notes = named.and(cost.notes);
        let with_named = |own: Vec<Note>| [own, by_bounds.iter().cloned().collect()].concat();
        let of_path = with_named(of_time(named, random));
        let (of_time, notes) = (
            with_named(of_time(notes, random)),
            with_named(of_demand(notes)),
        );
        let one = |origin: fn(String) -> Origin, expr: ExprId, notes: Vec<Note>, own: usize| {
            let origin = origin(name.text.clone());
            let (name_of, conditions) = (origin.process_equation(), &section.provisos.conditions);
            LoweredEquation {
                notes,
                standing: standings[own].clone(),
                ..self.own_equation(
                    name_of.unwrap_or_default(),
                    origin,
                    expr,
                    conditions,
                    name.span,
                )
            }
        };
        let four = [
            one(Origin::Time, cost.time, of_time, 0),
            one(Origin::CriticalPath, cost.phi, of_path, 1),
            one(Origin::Demand, cost.delta, notes.clone(), 2),
            one(Origin::Bottleneck, omega, notes, 2),
        ];
        let amount = |(own, expr): &(String, ExprId)| LoweredEquation {
            auxiliary: true,
            ..self.own_equation(
                own.clone(),
                Origin::Part,
                *expr,
                &section.provisos.conditions,
                name.span,
            )
        };
        four.into_iter()
            .chain(section.amounts.iter().map(amount))
            .collect()
    }
}
