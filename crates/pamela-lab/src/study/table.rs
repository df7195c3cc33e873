//! A study as a table for readers.

use std::fmt;

use super::ours::median;
use super::{Measured, PeerSummary, Study};

/// Width of the columns of names.
const NAME: usize = 34;
const COLUMN: usize = 16;

impl fmt::Display for Study {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let present: Vec<&PeerSummary> =
            self.peers.iter().filter(|p| p.version.is_some()).collect();
        self.sums_table(f, &present)?;
        self.family_table(f, &present)?;
        self.wrong_list(f, &present)?;
        self.times(f, &present)?;
        for peer in &self.peers {
            if let Some(reason) = &peer.absent {
                writeln!(f, "{}: absent, {reason}", peer.title)?;
            }
        }
        Ok(())
    }
}

impl Study {
    fn sums_table(&self, f: &mut fmt::Formatter<'_>, peers: &[&PeerSummary]) -> fmt::Result {
        header(f, "milliseconds", peers)?;
        for sum in &self.sums {
            let mut cells = vec![cell(
                sum.ours.closed,
                sum.ours.seconds,
                sum.ours.verdict.wrong.len(),
            )];
            cells.extend(peers.iter().map(|peer| peer_cell(sum, peer)));
            row(f, &sum.name, &cells)?;
        }
        writeln!(
            f,
            "  (open: no closed form; -: not expressible; !n: wrong at n points that the sum is defined at)\n"
        )
    }

    fn family_table(&self, f: &mut fmt::Formatter<'_>, peers: &[&PeerSummary]) -> fmt::Result {
        header(f, "closed, of them right everywhere", peers)?;
        let mut families: Vec<&str> = Vec::new();
        for sum in &self.sums {
            if !families.contains(&sum.family.as_str()) {
                families.push(&sum.family);
            }
        }
        for family in families {
            let sums: Vec<&Measured> = self.sums.iter().filter(|s| s.family == family).collect();
            row(
                f,
                &format!("{family} ({})", sums.len()),
                &counts(&sums, peers),
            )?;
        }
        let all: Vec<&Measured> = self.sums.iter().collect();
        row(f, &format!("all ({})", all.len()), &counts(&all, peers))?;
        writeln!(f)
    }

    fn wrong_list(&self, f: &mut fmt::Formatter<'_>, peers: &[&PeerSummary]) -> fmt::Result {
        writeln!(f, "wrong where the sum is defined:")?;
        for sum in &self.sums {
            let ours = ("pamela", Some(&sum.ours.verdict));
            let others = peers.iter().map(|peer| {
                let result = sum.peers.get(&peer.name);
                (peer.title.as_str(), result.and_then(|r| r.verdict()))
            });
            for (title, verdict) in std::iter::once(ours).chain(others) {
                let Some(verdict) = verdict else { continue };
                let Some(first) = verdict.wrong.first() else {
                    continue;
                };
                let without = verdict.wrong.iter().filter(|wrong| !wrong.has_value);
                writeln!(
                    f,
                    "{title}, {}: at {} of {} points ({} without a value); {}: {} for {}",
                    sum.name,
                    verdict.wrong.len(),
                    verdict.compared,
                    without.count(),
                    first.point,
                    first.found,
                    first.expected
                )?;
            }
        }
        writeln!(f)
    }

    fn times(&self, f: &mut fmt::Formatter<'_>, peers: &[&PeerSummary]) -> fmt::Result {
        let verdicts = self.sums.iter().filter(|sum| sum.ours.closed);
        let (compared, declined) = verdicts.fold((0, 0), |(compared, declined), sum| {
            let verdict = &sum.ours.verdict;
            (compared + verdict.compared, declined + verdict.declined)
        });
        writeln!(
            f,
            "pamela: its conditions exclude {declined} of {} points; start-up {:.4} s (reading the rules)",
            compared + declined,
            self.start_seconds
        )?;
        for peer in peers {
            let mut ratios = self.ratios(peer);
            let mean = geometric_mean(&ratios);
            writeln!(
                f,
                "{} ({}): its time over ours on the {} sums that both close: geometric mean {mean:.1}, median {:.1}; \
                 start-up {:.2} s, whole list {:.1} s",
                peer.title,
                peer.version.as_deref().unwrap_or_default(),
                ratios.len(),
                median(&mut ratios),
                peer.start_seconds,
                peer.total_seconds
            )?;
        }
        Ok(())
    }

    /// A peer's time over ours, of the sums that both close. A clock that shows no time at all has not measured one.
    fn ratios(&self, peer: &PeerSummary) -> Vec<f64> {
        let ratio = |sum: &Measured| {
            let theirs = sum.peers.get(&peer.name)?.closed_seconds()?;
            let measured = sum.ours.closed && sum.ours.seconds > 0.0 && theirs > 0.0;
            measured.then(|| theirs / sum.ours.seconds)
        };
        self.sums.iter().filter_map(ratio).collect()
    }
}

/// Geometric mean of positive values; 1 for an empty list.
fn geometric_mean(values: &[f64]) -> f64 {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (logarithms / values.len().max(1) as f64).exp()
}

fn header(f: &mut fmt::Formatter<'_>, title: &str, peers: &[&PeerSummary]) -> fmt::Result {
    let mut cells = vec!["pamela".to_string()];
    cells.extend(peers.iter().map(|peer| peer.title.clone()));
    row(f, title, &cells)
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, cells: &[String]) -> fmt::Result {
    write!(f, "{name:<NAME$}")?;
    for cell in cells {
        write!(f, "{cell:>COLUMN$}")?;
    }
    writeln!(f)
}

fn cell(closed: bool, seconds: f64, wrong: usize) -> String {
    let mark = if wrong > 0 {
        format!(" !{wrong}")
    } else {
        String::new()
    };
    if closed {
        format!("{:.3}{mark}", seconds * 1e3)
    } else {
        format!("open{mark}")
    }
}

fn peer_cell(sum: &Measured, peer: &PeerSummary) -> String {
    use super::PeerResult::{Closed, Failed, Open, TimedOut};
    match sum.peers.get(&peer.name) {
        None => "-".to_string(),
        Some(Closed {
            seconds, verdict, ..
        }) => cell(true, *seconds, verdict.wrong.len()),
        Some(Open { .. }) => "open".to_string(),
        Some(TimedOut) => "no answer".to_string(),
        Some(Failed { .. }) => "failed".to_string(),
    }
}

/// `closed, right` of us and of each peer.
fn counts(sums: &[&Measured], peers: &[&PeerSummary]) -> Vec<String> {
    let pair = |closed: usize, right: usize| format!("{closed}, {right}");
    let ours = sums.iter().filter(|sum| sum.ours.closed);
    let right = ours.clone().filter(|sum| sum.ours.verdict.wrong.is_empty());
    let mut cells = vec![pair(ours.count(), right.count())];
    cells.extend(peers.iter().map(|peer| {
        let verdicts = sums
            .iter()
            .filter_map(|sum| sum.peers.get(&peer.name)?.verdict());
        let right = verdicts.clone().filter(|verdict| verdict.wrong.is_empty());
        pair(verdicts.count(), right.count())
    }));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Ours, PeerResult, Verdict};

    fn sum(ours: f64, theirs: f64) -> Measured {
        let closed = PeerResult::Closed {
            seconds: theirs,
            formula: "1".to_string(),
            verdict: Verdict::default(),
        };
        Measured {
            name: "one".to_string(),
            family: "constant".to_string(),
            known_open: None,
            ours: Ours {
                closed: true,
                formula: "1".to_string(),
                conditions: Vec::new(),
                seconds: ours,
                verdict: Verdict::default(),
            },
            peers: [("peer".to_string(), closed)].into(),
        }
    }

    #[test]
    fn a_sum_whose_time_was_not_measured_does_not_count() {
        let peer = PeerSummary {
            name: "peer".to_string(),
            title: "Peer".to_string(),
            version: Some("Peer 1".to_string()),
            absent: None,
            start_seconds: 0.0,
            total_seconds: 0.0,
        };
        let study = Study {
            start_seconds: 0.0,
            sums: vec![sum(1.0, 2.0), sum(1.0, 0.0), sum(1.0, 8.0)],
            peers: vec![peer],
        };
        let text = study.to_string();
        let expected = "its time over ours on the 2 sums that both close: geometric mean 4.0";
        assert!(text.contains(expected), "{text}");
    }
}
