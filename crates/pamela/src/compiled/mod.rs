//! A model whose closed forms are found once, and evaluated as often as one likes.

mod at;
mod batch;
mod chosen;
mod law_value;
mod point;
mod results;
mod saved;
mod shown;

use std::collections::BTreeMap;
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

/// The closed forms of a model, with all that it takes to evaluate them anywhere.
///
/// It is cheap to clone, and threads may share it.
#[derive(Clone, Debug)]
pub struct Compiled {
    source: Arc<Source>,
    parameters: Arc<[Parameter]>,
    simplified: Arc<Simplified>,
    /// Positions of equations, each after those that it mentions.
    order: Arc<[usize]>,
    /// Something is declared of a law, which no closed form tells.
    has_random_facts: bool,
    carrier: Carrier,
    graphs: GraphOptions,
    effort: Effort,
    /// In which units parameters are given and results are shown, of those that have some.
    shown: Arc<BTreeMap<String, Shown>>,
}

/// A parameter of the model that has no value yet, or one that it has by default.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Parameter {
    /// Its name in the model.
    pub name: String,
    /// It stands for a law: it has to have its value before the model is compiled.
    pub law: bool,
    /// It is declared to be a whole number.
    pub whole: bool,
    /// The model gives it a value, which others replace.
    pub default: bool,
    /// What the model says of it in words.
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
    /// Finds the closed forms, by the standard rules.
    ///
    /// # Errors
    /// As [`Model::simplify`].
    pub fn compile(&self, options: &Options) -> Result<Compiled> {
        self.compile_with(crate::rules::standard()?, options)
    }

    /// Finds the closed forms that `rules` lead to.
    ///
    /// # Errors
    /// As [`Model::simplify`].
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
            match scalar && !there.checked().may_be_replaced(name) {
                true => free.push(name.as_str()),
                false => symbolic.define(name, value)?,
            }
        }
        let compiled = symbolic.compile_with(rules, options)?;
        compiled.evaluate_with(&Point::of_model(&there, free)?, options)
    }

    /// The names of the parameters that stand for numbers.
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

    /// The closed forms.
    pub fn equations(&self) -> &[SimplifiedEquation] {
        &self.simplified.equations
    }

    /// The closed forms with what the search for them says.
    pub fn simplified(&self) -> &Simplified {
        &self.simplified
    }

    /// How laws are carried where numbers are asked for.
    pub fn carrier(&self) -> Carrier {
        self.carrier
    }

    /// Whether something is declared of a law, which no closed form tells.
    pub(crate) fn has_random_facts(&self) -> bool {
        self.has_random_facts
    }

    /// The model itself, with the values that it had when it was compiled.
    ///
    /// # Errors
    /// A file of compiled forms whose model cannot be read.
    pub fn model(&self) -> Result<&Model> {
        let read = || self.source.texts.model();
        let model = self.source.model.get_or_init(read);
        model.as_ref().map_err(Clone::clone)
    }

    /// The values of all equations, closed where their conditions hold and by the model's definition elsewhere.
    ///
    /// # Errors
    /// A name that is no scalar parameter, a parameter without a value, facts that do not hold; no equation at all that
    /// has a value. What is wrong with some equations only is told in [`Evaluated::failures`].
    pub fn at(&self, point: impl Into<Point>) -> Result<Evaluated> {
        PointEvaluation::new(self, &point.into())?.evaluate()
    }

    /// As [`Compiled::at`]; also looks for negative times, which takes walking through the model.
    ///
    /// # Errors
    /// As [`Compiled::at`].
    pub fn evaluate_at(&self, point: &Point) -> Result<Evaluated> {
        let evaluation = PointEvaluation::new(self, point)?;
        let mut evaluated = evaluation.evaluate()?;
        evaluation.note_negative_times(&mut evaluated)?;
        Ok(evaluated)
    }

    /// As [`Compiled::evaluate_at`], with times by runs where they are asked for and no formula gives them.
    fn evaluate_with(&self, point: &Point, options: &Options) -> Result<Evaluated> {
        let evaluation = PointEvaluation::new(self, point)?;
        let mut evaluated = evaluation.evaluate()?;
        evaluation.note_negative_times(&mut evaluated)?;
        if options.times || !options.only.is_empty() {
            evaluation.add_runs(&mut evaluated, &options.only)?;
        }
        Ok(evaluated)
    }

    /// As [`Model::evaluate`], where the values are of parameters; others take finding closed forms anew.
    ///
    /// # Errors
    /// As [`Model::evaluate`].
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
        let given = BTreeMap::new();
        let limits = crate::model::Limits::default();
        let mut evaluator = crate::model::Evaluator::new(model.checked(), &given, limits);
        let value = evaluator.equation(name).ok()?;
        match at::convert(value)? {
            crate::eval::Value::Scalar(crate::eval::Number::Exact(value)) => Some(value),
            _ => None,
        }
    }

    /// How the longest paths of random tasks have their laws, which its file does not say.
    pub(crate) fn graphs(&self) -> GraphOptions {
        self.graphs
    }

    /// The closed forms of `L` and `U` of a process, and of the equations `others`.
    ///
    /// # Errors
    /// As [`Model::simplify`].
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

    /// The closed forms of all equations, with what a run of a process takes, or bounds of it.
    ///
    /// # Errors
    /// As [`Model::simplify`].
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

    /// The equation whose regimes are told: the first that has some. Those of `T_L` have names, so that they are told
    /// in place of those of `time_L`.
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

/// At a point runs give what no formula does.
fn with_runs(options: &Options) -> Options {
    Options {
        runs: true,
        ..options.clone()
    }
}
