//! Calibrations as files that give parameters their values: `name = value`, and comments that are read back.

use super::{Calibration, Range};
use crate::problem::short;

const RANGE: &str = "# range ";

impl Calibration {
    /// A file of values, with what is known of them in its comments.
    pub fn text(&self, file: &str) -> String {
        let count = |number: usize, what: &str| match number {
            1 => format!("1 {what}"),
            number => format!("{number} {what}s"),
        };
        let mut text = format!(
            "# calibrated by {file}: {}, {}; seconds\n",
            count(self.points.len(), "point"),
            count(self.runs, "run")
        );
        for range in &self.ranges {
            text.push_str(&format!(
                "{RANGE}{} = {} .. {}\n",
                range.name, range.from, range.to
            ));
        }
        for time in &self.times {
            let interval = match time.interval {
                Some([from, to]) => format!("# 95 %: {} .. {}", short(from), short(to)),
                None => "# no interval".to_string(),
            };
            let value = format!("{} = {}", time.name, digits(time.value));
            text.push_str(&format!("{value:<30} {interval}\n"));
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
                "# errors of each point, predicted by the others: mean {} %, worst {} %\n",
                short(errors.mean),
                short(errors.worst)
            ),
            None => "# no point is predicted by the others: there are too few\n".to_string(),
        });
        text
    }
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

/// The ranges of parameters that such a file says it is calibrated for.
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
