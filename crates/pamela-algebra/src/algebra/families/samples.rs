//! The instances of a problem at small values of its sizes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::grid::Tasks;
use super::problem::{Problem, Sample};

/// Samples of problems with at most this many tasks in all are kept.
const MOST_KEPT: usize = 200_000;

/// The small instances of a problem.
pub struct Samples {
    pub all: Vec<Rc<Sample>>,
    /// Larger ones that were asked for.
    larger: RefCell<Vec<Rc<Sample>>>,
    /// The tasks from some values of the sizes on.
    tasks: RefCell<Vec<(Vec<i64>, Rc<Tasks>)>>,
}

thread_local! {
    /// If a size is a number, several forms lead to the same problem, and its own closed form needs it again.
    static KEPT: RefCell<VecDeque<(Problem, Option<Rc<Samples>>)>> = const { RefCell::new(VecDeque::new()) };
}

/// Clears the cache of samples.
pub fn forget() {
    KEPT.with_borrow_mut(VecDeque::clear);
}

/// The largest tried value of each size, by the number of sizes.
pub fn largest(sizes: usize) -> Option<i64> {
    [0, 7, 5, 4].get(sizes).copied()
}

impl Samples {
    /// Samples of a problem, from the cache if known.
    pub fn of(problem: &Problem) -> Option<Rc<Samples>> {
        let known = KEPT.with_borrow(|kept| {
            let known = kept.iter().find(|known| known.0 == *problem);
            known.map(|known| known.1.clone())
        });
        known.unwrap_or_else(|| {
            let samples = Samples::new(problem).map(Rc::new);
            KEPT.with_borrow_mut(|kept| keep(kept, problem, &samples));
            samples
        })
    }

    /// `None` of too many sizes, of too many tasks, or where tasks wait for each other in a cycle.
    fn new(problem: &Problem) -> Option<Samples> {
        let sizes = problem.sizes.len();
        let grid = points(&vec![0; sizes], &vec![largest(sizes)?; sizes]);
        let all = grid.into_iter().map(|point| sample(problem, &point));
        Some(Samples {
            all: all.collect::<Option<_>>()?,
            larger: RefCell::default(),
            tasks: RefCell::default(),
        })
    }

    /// The sample at a point.
    pub fn at(&self, problem: &Problem, point: &[i64]) -> Option<Rc<Sample>> {
        let mut larger = self.larger.borrow_mut();
        let mut known = self.all.iter().chain(larger.iter());
        if let Some(known) = known.find(|known| known.0 == point) {
            return Some(known.clone());
        }
        let found = sample(problem, point)?;
        larger.push(found.clone());
        Some(found)
    }

    /// The tasks of samples whose sizes are all at least these values.
    pub fn tasks(&self, problem: &Problem, from: &[i64]) -> Rc<Tasks> {
        let mut tasks = self.tasks.borrow_mut();
        if let Some((_, known)) = tasks.iter().find(|known| known.0 == from) {
            return known.clone();
        }
        let reached = |sample: &&Rc<Sample>| {
            let mut sizes = sample.0.iter().zip(from);
            sizes.all(|(value, from)| value >= from)
        };
        let samples = self.all.iter().filter(reached).cloned().collect();
        let found = Rc::new(Tasks::new(problem, samples));
        tasks.push((from.to_vec(), found.clone()));
        found
    }

    fn count(&self) -> usize {
        self.all.iter().map(|sample| sample.1.tasks.len()).sum()
    }
}

fn sample(problem: &Problem, point: &[i64]) -> Option<Rc<Sample>> {
    Some(Rc::new((point.to_vec(), problem.instances(point)?)))
}

/// Puts samples before all others, of which the oldest go where there are too many.
fn keep(
    kept: &mut VecDeque<(Problem, Option<Rc<Samples>>)>,
    problem: &Problem,
    samples: &Option<Rc<Samples>>,
) {
    kept.push_front((problem.clone(), samples.clone()));
    let mut count = 0;
    kept.retain(|(_, samples)| {
        count += samples.as_ref().map_or(0, |samples| samples.count()) + 1;
        count <= MOST_KEPT
    });
}

/// All points in a box.
pub fn points(from: &[i64], to: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for (&low, &high) in from.iter().zip(to) {
        let longer = |point: &Vec<i64>| {
            let point = point.clone();
            (low..=high).map(move |value| {
                let mut longer = point.clone();
                longer.push(value);
                longer
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
