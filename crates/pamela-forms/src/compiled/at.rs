//! Evaluates the equations of a model at one point.

mod budget;
mod conditions;
mod definition;
mod evaluated;
mod failures;
mod laws;
mod runs;
mod waits;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::law_value::LawValue;
use super::{Compiled, Parameter, Point};
use crate::diagnostic::{Diagnostic, Error, Result, listed};
use crate::eval::certified::nearest_at;
use crate::eval::{Bindings, EvalError, Evaluation, Number, Value};
use crate::eval::{PathLaw, PathLaws, has_random_paths, is_raised_by_paths};
use crate::expr::{Arena, Sort};
use crate::formula::Formula;
use crate::law::{Calculus, Carrier, Law};
use crate::model;
use crate::pipeline::SimplifiedEquation;
use crate::timing::{self, LoweredEquation, Moment, Note, Origin, Proof, Standing};

use budget::Budget;
pub use conditions::Verdict;
use definition::error;
pub(super) use definition::{convert, require_values};
use evaluated::show_estimates_alone;
pub use evaluated::{Evaluated, EvaluatedEquation, Method, PathValue};
use failures::without_repetitions;

/// Vectors with more named components are not written out.
const MAX_COMPONENTS: u64 = 1_000_000;

/// Steps in which a negative time is looked for.
const LOOKED_FOR: u64 = 200_000;
/// If some time is negative, it is looked for in at most this many processes.
const MOST_LOOKED_AT: usize = 100;

/// Evaluates a compiled model at one point.
pub(super) struct PointEvaluation<'c> {
    compiled: &'c Compiled,
    point: &'c Point,
    /// The values of all scalar parameters.
    bindings: Cow<'c, Bindings>,
    /// Parameters that stand for waits, for the definition.
    waits: BTreeMap<String, model::Value>,
    /// Why others of them have no value.
    without_wait: Vec<Error>,
    /// The model with the parameters set to their values; built on first use.
    definition: OnceCell<Result<Arc<model::Model>>>,
    budget: Budget,
}

/// Fails if a name is not a scalar parameter, or if a parameter has no value.
pub(super) fn require_all(compiled: &Compiled, point: &Point) -> Result<()> {
    PointEvaluation::at(compiled, point).map(|_| ())
}

impl<'c> PointEvaluation<'c> {
    /// Fails as [`require_all`], and if a fact does not hold.
    pub(super) fn new(compiled: &'c Compiled, point: &'c Point) -> Result<PointEvaluation<'c>> {
        let evaluation = PointEvaluation::at(compiled, point)?;
        if !evaluation.facts_hold() {
            evaluation.check_facts()?;
        }
        Ok(evaluation)
    }

    fn at(compiled: &'c Compiled, point: &'c Point) -> Result<PointEvaluation<'c>> {
        let parameters = &compiled.parameters;
        let known = |name: &String| parameters.iter().any(|p| !p.law && p.name == *name);
        if let Some(unknown) = point.values.keys().find(|name| !known(name)) {
            return Err(Error::new(format!(
                "the model has no scalar parameter `{unknown}`; its scalar parameters are {}",
                listed(&compiled.scalar_parameters().collect::<Vec<_>>())
            )));
        }
        let mut evaluation = PointEvaluation {
            compiled,
            point,
            bindings: Cow::Borrowed(&point.values),
            waits: BTreeMap::new(),
            without_wait: Vec::new(),
            definition: OnceCell::new(),
            budget: Budget::new(compiled.effort),
        };
        let given = |p: &Parameter| !p.law && point.values.contains_key(&p.name);
        if !parameters.iter().all(given) {
            evaluation.take_defaults()?;
        }
        Ok(evaluation)
    }

    /// The model in which the parameters have their values.
    fn definition(&self) -> Result<&model::Model> {
        let made = || match &self.point.definition {
            Some(model) => Ok(model.clone()),
            None => self.point.define_in(self.compiled.model()?).map(Arc::new),
        };
        let definition = self.definition.get_or_init(made);
        definition.as_deref().map_err(Clone::clone)
    }

    /// The value of an equation by the definition of the language.
    fn define(&self, name: &str) -> Result<Value> {
        let model = self.definition()?;
        let mut evaluator = model::Evaluator::new(model, &self.waits, self.budget.of_definition());
        let value = evaluator.equation(name);
        self.budget.spend(evaluator.steps());
        let value = value.map_err(|fault| error(model, fault))?;
        convert(value).ok_or_else(|| {
            Error::new(format!(
                "`{name}` has too many components to be written out"
            ))
        })
    }

    fn check_facts(&self) -> Result<()> {
        // A model of its own for each point would take most of the time of a sweep.
        let (model, given) = match self.point.for_definition() {
            Some(given) => (self.compiled.model()?.checked(), given),
            None => (self.definition()?, self.waits.clone()),
        };
        let mut evaluator = model::Evaluator::new(model, &given, self.budget.of_definition());
        let diagnostics = evaluator
            .broken_facts()
            .map_err(|fault| error(model, fault))?;
        if diagnostics.is_empty() {
            return Ok(());
        }
        Err(Error {
            diagnostics,
            sources: model.sources().clone(),
        })
    }

    pub(super) fn evaluate(&self) -> Result<Evaluated> {
        let simplified = &self.compiled.simplified;
        let mut run = Run::default();
        let (mut equations, mut unfinished) = (BTreeMap::new(), Vec::new());
        let (mut failures, mut without_value) = (simplified.failures.clone(), Vec::new());
        failures.extend(self.without_wait.iter().cloned());
        for &position in self.compiled.order.iter() {
            let equation = &simplified.equations[position];
            let formula = &equation.formula;
            if !equation.formals.is_empty() {
                // The conditions of an equation with arguments depend on the call, so equations that call it use the
                // definition.
                let rests = |name: &String| run.failed.contains(name);
                if !formula.conditions().is_empty() || formula.rests_on().iter().any(rests) {
                    run.failed.insert(equation.name.clone());
                }
                continue;
            }
            // Demands that are laws are shown by their largest, omega.
            if equation.sort == Sort::Vector && formula.arena().is_random(formula.root()) {
                continue;
            }
            let mentioned = formula.arena().mention_exists(&equation.name);
            let evaluated = match self.equation(equation, &mut run) {
                Ok(Some(evaluated)) => evaluated,
                without => {
                    let failure = without.err();
                    match &failure {
                        None if equation.auxiliary => {}
                        None => unfinished.push(position),
                        Some(error) => {
                            failures.push(self.asked_by(equation, error.clone()));
                            let named = Some(&equation.name).filter(|_| !equation.auxiliary);
                            without_value.extend(named.cloned());
                        }
                    }
                    if mentioned && !equation.auxiliary {
                        run.without_value.insert(equation.name.clone(), failure);
                    }
                    continue;
                }
            };
            if mentioned {
                run.mentioned
                    .insert(equation.name.clone(), evaluated.value.clone());
            }
            if !equation.auxiliary {
                equations.insert(position, evaluated);
            }
        }
        unfinished.sort_unstable();
        show_estimates_alone(&mut equations);
        let everywhere = without_repetitions(&mut failures, simplified.failures.len());
        if equations.is_empty() && unfinished.is_empty() && !failures.is_empty() {
            return Err(failures.swap_remove(0));
        }
        let mut evaluated = Evaluated {
            equations: equations.into_values().collect(),
            failures,
            everywhere,
            refuted: simplified.refuted.clone(),
            without_value,
            unfinished: Vec::new(),
            conditions: run.conditions,
            steps: 0,
        };
        self.finish_by_moments(&unfinished, &mut evaluated);
        evaluated.steps = self.budget.spent();
        // Requested results come before those that explain them.
        let results = &mut evaluated.equations;
        results.sort_by_key(|equation| !equation.origin.is_result());
        Ok(evaluated)
    }

    /// One equation, after those that it mentions; `None` where it takes too many steps or digits.
    fn equation<'a>(
        &'a self,
        equation: &'a SimplifiedEquation,
        run: &mut Run<'a>,
    ) -> Result<Option<EvaluatedEquation>> {
        let formula = &equation.formula;
        let own = self.bindings_of(formula, &run.mentioned);
        let bindings = own.as_ref().unwrap_or(&self.bindings);
        let Some(applies) = self.applies(formula, bindings, run)? else {
            return Ok(None);
        };
        if !applies {
            run.failed.insert(equation.name.clone());
        }
        let closed = applies.then(|| match &own {
            None => self.value(&equation.origin, formula, &mut run.evaluation),
            Some(own) => self
                .evaluation(formula.arena(), own)
                .value(formula.root(), self.budget.limits()),
        });
        if let Some(Err(reason)) = &closed
            && let Some(failure) = run.failure(reason)
        {
            return failure;
        }
        let mut approximations = formula.approximations().to_vec();
        let paths = match (&closed, &own) {
            (Some(Ok(_)), None) if equation.sort == Sort::Law => {
                self.paths(formula, &mut run.evaluation)
            }
            _ => None,
        };
        if let Some(paths) = &paths {
            timing::note_path_law(&mut approximations, paths.law);
        }
        let found = match closed {
            Some(Ok(value)) => {
                let value = value.settled(|| nearest_at(formula.arena(), formula.root(), bindings));
                Some(self.with_digits(&equation.name, value, &mut approximations))
            }
            closed => self.without_closed(equation, closed, run)?,
        };
        let Some((value, method)) = found else {
            return Ok(None);
        };
        self.require_range(&equation.name, &value)?;
        let paths_law = paths.as_ref().map(|paths| paths.law);
        let found = EvaluatedEquation {
            name: equation.name.clone(),
            origin: equation.origin.clone(),
            sort: equation.sort,
            law: LawValue::in_value(&value, self.carrier()),
            paths,
            value,
            method,
            standing: standing(equation, method, paths_law),
            superseded: equation.superseded,
            standard_error: None,
            approximations,
        };
        Ok(Some(found.with_bound_as_law()))
    }

    /// The value of an equation whose closed form has none here; `None` where it takes too many steps or digits, or where
    /// nothing defines it.
    fn without_closed(
        &self,
        equation: &SimplifiedEquation,
        closed: Option<std::result::Result<Value, EvalError>>,
        run: &mut Run<'_>,
    ) -> Result<Option<(Value, Method)>> {
        Ok(Some(match closed {
            // The definition would loop for longer.
            Some(Err(EvalError::TooManySteps(_))) => return Ok(None),
            Some(Err(EvalError::TooLarge)) => match self.define(&equation.name) {
                Ok(value) => (value, Method::Definition),
                Err(_) => {
                    // Laws take logarithms of the powers that are too long.
                    let lowered = run.lowered.get_or_insert_with(|| self.lowered());
                    let value = self.by_lowered(lowered, &equation.name, &run.mentioned);
                    let Ok(value) = value else { return Ok(None) };
                    (value, Method::Closed)
                }
            },
            // Equations that mention it use the definition.
            _ if equation.auxiliary => return Ok(None),
            // The model does not define the parts of labels.
            _ if matches!(equation.origin, Origin::Label { .. }) => return Ok(None),
            closed if equation.sort == Sort::Law => {
                if let Some(Err(reason)) = closed {
                    return Err(self.no_law(&equation.name, &reason.to_string()));
                }
                let lowered = run.lowered.get_or_insert_with(|| self.lowered());
                let value = self.by_lowered(lowered, &equation.name, &run.mentioned)?;
                (value, Method::Definition)
            }
            // The definition also says where and why there is no value.
            _ => match self.define(&equation.name) {
                Ok(value) => (value.settled(|| None), Method::Definition),
                // Loops over what hardly changes are summed by blocks where the definition would go round.
                Err(error) if self.budget.is_spent() => {
                    let lowered = run.lowered.get_or_insert_with(|| self.lowered());
                    let value = self.by_lowered(lowered, &equation.name, &run.mentioned);
                    let Ok(value) = value else { return Err(error) };
                    (value.settled(|| None), Method::Definition)
                }
                Err(error) => return Err(error),
            },
        }))
    }

    /// Notes times of processes in which a part takes a negative time; walks through the model.
    pub(super) fn note_negative_times(&self, evaluated: &mut Evaluated) -> Result<()> {
        let model = self.definition()?;
        let limits = model::Limits { steps: LOOKED_FOR };
        let mut times: Vec<(String, &mut EvaluatedEquation)> = Vec::new();
        for equation in &mut evaluated.equations {
            if let Origin::Time(process) | Origin::Execution(process) = &equation.origin {
                times.push((process.clone(), equation));
            }
        }
        // One evaluator covers all processes and evaluates shared parts once; mostly it finds no negative time.
        let mut evaluator = model::Evaluator::new(model, &self.waits, limits);
        let found = times
            .iter()
            .any(|(process, _)| evaluator.negative_time(process).is_some());
        if !found {
            return Ok(());
        }
        for (process, equation) in times.into_iter().take(MOST_LOOKED_AT) {
            let mut evaluator = model::Evaluator::new(model, &self.waits, limits);
            if let Some((time, span)) = evaluator.negative_time(&process) {
                let place = model.sources().place(span);
                let (time, place) = (time.to_string(), place.to_string());
                equation
                    .approximations
                    .push(Note::NegativeTime { time, place });
            }
        }
        Ok(())
    }

    /// The values that a formula mentions, without the values of other equations.
    fn bindings_of(&self, formula: &Formula, mentioned: &Bindings) -> Option<Bindings> {
        let mentions = formula.mentions();
        if mentions.is_empty() {
            return None;
        }
        let names = formula.parameters().into_iter().chain(mentions);
        let value = |name: String| {
            let value = self.bindings.get(&name).or_else(|| mentioned.get(&name))?;
            Some((name, value.clone()))
        };
        Some(names.filter_map(value).collect())
    }

    /// The value of a closed form; the definition's where it has lost its digits and there is a definition to take.
    fn with_digits(
        &self,
        name: &str,
        closed: Value,
        approximations: &mut Vec<Note>,
    ) -> (Value, Method) {
        let Some(error) = closed.lost() else {
            return (closed, Method::Closed);
        };
        approximations.push(cancelled(error));
        match self.define(name) {
            Ok(value) => (value, Method::Definition),
            Err(_) => (closed, Method::Closed),
        }
    }

    /// The value of a formula; formulas of one arena share what they have in common.
    fn value<'a>(
        &'a self,
        origin: &Origin,
        formula: &'a Formula,
        evaluation: &mut Option<Evaluation<'a>>,
    ) -> std::result::Result<Value, EvalError> {
        let arena = formula.arena();
        let end = match origin {
            Origin::Lower(_) => Some(PathLaw::Lower),
            Origin::Upper(_) | Origin::UpperUnordered(_) | Origin::UpperByWork(_) => {
                Some(PathLaw::Upper)
            }
            _ => None,
        };
        if let Some(law) = end.filter(|_| has_random_paths(arena, formula.root())) {
            let paths = PathLaws {
                law,
                ..PathLaws::default()
            };
            let evaluation = Evaluation::new(arena, &self.bindings, self.carrier());
            let mut evaluation = evaluation.with_paths(paths);
            let value = evaluation.value(formula.root(), self.budget.limits());
            self.budget.spend(evaluation.steps());
            return value;
        }
        let known = evaluation
            .take()
            .filter(|known| std::ptr::eq(known.arena(), arena));
        let fresh = || self.evaluation(arena, &self.bindings);
        let evaluation = evaluation.insert(known.unwrap_or_else(fresh));
        let value = evaluation.value(formula.root(), self.budget.limits());
        self.budget.spend(evaluation.steps());
        value
    }

    fn evaluation<'a>(&self, arena: &'a Arena, bindings: &'a Bindings) -> Evaluation<'a> {
        let paths = self.compiled.graphs.paths;
        Evaluation::new(arena, bindings, self.carrier()).with_paths(paths)
    }

    /// The representation of laws.
    fn carrier(&self) -> Carrier {
        self.compiled.carrier
    }
}

/// State while the equations of a model are evaluated in order.
#[derive(Default)]
struct Run<'a> {
    /// Each condition once, as text, and whether it holds.
    conditions: Vec<(String, Verdict)>,
    /// Equations whose conditions do not hold, or that rest on such equations.
    failed: HashSet<String>,
    /// Values of the equations that other equations mention.
    mentioned: Bindings,
    /// Mentioned equations without a value here, with the error; `None` means too many steps.
    without_value: HashMap<String, Option<Error>>,
    /// The lowered equations, before simplification.
    lowered: Option<Result<(Arena, Vec<LoweredEquation>)>>,
    evaluation: Option<Evaluation<'a>>,
}

impl Run<'_> {
    /// The result of an equation that cannot be evaluated because another one has no value.
    fn failure(&self, reason: &EvalError) -> Option<Result<Option<EvaluatedEquation>>> {
        let EvalError::Unbound(name) = reason else {
            return None;
        };
        let failure = self.without_value.get(name)?;
        Some(failure.clone().map_or(Ok(None), Err))
    }
}

/// The note about a closed form in which large terms cancel.
fn cancelled(error: f64) -> Note {
    Note::Cancelled(format!("{error:.0e}"))
}

/// The standing of a value computed by this method.
fn standing(equation: &SimplifiedEquation, method: Method, paths: Option<PathLaw>) -> Standing {
    let own = equation.standing.clone();
    match (&equation.origin, method, paths) {
        (Origin::Execution(_), Method::Definition | Method::Run, _) => {
            Standing::Exact(Proof::in_text_order()).join(own)
        }
        (_, _, Some(law)) => own.with_path_law(law),
        _ => own,
    }
}
