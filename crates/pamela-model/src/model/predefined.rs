//! Predefined names of the language.

use std::ops::RangeInclusive;

use pamela_syntax::words::{self, Sort, WORDS};

use crate::syntax::tree::Type;

/// The predefined array of first-come-first-served resources.
pub const FCFS: &str = "fcfs";

/// `servers(m)` as the value of a resource: a new array whose elements have `m` servers each.
pub const SERVERS: &str = "servers";

/// Predefined functions of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// `T(L)`: a lower bound of the execution time.
    Time,
    /// `phi(L)`: the critical path.
    Path,
    /// `delta(L)`: the demand for each resource.
    Demand,
    /// `omega(L)`: the largest demand.
    LargestDemand,
    /// `time(L)`: the exact time of a run.
    Execution,
    /// `L(P)`: a lower bound of the time of a run.
    Least,
    /// `U(P)`: an upper bound of the time of a run.
    Most,
}

/// The measure that the predefined function `name` gives, if it is one.
pub fn measure(name: &str) -> Option<Measure> {
    Some(match name {
        "T" => Measure::Time,
        "phi" => Measure::Path,
        "delta" => Measure::Demand,
        "omega" => Measure::LargestDemand,
        "time" => Measure::Execution,
        "L" => Measure::Least,
        "U" => Measure::Most,
        _ => return None,
    })
}

/// Name of the predefined function that replaces the values of names.
pub const AT: &str = "at";

/// Name of the predefined function for the wait of a process for a resource.
pub const WAIT: &str = "wait";

/// Name of the predefined function for the least value that a law does not exceed with a probability.
pub const QUANTILE: &str = "quantile";

/// Name of the predefined function for the probability that a comparison with a law holds.
pub const PROBABILITY: &str = "prob";

/// The permitted numbers of arguments of a predefined name, if it has one of these sorts.
fn arguments(name: &str, sorts: &[Sort]) -> Option<&'static RangeInclusive<usize>> {
    let word = words::find(name).filter(|word| sorts.contains(&word.sort));
    word.map(|word| &word.arguments)
}

/// The functions whose names a model may give a meaning of its own.
const SPECIAL: [Sort; 3] = [Sort::Special, Sort::Moment, Sort::Measure];

/// The numbers of arguments of the predefined function `name`, if it exists.
pub fn function(name: &str) -> Option<&'static RangeInclusive<usize>> {
    arguments(name, &[Sort::Function]).or_else(|| arguments(name, &SPECIAL))
}

/// True if no equation may have the name of this predefined function.
pub fn is_reserved(name: &str) -> bool {
    arguments(name, &[Sort::Function]).is_some()
}

/// True if a model may redefine the name of this predefined function.
pub fn is_special(name: &str) -> bool {
    arguments(name, &SPECIAL).is_some()
}

/// True if this predefined function computes a scalar from a law.
pub fn is_moment(name: &str) -> bool {
    arguments(name, &[Sort::Moment]).is_some()
}

/// The numbers of arguments of the predefined law `name`, if it exists.
pub fn law(name: &str) -> Option<&'static RangeInclusive<usize>> {
    arguments(name, &[Sort::Law])
}

/// Names of predefined functions and laws to suggest for misspelt names.
pub fn names<'n>() -> impl Iterator<Item = &'n str> {
    // One letter is near to every other.
    WORDS
        .iter()
        .map(|word| word.name)
        .filter(|name| name.len() > 1)
}

/// The names of the predefined laws.
pub fn laws() -> impl Iterator<Item = &'static str> {
    let laws = WORDS.iter().filter(|word| word.sort == Sort::Law);
    laws.map(|word| word.name)
}

/// The expression that replaces a function or law of another language; `called` is true if it has arguments.
pub fn instead_of(name: &str, called: bool) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "pow" | "power" => "a power is written `a ^ b`",
        "mean" | "avg" | "average" | "expectation" => "`E(X)` is the mean of a law",
        "variance" => "`Var(X)` is the variance of a law",
        "std" | "stddev" | "stdev" | "sd" | "sigma" => {
            "`sqrt(Var(X))` is the standard deviation of a law"
        }
        "lg" | "ld" => "`log2(x)` is the logarithm to base 2, `log(x, 10)` that to base 10",
        "log10" => "`log(x, 10)` is the logarithm to base 10",
        "ceiling" | "roundup" => "`ceil(x)` rounds up",
        "rounddown" => "`floor(x)` rounds down",
        "e" => "a power of e is written `exp(x)`; another `e` needs an equation of its own",
        // Without arguments it is a number of processes.
        "p" if !called => return None,
        "p" | "pr" | "probability" | "chance" | "cdf" => {
            "`prob(X <= t)` is the probability that a law is at most `t`"
        }
        "round" => "`floor(x + 1/2)` rounds to the nearest whole number",
        "trunc" | "int" => "`floor(x)` rounds down",
        "factorial" => "`fact(n)` is the factorial",
        "choose" | "comb" => "`binom(n, k)` is the binomial coefficient",
        "lcm" => "`a * b / gcd(a, b)` is the least common multiple",
        "gcf" | "hcf" => "`gcd(a, b)` is the greatest common divisor",
        "harmonic" => "`H(n)` is the harmonic number",
        "constant" | "dirac" => "a number is itself a law; `deterministic(c)` is the same",
        "gauss" | "gaussian" => "`normal(mean, sd)` is the normal law",
        "nan" | "inf" | "infinity" => "every value is a finite number",
        "pi" => "define a constant by an equation: `numeric pi = 3.14159265358979`",
        "quantiles" | "percentile" | "percentiles" | "median" => {
            "`quantile(X, 0.99)` is the 99th percentile of a law"
        }
        "speedup" => "a speedup is written `at(time(main), P, 1) / time(main)`",
        _ => return None,
    })
}

/// The form of a process that other languages call by this name.
pub fn process_instead_of(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "acquire" | "release" | "lock" | "unlock" | "seize" | "request" | "enter" | "leave" => {
            "`use(r) { .. }` holds the resource `r` while the process in braces runs, `use(r, t)` for the time `t`"
        }
        "sleep" | "wait" | "work" | "compute" | "hold" | "busy" | "timeout" | "pause" => {
            "`delay(t)` takes the time `t`"
        }
        "fork" | "spawn" | "parallel" => {
            "`par (i = 1, n) { .. }` runs its steps at once, and so does `a || b`"
        }
        "for" | "while" | "loop" | "repeat" => "`seq (i = a, b) { .. }` is a loop",
        "barrier" | "sync" | "join" => {
            "a `par` ends when all of its steps have ended, and so does `a || b`"
        }
        _ => return None,
    })
}

/// Words of other languages for resources and steps; `called` is true if they have arguments.
pub fn beginnings(expected: Type, called: bool) -> &'static [&'static str] {
    match (expected, called) {
        (Type::Resource, true) => &[FCFS, SERVERS],
        (Type::Resource, false) => &[FCFS],
        (Type::Process, true) => &["delay", "use"],
        _ => &[],
    }
}

/// Bytes of a name past which nothing is suggested for it.
const MAX_SUGGESTED: usize = 64;

/// The candidate nearest to `name` by edit distance, if it is near enough.
pub fn nearest<'c>(name: &str, candidates: impl Iterator<Item = &'c str>) -> Option<&'c str> {
    if name.len() > MAX_SUGGESTED {
        return None;
    }
    let candidates: Vec<&str> = candidates.filter(|candidate| *candidate != name).collect();
    let other_case = candidates.iter().find(|c| c.eq_ignore_ascii_case(name));
    if let Some(found) = other_case {
        return Some(found);
    }
    // For names of two letters, any other two letters would count as near.
    let length = name.chars().count();
    if length < 3 {
        return None;
    }
    let longer = candidates.iter().filter(|c| c.starts_with(name));
    if let [only] = longer.collect::<Vec<_>>()[..] {
        return Some(only);
    }
    let allowed = (length / 3).min(3);
    candidates
        .into_iter()
        .filter(|candidate| {
            candidate.len() <= 2 * MAX_SUGGESTED
                && candidate.chars().count().abs_diff(length) <= allowed
        })
        .map(|candidate| (edit_distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The least number of insertions, deletions, replacements and swaps of neighbours between two words.
fn edit_distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swap_of_neighbours_counts_one() {
        assert_eq!(edit_distance("dealy", "delay"), 1);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_far_name_is_not_suggested() {
        assert_eq!(nearest("tsk", ["ts", "main"].into_iter()), Some("ts"));
        assert_eq!(nearest("x", ["main"].into_iter()), None);
        assert_eq!(nearest("q", ["p", "N"].into_iter()), None);
        assert_eq!(nearest("n", ["p", "N"].into_iter()), Some("N"));
    }

    #[test]
    fn the_beginning_of_a_name_is_enough() {
        assert_eq!(nearest("expo", names()), Some("exponential"));
        assert_eq!(nearest("Exponential", names()), Some("exponential"));
        assert_eq!(nearest("geom", names()), Some("geometric"));
    }
}
