//! Error bounds of sums, products and choices.

use super::{Bounded, DIGITS, FINE, LONG_DIGITS, NO_GRID};
use crate::emit::bound::Bound;
use crate::emit::expression::{EXACT, Writer};
use crate::emit::notation::{Divisor, Obstacle};
use crate::expr::{ExprId, Function, Node, Relation};
use crate::ring::Rational;

impl Writer<'_> {
    pub(super) fn bound(&mut self, id: ExprId) -> Bounded {
        if let Some(known) = self.bounds.get(&id) {
            return Ok(known.clone());
        }
        let bound = self.with_room(|own| own.bound_of(id))?;
        self.bounds.insert(id, bound.clone());
        Ok(bound)
    }

    pub(super) fn bound_of(&mut self, id: ExprId) -> Bounded {
        let arena = self.arena;
        match arena.node(id) {
            Node::Number(value) => Ok(self.of_number(value)),
            Node::Symbol(_) if self.is_parameter(id) => self.of_parameter(id),
            Node::Add(list) => self.of_sum(list),
            Node::Mul(list) => {
                let (coefficient, factors) = self.coefficient(list);
                let bound = self.of_factors(&factors)?;
                let (top, bottom) = (coefficient.numerator(), coefficient.denominator());
                let top = self.of_number(&Rational::from(top));
                let above = self.product_of_bounds(&[top, bound]);
                Ok(self.over_number(above, &Rational::from(bottom)))
            }
            Node::Pow(base, exponent) => match arena.as_number(*exponent).cloned() {
                Some(power) if power.is_negative() => self.of_factors(&[id]),
                Some(power) => self.of_power(*base, &power),
                None => self.of_free_power(id, *base, *exponent),
            },
            Node::Max(list) | Node::Min(list) => self.of_extreme(list),
            Node::If(condition, then, otherwise) => {
                let condition = self.short_number(*condition)?;
                let (then, otherwise) = (self.bound(*then)?, self.bound(*otherwise)?);
                self.either(&condition, &then, &otherwise)
            }
            Node::Mod(a, b) => {
                let (above, below) = (self.bound(*a)?, self.bound(*b)?);
                if above.error.is_none() && below.error.is_none() && above.whole && below.whole {
                    return self.exact(id);
                }
                let quotient = self.number(*b)?;
                let size = self.absolute(&quotient)?;
                let turns = self
                    .notation
                    .quotient(&above.magnitude, &size, Divisor::Any);
                let turned = below.error.map(|error| self.times(&[turns, error]));
                let rounding = self.rounding(&above.magnitude, DIGITS);
                let errors: Vec<String> = [above.error, turned, Some(rounding)]
                    .into_iter()
                    .flatten()
                    .collect();
                let error = self.total(&errors);
                let grid = self.times(&[above.grid, below.grid]);
                Ok(Bound {
                    magnitude: above.magnitude,
                    beside_whole: Some(error.clone()),
                    error: Some(error),
                    grid,
                    whole: above.whole && below.whole,
                })
            }
            Node::Compare(..) => self.exact(id),
            Node::Operate(operation, _) if operation.row().is_whole => self.exact(id),
            Node::Apply(function, operand) => self.of_function(id, *function, *operand),
            _ => {
                let value = self.short_number(id)?;
                self.inexact(&value, LONG_DIGITS)
            }
        }
    }

    pub(super) fn of_number(&self, value: &Rational) -> Bound {
        let size = value.abs();
        let grid = Rational::from(value.denominator());
        let small = size.numerator() <= EXACT.into();
        let is_double = small && (FINE % grid.to_i64().unwrap_or(FINE + 1) == 0);
        let error =
            (!is_double).then(|| self.text(size.to_f64() * 2f64.powi(-(DIGITS as i32)).abs()));
        Bound {
            magnitude: self.notation.number(&size),
            beside_whole: error.clone(),
            error,
            grid: self.notation.number(&grid),
            whole: value.is_integer(),
        }
    }

    pub(super) fn of_parameter(&mut self, id: ExprId) -> Bounded {
        let name = self.number(id)?;
        let declared = match self.arena.node(id) {
            Node::Symbol(symbol) => self.arena.symbol_name(*symbol),
            _ => None,
        };
        if declared.is_some_and(|name| self.whole.iter().any(|whole| whole == name)) {
            return self.exact(id);
        }
        let magnitude = self.absolute(&name)?;
        let fine = self.times(&[self.text(FINE as f64), name]);
        let fine = self.short(fine);
        let is_fine = self.notation.apply(Function::Integer, &fine)?;
        let is_fine = self.short(is_fine);
        let rounding = self.rounding(&magnitude, DIGITS);
        let (zero, fine) = (self.text(0.0), self.text(FINE as f64));
        let error = self.notation.choose(&is_fine, &zero, &rounding);
        let grid = self.notation.choose(&is_fine, &fine, &self.text(NO_GRID));
        let error = self.short(error);
        Ok(Bound {
            magnitude,
            beside_whole: Some(error.clone()),
            error: Some(error),
            grid: self.short(grid),
            whole: false,
        })
    }

    /// The bound of a whole number without an error.
    pub(super) fn exact(&mut self, id: ExprId) -> Bounded {
        let value = self.short_number(id)?;
        Ok(Bound {
            magnitude: self.absolute(&value)?,
            error: None,
            beside_whole: None,
            grid: self.text(1.0),
            whole: true,
        })
    }

    /// The bound of a number of which only the count of correct bits is known.
    pub(super) fn inexact(&mut self, value: &str, digits: u32) -> Bounded {
        let magnitude = self.absolute(value)?;
        let error = self.rounding(&magnitude, digits);
        Ok(Bound {
            magnitude,
            beside_whole: Some(error.clone()),
            error: Some(error),
            grid: self.text(NO_GRID),
            whole: false,
        })
    }

    /// The bound of a sum, computed over the common denominator of its coefficients.
    pub(super) fn of_sum(&mut self, list: &[ExprId]) -> Bounded {
        let scale = Rational::from(self.common_denominator(list));
        let (mut sizes, mut errors, mut grid) = (Vec::new(), Vec::new(), vec![self.text(1.0)]);
        let mut whole = true;
        for &term in list {
            let (coefficient, factors) = self.split(term);
            let coefficient = self.of_number(&(&coefficient * &scale).abs());
            let bound = self.of_factors(&factors)?;
            let bound = self.product_of_bounds(&[coefficient, bound]);
            whole &= bound.whole;
            sizes.push(bound.magnitude);
            errors.extend(bound.error);
            if !bound.whole {
                grid.push(bound.grid);
            }
        }
        let magnitude = self.total(&sizes);
        errors.extend(self.rounded(&magnitude, whole, list.len()));
        let error = (!errors.is_empty()).then(|| self.total(&errors));
        let sum = Bound {
            magnitude,
            beside_whole: error.clone(),
            error,
            grid: self.times(&grid),
            whole,
        };
        Ok(self.over_number(sum, &scale))
    }

    pub(super) fn over_number(&mut self, above: Bound, number: &Rational) -> Bound {
        if number.is_one() {
            above
        } else {
            let below = self.of_number(number);
            let text = self.notation.number(number);
            self.over(&above, &below, &text)
        }
    }

    /// The bound of a product, computed as numerator over denominator.
    pub(super) fn of_factors(&mut self, factors: &[ExprId]) -> Bounded {
        let (pairs, rest) = self.paired(factors);
        let (mut above, mut below, mut divisors) = (Vec::new(), Vec::new(), Vec::new());
        for pair in pairs {
            above.push(self.of_pair(&pair)?);
        }
        for factor in rest {
            match *self.arena.node(factor) {
                Node::Pow(base, exponent)
                    if self
                        .arena
                        .as_number(exponent)
                        .is_some_and(Rational::is_negative) =>
                {
                    let power = self.arena.as_number(exponent).map(Rational::abs);
                    let power = power.unwrap_or_else(|| Rational::from(1));
                    below.push(self.of_power(base, &power)?);
                    divisors.push(self.power(base, &power)?);
                }
                _ => above.push(self.bound(factor)?),
            }
        }
        let above = self.product_of_bounds(&above);
        if below.is_empty() {
            return Ok(above);
        }
        let below = self.product_of_bounds(&below);
        let divisor = self.times(&divisors);
        Ok(self.over(&above, &below, &divisor))
    }

    pub(super) fn product_of_bounds(&mut self, list: &[Bound]) -> Bound {
        let one = self.text(1.0);
        let is_one = |bound: &&Bound| bound.error.is_none() && bound.magnitude == one;
        let list: Vec<&Bound> = list.iter().filter(|bound| !is_one(bound)).collect();
        match list.as_slice() {
            [] => self.of_number(&Rational::from(1)),
            [only] => (*only).clone(),
            _ => {
                let sizes: Vec<String> = list.iter().map(|b| b.magnitude.clone()).collect();
                let magnitude = self.times(&sizes);
                let mut errors = Vec::new();
                for (k, bound) in list.iter().enumerate() {
                    let Some(error) = &bound.error else {
                        continue;
                    };
                    let mut parts = vec![error.clone()];
                    for (other, bound) in list.iter().enumerate().filter(|(other, _)| *other != k) {
                        let size = bound.magnitude.clone();
                        let high: Vec<String> = match (other < k, &bound.error) {
                            (true, Some(error)) => vec![size, error.clone()],
                            _ => vec![size],
                        };
                        parts.push(self.total(&high));
                    }
                    errors.push(self.times(&parts));
                }
                let whole = list.iter().all(|b| b.whole);
                errors.extend(self.rounded(&magnitude, whole, list.len()));
                let error = (!errors.is_empty()).then(|| self.total(&errors));
                let grids: Vec<String> = list.iter().map(|b| b.grid.clone()).collect();
                Bound {
                    magnitude,
                    beside_whole: error.clone(),
                    error,
                    grid: self.times(&grids),
                    whole,
                }
            }
        }
    }

    /// The bound of a quotient by a number whose value is `divisor`.
    pub(super) fn over(&mut self, above: &Bound, below: &Bound, divisor: &str) -> Bound {
        let divisor = self.short(divisor.to_string());
        let size = self.absolute(&divisor).unwrap_or(divisor);
        let quotient = self
            .notation
            .quotient(&above.magnitude, &size, Divisor::Any);
        let magnitude = self.short(quotient);
        let mut errors = vec![self.rounding(&magnitude, DIGITS)];
        if let Some(error) = &above.error {
            let own = self.notation.quotient(error, &size, Divisor::Any);
            errors.push(self.short(own));
        }
        if let Some(error) = &below.error {
            let zero = self.text(0.0);
            let least = self
                .notation
                .sum(std::slice::from_ref(&size), std::slice::from_ref(error));
            let least = self.short(least);
            let least = self.notation.extreme(true, &[least, zero]);
            let least = self.short(least);
            let parts = self.times(&[magnitude.clone(), error.clone()]);
            let own = self.notation.quotient(&parts, &least, Divisor::Any);
            errors.push(self.short(own));
        }
        let error = self.total(&errors);
        let grid = self.times(&[above.grid.clone(), size.clone(), below.grid.clone()]);
        // A quotient of whole numbers that doubles hold is rounded once, and past no whole number.
        let beside_whole = if above.whole && below.whole {
            let both = self.total(&[above.magnitude.clone(), size]);
            let most = self.text((EXACT - 1) as f64);
            let fits = self.notation.bracket(Relation::LessEqual, &both, &most);
            let fits = self.short(fits);
            let chosen = self.notation.choose(&fits, &self.text(0.0), &error);
            self.short(chosen)
        } else {
            error.clone()
        };
        Bound {
            magnitude,
            error: Some(error),
            beside_whole: Some(beside_whole),
            grid,
            whole: false,
        }
    }

    pub(super) fn of_extreme(&mut self, list: &[ExprId]) -> Bounded {
        let all = list.iter().map(|&id| self.bound(id));
        let all = all.collect::<Result<Vec<Bound>, Obstacle>>()?;
        let pick = |own: fn(&Bound) -> Option<String>| {
            let mut texts: Vec<String> = all.iter().filter_map(own).collect();
            texts.sort();
            texts.dedup();
            texts
        };
        let (sizes, grids) = (
            pick(|b| Some(b.magnitude.clone())),
            pick(|b| Some(b.grid.clone())),
        );
        let (errors, beside) = (pick(|b| b.error.clone()), pick(|b| b.beside_whole.clone()));
        Ok(Bound {
            magnitude: self.largest(sizes).unwrap_or_else(|| self.text(0.0)),
            error: self.largest(errors),
            beside_whole: self.largest(beside),
            grid: self.largest(grids).unwrap_or_else(|| self.text(1.0)),
            whole: all.iter().all(|b| b.whole),
        })
    }

    pub(super) fn largest(&mut self, texts: Vec<String>) -> Option<String> {
        match texts.as_slice() {
            [] => None,
            [only] => Some(only.clone()),
            several => {
                let text = self.notation.extreme(true, several);
                Some(self.short(text))
            }
        }
    }

    pub(super) fn either(&mut self, condition: &str, then: &Bound, otherwise: &Bound) -> Bounded {
        let zero = self.text(0.0);
        let mut choose = |own: fn(&Bound) -> Option<String>| match (own(then), own(otherwise)) {
            (None, None) => None,
            (a, b) => {
                let [a, b] = [a, b].map(|text| text.unwrap_or_else(|| zero.clone()));
                let text = self.notation.choose(condition, &a, &b);
                Some(self.short(text))
            }
        };
        let magnitude = choose(|b| Some(b.magnitude.clone())).unwrap_or_default();
        let grid = choose(|b| Some(b.grid.clone())).unwrap_or_default();
        Ok(Bound {
            magnitude,
            error: choose(|b| b.error.clone()),
            beside_whole: choose(|b| b.beside_whole.clone()),
            grid,
            whole: then.whole && otherwise.whole,
        })
    }
}
