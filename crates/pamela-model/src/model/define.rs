//! Values given to parameters from outside, as by `-D name=value`.

use std::sync::Arc;

use super::link::{self, Linker};
use super::{Model, Rows, Sort, Sorts, predefined, relocate, units};
use crate::diagnostic::{Cause, Diagnostic, Error, Result, SourceFile, Sources};
use crate::syntax::tree::{self, Expr, Item, Type, Value as Definition};
use crate::syntax::{Loader, NoFiles, words_of};

/// Parameters that an error names.
const MOST_NAMED: usize = 12;

/// Adds hints for names that are undefined in a given value rather than in the model: values follow the files, from
/// `before` on.
fn with_hints_for_values(mut error: Error, before: usize, name: &str) -> Error {
    for diagnostic in &mut error.diagnostics {
        let place = diagnostic.labels.first();
        let in_value = place.is_some_and(|(span, _)| span.file as usize >= before);
        if in_value && diagnostic.cause == Cause::Undeclared {
            diagnostic.hint = Some(format!(
                "expected a number, such as `{name}=64`, or an expression of names in the model"
            ));
        }
    }
    error
}

impl Model {
    /// Sets the numeric equation or parameter `name` to a value, as `-D name=value` does.
    ///
    /// It is then no longer a parameter; its declared facts stay. `sources` holds the text of the
    /// value; `loader` finds the samples in it.
    ///
    /// # Errors
    /// Fails if the name is unknown, not numeric or has arguments, or if the model does not check
    /// with the value. The model is then unchanged.
    pub fn define(
        &mut self,
        name: &str,
        mut value: Expr,
        sources: &Sources,
        loader: &dyn Loader,
    ) -> Result<()> {
        let mut changed = self.clone();
        let mut files = self.sources.0.clone();
        let before = files.len();
        relocate::to_file_after(&mut value, u32::try_from(files.len()).unwrap_or(u32::MAX));
        files.extend(sources.0.iter().map(|file| SourceFile {
            name: file.name.clone(),
            text: file.text.clone(),
        }));
        changed.sources = Arc::new(Sources(files));
        let mut units = std::mem::take(&mut changed.units);
        let resolved = units.look_up(&mut value);
        changed.units = units;
        resolved.map_err(|diagnostics| changed.error(diagnostics))?;
        let given = changed.link(name, value);
        let given = given.map_err(|diagnostics| changed.error(diagnostics))?;
        for (name, value) in &given {
            if let Err(diagnostic) = changed.replace_value(name, value.clone()) {
                return Err(changed.error(vec![*diagnostic]));
            }
        }
        // A value that does not suit one equation is not wrong for the others.
        let analysed = changed.analyse(loader, |_, _| Vec::new());
        analysed.map_err(|error| with_hints_for_values(error, before, name))?;
        for (name, _) in &given {
            if let Some(diagnostic) = self.wrong_sort(name, &changed) {
                return Err(changed.error(vec![diagnostic]));
            }
        }
        *self = changed;
        Ok(())
    }

    /// The model's name for `name`, which may be a path. Everything that `name` and `value` reach is added to the
    /// model, with the value. For a row parameter, returns its fields with their values.
    fn link(
        &mut self,
        name: &str,
        mut value: Expr,
    ) -> std::result::Result<Vec<(String, Expr)>, Vec<Diagnostic>> {
        let is_path = name.contains('.');
        if !is_path && self.linker.is_none() && !link::is_needed_by(&value) {
            return Ok(vec![(name.to_owned(), value)]);
        }
        let mut linker = self.own_linker()?;
        let sources = self.sources.clone();
        let source = sources.0.get(value.span.file as usize);
        self.read_later(
            &mut linker,
            &[name, source.map_or("", |source| &source.text)],
        )?;
        let row = linker.choose(name, &value).map_err(|error| vec![*error])?;
        let given = match row {
            Some(fields) => fields,
            None => {
                let own = linker.name_of(name);
                linker.resolve(&mut value);
                vec![(own.unwrap_or_else(|| name.to_owned()), value)]
            }
        };
        let reached = linker.reached()?;
        self.add(reached);
        self.linker = Some(Arc::new(linker));
        Ok(given)
    }

    /// The linker of the model, or a new one.
    pub(super) fn own_linker(&self) -> std::result::Result<Linker, Vec<Diagnostic>> {
        if let Some(linker) = &self.linker {
            return Ok((**linker).clone());
        }
        let own = self.equations.iter().cloned().map(Item::Equation);
        let mut linker = Linker::new(tree::Model::of(own.collect()), &self.sources);
        // They stand in the model.
        linker.items()?;
        Ok(linker)
    }

    /// Adds the equation of a library, or the field, that the model calls `path`, and returns its
    /// name.
    pub fn reach(&mut self, path: &str) -> Option<String> {
        let mut changed = self.clone();
        let mut linker = (**changed.linker.as_ref()?).clone();
        changed.read_later(&mut linker, &[path]).ok()?;
        let name = linker.name_of(path)?;
        let reached = linker.reached().ok()?;
        if !reached.is_empty() {
            changed.add(reached);
            changed.linker = Some(Arc::new(linker));
            changed.analyse(&NoFiles, |_, _| Vec::new()).ok()?;
            *self = changed;
        }
        Some(name)
    }

    /// Parses the definitions of libraries that words of the given texts may refer to.
    pub(super) fn read_later(
        &mut self,
        linker: &mut Linker,
        texts: &[&str],
    ) -> std::result::Result<(), Vec<Diagnostic>> {
        let words = || texts.iter().copied().flat_map(words_of);
        if words().any(|word| linker.is_later(word)) {
            linker.read(words(), &self.sources, &mut self.units)
        } else {
            Ok(())
        }
    }

    /// The rows that a parameter can take, if it is declared as a row of a table.
    pub fn rows(&self, path: &str) -> Option<Rows> {
        let mut linker = self.linker.as_deref()?.clone();
        linker.rows(path)
    }

    /// The parameter that is a row with the field `name`, if there is one.
    pub fn row_of_field(&self, name: &str) -> Option<&str> {
        self.linker.as_deref()?.row_of_field(name)
    }

    /// The name of a library equation, if it is reached; the model uses a path or an imported name.
    pub fn name_of_path(&self, path: &str) -> Option<String> {
        let mut linker = self.linker.as_deref()?.clone();
        let name = linker.name_of(path)?;
        self.position(&name).map(|_| name)
    }

    /// The name that was probably meant by an unknown one: its path, if a file that the model imports has it; else `near`,
    /// which the model has, or a path that ends in a similar name.
    pub(super) fn meant(&self, name: &str, kind: Type, near: Option<&str>) -> Option<String> {
        let linker = self.linker.as_deref();
        let exact = linker.and_then(|linker| linker.path_of(name, kind));
        let near = || near.map(str::to_owned);
        exact
            .or_else(near)
            .or_else(|| linker?.path_near(name, kind))
    }

    /// The error in the sort of the value that `changed` has for the parameter `name`.
    fn wrong_sort(&self, name: &str, changed: &Model) -> Option<Diagnostic> {
        let position = self.position(name)?;
        let (declared, equation) = (&self.equations[position], &changed.equations[position]);
        let Some(Definition::Numeric(value)) = &equation.value else {
            return None;
        };
        let expected = Sorts::new(self).of_equation(position);
        let (found, label, hint) = match (expected, Sorts::new(changed).of_equation(position)) {
            (Sort::Scalar, Sort::Law) => (
                "a law",
                "this is random",
                "declare the parameter as a law: `: law`",
            ),
            (Sort::Law, Sort::Vector) => (
                "a vector",
                "this is a vector",
                "`max(v)` is the largest component",
            ),
            _ => return None,
        };
        let role = if expected == Sort::Law {
            "a law"
        } else {
            "a scalar"
        };
        let message = format!("expected {role} for `{name}`, found {found}");
        declared.parameter.then(|| {
            Diagnostic::error(message, value.span, label)
                .also(declared.name.span, "declared here")
                .hint(hint)
        })
    }

    fn replace_value(
        &mut self,
        name: &str,
        value: Expr,
    ) -> std::result::Result<(), Box<Diagnostic>> {
        let span = value.span;
        let Some(&position) = self.by_name.get(name) else {
            let unknown = Diagnostic::error(
                format!("cannot set `{name}`: the model has no such parameter or numeric equation"),
                span,
                "given here",
            );
            let names = self.equations.iter().map(|e| e.name.text.as_str());
            let near = self.meant(name, Type::Numeric, predefined::nearest(name, names));
            return Err(Box::new(match near {
                Some(near) => unknown.hint(format!("did you mean `{near}`?")),
                None => {
                    let parameters: Vec<&str> = (self.parameters().take(MOST_NAMED))
                        .map(|parameter| parameter.name.text.as_str())
                        .collect();
                    if parameters.is_empty() {
                        unknown.hint("it has no parameters")
                    } else {
                        unknown.hint(format!("its parameters are {}", parameters.join(", ")))
                    }
                }
            }));
        };
        let equation = &mut self.equations[position];
        if equation.kind != Type::Numeric || !equation.formals.is_empty() {
            let what = if equation.kind == Type::Numeric {
                "takes arguments"
            } else {
                "is not numeric"
            };
            return Err(Box::new(
                Diagnostic::error(
                    format!("`{name}` cannot be given a value"),
                    span,
                    "given here",
                )
                .also(equation.name.span, format!("`{name}` {what}"))
                .hint("only a numeric equation without arguments can be given a value"),
            ));
        }
        let value = match (equation.unit(), self.units.dimension(name)) {
            (None, Some(dimension)) => units::in_unit(&dimension.unit(span), value),
            _ => units::in_declared_unit(equation, value),
        };
        equation.parameter = false;
        let facts = &mut equation.facts;
        facts.retain(|fact| !matches!(fact, tree::ParameterFact::Unknown(_)));
        equation.value = Some(Definition::Numeric(value));
        Ok(())
    }
}
