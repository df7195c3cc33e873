use super::Build;

#[test]
fn a_product_of_sums_is_the_sum_of_products() {
    let mut b = Build::new();
    let (x, y, z) = (b.name("x"), b.name("y"), b.name("z"));
    let sum = b.add(&[x, y]);
    let left = b.mul(&[sum, z]);
    let parts = [b.mul(&[z, y]), b.mul(&[x, z])];
    let right = b.add(&parts);
    assert!(b.same(left, right));
}

#[test]
fn a_sum_in_a_denominator_cancels_against_its_multiple() {
    let mut b = Build::new();
    let (n, p) = (b.name("N"), b.name("P"));
    let difference = b.minus(n, p);
    let squares = [b.mul(&[n, n]), b.mul(&[p, p])];
    let square_difference = b.minus(squares[0], squares[1]);
    let quotient = b.over(square_difference, difference);
    let sum = b.add(&[n, p]);
    assert!(b.same(quotient, sum));
}

#[test]
fn a_denominator_is_primitive_up_to_its_content() {
    let mut b = Build::new();
    let (n, p, two, one) = (b.name("N"), b.name("P"), b.number(2), b.number(1));
    let doubled = [b.mul(&[two, n]), b.mul(&[two, p])];
    let doubled = b.minus(doubled[1], doubled[0]);
    let left = b.over(one, doubled);
    let difference = b.minus(n, p);
    let inverse = b.over(one, difference);
    let minus_half = b
        .terms
        .arena
        .number(crate::ring::Rational::new(-1, 2).unwrap());
    let right = b.mul(&[minus_half, inverse]);
    assert!(b.same(left, right));
}

#[test]
fn the_floor_of_a_negative_is_a_negated_ceiling() {
    let mut b = Build::new();
    let (n, p) = (b.name("N"), b.name("P"));
    let quotient = b.over(n, p);
    let negative = b.terms.arena.negate(quotient);
    let floor = b.floor(negative);
    let ceil = b.terms.arena.apply(crate::expr::Function::Ceil, quotient);
    let right = b.terms.arena.negate(ceil);
    assert!(b.same(floor, right));
}

#[test]
fn whole_constants_leave_a_floor() {
    let mut b = Build::new();
    let (x, three) = (b.name("x"), b.number(3));
    let shifted = b.add(&[x, three]);
    let left = b.floor(shifted);
    let floor = b.floor(x);
    let right = b.add(&[floor, three]);
    assert!(b.same(left, right));
}

#[test]
fn powers_of_one_base_are_one_power() {
    let mut b = Build::new();
    let (r, i, j) = (b.name("r"), b.name("i"), b.name("j"));
    let powers = [b.power(r, i), b.power(r, j)];
    let left = b.mul(&[powers[0], powers[1], r]);
    let one = b.number(1);
    let exponent = b.add(&[i, j, one]);
    let right = b.power(r, exponent);
    assert!(b.same(left, right));
}

#[test]
fn a_truth_value_is_its_own_square() {
    let mut b = Build::new();
    let (x, y) = (b.name("x"), b.name("y"));
    let bracket = b.at_most(x, y);
    let square = b.mul(&[bracket, bracket]);
    assert!(b.same(square, bracket));
}

#[test]
fn a_comparison_does_not_depend_on_its_scale_or_on_what_both_sides_share() {
    let mut b = Build::new();
    let (x, y, z, two) = (b.name("x"), b.name("y"), b.name("z"), b.number(2));
    let plain = b.at_most(x, y);
    let sides = [b.add(&[x, z]), b.add(&[y, z])];
    let scaled = [b.mul(&[two, sides[0]]), b.mul(&[two, sides[1]])];
    let other = b.at_most(scaled[0], scaled[1]);
    assert!(b.same(plain, other));
}

#[test]
fn reductions_that_differ_in_the_name_of_their_index_are_one() {
    let mut b = Build::new();
    let (n, one) = (b.name("N"), b.number(1));
    let nest = |b: &mut Build| {
        let index = b.terms.arena.fresh_index();
        let i = b.terms.arena.symbol(index);
        let body = b.mul(&[i, i]);
        b.terms
            .arena
            .reduce(crate::expr::ReduceKind::Sum, index, one, n, body)
    };
    let (first, second) = (nest(&mut b), nest(&mut b));
    assert_eq!(first, second);
}

#[test]
fn a_product_of_more_terms_than_the_limit_stays_factored() {
    let mut b = Build::new();
    let names: Vec<_> = (0..80).map(|k| b.name(&format!("x{k}"))).collect();
    let sum = b.add(&names);
    let cube = [sum, sum, sum];
    let product = b.mul(&cube);
    let canonical = b.terms.canonical(product);
    assert!(
        b.terms.arena.size(canonical) < 1_000,
        "88,560 terms were written out"
    );
}
