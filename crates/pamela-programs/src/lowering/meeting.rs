//! Where all ranks meet.

use super::part::{Instance, Part};

/// Whether a part, or what it calls, holds one of this kind.
pub fn holds(part: &Part, instances: &[Instance], is_one: &dyn Fn(&Part) -> bool) -> bool {
    let mut found = false;
    part.walk(&mut |part| {
        found |= is_one(part)
            || match part {
                Part::Call(instance, _) => holds(&instances[*instance].body, instances, is_one),
                _ => false,
            };
    });
    found
}

/// Whether all ranks meet in a part, or in what it calls.
pub fn is_of_all(part: &Part, instances: &[Instance]) -> bool {
    holds(part, instances, &|part| {
        matches!(part, Part::Collective(_) | Part::Pipeline(_))
    })
}
