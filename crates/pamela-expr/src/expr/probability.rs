//! Quantiles of laws, and probabilities that laws lie on one side of a number.

use serde::{Deserialize, Serialize};

use super::{Arena, ExprId, LawKind, LawName, Node, Relation};
use crate::ring::Rational;

/// Where a law lies beside a number. All four are kept apart: `1 - P(X <= t)` has lost the digits of `P(X > t)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Side {
    pub const ALL: [Side; 4] = [
        Side::Less,
        Side::LessEqual,
        Side::Greater,
        Side::GreaterEqual,
    ];

    /// Its place among [`Side::ALL`], from 1 on: rules speak of it as a number.
    pub fn number(self) -> i64 {
        match self {
            Side::Less => 1,
            Side::LessEqual => 2,
            Side::Greater => 3,
            Side::GreaterEqual => 4,
        }
    }

    /// The inverse of [`Side::number`].
    pub fn numbered(number: i64) -> Option<Side> {
        Side::ALL.into_iter().find(|side| side.number() == number)
    }

    /// The relation in the language.
    pub fn text(self) -> &'static str {
        match self {
            Side::Less => "<",
            Side::LessEqual => "<=",
            Side::Greater => ">",
            Side::GreaterEqual => ">=",
        }
    }

    /// The side on which `-X` lies beside `-t` where X lies on this one beside `t`.
    #[must_use]
    pub fn mirrored(self) -> Side {
        match self {
            Side::Less => Side::Greater,
            Side::LessEqual => Side::GreaterEqual,
            Side::Greater => Side::Less,
            Side::GreaterEqual => Side::LessEqual,
        }
    }
}

impl Arena {
    /// The least `x` with `P(X <= x) >= q`; a scalar counts as a constant.
    ///
    /// `q` is between 0 and 1; who calls it with another has to ask for that.
    pub fn quantile(&mut self, law: ExprId, q: ExprId) -> ExprId {
        if self.is_law(law) {
            self.intern(Node::Quantile(law, q))
        } else {
            law
        }
    }

    /// The conditions of a quantile on its probability.
    pub fn domain_of_quantile(&mut self, q: ExprId) -> [ExprId; 2] {
        let (zero, one) = (self.number(0), self.number(1));
        [
            self.relate(Relation::Less, zero, q),
            self.relate(Relation::Less, q, one),
        ]
    }

    /// The probability that `law` lies on a side of the number `t`; a scalar counts as a constant.
    pub fn probability(&mut self, side: Side, law: ExprId, t: ExprId) -> ExprId {
        if self.is_law(law) {
            self.intern(Node::Probability(side, law, t))
        } else {
            self.lies(side, law, t)
        }
    }

    /// 1 if the number `x` lies on a side of `t`, else 0.
    fn lies(&mut self, side: Side, x: ExprId, t: ExprId) -> ExprId {
        match side {
            Side::Less => self.relate(Relation::Less, x, t),
            Side::LessEqual => self.relate(Relation::LessEqual, x, t),
            Side::Greater => self.relate(Relation::Less, t, x),
            Side::GreaterEqual => self.relate(Relation::LessEqual, t, x),
        }
    }

    /// True for a number that is a probability strictly between 0 and 1.
    pub(super) fn is_inner_probability(&self, q: ExprId) -> bool {
        let value = self.as_number(q);
        value.is_some_and(|q| q.is_positive() && *q < Rational::ONE)
    }

    /// True for a law with a density between 0 and 1 only.
    pub fn is_between_0_and_1(&self, law: ExprId) -> bool {
        matches!(self.node(law), Node::Law(LawKind::Named(LawName::Beta), _))
    }

    /// True for a law whose quantiles and probabilities are functions of their own, such as the incomplete gamma function.
    pub fn has_special_functions(&self, law: ExprId) -> bool {
        use LawName::{Beta, Binomial, Erlang, Gamma, Lognormal, Normal, Poisson};
        matches!(
            self.node(law),
            Node::Law(
                LawKind::Named(Normal | Lognormal | Erlang | Gamma | Beta | Binomial | Poisson),
                _
            )
        )
    }
}
