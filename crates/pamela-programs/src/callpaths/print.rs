//! Writes models of call trees.

use std::collections::BTreeSet;
use std::fmt::Write;

use pamela_syntax::words::is_taken;

use super::growth::{self, Growth, written};
use super::{Model, Region};

struct Writer<'a> {
    names: Vec<String>,
    points: &'a [Vec<f64>],
    used: BTreeSet<String>,
    parameters: String,
    equations: String,
}

/// The model of the regions in a root.
pub fn model(
    parameters: &[String],
    points: &[Vec<f64>],
    root: &Region,
    mut notes: Vec<String>,
) -> Model {
    let mut writer = Writer {
        names: Vec::new(),
        points,
        used: BTreeSet::from(["main".to_string()]),
        parameters: String::new(),
        equations: String::new(),
    };
    for (at, parameter) in parameters.iter().enumerate() {
        let name = writer.unused(parameter);
        let values = || points.iter().map(|point| point[at]);
        let whole = if values().all(|value| value.fract() == 0.0) {
            "integer "
        } else {
            ""
        };
        let least = if values().all(|value| value >= 1.0) {
            ">= 1"
        } else {
            ">= 0"
        };
        let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), value| {
            (a.min(value), b.max(value))
        });
        let _ = writeln!(
            writer.parameters,
            "numeric parameter {name} : {whole}{least}    % measured from {low} to {high}"
        );
        writer.names.push(name);
    }
    // The outermost region is the whole program.
    let sole = match &root.inside[..] {
        [own] => Some(own.name.as_str()),
        _ => None,
    };
    if sole == Some("main") {
        writer.used.remove("main");
    }
    let (total, processes) = writer.regions(&root.inside);
    let main = match sole {
        Some("main") => String::new(),
        _ => format!("process main = {}\n", processes.join(" ; ")),
    };
    let worst = total
        .iter()
        .zip(points.iter().enumerate())
        .map(|(predicted, (at, _))| {
            let measured: f64 = root.inside.iter().map(|region| region.total(at)).sum();
            (predicted / measured - 1.0).abs()
        });
    notes.push(format!(
        "the sum of all regions is predicted within {:.1} % at {} measured points",
        100.0 * worst.fold(0.0, f64::max),
        points.len()
    ));
    let head: String = notes
        .iter()
        .map(|note| format!("% note: {note}\n"))
        .collect();
    let text = format!("{head}{}{}{main}", writer.parameters, writer.equations);
    Model { text, notes }
}

impl Writer<'_> {
    /// A name of the language that is not used yet.
    fn unused(&mut self, wanted: &str) -> String {
        let mut name: String = wanted
            .chars()
            .map(|letter| {
                if letter.is_ascii_alphanumeric() {
                    letter
                } else {
                    '_'
                }
            })
            .collect();
        name = name.trim_matches('_').chars().take(40).collect();
        while name.contains("__") {
            name = name.replace("__", "_");
        }
        if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
            name.insert_str(0, "r_");
        }
        let mut free = name.clone();
        let mut number = 2;
        while self.used.contains(&free) || is_taken(&free) {
            free = format!("{name}_{number}");
            number += 1;
        }
        self.used.insert(free.clone());
        free
    }

    /// Writes regions that follow each other; returns their predicted times and processes.
    fn regions(&mut self, regions: &[Region]) -> (Vec<f64>, Vec<String>) {
        let mut total = vec![0.0; self.points.len()];
        let mut processes = Vec::new();
        for region in regions {
            let name = self.unused(&region.name);
            let (times, own) = self.own(region, &name);
            let (inner, mut inside) = self.regions(&region.inside);
            for (at, sum) in total.iter_mut().enumerate() {
                *sum += times[at] + inner[at];
            }
            let mut parts: Vec<String> = own.into_iter().collect();
            parts.append(&mut inside);
            if parts.is_empty() {
                parts.push("delay(0)".to_string());
            }
            let _ = writeln!(self.equations, "process {name} = {}", parts.join(" ; "));
            processes.push(name);
        }
        (total, processes)
    }

    /// The time of a region itself: how often it is visited, and how long each visit takes.
    fn own(&mut self, region: &Region, name: &str) -> (Vec<f64>, Option<String>) {
        let visits = growth::fit(self.points, &region.visits);
        let is_counted = region.visits.iter().all(|visits| *visits > 0.0) && visits.error < 1e-6;
        // A number that is always the same says nothing.
        let has_visits = is_counted && !visits.is_constant();
        let times: Vec<f64> = if has_visits {
            region
                .times
                .iter()
                .zip(&region.visits)
                .map(|(time, visits)| time / visits)
                .collect()
        } else {
            region.times.clone()
        };
        let growth = growth::fit(self.points, &times);
        let predicted = self
            .points
            .iter()
            .map(|point| growth.at(point) * if has_visits { visits.at(point) } else { 1.0 });
        let predicted = predicted.collect();
        if growth.terms.is_empty() {
            return (predicted, None);
        }
        let time = self.times(&growth, name, &region.name);
        if !has_visits {
            return (predicted, Some(format!("delay({time})")));
        }
        let count = self.unused(&format!("visits_{name}"));
        let terms: Vec<String> = visits
            .terms
            .iter()
            .map(|(term, c)| product(&format!("{}", rounded(*c)), &written(term, &self.names)))
            .collect();
        let _ = writeln!(self.equations, "numeric {count} = {}", terms.join(" + "));
        let time = if growth.terms.len() > 1 {
            format!("({time})")
        } else {
            time
        };
        (predicted, Some(format!("delay({count} * {time})")))
    }

    /// A parameter for each term: `t_solve * n * log2(n)`.
    fn times(&mut self, growth: &Growth, name: &str, region: &str) -> String {
        let terms = growth.terms.iter().map(|(term, coefficient)| {
            let time = self.unused(&format!("t_{name}"));
            let of = written(term, &self.names);
            let what = if of.is_empty() {
                "constant part".to_string()
            } else {
                format!("for each {of}")
            };
            let region = region.replace(['\n', '\r'], " ");
            let _ = writeln!(
                self.parameters,
                "numeric parameter {time} : >= 0 = {}    % s, {region}: {what}",
                digits(*coefficient)
            );
            product(&time, &of)
        });
        terms.collect::<Vec<String>>().join(" + ")
    }
}

/// A number with six digits.
fn digits(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    if (1e-3..1e6).contains(&rounded) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

fn product(factor: &str, term: &str) -> String {
    match (factor, term) {
        (factor, "") => factor.to_string(),
        ("1", term) => term.to_string(),
        (factor, term) => format!("{factor} * {term}"),
    }
}

/// Whole where rounding keeps it from being whole.
fn rounded(value: f64) -> f64 {
    let whole = value.round();
    if (value - whole).abs() < 1e-6 * value.abs().max(1e-6) {
        whole
    } else {
        value
    }
}
