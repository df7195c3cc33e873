//! Numbers of recorded calls and loops, at every rank, point and iteration.

use std::collections::BTreeMap;

use super::atoms::Values;
use super::events::NOBODY;
use super::fit::{self, Role};
use super::fold::{Call, Series};
use super::formula::Formula;
use super::merge::Who;
use super::samples::{Sample, Space};

/// More numbers of one call are not put into a formula.
const MOST_SAMPLES: u64 = 2_000_000;

/// Numbers of iterations of the loops around, from the outermost on.
pub type Around<'m> = Vec<&'m BTreeMap<Who, Series>>;

/// A number of a call or a loop, of each rank.
pub struct Number<'n> {
    pub all: BTreeMap<Who, &'n Series>,
    pub role: Role,
    /// The partners of messages with so many bytes.
    pub partners: Option<BTreeMap<Who, &'n Series>>,
}

pub type Field = fn(&Call) -> &Series;

impl<'n> Number<'n> {
    pub fn of(calls: &'n BTreeMap<Who, Call>, field: Field, role: Role) -> Number<'n> {
        Number {
            all: calls
                .iter()
                .map(|(who, call)| (*who, field(call)))
                .collect(),
            role,
            partners: None,
        }
    }

    /// The formula of the number; none if it follows none.
    pub fn formula(
        &self,
        space: &Space,
        bases: &BTreeMap<Who, Values>,
        around: &Around,
    ) -> Option<Formula> {
        let all = self
            .all
            .values()
            .chain(self.partners.iter().flat_map(|all| all.values()));
        let varies = all.into_iter().any(|series| series.constant().is_none());
        let count: u64 = self.all.values().map(|own| own.len()).sum();
        if varies && count > MOST_SAMPLES {
            return None;
        }
        let mut samples = Vec::new();
        for (who, series) in &self.all {
            let base = bases.get(who)?;
            let partners = self.partners.as_ref().and_then(|all| all.get(who));
            if !varies {
                if partners.and_then(|partners| partners.constant()) != Some(NOBODY) {
                    let value = series.constant()?;
                    samples.push(Sample {
                        values: base.clone(),
                        value,
                    });
                }
                continue;
            }
            let contexts = contexts(base, *who, around).into_iter();
            let somebody: Box<dyn Iterator<Item = bool>> = match partners {
                Some(partners) => Box::new(partners.iter().map(|partner| partner != NOBODY)),
                None => Box::new(std::iter::repeat(true)),
            };
            let own = contexts.zip(series.iter()).zip(somebody);
            samples.extend(
                own.filter(|(_, somebody)| *somebody)
                    .map(|((values, value), _)| Sample { values, value }),
            );
        }
        fit::formula(space, &samples, self.role)
    }
}

/// The values of all variables at each execution of the body of some loops.
fn contexts(base: &Values, who: Who, around: &Around) -> Vec<Values> {
    let mut all = vec![base.clone()];
    for times in around {
        let Some(times) = times.get(&who) else {
            return Vec::new();
        };
        let each = all.into_iter().zip(times.iter());
        all = each
            .flat_map(|(values, times)| {
                (0..times).map(move |counter| {
                    let mut values = values.clone();
                    values.push(counter);
                    values
                })
            })
            .collect();
    }
    all
}
