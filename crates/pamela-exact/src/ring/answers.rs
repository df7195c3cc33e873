//! Questions to the prover, and the answers that were found before.
//!
//! Scopes of one model differ in few facts, and ask much the same.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::fact::{Fact, Goal};
use super::prover::prove;

/// Answers are forgotten when there are so many.
const MOST_ANSWERS: usize = 8_192;

/// Whether one of the goals, which are equivalent, follows from the facts.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Question {
    pub goals: SmallVec<[Goal; 2]>,
    pub facts: Vec<Fact>,
}

/// Answers that sets of facts share: the same question has the same answer, whoever asks.
#[derive(Clone, Default)]
pub struct Answers {
    known: Rc<RefCell<FxHashMap<Question, bool>>>,
    work: Rc<Cell<u64>>,
}

impl Answers {
    /// How many times `unit` terms were looked at since this was last asked, whoever asked for the answers; what is left
    /// counts the next time.
    pub fn take_work(&self, unit: u64) -> u64 {
        let work = self.work.get();
        self.work.set(work % unit);
        work / unit
    }

    /// Counts terms that were looked at before a question could be asked.
    pub(super) fn charge(&self, terms: u64) {
        self.work.set(self.work.get() + terms);
    }

    pub(super) fn to(&self, question: Question) -> bool {
        if let Some(&known) = self.known.borrow().get(&question) {
            return known;
        }
        let mut goals = question.goals.iter();
        let proved = goals.any(|goal| {
            let (proved, work) = prove(goal, &question.facts);
            self.work.set(self.work.get() + work);
            proved
        });
        let mut answers = self.known.borrow_mut();
        if answers.len() == MOST_ANSWERS {
            answers.clear();
        }
        answers.insert(question, proved);
        proved
    }
}
