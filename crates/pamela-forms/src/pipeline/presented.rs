//! Presents closed equations for readers, with the notes printed beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::closed::ClosedEquation;
use super::model::Model;
use super::options::Options;
use super::regimes::RegimeReport;
use super::results::{SimplifiedEquation, by_own_rules};
use crate::algebra::{self, Simplifier, Stop};
use crate::expr::{Arena, ExprId, Sort, Symbol};
use crate::formula::{Derivation, Formula, NameTable, Outline, Presenter, Shares, collected};
use crate::timing::{LoweredEquation, Note, Order, Origin, Standing};

/// A closed equation with details that only the simplifier knows.
pub(super) struct Annotated {
    closed: ClosedEquation,
    regimes: Option<RegimeReport>,
    /// Laws assumed to be nonnegative times.
    times: Vec<ExprId>,
    own_rules: Vec<String>,
}

/// Data shared by all formulas of a model.
pub(super) struct Ground {
    pub(super) facts: Vec<ExprId>,
    /// Parameters that are whole numbers.
    pub(super) whole: Vec<String>,
    /// Names in use in the model.
    pub(super) names: BTreeSet<String>,
    /// Each numeric equation with the numbers and processes that it mentions. Mentioned numbers
    /// come first.
    pub(super) mentions: Vec<(String, Vec<String>)>,
    /// Parameters by which sums are collected.
    pub(super) collect: Vec<String>,
}

/// An equation whose expressions are as they are best read.
struct Presented {
    equation: LoweredEquation,
    root: ExprId,
    conditions: Vec<ExprId>,
    rests_on: Vec<String>,
    times: Vec<ExprId>,
    unknown_moments: Option<Note>,
    only_settles: bool,
    rules: Vec<String>,
    own_rules: Vec<String>,
    stop: Stop,
    derivation: Option<Outline>,
    regimes: Option<RegimeReport>,
}

impl Model {
    /// Adds the simplifier's details to a closed equation; `equations` are all of the model.
    pub(super) fn annotated(
        &self,
        simplifier: &mut Simplifier,
        equations: &[LoweredEquation],
        closed: ClosedEquation,
        options: &Options,
    ) -> Annotated {
        let own = &closed.equation;
        let wanted = options.regimes && own.sort == Sort::Scalar;
        Annotated {
            regimes: if wanted {
                self.regimes(simplifier, equations, own, &closed.closed)
            } else {
                None
            },
            times: simplifier.taken_for_times(own.expr),
            own_rules: own_rules(simplifier, &closed.closed),
            closed,
        }
    }
}

/// The rules that are not the library's which a form came by, each with its place.
fn own_rules(simplifier: &Simplifier, closed: &algebra::Closed) -> Vec<String> {
    let names = simplifier.own_rules(&closed.rules).into_iter();
    let placed = names.map(|name| match simplifier.place_of(&name) {
        Some(place) => format!("`{name}` ({place})"),
        None => name,
    });
    placed.collect()
}

/// Converts all equations of a model, and its facts, into formulas that share one arena.
pub(super) fn formulas(
    mut arena: Arena,
    annotated: Vec<Annotated>,
    ground: Ground,
) -> (Vec<SimplifiedEquation>, Vec<Formula>) {
    let whole: Vec<Symbol> = ground.whole.iter().map(|name| arena.named(name)).collect();
    let mut presenter = Presenter::new(Shares::of(&arena, &ground.facts));
    let collect: Vec<Symbol> = ground
        .collect
        .iter()
        .map(|name| arena.named(name))
        .collect();
    let mut presented: Vec<Presented> = annotated
        .into_iter()
        .map(|annotated| Presented::new(&mut arena, annotated, &mut presenter, &collect))
        .collect();
    settle(&mut presented, &ground.mentions);
    presented.retain(|own| !own.only_settles);
    let given = Arc::new(given(ground.names, &presented));
    let arena = Arc::new(arena);
    let facts = &ground.facts;
    let of_facts = facts.iter();
    let of_facts = of_facts.map(|&fact| Formula::new(arena.clone(), fact, Vec::new()));
    let of_facts = of_facts.collect();
    let equations = presented.into_iter();
    let equations = equations.map(|presented| presented.finish(&arena, &given, &whole, facts));
    (equations.collect(), of_facts)
}

/// A `T` whose form equals the exact time is not a lower bound, and neither are values computed from such times.
fn settle(presented: &mut [Presented], mentions: &[(String, Vec<String>)]) {
    let proven: Vec<(Origin, ExprId, Vec<ExprId>, Standing)> = presented
        .iter()
        .filter(|p| {
            let proof = p.equation.standing.proof();
            matches!(p.equation.origin, Origin::Execution(_))
                && proof.is_some_and(|proof| proof.order == Order::Any)
        })
        .map(|p| {
            let own = &p.equation;
            (
                own.origin.clone(),
                p.root,
                p.conditions.clone(),
                own.standing.clone(),
            )
        })
        .collect();
    // For times and the numbers computed from them: the conditions under which they are exact, and the standing.
    let mut exact: BTreeMap<String, (BTreeSet<ExprId>, Standing)> = BTreeMap::new();
    for own in presented.iter_mut() {
        let Origin::Time(process) = &own.equation.origin else {
            continue;
        };
        let origin = Origin::Execution(process.clone());
        let is_it = |(other, root, conditions, _): &&(Origin, ExprId, Vec<ExprId>, Standing)| {
            let holds = conditions.iter().all(|c| own.conditions.contains(c));
            *other == origin && *root == own.root && holds
        };
        let found = proven.iter().find(is_it).map(|(.., standing)| standing);
        let standing = match found {
            Some(standing) => standing.clone(),
            None if own.equation.standing.is_exact() => own.equation.standing.clone(),
            None => continue,
        };
        let conditions = own.conditions.iter().copied();
        exact.insert(process.clone(), (conditions.collect(), standing.clone()));
        own.equation.standing = standing;
        own.equation
            .notes
            .retain(|note| *note != Note::LargestDemandOnly);
    }
    for (number, mentioned) in mentions {
        let all: Option<Vec<_>> = mentioned.iter().map(|name| exact.get(name)).collect();
        if let Some(all) = all {
            let conditions = all.iter().flat_map(|(own, _)| own.iter().copied());
            let standing = Standing::of_all(all.iter().map(|(_, own)| own.clone()));
            let known = (conditions.collect(), standing);
            exact.insert(number.clone(), known);
        }
    }
    for own in presented {
        let is_stated = |condition: &ExprId| own.conditions.contains(condition);
        if own.equation.origin == Origin::Equation
            && let Some((conditions, standing)) = exact.get(&own.equation.name)
            && conditions.iter().all(is_stated)
        {
            let made = own.equation.standing_without_waiting.clone();
            own.equation.standing = made.join(standing.clone());
            own.equation
                .notes
                .retain(|note| *note != Note::ByLowerBounds);
        }
    }
}

/// The names that stand for formulas, and those that are taken.
fn given(names: BTreeSet<String>, presented: &[Presented]) -> NameTable {
    let mut given = NameTable {
        taken: names,
        ..NameTable::default()
    };
    for Presented {
        equation,
        root,
        conditions,
        ..
    } in presented
    {
        // A name may stand for a value that holds without conditions; a name of the model is suitable.
        let own = given.taken.contains(&equation.name) && !equation.auxiliary;
        if own && equation.sort == Sort::Scalar && conditions.is_empty() {
            let name = given.named.entry(*root).or_insert(equation.name.clone());
            *name = (*name).clone().min(equation.name.clone());
        }
    }
    let results = presented.iter().map(|p| p.equation.name.clone());
    given.taken.extend(results);
    given
}

impl Presented {
    fn new(
        arena: &mut Arena,
        annotated: Annotated,
        presenter: &mut Presenter,
        collect: &[Symbol],
    ) -> Presented {
        let Annotated {
            closed:
                ClosedEquation {
                    equation,
                    closed,
                    rests_on,
                    unknown_moments,
                    only_settles,
                },
            regimes,
            times,
            own_rules,
        } = annotated;
        let root = collected(arena, closed.expr, collect, presenter)
            .unwrap_or_else(|| presenter.shown(arena, closed.expr));
        let mut all = |exprs: Vec<ExprId>| -> Vec<ExprId> {
            let shown = exprs.into_iter().map(|expr| presenter.shown(arena, expr));
            shown.collect()
        };
        let (conditions, times) = (all(closed.assumptions), all(times));
        Presented {
            root: with_components(arena, root, equation.length),
            conditions,
            rests_on,
            times,
            unknown_moments,
            only_settles,
            rules: closed.rules,
            own_rules,
            stop: closed.stop,
            derivation: closed
                .derivation
                .map(|derivation| Outline::new(arena, derivation, presenter)),
            regimes: regimes.map(|regimes| regimes.presented(arena, presenter)),
            equation,
        }
    }

    fn finish(
        self,
        arena: &Arc<Arena>,
        given: &Arc<NameTable>,
        whole: &[Symbol],
        facts: &[ExprId],
    ) -> SimplifiedEquation {
        let LoweredEquation {
            name,
            sort,
            formals,
            auxiliary,
            kept,
            origin,
            standing,
            mut notes,
            ..
        } = self.equation;
        notes.extend(by_own_rules(&self.own_rules));
        let (regimes, regimes_cut) = match self.regimes {
            Some(telling) => telling.formulas(arena),
            None => (None, false),
        };
        SimplifiedEquation {
            name,
            sort,
            formals,
            auxiliary,
            kept,
            origin,
            standing,
            superseded: false,
            formula: Formula::new(arena.clone(), self.root, self.conditions)
                .resting_on(self.rests_on)
                .with_approximations(notes)
                .without_moments(self.unknown_moments)
                .knowing(whole, facts)
                .beside(given.clone())
                .taking_for_times(self.times),
            rules: self.rules,
            own_rules: self.own_rules,
            regimes,
            regimes_cut,
            derivation: self
                .derivation
                .map(|outline| Derivation::new(arena.clone(), outline).knowing(whole, facts)),
            stop: self.stop,
        }
    }
}

/// Longer lists are not filled up with zeros.
const MAX_FILLED: usize = 64;

/// A list with the components that are 0 in it, which the algebra does not keep.
fn with_components(arena: &mut Arena, list: ExprId, length: usize) -> ExprId {
    if arena.sort(list) != Sort::Vector || !(1..=MAX_FILLED).contains(&length) {
        return list;
    }
    let zeros = vec![arena.number(0); length];
    let zeros = arena.vector(&zeros);
    arena.add(&[list, zeros])
}
