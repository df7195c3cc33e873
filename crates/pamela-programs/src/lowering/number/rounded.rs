//! Numbers with fractions, and numbers that doubles only approximate.

use super::*;

impl Number {
    /// True if it may have a fraction.
    pub fn is_real(&self) -> bool {
        let mut found = false;
        self.atoms(&mut |atom| found |= matches!(atom, Atom::Real(_) | Atom::Quotient(..)));
        found
    }

    /// True if doubles come to something near it: decimals and logarithms have no exact ones.
    pub fn is_rounded(&self) -> bool {
        let mut found = false;
        self.atoms(&mut |atom| {
            found |= match atom {
                Atom::Real(digits) => !is_exact(digits),
                Atom::Function(name, _) => *name == "log",
                _ => false,
            };
        });
        found
    }

    /// Calls `visit` with each atom in it, those inside of others too.
    fn atoms(&self, visit: &mut dyn FnMut(&Atom)) {
        for (atom, _) in self.terms.keys().flatten() {
            visit(atom);
            atom.numbers()
                .into_iter()
                .for_each(|number| number.atoms(visit));
        }
    }
}

impl Atom {
    /// The numbers that it is made of, apart from those in conditions.
    fn numbers(&self) -> Vec<&Number> {
        match self {
            Atom::Symbol(_) | Atom::Real(_) => Vec::new(),
            Atom::Div(a, b)
            | Atom::Mod(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Power(a, b)
            | Atom::If(_, a, b)
            | Atom::Quotient(a, b) => vec![a, b],
            Atom::Function(_, arguments) => arguments.iter().collect(),
            Atom::Written(pieces) => {
                let values = pieces.iter().filter_map(|piece| match piece {
                    Piece::Value(value) => Some(value),
                    Piece::Text(_) => None,
                });
                values.collect()
            }
        }
    }
}

/// True if a decimal is a double: a fraction whose divisor is a power of two.
fn is_exact(digits: &str) -> bool {
    let Ok(value) = digits.parse::<f64>() else {
        return false;
    };
    // A double with few digits behind the point is a multiple of 1/1024 where it is a short binary fraction.
    let scaled = value * 1024.0;
    let is_short = scaled.fract() == 0.0 && scaled.abs() < 1e15;
    is_short && digits.len() < 20
}
