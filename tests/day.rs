//! Which of the samples are tried today.
//!
//! `PAMELA_DAY` is the number of a day, 0 where nothing is said: each day tries another part of them, the same on each
//! machine, and as many days as there are parts have tried all. `PAMELA_DAY=all` tries all at once.

use std::env;

/// Random models, points, rules at full effort and what is listed: a seventh a day.
pub const WEEK: u64 = 7;

/// The number of the day; none if all is to be tried.
fn day() -> Option<u64> {
    match env::var("PAMELA_DAY") {
        Ok(text) if text == "all" => None,
        Ok(text) => Some(text.parse().expect("PAMELA_DAY is a number, or `all`")),
        Err(_) => Some(0),
    }
}

/// The day of the week, from 0 to 6; none if all is to be tried.
pub fn of_the_week() -> Option<u64> {
    day().map(|day| day % WEEK)
}

/// Whether all samples are tried at once.
pub fn is_every_day() -> bool {
    day().is_none()
}

/// Whether the sample of a number is among those of today.
pub fn is_today(number: u64, parts: u64) -> bool {
    day().is_none_or(|day| number % parts == day % parts)
}

/// Whether a check that takes long is due: on one day of the week, from 0 to 6.
pub fn is_due(day_of_week: u64) -> bool {
    let due = is_today(day_of_week, WEEK);
    if !due {
        eprintln!("not run: PAMELA_DAY=all tries it, as one day of the week does");
    }
    due
}

/// The samples of today from a list.
pub fn today<T>(samples: impl IntoIterator<Item = T>) -> Vec<T> {
    let numbered = (0..).zip(samples);
    let mine = numbered.filter(|(number, _)| is_today(*number, WEEK));
    mine.map(|(_, sample)| sample).collect()
}

/// The seeds of random models: as many as a variable of the environment says, from `PAMELA_SEED` on, or the part of
/// today among the first `few`.
pub fn seeds(variable: &str, few: u64) -> Vec<u64> {
    let first = number_from("PAMELA_SEED", 0);
    match number(variable) {
        Some(count) => (first..first + count).collect(),
        None => (first..first + few)
            .filter(|seed| is_today(seed - first, WEEK))
            .collect(),
    }
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// The number that a variable of the environment gives, or another.
pub fn number_from(variable: &str, default: u64) -> u64 {
    number(variable).unwrap_or(default)
}
