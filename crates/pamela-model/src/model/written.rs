//! Functions that are independent of the model, as written.

use super::{Model, predefined, walk};
use crate::syntax::tree::{Equation, Expr, Value};

impl Model {
    /// The right-hand side of a kept function as written, if it depends only on its arguments.
    pub fn as_written<'e>(&'e self, equation: &'e Equation) -> Option<&'e Expr> {
        if !equation.kept || equation.formals.is_empty() {
            return None;
        }
        let name = &equation.name.text;
        let linked = self.linker.as_deref();
        let own = linked.and_then(|linker| linker.written(name));
        let (formals, value) = match (own, linked) {
            (Some(own), _) => (&own.formals, own.value.as_ref()?),
            (None, _) => (&equation.formals, equation.value.as_ref()?),
        };
        let Value::Numeric(expr) = value else {
            return None;
        };
        // Arguments that are records have other names here.
        let same =
            |(a, b): (&crate::syntax::tree::Name, &crate::syntax::tree::Name)| a.text == b.text;
        if formals.len() != equation.formals.len()
            || !formals.iter().zip(&equation.formals).all(same)
        {
            return None;
        }
        let bound: Vec<&str> = formals.iter().map(|formal| formal.text.as_str()).collect();
        let mut alone = true;
        walk::free_names(value, &bound, &mut |name, _, called| {
            let own = self.position(name).is_none();
            let known = predefined::function(name).is_some() || is_form(name);
            alone &= called && own && known;
        });
        alone.then_some(expr)
    }
}

/// True for forms that are expanded first: `steps`, `linear` and the sign of their points.
fn is_form(name: &str) -> bool {
    matches!(name, "steps" | "linear" | crate::syntax::tree::POINT)
}
