//! The mean time of a closed section with random services: the largest of five approximations, each of which is near where
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

/// Estimates the mean time until the last client has finished its last cycle, where `formula` is the mean of the time that
/// the papers estimate, `T`. Resources that are held are not covered: `None`, as for sections that are too large.
pub fn section_time(section: &ClosedSection, formula: f64) -> Option<f64> {
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
    let line = line(section);
    let services_vary = section.stations.iter().any(|s| deviation(s) > 0.0);
    if !services_vary && section.think_variance == 0.0 {
        return Some(line.max(formula));
    }
    let tails = (0..section.stations.len()).map(|place| pool_tail(section, place));
    let parts = [formula, line + spread(section), steady(section)];
    Some(parts.into_iter().chain(tails).fold(0.0, f64::max))
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
fn line(section: &ClosedSection) -> f64 {
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
        } else if cycle + 1 < section.cycles {
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
            let drift = pace(station) - pace(slow);
            let variance =
                deviation(station).powi(2) + deviation(slow).powi(2) / slow.servers as f64;
            walk(section.clients - 1, drift, variance)
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

/// The mean of the maximum of a walk of normal steps and of 0, by Spitzer's identity: the sum of `E(S(k)+)/k`.
fn walk(steps: u64, drift: f64, variance: f64) -> f64 {
    if variance == 0.0 {
        return drift.max(0.0) * steps as f64;
    }
    let Ok(normal) = Named::new("normal", &[0.0, 1.0]) else {
        return f64::NAN;
    };
    let one = |k: u64| {
        let (k, deviation) = (k as f64, (k as f64 * variance).sqrt());
        let far = k * drift / deviation;
        let density = (-far * far / 2.0).exp() / TAU.sqrt();
        (k * drift * normal.cdf(far).below + deviation * density) / k
    };
    (1..=steps).map(one).sum()
}

/// The probability that a service takes longer, of the gamma law with its mean and variance.
fn longer(station: &Station, time: f64) -> f64 {
    let variability = station.variability().max(0.0);
    if time <= 0.0 {
        1.0
    } else if variability == 0.0 {
        f64::from(u8::from(time < station.service))
    } else {
        incomplete_gamma(1.0 / variability, time / (variability * station.service)).1
    }
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

/// All cycles at their stationary length, and how much later the last client is.
fn steady(section: &ClosedSection) -> f64 {
    let (responses, busiest) = mean_values(section);
    let cycles = section.cycles as f64;
    let all: f64 = (section.stations.iter().zip(&responses))
        .map(|(station, response)| station.visits * response)
        .sum();
    let last = place_of(section.clients, section.clients);
    let variance: f64 = (section.stations.iter().zip(&responses))
        .map(|(station, response)| {
            station.visits * (deviation(station).powi(2) + (response - station.service).powi(2))
        })
        .sum();
    // Waiting together keeps clients together, wholly where they wait, by half where they think.
    let apart =
        variance * (1.0 - busiest).max(0.0) + section.think_variance * (1.0 - busiest / 2.0);
    cycles * (section.think + all) + last * (cycles * apart).sqrt()
}

/// The mean time of each visit by mean value analysis, and the largest utilisation.
///
/// Who comes to a single server finds a rest of `(1 + v)/2` services there. At several servers, waits are those of
/// exponential services times `(1 + v)/2`; the probabilities of few clients there are carried along.
fn mean_values(section: &ClosedSection) -> (Vec<f64>, f64) {
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
    let busiest = busy.iter().copied().fold(0.0, f64::max);
    (responses, busiest)
}
