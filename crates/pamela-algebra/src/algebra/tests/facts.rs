use super::Build;
use crate::algebra::facts::{Prover, contradiction};
use crate::expr::{ExprId, Function, ReduceKind};

/// A prover that knows `N >= P`, `P >= 1`, both integers, and `t >= 0`.
fn prover(b: &mut Build) -> Prover {
    let (n, p, t, zero, one) = (
        b.name("N"),
        b.name("P"),
        b.name("t"),
        b.number(0),
        b.number(1),
    );
    let facts = vec![
        b.at_most(p, n),
        b.at_most(one, p),
        b.at_most(zero, t),
        b.whole(n),
        b.whole(p),
    ];
    let facts = facts
        .into_iter()
        .map(|fact| b.terms.canonical(fact))
        .collect();
    Prover::new(facts)
}

fn holds(b: &mut Build, prover: &mut Prover, guard: ExprId) -> bool {
    let guard = b.terms.canonical(guard);
    prover.holds(&mut b.terms, guard)
}

#[test]
fn bounds_follow_from_declared_facts() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, p, one) = (b.name("N"), b.name("P"), b.number(1));
    let quotient = b.over(n, p);
    let guard = b.at_most(one, quotient);
    assert!(holds(&mut b, &mut prover, guard));
    let wrong = b.less(one, quotient);
    assert!(!holds(&mut b, &mut prover, wrong));
}

#[test]
fn a_floor_is_at_least_what_its_operand_is() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, p, one, zero) = (b.name("N"), b.name("P"), b.number(1), b.number(0));
    let quotient = b.over(n, p);
    let floor = b.floor(quotient);
    let least = b.at_most(one, floor);
    assert!(holds(&mut b, &mut prover, least));
    let remainder = b.terms.arena.modulo(n, p);
    let below = b.less(remainder, p);
    let above = b.at_most(zero, remainder);
    assert!(holds(&mut b, &mut prover, below) && holds(&mut b, &mut prover, above));
}

#[test]
fn harmonic_numbers_and_factorials_have_bounds() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, p, t, one, two) = (
        b.name("N"),
        b.name("P"),
        b.name("t"),
        b.number(1),
        b.number(2),
    );
    let harmonic = b.apply(Function::Harmonic(2), n);
    let factorial = b.apply(Function::Factorial, p);
    let whole = b.whole(factorial);
    for (low, high) in [
        (one, harmonic),
        (harmonic, n),
        (one, factorial),
        (p, factorial),
    ] {
        let guard = b.at_most(low, high);
        assert!(holds(&mut b, &mut prover, guard));
    }
    assert!(holds(&mut b, &mut prover, whole));
    // N may be 1, and H of a number of unknown kind is not defined everywhere.
    let wrong = b.at_most(two, harmonic);
    assert!(!holds(&mut b, &mut prover, wrong));
    assert!(prover.defined(&mut b.terms, harmonic) && prover.defined(&mut b.terms, factorial));
    let of_time = b.apply(Function::Harmonic(1), t);
    let gamma = b.apply(Function::LogGamma, t);
    assert!(!prover.defined(&mut b.terms, of_time) && !prover.defined(&mut b.terms, gamma));
}

#[test]
fn an_index_lies_in_its_range_and_nothing_else_is_known_of_it() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (m, one) = (b.name("M"), b.number(1));
    let index = b.terms.arena.fresh_index();
    let i = b.terms.arena.symbol(index);
    let sum = b.terms.arena.reduce(ReduceKind::Sum, index, one, m, i);
    let crate::expr::Node::Reduce(r) = *b.terms.arena.node(sum) else {
        panic!("a sum")
    };
    let i = r.body;
    let inside = b.at_most(i, m);
    assert!(holds(&mut b, &mut prover, inside));
    let before_last = b.less(i, m);
    assert!(!holds(&mut b, &mut prover, before_last));
    // The range is not empty wherever there is an i, but that says nothing of M alone.
    let outside = b.at_most(one, m);
    assert!(!holds(&mut b, &mut prover, outside));
}

#[test]
fn a_max_is_decided_case_by_case() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, p) = (b.name("N"), b.name("P"));
    let largest = b.terms.arena.max(&[n, p]);
    let guard = b.at_most(largest, n);
    assert!(holds(&mut b, &mut prover, guard));
    let x = b.name("x");
    let other = b.terms.arena.max(&[n, x]);
    let unknown = b.at_most(other, n);
    assert!(!holds(&mut b, &mut prover, unknown));
}

#[test]
fn a_triangular_number_is_whole() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, one, two) = (b.name("N"), b.number(1), b.number(2));
    let next = b.add(&[n, one]);
    let product = b.mul(&[n, next]);
    let half = b.over(product, two);
    let guard = b.whole(half);
    assert!(holds(&mut b, &mut prover, guard));
    let quarter = b.over(half, two);
    let wrong = b.whole(quarter);
    assert!(!holds(&mut b, &mut prover, wrong));
}

#[test]
fn a_quotient_that_is_known_to_be_whole_makes_others_whole() {
    let mut b = Build::new();
    let (n, p, zero, two) = (b.name("N"), b.name("P"), b.number(0), b.number(2));
    let remainder = b.terms.arena.modulo(n, p);
    let divides = b
        .terms
        .arena
        .relate(crate::expr::Relation::Equal, remainder, zero);
    let facts = [b.whole(n), b.whole(p), divides].map(|fact| b.terms.canonical(fact));
    let mut prover = Prover::new(facts.to_vec());
    let doubled = b.mul(&[two, n]);
    let quotient = b.over(doubled, p);
    let guard = b.whole(quotient);
    assert!(holds(&mut b, &mut prover, guard));
    let half = b.over(n, two);
    let wrong = b.whole(half);
    assert!(!holds(&mut b, &mut prover, wrong));
}

#[test]
fn not_known_to_be_zero_is_no_proof_of_being_nonzero() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (x, p, zero) = (b.name("x"), b.name("P"), b.number(0));
    let equal = b.terms.arena.relate(crate::expr::Relation::Equal, x, zero);
    let different = b.terms.arena.not(equal);
    assert!(!holds(&mut b, &mut prover, different));
    let equal = b.terms.arena.relate(crate::expr::Relation::Equal, p, zero);
    let different = b.terms.arena.not(equal);
    assert!(holds(&mut b, &mut prover, different));
}

#[test]
fn a_quotient_is_defined_where_its_divisor_is_not_zero() {
    let mut b = Build::new();
    let mut prover = prover(&mut b);
    let (n, p, x) = (b.name("N"), b.name("P"), b.name("x"));
    let good = b.over(n, p);
    assert!(prover.defined(&mut b.terms, good));
    let bad = b.over(n, x);
    assert!(!prover.defined(&mut b.terms, bad));
}

#[test]
fn a_minimum_is_at_most_each_operand() {
    let mut b = Build::new();
    let (x, one, two) = (b.name("x"), b.number(1), b.number(2));
    let known = b.at_most(two, x);
    let known = b.terms.canonical(known);
    let mut prover = Prover::new(vec![known]);
    let least = b.terms.arena.min(&[one, x]);
    let next = b.terms.arena.add(&[least, one]);
    let guard = b.at_most(next, x);
    assert!(holds(&mut b, &mut prover, guard));
}

/// `w / 3` is whole, `w > 0`, `P >= 1`, and whole parts of 3 of `P * w + k` are at most `most` of `k`.
fn facts_of_thirds(b: &mut Build, most: ExprId) -> Vec<ExprId> {
    let (p, k, w) = (b.name("P"), b.name("k"), b.name("w"));
    let (zero, one, three) = (b.number(0), b.number(1), b.number(3));
    let (thirds_of_w, thirds_of_k) = (b.over(w, three), b.over(k, three));
    let product = b.terms.arena.mul(&[p, w]);
    let all = b.terms.arena.add(&[product, k]);
    let thirds = b.over(all, three);
    let thirds = b.floor(thirds);
    let multiple = b.terms.arena.mul(&[three, thirds]);
    let facts = vec![
        b.at_most(one, p),
        b.whole(p),
        b.whole(thirds_of_k),
        b.whole(thirds_of_w),
        b.less(zero, w),
        b.at_most(multiple, most),
    ];
    let facts = facts.into_iter();
    facts.map(|fact| b.terms.canonical(fact)).collect()
}

#[test]
fn whole_quotients_contradict_what_they_leave_no_room_for() {
    let mut b = Build::new();
    let k = b.name("k");
    let facts = facts_of_thirds(&mut b, k);
    assert_eq!(contradiction(&mut b.terms, &facts), Some(5));
    // At P = 1, w = 3 they hold.
    let mut b = Build::new();
    let (k, three) = (b.name("k"), b.number(3));
    let more = b.terms.arena.add(&[k, three]);
    let facts = facts_of_thirds(&mut b, more);
    assert_eq!(contradiction(&mut b.terms, &facts), None);
}
