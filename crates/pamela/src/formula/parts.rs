//! Formulas apart from their arena, as files hold them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Formula, NameTable, law};
use crate::expr::{Arena, ExprId, Symbol};
use crate::timing::Note;

/// All of a formula but its arena and the names that are taken, which many formulas share.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parts {
    root: ExprId,
    conditions: Vec<ExprId>,
    rests_on: Vec<String>,
    approximations: Vec<Note>,
    unknown_moments: Option<Note>,
    times: Vec<ExprId>,
    whole: Vec<Symbol>,
    facts: Vec<ExprId>,
}

impl Formula {
    /// All that the formula is made of, to be saved.
    pub fn parts(&self) -> Parts {
        Parts {
            root: self.root,
            conditions: self.conditions.clone(),
            rests_on: self.rests_on.clone(),
            approximations: self.approximations.clone(),
            unknown_moments: self.unknown_moments.clone(),
            times: self.times.clone(),
            whole: self.known.whole.clone(),
            facts: self.known.facts.clone(),
        }
    }

    /// The formula again, in an arena like that it was in.
    ///
    /// # Errors
    /// An expression or a symbol that the arena does not have.
    pub fn from_parts(
        parts: Parts,
        arena: &Arc<Arena>,
        given: &Arc<NameTable>,
    ) -> Result<Formula, String> {
        let expressions = [
            &[parts.root],
            &parts.conditions[..],
            &parts.times,
            &parts.facts,
        ];
        let missing = expressions
            .into_iter()
            .flatten()
            .any(|id| id.index() as usize >= arena.len());
        if missing {
            return Err("a formula has an expression that is missing".to_string());
        }
        if parts.whole.iter().any(|&symbol| !arena.has_symbol(symbol)) {
            return Err("a formula has a symbol that is missing".to_string());
        }
        Ok(Formula {
            arena: arena.clone(),
            root: parts.root,
            conditions: parts.conditions,
            rests_on: parts.rests_on,
            approximations: parts.approximations,
            unknown_moments: parts.unknown_moments,
            times: parts.times,
            known: law::ParameterFacts {
                whole: parts.whole,
                facts: parts.facts,
            },
            given: given.clone(),
        })
    }

    /// The arena, to be shared.
    pub fn shared_arena(&self) -> &Arc<Arena> {
        &self.arena
    }

    /// The names that are taken, to be shared.
    pub fn given(&self) -> &Arc<NameTable> {
        &self.given
    }
}
