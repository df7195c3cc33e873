//! Instructions of programs: operands name the instruction that computes them, then the register that it writes.

use super::kernels::{Binary, First, Second, Unary};

/// Where an operand is read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Register(usize),
    Input(usize),
    Constant(f64),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Unary(Unary, Source),
    Binary(Binary, Source, Source),
    Pair(First, Second, [Source; 3]),
    /// The second where the first is not 0, else the third.
    Select(Source, Source, Source),
}

impl Instruction {
    fn sources(&self) -> [Option<Source>; 3] {
        match *self {
            Instruction::Unary(_, a) => [Some(a), None, None],
            Instruction::Binary(_, a, b) => [Some(a), Some(b), None],
            Instruction::Pair(_, _, operands) => operands.map(Some),
            Instruction::Select(a, b, c) => [Some(a), Some(b), Some(c)],
        }
    }

    fn with_sources(self, other: impl Fn(Source) -> Source) -> Instruction {
        match self {
            Instruction::Unary(operator, a) => Instruction::Unary(operator, other(a)),
            Instruction::Binary(operator, a, b) => {
                Instruction::Binary(operator, other(a), other(b))
            }
            Instruction::Pair(first, second, operands) => {
                Instruction::Pair(first, second, operands.map(other))
            }
            Instruction::Select(a, b, c) => Instruction::Select(other(a), other(b), other(c)),
        }
    }
}

/// Sums and products of which another sum or product is the only use, done together with it.
pub(super) fn paired(code: Vec<Instruction>, result: Source) -> (Vec<Instruction>, Source) {
    let mut uses = vec![0_usize; code.len()];
    let operands = code.iter().flat_map(Instruction::sources).flatten();
    for source in operands.chain([result]) {
        if let Source::Register(value) = source {
            uses[value] += 1;
        }
    }
    let mut made: Vec<Option<Instruction>> = Vec::with_capacity(code.len());
    for instruction in code {
        let mut together = None;
        if let Instruction::Binary(operator, a, b) = instruction {
            for (inner, other, is_left) in [(a, b, true), (b, a, false)] {
                if let (Some(second), Source::Register(value)) = (second(operator, is_left), inner)
                    && uses[value] == 1
                    && let Some(Instruction::Binary(operator, x, y)) = made[value]
                    && let Some(first) = first(operator)
                {
                    made[value] = None;
                    together = Some(Instruction::Pair(first, second, [x, y, other]));
                    break;
                }
            }
        }
        made.push(Some(together.unwrap_or(instruction)));
    }
    let mut place = vec![0; made.len()];
    let mut kept = 0;
    for (instruction, place) in made.iter().zip(&mut place) {
        *place = kept;
        kept += usize::from(instruction.is_some());
    }
    let moved = |source: Source| match source {
        Source::Register(value) => Source::Register(place[value]),
        other => other,
    };
    let code = made.into_iter().flatten();
    let code = code.map(|instruction| instruction.with_sources(moved));
    (code.collect(), moved(result))
}

fn first(operator: Binary) -> Option<First> {
    match operator {
        Binary::Add => Some(First::Add),
        Binary::Subtract => Some(First::Subtract),
        Binary::Multiply => Some(First::Multiply),
        _ => None,
    }
}

/// The operation whose left or right operand is what was done first.
fn second(operator: Binary, is_left: bool) -> Option<Second> {
    match operator {
        Binary::Add => Some(Second::Add),
        Binary::Subtract if is_left => Some(Second::Subtract),
        Binary::Subtract => Some(Second::SubtractFrom),
        Binary::Multiply => Some(Second::Multiply),
        _ => None,
    }
}

/// Gives each value a register that is free again after its last use.
pub(super) fn allocate(
    code: Vec<Instruction>,
    result: Source,
) -> (Vec<(Instruction, usize)>, usize, Source) {
    let mut last_use = vec![usize::MAX; code.len()];
    for (position, instruction) in code.iter().enumerate() {
        for source in instruction.sources().into_iter().flatten() {
            if let Source::Register(value) = source {
                last_use[value] = position;
            }
        }
    }
    if let Source::Register(value) = result {
        last_use[value] = code.len();
    }
    let mut place = vec![0; code.len()];
    let (mut free, mut registers) = (Vec::new(), 0);
    let mut allocated = Vec::with_capacity(code.len());
    for (position, instruction) in code.into_iter().enumerate() {
        let target = free.pop().unwrap_or_else(|| {
            registers += 1;
            registers - 1
        });
        place[position] = target;
        let located = |source: Source| match source {
            Source::Register(value) => Source::Register(place[value]),
            other => other,
        };
        let placed = instruction.with_sources(located);
        let mut freed: Vec<usize> = instruction
            .sources()
            .into_iter()
            .flatten()
            .filter_map(|source| match source {
                Source::Register(value) if last_use[value] == position => Some(place[value]),
                _ => None,
            })
            .collect();
        freed.sort_unstable();
        freed.dedup();
        free.extend(freed);
        allocated.push((placed, target));
    }
    let result = match result {
        Source::Register(value) => Source::Register(place[value]),
        other => other,
    };
    (allocated, registers, result)
}
