//! Regimes of an equation, and the dominating resource of a process in each.

use std::sync::Arc;

use super::close::close;
use super::model::Model;
use crate::algebra::{self, Closed, Simplifier};
use crate::expr::{Arena, ExprId, Node, Sort, Symbol, SymbolKind};
use crate::formula::{Formula, Notation, Presenter, expression_text, latex_name};
use crate::syntax::tree::{Type, Value};
use crate::timing::{LoweredEquation, Origin};

/// The cases of a closed form that has a `max` or a bracket of parameters.
#[derive(Clone, Debug)]
pub struct Regimes {
    /// The cases. They cover the domain of the equation and agree where they overlap.
    pub regimes: Vec<Regime>,
    /// Boundaries between two cases, solved for a parameter.
    pub crossings: Vec<Crossing>,
}

/// A formula whose conditions say where it equals the equation.
#[derive(Clone, Debug)]
pub struct Regime {
    /// The value, with the conditions of the case.
    pub formula: Formula,
    /// The dominating part.
    ///
    /// For the time of a process: `critical path`, or the name of the bottleneck resource. For
    /// another equation: the mentioned equation that supplies the value.
    pub dominant: Option<String>,
}

/// A boundary of two regimes: the parameter equals the formula, under the formula's conditions.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// Name of the parameter.
    pub parameter: String,
    /// Value of the parameter at the boundary.
    pub formula: Formula,
}

impl Regimes {
    /// One line of text for each regime and crossing.
    pub fn lines(&self) -> Vec<String> {
        let regime = |regime: &Regime| {
            let conditions = regime.formula.condition_texts(Notation::Pamela).join(", ");
            let dominant = regime.dominant.as_ref();
            let dominant = dominant.map_or(String::new(), |name| format!(" ({name})"));
            format!("{} where {conditions}{dominant}", regime.formula.pamela())
        };
        let crossing = |crossing: &Crossing| {
            let conditions = crossing.formula.condition_texts(Notation::Pamela);
            let requires = if conditions.is_empty() {
                String::new()
            } else {
                format!(", for {}", conditions.join(", "))
            };
            let (parameter, at) = (&crossing.parameter, crossing.formula.pamela());
            format!("crossing at {parameter} = {at}{requires}")
        };
        let regimes = self.regimes.iter().map(regime);
        regimes.chain(self.crossings.iter().map(crossing)).collect()
    }

    /// LaTeX: the equation `name` as cases, then a display for each crossing.
    pub fn latex(&self, name: &str) -> Vec<String> {
        let case = |regime: &Regime| {
            let conditions = regime
                .formula
                .condition_texts(Notation::Latex)
                .join(",\\; ");
            let dominant = regime.dominant.as_ref();
            let dominant =
                dominant.map_or(String::new(), |text| format!(" \\quad\\text{{({text})}}"));
            format!("{} & {conditions}{dominant}", regime.formula.latex())
        };
        let cases: Vec<String> = self.regimes.iter().map(case).collect();
        let name = latex_name(name);
        let cases = cases.join(" \\\\ ");
        let mut displays = vec![format!(
            "\\[ {name} = \\begin{{cases}} {cases} \\end{{cases}} \\]"
        )];
        displays.extend(self.crossings.iter().map(|crossing| {
            let conditions = crossing.formula.condition_texts(Notation::Latex);
            let requires = if conditions.is_empty() {
                String::new()
            } else {
                format!(" \\qquad \\text{{for }} {}", conditions.join(",\\; "))
            };
            let parameter = latex_name(&crossing.parameter);
            format!(
                "\\[ {parameter} = {}{requires} \\]",
                crossing.formula.latex()
            )
        }));
        displays
    }
}

/// Regimes found for an equation.
pub(super) enum RegimeReport {
    Regimes(RegimeExpressions),
    /// Too many to be useful.
    TooMany,
}

/// Regimes as expressions in the arena of the closed forms.
pub(super) struct RegimeExpressions {
    regimes: algebra::Regimes,
    /// The dominating part of each regime.
    dominant: Vec<Option<String>>,
}

impl Model {
    /// Finds the regimes of a closed equation; `equations` are all of the model.
    pub(super) fn regimes(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        equation: &LoweredEquation,
        closed: &Closed,
    ) -> Option<RegimeReport> {
        let parameters: Vec<String> = self
            .checked
            .parameters()
            .map(|parameter| parameter.name.text.clone())
            .collect();
        let regimes = match simplifier.regimes(closed, &parameters) {
            Ok(regimes) => regimes?,
            Err(algebra::TooManyRegimes) => return Some(RegimeReport::TooMany),
        };
        let candidates = match &equation.origin {
            Origin::Time(process) | Origin::Execution(process) => {
                self.parts_of_time(simplifier, equations, process)
            }
            Origin::Equation => self.mentioned_values(simplifier, equations, equation),
            _ => Vec::new(),
        };
        let mut named: Vec<(ExprId, String)> = Vec::new();
        for (name, form) in candidates {
            let own = simplifier.regimes(&form, &parameters).ok().flatten();
            let forms = own.map_or(vec![form.expr], |own| {
                own.regimes.iter().map(|regime| regime.expr).collect()
            });
            named.extend(forms.into_iter().map(|form| (form, name.clone())));
        }
        let dominant = |regime: &algebra::Regime| {
            let found = named.iter().find(|(form, _)| *form == regime.expr);
            found.map(|(_, name)| name.clone())
        };
        Some(RegimeReport::Regimes(RegimeExpressions {
            dominant: regimes.regimes.iter().map(dominant).collect(),
            regimes,
        }))
    }

    /// The critical path of a process, and its demands.
    fn parts_of_time(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        process: &str,
    ) -> Vec<(String, Closed)> {
        let mut part = |origin: Origin| {
            let lowered = equations.iter().find(|other| other.origin == origin)?;
            close(simplifier, lowered)
        };
        let phi = part(Origin::CriticalPath(process.to_string()));
        let delta = part(Origin::Demand(process.to_string()));
        let phi = phi.map(|phi| ("critical path".to_string(), phi));
        let demands = delta.map_or(Vec::new(), |delta| self.demands(simplifier, &delta));
        phi.into_iter().chain(demands).collect()
    }

    /// The numbers and the times that an equation mentions, by the names of their results.
    fn mentioned_values(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        equation: &LoweredEquation,
    ) -> Vec<(String, Closed)> {
        let Some(position) = self.checked.position(&equation.name) else {
            return Vec::new();
        };
        let all = self.checked.equations();
        let mentioned = self.checked.mentions(position).into_iter();
        let mentioned = mentioned.map(|other| all[other].name.text.as_str());
        let value = |name: &str| {
            let mut lowered = equations.iter();
            lowered.find(|other| match &other.origin {
                Origin::Equation => other.name == name,
                Origin::Time(process) => process == name,
                _ => false,
            })
        };
        let values = mentioned.filter_map(value);
        let values = values.filter(|other| other.sort == Sort::Scalar && other.formals.is_empty());
        let closed = values.take(algebra::MOST_REGIMES).filter_map(|other| {
            let closed = close(simplifier, other)?;
            Some((other.name.clone(), closed))
        });
        closed.collect()
    }

    /// The demand for each resource that a closed vector names.
    fn demands(&self, simplifier: &mut Simplifier, delta: &Closed) -> Vec<(String, Closed)> {
        let arena = simplifier.results_mut();
        let terms = match arena.node(delta.expr) {
            Node::Add(list) => list.to_vec(),
            _ => vec![delta.expr],
        };
        let mut demands: Vec<((Symbol, ExprId), Vec<ExprId>)> = Vec::new();
        for term in terms {
            let Some((place, amount)) = demand(arena, term) else {
                continue;
            };
            match demands.iter_mut().find(|(known, _)| *known == place) {
                Some((_, amounts)) => amounts.push(amount),
                None => demands.push((place, vec![amount])),
            }
        }
        demands
            .into_iter()
            .map(|((array, index), amounts)| {
                let name = self.resource_name(arena, array, index);
                let expr = arena.add(&amounts);
                (
                    name,
                    Closed {
                        expr,
                        ..delta.clone()
                    },
                )
            })
            .collect()
    }

    /// `resource s, fcfs(0)`
    fn resource_name(&self, arena: &Arena, array: Symbol, index: ExprId) -> String {
        let SymbolKind::Named(array) = arena.symbol_kind(array) else {
            return "a resource".to_string();
        };
        if arena.free(index).iter().any(|&s| arena.range(s).is_some()) {
            return format!("the resources of {array}");
        }
        let index = expression_text(arena, index, &[]);
        let place = format!("{array}({index})");
        let named = self.checked.equations().iter().find(|equation| {
            let first_arguments = format!("{array}({index},");
            let declared = match &equation.value {
                Some(Value::Resource(value)) => value.to_string().starts_with(&first_arguments),
                _ => false,
            };
            equation.kind == Type::Resource && equation.formals.is_empty() && declared
        });
        match named {
            Some(equation) => format!("resource {}, {place}", equation.name.text),
            None => format!("resource {place}"),
        }
    }
}

/// The place and the amount of `amount * unitvec(place)`, also for all places of a range.
fn demand(arena: &mut Arena, term: ExprId) -> Option<((Symbol, ExprId), ExprId)> {
    let factors = match arena.node(term) {
        Node::Mul(list) => list.to_vec(),
        _ => vec![term],
    };
    let (&vector, amounts) = factors.split_last()?;
    match *arena.node(vector) {
        Node::UnitVector(array, index) => Some(((array, index), arena.mul(amounts))),
        Node::Reduce(r) => {
            let (place, inner) = demand(arena, r.body)?;
            let amount = arena.mul(&[amounts, &[inner]].concat());
            (!arena.mentions(amount, r.index)).then_some((place, amount))
        }
        _ => None,
    }
}

impl RegimeReport {
    /// Presents the expressions for readers.
    pub(super) fn presented(self, arena: &mut Arena, presenter: &mut Presenter) -> RegimeReport {
        match self {
            RegimeReport::Regimes(regimes) => {
                RegimeReport::Regimes(regimes.presented(arena, presenter))
            }
            RegimeReport::TooMany => RegimeReport::TooMany,
        }
    }

    /// Converts to formulas. The flag is true if there are too many regimes.
    pub(super) fn formulas(self, arena: &Arc<Arena>) -> (Option<Regimes>, bool) {
        match self {
            RegimeReport::Regimes(regimes) => (Some(regimes.formulas(arena)), false),
            RegimeReport::TooMany => (None, true),
        }
    }
}

impl RegimeExpressions {
    fn presented(mut self, arena: &mut Arena, presenter: &mut Presenter) -> RegimeExpressions {
        for regime in &mut self.regimes.regimes {
            regime.expr = presenter.shown(arena, regime.expr);
            for condition in &mut regime.when {
                *condition = presenter.shown(arena, *condition);
            }
        }
        for crossing in &mut self.regimes.crossings {
            crossing.at = presenter.shown(arena, crossing.at);
            for condition in &mut crossing.requires {
                *condition = presenter.shown(arena, *condition);
            }
        }
        self
    }

    fn formulas(self, arena: &Arc<Arena>) -> Regimes {
        let regimes = self.regimes.regimes.into_iter().zip(self.dominant);
        Regimes {
            regimes: regimes
                .map(|(regime, dominant)| Regime {
                    formula: Formula::new(arena.clone(), regime.expr, regime.when),
                    dominant,
                })
                .collect(),
            crossings: self
                .regimes
                .crossings
                .into_iter()
                .map(|crossing| Crossing {
                    parameter: crossing.parameter,
                    formula: Formula::new(arena.clone(), crossing.at, crossing.requires),
                })
                .collect(),
        }
    }
}
