//! The values of a model's equations at one point.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use super::law_point::LawValue;
use super::{Model, Options, Simplified, SimplifiedEquation, plain_error, unused_name};
use crate::algebra::RuleBase;
use crate::diagnostic::{Diagnostic, Error, Result};
use crate::effort::Effort;
use crate::eval::{Bindings, EvalError, Evaluation, Limits, Number, Value, Vector};
use crate::eval::{evaluate, evaluate_by};
use crate::expr::{Arena, ExprId, Sort};
use crate::formula::{Formula, Notation};
use crate::law::{Calculus, Carrier, Law};
use crate::model;
use crate::ring::Rational;
use crate::syntax::tree::{Equation, ParameterFact};
use crate::timing::{self, LoweredEquation};

/// Vectors with more named components are not written out.
const MAX_COMPONENTS: u64 = 1_000_000;

/// Steps in which a negative time is looked for.
const LOOKED_FOR: u64 = 200_000;

/// The values of a model's equations at one point.
#[derive(Clone, Debug)]
pub struct Evaluated {
    pub equations: Vec<EvaluatedEquation>,
    /// What is wrong with the equations that have no value at the point.
    pub failures: Vec<Error>,
    /// Names of the equations that take more steps of looping, or more digits, than the limit.
    pub unfinished: Vec<String>,
    /// Each condition of the closed forms once, as text, and whether it holds at the point.
    pub conditions: Vec<(String, bool)>,
}

#[derive(Clone, Debug)]
pub struct EvaluatedEquation {
    pub name: String,
    pub sort: Sort,
    pub value: Value,
    /// Of a law, what is shown of it.
    pub law: Option<LawValue>,
    pub method: Method,
    /// What the value rests on beside the conditions.
    pub approximations: Vec<String>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The closed form, exactly.
    Closed,
    /// The model as it stands, since the closed form does not apply at the point.
    Definition,
}

impl Model {
    /// The values of all equations where the parameters have the `values` (name and PAMELA+
    /// expression), or else their defaults.
    ///
    /// The closed forms are used where their conditions hold, the model's definition elsewhere.
    ///
    /// # Errors
    /// A parameter without a value, facts that do not hold for the values; no equation at all that has a value. What is
    /// wrong with some equations only is told in [`Evaluated::failures`].
    pub fn evaluate(
        &self,
        values: &[(String, String)],
        rules: RuleBase,
        options: &Options,
    ) -> Result<Evaluated> {
        let mut at_point = self.clone();
        let mut symbolic = self.clone();
        for (name, value) in values {
            at_point.define(name, value)?;
            let parameter = self.scalar_parameters().any(|p| p.name.text == *name);
            // Within an `at`, another value may follow from another name.
            if !parameter || at_point.checked.may_be_replaced(name) {
                symbolic.define(name, value)?;
            }
        }
        let simplified = symbolic.simplify_with(rules.clone(), options)?;
        let mut point = Point::new(&symbolic, &at_point.checked)?;
        point.carrier = options.laws;
        point.budget = Budget::new(options.effort);
        let mut evaluated = point.evaluate(&simplified)?;
        let is_law = |name: &String| {
            let equation = simplified.equation(name);
            equation.is_some_and(|equation| equation.sort == Sort::Law)
        };
        if evaluated.unfinished.iter().any(is_law) {
            let with_moments = Options {
                without_moments: false,
                ..options.clone()
            };
            let simplified = symbolic.simplify_with(rules, &with_moments)?;
            point.finish_by_moments(&simplified, &mut evaluated);
        }
        // What was asked for stands before what explains it.
        let results = &mut evaluated.equations;
        results.sort_by_key(|equation| !self.is_result(&equation.name));
        Ok(evaluated)
    }

    /// The parameters that are no laws.
    fn scalar_parameters(&self) -> impl Iterator<Item = &Equation> {
        self.checked.parameters().filter(|p| {
            let law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
            !p.facts.iter().any(law)
        })
    }
}

/// One point in the space of the parameters.
struct Point<'m> {
    definitional: BTreeMap<String, model::Value>,
    bindings: Bindings,
    model: &'m model::Model,
    /// How laws are carried.
    carrier: Carrier,
    budget: Budget,
}

/// The steps that the equations may take together, the first ones first; none is left without any.
struct Budget {
    left: Cell<u64>,
    each: u64,
}

impl Budget {
    /// A few seconds.
    const ALL: u64 = 8_000_000;
    const EACH: u64 = 200_000;

    fn new(effort: Effort) -> Budget {
        Budget {
            left: Cell::new(effort.of(Budget::ALL)),
            each: effort.of(Budget::EACH),
        }
    }

    fn steps(&self) -> u64 {
        self.left.get().max(self.each)
    }

    fn spend(&self, steps: u64) {
        self.left.set(self.left.get().saturating_sub(steps));
    }

    fn limits(&self) -> Limits {
        Limits {
            steps: self.steps(),
        }
    }
}

impl<'m> Point<'m> {
    /// `model` is the one of `symbolic` in which parameters have values.
    fn new(symbolic: &Model, model: &'m model::Model) -> Result<Point<'m>> {
        let missing: Vec<&Equation> = model.parameters().filter(|p| p.value.is_none()).collect();
        if !missing.is_empty() {
            return Err(without_values(&missing, model));
        }
        let mut point = Point {
            definitional: BTreeMap::new(),
            bindings: Bindings::new(),
            model,
            carrier: Carrier::default(),
            budget: Budget::new(Effort::Normal),
        };
        for parameter in symbolic.scalar_parameters() {
            let name = &parameter.name.text;
            let value = point.define(name)?;
            point.bindings.insert(name.clone(), value);
        }
        point.check_facts()?;
        Ok(point)
    }

    fn evaluator(&self) -> model::Evaluator<'_> {
        let steps = self.budget.steps();
        model::Evaluator::new(self.model, &self.definitional, model::Limits { steps })
    }

    fn error(&self, diagnostic: Diagnostic) -> Error {
        Error {
            diagnostics: vec![diagnostic],
            sources: self.model.sources().clone(),
        }
    }

    /// The value of an equation by the definition of the language.
    fn define(&self, name: &str) -> Result<Value> {
        let mut evaluator = self.evaluator();
        let value = evaluator.equation(name);
        self.budget.spend(evaluator.steps());
        let value = value.map_err(|fault| self.error(fault))?;
        convert(value).ok_or_else(|| {
            plain_error(format!(
                "`{name}` has too many components to be written out"
            ))
        })
    }

    fn check_facts(&self) -> Result<()> {
        let broken = self.evaluator().broken_facts();
        let diagnostics = broken.map_err(|fault| self.error(fault))?;
        if diagnostics.is_empty() {
            return Ok(());
        }
        Err(Error {
            diagnostics,
            sources: self.model.sources().clone(),
        })
    }

    fn evaluate(&self, simplified: &Simplified) -> Result<Evaluated> {
        let mut run = Run::default();
        let (mut equations, mut unfinished) = (BTreeMap::new(), Vec::new());
        let mut failures = simplified.failures.clone();
        for position in simplified.callees_first() {
            let equation = &simplified.equations[position];
            let formula = &equation.formula;
            if !equation.formals.is_empty() {
                continue;
            }
            // Demands that are laws are shown by their largest, omega.
            if equation.sort == Sort::Vector && formula.arena().is_random(formula.root()) {
                continue;
            }
            let evaluated = match self.equation(equation, &mut run) {
                Ok(Some(evaluated)) => evaluated,
                Ok(None) => {
                    unfinished.extend((!equation.auxiliary).then_some(position));
                    continue;
                }
                Err(error) => {
                    failures.push(error);
                    continue;
                }
            };
            if formula.arena().mention_exists(&equation.name) {
                run.mentioned
                    .insert(equation.name.clone(), evaluated.value.clone());
            }
            if !equation.auxiliary {
                equations.insert(position, evaluated);
            }
        }
        unfinished.sort_unstable();
        told_once(&mut failures);
        if equations.is_empty() && unfinished.is_empty() && !failures.is_empty() {
            return Err(failures.swap_remove(0));
        }
        let name = |position: usize| simplified.equations[position].name.clone();
        Ok(Evaluated {
            equations: equations.into_values().collect(),
            failures,
            unfinished: unfinished.into_iter().map(name).collect(),
            conditions: run.conditions,
        })
    }

    /// One equation, after those that it mentions; `None` where it takes too many steps or digits.
    fn equation<'a>(
        &'a self,
        equation: &'a SimplifiedEquation,
        run: &mut Run<'a>,
    ) -> Result<Option<EvaluatedEquation>> {
        let formula = &equation.formula;
        let bindings = self.bindings_of(formula, &run.mentioned);
        let mut applies = !formula
            .rests_on()
            .iter()
            .any(|name| run.failed.contains(name));
        let texts = formula.condition_texts(Notation::Pamela);
        for (text, holds) in
            texts
                .into_iter()
                .zip(conditions(formula, &bindings, self.budget.limits()))
        {
            applies &= holds;
            if !run.conditions.iter().any(|(known, _)| *known == text) {
                run.conditions.push((text, holds));
            }
        }
        if !applies {
            run.failed.insert(equation.name.clone());
        }
        let closed = applies.then(|| match &bindings {
            Cow::Borrowed(_) => self.value(formula, &mut run.evaluation),
            Cow::Owned(own) => {
                let limits = self.budget.limits();
                evaluate_by(formula.arena(), formula.root(), own, limits, self.carrier)
            }
        });
        let mut approximations = formula.approximations().to_vec();
        let (value, method) = match closed {
            Some(Ok(value)) => self.with_digits(&equation.name, value, &mut approximations),
            // The definition would loop for longer.
            Some(Err(EvalError::TooManySteps(_))) => return Ok(None),
            Some(Err(EvalError::TooLarge)) => match self.define(&equation.name) {
                Ok(value) => (value, Method::Definition),
                Err(_) => return Ok(None),
            },
            // What mentions it is then found by definition.
            _ if equation.auxiliary => return Ok(None),
            closed if equation.sort == Sort::Law => {
                if let Some(Err(reason)) = closed {
                    return Err(self.no_law(&equation.name, &reason.to_string()));
                }
                let lowered = run.lowered.get_or_insert_with(|| self.lowered());
                let value = self.law_by_definition(lowered, &equation.name, &run.mentioned)?;
                (value, Method::Definition)
            }
            // The definition also says where and why there is no value.
            _ => (self.define(&equation.name)?, Method::Definition),
        };
        if let Value::Law(law) = &value
            && !law.cumulants().has_finite(law.moments())
        {
            let reason = "its first four moments are not all finite numbers";
            return Err(self.no_law(&equation.name, reason));
        }
        approximations.extend(self.negative_time(&equation.name));
        Ok(Some(EvaluatedEquation {
            name: equation.name.clone(),
            sort: equation.sort,
            law: LawValue::in_value(&value, self.carrier),
            value,
            method,
            approximations,
        }))
    }

    /// What is said of the time of a process in which some part takes a negative time.
    fn negative_time(&self, name: &str) -> Option<String> {
        let process = name.strip_prefix("T_")?;
        let limits = model::Limits { steps: LOOKED_FOR };
        let mut evaluator = model::Evaluator::new(self.model, &self.definitional, limits);
        let (time, span) = evaluator.negative_time(process)?;
        let place = self.model.sources().place(span);
        Some(format!("a time is negative here: {time} at {place}"))
    }

    /// The values of what a formula speaks of: of equations that it mentions only those.
    fn bindings_of(&self, formula: &Formula, mentioned: &Bindings) -> Cow<'_, Bindings> {
        let mentions = formula.mentions();
        if mentions.is_empty() {
            return Cow::Borrowed(&self.bindings);
        }
        let names = formula.parameters().into_iter().chain(mentions);
        let value = |name: String| {
            let value = self.bindings.get(&name).or_else(|| mentioned.get(&name))?;
            Some((name, value.clone()))
        };
        Cow::Owned(names.filter_map(value).collect())
    }

    /// The value of a closed form; the definition's where it has lost its digits and there is a definition to take.
    fn with_digits(
        &self,
        name: &str,
        closed: Value,
        approximations: &mut Vec<String>,
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
        formula: &'a Formula,
        evaluation: &mut Option<Evaluation<'a>>,
    ) -> std::result::Result<Value, EvalError> {
        let arena = formula.arena();
        let known = evaluation
            .take()
            .filter(|known| std::ptr::eq(known.arena(), arena));
        let fresh = || Evaluation::new(arena, &self.bindings, self.carrier);
        let evaluation = evaluation.insert(known.unwrap_or_else(fresh));
        let value = evaluation.value(formula.root(), self.budget.limits());
        self.budget.spend(evaluation.steps());
        value
    }

    /// Laws that take too long to be put together, by the closed forms of their moments.
    fn finish_by_moments(&self, simplified: &Simplified, evaluated: &mut Evaluated) {
        let unfinished = std::mem::take(&mut evaluated.unfinished);
        for name in unfinished {
            match self.law_by_moments(simplified, &name) {
                Some(law) => evaluated.equations.push(EvaluatedEquation {
                    name,
                    sort: Sort::Law,
                    law: Some(LawValue::of(&law, self.carrier)),
                    value: Value::Law(Box::new(law)),
                    method: Method::Closed,
                    approximations: Vec::new(),
                }),
                None => evaluated.unfinished.push(name),
            }
        }
    }

    /// `None` where one of the moments has no closed form, or it does not apply.
    fn law_by_moments(&self, simplified: &Simplified, name: &str) -> Option<Law> {
        let mut evaluation = None;
        let mut moment = |prefix: &str| {
            let moment = unused_name(self.model, format!("{prefix}_{name}"));
            let equation = simplified.equation(&moment)?;
            let applies = conditions(&equation.formula, &self.bindings, self.budget.limits());
            let applies = applies.iter().all(|&holds| holds);
            match applies.then(|| self.value(&equation.formula, &mut evaluation))? {
                Ok(Value::Scalar(number)) => Some(number.to_f64()),
                _ => None,
            }
        };
        let [mean, variance, skewness, kurtosis] = ["E", "Var", "Skw", "Kur"].map(&mut moment);
        let moments = [mean?, variance?, skewness?, kurtosis?];
        let calculus = Calculus {
            carrier: self.carrier,
        };
        calculus.named("moments", &moments).ok()
    }

    /// The equations as timing leaves them, for laws whose closed form does not apply.
    fn lowered(&self) -> Result<(Arena, Vec<LoweredEquation>)> {
        let mut arena = Arena::new();
        let lowered = timing::lower(self.model, &mut arena)?;
        Ok((arena, lowered.equations))
    }

    fn law_by_definition(
        &self,
        lowered: &Result<(Arena, Vec<LoweredEquation>)>,
        name: &str,
        mentioned: &Bindings,
    ) -> Result<Value> {
        let (arena, equations) = lowered.as_ref().map_err(Clone::clone)?;
        let Some(equation) = equations.iter().find(|equation| equation.name == name) else {
            return Err(self.no_law(name, "the model does not define it"));
        };
        let limits = self.budget.limits();
        let mut bindings = self.bindings.clone();
        bindings.extend(mentioned.clone());
        let value = evaluate_by(arena, equation.expr, &bindings, limits, self.carrier);
        value.map_err(|reason| self.no_law(name, &reason.to_string()))
    }

    fn no_law(&self, name: &str, reason: &str) -> Error {
        let own = self.model.equations().iter().find(|e| {
            let text = &e.name.text;
            name == text || name.split_once('_').is_some_and(|(_, of)| of == text)
        });
        let message = format!("`{name}` has no law here: {reason}");
        match own {
            Some(equation) => self.error(Diagnostic::error(
                message,
                equation.name.span,
                "defined here",
            )),
            None => plain_error(message),
        }
    }
}

/// What is known while the equations of a model are evaluated one after the other.
#[derive(Default)]
struct Run<'a> {
    /// Each condition once, as text, and whether it holds.
    conditions: Vec<(String, bool)>,
    /// Equations whose conditions, or those that they rest on, do not hold.
    failed: HashSet<String>,
    /// The values of equations that others mention.
    mentioned: Bindings,
    /// The equations as timing leaves them.
    lowered: Option<Result<(Arena, Vec<LoweredEquation>)>>,
    evaluation: Option<Evaluation<'a>>,
}

/// Whether each condition holds; one that is undefined does not.
fn conditions(formula: &Formula, bindings: &Bindings, limits: Limits) -> Vec<bool> {
    let holds = |&condition: &ExprId| {
        let value = evaluate(formula.arena(), condition, bindings, limits);
        matches!(value, Ok(Value::Scalar(number)) if !number.is_zero())
    };
    formula.conditions().iter().map(holds).collect()
}

impl Formula {
    /// The exact value where the parameters have these values, whether or not the conditions
    /// hold.
    ///
    /// # Errors
    /// Where the formula is undefined, a parameter has no value, or open reductions take too
    /// many steps.
    pub fn evaluate(&self, bindings: &Bindings) -> std::result::Result<Value, EvalError> {
        evaluate(self.arena(), self.root(), bindings, Limits::default())
    }
}

/// Leaves out errors that were told before, of another equation that has the same part.
fn told_once(failures: &mut Vec<Error>) {
    let mut seen = std::collections::HashSet::new();
    for error in failures.iter_mut() {
        let place = |d: &Diagnostic| d.labels.first().map(|(span, _)| *span);
        error
            .diagnostics
            .retain(|d| seen.insert((d.message.clone(), place(d))));
    }
    failures.retain(|error| !error.diagnostics.is_empty());
}

/// What is said of a closed form in which little is left of large terms.
fn cancelled(error: f64) -> String {
    format!("in the closed form large terms cancel: its error may be {error:.0e}")
}

/// `None` for a vector of too many components.
fn convert(value: model::Value) -> Option<Value> {
    let number = |number: model::Number| match number {
        model::Number::Exact(value) => Number::Exact(Rational::from(value)),
        model::Number::Real(value) => Number::Real(value),
    };
    Some(match value {
        model::Value::Scalar(scalar) => Value::Scalar(number(scalar)),
        model::Value::Vector(vector) if vector.len() > MAX_COMPONENTS => return None,
        model::Value::Vector(vector) => {
            let components = vector.components().into_iter();
            Value::Vector(Vector::from_components(components.map(
                |((array, index), value)| {
                    (array.as_ref().into(), Rational::from(index), number(value))
                },
            )))
        }
    })
}

fn without_values(missing: &[&Equation], model: &model::Model) -> Error {
    let diagnostic = |parameter: &&Equation| {
        let name = &parameter.name.text;
        Diagnostic::error(
            format!("the parameter `{name}` has no value"),
            parameter.name.span,
            "declared here without one",
        )
        .hint(format!("give it one: -D {name}=..."))
    };
    Error {
        diagnostics: missing.iter().map(diagnostic).collect(),
        sources: model.sources().clone(),
    }
}
