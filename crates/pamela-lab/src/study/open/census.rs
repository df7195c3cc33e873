//! The census: findings and their output.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

/// A result of more operations is named.
const LONG: usize = 60;

/// All findings.
#[derive(Clone, Debug, Serialize)]
pub struct Census {
    pub families: Vec<Family>,
    /// The commonest first.
    pub shapes: Vec<Group>,
    /// The conditions of narrowed results, most frequent first.
    pub narrowed: Vec<Group>,
}

/// The results of one kind of models.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Family {
    pub name: String,
    pub models: usize,
    pub results: usize,
    pub open: usize,
    /// Open results with closed bounds on both sides.
    pub enclosed: usize,
    /// Enclosed results whose bounds are within a factor of 2 of each other at half of the points.
    pub near: usize,
    /// Enclosed results whose bounds are further apart.
    pub far: Vec<Far>,
    /// Violated bounds.
    pub beyond: Vec<String>,
    /// Conditions that exclude points at which the definition has a value and no range is empty.
    pub narrowed: usize,
    /// Models that took more than a second, slowest first.
    pub slow: Vec<Slow>,
    pub most_seconds: f64,
    /// Numbers of operations of closed results, smallest first, with the text of the model.
    pub operations: Vec<(usize, String)>,
    /// Models without a result, with the reason.
    pub refused: Vec<String>,
}

/// Bounds that are far apart.
#[derive(Clone, Debug, Serialize)]
pub struct Far {
    pub model: String,
    pub text: String,
    pub shapes: Vec<String>,
    /// Median ratios of value to lower bound, and of upper bound to value.
    pub apart: [f64; 2],
    pub bounds: [String; 2],
}

/// A model that takes long.
#[derive(Clone, Debug, Serialize)]
pub struct Slow {
    pub seconds: f64,
    pub model: String,
    pub text: String,
}

/// A group of models with a common property.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    pub what: String,
    /// Number of results of each family.
    pub count: BTreeMap<String, usize>,
    /// The smallest model of the group.
    pub example: String,
    pub text: String,
}

impl Family {
    /// The operations that a share of the closed results has at most.
    fn at(&self, share: f64) -> usize {
        let last = self.operations.len().saturating_sub(1) as f64;
        let place = (share * last).ceil() as usize;
        self.operations
            .get(place)
            .map_or(0, |(operations, _)| *operations)
    }
}

impl Group {
    pub(super) fn total(&self) -> usize {
        self.count.values().sum()
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<14}{:>8}{:>9}{:>8}{:>8}{:>10}{:>8}{:>10}{:>9}{:>14}",
            "",
            "models",
            "results",
            "open",
            "in %",
            "enclosed",
            "near",
            "narrowed",
            "slowest",
            "operations"
        )?;
        for family in &self.families {
            let share = 100.0 * family.open as f64 / family.results.max(1) as f64;
            writeln!(
                f,
                "{:<14}{:>8}{:>9}{:>8}{share:>8.1}{:>10}{:>8}{:>10}{:>8.2}s{:>14}",
                family.name,
                family.models,
                family.results,
                family.open,
                family.enclosed,
                family.near,
                family.narrowed,
                family.most_seconds,
                format!("{}, {}", family.at(0.99), family.at(1.0)),
            )?;
        }
        writeln!(
            f,
            "  (enclosed: open ones with closed bounds on both sides; near: of these, within a factor of 2 at half of \
             the points;\n   narrowed: results whose conditions leave out a point where the definition has a value and \
             no range is empty;\n   slowest: processor time where the system tells it; operations: 99 % of what closes \
             has so many or fewer, and the most)"
        )?;
        for family in &self.families {
            for refused in &family.refused {
                writeln!(f, "refused: {refused}")?;
            }
            for beyond in &family.beyond {
                writeln!(f, "beyond its bound: {beyond}")?;
            }
            for slow in &family.slow {
                writeln!(
                    f,
                    "slow: {}, {:.1} s:\n{}",
                    slow.model, slow.seconds, slow.text
                )?;
            }
            let long = family.operations.iter().rev();
            for (operations, text) in long.take_while(|(operations, _)| *operations > LONG) {
                writeln!(f, "long, {operations} operations: {text}")?;
            }
        }
        writeln!(
            f,
            "\nwhat stays open, by the shape of what has to close first (c: what mentions no index)"
        )?;
        list(f, &self.shapes)?;
        writeln!(f, "\nbounds that are far apart")?;
        let far = self.families.iter().flat_map(|family| &family.far);
        far.into_iter().try_for_each(|far| far.write(f))?;
        writeln!(f, "\nnarrowed, by their conditions")?;
        list(f, &self.narrowed)
    }
}

impl Far {
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}: {}", self.model, self.shapes.join(" | "))?;
        for line in self.text.lines() {
            writeln!(f, "      {line}")?;
        }
        let [lower, upper] = &self.bounds;
        let [below, above] = self.apart;
        writeln!(f, "    lower, {below:.2} times in the value: {lower}")?;
        writeln!(f, "    upper, {above:.2} times the value: {upper}")
    }
}

fn list(f: &mut fmt::Formatter<'_>, groups: &[Group]) -> fmt::Result {
    for group in groups {
        let counts = group.count.iter();
        let counts: Vec<String> = counts
            .map(|(family, n)| format!("{n} of {family}"))
            .collect();
        writeln!(
            f,
            "\n{}\n    {}, as {}:",
            group.what,
            counts.join(", "),
            group.example
        )?;
        for line in group.text.lines() {
            writeln!(f, "      {line}")?;
        }
    }
    Ok(())
}
