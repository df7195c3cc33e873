//! What names of the model are called in other languages: the same in all of them.

use std::collections::{BTreeMap, BTreeSet};

/// Words that mean something in one of the languages, or in what the functions use of it.
const RESERVED: &str = "\
abstract and arguments as asm assert async auto await baremodule begin bool boolean break byte case catch char class
const continue crate debugger def default del delete do double dyn elif else elseif end enum eval except export
extends extern false final finally float fn for from function global goto if impl implements import in inline
instanceof int interface is lambda let local long loop macro match math mod module move mut native new nonlocal not
np null or override package pass priv private protected pub public quote raise ref register restrict result return
self short signed sizeof static struct super switch symbol sympy synchronized this throw throws trait transient true
try type typedef typeof undefined union unsafe unsigned unsized use using var virtual void volatile where while with
yield Infinity Math NaN None False True Self Inf f64 numpy main bool_ range sum min max abs all any
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh drem erf erfc exp exp2 expm1 fabs fdim floor fma
fmax fmin fmod frexp gamma hypot ilogb isnan j0 j1 jn ldexp lgamma log log10 log1p log2 logb lrint lround modf nan
nearbyint nextafter pow remainder remquo rint round scalbn signgam significand sin sinh sqrt tan tanh tgamma trunc
y0 y1 yn INFINITY NAN
alter analyze between by cast column create cross current_date current_time distinct drop exists fetch from
full grant group having inner insert intersect into join left like limit natural offset on order outer points
primary references right row rows select set table then to union unique update user values when window";

/// What names of the model are called, and what is free for parts.
#[derive(Clone, Debug)]
pub(crate) struct Names {
    given: BTreeMap<String, String>,
    part: String,
}

impl Names {
    pub fn new<'n>(
        parameters: impl Iterator<Item = &'n str>,
        equations: impl Iterator<Item = &'n str>,
    ) -> Names {
        let mut all: BTreeSet<String> = parameters.map(str::to_owned).collect();
        for name in equations {
            all.insert(name.to_owned());
            all.insert(format!("{name}_holds"));
        }
        let words: BTreeSet<&str> = RESERVED.split_whitespace().collect();
        let is_reserved = |name: &String| {
            // The words of SQL have no case.
            words.contains(name.as_str())
                || words.contains(name.to_lowercase().as_str())
                || name.starts_with("pamela_")
                || name.trim_matches('_').is_empty()
        };
        let (renamed, own): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|name| is_reserved(name));
        let mut taken: BTreeSet<String> = own.iter().cloned().collect();
        let mut given = BTreeMap::new();
        for name in renamed {
            let mut other = format!("{}_", name.replace("pamela_", "model_"));
            while is_reserved(&other) || !taken.insert(other.clone()) {
                other.insert(0, 'x');
            }
            given.insert(name, other);
        }
        let mut part = "part".to_string();
        while taken
            .iter()
            .any(|name| name.to_lowercase().starts_with(&part))
        {
            part.push('_');
        }
        Names { given, part }
    }

    pub fn of(&self, name: &str) -> String {
        let given = self.given.get(name);
        given.cloned().unwrap_or_else(|| name.to_string())
    }

    pub fn all(&self, names: &[String]) -> Vec<String> {
        names.iter().map(|name| self.of(name)).collect()
    }

    /// What is called otherwise: its name in the model, and in the text.
    pub fn renamed(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.given.iter();
        let own = pairs.filter(|(name, _)| !name.ends_with("_holds"));
        own.map(|(name, other)| (name.as_str(), other.as_str()))
    }

    /// What no name begins with.
    pub fn part(&self) -> &str {
        &self.part
    }
}
