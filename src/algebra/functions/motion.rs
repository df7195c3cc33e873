//! How terms move with an index.

use super::super::builtins::monotone::{self, Direction};
use super::super::language::Scope;
use super::super::pattern::Value;
use super::term_and_index;

/// 1 where the term never falls from one index to the next, -1 where it never rises, 0 where it does neither.
pub fn direction(scope: &mut Scope, values: &[Value]) -> Vec<Vec<Value>> {
    let Some((term, index)) = term_and_index(&scope.terms.arena, values) else {
        return Vec::new();
    };
    let sign = match monotone::direction(scope, term, index) {
        Some(Direction::Rising) => 1,
        Some(Direction::Falling) => -1,
        Some(Direction::Constant) => 0,
        None => return Vec::new(),
    };
    vec![vec![Value::Term(scope.terms.arena.number(sign))]]
}
