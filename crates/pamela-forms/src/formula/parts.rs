//! Formulas without their arena, as files store them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Formula, NameTable, law};
use crate::expr::{Arena, ExprId, Symbol};
use crate::timing::Note;

/// A formula without its arena and names in use, which many formulas share.
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
    /// The parts to save.
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

    /// Rebuilds the formula in a copy of its arena.
    ///
    /// # Errors
    /// Fails if the arena lacks an expression or a symbol.
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

    /// The shared table of names in use.
    pub fn given(&self) -> &Arc<NameTable> {
        &self.given
    }
}
