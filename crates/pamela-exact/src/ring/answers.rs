//! Questions to the prover, and the answers that were found before.
//!
//! Scopes of one model differ in few facts, and ask much the same.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fact::{Fact, Goal};
use super::prover::prove;

/// Answers are forgotten when there are so many.
const MOST_ANSWERS: usize = 8_192;

/// Whether the goal follows from the facts.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub goal: Goal,
    pub facts: Vec<Fact>,
}

/// Answers that sets of facts share: the same question has the same answer, whoever asks.
#[derive(Clone, Default)]
pub struct Answers {
    known: Rc<RefCell<FxHashMap<Question, bool>>>,
    work: Rc<Cell<u64>>,
}

impl Answers {
    /// How many terms were looked at since this was last asked, whoever asked for the answers.
    pub fn take_work(&self) -> u64 {
        self.work.take()
    }

    /// Counts terms that were looked at elsewhere.
    pub fn charge(&self, terms: u64) {
        self.work.set(self.work.get() + terms);
    }

    pub(super) fn to(&self, question: Question) -> bool {
        if let Some(&known) = self.known.borrow().get(&question) {
            return known;
        }
        let (proved, work) = prove(&question.goal, &question.facts);
        self.charge(work);
        let mut answers = self.known.borrow_mut();
        if answers.len() == MOST_ANSWERS {
            answers.clear();
        }
        answers.insert(question, proved);
        proved
    }
}
