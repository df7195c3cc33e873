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
    LineWithPoolInRounds,
    RoundsOfAPool,
    OneResourceEach,
    ProportionalItems,
    ReturnToFirst,
    RisingPool,
    DealtInTurn,
    ExponentialTasks,
}

impl Theorem {
    /// What it is called in `docs/bounds.md`.
    pub fn name(self) -> &'static str {
        match self {
            Theorem::Line => "line",
            Theorem::LineWithPool => "line with a pool",
            Theorem::LineWithPoolInRounds => "line with a pool in rounds",
            Theorem::RoundsOfAPool => "rounds of a pool",
            Theorem::OneResourceEach => "one resource each",
            Theorem::ProportionalItems => "proportional items",
            Theorem::ReturnToFirst => "return to the first resource",
            Theorem::RisingPool => "rising pool",
            Theorem::DealtInTurn => "dealt in turn",
            Theorem::ExponentialTasks => "exponential tasks on a pool",
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
                "P alike branches pass a chain of length S that visits each resource once, with c servers for w: S + K(P - 1), \
                 where K(n) is the largest sum of services whose servers together are at most n"
            }
            Theorem::LineWithPoolInRounds => {
                "P alike branches pass N times through such a chain: the largest of i*S + K((N - i + 1)*P - 1), i = 1 .. N"
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
                "P alike branches visit r for h, and once more later in a chain of length S, the rest of which from there on has the \
                 length R: max(S + K(P - 1), P*h + R + K'(P - 1)), where K and K' repeat services of the chain and of its rest"
            }
            Theorem::RisingPool => {
                "n tasks on c servers, none shorter than the one before it, at one time or in turn from stations of one server: \
                 every c-th, counted from the last, one after the other"
            }
            Theorem::DealtInTurn => {
                "a line whose branch i visits r(i mod m) is one whose branches visit a pool of m servers"
            }
            Theorem::ExponentialTasks => {
                "n tasks of one exponential law X on c servers: max(0, n - c) times X/c, one after the other, and the longest of \
                 min(n, c) copies of X"
            }
        }
    }

    /// Whether it holds in whatever order requests of one time are served.
    pub(super) fn certificate(self) -> Certificate {
        match self {
            Theorem::LineWithPoolInRounds
            | Theorem::RoundsOfAPool
            | Theorem::RisingPool
            | Theorem::DealtInTurn => Certificate::ExactInTextOrder,
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
