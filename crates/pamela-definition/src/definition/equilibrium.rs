//! Closed queueing networks: mean value analysis, and the equilibrium with multi-server stations.

use super::closed_section::{ClosedSection, Station};

/// Results for a network with a given number of clients.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Mean time of a cycle.
    pub cycle: f64,
    /// Mean time that a cycle spends at each station, including waiting.
    pub response: Vec<f64>,
    /// Results for each resource that is held.
    pub held: Vec<Holders>,
}

/// A held resource in equilibrium.
#[derive(Clone, Copy, Debug)]
pub struct Holders {
    /// Mean time that a cycle spends there, including waiting.
    pub response: f64,
    /// Mean number of clients that hold it.
    pub number: f64,
}

/// Limit of the number of steps, which grows with clients and stations.
pub const MOST_STEPS: f64 = 2e8;

/// Solves the network with `clients` clients in equilibrium.
///
/// If any station has several servers, all service times are taken as exponential. Returns `None`
/// if the solution takes too many steps.
pub fn equilibrium(section: &ClosedSection, clients: u64) -> Option<Equilibrium> {
    if steps(section, clients) > MOST_STEPS {
        return None;
    }
    match (section.held.is_empty(), is_single(section)) {
        (false, _) => with_held(section, clients as usize),
        (true, true) => Some(mean_value_analysis(section, clients)),
        (true, false) => Some(product_form(section, clients as usize)),
    }
}

fn is_single(section: &ClosedSection) -> bool {
    section.stations.iter().all(|station| station.servers == 1)
}

fn steps(section: &ClosedSection, clients: u64) -> f64 {
    let stations = (section.stations.len() + section.held.len()).max(1) as f64;
    let own = match (is_single(section), section.stations.len()) {
        _ if !section.held.is_empty() => (stations * clients as f64).powi(2),
        (true, _) => clients as f64 * stations,
        // All of their weights are kept.
        (false, 1) => 20.0 * clients as f64,
        (false, _) => (stations * clients as f64).powi(2),
    };
    section.held.iter().fold(own, |sum, held| {
        let most = held.servers.min(clients);
        sum + most as f64 * steps(&held.inside, most)
    })
}

/// A held resource becomes a station that serves at the throughput of the section inside for as many clients as hold
/// it. This flow-equivalent server of Chandy, Herzog and Woo is exact if the section inside has a product form and
/// only this resource is held.
fn with_held(section: &ClosedSection, clients: usize) -> Option<Equilibrium> {
    let stations = section.stations.iter();
    let mut factors: Vec<Vec<f64>> = stations
        .map(|s| weights(s.demand(), s.servers, clients))
        .collect();
    for held in &section.held {
        let most = held.servers.min(clients as u64);
        let cycles = (1..=most).map(|k| Some(equilibrium(&held.inside, k)?.cycle));
        let cycles: Vec<f64> = cycles.collect::<Option<_>>()?;
        let mut weight = 0.0;
        let own = (0..=clients).map(|n| {
            if let Some(k) = n.min(cycles.len()).checked_sub(1) {
                weight += (cycles[k] / (k + 1) as f64).ln();
            }
            weight
        });
        factors.push(own.collect());
    }
    let without = |left_out: Option<usize>| {
        let thinking: Vec<f64> = (0..=clients)
            .map(|n| power(section.think, n) - ln_factorial(n))
            .collect();
        let others = factors.iter().enumerate();
        let others = others.filter(|(k, _)| Some(*k) != left_out);
        others.fold(thinking, |sums, (_, own)| {
            (0..=clients).map(|n| sums_of(&sums, own, n)).collect()
        })
    };
    let sums = without(None);
    let throughput = match clients {
        0 => 0.0,
        _ => (sums[clients - 1] - sums[clients]).exp(),
    };
    let places = (0..factors.len()).map(|k| {
        let others = without(Some(k));
        let share = |n: usize| (factors[k][n] + others[clients - n] - sums[clients]).exp();
        (0..=clients).map(share).collect()
    });
    let places: Vec<Vec<f64>> = places.collect();
    let mean = |shares: &[f64], most: usize| -> f64 {
        let numbers = shares.iter().enumerate();
        numbers.map(|(n, share)| n.min(most) as f64 * share).sum()
    };
    let (own, held) = places.split_at(section.stations.len());
    let held = held
        .iter()
        .zip(&section.held)
        .map(|(shares, held)| Holders {
            response: mean(shares, clients) / throughput,
            number: mean(shares, usize::try_from(held.servers).unwrap_or(usize::MAX)),
        });
    Some(Equilibrium {
        cycle: clients as f64 / throughput,
        response: own
            .iter()
            .map(|shares| mean(shares, clients) / throughput)
            .collect(),
        held: held.collect(),
    })
}

/// From one client to the next: who arrives sees the others' mean queues (thesis 6.11 with its errata). One that is
/// served has a residual time of `(1 + c^2)/2` services, which is exact for exponential ones.
fn mean_value_analysis(section: &ClosedSection, clients: u64) -> Equilibrium {
    let demands: Vec<f64> = section.stations.iter().map(|s| s.demand()).collect();
    let excess: Vec<f64> = section
        .stations
        .iter()
        .map(|s| (1.0 - s.variability()) / 2.0)
        .collect();
    let slowest = demands.iter().copied().fold(0.0, f64::max);
    let mut queues = vec![0.0; demands.len()];
    let mut busy = vec![0.0; demands.len()];
    let mut response = demands.clone();
    let mut cycle = section.think;
    for n in 1..=clients {
        for (k, demand) in demands.iter().enumerate() {
            response[k] = demand * (1.0 + queues[k] - busy[k] * excess[k]);
        }
        let population = n as f64;
        cycle = (section.think + response.iter().sum::<f64>()).max(population * slowest);
        let throughput = if cycle > 0.0 { population / cycle } else { 0.0 };
        for (k, demand) in demands.iter().enumerate() {
            queues[k] = throughput * response[k];
            busy[k] = throughput * demand;
        }
    }
    Equilibrium {
        cycle,
        response,
        held: Vec::new(),
    }
}

/// By the sums of products of all distributions of clients over stations, in logarithms.
fn product_form(section: &ClosedSection, clients: usize) -> Equilibrium {
    // All clients think, station by station more of them may be there.
    let mut sums: Vec<f64> = (0..=clients)
        .map(|n| power(section.think, n) - ln_factorial(n))
        .collect();
    let factors: Vec<Vec<f64>> = section
        .stations
        .iter()
        .map(|s| weights(s.demand(), s.servers, clients))
        .collect();
    if let [only] = factors.as_slice() {
        let last = sums_of(&sums, only, clients);
        let before = clients
            .checked_sub(1)
            .map_or(f64::NEG_INFINITY, |n| sums_of(&sums, only, n));
        let cycle = clients as f64 * (last - before).exp();
        return Equilibrium {
            cycle,
            response: vec![cycle - section.think],
            held: Vec::new(),
        };
    }
    for own in &factors {
        sums = (0..=clients).map(|n| sums_of(&sums, own, n)).collect();
    }
    let throughput = match clients {
        0 => 0.0,
        _ => (sums[clients - 1] - sums[clients]).exp(),
    };
    let cycle = clients as f64 / throughput;
    let response = (0..factors.len()).map(|k| {
        // The mean number of clients at the station, by the weights of the other stations.
        let mut others: Vec<f64> = (0..=clients)
            .map(|n| power(section.think, n) - ln_factorial(n))
            .collect();
        for own in factors
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != k)
            .map(|(_, own)| own)
        {
            others = (0..=clients).map(|n| sums_of(&others, own, n)).collect();
        }
        let mean = (1..=clients)
            .map(|n| n as f64 * (factors[k][n] + others[clients - n] - sums[clients]).exp());
        mean.sum::<f64>() / throughput
    });
    Equilibrium {
        cycle,
        response: response.collect(),
        held: Vec::new(),
    }
}

/// Weights of 0 to `clients` clients at a station: `demand^n / (min(1, m) min(2, m) .. min(n, m))`.
fn weights(demand: f64, servers: u64, clients: usize) -> Vec<f64> {
    let mut divisor = 0.0;
    (0..=clients)
        .map(|n| {
            if n > 0 {
                divisor += (n as f64).min(servers as f64).ln();
            }
            power(demand, n) - divisor
        })
        .collect()
}

fn power(base: f64, exponent: usize) -> f64 {
    match exponent {
        0 => 0.0,
        n => n as f64 * base.ln(),
    }
}

fn ln_factorial(n: usize) -> f64 {
    crate::special::ln_gamma(n as f64 + 1.0)
}

/// The logarithm of the sum of `exp(a(n - j) + b(j))`.
fn sums_of(a: &[f64], b: &[f64], n: usize) -> f64 {
    let terms = || (0..=n).map(|j| a[n - j] + b[j]);
    let greatest = terms().fold(f64::NEG_INFINITY, f64::max);
    if greatest == f64::NEG_INFINITY {
        greatest
    } else {
        greatest
            + terms()
                .map(|term| (term - greatest).exp())
                .sum::<f64>()
                .ln()
    }
}

/// Lower and upper bounds of the mean cycle time, from demands alone.
///
/// They hold for exponential services at single servers (balanced job bounds).
pub fn balanced_job_bounds(section: &ClosedSection, clients: u64) -> Option<[f64; 2]> {
    let exponential = |s: &Station| s.servers == 1 && (s.variability() - 1.0).abs() < 1e-9;
    if section.stations.is_empty()
        || !section.held.is_empty()
        || !section.stations.iter().all(exponential)
    {
        return None;
    }
    let demands = section.stations.iter().map(|s| s.demand());
    let (total, slowest) = (demands.clone().sum::<f64>(), demands.fold(0.0, f64::max));
    let (n, think) = (clients as f64, section.think);
    let mean = total / section.stations.len() as f64;
    let least = total + think + (n - 1.0) * mean / (1.0 + think / total);
    let most = total + think + (n - 1.0) * slowest / (1.0 + think / (n * total));
    (total > 0.0).then(|| [least.max(n * slowest), most])
}
