//! Times of tasks: numbers, and laws.

use std::sync::Arc;

use pamela_law::{Carrier, Distribution, Empirical, Law, Probability};

use crate::error::Error;
use crate::tasks::Tasks;

/// The time of a task: `shift + factor * X`, with an independent `X` from one of the laws of [`Times`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The index of the law; `None` if the time is the constant `shift`.
    pub law: Option<u32>,
    /// Factor of the law, at least 0.
    pub factor: f64,
    /// The constant part of the time.
    pub shift: f64,
}

impl Time {
    /// A constant time.
    pub fn constant(value: f64) -> Time {
        Time {
            law: None,
            factor: 0.0,
            shift: value,
        }
    }

    /// `factor` times the law at a position.
    pub fn scaled(law: u32, factor: f64) -> Time {
        Time {
            law: Some(law),
            factor,
            shift: 0.0,
        }
    }
}

/// The times of all tasks of a graph. Tasks whose times differ by a factor or a shift share a law, so its properties
/// are computed once.
#[derive(Clone)]
pub struct Times {
    laws: Vec<Arc<dyn Distribution>>,
    tasks: Vec<Time>,
    /// Mean and variance of each law.
    moments: Vec<[f64; 2]>,
}

impl Times {
    /// Times `tasks` of tasks, whose laws are in `laws`.
    ///
    /// # Errors
    /// Fails if a law does not exist or has no finite mean, or if a time may be negative.
    pub fn new(laws: Vec<Arc<dyn Distribution>>, tasks: Vec<Time>) -> Result<Times, Error> {
        let moments = laws
            .iter()
            .map(|law| law.cumulants())
            .map(|c| [c.mean, c.variance])
            .collect();
        let times = Times {
            laws,
            tasks,
            moments,
        };
        (0..times.tasks.len()).try_for_each(|task| times.check(task))?;
        Ok(times)
    }

    /// Constant times.
    ///
    /// # Errors
    /// Fails if a number is negative or not finite.
    pub fn numbers(numbers: &[f64]) -> Result<Times, Error> {
        Times::new(
            Vec::new(),
            numbers.iter().map(|&value| Time::constant(value)).collect(),
        )
    }

    /// One law for each task.
    ///
    /// # Errors
    /// Fails if a law is given by moments that no law has; also fails like [`Times::new`].
    pub fn of_laws(laws: &[Law]) -> Result<Times, Error> {
        let mut known: Vec<Arc<dyn Distribution>> = Vec::new();
        let mut times = Vec::with_capacity(laws.len());
        for (task, law) in laws.iter().enumerate() {
            times.push(match law.as_constant() {
                Some(value) => Time::constant(value),
                None => {
                    let distribution = law
                        .distribution(Carrier::Grid)
                        .map_err(|error| at(task, error))?;
                    known.push(distribution.0);
                    Time::scaled(known.len() as u32 - 1, 1.0)
                }
            });
        }
        Times::new(known, times)
    }

    /// The times in a file: the law of the runs if there are several; `default` if there are none.
    ///
    /// # Errors
    /// Fails if a task has no time and there is no default.
    pub fn recorded(tasks: &Tasks, default: Option<f64>) -> Result<Times, Error> {
        let mut laws: Vec<Arc<dyn Distribution>> = Vec::new();
        let mut times = Vec::with_capacity(tasks.len());
        for task in 0..tasks.len() as u32 {
            let mut runs: Vec<f64> = tasks.times(task).collect();
            runs.extend(default.filter(|_| runs.is_empty()));
            let place = || tasks.place(task);
            times.push(match runs[..] {
                [] => {
                    let message = format!(
                        "the task `{}` has no time: set a default time",
                        tasks.name(task)
                    );
                    return Err(Error::at(place(), message));
                }
                [time] => Time::constant(time),
                _ => {
                    let law = Empirical::new(runs).map_err(|error| Error::at(place(), error))?;
                    laws.push(Arc::new(law));
                    Time::scaled(laws.len() as u32 - 1, 1.0)
                }
            });
        }
        Times::new(laws, times)
    }

    fn check(&self, task: usize) -> Result<(), Error> {
        let Time { law, factor, shift } = self.tasks[task];
        if !shift.is_finite() || !factor.is_finite() || factor < 0.0 {
            return Err(at(
                task,
                format!(
                    "the time is {shift} and {factor} times a law: both must be finite numbers, and the factor at least 0"
                ),
            ));
        }
        let least = match law {
            None => shift,
            Some(law) => {
                let Some(known) = self.laws.get(law as usize) else {
                    return Err(at(
                        task,
                        format!(
                            "there is no law {law}, but {} laws, counted from 0",
                            self.laws.len()
                        ),
                    ));
                };
                if !self.moments[law as usize][0].is_finite() {
                    return Err(at(
                        task,
                        "the law of its time has no mean, so the total has none".to_string(),
                    ));
                }
                shift + factor * known.support().lower
            }
        };
        if least >= 0.0 {
            Ok(())
        } else {
            Err(at(
                task,
                format!("the time may be {least}, but must be at least 0: truncate the law"),
            ))
        }
    }

    /// Number of tasks.
    pub fn len(&self) -> usize {
        self.tasks.len()
    }

    /// True if there are no tasks.
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }

    /// The laws whose multiples are times.
    pub fn laws(&self) -> &[Arc<dyn Distribution>] {
        &self.laws
    }

    /// The time of a task.
    pub fn of(&self, task: u32) -> Time {
        self.tasks[task as usize]
    }

    /// The mean of a task's time.
    pub fn mean(&self, task: u32) -> f64 {
        let Time { law, factor, shift } = self.of(task);
        shift + law.map_or(0.0, |law| factor * self.moments[law as usize][0])
    }

    /// The variance of a task's time; infinite if it does not exist.
    pub fn variance(&self, task: u32) -> f64 {
        let Time { law, factor, .. } = self.of(task);
        law.filter(|_| factor > 0.0)
            .map_or(0.0, |law| factor * factor * self.moments[law as usize][1])
    }

    /// The means of all tasks.
    pub fn means(&self) -> Vec<f64> {
        (0..self.tasks.len() as u32)
            .map(|task| self.mean(task))
            .collect()
    }

    /// True if no time is random.
    pub fn are_numbers(&self) -> bool {
        (0..self.tasks.len() as u32).all(|task| self.is_number(task))
    }

    /// True if the time of a task is not random.
    pub fn is_number(&self, task: u32) -> bool {
        let Time { law, factor, .. } = self.of(task);
        law.is_none_or(|law| {
            let support = self.laws[law as usize].support();
            factor == 0.0 || support.lower == support.upper
        })
    }

    /// The quantile of a task's time.
    pub fn quantile(&self, task: u32, p: Probability) -> f64 {
        let Time { law, factor, shift } = self.of(task);
        shift
            + law
                .filter(|_| factor > 0.0)
                .map_or(0.0, |law| factor * self.laws[law as usize].quantile(p))
    }
}

fn at(task: usize, message: String) -> Error {
    Error::at(format!("task {task}"), message)
}
