//! Closed scalar formulas over batches of points, in doubles.
//!
//! An expression is compiled once into instructions over registers, each shared expression once.
//! A register holds a column of points, short enough that all registers stay in the fastest cache
//! and each instruction is one loop that vectorises.
//!
//! A result is not a number exactly where the exact value is undefined or overflows a double
//! (`inf - inf`); elsewhere it is the value of the same operations rounded one by one.

use std::collections::HashMap;
use std::fmt;

use super::instruction::{Instruction, Source, allocate, paired};
use super::kernels::{Binary, Operand, Unary, binary, pair, select, unary};
use super::lanes::Lanes;
use crate::expr::{Arena, ExprId, Function, Node, Sort};
use crate::ring::Rational;
use crate::with_stack;

/// Points computed together.
const CHUNK: usize = 512;
/// Powers up to this are computed by multiplication.
const MAX_MULTIPLIED_POWER: i64 = 64;

/// Why an expression cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A reduction is left, which would have to be looped over.
    OpenReduction,
    /// The value is a vector.
    Vector,
    /// The value is a law, or has the moments of one that has no closed form.
    Law,
    /// A root, a logarithm or another function whose values are no fractions.
    Irrational,
    /// A parameter that is not among the columns.
    Unbound(String),
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::OpenReduction => f.write_str("the formula has an open reduction"),
            Unsupported::Vector => f.write_str("the formula is a vector"),
            Unsupported::Law => f.write_str("the formula is a law"),
            Unsupported::Irrational => f.write_str("the formula has a value that is no fraction"),
            Unsupported::Unbound(name) => write!(f, "the parameter `{name}` has no column"),
        }
    }
}

impl std::error::Error for Unsupported {}

/// The values of one parameter at all points.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    Values(&'a [f64]),
    Constant(f64),
}

/// A compiled formula.
#[derive(Clone, Debug)]
pub struct Program {
    /// Each with the register that it writes.
    code: Vec<(Instruction, usize)>,
    registers: usize,
    inputs: usize,
    result: Source,
}

impl Program {
    /// Compiles `id` for columns of `parameters`, in this order.
    ///
    /// # Errors
    /// A vector, an open reduction, or a parameter that is not among the columns.
    pub fn compile(arena: &Arena, id: ExprId, parameters: &[&str]) -> Result<Program, Unsupported> {
        if arena.sort(id) != Sort::Scalar {
            return Err(Unsupported::Vector);
        }
        let mut compiler = Compiler {
            arena,
            parameters,
            code: Vec::new(),
            done: HashMap::new(),
        };
        let result = compiler.value(id)?;
        let (code, result) = paired(compiler.code, result);
        let (code, registers, result) = allocate(code, result);
        Ok(Program {
            code,
            registers,
            inputs: parameters.len(),
            result,
        })
    }

    /// Number of instructions for each point; two sums or products may be one.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Nothing is computed: the result is a parameter or a constant.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// Computes the value at each point. Columns are in the order of the compilation, each with
    /// as many values as there are results; of columns of different lengths, the shortest counts.
    ///
    /// Returns how many results were written.
    pub fn evaluate(&self, columns: &[Column], results: &mut [f64]) -> usize {
        let mut registers = vec![Lanes::<CHUNK>::new(); self.registers];
        let mut out = Lanes::<CHUNK>::new();
        let count = self.point_count(columns, results.len());
        for start in (0..count).step_by(CHUNK) {
            let length = CHUNK.min(count - start);
            for (instruction, target) in &self.code {
                let read = |source: Source| match source {
                    Source::Register(register) => Operand::Column(&registers[register][..length]),
                    Source::Constant(value) => Operand::Constant(value),
                    Source::Input(input) => match columns[input] {
                        Column::Values(values) => Operand::Column(&values[start..start + length]),
                        Column::Constant(value) => Operand::Constant(value),
                    },
                };
                match *instruction {
                    Instruction::Unary(operator, a) => unary(operator, read(a), &mut out[..length]),
                    Instruction::Binary(operator, a, b) => {
                        binary(operator, read(a), read(b), &mut out[..length]);
                    }
                    Instruction::Pair(first, second, operands) => {
                        pair(first, second, operands.map(read), &mut out[..length]);
                    }
                    Instruction::Select(condition, then, otherwise) => {
                        let operands = [read(condition), read(then), read(otherwise)];
                        select(operands, &mut out[..length]);
                    }
                }
                std::mem::swap(&mut registers[*target], &mut out);
            }
            let results = &mut results[start..start + length];
            match self.result {
                Source::Register(register) => {
                    results.copy_from_slice(&registers[register][..length]);
                }
                Source::Constant(value) => results.fill(value),
                Source::Input(input) => match columns[input] {
                    Column::Values(values) => {
                        results.copy_from_slice(&values[start..start + length]);
                    }
                    Column::Constant(value) => results.fill(value),
                },
            }
        }
        count
    }

    fn point_count(&self, columns: &[Column], results: usize) -> usize {
        if columns.len() < self.inputs {
            return 0;
        }
        let lengths = columns.iter().filter_map(|column| match column {
            Column::Values(values) => Some(values.len()),
            Column::Constant(_) => None,
        });
        lengths.chain([results]).min().unwrap_or(results)
    }
}

/// Emits instructions whose operands name the instruction that computes them.
struct Compiler<'a> {
    arena: &'a Arena,
    parameters: &'a [&'a str],
    code: Vec<Instruction>,
    done: HashMap<ExprId, Source>,
}

impl Compiler<'_> {
    fn value(&mut self, id: ExprId) -> Result<Source, Unsupported> {
        if let Some(&source) = self.done.get(&id) {
            return Ok(source);
        }
        let source = with_stack(|| self.compile(id))?;
        self.done.insert(id, source);
        Ok(source)
    }

    fn compile(&mut self, id: ExprId) -> Result<Source, Unsupported> {
        let arena = self.arena;
        match arena.node(id) {
            Node::Number(value) => Ok(Source::Constant(value.to_f64())),
            Node::Symbol(symbol) => match arena.symbol_name(*symbol) {
                Some(name) => {
                    let position = self.parameters.iter().position(|p| *p == name);
                    let unbound = || Unsupported::Unbound(name.to_owned());
                    position.map(Source::Input).ok_or_else(unbound)
                }
                None => Err(Unsupported::OpenReduction),
            },
            Node::Add(list) => self.sum(list),
            Node::Mul(list) => self.product(list, false),
            Node::Max(list) => self.fold(Binary::Max, list),
            Node::Min(list) => self.fold(Binary::Min, list),
            Node::Pow(base, exponent) => self.power(*base, *exponent),
            Node::Mod(a, b) => self.operation(Binary::Modulo, *a, *b),
            Node::CommonDivisor([a, b]) => self.operation(Binary::CommonDivisor, *a, *b),
            Node::Compare(relation, a, b) => self.operation(Binary::of(*relation), *a, *b),
            Node::Apply(function, operand) => {
                let operand = match arena.node(*operand) {
                    // A rounded coefficient such as 1/3 would turn 3/3 into less than 1.
                    Node::Mul(list) if is_step(*function) => self.product(list, true)?,
                    _ => self.value(*operand)?,
                };
                Ok(self.emit(Instruction::Unary(Unary::of(*function), operand)))
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.value(*condition)?;
                let (then, otherwise) = (self.value(*then)?, self.value(*otherwise)?);
                Ok(self.emit(Instruction::Select(condition, then, otherwise)))
            }
            Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(..) => {
                Err(Unsupported::OpenReduction)
            }
            Node::Vector(_) | Node::UnitVector(..) => Err(Unsupported::Vector),
            Node::Call(function, _) => {
                let name = arena.symbol_name(*function).unwrap_or_default();
                Err(Unsupported::Unbound(name.to_owned()))
            }
            Node::Law(..) | Node::Cumulant(..) => Err(Unsupported::Law),
        }
    }

    fn emit(&mut self, instruction: Instruction) -> Source {
        self.code.push(instruction);
        Source::Register(self.code.len() - 1)
    }

    fn binary(&mut self, operator: Binary, a: Source, b: Source) -> Source {
        self.emit(Instruction::Binary(operator, a, b))
    }

    fn operation(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Result<Source, Unsupported> {
        let (a, b) = (self.value(a)?, self.value(b)?);
        Ok(self.binary(operator, a, b))
    }

    fn fold(&mut self, operator: Binary, list: &[ExprId]) -> Result<Source, Unsupported> {
        let mut result = None;
        for &operand in list {
            let value = self.value(operand)?;
            result = Some(match result {
                None => value,
                Some(result) => self.binary(operator, result, value),
            });
        }
        Ok(result.unwrap_or(Source::Constant(0.0)))
    }

    /// Terms with coefficient -1 are subtracted.
    fn sum(&mut self, list: &[ExprId]) -> Result<Source, Unsupported> {
        let arena = self.arena;
        let minus_one = Rational::from(-1);
        let (mut added, mut subtracted) = (Vec::new(), Vec::new());
        for &term in list {
            match arena.node(term) {
                Node::Mul(factors) if arena.as_number(factors[0]) == Some(&minus_one) => {
                    subtracted.push(self.product(&factors[1..], false)?);
                }
                _ => added.push(self.value(term)?),
            }
        }
        let mut added = added.into_iter();
        let mut result = added.next().unwrap_or(Source::Constant(0.0));
        for term in added {
            result = self.binary(Binary::Add, result, term);
        }
        for term in subtracted {
            result = self.binary(Binary::Subtract, result, term);
        }
        Ok(result)
    }

    /// Numerator over denominator, so that a quotient is rounded once; `exactly` also divides by
    /// the denominator of the coefficient.
    fn product(&mut self, list: &[ExprId], exactly: bool) -> Result<Source, Unsupported> {
        let arena = self.arena;
        let (mut numerator, mut denominator) = (Vec::new(), Vec::new());
        for &factor in list {
            match arena.node(factor) {
                Node::Number(value) if exactly && !value.is_integer() => {
                    numerator.push(Source::Constant(Rational::from(value.numerator()).to_f64()));
                    denominator.push(Source::Constant(
                        Rational::from(value.denominator()).to_f64(),
                    ));
                }
                Node::Pow(base, exponent) => match negative_integer(arena, *exponent) {
                    Some(power) => {
                        let parts = match arena.node(*base) {
                            Node::Mul(parts) => parts,
                            _ => std::slice::from_ref(base),
                        };
                        for &part in parts.iter() {
                            let part = self.value(part)?;
                            denominator.push(self.integer_power(part, power));
                        }
                    }
                    None => numerator.push(self.value(factor)?),
                },
                _ => numerator.push(self.value(factor)?),
            }
        }
        numerator.retain(|factor| *factor != Source::Constant(1.0));
        self.join_logarithms(&mut numerator, &mut denominator);
        let above = self.multiply(&numerator);
        if denominator.is_empty() {
            return Ok(above);
        }
        let below = self.multiply(&denominator);
        Ok(self.binary(Binary::Divide, above, below))
    }

    /// `log(x) / log(b)` is one operation, whole where `x` is that power of `b`.
    fn join_logarithms(&mut self, numerator: &mut [Source], denominator: &mut Vec<Source>) {
        for factor in numerator {
            let of_base = denominator
                .iter()
                .position(|d| self.logarithm_of(*d).is_some());
            if let (Some(operand), Some(position)) = (self.logarithm_of(*factor), of_base)
                && let Some(base) = self.logarithm_of(denominator.remove(position))
            {
                *factor = self.binary(Binary::LogTo, operand, base);
            }
        }
    }

    /// The operand of an instruction that takes a logarithm.
    fn logarithm_of(&self, source: Source) -> Option<Source> {
        match source {
            Source::Register(position) => match self.code[position] {
                Instruction::Unary(Unary::Log, operand) => Some(operand),
                _ => None,
            },
            _ => None,
        }
    }

    fn multiply(&mut self, factors: &[Source]) -> Source {
        let mut factors = factors.iter().copied();
        let first = factors.next().unwrap_or(Source::Constant(1.0));
        factors.fold(first, |product, factor| {
            self.binary(Binary::Multiply, product, factor)
        })
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) -> Result<Source, Unsupported> {
        let power = self.arena.as_number(exponent).and_then(Rational::to_i64);
        match power {
            Some(power) if power.abs() <= MAX_MULTIPLIED_POWER => {
                let base = self.value(base)?;
                let result = self.integer_power(base, power.abs());
                Ok(if power < 0 {
                    self.binary(Binary::Divide, Source::Constant(1.0), result)
                } else {
                    result
                })
            }
            _ => match self.arena.as_number(exponent).and_then(small_fraction) {
                Some((power, order)) => {
                    let base = self.value(base)?;
                    let root = self.binary(Binary::Root, base, Source::Constant(order));
                    let result = self.integer_power(root, power.abs());
                    Ok(match power < 0 {
                        true => self.binary(Binary::Divide, Source::Constant(1.0), result),
                        false => result,
                    })
                }
                None => self.operation(Binary::Power, base, exponent),
            },
        }
    }

    /// By repeated squaring, for exponents of at least 1; by the library beyond the limit.
    fn integer_power(&mut self, base: Source, exponent: i64) -> Source {
        if exponent > MAX_MULTIPLIED_POWER {
            return self.binary(Binary::Power, base, Source::Constant(exponent as f64));
        }
        let (mut rest, mut square, mut result) = (exponent, base, None);
        while rest > 0 {
            if rest % 2 == 1 {
                result = Some(match result {
                    None => square,
                    Some(result) => self.binary(Binary::Multiply, result, square),
                });
            }
            rest /= 2;
            if rest > 0 {
                square = self.binary(Binary::Multiply, square, square);
            }
        }
        result.unwrap_or(Source::Constant(1.0))
    }
}

fn is_step(function: Function) -> bool {
    matches!(
        function,
        Function::Floor
            | Function::Ceil
            | Function::Integer
            | Function::Harmonic(_)
            | Function::Factorial
    )
}

/// Numerator and denominator of an exponent that is a root and a power.
fn small_fraction(exponent: &Rational) -> Option<(i64, f64)> {
    let power = Rational::from(exponent.numerator()).to_i64()?;
    let order = Rational::from(exponent.denominator()).to_i64()?;
    let small = |n: i64| n.abs() <= MAX_MULTIPLIED_POWER;
    (small(power) && small(order) && order > 1).then_some((power, order as f64))
}

/// The magnitude of a negative integer.
fn negative_integer(arena: &Arena, exponent: ExprId) -> Option<i64> {
    let power = arena.as_number(exponent)?.to_i64()?;
    (power < 0).then(|| power.checked_neg()).flatten()
}
