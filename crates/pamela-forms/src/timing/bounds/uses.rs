//! Uses of resources: which, how often, and by how many processes at once. Others may wait for
//! them.

use std::rc::Rc;

use super::Lowered;
use super::sides::{Idle, Place, Use};
use crate::diagnostic::Diagnostic;
use crate::expr::{ExprId, Node, ReduceKind, Relation, Symbol};
use crate::ring::Rational;
use crate::timing::argument::Binder;
use crate::timing::numeric::Cases;
use crate::timing::process::contention::is_shifted;
use crate::timing::scope::Lowering;

/// A resource that some processes use, with the use of each.
pub(super) type Shared = Vec<Option<Use>>;

/// Use of the same resource by other copies of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    None,
    /// The same resource, or elements that are treated as one.
    Same,
    /// Single elements, which may coincide.
    SameElement,
}

/// Composition of the parts of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Together {
    Sequence,
    Parallel,
    /// In an unknown order: one after another, or at once.
    Unordered,
}

impl Lowering<'_, '_> {
    /// The resources that several processes use.
    pub(super) fn shared(&mut self, lists: &[Rc<[Use]>]) -> Vec<Shared> {
        let mut arrays: Vec<Symbol> = Vec::new();
        for own in lists.iter().flat_map(|list| list.iter()) {
            if !arrays.contains(&own.array) {
                arrays.push(own.array);
            }
        }
        let mut shared = Vec::new();
        for array in arrays {
            let mut places: Vec<Option<Place>> = Vec::new();
            for own in lists.iter().flat_map(|list| list.iter()) {
                if own.array == array && !places.contains(&own.place) {
                    places.push(own.place);
                }
            }
            if !self.are_all_apart(&places) {
                let pooled = lists.iter().map(|list| {
                    let own: Vec<Use> = list.iter().filter(|u| u.array == array).copied().collect();
                    self.taken_as_one(&own)
                });
                shared.push(pooled.collect());
                continue;
            }
            for place in places {
                let of = |u: &&Use| u.array == array && u.place == place;
                let each = lists.iter().map(|list| list.iter().find(of).copied());
                shared.push(each.collect());
            }
        }
        shared
    }

    /// True if no element occurs twice in a list, for all values of indices.
    pub(super) fn are_distinct(&mut self, places: &[Place]) -> bool {
        let twice = (0..places.len()).any(|k| places[..k].contains(&places[k]));
        let places: Vec<Option<Place>> = places.iter().copied().map(Some).collect();
        !twice && self.are_all_apart(&places)
    }

    /// True if differently written places are certainly different elements, for all values of
    /// indices.
    pub(super) fn are_all_apart(&mut self, places: &[Option<Place>]) -> bool {
        const MOST: usize = 64;
        if places.len() <= 1 {
            return true;
        }
        let Some(places) = places.iter().copied().collect::<Option<Vec<Place>>>() else {
            return false;
        };
        let numbers = places
            .iter()
            .all(|place| self.arena.as_number(place.index).is_some());
        numbers
            || places.len() <= MOST
                && (0..places.len())
                    .all(|k| (0..k).all(|earlier| self.are_different(places[earlier], places[k])))
    }

    /// True if two indices differ by a number other than 0, or on one side all over a range.
    fn are_different(&mut self, mut a: Place, b: Place) -> bool {
        if let Some((index, lower, upper)) = a.over {
            // The other one may be for the same range.
            let own = self.arena.fresh_index();
            let value = self.arena.symbol(own);
            a = Place {
                index: self.arena.substitute(a.index, index, value),
                over: Some((own, lower, upper)),
            };
        }
        let difference = self.difference(a.index, b.index);
        if let Some(number) = self.arena.as_number(difference) {
            return !number.is_zero();
        }
        let around = self
            .bounds
            .binders
            .iter()
            .map(|b| (b.index, b.lower, b.upper));
        let ranges: Vec<_> = around.chain(a.over).chain(b.over).collect();
        // Only a term of its own is replaced without factors around it.
        let reverse = self.difference(b.index, a.index);
        let differences = [difference, reverse];
        differences.into_iter().any(|difference| {
            ranges
                .iter()
                .any(|&range| self.is_beyond(difference, range))
        })
    }

    /// `a - b` with equal terms cancelled.
    pub(super) fn difference(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let mut terms = match self.arena.node(b) {
            Node::Add(terms) => terms.to_vec(),
            _ => vec![b],
        };
        for term in &mut terms {
            *term = self.negated(*term);
        }
        terms.push(a);
        self.add(&terms)
    }

    fn is_beyond(
        &mut self,
        difference: ExprId,
        (own, lower, upper): (Symbol, ExprId, ExprId),
    ) -> bool {
        if !self.arena.mentions(difference, own) {
            return false;
        }
        let at = |inner: &mut Self, value: ExprId| {
            let there = inner.arena.substitute(difference, own, value);
            inner.add(&[there])
        };
        let (one, index) = (self.arena.number(1), self.arena.symbol(own));
        let next = self.add(&[index, one]);
        let next = at(self, next);
        let slope = self.difference(next, difference);
        let (first, last) = (at(self, lower), at(self, upper));
        let sign = |id: ExprId| match self.arena.as_number(id) {
            Some(number) if number.is_negative() => -1,
            Some(number) if !number.is_zero() => 1,
            _ => 0,
        };
        match sign(slope) {
            1 => sign(last) < 0 || sign(first) > 0,
            -1 => sign(last) > 0 || sign(first) < 0,
            _ => false,
        }
    }

    /// Joins uses of several elements of an array. Whoever waits for one of them waits no longer
    /// than for all.
    pub(super) fn taken_as_one(&mut self, uses: &[Use]) -> Option<Use> {
        let (first, rest) = uses.split_first()?;
        if rest.is_empty() {
            return Some(Use {
                place: None,
                ..*first
            });
        }
        let servers: Vec<ExprId> = uses.iter().map(|u| u.servers).collect();
        Some(Use {
            array: first.array,
            place: None,
            servers: self.arena.min(&servers),
            work: self.total_of(uses, |u| u.work),
            visits: self.total_of(uses, |u| u.visits),
            together: self.total_of(uses, |u| u.together),
            number: self.total_of(uses, |u| u.number),
        })
    }

    fn total_of(&mut self, uses: &[Use], of: impl Fn(&Use) -> ExprId) -> ExprId {
        let all: Vec<ExprId> = uses.iter().map(of).collect();
        self.add(&all)
    }

    fn greatest_of(&mut self, uses: &[Use], of: impl Fn(&Use) -> ExprId) -> ExprId {
        let all: Vec<ExprId> = uses.iter().map(of).collect();
        self.arena.max(&all)
    }

    /// Joins uses of processes that run one after another, or at once.
    pub(super) fn uses_of_all(&mut self, shared: &[Shared], together: Together) -> Rc<[Use]> {
        let one = |list: &Shared| {
            let uses: Vec<Use> = list.iter().flatten().copied().collect();
            let first = *uses.first()?;
            let servers: Vec<ExprId> = uses.iter().map(|u| u.servers).collect();
            let work = self.total_of(&uses, |u| u.work);
            let servers = self.arena.min(&servers);
            let (visits, together, number) = match together {
                Together::Sequence => (
                    self.total_of(&uses, |u| u.visits),
                    self.greatest_of(&uses, |u| u.together),
                    self.greatest_of(&uses, |u| u.number),
                ),
                Together::Parallel => (
                    self.greatest_of(&uses, |u| u.visits),
                    self.total_of(&uses, |u| u.together),
                    self.total_of(&uses, |u| u.number),
                ),
                Together::Unordered => (
                    self.total_of(&uses, |u| u.visits),
                    self.total_of(&uses, |u| u.together),
                    self.total_of(&uses, |u| u.number),
                ),
            };
            Some(Use {
                servers,
                work,
                visits,
                together,
                number,
                ..first
            })
        };
        shared.iter().filter_map(one).collect()
    }

    /// The use of one of several processes: the selected one, or the maximum of each quantity.
    pub(super) fn uses_of_choice(
        &mut self,
        cases: &Cases,
        shared: &[Shared],
    ) -> Lowered<Rc<[Use]>> {
        let zero = self.arena.number(0);
        let certain = matches!(cases, Cases::Truths(_));
        let one = |list: &Shared| {
            let first = list.iter().flatten().next().copied();
            let Some(first) = first else { return Ok(None) };
            let mut chosen = |of: fn(&Use) -> ExprId| -> Lowered<ExprId> {
                let all: Vec<ExprId> = list.iter().map(|u| u.as_ref().map_or(zero, of)).collect();
                if certain {
                    self.choice(cases, &all)
                } else {
                    Ok(self.arena.max(&all))
                }
            };
            let (work, visits) = (chosen(|u| u.work)?, chosen(|u| u.visits)?);
            let (together, number) = (chosen(|u| u.together)?, chosen(|u| u.number)?);
            let servers: Vec<ExprId> = list.iter().flatten().map(|u| u.servers).collect();
            let servers = self.arena.min(&servers);
            Ok(Some(Use {
                servers,
                work,
                visits,
                together,
                number,
                ..first
            }))
        };
        let all: Result<Vec<Option<Use>>, Diagnostic> = shared.iter().map(one).collect();
        Ok(all?.into_iter().flatten().collect())
    }

    /// The use of each resource by all copies of a process.
    pub(super) fn uses_of_copies(
        &mut self,
        uses: &[Use],
        binder: Binder,
        together: Together,
    ) -> Rc<[Use]> {
        let mut reduced = |kind: ReduceKind, body: ExprId| {
            let Binder {
                index,
                lower,
                upper,
                ..
            } = binder;
            self.arena.reduce(kind, index, lower, upper, body)
        };
        let (chain, at_once) = match together {
            Together::Sequence => (ReduceKind::Sum, ReduceKind::Max),
            Together::Parallel => (ReduceKind::Max, ReduceKind::Sum),
            Together::Unordered => (ReduceKind::Sum, ReduceKind::Sum),
        };
        let mut all: Vec<Use> = Vec::new();
        for own in uses {
            all.push(Use {
                work: reduced(ReduceKind::Sum, own.work),
                visits: reduced(chain, own.visits),
                together: reduced(at_once, own.together),
                number: reduced(at_once, own.number),
                ..*own
            });
        }
        for own in &mut all {
            if self.arena.mentions(own.servers, binder.index) {
                own.servers = self.arena.reduce(
                    ReduceKind::Min,
                    binder.index,
                    binder.lower,
                    binder.upper,
                    own.servers,
                );
            }
            let Some(place) = own.place else { continue };
            let moves = self.arena.mentions(place.index, binder.index);
            let bounds = [place.over.map(|o| o.1), place.over.map(|o| o.2)];
            let mut bounds = bounds.into_iter().flatten();
            let moved = bounds.any(|bound| self.arena.mentions(bound, binder.index));
            if moves && place.over.is_none() {
                let over = Some((binder.index, binder.lower, binder.upper));
                own.place = Some(Place { over, ..place });
            } else if moves || moved {
                own.place = None;
            }
        }
        // Elements that cannot be told from others now are one with them.
        let mut merged: Vec<Use> = Vec::new();
        for own in &all {
            let of_array: Vec<Use> = all
                .iter()
                .filter(|u| u.array == own.array)
                .copied()
                .collect();
            let places: Vec<Option<Place>> = of_array.iter().map(|u| u.place).collect();
            if self.are_all_apart(&places) {
                merged.push(*own);
            } else if !merged.iter().any(|u| u.array == own.array) {
                merged.extend(self.taken_as_one(&of_array));
            }
        }
        merged.into()
    }

    /// The uses of one copy, with how other copies use each resource.
    pub(super) fn uses_of_one_copy(&mut self, uses: &[Use], index: Symbol) -> Vec<(Use, Others)> {
        let mut all: Vec<(Use, Others)> = Vec::new();
        for own in uses {
            let of_array: Vec<Use> = uses
                .iter()
                .filter(|u| u.array == own.array)
                .copied()
                .collect();
            let moving: Vec<Place> = of_array
                .iter()
                .filter_map(|u| u.place)
                .filter(|place| self.arena.mentions(place.index, index))
                .collect();
            let one_each = |place: &Place| place.over.is_none();
            let others = match moving[..] {
                [] => Some(Others::Same),
                [ref place] if one_each(place) && is_shifted(self.arena, place.index, index) => {
                    let alone = own.place.is_some_and(|place| moving.contains(&place));
                    Some(if alone { Others::None } else { Others::Same })
                }
                [ref place] if one_each(place) && of_array.len() == 1 => Some(Others::SameElement),
                _ => None,
            };
            if let Some(others) = others {
                all.push((*own, others));
            } else if !all.iter().any(|(u, _)| u.array == own.array) {
                all.extend(self.taken_as_one(&of_array).map(|u| (u, Others::Same)));
            }
        }
        all
    }

    /// The resources at which waiting occurs only if they are crowded.
    pub(super) fn idle(&mut self, uses: &[Use]) -> Rc<[Idle]> {
        let several = |u: &&Use| self.arena.as_number(u.servers) != Some(&Rational::ONE);
        let several: Vec<Use> = uses.iter().filter(several).copied().collect();
        let one = self.arena.number(1);
        let idle = several.into_iter().map(|own| Idle {
            array: own.array,
            place: own.place,
            crowded: self.arena.relate(Relation::Less, own.servers, own.number),
            single: self.arena.relate(Relation::Equal, own.servers, one),
        });
        idle.collect()
    }

    /// `waiting` where a resource may be crowded, else 0.
    pub(super) fn where_crowded(&mut self, idle: &[Idle], own: &Use, waiting: ExprId) -> ExprId {
        match idle.iter().find(|idle| idle.is_of(own)) {
            Some(found) => {
                let zero = self.arena.number(0);
                self.arena.if_else(found.crowded, waiting, zero)
            }
            None => waiting,
        }
    }
}
