//! Calibrations as files that give parameters their values: `name = value`, and comments that are read back.

use std::collections::BTreeMap;

use super::{At, Calibration, Fitted, GroupFit, Range, Score};
use crate::problem::short;

const RANGE: &str = "# range ";

impl Calibration {
    /// A file of values, with what predictions with intervals need.
    pub fn file_text(&self, file: &str) -> String {
        format!("{}{}", self.text(file), self.fit())
    }

    /// Values that are not those of groups, with intervals and errors in comments.
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
        for (name, value) in &self.given {
            let value = match value.parse::<f64>() {
                Ok(_) => value.clone(),
                Err(_) => format!("{value:?}"),
            };
            text.push_str(&format!("{name} = {value}    # given\n"));
        }
        let is_of_group = |fitted: &Fitted| matches!(fitted.time.at, Some(At::Group(_)));
        for times in self.times.chunk_by(|a, b| a.time.name == b.time.name) {
            if !is_of_group(&times[0]) {
                text.push_str(&line(times, &self.units));
            }
        }
        for note in &self.notes {
            text.push_str(&format!("# note: {note}\n"));
        }
        if let Some(repeats) = &self.repeats {
            text.push_str(&format!(
                "# repeats: {} of {}: runs are {} % from their median in the mean, {} % at most (line {})\n",
                count(repeats.runs, "run"),
                count(repeats.points, "point"),
                short(repeats.mean),
                short(repeats.worst),
                repeats.worst_line
            ));
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
        if let Some(held) = &self.held_out {
            text.push_str(&format!(
                "# held out: {} in {} parts\n",
                count(held.configurations, "configuration"),
                held.folds
            ));
            text.push_str(&score("all", &held.all));
            for (group, own) in &held.by_group {
                text.push_str(&score(group, own));
            }
        }
        text
    }

    /// What is known of the times, for predictions with intervals. No name of a model is like that of this table.
    fn fit(&self) -> String {
        let mut text = format!("\n[{FIT}]\n");
        if let Some(equation) = &self.equation {
            text.push_str(&format!("equation = {}\n", quoted(equation)));
        }
        text.push_str(&format!("loss = \"{}\"\n", self.loss.name()));
        for group in &self.groups {
            text.push_str(&self.group(group));
        }
        text
    }

    fn group(&self, group: &GroupFit) -> String {
        let list = |values: &[f64]| {
            let texts: Vec<String> = values.iter().map(|value| digits(*value)).collect();
            format!("[{}]", texts.join(", "))
        };
        let mut text = format!("\n[[{FIT}.group]]\n");
        if !group.by.is_empty() {
            let columns = group.by.iter();
            let columns =
                columns.map(|(name, text)| format!("{} = {}", quoted(name), quoted(text)));
            let columns: Vec<String> = columns.collect();
            text.push_str(&format!("by = {{ {} }}\n", columns.join(", ")));
        }
        let names: Vec<String> = group.parameters.iter().map(|name| quoted(name)).collect();
        text.push_str(&format!("parameters = [{}]\n", names.join(", ")));
        text.push_str(&format!("estimates = {}\n", list(&group.values)));
        let ends = group.bounds.iter().map(|[least, most]| {
            let end = |value: f64| {
                if value.is_finite() {
                    digits(value)
                } else {
                    "inf".to_owned()
                }
            };
            format!("[{}, {}]", end(*least), end(*most))
        });
        let ends: Vec<String> = ends.collect();
        text.push_str(&format!("bounds = [{}]\n", ends.join(", ")));
        if let Some(rows) = &group.covariance {
            let rows: Vec<String> = rows
                .iter()
                .map(|row| format!("  {},\n", list(row)))
                .collect();
            text.push_str(&format!("covariance = [\n{}]\n", rows.concat()));
        }
        if let Some(law) = &group.residuals {
            text.push_str(&format!("scale = {}\n", digits(law.scale)));
            text.push_str(&format!("residuals = {}\n", list(&law.quantiles)));
        }
        let own: Vec<&Fitted> = self
            .times
            .iter()
            .filter(|own| own.time.at.as_ref() == Some(&At::Group(group.by.clone())))
            .collect();
        if !own.is_empty() {
            text.push_str(&format!("[{FIT}.group.values]\n"));
            for fitted in own {
                let fitted = Fitted {
                    time: fitted.time.name.as_str().into(),
                    ..fitted.clone()
                };
                text.push_str(&line(&[fitted], &self.units));
            }
        }
        text
    }
}

/// The table of a file that says what is known of the times.
pub const FIT: &str = "pamela-fit";

fn score(name: &str, score: &Score) -> String {
    let percent = |share: f64| short(100.0 * share);
    let points = if score.rows == 1 { "point" } else { "points" };
    format!(
        "#   {name}: {} {points}, mean {} %, median {} %, worst {} % (line {}); {} % are in their intervals of 90 %\n",
        score.rows,
        percent(score.mean_error),
        percent(score.median_error),
        percent(score.worst),
        score.worst_line,
        percent(score.coverage_90)
    )
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
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
        Some(at) => format!("{} at {at}", interval(fitted)),
        None => interval(fitted),
    };
    let intervals: Vec<String> = times.iter().map(known).collect();
    let value = |fitted: &Fitted| in_unit(&fitted.time.name, digits(fitted.value));
    let values: Vec<String> = times.iter().map(value).collect();
    let is_same = values.iter().all(|value| *value == values[0]);
    let value = match (&values[..], is_same) {
        ([others @ .., last], false) => {
            let choice = |(fitted, value): (&Fitted, &String)| match &fitted.time.at {
                Some(At::Value(parameter, at)) => {
                    let at = in_unit(parameter, at.to_string());
                    format!("if ({parameter} <= {at}) {value} else ")
                }
                _ => String::new(),
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
    if value == 0.0 {
        "0".to_string()
    } else {
        let text = format!("{value:.5e}");
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        format!("{digits}e{exponent}")
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
