//! Mentions: equations that appear by name inside others.
//!
//! A small equation has every name expanded. In a larger one all mentioned equations stay names. The treatment of the
//! names is decided once closed forms are known. The lowered model is therefore as large as its text.

use std::rc::Rc;
use std::sync::Arc;

use super::argument::{Argument, Provisos, not_a};
use super::cost::{Cost, Notes};
use super::named::{Function, Number, Section};
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Defined, ExprId, LONGEST_NUMBER, LawKind, Limit, Node, Sort, Symbol};
use crate::syntax::tree::{
    Direction, Equation, ExprKind, ParameterFact, Relation, Type, Value as Definition,
};

type Lowered<T> = Result<T, Diagnostic>;

/// Limit of the size of an expanded equation, in nodes of its tree.
pub(super) const LARGEST_WRITTEN_OUT: u64 = 500;
/// A definition with at most this many nodes, without long numbers and mentions, is expanded everywhere.
const SMALL: u32 = 8;
/// Limit of the number of resources in a named demand; larger demands are expanded.
pub(super) const MOST_DEMANDS: usize = 64;

impl Lowering<'_, '_> {
    /// The numeric equation at `position`: its right-hand side, or its name.
    pub(super) fn numeric_equation(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<ExprId> {
        if let Some(value) = self.replaced.get(&position) {
            return Ok(*value);
        }
        let by_name = self.mentions(position) && arguments.is_empty();
        if by_name && !self.model.equations()[position].parameter {
            self.number_mentioned(position, span)
        } else {
            self.numeric_written_out(position, arguments, span)
        }
    }

    /// The right-hand side of the numeric equation at `position`; a parameter is returned as
    /// itself.
    pub(super) fn numeric_written_out(
        &mut self,
        position: usize,
        arguments: &Rc<[Argument]>,
        span: Span,
    ) -> Lowered<ExprId> {
        let key = self.instance(position, arguments);
        if let Some((lowered, provisos)) = self.numbers.get(&key).cloned() {
            self.adopt(&provisos);
            return Ok(lowered);
        }
        self.count_instance(arguments, span)?;
        let model = self.model;
        let equation = &model.equations()[position];
        let is_law = |fact: &ParameterFact| matches!(fact, ParameterFact::Law(_));
        if equation.parameter && equation.facts.iter().any(is_law) {
            let symbol = self.arena.named(&equation.name.text);
            return Ok(self.arena.law(LawKind::Parameter(symbol), &[]));
        }
        let lowered = self.collecting(|inner| match &equation.value {
            _ if equation.parameter && equation.kind == Type::Numeric => {
                inner.note_wait(&equation.name.text, span)?;
                Ok(inner.arena.parameter(&equation.name.text))
            }
            Some(Definition::Numeric(value)) => {
                inner.note_wait(&equation.name.text, span)?;
                inner.in_equation(equation, arguments, |inner| inner.numeric(value))
            }
            _ => Err(not_a("number", span)),
        })?;
        let (value, provisos) = lowered;
        self.numbers.insert(key, (value, provisos.clone()));
        self.adopt(&provisos);
        // If a name stands for the value, its declared facts are assumed.
        if equation.kept && !self.kept.contains(&position) {
            let declared = self.declared_of(position, value)?;
            self.ask(&declared);
        }
        Ok(value)
    }

    /// The declared facts of a kept equation with this value.
    pub(super) fn declared_of(&mut self, position: usize, value: ExprId) -> Lowered<Vec<ExprId>> {
        let equation = &self.model.equations()[position];
        if self.arena.sort(value) != Sort::Scalar {
            return Ok(Vec::new());
        }
        let mut declared = Vec::new();
        for fact in &equation.facts {
            match fact {
                ParameterFact::Integer(_) => {
                    declared.push(self.arena.apply(crate::expr::Function::Integer, value));
                }
                ParameterFact::Bound(relation, bound) => {
                    let limit = self.in_equation(equation, &[], |inner| inner.numeric(bound))?;
                    declared.push(self.compare(*relation, value, limit));
                }
                _ => {}
            }
        }
        Ok(declared)
    }

    /// The numeric equation at `position`, which has no arguments, lowered separately.
    pub(super) fn number_at(&mut self, position: usize, span: Span) -> Lowered<Rc<Number>> {
        if let Some(known) = self.numbers_by_name.get(&position) {
            return Ok(known.clone());
        }
        let (expr, provisos) = self.by_itself(position, |inner| {
            inner.numeric_written_out(position, &[].into(), span)
        })?;
        let name = self.model.equations()[position].name.text.clone();
        let number = Rc::new(Number {
            expr,
            mention: self.mention(position, name, expr),
            provisos,
        });
        self.numbers_by_name.insert(position, number.clone());
        Ok(number)
    }

    /// The expression that represents a numeric equation without arguments where it is mentioned.
    pub(super) fn number_mentioned(&mut self, position: usize, span: Span) -> Lowered<ExprId> {
        let number = self.number_at(position, span)?;
        self.notes = self.notes.and(number.provisos.notes);
        if number.mention == number.expr {
            self.ask(&number.provisos.conditions);
        }
        Ok(number.mention)
    }

    /// The expression that represents a call where it is mentioned; `None` to expand it.
    ///
    /// A call is expanded if the equation is small, or if some argument is not a scalar.
    pub(super) fn call_mentioned(
        &mut self,
        position: usize,
        arguments: &[Argument],
        span: Span,
    ) -> Lowered<Option<ExprId>> {
        let kept = self.kept.contains(&position);
        let Some(values) = self.scalars(arguments, kept) else {
            return Ok(None);
        };
        let sizes: Vec<u64> = values
            .iter()
            .map(|&v| u64::from(self.arena.size(v)))
            .collect();
        if !kept && self.model.expansion_with(position, &sizes) <= LARGEST_WRITTEN_OUT {
            return Ok(None);
        }
        let Some(function) = self.function_at(position, span)? else {
            return Ok(None);
        };
        for argument in arguments {
            if let Argument::Number { asks, .. } = argument {
                self.ask(asks);
            }
        }
        Ok(Some(self.arena.call(function, &values)))
    }

    /// The values of arguments, if all are scalars.
    ///
    /// For a kept function, 0 and 1 are numbers, not only truth values.
    pub(super) fn scalars(&self, arguments: &[Argument], kept: bool) -> Option<Vec<ExprId>> {
        let scalar = |argument: &Argument| match argument {
            Argument::Number { value, truth, .. } => {
                let is_number = !truth || kept && self.arena.as_number(*value).is_some();
                (is_number && self.arena.sort(*value) == Sort::Scalar).then_some(*value)
            }
            _ => None,
        };
        arguments.iter().map(scalar).collect()
    }

    /// Fresh parameter names for the formals of the equation at `position`, also as arguments.
    pub(super) fn formals_of(&mut self, position: usize) -> (Vec<String>, Rc<[Argument]>) {
        let equation = &self.model.equations()[position];
        let mut formals = Vec::new();
        for formal in &equation.formals {
            let mut name = formal.text.clone();
            while self.model.position(&name).is_some() || formals.contains(&name) {
                name.push('_');
            }
            formals.push(name);
        }
        let arguments = formals.iter().map(|name| Argument::Number {
            value: self.arena.parameter(name),
            truth: false,
            extent: None,
            asks: Rc::new([]),
        });
        let arguments = arguments.collect();
        (formals, arguments)
    }

    /// The equation with arguments at `position`, over its formals; `None` where it is no scalar, or takes for
    /// granted what depends on its arguments.
    fn function_at(&mut self, position: usize, span: Span) -> Lowered<Option<Symbol>> {
        if let Some(known) = self.functions_by_name.get(&position) {
            return Ok(known.as_ref().map(|function| function.symbol));
        }
        let equation = &self.model.equations()[position];
        let (formals, arguments) = self.formals_of(position);
        let (expr, provisos) = self.by_itself(position, |inner| {
            inner.numeric_written_out(position, &arguments, span)
        })?;
        let scalar = self.arena.sort(expr) == Sort::Scalar && provisos.notes == Notes::default();
        let kept = self.kept.contains(&position);
        let mut function = scalar.then(|| {
            let defined = Defined {
                name: equation.name.text.clone(),
                sort: Sort::Scalar,
                boolean: self.arena.is_boolean(expr),
                total: self.arena.is_total(expr) && provisos.conditions.is_empty(),
                kept,
                directions: directions(equation, kept),
                limits: limits(equation, kept),
            };
            Function {
                symbol: self.arena.function(&Arc::new(defined)),
                formals,
                expr,
                conditions: provisos.conditions,
                declared: Vec::new(),
            }
        });
        if let Some(function) = function.as_mut().filter(|_| kept) {
            let values = self.scalars(&arguments, kept).unwrap_or_default();
            let call = self.arena.call(function.symbol, &values);
            function.declared = self.declared_of(position, call)?;
        }
        let symbol = function.as_ref().map(|function| function.symbol);
        self.functions_by_name.insert(position, function);
        Ok(symbol)
    }

    /// The process at `position`, which has no arguments, lowered separately.
    pub(super) fn section_at(&mut self, position: usize, span: Span) -> Lowered<Rc<Section>> {
        if let Some(known) = self.sections_by_name.get(&position) {
            return Ok(known.clone());
        }
        let (cost, provisos) = self.by_itself(position, |inner| {
            inner.process_written_out(position, &[].into(), span)
        })?;
        let name = self.model.equations()[position].name.text.clone();
        let mut amounts = Vec::new();
        let mention = Cost {
            phi: self.mention(position, format!("phi_{name}"), cost.phi),
            delta: self.demand_mentioned((position, &name), cost.delta, &mut amounts),
            time: self.mention(position, format!("T_{name}"), cost.time),
            covered: cost.covered && self.is_law(cost.time),
            outlasting: cost.outlasting,
            notes: cost.notes,
        };
        let section = Rc::new(Section {
            cost,
            provisos,
            amounts,
            mention,
        });
        self.sections_by_name.insert(position, section.clone());
        Ok(section)
    }

    /// The cost that represents a process without arguments where it is mentioned.
    pub(super) fn section_mentioned(&mut self, position: usize, span: Span) -> Lowered<Cost> {
        let section = self.section_at(position, span)?;
        let written_out = section.mention.phi == section.cost.phi
            || section.mention.time == section.cost.time
            || section.mention.delta == section.cost.delta;
        self.notes = self.notes.and(section.provisos.notes);
        if written_out {
            self.ask(&section.provisos.conditions);
        }
        Ok(section.mention)
    }

    /// Lowers an equation separately, at any size, with its own conditions.
    pub(super) fn by_itself<T>(
        &mut self,
        position: usize,
        lower: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<(T, Provisos)> {
        let large = self.model.expansion(position) > LARGEST_WRITTEN_OUT;
        let by_name = std::mem::replace(&mut self.by_name, large);
        let lowered = self.collecting(lower);
        self.by_name = by_name;
        lowered
    }

    /// True if an expression is as short as a name.
    pub(super) fn is_short(&self, expr: ExprId) -> bool {
        self.arena.size(expr) <= SMALL
            && self.arena.mentioned(expr).next().is_none()
            && self.arena.longest_number(expr) <= LONGEST_NUMBER
    }

    /// The name of an equation as an expression, or the equation itself if it is as short.
    pub(super) fn mention(&mut self, position: usize, name: String, expr: ExprId) -> ExprId {
        let sort = self.arena.sort(expr);
        let kept = self.kept.contains(&position);
        let small = !kept && self.is_short(expr);
        let taken = self
            .model
            .position(&name)
            .is_some_and(|other| other != position);
        if sort == Sort::Vector || small || taken {
            return expr;
        }
        self.arena.reference(&Arc::new(Defined {
            name,
            sort,
            boolean: self.arena.is_boolean(expr),
            total: self.arena.is_total(expr),
            kept,
            directions: Box::default(),
            limits: Box::default(),
        }))
    }

    /// A demand whose amounts stand by name: which resources are used is seen everywhere.
    fn demand_mentioned(
        &mut self,
        (position, process): (usize, &str),
        delta: ExprId,
        amounts: &mut Vec<(String, ExprId)>,
    ) -> ExprId {
        let Some(demands) = self
            .demands_by_unit(delta)
            .filter(|list| list.len() <= MOST_DEMANDS)
        else {
            return delta;
        };
        let mut parts = Vec::with_capacity(demands.len());
        for (number, (unit, amount)) in (1..).zip(demands) {
            let mut name = format!("delta_{process}_{number}");
            while self.model.position(&name).is_some() {
                name.push('_');
            }
            let mention = self.mention(position, name.clone(), amount);
            if mention != amount {
                amounts.push((name, amount));
            }
            parts.push(self.arena.mul(&[mention, unit]));
        }
        self.arena.add(&parts)
    }

    /// True if an expression is a law by its top node. Its moments would add nothing.
    pub(super) fn is_plain_law(&self, expr: ExprId) -> bool {
        use LawKind::{Empirical, Named, Parameter};
        matches!(
            self.arena.node(expr),
            Node::Law(Named(_) | Empirical(_) | Parameter(_), _)
        )
    }
}

/// Declared monotonicity of a function whose name is kept.
fn directions(equation: &Equation, kept: bool) -> Box<[Option<Direction>]> {
    let declared = |fact: &ParameterFact| matches!(fact, ParameterFact::Monotone(_));
    if kept && equation.facts.iter().any(declared) {
        (equation.formals.iter())
            .map(|formal| equation.direction(&formal.text))
            .collect()
    } else {
        Box::default()
    }
}

/// The numbers that bound the values of a function whose name stays.
fn limits(equation: &Equation, kept: bool) -> Box<[Limit]> {
    let limit = |fact: &ParameterFact| {
        let ParameterFact::Bound(relation, bound) = fact else {
            return None;
        };
        let ExprKind::Number(number) = &bound.kind else {
            return None;
        };
        Some(Limit {
            number: number.clone(),
            is_least: matches!(relation, Relation::Greater | Relation::GreaterEqual),
            is_strict: matches!(relation, Relation::Greater | Relation::Less),
        })
    };
    if kept {
        equation.facts.iter().filter_map(limit).collect()
    } else {
        Box::default()
    }
}
