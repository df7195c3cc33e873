//! Products with brackets as choices: `(N >= 2) * u` is `if (N >= 2) u else 0`.

use super::{Level, Writer};
use crate::expr::{Arena, Sort};
use crate::formula::view::{Exponent, Factor, Product, Truth, truth};
use crate::ring::Rational;

/// A product that has brackets.
pub(super) struct Chosen {
    condition: Truth,
    /// With the numbers.
    inside: Product,
    /// What may be undefined, and is looked at whatever the condition says.
    outside: Vec<Factor>,
    divisors: Vec<Factor>,
}

impl Chosen {
    /// `None` where nothing but brackets and numbers is multiplied: these count.
    pub fn of(arena: &Arena, product: &Product) -> Option<Chosen> {
        let factors = &product.factors;
        if factors.iter().any(|f| arena.sort(f.base) != Sort::Scalar) {
            return None;
        }
        let (mut conditions, mut inside, mut outside) = (Vec::new(), Vec::new(), Vec::new());
        for factor in factors {
            let plain = matches!(factor.exponent, Exponent::One);
            let power = plain || matches!(factor.exponent, Exponent::Number(_));
            match truth(arena, factor.base) {
                Some(condition @ Truth::Relation(..)) if plain => conditions.push(condition),
                _ if power && arena.is_total(factor.base) => inside.push(factor.clone()),
                _ => outside.push(factor.clone()),
            }
        }
        if conditions.is_empty() || inside.is_empty() {
            return None;
        }
        let condition = match conditions.len() {
            1 => conditions.remove(0),
            _ => Truth::And(conditions),
        };
        Some(Chosen {
            condition,
            inside: Product {
                negative: false,
                factors: inside,
                divisors: Vec::new(),
                ..product.clone()
            },
            outside,
            divisors: product.divisors.clone(),
        })
    }

    /// Of a product that is nothing else.
    pub fn alone(arena: &Arena, product: &Product) -> Option<Chosen> {
        let chosen = Chosen::of(arena, product).filter(|_| !product.negative)?;
        (chosen.outside.is_empty() && chosen.divisors.is_empty()).then_some(chosen)
    }
}

impl Writer<'_> {
    /// The condition and both branches, without parentheses around them.
    pub(super) fn chosen(&mut self, chosen: &Chosen) {
        self.out.push_str("if (");
        self.write_truth(&chosen.condition, Level::If);
        self.out.push_str(") ");
        self.plain_product(&chosen.inside, Level::Or);
        self.out.push_str(" else 0");
    }

    /// The magnitude of a product; `place` is that of a factor which stands alone.
    pub(super) fn product(&mut self, product: &Product, place: Level) {
        let Some(chosen) = Chosen::of(self.arena, product) else {
            return self.plain_product(product, place);
        };
        if !chosen.outside.is_empty() {
            self.factors(&Rational::ONE, &chosen.outside);
            self.out.push_str(" * ");
        }
        self.enclosed(true, |writer| writer.chosen(&chosen));
        if !chosen.divisors.is_empty() {
            self.out.push_str(" / ");
            self.denominator(&Rational::ONE, &chosen.divisors);
        }
    }
}
