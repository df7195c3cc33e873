//! Assertions of models in which parameters are rows of tables: each row is tried.

use std::collections::BTreeSet;

use super::judge::judge_numbers;
use super::verdict::{Judged, Verdict};
use crate::algebra::RuleBase;
use crate::diagnostic::Result;
use crate::effort::Effort;
use crate::pipeline::Model;

/// Combinations of rows that are tried.
const MOST_ROWS: usize = 64;

/// The rows of a parameter, or of several: names with the row of each.
type Choice = Vec<(String, String)>;

/// Judges each assertion of the model, in order.
///
/// # Errors
/// Fails if the facts of the model contradict each other, or if a claim compares random times.
pub fn judge(model: &Model, rules: &RuleBase, effort: Effort) -> Result<Vec<Judged>> {
    let all = || judge_numbers(model, rules, effort);
    if model.checked().assertions().is_empty() {
        return Ok(Vec::new());
    }
    let Some(choices) = choices(model) else {
        // What holds for all values of the fields holds for the rows.
        return Ok(all()?.into_iter().map(without_rows).collect());
    };
    if choices.is_empty() {
        return all();
    }
    let mut worst: Option<Vec<Judged>> = None;
    for choice in choices {
        let mut there = model.clone();
        for (name, row) in &choice {
            there.define(name, row)?;
        }
        let mut judged = judge_numbers(&there, rules, effort)?;
        judged.iter_mut().for_each(|own| name_rows(own, &choice));
        worst = Some(match worst {
            None => judged,
            Some(known) => known
                .into_iter()
                .zip(judged)
                .map(|(a, b)| worse(a, b))
                .collect(),
        });
    }
    Ok(worst.unwrap_or_default())
}

/// All choices of rows; none if no parameter is a row, and `None` if there are too many.
fn choices(model: &Model) -> Option<Vec<Choice>> {
    let checked = model.checked();
    let of_fields = checked.parameters();
    let of_fields = of_fields.filter_map(|own| checked.row_of_field(&own.name.text));
    let names: BTreeSet<&str> = of_fields.collect();
    let mut choices: Vec<Choice> = Vec::new();
    for name in names {
        let Some(rows) = model.rows(name) else {
            continue;
        };
        let before = if choices.is_empty() {
            vec![Vec::new()]
        } else {
            choices
        };
        if before.len().saturating_mul(rows.rows.len()) > MOST_ROWS {
            return None;
        }
        let longer = before.iter().flat_map(|choice| {
            let rows = rows.rows.iter();
            rows.map(move |(row, _)| {
                let own = [(name.to_owned(), row.clone())];
                choice.iter().cloned().chain(own).collect::<Choice>()
            })
        });
        choices = longer.collect();
    }
    Some(choices)
}

/// Adds the rows to a counterexample, and to the reason of what is not decided.
fn name_rows(judged: &mut Judged, choice: &Choice) {
    match &mut judged.verdict {
        Verdict::Proved(_) => {}
        Verdict::Refuted(found) => {
            found.shown.splice(0..0, choice.iter().cloned());
        }
        Verdict::Undecided { reason, .. } => {
            let rows = choice.iter().map(|(name, row)| format!("{name} = {row}"));
            let rows: Vec<String> = rows.collect();
            let rows = rows.join(", ");
            *reason = Some(match reason.take() {
                Some(reason) => format!("for {rows}: {reason}"),
                None => format!("for {rows}"),
            });
        }
    }
}

/// The answer that counts for both: a counterexample, or else what is not decided.
fn worse(first: Judged, second: Judged) -> Judged {
    match (&first.verdict, &second.verdict) {
        (Verdict::Refuted(_), _) | (_, Verdict::Proved(_)) => first,
        (_, Verdict::Refuted(_)) | (Verdict::Proved(_), _) => second,
        _ => first,
    }
}

/// A counterexample may be no row of the table.
fn without_rows(mut judged: Judged) -> Judged {
    if let Verdict::Refuted(_) = judged.verdict {
        judged.verdict = Verdict::Undecided {
            reason: Some(format!(
                "there are more than {MOST_ROWS} choices of rows: set one with `-D`"
            )),
            proved_where: Vec::new(),
        };
    }
    judged
}
