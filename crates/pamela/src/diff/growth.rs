//! Orders of growth: how a formula grows with one parameter while the others stay.

use std::cmp::Ordering;
use std::fmt;

use crate::eval::{Bindings, Number, Value};
use crate::expr::{Arena, ExprId, Function, Node, Symbol};
use crate::formula::Formula;
use crate::ring::Rational;
use crate::with_stack;

/// An order is checked by the values at 2 to this power, and at twice that.
const CHECKED_AT: u32 = 40;
/// Relative difference from what the order says that is no contradiction.
const TOLERANCE: f64 = 0.02;

/// `n!^factorials * base^n * n^power * log(n)^logarithms`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    factorials: i64,
    base: Rational,
    power: Rational,
    logarithms: i64,
}

/// An order with the parameter in it: `N^2 * log(N)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Growth {
    /// The parameter.
    pub parameter: String,
    /// The order in it.
    pub order: Order,
}

impl fmt::Display for Growth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, order) = (&self.parameter, &self.order);
        let mut factors: Vec<String> = Vec::new();
        match order.factorials {
            0 => {}
            1 => factors.push(format!("fact({n})")),
            other => factors.push(format!("fact({n})^{other}")),
        }
        if !order.base.is_one() {
            factors.push(if order.base.is_integer() {
                format!("{}^{n}", order.base)
            } else {
                format!("({})^{n}", order.base)
            });
        }
        let power = order.power.abs();
        let raised = if power.is_one() {
            n.clone()
        } else if power.is_integer() {
            format!("{n}^{power}")
        } else {
            format!("{n}^({power})")
        };
        if order.power.is_positive() {
            factors.push(raised.clone());
        }
        match order.logarithms {
            0 => {}
            1 => factors.push(format!("log({n})")),
            other => factors.push(format!("log({n})^{other}")),
        }
        let above = if factors.is_empty() {
            "1".to_owned()
        } else {
            factors.join(" * ")
        };
        if order.power.is_negative() {
            write!(f, "O({above} / {raised})")
        } else {
            write!(f, "O({above})")
        }
    }
}

impl PartialOrd for Order {
    fn partial_cmp(&self, other: &Order) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Order {
    fn cmp(&self, other: &Order) -> Ordering {
        let of = |own: &Order| {
            (
                own.factorials,
                own.base.clone(),
                own.power.clone(),
                own.logarithms,
            )
        };
        of(self).cmp(&of(other))
    }
}

impl Order {
    fn constant() -> Order {
        Order {
            factorials: 0,
            base: Rational::ONE,
            power: Rational::ZERO,
            logarithms: 0,
        }
    }

    fn of_power(power: Rational) -> Order {
        Order {
            power,
            ..Order::constant()
        }
    }

    fn of_logarithm() -> Order {
        Order {
            logarithms: 1,
            ..Order::constant()
        }
    }

    fn is_constant(&self) -> bool {
        *self == Order::constant()
    }

    fn times(&self, other: &Order) -> Order {
        Order {
            factorials: self.factorials + other.factorials,
            base: &self.base * &other.base,
            power: &self.power + &other.power,
            logarithms: self.logarithms + other.logarithms,
        }
    }

    fn raised(&self, exponent: &Rational) -> Option<Order> {
        let whole = exponent.to_i64();
        let times = |own: i64| match own {
            0 => Some(0),
            own => whole?.checked_mul(own),
        };
        Some(Order {
            factorials: times(self.factorials)?,
            base: if self.base.is_one() {
                Rational::ONE
            } else {
                self.base.pow(whole.filter(|own| own.abs() < 64)?)?
            },
            power: &self.power * exponent,
            logarithms: times(self.logarithms)?,
        })
    }

    /// True if it is a power with logarithms, whose values can be compared.
    fn is_polynomial(&self) -> bool {
        self.factorials == 0 && self.base.is_one()
    }
}

/// The order of a formula in a parameter; `None` if it is not known.
///
/// The other parameters are positive and stay. The order is checked by two values far out, if the formula
/// has values there.
pub(crate) fn growth(formula: &Formula, parameter: &str, others: &Bindings) -> Option<Order> {
    let mut arena = formula.arena().clone();
    let symbol = arena.named(parameter);
    let mut orders = Vec::new();
    Orders {
        arena: &arena,
        symbol,
    }
    .of(formula.root(), &mut orders);
    orders.sort();
    orders.dedup();
    orders.reverse();
    let is_open = formula.open_reductions() > 0;
    let values = (!is_open)
        .then(|| values(formula, parameter, others))
        .flatten();
    match (values, orders.as_slice()) {
        (Some(values), _) => {
            let fits = |order: &&Order| fits(order, values);
            orders.iter().find(fits).cloned()
        }
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

/// The values at two distances.
fn values(formula: &Formula, parameter: &str, others: &Bindings) -> Option<[f64; 2]> {
    let mut found = [0.0; 2];
    for (own, power) in found.iter_mut().zip([CHECKED_AT, CHECKED_AT + 1]) {
        let mut there = others.clone();
        let place = Rational::from(1_i64 << power);
        there.insert(parameter.to_owned(), Value::Scalar(Number::Exact(place)));
        match formula.evaluate(&there) {
            Ok(Value::Scalar(number)) => *own = number.to_f64(),
            _ => return None,
        }
    }
    found.iter().all(|own| own.is_finite()).then_some(found)
}

/// True if two values grow as the order says.
fn fits(order: &Order, [near, far]: [f64; 2]) -> bool {
    if !order.is_polynomial() {
        return false;
    }
    if near == 0.0 || far == 0.0 {
        return near == far && order.is_constant();
    }
    let of_logarithm = f64::from(CHECKED_AT + 1) / f64::from(CHECKED_AT);
    let expected = order.power.to_f64().exp2() * of_logarithm.powf(order.logarithms as f64);
    // Far out, logarithms of other bases and terms beside them differ a little.
    let found = far / near;
    (found / expected - 1.0).abs() < TOLERANCE / if order.logarithms == 0 { 100.0 } else { 4.0 }
}

struct Orders<'a> {
    arena: &'a Arena,
    symbol: Symbol,
}

impl Orders<'_> {
    /// Adds the orders that an expression may have: one, or one for each branch of a choice.
    fn of(&self, id: ExprId, orders: &mut Vec<Order>) {
        match self.order(id) {
            Some(order) => orders.push(order),
            None => {
                // The order of a part dominates, if the whole is a choice or a minimum of parts.
                if let Node::If(_, then, otherwise) = *self.arena.node(id) {
                    with_stack(|| self.of(then, orders));
                    with_stack(|| self.of(otherwise, orders));
                }
            }
        }
    }

    fn order(&self, id: ExprId) -> Option<Order> {
        if !self.arena.mentions(id, self.symbol) {
            return Some(Order::constant());
        }
        let of = |id: ExprId| with_stack(|| self.order(id));
        let all = |list: &[ExprId]| list.iter().map(|&id| of(id)).collect::<Option<Vec<_>>>();
        match self.arena.node(id).clone() {
            Node::Symbol(_) => Some(Order::of_power(Rational::ONE)),
            Node::Add(list) | Node::Max(list) => all(&list)?.into_iter().max(),
            Node::Min(list) => all(&list)?.into_iter().min(),
            Node::Mul(list) => {
                let factors = all(&list)?;
                Some(
                    factors
                        .iter()
                        .fold(Order::constant(), |all, own| all.times(own)),
                )
            }
            Node::Pow(base, exponent) => match self.arena.as_number(exponent) {
                Some(exponent) => of(base)?.raised(exponent),
                None => self.exponential(base, exponent),
            },
            Node::Apply(function, operand) => self.applied(function, operand),
            Node::Mod(left, right) => {
                let grow = [left, right].map(|id| self.arena.mentions(id, self.symbol));
                (grow != [true; 2]).then(Order::constant)
            }
            Node::Compare(..) => Some(Order::constant()),
            Node::If(_, then, otherwise) => {
                let (then, otherwise) = (of(then)?, of(otherwise)?);
                (then == otherwise).then_some(then)
            }
            _ => None,
        }
    }

    /// `c^(a * n + b)` for numbers `c` and `a`.
    fn exponential(&self, base: ExprId, exponent: ExprId) -> Option<Order> {
        let base = self.arena.as_number(base)?;
        let slope = self
            .slope(exponent)?
            .to_i64()
            .filter(|own| own.abs() < 64)?;
        base.is_positive().then_some(Order {
            base: base.pow(slope)?,
            ..Order::constant()
        })
    }

    /// The number `a` of `a * n + b`, where `b` does not depend on `n`.
    fn slope(&self, id: ExprId) -> Option<Rational> {
        if !self.arena.mentions(id, self.symbol) {
            return Some(Rational::ZERO);
        }
        match self.arena.node(id) {
            Node::Symbol(_) => Some(Rational::ONE),
            Node::Mul(list) => match list[..] {
                [factor, other] => {
                    let factor = self.arena.as_number(factor)?;
                    Some(factor * &self.slope(other)?)
                }
                _ => None,
            },
            Node::Add(list) => list
                .iter()
                .try_fold(Rational::ZERO, |all, &own| Some(&all + &self.slope(own)?)),
            _ => None,
        }
    }

    fn applied(&self, function: Function, operand: ExprId) -> Option<Order> {
        let own = self.order(operand)?;
        let grows = own > Order::constant();
        Some(match function {
            Function::Floor | Function::Ceil if !grows => Order::constant(),
            Function::Floor | Function::Ceil | Function::Abs => own,
            Function::Sqrt => own.raised(&Rational::new(1, 2)?)?,
            Function::Log | Function::Harmonic(1) => match own {
                own if own.is_constant() => own,
                own if own.factorials > 0 => {
                    Order::of_power(Rational::ONE).times(&Order::of_logarithm())
                }
                own if !own.base.is_one() => Order::of_power(Rational::ONE),
                own if !own.power.is_zero() => Order::of_logarithm(),
                _ => return None,
            },
            Function::Harmonic(_) | Function::Integer => Order::constant(),
            Function::Factorial if self.slope(operand)?.is_one() => Order {
                factorials: 1,
                ..Order::constant()
            },
            Function::LogGamma if own == Order::of_power(Rational::ONE) => {
                own.times(&Order::of_logarithm())
            }
            _ => return own.is_constant().then_some(own),
        })
    }
}
