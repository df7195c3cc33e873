//! Compiles expressions into instructions over registers.

use rustc_hash::FxHashMap;

use super::CertifiedDouble;
use crate::eval::Unsupported;
use crate::expr::{Arena, ExprId, Function, Node, Operation, Relation, Sort, base_of};
use crate::ring::Rational;
use crate::with_stack;

/// Powers up to this are computed by multiplication.
const MAX_POWER: i64 = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Negate,
    Absolute,
    Floor,
    Ceil,
    Integer,
    Log,
    Exp,
    SquareRoot,
    Harmonic,
    Factorial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// The floor of the quotient.
    Quotient,
    Larger,
    Smaller,
    Modulo,
    CommonDivisor,
    Power,
    /// Floor of the logarithm of the first operand to the base of the second; then ceiling, and
    /// wholeness.
    FloorLog,
    CeilLog,
    IsPower,
    Less,
    LessEqual,
    Equal,
}

/// Computes the register of the same index from earlier registers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Constant(CertifiedDouble),
    Input(usize),
    Unary(Unary, usize),
    Binary(Binary, usize, usize),
    Select(usize, usize, usize),
}

/// Several compiled expressions.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(super) code: Vec<Instruction>,
    /// The column of each register while it is needed.
    pub(super) slots: Vec<usize>,
    pub(super) slot_count: usize,
    /// The registers of the results.
    pub(super) results: Vec<usize>,
}

/// Builds a [`Program`] for expressions of one arena.
pub struct Compiler<'a> {
    arena: &'a Arena,
    parameters: &'a [&'a str],
    program: Program,
    /// Registers of equations that others mention by name.
    mentioned: FxHashMap<String, usize>,
    known: FxHashMap<ExprId, usize>,
    common: FxHashMap<(Binary, usize, usize), usize>,
}

impl Program {
    /// Compiles for columns of `parameters`, in this order.
    pub fn compiler<'a>(arena: &'a Arena, parameters: &'a [&'a str]) -> Compiler<'a> {
        Compiler {
            arena,
            parameters,
            program: Program::default(),
            mentioned: FxHashMap::default(),
            known: FxHashMap::default(),
            common: FxHashMap::default(),
        }
    }

    /// Number of instructions.
    pub fn len(&self) -> usize {
        self.code.len()
    }

    /// Number of results.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// True if there is nothing to compute.
    pub fn is_empty(&self) -> bool {
        self.code.is_empty()
    }

    /// Gives each register columns that are free again after its last use.
    fn allocate(&mut self) {
        let mut last = vec![0; self.code.len()];
        for (position, instruction) in self.code.iter().enumerate() {
            for operand in instruction.operands() {
                last[operand] = position;
            }
        }
        for &result in &self.results {
            last[result] = self.code.len();
        }
        let mut ends: Vec<Vec<usize>> = vec![Vec::new(); self.code.len() + 1];
        for (register, &end) in last.iter().enumerate() {
            ends[end.max(register)].push(register);
        }
        let mut free = Vec::new();
        self.slots = vec![0; self.code.len()];
        for (position, ended) in ends.iter().take(self.code.len()).enumerate() {
            self.slots[position] = free.pop().unwrap_or_else(|| {
                self.slot_count += 1;
                self.slot_count - 1
            });
            free.extend(ended.iter().map(|&register| self.slots[register]));
        }
    }
}

impl Instruction {
    fn operands(&self) -> impl Iterator<Item = usize> {
        let operands = match *self {
            Instruction::Constant(_) | Instruction::Input(_) => [None, None, None],
            Instruction::Unary(_, a) => [Some(a), None, None],
            Instruction::Binary(_, a, b) => [Some(a), Some(b), None],
            Instruction::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        };
        operands.into_iter().flatten()
    }
}

impl Compiler<'_> {
    /// Adds a result and returns its index.
    ///
    /// # Errors
    /// Fails as [`Compiler::value`] does.
    pub fn add(&mut self, id: ExprId) -> Result<usize, Unsupported> {
        self.value(id).map(|register| self.result(register))
    }

    /// The register with the value of an expression.
    ///
    /// # Errors
    /// Fails if the expression is not a scalar, needs a loop, or is irrational. Use exact
    /// evaluation for these.
    pub fn value(&mut self, id: ExprId) -> Result<usize, Unsupported> {
        let before = self.program.code.len();
        let register = self.register(id);
        if register.is_err() {
            self.program.code.truncate(before);
            self.known.retain(|_, register| *register < before);
            self.common.retain(|_, register| *register < before);
        }
        register
    }

    /// A register that is 1 where all given registers (of 0 or 1) are 1; `None` for no registers.
    pub fn all(&mut self, registers: &[usize]) -> Option<usize> {
        let both = |all, next| self.binary(Binary::Smaller, all, next);
        registers.iter().copied().reduce(both)
    }

    /// Sets the register that holds the equation `name`, which others mention.
    pub fn define(&mut self, name: &str, register: usize) {
        self.mentioned.insert(name.to_owned(), register);
    }

    /// Makes a register a result and returns its index among the results.
    pub fn result(&mut self, register: usize) -> usize {
        self.program.results.push(register);
        self.program.results.len() - 1
    }

    pub fn finish(mut self) -> Program {
        self.program.allocate();
        self.program
    }

    fn register(&mut self, id: ExprId) -> Result<usize, Unsupported> {
        if let Some(&register) = self.known.get(&id) {
            return Ok(register);
        }
        let register = with_stack(|| self.compile(id))?;
        self.known.insert(id, register);
        Ok(register)
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.program.code.push(instruction);
        self.program.code.len() - 1
    }

    fn binary(&mut self, operator: Binary, a: usize, b: usize) -> usize {
        if let Some(&known) = self.common.get(&(operator, a, b)) {
            return known;
        }
        let register = self.emit(Instruction::Binary(operator, a, b));
        self.common.insert((operator, a, b), register);
        register
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    fn compile(&mut self, id: ExprId) -> Result<usize, Unsupported> {
        let arena = self.arena;
        if arena.sort(id) != Sort::Scalar {
            return Err(match arena.sort(id) {
                Sort::Vector => Unsupported::Vector,
                _ => Unsupported::Law,
            });
        }
        match arena.node(id) {
            Node::Number(value) => Ok(self.emit(Instruction::Constant(CertifiedDouble::of(value)))),
            Node::Symbol(symbol) => {
                if let Some(defined) = arena.defined(*symbol) {
                    let register = self.mentioned.get(&defined.name).copied();
                    return register.ok_or_else(|| Unsupported::Unbound(defined.name.clone()));
                }
                let name = arena
                    .symbol_name(*symbol)
                    .ok_or(Unsupported::OpenReduction)?;
                if base_of(name).is_some() {
                    let one = CertifiedDouble::of(&Rational::ONE);
                    return Ok(self.emit(Instruction::Constant(one)));
                }
                let position = self.parameters.iter().position(|own| *own == name);
                let unbound = || Unsupported::Unbound(name.to_owned());
                let position = position.ok_or_else(unbound)?;
                Ok(self.emit(Instruction::Input(position)))
            }
            Node::Add(list) => self.sum(list),
            Node::Mul(list) => self.product(list),
            Node::Max(list) => self.fold(Binary::Larger, list),
            Node::Min(list) => self.fold(Binary::Smaller, list),
            Node::Pow(base, exponent) => self.power(*base, *exponent),
            Node::Mod(a, b) => self.operation(Binary::Modulo, *a, *b),
            Node::Operate(Operation::CommonDivisor, list) => {
                self.operation(Binary::CommonDivisor, list[0], list[1])
            }
            Node::Operate(operation, _) => Err(Unsupported::Function(operation.row().name)),
            Node::Compare(Relation::Less, a, b) => self.operation(Binary::Less, *a, *b),
            Node::Compare(Relation::LessEqual, a, b) => self.operation(Binary::LessEqual, *a, *b),
            Node::Compare(Relation::Equal, a, b) => self.operation(Binary::Equal, *a, *b),
            Node::Apply(function, operand) => {
                let operator = match function {
                    Function::Floor => Unary::Floor,
                    Function::Ceil => Unary::Ceil,
                    Function::Abs => Unary::Absolute,
                    Function::Integer => Unary::Integer,
                    Function::Log => Unary::Log,
                    Function::Exp => Unary::Exp,
                    Function::Sqrt => Unary::SquareRoot,
                    Function::Harmonic(1) => Unary::Harmonic,
                    Function::Factorial => Unary::Factorial,
                    _ => return Err(Unsupported::Irrational),
                };
                let of_logarithm = match operator {
                    Unary::Floor => Some(Binary::FloorLog),
                    Unary::Ceil => Some(Binary::CeilLog),
                    Unary::Integer => Some(Binary::IsPower),
                    _ => None,
                };
                if let Some(operator) = of_logarithm
                    && let Some((of, base)) = logarithm(arena, *operand)
                {
                    return self.operation(operator, of, base);
                }
                let operand = self.register(*operand)?;
                Ok(match (operator, self.program.code[operand]) {
                    (Unary::Floor, Instruction::Binary(Binary::Divide, a, b)) => {
                        self.binary(Binary::Quotient, a, b)
                    }
                    (Unary::Ceil, Instruction::Binary(Binary::Divide, a, b)) => {
                        let a = self.emit(Instruction::Unary(Unary::Negate, a));
                        let quotient = self.binary(Binary::Quotient, a, b);
                        self.emit(Instruction::Unary(Unary::Negate, quotient))
                    }
                    _ => self.emit(Instruction::Unary(operator, operand)),
                })
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.register(*condition)?;
                let (then, otherwise) = (self.register(*then)?, self.register(*otherwise)?);
                Ok(self.emit(Instruction::Select(condition, then, otherwise)))
            }
            Node::Call(function, _) => {
                let name = arena.symbol_name(*function).unwrap_or_default();
                Err(Unsupported::Unbound(name.to_owned()))
            }
            Node::Reduce(_) | Node::VectorMax(_) | Node::Graph(..) => {
                Err(Unsupported::OpenReduction)
            }
            Node::Vector(_) | Node::UnitVector(..) => Err(Unsupported::Vector),
            Node::Law(..) | Node::Cumulant(..) | Node::Quantile(..) | Node::Probability(..) => {
                Err(Unsupported::Law)
            }
        }
    }

    fn operation(&mut self, operator: Binary, a: ExprId, b: ExprId) -> Result<usize, Unsupported> {
        let (a, b) = (self.register(a)?, self.register(b)?);
        Ok(self.binary(operator, a, b))
    }

    fn fold(&mut self, operator: Binary, list: &[ExprId]) -> Result<usize, Unsupported> {
        let mut operands = list.iter();
        let first = operands.next().ok_or(Unsupported::OpenReduction)?;
        let mut result = self.register(*first)?;
        for &operand in operands {
            let operand = self.register(operand)?;
            result = self.binary(operator, result, operand);
        }
        Ok(result)
    }

    /// Terms with coefficient -1 are subtracted.
    fn sum(&mut self, list: &[ExprId]) -> Result<usize, Unsupported> {
        let arena = self.arena;
        let minus_one = Rational::from(-1);
        let (mut added, mut subtracted) = (None, Vec::new());
        for &term in list {
            match arena.node(term) {
                Node::Mul(factors) if arena.as_number(factors[0]) == Some(&minus_one) => {
                    subtracted.push(self.product(&factors[1..])?);
                }
                _ => {
                    let term = self.register(term)?;
                    added = Some(match added {
                        None => term,
                        Some(sum) => self.binary(Binary::Add, sum, term),
                    });
                }
            }
        }
        let mut subtracted = subtracted.into_iter();
        let mut sum = match added {
            Some(sum) => sum,
            None => {
                let first = subtracted.next().ok_or(Unsupported::OpenReduction)?;
                self.emit(Instruction::Unary(Unary::Negate, first))
            }
        };
        for term in subtracted {
            sum = self.binary(Binary::Subtract, sum, term);
        }
        Ok(sum)
    }

    /// Numerator over denominator, so that whole numbers stay whole as long as they can.
    fn product(&mut self, list: &[ExprId]) -> Result<usize, Unsupported> {
        let arena = self.arena;
        let (mut above, mut below) = (None, None);
        let times = |this: &mut Self, product: Option<usize>, factor: usize| match product {
            None => factor,
            Some(product) => this.binary(Binary::Multiply, product, factor),
        };
        for &factor in list {
            match arena.node(factor) {
                Node::Number(value) if !value.is_integer() => {
                    let top = CertifiedDouble::of(&Rational::from(value.numerator()));
                    let bottom = CertifiedDouble::of(&Rational::from(value.denominator()));
                    let top = self.emit(Instruction::Constant(top));
                    let bottom = self.emit(Instruction::Constant(bottom));
                    above = Some(times(self, above, top));
                    below = Some(times(self, below, bottom));
                }
                Node::Pow(base, exponent) => match negative_integer(arena, *exponent) {
                    Some(power) => {
                        let base = self.register(*base)?;
                        let power = self.integer_power(base, power);
                        below = Some(times(self, below, power));
                    }
                    None => {
                        let factor = self.register(factor)?;
                        above = Some(times(self, above, factor));
                    }
                },
                _ => {
                    let factor = self.register(factor)?;
                    above = Some(times(self, above, factor));
                }
            }
        }
        let above = match above {
            Some(above) => above,
            None => self.emit(Instruction::Constant(CertifiedDouble::from(1.0))),
        };
        Ok(match below {
            Some(below) => self.binary(Binary::Divide, above, below),
            None => above,
        })
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) -> Result<usize, Unsupported> {
        match self.arena.as_number(exponent) {
            None => self.operation(Binary::Power, base, exponent),
            Some(power) => {
                // A power of a square root is exact where the root is.
                let halves = (power * &Rational::from(2)).to_i64();
                let whole = power.to_i64();
                let own = [(whole, false), (halves, true)].into_iter();
                let mut own = own.filter_map(|(power, halved)| Some((power?, halved)));
                let Some((power, halved)) = own.find(|(power, _)| power.abs() <= MAX_POWER) else {
                    return self.operation(Binary::Power, base, exponent);
                };
                let mut base = self.register(base)?;
                if halved {
                    base = self.emit(Instruction::Unary(Unary::SquareRoot, base));
                }
                let result = self.integer_power(base, power.abs());
                if power >= 0 {
                    return Ok(result);
                }
                let one = self.emit(Instruction::Constant(CertifiedDouble::from(1.0)));
                Ok(self.binary(Binary::Divide, one, result))
            }
        }
    }

    /// By repeated squaring.
    fn integer_power(&mut self, base: usize, exponent: i64) -> usize {
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
        match result {
            Some(result) => result,
            None => self.emit(Instruction::Constant(CertifiedDouble::from(1.0))),
        }
    }
}

/// Operand and base of `log(x) / log(b)`.
pub(super) fn logarithm(arena: &Arena, id: ExprId) -> Option<(ExprId, ExprId)> {
    let Node::Mul(factors) = arena.node(id) else {
        return None;
    };
    let log = |id: ExprId| match arena.node(id) {
        Node::Apply(Function::Log, operand) => Some(*operand),
        _ => None,
    };
    let below = |id: ExprId| match arena.node(id) {
        Node::Pow(base, exponent) if negative_integer(arena, *exponent) == Some(1) => log(*base),
        _ => None,
    };
    match **factors {
        [a, b] => (log(a).zip(below(b))).or_else(|| log(b).zip(below(a))),
        _ => None,
    }
}

/// The magnitude of a negative integer that is no large power.
fn negative_integer(arena: &Arena, exponent: ExprId) -> Option<i64> {
    let power = arena.as_number(exponent)?.to_i64()?;
    (-MAX_POWER..0).contains(&power).then(|| -power)
}
