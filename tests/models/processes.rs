//! Random processes over declared sizes: `PAMELA_MODELS=5000 cargo test --release --test all models::processes`.
//! `PAMELA_SEED` begins with another model than the first one.

use pamela_lab::models::processes::model;

use crate::selection::{SHARE, seeds};

use super::support::points::points;
use super::support::{closed_forms, compare, read};

/// How many models are tried where nothing else is asked for.
const FEW: u64 = 200;
const POINTS: usize = 24;
/// Of the models, at least so many of a hundred close.
const CLOSED: u64 = 85;

#[test]
fn random_processes_have_the_times_of_their_definition_and_nearly_all_close() {
    let seeds = seeds("PAMELA_MODELS", FEW);
    let (count, mut closed, mut compared) = (seeds.len() as u64, 0, 0);
    let mut wrong = Vec::new();
    for seed in seeds {
        let text = model(seed);
        let forms = closed_forms("random.pam", &text).unwrap_or_else(|e| panic!("{text}\n{e}"));
        let points = points(&read("random.pam", &text), POINTS);
        let comparison = compare("random.pam", &text, &forms, &points);
        compared += comparison.compared.len();
        wrong.extend(comparison.wrong);
        let time = forms.iter().find(|form| form.name == "T_main");
        closed += u64::from(time.is_some_and(|form| form.open_reductions == 0));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("{closed} of {count} random processes close, {compared} forms compared");
    if count >= FEW / SHARE {
        assert!(100 * closed >= CLOSED * count, "only {closed} of {count}");
    }
}
