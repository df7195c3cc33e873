//! Declared records and tables: their fields, and the values of each row.

use std::sync::Arc;

use super::Linker;
use super::instances::suggested;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::constants::value_of;
use crate::model::predefined::{self, nearest};
use crate::model::units::{Dimension, in_unit};
use crate::model::walk::{Part, parts_of_expr, with_stack};
use crate::ring::Rational;
use crate::syntax::tree::{
    Expr, ExprKind, Field, Item, NAMED, Name, ParameterFact, Relation, Row, Table, Unit,
};

/// A record or a table: an item of an instance.
pub(super) type Declared = (usize, usize);

/// A row of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowAt {
    pub(super) table: Declared,
    pub(super) row: usize,
}

/// The fields of a record or table, and its rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Form {
    pub(super) fields: Vec<Field>,
    /// The instance in which the facts of the fields are read.
    pub(super) instance: usize,
    pub(super) name: String,
    rows: Vec<(Name, Vec<Expr>)>,
}

impl Form {
    pub(super) fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name.text == name)
    }

    pub(super) fn row(&self, name: &str) -> Option<usize> {
        self.rows.iter().position(|(own, _)| own.text == name)
    }

    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.rows.iter().map(|(name, _)| name.text.as_str())
    }

    pub(super) fn value(&self, row: usize, field: usize) -> &Expr {
        &self.rows[row].1[field]
    }
}

impl Linker {
    /// The contents of a record or a table, checked on first use.
    pub(super) fn form(&mut self, declared: Declared) -> Arc<Form> {
        if let Some(known) = self.forms.get(&declared) {
            return known.clone();
        }
        let (instance, item) = declared;
        let units = self.units.clone();
        let form = match &units[self.instances[instance].unit].items[item] {
            Item::Record(record) => {
                self.check_fields(&record.fields);
                Form {
                    fields: record.fields.clone(),
                    instance,
                    name: record.name.text.clone(),
                    rows: Vec::new(),
                }
            }
            Item::Table(table) => self.table(instance, table),
            _ => Form::default(),
        };
        let form = Arc::new(form);
        self.forms.insert(declared, form.clone());
        form
    }

    fn check_fields(&mut self, fields: &[Field]) {
        for (position, field) in fields.iter().enumerate() {
            let mut earlier = fields[..position].iter();
            if let Some(first) = earlier.find(|other| other.name.text == field.name.text) {
                let message = format!("two fields are named `{}`", field.name.text);
                let error =
                    Diagnostic::error(message, field.name.span, "again here").code(Code::Record);
                self.diagnostics
                    .push(error.also(first.name.span, "first here"));
            }
            for fact in &field.facts {
                let (message, span) = match fact {
                    ParameterFact::Row(name) => (
                        format!("a field cannot be a row of `{}`", name.text),
                        name.span,
                    ),
                    ParameterFact::Monotone(own) => {
                        (format!("a field cannot be `{own}`"), own.span)
                    }
                    _ => continue,
                };
                let error = Diagnostic::error(message, span, "stated here").code(Code::Record);
                let hint = "facts of a field are `integer`, `law` and bounds";
                self.diagnostics.push(error.hint(hint));
            }
        }
    }

    fn table(&mut self, instance: usize, table: &Table) -> Form {
        let mut form = match &table.record {
            Some(record) => match self.record_of(instance, record) {
                Ok(declared) => (*self.form(declared)).clone(),
                Err(error) => {
                    self.diagnostics.push(*error);
                    return Form::default();
                }
            },
            None => Form {
                fields: fields_of_rows(&table.rows),
                instance,
                ..Form::default()
            },
        };
        form.name = table.name.text.clone();
        let mut rows: Vec<(Name, Vec<Expr>)> = Vec::new();
        let mut known = std::collections::HashMap::new();
        for row in &table.rows {
            let name = &row.name;
            if let Some(earlier) = known.insert(name.text.clone(), name.span) {
                let message = format!("two rows of `{}` are named `{}`", form.name, name.text);
                let error = Diagnostic::error(message, name.span, "again here").code(Code::Record);
                self.diagnostics.push(error.also(earlier, "first here"));
                continue;
            }
            let values = values_of(&form, row, table.file.is_some()).unwrap_or_else(|error| {
                self.diagnostics.push(*error);
                // The row is there for those who name it: one error is told of it.
                let kind = ExprKind::Number(Rational::from(1));
                let span = name.span;
                vec![Expr { kind, span }; form.fields.len()]
            });
            rows.push((name.clone(), values));
        }
        form.rows = rows;
        form
    }

    /// The record that a table has rows of.
    fn record_of(&self, instance: usize, name: &Name) -> Result<Declared, Box<Diagnostic>> {
        let found = self.find_declared(instance, &name.text);
        let is_record = |&(at, item): &Declared| {
            let unit = &self.units[self.instances[at].unit];
            matches!(unit.items[item], Item::Record(_))
        };
        found
            .filter(is_record)
            .ok_or_else(|| self.no_declared(instance, name, "record"))
    }

    /// The error for a name that is not a record or table.
    pub(super) fn no_declared(&self, instance: usize, name: &Name, what: &str) -> Box<Diagnostic> {
        let message = format!("no {what} named `{}`", name.text);
        let error = Diagnostic::error(message, name.span, "used here").code(Code::Record);
        let unit = &self.units[self.instances[instance].unit];
        let single = self.instances[instance].single_declared.keys();
        let names = unit.declared_names().chain(single.map(String::as_str));
        let is_fact = what == "record or table";
        let words = ["integer", "law"].into_iter().filter(|_| is_fact);
        let names: Vec<&str> = names.chain(words).collect();
        if let Some(path) = self.declared_path_of(instance, &name.text) {
            return Box::new(error.hint(format!("did you mean `{path}`?")));
        }
        Box::new(
            if is_fact && nearest(&name.text, names.iter().copied()).is_none() {
                error.hint("facts are `integer`, `law`, bounds, or the name of a table or a record")
            } else if names.is_empty() {
                error.hint(format!(
                    "declare it: `record {} {{ field : > 0, .. }}`",
                    name.text
                ))
            } else {
                suggested(error, &name.text, names.into_iter())
            },
        )
    }
}

/// The names by which the first row gives its values.
fn fields_of_rows(rows: &[Row]) -> Vec<Field> {
    let values = rows.first().map_or(&[][..], |row| &row.values);
    let names = values.iter().filter_map(|value| named(value));
    let field = |(name, _): (&str, &Expr)| Field {
        name: Name {
            text: name.to_owned(),
            span: rows[0].name.span,
        },
        facts: Vec::new(),
    };
    names.map(field).collect()
}

/// The parts of `name = value`.
pub(super) fn named(value: &Expr) -> Option<(&str, &Expr)> {
    match &value.kind {
        ExprKind::Call(sign, parts) if sign.text == NAMED => match &parts[..] {
            [
                Expr {
                    kind: ExprKind::Name(name),
                    ..
                },
                value,
            ] => Some((name, value)),
            _ => None,
        },
        _ => None,
    }
}

/// The values of a row, or of the arguments that build a record, in the order of the fields.
pub(super) fn in_order(
    form: &Form,
    what: &str,
    values: &[Expr],
    place: Span,
) -> Result<Vec<Expr>, Box<Diagnostic>> {
    let names: Vec<&str> = form.fields.iter().map(|f| f.name.text.as_str()).collect();
    let mut slots: Vec<Option<&Expr>> = vec![None; names.len()];
    let has = || format!("the fields of `{}` are {}", form.name, names.join(", "));
    for (number, value) in values.iter().enumerate() {
        let (position, own) = match named(value) {
            Some((name, own)) => (form.field(name), own),
            None => (Some(number).filter(|&n| n < names.len()), value),
        };
        let Some(position) = position else {
            let message = match named(value) {
                Some((name, _)) => format!("{what}: there is no field `{name}`"),
                None => format!("{what}: there are more values than fields"),
            };
            let error = Diagnostic::error(message, value.span, "given here").code(Code::Record);
            return Err(Box::new(error.hint(has())));
        };
        if slots[position].is_some() {
            let message = format!("{what}: `{}` is given twice", names[position]);
            let error =
                Diagnostic::error(message, value.span, "given again here").code(Code::Record);
            return Err(Box::new(error));
        }
        slots[position] = Some(own);
    }
    if let Some(position) = slots.iter().position(Option::is_none) {
        let message = format!("{what}: `{}` is missing", names[position]);
        let error = Diagnostic::error(message, place, "in this row").code(Code::Record);
        return Err(Box::new(error.hint(has())));
    }
    Ok(slots.into_iter().flatten().cloned().collect())
}

/// Numbers in a file are in the units of their fields.
fn values_of(form: &Form, row: &Row, in_file: bool) -> Result<Vec<Expr>, Box<Diagnostic>> {
    let what = format!("row `{}` of `{}`", row.name.text, form.name);
    let mut values = in_order(form, &what, &row.values, row.name.span)?;
    if in_file {
        for (field, value) in form.fields.iter().zip(&mut values) {
            if let Some(unit) = unit_of(field) {
                *value = in_unit(unit, value.clone());
            }
        }
    }
    for (field, value) in form.fields.iter().zip(&values) {
        if let Some(place) = open_part(value) {
            let message = format!("{what}: `{}` is not a constant", field.name.text);
            let error =
                Diagnostic::error(message, place, "this has no value here").code(Code::Record);
            return Err(Box::new(error.hint(
                "a row has numbers and laws; use a parameter for a value that depends on names",
            )));
        }
        check_value(&what, field, value)?;
    }
    Ok(values)
}

fn unit_of(field: &Field) -> Option<&Unit> {
    field.facts.iter().find_map(|fact| match fact {
        ParameterFact::Unit(unit) => Some(unit),
        _ => None,
    })
}

/// A constant that is not in the dimension of its field.
fn check_unit(what: &str, field: &Field, value: &Expr) -> Result<(), Box<Diagnostic>> {
    let own = match &value.kind {
        ExprKind::Quantity(quantity) => quantity.unit.meaning.as_deref().map(Dimension::from),
        ExprKind::Number(number) if !number.is_zero() => Some(Dimension::default()),
        _ => None,
    };
    let (Some(own), Some(unit)) = (own, unit_of(field)) else {
        return Ok(());
    };
    let declared = unit
        .meaning
        .as_deref()
        .map(Dimension::from)
        .unwrap_or_default();
    if own == declared {
        return Ok(());
    }
    let name = &field.name.text;
    let message = format!("{what}: `{name}` is [{own}], but declared [{declared}]");
    let error = Diagnostic::error(message, value.span, format!("[{own}]")).code(Code::Record);
    let error = error.also(unit.span, format!("[{declared}], as declared"));
    Err(Box::new(if own.is_none() {
        error.hint(format!("write `{value} {unit}`"))
    } else {
        error
    }))
}

/// The place of something that has no value by itself.
fn open_part(value: &Expr) -> Option<Span> {
    let own = match &value.kind {
        ExprKind::Name(_) => Some(value.span),
        ExprKind::Call(name, _) => {
            let known = predefined::function(&name.text).or_else(|| predefined::law(&name.text));
            match known {
                Some(_) if predefined::measure(&name.text).is_none() => None,
                _ => Some(name.span),
            }
        }
        ExprKind::Reduce(_) | ExprKind::Graph(_) => Some(value.span),
        _ => None,
    };
    let mut found = own;
    parts_of_expr(value, &mut |part, _| {
        if let (Part::Expr(part), None) = (part, found) {
            found = with_stack(|| open_part(part));
        }
    });
    found
}

/// Checks a value against the declaration of its field, as far as constants show it.
pub(super) fn check_value(what: &str, field: &Field, value: &Expr) -> Result<(), Box<Diagnostic>> {
    let name = &field.name.text;
    let is_law = |value: &Expr| match &value.kind {
        ExprKind::Call(law, _) => predefined::law(&law.text).is_some(),
        _ => false,
    };
    let may_be_law = field
        .facts
        .iter()
        .any(|f| matches!(f, ParameterFact::Law(_)));
    if is_law(value) && !may_be_law {
        let message = format!("{what}: `{name}` is a law, but its field is a number");
        let error = Diagnostic::error(message, value.span, "this is random").code(Code::Record);
        return Err(Box::new(
            error
                .also(field.name.span, "declared here")
                .hint("a field that may be random is declared `: law`"),
        ));
    }
    check_unit(what, field, value)?;
    let constant = |e: &Expr| value_of(e, &|_| None);
    let Some(known) = constant(value) else {
        return Ok(());
    };
    for fact in &field.facts {
        let (holds, declared) = match fact {
            ParameterFact::Integer(_) => (known.is_integer(), "integer".to_owned()),
            ParameterFact::Bound(relation, bound) => {
                let holds = constant(bound).is_none_or(|bound| match relation {
                    Relation::Less => known < bound,
                    Relation::LessEqual => known <= bound,
                    Relation::Greater => known > bound,
                    _ => known >= bound,
                });
                (holds, fact.to_string())
            }
            ParameterFact::Law(_)
            | ParameterFact::Unknown(_)
            | ParameterFact::Arrivals(_)
            | ParameterFact::Row(_)
            | ParameterFact::Unit(_)
            | ParameterFact::Monotone(_) => (true, String::new()),
        };
        if !holds {
            let message = format!("{what}: `{name}` is {known}, but declared `{declared}`");
            let error = Diagnostic::error(message, value.span, "this value").code(Code::Record);
            return Err(Box::new(error.also(field.name.span, "declared here")));
        }
    }
    Ok(())
}
