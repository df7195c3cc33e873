//! Proves that the longest path is never below a form, by a path for all sizes that takes the times as often as the
//! form.
//!
//! There are two kinds of proof. Either each task of some families has a path whose times are affine in its indices,
//! because one of its predecessors has such a path ([`regions`]). Or one path is a list of blocks of tasks, each
//! repeated with indices that advance by constant steps.

mod regions;

use super::affine::{Affine, Variable};
use super::forms::{Form, value};
use super::paths::{Counts, Ties, is_at_least};
use super::problem::{Indices, Problem, Reference};
use super::region::Region;
use super::samples::{Samples, largest};

/// A block of more tasks is not looked for.
const LONGEST_BLOCK: usize = 8;
/// A block must repeat at least this often to be recognised.
const FEWEST_REPETITIONS: i64 = 3;
/// A path may begin this much later than the form.
const LATER: i64 = 4;

/// Reason why the longest path is never below a form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All paths are known, because there are no sizes.
    AllPaths,
    /// For each family, the times on the path to each of its tasks, if known.
    Tasks(Vec<Option<Form>>),
    /// One path.
    Path(Vec<Segment>),
}

/// `repetitions` times the tasks of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub block: Vec<Step>,
    pub repetitions: Affine,
}

/// A task of a block: its indices in the first repetition, and their increments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub family: usize,
    pub indices: Vec<Affine>,
    pub steps: Vec<i64>,
}

/// A path that takes the times as often as a form says, for all sizes from these values on; `times` are some for which
/// the form is the greatest.
pub fn reach(
    problem: &Problem,
    samples: &Samples,
    from: &[i64],
    form: &Form,
    times: &[i64],
) -> Option<Reach> {
    if problem.sizes.is_empty() {
        let wanted: Counts = form.iter().map(|part| part.constant).collect();
        let all = problem
            .instances(&[])
            .and_then(|one| one.all_counts(problem));
        let nothing = Counts::from_elem(0, problem.times);
        let all = all?;
        let mut all = all.iter().chain([&nothing]);
        let reached = all.any(|counts| is_at_least(counts, &wanted));
        return reached.then_some(Reach::AllPaths);
    }
    if let Some(reached) = regions::reach(problem, samples, from, form, times) {
        return Some(Reach::Tasks(reached));
    }
    [Ties::First, Ties::Last].into_iter().find_map(|ties| {
        let path = parametric(problem, samples, form, times, ties)?;
        is_path_from(problem, from, form, times, &path).then_some(Reach::Path(path))
    })
}

/// True if the segments are proved to be a path for all sizes from some values on, and below these there are others.
fn is_path_from(
    problem: &Problem,
    from: &[i64],
    form: &Form,
    times: &[i64],
    path: &[Segment],
) -> bool {
    let mut begin = from.to_vec();
    for place in 0..begin.len() {
        while begin[place] < from[place] + LATER && !is_path(problem, &begin, form, path) {
            begin[place] += 1;
        }
    }
    if !is_path(problem, &begin, form, path) {
        return false;
    }
    // Below, one size after the other is a number.
    (0..begin.len()).all(|place| {
        let size = problem.sizes[place];
        (from[place]..begin[place]).all(|number| {
            let set = |variable: Variable| (variable == size).then(|| Affine::constant(number));
            let form: Form = form.iter().map(|part| part.substituted(&set)).collect();
            let mut rest = from.to_vec();
            rest.remove(place);
            let problem = problem.at(size, number);
            Samples::of(&problem)
                .is_some_and(|samples| reach(&problem, &samples, &rest, &form, times).is_some())
        })
    })
}

/// A path by segments whose parts are affine in the sizes, as longest paths of some sizes suggest.
fn parametric(
    problem: &Problem,
    samples: &Samples,
    form: &Form,
    times: &[i64],
    ties: Ties,
) -> Option<Vec<Segment>> {
    let sizes = problem.sizes.len();
    let origin = vec![largest(sizes)? - 1; sizes];
    let at = |point: &[i64]| {
        let sample = samples.at(problem, point)?;
        let instances = &sample.1;
        let path = instances.longest(problem, times, ties);
        // At other times another form may be the greatest.
        let counts = instances.counts(problem, &path);
        let path = path
            .iter()
            .map(|&task| instances.tasks[task as usize].clone());
        (counts == value(problem, form, point)).then(|| segments(&path.collect::<Vec<_>>()))
    };
    let first = at(&origin)?;
    let mut path = first.clone();
    for place in 0..sizes {
        let mut beside = origin.clone();
        beside[place] += 1;
        let there = at(&beside)?;
        let tilted = |part: &Affine, here: &Affine, there: &Affine| {
            let slope = there.constant - here.constant;
            let tilted = part.clone().with(problem.sizes[place], slope);
            tilted.shifted(-slope * origin[place])
        };
        path = combined(&path, &first, &there, &tilted)?;
    }
    // The path is the same when all sizes are larger.
    let larger: Vec<i64> = origin.iter().map(|value| value + 2).collect();
    let mut values = vec![0; problem.next as usize];
    for (&size, &value) in problem.sizes.iter().zip(&larger) {
        values[size as usize] = value;
    }
    let number = |part: &Affine, _: &Affine, _: &Affine| Affine::constant(part.value(&values));
    let expected = combined(&path, &path, &path, &number)?;
    (at(&larger)? == expected).then_some(path)
}

/// Three paths of the same shape as one, number by number.
fn combined(
    path: &[Segment],
    a: &[Segment],
    b: &[Segment],
    number: &dyn Fn(&Affine, &Affine, &Affine) -> Affine,
) -> Option<Vec<Segment>> {
    if path.len() != a.len() || path.len() != b.len() {
        return None;
    }
    let segments = path.iter().zip(a.iter().zip(b));
    let segment = |(path, (a, b)): (&Segment, (&Segment, &Segment))| {
        if path.block.len() != a.block.len() || path.block.len() != b.block.len() {
            return None;
        }
        let steps = path.block.iter().zip(a.block.iter().zip(&b.block));
        let block = steps.map(|(step, (a, b))| {
            let alike = step.family == a.family && step.family == b.family;
            let indices = step.indices.iter().zip(a.indices.iter().zip(&b.indices));
            (alike && a.steps == b.steps).then(|| Step {
                family: step.family,
                indices: indices.map(|(path, (a, b))| number(path, a, b)).collect(),
                steps: step.steps.clone(),
            })
        });
        Some(Segment {
            block: block.collect::<Option<Vec<Step>>>()?,
            repetitions: number(&path.repetitions, &a.repetitions, &b.repetitions),
        })
    };
    segments.map(segment).collect()
}

/// A path as blocks that come several times, from its beginning the one that covers most.
fn segments(path: &[(usize, Indices)]) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let single = (1, 1);
        let blocks = (1..=LONGEST_BLOCK.min(rest.len())).map(|length| {
            let count = repetitions(rest, length);
            if count >= FEWEST_REPETITIONS {
                (length, count)
            } else {
                single
            }
        });
        let covered =
            |&(length, count): &(usize, i64)| (length as i64 * count, std::cmp::Reverse(length));
        let (length, count) = blocks.max_by_key(covered).unwrap_or(single);
        let block = (0..length).map(|place| {
            let (family, indices) = &rest[place];
            let next = rest.get(place + length).filter(|_| count > 1);
            let steps = indices.iter().enumerate();
            Step {
                family: *family,
                steps: steps
                    .map(|(k, i)| next.map_or(0, |next| next.1[k] - i))
                    .collect(),
                indices: indices
                    .iter()
                    .map(|&index| Affine::constant(index))
                    .collect(),
            }
        });
        segments.push(Segment {
            block: block.collect(),
            repetitions: Affine::constant(count),
        });
        rest = &rest[length * count as usize..];
    }
    segments
}

/// Number of repetitions of a block of this length with indices that advance by constant steps.
fn repetitions(path: &[(usize, Indices)], length: usize) -> i64 {
    let mut count = 1;
    'more: while path.len() >= length * (count + 1) {
        for place in 0..length {
            let at = |round: usize| &path[round * length + place];
            let moved = |a: &(usize, Indices), b: &(usize, Indices)| {
                b.1.iter()
                    .zip(&a.1)
                    .map(|(b, a)| b - a)
                    .collect::<Indices>()
            };
            let alike = at(count).0 == at(0).0
                && at(count).1.len() == at(0).1.len()
                && moved(at(count - 1), at(count)) == moved(at(0), at(1));
            if !alike {
                break 'more;
            }
        }
        count += 1;
    }
    count as i64
}

/// True if the segments are proved to be a path of tasks for all sizes from these values on, and to take the times as
/// often as the form says.
fn is_path(problem: &Problem, from: &[i64], form: &Form, path: &[Segment]) -> bool {
    let sizes = problem.sizes.iter().zip(from);
    let facts: Vec<Affine> = sizes
        .map(|(&size, &from)| Affine::variable(size).shifted(-from))
        .collect();
    let known = Region::new(facts.iter().cloned());
    if !path
        .iter()
        .all(|segment| known.proves(&segment.repetitions.shifted(-1)))
    {
        return false;
    }
    let round = problem.next;
    let mut counts: Form = vec![Affine::default(); problem.times];
    let mut before: Option<(usize, Vec<Affine>)> = None;
    for segment in path {
        for step in &segment.block {
            let (time, factor) = problem.families[step.family].weight;
            counts[time] = counts[time].plus(&segment.repetitions, factor);
        }
        let at = |step: &Step, round: &Affine| -> (usize, Vec<Affine>) {
            let moved = step.indices.iter().zip(&step.steps);
            (
                step.family,
                moved.map(|(index, &by)| index.plus(round, by)).collect(),
            )
        };
        let last = segment.repetitions.shifted(-1);
        let this = Affine::variable(round);
        let mut within = known.clone();
        within.assume(&this);
        within.assume(&last.plus(&this, -1));
        let mut followed = known.clone();
        followed.assume(&this);
        followed.assume(&last.shifted(-1).plus(&this, -1));
        let block = &segment.block;
        let exist = block.iter().all(|step| {
            let (family, indices) = at(step, &this);
            let wanted = problem.families[family].within(&indices);
            wanted.iter().all(|fact| within.proves(fact))
        });
        let linked = block
            .windows(2)
            .all(|pair| waits(problem, &at(&pair[0], &this), &at(&pair[1], &this), &within));
        let (Some(first), Some(end)) = (block.first(), block.last()) else {
            return false;
        };
        let next = this.shifted(1);
        let again = segment.repetitions.as_constant() == Some(1)
            || waits(problem, &at(end, &this), &at(first, &next), &followed);
        let begin = at(first, &Affine::constant(0));
        let entered = before.is_none_or(|before| waits(problem, &before, &begin, &known));
        if !(exist && linked && again && entered) {
            return false;
        }
        before = Some(at(end, &last));
    }
    counts == *form
}

/// True if a task is proved to wait for another one.
fn waits(
    problem: &Problem,
    before: &(usize, Vec<Affine>),
    task: &(usize, Vec<Affine>),
    region: &Region,
) -> bool {
    let family = &problem.families[task.0];
    let own = |variable: Variable| {
        let place = family
            .ranges
            .iter()
            .position(|range| range.index == variable)?;
        task.1.get(place).cloned()
    };
    let mut references = family.after.iter().filter(|r| r.family == before.0);
    references.any(|reference| refers(reference, &before.1, &own, region))
}

/// True if a reference names the task that has these indices.
fn refers(
    reference: &Reference,
    indices: &[Affine],
    own: &dyn Fn(Variable) -> Option<Affine>,
    region: &Region,
) -> bool {
    // Each of its indices that stands alone in an argument must equal that argument.
    let mut chosen: Vec<(Variable, Affine)> = Vec::new();
    for range in &reference.ranges {
        let arguments = reference.arguments.iter().flatten().zip(indices);
        let solved = arguments.filter(|(argument, _)| argument.coefficient(range.index) == 1);
        let mut solved = solved.map(|(argument, index)| {
            let rest = argument.clone().with(range.index, -1);
            let known = |variable| own(variable).or_else(|| found(&chosen, variable));
            index.plus(&rest.substituted(&known), -1)
        });
        let value = match solved.next() {
            Some(value) => value,
            None => {
                let known = |variable| own(variable).or_else(|| found(&chosen, variable));
                range.lower.substituted(&known)
            }
        };
        chosen.push((range.index, value));
    }
    let known = |variable| own(variable).or_else(|| found(&chosen, variable));
    let named = reference.arguments.iter().flatten().zip(indices);
    let spans = reference.ranges.iter().flat_map(|range| range.facts());
    let asked = spans.chain(reference.conditions.iter().cloned());
    named
        .into_iter()
        .all(|(argument, index)| argument.substituted(&known) == *index)
        && asked
            .into_iter()
            .all(|fact| region.proves(&fact.substituted(&known)))
}

fn found(chosen: &[(Variable, Affine)], variable: Variable) -> Option<Affine> {
    let (_, value) = chosen.iter().find(|(known, _)| *known == variable)?;
    Some(value.clone())
}
