//! Answers that are formulas of the parameters without numbers.

use std::sync::Arc;

use super::condition::{Problem, Side};
use super::lattice::Lattice;
use super::numeric::Line;
use super::symbolic::{Symbolic, Unsolved};
use super::tree::{Between, Bound};
use super::{Unknown, known, side_of};
use crate::algebra::Probe;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::expr::{Arena, ExprId, Node, Relation};
use crate::formula::{Formula, expression_text, present};
use crate::ring::Rational;
use crate::timing::Standing;

/// The values of a parameter for which a condition holds, as formulas of other parameters.
#[derive(Clone, Debug)]
pub struct Formulas {
    /// Name of the parameter.
    pub name: String,
    /// True if the parameter takes whole numbers.
    pub is_whole: bool,
    /// True if it is not declared so, but the closed forms hold only for whole numbers.
    pub is_taken_whole: bool,
    /// Conditions on the parameter, which its values meet besides: facts of the model, and those of closed forms.
    pub domain: Vec<Formula>,
    /// Number of conditions at the end of the domain that are those of closed forms.
    pub required: usize,
    /// The cases in which some values may meet the condition.
    pub cases: Vec<Case>,
    /// True if one of the cases always applies.
    pub is_complete: bool,
    /// How the compared values relate to the time of a run.
    pub standing: Standing,
}

/// An answer under conditions.
#[derive(Clone, Debug)]
pub struct Case {
    /// Conditions of the other parameters, each 1 where it holds. A condition may be undefined where one before it fails.
    pub when: Vec<Formula>,
    /// The values are in one of these ranges.
    pub ranges: Vec<FormulaRange>,
}

/// All numbers from the greatest of some formulas to the least of others. It is empty if these are the other way round.
#[derive(Clone, Debug)]
pub struct FormulaRange {
    /// No formula if there is no lower end.
    pub lows: Vec<FormulaBound>,
    /// No formula if there is no upper end.
    pub highs: Vec<FormulaBound>,
}

/// An end of a range.
#[derive(Clone, Debug)]
pub struct FormulaBound {
    /// The number.
    pub formula: Formula,
    /// True if the number is in the range.
    pub is_included: bool,
}

/// Solves a condition for one parameter, where others have no numbers.
///
/// # Errors
/// Fails if a part of the condition cannot be solved for the parameter, or if a closed form has conditions on it.
pub fn solve_formulas(
    compiled: &Compiled,
    problem: &Problem,
    unknown: &Unknown,
    given: &[(String, Rational)],
) -> Result<Formulas> {
    let name = &unknown.name;
    let known = known(compiled, name, given)?;
    let mut line = Line::new(compiled, problem, name, known)?;
    if let Some(ends) = &unknown.within {
        line.restrict(ends);
    }
    // Conditions of the closed forms on the parameter restrict it like facts.
    let own = line.conditions.iter().copied();
    let own = own.filter(|&condition| line.mentions(condition) && !line.facts.contains(&condition));
    let own: Vec<ExprId> = own.collect();
    let required = own.len();
    line.facts.extend(own);
    let variable = line.arena.named(name);
    let arena = line.arena.clone();
    let probe = Probe::new(arena.clone(), &line.facts);
    let mut symbolic = Symbolic {
        variable,
        arena,
        is_whole: line.lattice == Lattice::Whole,
        probe,
    };
    let sides = line.sides.clone();
    let side = move |arena: &mut Arena, side: &Side| match side {
        Side::Number(value) => arena.number(value.clone()),
        Side::Equation { name, .. } => sides[name],
    };
    let tree = symbolic
        .solve(&problem.condition, &side)
        .map_err(|part| refusal(&symbolic, compiled, name, given, part))?;
    let provided = provided(&mut symbolic, &line);
    let cases = tree.cases().into_iter();
    let cases = cases.filter_map(|(path, ranges)| pruned(&mut symbolic, &line, path, ranges));
    let mut cases: Vec<(Vec<ExprId>, Vec<Between>)> = cases.collect();
    let count = cases.len();
    cases.retain(|(_, ranges)| !ranges.is_empty());
    let is_complete = cases.len() == count && provided.is_empty();
    let facts = line.facts.iter().copied();
    let domain: Vec<ExprId> = facts
        .filter(|&fact| line.arena.mentions(fact, variable))
        .collect();
    let cases = shown(&mut symbolic.arena, &provided, cases);
    let arena = Arc::new(symbolic.arena);
    let formula = |id: ExprId| Formula::new(arena.clone(), id, Vec::new());
    let sides = problem.sides();
    let standings = sides
        .iter()
        .filter_map(|name| side_of(compiled, problem, name).ok());
    let standings: Vec<Standing> = standings.map(|own| own.standing.clone()).collect();
    Ok(Formulas {
        name: name.clone(),
        is_taken_whole: line.is_taken_whole,
        is_whole: symbolic.is_whole,
        is_complete,
        required,
        domain: domain.into_iter().map(formula).collect(),
        cases: cases.iter().map(|case| of_case(&arena, case)).collect(),
        standing: Standing::of_all(standings),
    })
}

/// Conditions of a case, and its ranges.
type Found = (Vec<ExprId>, Vec<Between>);

/// The cases as they are easy to read, with conditions that all of them have.
fn shown(arena: &mut Arena, provided: &[ExprId], cases: Vec<Found>) -> Vec<Found> {
    let mut show = |id: ExprId| present(arena, id);
    let mut all = Vec::new();
    for (when, mut ranges) in cases {
        let when = provided
            .iter()
            .copied()
            .chain(when)
            .map(&mut show)
            .collect();
        for range in &mut ranges {
            for bound in range.lows.iter_mut().chain(&mut range.highs) {
                bound.value = show(bound.value);
            }
        }
        all.push((when, ranges));
    }
    all
}

fn of_case(arena: &Arc<Arena>, (when, ranges): &Found) -> Case {
    let formula = |id: ExprId| Formula::new(arena.clone(), id, Vec::new());
    let bounds = |list: &[Bound]| -> Vec<FormulaBound> {
        let each = list.iter().map(|own| FormulaBound {
            formula: formula(own.value),
            is_included: own.is_included,
        });
        each.collect()
    };
    let ranges = ranges.iter().map(|own| FormulaRange {
        lows: bounds(&own.lows),
        highs: bounds(&own.highs),
    });
    Case {
        when: when.iter().map(|&id| formula(id)).collect(),
        ranges: ranges.collect(),
    }
}

fn refusal(
    symbolic: &Symbolic,
    compiled: &Compiled,
    name: &str,
    given: &[(String, Rational)],
    part: Unsolved,
) -> Error {
    let text = expression_text(&symbolic.arena, part.0, &[]);
    let free = super::free_parameters(compiled, name, given).unwrap_or_default();
    let error = Error::new(format!("no formula solves `{text}` for {name}"));
    let values: Vec<String> = free.iter().map(|own| format!("-D {own}=..")).collect();
    error.hint(format!(
        "with numbers for all other parameters it may be solved: {}",
        values.join(" ")
    ))
}

/// Conditions of the closed forms that the facts do not imply.
fn provided(symbolic: &mut Symbolic, line: &Line<'_>) -> Vec<ExprId> {
    let mut provided = Vec::new();
    for &condition in &line.conditions {
        if symbolic.proves(condition) || provided.contains(&condition) {
            continue;
        }
        provided.push(condition);
    }
    provided
}

/// The conditions of a case without those that others imply; `None` if they contradict each other.
fn pruned(
    symbolic: &mut Symbolic,
    line: &Line<'_>,
    path: Vec<(ExprId, bool)>,
    ranges: Vec<Between>,
) -> Option<(Vec<ExprId>, Vec<Between>)> {
    let mut when: Vec<ExprId> = Vec::new();
    for (condition, holds) in path {
        let opposite = symbolic.opposite(condition);
        let [own, other] = if holds {
            [condition, opposite]
        } else {
            [opposite, condition]
        };
        let mut probe = probe_with(symbolic, line, &when);
        if probe.holds(&symbolic.arena, other) {
            return None;
        }
        if !probe.holds(&symbolic.arena, own) {
            when.push(own);
        }
    }
    // A condition may follow from later ones, if these have a value without it.
    for place in (0..when.len()).rev() {
        let mut rest = when.clone();
        let own = rest.remove(place);
        let is_total = rest[place..]
            .iter()
            .all(|&later| symbolic.arena.domain(later).is_empty());
        if is_total && probe_with(symbolic, line, &rest).holds(&symbolic.arena, own) {
            when = rest;
        }
    }
    let when = with_equalities(&mut symbolic.arena, when);
    let mut probe = probe_with(symbolic, line, &when);
    let variable = symbolic.arena.symbol(symbolic.variable);
    let mut kept = Vec::new();
    for mut range in ranges {
        let mut is_above = |bound: &Bound, is_low: bool| {
            let (low, high) = if is_low {
                (bound.value, variable)
            } else {
                (variable, bound.value)
            };
            let relation = if bound.is_included {
                Relation::LessEqual
            } else {
                Relation::Less
            };
            let inside = symbolic.arena.relate(relation, low, high);
            let relation = if bound.is_included {
                Relation::Less
            } else {
                Relation::LessEqual
            };
            let outside = symbolic.arena.relate(relation, high, low);
            (
                probe.holds(&symbolic.arena, inside),
                probe.holds(&symbolic.arena, outside),
            )
        };
        let lows: Vec<(bool, bool)> = range.lows.iter().map(|own| is_above(own, true)).collect();
        let highs: Vec<(bool, bool)> = range.highs.iter().map(|own| is_above(own, false)).collect();
        if lows.iter().chain(&highs).any(|(_, is_empty)| *is_empty) {
            continue;
        }
        let (mut low, mut high) = (lows.iter(), highs.iter());
        range
            .lows
            .retain(|_| low.next().is_none_or(|(is_met, _)| !is_met));
        range
            .highs
            .retain(|_| high.next().is_none_or(|(is_met, _)| !is_met));
        kept.push(range);
    }
    Some((when, kept))
}

/// Conditions with `a == b` in place of `a <= b` and `b <= a`.
fn with_equalities(arena: &mut Arena, mut when: Vec<ExprId>) -> Vec<ExprId> {
    let sides = |arena: &Arena, id: ExprId| match *arena.node(id) {
        Node::Compare(Relation::LessEqual, a, b) => Some((a, b)),
        _ => None,
    };
    let mut place = 0;
    while place < when.len() {
        if let Some((a, b)) = sides(arena, when[place])
            && let Some(other) = when
                .iter()
                .position(|&own| sides(arena, own) == Some((b, a)))
            && other > place
        {
            when[place] = arena.relate(Relation::Equal, a, b);
            when.remove(other);
        }
        place += 1;
    }
    when
}

/// Proves from the facts of the model and some conditions.
fn probe_with(symbolic: &Symbolic, line: &Line<'_>, when: &[ExprId]) -> Probe {
    let facts = [&line.facts[..], when].concat();
    Probe::new(symbolic.arena.clone(), &facts)
}

/// The greatest, or the least, of several bounds as one expression.
pub fn joined(bounds: &[FormulaBound], function: &str) -> Option<String> {
    let texts: Vec<String> = bounds.iter().map(|own| own.formula.pamela()).collect();
    match &texts[..] {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("{function}({})", several.join(", "))),
    }
}
