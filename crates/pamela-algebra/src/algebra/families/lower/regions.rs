//! Paths to all tasks of a family: the last reference on the path differs between parts of its ranges.

use crate::algebra::families::affine::Affine;
use crate::algebra::families::forms::Form;
use crate::algebra::families::grid::Tasks;
use crate::algebra::families::problem::{Family, Problem};
use crate::algebra::families::region::Region;
use crate::algebra::families::samples::Samples;

/// Ranges in more parts are not looked at.
const MOST_PARTS: usize = 32;

/// Multiplicity of each time on a path to each task of a family, if affine in its indices and the sizes.
type PathForm = Option<Form>;

/// Proves for all sizes from these values on that some task of each instance has a path that takes the times as often
/// as a form says.
pub fn reach(
    problem: &Problem,
    samples: &Samples,
    from: &[i64],
    form: &Form,
    times: &[i64],
) -> Option<Vec<PathForm>> {
    let mut reached = suggested(problem, &samples.tasks(problem, from), times)?;
    let sizes = problem.sizes.iter().zip(from);
    let facts: Vec<Affine> = sizes
        .map(|(&size, &from)| Affine::variable(size).shifted(-from))
        .collect();
    // A proof that rests on an unproved family is not valid either.
    loop {
        let wrong = (0..reached.len()).find(|&family| {
            reached[family].is_some() && !is_proved(problem, &facts, &reached, family)
        });
        match wrong {
            Some(family) => reached[family] = None,
            None => break,
        }
    }
    let mut families = problem.families.iter().zip(&reached);
    let found = families.any(|(family, own)| {
        own.as_ref()
            .is_some_and(|own| has_form(&facts, family, own, form))
    });
    found.then_some(reached)
}

/// Affine forms of the counts of all tasks of small instances.
fn suggested(problem: &Problem, tasks: &Tasks, times: &[i64]) -> Option<Vec<PathForm>> {
    let counts = tasks.values(&|_, one| one.counts_of_all(problem, times));
    let fitted = tasks.grids.iter().zip(counts).map(|(grid, counts)| {
        let of_time = |time: usize| counts.iter().map(|own| own[time]).collect::<Vec<i64>>();
        let fitted = |time: usize| Some(grid.affine(&grid.fitted(&of_time(time))?));
        (0..problem.times).map(fitted).collect()
    });
    Some(fitted.collect())
}

/// True if each task of a family is proved to begin its time, or to wait for one whose path it makes longer.
fn is_proved(problem: &Problem, facts: &[Affine], reached: &[PathForm], number: usize) -> bool {
    let family = &problem.families[number];
    let Some(own) = &reached[number] else {
        return false;
    };
    let whole: Vec<Affine> = facts.iter().cloned().chain(family.facts()).collect();
    let mut parts = vec![whole];
    for reference in family.after.iter().filter(|r| r.ranges.is_empty()) {
        let before = &problem.families[reference.family];
        let (Some(arguments), Some(other)) = (&reference.arguments, &reached[reference.family])
        else {
            continue;
        };
        let value = |variable| {
            let place = before.ranges.iter().position(|r| r.index == variable)?;
            arguments.get(place).cloned()
        };
        let other: Form = other.iter().map(|part| part.substituted(&value)).collect();
        let asked: Vec<Affine> = before
            .within(arguments)
            .into_iter()
            .chain(reference.conditions.clone())
            .collect();
        let mut left = Vec::new();
        for part in parts {
            let there: Vec<Affine> = part.iter().chain(&asked).cloned().collect();
            let region = Region::new(there);
            if region.is_empty() || !is_longer(&region, family, own, &other) {
                left.push(part);
                continue;
            }
            // The remaining region is where this fact fails and the previous ones hold.
            let mut rest = part;
            for fact in &asked {
                if fact.as_constant().is_some_and(|value| value >= 0) {
                    continue;
                }
                let mut outside = rest.clone();
                outside.push(fact.scaled(-1).shifted(-1));
                if !Region::new(outside.iter().cloned()).is_empty() {
                    left.push(outside);
                }
                rest.push(fact.clone());
            }
        }
        if left.len() > MOST_PARTS {
            return false;
        }
        parts = left;
    }
    let nothing: Form = vec![Affine::default(); problem.times];
    parts.into_iter().all(|part| {
        let region = Region::new(part);
        region.is_empty() || is_longer(&region, family, own, &nothing)
    })
}

/// True if counts are at most others with the time of a task of the family.
fn is_longer(region: &Region, family: &Family, own: &Form, other: &Form) -> bool {
    let (time, factor) = family.weight;
    let mut parts = own.iter().zip(other).enumerate();
    parts.all(|(place, (own, other))| {
        let more = if place == time { factor } else { 0 };
        region.proves(&other.plus(own, -1).shifted(more))
    })
}

/// True if a task at a corner of its ranges is there, and has the counts of a form.
fn has_form(facts: &[Affine], family: &Family, own: &Form, form: &Form) -> bool {
    let corners = 1_usize << family.ranges.len();
    let region = Region::new(facts.iter().cloned());
    (0..corners).any(|corner| {
        let mut indices: Vec<Affine> = Vec::new();
        for (place, range) in family.ranges.iter().enumerate() {
            let bound = if corner >> place & 1 == 0 {
                &range.upper
            } else {
                &range.lower
            };
            let known = |variable| {
                let place = family.ranges.iter().position(|r| r.index == variable)?;
                indices.get(place).cloned()
            };
            let bound = bound.substituted(&known);
            indices.push(bound);
        }
        let value = |variable| {
            let place = family.ranges.iter().position(|r| r.index == variable)?;
            indices.get(place).cloned()
        };
        family
            .within(&indices)
            .iter()
            .all(|fact| region.proves(fact))
            && own
                .iter()
                .zip(form)
                .all(|(own, form)| region.proves(&own.substituted(&value).plus(form, -1)))
    })
}
