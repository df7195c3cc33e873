//! Which samples are tried: the same part of them in each run, or all with `PAMELA_ALL=1`.

use std::env;

/// Of random models, points, rules at full effort and entries of lists, one in this number is tried.
pub const SHARE: u64 = 16;

/// True if all samples are tried.
pub fn is_full() -> bool {
    env::var_os("PAMELA_ALL").is_some_and(|value| !value.is_empty())
}

/// True if the sample of a number is tried.
pub fn is_selected(number: u64) -> bool {
    is_full() || number.is_multiple_of(SHARE)
}

/// True if a check that takes long is run.
pub fn is_due() -> bool {
    let due = is_full();
    if !due {
        eprintln!("not run: PAMELA_ALL=1 runs it");
    }
    due
}

/// The samples of a list that are tried.
pub fn selected<T>(samples: impl IntoIterator<Item = T>) -> Vec<T> {
    let numbered = (0..).zip(samples);
    let tried = numbered.filter(|(number, _)| is_selected(*number));
    tried.map(|(_, sample)| sample).collect()
}

/// The seeds of random models from `PAMELA_SEED` on: as many as a variable of the environment says, or else `few` in a
/// full run and a part of them in others.
pub fn seeds(variable: &str, few: u64) -> Vec<u64> {
    let first = number_from("PAMELA_SEED", 0);
    let share = if is_full() { few } else { few.div_ceil(SHARE) };
    (first..first + number_from(variable, share)).collect()
}

/// The number that a variable of the environment gives, or another.
pub fn number_from(variable: &str, default: u64) -> u64 {
    let number = env::var(variable).ok();
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(default)
}
