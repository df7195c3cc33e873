//! Bounds of values that go into each other in a nest of loops.

use std::collections::BTreeSet;

use super::changes::Form;
use super::graph::variable;
use super::number::{Atom, Number};
use super::proofs::larger;
use super::totals::Scope;

impl Scope<'_> {
    /// The greatest value of a form, where values go into each other: on each way the largest of them, or of their opposites,
    /// grows at most by a factor and a number.
    pub fn by_growth(&self, form: &Form, depth: usize) -> Option<Number> {
        let mut names: BTreeSet<&String> = form.variables.keys().collect();
        loop {
            let before = names.len();
            for value in self.ways.iter().flat_map(|way| &way.next) {
                if names.contains(value.0) {
                    names.extend(value.1.variables.keys());
                }
            }
            if names.len() == before {
                break;
            }
        }
        let sizes = |value: &Form| -> i64 {
            let factors = value
                .variables
                .values()
                .map(|factor| factor.saturating_abs());
            factors.fold(0, i64::saturating_add)
        };
        let mut largest = Number::default();
        for name in &names {
            for sign in [1, -1] {
                let own = Form::default().plus(&variable(name), sign)?;
                largest = larger(self.facts, &largest, &(self.first)(&own, depth + 1)?);
            }
        }
        let mut factor = Number::constant(1);
        for (at, way) in self.ways.iter().enumerate() {
            let next = way.next.iter().filter(|(name, _)| names.contains(name));
            let next: Vec<&Form> = next.map(|(_, value)| value).collect();
            let most = next
                .iter()
                .map(|value| sizes(value))
                .max()
                .unwrap_or(1)
                .max(1);
            let mut more = Number::default();
            for value in next {
                for sign in [1, -1] {
                    more = larger(self.facts, &more, &value.rest.scaled(sign)?);
                }
            }
            if most == 1 && more == Number::default() {
                continue;
            }
            // How often the way is taken may not rest on these values.
            let mut others = vec![usize::MAX; depth + 1];
            let times = self.times(at, &mut others)?;
            largest = largest.plus(&more.times(&times)?)?;
            if most > 1 {
                let power = Number::atom(Atom::Power(Number::constant(most), times));
                factor = factor.times(&power)?;
            }
        }
        let most = factor.times(&largest)?.scaled(sizes(form))?;
        most.plus(&form.rest)
    }
}
