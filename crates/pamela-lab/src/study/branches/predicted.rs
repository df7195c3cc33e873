//! Predictions for a branch from the counts of a profile.

use pamela_programs::profile::{FORMAT, Machine, Measured, Profile, Program, Run, Site, known};
use pamela_programs::{KnownLaw, KnownValue};

const SITE: &str = "main/if1";

/// 4.14b: the variance of each trial.
pub fn alternating([(up, var_up), (down, var_down)]: [(f64, f64); 2]) -> f64 {
    (down * down * var_up + up * up * var_down) / (up + down).powi(3)
}

/// The means and variances of the lengths of true and of false runs.
pub fn lengths(site: &Site) -> Option<[(f64, f64); 2]> {
    let n = *site.cycles.first()? as f64;
    let mean = |at: usize| Some(*site.cycles.get(at)? as f64 / n);
    let (up, down) = (mean(1)?, mean(2)?);
    let found = [(up, mean(3)? - up * up), (down, mean(5)? - down * down)];
    (n > 1.0).then_some(found)
}

fn profile(site: Site) -> Profile {
    Profile {
        format: FORMAT.to_string(),
        program: Program {
            files: Vec::new(),
            fingerprint: String::new(),
            cc: String::new(),
            arguments: Vec::new(),
            run: Vec::new(),
            entry: "main".to_string(),
        },
        machine: Machine {
            cpu: String::new(),
            cores: 1,
        },
        sites: [(SITE.to_string(), "p_main_if1".to_string())].into(),
        sampled: None,
        points: vec![Measured {
            runs: vec![Run {
                seed: 1,
                rank: 0,
                sites: [(SITE.to_string(), site)].into(),
            }],
            ..Measured::default()
        }],
    }
}

/// The model of the branch from a profile with the given counts.
pub fn value(site: &Site) -> Option<KnownValue> {
    Some(known(&profile(site.clone())).remove(SITE)?.value)
}

/// The variance of each trial by the law of a profile, if it is the same at every position.
pub fn rate(value: &KnownValue) -> Option<f64> {
    match value {
        KnownValue::Same {
            law: KnownLaw::Bernoulli(p),
            ..
        } => Some(p * (1.0 - p)),
        KnownValue::Same {
            law: KnownLaw::Moments { variance, .. },
            ..
        } => Some(*variance),
        _ => None,
    }
}
