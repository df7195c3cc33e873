//! The libraries that the program carries, beside runs, enumerations and measurements.

mod schedules;
mod serving;
mod training;
mod units;

use pamela::compiled::{Compiled, Point};
use pamela::syntax::FileLoader;
use pamela::{Model, Options};

/// Numbers below a bound, the same in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The equations `only` of a model that imports libraries.
fn compiled(text: &str, only: &[&str]) -> Compiled {
    let model = Model::read("test.pam", text, &FileLoader);
    let model = model.unwrap_or_else(|error| panic!("{text}\n{error}"));
    let options = Options {
        only: only.iter().map(ToString::to_string).collect(),
        ..Options::default()
    };
    let compiled = model.compile(&options);
    compiled.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// The value of an equation at a point; `None` where it has none.
fn value(compiled: &Compiled, name: &str, values: &[(&str, i64)]) -> Option<f64> {
    let start = Point::default();
    let point = values
        .iter()
        .fold(start, |point, (name, value)| point.with(name, *value));
    compiled.at(point).ok()?.number(name).ok()
}

fn assert_near(found: Option<f64>, expected: f64, what: &str) {
    let found = found.unwrap_or(f64::NAN);
    let most = 1e-9 * expected.abs().max(1e-9);
    assert!(
        (found - expected).abs() <= most,
        "{what}: {found}, expected {expected}"
    );
}
