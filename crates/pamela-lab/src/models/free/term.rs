//! Expressions as trees that are printed with all brackets and can be reduced.

use std::fmt;

#[derive(Clone)]
pub(super) enum Term {
    Leaf(&'static str),
    /// `f(a, b, c)`
    Call(&'static str, Vec<Term>),
    /// `(a + b)`
    Infix(&'static str, Box<[Term; 2]>),
    /// `(if (a < b) c else d)`
    Choice(&'static str, Box<[Term; 4]>),
    /// `sum (i = a, b) { c }`: name, index, ends and body.
    Loop(&'static str, &'static str, Box<[Term; 3]>),
}

impl Term {
    pub fn infix(operator: &'static str, left: Term, right: Term) -> Term {
        Term::Infix(operator, Box::new([left, right]))
    }

    fn operands(&self) -> &[Term] {
        match self {
            Term::Leaf(_) => &[],
            Term::Call(_, operands) => operands,
            Term::Infix(_, operands) => &operands[..],
            Term::Choice(_, operands) => &operands[..],
            Term::Loop(_, _, operands) => &operands[..],
        }
    }

    fn operands_mut(&mut self) -> &mut [Term] {
        match self {
            Term::Leaf(_) => &mut [],
            Term::Call(_, operands) => operands,
            Term::Infix(_, operands) => &mut operands[..],
            Term::Choice(_, operands) => &mut operands[..],
            Term::Loop(_, _, operands) => &mut operands[..],
        }
    }

    pub fn mentions(&self, name: &str) -> bool {
        let mut below = self.operands().iter();
        matches!(self, Term::Leaf(text) if *text == name) || below.any(|part| part.mentions(name))
    }

    /// The number of nodes, where 0 and 1 count less than names.
    pub fn size(&self) -> usize {
        match self {
            Term::Leaf("0") => 1,
            Term::Leaf("1") => 2,
            Term::Leaf(_) => 3,
            _ => 3 + self.operands().iter().map(Term::size).sum::<usize>(),
        }
    }

    /// Replaces one part by one of its operands, by 0 or by 1, or leaves one operand of an extreme out.
    pub fn smaller(&self) -> Vec<Term> {
        let mut found = self.operands().to_vec();
        found.extend([Term::Leaf("0"), Term::Leaf("1")]);
        for (position, operand) in self.operands().iter().enumerate() {
            if let Term::Call(name, operands) = self
                && operands.len() > 2
            {
                let mut fewer = operands.clone();
                fewer.remove(position);
                found.push(Term::Call(name, fewer));
            }
            found.extend(operand.smaller().into_iter().map(|smaller| {
                let mut changed = self.clone();
                changed.operands_mut()[position] = smaller;
                changed
            }));
        }
        found
    }

    /// Pairs of terms that are compared: any two operands of an extreme, the sides of a comparison, the ends of a
    /// loop.
    pub fn pairs(&self) -> Vec<[&Term; 2]> {
        let compared = match self {
            Term::Leaf(_) | Term::Infix(..) => 0,
            Term::Call(_, operands) => operands.len(),
            Term::Choice(..) | Term::Loop(..) => 2,
        };
        let compared = &self.operands()[..compared];
        let mut found: Vec<[&Term; 2]> = Vec::new();
        for (position, left) in compared.iter().enumerate() {
            found.extend(compared[position + 1..].iter().map(|right| [left, right]));
        }
        found.extend(self.operands().iter().flat_map(Term::pairs));
        found
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Leaf(text) => f.write_str(text),
            Term::Call(name, operands) => {
                let operands: Vec<String> = operands.iter().map(Term::to_string).collect();
                write!(f, "{name}({})", operands.join(", "))
            }
            Term::Infix(operator, operands) => {
                let [left, right] = &**operands;
                write!(f, "({left} {operator} {right})")
            }
            Term::Choice(comparison, operands) => {
                let [left, right, yes, no] = &**operands;
                write!(f, "(if ({left} {comparison} {right}) {yes} else {no})")
            }
            Term::Loop(name, index, operands) => {
                let [start, end, body] = &**operands;
                write!(f, "{name} ({index} = {start}, {end}) {{ {body} }}")
            }
        }
    }
}
