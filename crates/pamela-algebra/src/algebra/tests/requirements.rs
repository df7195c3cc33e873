use super::Build;
use crate::algebra::requirements::Requirements;
use crate::expr::{Arena, ReduceKind, Relation};

/// In each iteration of `i = 1, N`, `i + 1` is not 0.
#[test]
fn divisors_in_a_loop_are_not_zero_by_its_range() {
    let mut b = Build::new();
    let (n, zero, one) = (b.name("N"), b.number(0), b.number(1));
    let arena = &mut b.terms.arena;
    let index = arena.fresh_index();
    let i = arena.symbol(index);
    for step in [1, 2] {
        let step = arena.number(step);
        let moved = arena.mul(&[step, i]);
        let divisor = arena.add(&[moved, one]);
        let fails = arena.relate(Relation::Equal, divisor, zero);
        let failures = arena.reduce(ReduceKind::Sum, index, one, n, fails);
        let asked = arena.relate(Relation::Equal, failures, zero);
        let mut requirements = Requirements::new(Arena::new(), &[], Default::default());
        assert!(requirements.follows(arena, asked));
    }
}
