//! Values of variables after j iterations that all make the same changes: sums of `c * b^j * binomial(j, d)`.

use std::collections::BTreeMap;

use super::changes::Form;
use super::number::*;

/// Degrees of polynomials in the number of the iteration.
const MOST_DEGREE: u32 = 6;

/// The values that are known, by the variables.
pub type State = BTreeMap<String, Number>;

/// The terms by their base and degree, over a divisor that divides their sum.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub terms: BTreeMap<(i64, u32), Number>,
    divisor: i64,
}

impl Sequence {
    pub fn constant(value: Number) -> Sequence {
        Sequence {
            terms: BTreeMap::from([((1, 0), value)]),
            divisor: 1,
        }
    }

    pub fn plus(&self, other: &Sequence, factor: i64) -> Option<Sequence> {
        let mut sum = Sequence {
            terms: BTreeMap::new(),
            divisor: self.divisor.checked_mul(other.divisor)?,
        };
        for (own, by) in [
            (self, other.divisor),
            (other, self.divisor.checked_mul(factor)?),
        ] {
            for (kind, value) in &own.terms {
                sum.add(*kind, &value.scaled(by)?)?;
            }
        }
        Some(sum.reduced())
    }

    pub fn add(&mut self, kind: (i64, u32), value: &Number) -> Option<()> {
        let sum = self.terms.entry(kind).or_default();
        *sum = sum.plus(value)?;
        (kind.1 <= MOST_DEGREE).then_some(())
    }

    /// Without a factor that the divisor has in common with all terms.
    fn reduced(mut self) -> Sequence {
        self.terms.retain(|_, value| *value != Number::default());
        for prime in [2, 3, 5, 7] {
            let is_multiple = |value: &Number| value.multiples_of(prime) == *value;
            while self.divisor % prime == 0 && self.terms.values().all(is_multiple) {
                self.divisor /= prime;
                for value in self.terms.values_mut() {
                    *value = value.div(&Number::constant(prime));
                }
            }
        }
        if self.divisor < 0 {
            let opposite = |value: &Number| value.scaled(-1);
            let all: Option<Vec<Number>> = self.terms.values().map(opposite).collect();
            if let Some(all) = all {
                self.divisor = -self.divisor;
                self.terms
                    .values_mut()
                    .zip(all)
                    .for_each(|(own, value)| *own = value);
            }
        }
        self
    }

    /// `x` with `x(0) = first` and `x(j + 1) = factor * x(j) + more(j)`.
    fn recurrence(first: &Number, factor: i64, more: &Sequence) -> Option<Sequence> {
        let mut sum = Sequence {
            terms: BTreeMap::new(),
            divisor: more.divisor,
        };
        let mut begin = Number::default();
        // All terms over the same divisor: a particular solution of each, and what it lacks at first.
        let mut own_divisors: Vec<((i64, u32), i64)> = Vec::new();
        let mut common = 1_i64;
        for (base, degree) in more.terms.keys() {
            let by = if *base == factor {
                factor
            } else {
                base.checked_sub(factor)?.checked_pow(degree + 1)?
            };
            if by == 0 {
                return None;
            }
            own_divisors.push(((*base, *degree), by));
            common = common.checked_mul(by)?;
        }
        for ((base, degree), by) in own_divisors {
            let value = more.terms[&(base, degree)].scaled(common / by)?;
            if base == factor {
                sum.add((base, degree + 1), &value)?;
                continue;
            }
            for lower in 0..=degree {
                let powers = base.checked_neg()?.checked_pow(degree - lower)?;
                let factor = powers.checked_mul((base - factor).checked_pow(lower)?)?;
                let own = value.scaled(factor)?;
                sum.add((base, lower), &own)?;
                if lower == 0 {
                    begin = begin.plus(&own)?;
                }
            }
        }
        sum.divisor = sum.divisor.checked_mul(common)?;
        let rest = first.scaled(sum.divisor)?.minus(&begin)?;
        sum.add((factor, 0), &rest)?;
        Some(sum.reduced())
    }

    /// The value at first and what each iteration adds, where this is always the same.
    pub fn steady(&self) -> Option<(Number, Number)> {
        let is_known = |kind: &(i64, u32)| [(1, 0), (1, 1)].contains(kind);
        let of = |degree: u32| self.terms.get(&(1, degree)).cloned().unwrap_or_default();
        (self.divisor == 1 && self.terms.keys().all(is_known)).then(|| (of(0), of(1)))
    }

    /// A part of a value, where the divisor divides it.
    fn over_divisor(mut self, divisor: i64) -> Option<Sequence> {
        self.divisor = self.divisor.checked_mul(divisor)?;
        Some(self.reduced())
    }

    /// The product of two values after the same number of iterations.
    pub fn times(&self, other: &Sequence) -> Option<Sequence> {
        let mut product = Sequence {
            terms: BTreeMap::new(),
            divisor: self.divisor.checked_mul(other.divisor)?,
        };
        for ((base, a), value) in &self.terms {
            for ((by, b), factor) in &other.terms {
                let value = value.times(factor)?;
                for degree in *a.max(b)..=a + b {
                    // binomial(j, a) * binomial(j, b) has this much of binomial(j, degree).
                    let shared = binomial(degree, *a).checked_mul(binomial(*a, degree - b))?;
                    let kind = (base.checked_mul(*by)?, degree);
                    product.add(kind, &value.scaled(shared)?)?;
                }
            }
        }
        Some(product.reduced())
    }

    /// How the value compares with 0, after `j` iterations: without the divisor, which is above 0.
    pub fn compared(&self, comparison: Comparison, j: &Number) -> Option<Condition> {
        let degrees = self.terms.keys().map(|(_, degree)| *degree);
        let mut own = self.clone();
        own.divisor = 1;
        let factor = factorial(degrees.max().unwrap_or(0));
        let number = own.over(factor, j)?;
        let (more, less) = number.sides();
        let constant = number.constant_part();
        let more = more.plus_constant(constant)?;
        Some(Condition::compare(comparison, less, more))
    }

    /// The value after `j` iterations.
    pub fn at(&self, j: &Number) -> Option<Number> {
        let degrees = self.terms.keys().map(|(_, degree)| *degree);
        let factor = factorial(degrees.max().unwrap_or(0));
        let divisor = self.divisor.checked_mul(factor)?;
        Some(self.over(factor, j)?.div(&Number::constant(divisor)))
    }

    /// The value after `j` iterations, times the divisor and this multiple of the factorials of all degrees.
    fn over(&self, factor: i64, j: &Number) -> Option<Number> {
        let mut sum = Number::default();
        for ((base, own), value) in &self.terms {
            let mut term = value.scaled(factor / factorial(*own))?;
            for less in 0..*own {
                term = term.times(&j.plus_constant(-i64::from(less))?)?;
            }
            sum = sum.plus(&term.times(&power(*base, j))?)?;
        }
        Some(sum)
    }
}

fn factorial(n: u32) -> i64 {
    i64::from((1..=n).product::<u32>())
}

/// How many of n things there are to choose k.
fn binomial(n: u32, k: u32) -> i64 {
    factorial(n) / factorial(k) / factorial(n - k)
}

fn power(base: i64, exponent: &Number) -> Number {
    let known = exponent
        .as_constant()
        .and_then(|own| base.checked_pow(u32::try_from(own).ok()?));
    match base {
        _ if known.is_some() => Number::constant(known.unwrap_or_default()),
        1 => Number::constant(1),
        0 => Number::choose(
            Condition::compare(Comparison::Equal, exponent.clone(), Number::default()),
            Number::constant(1),
            Number::default(),
        ),
        _ => Number::atom(Atom::Power(Number::constant(base), exponent.clone())),
    }
}

/// The sequences of the variables that a linear update changes, of those that can be solved one after the other.
pub fn solved(next: &BTreeMap<String, Form>, state: &State) -> BTreeMap<String, Sequence> {
    let kept = state.iter().filter(|(name, _)| !next.contains_key(*name));
    let kept = kept.map(|(name, value)| (name.clone(), Sequence::constant(value.clone())));
    let names: Vec<&String> = next.keys().collect();
    one_by_one(&names, kept.collect(), &|name, found| {
        let form = next.get(name)?;
        let mut more = Sequence::constant(form.rest.clone());
        for (other, factor) in form.variables.iter().filter(|(other, _)| *other != name) {
            more = more.plus(found.get(other)?, *factor)?;
        }
        let factor = form.variables.get(name).copied().unwrap_or(0);
        Sequence::recurrence(state.get(name)?, factor, &more)
    })
}

/// The sequences of polynomial updates: of variables that are multiplied by a constant, beside products of those that are
/// solved before. The symbols that are known are no variables.
pub fn solved_polynomials(
    next: &BTreeMap<Symbol, Number>,
    state: &BTreeMap<Symbol, Number>,
    is_known: &dyn Fn(Symbol) -> bool,
) -> BTreeMap<Symbol, Sequence> {
    let names: Vec<&Symbol> = next.keys().collect();
    let more =
        |number: &Number, found: &BTreeMap<Symbol, Sequence>| polynomial(number, found, is_known);
    let solve = |symbol: &Symbol, found: &BTreeMap<Symbol, Sequence>| {
        let (factor, rest) = apart(next.get(symbol)?, *symbol)?;
        Sequence::recurrence(state.get(symbol)?, factor, &more(&rest, found)?)
    };
    let mut found = one_by_one(&names, BTreeMap::new(), &solve);
    let pairs = names
        .iter()
        .flat_map(|a| names.iter().map(move |b| (**a, **b)));
    for (a, b) in pairs.filter(|(a, b)| a < b) {
        if found.contains_key(&a) || found.contains_key(&b) {
            continue;
        }
        let both = || {
            let ((aa, rest_a), (bb, rest_b)) = (apart(next.get(&a)?, a)?, apart(next.get(&b)?, b)?);
            let ((ab, rest_a), (ba, rest_b)) = (apart(&rest_a, b)?, apart(&rest_b, a)?);
            let rests = [more(&rest_a, &found)?, more(&rest_b, &found)?];
            pair(
                [[aa, ab], [ba, bb]],
                [state.get(&a)?, state.get(&b)?],
                &rests,
            )
        };
        if let Some([own_a, own_b]) = both() {
            found.extend([(a, own_a), (b, own_b)]);
            found = one_by_one(&names, found, &solve);
        }
    }
    found
}

/// The factor of a symbol in a sum, and the rest.
fn apart(number: &Number, symbol: Symbol) -> Option<(i64, Number)> {
    let factor = number.coefficient(symbol)?;
    let rest = number.minus(&Number::symbol(symbol).scaled(factor)?)?;
    Some((factor, rest))
}

/// Two values that go into each other, where a whole number is an eigenvalue: `ba * x + (value - aa) * y` is then multiplied
/// by it in each iteration, and the other one multiplies x beside that sum.
fn pair(
    [[aa, ab], [ba, bb]]: [[i64; 2]; 2],
    [x, y]: [&Number; 2],
    [more_x, more_y]: &[Sequence; 2],
) -> Option<[Sequence; 2]> {
    let (sum, product) = (
        aa.checked_add(bb)?,
        aa.checked_mul(bb)?.checked_sub(ab.checked_mul(ba)?)?,
    );
    let root = sum.checked_mul(sum)?.checked_sub(product.checked_mul(4)?)?;
    let root = i64::try_from(
        u64::try_from(root)
            .ok()
            .filter(|own| own.isqrt().pow(2) == *own)?
            .isqrt(),
    )
    .ok()?;
    // The square and the sum are both odd or both even.
    let value = (sum + root) / 2;
    let by = value - aa;
    if by == 0 || ba == 0 {
        return None;
    }
    let first = x.scaled(ba)?.plus(&y.scaled(by)?)?;
    let nothing = Sequence::constant(Number::default());
    let more = nothing.plus(more_x, ba)?.plus(more_y, by)?;
    let both = Sequence::recurrence(&first, value, &more)?;
    let rest = nothing.plus(&both, ab)?.over_divisor(by)?.plus(more_x, 1)?;
    let own = Sequence::recurrence(x, sum - value, &rest)?;
    let other = both.plus(&own, -ba)?.over_divisor(by)?;
    Some([own, other])
}

/// Solves a variable by those that are solved.
type Solve<'s, K> = &'s dyn Fn(&K, &BTreeMap<K, Sequence>) -> Option<Sequence>;

fn one_by_one<K: Ord + Clone>(
    names: &[&K],
    mut found: BTreeMap<K, Sequence>,
    solve: Solve<K>,
) -> BTreeMap<K, Sequence> {
    loop {
        let before = found.len();
        for name in names {
            if !found.contains_key(*name)
                && let Some(own) = solve(name, &found)
            {
                found.insert((*name).clone(), own);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The value of a polynomial in symbols with these values; nothing where others that are not known stand in it, or one of
/// them inside of an atom.
pub fn polynomial(
    number: &Number,
    values: &BTreeMap<Symbol, Sequence>,
    is_known: &dyn Fn(Symbol) -> bool,
) -> Option<Sequence> {
    let mut sum = Sequence::constant(Number::default());
    for (monomial, coefficient) in number.terms() {
        let mut product = Sequence::constant(Number::constant(coefficient));
        for (atom, exponent) in monomial {
            let own = match atom {
                Atom::Symbol(symbol) if values.contains_key(symbol) => values[symbol].clone(),
                _ => {
                    let own = Number::atom(atom.clone());
                    let mut all = true;
                    own.symbols(&mut |symbol| all &= is_known(symbol));
                    all.then(|| Sequence::constant(own))?
                }
            };
            for _ in 0..*exponent {
                product = product.times(&own)?;
            }
        }
        sum = sum.plus(&product, 1)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A form of x, y and z.
    fn form(x: i64, y: i64, z: i64, rest: i64) -> Form {
        let all = [("x", x), ("y", y), ("z", z)].into_iter();
        let variables = all.filter(|(_, factor)| *factor != 0);
        Form {
            variables: variables
                .map(|(name, factor)| (name.to_string(), factor))
                .collect(),
            rest: Number::constant(rest),
        }
    }

    /// Powers of constants with constant exponents.
    fn evaluated(number: &Number) -> i64 {
        number
            .terms()
            .map(|(monomial, coefficient)| {
                monomial
                    .iter()
                    .fold(coefficient, |product, (atom, exponent)| {
                        let value = match atom {
                            Atom::Power(base, exponent) => {
                                let exponent = evaluated(exponent);
                                evaluated(base).pow(u32::try_from(exponent).expect("an exponent"))
                            }
                            Atom::Div(a, b) => {
                                let (a, b) = (evaluated(a), evaluated(b));
                                assert_eq!(a % b, 0, "a divisor that does not divide");
                                a / b
                            }
                            other => panic!("{other:?}"),
                        };
                        product * value.pow(*exponent)
                    })
            })
            .sum()
    }

    #[test]
    fn values_are_those_of_the_iterations() {
        let mut compared = 0;
        for code in 0_i64..2_000 {
            // Coefficients from -2 to 3, many of them 0 and 1; z first, then y, then x.
            let digit = |at: u32| {
                [0, 1, 1, -1, 2, 3, 0, -2, 1]
                    [(code * 7919 / 9_i64.pow(at % 4) + i64::from(at)).rem_euclid(9) as usize]
            };
            let next = BTreeMap::from([
                (
                    "x".to_string(),
                    form(digit(0), digit(1), digit(2), digit(3)),
                ),
                ("y".to_string(), form(0, digit(1), digit(3), digit(0))),
                ("z".to_string(), form(0, 0, digit(2), digit(1))),
            ]);
            let first = [digit(3), 1 - digit(0), digit(1) * 2];
            let names = ["x", "y", "z"];
            let state: State = names
                .iter()
                .zip(first)
                .map(|(name, value)| (name.to_string(), Number::constant(value)))
                .collect();
            let found = solved(&next, &state);
            let mut values = first;
            for j in 0..7 {
                for (name, value) in names.iter().zip(values) {
                    let Some(sequence) = found.get(*name) else {
                        continue;
                    };
                    let own = sequence.at(&Number::constant(j)).expect("a number");
                    assert_eq!(evaluated(&own), value, "{name}({j}) of {next:?}");
                    compared += 1;
                }
                values = ["x", "y", "z"].map(|name| {
                    let own = &next[name];
                    let terms = names.iter().zip(values);
                    let terms =
                        terms.map(|(name, value)| own.variables.get(*name).unwrap_or(&0) * value);
                    terms.sum::<i64>() + own.rest.as_constant().expect("a number")
                });
            }
        }
        assert!(compared > 30_000, "{compared} values");
    }

    #[test]
    fn pairs_are_those_of_the_iterations() {
        let [a, b] = [Symbol(0), Symbol(1)];
        let mut compared = 0;
        for code in 0_i64..4_000 {
            let digit = |at: u32| {
                [0, 1, 4, -1, 2, 3, -6, -2, 1]
                    [(code * 7919 / 9_i64.pow(at % 5)).rem_euclid(9) as usize]
            };
            let sum = |x: i64, y: i64, rest: i64| {
                let both = Number::symbol(a)
                    .scaled(x)?
                    .plus(&Number::symbol(b).scaled(y)?);
                both?.plus_constant(rest)
            };
            let next_a = sum(digit(0), digit(1), digit(4)).expect("a sum");
            let next_b = sum(digit(2), digit(3), digit(0)).expect("a sum");
            let (mut x, mut y) = (digit(1), 1 - digit(4));
            let state = BTreeMap::from(
                [a, b].map(|own| (own, Number::constant(if own == a { x } else { y }))),
            );
            let next = BTreeMap::from([(a, next_a), (b, next_b)]);
            let found = solved_polynomials(&next, &state, &|_| false);
            for j in 0..6 {
                if let (Some(own), Some(other)) = (found.get(&a), found.get(&b)) {
                    let j = Number::constant(j);
                    let both = [own, other].map(|own| evaluated(&own.at(&j).expect("a number")));
                    assert_eq!(both, [x, y], "{next:?}");
                    compared += 1;
                }
                let after = digit(0) * x + digit(1) * y + digit(4);
                y = digit(2) * x + digit(3) * y + digit(0);
                x = after;
            }
        }
        assert!(compared > 8_000, "{compared} values");
    }
}
