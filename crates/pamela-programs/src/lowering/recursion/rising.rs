//! Monotonicity of the time of a part in a size.

use crate::lowering::number::*;
use crate::lowering::part::Part;

/// True if the time of a part is known to be nondecreasing in a positive size.
pub fn rises(part: &Part, size: Symbol) -> bool {
    if !part.mentions(size) {
        return true;
    }
    match part {
        Part::Sequence(parts) => parts.iter().all(|part| rises(part, size)),
        Part::Loop(range, body) => {
            let is_fixed = !range.first.mentions(size) && !range.step.mentions(size);
            is_fixed && number_rises(&range.last, size) && rises(body, size)
        }
        Part::If(condition, then, otherwise) => {
            let mut is_fixed = true;
            condition.symbols(&mut |symbol| is_fixed &= symbol != size);
            is_fixed && rises(then, size) && rises(otherwise, size)
        }
        _ => false,
    }
}

fn number_rises(number: &Number, size: Symbol) -> bool {
    number.terms().all(|(monomial, coefficient)| {
        let is_of_size = monomial.iter().any(|(atom, _)| mentions(atom, size));
        let mut atoms = monomial.iter();
        !is_of_size || coefficient > 0 && atoms.all(|(atom, _)| is_of_positive_rise(atom, size))
    })
}

fn mentions(atom: &Atom, size: Symbol) -> bool {
    Number::atom(atom.clone()).mentions(size)
}

/// True if an atom rises with the size, and is not below 0.
fn is_of_positive_rise(atom: &Atom, size: Symbol) -> bool {
    match atom {
        Atom::Symbol(symbol) => *symbol == size,
        Atom::Div(number, by) => {
            let is_constant = by.as_constant().is_some_and(|by| by > 0);
            is_constant && number_rises_from_0(number, size)
        }
        _ => false,
    }
}

/// True if a number rises, and each of its terms is not below 0.
fn number_rises_from_0(number: &Number, size: Symbol) -> bool {
    number.terms().all(|(monomial, coefficient)| {
        let mut atoms = monomial.iter();
        coefficient > 0 && atoms.all(|(atom, _)| is_of_positive_rise(atom, size))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lowering::part::Range;

    const SIZE: Symbol = Symbol(0);

    fn rounds(first: Number, last: Number) -> Part {
        let range = Range {
            index: Symbol(1),
            first,
            last,
            step: Number::constant(1),
        };
        Part::Loop(Box::new(range), Box::new(Part::Block(0)))
    }

    #[test]
    fn loops_up_to_a_size_rise_with_it_and_loops_down_to_it_do_not() {
        let (size, one, other) = (
            Number::symbol(SIZE),
            Number::constant(1),
            Number::symbol(Symbol(2)),
        );
        let half = size.div(&Number::constant(2));
        let square = size.times(&half).expect("a product");
        let last = square.plus_constant(-7).expect("a sum");
        assert!(rises(&rounds(one.clone(), last), SIZE));
        assert!(rises(&rounds(other.clone(), one.clone()), SIZE));
        assert!(!rises(&rounds(size.clone(), other.clone()), SIZE));
        // The other may be below 0.
        let product = size.times(&other).expect("a product");
        assert!(!rises(&rounds(one.clone(), product), SIZE));
        let less = other.minus(&size).expect("a difference");
        assert!(!rises(&rounds(one.clone(), less), SIZE));
        let odd = size.modulo(&Number::constant(2));
        assert!(!rises(&rounds(one, odd), SIZE));
    }
}
