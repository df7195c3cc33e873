//! What stands for open processes in a checked model.

use std::collections::HashSet;

use crate::diagnostic::Span;
use crate::syntax::rewrite::label;
use crate::syntax::tree::{Equation, Expr, Type, Value as Definition, spans_of_equation_mut};

/// What the time of an open process rests on, beside Poisson arrivals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// Requests arrive by a Poisson process.
    pub stationary: bool,
    /// The wait for several servers with services that are not exponential is approximated.
    pub several_servers: bool,
    /// Arrivals at a later station are approximated by two moments.
    pub flows: bool,
    /// Waits of parallel branches are taken as independent.
    pub in_parallel: bool,
    /// Waits are taken as independent where requests overtake each other.
    pub overtaking: bool,
    /// A run visits a resource more than once; only the mean of its time is known.
    pub repeated: bool,
    /// The residual of a service is fitted to two moments.
    pub fitted: bool,
    /// Waits of clients in a closed loop are stationary.
    pub cyclic: bool,
    /// Waits are those of runs, or by mean value analysis, at the values of all parameters.
    pub by_runs: bool,
}

impl Basis {
    /// What two times together rest on.
    pub fn and(self, other: Basis) -> Basis {
        Basis {
            stationary: self.stationary || other.stationary,
            several_servers: self.several_servers || other.several_servers,
            flows: self.flows || other.flows,
            in_parallel: self.in_parallel || other.in_parallel,
            overtaking: self.overtaking || other.overtaking,
            repeated: self.repeated || other.repeated,
            fitted: self.fitted || other.fitted,
            cyclic: self.cyclic || other.cyclic,
            by_runs: self.by_runs || other.by_runs,
        }
    }

    /// True if nothing is approximated.
    pub fn is_exact(self) -> bool {
        let others = Basis {
            stationary: false,
            ..self
        };
        others == Basis::default()
    }
}

/// The wait of a visit, as an equation.
#[derive(Clone, Debug)]
pub(in crate::model) struct Wait {
    pub(super) array: String,
    /// Name of the equation; it takes the index of an element if it is `indexed`.
    pub(in crate::model) equation: String,
    pub(super) indexed: bool,
    pub(in crate::model) basis: Basis,
    /// Name of the equation that is 1 where its utilisation is below 1.
    pub(in crate::model) stable: Option<String>,
    /// The process and the resource, if the equation has no value.
    pub(in crate::model) run: Option<(String, Expr)>,
}

/// What replaced the open processes and the waits of a model.
#[derive(Clone, Debug, Default)]
pub(in crate::model) struct Replaced {
    pub(in crate::model) open: Vec<Open>,
    pub(in crate::model) waits: Vec<Wait>,
    /// Number of further equations.
    pub(in crate::model) made: usize,
}

/// An open process.
#[derive(Clone, Debug)]
pub struct Open {
    pub name: String,
    /// Name of the process that one request runs, with its visits to resources.
    pub request: String,
    /// Name of the equation of the rate.
    pub(super) rate: String,
    /// Name of the equation of the utilisations.
    pub demand: String,
    pub basis: Basis,
    pub(super) waits: Vec<Wait>,
}

impl Open {
    /// Names of the equations that are 1 where utilisations are below 1.
    pub fn stable(&self) -> impl Iterator<Item = &str> {
        self.waits.iter().filter_map(|wait| wait.stable.as_deref())
    }
}

/// Names that no equation has.
pub(super) struct Unused(HashSet<String>);

impl Unused {
    pub(super) fn new(equations: &[Equation]) -> Unused {
        Unused(equations.iter().map(|own| own.name.text.clone()).collect())
    }

    /// `wait_site_disk`, or a longer name.
    pub(super) fn name(&mut self, parts: &[&str]) -> String {
        let mut name = parts.join("_").replace('.', "_");
        while !self.0.insert(name.clone()) {
            name.push('_');
        }
        name
    }
}

/// An equation of the model that is no result.
pub(super) fn made(
    kind: Type,
    name: &str,
    formals: &[String],
    value: Definition,
    span: Span,
) -> Equation {
    let mut name = label(name);
    name.span = span;
    let mut equation = Equation {
        kind,
        parameter: false,
        kept: false,
        name,
        formals: formals.iter().map(|formal| label(formal)).collect(),
        defaults: Vec::new(),
        formal_units: Box::default(),
        facts: Vec::new(),
        value: Some(value),
        comment: None,
        auxiliary: true,
        span,
    };
    place_at(&mut equation, span);
    equation
}

/// Gives a place to the parts that have none.
pub(super) fn place_at(equation: &mut Equation, place: Span) {
    spans_of_equation_mut(equation, &mut |span| {
        if *span == Span::default() {
            *span = place;
        }
    });
}
