use super::{Build, rules};
use crate::algebra::closed::Options;
use crate::algebra::simplify::Simplifier;
use crate::expr::{ExprId, ReduceKind};

fn sum_of_ones(b: &mut Build) -> ExprId {
    let (n, one) = (b.name("N"), b.number(1));
    let index = b.terms.arena.fresh_index();
    b.terms.arena.reduce(ReduceKind::Sum, index, one, n, one)
}

#[test]
fn what_cannot_be_proved_of_parameters_is_assumed_and_reported() {
    let mut b = Build::new();
    let sum = sum_of_ones(&mut b);
    let base = rules();
    let mut simplifier = Simplifier::new(b.terms.arena, &[], base, Options::default());
    let closed = simplifier.close(sum);
    // N >= 0 and integer(N)
    assert_eq!(closed.assumptions.len(), 2);
    let mut arena = simplifier.into_arena();
    assert_eq!(closed.expr, arena.parameter("N"));
}

#[test]
fn what_is_declared_is_not_reported() {
    let mut b = Build::new();
    let sum = sum_of_ones(&mut b);
    let (n, zero) = (b.name("N"), b.number(0));
    let facts = [b.at_most(zero, n), b.whole(n)];
    let base = rules();
    let mut simplifier = Simplifier::new(b.terms.arena, &facts, base, Options::default());
    assert!(simplifier.close(sum).assumptions.is_empty());
}

#[test]
fn nothing_is_assumed_when_it_is_forbidden() {
    let mut b = Build::new();
    let sum = sum_of_ones(&mut b);
    let base = rules();
    let options = Options {
        strict: true,
        ..Options::default()
    };
    let mut simplifier = Simplifier::new(b.terms.arena, &[], base, options);
    let closed = simplifier.close(sum);
    assert!(closed.assumptions.is_empty());
    // max(0, floor(N))
    let mut arena = simplifier.into_arena();
    let (n, zero) = (arena.parameter("N"), arena.number(0));
    let floor = arena.apply(crate::expr::Function::Floor, n);
    assert_eq!(closed.expr, arena.max(&[zero, floor]));
}
