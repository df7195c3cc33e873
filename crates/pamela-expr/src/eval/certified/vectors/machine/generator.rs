//! Generates the instructions of a program and allocates registers.

use rustc_hash::FxHashMap;

use super::encoder::{Arithmetic, Comparison, Encoder, Place, Product, Register, Width};
use crate::eval::certified::vectors::VectorProgram;
use crate::eval::certified::vectors::tiles::{
    Fusing, INTEGERS, Operand, Operation, Operator, Part,
};

/// The result of one operation. Slots are reused, values are not.
type Value = usize;

/// Location of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    register: Option<Register>,
    spilled: Option<usize>,
}

/// Registers that no value is kept in: what takes several instructions is computed in these, so that the register of its
/// result may be one of its operands'.
const SPARE: u8 = 2;

pub(super) struct Generator<'p> {
    program: &'p VectorProgram,
    pub(super) encoder: Encoder,
    /// The columns that the code reads: parts of inputs, by index.
    pub(super) inputs: Vec<(usize, Part)>,
    /// Number of results, which are written in order.
    pub(super) outputs: usize,
    pub(super) constants: Vec<f64>,
    /// Number of vectors in memory.
    pub(super) spilled: usize,
    /// The value in each slot.
    slots: Vec<Value>,
    /// Later operations that use each value; the next one is last.
    uses: Vec<Vec<usize>>,
    kept: Vec<Kept>,
    /// The value in each register.
    held: Vec<Option<Value>>,
    /// Free vectors in memory, and those free after the current operation.
    free: Vec<usize>,
    ended: Vec<usize>,
    places: FxHashMap<u64, usize>,
}

impl<'p> Generator<'p> {
    pub(super) fn new(program: &'p VectorProgram, width: Width) -> Generator<'p> {
        let (mut slots, mut uses) = (vec![0; program.slots], Vec::<Vec<usize>>::new());
        for (position, operation) in program.code.iter().enumerate() {
            for slot in operation.columns() {
                uses[slots[slot]].push(position);
            }
            if let Some(slot) = operation.target() {
                slots[slot] = uses.len();
                uses.push(Vec::new());
            }
        }
        for own in &mut uses {
            own.dedup();
            own.reverse();
        }
        Generator {
            program,
            encoder: Encoder::new(width),
            inputs: Vec::new(),
            outputs: 0,
            constants: Vec::new(),
            spilled: 0,
            slots,
            kept: vec![Kept::default(); uses.len()],
            uses,
            held: vec![None; usize::from(width.registers() - SPARE)],
            free: Vec::new(),
            ended: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    pub(super) fn generate(mut self) -> Generator<'p> {
        let start = self.encoder.begin();
        let mut next = 0;
        for (position, operation) in self.program.code.iter().enumerate() {
            let places: Vec<Place> = operation
                .operands()
                .iter()
                .map(|x| self.place(*x))
                .collect();
            for slot in operation.columns() {
                self.used(self.slots[slot], position);
            }
            match operation.target() {
                Some(slot) => {
                    let to = self.register_for(next);
                    self.compute(operation, &places, to);
                    self.slots[slot] = next;
                    next += 1;
                }
                None => self.output(&places),
            }
            self.free.append(&mut self.ended);
        }
        self.encoder.end(start);
        self
    }

    fn spare(&self, number: u8) -> Register {
        Register(self.held.len() as u8 + number)
    }

    fn constant(&mut self, value: f64) -> Place {
        let new = self.constants.len();
        let place = *self.places.entry(value.to_bits()).or_insert(new);
        if place == new {
            self.constants.push(value);
        }
        Place::Constant(place)
    }

    fn place(&mut self, operand: Operand) -> Place {
        match operand {
            Operand::Constant(value) => self.constant(value),
            Operand::Column(slot) => {
                let kept = self.kept[self.slots[slot]];
                match (kept.register, kept.spilled) {
                    (Some(register), _) => Place::Register(register),
                    (None, spilled) => Place::Spilled(spilled.unwrap_or_default()),
                }
            }
        }
    }

    /// An operation has its operand; after the last one nothing keeps it.
    fn used(&mut self, value: Value, position: usize) {
        if self.uses[value].last() == Some(&position) {
            self.uses[value].pop();
        }
        if self.uses[value].is_empty() {
            let kept = std::mem::take(&mut self.kept[value]);
            if let Some(Register(number)) = kept.register {
                self.held[usize::from(number)] = None;
            }
            self.ended.extend(kept.spilled);
        }
    }

    /// A register for a value: where none is free, the one whose value is used last, which is put into memory.
    fn register_for(&mut self, value: Value) -> Register {
        let number = match self.held.iter().position(Option::is_none) {
            Some(number) => number,
            None => {
                let next_use = |held: &Option<Value>| held.and_then(|v| self.uses[v].last());
                let all = self.held.iter().enumerate();
                let last = all.max_by_key(|(_, held)| next_use(held));
                last.map_or(0, |(number, _)| number)
            }
        };
        let register = Register(number as u8);
        if let Some(other) = self.held[number].replace(value) {
            self.spill(other, register);
        }
        self.kept[value].register = Some(register);
        register
    }

    fn spill(&mut self, value: Value, from: Register) {
        self.kept[value].register = None;
        if self.kept[value].spilled.is_some() {
            return;
        }
        let place = self.free.pop().unwrap_or_else(|| {
            self.spilled += 1;
            self.spilled - 1
        });
        self.encoder.store(from, Place::Spilled(place));
        self.kept[value].spilled = Some(place);
    }

    /// The register of an operand, which is a spare one if it is not in one yet.
    fn in_register(&mut self, place: Place, spare: u8) -> Register {
        match place {
            Place::Register(register) => register,
            place => {
                let spare = self.spare(spare);
                self.encoder.load(spare, place);
                spare
            }
        }
    }

    fn compute(&mut self, operation: &Operation, places: &[Place], to: Register) {
        match (operation, places) {
            (
                Operation::Input {
                    input,
                    part,
                    denominator,
                    ..
                },
                _,
            ) => self.input((*input, *part), *denominator, to),
            (Operation::Fused { fusing, .. }, &[a, b, c]) => self.fused(*fusing, [a, b, c], to),
            (Operation::Binary { operator, .. }, &[a, b]) => self.binary(*operator, [a, b], to),
            (Operation::Select { .. }, &[condition, then, otherwise]) => {
                let (zero, spare) = (self.constant(0.0), self.spare(0));
                let otherwise = self.in_register(otherwise, 1);
                let encoder = &mut self.encoder;
                encoder.select(to, [condition, zero, then], otherwise, spare);
            }
            _ => {}
        }
    }

    fn input(&mut self, input: (usize, Part), denominator: f64, to: Register) {
        let known = self.inputs.iter().position(|&own| own == input);
        let number = known.unwrap_or_else(|| {
            self.inputs.push(input);
            self.inputs.len() - 1
        });
        self.encoder.input(number);
        self.encoder.load(to, Place::Column);
        if denominator != 1.0 {
            let integers = self.constant(INTEGERS);
            let steps = [
                (Arithmetic::Multiply, self.constant(denominator)),
                (Arithmetic::Add, integers),
                (Arithmetic::Subtract, integers),
            ];
            for (operator, place) in steps {
                self.encoder.arithmetic(operator, to, to, place);
            }
        }
    }

    fn binary(&mut self, operator: Operator, [a, b]: [Place; 2], to: Register) {
        let arithmetic = match operator {
            Operator::Add => Arithmetic::Add,
            Operator::Subtract => Arithmetic::Subtract,
            Operator::Multiply => Arithmetic::Multiply,
            Operator::Divide => Arithmetic::Divide,
            Operator::Larger => Arithmetic::Larger,
            Operator::Smaller => Arithmetic::Smaller,
            Operator::Quotient => return self.quotient([a, b], to),
            Operator::Less => return self.compare(Comparison::Less, [a, b], to),
            Operator::LessEqual => return self.compare(Comparison::LessEqual, [a, b], to),
            Operator::Equal => return self.compare(Comparison::Equal, [a, b], to),
        };
        // The first one has to be in a register.
        let (a, b) = match (arithmetic, b) {
            (Arithmetic::Add | Arithmetic::Multiply, Place::Register(_)) => (b, a),
            _ => (a, b),
        };
        let a = self.in_register(a, 0);
        self.encoder.arithmetic(arithmetic, to, a, b);
    }

    fn fused(&mut self, fusing: Fusing, [a, b, c]: [Place; 3], to: Register) {
        let a = self.in_register(a, 1);
        let result = self.spare(0);
        self.encoder.load(result, c);
        let product = match fusing {
            Fusing::ProductPlus => Product::Plus,
            Fusing::ProductMinus => Product::Minus,
            Fusing::MinusProduct => Product::Subtracted,
        };
        self.encoder.product(product, result, a, b);
        self.encoder.load(to, Place::Register(result));
    }

    /// Like `whole::quotient`: the floor of the quotient, or 1 less if the quotient was rounded up.
    fn quotient(&mut self, [a, b]: [Place; 2], to: Register) {
        let [rest, quotient] = [0, 1].map(|number| self.spare(number));
        let [zero, one] = [0.0, 1.0].map(|value| self.constant(value));
        let encoder = &mut self.encoder;
        encoder.load(rest, a);
        encoder.arithmetic(Arithmetic::Divide, quotient, rest, b);
        encoder.floor(quotient, Place::Register(quotient));
        encoder.product(Product::Subtracted, rest, quotient, b);
        encoder.compare(Comparison::Less, rest, rest, zero, one);
        let rest = Place::Register(rest);
        encoder.arithmetic(Arithmetic::Subtract, to, quotient, rest);
    }

    fn compare(&mut self, comparison: Comparison, [a, b]: [Place; 2], to: Register) {
        let (one, spare) = (self.constant(1.0), self.spare(1));
        let a = self.in_register(a, 0);
        self.encoder.compare(comparison, spare, a, b, one);
        self.encoder.load(to, Place::Register(spare));
    }

    /// One division, and 0 for the negative zero.
    fn output(&mut self, places: &[Place]) {
        let &[a, b] = places else {
            return;
        };
        let one = self.constant(1.0);
        let (zero, quotient) = (self.constant(0.0), self.spare(0));
        let mut a = self.in_register(a, 0);
        if b != one {
            self.encoder.arithmetic(Arithmetic::Divide, quotient, a, b);
            a = quotient;
        }
        self.encoder.arithmetic(Arithmetic::Add, quotient, a, zero);
        self.encoder.output(self.outputs);
        self.outputs += 1;
        self.encoder.store(quotient, Place::Column);
    }
}
