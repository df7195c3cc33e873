use super::Build;
use crate::algebra::language::Reducer;
use crate::algebra::pattern::{Matcher, Pattern, ReducePattern};
use crate::expr::{Node, ReduceKind};

/// `sum (i = a, b) { c * f }`, with the variables in the order i, a, b, c, f.
fn sum_of_product() -> Pattern {
    let body = Pattern::Mul(Box::new([Pattern::Variable(3), Pattern::Variable(4)]));
    Pattern::Reduce(Box::new(ReducePattern {
        reducer: Reducer::Sum,
        quorum: None,
        index: 0,
        lower: Pattern::Variable(1),
        upper: Pattern::Variable(2),
        body,
    }))
}

#[test]
fn a_factor_that_is_free_of_the_index_takes_all_that_is() {
    let mut b = Build::new();
    let (n, x, y, one) = (b.name("N"), b.name("x"), b.name("y"), b.number(1));
    let index = b.terms.arena.fresh_index();
    let i = b.terms.arena.symbol(index);
    let body = b.mul(&[x, y, i]);
    let sum = b.terms.arena.reduce(ReduceKind::Sum, index, one, n, body);
    let sum = b.terms.canonical(sum);
    let mut matcher = Matcher {
        scope: &mut b.terms,
        independent: &[(3, 0)],
    };
    let found = matcher.matches(&sum_of_product(), sum, 5);
    assert_eq!(found.len(), 1);
    let expected = b.mul(&[x, y]);
    assert_eq!(found[0].get(3), Some(expected));
    assert_eq!(found[0].get(2), Some(n));
}

#[test]
fn one_operand_of_a_max_is_matched_against_the_rest() {
    let mut b = Build::new();
    let (x, y, z) = (b.name("x"), b.name("y"), b.name("z"));
    let largest = b.terms.arena.max(&[x, y, z]);
    let pattern = Pattern::Max(Box::new([Pattern::Variable(0), Pattern::Variable(1)]));
    let mut matcher = Matcher {
        scope: &mut b.terms,
        independent: &[],
    };
    let found = matcher.matches(&pattern, largest, 2);
    assert_eq!(found.len(), 3);
    let rest = b.terms.arena.max(&[y, z]);
    assert!(
        found
            .iter()
            .any(|binding| binding.get(0) == Some(x) && binding.get(1) == Some(rest))
    );
}

#[test]
fn a_variable_stands_for_one_term() {
    let mut b = Build::new();
    let (x, y) = (b.name("x"), b.name("y"));
    let pattern = Pattern::Mod(Box::new([Pattern::Variable(0), Pattern::Variable(0)]));
    let (same, different) = (b.terms.arena.modulo(x, x), b.terms.arena.modulo(x, y));
    let mut matcher = Matcher {
        scope: &mut b.terms,
        independent: &[],
    };
    assert_eq!(matcher.matches(&pattern, same, 1).len(), 1);
    assert!(matcher.matches(&pattern, different, 1).is_empty());
}

#[test]
fn instantiating_renames_the_index_to_its_new_range() {
    let mut b = Build::new();
    let (n, one) = (b.name("N"), b.number(1));
    let index = b.terms.arena.fresh_index();
    let i = b.terms.arena.symbol(index);
    let sum = b.terms.arena.reduce(ReduceKind::Sum, index, one, n, i);
    let variables = |upper| ReducePattern {
        reducer: Reducer::Sum,
        quorum: None,
        index: 0,
        lower: Pattern::Variable(1),
        upper,
        body: Pattern::Variable(3),
    };
    let left = Pattern::Reduce(Box::new(variables(Pattern::Variable(2))));
    let mut matcher = Matcher {
        scope: &mut b.terms,
        independent: &[],
    };
    let found = matcher.matches(&left, sum, 4);
    let last = Pattern::Add(Box::new([
        Pattern::Variable(2),
        Pattern::Number(crate::ring::Rational::from(1)),
    ]));
    let right = Pattern::Reduce(Box::new(variables(last)));
    let longer = right.instantiate(&mut b.terms, &found[0]).unwrap();
    let next = b.add(&[n, one]);
    let Node::Reduce(r) = *b.terms.arena.node(longer) else {
        panic!("a sum")
    };
    assert_eq!(b.terms.arena.range(r.index), Some((one, next)));
}
