//! Free expressions: extremes of up to four operands, nested loops, choices and remainders over parameters of either sign.
//!
//! Random models that are independent of the other generators, to try combinations that these lack.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

mod expression;
mod points;
mod term;

pub use expression::{EQUATION, Free};
pub use points::{Draw, Points, Values};

use expression::{INDICES, Parameter};
use term::Term;

const WHOLE: [&str; 3] = ["N", "M", "P"];
const NUMBERS: [&str; 4] = ["a", "b", "c", "t"];
const WHOLE_FACTS: [&str; 6] = [
    " : integer >= 0",
    " : integer >= 0",
    " : integer >= 0",
    " : integer >= 1",
    " : integer",
    "",
];
const NUMBER_FACTS: [&str; 5] = ["", "", "", " : >= 0", " : > 0"];

impl Free {
    /// The model of a seed.
    pub fn new(seed: u64) -> Free {
        let mut random = Pcg64::seed_from_u64(seed);
        let mut parameter = |name, facts: &[&'static str], whole| Parameter {
            name,
            facts: facts[random.random_range(0..facts.len())],
            whole,
        };
        let mut parameters: Vec<Parameter> = Vec::new();
        parameters.extend(WHOLE.map(|name| parameter(name, &WHOLE_FACTS, true)));
        parameters.extend(NUMBERS.map(|name| parameter(name, &NUMBER_FACTS, false)));
        let mut maker = Maker {
            budget: [1, 2, 2, 3, 3, 4, 5][random.random_range(0..7)],
            depth: 0,
            random,
        };
        let body = if maker.chance(70) {
            maker.reduction()
        } else {
            maker.expression()
        };
        Free { parameters, body }
    }
}

struct Maker {
    random: Pcg64,
    /// Number of operators that may still be used; leaves are free.
    budget: usize,
    /// Number of bound indices.
    depth: usize,
}

impl Maker {
    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_range(0..100) < percent
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.random_range(0..list.len())]
    }

    fn pick(&mut self, names: &[&'static str]) -> Term {
        Term::Leaf(self.one_of(names))
    }

    fn leaf(&mut self) -> Term {
        match self.random.random_range(0..10) {
            0..=2 if self.depth > 0 => self.pick(&INDICES[..self.depth]),
            0..=2 => self.pick(&WHOLE),
            3..=6 => self.pick(&NUMBERS),
            7 => self.pick(&WHOLE),
            _ => self.pick(&["0", "1", "2", "3", "(1 / 2)", "(-1)"]),
        }
    }

    /// A parameter, the difference of two, or an index.
    fn slope(&mut self) -> Term {
        let first = self.pick(&NUMBERS);
        match self.random.random_range(0..20) {
            0..=9 => first,
            10..=14 => Term::infix("-", first, self.pick(&NUMBERS)),
            15..=16 => self.pick(&["2", "3", "(-1)", "(1 / 2)"]),
            17 if self.depth > 0 => self.pick(&INDICES[..self.depth]),
            _ => self.pick(&WHOLE),
        }
    }

    /// `a + t * i`, without one of the two parts at times.
    fn line(&mut self) -> Term {
        let along = match self.depth {
            0 => self.pick(&WHOLE),
            depth => self.pick(&INDICES[..depth]),
        };
        let product = match self.random.random_range(0..12) {
            0 => Term::infix("/", self.leaf(), along),
            _ => Term::infix("*", self.slope(), along),
        };
        match self.random.random_range(0..10) {
            0..=3 => product,
            4..=6 => Term::infix("+", self.pick(&NUMBERS), product),
            7 => Term::infix("-", self.leaf(), product),
            _ => Term::infix("+", self.slope(), product),
        }
    }

    fn operand(&mut self) -> Term {
        match self.random.random_range(0..10) {
            0..=4 => self.line(),
            5..=7 => self.leaf(),
            _ => self.expression(),
        }
    }

    fn expression(&mut self) -> Term {
        if self.budget == 0 {
            return self.leaf();
        }
        self.budget -= 1;
        match self.random.random_range(0..20) {
            0..=5 => self.extreme(),
            6..=8 => self.choice(),
            9..=12 => {
                let operator = self.one_of(&["+", "+", "-", "*"]);
                Term::infix(operator, self.operand(), self.operand())
            }
            13..=15 => self.rounding(),
            16 => self.line(),
            _ if self.depth < INDICES.len() => self.reduction(),
            _ => self.extreme(),
        }
    }

    fn extreme(&mut self) -> Term {
        let name = self.one_of(&["max", "min"]);
        let count = self.one_of(&[2, 2, 3, 3, 4]);
        Term::Call(name, (0..count).map(|_| self.operand()).collect())
    }

    fn choice(&mut self) -> Term {
        let comparison = self.one_of(&["<", "<=", "==", ">", ">=", "!="]);
        let operands = [(); 4].map(|()| self.operand());
        Term::Choice(comparison, Box::new(operands))
    }

    fn rounding(&mut self) -> Term {
        let divisor = if self.chance(75) {
            self.pick(&["2", "3", "4"])
        } else {
            self.pick(&["P", "M", "t"])
        };
        let divided = self.operand();
        match self.one_of(&["div", "mod", "floor", "ceil"]) {
            call @ ("floor" | "ceil") => Term::Call(call, vec![Term::infix("/", divided, divisor)]),
            operator => Term::infix(operator, divided, divisor),
        }
    }

    /// A loop; its ends are often the index of one around it, and its range is often empty or of one element.
    fn reduction(&mut self) -> Term {
        let name = self.one_of(&["sum", "sum", "sum", "max", "max", "min", "prod"]);
        let outer = self.depth.checked_sub(1).map(|depth| INDICES[depth]);
        let start = match (self.random.random_range(0..10), outer) {
            (0..=2, Some(outer)) => Term::Leaf(outer),
            (3, Some(outer)) => Term::infix("+", Term::Leaf(outer), Term::Leaf("1")),
            (4, _) => self.pick(&WHOLE),
            (5..=6, _) => Term::Leaf("0"),
            _ => Term::Leaf("1"),
        };
        let end = match (self.random.random_range(0..20), outer) {
            (0..=4, Some(outer)) => Term::Leaf(outer),
            (5, Some(outer)) => Term::infix("-", Term::Leaf(outer), Term::Leaf("1")),
            (6, Some(outer)) => Term::infix("-", self.pick(&WHOLE), Term::Leaf(outer)),
            (7, _) => start.clone(),
            (8, _) => Term::infix("-", start.clone(), Term::Leaf("1")),
            (9..=10, _) => Term::infix("-", self.pick(&WHOLE), Term::Leaf("1")),
            (11, _) => self.pick(&["2", "3"]),
            (12, _) => self.pick(&NUMBERS),
            _ => self.pick(&WHOLE),
        };
        let index = INDICES[self.depth];
        self.depth += 1;
        let body = if self.chance(40) {
            self.extreme()
        } else {
            self.expression()
        };
        self.depth -= 1;
        Term::Loop(name, index, Box::new([start, end, body]))
    }
}
