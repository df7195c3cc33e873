//! A floor, ceiling or wholeness test of one root or logarithm, at one point.

use super::program::logarithm;
use super::{CertifiedDouble, elementary, kernels, powers};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::ring::Rational;

/// Floor, ceiling or wholeness of a square root, or of a logarithm.
pub struct Step {
    function: Function,
    of: Irrational,
}

enum Irrational {
    SquareRoot(ExprId),
    Logarithm([ExprId; 2]),
}

impl Step {
    /// Reads a function of an operand as such a step, if it is one.
    pub fn of(arena: &Arena, function: Function, operand: ExprId) -> Option<Step> {
        if !matches!(
            function,
            Function::Floor | Function::Ceil | Function::Integer
        ) {
            return None;
        }
        let of = match arena.node(operand) {
            Node::Apply(Function::Sqrt, of) => Irrational::SquareRoot(*of),
            Node::Pow(base, exponent)
                if arena.as_number(*exponent) == Rational::new(1, 2).as_ref() =>
            {
                Irrational::SquareRoot(*base)
            }
            _ => logarithm(arena, operand).map(|(of, base)| Irrational::Logarithm([of, base]))?,
        };
        Some(Step { function, of })
    }

    /// The operands of the step.
    pub fn operands(&self) -> impl Iterator<Item = ExprId> {
        let operands = match self.of {
            Irrational::SquareRoot(of) => [Some(of), None],
            Irrational::Logarithm([of, base]) => [Some(of), Some(base)],
        };
        operands.into_iter().flatten()
    }

    /// The value at these operands; `None` if doubles do not decide it.
    pub fn value(&self, operands: &[Rational]) -> Option<Rational> {
        let near: Vec<CertifiedDouble> = operands.iter().map(CertifiedDouble::of).collect();
        let step = match (&self.of, near.as_slice(), self.function) {
            (Irrational::SquareRoot(_), [x], function) => {
                let root = elementary::square_root(*x);
                match function {
                    Function::Floor => kernels::floor(root),
                    Function::Ceil => kernels::ceil(root),
                    _ => kernels::integer(root),
                }
            }
            (Irrational::Logarithm(_), [x, base], Function::Floor) => powers::floor_log(*x, *base),
            (Irrational::Logarithm(_), [x, base], Function::Ceil) => powers::ceil_log(*x, *base),
            (Irrational::Logarithm(_), [x, base], _) => powers::is_power(*x, *base),
            _ => return None,
        };
        let is_known = step.error == 0.0 && step.low == 0.0;
        Rational::from_f64(step.high).filter(|_| is_known)
    }
}
