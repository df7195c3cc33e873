//! Calibrations as files that give parameters their values: `name = value`, and comments that are read back.

use std::collections::BTreeMap;

use super::{Calibration, Fitted, Range};
use crate::problem::short;

const RANGE: &str = "# range ";

impl Calibration {
    /// A file of values, with intervals and errors in its comments.
    pub fn text(&self, file: &str) -> String {
        let count = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{number} {what}s"),
        };
        let mut text = format!(
            "# calibrated by {file}: {}, {}{}\n",
            count(self.points.len(), "point"),
            count(self.runs, "run"),
            if self.units.is_empty() {
                "; seconds"
            } else {
                ""
            }
        );
        for range in &self.ranges {
            text.push_str(&format!(
                "{RANGE}{} = {} .. {}\n",
                range.name, range.from, range.to
            ));
        }
        for times in self.times.chunk_by(|a, b| a.time.name == b.time.name) {
            text.push_str(&line(times, &self.units));
        }
        for note in &self.notes {
            text.push_str(&format!("# note: {note}\n"));
        }
        let errors = &self.errors;
        text.push_str(&format!(
            "# errors of the fit: mean {} %, worst {} %\n",
            short(errors.mean),
            short(errors.worst)
        ));
        text.push_str(&match self.left_out {
            Some(errors) => format!(
                "# errors of each point, predicted from the others: mean {} %, worst {} %\n",
                short(errors.mean),
                short(errors.worst)
            ),
            None => "# no point is predicted from the others: there are too few\n".to_string(),
        });
        text
    }
}

/// The line of a time; one with a value for each of a parameter, smallest first, has an expression. Numbers have their units.
fn line(times: &[Fitted], units: &BTreeMap<String, String>) -> String {
    let in_unit = |name: &str, number: String| match units.get(name) {
        Some(unit) => format!("{number} [{unit}]"),
        None => number,
    };
    let interval = |fitted: &Fitted| match fitted.interval {
        Some([from, to]) => format!("95 %: {} .. {}", short(from), short(to)),
        None => "no interval".to_string(),
    };
    let known = |fitted: &Fitted| match &fitted.time.at {
        Some((parameter, at)) => format!("{} at {parameter} = {at}", interval(fitted)),
        None => interval(fitted),
    };
    let intervals: Vec<String> = times.iter().map(known).collect();
    let value = |fitted: &Fitted| in_unit(&fitted.time.name, digits(fitted.value));
    let values: Vec<String> = times.iter().map(value).collect();
    let is_same = values.iter().all(|value| *value == values[0]);
    let value = match (&values[..], is_same) {
        ([others @ .., last], false) => {
            let choice = |(fitted, value): (&Fitted, &String)| match &fitted.time.at {
                Some((parameter, at)) => {
                    let at = in_unit(parameter, at.to_string());
                    format!("if ({parameter} <= {at}) {value} else ")
                }
                None => String::new(),
            };
            let choices: String = times.iter().zip(others).map(choice).collect();
            format!("\"{choices}{last}\"")
        }
        _ if units.contains_key(&times[0].time.name) => format!("\"{}\"", values[0]),
        _ => values[0].clone(),
    };
    let value = format!("{} = {value}", times[0].time.name);
    format!("{value:<30} # {}\n", intervals.join("; "))
}

/// Six digits: more are never known.
fn digits(value: f64) -> String {
    match value == 0.0 {
        true => "0".to_string(),
        false => {
            let text = format!("{value:.5e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{digits}e{exponent}")
        }
    }
}

/// The calibrated ranges of parameters that such a file states.
pub fn ranges(text: &str) -> Vec<Range> {
    let range = |line: &str| {
        let (name, bounds) = line.strip_prefix(RANGE)?.split_once('=')?;
        let (from, to) = bounds.split_once("..")?;
        Some(Range {
            name: name.trim().to_string(),
            from: from.trim().parse().ok()?,
            to: to.trim().parse().ok()?,
        })
    };
    text.lines().filter_map(range).collect()
}
