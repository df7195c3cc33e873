//! Caches answers of the prover. Scopes of one model differ in few facts and ask similar questions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fact::Goal;
use super::prover::prove;
use super::store::{Set, Store};

/// The cache is cleared when it has this many answers.
const MOST_ANSWERS: usize = 8_192;

/// Answers shared by sets of facts: equal questions have equal answers.
#[derive(Clone, Default)]
pub struct Answers {
    /// By the numbers of sets of facts.
    known: Rc<RefCell<FxHashMap<(u32, Goal), bool>>>,
    pub(super) store: Rc<RefCell<Store>>,
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

    /// True if the goal follows from the facts, as far as the prover finds out.
    pub(super) fn to(&self, goal: Goal, set: &Set) -> bool {
        let question = (set.number, goal);
        if let Some(&known) = self.known.borrow().get(&question) {
            return known;
        }
        let (proved, work) = prove(&question.1, set);
        self.charge(work);
        let mut answers = self.known.borrow_mut();
        if answers.len() == MOST_ANSWERS {
            answers.clear();
        }
        answers.insert(question, proved);
        proved
    }
}
