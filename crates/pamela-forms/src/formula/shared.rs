//! Names shared parts of formulas, so that texts stay proportional to the expressions.
//!
//! A named part is replaced by a symbol; the rest is printed like any other expression.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{reachable, used_names};
use crate::expr::{Arena, ExprId, LawKind, Node, Sort};
use crate::ring::Rational;
use crate::with_stack;

/// A part with at least this many operations is named if it occurs ...
const OPERATIONS: u32 = 3;
/// ... this many times;
const OFTEN: u64 = 3;
/// ... other parts are named if they occur twice and take this many nodes in all.
const NODES: u64 = 60;
/// No text has more operations than this, as far as parts of it can be named.
const MOST_OPERATIONS: u32 = 60;
/// A sum, or another operator with many operands, is cut into parts of this many operations.
const PIECE: u32 = 40;

/// Names in use.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct NameTable {
    /// Names that no part may get.
    pub taken: BTreeSet<String>,
    /// Given names of expressions, used for parts that need a name.
    pub named: FxHashMap<ExprId, String>,
}

/// Formulas with parts replaced by names, in an arena of their own.
pub(super) struct Shared {
    pub arena: Arena,
    pub roots: Vec<ExprId>,
    /// Names and their expressions. Each uses only parameters and earlier names.
    pub definitions: Vec<(String, ExprId)>,
    /// Given names that occur, with their expressions.
    pub references: Vec<(String, ExprId)>,
}

/// Names parts of `roots` as given, or else `prefix_1`, `prefix_2`, ...
pub(super) fn shared(source: &Arena, roots: &[ExprId], prefix: &str, given: &NameTable) -> Shared {
    let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
    let roots: Vec<ExprId> = roots
        .iter()
        .map(|&root| arena.import(source, root, &mut copied))
        .collect();
    let named = copied
        .iter()
        .filter_map(|(id, &copy)| Some((copy, given.named.get(id)?.clone())));
    let named = named.collect();
    let used = used_names(&arena, &roots);
    let counts = counts(&arena, &roots);
    let mut namer = Namer {
        chosen: chosen(&arena, &roots, &counts),
        counts,
        roots: roots.iter().copied().collect(),
        named,
        prefix,
        used,
        taken: &given.taken,
        number: 0,
        operations: FxHashMap::default(),
        done: FxHashMap::default(),
        shared: Shared {
            arena,
            roots: Vec::new(),
            definitions: Vec::new(),
            references: Vec::new(),
        },
    };
    for root in roots {
        let root = namer.rewrite(root);
        namer.shared.roots.push(root);
    }
    namer.shared
}

/// The parts of numbers of copies of laws: a name would hide that such a number is whole.
fn counts(arena: &Arena, roots: &[ExprId]) -> FxHashSet<ExprId> {
    let of_laws = |id: &ExprId| matches!(arena.node(*id), Node::Mul(_)) && arena.is_random(*id);
    let products = reachable(arena, roots).into_iter().filter(of_laws);
    let factors = products.flat_map(|id| arena.operands(id));
    let numbers: Vec<ExprId> = factors
        .filter(|&id| arena.sort(id) == Sort::Scalar)
        .collect();
    reachable(arena, &numbers).into_iter().collect()
}

/// Parts that occur often. A named part is written once more only.
fn chosen(arena: &Arena, roots: &[ExprId], counts: &FxHashSet<ExprId>) -> FxHashSet<ExprId> {
    let order = reachable(arena, roots);
    let mut times: FxHashMap<ExprId, u64> = FxHashMap::default();
    let mut operations: FxHashMap<ExprId, u32> = FxHashMap::default();
    for &id in &order {
        let parts = arena.operands(id);
        let inner = parts.iter().map(|part| operations[part]);
        let total = inner.fold(own_operations(arena, id), u32::saturating_add);
        operations.insert(id, total);
    }
    for &root in roots {
        *times.entry(root).or_default() += 1;
    }
    let mut chosen = FxHashSet::default();
    for &id in order.iter().rev() {
        let count = times.get(&id).copied().unwrap_or(0);
        let frequent = operations[&id] >= OPERATIONS && count >= OFTEN;
        let large = count >= 2 && count.saturating_mul(u64::from(arena.size(id))) >= NODES;
        let written = if (frequent || large) && is_nameable(arena, id) && !counts.contains(&id) {
            chosen.insert(id);
            1
        } else {
            count
        };
        for part in arena.operands(id) {
            let times = times.entry(part).or_default();
            *times = times.saturating_add(written);
        }
    }
    chosen
}

/// A scalar or a law outside the scope of every index that reads as a whole.
fn is_nameable(arena: &Arena, id: ExprId) -> bool {
    let negative = |number: ExprId| arena.as_number(number).is_some_and(Rational::is_negative);
    let whole = match *arena.node(id) {
        Node::Number(_) | Node::Symbol(_) | Node::Compare(..) => false,
        Node::Law(LawKind::Parameter(_) | LawKind::Empirical(_), _) => false,
        // A name stands for the divisor, not for its inverse, and for the subtrahend, not for its negative.
        Node::Pow(_, exponent) => !negative(exponent),
        Node::Mul(ref list) => !negative(list[0]),
        _ => true,
    };
    let named = |s| arena.symbol_name(s).is_some();
    whole
        && arena.sort(id) != Sort::Vector
        && !arena.is_boolean(id)
        && arena.free(id).iter().all(|&symbol| named(symbol))
}

/// The operators that the text of `id` has beside those of its operands.
fn own_operations(arena: &Arena, id: ExprId) -> u32 {
    match arena.node(id) {
        Node::Number(_) | Node::Symbol(_) | Node::UnitVector(..) | Node::Vector(_) => 0,
        Node::Add(list) | Node::Mul(list) | Node::Max(list) | Node::Min(list) => {
            list.len() as u32 - 1
        }
        _ => 1,
    }
}

/// Replaces what is named, operands first.
struct Namer<'a> {
    chosen: FxHashSet<ExprId>,
    /// Parts that stay unchanged.
    counts: FxHashSet<ExprId>,
    roots: FxHashSet<ExprId>,
    named: FxHashMap<ExprId, String>,
    prefix: &'a str,
    /// Names that no part may get.
    used: BTreeSet<String>,
    taken: &'a BTreeSet<String>,
    number: u32,
    /// Number of operations in the text of each rewritten expression; a name has none.
    operations: FxHashMap<ExprId, u32>,
    done: FxHashMap<ExprId, ExprId>,
    shared: Shared,
}

impl Namer<'_> {
    fn rewrite(&mut self, id: ExprId) -> ExprId {
        if let Some(&done) = self.done.get(&id) {
            return done;
        }
        let mut whole = with_stack(|| self.rewrite_operands(id));
        if self.chosen.contains(&id) && !self.roots.contains(&id) {
            whole = match self.named.get(&id).cloned() {
                Some(name) => self.refer(whole, name),
                None => self.define(whole),
            };
        }
        self.done.insert(id, whole);
        whole
    }

    fn rewrite_operands(&mut self, id: ExprId) -> ExprId {
        let operands = self.shared.arena.operands(id);
        let mut parts: Vec<ExprId> = operands.iter().map(|&part| self.rewrite(part)).collect();
        let own = own_operations(&self.shared.arena, id);
        let mut total = self.total(own, &parts);
        let of_laws =
            self.shared.arena.is_random(id) && matches!(self.shared.arena.node(id), Node::Mul(_));
        if of_laws || self.counts.contains(&id) {
            return self.over(id, operands, parts, total);
        }
        if total > MOST_OPERATIONS && is_list(&self.shared.arena, id) {
            parts = self.in_pieces(id, &parts);
            let whole = self.with_list(id, &parts);
            total = self.total(parts.len() as u32 - 1, &parts);
            self.operations.insert(whole, total);
            return whole;
        }
        while total > MOST_OPERATIONS
            && let Some(heaviest) = self.heaviest(&parts)
        {
            let name = self.define(parts[heaviest]);
            parts[heaviest] = name;
            total = self.total(own, &parts);
        }
        self.over(id, operands, parts, total)
    }

    /// The operator of `id` over other operands, with the number of operations in all.
    fn over(
        &mut self,
        id: ExprId,
        operands: Vec<ExprId>,
        parts: Vec<ExprId>,
        total: u32,
    ) -> ExprId {
        let renamed: FxHashMap<ExprId, ExprId> = operands.into_iter().zip(parts).collect();
        let arena = &mut self.shared.arena;
        let whole = arena.map_operands(id, &mut |_, part| *renamed.get(&part).unwrap_or(&part));
        self.operations.insert(whole, total);
        whole
    }

    fn total(&self, own: u32, parts: &[ExprId]) -> u32 {
        let inner = parts.iter().map(|part| self.operations.get(part));
        inner.fold(own, |sum, part| {
            sum.saturating_add(part.copied().unwrap_or(0))
        })
    }

    /// The operand that it helps most to name.
    fn heaviest(&self, parts: &[ExprId]) -> Option<usize> {
        let candidates = (0..parts.len()).filter(|&k| is_nameable(&self.shared.arena, parts[k]));
        let weight = |k: usize| self.operations.get(&parts[k]).copied().unwrap_or(0);
        let heaviest = candidates.max_by_key(|&k| weight(k))?;
        (weight(heaviest) > 0).then_some(heaviest)
    }

    /// Neighbouring operands together, each of the groups with a name.
    fn in_pieces(&mut self, id: ExprId, parts: &[ExprId]) -> Vec<ExprId> {
        let mut pieces = Vec::new();
        let mut rest = parts;
        while !rest.is_empty() {
            let mut length = 1;
            while length < rest.len() && self.total(length as u32, &rest[..=length]) <= PIECE {
                length += 1;
            }
            let (piece, others) = rest.split_at(length);
            rest = others;
            let whole = match piece {
                [single] => *single,
                _ => self.with_list(id, piece),
            };
            let operations = self.total(length as u32 - 1, piece);
            self.operations.entry(whole).or_insert(operations);
            if operations > 0 && is_nameable(&self.shared.arena, whole) {
                pieces.push(self.define(whole))
            } else {
                pieces.extend(piece)
            }
        }
        if pieces.len() < parts.len() && pieces.len() as u32 > MOST_OPERATIONS {
            self.in_pieces(id, &pieces)
        } else {
            pieces
        }
    }

    /// The operator of `id` over other operands.
    fn with_list(&mut self, id: ExprId, parts: &[ExprId]) -> ExprId {
        let arena = &mut self.shared.arena;
        match arena.node(id) {
            Node::Mul(_) => arena.mul(parts),
            Node::Max(_) => arena.max(parts),
            Node::Min(_) => arena.min(parts),
            _ => arena.add(parts),
        }
    }

    /// A new name for `whole`.
    fn define(&mut self, whole: ExprId) -> ExprId {
        if matches!(self.shared.arena.node(whole), Node::Symbol(_)) {
            return whole;
        }
        let name = loop {
            self.number += 1;
            let name = format!("{}_{}", self.prefix, self.number);
            // No number is used twice.
            if !self.taken.contains(&name) && !self.used.contains(&name) {
                break name;
            }
        };
        self.shared.definitions.push((name.clone(), whole));
        self.named_like(whole, &name)
    }

    /// The name that is given to `whole`.
    fn refer(&mut self, whole: ExprId, name: String) -> ExprId {
        let symbol = self.named_like(whole, &name);
        self.shared.references.push((name, whole));
        symbol
    }

    /// A symbol of the same sort.
    fn named_like(&mut self, whole: ExprId, name: &str) -> ExprId {
        let arena = &mut self.shared.arena;
        let symbol = arena.named(name);
        match arena.sort(whole) {
            Sort::Law => arena.law(LawKind::Parameter(symbol), &[]),
            _ => arena.symbol(symbol),
        }
    }
}

/// True if the operands may be taken together by groups.
fn is_list(arena: &Arena, id: ExprId) -> bool {
    let list = matches!(
        arena.node(id),
        Node::Add(_) | Node::Mul(_) | Node::Max(_) | Node::Min(_)
    );
    list && arena.sort(id) == Sort::Scalar && !arena.is_boolean(id)
}
