//! What is known of how a time stands to what a run takes.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a printed time stands to what a run takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Certificate {
    /// Every run takes it, whatever the order of requests that come at one time.
    #[serde(rename = "exact")]
    Exact,
    /// A run takes it that serves requests of one time in the order of the text and of the indices.
    #[serde(rename = "exact in the order of the text")]
    ExactInTextOrder,
    /// One run took it, or the mean of several.
    #[serde(rename = "run")]
    Run,
    /// It is one of two bounds, and every run lies between them.
    #[serde(rename = "between")]
    Between,
}

impl fmt::Display for Certificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certificate::Exact => "exact",
            Certificate::ExactInTextOrder => "exact in the order of the text",
            Certificate::Run => "run",
            Certificate::Between => "between",
        })
    }
}

/// What an exact time follows from. `docs/bounds.md` has the proofs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`statement` says what each of them says")]
pub enum Theorem {
    Line,
    LineWithPool,
    RoundsOfAPool,
    OneResourceEach,
    ProportionalItems,
    ReturnToFirst,
    RisingPool,
    DealtInTurn,
}

impl Theorem {
    /// What it is called in `docs/bounds.md`.
    pub fn name(self) -> &'static str {
        match self {
            Theorem::Line => "line",
            Theorem::LineWithPool => "line with a pool",
            Theorem::RoundsOfAPool => "rounds of a pool",
            Theorem::OneResourceEach => "one resource each",
            Theorem::ProportionalItems => "proportional items",
            Theorem::ReturnToFirst => "return to the first resource",
            Theorem::RisingPool => "rising pool",
            Theorem::DealtInTurn => "dealt in turn",
        }
    }

    /// What it says, in a line.
    pub fn statement(self) -> &'static str {
        match self {
            Theorem::Line => {
                "P alike branches pass N times through a chain of length S that visits each resource once, one server \
                 each, longest service t: max(N*S + (P - 1)*t, S + (N*P - 1)*t)"
            }
            Theorem::LineWithPool => {
                "P alike branches pass a chain of length S that visits each resource once, one of them with c servers for w, \
                 the others with one for t at most: S + max((P - 1)*t, floor((P - 1)/c)*w + ((P - 1) mod c)*t)"
            }
            Theorem::RoundsOfAPool => {
                "P alike branches ask N times for one of c servers, for t: \
                 max(N + floor((P - 1)/c), 1 + floor((N*P - 1)/c))*t"
            }
            Theorem::OneResourceEach => {
                "each branch visits one resource of one server, h after the beginning and q before its end: h + the \
                 largest demand + q"
            }
            Theorem::ProportionalItems => {
                "item i takes a_i at each of S stations of one server: the sum of all a_i + (S - 1) * the largest"
            }
            Theorem::ReturnToFirst => {
                "K alike branches visit r for h, after a delay a another resource for k, after b again r for d: \
                 max(K*(h + d), K*h + a + k + b + d, h + a + K*k + b + d, h + a + k + b + K*d)"
            }
            Theorem::RisingPool => {
                "n tasks on c servers, none shorter than the one before it: the sum of every c-th, counted from the last"
            }
            Theorem::DealtInTurn => {
                "a line whose branch i visits r(i mod m) is one whose branches visit a pool of m servers"
            }
        }
    }

    /// Whether it holds in whatever order requests of one time are served.
    pub(super) fn certificate(self) -> Certificate {
        match self {
            Theorem::RoundsOfAPool | Theorem::RisingPool | Theorem::DealtInTurn => {
                Certificate::ExactInTextOrder
            }
            _ => Certificate::Exact,
        }
    }
}

/// A certificate with what it follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// How the time stands to what a run takes.
    pub certificate: Certificate,
    /// Empty where nobody can wait, and of bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub theorems: Vec<Theorem>,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.theorems.iter().map(|t| t.name()).collect();
        match (&names[..], self.certificate) {
            ([], Certificate::Exact) => f.write_str("exact: no order of requests matters"),
            ([], certificate) => write!(f, "{certificate}"),
            ([name], certificate) => write!(f, "{certificate}: theorem `{name}`"),
            (names, certificate) => write!(f, "{certificate}: theorems `{}`", names.join("`, `")),
        }
    }
}
