//! Moments of the time of a graph, if all end times of tasks are treated as normal (Clark 1961).

use crate::error::Error;
use crate::shape::Graph;
use crate::times::Times;
use pamela_law::Probability;

/// Maximum number of tasks that have begun or ended while others still wait for them.
const MOST_OPEN: usize = 4_096;

/// Mean and variance of the time of a graph, by an approximation that is smooth in all parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// The mean.
    pub mean: f64,
    /// The variance.
    pub variance: f64,
}

impl Normal {
    /// The quantile at a probability above 0 and below 1.
    pub fn quantile(&self, p: f64) -> f64 {
        match pamela_law::Named::new("normal", &[self.mean, self.variance.sqrt()]) {
            Ok(law) if self.variance > 0.0 => {
                pamela_law::Distribution::quantile(&law, Probability::below(p))
            }
            _ => self.mean,
        }
    }
}

/// Computes Clark's moments of maxima, with the covariances of all tasks that others still wait for.
///
/// # Errors
/// Fails if a law has no variance, or if more than 4,096 tasks have ended while others still wait for them.
pub fn normal(graph: &Graph, times: &Times) -> Result<Normal, Error> {
    let infinite = (0..times.len() as u32).find(|&task| !times.variance(task).is_finite());
    if let Some(task) = infinite {
        let message = "the law of its time has no variance, which a normal law needs: use bounds or simulation";
        return Err(Error::at(format!("task {task}"), message));
    }
    let mut frontier = Frontier::new(graph.tasks());
    let mut waiting: Vec<u32> = (0..graph.tasks() as u32)
        .map(|task| graph.after(task).len() as u32)
        .collect();
    let mut end: Option<u32> = None;
    for &task in graph.order() {
        let start = frontier.largest(graph.before(task));
        let time = Normal {
            mean: times.mean(task),
            variance: times.variance(task),
        };
        for &before in graph.before(task) {
            waiting[before as usize] -= 1;
            if waiting[before as usize] == 0 {
                frontier.close(before);
            }
        }
        frontier.add(task, start, time)?;
        if graph.after(task).is_empty() {
            // Tasks without successors are merged into one, with the latest end.
            if let Some(other) = end {
                let both = frontier.largest(&[other, task]);
                frontier.close(other);
                frontier.close(task);
                frontier.add(
                    task,
                    both,
                    Normal {
                        mean: 0.0,
                        variance: 0.0,
                    },
                )?;
            }
            end = Some(task);
        }
    }
    Ok(end.map_or(
        Normal {
            mean: 0.0,
            variance: 0.0,
        },
        |task| frontier.moments(task),
    ))
}

/// When tasks end that others still wait for: a multivariate normal law.
struct Frontier {
    /// The slot of each task.
    slots: Vec<usize>,
    free: Vec<usize>,
    means: Vec<f64>,
    covariances: Vec<Vec<f64>>,
}

/// A variable with its covariances with those in slots.
struct Variable {
    mean: f64,
    variance: f64,
    covariances: Vec<f64>,
}

impl Frontier {
    fn new(tasks: usize) -> Frontier {
        Frontier {
            slots: vec![usize::MAX; tasks],
            free: Vec::new(),
            means: Vec::new(),
            covariances: Vec::new(),
        }
    }

    fn moments(&self, task: u32) -> Normal {
        let slot = self.slots[task as usize];
        Normal {
            mean: self.means[slot],
            variance: self.covariances[slot][slot],
        }
    }

    /// The latest of some tasks, one after another.
    fn largest(&self, tasks: &[u32]) -> Variable {
        let variable = |task: u32| {
            let slot = self.slots[task as usize];
            let covariances = self.covariances[slot].clone();
            Variable {
                mean: self.means[slot],
                variance: covariances[slot],
                covariances,
            }
        };
        let Some((&first, rest)) = tasks.split_first() else {
            let covariances = vec![0.0; self.means.len()];
            return Variable {
                mean: 0.0,
                variance: 0.0,
                covariances,
            };
        };
        rest.iter().fold(variable(first), |largest, &task| {
            let covariance = largest.covariances[self.slots[task as usize]];
            larger(largest, variable(task), covariance)
        })
    }

    fn close(&mut self, task: u32) {
        self.free.push(std::mem::replace(
            &mut self.slots[task as usize],
            usize::MAX,
        ));
    }

    fn add(&mut self, task: u32, start: Variable, time: Normal) -> Result<(), Error> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = self.means.len();
                if slot >= MOST_OPEN {
                    let message = format!(
                        "more than {MOST_OPEN} tasks have ended while others still wait for them, too many for \
                         covariances: use bounds or simulation"
                    );
                    return Err(Error::at("", message));
                }
                self.means.push(0.0);
                self.covariances.iter_mut().for_each(|row| row.push(0.0));
                self.covariances.push(vec![0.0; slot + 1]);
                slot
            }
        };
        self.slots[task as usize] = slot;
        self.means[slot] = start.mean + time.mean;
        for other in 0..self.means.len() {
            let covariance = start.covariances.get(other).copied().unwrap_or(0.0);
            self.covariances[slot][other] = covariance;
            self.covariances[other][slot] = covariance;
        }
        self.covariances[slot][slot] = start.variance + time.variance;
        Ok(())
    }
}

fn larger(a: Variable, b: Variable, covariance: f64) -> Variable {
    let spread = f64::max(a.variance + b.variance - 2.0 * covariance, 0.0).sqrt();
    let scale = a.variance.sqrt() + b.variance.sqrt();
    if spread <= 1e-9 * scale || spread == 0.0 {
        return if a.mean >= b.mean { a } else { b };
    }
    let (mean, variance, share) = clark([a.mean, a.variance], [b.mean, b.variance], spread);
    let both = a.covariances.iter().zip(&b.covariances);
    let covariances = both.map(|(x, y)| share * x + (1.0 - share) * y).collect();
    Variable {
        mean,
        variance,
        covariances,
    }
}

/// Mean and variance of the larger of two normal variables whose difference has this deviation, and the probability that
/// it is the first.
fn clark([a, of_a]: [f64; 2], [b, of_b]: [f64; 2], spread: f64) -> (f64, f64, f64) {
    let alpha = (a - b) / spread;
    let share = 0.5 * libm::erfc(-alpha / std::f64::consts::SQRT_2);
    let density = (-0.5 * alpha * alpha).exp() / (2.0 * std::f64::consts::PI).sqrt();
    // About the larger mean, so that no digits are lost where both are great.
    let center = a.max(b);
    let (a, b) = (a - center, b - center);
    let mean = a * share + b * (1.0 - share) + spread * density;
    let square =
        (a * a + of_a) * share + (b * b + of_b) * (1.0 - share) + (a + b) * spread * density;
    (center + mean, f64::max(square - mean * mean, 0.0), share)
}

/// Mean and variance of the time of a graph, as if times were normal and maxima of independent times.
pub(crate) fn independent(graph: &Graph, times: &Times) -> [f64; 2] {
    let variance = |task: u32| match times.variance(task) {
        variance if variance.is_finite() => variance,
        // A law that has none reaches so far out once in a thousand.
        _ => (times.quantile(task, Probability::above(1e-3)) - times.mean(task)).powi(2),
    };
    let mut ends = vec![[0.0; 2]; graph.tasks()];
    let latest = |tasks: &mut dyn Iterator<Item = u32>, ends: &[[f64; 2]]| {
        let all = tasks.map(|task| ends[task as usize]);
        let both = |a: [f64; 2], b: [f64; 2]| match (a[1] + b[1]).sqrt() {
            0.0 => {
                if a[0] >= b[0] {
                    a
                } else {
                    b
                }
            }
            spread => {
                let (mean, variance, _) = clark(a, b, spread);
                [mean, variance]
            }
        };
        all.reduce(both).unwrap_or([0.0; 2])
    };
    for &task in graph.order() {
        let [mean, spread] = latest(&mut graph.before(task).iter().copied(), &ends);
        ends[task as usize] = [mean + times.mean(task), spread + variance(task)];
    }
    let tasks = 0..graph.tasks() as u32;
    latest(
        &mut tasks.filter(|&task| graph.after(task).is_empty()),
        &ends,
    )
}
