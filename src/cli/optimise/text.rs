//! An optimum as text.

use super::answer::Answer;
use crate::cli::output::{basis, number};
use crate::compiled::Compiled;
use crate::law::shortest;
use crate::optimise::{Argument, Best, BestRun, Certainty, Evidence, Question, Run};
use crate::simulate::Basis;

/// The heading of the answer.
fn heading(over: &[(String, String)], question: &Question) -> String {
    let over = over
        .iter()
        .map(|(name, values)| format!("{name} = {values}"));
    let over: Vec<String> = over.collect();
    let kind = if question.greatest {
        "greatest"
    } else {
        "least"
    };
    format!("% {kind} {} over {}", question.objective, over.join(", "))
}

/// The reason why no other point is better, or a bound on better values.
fn how_certain(question: &Question, best: &BestRun) -> String {
    let (bound, less) = if question.greatest {
        ("U", "more")
    } else {
        ("L", "less")
    };
    match (best.runs, best.rest) {
        (0, _) => format!("certain: the time is {}", best.standing.certificate()),
        (runs, None) => {
            let plural = if runs == 1 { "" } else { "s" };
            format!(
                "certain in the order of the text: {runs} run{plural} in the order of {bound}, and no other point can \
                 take {less}"
            )
        }
        (runs, Some(rest)) => format!(
            "best of {runs} runs in the order of {bound}; no point takes {less} than {}",
            shown(rest)
        ),
    }
}

/// The range of the best run in other orders of simultaneous requests, if the order matters.
fn in_other_orders(best: &BestRun) -> Option<String> {
    let [least, greatest] = best.orders;
    (least < greatest).then(|| {
        let (least, greatest) = (shown(least), shown(greatest));
        format!("in other orders of simultaneous requests: {least} .. {greatest}")
    })
}

fn shown(value: f64) -> String {
    shortest::text(value)
}

/// The optimum `over` these parameters, as a model with a statement of its certainty.
pub fn text(over: &[(String, String)], answer: &Answer) -> String {
    let units = answer.units;
    let (question, optimum) = (answer.question, answer.optimum);
    let mut lines = vec![heading(over, question)];
    lines.extend(
        question
            .subject_to
            .iter()
            .map(|condition| format!("% subject to {condition}")),
    );
    lines.extend(
        optimum
            .at
            .iter()
            .map(|(name, value)| format!("numeric {}", equal(question, units, name, *value))),
    );
    let objective = |value: f64| in_unit(units, &question.objective, value);
    lines.push(format!(
        "numeric {} = {}",
        question.objective,
        objective(optimum.value)
    ));
    let name = optimum.at.first().map_or("", |(name, _)| name.as_str());
    for beside in &optimum.neighbours {
        lines.push(format!(
            "% {} at {name} = {}: {}{}",
            question.objective,
            in_unit(units, name, beside.place),
            objective(beside.value),
            if beside.is_feasible {
                ""
            } else {
                " (infeasible)"
            }
        ));
    }
    let what_it_is = optimum.argument.as_ref();
    lines.extend(what_it_is.map(|argument| place_line(units, name, argument)));
    let looked = looked(question, optimum.certainty, name, &objective);
    lines.push(format!("% {}: {looked}", answer.claim()));
    lines.extend(
        answer
            .evidence
            .into_iter()
            .flat_map(|found| evidence_lines(answer, found)),
    );
    lines.join("\n")
}

/// The line about the location of the optimum.
fn place_line(units: &Compiled, name: &str, argument: &Argument) -> String {
    let (kind, formula, value) = match argument {
        Argument::Stationary { formula, value } => ("where the slope is 0", formula, *value),
        Argument::Crossing { formula, value } => ("where two regimes meet", formula, *value),
        Argument::End => return format!("% at an end of the range of {name}"),
    };
    let value = in_unit(units, name, value);
    format!("% {kind}: {name} = {formula} = {value}")
}

/// The line about the points that were searched.
fn looked(
    question: &Question,
    certainty: Certainty,
    name: &str,
    objective: &dyn Fn(f64) -> String,
) -> String {
    match certainty {
        Certainty::Every {
            points,
            valued,
            ties,
        } => {
            let ties = match ties {
                1 => String::new(),
                several => format!("; {several} points have this value; this is the first"),
            };
            let valued = if valued == points {
                String::new()
            } else {
                format!(", {valued} of them feasible")
            };
            format!("all {points} points were evaluated{valued}{ties}")
        }
        Certainty::Shape { points } => {
            let shape = if question.greatest {
                "concave"
            } else {
                "convex"
            };
            format!("the closed form is {shape} in {name}; {points} points were evaluated")
        }
        Certainty::Bounds { boxes, bound, .. } => {
            let side = if question.greatest { "above" } else { "below" };
            let bound = objective(bound);
            let plural = if boxes == 1 { "box" } else { "boxes" };
            format!("by bounds over {boxes} {plural}, no value is {side} {bound}")
        }
    }
}

/// The point at which a run is best.
pub fn of_run(
    over: &[(String, String)],
    question: &Question,
    units: &Compiled,
    best: &BestRun,
) -> String {
    let mut lines = vec![heading(over, question)];
    lines.extend(
        best.at
            .iter()
            .map(|(name, x)| format!("numeric {}", equal(question, units, name, *x))),
    );
    let value = in_unit(units, &best.name, best.value);
    lines.push(format!("numeric {} = {value}", best.name));
    lines.push(format!("% {}", how_certain(question, best)));
    lines.extend(in_other_orders(best).map(|orders| format!("% {orders}")));
    lines.join("\n")
}

/// `name = value`, where the value may be the number of a row.
fn equal(question: &Question, units: &Compiled, name: &str, value: f64) -> String {
    match question.grid.row_name(name, value) {
        Some(row) => format!("{name} = {row}"),
        None => format!("{name} = {}", in_unit(units, name, value)),
    }
}

/// A number in its unit, if it has one.
fn in_unit(units: &Compiled, name: &str, value: f64) -> String {
    match units.shown(name) {
        Some(own) => {
            let own = own.for_value(value);
            format!("{} [{}]", shown(own.double(value)), own.unit)
        }
        None => shown(value),
    }
}

fn place_text(question: &Question, units: &Compiled, at: &[(String, f64)]) -> String {
    let each = at
        .iter()
        .map(|(name, value)| equal(question, units, name, *value));
    each.collect::<Vec<_>>().join(", ")
}

/// The lines about other bounds and runs at the optimum.
fn evidence_lines(answer: &Answer, found: &Evidence) -> Vec<String> {
    let (question, units) = (answer.question, answer.units);
    let greatest = question.greatest;
    let (best, worse) = if greatest {
        ("greatest", "less")
    } else {
        ("least", "more")
    };
    // If the objective is a time of the process, all these values are times.
    let unit = units.shown(&question.objective);
    let time = |value: f64, text: fn(f64) -> String| match unit {
        Some(own) => {
            let own = own.for_value(value);
            format!("{} [{}]", text(own.double(value)), own.unit)
        }
        None => text(value),
    };
    let bound = |own: &Best| {
        let (name, value) = (&own.name, time(own.value, shown));
        format!(
            "% {name} is {best} at {}: {value}",
            place_text(question, units, &own.at)
        )
    };
    let mut lines: Vec<String> = Vec::new();
    if let Some(run) = &found.best_run {
        let (at, value) = (place_text(question, units, &run.at), time(run.value, shown));
        let certain = how_certain(answer.question, run);
        lines.push(format!("% the run is {best} at {at}: {value} ({certain})"));
        lines.extend(in_other_orders(run).map(|orders| format!("% there, {orders}")));
    }
    lines.extend(found.bounds.iter().map(bound));
    let differs = |run: &Run| matches!(run.basis, Basis::Draws | Basis::Orders);
    let mean = |run: &Run| match run.interval.filter(|_| differs(run)) {
        Some([from, to]) => {
            let [mean, from, to] = [run.mean, from, to].map(|value| time(value, number));
            format!("{mean} ({from} .. {to})")
        }
        None => time(run.mean, number),
    };
    lines.extend(found.runs.iter().map(|run| {
        let (at, basis) = (
            place_text(question, units, &run.at),
            basis(run.basis, run.replications),
        );
        format!("% a run takes {} at {at}: {basis}", mean(run))
    }));
    let own = found.runs.iter().find(|run| run.at == answer.optimum.at);
    let better = |a: &&Run, b: &&Run| {
        if greatest {
            b.mean.total_cmp(&a.mean)
        } else {
            a.mean.total_cmp(&b.mean)
        }
    };
    if let (Some(own), Some(first)) = (own, found.runs.iter().min_by(better))
        && own.mean != first.mean
    {
        let share = 100.0 * (own.mean / first.mean - 1.0).abs();
        let (here, there) = (
            place_text(question, units, &own.at),
            place_text(question, units, &first.at),
        );
        lines.push(format!(
            "% the run at {there} is {best} of these runs; at {here} a run takes {} % {worse}",
            number(share)
        ));
    }
    if found.is_cut {
        lines.push(
            "% runs of more than 20000 events are left out; use `pamela simulate` for them"
                .to_string(),
        );
    }
    lines
}
