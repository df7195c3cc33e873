//! Routines: processes with arguments that stay names in larger ones. Each is lowered once, over
//! its formals.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

use super::argument::{Argument, Provisos};
use super::cost::Cost;
use super::mention::{LARGEST_WRITTEN_OUT, MOST_DEMANDS};
use super::named::{Function, Part, Routine};
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Defined, ExprId, Node, ReduceKind, Sort};

type Lowered<T> = Result<T, Diagnostic>;

impl Lowering<'_, '_> {
    /// The cost of a call by name; `None` to expand the call.
    ///
    /// A call is expanded if it is small, if some argument is not a scalar, or if its cost is not a
    /// scalar at known resources.
    pub(super) fn routine_called(
        &mut self,
        position: usize,
        arguments: &[Argument],
        span: Span,
    ) -> Lowered<Option<Cost>> {
        let Some(values) = self.scalars(arguments, false) else {
            return Ok(None);
        };
        let size = |&value: &ExprId| u64::from(self.arena.size(value));
        let sizes: Vec<u64> = values.iter().map(size).collect();
        if self.model.expansion_with(position, &sizes) <= LARGEST_WRITTEN_OUT {
            return Ok(None);
        }
        let Some(routine) = self.routine_at(position, span)? else {
            return Ok(None);
        };
        for argument in arguments {
            if let Argument::Number { asks, .. } = argument {
                self.ask(asks);
            }
        }
        let given: BTreeMap<ExprId, ExprId> = routine.formals.iter().copied().zip(values).collect();
        self.notes = self.notes.and(routine.notes);
        let mut demands = Vec::with_capacity(routine.demands.len());
        for (unit, amount) in &routine.demands {
            let (unit, amount) = (
                self.put(*unit, &given),
                self.called(amount, &routine, &given),
            );
            demands.push(self.arena.mul(&[amount, unit]));
        }
        Ok(Some(Cost {
            phi: self.called(&routine.phi, &routine, &given),
            delta: if demands.is_empty() {
                self.arena.zero_vector()
            } else {
                self.arena.add(&demands)
            },
            time: self.called(&routine.time, &routine, &given),
            covered: false,
            outlasting: false,
            notes: routine.notes,
        }))
    }

    /// The amount at each unit vector of a demand, which branches may select.
    ///
    /// Returns `None` if a loop, or the position of a branch, determines the resources.
    pub(super) fn demands_by_unit(&mut self, vector: ExprId) -> Option<Vec<(ExprId, ExprId)>> {
        match self.arena.node(vector).clone() {
            Node::Add(parts) => {
                // Added at once: sums of thousands of phases, added one by one, take squares of them.
                let mut all = IndexMap::<ExprId, Vec<ExprId>>::new();
                for &part in parts.iter() {
                    for (unit, amount) in self.demands_by_unit(part)? {
                        all.entry(unit).or_default().push(amount);
                    }
                }
                let summed = all.into_iter();
                let summed = summed.map(|(unit, amounts)| (unit, self.arena.add(&amounts)));
                Some(summed.collect())
            }
            Node::If(condition, then, otherwise) => {
                let [then, otherwise] = [
                    self.demands_by_unit(then)?,
                    self.demands_by_unit(otherwise)?,
                ]
                .map(IndexMap::<ExprId, ExprId>::from_iter);
                let units: IndexSet<ExprId> =
                    then.keys().chain(otherwise.keys()).copied().collect();
                let zero = self.arena.number(0);
                let amount =
                    |branch: &IndexMap<ExprId, ExprId>, unit| *branch.get(unit).unwrap_or(&zero);
                let known = units.iter().all(|&unit| self.arena.is_total(unit));
                let chosen = units.iter().map(|unit| {
                    let (then, otherwise) = (amount(&then, unit), amount(&otherwise, unit));
                    (*unit, self.arena.if_else(condition, then, otherwise))
                });
                known.then(|| chosen.collect())
            }
            Node::Reduce(r) if r.kind == ReduceKind::Sum => {
                let demands = self.demands_by_unit(r.body)?;
                let fixed = |&(unit, _): &(ExprId, ExprId)| !self.arena.mentions(unit, r.index);
                if !demands.iter().all(fixed) {
                    return None;
                }
                let summed = demands.into_iter().map(|(unit, amount)| {
                    (
                        unit,
                        self.arena.reduce(r.kind, r.index, r.lower, r.upper, amount),
                    )
                });
                Some(summed.collect())
            }
            Node::Mul(factors) => {
                let is_vector = |&f: &ExprId| self.arena.sort(f) == Sort::Vector;
                let (vectors, scalars): (Vec<ExprId>, Vec<ExprId>) =
                    factors.iter().copied().partition(is_vector);
                let [vector] = vectors[..] else { return None };
                let demands = self.demands_by_unit(vector)?.into_iter();
                let scaled = demands.map(|(unit, amount)| {
                    (unit, self.arena.mul(&[&[amount], &scalars[..]].concat()))
                });
                Some(scaled.collect())
            }
            Node::UnitVector(..) => Some(vec![(vector, self.arena.number(1))]),
            Node::Vector(list) if list.is_empty() => Some(Vec::new()),
            _ => None,
        }
    }

    /// Substitutes values for the formal arguments of an expression.
    fn put(&mut self, expr: ExprId, given: &BTreeMap<ExprId, ExprId>) -> ExprId {
        self.arena.replace(expr, &|_, id| given.get(&id).copied())
    }

    fn called(
        &mut self,
        part: &Part,
        routine: &Routine,
        given: &BTreeMap<ExprId, ExprId>,
    ) -> ExprId {
        match part {
            Part::Written(expr) => self.put(*expr, given),
            Part::Named(_, function) => {
                let values: Vec<ExprId> = routine.formals.iter().map(|f| given[f]).collect();
                self.arena.call(function.symbol, &values)
            }
        }
    }

    /// The process with arguments at `position`, over its formals.
    fn routine_at(&mut self, position: usize, span: Span) -> Lowered<Option<Rc<Routine>>> {
        if let Some(known) = self.routines_by_name.get(&position) {
            return Ok(known.clone());
        }
        let (names, arguments) = self.formals_of(position);
        let formals = self.scalars(&arguments, false).unwrap_or_default();
        let (cost, provisos) = self.by_itself(position, |inner| {
            inner.process_written_out(position, &arguments, span)
        })?;
        let demands = self.demands_by_unit(cost.delta);
        let scalar = |id: ExprId| self.arena.sort(id) == Sort::Scalar;
        let routine = demands.filter(|demands| {
            demands.len() <= MOST_DEMANDS
                && [cost.phi, cost.time].into_iter().all(scalar)
                && demands.iter().all(|&(_, amount)| scalar(amount))
        });
        let routine = routine.map(|demands| {
            let name = self.model.equations()[position].name.text.clone();
            let demands = (1..).zip(demands).map(|(number, (unit, amount))| {
                (
                    unit,
                    self.part(format!("delta_{name}_{number}"), &names, amount, &provisos),
                )
            });
            let demands = demands.collect();
            Rc::new(Routine {
                phi: self.part(format!("phi_{name}"), &names, cost.phi, &provisos),
                time: self.part(format!("T_{name}"), &names, cost.time, &provisos),
                demands,
                notes: provisos.notes.and(cost.notes),
                formals,
            })
        });
        self.routines_by_name.insert(position, routine.clone());
        Ok(routine)
    }

    fn part(
        &mut self,
        mut name: String,
        formals: &[String],
        expr: ExprId,
        provisos: &Provisos,
    ) -> Part {
        if provisos.conditions.is_empty() && self.is_short(expr) {
            return Part::Written(expr);
        }
        while self.model.position(&name).is_some() {
            name.push('_');
        }
        let defined = Defined {
            name: name.clone(),
            sort: Sort::Scalar,
            boolean: self.arena.is_boolean(expr),
            total: self.arena.is_total(expr) && provisos.conditions.is_empty(),
            kept: false,
            directions: Box::default(),
            limits: Box::default(),
        };
        let function = Function {
            symbol: self.arena.function(&Arc::new(defined)),
            formals: formals.to_vec(),
            expr,
            conditions: provisos.conditions.clone(),
            declared: Vec::new(),
        };
        Part::Named(name, function)
    }
}
