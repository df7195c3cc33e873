//! Models with one equation.

use super::term::Term;

/// The equation of each model.
pub const EQUATION: &str = "y";

/// Index names by depth, so that no loop hides the index of another.
pub(super) const INDICES: [&str; 3] = ["i", "j", "k"];

/// A model of one equation over parameters with facts.
#[derive(Clone)]
pub struct Free {
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: Term,
}

#[derive(Clone, Copy)]
pub(super) struct Parameter {
    pub name: &'static str,
    /// Declared facts.
    pub facts: &'static str,
    /// True if its values are whole, mostly because the facts say so.
    pub whole: bool,
}

impl Free {
    /// The text of the model.
    pub fn text(&self) -> String {
        format!(
            "{}numeric {EQUATION} = {}\n",
            self.declarations(),
            self.body
        )
    }

    /// Models with one part replaced by a smaller one, the smallest first. Some results are not valid models, since
    /// an index may have lost its loop.
    pub fn smaller(&self) -> Vec<Free> {
        let mut bodies = self.body.smaller();
        bodies.retain(|body| body.size() < self.body.size());
        bodies.sort_by_key(Term::size);
        let model = |body| Free {
            parameters: self.parameters.clone(),
            body,
        };
        bodies.into_iter().map(model).collect()
    }

    pub(super) fn used(&self) -> impl Iterator<Item = Parameter> {
        let all = self.parameters.iter().copied();
        all.filter(|parameter| self.body.mentions(parameter.name))
    }

    /// The parameters that occur, a line each.
    pub(super) fn declarations(&self) -> String {
        self.used()
            .fold(String::new(), |text, Parameter { name, facts, .. }| {
                format!("{text}numeric parameter {name}{facts}\n")
            })
    }
}
