//! Regular graphs: families of tasks over affine ranges, with affine references.

use pamela_graph::shape::{self, Links};
use smallvec::SmallVec;

use super::affine::{Affine, Variable};
use super::region::Region;

/// Graphs with more tasks at a sample are not looked at.
const MOST_TASKS: usize = 3_000;
const MOST_PRECEDENCES: usize = 30_000;

/// A graph for all values of its sizes, which are the first variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub sizes: Vec<Variable>,
    pub families: Vec<Family>,
    /// Number of different task times.
    pub times: usize,
    /// First free variable.
    pub next: Variable,
    /// Sizes that are known to be at least 0.
    pub natural: Vec<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    pub ranges: Vec<Span>,
    /// The time of the task: index of the time, and its multiplicity.
    pub weight: (usize, i64),
    pub after: Vec<Reference>,
}

/// An index from `lower` to `upper`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub index: Variable,
    pub lower: Affine,
    pub upper: Affine,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    pub family: usize,
    /// `None` for all instances.
    pub arguments: Option<Vec<Affine>>,
    pub ranges: Vec<Span>,
    /// Forms that must be at least 0.
    pub conditions: Vec<Affine>,
}

impl Span {
    /// Inequalities that hold within the range.
    pub fn facts(&self) -> [Affine; 2] {
        let index = Affine::variable(self.index);
        [index.plus(&self.lower, -1), self.upper.plus(&index, -1)]
    }

    pub fn map(&self, map: &dyn Fn(&Affine) -> Affine) -> Span {
        Span {
            index: self.index,
            lower: map(&self.lower),
            upper: map(&self.upper),
        }
    }
}

impl Family {
    /// Inequalities that hold for the indices of the family.
    pub fn facts(&self) -> impl Iterator<Item = Affine> {
        self.ranges.iter().flat_map(Span::facts)
    }

    /// Duration of a task of the family.
    pub fn time(&self, times: &[i64]) -> i64 {
        self.weight.1 * times[self.weight.0]
    }

    /// True if its ranges or its references go by a variable.
    fn mentions(&self, variable: Variable) -> bool {
        let here = |form: &Affine| form.coefficient(variable) != 0;
        let spans = |list: &[Span]| {
            list.iter()
                .any(|span| here(&span.lower) || here(&span.upper))
        };
        spans(&self.ranges)
            || self.after.iter().any(|reference| {
                let arguments = reference.arguments.iter().flatten();
                spans(&reference.ranges) || arguments.chain(&reference.conditions).any(here)
            })
    }

    /// Conditions under which these indices belong to an instance.
    pub fn within(&self, indices: &[Affine]) -> Vec<Affine> {
        let value = |variable: Variable| {
            let place = self
                .ranges
                .iter()
                .position(|range| range.index == variable)?;
            indices.get(place).cloned()
        };
        self.facts().map(|fact| fact.substituted(&value)).collect()
    }
}

/// The indices of a task.
pub type Indices = SmallVec<[i64; 4]>;

/// The values of the sizes, and the instances there.
pub type Sample = (Vec<i64>, Instances);

/// The instances of a problem at one point of its sizes.
pub struct Instances {
    /// The family and the indices of each task, in order.
    pub tasks: Vec<(usize, Indices)>,
    /// The predecessors of each task, in the order of the references.
    pub before: Links,
    /// All tasks, each after its predecessors.
    pub order: Vec<u32>,
    /// Tasks without successors.
    pub last: Vec<u32>,
}

impl Problem {
    /// The problem with a number in place of a size.
    pub fn at(&self, size: Variable, value: i64) -> Problem {
        let mut rest = self.replaced(size, &Affine::constant(value));
        rest.sizes.retain(|&other| other != size);
        rest
    }

    /// The problem with a size replaced by another size plus the first one.
    pub fn beyond(&self, size: Variable, other: Variable) -> Problem {
        let mut beyond = self.replaced(size, &Affine::variable(size).with(other, 1));
        beyond.natural.push(size);
        beyond
    }

    fn replaced(&self, size: Variable, value: &Affine) -> Problem {
        let own = |variable: Variable| (variable == size).then(|| value.clone());
        let map = |form: &Affine| form.substituted(&own);
        let spans = |list: &[Span]| list.iter().map(|span| span.map(&map)).collect();
        let reference = |r: &Reference| Reference {
            family: r.family,
            arguments: r
                .arguments
                .as_ref()
                .map(|list| list.iter().map(map).collect()),
            ranges: spans(&r.ranges),
            conditions: r.conditions.iter().map(map).collect(),
        };
        let family = |family: &Family| Family {
            ranges: spans(&family.ranges),
            weight: family.weight,
            after: family.after.iter().map(reference).collect(),
        };
        Problem {
            sizes: self.sizes.clone(),
            families: self.families.iter().map(family).collect(),
            natural: self.natural.clone(),
            ..*self
        }
    }

    /// True if no family has an instance where these hold.
    pub fn is_empty_where(&self, facts: &[Affine]) -> bool {
        self.families.iter().all(|family| {
            let mut region = Region::new(facts.iter().cloned());
            family.ranges.iter().any(|range| {
                let before = range.lower.plus(&range.upper, -1).shifted(-1);
                if region.proves(&before) {
                    return true;
                }
                range.facts().iter().for_each(|fact| region.assume(fact));
                false
            })
        })
    }

    /// The problem with a size limited to a number, if the limit only removes families: each family that depends on
    /// the size has no instance then.
    pub fn at_most(&self, size: Variable, value: i64) -> Option<Problem> {
        let facts = [Affine::constant(value).with(size, -1)];
        let is_empty = |family: &Family| {
            let one = Problem {
                sizes: self.sizes.clone(),
                families: vec![family.clone()],
                natural: Vec::new(),
                ..*self
            };
            one.is_empty_where(&facts)
        };
        let empty: Vec<bool> = self.families.iter().map(is_empty).collect();
        let nothing = Span {
            index: self.next,
            lower: Affine::constant(1),
            upper: Affine::constant(0),
        };
        let family = |(family, &empty_here): (&Family, &bool)| {
            if empty_here {
                return Some(Family {
                    ranges: vec![nothing.clone()],
                    weight: family.weight,
                    after: Vec::new(),
                });
            }
            let mut kept = family.clone();
            kept.after.retain(|reference| !empty[reference.family]);
            (!kept.mentions(size)).then_some(kept)
        };
        let families = self.families.iter().zip(&empty).map(family);
        Some(Problem {
            families: families.collect::<Option<Vec<Family>>>()?,
            sizes: self.sizes.iter().copied().filter(|&s| s != size).collect(),
            next: self.next + 1,
            natural: self.natural.clone(),
            ..*self
        })
    }

    /// The instances at these sizes; `None` for too many instances, or for a cycle.
    pub fn instances(&self, sizes: &[i64]) -> Option<Instances> {
        let mut values = vec![0; self.next as usize];
        for (&size, &value) in self.sizes.iter().zip(sizes) {
            values[size as usize] = value;
        }
        let mut tasks: Vec<(usize, Indices)> = Vec::new();
        // First task of each family.
        let mut starts = vec![0];
        for (number, family) in self.families.iter().enumerate() {
            each(&family.ranges, &mut values, &mut |values| {
                let indices = family.ranges.iter().map(|r| values[r.index as usize]);
                tasks.push((number, indices.collect()));
                (tasks.len() <= MOST_TASKS).then_some(())
            })?;
            starts.push(tasks.len());
        }
        let (mut named, mut waits) = (Indices::new(), Vec::new());
        let mut before = Links::default();
        for (family, indices) in &tasks {
            let family = &self.families[*family];
            for (range, &index) in family.ranges.iter().zip(indices) {
                values[range.index as usize] = index;
            }
            waits.clear();
            for reference in &family.after {
                let start = starts[reference.family];
                let others = &tasks[start..starts[reference.family + 1]];
                each(&reference.ranges, &mut values, &mut |values| {
                    if reference.conditions.iter().any(|c| c.value(values) < 0) {
                        return Some(());
                    }
                    match &reference.arguments {
                        Some(arguments) => {
                            named.clear();
                            named.extend(arguments.iter().map(|a| a.value(values)));
                            let place = others.binary_search_by(|other| other.1.cmp(&named));
                            waits.extend(place.ok().map(|place| (start + place) as u32));
                        }
                        None => waits.extend((start..start + others.len()).map(|task| task as u32)),
                    }
                    (before.count() + waits.len() <= MOST_PRECEDENCES).then_some(())
                })?;
            }
            before.push(&waits);
        }
        Instances::new(tasks, before)
    }
}

impl Instances {
    fn new(tasks: Vec<(usize, Indices)>, before: Links) -> Option<Instances> {
        let after = before.reversed();
        let order = shape::order(&before, &after);
        let is_last = |&task: &u32| after.of(task).is_empty();
        (order.len() == tasks.len()).then(|| Instances {
            last: (0..tasks.len() as u32).filter(is_last).collect(),
            tasks,
            before,
            order,
        })
    }
}

/// Visits each combination of the indices of ranges, until one says to stop.
fn each(
    ranges: &[Span],
    values: &mut Vec<i64>,
    visit: &mut dyn FnMut(&mut Vec<i64>) -> Option<()>,
) -> Option<()> {
    let Some((range, rest)) = ranges.split_first() else {
        return visit(values);
    };
    let (lower, upper) = (range.lower.value(values), range.upper.value(values));
    for index in lower..=upper {
        values[range.index as usize] = index;
        each(rest, values, visit)?;
    }
    Some(())
}
