//! Theorems of exact times, their preconditions, and their applications.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Orders of simultaneous requests for which a value is exact.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Any order of service.
    #[default]
    Any,
    /// The order of the text and of the indices.
    Text,
}

impl Order {
    /// Description of an exact value.
    pub fn words(self) -> &'static str {
        match self {
            Order::Any => "exact",
            Order::Text => "exact in the order of the text",
        }
    }
}

/// A theorem that gives an exact time. The proofs are in `docs/explanation/bounds.md`.
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
    Arrivals,
}

impl Theorem {
    /// Name of the theorem in `docs/explanation/bounds.md`.
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
            Theorem::Arrivals => "arrivals",
        }
    }

    /// The theorem in one line.
    pub fn statement(self) -> &'static str {
        match self {
            Theorem::Line => {
                "P identical branches pass N times through a chain of length S that visits each resource once, one server \
                 each, longest service t: max(N*S + (P - 1)*t, S + (N*P - 1)*t)"
            }
            Theorem::LineWithPool => {
                "P identical branches pass a chain of length S that visits each resource once, with c servers for w: S + K(P - 1), \
                 where K(n) is the largest sum of services whose servers together are at most n"
            }
            Theorem::LineWithPoolInRounds => {
                "P identical branches pass N times through a chain of `line with a pool`: the largest of i*S + K((N - i + 1)*P - 1), i = 1 .. N"
            }
            Theorem::RoundsOfAPool => {
                "P identical branches ask N times for one of c servers, for t: \
                 max(N + floor((P - 1)/c), 1 + floor((N*P - 1)/c))*t"
            }
            Theorem::OneResourceEach => {
                "each branch visits one single-server resource, h after its start and q before its end: h + the \
                 largest demand + q"
            }
            Theorem::ProportionalItems => {
                "item i takes a_i at each of S single-server stations: the sum of all a_i + (S - 1) * the largest a_i"
            }
            Theorem::ReturnToFirst => {
                "P identical branches visit r for h and again in a later chain of length S, whose length from that visit on is \
                 R: max(S + K(P - 1), P*h + R + K'(P - 1)), where K and K' repeat services of the chain and of its rest"
            }
            Theorem::RisingPool => {
                "n tasks on c servers, each at least as long as the one before it, arrive at once or in turn from single-server \
                 stations: the sum of every c-th task, counted from the last"
            }
            Theorem::DealtInTurn => {
                "a line whose branch i visits r(i mod m) equals a line whose branches visit a pool of m servers"
            }
            Theorem::ExponentialTasks => {
                "n tasks of one exponential law X on c servers: the sum of max(0, n - c) copies of X/c and of the largest of min(n, \
                 c) copies of X"
            }
            Theorem::Arrivals => {
                "branches that come at A(1) <= .. <= A(n), ask one of c servers for t, and end q later: the largest of \
                 A(n - k*c) + (k + 1)*t + q, k = 0 .. ceil(n/c) - 1; for a single server and own times, of A(j) + t(j) + .. + t(n) + q"
            }
        }
    }

    /// Orders of simultaneous requests for which the theorem holds.
    pub(super) fn order(self) -> Order {
        match self {
            Theorem::LineWithPoolInRounds
            | Theorem::RoundsOfAPool
            | Theorem::RisingPool
            | Theorem::DealtInTurn => Order::Text,
            _ => Order::Any,
        }
    }

    /// Preconditions on a section, beside the shape that the statement describes.
    pub fn preconditions(self) -> &'static [Precondition] {
        use Precondition::{NoneBeside, NotHeld, SingleServers, WholeServers};
        match self {
            Theorem::Line
            | Theorem::OneResourceEach
            | Theorem::ProportionalItems
            | Theorem::DealtInTurn => &[NoneBeside, NotHeld, SingleServers],
            Theorem::LineWithPool
            | Theorem::LineWithPoolInRounds
            | Theorem::RoundsOfAPool
            | Theorem::ReturnToFirst
            | Theorem::RisingPool
            | Theorem::ExponentialTasks
            | Theorem::Arrivals => &[NoneBeside, NotHeld, WholeServers],
        }
    }
}

/// A precondition on the resources of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Precondition {
    /// No process beside the section visits its resources.
    NoneBeside,
    /// No server of its resources is held around the section.
    NotHeld,
    /// Each of its resources has one server.
    SingleServers,
    /// The number of servers of each of its resources is a whole number, at least 1.
    WholeServers,
}

impl Precondition {
    /// The precondition as a sentence.
    pub fn statement(self) -> &'static str {
        match self {
            Precondition::NoneBeside => {
                "nothing that runs in parallel with the section visits its resources"
            }
            Precondition::NotHeld => "no server of its resources is held around the section",
            Precondition::SingleServers => "each of its resources has one server",
            Precondition::WholeServers => {
                "numbers of servers are integers >= 1 (a condition of the result unless the model states it)"
            }
        }
    }
}

/// A section to which a theorem was applied, after its preconditions were checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Application {
    /// The theorem.
    pub theorem: Theorem,
    /// The arrays of resources that the section visits.
    pub resources: Vec<String>,
}

impl Application {
    /// The theorem with its preconditions, one to a line.
    pub fn lines(&self) -> Vec<String> {
        let theorem = self.theorem;
        let head = format!("Theorem `{}`: {}", theorem.name(), theorem.statement());
        let of = if self.resources.is_empty() {
            String::new()
        } else {
            format!(" (`{}`)", self.resources.join("`, `"))
        };
        let checks = theorem.preconditions().iter();
        let checks = checks.map(|check| format!("  holds{of}: {}", check.statement()));
        [head].into_iter().chain(checks).collect()
    }
}

/// Proof that a value is exact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    /// Orders of simultaneous requests for which the value is exact.
    pub order: Order,
    /// Sections to which theorems were applied; empty if nobody can wait.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub applications: Vec<Application>,
}

impl Proof {
    /// The proof by a run that serves simultaneous requests in the order of the text.
    pub fn in_text_order() -> Proof {
        Proof {
            order: Order::Text,
            applications: Vec::new(),
        }
    }

    /// True if nothing waits, in any order of requests.
    pub fn is_trivial(&self) -> bool {
        self.applications.is_empty() && self.order == Order::Any
    }

    /// Combines two proofs.
    pub fn and(mut self, other: Proof) -> Proof {
        self.order = self.order.max(other.order);
        self.applications.extend(other.applications);
        self.applications.sort();
        self.applications.dedup();
        self
    }

    /// The theorems, each once.
    pub fn theorems(&self) -> Vec<Theorem> {
        let mut all: Vec<Theorem> = self.applications.iter().map(|a| a.theorem).collect();
        all.dedup();
        all
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let theorems = self.theorems();
        let names: Vec<&str> = theorems.iter().map(|t| t.name()).collect();
        let words = self.order.words();
        match (&names[..], self.order) {
            ([], Order::Any) => f.write_str("exact: the order of requests does not matter"),
            ([], _) => f.write_str(words),
            ([name], _) => write!(f, "{words}: theorem `{name}`"),
            (names, _) => write!(f, "{words}: theorems `{}`", names.join("`, `")),
        }
    }
}
