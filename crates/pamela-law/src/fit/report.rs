//! Writes a fit as text.

use std::fmt;

use super::{Candidate, Fit};
use crate::shortest::rounded;

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, greatest) = (short(self.least), short(self.greatest));
        let (samples, column) = (self.samples, &self.column);
        writeln!(
            f,
            "{samples} samples of `{column}`, from {least} to {greatest}\n"
        )?;
        let head = ["moment", "value", "95 % from", "to"].map(String::from);
        let rows = self.moments.iter().map(|moment| {
            let [low, high] = moment.interval.map(short);
            [moment.name.to_string(), short(moment.value), low, high]
        });
        table(f, head, rows)?;
        let head = ["law", "parameters", "KS", "AD", "log-likelihood", "AIC"].map(String::from);
        writeln!(f)?;
        for atom in &self.atoms {
            let (share, value) = (short(100.0 * atom.share), short(atom.value));
            writeln!(
                f,
                "{share} % of the samples are {value}; the laws below are fitted to the others\n"
            )?;
        }
        table(f, head, self.laws.iter().map(row))?;
        if self.fitting().is_none() {
            let distances = self.laws.iter().map(|law| law.goodness.kolmogorov_smirnov);
            let least = short(distances.fold(f64::INFINITY, f64::min));
            writeln!(
                f,
                "\nnone of these laws fits: the cdf of each is {least} or more from that of the samples"
            )?;
        }
        Ok(())
    }
}

fn row(candidate: &Candidate) -> [String; 6] {
    let goodness = &candidate.goodness;
    let parameters = match candidate.by {
        "moments" if candidate.parameters.len() == 4 => "by the moments".to_string(),
        _ => {
            let list = candidate.parameters.iter();
            list.map(|x| short(*x)).collect::<Vec<_>>().join(", ")
        }
    };
    [
        candidate.law.clone(),
        parameters,
        short(goodness.kolmogorov_smirnov),
        goodness.anderson_darling.map_or("-".to_string(), short),
        short(goodness.log_likelihood),
        short(goodness.aic()),
    ]
}

/// Columns two blanks apart: the first two to the left, numbers to the right.
fn table<const K: usize>(
    f: &mut fmt::Formatter<'_>,
    head: [String; K],
    rows: impl Iterator<Item = [String; K]>,
) -> fmt::Result {
    let lines: Vec<[String; K]> = std::iter::once(head).chain(rows).collect();
    let left = if K > 4 { 2 } else { 1 };
    let widths: Vec<usize> = (0..K)
        .map(|k| lines.iter().map(|line| line[k].len()).max().unwrap_or(0))
        .collect();
    for line in lines {
        let mut text = String::new();
        for (k, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            if k < left {
                text.push_str(&format!("{cell:<width$}  "))
            } else {
                text.push_str(&format!("{cell:>width$}  "))
            }
        }
        writeln!(f, "{}", text.trim_end())?;
    }
    Ok(())
}

/// Six digits.
fn short(x: f64) -> String {
    rounded(x, 6)
}
