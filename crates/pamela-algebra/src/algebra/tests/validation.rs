use super::Build;
use crate::algebra::validation::{Claim, LAW_OPERATIONS, Verdict, validate};
use crate::expr::{ExprId, Function, ReduceKind};

impl Build {
    /// `kind (i = lower, upper) { body(i) }`
    fn reduce(
        &mut self,
        kind: ReduceKind,
        lower: ExprId,
        upper: ExprId,
        body: impl FnOnce(&mut Build, ExprId) -> ExprId,
    ) -> ExprId {
        let index = self.terms.arena.fresh_index();
        let term = self.terms.arena.symbol(index);
        let body = body(self, term);
        self.terms.arena.reduce(kind, index, lower, upper, body)
    }

    fn max(&mut self, operands: &[ExprId]) -> ExprId {
        self.terms.arena.max(operands)
    }
}

/// What is found of a claim: the values of both sides, or the number of points at which they agree.
fn verdict(
    b: &Build,
    facts: &[ExprId],
    conditions: &[ExprId],
    left: ExprId,
    right: ExprId,
) -> Result<usize, (String, Option<String>)> {
    let claim = Claim {
        facts,
        conditions,
        left,
        right,
    };
    match validate(&b.terms.arena, claim, &mut LAW_OPERATIONS.clone()) {
        Verdict::Agrees { points } => Ok(points),
        Verdict::Refuted(found) => Err((found.expected, found.found)),
    }
}

#[test]
fn a_right_closed_form_is_compared_at_many_points() {
    let mut b = Build::new();
    let (n, one, zero) = (b.name("N"), b.number(1), b.number(0));
    let sum = b.reduce(ReduceKind::Sum, one, n, |_, i| i);
    let next = b.add(&[n, one]);
    let half = b
        .terms
        .arena
        .number(crate::ring::Rational::new(1, 2).expect("a half"));
    let closed = b.mul(&[half, n, next]);
    let facts = [b.whole(n), b.at_most(zero, n)];
    let points = verdict(&b, &facts, &[], sum, closed).expect("it is right");
    assert!(points >= 12, "{points}");
    // Without the fact that N is not negative it is wrong at N = -2, where the range is empty.
    assert!(verdict(&b, &facts[..1], &[], sum, closed).is_err());
    // Where that is a condition, it is right again.
    assert!(verdict(&b, &facts[..1], &facts[1..], sum, closed).is_ok());
}

#[test]
fn wrong_closed_forms_of_each_kind_are_refuted() {
    let mut b = Build::new();
    let (n, a, t) = (b.name("N"), b.name("a"), b.name("t"));
    let (one, zero, seven) = (b.number(1), b.number(0), b.number(7));
    let facts = [b.whole(n), b.at_most(zero, n)];
    let ones = b.reduce(ReduceKind::Sum, one, n, |_, _| one);
    let largest = b.reduce(ReduceKind::Max, one, n, |b, _| b.add(&[a, one]));
    let with_a = b.add(&[a, one]);
    let next = b.add(&[n, one]);
    let line = b.reduce(ReduceKind::Max, one, n, |b, i| b.mul(&[t, i]));
    let at_end = b.mul(&[t, n]);
    let remainder = b.terms.arena.modulo(n, seven);
    let inverse = b.over(one, n);
    let wrong = [
        // An end off by one.
        (ones, next),
        // A missing empty range: the largest of none is 0.
        (largest, with_a),
        // A slope that may fall.
        (line, at_end),
        // A remainder that is none below the divisor.
        (remainder, n),
        // One that has no value at 0.
        (ones, inverse),
    ];
    for (number, (left, right)) in wrong.into_iter().enumerate() {
        assert!(verdict(&b, &facts, &[], left, right).is_err(), "{number}");
    }
}

#[test]
fn level_slopes_with_three_operands_are_refuted_where_the_slope_is_0() {
    let mut b = Build::new();
    let [t, n, x, y, c] = ["t", "N", "a", "b", "c"].map(|name| b.name(name));
    let (one, zero) = (b.number(1), b.number(0));
    let body = |b: &mut Build, i| {
        let (first, last) = (b.mul(&[t, i]), b.mul(&[c, i]));
        let first = b.add(&[x, first]);
        b.max(&[first, y, last])
    };
    let sum = b.reduce(ReduceKind::Sum, one, n, body);
    // Where t = 0 and c = 0 each element is max(a, b, 0), not this.
    let (excess, least) = (b.minus(x, y), b.max(&[zero, y]));
    let excess = b.max(&[zero, excess]);
    let element = b.add(&[excess, least]);
    let level = b.mul(&[n, element]);
    let is_level = b.terms.arena.relate(crate::expr::Relation::Equal, c, zero);
    let claimed = b.terms.arena.if_else(is_level, level, sum);
    let facts = [
        b.whole(n),
        b.at_most(zero, n),
        b.terms.arena.relate(crate::expr::Relation::Equal, t, zero),
    ];
    assert!(verdict(&b, &facts, &[], sum, claimed).is_err());
}

#[test]
fn free_indices_have_values_of_their_ranges() {
    let mut b = Build::new();
    let (n, one) = (b.name("N"), b.number(1));
    let zero = b.number(0);
    // The index has its canonical name in the finished reduction alone.
    let sum = b.reduce(ReduceKind::Sum, one, n, |b, i| {
        let floor = b.apply(Function::Floor, i);
        b.max(&[floor, one])
    });
    let crate::expr::Node::Reduce(r) = *b.terms.arena.node(sum) else {
        panic!("a sum is a reduction");
    };
    let i = b.terms.arena.symbol(r.index);
    let facts = [b.whole(n), b.at_most(zero, n)];
    assert!(verdict(&b, &facts, &[], r.body, i).expect("1 <= i") > 0);
    assert!(verdict(&b, &facts, &[], r.body, n).is_err());
}

#[test]
fn numbers_that_an_expression_mentions_are_tried() {
    let mut b = Build::new();
    let (n, modulus, zero) = (b.name("N"), b.number(67), b.number(0));
    let facts = [b.whole(n), b.at_most(zero, n)];
    let remainder = b.terms.arena.modulo(n, modulus);
    assert!(verdict(&b, &facts, &[], remainder, n).is_err());
}
