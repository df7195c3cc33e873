//! Schedules of pipelines beside a simulation of their devices, and their bubbles.

use std::collections::HashMap;

use pamela_graph::Paths;
use pamela_graph::families::{Schedule, Step, orders, pipeline};

/// When all devices are done: each does its next step when what that needs has ended.
fn simulated(orders: &[Vec<Step>], stages: u32, times: [f64; 3]) -> f64 {
    let mut ends: HashMap<Step, f64> = HashMap::new();
    let mut next = vec![(0, 0.0_f64); orders.len()];
    let needed = |step: Step| match (step.kind, step.stage) {
        (0, 0) => None,
        (0, stage) => Some(Step {
            stage: stage - 1,
            ..step
        }),
        (1, stage) if stage + 1 == stages => Some(Step { kind: 0, ..step }),
        (1, stage) => Some(Step {
            stage: stage + 1,
            ..step
        }),
        _ => Some(Step { kind: 1, ..step }),
    };
    loop {
        let mut moves = false;
        for (order, (place, free)) in orders.iter().zip(&mut next) {
            while let Some(&step) = order.get(*place) {
                let ready = match needed(step) {
                    None => 0.0,
                    Some(before) => match ends.get(&before) {
                        Some(&end) => end,
                        None => break,
                    },
                };
                *free = free.max(ready) + times[step.kind];
                ends.insert(step, *free);
                *place += 1;
                moves = true;
            }
        }
        if !moves {
            break;
        }
    }
    assert!(
        orders
            .iter()
            .zip(&next)
            .all(|(order, (place, _))| *place == order.len()),
        "no device waits for ever"
    );
    next.iter().map(|(_, free)| *free).fold(0.0, f64::max)
}

/// The time of a pipeline by its graph, which is that of the simulation.
fn time(schedule: Schedule, devices: u32, microbatches: u32, times: [f64; 3]) -> f64 {
    let chunks = if let Schedule::Interleaved { chunks } = schedule {
        chunks
    } else {
        1
    };
    let family = pipeline(schedule, devices, microbatches).unwrap();
    let length = Paths::new(&family.graph, &family.of_kinds(&times)).length();
    let simulated = simulated(
        &orders(schedule, devices, microbatches).unwrap(),
        devices * chunks,
        times,
    );
    assert_eq!(length, simulated, "{schedule:?} {devices} {microbatches}");
    length
}

const COUNTS: [u32; 8] = [1, 2, 3, 5, 8, 16, 33, 64];

#[test]
fn bubbles_of_plain_schedules_are_those_of_a_fill_and_a_drain() {
    for devices in 1..=16 {
        for microbatches in COUNTS {
            for [f, b] in [[1.0, 1.0], [1.0, 2.0], [3.0, 1.0]] {
                let work = f64::from(microbatches) * (f + b);
                let bubble = f64::from(devices - 1) * (f + b);
                for schedule in [Schedule::GPipe, Schedule::OneForwardOneBackward] {
                    assert_eq!(
                        time(schedule, devices, microbatches, [f, b, 0.0]),
                        work + bubble,
                        "{schedule:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn bubbles_of_interleaved_schedules_are_those_of_shorter_steps() {
    for devices in 1..=16 {
        for chunks in 1..=4 {
            for microbatches in (devices..=64).step_by(devices as usize) {
                for [f, b] in [[1.0, 1.0], [1.0, 2.0]] {
                    let work = f64::from(microbatches * chunks) * (f + b);
                    let bubble = f64::from(devices - 1) * (f + b);
                    let found = time(
                        Schedule::Interleaved { chunks },
                        devices,
                        microbatches,
                        [f, b, 0.0],
                    );
                    assert_eq!(
                        found,
                        work + bubble,
                        "p {devices} v {chunks} m {microbatches} f {f} b {b}"
                    );
                }
            }
        }
    }
}

/// The form of `corpus/graphs/pipeline_zero_bubble.pam`, whatever is larger.
#[test]
fn gradients_of_weights_fill_the_bubble() {
    let times = [
        [1.0, 1.0, 1.0],
        [2.0, 2.0, 1.0],
        [1.0, 1.0, 0.5],
        [1.0, 2.0, 3.0],
        [3.0, 1.0, 2.0],
        [2.0, 1.0, 4.0],
    ];
    for devices in 1..=16 {
        for microbatches in 1..=64 {
            for [f, b, w] in times {
                let m = f64::from(microbatches);
                let work = f64::from(microbatches.max(devices)) * (f + b) + m * w;
                let others = f64::from(microbatches.min(devices) - 1);
                let bubble = others * f64::max(f, b).max(f + b - w);
                let found = time(Schedule::ZeroBubble, devices, microbatches, [f, b, w]);
                assert_eq!(
                    found,
                    work + bubble,
                    "p {devices} m {microbatches} f {f} b {b} w {w}"
                );
            }
        }
    }
}
