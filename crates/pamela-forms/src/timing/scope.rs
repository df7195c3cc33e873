//! Substitution: meanings of names, and results of earlier lowering.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

use indexmap::IndexSet;

use super::argument::{Argument, Binder, Instance, Provisos, Resource, not_a};
use super::bounds::sides::Bounds;
use super::cost::{Cost, Notes};
use super::judge::known::Judge;
use super::named::{self, Number, Routine, Section};
use super::process::covered::{never_negative, never_negative_parameters, whole_parameters};
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Arena, ExprId, Function, Symbol};
use crate::model::{Extent, FCFS, Model};
use crate::ring::Rational;
use crate::syntax::tree::{Equation, Expr, ExprKind, Type, Value as Definition};

/// More different calls are not written out in one model.
const MOST_INSTANCES: u64 = 100_000;
/// Limit of the total number of terms in sums from expanded calls.
const MOST_TERMS: u64 = 5_000_000;

/// Lowers the equations of one model into one arena, each instance once.
pub(super) struct Lowering<'m, 'a> {
    pub(super) model: &'m Model,
    pub(super) arena: &'a mut Arena,
    pub(super) numbers: Instances<ExprId>,
    pub(super) costs: Instances<Cost>,
    /// Conditions of the current equation, such as nonzero divisors and probabilities that add up
    /// to 1.
    pub(super) conditions: IndexSet<ExprId>,
    /// True if the current equation mentions others by name.
    pub(super) by_name: bool,
    /// Equations that are never names.
    pub(super) written_out: HashSet<usize>,
    /// Equations that are names wherever they are mentioned.
    pub(super) kept: HashSet<usize>,
    /// Parameters that are declared nonnegative, and indices that are.
    pub(super) never_negative: HashSet<Symbol>,
    /// Parameters that are declared to be whole numbers.
    pub(super) whole: HashSet<Symbol>,
    /// Number of enclosing branches and loops; inside them, code may never be evaluated.
    pub(super) guards: u32,
    /// Number of expanded calls.
    instances: u64,
    /// Number of terms in sums so far.
    pub(super) terms: u64,
    pub(super) numbers_by_name: HashMap<usize, Rc<Number>>,
    /// Named functions; `None` means always expanded.
    pub(super) functions_by_name: BTreeMap<usize, Option<named::Function>>,
    pub(super) sections_by_name: HashMap<usize, Rc<Section>>,
    /// Named routines; `None` means always expanded.
    pub(super) routines_by_name: BTreeMap<usize, Option<Rc<Routine>>>,
    /// Notes for readers of the current processes.
    pub(super) notes: Notes,
    /// Replacements of names inside an `at`, by positions of equations.
    pub(super) replaced: Rc<BTreeMap<usize, ExprId>>,
    pub(super) bounds: Bounds,
    /// Known standings of values.
    pub(super) judge: Judge,
    /// Base units used so far.
    pub(super) units: IndexSet<ExprId>,
    /// Arguments and indices in scope, innermost last.
    scope: Vec<(String, Argument)>,
}

/// Lowered equations with their provisos.
type Instances<T> = HashMap<Instance, (T, Provisos)>;

type Lowered<T> = Result<T, Diagnostic>;

impl<'m, 'a> Lowering<'m, 'a> {
    pub(super) fn new(model: &'m Model, arena: &'a mut Arena) -> Lowering<'m, 'a> {
        let never_negative = never_negative_parameters(model, arena);
        let whole = whole_parameters(model, arena);
        Lowering {
            whole,
            model,
            arena,
            never_negative,
            numbers: HashMap::new(),
            costs: HashMap::new(),
            conditions: IndexSet::new(),
            by_name: false,
            written_out: HashSet::new(),
            kept: HashSet::new(),
            guards: 0,
            instances: 0,
            terms: 0,
            numbers_by_name: HashMap::new(),
            functions_by_name: BTreeMap::new(),
            sections_by_name: HashMap::new(),
            routines_by_name: BTreeMap::new(),
            notes: Notes::default(),
            replaced: Rc::default(),
            bounds: Bounds::default(),
            judge: Judge::new(model),
            units: IndexSet::new(),
            scope: Vec::new(),
        }
    }

    /// True if the equation at `position` is a name here; inside an `at`, names have other values.
    pub(super) fn mentions(&self, position: usize) -> bool {
        let by_name = self.by_name || self.kept.contains(&position);
        by_name && self.replaced.is_empty() && !self.written_out.contains(&position)
    }

    pub(super) fn instance(&self, position: usize, arguments: &Rc<[Argument]>) -> Instance {
        let replaced = self.replaced.clone();
        (position, arguments.clone(), replaced, self.by_name)
    }

    /// Counts an expanded call.
    pub(super) fn count_instance(&mut self, arguments: &[Argument], span: Span) -> Lowered<()> {
        self.instances += u64::from(!arguments.is_empty() || !self.replaced.is_empty());
        let many = self.instances > MOST_INSTANCES;
        if !many && (arguments.is_empty() || self.terms <= MOST_TERMS) {
            return Ok(());
        }
        let message = if many {
            format!("the model takes more than {MOST_INSTANCES} different calls")
        } else {
            format!("the model takes sums of more than {MOST_TERMS} terms for its calls")
        };
        Err(Diagnostic::error(message, span, "called here once more")
            .hint("calls with scalar arguments are not expanded; all others are"))
    }

    pub(super) fn local(&self, name: &str) -> Option<&Argument> {
        self.scope
            .iter()
            .rev()
            .find(|(local, _)| local == name)
            .map(|(_, argument)| argument)
    }

    /// True if `expr` is a truth value by its form, in this scope.
    pub(super) fn is_truth_value(&self, expr: &Expr) -> bool {
        self.model.is_truth_value(expr, &|name| {
            self.local(name)
                .map(|argument| matches!(argument, Argument::Number { truth: true, .. }))
        })
    }

    /// The components of `expr` by its form, if it is a vector.
    pub(super) fn extent(&self, expr: &Expr) -> Option<Extent> {
        self.model.extent(expr, &|name| {
            self.local(name).map(|argument| match argument {
                Argument::Number { extent, .. } => *extent,
                _ => None,
            })
        })
    }

    /// Lowers the right-hand side of an equation, with only its formals in scope.
    pub(super) fn in_equation<T>(
        &mut self,
        equation: &Equation,
        arguments: &[Argument],
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let formals = equation.formals.iter().map(|f| f.text.clone());
        let outer = std::mem::replace(
            &mut self.scope,
            formals.zip(arguments.iter().cloned()).collect(),
        );
        let lowered = lower(self);
        self.scope = outer;
        lowered
    }

    /// Lowers with empty provisos and returns those that were added.
    pub(super) fn collecting<T>(
        &mut self,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(T, Provisos)> {
        let outer = (
            std::mem::take(&mut self.conditions),
            std::mem::take(&mut self.notes),
        );
        let lowered = lower(self);
        let provisos = Provisos {
            conditions: std::mem::replace(&mut self.conditions, outer.0)
                .into_iter()
                .collect(),
            notes: std::mem::replace(&mut self.notes, outer.1),
        };
        Ok((lowered?, provisos))
    }

    /// Adds the provisos of an earlier result.
    pub(super) fn adopt(&mut self, provisos: &Provisos) {
        self.ask(&provisos.conditions);
        self.notes = self.notes.and(provisos.notes);
    }

    /// Adds conditions that must hold where the model is evaluated.
    pub(super) fn ask(&mut self, conditions: &[ExprId]) {
        let arena = &self.arena;
        let open = |&&c: &&ExprId| !arena.as_number(c).is_some_and(Rational::is_one);
        self.conditions.extend(conditions.iter().filter(open));
    }

    /// Lowers a branch; its conditions apply only where it is selected.
    pub(super) fn under_condition<T>(
        &mut self,
        chosen: ExprId,
        branch: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        self.guards += 1;
        let collected = self.collecting(branch);
        self.guards -= 1;
        let (lowered, provisos) = collected?;
        self.notes = self.notes.and(provisos.notes);
        for &condition in provisos.conditions.iter() {
            let asked = self.arena.asked_where(chosen, condition);
            self.ask(&[asked]);
        }
        Ok(lowered)
    }

    /// Lowers the body of a binder over `index`; its conditions apply in each iteration.
    pub(super) fn under_binder<T>(
        &mut self,
        name: &str,
        binder: Binder,
        body: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<T> {
        let Binder {
            index,
            lower,
            upper,
            value,
        } = binder;
        if never_negative(self.arena, &self.never_negative, lower) {
            self.never_negative.insert(index);
        }
        self.guards += 1;
        let collected = self.collecting(|inner| inner.under_index(name, value, body));
        self.guards -= 1;
        let (lowered, provisos) = collected?;
        self.notes = self.notes.and(provisos.notes);
        let is_random = self.is_law(upper);
        for &condition in provisos.conditions.iter() {
            // How many iterations there are is drawn; they are alike.
            if is_random && !self.arena.mentions(condition, index) {
                self.ask(&[condition]);
                continue;
            }
            let asked = self.arena.asked_in_each(condition, (index, lower, upper));
            self.ask(&[asked]);
        }
        Ok(lowered)
    }

    /// Lowers with a name bound to an argument, whose conditions apply.
    pub(super) fn under_argument<T>(
        &mut self,
        name: &str,
        argument: Argument,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scope.push((name.to_owned(), argument));
        let lowered = lower(self);
        self.scope.pop();
        lowered
    }

    /// Lowers with an index in scope.
    pub(super) fn under_index<T>(
        &mut self,
        name: &str,
        value: ExprId,
        lower: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scope.push((
            name.to_owned(),
            Argument::Number {
                value,
                truth: false,
                extent: None,
                asks: Rc::new([]),
            },
        ));
        let lowered = lower(self);
        self.scope.pop();
        lowered
    }

    pub(super) fn arguments(&mut self, arguments: &[Expr]) -> Lowered<Rc<[Argument]>> {
        arguments
            .iter()
            .map(|argument| self.argument(argument))
            .collect()
    }

    pub(super) fn argument(&mut self, expr: &Expr) -> Lowered<Argument> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(argument) = self.local(name)
        {
            return Ok(argument.clone());
        }
        let (name, arguments) = match &expr.kind {
            ExprKind::Name(name) => (name.as_str(), [].as_slice()),
            ExprKind::Call(name, arguments) => (name.text.as_str(), arguments.as_slice()),
            _ => return self.number_argument(expr),
        };
        match self
            .model
            .position(name)
            .map(|position| (position, self.model.equations()[position].kind))
        {
            Some((position, Type::Process)) => {
                Ok(Argument::Process(position, self.arguments(arguments)?))
            }
            Some((_, Type::Resource)) => self.resource(expr).map(Argument::Resource),
            None if name == FCFS => self.resource(expr).map(Argument::Resource),
            _ => self.number_argument(expr),
        }
    }

    fn number_argument(&mut self, expr: &Expr) -> Lowered<Argument> {
        let (truth, extent) = (self.is_truth_value(expr), self.extent(expr));
        let (value, provisos) = self.collecting(|inner| inner.numeric(expr))?;
        self.notes = self.notes.and(provisos.notes);
        Ok(Argument::Number {
            value,
            truth,
            extent,
            asks: provisos.conditions,
        })
    }

    /// The array element that a resource expression denotes.
    pub(super) fn resource(&mut self, expr: &Expr) -> Lowered<Resource> {
        crate::model::with_stack(|| match &expr.kind {
            ExprKind::Name(name) => match self.local(name) {
                Some(Argument::Resource(resource)) => Ok(*resource),
                Some(_) => Err(not_a("resource", expr.span)),
                None => self.resource_called(name, &[], expr.span),
            },
            ExprKind::Call(name, arguments) => {
                self.resource_called(&name.text, arguments, name.span)
            }
            _ => Err(not_a("resource", expr.span)),
        })
    }

    fn resource_called(&mut self, name: &str, arguments: &[Expr], span: Span) -> Lowered<Resource> {
        if self.model.is_resource_array(name) {
            let array = self.arena.named(name);
            let index = match arguments.first() {
                Some(index) => self.numeric(index)?,
                None => self.arena.number(0),
            };
            let model = self.model;
            let own = model
                .lookup(name)
                .and_then(|e| Some((e, model.servers(e)?)));
            let (multiplicity, place) = match (arguments.get(1), own) {
                (Some(multiplicity), _) => (self.numeric(multiplicity)?, multiplicity.span),
                (None, Some((equation, servers))) => {
                    let arguments = self.arguments(arguments)?;
                    let lower = |inner: &mut Self| inner.numeric(servers);
                    (self.in_equation(equation, &arguments, lower)?, servers.span)
                }
                (None, None) => (self.arena.number(1), span),
            };
            if let Some(number) = self.arena.as_number(multiplicity)
                && !(number.is_positive() && number.is_integer())
            {
                return Err(crate::model::not_servers(number, place));
            }
            let positive = self.arena.positive(multiplicity);
            let whole = self.arena.apply(Function::Integer, multiplicity);
            self.ask(&[positive, whole]);
            return Ok(Resource {
                array,
                index,
                multiplicity,
            });
        }
        let model = self.model;
        match model
            .lookup(name)
            .map(|equation| (equation, &equation.value))
        {
            Some((equation, Some(Definition::Resource(value)))) => {
                let arguments = self.arguments(arguments)?;
                self.in_equation(equation, &arguments, |inner| inner.resource(value))
            }
            _ => Err(not_a("resource", span)),
        }
    }
}
