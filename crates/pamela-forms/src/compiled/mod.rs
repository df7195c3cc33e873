//! A model with its closed forms, found once and evaluated many times.

mod at;
mod batch;
mod chosen;
mod law_value;
mod point;
mod results;
mod saved;
mod shown;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

pub use at::{Evaluated, EvaluatedEquation, Method, PathValue, Verdict};
pub use batch::{
    Column, Columns, EquationColumns, Flag, Input, LawColumns, Numbers, Plan, Workspace,
};
pub use law_value::LawValue;
pub use point::Point;

pub use crate::eval::decimal;

use crate::algebra::RuleBase;
use crate::diagnostic::Result;
use crate::effort::Effort;
use crate::expr::Sort;
use crate::law::Carrier;
use crate::pipeline::{GraphOptions, Model, Options, Shown, Simplified, SimplifiedEquation, Texts};
use crate::ring::Rational;
use crate::syntax::tree::ParameterFact;
use crate::timing::Origin;
use at::PointEvaluation;

/// The closed forms of a model, with everything needed to evaluate them.
///
/// Clones are cheap, and threads may share one.
#[derive(Clone, Debug)]
pub struct Compiled {
    source: Arc<Source>,
    parameters: Arc<[Parameter]>,
    simplified: Arc<Simplified>,
    /// Indices of equations; each comes after the equations that it mentions.
    order: Arc<[usize]>,
    /// True if the model declares facts of a law. Closed forms cannot check these.
    has_random_facts: bool,
    carrier: Carrier,
    graphs: GraphOptions,
    effort: Effort,
    /// Display units of the parameters and results that have one.
    shown: Arc<BTreeMap<String, Shown>>,
}

/// A parameter that has no value yet, or only a default.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Parameter {
    /// Name in the model.
    pub name: String,
    /// True if the parameter is a law. Give it a value before the model is compiled.
    pub law: bool,
    /// True if the parameter is declared `integer`.
    pub whole: bool,
    /// True if the model gives a default value.
    pub default: bool,
    /// The comment of the parameter in the model.
    #[serde(default)]
    pub comment: Option<String>,
}

/// The model itself, which is read when it is asked for.
#[derive(Debug)]
struct Source {
    texts: Arc<Texts>,
    model: OnceLock<Result<Model>>,
    rules: OnceLock<RuleBase>,
    moments: OnceLock<Option<Simplified>>,
}

impl Model {
    /// Finds the closed forms, with the standard rules.
    ///
    /// # Errors
    /// Fails like [`Model::simplify`].
    pub fn compile(&self, options: &Options) -> Result<Compiled> {
        self.compile_with(crate::rules::standard()?, options)
    }

    /// Finds the closed forms, with the given rules.
    ///
    /// # Errors
    /// Fails like [`Model::simplify`].
    pub fn compile_with(&self, rules: RuleBase, options: &Options) -> Result<Compiled> {
        let simplified = self.simplify_with(rules.clone(), options)?;
        let own = self.checked().parameters().map(|parameter| {
            let has = |wanted: fn(&ParameterFact) -> bool| parameter.facts.iter().any(wanted);
            Parameter {
                name: parameter.name.text.clone(),
                law: has(|fact| matches!(fact, ParameterFact::Law(_))),
                whole: has(|fact| matches!(fact, ParameterFact::Integer(_))),
                default: parameter.value.is_some(),
                comment: parameter.comment.clone(),
            }
        });
        let declared = self.checked().equations().iter();
        let has_random_facts = declared.clone().any(|equation| {
            let law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
            equation.facts.len() > 1 && equation.facts.iter().any(law)
        });
        let results = simplified.equations.iter();
        let results = results.map(|e| (e.name.clone(), self.shown(&e.origin, &e.name)));
        let given = self.checked().parameters().map(|p| &p.name.text);
        let given = given.map(|name| (name.clone(), self.shown_number(name)));
        let shown = results.chain(given);
        let shown = shown.filter_map(|(name, shown)| Some((name, shown?)));
        Ok(Compiled {
            shown: Arc::new(shown.collect()),
            source: Arc::new(Source {
                texts: self.texts().clone(),
                model: OnceLock::from(Ok(self.clone())),
                rules: OnceLock::from(rules),
                moments: OnceLock::new(),
            }),
            parameters: own.collect(),
            order: simplified.callees_first().into(),
            simplified: Arc::new(simplified),
            has_random_facts,
            carrier: options.laws,
            graphs: options.graphs,
            effort: options.effort,
        })
    }

    /// Evaluates all equations at the given values (name and PAMELA+ expression); other parameters
    /// take their defaults.
    ///
    /// Uses closed forms where their conditions hold, and the definition elsewhere.
    ///
    /// # Errors
    /// Fails if a parameter has no value, if a fact does not hold, or if no equation has a value.
    /// Errors of single equations are in [`Evaluated::failures`].
    pub fn evaluate(
        &self,
        values: &[(String, String)],
        rules: RuleBase,
        options: &Options,
    ) -> Result<Evaluated> {
        let options = &with_runs(options);
        let mut there = self.clone();
        let mut symbolic = self.clone();
        let mut free = Vec::new();
        for (name, value) in values {
            there.define(name, value)?;
            // Within an `at`, another value may follow from another name.
            let scalar = symbolic
                .scalar_parameters()
                .any(|parameter| parameter == name);
            if scalar && !there.checked().may_be_replaced(name) {
                free.push(name.as_str())
            } else {
                symbolic.define(name, value)?
            }
        }
        let compiled = symbolic.compile_with(rules, options)?;
        compiled.evaluate_with(&Point::of_model(&there, free)?, options)
    }

    /// Names of the parameters that are numbers.
    pub fn scalar_parameters(&self) -> impl Iterator<Item = &str> {
        let law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
        let parameters = self.checked().parameters();
        parameters
            .filter(move |p| !p.facts.iter().any(law))
            .map(|p| p.name.text.as_str())
    }
}

impl Compiled {
    /// The parameters in the order of the model.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn scalar_parameters(&self) -> impl Iterator<Item = &str> {
        let scalar = self.parameters.iter().filter(|p| !p.law);
        scalar.map(|p| p.name.as_str())
    }

    /// The closed forms of the equations.
    pub fn equations(&self) -> &[SimplifiedEquation] {
        &self.simplified.equations
    }

    /// The closed forms, with the notes of the simplification.
    pub fn simplified(&self) -> &Simplified {
        &self.simplified
    }

    /// How laws are represented in numeric results.
    pub fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// True if the model declares facts of a law. Closed forms cannot check these.
    pub fn has_random_facts(&self) -> bool {
        self.has_random_facts
    }

    /// The source model, with the values that it had when it was compiled.
    ///
    /// # Errors
    /// Fails if a file of compiled forms contains a model that cannot be read.
    pub fn model(&self) -> Result<&Model> {
        let read = || self.source.texts.model();
        let model = self.source.model.get_or_init(read);
        model.as_ref().map_err(Clone::clone)
    }

    /// Evaluates all equations at a point.
    ///
    /// Uses closed forms where their conditions hold, and the definition elsewhere.
    ///
    /// # Errors
    /// Fails if a name is not a scalar parameter, if a parameter has no value, if a fact does not
    /// hold, or if no equation has a value. Errors of single equations are in
    /// [`Evaluated::failures`].
    pub fn at(&self, point: impl Into<Point>) -> Result<Evaluated> {
        PointEvaluation::new(self, &point.into())?.evaluate()
    }

    /// Like [`Compiled::at`], with a search for negative times, which walks through the model.
    ///
    /// # Errors
    /// Fails like [`Compiled::at`].
    pub fn evaluate_at(&self, point: &Point) -> Result<Evaluated> {
        let evaluation = PointEvaluation::new(self, point)?;
        let mut evaluated = evaluation.evaluate()?;
        evaluation.note_negative_times(&mut evaluated)?;
        Ok(evaluated)
    }

    /// Like [`Compiled::evaluate_at`]. Requested times without a formula come from runs.
    fn evaluate_with(&self, point: &Point, options: &Options) -> Result<Evaluated> {
        let evaluation = PointEvaluation::new(self, point)?;
        let mut evaluated = evaluation.evaluate()?;
        evaluation.note_negative_times(&mut evaluated)?;
        if options.times || !options.only.is_empty() {
            evaluation.add_runs(&mut evaluated, &options.only)?;
        }
        Ok(evaluated)
    }

    /// Like [`Model::evaluate`], using the compiled closed forms if all values are numbers.
    ///
    /// Other values need new closed forms.
    ///
    /// # Errors
    /// Fails like [`Model::evaluate`].
    pub fn evaluate(&self, values: &[(String, String)], options: &Options) -> Result<Evaluated> {
        let options = &with_runs(options);
        if self.lacks_bounds(options) {
            let rules = self.source.rules.get().cloned();
            let rules = rules.map_or_else(crate::rules::standard, Ok)?;
            return self.model()?.evaluate(values, rules, options);
        }
        let mut chosen = self.restricted(options)?;
        chosen.graphs = options.graphs;
        if let Some(point) = chosen.point(values) {
            return chosen.evaluate_with(&point, options);
        }
        let rules = self.source.rules.get().cloned();
        let rules = rules.map_or_else(crate::rules::standard, Ok)?;
        self.model()?.evaluate(values, rules, options)
    }

    /// The point where scalar parameters have these values, if they are numbers.
    fn point(&self, values: &[(String, String)]) -> Option<Point> {
        let mut point = Point::default();
        for (name, value) in values {
            let known = self.scalar_parameters().any(|parameter| parameter == name);
            let number = Rational::parse_decimal(value).ok();
            let number = match self.shown(name) {
                Some(shown) => number.map(|number| &number * &shown.scale),
                None => number,
            };
            point = point.with(name, number.filter(|_| known)?);
        }
        Some(point)
    }

    /// The value that the model gives to a parameter, if it is the same wherever the others are.
    fn default(&self, name: &str) -> Option<Rational> {
        let parameter = self.parameters.iter().find(|p| p.name == name)?;
        let model = self.model().ok().filter(|_| parameter.default)?;
        if depends_on_parameters(model.checked(), name) {
            return None;
        }
        let given = BTreeMap::new();
        let limits = crate::model::Limits::default();
        let mut evaluator = crate::model::Evaluator::new(model.checked(), &given, limits);
        let value = evaluator.equation(name).ok()?;
        match at::convert(value)? {
            crate::eval::Value::Scalar(crate::eval::Number::Exact(value)) => Some(value),
            _ => None,
        }
    }

    /// Method for longest paths of random tasks. Saved files do not store it.
    pub fn graphs(&self) -> GraphOptions {
        self.graphs
    }

    /// Finds the closed forms of `L` and `U` of a process, and of the equations `others`.
    ///
    /// # Errors
    /// Fails like [`Model::simplify`].
    pub fn bounds_of(&self, process: &str, others: &[String]) -> Result<Compiled> {
        use Origin::{Lower, Upper};
        let model = self.model()?;
        let names = [Lower, Upper].map(|origin| origin(process.to_owned()).process_equation());
        let names = names.into_iter().flatten();
        let names = names.map(|name| crate::pipeline::unused_name(model.checked(), name));
        let options = Options {
            bounds: true,
            only: names.chain(others.iter().cloned()).collect(),
            without_moments: true,
            laws: self.carrier,
            graphs: self.graphs,
            effort: self.effort,
            ..Options::default()
        };
        let rules = self.source.rules.get().cloned();
        model.compile_with(rules.map_or_else(crate::rules::standard, Ok)?, &options)
    }

    /// Finds the closed forms of all equations, with the exact time of a process or bounds of it.
    ///
    /// # Errors
    /// Fails like [`Model::simplify`].
    pub fn times_of(&self, process: &str) -> Result<Compiled> {
        let known = |origin: Origin| self.simplified.equations.iter().any(|e| e.origin == origin);
        if known(Origin::Execution(process.to_owned())) || known(Origin::Lower(process.to_owned()))
        {
            return Ok(self.clone());
        }
        let options = Options {
            times: true,
            without_moments: true,
            laws: self.carrier,
            graphs: self.graphs,
            effort: self.effort,
            ..Options::default()
        };
        let rules = self.source.rules.get().cloned();
        self.model()?
            .compile_with(rules.map_or_else(crate::rules::standard, Ok)?, &options)
    }

    /// The equation whose regimes are reported: the first one that has regimes.
    ///
    /// `T_L` comes before `time_L`, because its regimes have names.
    pub fn regimes_owner(&self) -> Option<&SimplifiedEquation> {
        let has_some = |e: &&SimplifiedEquation| {
            !e.auxiliary && e.formals.is_empty() && e.sort != Sort::Vector && e.regimes.is_some()
        };
        let is_exact = |e: &&SimplifiedEquation| matches!(e.origin, Origin::Execution(_));
        let mut all = self.equations().iter().filter(has_some);
        let mut others = all.clone().filter(|e| !is_exact(e));
        others.next().or_else(|| all.next())
    }

    /// Closed forms that have the moments of laws among them.
    fn with_moments(&self) -> Option<&Simplified> {
        let has_moments = |simplified: &Simplified| {
            let moment = |e: &SimplifiedEquation| matches!(e.origin, Origin::Moment { .. });
            simplified.equations.iter().any(moment)
        };
        if has_moments(&self.simplified) {
            return Some(&self.simplified);
        }
        let found = self.source.moments.get_or_init(|| {
            let rules = self.source.rules.get().cloned();
            let rules = rules.map_or_else(crate::rules::standard, Ok).ok()?;
            let options = Options {
                all: true,
                effort: self.effort,
                ..Options::default()
            };
            self.model().ok()?.simplify_with(rules, &options).ok()
        });
        found.as_ref()
    }
}

/// A number of the definition in decimals, as values of equations are printed.
pub fn decimal_of(number: &crate::model::Number) -> Option<String> {
    match at::convert(crate::model::Value::Scalar(number.clone()))? {
        crate::eval::Value::Scalar(number) => Some(number.decimal_text()),
        _ => None,
    }
}

/// At a point runs give what no formula does.
fn with_runs(options: &Options) -> Options {
    Options {
        runs: true,
        ..options.clone()
    }
}

/// True if the value of an equation changes with a parameter other than itself.
fn depends_on_parameters(model: &crate::model::Model, name: &str) -> bool {
    let mut pending: Vec<usize> = model.position(name).into_iter().collect();
    let mut seen: BTreeSet<usize> = pending.iter().copied().collect();
    while let Some(position) = pending.pop() {
        for other in model.mentions(position) {
            if model.equations()[other].parameter {
                return true;
            }
            if seen.insert(other) {
                pending.push(other);
            }
        }
    }
    false
}
