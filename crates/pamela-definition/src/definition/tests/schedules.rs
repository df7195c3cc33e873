//! Equations of the libraries at unequal times, at boundaries and outside of their domains, beside schedules that are run
//! step by step and beside enumerations.

use super::standard::{near, of};
use super::*;

/// Numbers below a bound, the same in every run.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Forward,
    Backward,
    Weights,
}

/// The steps of device `s` of `p`, by figure 3 of Qi et al.: with `fold` 1 that of ZB-H1, with 2 that of ZB-H2.
fn zero_bubble(p: usize, m: usize, s: usize, fold: usize) -> Vec<(Kind, usize)> {
    let ahead = (fold * (p - s) - (fold - 1)).min(m);
    let delay = fold * s;
    let mut steps: Vec<(Kind, usize)> = (0..ahead).map(|k| (Kind::Forward, k)).collect();
    for k in 0..m {
        steps.push((Kind::Backward, k));
        steps.extend(k.checked_sub(delay).map(|k| (Kind::Weights, k)));
        if ahead + k < m {
            steps.push((Kind::Forward, ahead + k));
        }
    }
    steps.extend((m.saturating_sub(delay)..m).map(|k| (Kind::Weights, k)));
    steps
}

/// When each device begins and ends, where each makes its steps in order, as soon as what they need is there.
fn run(p: usize, m: usize, fold: usize, [f, b, w]: [u64; 3]) -> Vec<(u64, u64)> {
    let orders: Vec<Vec<(Kind, usize)>> = (0..p).map(|s| zero_bubble(p, m, s, fold)).collect();
    let mut ends = vec![vec![[None::<u64>; 3]; m]; p];
    let (mut next, mut spans) = (vec![0; p], vec![(u64::MAX, 0u64); p]);
    loop {
        let before = next.clone();
        for s in 0..p {
            while let Some(&(kind, k)) = orders[s].get(next[s]) {
                let ready = match kind {
                    Kind::Forward if s == 0 => Some(0),
                    Kind::Forward => ends[s - 1][k][0],
                    Kind::Backward if s + 1 == p => ends[s][k][0],
                    Kind::Backward => ends[s + 1][k][1],
                    Kind::Weights => ends[s][k][1],
                };
                let Some(ready) = ready else { break };
                let begin = spans[s].1.max(ready);
                spans[s].0 = spans[s].0.min(begin);
                let (place, time) = match kind {
                    Kind::Forward => (0, f),
                    Kind::Backward => (1, b),
                    Kind::Weights => (2, w),
                };
                spans[s].1 = begin + time;
                ends[s][k][place] = Some(begin + time);
                next[s] += 1;
            }
        }
        if next == before {
            let done = (0..p).all(|s| next[s] == orders[s].len());
            assert!(done, "the schedule has a deadlock");
            return spans;
        }
    }
}

#[test]
fn zero_bubble_pipelines_take_what_their_schedules_do() {
    let mut draws = Draws(52);
    for trial in 0..120 {
        let p = 1 + draws.below(5) as usize;
        let m = 1 + draws.below(12) as usize;
        let times = match trial {
            // Those of the report: 58 was printed where each device is busy for 64.
            0 => [1, 1, 2],
            _ => [0; 3].map(|_| draws.below(6)),
        };
        let (p, m) = if trial == 0 { (4, 16) } else { (p, m) };
        let [f, b, w] = times;
        let arguments = format!("{p}, {m}, {f}, {b}, {w}");
        let whole = run(p, m, 1, times).iter().map(|span| span.1).max();
        let call = format!("s.zero_bubble_1({arguments})");
        near(of("pipelines", &call), whole.unwrap_or(0) as f64, &call);
        let call = format!("s.zero_bubble_2({arguments})");
        if m + 1 < 2 * p {
            assert!(refused("pipelines", &call), "{call}");
            continue;
        }
        let longest = run(p, m, 2, times)
            .iter()
            .map(|(begin, end)| end - begin)
            .max();
        near(of("pipelines", &call), longest.unwrap_or(0) as f64, &call);
    }
    near(
        of("pipelines", "s.zero_bubble_2(4, 16, 1, 1, 2)"),
        64.0,
        "of the report",
    );
}

/// True if an expression has no value.
fn refused(library: &str, expression: &str) -> bool {
    let text = format!("import \"std/{library}\" as s numeric x = {expression}");
    x(&text, &[]).is_err()
}

#[test]
fn schedules_of_powers_of_two_have_no_value_elsewhere() {
    for p in 1..=20u32 {
        let collectives = [
            "allgather_doubling",
            "reduce_scatter_halving",
            "allreduce_doubling",
            "allreduce_halving",
            "alltoall_bruck",
        ];
        for name in collectives {
            let sums = !name.starts_with("all") || name.starts_with("allreduce");
            let g = if sums { ", g = 1" } else { "" };
            let call = format!("s.{name}({p}, 8, a = 1, b = 1{g})");
            assert_eq!(
                refused("collectives", &call),
                !p.is_power_of_two(),
                "{call}"
            );
        }
        let call = format!("s.bitonic_rounds({p})");
        assert_eq!(refused("kernels", &call), !p.is_power_of_two(), "{call}");
        let machine = "rate = 3 [MFLOP/s], alpha = 7 [us], bandwidth = 2 [MB/s]";
        let call = format!("s.fft_exchange(64, {p}, {machine})");
        assert_eq!(refused("kernels", &call), !p.is_power_of_two(), "{call}");
        for m in 1..=8u32 {
            let call = format!("s.interleaved({p}, {m}, 2, 1)");
            assert_eq!(refused("pipelines", &call), m % p != 0, "{call}");
            // Without chunks it is 1F1B, of any number of microbatches.
            let (one, plain) = (
                format!("s.interleaved({p}, {m}, 1, 1)"),
                format!("s.one_f_one_b({p}, {m}, 1)"),
            );
            near(of("pipelines", &one), of("pipelines", &plain), &one);
        }
    }
}

/// A binomial tree: a process that has the parts of `count` processes keeps its own, and sends the upper ones on first.
fn scatter(count: u64, start: f64, part: f64, a: f64, b: f64) -> f64 {
    let mut clock = start;
    let mut last = start;
    let mut left = count;
    while left > 1 {
        let lower = left.next_power_of_two() / 2;
        clock += a + (left - lower) as f64 * part * b;
        last = last.max(scatter(left - lower, clock, part, a, b));
        left = lower;
    }
    last.max(clock)
}

#[test]
fn long_broadcasts_take_what_their_messages_do() {
    let (a, b, g) = (3.0, 0.25, 0.125);
    for p in 1..=17u64 {
        let part = 48.0 / p as f64;
        let ring: f64 = (1..p).map(|_| a + part * b).sum();
        let long = scatter(p, 0.0, part, a, b) + ring;
        let call = |name: &str| of("collectives", &format!("s.{name}({p}, 48, a = 3, b = 1/4)"));
        near(call("broadcast_long"), long, "long broadcast");
        near(
            call("broadcast"),
            long.min(call("broadcast_tree")),
            "broadcast",
        );
        // Within each node, between the nodes, within each node; other times within.
        for q in 1..=5u64 {
            let inner: f64 = (1..p).map(|_| 0.5 + part * (2.0 + g)).sum();
            let piece = part / q as f64;
            let between: f64 = (1..q).map(|_| 2.0 * (a + piece * b) + piece * g).sum();
            let gathered: f64 = (1..p).map(|_| 0.5 + part * 2.0).sum();
            let call = format!("s.allreduce_nodes({q}, {p}, 48, 1/2, 2, a = 3, b = 1/4, g = 1/8)");
            near(of("collectives", &call), inner + between + gathered, &call);
        }
    }
}

#[test]
fn retries_of_no_attempt_take_nothing() {
    for n in 0..=5u32 {
        for (share, q) in [("0", 0.0), ("1/4", 0.25), ("1", 1.0)] {
            // Attempt k is made where the k - 1 before it have failed; a wait precedes each but the first.
            let mut made = 1.0;
            let (mut attempts, mut time) = (0.0, 0.0);
            for k in 1..=n {
                attempts += made;
                time += made * (10.0 + if k > 1 { 4.0 } else { 0.0 });
                made *= q;
            }
            near(
                of("services", &format!("s.attempts({n}, {share})")),
                attempts,
                "attempts",
            );
            let call = format!("s.retried({n}, {share}, 10, 4)");
            near(of("services", &call), time, &call);
        }
    }
}

#[test]
fn boundaries_are_those_of_enumerations() {
    // All states of n + s parts.
    for (share, a) in [("0", 0.0f64), ("1/3", 1.0 / 3.0), ("1", 1.0)] {
        for n in 0..=4u32 {
            for s in 0..=2u32 {
                let parts = n + s;
                let probability = |state: u32| -> f64 {
                    let up = |part: u32| if state >> part & 1 == 1 { a } else { 1.0 - a };
                    (0..parts).map(up).product()
                };
                let enough = (0..1u32 << parts).filter(|state| state.count_ones() >= n);
                let expected: f64 = enough.map(probability).sum();
                let call = format!("s.available({n}, {s}, {share})");
                near(of("reliability", &call), expected, &call);
            }
        }
    }
    // Daly's interval is the distance of failures from where checkpoints cost twice as much on.
    for (c, expected) in [("4", 2.0), ("5", 2.0)] {
        near(
            of("reliability", &format!("s.daly({c}, 2)")),
            expected,
            "Daly",
        );
    }
    // Activations in flight on the first device: no more than there are microbatches.
    for p in 1..=5u32 {
        for k in 1..=3u32 {
            for v in 1..=3u32 {
                let m = p * k;
                let warm = (2 * (p - 1) + (v - 1) * p).min(m * v);
                let most = (warm + 1).min(m * v);
                let call = format!("s.stored_interleaved({p}, {m}, {v})");
                near(
                    of("pipelines", &call),
                    f64::from(most) / f64::from(v),
                    &call,
                );
            }
        }
    }
}
