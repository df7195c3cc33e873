//! The stationary wait of a visit to a resource, as an equation of the model.
//!
//! One server is exact by Pollaczek and Khinchine: the wait is a geometric number of residual services. Several servers
//! are exact for exponential services (Erlang), else approximated. Who waits, with the probability C, waits for the first
//! departure, and for those before it at the pace of all servers. Tijms, van Hoorn and Federgruen (1981) take the shortest of
//! c residual services as the time to the first departure, as if services began independently of each other. Under load they
//! do not: fixed services end evenly spaced, which leaves a residual service by c. That is taken in the share `sqrt(C)` where
//! services vary less than exponential ones. Against runs of 3e6 requests for 2 to 64 servers, loads of 0.4 to 0.9 and services with a squared variability of 0 to 1/3,
//! the 99th percentile of the time errs by at most 2.0 %, by 4.8 % without this share.

use super::build::{self, as_number, call, choice, minus, number, over, power, sum, times};
use super::inline::{Checked, Element};
use super::parts::{Basis, Unused, Wait};
use super::visits::{Around, Visit, Walk, variability};
use crate::diagnostic::Span;
use crate::model::not_supported;
use crate::syntax::rewrite::{is_same, node, substitute};
use crate::syntax::tree::{Expr, ExprKind, ReduceKind, Relation};

/// The formal that stands for the index of an element.
const ELEMENT: &str = "element";

/// All visits to the elements of one array.
pub(super) struct Station {
    pub array: String,
    servers: Expr,
    /// The index, unless visits are to several elements.
    index: Option<Expr>,
    visits: Vec<Visit>,
    /// The mean of exponential services.
    exponential: Option<Expr>,
    pub basis: Basis,
    /// Name of the equation that is 1 where its utilisation is below 1; only of a single element.
    stable: Option<String>,
    /// Name of the equation of its load.
    load: String,
    /// Name of the equation of its wait.
    pub wait: String,
}

/// Groups the visits by array.
pub(super) fn stations(process: &str, walk: &Walk<'_, '_>, unused: &mut Unused) -> Vec<Station> {
    let mut arrays: Vec<&str> = Vec::new();
    for visit in &walk.visits {
        if !arrays.contains(&visit.at.array.as_str()) {
            arrays.push(&visit.at.array);
        }
    }
    arrays
        .iter()
        .map(|array| station(process, array, walk, unused))
        .collect()
}

fn station(process: &str, array: &str, walk: &Walk<'_, '_>, unused: &mut Unused) -> Station {
    let own = || walk.visits.iter().filter(|visit| visit.at.array == array);
    let first = own().next().map(|visit| visit.at.clone());
    let at = first.unwrap_or(Element {
        array: array.to_owned(),
        index: number(0),
        servers: number(1),
    });
    let of_one = own().all(|visit| is_same(&visit.at.index, &at.index))
        && !walk.writer.mentions_index(&at.index);
    let count = own().count();
    let visits: Vec<Visit> = if of_one {
        own().cloned().collect()
    } else {
        own().map(|visit| at_element(visit, count == 1)).collect()
    };
    let mean = |visit: &Visit| walk.writer.exponential_mean(&visit.service);
    let mut means = visits.iter().map(mean);
    let first = means.next().flatten();
    let exponential = first.filter(|mean| {
        let is_own = |other: Option<Expr>| other.is_some_and(|other| is_same(&other, mean));
        !walk.writer.mentions_index(mean) && means.by_ref().all(is_own)
    });
    let single = as_number(&at.servers).is_some_and(|servers| servers.is_one());
    let is_later = |visit: &Visit| visit.arrivals.is_some();
    let repeated = is_repeated(&visits, of_one);
    let basis = Basis {
        stationary: true,
        cyclic: false,
        by_runs: false,
        several_servers: !single && exponential.is_none(),
        // In cycles, arrivals count as a Poisson process.
        flows: !repeated && visits.iter().any(is_later),
        in_parallel: visits.iter().any(|visit| visit.beside),
        overtaking: visits.iter().any(|visit| visit.overtaken),
        repeated,
        fitted: exponential.is_none() && !written_out(&visits, walk),
    };
    Station {
        servers: if of_one {
            at.servers
        } else {
            substitute_index(&at.servers, &at.index)
        },
        index: of_one.then_some(at.index),
        visits,
        exponential,
        basis,
        load: unused.name(&["load", process, array]),
        wait: unused.name(&["wait", process, array]),
        stable: of_one.then(|| unused.name(&["stable", process, array])),
        array: array.to_owned(),
    }
}

fn substitute_index(servers: &Expr, index: &Expr) -> Expr {
    match &index.kind {
        ExprKind::Name(own) => {
            substitute(servers, &|name| (name == own).then(|| build::name(ELEMENT)))
        }
        _ => servers.clone(),
    }
}

/// The part of a visit that goes to the element; `alone` if there is no other visit to the array.
fn at_element(visit: &Visit, alone: bool) -> Visit {
    let mut own = visit.clone();
    if let ExprKind::Name(index) = &visit.at.index.kind
        && let Some(place) = visit.around.iter().position(
            |around| matches!(around, Around::Each(range) if range.index.text == *index && range.step.is_none()),
        )
    {
        let here = |e: &Expr| substitute(e, &|name| (name == index).then(|| build::name(ELEMENT)));
        own.service = here(&own.service);
        let bounds = match &own.around[place] {
            Around::Each(range) => [range.lower.clone(), range.upper.clone()],
            Around::Share(_) => return own,
        };
        for around in &mut own.around {
            if let Around::Share(share) = around {
                *share = here(share);
            }
        }
        if alone {
            own.around.remove(place);
        } else {
            let [lower, upper] = bounds;
            let relate = |a: Expr, b: Expr| {
                node(ExprKind::Compare(
                    Relation::LessEqual,
                    Box::new(a),
                    Box::new(b),
                ))
            };
            let parts = vec![
                relate(lower, build::name(ELEMENT)),
                relate(build::name(ELEMENT), upper),
            ];
            own.around[place] = Around::Share(node(ExprKind::And(parts)));
        }
        return own;
    }
    let same = node(ExprKind::Compare(
        Relation::Equal,
        Box::new(visit.at.index.clone()),
        Box::new(build::name(ELEMENT)),
    ));
    own.around.push(Around::Share(same));
    own
}

/// True if one run may visit an element twice: visits that do not exclude each other, or in a loop.
fn is_repeated(visits: &[Visit], of_one: bool) -> bool {
    let loops = |visit: &Visit| {
        let mut around = visit.around.iter();
        around.any(|own| matches!(own, Around::Each(..)))
    };
    let loops = visits.iter().any(loops);
    let several = visits.iter().enumerate().any(|(place, visit)| {
        visits[..place].iter().any(|other| {
            let apart = match (as_number(&visit.at.index), as_number(&other.at.index)) {
                (Some(own), Some(other)) => own != other,
                _ => false,
            };
            let apart = apart && !of_one;
            !apart && !visit.excludes(other)
        })
    });
    loops || several
}

/// True if the services can be written out as a mixture.
fn written_out(visits: &[Visit], walk: &Walk<'_, '_>) -> bool {
    visits.iter().all(|visit| {
        let known = walk.writer.has_residual(&visit.service);
        known && !walk.writer.mentions_index(&visit.service)
    })
}

impl Station {
    /// Visits to one resource at the same time are not independent of each other.
    pub(super) fn check(&self, span: Span) -> Checked<()> {
        let together = |visit: &&Visit| visit.beside;
        match self
            .visits
            .iter()
            .find(together)
            .filter(|_| self.basis.repeated)
        {
            Some(visit) => {
                let span = if visit.span == Span::default() {
                    span
                } else {
                    visit.span
                };
                let what = "parallel visits of an open process to one resource";
                Err(Box::new(
                    not_supported(what, span).hint("`pamela simulate` runs it"),
                ))
            }
            None => Ok(()),
        }
    }

    pub(super) fn named(&self) -> Wait {
        Wait {
            array: self.array.clone(),
            equation: self.wait.clone(),
            indexed: self.index.is_none(),
            basis: self.basis,
            stable: self.stable.clone(),
            run: None,
        }
    }

    fn argument(&self) -> Vec<Expr> {
        match self.index {
            Some(_) => Vec::new(),
            None => vec![build::name(ELEMENT)],
        }
    }

    fn called(&self, name: &str, index: &Expr) -> Expr {
        match self.index {
            Some(_) => build::name(name),
            None => call(name, vec![index.clone()]),
        }
    }

    /// The wait of a visit to an element.
    pub(super) fn wait_at(&self, index: &Expr) -> Expr {
        self.called(&self.wait, index)
    }

    /// Names, arguments and values of its equations.
    pub(super) fn equations(&self, walk: &Walk<'_, '_>) -> Vec<(String, Vec<String>, Expr)> {
        let formals: Vec<String> = match self.index {
            Some(_) => Vec::new(),
            None => vec![ELEMENT.to_owned()],
        };
        let load = times(walk.rate.clone(), self.total(walk, 1));
        let wait = self.wait(walk);
        let stable = self.stable.iter().map(|name| {
            let below = less(self.load(), self.servers.clone());
            (name.clone(), Vec::new(), below)
        });
        let others = [
            (self.load.clone(), formals.clone(), load),
            (self.wait.clone(), formals, wait),
        ];
        others.into_iter().chain(stable).collect()
    }

    /// The sum of the services of one run to this power, on average; with 0, the number of visits.
    fn total(&self, walk: &Walk<'_, '_>, order: u32) -> Expr {
        let parts = self.visits.iter().map(|visit| {
            let value = match order {
                0 => number(1),
                _ => build::moment(&visit.service, order),
            };
            walk.expected(&visit.around, value)
        });
        sum(parts.collect())
    }

    fn load(&self) -> Expr {
        match self.argument().as_slice() {
            [] => build::name(&self.load),
            arguments => call(&self.load, arguments.to_vec()),
        }
    }

    fn wait(&self, walk: &Walk<'_, '_>) -> Expr {
        let (load, servers) = (self.load(), self.servers.clone());
        let busy = over(load.clone(), servers.clone());
        let idle = minus(number(1), busy.clone());
        let single = as_number(&servers).is_some_and(|servers| servers.is_one());
        let waits = if single {
            busy.clone()
        } else {
            call("erlangC", vec![servers.clone(), load.clone()])
        };
        if let Some(mean) = &self.exponential {
            let rest = call(
                "exponential",
                vec![over(mean.clone(), minus(servers, load))],
            );
            return self.scaled(with_chance(waits, rest), walk, &busy);
        }
        let residual = self.residual(walk);
        let further = |residual: Expr| {
            let count = minus(call("geometric", vec![idle.clone()]), number(1));
            build::reduce(ReduceKind::Sum, build::up_to("k", count), residual)
        };
        if single {
            return self.scaled(further(residual), walk, &busy);
        }
        let share = over(residual.clone(), servers.clone());
        let square = times(self.total(walk, 0), self.total(walk, 2));
        let is_even = less(square, times(number(2), power(self.total(walk, 1), 2)));
        let apart = choice(is_even, call("sqrt", vec![waits.clone()]), number(0));
        let least = build::reduce(ReduceKind::Min, build::up_to("k", servers), residual);
        let together = minus(number(1), apart.clone());
        let first = call("mixture", vec![together, least, apart, share.clone()]);
        let rest = sum(vec![first, further(share)]);
        self.scaled(with_chance(waits, rest), walk, &busy)
    }

    /// The wait with other arrivals than those of a Poisson process: at a single server by Krämer and Langenbach-Belz (1976), at
    /// several ones in proportion to both variabilities.
    fn scaled(&self, wait: Expr, walk: &Walk<'_, '_>, busy: &Expr) -> Expr {
        let single = as_number(&self.servers).is_some_and(|servers| servers.is_one());
        if !self.basis.flows {
            return wait;
        }
        let visits = || self.total(walk, 0);
        let arrivals = match self.visits.as_slice() {
            [one] => one.arrivals.clone().unwrap_or(number(1)),
            several => {
                let parts = several.iter().map(|visit| {
                    let own = visit.arrivals.clone().unwrap_or(number(1));
                    walk.expected(&visit.around, own)
                });
                over(sum(parts.collect()), visits())
            }
        };
        let services = match self.visits.as_slice() {
            [one] => variability(&one.service),
            _ => {
                let mean = over(self.total(walk, 1), visits());
                let square = over(self.total(walk, 2), visits());
                minus(over(square, power(mean, 2)), number(1))
            }
        };
        let both = sum(vec![arrivals.clone(), services.clone()]);
        let regular = over(
            times(
                times(number(2), minus(number(1), busy.clone())),
                power(minus(number(1), arrivals.clone()), 2),
            ),
            times(times(number(3), busy.clone()), both.clone()),
        );
        let regular = call("exp", vec![node(ExprKind::Negate(Box::new(regular)))]);
        let factor = over(both, sum(vec![number(1), services]));
        let factor = if single {
            times(
                choice(less(arrivals, number(1)), regular, number(1)),
                factor,
            )
        } else {
            factor
        };
        times(factor, wait)
    }

    /// What is left of a service at a random time.
    fn residual(&self, walk: &Walk<'_, '_>) -> Expr {
        let of = |law: &Expr| call("residual", vec![law.clone()]);
        if self.basis.fitted {
            let mean = over(self.total(walk, 2), times(number(2), self.total(walk, 1)));
            let square = over(self.total(walk, 3), times(number(3), self.total(walk, 1)));
            let variance = minus(square, power(mean.clone(), 2));
            let shape = over(power(mean.clone(), 2), variance.clone());
            return call("gamma", vec![shape, over(variance, mean)]);
        }
        match self.visits.as_slice() {
            [one] => of(&one.service),
            several => {
                let Some((last, others)) = several.split_last() else {
                    return number(0);
                };
                let mut left = number(1);
                let mut parts = Vec::new();
                for visit in others {
                    let own = walk.expected(&visit.around, build::mean(&visit.service));
                    let share = over(own, self.total(walk, 1));
                    left = minus(left, share.clone());
                    parts.extend([share, of(&visit.service)]);
                }
                parts.extend([left, of(&last.service)]);
                call("mixture", parts)
            }
        }
    }

    /// The time of a visit with its wait, where it has a simpler form: exponential services at one server.
    pub(super) fn sojourn_at(&self, index: &Expr) -> Option<Expr> {
        let single = as_number(&self.servers).is_some_and(|servers| servers.is_one());
        let mean = self
            .exponential
            .as_ref()
            .filter(|_| single && !self.basis.flows)?;
        let load = self.called(&self.load, index);
        let mean = substitute(mean, &|name| (name == ELEMENT).then(|| index.clone()));
        let mean = over(mean, minus(number(1), load));
        Some(call("exponential", vec![mean]))
    }
}

fn less(a: Expr, b: Expr) -> Expr {
    node(ExprKind::Compare(Relation::Less, Box::new(a), Box::new(b)))
}

/// 0, or with this chance the law.
fn with_chance(chance: Expr, law: Expr) -> Expr {
    let none = minus(number(1), chance.clone());
    call("mixture", vec![none, number(0), chance, law])
}

impl Visit {
    /// True if no run has both visits: they are in different cases of one choice.
    fn excludes(&self, other: &Visit) -> bool {
        let paths = self.path.iter().zip(&other.path);
        let first = paths.into_iter().find(|(own, other)| own != other);
        first.is_some_and(|(own, other)| own.0 == other.0)
    }
}
