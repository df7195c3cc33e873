//! Schedules of pipelines, in which microbatches go forward through stages and back again.
//!
//! Each device does its steps in an order that the schedule fixes. The bubble is the time of the whole minus the work
//! of one device. The times of a forward, a backward and a weight step are f, b and w:
//!
//! | schedule | bubble |
//! |---|---|
//! | `GPipe`, `OneForwardOneBackward` | `(p - 1) (f + b)` |
//! | `Interleaved`, of v chunks on each device, m a multiple of p | `(p - 1) (f + b)`, of the shorter steps of a chunk |
//! | `ZeroBubble`, m at least p | `(p - 1) max(f, b, f + b - w)` |

use std::collections::HashMap;

use super::Family;
use crate::shape::{Fault, Graph};
use crate::tasks::MAX_TASKS;

/// The order of steps on each device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// All microbatches forward, then all backward (Huang et al. 2019).
    GPipe,
    /// A microbatch goes back as soon as it can (Narayanan et al. 2019).
    OneForwardOneBackward,
    /// Each device has this many chunks of stages (Narayanan et al. 2021). The number of microbatches should be a
    /// multiple of the number of devices; otherwise the last microbatches are left out.
    Interleaved {
        /// Number of chunks on each device.
        chunks: u32,
    },
    /// Weight steps fill idle time: ZB-H1 (Qi et al. 2023).
    ZeroBubble,
}

/// A step of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Kind of the step: 0 forward, 1 backward, 2 for weights.
    pub kind: usize,
    /// The stage, numbered over all chunks on all devices.
    pub stage: u32,
    /// Number of the microbatch in the pipeline.
    pub microbatch: u32,
}

const FORWARD: usize = 0;
const BACKWARD: usize = 1;
const WEIGHTS: usize = 2;

/// The steps of each device, in order.
///
/// # Errors
/// Fails if there are too many steps.
pub fn orders(
    schedule: Schedule,
    devices: u32,
    microbatches: u32,
) -> Result<Vec<Vec<Step>>, Fault> {
    let each = match schedule {
        Schedule::Interleaved { chunks } => 2 * u64::from(chunks),
        Schedule::ZeroBubble => 3,
        _ => 2,
    };
    let steps = (u64::from(devices) * u64::from(microbatches)).saturating_mul(each);
    let steps = steps.max(u64::from(devices));
    if steps > MAX_TASKS as u64 {
        return Err(Fault::Tasks(usize::try_from(steps).unwrap_or(usize::MAX)));
    }
    Ok(match schedule {
        Schedule::GPipe => (0..devices)
            .map(|s| alternating(microbatches, microbatches, |k| (s, k), |k| (s, k)))
            .collect(),
        Schedule::OneForwardOneBackward => {
            let order = |s: u32| {
                alternating(
                    microbatches,
                    (devices - s - 1).min(microbatches),
                    |k| (s, k),
                    |k| (s, k),
                )
            };
            (0..devices).map(order).collect()
        }
        Schedule::Interleaved { chunks } => {
            let group = devices * chunks;
            let microbatches = microbatches - microbatches % devices.max(1);
            let total = microbatches * chunks;
            let microbatch = |k: u32| k / group * devices + k % devices;
            let order = |s: u32| {
                let ahead = ((devices - s - 1) * 2 + chunks.saturating_sub(1) * devices).min(total);
                let forward = |k: u32| (k % group / devices * devices + s, microbatch(k));
                let backward = |k: u32| {
                    (
                        (chunks - 1 - k % group / devices) * devices + s,
                        microbatch(k),
                    )
                };
                alternating(
                    total,
                    if microbatches == devices {
                        total
                    } else {
                        ahead
                    },
                    forward,
                    backward,
                )
            };
            (0..devices).map(order).collect()
        }
        Schedule::ZeroBubble => (0..devices)
            .map(|s| zero_bubble(devices, microbatches, s))
            .collect(),
    })
}

/// First `ahead` forward steps, then one backward step after each forward step, until all are done.
fn alternating(
    count: u32,
    ahead: u32,
    forward: impl Fn(u32) -> (u32, u32),
    backward: impl Fn(u32) -> (u32, u32),
) -> Vec<Step> {
    let step = |kind: usize, (stage, microbatch): (u32, u32)| Step {
        kind,
        stage,
        microbatch,
    };
    let mut steps: Vec<Step> = (0..ahead).map(|k| step(FORWARD, forward(k))).collect();
    for k in 0..count {
        if ahead + k < count {
            steps.push(step(FORWARD, forward(ahead + k)));
        }
        steps.push(step(BACKWARD, backward(k)));
    }
    steps
}

/// Like one forward, one backward, with weight steps as late as memory for p microbatches allows: device s is s steps
/// behind.
fn zero_bubble(devices: u32, microbatches: u32, device: u32) -> Vec<Step> {
    let step = |kind: usize, microbatch: u32| Step {
        kind,
        stage: device,
        microbatch,
    };
    let ahead = (devices - device).min(microbatches);
    let mut steps: Vec<Step> = (0..ahead).map(|k| step(FORWARD, k)).collect();
    for k in 0..microbatches {
        steps.push(step(BACKWARD, k));
        steps.extend(k.checked_sub(device).map(|k| step(WEIGHTS, k)));
        if ahead + k < microbatches {
            steps.push(step(FORWARD, ahead + k));
        }
    }
    let left = microbatches.saturating_sub(device)..microbatches;
    steps.extend(left.map(|k| step(WEIGHTS, k)));
    steps
}

/// The graph of a schedule, with the kinds `forward`, `backward` and weights.
///
/// # Errors
/// Fails if there are too many tasks.
pub fn pipeline(schedule: Schedule, devices: u32, microbatches: u32) -> Result<Family, Fault> {
    let orders = orders(schedule, devices, microbatches)?;
    let steps: Vec<Step> = orders.iter().flatten().copied().collect();
    let last = steps.iter().map(|step| step.stage).max().unwrap_or(0);
    let numbers: HashMap<Step, u32> = steps.iter().copied().zip(0..).collect();
    let mut precedences = Vec::new();
    for (number, &step) in (0..).zip(&steps) {
        let before = match step.kind {
            FORWARD => step
                .stage
                .checked_sub(1)
                .map(|stage| Step { stage, ..step }),
            BACKWARD if step.stage == last => Some(Step {
                kind: FORWARD,
                ..step
            }),
            BACKWARD => Some(Step {
                stage: step.stage + 1,
                ..step
            }),
            _ => Some(Step {
                kind: BACKWARD,
                ..step
            }),
        };
        precedences.extend(
            before
                .and_then(|before| numbers.get(&before))
                .map(|&before| (before, number)),
        );
    }
    let mut first = 0;
    for order in &orders {
        let end = first + order.len() as u32;
        precedences.extend((first + 1..end).map(|task| (task - 1, task)));
        first = end;
    }
    let graph = Graph::new(steps.len(), &precedences)?;
    Ok(Family {
        graph,
        kinds: steps.iter().map(|step| step.kind).collect(),
    })
}
