//! Processes of trials.

use super::counter::Counter;
use crate::study::random::Random;

/// A process of trials.
#[derive(Clone, Copy)]
pub enum Process {
    /// Independent trials with this probability.
    Bernoulli(f64),
    /// A Markov chain with these probabilities of a change from false to true, and from true to false.
    Markov(f64, f64),
    /// Uniform lengths of runs, from 1 to these numbers.
    Uniform(u64, u64),
    /// Runs of a fixed length each.
    Fixed(u64, u64),
    /// A true run and a false run of equal length, uniform from 1 to this number.
    Equal(u64),
    /// A two-bit counter that goes up with this probability and down otherwise; the trial is true in its upper half.
    Counter(f64),
    /// Probability `b / (j + c)` at the j-th trial of a loop with this many trials.
    Position(f64, f64, u64),
    /// Whether an element of a random vector is the least so far: scans of a straight selection sort of this many
    /// elements.
    SelectionSort(usize),
}

/// State of a process.
#[derive(Default)]
struct State {
    up: bool,
    left: u64,
    length: u64,
    level: u64,
}

impl Process {
    /// Runs the process for about `trials` trials.
    pub fn run(self, random: &mut Random, trials: u64, counter: &mut Counter) {
        if let Process::SelectionSort(size) = self {
            return sort(random, size, counter);
        }
        counter.position = 0;
        let mut state = State::default();
        for j in 0..trials {
            if let Process::Position(_, _, length) = self
                && j % length == 0
            {
                counter.position = 0;
            }
            let holds = self.next(&mut state, random, counter.position);
            counter.trial(holds);
        }
    }

    fn next(self, state: &mut State, random: &mut Random, position: u64) -> bool {
        match self {
            Process::Bernoulli(p) => random.share() < p,
            Process::Position(b, c, _) => random.share() < b / (position as f64 + 1.0 + c),
            Process::Markov(up, down) => {
                let turns = random.share() < if state.up { down } else { up };
                state.up ^= turns;
                state.up
            }
            Process::Counter(up) => {
                state.level = if random.share() < up {
                    (state.level + 1).min(3)
                } else {
                    state.level.saturating_sub(1)
                };
                state.level >= 2
            }
            _ => {
                if state.left == 0 {
                    state.up = !state.up;
                    state.length = self.length(state, random);
                    state.left = state.length;
                }
                state.left -= 1;
                state.up
            }
        }
    }

    fn length(self, state: &State, random: &mut Random) -> u64 {
        match self {
            Process::Uniform(ups, downs) => length(random, if state.up { ups } else { downs }),
            Process::Fixed(ups, downs) => {
                if state.up {
                    ups
                } else {
                    downs
                }
            }
            Process::Equal(most) if state.up => length(random, most),
            _ => state.length.max(1),
        }
    }

    /// Mean and variance of the lengths of runs in the thesis.
    pub fn printed(self) -> Option<[(f64, f64); 2]> {
        let uniform = |most: u64| ((1 + most) as f64 / 2.0, ((most - 1) as f64).powi(2) / 12.0);
        let geometric = |p: f64| (1.0 / p, (1.0 - p) / (p * p));
        match self {
            Process::Bernoulli(p) => Some([geometric(1.0 - p), geometric(p)]),
            Process::Markov(up, down) => Some([geometric(down), geometric(up)]),
            Process::Uniform(ups, downs) => Some([uniform(ups), uniform(downs)]),
            Process::Fixed(ups, downs) => Some([(ups as f64, 0.0), (downs as f64, 0.0)]),
            Process::Equal(most) => Some([uniform(most); 2]),
            _ => None,
        }
    }
}

fn sort(random: &mut Random, size: usize, counter: &mut Counter) {
    let mut x: Vec<f64> = (0..size).map(|_| random.share()).collect();
    for i in 0..size.saturating_sub(1) {
        let mut least = i;
        counter.position = 0;
        for j in i + 1..size {
            let holds = x[j] < x[least];
            counter.trial(holds);
            if holds {
                least = j;
            }
        }
        x.swap(i, least);
    }
}

/// From 1 to `most`.
fn length(random: &mut Random, most: u64) -> u64 {
    1 + random.below(most as usize) as u64
}
