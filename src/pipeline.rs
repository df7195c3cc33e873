//! The whole way from a text to closed forms and to numbers.

mod law_point;
mod mentions;
mod point;
mod regimes;
mod sensitivity;

use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use crate::algebra::{self, RuleBase, Simplifier, Stop};
use crate::diagnostic::{Diagnostic, Error, Result, SourceFile, Sources, Span};
use crate::expr::{Arena, ExprId, Function, Sort, Symbol};
use crate::formula::{Derivation, Formula, Outline, divides_by_zero, present};
use crate::law::Carrier;
use crate::model;
use crate::syntax::tree::{Equation, ParameterFact, Type};
use crate::syntax::{FileLoader, Loader, NoFiles, parse_expression, parse_model};
use crate::timing::{self, Fact, LoweredEquation};
pub use law_point::LawValue;
use mentions::Order;
pub use point::{Evaluated, EvaluatedEquation, Method};
pub use regimes::{Crossing, Regime, Regimes};

/// A performance model, checked.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    checked: model::Model,
    /// It was read as text only: no value that it is given names a file.
    alone: bool,
}

/// How a model is simplified.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Assume nothing: what cannot be proved from the model's facts stays as cases.
    pub strict: bool,
    /// Also `phi_L`, `delta_L` and `omega_L` of each process `L`.
    pub all: bool,
    /// Also how each closed form is derived.
    pub explain: bool,
    /// Also which operand of a `max`, and which side of a bracket, decides where.
    pub regimes: bool,
    /// How laws are carried where numbers are asked for.
    pub laws: Carrier,
    /// Leaves out the moments of laws, `E_f`, `Var_f`, `Skw_f` and `Kur_f`.
    pub without_moments: bool,
    /// Also the derivative and the elasticity of each scalar by these parameters.
    pub sensitivity: Vec<String>,
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
    /// The arguments of an equation that others call.
    pub formals: Vec<String>,
    /// A part that others mention, which has no name in the model itself.
    pub auxiliary: bool,
    pub formula: Formula,
    /// The rules that led to the formula; without a derivation also those that led to alternatives.
    pub rules: Vec<String>,
    /// Where they were asked for, and the formula decides something.
    pub regimes: Option<Regimes>,
    /// How it was derived, where [`Options::explain`] is set.
    pub derivation: Option<Derivation>,
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
        let model = Model::read("model", text, &NoFiles)?;
        Ok(Model {
            alone: true,
            ..model
        })
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

    /// Reads a model called `name`, whose includes and samples `loader` finds.
    ///
    /// # Errors
    /// As [`Model::parse`].
    pub fn read(name: &str, text: &str, loader: &dyn Loader) -> Result<Model> {
        let (tree, sources) = parse_model(name, text, loader)?;
        let checked = model::Model::check(tree, sources, loader)?;
        Ok(Model {
            name: name.to_string(),
            checked,
            alone: false,
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

    /// Gives the parameter or numeric equation `name` a value, a PAMELA+ expression. Samples that it names are read
    /// from the disk, relative to the working directory; not into a model that was read as text only.
    ///
    /// # Errors
    /// A text that is no expression; a name that cannot have a value; a value that does not fit.
    pub fn define(&mut self, name: &str, value: &str) -> Result<()> {
        let (expression, sources) = parse_expression(&format!("value of {name}"), value)?;
        let loader: &dyn Loader = match self.alone {
            true => &NoFiles,
            false => &FileLoader,
        };
        self.checked.define(name, expression, &sources, loader)
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
        let algebra_options = algebra::Options {
            strict: options.strict,
            explain: options.explain,
            ..algebra::Options::default()
        };
        let numbered = lowered.equations.iter().enumerate();
        let wanted = |&(_, equation): &(usize, &LoweredEquation)| {
            equation.formals.is_empty() && (options.all || self.is_result(equation))
        };
        let wanted = numbered.filter(wanted).map(|(position, _)| position);
        let wanted: Vec<usize> = wanted.collect();
        let order = Order::new(&wanted, mentions::of_equations(&arena, &lowered.equations));
        let mut simplifier = Simplifier::new(arena, &facts, rules, algebra_options);
        let closed = self.close_all(&mut simplifier, &lowered.equations, &order, options)?;
        let closed = mentions::told(closed, simplifier.results_mut(), wanted);
        let found: Vec<Option<regimes::Found>> = closed
            .iter()
            .map(
                |Told {
                     equation, closed, ..
                 }| {
                    let wanted = options.regimes && equation.sort == Sort::Scalar;
                    wanted.then(|| {
                        self.regimes(&mut simplifier, &lowered.equations, equation, closed)
                    })?
                },
            )
            .collect();
        let times = closed
            .iter()
            .map(|told| simplifier.taken_for_times(told.equation.expr))
            .collect();
        let statistics = simplifier.statistics();
        let facts = simplifier.facts_in_results();
        let results = simplifier.into_arena();
        let undefined = |told: &&Told| divides_by_zero(&results, told.closed.expr);
        if let Some(told) = closed.iter().find(undefined) {
            return Err(self.undefined(&told.equation));
        }
        let whole = self.whole_parameters();
        let equations = finish(results, closed, times, found, &whole, &facts);
        Ok(Simplified {
            equations,
            stop: statistics.stop,
            scopes: statistics.scopes,
            nodes: statistics.nodes,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// The closed forms by position in the model, each with what is derived of it.
    fn close_all(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        order: &Order,
        options: &Options,
    ) -> Result<BTreeMap<usize, Vec<Told>>> {
        let mentioned = order.mentioned();
        let mut closed: BTreeMap<usize, Vec<Told>> = BTreeMap::new();
        let mut conditional: HashSet<usize> = HashSet::new();
        for &position in &order.positions {
            let equation = &equations[position];
            let form = close(simplifier, equation);
            let mentions = order.mentions[&position].iter();
            let rests_on: Vec<String> = mentions
                .filter(|mentioned| conditional.contains(mentioned))
                .map(|&mentioned| equations[mentioned].name.clone())
                .collect();
            if !rests_on.is_empty() || !form.assumptions.is_empty() {
                conditional.insert(position);
            }
            if mentioned.contains(&position) {
                simplifier.define(&equation.name, &equation.formals, equation.expr, &form);
            }
            let mut forms = match equation.formals.is_empty() {
                true => self.sensitivities(simplifier, equation, &form, options)?,
                false => Vec::new(),
            };
            forms.insert(0, (equation.clone(), form));
            if equation.sort == Sort::Law && !equation.plain && !options.without_moments {
                forms.extend(moments(simplifier, equation));
            }
            let told = |(equation, closed)| Told {
                equation,
                closed,
                rests_on: rests_on.clone(),
            };
            closed.insert(position, forms.into_iter().map(told).collect());
        }
        Ok(closed)
    }

    /// The parameters that are declared to be whole numbers.
    fn whole_parameters(&self) -> Vec<String> {
        let whole = |p: &&Equation| {
            let mut facts = p.facts.iter();
            facts.any(|fact| matches!(fact, ParameterFact::Integer(_)))
        };
        let parameters = self.checked.parameters().filter(whole);
        parameters.map(|p| p.name.text.clone()).collect()
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
}

fn close(simplifier: &mut Simplifier, equation: &LoweredEquation) -> algebra::Closed {
    let mut closed = match equation.formals.is_empty() {
        true => simplifier.close_with_mentions(equation.expr),
        false => simplifier.close_function(equation.expr),
    };
    for &condition in &equation.conditions {
        simplifier.require(condition, &mut closed.assumptions);
    }
    closed
}

/// A closed equation.
struct Told {
    equation: LoweredEquation,
    closed: algebra::Closed,
    /// Equations with conditions, which have to hold as well.
    rests_on: Vec<String>,
}

/// Mean, variance, skewness and kurtosis of a law as equations, where none of its order statistics is left.
fn moments(
    simplifier: &mut Simplifier,
    equation: &LoweredEquation,
) -> Vec<(LoweredEquation, algebra::Closed)> {
    let Some(moments) = simplifier.moments(equation.expr) else {
        return Vec::new();
    };
    let named = |(prefix, mut closed): (&str, algebra::Closed)| {
        for &condition in &equation.conditions {
            simplifier.require(condition, &mut closed.assumptions);
        }
        let own = LoweredEquation {
            name: format!("{prefix}_{}", equation.name),
            sort: Sort::Scalar,
            ..equation.clone()
        };
        (own, closed)
    };
    ["E", "Var", "Skw", "Kur"]
        .into_iter()
        .zip(moments)
        .map(named)
        .collect()
}

fn finish(
    mut arena: Arena,
    closed: Vec<Told>,
    times: Vec<Vec<ExprId>>,
    found: Vec<Option<regimes::Found>>,
    whole: &[String],
    facts: &[ExprId],
) -> Vec<SimplifiedEquation> {
    let whole: Vec<Symbol> = whole.iter().map(|name| arena.named(name)).collect();
    let presented: Vec<_> = closed
        .into_iter()
        .zip(times)
        .zip(found)
        .map(|((told, times), found)| {
            let Told {
                equation,
                closed,
                rests_on,
            } = told;
            let root = present(&mut arena, closed.expr);
            let conditions: Vec<ExprId> = closed
                .assumptions
                .iter()
                .map(|&condition| present(&mut arena, condition))
                .collect();
            let times: Vec<ExprId> = times
                .into_iter()
                .map(|law| present(&mut arena, law))
                .collect();
            let outline = closed.derivation;
            let outline = outline.map(|derivation| Outline::new(&mut arena, derivation));
            let found = found.map(|found| found.presented(&mut arena));
            (
                equation,
                closed.rules,
                (root, conditions, rests_on, times),
                outline,
                found,
            )
        })
        .collect();
    let arena = Rc::new(arena);
    presented
        .into_iter()
        .map(
            |(equation, rules, (root, conditions, rests_on, times), outline, found)| {
                SimplifiedEquation {
                    name: equation.name,
                    sort: equation.sort,
                    formals: equation.formals,
                    auxiliary: equation.auxiliary,
                    formula: Formula::new(arena.clone(), root, conditions)
                        .resting_on(rests_on)
                        .with_approximations(equation.notes)
                        .knowing(&whole, facts)
                        .taking_for_times(times),
                    rules,
                    regimes: found.map(|found| found.formulas(&arena)),
                    derivation: outline.map(|outline| {
                        Derivation::new(arena.clone(), outline).knowing(&whole, facts)
                    }),
                }
            },
        )
        .collect()
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
