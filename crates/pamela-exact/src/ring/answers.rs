//! Caches answers of the prover. Scopes of one model differ in few facts and ask similar questions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fact::{Fact, Goal};
use super::prover::prove;

/// The cache is cleared when it has this many answers.
const MOST_ANSWERS: usize = 8_192;

/// The question whether the goal follows from the facts.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub goal: Goal,
    pub facts: Vec<Fact>,
}

/// Answers shared by sets of facts: equal questions have equal answers.
#[derive(Clone, Default)]
pub struct Answers {
    known: Rc<RefCell<FxHashMap<Question, bool>>>,
    work: Rc<Cell<u64>>,
}

impl Answers {
    /// Number of terms examined since the last call, by all users of the answers.
    pub fn take_work(&self) -> u64 {
        self.work.take()
    }

    /// Counts terms examined elsewhere.
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
