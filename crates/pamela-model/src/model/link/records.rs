//! Resolves records and their fields: symbols of parameters, values of rows, arguments of calls.

use super::forms::{Declared, RowAt, check_value, in_order};
use super::instances::suggested;
use super::unit::Target;
use super::{Linker, ROOT};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::walk::with_stack;
use crate::syntax::tree::{Equation, Expr, ExprKind, Item, Name, ParameterFact, Type, Value};

/// Maximum number of names followed until a record is found.
const MOST_STEPS: usize = 100;

/// A name that an equation or a loop binds.
#[derive(Clone, Debug)]
pub(super) enum Local {
    /// A number, a process or a resource.
    Plain(String),
    /// An argument whose fields are used.
    Record(String),
    /// An index over the rows of a table.
    Row(String, RowAt),
}

impl Local {
    pub(super) fn name(&self) -> &str {
        match self {
            Local::Plain(name) | Local::Record(name) | Local::Row(name, _) => name,
        }
    }
}

/// Scope of name lookup.
#[derive(Clone, Copy)]
pub(super) struct Scope<'l> {
    pub(super) instance: usize,
    pub(super) locals: &'l [Local],
}

/// Meaning of a name that stands for a record.
pub(super) enum RecordAt {
    Formal(String),
    Row(RowAt),
    Equation(Target),
}

/// A request for a field.
#[derive(Clone, Copy)]
pub(super) struct FieldRequest<'a> {
    pub(super) field: &'a str,
    pub(super) place: Span,
}

pub(super) type FieldResult = Result<Expr, Box<Diagnostic>>;

impl Linker {
    /// The record or table that a parameter is declared to be a row of.
    pub(super) fn declared_of(&self, target: Target) -> Result<Option<Declared>, Box<Diagnostic>> {
        let equation = self.equation(target);
        let Some(name) = row_fact(equation) else {
            return Ok(None);
        };
        match self.find_declared(target.instance, &name.text) {
            Some(declared) => Ok(Some(declared)),
            None => Err(self.no_declared(target.instance, name, "record or table")),
        }
    }

    /// True if an equation stands for a record.
    pub(super) fn is_record(&mut self, target: Target) -> bool {
        if target.field > 0 {
            return false;
        }
        if let Some(&known) = self.are_records.get(&target) {
            return known;
        }
        self.are_records.insert(target, false);
        let units = self.units.clone();
        let equation = units[self.instances[target.instance].unit].equation(target.item);
        let scope = Scope {
            instance: target.instance,
            locals: &[],
        };
        let is_record = row_fact(equation).is_some()
            || match &equation.value {
                Some(Value::Numeric(value)) if equation.formals.is_empty() => {
                    self.is_record_expr(scope, value)
                }
                _ => false,
            };
        self.are_records.insert(target, is_record);
        is_record
    }

    /// True if an expression stands for a record.
    pub(super) fn is_record_expr(&mut self, scope: Scope<'_>, value: &Expr) -> bool {
        with_stack(|| match &value.kind {
            ExprKind::Name(path) => self.record_at(scope, path).is_some(),
            ExprKind::Call(name, _) => self.builds(scope, &name.text).is_some(),
            ExprKind::If(_, then, otherwise) => {
                self.is_record_expr(scope, then) || self.is_record_expr(scope, otherwise)
            }
            ExprKind::Switch(cases) => cases.iter().any(|(_, e)| self.is_record_expr(scope, e)),
            _ => false,
        })
    }

    /// The record that a call of this name builds.
    fn builds(&self, scope: Scope<'_>, name: &str) -> Option<Declared> {
        if scope.locals.iter().any(|local| local.name() == name) {
            return None;
        }
        let (instance, item) = self.find_declared(scope.instance, name)?;
        let unit = &self.units[self.instances[instance].unit];
        matches!(unit.items[item], Item::Record(_)).then_some((instance, item))
    }

    pub(super) fn record_at(&mut self, scope: Scope<'_>, path: &str) -> Option<RecordAt> {
        let instance = scope.instance;
        let Some((before, last)) = path.rsplit_once('.') else {
            let local = scope.locals.iter().rev();
            if let Some(local) = { local }.find(|local| local.name() == path) {
                return match local {
                    Local::Plain(_) => None,
                    Local::Record(name) => Some(RecordAt::Formal(name.clone())),
                    Local::Row(_, row) => Some(RecordAt::Row(*row)),
                };
            }
            let unit = &self.units[self.instances[instance].unit];
            let own = unit.position(path).map(|item| Target::new(instance, item));
            let target = own.or_else(|| self.single(instance, path))?;
            return self.is_record(target).then_some(RecordAt::Equation(target));
        };
        if let Some(table) = self.find_declared(instance, before)
            && let Some(row) = self.form(table).row(last)
        {
            return Some(RecordAt::Row(RowAt { table, row }));
        }
        if !self.instances[instance]
            .under
            .contains_key(path.split('.').next()?)
        {
            return None;
        }
        let target = self.find_path(instance, path, Span::default()).ok()?;
        self.is_record(target).then_some(RecordAt::Equation(target))
    }

    /// Resolves the path `record.field`; `None` if the part before the last point is not a record.
    pub(super) fn field_path(
        &mut self,
        scope: Scope<'_>,
        path: &str,
        span: Span,
    ) -> Option<FieldResult> {
        let (record, field) = path.rsplit_once('.')?;
        let at = self.record_at(scope, record);
        let asked = FieldRequest { field, place: span };
        match at {
            Some(at) => Some(self.field_at(at, record, asked)),
            None => self.no_row(scope, path, span).map(Err),
        }
    }

    /// The error for `table.row` and `table.row.field` without such a row.
    fn no_row(&mut self, scope: Scope<'_>, path: &str, span: Span) -> Option<Box<Diagnostic>> {
        let (before, last) = path.rsplit_once('.')?;
        let (table, row) = match self.find_declared(scope.instance, before) {
            Some(table) => (table, last),
            None => {
                let (table, row) = before.rsplit_once('.')?;
                (self.find_declared(scope.instance, table)?, row)
            }
        };
        let form = self.form(table);
        let message = format!("`{}` has no row `{row}`", form.name);
        let error = Diagnostic::error(message, span, "used here").code(Code::Record);
        let missing = form.row(row).is_none();
        missing.then(|| Box::new(suggested(error, row, form.rows())))
    }

    /// A field of an expression that stands for a record. A single name may be a row of `table`.
    pub(super) fn field(
        &mut self,
        scope: Scope<'_>,
        value: &Expr,
        asked: FieldRequest<'_>,
        table: Option<Declared>,
    ) -> FieldResult {
        with_stack(|| match &value.kind {
            ExprKind::Name(name) => {
                if let Some(row) = self.row_named(table, name) {
                    return self.field_at(RecordAt::Row(row), name, asked);
                }
                match self.record_at(scope, name) {
                    Some(at) => self.field_at(at, name, asked),
                    None => self.not_a_record(value, asked, table),
                }
            }
            ExprKind::Call(name, arguments) => match self.builds(scope, &name.text) {
                Some(record) => self.built(scope, record, name.span, arguments, asked),
                None => self.not_a_record(value, asked, table),
            },
            ExprKind::If(condition, then, otherwise) => {
                let mut condition = condition.clone();
                self.expr(scope.instance, &mut condition, &mut scope.locals.to_vec());
                let then = self.field(scope, then, asked, table)?;
                let otherwise = self.field(scope, otherwise, asked, table)?;
                Ok(Expr {
                    kind: ExprKind::If(condition, Box::new(then), Box::new(otherwise)),
                    span: value.span,
                })
            }
            ExprKind::Switch(cases) => {
                let case = |(condition, e): &(Expr, Expr)| {
                    let mut condition = condition.clone();
                    self.expr(scope.instance, &mut condition, &mut scope.locals.to_vec());
                    Ok((condition, self.field(scope, e, asked, table)?))
                };
                let cases = cases
                    .iter()
                    .map(case)
                    .collect::<Result<_, Box<Diagnostic>>>()?;
                Ok(Expr {
                    kind: ExprKind::Switch(cases),
                    span: value.span,
                })
            }
            _ => self.not_a_record(value, asked, table),
        })
    }

    /// The fields of the record that a name stands for, if it does.
    pub(super) fn fields_of_record(&mut self, scope: Scope<'_>, name: &str) -> Option<Vec<String>> {
        let declared = match self.record_at(scope, name)? {
            RecordAt::Row(row) => Some(row.table),
            RecordAt::Equation(target) => self.declared_of(target).ok().flatten(),
            RecordAt::Formal(_) => None,
        };
        Some(declared.map_or_else(Vec::new, |declared| self.field_names(declared)))
    }

    /// The fields of the record that a call of this name builds.
    pub(super) fn fields_of_built(&mut self, scope: Scope<'_>, name: &str) -> Option<Vec<String>> {
        let declared = self.builds(scope, name)?;
        Some(self.field_names(declared))
    }

    fn field_names(&mut self, declared: Declared) -> Vec<String> {
        let form = self.form(declared);
        form.fields.iter().map(|f| f.name.text.clone()).collect()
    }

    fn row_named(&mut self, table: Option<Declared>, name: &str) -> Option<RowAt> {
        let table = table?;
        let row = self.form(table).row(name)?;
        Some(RowAt { table, row })
    }

    fn not_a_record(
        &mut self,
        value: &Expr,
        asked: FieldRequest<'_>,
        table: Option<Declared>,
    ) -> FieldResult {
        let place = value.span;
        let Some(form) = table
            .map(|table| self.form(table))
            .filter(|f| f.rows().len() > 0)
        else {
            let error = Diagnostic::error(
                "expected a record, found something else",
                place,
                "no record",
            );
            let label = format!("its field `{}` is used here", asked.field);
            return Err(Box::new(if asked.place == place {
                error
            } else {
                error.also(asked.place, label)
            }));
        };
        let shown = value.to_string();
        let message = format!("`{}` has no row `{shown}`", form.name);
        let error = Diagnostic::error(message, place, "expected a row").code(Code::Record);
        Err(Box::new(suggested(error, &shown, form.rows())))
    }

    fn built(
        &mut self,
        scope: Scope<'_>,
        record: Declared,
        place: Span,
        arguments: &[Expr],
        asked: FieldRequest<'_>,
    ) -> FieldResult {
        let form = self.form(record);
        let what = format!("`{}`", form.name);
        let values = in_order(&form, &what, arguments, place)?;
        for (field, value) in form.fields.iter().zip(&values) {
            check_value(&what, field, value)?;
        }
        let Some(position) = form.field(asked.field) else {
            return Err(self.no_field(record, asked));
        };
        let mut value = values[position].clone();
        self.expr(scope.instance, &mut value, &mut scope.locals.to_vec());
        Ok(value)
    }

    pub(super) fn no_field(
        &mut self,
        record: Declared,
        asked: FieldRequest<'_>,
    ) -> Box<Diagnostic> {
        let form = self.form(record);
        let message = format!("`{}` has no field `{}`", form.name, asked.field);
        let error = Diagnostic::error(message, asked.place, "used here").code(Code::Record);
        let names = form.fields.iter().map(|field| field.name.text.as_str());
        Box::new(suggested(error, asked.field, names))
    }

    fn field_at(&mut self, at: RecordAt, name: &str, asked: FieldRequest<'_>) -> FieldResult {
        match at {
            RecordAt::Formal(formal) => {
                let name = self.formal_field(&formal, asked.field);
                Ok(Expr {
                    kind: ExprKind::Name(name),
                    span: asked.place,
                })
            }
            RecordAt::Row(row) => {
                let form = self.form(row.table);
                let position = form.field(asked.field);
                let position = position.ok_or_else(|| self.no_field(row.table, asked))?;
                Ok(form.value(row.row, position).clone())
            }
            RecordAt::Equation(target) => {
                if self.steps > MOST_STEPS {
                    let message = format!("`{name}` is defined in terms of itself");
                    return Err(Box::new(Diagnostic::error(
                        message,
                        asked.place,
                        "used here",
                    )));
                }
                self.steps += 1;
                let found = self.field_of(target, asked);
                self.steps -= 1;
                found
            }
        }
    }

    /// A field of an equation that stands for a record.
    fn field_of(&mut self, target: Target, asked: FieldRequest<'_>) -> FieldResult {
        let declared = self.declared_of(target)?;
        if let Some(declared) = declared {
            let form = self.form(declared);
            let Some(position) = form.field(asked.field) else {
                return Err(self.no_field(declared, asked));
            };
            if self.equation(target).parameter {
                let name = self.reach(target.of_field(position));
                return Ok(Expr {
                    kind: ExprKind::Name(name),
                    span: asked.place,
                });
            }
        }
        match self.value_of(target) {
            Some((instance, value)) => {
                let locals = &[];
                self.field(Scope { instance, locals }, &value, asked, declared)
            }
            None => {
                let equation = &self.equation(target).name;
                let message = format!("`{}` has no value", equation.text);
                let error =
                    Diagnostic::error(message, equation.span, "declared here").code(Code::Record);
                let hint = "write `parameter` before its name, or give it a row";
                Err(Box::new(error.hint(hint)))
            }
        }
    }

    /// The value of an equation, and the instance in whose scope it is read.
    pub(super) fn value_of(&self, target: Target) -> Option<(usize, Expr)> {
        let item = Target { field: 0, ..target };
        if let Some(row) = self.chosen.get(&item) {
            return Some((ROOT, row.clone()));
        }
        if let Some(given) = self.instances[target.instance].given.get(&target.item) {
            return Some(given.clone());
        }
        match &self.equation(item).value {
            Some(Value::Numeric(value)) => Some((target.instance, value.clone())),
            _ => None,
        }
    }

    /// The argument that stands for a field of an argument. Equations with equal argument names
    /// share it.
    pub(super) fn formal_field(&mut self, formal: &str, field: &str) -> String {
        let key = (formal.to_owned(), field.to_owned());
        if let Some(known) = self.formal_fields.get(&key) {
            return known.clone();
        }
        let name = self.unused(format!("{formal}_{field}"));
        self.formal_fields.insert(key, name.clone());
        name
    }

    /// A field of a parameter that is a row, as an equation.
    pub(super) fn equation_of_field(
        &mut self,
        target: Target,
    ) -> Result<Equation, Box<Diagnostic>> {
        let item = Target { field: 0, ..target };
        let equation = self.equation(item).clone();
        let Some(declared) = self.declared_of(item)? else {
            return Ok(equation);
        };
        let form = self.form(declared);
        let field = &form.fields[target.field - 1];
        let mut facts = field.facts.clone();
        for fact in &mut facts {
            if let ParameterFact::Bound(_, bound) = fact {
                self.expr(form.instance, bound, &mut Vec::new());
            }
        }
        let asked = FieldRequest {
            field: &field.name.text,
            place: field.name.span,
        };
        let value = match self.value_of(item) {
            Some((instance, value)) => {
                let scope = Scope {
                    instance,
                    locals: &[],
                };
                let value = self.field(scope, &value, asked, Some(declared));
                Some(Value::Numeric(value?))
            }
            None => None,
        };
        let given = &self.instances[target.instance].given;
        let fixed = self.chosen.contains_key(&item) || given.contains_key(&target.item);
        Ok(Equation {
            facts,
            value,
            parameter: equation.parameter && !fixed,
            auxiliary: true,
            name: Name {
                text: self.names[&target].clone(),
                span: equation.name.span,
            },
            ..equation
        })
    }

    /// Checks the declaration of a record.
    pub(super) fn check_record(&mut self, target: Target) -> Result<(), Box<Diagnostic>> {
        let equation = self.equation(target).clone();
        let name = &equation.name;
        if let Some(fact) = row_fact(&equation)
            && (equation.facts.len() > 1
                || equation.kind != Type::Numeric
                || !equation.formals.is_empty())
        {
            let message = format!("`{}` cannot be a row of `{}`", name.text, fact.text);
            let hint = "write `numeric parameter x : table = row`; the fields have their own facts";
            let error = Diagnostic::error(message, fact.span, "stated here").code(Code::Record);
            return Err(Box::new(error.hint(hint)));
        }
        let declared = self.declared_of(target)?;
        if let Some((instance, value)) = self.value_of(target) {
            let fields = declared.map_or_else(Vec::new, |declared| self.field_names(declared));
            let locals = &[];
            let scope = Scope { instance, locals };
            for field in &fields {
                let place = value.span;
                self.field(scope, &value, FieldRequest { field, place }, declared)?;
            }
        }
        Ok(())
    }
}

pub(super) fn row_fact(equation: &Equation) -> Option<&Name> {
    equation.facts.iter().find_map(|fact| match fact {
        ParameterFact::Row(name) => Some(name),
        _ => None,
    })
}
