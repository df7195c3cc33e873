//! Numbers and conditions as text.

use super::number::*;
use super::part::Range;
use super::writer::Writer;

impl Writer<'_, '_> {
    pub fn range(&self, range: &Range) -> String {
        let index = self.names.of(range.index);
        let bounds = format!(
            "{index} = {}, {}",
            self.number(&range.first),
            self.number(&range.last)
        );
        match range.step.as_constant() {
            Some(1) => bounds,
            _ => format!("{bounds}, {}", self.number(&range.step)),
        }
    }

    /// A number that is not an operand.
    pub fn number(&self, number: &Number) -> String {
        let mut terms: Vec<(&Vec<(Atom, u32)>, i64)> = number.terms().collect();
        if terms.is_empty() {
            return "0".to_string();
        }
        // Larger powers first, what is subtracted after what is added.
        let degree = |monomial: &[(Atom, u32)]| monomial.iter().map(|(_, e)| *e).sum::<u32>();
        terms.sort_by_key(|(monomial, c)| (*c < 0, std::cmp::Reverse(degree(monomial))));
        let alone = terms.len() == 1;
        let mut text = String::new();
        for (place, (monomial, coefficient)) in terms.into_iter().enumerate() {
            let size = coefficient.unsigned_abs();
            let factors: Vec<String> = monomial
                .iter()
                .map(|(atom, exponent)| {
                    let is_whole = alone
                        && monomial.len() == 1
                        && size == 1
                        && *exponent == 1
                        && coefficient > 0;
                    let factor = self.atom(atom, is_whole);
                    match exponent {
                        1 => factor,
                        exponent => format!("{factor}^{exponent}"),
                    }
                })
                .collect();
            let product = match (size, factors.is_empty()) {
                (_, true) => size.to_string(),
                (1, false) => factors.join(" * "),
                (_, false) => format!("{size} * {}", factors.join(" * ")),
            };
            text.push_str(match (place, coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            text.push_str(&product);
        }
        text
    }

    /// A number as a side of a relation.
    pub fn side(&self, number: &Number) -> String {
        match number.as_atom() {
            Some(Atom::If(..)) => format!("({})", self.number(number)),
            _ => self.number(number),
        }
    }

    /// A number as an operand of a product or quotient.
    pub fn factor(&self, number: &Number) -> String {
        let is_simple = match number.as_constant() {
            Some(constant) => constant >= 0,
            None => matches!(
                number.as_atom(),
                Some(Atom::Symbol(_) | Atom::Function(..) | Atom::Min(..) | Atom::Max(..))
            ),
        };
        if is_simple {
            self.number(number)
        } else {
            format!("({})", self.number(number))
        }
    }

    fn atom(&self, atom: &Atom, alone: bool) -> String {
        let wrapped = |text: String| if alone { text } else { format!("({text})") };
        match atom {
            Atom::Symbol(symbol) => self.names.of(*symbol),
            Atom::Div(a, b) => wrapped(format!("{} div {}", self.factor(a), self.factor(b))),
            Atom::Mod(a, b) => wrapped(format!("{} mod {}", self.factor(a), self.factor(b))),
            Atom::Quotient(a, b) => wrapped(format!("{} / {}", self.factor(a), self.factor(b))),
            Atom::Min(a, b) => format!("min({}, {})", self.number(a), self.number(b)),
            Atom::Max(a, b) => format!("max({}, {})", self.number(a), self.number(b)),
            Atom::Power(a, b) => wrapped(format!("{}^{}", self.factor(a), self.factor(b))),
            Atom::If(condition, a, b) => wrapped(format!(
                "if ({}) {} else {}",
                self.condition(condition),
                self.factor(a),
                self.factor(b)
            )),
            Atom::Function(name, arguments) => {
                let arguments: Vec<String> = arguments.iter().map(|a| self.number(a)).collect();
                format!("{name}({})", arguments.join(", "))
            }
            Atom::Real(text) => text.clone(),
            Atom::Written(pieces) => wrapped(
                pieces
                    .iter()
                    .map(|piece| match piece {
                        Piece::Text(text) => text.clone(),
                        Piece::Value(value) => self.factor(value),
                    })
                    .collect(),
            ),
        }
    }

    pub fn condition(&self, condition: &Condition) -> String {
        let part = |condition: &Condition| match condition {
            Condition::And(..) | Condition::Or(..) => format!("({})", self.condition(condition)),
            _ => self.condition(condition),
        };
        match condition {
            Condition::Constant(value) => u8::from(*value).to_string(),
            Condition::Compare(comparison, a, b) => {
                let side = |number: &Number| match number.as_atom() {
                    Some(Atom::If(..) | Atom::Written(_)) => self.factor(number),
                    _ => self.number(number),
                };
                let (left, right) = (side(a), side(b));
                // `0 < n` reads better the other way round.
                match (comparison, a.as_constant()) {
                    (Comparison::Less, Some(_)) => format!("{right} > {left}"),
                    (Comparison::LessEqual, Some(_)) => format!("{right} >= {left}"),
                    (Comparison::Less, None) => format!("{left} < {right}"),
                    (Comparison::LessEqual, None) => format!("{left} <= {right}"),
                    (Comparison::Equal, _) => format!("{left} == {right}"),
                    (Comparison::NotEqual, _) => format!("{left} != {right}"),
                }
            }
            Condition::Not(inner) => format!("!({})", self.condition(inner)),
            Condition::And(a, b) => format!("{} && {}", part(a), part(b)),
            Condition::Or(a, b) => format!("{} || {}", part(a), part(b)),
            Condition::Share(share) => self.number(share),
        }
    }
}
