//! Identities for combined function values: roots and factorials in a product, harmonic numbers in a sum, a logarithm
//! in an exponent.

use crate::expr::{ExprId, Function, Node};
use crate::ring::{Atom, Monomial, Polynomial, Rational};

use crate::algebra::terms::{Terms, atom_of, expr_of};

/// Factorials and harmonic numbers whose operands differ by more are not joined.
const MAX_DISTANCE: i64 = 8;
/// Numbers are no greater powers of the base of a logarithm.
const LARGEST_WHOLE_LOGARITHM: i32 = 64;

impl Terms {
    /// The function and the operand of an atom that is a value.
    pub(in crate::algebra) fn value_of(&self, atom: Atom) -> Option<(Function, ExprId)> {
        match *self.arena.node(expr_of(atom)) {
            Node::Apply(function, operand) => Some((function, operand)),
            _ => None,
        }
    }

    /// `sqrt(x)^2 = x`, `x / sqrt(x) = sqrt(x)`, `sqrt(x * y) * sqrt(x) = sqrt(x^2 * y)`: the factor that a root
    /// forms with others, and the remaining monomial.
    pub(super) fn merge_root(
        &mut self,
        monomial: &Monomial,
        root: Atom,
    ) -> Option<(Polynomial, Monomial)> {
        let (Function::Sqrt, operand) = self.value_of(root)? else {
            return None;
        };
        if let Some(merged) = self.merge_two_roots(monomial, root, operand) {
            return Some(merged);
        }
        let power = monomial.exponent(root);
        let rest = monomial.without(root);
        // Towards 0, so that at most one root is left, on the side where it was.
        let (whole, left) = (power / 2, power % 2);
        let (whole, left) = if self.divides(operand, &rest, -left) {
            (whole + left, -left)
        } else {
            (whole, left)
        };
        if whole == 0 {
            return None;
        }
        let factor = self.integer_power(operand, i64::from(whole))?;
        let rest = rest.checked_mul(&Monomial::power(root, left))?;
        Some((factor, rest))
    }

    /// Combines roots of monomials that share a factor that is not a square.
    fn merge_two_roots(
        &mut self,
        monomial: &Monomial,
        root: Atom,
        operand: ExprId,
    ) -> Option<(Polynomial, Monomial)> {
        let power = monomial.exponent(root);
        for &(other, other_power) in monomial.powers() {
            let Some((Function::Sqrt, second)) = self.value_of(other).filter(|_| other != root)
            else {
                continue;
            };
            if power.abs() != 1 || other_power.abs() != 1 {
                continue;
            }
            let operands = [operand, second].map(|operand| self.polynomial(operand));
            let second = self.integer_power(second, i64::from(power * other_power))?;
            let product = self.multiply(&operands[0], &second)?;
            let [both, first, second] = [&product, &*operands[0], &*operands[1]].map(odd_powers);
            if both? >= first? + second? {
                continue;
            }
            let product = self.expression(&product);
            let merged = self.application(Function::Sqrt, product);
            let merged = self.expression(&merged);
            let factor = self.integer_power(merged, i64::from(power))?;
            return Some((factor, monomial.without(root).without(other)));
        }
        None
    }

    /// The root common to all terms of a sum, where a term may contain the radicand instead, and the remaining sum:
    /// `sqrt(x)` and `y + sqrt(x)` for `sqrt(x) * y + x`.
    pub(in crate::algebra) fn without_common_root(
        &mut self,
        sum: &Polynomial,
    ) -> Option<(Monomial, Polynomial)> {
        if sum.len() < 2 {
            return None;
        }
        let root = sum.atoms().into_iter().find(|&atom| {
            let Some((Function::Sqrt, operand)) = self.value_of(atom) else {
                return false;
            };
            let halves = |(monomial, _): (&Monomial, &Rational)| {
                monomial.exponent(atom) + 2 * monomial.exponent(atom_of(operand))
            };
            sum.terms().map(halves).all(|halves| halves > 0)
        })?;
        let inverse = Polynomial::term(Monomial::power(root, -1), Rational::ONE);
        let rest = self.multiply(sum, &inverse)?;
        Some((Monomial::power(root, 1), rest))
    }

    /// True if a monomial has a single term to the power of this sign, 1 or -1, as a factor.
    fn divides(&mut self, operand: ExprId, monomial: &Monomial, sign: i32) -> bool {
        let operand = self.polynomial(operand);
        let below = |powers: &[(Atom, i32)]| {
            let has = |&(atom, power): &(Atom, i32)| {
                let there = monomial.exponent(atom) * sign;
                power > 0 && there >= power
            };
            sign != 0 && !powers.is_empty() && powers.iter().all(has)
        };
        match operand.as_term() {
            Some((term, _)) => below(term.powers()),
            None => self
                .sum_atom(&operand)
                .is_some_and(|sum| below(&[(sum, 1)])),
        }
    }

    /// The atom that a sum is where it divides.
    fn sum_atom(&mut self, operand: &Polynomial) -> Option<Atom> {
        let (_, common, sum) = self.primitive(operand)?;
        let alone = common == Monomial::one();
        let id = self.expression(&sum);
        alone.then(|| atom_of(id))
    }

    /// `n! / (n - 1)! = n`: the factor that two factorials form, and the remaining monomial.
    pub(super) fn merge_factorials(
        &mut self,
        monomial: &Monomial,
        atom: Atom,
    ) -> Option<(Polynomial, Monomial)> {
        let (Function::Factorial, above) = self.value_of(atom)? else {
            return None;
        };
        let power = monomial.exponent(atom);
        let above = self.polynomial(above);
        for &(other, opposite) in monomial.powers() {
            let Some((Function::Factorial, below)) = self.value_of(other) else {
                continue;
            };
            if power < 0 || opposite > 0 {
                continue;
            }
            let below = self.polynomial(below);
            let Some((between, sign)) = self.between(&above, &below) else {
                continue;
            };
            let mut factor = Polynomial::one();
            for next in between {
                let next = self.integer_power(next, sign)?;
                factor = self.multiply(&factor, &next)?;
            }
            let joined = Monomial::power(atom, -1).checked_mul(&Monomial::power(other, 1))?;
            return Some((factor, monomial.checked_mul(&joined)?));
        }
        None
    }

    /// `H(n + 1) - H(n) = 1 / (n + 1)`, `log(n * x) - log(n) = log(x)`, where both are multiplied by the same.
    pub(in crate::algebra) fn cancel_values(&mut self, sum: Polynomial) -> Polynomial {
        let mut result = sum;
        while let Some(next) = self.cancel_two_values(&result) {
            result = next;
        }
        result
    }

    fn cancel_two_values(&mut self, sum: &Polynomial) -> Option<Polynomial> {
        let mut values = Vec::new();
        for atom in sum.atoms() {
            if let Some((function @ (Function::Harmonic(_) | Function::Log), operand)) =
                self.value_of(atom)
            {
                values.push((atom, function, self.polynomial(operand)));
            }
        }
        for (k, (atom, function, above)) in values.iter().enumerate() {
            for (other, other_function, below) in &values[k + 1..] {
                let factors = [*atom, *other].map(|atom| linear_factor(sum, atom));
                let [Some(factor), Some(opposite)] = factors else {
                    continue;
                };
                if function != other_function || factor != -&opposite {
                    continue;
                }
                let difference = match function {
                    Function::Harmonic(order) => self.harmonic_difference(*order, above, below),
                    _ => self.logarithm_of_quotient(above, below),
                };
                if let Some(difference) = difference {
                    let rest = &(sum - &self.multiply(&factor, &Polynomial::atom(*atom))?)
                        - &self.multiply(&opposite, &Polynomial::atom(*other))?;
                    return Some(&rest + &self.multiply(&factor, &difference)?);
                }
            }
        }
        None
    }

    fn harmonic_difference(
        &mut self,
        order: u32,
        above: &Polynomial,
        below: &Polynomial,
    ) -> Option<Polynomial> {
        let (between, sign) = self.between(above, below)?;
        let mut sum = Polynomial::zero();
        for next in between {
            sum = &sum + &self.integer_power(next, -i64::from(order))?;
        }
        Some(sum.scale(&Rational::from(sign)))
    }

    /// The whole steps from the lesser of two polynomials up to the greater, with the sign 1 if `above` is the
    /// greater, else -1. `None` unless they differ by a small whole number.
    fn between(&mut self, above: &Polynomial, below: &Polynomial) -> Option<(Vec<ExprId>, i64)> {
        let distance = (above - below).as_constant()?;
        let distance = distance.is_integer().then(|| distance.to_i64())??;
        if distance == 0 || distance.abs() > MAX_DISTANCE {
            return None;
        }
        let least = if distance > 0 { below } else { above };
        let steps = 1..=distance.abs();
        let between = steps.map(|step| self.expression(&(least + &Polynomial::from(step))));
        Some((between.collect(), distance.signum()))
    }

    /// Used if the quotient has fewer atoms than its operands.
    fn logarithm_of_quotient(
        &mut self,
        above: &Polynomial,
        below: &Polynomial,
    ) -> Option<Polynomial> {
        let mut all = above.atoms();
        all.extend(below.atoms());
        let divisor = self.expression(below);
        let inverse = self.integer_power(divisor, -1)?;
        let quotient = self.multiply(above, &inverse)?;
        if quotient.atoms().len() >= all.len() {
            return None;
        }
        let is_inverse = |(monomial, number): (&Monomial, &Rational)| match monomial.powers() {
            [] => number.is_positive() && *number < Rational::ONE,
            powers => powers.iter().all(|&(_, power)| power < 0),
        };
        if quotient.as_term().is_some_and(is_inverse) {
            return Some(-&self.logarithm_of_quotient(below, above)?);
        }
        let quotient = self.expression(&quotient);
        Some(self.application(Function::Log, quotient))
    }

    /// `log(8 * x) / log(2) = 3 + log(x) / log(2)`, `log(n * x) / log(n) = 1 + log(x) / log(n)`: the factor that a
    /// logarithm forms with the logarithm of its base, and the remaining monomial.
    pub(super) fn merge_logarithms(
        &mut self,
        monomial: &Monomial,
        logarithm: Atom,
    ) -> Option<(Polynomial, Monomial)> {
        let (Function::Log, operand) = self.value_of(logarithm)? else {
            return None;
        };
        if monomial.exponent(logarithm) < 1 {
            return None;
        }
        let operand = self.polynomial(operand);
        let (powers, number) = operand.as_term()?;
        for &(base, below) in monomial.powers() {
            let Some((Function::Log, of)) = self.value_of(base).filter(|_| below < 0) else {
                continue;
            };
            let of = self.polynomial(of);
            let Some((times, rest)) = powers_of(&of, powers, number) else {
                continue;
            };
            let rest = self.expression(&rest);
            let ratio = self.application(Function::Log, rest);
            let ratio = ratio.mul_term(&Monomial::power(base, -1), &Rational::ONE)?;
            let factor = &Polynomial::from(i64::from(times)) + &ratio;
            let both = Monomial::power(logarithm, -1).checked_mul(&Monomial::power(base, 1))?;
            return Some((factor, monomial.checked_mul(&both)?));
        }
        None
    }

    /// `log(exp(x))` is `x`; `exp(k * log(x))` is `x^k` for a whole number k.
    pub(in crate::algebra) fn inverse(
        &mut self,
        function: Function,
        operand: &Polynomial,
    ) -> Option<Polynomial> {
        let (monomial, coefficient) = operand.as_term()?;
        let [(atom, power)] = *monomial.powers() else {
            return None;
        };
        match (function, self.value_of(atom)?) {
            (Function::Log, (Function::Exp, exponent)) if coefficient.is_one() => {
                let exponent = self.polynomial(exponent);
                Some(exponent.scale(&Rational::from(i64::from(power))))
            }
            (Function::Exp, (Function::Log, operand)) if power == 1 && coefficient.is_integer() => {
                self.integer_power(operand, coefficient.to_i64()?)
            }
            _ => None,
        }
    }

    /// `b^(c * log(x) / log(b)) = x^c`
    pub(in crate::algebra) fn power_of_logarithm(
        &mut self,
        base: ExprId,
        exponent: &Polynomial,
    ) -> Option<Polynomial> {
        let (monomial, _) = exponent.as_term()?;
        let mut values = monomial
            .powers()
            .iter()
            .filter_map(|&(atom, _)| self.value_of(atom));
        if !values.any(|(function, _)| function == Function::Log) {
            return None;
        }
        let of_base = self.application(Function::Log, base);
        let product = self.multiply(exponent, &of_base)?;
        let (monomial, coefficient) = product.as_term()?;
        let [(atom, 1)] = *monomial.powers() else {
            return None;
        };
        let (Function::Log, operand) = self.value_of(atom)? else {
            return None;
        };
        let power = self.arena.number(coefficient.clone());
        Some(self.power(operand, power))
    }
}

/// The multiplicity of `base` as a factor of `number * powers`, or of the inverse, and the remaining factor.
fn powers_of(base: &Polynomial, powers: &Monomial, number: &Rational) -> Option<(i32, Polynomial)> {
    if let Some(base) = base.as_constant() {
        let times = whole_logarithm(number, &base)?;
        return Some((times, Polynomial::term(powers.clone(), Rational::ONE)));
    }
    let (base, one) = base.as_term().filter(|(_, number)| number.is_one())?;
    let times = |&(atom, power): &(Atom, i32)| powers.exponent(atom) / power;
    let times: Vec<i32> = base.powers().iter().map(times).collect();
    let least = times.iter().copied().min_by_key(|times| times.abs())?;
    if least == 0 || times.iter().any(|times| times.signum() != least.signum()) {
        return None;
    }
    let taken = base.checked_pow(least.checked_neg()?)?;
    let rest = powers.checked_mul(&taken)?;
    Some((least, Polynomial::term(rest, number * one)))
}

/// `k` other than 0 with `base^k = number`, for a whole base above 1.
fn whole_logarithm(number: &Rational, base: &Rational) -> Option<i32> {
    if !number.is_positive() || !base.is_integer() || *base <= Rational::ONE {
        return None;
    }
    let (sign, number) = if *number < Rational::ONE {
        (-1, number.recip()?)
    } else {
        (1, number.clone())
    };
    let mut power = Rational::ONE;
    for times in 1..=LARGEST_WHOLE_LOGARITHM {
        power = &power * base;
        if power >= number {
            return (power == number).then_some(sign * times);
        }
    }
    None
}

/// Number of atoms with an odd power in a single term.
fn odd_powers(polynomial: &Polynomial) -> Option<usize> {
    let (monomial, _) = polynomial.as_term()?;
    let odd = monomial.powers().iter().filter(|(_, power)| power % 2 != 0);
    Some(odd.count())
}

/// The coefficient of an atom that occurs in no other power.
fn linear_factor(sum: &Polynomial, atom: Atom) -> Option<Polynomial> {
    let mut by_power = sum.coefficients_in(atom);
    by_power.remove(&0);
    let factor = by_power.remove(&1)?;
    by_power.is_empty().then_some(factor)
}
