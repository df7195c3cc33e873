//! Questions to the prover, and the answers that were found before.
//!
//! Scopes of one model differ in few facts, and ask much the same.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::facts::Fact;
use super::prover::{Goal, prove};

/// Answers are forgotten when there are so many.
const MOST_ANSWERS: usize = 8_192;

thread_local! {
    static ANSWERS: RefCell<FxHashMap<Question, bool>> = RefCell::default();
}

/// Whether one of the goals, which are equivalent, follows from the facts.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub goals: SmallVec<[Goal; 2]>,
    pub facts: Vec<Fact>,
}

impl Question {
    /// The same for the same question, whenever it is asked.
    pub fn answer(self) -> bool {
        if let Some(known) = ANSWERS.with_borrow(|answers| answers.get(&self).copied()) {
            return known;
        }
        let proved = self.goals.iter().any(|goal| prove(goal, &self.facts));
        ANSWERS.with_borrow_mut(|answers| {
            if answers.len() == MOST_ANSWERS {
                answers.clear();
            }
            answers.insert(self, proved);
        });
        proved
    }
}
