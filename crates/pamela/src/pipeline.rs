//! The whole way from a text to closed forms and to numbers.

mod close;
mod enclosures;
mod mentions;
mod presented;
mod regimes;
mod sensitivity;

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::algebra::{self, MOST_REGIMES, RuleBase, Simplifier, Stop};
use crate::diagnostic::{Diagnostic, Error, Result, Severity, Span};
pub use crate::diagnostic::{hinted_error, listed, plain_error};
use crate::effort::Effort;
use crate::expr::{Arena, ExprId, Function, Sort};
use crate::formula::{Derivation, Formula};
use crate::law::Carrier;
use crate::model;
use crate::syntax::tree::{Equation, ParameterFact};
use crate::syntax::{
    FileLoader, Loader, NoFiles, Recorded, Recorder, parse_expression, parse_model,
};
use crate::timing::{self, Bound, Evidence, Fact, LoweredEquation, Origin, is_lower_bound};
use mentions::Order;
pub(crate) use presented::by_own_rules;
use presented::{Ground, formulas};
pub use regimes::{Crossing, Regime, Regimes};

/// A performance model, checked.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    checked: model::Model,
    /// It was read as text only: no value that it is given names a file.
    alone: bool,
    texts: Arc<Texts>,
}

/// What a model was read from, so that it can be read again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Texts {
    name: String,
    text: String,
    alone: bool,
    files: Recorded,
    /// The values that were given, in their order.
    definitions: Vec<(String, String)>,
}

impl Texts {
    /// The model's own text, without the files that it includes.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The model as it was.
    ///
    /// # Errors
    /// As [`Model::read`].
    pub fn model(&self) -> Result<Model> {
        let mut model = Model::read(&self.name, &self.text, &self.files)?;
        model.alone = self.alone;
        for (name, value) in &self.definitions {
            model.define_from(name, value, &self.files)?;
        }
        Ok(model)
    }
}

/// How a model is simplified.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Assume nothing: what cannot be proved from the model's facts stays as cases.
    pub strict: bool,
    /// Also `phi_L`, `delta_L` and `omega_L` of each process `L`.
    pub all: bool,
    /// Also bounds of the time of each process `L` on both sides, `L_L` and `U_L`; with `all`, `U2_L` and `U1_L`.
    pub bounds: bool,
    /// Also, of each process `L` whose `T_L` is a lower bound only, what every run takes where that is known,
    /// `time_L`, and else the bounds `L_L` and `U_L`.
    pub times: bool,
    /// Also `time_L` where it is known, and no bounds where it is not.
    pub exact_times: bool,
    /// Also an estimate of times with contention, in symbols.
    pub contention: Option<timing::Contention>,
    /// Only the equations of these names, if any are given.
    pub only: Vec<String>,
    /// Equations of the model that are written out wherever others mention them, however large these become.
    pub expand: Vec<String>,
    /// How much work may be done before what is left stays as it is.
    pub effort: Effort,
    /// Also how each closed form is derived.
    pub explain: bool,
    /// Also closed bounds on both sides of each scalar `f` that stays open, `lower_f` and `upper_f`.
    pub enclose: bool,
    /// Also which operand of a `max`, and which side of a bracket, decides where.
    pub regimes: bool,
    /// How laws are carried where numbers are asked for.
    pub laws: Carrier,
    /// Leaves out the moments of laws, `E_f`, `Var_f`, `Skw_f` and `Kur_f`.
    pub without_moments: bool,
    /// Of the moments only so many, the mean first; all for `None`.
    pub most_moments: Option<usize>,
    /// Also the derivative and the elasticity of each scalar by these parameters.
    pub sensitivity: Vec<String>,
    /// Is told, before each equation, how many are done, of how many, and its name.
    pub progress: Option<fn(usize, usize, &str)>,
}

/// The closed forms of a model.
#[derive(Clone, Debug)]
pub struct Simplified {
    pub equations: Vec<SimplifiedEquation>,
    /// What is declared and assumed of the parameters: each is 1 wherever the model has values.
    pub facts: Vec<Formula>,
    /// What is wrong with the other equations, and with derivatives that were asked for, which have no closed form.
    pub failures: Vec<Error>,
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
    /// What it is of the model.
    pub origin: Origin,
    pub formula: Formula,
    /// How it stands to what a run takes, of the times of processes beside `T`.
    pub evidence: Option<Evidence>,
    /// The rules that led to the formula; without a derivation also those that led to alternatives.
    pub rules: Vec<String>,
    /// Those of them that do not come with the library, each with its place: `far-mod (mine/far.rules:3)`.
    pub own_rules: Vec<String>,
    /// Where they were asked for, and the formula decides something.
    pub regimes: Option<Regimes>,
    /// They were asked for, and are too many to be told apart.
    pub regimes_cut: bool,
    /// How it was derived, where [`Options::explain`] is set.
    pub derivation: Option<Derivation>,
    /// Why the search for the formula ended, at worst.
    pub stop: Stop,
}

impl SimplifiedEquation {
    /// How its value stands to what a run takes, where it is not that.
    pub fn bound(&self) -> Option<Bound> {
        Bound::of(&self.origin, self.formula.approximations())
    }
}

impl Simplified {
    /// The equation of this name.
    pub fn equation(&self, name: &str) -> Option<&SimplifiedEquation> {
        self.equations.iter().find(|e| e.name == name)
    }

    /// The equations that are printed: without the `T` of a process whose exact time has the same form.
    pub fn shown(&self) -> impl Iterator<Item = &SimplifiedEquation> {
        let exact = |process: &String| {
            let of = |e: &&SimplifiedEquation| e.origin == Origin::Execution(process.clone());
            self.equations.iter().find(of)
        };
        self.equations
            .iter()
            .filter(move |equation| match &equation.origin {
                Origin::Time(process) => {
                    let own = equation.formula.root();
                    exact(process).is_none_or(|exact| exact.formula.root() != own)
                }
                _ => true,
            })
    }

    /// What has to be known of the results beside their conditions, wherever numbers alone are shown: rules that are not
    /// the library's, and budgets that were spent before a form was closed.
    pub fn caveats(&self) -> Vec<String> {
        let mut all: Vec<(String, Vec<&str>)> = Vec::new();
        for equation in &self.equations {
            let by_rules = by_own_rules(&equation.own_rules);
            let open = equation.formula.open_reductions() > 0;
            let cut_short = equation.cut_short().filter(|_| open);
            for text in by_rules.into_iter().chain(cut_short) {
                match all.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, names)) => names.push(&equation.name),
                    None => all.push((text, vec![&equation.name])),
                }
            }
        }
        let told = |(text, names): (String, Vec<&str>)| format!("{}: {text}", listed(&names));
        all.into_iter().map(told).collect()
    }

    /// Whether a scalar is left that takes looping.
    pub fn is_closed(&self) -> bool {
        let open = |e: &SimplifiedEquation| e.formula.open_reductions() > 0;
        !self.equations.iter().any(open)
    }
}

impl SimplifiedEquation {
    /// Which budget ended the search for its closed form, if one did.
    pub fn cut_short(&self) -> Option<String> {
        let budget = self.stop.budget()?;
        let left = match self.formula.open_reductions() {
            0 => "may be longer than it must be",
            _ => "is kept as written",
        };
        Some(format!(
            "{left}: the budget of {budget} is spent, {FURTHER}"
        ))
    }

    /// What budgets cut off.
    pub fn budget_notes(&self) -> Vec<String> {
        let regimes = self.regimes_cut.then(|| {
            format!("its regimes are not told apart: there are more than {MOST_REGIMES}, or they take too much work")
        });
        self.cut_short().into_iter().chain(regimes).collect()
    }
}

/// What helps where a budget was spent.
const FURTHER: &str = "`--effort high` goes 16 times as far";

impl Model {
    /// Reads a model that includes no files.
    ///
    /// # Errors
    /// All that is wrong with its syntax, or else with its names, types and sorts.
    pub fn parse(text: &str) -> Result<Model> {
        let mut model = Model::read("model", text, &NoFiles)?;
        model.alone = true;
        Arc::make_mut(&mut model.texts).alone = true;
        Ok(model)
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
        let recorder = Recorder::new(loader);
        let (tree, sources) = parse_model(name, text, &recorder)?;
        let checked = model::Model::check(tree, sources, &recorder)?;
        Ok(Model {
            name: name.to_string(),
            checked,
            alone: false,
            texts: Arc::new(Texts {
                name: name.to_string(),
                text: text.to_string(),
                files: recorder.finish(),
                ..Texts::default()
            }),
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
        match self.alone {
            true => self.define_from(name, value, &NoFiles),
            false => self.define_from(name, value, &FileLoader),
        }
    }

    fn define_from(&mut self, name: &str, value: &str, loader: &dyn Loader) -> Result<()> {
        let (expression, sources) = parse_expression(&format!("value of {name}"), value)?;
        let recorder = Recorder::new(loader);
        self.checked.define(name, expression, &sources, &recorder)?;
        let texts = Arc::make_mut(&mut self.texts);
        texts.files.extend(recorder.finish());
        texts.definitions.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// What the model was read from, with the values that were given to it.
    pub fn texts(&self) -> &Arc<Texts> {
        &self.texts
    }

    /// Looks for what reading alone does not find: arguments of laws and quorums that are out of range whatever the
    /// parameters are, facts that are false.
    ///
    /// # Errors
    /// What is found, several at once. What is right and not supported yet is none.
    pub fn check(&self) -> Result<()> {
        let Err(mut error) = timing::lower(&self.checked, &mut Arena::new()) else {
            return Ok(());
        };
        error.diagnostics.retain(|d| d.severity == Severity::Error);
        match error.diagnostics.is_empty() {
            true => Ok(()),
            false => Err(error),
        }
    }

    /// The closed forms of the model's equations.
    ///
    /// # Errors
    /// Facts that cannot be; no equation at all that has a closed form. What is wrong with some equations only, what the
    /// tool does not support yet or probabilities that are none, is told in [`Simplified::failures`].
    pub fn simplify(&self, options: &Options) -> Result<Simplified> {
        self.simplify_with(crate::rules::standard()?, options)
    }

    /// The closed forms that `rules` lead to.
    ///
    /// # Errors
    /// As [`Model::simplify`].
    pub fn simplify_with(&self, rules: RuleBase, options: &Options) -> Result<Simplified> {
        let start = Instant::now();
        let mut arena = Arena::new();
        let own = |name: &String| self.checked.lookup(name).is_some();
        let named = |names: fn(&str) -> bool| {
            let mut only = options.only.iter();
            only.any(|name| names(name) && !own(name))
        };
        let wanted = timing::Wanted {
            bounds: options.bounds || named(names_bound),
            times: options.times || named(|name| name.starts_with("time_")),
            exact_times: options.exact_times,
            contention: options.contention,
        };
        let expanded = self.expanded(options)?;
        let mut lowered = timing::lower_with(&self.checked, &mut arena, wanted, &expanded)?;
        let mut failures = std::mem::take(&mut lowered.failures);
        let wanted = match self.wanted(&lowered.equations, options) {
            // What is asked for may be what is wrong.
            Err(error) => return Err(self.failures(failures).pop().unwrap_or(error)),
            Ok(wanted) => wanted,
        };
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
            effort: options.effort,
        };
        let numbered = lowered.equations.iter().enumerate();
        let positions = numbered.filter(|(_, equation)| wanted(equation));
        let positions: Vec<usize> = positions.map(|(position, _)| position).collect();
        let order = Order::new(
            &positions,
            mentions::of_equations(&arena, &lowered.equations),
        );
        let mut simplifier = Simplifier::new(arena, &facts, rules, algebra_options);
        let mut closed = self.close_all(
            &mut simplifier,
            &lowered.equations,
            &order,
            options,
            &mut failures,
        )?;
        if options.enclose {
            self.enclose(&mut simplifier, &mut closed);
        }
        let closed = mentions::told(closed, simplifier.results_mut(), positions);
        let failures = self.failures(failures);
        if let (true, Some(error)) = (closed.is_empty(), failures.first()) {
            return Err(error.clone());
        }
        let annotated = closed
            .into_iter()
            .map(|closed| self.annotated(&mut simplifier, &lowered.equations, closed, options))
            .collect();
        let statistics = simplifier.statistics();
        let facts = simplifier.facts_in_results();
        let names = self.checked.equations().iter().map(|e| e.name.text.clone());
        let ground = Ground {
            facts: &facts,
            whole: &self.whole_parameters(),
            names: names.collect(),
        };
        let (equations, facts) = formulas(simplifier.into_arena(), annotated, ground);
        // What is only mentioned is a part.
        let chosen = |name: &String| options.only.is_empty() || options.only.contains(name);
        let equations = equations.into_iter().map(|equation| SimplifiedEquation {
            auxiliary: equation.auxiliary
                || !chosen(equation.origin.of().unwrap_or(&equation.name)),
            ..equation
        });
        Ok(Simplified {
            equations: equations.collect(),
            facts,
            failures,
            stop: statistics.stop,
            scopes: statistics.scopes,
            nodes: statistics.nodes,
            seconds: start.elapsed().as_secs_f64(),
        })
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

    /// What is wrong with equations, each told once.
    fn failures(&self, mut diagnostics: Vec<Diagnostic>) -> Vec<Error> {
        let mut seen = std::collections::HashSet::new();
        diagnostics.retain(|d| seen.insert((d.message.clone(), d.labels.first().map(|l| l.0))));
        match diagnostics.is_empty() {
            true => Vec::new(),
            false => vec![Error {
                diagnostics,
                sources: self.checked.sources().clone(),
            }],
        }
    }

    /// The positions of the equations that are written out wherever they are mentioned.
    ///
    /// # Errors
    /// A name that no equation has.
    fn expanded(&self, options: &Options) -> Result<Vec<usize>> {
        let position = |name: &String| {
            let unknown = || {
                let message = format!("the model has no equation `{name}` to expand");
                let names = self
                    .checked
                    .equations()
                    .iter()
                    .map(|e| e.name.text.as_str());
                unknown_name(message, name, &names.collect::<Vec<_>>())
            };
            self.checked.position(name).ok_or_else(unknown)
        };
        options.expand.iter().map(position).collect()
    }

    /// Which equations are asked for.
    ///
    /// # Errors
    /// A name that none of them has.
    fn wanted<'a>(
        &'a self,
        equations: &[LoweredEquation],
        options: &'a Options,
    ) -> Result<impl Fn(&LoweredEquation) -> bool + use<'a>> {
        let has = |name: &str| equations.iter().any(|equation| equation.name == name);
        if let Some(unknown) = options.only.iter().find(|name| !has(name)) {
            let times = equations.iter().filter(|e| is_lower_bound(e));
            if let Some(error) = no_formula(unknown, times.map(|e| &e.origin)) {
                return Err(error);
            }
            let named = equations.iter().filter(|equation| !equation.auxiliary);
            let names: Vec<&str> = named.map(|e| e.name.as_str()).collect();
            return Err(no_equation(unknown, &names));
        }
        Ok(|equation: &LoweredEquation| match options.only.is_empty() {
            _ if equation.auxiliary => false,
            true => options.all || equation.origin.is_result(),
            false => options.only.contains(&equation.name),
        })
    }
}

/// The name of a result, or a longer one where the model has it already.
pub(crate) fn unused_name(model: &model::Model, mut name: String) -> String {
    while model.lookup(&name).is_some() {
        name.push('_');
    }
    name
}

/// Whether this is how a bound of a process's time is called.
pub fn names_bound(name: &str) -> bool {
    let prefixes = ["L_", "U_", "U1_", "U2_"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Why there is no equation of this name, if it is what runs take of one of the processes of `times`, the `T` of which is
/// a lower bound.
pub fn no_formula<'o>(name: &str, mut times: impl Iterator<Item = &'o Origin>) -> Option<Error> {
    let asked = |origin: &&Origin| {
        let process = origin.process();
        process.is_some_and(|process| name.strip_prefix("time_") == Some(process))
    };
    let process = times.find(asked)?.process()?;
    Some(hinted_error(
        format!("no formula gives what a run of `{process}` takes: there is no `{name}`"),
        format!(
            "`L_{process}` and `U_{process}` are bounds of it; `pamela eval` and `pamela simulate` run it at a point"
        ),
    ))
}

/// None of the equations has this name.
pub fn no_equation(name: &str, names: &[&str]) -> Error {
    let message = match name {
        "" => "a name is missing beside a comma".to_string(),
        _ => format!("the model has no equation `{name}` without arguments"),
    };
    unknown_name(
        format!("{message}; there are {}", listed(names)),
        name,
        names,
    )
}

/// An error without a place, with the name that may be meant.
pub fn unknown_name(message: String, name: &str, names: &[&str]) -> Error {
    let near = model::nearest(name, names.iter().copied());
    let mut error = plain_error(message);
    error.diagnostics[0].hint = near.map(|near| format!("did you mean `{near}`?"));
    error
}
