//! Rows and fields that are given to parameters from outside.

use super::records::{FieldRequest, RecordAt, Scope, row_fact};
use super::unit::Target;
use super::{Linker, ROOT};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, ExprKind};

/// The rows that a parameter can take.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Names of the fields in the model.
    pub fields: Vec<String>,
    /// The name of each row, with its values for these fields.
    pub rows: Vec<(String, Vec<Expr>)>,
}

impl Linker {
    /// Sets a parameter to the row that `value` names.
    ///
    /// Returns the new values of those fields that the model has; `None` if `path` is not such a
    /// parameter.
    pub(crate) fn choose(
        &mut self,
        path: &str,
        value: &Expr,
    ) -> Result<Option<Vec<(String, Expr)>>, Box<Diagnostic>> {
        let Some(target) = self.row_parameter(path) else {
            return Ok(None);
        };
        self.chosen.insert(target, value.clone());
        self.check_record(target)?;
        let Some(declared) = self.declared_of(target)? else {
            return Ok(None);
        };
        let form = self.form(declared);
        let mut given = Vec::new();
        for (number, field) in form.fields.iter().enumerate() {
            let own = target.of_field(number);
            let Some(name) = self.names.get(&own).cloned() else {
                continue;
            };
            if self.fields_given.contains(&name) {
                continue;
            }
            let asked = FieldRequest {
                field: &field.name.text,
                place: value.span,
            };
            let scope = Scope {
                instance: ROOT,
                locals: &[],
            };
            given.push((name, self.field(scope, value, asked, Some(declared))?));
        }
        Ok(Some(given))
    }

    /// The parameter that `path` means, if it is declared as a row.
    fn row_parameter(&mut self, path: &str) -> Option<Target> {
        let scope = Scope {
            instance: ROOT,
            locals: &[],
        };
        match self.record_at(scope, path)? {
            RecordAt::Equation(target) => row_fact(self.equation(target)).map(|_| target),
            _ => None,
        }
    }

    /// The parameter with the field `name`.
    pub(crate) fn row_of_field(&self, name: &str) -> Option<&str> {
        let mut named = self.names.iter();
        let (target, _) = named.find(|(target, own)| target.field > 0 && *own == name)?;
        (target.instance == ROOT).then(|| self.equation(*target).name.text.as_str())
    }

    /// The rows that a parameter can take, with the values of those fields that the model has.
    ///
    /// Returns `None` if `path` is not a parameter that is a row of a table.
    pub(crate) fn rows(&mut self, path: &str) -> Option<Rows> {
        let target = self.row_parameter(path)?;
        let declared = self.declared_of(target).ok()??;
        let form = self.form(declared);
        let numbered = form.fields.iter().enumerate();
        let reached = numbered.filter_map(|(number, _)| {
            let name = self.names.get(&target.of_field(number))?;
            (!self.fields_given.contains(name)).then(|| (number, name.clone()))
        });
        let (numbers, fields): (Vec<usize>, Vec<String>) = reached.unzip();
        let values = |row: usize| {
            let values = numbers.iter().map(|&field| form.value(row, field).clone());
            values.collect()
        };
        let rows = form.rows().enumerate();
        Some(Rows {
            fields,
            rows: rows
                .map(|(row, name)| (name.to_owned(), values(row)))
                .collect(),
        })
    }

    /// Handles `-D gpu.flops=..`: a given field keeps its value, whatever row is chosen.
    pub(crate) fn give_field(&mut self, path: &str) -> Option<String> {
        let scope = Scope {
            instance: ROOT,
            locals: &[],
        };
        match self.field_path(scope, path, Span::default())?.ok()?.kind {
            ExprKind::Name(name) => {
                self.fields_given.insert(name.clone());
                Some(name)
            }
            _ => None,
        }
    }
}
