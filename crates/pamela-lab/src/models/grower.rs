//! Draws random models.

use rand::{Rng, RngExt};

use super::tree::{Kind, Tree};

/// Declared facts of parameters.
const FACTS: [(&str, &str); 5] = [
    ("N", " : integer >= 0"),
    ("M", " : integer"),
    ("P", " : integer >= 1"),
    ("B", " : integer >= 1 <= 4"),
    ("x", " : >= 0"),
];

const ASSUMPTIONS: [&str; 6] = [
    "N mod P == 0",
    "N >= P",
    "M <= N, x <= 1",
    "M >= 1",
    "integer(N / B)",
    "x > M",
];

/// Steps and comparisons of terms that are rational at many points but not at all.
pub const INEXACT: [(&str, &str); 8] = [
    ("floor(log2(1 + abs(", ")))"),
    ("ceil(log(1 + abs(", ")) / log(3))"),
    ("floor(abs(", ")^(1/3))"),
    ("integer(sqrt(abs(", ")))"),
    ("(log(1 + abs(", "), 2) >= 2)"),
    ("cbrt(8 * abs(", ")^3)"),
    ("(7 mod root(1 + abs(", "), 2))"),
    ("binom(floor(abs(", ")), 2)"),
];

/// Draws trees.
pub struct Grower<'r, R: Rng> {
    pub random: &'r mut R,
    /// Number of parts that may still be drawn.
    pub budget: usize,
}

impl<R: Rng> Grower<'_, R> {
    /// A model: one numeric equation or one process.
    pub fn model(&mut self) -> Tree {
        let facts = FACTS.map(|(_, fact)| Tree::leaf(Kind::Facts, fact));
        let declared = self.random.random_range(0..3) > 0;
        let mut parts: Vec<Tree> = facts.into();
        if !declared {
            parts.fill(Tree::leaf(Kind::Facts, ""));
        }
        let mut pieces: Vec<String> = FACTS
            .iter()
            .map(|(name, _)| format!("\nnumeric parameter {name}"))
            .collect();
        pieces[0] = pieces[0].trim_start().to_string();
        pieces.push("\n".to_string());
        let assumption = if declared && self.random.random_range(0..3) == 0 {
            format!("assume {}\n", self.pick(&ASSUMPTIONS))
        } else {
            String::new()
        };
        parts.push(Tree::leaf(Kind::Facts, assumption));
        if self.random.random_bool(0.55) {
            pieces.push("numeric f = ".to_string());
            parts.push(self.number(0, 4));
        } else {
            pieces.push("process main = ".to_string());
            parts.push(self.process(0, 3));
        }
        pieces.push("\n".to_string());
        Tree::of(Kind::Model, pieces, parts)
    }

    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.random.random_range(0..list.len())]
    }

    fn parameter(&mut self) -> &'static str {
        self.pick(&["N", "M", "P", "B", "x", "N"])
    }

    fn leaf(&mut self, scope: usize) -> Tree {
        let text = match self.random.random_range(0..10) {
            0..=1 => self.pick(&["0", "1", "2", "3"]).to_string(),
            2 => self.pick(&["0.5", "1.5", "(-1)"]).to_string(),
            3..=5 => self.parameter().to_string(),
            _ if scope == 0 => self.parameter().to_string(),
            _ => format!("#{}", self.random.random_range(0..scope)),
        };
        Tree::leaf(Kind::Number, text)
    }

    /// A number within `scope` loops.
    fn number(&mut self, scope: usize, depth: usize) -> Tree {
        if depth == 0 || self.budget == 0 {
            return self.leaf(scope);
        }
        self.budget -= 1;
        match self.random.random_range(0..30) {
            0..=4 => self.reduction(scope, depth),
            5..=6 => self.pair(["(", " + ", ")"], scope, depth, true),
            7 => self.pair(["(", " - ", ")"], scope, depth, false),
            8..=10 => self.pair(["(", " * ", ")"], scope, depth, true),
            11 => self.quotient(scope, depth),
            12 => self.power(scope, depth),
            13..=14 => {
                let opening = self.pick(&["max(", "min("]);
                self.pair([opening, ", ", ")"], scope, depth, true)
            }
            15 => {
                let opening = self.pick(&["abs(", "floor(", "ceil(", "-(", "integer("]);
                let part = self.number(scope, depth.saturating_sub(1));
                Tree::of(Kind::Number, [opening, ")"], vec![part])
            }
            16..=18 => self.rounded(scope, depth),
            19..=21 => self.condition(scope, depth),
            22..=23 => self.conditional(scope, depth),
            24 => {
                let opening = self.pick(&["max(", "min("]);
                let parts = (0..3)
                    .map(|_| self.number(scope, depth.saturating_sub(1)))
                    .collect();
                Tree::of(Kind::Number, [opening, ", ", ", ", ")"], parts)
            }
            25..=26 => self.reduction(scope, depth),
            27 => {
                let opening = self.pick(&["max(", "min("]);
                let vector = self.vector(scope, depth);
                Tree::of(Kind::Number, [opening, ")"], vec![vector])
            }
            28 => self.partial(scope, depth),
            _ => self.leaf(scope),
        }
    }

    /// A vector whose components may be negative, 0, or those of a sum over nothing.
    fn vector(&mut self, scope: usize, depth: usize) -> Tree {
        let inner = depth.saturating_sub(1);
        let choice = if depth == 0 || self.budget == 0 {
            0
        } else {
            self.random.random_range(0..9)
        };
        self.budget = self.budget.saturating_sub(1);
        match choice {
            0 | 1 => Tree::of(Kind::Vector, ["[", "]"], vec![self.number(scope, inner)]),
            2 | 3 => {
                let parts = vec![self.number(scope, inner), self.leaf(scope)];
                Tree::of(Kind::Vector, ["[", ", ", "]"], parts)
            }
            4 => {
                let parts = vec![self.leaf(scope), self.vector(scope, inner)];
                Tree::of(Kind::Vector, ["(", " * ", ")"], parts)
            }
            5 => {
                let operator = self.pick(&[" + ", " - "]);
                let parts = vec![self.vector(scope, inner), self.vector(scope, inner)];
                Tree::of(Kind::Vector, ["(", operator, ")"], parts)
            }
            6 => self.replicated(Kind::Vector, "sum (", scope, |grower| {
                grower.vector(scope + 1, inner)
            }),
            7 => {
                let place = match self.random.random_range(0..3) {
                    0 => "unitvec(0)".to_string(),
                    1 => "unitvec(1)".to_string(),
                    _ if scope == 0 => "unitvec(N)".to_string(),
                    _ => format!("unitvec(#{})", self.random.random_range(0..scope)),
                };
                let closing = format!(" * {place})");
                Tree::of(
                    Kind::Vector,
                    ["(", closing.as_str()],
                    vec![self.number(scope, inner)],
                )
            }
            _ => {
                let parts = vec![
                    self.condition(scope, 1),
                    self.vector(scope, inner),
                    self.vector(scope, inner),
                ];
                Tree::of(Kind::Vector, ["(if (", ") ", " else ", ")"], parts)
            }
        }
    }

    /// A term that is undefined somewhere and may cancel.
    fn partial(&mut self, scope: usize, depth: usize) -> Tree {
        let part = self.number(scope, depth.saturating_sub(1));
        let index = match scope {
            0 => "M".to_string(),
            _ => format!("#{}", self.random.random_range(0..scope)),
        };
        let (opening, closing) = match self.random.random_range(0..8) {
            0 => (
                "(".to_string(),
                format!(" * ({index} - 2) / ({index} - 2))"),
            ),
            1 => ("(".to_string(), format!(" * (0 * (1 / {index}) + 1))")),
            2 => ("(".to_string(), " + (log(x) - log(x)))".to_string()),
            3 => (
                "(".to_string(),
                format!(" + {index} mod M - {index} mod M)"),
            ),
            4 => ("(".to_string(), " * x / x)".to_string()),
            5 => (format!("max(1 / {index}, "), ")".to_string()),
            6 => ("(".to_string(), format!(" * {index}^(-1) * {index})")),
            _ => ("(".to_string(), " + 0 * sqrt(M))".to_string()),
        };
        Tree::of(Kind::Number, [opening, closing], vec![part])
    }

    fn pair(&mut self, pieces: [&str; 3], scope: usize, depth: usize, commutes: bool) -> Tree {
        let parts = vec![
            self.number(scope, depth.saturating_sub(1)),
            self.number(scope, depth.saturating_sub(1)),
        ];
        let mut tree = Tree::of(Kind::Number, pieces, parts);
        tree.commutes = commutes;
        tree
    }

    fn quotient(&mut self, scope: usize, depth: usize) -> Tree {
        let closing = self.pick(&[
            " / 2)",
            " / P)",
            " / B)",
            " / x)",
            " / (x - 1))",
            " / (1 + N))",
        ]);
        let part = self.number(scope, depth.saturating_sub(1));
        Tree::of(Kind::Number, ["(", closing], vec![part])
    }

    fn power(&mut self, scope: usize, depth: usize) -> Tree {
        let (opening, closing) = match self.random.random_range(0..5) {
            0..=1 => ("(", self.pick(&["^2)", "^3)", "^(-1))"])),
            2 => ("2^(", ")"),
            3 => ("x^(", ")"),
            _ => ("0.5^(", ")"),
        };
        let part = self.number(
            scope,
            if opening == "(" {
                depth.saturating_sub(1)
            } else {
                0
            },
        );
        Tree::of(Kind::Number, [opening, closing], vec![part])
    }

    fn rounded(&mut self, scope: usize, depth: usize) -> Tree {
        let (opening, closing) = match self.random.random_range(0..10) {
            8..=9 => INEXACT[self.random.random_range(0..INEXACT.len())],
            0..=1 => ("(", self.pick(&[" mod P)", " div P)"])),
            2..=3 => ("(", self.pick(&[" mod B)", " div B)"])),
            4..=5 => (
                "(",
                self.pick(&[" mod 2)", " div 2)", " mod 3)", " div 3)"]),
            ),
            6 => (
                self.pick(&["floor(", "ceil("]),
                self.pick(&[" / P)", " / B)"]),
            ),
            _ => (
                self.pick(&["floor(", "ceil("]),
                self.pick(&[" / 2)", " / 3)", " * 0.4)"]),
            ),
        };
        let part = self.number(scope, depth.min(2) - 1);
        Tree::of(Kind::Number, [opening, closing], vec![part])
    }

    fn condition(&mut self, scope: usize, depth: usize) -> Tree {
        if self.random.random_range(0..6) == 0 && depth > 1 {
            let operator = self.pick(&[" && ", " || "]);
            let parts = vec![
                self.condition(scope, depth.saturating_sub(1)),
                self.condition(scope, depth.saturating_sub(1)),
            ];
            return Tree::of(Kind::Number, ["(", operator, ")"], parts);
        }
        if self.random.random_range(0..12) == 0 {
            let text = self.pick(&[
                "(x != 0 && 1 / x > 1)",
                "(x == 0 || 1 / x > 1)",
                "(1 / x > 1 && x > 2)",
                "(M > 1 && sqrt(M - 2) <= 1)",
            ]);
            return Tree::leaf(Kind::Number, text);
        }
        if self.random.random_range(0..10) == 0 {
            let part = self.condition(scope, depth);
            return Tree::of(Kind::Number, ["(!", ")"], vec![part]);
        }
        let relation = self.pick(&[" == ", " < ", " <= ", " != ", " >= ", " > "]);
        self.pair(["(", relation, ")"], scope, depth.min(2), false)
    }

    fn conditional(&mut self, scope: usize, depth: usize) -> Tree {
        let condition = match self.random.random_range(0..4) {
            0 => Tree::leaf(
                Kind::Number,
                self.pick(&["0.5", "x", "0.25", "(x / 2)", "(N mod 3)", "(M - x)"]),
            ),
            _ => self.condition(scope, depth.saturating_sub(1)),
        };
        let parts = vec![
            condition,
            self.number(scope, depth.saturating_sub(1)),
            self.number(scope, depth.saturating_sub(1)),
        ];
        Tree::of(Kind::Number, ["(if (", ") ", " else ", ")"], parts)
    }

    fn reduction(&mut self, scope: usize, depth: usize) -> Tree {
        let name = match self.random.random_range(0..10) {
            0..=4 => "sum (",
            5..=6 => "max (",
            7 => "min (",
            8 => "prod (",
            _ => self.pick(&["kth (1 of ", "kth (2 of ", "kth (B of "]),
        };
        self.replicated(Kind::Number, name, scope, |grower| {
            grower.number(scope + 1, depth.saturating_sub(1))
        })
    }

    fn replicated(
        &mut self,
        kind: Kind,
        opening: &str,
        scope: usize,
        body: impl FnOnce(&mut Self) -> Tree,
    ) -> Tree {
        let mut parts = vec![self.bound(scope, true), self.bound(scope, false)];
        let opening = format!("{opening}#{scope} = ");
        let mut pieces = vec![opening.as_str(), ", "];
        if self.random.random_range(0..10) == 0 {
            // A step counts down where it is negative.
            let step = self.pick(&["2", "3", "(-1)", "(-2)", "0.5", "P", "B"]);
            parts.push(Tree::leaf(Kind::Bound, step));
            pieces.push(", ");
        }
        parts.push(body(self));
        pieces.extend([") { ", " }"]);
        Tree::of(kind, pieces, parts)
    }

    /// A bound of a loop: affine in one index or parameter.
    fn bound(&mut self, scope: usize, lower: bool) -> Tree {
        let of = match self.random.random_range(0..8) {
            0..=3 if lower => self.pick(&["0", "1", "1", "0"]).to_string(),
            0 => self.pick(&["2", "3", "0", "2.5", "(-1)"]).to_string(),
            1..=4 => self.pick(&["N", "M", "P", "B", "x", "N", "N"]).to_string(),
            5 => self
                .pick(&[
                    "N / 2",
                    "N / P",
                    "N div P",
                    "ceil(N / P)",
                    "P * B",
                    "max(N, M)",
                    "M - x",
                ])
                .to_string(),
            _ if scope == 0 => self.parameter().to_string(),
            _ => format!("#{}", self.random.random_range(0..scope)),
        };
        let text = match self.random.random_range(0..12) {
            0 => format!("2 * ({of})"),
            1 => format!("-({of})"),
            2 => format!("{of} + 0.5"),
            3 => format!("{of} + 1"),
            4..=5 => format!("{of} - 1"),
            6 => format!("N - ({of})"),
            _ => of,
        };
        Tree::leaf(Kind::Bound, text)
    }

    fn process(&mut self, scope: usize, depth: usize) -> Tree {
        if depth == 0 || self.budget == 0 {
            return self.section(scope);
        }
        self.budget -= 1;
        match self.random.random_range(0..14) {
            0..=5 => {
                let name = self.pick(&["seq (", "par (", "seq (", "par (", "any (", "any (2 of "]);
                self.replicated(Kind::Process, name, scope, |grower| {
                    grower.process(scope + 1, depth.saturating_sub(1))
                })
            }
            6..=8 => {
                let operator = self.pick(&[" ; ", " || ", " ; ", " || ", " <> "]);
                let parts = vec![
                    self.process(scope, depth.saturating_sub(1)),
                    self.process(scope, depth.saturating_sub(1)),
                ];
                let mut tree = Tree::of(Kind::Process, ["{ ", operator, " }"], parts);
                tree.commutes = true;
                tree
            }
            9..=10 => {
                let condition = match self.random.random_range(0..3) {
                    0 => Tree::leaf(Kind::Number, "0.5"),
                    _ => self.condition(scope, 1),
                };
                let parts = vec![
                    condition,
                    self.process(scope, depth.saturating_sub(1)),
                    self.process(scope, depth.saturating_sub(1)),
                ];
                Tree::of(Kind::Process, ["if (", ") { ", " } else { ", " }"], parts)
            }
            11 => {
                let parts = (0..2)
                    .map(|_| self.process(scope, depth.saturating_sub(1)))
                    .collect();
                Tree::of(Kind::Process, ["switch { 0.25: ", ", 0.75: ", " }"], parts)
            }
            _ => self.section(scope),
        }
    }

    /// A delay or the use of one resource.
    fn section(&mut self, scope: usize) -> Tree {
        let server = match self.random.random_range(0..9) {
            0..=1 => return self.timed("delay(", ")", scope),
            2 => "fcfs(0, 1)",
            3 => "fcfs(1, 2)",
            4 => "fcfs(@, 1)",
            5 => "fcfs(@ mod P, 1)",
            6 => "fcfs(@ div B, 1)",
            7 => "fcfs(@ mod P, max(1, B))",
            _ => "fcfs(@ + 1, 1)",
        };
        let place = match self.random.random_range(0..4) {
            0 => "N".to_string(),
            _ if scope == 0 => "2".to_string(),
            1 => format!("(#{} + 1)", self.random.random_range(0..scope)),
            _ => format!("#{}", self.random.random_range(0..scope)),
        };
        let opening = format!("use({}, ", server.replace('@', &place));
        self.timed(&opening, ")", scope)
    }

    /// Most servers are held for no negative time.
    fn timed(&mut self, opening: &str, closing: &str, scope: usize) -> Tree {
        let part = match self.random.random_range(0..3) {
            0 => Tree::leaf(
                Kind::Number,
                self.pick(&["1", "max(0, x)", "0.5", "2", "x", "(-1)"]),
            ),
            1 if self.random.random_range(0..4) == 0 => self.number(scope, 1),
            _ => {
                let inner = self.number(scope, 2);
                Tree::of(Kind::Number, ["max(0, ", ")"], vec![inner])
            }
        };
        Tree::of(Kind::Process, [opening, closing], vec![part])
    }
}
