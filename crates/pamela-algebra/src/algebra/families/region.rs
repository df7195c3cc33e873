//! Facts about affine forms in a region where other forms are at least 0.

use super::affine::Affine;
use super::linear::{Point, System};

/// The region where affine forms of whole numbers are at least 0.
#[derive(Clone, Default)]
pub struct Region {
    facts: System,
}

impl Region {
    pub fn new(facts: impl IntoIterator<Item = Affine>) -> Region {
        let mut region = Region::default();
        let facts: Vec<Affine> = facts.into_iter().collect();
        region.facts.assume(&facts);
        region
    }

    pub fn assume(&mut self, fact: &Affine) {
        self.facts.assume(std::slice::from_ref(fact));
    }

    /// True if the facts are proved to exclude each other.
    pub fn is_empty(&self) -> bool {
        self.facts.point() == Point::Impossible
    }

    /// True if these are proved to be nowhere at least 0 together.
    pub fn excludes(&self, facts: &[Affine]) -> bool {
        self.facts.with(facts) == Point::Impossible
    }

    /// True if a form is proved to be at least 0 there.
    pub fn proves(&self, goal: &Affine) -> bool {
        match goal.as_constant() {
            Some(value) if value >= 0 => true,
            _ => self.excludes(&[goal.scaled(-1).shifted(-1)]),
        }
    }
}
