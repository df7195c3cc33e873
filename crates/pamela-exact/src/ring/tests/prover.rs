use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{ENOUGH, X, Y, Z, atom, number, product, rational};
use crate::ring::Relation::{NonNegative, Positive, Zero};
use crate::ring::{Atom, Facts, Monomial, Polynomial, Rational};

fn facts(statements: &[(Polynomial, crate::ring::Relation)], integers: &[Atom]) -> Facts {
    let mut facts = Facts::new();
    for integer in integers {
        facts.assume_integer(*integer);
    }
    for (polynomial, relation) in statements {
        facts.assume(polynomial.clone(), *relation);
    }
    facts
}

fn inverse(polynomial: &Polynomial) -> Polynomial {
    Polynomial::one().divide_exact(polynomial).unwrap()
}

/// `atom >= value`
fn at_least(left: &Polynomial, right: &Polynomial) -> (Polynomial, crate::ring::Relation) {
    (left - right, NonNegative)
}

#[test]
fn constants_are_compared() {
    let nothing = Facts::new();
    assert!(nothing.nonneg(&number(0)) && nothing.zero(&number(0)) && nothing.positive(&number(1)));
    assert!(!nothing.positive(&number(0)) && !nothing.nonneg(&number(-1)));
    assert!(nothing.nonzero(&number(-1)) && !nothing.nonzero(&number(0)));
    assert!(nothing.integer(&number(3)) && !nothing.integer(&Polynomial::constant(rational(1, 2))));
}

#[test]
fn nothing_is_proved_of_unknown_atoms() {
    let (x, nothing) = (atom(0), Facts::new());
    assert!(!nothing.nonneg(&x) && !nothing.nonneg(&-&x));
    assert!(!nothing.positive(&product(&[&x, &x])));
    assert!(!nothing.nonzero(&x) && !nothing.zero(&x) && !nothing.integer(&x));
}

#[test]
fn squares_are_not_negative() {
    assert!(Facts::new().nonneg(&product(&[&atom(0), &atom(0)])));
    let square_plus_one = &product(&[&atom(0), &atom(0)]) + &number(1);
    assert!(Facts::new().positive(&square_plus_one));
}

/// `(1 - x)*y^2 - 2*(1 - x)*y*z + (2 - x)*z^2 = (1 - x)*(y - z)^2 + z^2` of a probability x: the variance of a mixture.
#[test]
fn squares_are_completed() {
    let (x, y, z) = (atom(0), atom(1), atom(2));
    let other = &number(1) - &x;
    let cross = product(&[&number(-2), &other, &y, &z]);
    let squares = &product(&[&other, &y, &y]) + &product(&[&(&other + &number(1)), &z, &z]);
    let mut facts = Facts::new();
    facts.assume_unit(X);
    assert!(facts.nonneg(&(&squares + &cross)));
    assert!(!facts.positive(&(&squares + &cross)));
    facts.assume(z.clone(), Positive);
    assert!(facts.positive(&(&squares + &cross)));
    // Beyond 1 it may be negative.
    let free = Facts::new();
    assert!(!free.nonneg(&(&squares + &cross)));
    // 1/p is not a number.
    assert!(!facts.nonneg(&(&product(&[&x, &y, &y]) + &product(&[&y, &z]))));
}

#[test]
fn a_quotient_at_least_one() {
    let (n, p) = (atom(0), atom(1));
    let facts = facts(&[at_least(&n, &p), at_least(&p, &number(1))], &[]);
    let quotient = product(&[&n, &inverse(&p)]);
    assert!(facts.nonneg(&(&quotient - &number(1))));
    assert!(facts.positive(&quotient));
    assert!(!facts.positive(&(&quotient - &number(1))));
}

#[test]
fn an_index_in_its_range() {
    let (n, i) = (atom(0), atom(1));
    let facts = facts(&[at_least(&i, &number(1)), at_least(&n, &i)], &[]);
    let square = |x: &Polynomial| product(&[x, x]);
    assert!(facts.nonneg(&(&(&n - &i) + &number(1))));
    assert!(facts.positive(&(&(&n - &i) + &number(1))));
    assert!(facts.nonneg(&(&product(&[&i, &n]) - &number(1))));
    assert!(facts.nonneg(&(&square(&n) - &square(&i))));
    assert!(facts.nonneg(&(&n - &number(1))));
    assert!(facts.nonneg(&product(&[&(&n - &i), &(&i - &number(1))])));
    assert!(facts.nonzero(&n) && facts.nonzero(&product(&[&n, &i])));
    assert!(!facts.nonneg(&(&n - &number(2))));
    assert!(!facts.nonneg(&(&(&n - &i) - &number(1))));
}

#[test]
fn indices_of_a_nest() {
    // 1 <= i <= N, i <= j <= N, j <= k <= N
    let [n, i, j, k] = [0, 1, 2, 3].map(atom);
    let facts = facts(
        &[
            at_least(&i, &number(1)),
            at_least(&n, &i),
            at_least(&j, &i),
            at_least(&n, &j),
            at_least(&k, &j),
            at_least(&n, &k),
        ],
        &[],
    );
    assert!(facts.nonneg(&(&n - &number(1))));
    assert!(facts.nonneg(&(&k - &i)));
    assert!(facts.nonneg(&(&product(&[&k, &n]) - &product(&[&i, &j]))));
    assert!(!facts.nonneg(&(&k - &(&j + &number(1)))));
}

#[test]
fn work_of_known_signs() {
    let [n, local, service] = [0, 1, 2].map(atom);
    let mut facts = Facts::new();
    [X, Y, Z]
        .into_iter()
        .for_each(|atom| facts.assume_nonnegative(atom));
    assert!(facts.nonneg(&product(&[&n, &(&local + &service)])));
    assert!(!facts.positive(&product(&[&n, &(&local + &service)])));
    assert!(!facts.nonneg(&(&local - &service)));
}

#[test]
fn the_sorting_model_has_non_negative_work() {
    // (N/P) (N/P - 1) / 2 * c * t + P t - t
    let [n, p, t, c] = [0, 1, 2, 3].map(atom);
    let mut facts = facts(&[at_least(&n, &p), at_least(&p, &number(1))], &[]);
    facts.assume_nonnegative(Atom(2));
    facts.assume_nonnegative(Atom(3));
    let share = product(&[&n, &inverse(&p)]);
    let sorting = product(&[&share, &(&share - &number(1)), &c, &t]).scale(&rational(1, 2));
    assert!(facts.nonneg(&(&(&sorting + &product(&[&p, &t])) - &t)));
    assert!(!facts.nonneg(&(&sorting - &t)));
}

#[test]
fn a_floored_quotient_is_not_negative() {
    // P f <= N < P f + P
    let [n, p, f] = [0, 1, 2].map(atom);
    let multiple = product(&[&p, &f]);
    let statements = [
        at_least(&n, &number(1)),
        at_least(&p, &number(1)),
        at_least(&n, &multiple),
        (&(&multiple + &p) - &n, Positive),
    ];
    let integers = facts(&statements, &[X, Y, Z]);
    assert!(integers.nonneg(&f));
    assert!(integers.nonneg(&(&n - &multiple)));
    assert!(integers.with(f.clone(), NonNegative).nonneg(&(&n - &f)));
    assert!(!integers.positive(&f));
    // f = -1/2, P = 4, N = 1 satisfies the facts.
    assert!(!facts(&statements, &[]).nonneg(&f));
}

#[test]
fn integers_have_no_values_between() {
    let n = atom(0);
    let twice = n.scale(&rational(2, 1));
    let facts = facts(&[(&twice - &number(1), Positive)], &[X]);
    assert!(facts.nonneg(&(&n - &number(1))));
    assert!(facts.positive(&(&twice - &number(1))));
    assert!(!facts.positive(&(&n - &number(1))));
}

#[test]
fn equations_are_used_in_both_directions() {
    let [n, p, q] = [0, 1, 2].map(atom);
    let equation = (&n - &product(&[&p, &q]), Zero);
    let facts = facts(
        &[equation, at_least(&q, &number(1)), at_least(&p, &number(1))],
        &[X, Y, Z],
    );
    assert!(facts.nonneg(&(&n - &p)));
    assert!(facts.zero(&(&product(&[&n, &n]) - &product(&[&p, &q, &n]))));
    assert!(facts.integer(&product(&[&n, &inverse(&p)])));
    assert!(!facts.integer(&product(&[&n, &inverse(&q.scale(&rational(2, 1)))])));
}

#[test]
fn probabilities_have_complements() {
    let mut facts = Facts::new();
    facts.assume_unit(X);
    facts.assume_unit(Y);
    let (x, y) = (atom(0), atom(1));
    assert!(facts.nonneg(&(&number(1) - &x)));
    assert!(facts.nonneg(&(&number(1) - &product(&[&x, &y]))));
    assert!(facts.nonneg(&(&x - &product(&[&x, &x]))));
    assert!(!facts.nonneg(&(&x - &y)));
}

#[test]
fn integer_valued_polynomials_are_recognised() {
    let facts = facts(&[], &[X, Y]);
    let (n, m) = (atom(0), atom(1));
    let falling = |x: &Polynomial, k: i64| {
        let factors: Vec<Polynomial> = (0..k).map(|i| x - &number(i)).collect();
        product(&factors.iter().collect::<Vec<_>>())
    };
    assert!(facts.integer(&falling(&n, 2).scale(&rational(1, 2))));
    assert!(facts.integer(&falling(&(&n + &m), 3).scale(&rational(1, 6))));
    assert!(facts.integer(&product(&[&falling(&n, 2), &falling(&m, 2)]).scale(&rational(1, 4))));
    assert!(!facts.integer(&product(&[&n, &m]).scale(&rational(1, 2))));
    assert!(!facts.integer(&product(&[&n, &n]).scale(&rational(1, 2))));
    assert!(!facts.integer(&inverse(&n)));
    assert!(!facts.integer(&atom(2)));
}

#[test]
fn adding_to_a_clone_leaves_the_original_alone() {
    let outer = Facts::new().with(atom(0), NonNegative);
    let inner = outer.with(&atom(1) - &atom(0), NonNegative).with_integer(Y);
    assert!(inner.nonneg(&atom(1)) && inner.is_integer(Y));
    assert!(!outer.nonneg(&atom(1)) && !outer.is_integer(Y));
}

#[test]
fn many_facts_cost_little() {
    let mut root = Facts::new();
    for i in 0..10_000 {
        root.assume(&atom(i) - &number(1), NonNegative);
    }
    for i in 0..1_000 {
        let scope = root.with(&atom(i) - &atom(20_000), NonNegative);
        assert!(scope.nonneg(&product(&[&atom(i), &atom(i + 1)])));
        assert!(!scope.nonneg(&atom(20_000)));
    }
}

#[test]
fn hopeless_questions_are_given_up_soon() {
    // A dense web of products, and something that does not follow from it.
    let mut facts = Facts::new();
    for i in 0..12 {
        for j in 0..i {
            let web = &product(&[&atom(i), &atom(j)]) - &atom((i + j) % 12);
            facts.assume(&web + &number(i64::from(i)), NonNegative);
        }
    }
    let sum: Polynomial = (0..12).map(atom).sum();
    assert!(!facts.nonneg(&sum.pow(3, ENOUGH).unwrap()));
    assert!(!facts.nonneg(&(&sum - &number(5))));
}

const BOX: std::ops::RangeInclusive<i64> = -2..=3;

fn random_polynomial(random: &mut Pcg64, terms: usize) -> Polynomial {
    let term = |_| {
        let power = |random: &mut Pcg64| [0, 0, 0, 1, 1, 1, 2, -1][random.random_range(0..8)];
        let monomial = (0..3).fold(Monomial::one(), |product, index| {
            let factor = Monomial::power(Atom(index), power(random));
            product.checked_mul(&factor).unwrap()
        });
        (
            monomial,
            rational(random.random_range(-4..=4), random.random_range(1..=2)),
        )
    };
    Polynomial::from_terms((0..terms).map(term).collect())
}

/// A fact as models have them: a bound of one atom by another or by a number, or anything.
fn random_fact(random: &mut Pcg64) -> (Polynomial, crate::ring::Relation) {
    let pick = |random: &mut Pcg64| atom(random.random_range(0..3));
    let sides = match random.random_range(0..8) {
        0..=2 => &pick(random) - &number(random.random_range(-1..=2)),
        3..=4 => &pick(random) - &pick(random),
        5 => &product(&[&pick(random), &pick(random)]) - &pick(random),
        6 => &number(random.random_range(0..=4)) - &pick(random),
        _ => random_polynomial(random, 2),
    };
    let relation = [NonNegative, NonNegative, Positive, Zero][random.random_range(0..4)];
    (sides, relation)
}

/// The points of the box where the facts hold; atoms that are integers take no halves.
fn points(
    statements: &[(Polynomial, crate::ring::Relation)],
    integers: &[Atom],
) -> Vec<[Rational; 3]> {
    let values = |atom: Atom| -> Vec<Rational> {
        if integers.contains(&atom) {
            BOX.map(Rational::from).collect()
        } else {
            (2 * BOX.start()..=2 * BOX.end())
                .map(|n| rational(n, 2))
                .collect()
        }
    };
    let mut points = Vec::new();
    for x in values(X) {
        for y in values(Y) {
            for z in values(Z) {
                points.push([x.clone(), y.clone(), z]);
            }
        }
    }
    points.retain(|point| {
        statements.iter().all(|(polynomial, relation)| {
            value(polynomial, point).is_some_and(|value| match relation {
                NonNegative => !value.is_negative(),
                Positive => value.is_positive(),
                Zero => value.is_zero(),
            })
        })
    });
    points
}

fn value(polynomial: &Polynomial, point: &[Rational; 3]) -> Option<Rational> {
    polynomial.evaluate(|atom| point[atom.0 as usize].clone())
}

#[test]
fn what_is_proved_holds_at_every_point_of_a_box() {
    let mut random = Pcg64::seed_from_u64(20_260_101);
    let mut proofs = [0; 5];
    for _ in 0..120 {
        let count = random.random_range(1..=5);
        let statements: Vec<_> = (0..count).map(|_| random_fact(&mut random)).collect();
        let integers: Vec<Atom> = [X, Y, Z].into_iter().filter(|_| random.random()).collect();
        let facts = facts(&statements, &integers);
        let points = points(&statements, &integers);
        if points.is_empty() {
            continue;
        }
        for _ in 0..5 {
            let terms = random.random_range(1..=3);
            let goal = random_polynomial(&mut random, terms);
            let values = || points.iter().filter_map(|point| value(&goal, point));
            let answers = [
                (
                    facts.nonneg(&goal),
                    values().all(|value| !value.is_negative()),
                ),
                (
                    facts.positive(&goal),
                    values().all(|value| value.is_positive()),
                ),
                (facts.zero(&goal), values().all(|value| value.is_zero())),
                (facts.nonzero(&goal), values().all(|value| !value.is_zero())),
                (
                    facts.integer(&goal),
                    values().all(|value| value.is_integer()),
                ),
            ];
            for ((proved, holds), count) in answers.into_iter().zip(&mut proofs) {
                assert!(holds || !proved, "{statements:?} {integers:?} |- {goal:?}");
                *count += usize::from(proved);
            }
        }
    }
    assert!(
        proofs.iter().all(|count| *count > 5),
        "too few proofs to tell: {proofs:?}"
    );
}

#[test]
fn a_bound_above_and_a_bound_below_add_up() {
    let (x, y) = (Polynomial::atom(X), Polynomial::atom(Y));
    let below = at_least(&number(1), &y);
    let above = at_least(&x, &number(2));
    let goal = &(&x - &y) - &number(1);
    assert!(facts(&[below.clone(), above.clone()], &[]).nonneg(&goal));
    let known = facts(&[above.clone(), below.clone(), at_least(&x, &y)], &[]);
    assert!(known.nonneg(&goal));
    let known = facts(
        &[above, below, at_least(&x, &y), at_least(&y, &number(0))],
        &[],
    );
    assert!(known.nonneg(&goal));
}
