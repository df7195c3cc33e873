//! Products with brackets as choices: `(N >= 2) * u` is `if (N >= 2) u else 0`.

use super::{Level, Writer};
use crate::expr::{Arena, Sort};
use crate::formula::view::{Exponent, Factor, Product, Truth, truth};
use crate::ring::Rational;

/// The factors of a product that has brackets.
pub(super) struct Chosen {
    condition: Truth,
    /// The number in front goes along.
    inside: Vec<Factor>,
    /// What may be undefined is looked at whatever the condition says.
    outside: Vec<Factor>,
}

impl Chosen {
    /// `None` where nothing but brackets and numbers is multiplied: these count.
    pub fn of(arena: &Arena, factors: &[Factor]) -> Option<Chosen> {
        if factors.iter().any(|f| arena.sort(f.base) != Sort::Scalar) {
            return None;
        }
        let (mut conditions, mut inside, mut outside) = (Vec::new(), Vec::new(), Vec::new());
        for factor in factors {
            let plain = matches!(factor.exponent, Exponent::One);
            let condition = truth(arena, factor.base).filter(|_| plain);
            match condition {
                Some(condition @ Truth::Relation(..)) => conditions.push(condition),
                _ if plain && arena.is_total(factor.base) => inside.push(factor.clone()),
                _ => match factor.exponent {
                    Exponent::Number(_) if arena.is_total(factor.base) => {
                        inside.push(factor.clone());
                    }
                    _ => outside.push(factor.clone()),
                },
            }
        }
        let condition = match conditions.len() {
            0 => return None,
            1 => conditions.remove(0),
            _ => Truth::And(conditions),
        };
        (!inside.is_empty()).then_some(Chosen {
            condition,
            inside,
            outside,
        })
    }

    /// Of a product that is nothing else.
    pub fn alone(arena: &Arena, product: &Product) -> Option<Chosen> {
        let whole = product.divisor.is_one() && product.divisors.is_empty();
        let chosen = Chosen::of(arena, &product.factors).filter(|_| whole && !product.negative)?;
        chosen.outside.is_empty().then_some(chosen)
    }
}

impl Writer<'_> {
    /// The condition and both branches, without parentheses around them.
    pub(super) fn chosen(&mut self, number: &Rational, chosen: &Chosen) {
        self.out.push_str("if (");
        self.write_truth(&chosen.condition, Level::If);
        self.out.push_str(") ");
        match &chosen.inside[..] {
            [one] if number.is_one() && matches!(one.exponent, Exponent::One) => {
                self.write(one.base, Level::Or);
            }
            inside => self.plain_factors(number, inside),
        }
        self.out.push_str(" else 0");
    }

    /// The factors of a product, a choice among them.
    pub(super) fn factors(&mut self, number: &Rational, factors: &[Factor]) {
        let Some(chosen) = Chosen::of(self.arena, factors) else {
            return self.plain_factors(number, factors);
        };
        if !chosen.outside.is_empty() {
            self.plain_factors(&Rational::ONE, &chosen.outside);
            self.out.push_str(" * ");
        }
        self.enclosed(true, |writer| writer.chosen(number, &chosen));
    }
}
