//! Claims that a model makes about its values, and claims given from outside.

use std::sync::Arc;

use super::{Model, link, relocate};
use crate::diagnostic::{Diagnostic, Result, SourceFile, Sources, Span};
use crate::syntax::NoFiles;
use crate::syntax::tree::{Assertion, Equation, Expr, ExprKind, Name, Type, Value as Definition};

impl Model {
    /// Claims in the order of the text, then those given from outside.
    pub fn assertions(&self) -> &[Assertion] {
        &self.assertions
    }

    /// Adds a claim from outside, as `--assert` does; `sources` holds its text.
    ///
    /// # Errors
    /// Fails if the model does not check with the claim. The model is then unchanged.
    pub fn add_assertion(&mut self, mut assertion: Assertion, sources: &Sources) -> Result<()> {
        let mut changed = self.clone();
        let mut files = self.sources.0.clone();
        let before = u32::try_from(files.len()).unwrap_or(u32::MAX);
        files.extend(sources.0.iter().map(|file| SourceFile {
            name: file.name.clone(),
            text: file.text.clone(),
        }));
        changed.sources = Arc::new(Sources(files));
        assertion.span.file = assertion.span.file.saturating_add(before);
        let mut units = std::mem::take(&mut changed.units);
        let resolved = assertion.parts_mut().try_for_each(|part| {
            relocate::to_file_after(part, before);
            units.look_up(part)
        });
        changed.units = units;
        resolved.map_err(|diagnostics| changed.error(diagnostics))?;
        let linked = changed.link_assertion(&mut assertion);
        linked.map_err(|diagnostics| changed.error(diagnostics))?;
        changed.assertions.push(assertion);
        changed.analyse(&NoFiles, |_, _| Vec::new())?;
        *self = changed;
        Ok(())
    }

    /// Replaces paths in a claim from outside by the names of the equations, which are added to the model.
    fn link_assertion(
        &mut self,
        assertion: &mut Assertion,
    ) -> std::result::Result<(), Vec<Diagnostic>> {
        let needs = assertion.parts().any(link::is_needed_by);
        if self.linker.is_none() && !needs {
            return Ok(());
        }
        let mut linker = self.own_linker()?;
        let sources = self.sources.clone();
        let source = sources.0.get(assertion.span.file as usize);
        self.read_later(&mut linker, &[source.map_or("", |source| &source.text)])?;
        assertion.parts_mut().for_each(|part| linker.resolve(part));
        let reached = linker.reached()?;
        self.add(reached);
        self.linker = Some(Arc::new(linker));
        Ok(())
    }

    /// The model with further numeric equations, which nothing else mentions; each is a result.
    ///
    /// # Errors
    /// Fails if the model does not check with them.
    pub fn with_equations(&self, values: Vec<(String, Expr)>) -> Result<Model> {
        let mut changed = self.clone();
        for (name, value) in values {
            let span = value.span;
            changed.equations.push(numeric(name, value, span));
        }
        changed.analyse(&NoFiles, |_, _| Vec::new())?;
        Ok(changed)
    }
}

/// True for what may be assumed: comparisons, `integer(e)`, and several of them joined by `&&`.
pub(super) fn is_relation(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Compare(..) => true,
        ExprKind::And(parts) => parts.iter().all(is_relation),
        ExprKind::Call(name, _) => name.text == "integer",
        _ => false,
    }
}

/// The errors of assertions that are not made of conditions.
pub(super) fn check(model: &Model) -> Vec<Diagnostic> {
    let local = |_: &str| None;
    let parts = model.assertions.iter().flat_map(Assertion::parts);
    let wrong = parts.filter(|part| !model.is_truth_value(part, &local));
    let wrong = wrong.map(|part| {
        let message = "an assertion is made of conditions";
        Diagnostic::error(message, part.span, "this is a number")
            .hint("write for example `assert time(main) <= 10 when P <= 100`")
    });
    wrong.collect()
}

/// `numeric name = value`
fn numeric(name: String, value: Expr, span: Span) -> Equation {
    Equation {
        kind: Type::Numeric,
        parameter: false,
        kept: false,
        name: Name { text: name, span },
        formals: Vec::new(),
        defaults: Vec::new(),
        formal_units: Box::default(),
        facts: Vec::new(),
        value: Some(Definition::Numeric(value)),
        comment: None,
        auxiliary: false,
        span,
    }
}
