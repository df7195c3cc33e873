//! Claims that a model makes about its values.

use std::fmt;

use super::Expr;
use crate::diagnostic::Span;

/// `assert claim [when condition]`: wherever the condition holds, so does the claim.
#[derive(Clone, Debug)]
pub struct Assertion {
    pub claim: Expr,
    /// `None` where the claim is made for all values of the parameters.
    pub when: Option<Expr>,
    pub span: Span,
}

impl Assertion {
    /// The claim, then its condition.
    pub fn parts(&self) -> impl Iterator<Item = &Expr> {
        [&self.claim].into_iter().chain(&self.when)
    }

    /// Like [`Assertion::parts`].
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        [&mut self.claim].into_iter().chain(&mut self.when)
    }
}

/// The claim and its condition, without `assert`.
impl fmt::Display for Assertion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claim.fmt(f)?;
        match &self.when {
            Some(condition) => write!(f, " when {condition}"),
            None => Ok(()),
        }
    }
}
