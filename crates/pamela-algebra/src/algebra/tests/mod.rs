//! What canonical terms, the prover, patterns, the rule base and derivations promise.

mod facts;
mod pattern;
mod requirements;
mod rulebase;
mod simplify;
mod terms;
mod validation;

use crate::expr::{Arena, ExprId, Function, Relation};

use super::rulebase::RuleBase;
use super::terms::Terms;

/// The rules of this repository: the functions first, which the others call.
fn rules() -> RuleBase {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules");
    let entries = std::fs::read_dir(directory).expect("the rules are there");
    let paths = entries.map(|entry| entry.expect("an entry of the rules").path());
    let is_rules = |path: &std::path::PathBuf| path.extension().is_some_and(|e| e == "rules");
    let mut paths: Vec<_> = paths.filter(is_rules).collect();
    paths.sort_by_key(|path| (!path.ends_with("functions.rules"), path.clone()));
    let mut base = RuleBase::default();
    for path in paths {
        let family = path.file_stem().expect("a name").to_string_lossy();
        let text = std::fs::read_to_string(&path).expect("a rule file can be read");
        let added = base.add(&family, &format!("rules/{family}.rules"), &text);
        added.expect("the rules are rules");
    }
    base
}

/// Builds terms over parameters; each helper is one operator.
struct Build {
    terms: Terms,
}

impl Build {
    fn new() -> Build {
        Build {
            terms: Terms::new(Arena::new()),
        }
    }

    fn name(&mut self, name: &str) -> ExprId {
        self.terms.arena.parameter(name)
    }

    fn number(&mut self, value: i64) -> ExprId {
        self.terms.arena.number(value)
    }

    fn add(&mut self, parts: &[ExprId]) -> ExprId {
        self.terms.arena.add(parts)
    }

    fn mul(&mut self, parts: &[ExprId]) -> ExprId {
        self.terms.arena.mul(parts)
    }

    fn minus(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.subtract(left, right)
    }

    fn over(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.divide(left, right)
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) -> ExprId {
        self.terms.arena.pow(base, exponent)
    }

    fn floor(&mut self, operand: ExprId) -> ExprId {
        self.terms.arena.apply(Function::Floor, operand)
    }

    fn apply(&mut self, function: Function, operand: ExprId) -> ExprId {
        self.terms.arena.apply(function, operand)
    }

    fn whole(&mut self, operand: ExprId) -> ExprId {
        self.terms.arena.apply(Function::Integer, operand)
    }

    fn at_most(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.relate(Relation::LessEqual, left, right)
    }

    fn less(&mut self, left: ExprId, right: ExprId) -> ExprId {
        self.terms.arena.relate(Relation::Less, left, right)
    }

    /// True if both have one canonical term.
    fn same(&mut self, left: ExprId, right: ExprId) -> bool {
        self.terms.canonical(left) == self.terms.canonical(right)
    }
}
