//! Branches whose probability is drawn once per run, so all their trials vary together. Such a branch is replaced by
//! one draw times the time that it takes if it always holds.

use super::meeting::{DEEPEST, inlined};
use super::number::*;
use super::part::*;
use super::walker::{Role, Walker};

/// The body of the model without such branches, followed by their draws; and the instances with their times.
pub fn set_apart(walker: &mut Walker, body: &Part) -> (Part, Vec<usize>) {
    let (mut body, mut apart) = (body.clone(), Vec::new());
    for (share, mean) in walker.drawn.clone() {
        let whole = inlined(&body, &walker.instances, DEEPEST);
        let (Some(then), Some(otherwise)) = (only(&whole, share, true), only(&whole, share, false))
        else {
            by_mean(walker, share, mean);
            continue;
        };
        let mut time = |part: Part, what: &str| time(walker, share, part, what, &mut apart);
        let p = Piece::Value(Number::symbol(share));
        let cost = match (then.is_nothing(), otherwise.is_nothing()) {
            (true, true) => continue,
            (false, true) => [vec![p, text(" * ")], time(then, "once")].concat(),
            (true, false) => {
                let other = time(otherwise, "else");
                [vec![text("(1 - "), p, text(") * ")], other].concat()
            }
            (false, false) => {
                // One draw: it stands once.
                let (then, other) = (time(then, "once"), time(otherwise, "else"));
                let way = [then, vec![text(" - ")], other.clone(), vec![text(")")]].concat();
                [other, vec![text(" + "), p, text(" * (")], way].concat()
            }
        };
        body = Part::sequence(vec![without(&body, share), cost_of(cost)]);
        for instance in &mut walker.instances {
            instance.body = without(&instance.body, share);
        }
    }
    (body, apart)
}

fn text(text: &str) -> Piece {
    Piece::Text(text.to_string())
}

fn cost_of(pieces: Vec<Piece>) -> Part {
    Part::Cost(Number::atom(Atom::Written(pieces)))
}

/// The time of a part, as a process of its own: `T(once_main_if1)`.
fn time(
    walker: &mut Walker,
    share: Symbol,
    part: Part,
    what: &str,
    apart: &mut Vec<usize>,
) -> Vec<Piece> {
    let parameter = walker.parameters.iter().find(|p| p.symbol == share);
    let place = parameter.and_then(|p| p.place.clone());
    let hint = walker.names[share.0 as usize].hint.clone();
    let hint = hint.trim_start_matches("p_");
    let name = walker.symbol(&format!("{what}_{hint}"), Role::Function);
    let entry = walker.whole.functions[walker.function].function;
    apart.push(walker.instances.len());
    walker.instances.push(Instance {
        name,
        formals: Vec::new(),
        body: part,
        place: Some(place.clone().unwrap_or_else(|| entry.place.clone())),
        comment: place.unwrap_or_else(|| entry.place.clone()).to_string(),
        team: None,
    });
    vec![text("T("), Piece::Value(Number::symbol(name)), text(")")]
}

/// If threads or locks surround the branch, its mean is used.
fn by_mean(walker: &mut Walker, share: Symbol, mean: f64) {
    if let Some(parameter) = walker.parameters.iter_mut().find(|p| p.symbol == share) {
        parameter.facts = ">= 0 <= 1".into();
        parameter.default = Some(mean.to_string());
        parameter.what.push_str("; here its mean");
    }
}

/// True if a condition is this share.
fn is_drawn(condition: &Condition, share: Symbol) -> bool {
    *condition == Condition::Share(Number::symbol(share))
}

/// The work that a part does only if such a branch holds, or only if it does not; `None` unless the part is plain.
fn only(part: &Part, share: Symbol, holds: bool) -> Option<Part> {
    if !part.mentions(share) {
        return Some(Part::nothing());
    }
    let inner = |part: &Part| only(part, share, holds);
    match part {
        Part::If(condition, then, otherwise) if is_drawn(condition, share) => {
            let taken = if holds { then } else { otherwise };
            (is_plain(taken) && !taken.mentions(share)).then(|| (**taken).clone())
        }
        Part::Sequence(parts) => {
            let parts: Option<Vec<Part>> = parts.iter().map(inner).collect();
            Some(Part::sequence(parts?))
        }
        Part::Loop(range, body) => Some(Part::repeated((**range).clone(), inner(body)?)),
        Part::If(condition, then, otherwise) => Some(Part::choice(
            condition.clone(),
            inner(then)?,
            inner(otherwise)?,
        )),
        Part::Switch(cases) => {
            let cases: Option<Vec<(Condition, Part)>> = cases
                .iter()
                .map(|(condition, part)| Some((condition.clone(), inner(part)?)))
                .collect();
            Some(Part::Switch(cases?))
        }
        _ => None,
    }
}

/// True if one thread does a part, and waits for nothing.
fn is_plain(part: &Part) -> bool {
    let mut all = true;
    part.walk(&mut |part| {
        all &= matches!(
            part,
            Part::Sequence(_)
                | Part::Block(_)
                | Part::Cost(_)
                | Part::Loop(..)
                | Part::If(..)
                | Part::Switch(_)
        );
    });
    all
}

/// A part without such branches.
fn without(part: &Part, share: Symbol) -> Part {
    let inner = |part: &Part| without(part, share);
    match part {
        Part::If(condition, ..) if is_drawn(condition, share) => Part::nothing(),
        Part::Sequence(parts) => Part::sequence(parts.iter().map(inner).collect()),
        Part::Loop(range, body) => Part::repeated((**range).clone(), inner(body)),
        Part::If(condition, then, otherwise) => {
            Part::choice(condition.clone(), inner(then), inner(otherwise))
        }
        Part::Switch(cases) => {
            let cases = cases.iter();
            Part::Switch(cases.map(|(c, part)| (c.clone(), inner(part))).collect())
        }
        other => other.clone(),
    }
}
