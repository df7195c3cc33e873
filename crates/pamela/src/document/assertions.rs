//! Assertions beside closed forms: as text that can be read back, and as data.

use std::collections::BTreeMap;

use crate::claims::{Counterexample, Judged, Verdict};
use crate::formula::json;
use crate::model::walk::{PartMut, parts_of_expr_mut};
use crate::model::{self, with_stack};
use crate::pipeline::{Model, Simplified};
use crate::syntax::tree::{Assertion, Expr, ExprKind};

/// Writes each assertion below a comment with the answer.
///
/// Times have the names of the printed closed forms: `time_main` for `time(main)`. An assertion
/// about what is not printed stays a comment, so that the text can be read back.
pub fn assertions(model: &Model, simplified: &Simplified, judged: &[Judged]) -> String {
    let paragraph = |own: &Judged| {
        let mut lines: Vec<String> = own.lines().iter().map(|line| format!("% {line}")).collect();
        lines.push(match printed(model, simplified, &own.assertion) {
            Some(assertion) => format!("assert {assertion}"),
            None => format!("% assert {}", own.assertion),
        });
        lines.join("\n")
    };
    let paragraphs: Vec<String> = judged.iter().map(paragraph).collect();
    paragraphs.join("\n\n")
}

/// The assertion over names that are printed, if all of them are.
fn printed(model: &Model, simplified: &Simplified, assertion: &Assertion) -> Option<Assertion> {
    let mut own = assertion.clone();
    let shows = |name: &str| {
        let mut shown = simplified.shown();
        shown.any(|equation| equation.name == name && equation.formals.is_empty())
    };
    own.parts_mut().for_each(|part| rename(model, part, &shows));
    let is_parameter = |name: &str| {
        let mut parameters = model.checked().parameters();
        parameters.any(|equation| equation.name.text == name)
    };
    let mut known = true;
    for part in own.parts() {
        model::walk::free_names_of(part, &[], &mut |name, _| {
            let called = model.checked().lookup(name).is_none() && !shows(name);
            known &= is_parameter(name) || shows(name) || called && is_function(name);
        });
    }
    known.then_some(own)
}

/// True for a predefined function that needs no process.
fn is_function(name: &str) -> bool {
    use crate::words::{Sort, find};
    find(name).is_some_and(|word| word.sort != Sort::Measure && word.sort != Sort::Law)
        && name != model::predefined::AT
}

/// Replaces `time(main)` by `time_main`, where that is a printed result.
fn rename(model: &Model, expr: &mut Expr, shows: &dyn Fn(&str) -> bool) {
    let result = match &expr.kind {
        ExprKind::Call(name, arguments) => {
            let measure = model.checked().measure(name, arguments);
            measure.and_then(|(_, process)| match &process.kind {
                ExprKind::Name(process) => Some(format!("{}_{process}", name.text)),
                _ => None,
            })
        }
        _ => None,
    };
    if let Some(result) = result.filter(|result| shows(result)) {
        expr.kind = ExprKind::Name(result);
        return;
    }
    parts_of_expr_mut(expr, &mut |part, _| {
        if let PartMut::Expr(part) = part {
            with_stack(|| rename(model, part, shows));
        }
    });
}

/// Assertions and their answers as data.
pub fn assertion_data(judged: &[Judged]) -> Vec<json::Assertion> {
    judged.iter().map(data).collect()
}

fn data(own: &Judged) -> json::Assertion {
    let mut data = json::Assertion {
        claim: own.assertion.claim.to_string(),
        when: own.assertion.when.as_ref().map(ToString::to_string),
        place: own.place.clone(),
        verdict: own.verdict.name(),
        counterexample: None,
        proved_where: Vec::new(),
        reason: None,
    };
    match &own.verdict {
        Verdict::Proved(_) => {}
        Verdict::Refuted(found) => data.counterexample = Some(counterexample(found)),
        Verdict::Undecided {
            reason,
            proved_where,
        } => {
            data.reason.clone_from(reason);
            data.proved_where.clone_from(proved_where);
        }
    }
    data
}

fn counterexample(found: &Counterexample) -> json::Counterexample {
    let sides = found.sides.iter().flatten();
    json::Counterexample {
        point: found.shown.iter().cloned().collect::<BTreeMap<_, _>>(),
        smallest: found.is_smallest,
        values: sides
            .map(|side| json::Side {
                expression: side.text.clone(),
                value: side.value.clone(),
            })
            .collect(),
    }
}
