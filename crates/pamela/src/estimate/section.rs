//! The mean time of a closed section with random services: the largest of several approximations, each of which is near where
//! another kind of waiting decides.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::f64::consts::TAU;

use crate::law::{Distribution, Named};
use crate::model::{ClosedSection, Station};
use crate::special::incomplete_gamma;
use crate::uncertain::standard_normal;

/// Visits of the section with mean services, and steps of the recursions; larger sections have no estimate.
const MOST_STEPS: f64 = 2e6;
/// Steps per mean service of an integral over time, and of all such steps.
const STEPS: f64 = 50.0;
const MOST_TIMES: usize = 100_000;
/// An integral ends where so little is left.
const LITTLE: f64 = 1e-9;
/// Services whose sums have gamma laws in a walk; sums of more have normal ones.
const FEW: u64 = 12;

/// Estimates the mean time until the last client has finished its last cycle; `least` is a lower bound of it. `None` for
/// sections that are too large, or that hold resources.
///
/// The estimate is the largest of: the lower bound; all cycles at their stationary length, with the spread of the last client
/// ([`steady`]); the first cycle, in which all clients come at one time, before further ones ([`burst`]); and the work of each
/// station with the end of its last services ([`pool_tail`]).
pub fn section_time(section: &ClosedSection, least: f64) -> Option<f64> {
    let (clients, cycles) = (section.clients as f64, section.cycles as f64);
    let visits: f64 = section.stations.iter().map(|s| s.visits).sum();
    let servers = section.stations.iter().map(|s| servers(s, section));
    let steps = clients * (cycles * visits + servers.sum::<f64>());
    let is_known = |s: &Station| {
        s.visits.fract() == 0.0 && s.service.is_finite() && s.variability().is_finite()
    };
    if !section.held.is_empty()
        || clients * cycles == 0.0
        || steps > MOST_STEPS
        || !section.stations.iter().all(is_known)
    {
        return None;
    }
    let services_vary = section.stations.iter().any(|s| deviation(s) > 0.0);
    if !services_vary && section.think_variance == 0.0 {
        return Some(line(section, section.cycles).max(least));
    }
    let section = &without_first_delays(section);
    let cycle = Cycle::of(section);
    // At one server, the burst is never less.
    let pools = if at_one_server(section).is_some() {
        0
    } else {
        section.stations.len()
    };
    let tails = (0..pools).map(|place| pool_tail(section, place));
    let parts = [least, burst(section, &cycle), steady(section, &cycle)];
    Some(parts.into_iter().chain(tails).fold(0.0, f64::max))
}

/// The station, if all clients visit it once in a cycle, it has one server, and there is no other one: `simplify` has the
/// formulas of such sections in symbols (`timing::single_server` of `pamela-forms`).
fn at_one_server(section: &ClosedSection) -> Option<&Station> {
    match section.stations.as_slice() {
        [station] if station.servers == 1 && station.visits == 1.0 => Some(station),
        _ => None,
    }
}

/// The section whose first stations are times of thinking, where they have a server for each client.
fn without_first_delays(section: &ClosedSection) -> ClosedSection {
    let is_delay = |s: &&Station| s.servers >= section.clients;
    let count = section.stations.iter().take_while(is_delay).count();
    let mut rest = section.clone();
    for station in rest.stations.drain(..count) {
        rest.think += station.demand();
        rest.think_variance += station.visits * deviation(&station).powi(2);
    }
    rest
}

/// Servers that clients can keep busy.
fn servers(station: &Station, section: &ClosedSection) -> f64 {
    station.servers.min(section.clients) as f64
}

fn deviation(station: &Station) -> f64 {
    station.service * station.variability().max(0.0).sqrt()
}

/// How far the k-th of the clients in order, from 1, is above the mean, in deviations of a normal law (Blom 1958).
fn place_of(k: u64, clients: u64) -> f64 {
    if clients > 1 {
        standard_normal((k as f64 - 0.375) / (clients as f64 + 0.25))
    } else {
        0.0
    }
}

/// When the k-th client first comes, on average.
fn arrival(k: u64, section: &ClosedSection) -> f64 {
    let apart = section.think_variance.sqrt();
    (section.think + apart * place_of(k, section.clients)).max(0.0)
}

/// The time with mean services, first come, first served, where clients first come as far apart as their times of thinking
/// vary.
fn line(section: &ClosedSection, cycles: u64) -> f64 {
    let order: Vec<usize> = (0..section.stations.len())
        .flat_map(|place| vec![place; section.stations[place].visits as usize])
        .collect();
    // Times are not negative, so their bits are in the same order.
    let idle = |station: &Station| {
        let servers = servers(station, section) as usize;
        BinaryHeap::from(vec![Reverse(0.0f64.to_bits()); servers])
    };
    let mut stations: Vec<BinaryHeap<Reverse<u64>>> = section.stations.iter().map(idle).collect();
    // When a client is ready, whose turn it is among those that are ready at one time, its cycle and its place there.
    let first = |turn| Reverse((arrival(turn + 1, section).to_bits(), turn, 0, 0));
    let mut ready: BinaryHeap<Reverse<(u64, u64, u64, usize)>> =
        (0..section.clients).map(first).collect();
    let (mut turn, mut last) = (section.clients, 0.0f64);
    while let Some(Reverse((at, _, cycle, place))) = ready.pop() {
        let at = f64::from_bits(at);
        turn += 1;
        if let Some(&station) = order.get(place) {
            let free = stations[station].pop();
            let begin = free.map_or(at, |Reverse(free)| at.max(f64::from_bits(free)));
            let end = (begin + section.stations[station].service).to_bits();
            stations[station].push(Reverse(end));
            ready.push(Reverse((end, turn, cycle, place + 1)));
        } else if cycle + 1 < cycles {
            let again = (at + section.think).to_bits();
            ready.push(Reverse((again, turn, cycle + 1, 0)));
        } else {
            last = last.max(at);
        }
    }
    last
}

/// How much later the last client comes through the stations beside the busiest one, as services vary.
///
/// Through two stations of one server takes the largest sum of the services at the first one up to some client and at the
/// other one from there on: the maximum of a random walk. Behind the busiest station, the last clients are served by a pool
/// at one time, and the longest of what they still need counts.
fn spread(section: &ClosedSection) -> f64 {
    let pace = |s: &Station| s.service / s.servers as f64;
    let stations = &section.stations;
    let places = 0..stations.len();
    let Some(busiest) = places
        .rev()
        .max_by(|&a, &b| pace(&stations[a]).total_cmp(&pace(&stations[b])))
    else {
        return 0.0;
    };
    let slow = &stations[busiest];
    let others = stations
        .iter()
        .enumerate()
        .filter(|&(place, _)| place != busiest);
    let later = others.map(|(place, station)| {
        if station.servers == 1 {
            walk(section.clients - 1, station, slow)
        } else if place > busiest {
            drain(station, servers(station, section) as u64, pace(slow)) - station.service
        } else {
            0.0
        }
    });
    if section.clients > 1 {
        later.sum()
    } else {
        0.0
    }
}

/// The mean of the maximum of 0 and of a walk, by Spitzer's identity: the sum of `E(S(k)+)/k`. A step is a service of `one`
/// less the time between departures of `other`.
fn walk(steps: u64, one: &Station, other: &Station) -> f64 {
    let pool = other.servers as f64;
    let drift = one.service - other.service / pool;
    let variance = deviation(one).powi(2) + deviation(other).powi(2) / pool;
    if variance == 0.0 {
        return drift.max(0.0) * steps as f64;
    }
    let Ok(normal) = Named::new("normal", &[0.0, 1.0]) else {
        return f64::NAN;
    };
    let many = |k: u64| {
        let (mean, deviation) = (k as f64 * drift, (k as f64 * variance).sqrt());
        let far = mean / deviation;
        let density = (-far * far / 2.0).exp() / TAU.sqrt();
        mean * normal.cdf(far).below + deviation * density
    };
    let one = |k: u64| {
        let above = if k <= FEW {
            above(k as f64, one, other)
        } else {
            many(k)
        };
        above / k as f64
    };
    (1..=steps).map(one).sum()
}

/// How far `k` services of `one` take longer than the pool of `other` takes for `k`, on average, and 0 where they are
/// shorter, of sums with gamma laws.
fn above(k: f64, one: &Station, other: &Station) -> f64 {
    let pool = other.servers as f64;
    let own = Sum {
        mean: k * one.service,
        variance: k * deviation(one).powi(2),
    };
    let others = Sum {
        mean: k * other.service / pool,
        variance: k * deviation(other).powi(2) / pool,
    };
    // E(A - B)+ = E(A) - E(B) + E(B - A)+: the integral is short where the first sum is the smaller one.
    let more = own.mean - others.mean;
    if more > 0.0 {
        more + others.excess(&own)
    } else {
        own.excess(&others)
    }
}

/// A sum of services, with a gamma law.
struct Sum {
    mean: f64,
    variance: f64,
}

impl Sum {
    /// How far it is above another sum with a larger mean: the integral of the probability that a time lies between them.
    fn excess(&self, other: &Sum) -> f64 {
        let scale = (self.variance + other.variance).sqrt();
        let begin = (self.mean - 6.0 * scale).max(0.0);
        let step = scale / STEPS;
        let mut mean = 0.0;
        for k in 0..MOST_TIMES {
            let time = begin + (k as f64 + 0.5) * step;
            let share = self.above(time);
            mean += step * share * (1.0 - other.above(time));
            if share < LITTLE {
                break;
            }
        }
        mean
    }

    /// The probability that it is above `time`.
    fn above(&self, time: f64) -> f64 {
        if self.variance == 0.0 || self.mean == 0.0 {
            return f64::from(u8::from(time < self.mean));
        }
        let (shape, scale) = (
            self.mean * self.mean / self.variance,
            self.variance / self.mean,
        );
        incomplete_gamma(shape, time.max(0.0) / scale).1
    }
}

/// The probability that a service takes longer, of the gamma law with its mean and variance.
fn longer(station: &Station, time: f64) -> f64 {
    let service = Sum {
        mean: station.service,
        variance: deviation(station).powi(2),
    };
    service.above(time)
}

/// The probability that what is left of a service at a random time takes longer.
fn longer_rest(station: &Station, time: f64) -> f64 {
    let (mean, variability) = (station.service, station.variability().max(0.0));
    if variability == 0.0 {
        return (1.0 - time / mean).max(0.0);
    }
    let shape = 1.0 / variability;
    let (_, above) = incomplete_gamma(shape, time / (variability * mean));
    let (below, _) = incomplete_gamma(shape + 1.0, time / (variability * mean));
    (1.0 - below - time / mean * above).max(0.0)
}

/// The integral over time of the probability of a longer time.
fn mean_of(scale: f64, longer: impl Fn(f64) -> f64) -> f64 {
    let step = scale / STEPS;
    let mut mean = 0.0;
    for k in 0..MOST_TIMES {
        let share = longer((k as f64 + 0.5) * step);
        mean += share * step;
        if share < LITTLE {
            break;
        }
    }
    mean
}

/// The mean time until all are done that began at a pool, one each `gap` up to now.
fn drain(station: &Station, count: u64, gap: f64) -> f64 {
    if station.service == 0.0 {
        return 0.0;
    }
    mean_of(station.service, |time| {
        let mut none = 1.0;
        for k in 0..count {
            let share = longer(station, time + k as f64 * gap);
            if share < LITTLE {
                break;
            }
            none *= 1.0 - share;
        }
        1.0 - none
    })
}

/// The time if this station is never idle until its last services, which end at different times.
fn pool_tail(section: &ClosedSection, place: usize) -> f64 {
    let station = &section.stations[place];
    let servers = station.servers as f64;
    let visits = section.clients as f64 * section.cycles as f64 * station.visits;
    if section.clients as f64 <= servers || station.service == 0.0 {
        return 0.0;
    }
    let rest = mean_of(station.service, |time| {
        1.0 - (1.0 - longer_rest(station, time)).powf(servers)
    });
    let around: f64 = (section.stations.iter().enumerate())
        .filter(|&(other, _)| other != place)
        .map(|(_, other)| other.demand())
        .sum();
    arrival(1, section) + around + (visits - servers) * station.service / servers + rest
}

/// A cycle in equilibrium.
struct Cycle {
    time: f64,
    /// What a client waits in it.
    wait: f64,
    /// The largest utilisation.
    busiest: f64,
    /// Variance of the time at stations.
    variance: f64,
}

impl Cycle {
    fn of(section: &ClosedSection) -> Cycle {
        let mut responses = match at_one_server(section) {
            Some(station) => vec![response_at_one_server(section, station)],
            None => mean_values(section),
        };
        let pace = |place: usize| {
            let station = &section.stations[place];
            station.demand() / servers(station, section)
        };
        let slowest = (0..responses.len()).max_by(|&a, &b| pace(a).total_cmp(&pace(b)));
        let at_stations = |responses: &[f64]| -> f64 {
            let each = section.stations.iter().zip(responses);
            each.map(|(s, response)| s.visits * response).sum()
        };
        // No cycle is shorter than what the slowest station needs for all clients.
        if let Some(slowest) = slowest {
            let least = section.clients as f64 * pace(slowest);
            let missing = least - section.think - at_stations(&responses);
            let visits = section.stations[slowest].visits;
            if missing > 0.0 && visits > 0.0 {
                responses[slowest] += missing / visits;
            }
        }
        let time = section.think + at_stations(&responses);
        let work = slowest.map_or(0.0, |place| section.clients as f64 * pace(place));
        let busiest = if time > 0.0 { work / time } else { 0.0 };
        let each = || section.stations.iter().zip(&responses);
        let variance = |(s, response): (&Station, &f64)| {
            s.visits * (deviation(s).powi(2) + (response - s.service).powi(2))
        };
        Cycle {
            time,
            wait: each().map(|(s, r)| s.visits * (r - s.service)).sum(),
            busiest,
            variance: each().map(variance).sum(),
        }
    }
}

/// The first cycle, in which all clients come at one time, before further ones of stationary length.
fn burst(section: &ClosedSection, cycle: &Cycle) -> f64 {
    let first = match at_one_server(section) {
        Some(station) => {
            let last = section.think_variance.sqrt() * place_of(section.clients, section.clients);
            let served = section.clients as f64 * station.service;
            let begin = (section.think - last).max(0.0);
            (begin + served).max(section.think + last + station.service)
        }
        None => line(section, 1) + spread(section),
    };
    first + (section.cycles - 1) as f64 * cycle.time
}

/// The time of a visit to a single server. Where services are exponential, it is idle with the probability `erlangB(P, Z/S)`,
/// whatever the law of the time outside. The wait of other services is `(1 + v)/2` of that; for `v > 1` only the part beyond the
/// work of all clients is multiplied.
fn response_at_one_server(section: &ClosedSection, station: &Station) -> f64 {
    let (service, clients) = (station.service, section.clients as f64);
    if service == 0.0 {
        return 0.0;
    }
    let load = section.think / service;
    let none = (1..=section.clients).fold(1.0, |share, k| load * share / (k as f64 + load * share));
    let exponential = clients * service / (1.0 - none) - section.think;
    let variability = station.variability();
    let least = if variability <= 1.0 {
        service
    } else {
        service.max(clients * service - section.think)
    };
    exponential + (exponential - least) * (variability - 1.0) / 2.0
}

/// All cycles at their stationary length, and how much later the last client is.
///
/// Waiting together keeps clients together. Where they think, their times spread as far as this spread is large beside what
/// they wait: who is late by less finds fewer clients before it.
fn steady(section: &ClosedSection, cycle: &Cycle) -> f64 {
    let cycles = section.cycles as f64;
    let last = place_of(section.clients, section.clients);
    let (busy, idle) = (cycle.busiest, (1.0 - cycle.busiest).max(0.0));
    let think = cycles * section.think_variance;
    let late = last * last * think;
    let share = if late > 0.0 {
        late / (late + cycle.wait * cycle.wait)
    } else {
        0.0
    };
    let variance = cycles * cycle.variance * idle + think * (idle + busy * share * share / 2.0);
    cycles * cycle.time + last * variance.sqrt()
}

/// The mean time of each visit by mean value analysis.
///
/// Who comes to a single server finds a rest of `(1 + v)/2` services there. At several servers, waits are those of
/// exponential services times `(1 + v)/2`; the probabilities of few clients there are carried along.
fn mean_values(section: &ClosedSection) -> Vec<f64> {
    let stations = &section.stations;
    let mut responses: Vec<f64> = stations.iter().map(|s| s.service).collect();
    let mut queues = vec![0.0; stations.len()];
    let mut busy = vec![0.0f64; stations.len()];
    let few = |s: &Station| {
        let mut few = vec![0.0; servers(s, section) as usize];
        few[0] = 1.0;
        few
    };
    let mut few: Vec<Vec<f64>> = stations.iter().map(few).collect();
    for clients in 1..=section.clients {
        for (k, station) in stations.iter().enumerate() {
            let (service, half) = (station.service, (1.0 + station.variability()) / 2.0);
            let servers = few[k].len();
            responses[k] = if servers == 1 {
                service * (1.0 + queues[k] - busy[k] + busy[k] * half)
            } else {
                let free = few[k][..servers - 1].iter().enumerate();
                let free: f64 = free
                    .map(|(j, share)| (servers - 1 - j) as f64 * share)
                    .sum();
                let response = service / servers as f64 * (1.0 + queues[k] + free);
                service + (response - service).max(0.0) * half
            };
        }
        let paired = || stations.iter().zip(&responses);
        let cycle = section.think + paired().map(|(s, r)| s.visits * r).sum::<f64>();
        let slowest = stations.iter().map(|s| s.demand() / servers(s, section));
        let cycle = cycle.max(clients as f64 * slowest.fold(0.0, f64::max));
        let throughput = if cycle > 0.0 {
            clients as f64 / cycle
        } else {
            0.0
        };
        for (k, station) in stations.iter().enumerate() {
            let work = throughput * station.demand();
            let count = few[k].len();
            queues[k] = throughput * station.visits * responses[k];
            busy[k] = (work / count as f64).min(1.0);
            let mut next = vec![0.0; count];
            for j in 1..count {
                next[j] = work / j as f64 * few[k][j - 1];
            }
            let used: f64 = (1..count).map(|j| (count - j) as f64 * next[j]).sum();
            next[0] = (1.0 - (work + used) / count as f64).max(0.0);
            few[k] = next;
        }
    }
    responses
}
