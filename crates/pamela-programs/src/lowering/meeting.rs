//! Parts including callees: synchronisation of all ranks, and expansion of calls.

use std::collections::BTreeSet;

use super::part::{Instance, Mapped, Part};

/// Maximum nesting of calls that are expanded to name a resource.
pub const DEEPEST: usize = 32;
/// Parts of a program that is written out, with all that it calls.
const MOST_PARTS: usize = 100_000;

/// True if a part, or a function that it calls, contains a part of this kind.
pub fn holds(part: &Part, instances: &[Instance], is_one: &dyn Fn(&Part) -> bool) -> bool {
    let mut found = false;
    let mut seen = BTreeSet::new();
    let mut left = vec![part];
    while let Some(part) = left.pop() {
        part.walk(&mut |part| {
            found |= is_one(part);
            if let Part::Call(instance, _) = part
                && seen.insert(*instance)
            {
                left.push(&instances[*instance].body);
            }
        });
        if found {
            return true;
        }
    }
    false
}

/// A part with all its calls expanded; `None` if the result is too long.
pub fn written_out(part: &Part, instances: &[Instance]) -> Option<Part> {
    let mut sizes: Vec<usize> = Vec::new();
    // Callees come first in the list of instances.
    for instance in instances {
        let size = size(&instance.body, &sizes);
        sizes.push(size);
    }
    (size(part, &sizes) <= MOST_PARTS).then(|| inlined(part, instances, DEEPEST))
}

fn size(part: &Part, sizes: &[usize]) -> usize {
    let mut sum: usize = 0;
    part.walk(&mut |part| {
        let own = match part {
            Part::Call(instance, _) => sizes.get(*instance).copied().unwrap_or(MOST_PARTS + 1),
            _ => 1,
        };
        sum = sum.saturating_add(own);
    });
    sum
}

/// True if all ranks meet in a part, or in a function that it calls.
pub fn is_of_all(part: &Part, instances: &[Instance]) -> bool {
    holds(part, instances, &|part| match part {
        Part::Collective(collective) => collective.among.is_none(),
        part => matches!(part, Part::Pipeline(_)),
    })
}

/// True if a part, or a function that it calls, creates tasks.
pub fn has_tasks(part: &Part, instances: &[Instance]) -> bool {
    holds(part, instances, &|part| matches!(part, Part::Task(_)))
}

/// A part with its calls expanded.
pub fn inlined(part: &Part, instances: &[Instance], depth: usize) -> Part {
    if depth == 0 {
        return part.clone();
    }
    let inner = |part: &Part| inlined(part, instances, depth - 1);
    match part {
        Part::Call(instance, arguments) => {
            let callee = &instances[*instance];
            let mut body = callee.body.clone();
            for (formal, argument) in callee.formals.iter().zip(arguments) {
                body = body.with(*formal, argument);
            }
            inner(&body)
        }
        Part::Sequence(parts) => Part::Sequence(parts.iter().map(inner).collect()),
        Part::Loop(range, body) => Part::Loop(range.clone(), Box::new(inner(body))),
        Part::If(c, a, b) => Part::If(c.clone(), Box::new(inner(a)), Box::new(inner(b))),
        Part::Switch(cases) => Part::Switch(
            cases
                .iter()
                .map(|(c, part)| (c.clone(), inner(part)))
                .collect(),
        ),
        Part::Critical(name, body) => Part::Critical(name.clone(), Box::new(inner(body))),
        Part::Task(body) => Part::Task(Box::new(inner(body))),
        Part::Owned(owner, body) => Part::Owned(owner.clone(), Box::new(inner(body))),
        Part::Mapped(mapped) => Part::Mapped(Box::new(Mapped {
            body: inner(&mapped.body),
            ..(**mapped).clone()
        })),
        other => other.clone(),
    }
}
