//! Guaranteed bounds of laws that contain longest paths of random tasks.

use std::collections::HashMap;

use super::Result;
use crate::eval::exact::Evaluator;
use crate::eval::paths::{PathBounds, PathLaw};
use crate::expr::{Arena, ExprId, GraphPart, LawKind, Node, ReduceKind};
use crate::law::{Law, SHOWN_QUANTILES, quantile};
use crate::with_stack;

/// True if the expression is a law that contains longest paths of random tasks and increases
/// stochastically with them.
pub fn is_raised_by_paths(arena: &Arena, id: ExprId) -> bool {
    let mut paths = Paths::new(arena);
    arena.is_law(id) && paths.in_law(id) && paths.raise(id)
}

/// True if the expression contains longest paths of random tasks.
pub fn has_random_paths(arena: &Arena, id: ExprId) -> bool {
    Paths::new(arena).in_law(id)
}

impl Evaluator<'_> {
    /// Bounds of a law that increases with its longest paths.
    pub(in crate::eval) fn path_bounds(&mut self, id: ExprId) -> Result<Option<PathBounds>> {
        if !is_raised_by_paths(self.arena, id) {
            return Ok(None);
        }
        let own = self.paths;
        let mut ends = Vec::new();
        for law in [PathLaw::Lower, PathLaw::Upper] {
            self.paths.law = law;
            self.forget_values();
            ends.push(self.end(id, law));
        }
        self.paths = own;
        self.forget_values();
        let mut ends = ends.into_iter().collect::<Result<Vec<End>>>()?.into_iter();
        let (Some(lower), Some(upper)) = (ends.next(), ends.next()) else {
            return Ok(None);
        };
        let quantiles = SHOWN_QUANTILES.iter().copied();
        let quantiles = quantiles.zip(lower.quantiles.into_iter().zip(upper.quantiles));
        let known = self.known_paths.values();
        let known = known.flat_map(|known| &known.bounds);
        let mut notes: Vec<String> = known.flat_map(|bounds| bounds.notes.clone()).collect();
        notes.sort_unstable();
        notes.dedup();
        Ok(Some(PathBounds {
            mean: [lower.mean, upper.mean],
            quantiles: quantiles.map(|(p, (a, b))| (p, [a, b])).collect(),
            notes,
        }))
    }

    /// One end of the bounds.
    fn end(&mut self, id: ExprId, which: PathLaw) -> Result<End> {
        let law = self.law(id)?;
        let side = usize::from(which == PathLaw::Upper);
        let mean = self.mean_bound(id, side)?;
        if let Some(bounds) = self
            .known_paths
            .get(&id)
            .and_then(|known| known.bounds.as_ref())
        {
            let quantiles = SHOWN_QUANTILES.iter().map(|&p| bounds.quantile(p)[side]);
            let quantiles = quantiles.collect();
            return Ok(End { mean, quantiles });
        }
        let distribution = law.distribution(self.carrier);
        let (distribution, _) = distribution.map_err(super::undefined)?;
        let beyond = match which {
            PathLaw::Upper => self.beyond(id)?.probability,
            _ => 0.0,
        };
        let quantiles = SHOWN_QUANTILES.iter().map(|&p| {
            if p + beyond < 1.0 {
                quantile(distribution.as_ref(), p + beyond)
            } else {
                f64::INFINITY
            }
        });
        Ok(End {
            mean,
            quantiles: quantiles.collect(),
        })
    }

    /// The mean of a law, or a bound of it if laws of paths are bounds.
    pub(super) fn mean_of(&mut self, id: ExprId, law: &Law) -> Result<f64> {
        match self.paths.law {
            PathLaw::Lower => self.mean_bound(id, 0),
            PathLaw::Upper => self.mean_bound(id, 1),
            PathLaw::Samples | PathLaw::Normal => Ok(law.cumulants().mean),
        }
    }

    /// A bound of the mean: those of paths are closer than those of their laws, and means add up.
    fn mean_bound(&mut self, id: ExprId, side: usize) -> Result<f64> {
        if let Some(bounds) = self
            .known_paths
            .get(&id)
            .and_then(|known| known.bounds.as_ref())
        {
            return Ok(bounds.mean[side]);
        }
        let arena = self.arena;
        match arena.node(id) {
            Node::Add(terms) => terms.iter().map(|&term| self.mean_bound(term, side)).sum(),
            _ if side == 0 => Ok(self.law(id)?.cumulants().mean),
            _ => Ok(self.law(id)?.cumulants().mean + self.beyond(id)?.mean),
        }
    }

    /// Excess that the upper laws of the paths in a law omit. The law grows at most as much as each path, apart from
    /// factors and copies.
    fn beyond(&mut self, id: ExprId) -> Result<Exceedance> {
        if !self.has_path(id) {
            return Ok(Exceedance::default());
        }
        if let Some(known) = self.known_paths.get(&id) {
            let bounds = known.bounds.as_ref();
            return Ok(bounds.map_or(Exceedance::UNKNOWN, |bounds| Exceedance {
                probability: bounds.upper.missing(),
                mean: bounds.beyond,
            }));
        }
        let arena = self.arena;
        let parts = match arena.node(id) {
            Node::Add(terms) => terms.clone(),
            Node::Law(LawKind::Max | LawKind::Min, list) => list.clone(),
            Node::Law(LawKind::Mixture, list) => list.iter().skip(1).step_by(2).copied().collect(),
            Node::If(condition, a, b) => {
                let holds = !self.number(*condition)?.is_zero();
                return self.beyond(if holds { *a } else { *b });
            }
            Node::Mul(factors) => {
                let (laws, numbers): (Vec<ExprId>, Vec<ExprId>) =
                    factors.iter().partition(|&&factor| arena.is_law(factor));
                let mut all = Exceedance::default();
                for law in laws {
                    all = all.and(self.beyond(law)?);
                }
                for number in numbers {
                    all = all.copies(self.number(number)?.to_f64());
                }
                return Ok(all);
            }
            Node::Law(LawKind::Scale, list) => {
                let &[factor, law] = &list[..] else {
                    return Ok(Exceedance::UNKNOWN);
                };
                let factor = self.number(factor)?.to_f64();
                let own = self.beyond(law)?;
                return Ok(Exceedance {
                    mean: factor * own.mean,
                    ..own
                });
            }
            Node::Reduce(r) if !arena.mentions(r.body, r.index) => {
                let count = self.range(r)?.1.to_f64();
                return Ok(self.beyond(r.body)?.copies(count));
            }
            _ => return Ok(Exceedance::UNKNOWN),
        };
        let mut all = Exceedance::default();
        for &part in parts.iter() {
            all = all.and(self.beyond(part)?);
        }
        Ok(all)
    }

    /// True if the expression contains a longest path of random tasks.
    pub(super) fn has_path(&self, id: ExprId) -> bool {
        has_random_paths(self.arena, id)
    }
}

/// Bounds of the probability and of the mean excess by which a law exceeds the law that replaces it.
#[derive(Clone, Copy, Default)]
struct Exceedance {
    probability: f64,
    mean: f64,
}

impl Exceedance {
    const UNKNOWN: Exceedance = Exceedance {
        probability: f64::INFINITY,
        mean: f64::INFINITY,
    };

    fn and(self, other: Exceedance) -> Exceedance {
        Exceedance {
            probability: self.probability + other.probability,
            mean: self.mean + other.mean,
        }
    }

    fn copies(self, count: f64) -> Exceedance {
        if count > 0.0 {
            Exceedance {
                probability: count * self.probability,
                mean: count * self.mean,
            }
        } else {
            Exceedance::default()
        }
    }
}

/// A bound of the mean and of the shown quantiles.
struct End {
    mean: f64,
    quantiles: Vec<f64>,
}

/// Positions of longest paths of random tasks.
struct Paths<'a> {
    arena: &'a Arena,
    known: HashMap<ExprId, bool>,
}

impl<'a> Paths<'a> {
    fn new(arena: &'a Arena) -> Paths<'a> {
        Paths {
            arena,
            known: HashMap::new(),
        }
    }

    /// True if there is one in it.
    fn in_law(&mut self, id: ExprId) -> bool {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let own = matches!(
            self.arena.node(id),
            Node::Graph(GraphPart::LongestPath(_), _)
        );
        let found = own && self.arena.is_law(id)
            || with_stack(|| {
                let operands = self.arena.operands(id).into_iter();
                operands.fold(false, |found, part| found | self.in_law(part))
            });
        self.known.insert(id, found);
        found
    }

    /// True if it is stochastically larger where these are.
    fn raise(&mut self, id: ExprId) -> bool {
        if !self.in_law(id) {
            return true;
        }
        let arena = self.arena;
        let mut all = |list: &[ExprId]| list.iter().all(|&part| self.raise(part));
        match arena.node(id) {
            Node::Graph(..) | Node::Add(_) => all(&arena.operands(id)),
            // A number of copies.
            Node::Mul(factors) => factors.iter().all(|&factor| {
                if arena.is_law(factor) {
                    self.raise(factor)
                } else {
                    !self.in_law(factor)
                }
            }),
            Node::If(condition, a, b) => {
                !self.in_law(*condition) && self.raise(*a) && self.raise(*b)
            }
            Node::Reduce(r) => {
                let grows = !matches!(r.kind, ReduceKind::Product);
                let scalars = arena
                    .operands(id)
                    .into_iter()
                    .filter(|&part| part != r.body);
                let scalars: Vec<ExprId> = scalars.collect();
                grows && !scalars.iter().any(|&part| self.in_law(part)) && self.raise(r.body)
            }
            Node::Law(LawKind::Max | LawKind::Min, list) => all(list),
            Node::Law(LawKind::Scale, list) => match list[..] {
                [factor, law] => {
                    let factor = arena.as_number(factor);
                    factor.is_some_and(|factor| !factor.is_negative()) && self.raise(law)
                }
                _ => false,
            },
            Node::Law(LawKind::Mixture, list) => {
                let weights = list.iter().step_by(2);
                !weights.into_iter().any(|&weight| self.in_law(weight))
                    && list.iter().skip(1).step_by(2).all(|&law| self.raise(law))
            }
            _ => false,
        }
    }
}
