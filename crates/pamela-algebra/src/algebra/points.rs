//! Points at which facts hold, shared by all arenas of a model.

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::expr::{Arena, ExprId, Node, SymbolKind};
use crate::ring::Rational;
use crate::with_stack;

/// Points found before, and values that facts allow for one parameter. The keys are hashes of the structure of facts, so
/// that all arenas of a model share them. If two sets of facts have one hash by chance, a claim may miss its proof, but no
/// false claim gets one.
#[derive(Default)]
pub struct Points {
    known: Rc<RefCell<Known>>,
    /// Hashes of structure in the present arena.
    structures: RefCell<FxHashMap<ExprId, u64>>,
}

#[derive(Default)]
struct Known {
    allowed: FxHashMap<u64, Rc<[Rational]>>,
    found: FxHashMap<u64, Rc<[u64]>>,
}

impl Points {
    /// The same points, for another arena.
    pub fn elsewhere(&self) -> Points {
        Points {
            known: self.known.clone(),
            structures: RefCell::default(),
        }
    }

    /// The key of a list of facts.
    pub fn key(&self, arena: &Arena, facts: &[ExprId]) -> u64 {
        let mut hasher = FxHasher::default();
        let mut known = self.structures.borrow_mut();
        for &fact in facts {
            structure(arena, fact, &mut known).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Seeds of the points at which the facts of a key hold, if they were searched for.
    pub fn found(&self, key: u64) -> Option<Rc<[u64]>> {
        self.known.borrow().found.get(&key).cloned()
    }

    pub fn keep(&self, key: u64, seeds: Rc<[u64]>) {
        self.known.borrow_mut().found.insert(key, seeds);
    }

    /// Values of one parameter that the facts of a key allow, if they were searched for.
    pub fn allowed(&self, key: u64) -> Option<Rc<[Rational]>> {
        self.known.borrow().allowed.get(&key).cloned()
    }

    pub fn keep_allowed(&self, key: u64, values: Rc<[Rational]>) {
        self.known.borrow_mut().allowed.insert(key, values);
    }
}

/// A hash of an expression that does not depend on the arena.
fn structure(arena: &Arena, id: ExprId, known: &mut FxHashMap<ExprId, u64>) -> u64 {
    if let Some(&hash) = known.get(&id) {
        return hash;
    }
    let mut hasher = FxHasher::default();
    let node = arena.node(id);
    std::mem::discriminant(node).hash(&mut hasher);
    let mut parts = |list: &[ExprId], hasher: &mut FxHasher| {
        for &part in list {
            with_stack(|| structure(arena, part, known)).hash(hasher);
        }
    };
    match node {
        Node::Number(value) => value.hash(&mut hasher),
        Node::Symbol(symbol) => match arena.symbol_kind(*symbol) {
            SymbolKind::Index {
                height,
                lower,
                upper,
            } => {
                height.hash(&mut hasher);
                parts(&[*lower, *upper], &mut hasher);
            }
            SymbolKind::Named(name) => name.hash(&mut hasher),
            SymbolKind::Definition(defined) => (1, &defined.name).hash(&mut hasher),
            SymbolKind::HasValue(defined) => (2, &defined.name).hash(&mut hasher),
            SymbolKind::Fresh(number) => number.hash(&mut hasher),
            SymbolKind::Samples(_) => symbol.hash(&mut hasher),
        },
        Node::Compare(relation, a, b) => {
            relation.hash(&mut hasher);
            parts(&[*a, *b], &mut hasher);
        }
        Node::Apply(function, a) => {
            function.hash(&mut hasher);
            parts(&[*a], &mut hasher);
        }
        Node::Reduce(r) => {
            std::mem::discriminant(&r.kind).hash(&mut hasher);
            parts(&[r.lower, r.upper, r.body], &mut hasher);
        }
        Node::UnitVector(symbol, a) => {
            symbol.hash(&mut hasher);
            parts(&[*a], &mut hasher);
        }
        // They have no value at any point.
        Node::Law(..)
        | Node::Call(..)
        | Node::Graph(..)
        | Node::Cumulant(..)
        | Node::Quantile(..)
        | Node::Probability(..) => {
            id.hash(&mut hasher);
        }
        _ => parts(&arena.operands(id), &mut hasher),
    }
    let hash = hasher.finish();
    known.insert(id, hash);
    hash
}
