//! Times of pipelines beside runs of their schedules: those of the corpus, and of steps in order on each device.

use std::collections::BTreeMap;

use pamela::Model;
use pamela::compiled::Compiled;
use pamela::simulate::{Options as Simulation, Replications, Watch, simulate};

use super::{Draws, assert_near, compiled, value};

const POINTS: usize = 200;

/// Stages, microbatches and the times of their passes: forward, backward, and backward for weights.
#[derive(Clone, Copy, Debug)]
struct Pipeline {
    p: u64,
    m: u64,
    f: u64,
    b: u64,
    w: u64,
}

impl Pipeline {
    /// True at boundaries of its schedules, and where times coincide.
    fn is_special(&self) -> bool {
        let Pipeline { p, m, f, b, w } = *self;
        let counts = p == 1 || m == 1 || m == p || m + 1 == 2 * p;
        counts || f * b * w == 0 || f == b || b == w || f == w || f + b == 2 * w
    }

    fn values(&self) -> [(&'static str, i64); 5] {
        let Pipeline { p, m, f, b, w } = *self;
        [("p", p), ("m", m), ("f", f), ("b", b), ("w", w)].map(|(name, x)| (name, x as i64))
    }
}

/// Points, a third of which are drawn to be special.
fn pipelines(seed: u64) -> Vec<Pipeline> {
    let mut draws = Draws(seed);
    let points = (0..POINTS).map(|k| {
        let [f, b, w] = [0; 3].map(|_| draws.below(7));
        let (p, m) = (1 + draws.below(5), 1 + draws.below(10));
        let own = Pipeline { p, m, f, b, w };
        match k % 15 {
            0 => Pipeline { m: p, ..own },
            1 => Pipeline {
                m: 2 * p - 1,
                ..own
            },
            2 => Pipeline { b: f, w: f, ..own },
            3 => Pipeline { w: 0, ..own },
            4 => Pipeline { b: f + w, ..own },
            5 => Pipeline { p: 1, ..own },
            6 => Pipeline {
                f: 2 * w,
                b: 0,
                ..own
            },
            _ => own,
        }
    });
    let points: Vec<Pipeline> = points.collect();
    let special = points.iter().filter(|own| own.is_special()).count();
    assert!(3 * special >= POINTS, "{special}");
    points
}

/// A call of std/pipelines.
fn call(name: &str, arguments: &[&str]) -> Compiled {
    let parameters = arguments
        .iter()
        .map(|own| format!("numeric parameter {own}\n"));
    let parameters: String = parameters.collect();
    let call = format!("s.{name}({})", arguments.join(", "));
    let text = format!("import \"std/pipelines\" as s\n{parameters}numeric x = {call}\n");
    compiled(&text, &["x"])
}

fn called(call: &Compiled, names: &[&str], pipeline: &Pipeline) -> Option<f64> {
    let values = pipeline.values();
    let given = values.iter().filter(|(name, _)| names.contains(name));
    value(call, "x", &given.copied().collect::<Vec<_>>())
}

/// The time of a run of a graph of the corpus.
fn simulated(name: &str, values: &[(&str, u64)]) -> f64 {
    let path = format!("{}/corpus/graphs/{name}.pam", env!("CARGO_MANIFEST_DIR"));
    let mut model = Model::from_file(&path).expect("a model of the corpus is right");
    for (name, value) in values {
        model.define(name, &value.to_string()).expect("a value");
    }
    let options = Simulation {
        replications: Replications::Exactly(1),
        ..Simulation::default()
    };
    let report = simulate(model.checked(), &options, &Watch::default()).expect("it runs");
    let time = report.processes[0].fraction.as_ref().expect("a number");
    time.parse().expect("a whole number")
}

#[test]
fn one_backward_pass_takes_what_its_schedules_do() {
    let names = ["p", "m", "f", "b"];
    for (schedule, function, seed) in [
        ("pipeline_gpipe", "gpipe", 1),
        ("pipeline_1f1b", "one_f_one_b", 2),
    ] {
        let time = call(function, &names);
        let idle = call(&format!("idle_{function}"), &["p", "f", "b"]);
        for own in pipelines(seed) {
            let Pipeline { p, m, f, b, .. } = own;
            let run = simulated(schedule, &[("p", p), ("m", m), ("f", f), ("b", b)]);
            assert_near(
                called(&time, &names, &own),
                run,
                &format!("{function} {own:?}"),
            );
            let busy = (m * (f + b)) as f64;
            let found = called(&idle, &["p", "f", "b"], &own);
            assert_near(found, run - busy, &format!("idle {function} {own:?}"));
        }
    }
}

#[test]
fn interleaved_chunks_take_what_their_schedule_does() {
    let names = ["p", "m", "v", "f", "b"];
    let calls = ["interleaved", "idle_interleaved"].map(|name| call(name, &names));
    for (k, own) in pipelines(3).into_iter().enumerate() {
        let Pipeline { p, f, b, .. } = own;
        let v = 1 + k as u64 % 3;
        let m = p * (1 + k as u64 / 3 % 3);
        // A device takes v times as long as a chunk.
        let given = [("p", p), ("m", m), ("v", v), ("f", v * f), ("b", v * b)];
        let given = given.map(|(name, x)| (name, x as i64));
        let [time, idle] = calls.each_ref().map(|call| value(call, "x", &given));
        let chunks = [("p", p), ("m", m), ("v", v), ("f", f), ("b", b)];
        let run = simulated("pipeline_interleaved", &chunks);
        assert_near(time, run, &format!("{given:?}"));
        let busy = (v * m * (f + b)) as f64;
        assert_near(idle, run - busy, &format!("idle {given:?}"));
    }
}

#[test]
fn the_first_zero_bubble_schedule_takes_what_its_graph_does() {
    let names = ["p", "m", "f", "b", "w"];
    let calls = ["zero_bubble_1", "idle_zero_bubble_1"].map(|name| call(name, &names));
    for own in pipelines(4) {
        let Pipeline { p, m, f, b, w } = own;
        let values = [("p", p), ("m", m), ("f", f), ("b", b), ("w", w)];
        let run = simulated("pipeline_zero_bubble", &values);
        let [time, idle] = calls.each_ref().map(|call| called(call, &names, &own));
        assert_near(time, run, &format!("{own:?}"));
        assert_near(
            idle,
            run - (m * (f + b + w)) as f64,
            &format!("idle {own:?}"),
        );
    }
}

/// A pass of a microbatch on a device: forward or backward, of the microbatches from the first or from the last device.
type Pass = (bool, usize, usize, usize);

/// What a device does without a pause: the passes that it ends, and how long it takes.
struct Step {
    time: u64,
    passes: Vec<Pass>,
}

/// The begin, the end and the busy time of each device, each making its steps in order, as soon as what they need is there.
fn run(devices: &[Vec<Step>]) -> Vec<[u64; 3]> {
    let p = devices.len();
    let mut ends: BTreeMap<Pass, u64> = BTreeMap::new();
    let mut next = vec![0; p];
    let mut spans = vec![[u64::MAX, 0, 0]; p];
    // The pass before one, nothing for the first.
    let before = |(forward, from, microbatch, device): Pass| -> Option<Pass> {
        let is_last = |towards_last: bool| {
            if towards_last {
                device + 1 == p
            } else {
                device == 0
            }
        };
        let towards_last = (from == 0) == forward;
        let neighbour = |towards_last: bool| {
            if towards_last {
                device + 1
            } else {
                device.wrapping_sub(1)
            }
        };
        match (forward, is_last(!towards_last)) {
            (true, true) => None,
            (false, true) => Some((true, from, microbatch, device)),
            _ => Some((forward, from, microbatch, neighbour(!towards_last))),
        }
    };
    loop {
        let start = next.clone();
        for device in 0..p {
            while let Some(step) = devices[device].get(next[device]) {
                let needs = step.passes.iter().filter_map(|pass| before(*pass));
                let ready: Option<Vec<u64>> = needs.map(|pass| ends.get(&pass).copied()).collect();
                let Some(ready) = ready else { break };
                let [first, end, busy] = &mut spans[device];
                let begin = ready.into_iter().fold(*end, u64::max);
                *first = begin.min(*first);
                *end = begin + step.time;
                *busy += step.time;
                ends.extend(step.passes.iter().map(|pass| (*pass, *end)));
                next[device] += 1;
            }
        }
        if next == start {
            let done = (0..p).all(|device| next[device] == devices[device].len());
            assert!(done, "the schedule has a deadlock");
            return spans;
        }
    }
}

/// Device `s` of ZB-H2, by figure 3 of Qi et al.: 2 (p - s) - 1 steps ahead, and 2 s behind with weights.
fn second_zero_bubble(own: &Pipeline, s: usize) -> Vec<Step> {
    let (p, m) = (own.p as usize, own.m as usize);
    let ahead = (2 * (p - s) - 1).min(m);
    let pass = |forward, k| Step {
        time: if forward { own.f } else { own.b },
        passes: vec![(forward, 0, k, s)],
    };
    let weights = || Step {
        time: own.w,
        passes: Vec::new(),
    };
    let mut steps: Vec<Step> = (0..ahead).map(|k| pass(true, k)).collect();
    for k in 0..m {
        steps.push(pass(false, k));
        steps.extend((k >= 2 * s).then(weights));
        steps.extend((ahead + k < m).then(|| pass(true, ahead + k)));
    }
    steps.extend((m.saturating_sub(2 * s)..m).map(|_| weights()));
    steps
}

#[test]
fn the_second_zero_bubble_schedule_takes_what_its_steps_do() {
    let names = ["p", "m", "f", "b", "w"];
    let calls = ["zero_bubble_2", "idle_zero_bubble_2"].map(|name| call(name, &names));
    let mut with_value = 0;
    for own in pipelines(5).into_iter().chain(pipelines(6)) {
        let [time, idle] = calls.each_ref().map(|call| called(call, &names, &own));
        if own.m + 1 < 2 * own.p {
            assert_eq!((time, idle), (None, None), "{own:?}");
            continue;
        }
        with_value += 1;
        let devices = (0..own.p as usize).map(|s| second_zero_bubble(&own, s));
        let spans = run(&devices.collect::<Vec<_>>());
        let lengths = spans.iter().map(|[begin, end, _]| end - begin);
        let idles = spans.iter().map(|[begin, end, busy]| end - begin - busy);
        let [longest, idlest] = [lengths.max(), idles.max()].map(|x| x.unwrap_or(0) as f64);
        assert_near(time, longest, &format!("{own:?}"));
        assert_near(idle, idlest, &format!("idle {own:?}"));
    }
    assert!(with_value >= POINTS, "{with_value}");
}

/// The steps of a device of DualPipe, as deepseek-ai/DualPipe makes them. Microbatches `0` come from the end of the pipeline
/// that is nearer to the device, `1` from the other one.
struct Dual<'a> {
    own: &'a Pipeline,
    f_and_b: u64,
    device: usize,
    /// Microbatches that have gone forward and backward, from either end.
    made: [[usize; 2]; 2],
    steps: Vec<Step>,
}

impl Dual<'_> {
    fn pass(&mut self, forward: bool, near: usize) -> Pass {
        let is_far_half = self.device >= self.own.p as usize / 2;
        let from = if is_far_half { 1 - near } else { near };
        let count = &mut self.made[usize::from(forward)][from];
        *count += 1;
        (forward, from, *count - 1, self.device)
    }

    fn step(&mut self, time: u64, passes: &[(bool, usize)]) {
        let passes = passes
            .iter()
            .map(|(forward, near)| self.pass(*forward, *near));
        let passes = passes.collect();
        self.steps.push(Step { time, passes });
    }

    fn forward(&mut self, near: usize) {
        self.step(self.own.f, &[(true, near)]);
    }

    /// Backward, with the part for weights or without it.
    fn backward(&mut self, near: usize, with_weights: bool) {
        let time = if with_weights {
            self.own.b
        } else {
            self.own.b - self.own.w
        };
        self.step(time, &[(false, near)]);
    }

    fn weights(&mut self) {
        self.step(self.own.w, &[]);
    }

    fn both(&mut self, forward: usize, backward: usize) {
        self.step(self.f_and_b, &[(true, forward), (false, backward)]);
    }

    fn all(mut self) -> Vec<Step> {
        let (p, m) = (self.own.p as usize, self.own.m as usize);
        let half = p / 2;
        let place = self.device.min(p - 1 - self.device);
        let after = half - 1 - place;
        (0..2 * after).for_each(|_| self.forward(0));
        for _ in 0..=place {
            self.forward(0);
            self.forward(1);
        }
        for _ in 0..after {
            self.backward(1, false);
            self.weights();
            self.forward(1);
        }
        for k in 0..m / 2 + place + 1 - p {
            if k == 0 && after == 0 {
                self.forward(0);
                self.backward(1, true);
            } else {
                self.both(0, 1);
            }
            self.both(1, 0);
        }
        for _ in 0..after {
            self.backward(1, true);
            self.both(1, 0);
        }
        // In the second half of these, weights are left for later.
        let turn = place.div_ceil(2);
        for k in 0..=place {
            let odd = place % 2 == 1;
            self.backward(1, k < turn || (!odd && k == turn));
            self.backward(0, k < turn);
        }
        for _ in 0..after {
            self.weights();
            self.backward(0, false);
        }
        (0..=place).for_each(|_| self.weights());
        self.steps
    }
}

#[test]
fn dual_pipes_take_what_their_steps_do() {
    let names = ["p", "m", "f", "b", "w", "f_and_b"];
    let calls = ["dual_pipe", "idle_dual_pipe"].map(|name| call(name, &names));
    let mut draws = Draws(7);
    let mut of_report = 0;
    for own in pipelines(8) {
        // Even numbers, enough microbatches, and a backward pass that has its part for weights.
        let p = 2 * own.p;
        let m = 2 * p + 2 * (own.m % 4);
        let own = Pipeline {
            p,
            m,
            b: own.b + own.w,
            ..own
        };
        let Pipeline { f, b, w, .. } = own;
        let least = f.max(b);
        let f_and_b = match draws.below(3) {
            0 => least,
            1 => f + b,
            _ => least + draws.below(f + b - least + 1),
        };
        let devices = (0..p as usize).map(|device| {
            let dual = Dual {
                own: &own,
                f_and_b,
                device,
                made: [[0; 2]; 2],
                steps: Vec::new(),
            };
            dual.all()
        });
        let spans = run(&devices.collect::<Vec<_>>());
        let end = spans.iter().map(|span| span[1]).max().unwrap_or(0);
        let least_busy = spans.iter().map(|span| span[2]).min().unwrap_or(0);
        let given: Vec<(&str, i64)> = own
            .values()
            .into_iter()
            .chain([("f_and_b", f_and_b as i64)])
            .collect();
        let [time, idle] = calls.each_ref().map(|call| value(call, "x", &given));
        assert_near(time, end as f64, &format!("{own:?} {f_and_b}"));
        let longest = (end - least_busy) as f64;
        assert_near(idle, longest, &format!("idle {own:?} {f_and_b}"));
        if f == b - w && b >= 2 * w {
            // Table 2 of the report.
            let told = (p / 2 - 1) as f64 * (f_and_b as f64 + b as f64 - 3.0 * w as f64);
            assert_near(idle, told, &format!("report {own:?} {f_and_b}"));
            of_report += 1;
        }
    }
    assert!(of_report > 10, "{of_report}");
    // Outside of its domain: odd numbers, too few microbatches, overlapped passes that are too short.
    let outside = [
        [3, 6, 1, 2, 1, 3],
        [4, 9, 1, 2, 1, 3],
        [4, 6, 1, 2, 1, 3],
        [4, 8, 1, 2, 1, 1],
        [4, 8, 5, 2, 3, 7],
    ];
    for point in outside {
        let given: Vec<(&str, i64)> = names.into_iter().zip(point).collect();
        let found = calls.each_ref().map(|call| value(call, "x", &given));
        assert_eq!(found, [None, None], "{given:?}");
    }
}
