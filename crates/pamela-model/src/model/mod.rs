//! Checked models: names resolved, types and sorts correct, recurrences solved.
//!
//! A checked model still contains the tree as written. Its readers (`timing`, the definition)
//! substitute names, and may rely on every name being bound and of the right type.

mod assertions;
mod build;
mod constants;
mod declarations;
mod define;
mod expansion;
mod extent;
pub mod fraction;
mod holding;
mod labels;
pub mod laws;
mod link;
mod names;
mod needs;
pub mod number;
mod open;
mod order;
mod partial;
pub mod predefined;
mod recordings;
mod recurrences;
mod relocate;
mod replaced;
mod samples;
mod sorts;
mod truth;
pub mod units;
mod unreplaced;
mod uses;
pub mod walk;
mod warnings;
mod written;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Error, Result, Severity, Sources, Span};
use crate::law::Sampled;
use crate::syntax::Loader;
use crate::syntax::tree::{
    self, Assertion, Equation, Expr, ExprKind, Item, Type, Value as Definition,
};
use predefined::SERVERS;

pub use extent::Extent;
pub use fraction::Fraction;
pub use holding::Holding;
pub use labels::{Labels, REST};
pub use laws::{Domain, domains, misuse};
pub use link::Rows;
pub use needs::{MOST_FORMALS, Needs};
pub use number::Number;
pub use open::{Arriving, Basis, MANY_CYCLES, Open};
pub use partial::PartialModel;
pub use predefined::nearest;
pub use predefined::{FCFS, Measure};
pub use recordings::RecordedTasks;
pub use replaced::Replacements;
pub use sorts::{Sort, Sorts};
pub use truth::Truth;
pub use units::{Dimension, Units};
pub use uses::{Target, Use};
pub use walk::with_stack;
pub use walk::{Part, parts_of_expr};

/// Prefixes of the four equations that each process defines.
pub const PREFIXES: [&str; 4] = ["T_", "phi_", "delta_", "omega_"];

/// Prefixes of the times of a process with contention: the exact time, and bounds of it.
pub const BOUNDS: [&str; 5] = ["time_", "L_", "U_", "U2_", "U1_"];

/// Errors of one run that are told; more would not be read.
const MAX_DIAGNOSTICS: usize = 50;

/// A model with checked names, types, arities and sorts.
#[derive(Clone, Debug, Default)]
pub struct Model {
    equations: Vec<Equation>,
    by_name: HashMap<String, usize>,
    assumptions: Vec<Expr>,
    assertions: Vec<Assertion>,
    sources: Arc<Sources>,
    truths: Vec<Truth>,
    expansions: Vec<expansion::Expansion>,
    shapes: Vec<extent::Shape>,
    needs: Vec<Needs>,
    holding: Holding,
    /// Samples of each call of `empirical` with a file, by the location of the file name.
    samples: HashMap<Span, Arc<Sampled>>,
    /// Tasks of each graph from files, by the location of the first file name.
    recordings: HashMap<Span, Arc<RecordedTasks>>,
    /// Set if the model imports files or omits arguments.
    linker: Option<Arc<link::Linker>>,
    units: units::Units,
    labels: Labels,
    /// Positions of recurrences, and what was written there before they were solved.
    recurrences: Vec<(usize, Definition)>,
    replaced: open::Replaced,
}

impl Model {
    /// Checks a parsed model, and reads its samples and tasks through `loader`.
    ///
    /// # Errors
    /// Fails with all errors of names, recursion, types, arities, sorts, constants, samples and
    /// recorded tasks, in the order of the text.
    pub fn check(
        mut model: tree::Model,
        sources: Arc<Sources>,
        loader: &dyn Loader,
    ) -> Result<Model> {
        let mut checked = Model {
            sources,
            ..Model::default()
        };
        let linked = checked.take_items(&mut model);
        linked.map_err(|diagnostics| checked.error(diagnostics))?;
        checked.analyse(loader, constants::check)?;
        Ok(checked)
    }

    /// Looks up the units of a model, links its files, and adds its equations.
    fn take_items(&mut self, model: &mut tree::Model) -> std::result::Result<(), Vec<Diagnostic>> {
        let units = units::Units::of(model);
        self.units = units.map_err(|wrong| with_code(wrong, Code::UnitUnknown))?;
        let model = std::mem::take(model);
        let items = if link::is_needed(&model) {
            let mut linker = link::Linker::new(model, &self.sources);
            let items = linker.items();
            self.linker = Some(Arc::new(linker));
            items.map_err(|wrong| with_code(wrong, Code::Import))?
        } else {
            model.items
        };
        let mut items = items;
        self.replaced = open::replace(&mut items)?;
        self.add(items);
        self.recurrences = recurrences::solve(&mut self.equations);
        Ok(())
    }

    /// Adds what is written in a model, without checking it.
    fn add(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Equation(equation) => self.equations.push(equation),
                Item::Assume(relations) => self.assumptions.extend(relations),
                Item::Assert(assertion) => self.assertions.push(assertion),
                // It has been linked.
                Item::Import(_)
                | Item::Record(_)
                | Item::Table(_)
                | Item::Unit(_)
                | Item::Later(_) => {}
            }
        }
    }

    /// Checks the model; `constants` finds what is wrong with its numbers.
    fn analyse(
        &mut self,
        loader: &dyn Loader,
        constants: impl Fn(&Model, &[usize]) -> Vec<Diagnostic>,
    ) -> Result<()> {
        let Findings { names, others, .. } = self.findings(loader, constants, false);
        let diagnostics = [names, others].concat();
        if diagnostics.is_empty() {
            return Ok(());
        }
        Err(self.error(diagnostics))
    }

    /// Analyses the model, and finds what is wrong with it. With `record`, also finds what each
    /// name is bound to.
    fn findings(
        &mut self,
        loader: &dyn Loader,
        constants: impl Fn(&Model, &[usize]) -> Vec<Diagnostic>,
        record: bool,
    ) -> Findings {
        let excessive = declarations::excessive(&self.equations);
        if !excessive.is_empty() {
            return Findings::of_names(with_code(excessive, Code::TooLarge));
        }
        let mut names = declarations::duplicates(&self.equations);
        self.by_name = HashMap::new();
        for (position, equation) in self.equations.iter().enumerate() {
            self.by_name
                .entry(equation.name.text.clone())
                .or_insert(position);
        }
        let (order, cycles) = order::of_substitution(self);
        let acyclic = cycles.is_empty();
        names.extend(with_code(cycles, Code::Recursion));
        // Names are recorded where they were written.
        if record {
            self.exchange_recurrences();
        }
        let (unbound, mut uses) = names::check(self, &order, record);
        if record {
            self.exchange_recurrences();
        }
        // What replaces an open process stands at its name.
        let open: Vec<Span> = self
            .replaced
            .open
            .iter()
            .filter_map(|own| self.place(own))
            .collect();
        uses.retain(|own| own.target == Target::Equation(own.span) || !open.contains(&own.span));
        names.extend(unbound);
        let mut others = with_code(self.read_recordings(loader), Code::RecordedTasks);
        if acyclic {
            self.truths = truth::of_equations(self, &order);
            self.expansions = expansion::of_equations(self, &order);
            self.shapes = extent::of_equations(self, &order);
            self.needs = needs::of_equations(self, &order);
            others.extend(with_code(assertions::check(self), Code::Assertion));
            others.extend(with_code(sorts::check(self, &order), Code::Sort));
            others.extend(with_code(constants(self, &order), Code::Constant));
            if names.is_empty() && others.is_empty() {
                others = with_code(units::check(self, &order), Code::Unit);
            }
        }
        if names.is_empty() && others.is_empty() {
            match holding::of_model(self) {
                Ok(holding) => self.holding = holding,
                Err(wrong) => others = with_code(wrong, Code::Deadlock),
            }
        }
        if names.is_empty() && others.is_empty() {
            others = with_code(self.read_samples(loader), Code::Samples);
        }
        Findings {
            names,
            others,
            uses,
        }
    }

    /// Exchanges the solutions of recurrences and what was written.
    fn exchange_recurrences(&mut self) {
        for (position, written) in &mut self.recurrences {
            if let Some(value) = &mut self.equations[*position].value {
                std::mem::swap(value, written);
            }
        }
    }

    fn error(&self, diagnostics: Vec<Diagnostic>) -> Error {
        Error {
            diagnostics: in_order(diagnostics),
            sources: self.sources.clone(),
        }
    }

    /// True if it imports files or omits arguments.
    pub fn is_linked(&self) -> bool {
        self.linker.is_some()
    }

    /// Equations in the order of the text.
    pub fn equations(&self) -> &[Equation] {
        &self.equations
    }

    /// Numeric parameters with their facts, in the order of the text.
    pub fn parameters(&self) -> impl Iterator<Item = &Equation> {
        self.equations
            .iter()
            .filter(|e| e.kind == Type::Numeric && e.parameter)
            .filter(|e| !self.labels.is_factor(&e.name.text))
    }

    /// Relations that the model assumes between its parameters.
    pub fn assumptions(&self) -> &[Expr] {
        &self.assumptions
    }

    /// The equation with this name.
    pub fn lookup(&self, name: &str) -> Option<&Equation> {
        self.position(name)
            .map(|position| &self.equations[position])
    }

    /// The position of the default process: `main`, or else the last one without arguments.
    pub fn main_process(&self) -> Option<usize> {
        let plain = |e: &Equation| e.kind == Type::Process && e.formals.is_empty() && !e.auxiliary;
        let main = self
            .position("main")
            .filter(|&at| plain(&self.equations[at]));
        main.or_else(|| self.equations.iter().rposition(plain))
    }

    /// True if an equation of the model mentions the papers' estimate of a process, `T(L)`.
    pub fn quotes_estimates(&self) -> bool {
        let mut quotes = false;
        let own = self.equations.iter().filter(|e| !e.auxiliary);
        for equation in own {
            let part = match &equation.value {
                Some(Definition::Numeric(e)) => walk::Part::Expr(e),
                _ => continue,
            };
            walk::calls(part, &mut |name, _| {
                quotes |= predefined::measure(&name.text) == Some(predefined::Measure::Time)
                    && self.lookup(&name.text).is_none();
            });
        }
        quotes
    }

    /// The position of the equation with this name in [`Model::equations`].
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Positions of the equations that another one mentions, in the order of its text.
    pub fn mentions(&self, position: usize) -> Vec<usize> {
        let mentioned = order::mentions(self, &self.equations[position]);
        mentioned.into_iter().map(|(other, _)| other).collect()
    }

    /// The position of the equation that a call `name(...)` in a numeric expression refers to.
    ///
    /// The names of special functions (`H`, `fact`, `lgamma`) are free for parameters and equations
    /// without arguments. These cannot be called, so the call then means the function.
    pub fn callee(&self, name: &str) -> Option<usize> {
        self.position(name).filter(|&position| {
            let equation = &self.equations[position];
            let callable = equation.kind == Type::Process || !equation.formals.is_empty();
            callable || !predefined::is_special(name)
        })
    }

    /// The sources that all spans of the model point into.
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    /// True if `name` is an array of resources: the predefined one, or a declared one without a
    /// value.
    pub fn is_resource_array(&self, name: &str) -> bool {
        match self.lookup(name) {
            Some(equation) => {
                let own = equation.value.is_none() || self.servers(equation).is_some();
                equation.kind == Type::Resource && own
            }
            None => name == FCFS,
        }
    }

    /// Number of nodes of the equation at `position` with every name expanded (saturating).
    pub fn expansion(&self, position: usize) -> u64 {
        self.expansions[position].size
    }

    /// Like [`Model::expansion`], for arguments with these numbers of nodes.
    pub fn expansion_with(&self, position: usize, arguments: &[u64]) -> u64 {
        let expansion = &self.expansions[position];
        let written = arguments.iter().zip(&expansion.uses);
        let sizes = written.map(|(size, uses)| size.saturating_mul(*uses));
        sizes.fold(expansion.size, u64::saturating_add)
    }

    fn place(&self, open: &Open) -> Option<Span> {
        self.lookup(&open.name).map(|equation| equation.name.span)
    }

    /// Number of equations that are written, without those that stand for open processes and waits.
    pub fn written_equations(&self) -> usize {
        self.equations.len() - self.replaced.made
    }

    /// The open process with this name.
    pub fn open(&self, name: &str) -> Option<&Open> {
        self.replaced.open.iter().find(|own| own.name == name)
    }

    /// What a wait rests on, if this is the equation of one, and the equation that is 1 where it is stationary.
    pub fn basis_of_wait(&self, equation: &str) -> Option<(Basis, Option<&str>)> {
        let mut waits = self.replaced.waits.iter();
        let found = waits.find(|own| own.equation == equation)?;
        Some((found.basis, found.stable.as_deref()))
    }

    /// The process and the resource of the wait that runs tell, if this parameter stands for one.
    pub fn wait_by_runs(&self, parameter: &str) -> Option<(&str, &Expr)> {
        let mut waits = self.replaced.waits.iter();
        let (process, resource) = waits.find(|own| own.equation == parameter)?.run.as_ref()?;
        Some((process, resource))
    }

    /// Number of servers of each element of an array declared as `servers(m)`.
    pub fn servers<'e>(&self, equation: &'e Equation) -> Option<&'e Expr> {
        let Some(Definition::Resource(value)) = &equation.value else {
            return None;
        };
        let named = |name: &str| self.lookup(name).is_some_and(|e| e.kind == Type::Resource);
        match &value.kind {
            ExprKind::Call(name, arguments) if name.text == SERVERS && !named(SERVERS) => {
                arguments.first().filter(|_| arguments.len() == 1)
            }
            _ => None,
        }
    }

    /// Arguments that the equation at `position` always needs.
    pub fn needs(&self, position: usize) -> Needs {
        self.needs[position]
    }

    /// Resources that are requested while others are held.
    pub fn holding(&self) -> &Holding {
        &self.holding
    }

    /// When the equation at `position` is a truth value (1 or 0 by its form), given its formals.
    pub fn truth(&self, position: usize) -> &Truth {
        &self.truths[position]
    }
}

/// What an analysis found.
#[derive(Debug, Default)]
struct Findings {
    /// Errors of declarations, names, types and arities, and recursion.
    names: Vec<Diagnostic>,
    /// Further errors. Unless the names are right, they may be consequences.
    others: Vec<Diagnostic>,
    /// The uses of names, if they are recorded.
    uses: Vec<Use>,
}

impl Findings {
    fn of_names(names: Vec<Diagnostic>) -> Findings {
        Findings {
            names,
            ..Findings::default()
        }
    }
}

/// The first diagnostics in the order of the text.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|d| {
        d.labels
            .first()
            .map(|(span, _)| (span.file, span.start, span.end))
    });
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostics
}

/// Gives a code to the diagnostics that have none.
fn with_code(diagnostics: Vec<Diagnostic>, code: Code) -> Vec<Diagnostic> {
    let diagnostics = diagnostics.into_iter();
    diagnostics.map(|own| own.or_code(code)).collect()
}

/// The error for a number of servers that is not a whole number of at least 1.
pub fn not_servers(number: &dyn std::fmt::Display, place: Span) -> Diagnostic {
    let message = format!("a resource has {number} servers");
    let label = "must be a whole number, at least 1";
    Diagnostic::error(message, place, label)
        .hint("declare the parameters it is made of as `: integer >= 1`")
}

/// The error for a construct of the language that the tool does not support yet.
pub fn not_supported(what: &str, span: Span) -> Diagnostic {
    Diagnostic {
        severity: Severity::Unsupported,
        ..Diagnostic::error(
            format!("{what} is not supported yet"),
            span,
            "this needs something that is not built yet",
        )
        .code(Code::Unsupported)
    }
}
