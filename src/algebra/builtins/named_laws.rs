//! The cumulants of the laws that the language knows, in their arguments.

use crate::expr::{Arena, ExprId, Function, LawKind, LawName, Node, Relation, Symbol};
use crate::ring::Rational;

use super::super::language::Scope;
use super::super::scope::Candidate;

/// `E(exponential(m)) = m`, ...
pub fn moments(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    let arena = &mut scope.terms.arena;
    let Node::Cumulant(order, law) = *arena.node(term) else {
        return Vec::new();
    };
    let mut guards = Vec::new();
    let right = match *arena.node(law) {
        Node::Law(LawKind::Named(name), ref arguments) => {
            let arguments = arguments.clone();
            if let (LawName::Pareto, &[shape, _]) = (name, &*arguments) {
                // Of a heavy tail, moments of higher orders do not exist.
                let order = arena.number(i64::from(order));
                guards.push(arena.relate(Relation::Less, order, shape));
            }
            Algebra { arena }.cumulant(name, order, &arguments)
        }
        Node::Law(LawKind::Empirical(symbol), _) => of_samples(arena, order, symbol),
        _ => None,
    };
    right
        .map(|right| Candidate { right, guards })
        .into_iter()
        .collect()
}

/// `E(empirical("file.csv"))`, ...: a number.
fn of_samples(arena: &mut Arena, order: u8, samples: Symbol) -> Option<ExprId> {
    let cumulants = arena.samples(samples)?.cumulants();
    let value = cumulants.get(usize::from(order).checked_sub(1)?)?.clone();
    Some(arena.number(Rational::from(value)))
}

/// Arithmetic on expressions.
struct Algebra<'a> {
    arena: &'a mut Arena,
}

impl Algebra<'_> {
    fn cumulant(&mut self, law: LawName, order: u8, arguments: &[ExprId]) -> Option<ExprId> {
        let r = i64::from(order);
        Some(match (law, arguments) {
            (LawName::Moments, &[mean, variance, skewness, kurtosis]) => match order {
                1 => mean,
                2 => variance,
                3 => {
                    let (three, two) = (self.int(3), self.int(2));
                    let exponent = self.arena.divide(three, two);
                    let power = self.arena.pow(variance, exponent);
                    self.mul(&[skewness, power])
                }
                _ => {
                    let three = self.int(3);
                    let excess = self.arena.subtract(kurtosis, three);
                    let square = self.pow(variance, 2);
                    self.mul(&[excess, square])
                }
            },
            // (r-1)! mean^r
            (LawName::Exponential, &[mean]) => {
                let (factor, power) = (self.factorial(r - 1), self.pow(mean, r));
                self.mul(&[factor, power])
            }
            (LawName::Normal, &[mean, deviation]) => match order {
                1 => mean,
                2 => self.pow(deviation, 2),
                _ => self.int(0),
            },
            (LawName::Uniform, &[a, b]) => self.uniform(order, a, b),
            // (r-1)! mean^r / k^(r-1)
            (LawName::Erlang, &[k, mean]) => {
                let (factor, power) = (self.factorial(r - 1), self.pow(mean, r));
                let divisor = self.pow(k, 1 - r);
                self.mul(&[factor, power, divisor])
            }
            (LawName::Gamma, &[shape, scale]) => {
                let (factor, power) = (self.factorial(r - 1), self.pow(scale, r));
                self.mul(&[factor, shape, power])
            }
            (LawName::Bernoulli, &[p]) => self.bernoulli(order, p),
            (LawName::Binomial, &[n, p]) => {
                let one = self.bernoulli(order, p);
                self.mul(&[n, one])
            }
            (LawName::Poisson, &[mean]) => mean,
            (LawName::Geometric, &[p]) => self.geometric(order, p),
            (LawName::Beta, &[a, b]) => self.beta(order, a, b),
            (LawName::Pareto, &[shape, scale]) => self.pareto(order, shape, scale),
            (LawName::Lognormal, &[mu, sigma]) => {
                let raw = [1, 2, 3, 4].map(|r| self.lognormal_raw(r, mu, sigma));
                self.raw_to_cumulant(order, raw)
            }
            (LawName::Weibull, &[shape, scale]) => {
                let raw = [1, 2, 3, 4].map(|r| self.weibull_raw(r, shape, scale));
                self.raw_to_cumulant(order, raw)
            }
            _ => return None,
        })
    }

    fn int(&mut self, value: i64) -> ExprId {
        self.arena.number(value)
    }

    fn mul(&mut self, factors: &[ExprId]) -> ExprId {
        self.arena.mul(factors)
    }

    fn add(&mut self, terms: &[ExprId]) -> ExprId {
        self.arena.add(terms)
    }

    fn pow(&mut self, base: ExprId, exponent: i64) -> ExprId {
        let exponent = self.int(exponent);
        self.arena.pow(base, exponent)
    }

    fn factorial(&mut self, n: i64) -> ExprId {
        self.int((1..=n).product())
    }

    /// `1 + coefficient * x`
    fn linear(&mut self, coefficient: i64, x: ExprId) -> ExprId {
        let (one, coefficient) = (self.int(1), self.int(coefficient));
        let product = self.mul(&[coefficient, x]);
        self.add(&[one, product])
    }

    fn bernoulli(&mut self, order: u8, p: ExprId) -> ExprId {
        let q = self.linear(-1, p);
        let variance = self.mul(&[p, q]);
        match order {
            1 => p,
            2 => variance,
            3 => {
                let lean = self.linear(-2, p);
                self.mul(&[variance, lean])
            }
            _ => {
                let rest = self.linear(-6, variance);
                self.mul(&[variance, rest])
            }
        }
    }

    /// The number of trials up to the first success: `1/p`, `q/p^2`, `q (1+q) / p^3`, `q (1+4q+q^2) / p^4`.
    fn geometric(&mut self, order: u8, p: ExprId) -> ExprId {
        let q = self.linear(-1, p);
        let divisor = self.pow(p, -i64::from(order));
        match order {
            1 => divisor,
            2 => self.mul(&[q, divisor]),
            3 => {
                let sum = self.linear(1, q);
                self.mul(&[q, sum, divisor])
            }
            _ => {
                let (linear, square) = (self.linear(4, q), self.pow(q, 2));
                let sum = self.add(&[linear, square]);
                self.mul(&[q, sum, divisor])
            }
        }
    }

    fn uniform(&mut self, order: u8, a: ExprId, b: ExprId) -> ExprId {
        let width = self.arena.subtract(b, a);
        let (power, divisor) = match order {
            1 => {
                let (sum, two) = (self.add(&[a, b]), self.int(2));
                return self.arena.divide(sum, two);
            }
            2 => (self.pow(width, 2), self.int(12)),
            3 => return self.int(0),
            _ => (self.pow(width, 4), self.int(-120)),
        };
        self.arena.divide(power, divisor)
    }

    fn beta(&mut self, order: u8, a: ExprId, b: ExprId) -> ExprId {
        let sum = self.add(&[a, b]);
        let beyond = |this: &mut Self, k: i64| {
            let k = this.int(k);
            this.add(&[sum, k])
        };
        let [one, two, three] = [1, 2, 3].map(|k| beyond(self, k));
        let inverse = |this: &mut Self, base: ExprId, power: i64| this.pow(base, -power);
        let product = self.mul(&[a, b]);
        let difference = self.arena.subtract(b, a);
        match order {
            1 => {
                let divisor = inverse(self, sum, 1);
                self.mul(&[a, divisor])
            }
            2 => {
                let divisors = [inverse(self, sum, 2), inverse(self, one, 1)];
                self.mul(&[product, divisors[0], divisors[1]])
            }
            3 => {
                let divisors =
                    [(sum, 3), (one, 1), (two, 1)].map(|(base, k)| inverse(self, base, k));
                let factor = self.int(2);
                self.mul(&[
                    factor,
                    product,
                    difference,
                    divisors[0],
                    divisors[1],
                    divisors[2],
                ])
            }
            _ => {
                let square = self.pow(difference, 2);
                let first = self.mul(&[square, one]);
                let second = self.mul(&[product, two]);
                let inner = self.arena.subtract(first, second);
                let divisors = [(sum, 4), (one, 2), (two, 1), (three, 1)]
                    .map(|(base, k)| inverse(self, base, k));
                let factor = self.int(6);
                let list = [&[factor, product, inner], divisors.as_slice()].concat();
                self.mul(&list)
            }
        }
    }

    /// With `s` the shape: `s / (s-1)`, `s / ((s-1)^2 (s-2))`, `2 s (s+1) / ((s-1)^3 (s-2) (s-3))`,
    /// `6 s (s^3 + s^2 - 6 s - 2) / ((s-1)^4 (s-2)^2 (s-3) (s-4))`, of the scale 1.
    fn pareto(&mut self, order: u8, shape: ExprId, scale: ExprId) -> ExprId {
        let divisors: &[(i64, i64)] = match order {
            1 => &[(1, 1)],
            2 => &[(1, 2), (2, 1)],
            3 => &[(1, 3), (2, 1), (3, 1)],
            _ => &[(1, 4), (2, 2), (3, 1), (4, 1)],
        };
        let mut factors = vec![shape, self.pow(scale, i64::from(order))];
        for &(k, power) in divisors {
            let less = self.int(-k);
            let less = self.add(&[shape, less]);
            factors.push(self.pow(less, -power));
        }
        match order {
            1 | 2 => {}
            3 => factors.extend([self.int(2), self.linear(1, shape)]),
            _ => {
                let [cube, square] = [3, 2].map(|k| self.pow(shape, k));
                let (linear, rest) = (self.int(-6), self.int(-2));
                let linear = self.mul(&[linear, shape]);
                factors.extend([self.int(6), self.add(&[cube, square, linear, rest])]);
            }
        }
        self.mul(&factors)
    }

    /// `exp(r mu + r^2 sigma^2 / 2)`
    fn lognormal_raw(&mut self, r: i64, mu: ExprId, sigma: ExprId) -> ExprId {
        let (order, half) = (self.int(r), self.int(2));
        let location = self.mul(&[order, mu]);
        let (square, squared) = (self.pow(sigma, 2), self.int(r * r));
        let spread = self.mul(&[squared, square]);
        let spread = self.arena.divide(spread, half);
        let exponent = self.add(&[location, spread]);
        self.arena.apply(Function::Exp, exponent)
    }

    /// `scale^r * gamma(1 + r / shape)`
    fn weibull_raw(&mut self, r: i64, shape: ExprId, scale: ExprId) -> ExprId {
        let (order, one) = (self.int(r), self.int(1));
        let ratio = self.arena.divide(order, shape);
        let argument = self.add(&[one, ratio]);
        let logarithm = self.arena.apply(Function::LogGamma, argument);
        let gamma = self.arena.apply(Function::Exp, logarithm);
        let power = self.pow(scale, r);
        self.mul(&[power, gamma])
    }

    /// A cumulant from raw moments.
    fn raw_to_cumulant(&mut self, order: u8, [m1, m2, m3, m4]: [ExprId; 4]) -> ExprId {
        let products: &[(i64, &[ExprId])] = match order {
            1 => &[(1, &[m1])],
            2 => &[(1, &[m2]), (-1, &[m1, m1])],
            3 => &[(1, &[m3]), (-3, &[m1, m2]), (2, &[m1, m1, m1])],
            _ => &[
                (1, &[m4]),
                (-4, &[m1, m3]),
                (-3, &[m2, m2]),
                (12, &[m1, m1, m2]),
                (-6, &[m1, m1, m1, m1]),
            ],
        };
        let terms: Vec<ExprId> = products
            .iter()
            .map(|(coefficient, factors)| {
                let coefficient = self.int(*coefficient);
                let product = self.mul(factors);
                self.mul(&[coefficient, product])
            })
            .collect();
        self.add(&terms)
    }
}
