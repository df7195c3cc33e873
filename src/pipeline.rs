//! The whole way from a text to closed forms and to numbers.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use crate::algebra::{self, RuleBase, Simplifier, Stop};
use crate::diagnostic::{Diagnostic, Error, Result, SourceFile, Sources, Span};
use crate::eval::{Bindings, EvalError, Number, Value, Vector, evaluate};
use crate::expr::{Arena, ExprId, Function, Sort};
use crate::formula::{Formula, Notation, divides_by_zero, present};
use crate::model;
use crate::ring::Rational;
use crate::syntax::tree::{Equation, Type};
use crate::syntax::{FileLoader, Loader, NoFiles, parse_expression, parse_model};
use crate::timing::{self, Fact, LoweredEquation};

/// Vectors with more named components are not written out.
const MAX_COMPONENTS: u64 = 1_000_000;

/// A performance model, checked.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    checked: model::Model,
}

/// How a model is simplified.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Assume nothing: what cannot be proved from the model's facts stays as cases.
    pub strict: bool,
    /// Also `phi_L`, `delta_L` and `omega_L` of each process `L`.
    pub all: bool,
}

/// The closed forms of a model.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub equations: Vec<SimplifiedEquation>,
    /// Why the search ended, at worst.
    pub stop: Stop,
    /// How many scopes were searched, and the nodes of the largest.
    pub scopes: usize,
    pub nodes: usize,
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct SimplifiedEquation {
    pub name: String,
    pub sort: Sort,
    pub formula: Formula,
    /// The rules that led to the formula.
    pub rules: Vec<String>,
}

/// The values of a model's equations at one point.
#[derive(Clone, Debug)]
pub struct Evaluated {
    pub equations: Vec<EvaluatedEquation>,
    /// Names of the equations that take more steps of looping than the limit.
    pub unfinished: Vec<String>,
    /// Each condition of the closed forms once, as text, and whether it holds at the point.
    pub conditions: Vec<(String, bool)>,
}

#[derive(Clone, Debug)]
pub struct EvaluatedEquation {
    pub name: String,
    pub sort: Sort,
    pub value: Value,
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

impl Simplified {
    /// The equation of this name.
    pub fn equation(&self, name: &str) -> Option<&SimplifiedEquation> {
        self.equations.iter().find(|e| e.name == name)
    }

    /// Whether a scalar is left that takes looping.
    pub fn is_closed(&self) -> bool {
        let open = |e: &SimplifiedEquation| e.formula.open_reductions() > 0;
        !self.equations.iter().any(open)
    }
}

impl Model {
    /// Reads a model that includes no files.
    ///
    /// # Errors
    /// All that is wrong with its syntax, or else with its names, types and sorts.
    pub fn parse(text: &str) -> Result<Model> {
        Model::read("model", text, &NoFiles)
    }

    /// Reads a model from the disk.
    ///
    /// # Errors
    /// As [`Model::parse`]; a file that cannot be read.
    pub fn from_file(path: &str) -> Result<Model> {
        let text = FileLoader
            .read(path)
            .map_err(|reason| plain_error(format!("cannot read `{path}`: {reason}")))?;
        Model::read(path, &text, &FileLoader)
    }

    /// Reads a model called `name`, whose includes `loader` finds.
    ///
    /// # Errors
    /// As [`Model::parse`].
    pub fn read(name: &str, text: &str, loader: &dyn Loader) -> Result<Model> {
        let (tree, sources) = parse_model(name, text, loader)?;
        let checked = model::Model::check(tree, sources)?;
        Ok(Model {
            name: name.to_string(),
            checked,
        })
    }

    /// What the model is called, for example its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The model as the checker left it.
    pub fn checked(&self) -> &model::Model {
        &self.checked
    }

    /// Gives the parameter or numeric equation `name` a value, a PAMELA+ expression.
    ///
    /// # Errors
    /// A text that is no expression; a name that cannot have a value; a value that does not fit.
    pub fn define(&mut self, name: &str, value: &str) -> Result<()> {
        let (expression, sources) = parse_expression(&format!("value of {name}"), value)?;
        self.checked.define(name, expression, &sources)
    }

    /// The closed forms of the model's equations.
    ///
    /// # Errors
    /// What the tool does not support yet, and probabilities or facts that cannot be.
    pub fn simplify(&self, options: &Options) -> Result<Simplified> {
        self.simplify_with(RuleBase::standard()?, options)
    }

    /// The closed forms that `rules` lead to.
    ///
    /// # Errors
    /// As [`Model::simplify`].
    pub fn simplify_with(&self, rules: RuleBase, options: &Options) -> Result<Simplified> {
        let start = Instant::now();
        let mut arena = Arena::new();
        let lowered = timing::lower(&self.checked, &mut arena)?;
        let facts: Vec<ExprId> = lowered
            .facts
            .iter()
            .map(|fact| match *fact {
                Fact::Integer(expr) => arena.apply(Function::Integer, expr),
                Fact::Holds(relation) => relation,
            })
            .collect();
        if let Some(position) = Simplifier::contradiction(&arena, &facts) {
            return Err(self.impossible(lowered.fact_spans[position]));
        }
        let wanted = lowered
            .equations
            .into_iter()
            .filter(|equation| options.all || self.is_result(equation));
        let algebra_options = algebra::Options {
            strict: options.strict,
            ..algebra::Options::default()
        };
        let mut simplifier = Simplifier::new(arena, &facts, rules, algebra_options);
        let closed: Vec<(LoweredEquation, algebra::Closed)> = wanted
            .map(|equation| {
                let mut closed = simplifier.close(equation.expr);
                for &condition in &equation.conditions {
                    simplifier.require(condition, &mut closed.assumptions);
                }
                (equation, closed)
            })
            .collect();
        let statistics = simplifier.statistics();
        let results = simplifier.into_arena();
        if let Some((equation, _)) = closed.iter().find(|c| divides_by_zero(&results, c.1.expr)) {
            return Err(self.undefined(equation));
        }
        let equations = finish(results, closed);
        Ok(Simplified {
            equations,
            stop: statistics.stop,
            scopes: statistics.scopes,
            nodes: statistics.nodes,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    fn error(&self, diagnostic: Diagnostic) -> Error {
        Error {
            diagnostics: vec![diagnostic],
            sources: self.checked.sources().clone(),
        }
    }

    fn impossible(&self, fact: Span) -> Error {
        self.error(
            Diagnostic::error(
                "what is declared and assumed of parameters contradicts itself",
                fact,
                "never holds together with what is stated before it",
            )
            .hint("without it the model may have values; no point satisfies all that it states"),
        )
    }

    fn undefined(&self, equation: &LoweredEquation) -> Error {
        self.error(
            Diagnostic::error(
                format!("`{}` divides by zero for all values", equation.name),
                equation.span,
                "a divisor in it, or a base of a negative power, is always 0",
            )
            .hint("`pamela eval` shows which one, at a point"),
        )
    }

    /// A numeric equation of the model, or the time of a process.
    fn is_result(&self, equation: &LoweredEquation) -> bool {
        let own = self.checked.lookup(&equation.name);
        own.is_some_and(|e| e.kind == Type::Numeric) || equation.name.starts_with("T_")
    }

    /// The values of all equations where the parameters have the `values` (name and PAMELA+
    /// expression), or else their defaults.
    ///
    /// The closed forms are used where their conditions hold, the model's definition elsewhere.
    ///
    /// # Errors
    /// A parameter without a value, facts that do not hold for the values, a value that is
    /// undefined or takes too many steps.
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
            let parameter = self.checked.parameters().any(|p| p.name.text == *name);
            if !parameter {
                symbolic.define(name, value)?;
            }
        }
        let simplified = symbolic.simplify_with(rules, options)?;
        Point::new(self, &at_point.checked)?.evaluate(&simplified)
    }
}

fn finish(
    mut arena: Arena,
    closed: Vec<(LoweredEquation, algebra::Closed)>,
) -> Vec<SimplifiedEquation> {
    let presented: Vec<_> = closed
        .into_iter()
        .map(|(equation, closed)| {
            let root = present(&mut arena, closed.expr);
            let conditions: Vec<ExprId> = closed
                .assumptions
                .iter()
                .map(|&condition| present(&mut arena, condition))
                .collect();
            (equation, closed.rules, root, conditions)
        })
        .collect();
    let arena = Rc::new(arena);
    presented
        .into_iter()
        .map(|(equation, rules, root, conditions)| SimplifiedEquation {
            name: equation.name,
            sort: equation.sort,
            formula: Formula::new(arena.clone(), root, conditions)
                .with_approximations(equation.notes),
            rules,
        })
        .collect()
}

/// One point in the space of the parameters.
struct Point<'m> {
    definitional: BTreeMap<String, model::Value>,
    bindings: Bindings,
    model: &'m model::Model,
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
        };
        for parameter in symbolic.checked.parameters() {
            let name = &parameter.name.text;
            let value = point.define(name)?;
            point.bindings.insert(name.clone(), value);
        }
        point.check_facts()?;
        Ok(point)
    }

    fn evaluator(&self) -> model::Evaluator<'_> {
        model::Evaluator::new(self.model, &self.definitional, model::Limits::default())
    }

    fn error(&self, diagnostic: Diagnostic) -> Error {
        Error {
            diagnostics: vec![diagnostic],
            sources: self.model.sources().clone(),
        }
    }

    /// The value of an equation by the definition of the language.
    fn define(&self, name: &str) -> Result<Value> {
        let value = self.evaluator().equation(name);
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
        let mut conditions: Vec<(String, bool)> = Vec::new();
        let (mut equations, mut unfinished) = (Vec::new(), Vec::new());
        for equation in &simplified.equations {
            let mut applies = true;
            let texts = equation.formula.condition_texts(Notation::Pamela);
            for (text, holds) in texts.into_iter().zip(self.conditions(&equation.formula)) {
                applies &= holds;
                if !conditions.iter().any(|(known, _)| *known == text) {
                    conditions.push((text, holds));
                }
            }
            let closed = applies.then(|| equation.formula.evaluate(&self.bindings));
            let (value, method) = match closed {
                Some(Ok(value)) => (value, Method::Closed),
                // The definition would loop for longer.
                Some(Err(EvalError::TooManySteps(_))) => {
                    unfinished.push(equation.name.clone());
                    continue;
                }
                // The definition also says where and why there is no value.
                _ => (self.define(&equation.name)?, Method::Definition),
            };
            equations.push(EvaluatedEquation {
                name: equation.name.clone(),
                sort: equation.sort,
                value,
                method,
                approximations: equation.formula.approximations().to_vec(),
            });
        }
        Ok(Evaluated {
            equations,
            unfinished,
            conditions,
        })
    }

    /// Whether each condition holds; one that is undefined does not.
    fn conditions(&self, formula: &Formula) -> Vec<bool> {
        let holds = |&condition: &ExprId| {
            let limits = crate::eval::Limits::default();
            let value = evaluate(formula.arena(), condition, &self.bindings, limits);
            matches!(value, Ok(Value::Scalar(number)) if !number.is_zero())
        };
        formula.conditions().iter().map(holds).collect()
    }
}

impl Formula {
    /// The exact value where the parameters have these values, whether or not the conditions
    /// hold.
    ///
    /// # Errors
    /// Where the formula is undefined, a parameter has no value, or open reductions take too
    /// many steps.
    pub fn evaluate(&self, bindings: &Bindings) -> std::result::Result<Value, EvalError> {
        evaluate(
            self.arena(),
            self.root(),
            bindings,
            crate::eval::Limits::default(),
        )
    }
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

/// An error that has no place in a model.
pub fn plain_error(message: String) -> Error {
    Error {
        diagnostics: vec![Diagnostic {
            message,
            labels: Vec::new(),
            hint: None,
            warning: false,
        }],
        sources: Arc::new(Sources(Vec::<SourceFile>::new())),
    }
}
