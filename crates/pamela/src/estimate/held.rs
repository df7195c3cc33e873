//! The mean time of a closed section whose clients hold a resource.

use super::section::section_time;
use crate::model::{ClosedSection, equilibrium};

/// Clients that hold one resource in each cycle: as many as it has servers pass through the inside, in a section of their own.
/// Where clients are mostly elsewhere, their cycles have the length of the equilibrium.
///
/// `None` for sections that hold a resource beside others.
pub fn held_time(section: &ClosedSection, least: f64) -> Option<f64> {
    let ([held], []) = (section.held.as_slice(), section.stations.as_slice()) else {
        return None;
    };
    let (clients, cycles) = (section.clients, section.cycles as f64);
    let mut inside = held.inside.clone();
    inside.clients = held.servers.min(clients);
    let mut before = section.think;
    if inside.clients == clients {
        inside.think += std::mem::take(&mut before);
        inside.think_variance += section.think_variance;
    }
    let passes = clients as f64 * cycles / inside.clients as f64;
    let mut time = |passes: f64| {
        inside.cycles = passes as u64;
        section_time(&inside, 0.0)
    };
    let few = time(passes.floor())?;
    let more = time(passes.ceil())?;
    let work = before + few + (more - few) * passes.fract();
    let steady = cycles * equilibrium(section, clients)?.cycle;
    Some(least.max(work).max(steady))
}
