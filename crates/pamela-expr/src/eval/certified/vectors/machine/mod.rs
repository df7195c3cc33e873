//! Programs as machine code, for x86-64 processors with AVX2 or AVX-512.
//!
//! The code is straight-line, with a loop over vectors of points only. Values are in registers; if
//! there are too few, the value whose next use is latest is spilled. Both engines compute the same
//! operations with IEEE 754 rounding, so results do not depend on the engine.

mod encoder;
mod generator;
mod memory;

use smallvec::SmallVec;

use super::VectorProgram;
use super::tiles::Part;
use crate::eval::certified::batch::Batch;
use encoder::Width;
use generator::Generator;
use memory::{Code, Extent};

use crate::eval::lanes::Lanes;

/// Doubles of a vector in memory, in both widths.
const VECTOR: usize = 8;

/// Points that are computed in one call.
const CHUNK: usize = 1024;

/// A short list of columns.
type Columns<T> = SmallVec<[T; 8]>;

/// A program of more operations stays with the other engine.
const MOST_OPERATIONS: usize = 10_000;

/// The machine code of a program.
#[derive(Clone, Debug)]
pub(super) struct MachineProgram {
    code: Code,
    /// The constants, each as a vector.
    constants: Vec<f64>,
    /// The parts of inputs that its columns hold.
    inputs: Vec<(usize, Part)>,
    /// True for results that it computes.
    is_written: Vec<bool>,
    /// For each input, the last value that was equal at all points of a batch, repeated.
    filled: Vec<Lanes<CHUNK>>,
    spilled: Vec<f64>,
}

impl MachineProgram {
    /// Makes machine code; `None` if the processor or the system does not support it.
    pub(super) fn new(program: &VectorProgram) -> Option<MachineProgram> {
        Width::available().find_map(|width| MachineProgram::of_width(program, width))
    }

    fn of_width(program: &VectorProgram, width: Width) -> Option<MachineProgram> {
        if program.code.len() > MOST_OPERATIONS {
            return None;
        }
        let generated = Generator::new(program, width).generate();
        let extent = Extent {
            inputs: generated.inputs.len(),
            outputs: generated.outputs,
            constants: VECTOR * generated.constants.len(),
            spilled: VECTOR * generated.spilled,
            lanes: width.lanes(),
        };
        let constants = generated.constants.iter().flat_map(|&x| [x; VECTOR]);
        Some(MachineProgram {
            code: Code::new(&generated.encoder.bytes, extent)?,
            constants: constants.collect(),
            filled: vec![Lanes::new(); generated.inputs.len()],
            inputs: generated.inputs,
            is_written: program.known.iter().map(Option::is_none).collect(),
            spilled: vec![0.0; extent.spilled],
        })
    }

    /// Computes results at all points of a batch.
    ///
    /// Returns `false` if it did nothing: it only takes whole numbers of vectors.
    pub(super) fn run(
        &mut self,
        batches: &[Batch],
        length: usize,
        results: &mut [&mut [f64]],
    ) -> bool {
        let MachineProgram {
            code,
            constants,
            inputs,
            is_written,
            filled,
            spilled,
        } = self;
        for from in (0..length).step_by(CHUNK) {
            let range = from..length.min(from + CHUNK);
            let columns = inputs.iter().zip(&mut *filled);
            let columns =
                columns.map(
                    |(&(input, part), filled)| match (batches.get(input)?, part) {
                        (Batch::Constant(value), Part::High) => Some(same(value.high, filled)),
                        (Batch::Constant(value), Part::Low) => Some(same(value.low, filled)),
                        (Batch::Exact(_), Part::Low) => Some(same(0.0, filled)),
                        (Batch::Exact(values), Part::High) => values.get(range.clone()),
                        (Batch::Pairs { high, .. }, Part::High) => high.get(range.clone()),
                        (Batch::Pairs { low, .. }, Part::Low) => low.get(range.clone()),
                    },
                );
            let Some(columns) = columns.collect::<Option<Columns<&[f64]>>>() else {
                return false;
            };
            let own = results.iter_mut().zip(&*is_written);
            let own = own.filter(|(_, is_written)| **is_written);
            let own = own.map(|(column, _)| column.get_mut(range.clone()));
            let Some(mut own) = own.collect::<Option<Columns<&mut [f64]>>>() else {
                return false;
            };
            if !code.run(&columns, &mut own, constants, spilled, range.len()) {
                return false;
            }
        }
        true
    }
}

/// A column of one value.
fn same(value: f64, column: &mut Lanes<CHUNK>) -> &[f64] {
    if column[0].to_bits() != value.to_bits() {
        column.fill(value);
    }
    column
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::eval::certified::vectors::tiles::{Fusing, Operand, Operation, Operator, Slots};

    /// Slots of random programs: more than either kind of processor has registers.
    const SLOTS: usize = 40;
    const INPUTS: usize = 3;
    const POINTS: usize = 24;

    fn operand() -> impl Strategy<Value = Operand> {
        prop_oneof![
            4 => (0..SLOTS).prop_map(Operand::Column),
            1 => (-3i32..9).prop_map(|x| Operand::Constant(f64::from(x))),
        ]
    }

    fn operation() -> impl Strategy<Value = Operation> {
        use Operator::*;
        let operator = prop::sample::select(vec![
            Add, Subtract, Subtract, Divide, Larger, Smaller, Less, LessEqual, Equal,
        ]);
        let pair = || (operand(), operand());
        let by_number = (prop::sample::select(vec![Multiply, Quotient]), 1u8..7);
        let fusing = prop::sample::select(vec![
            Fusing::ProductPlus,
            Fusing::ProductMinus,
            Fusing::MinusProduct,
        ]);
        prop_oneof![
            2 => (fusing, pair(), operand(), 0..SLOTS).prop_map(|(fusing, (a, b), c, to)| Operation::Fused {
                fusing,
                operands: [a, b, c],
                to
            }),
            6 => (operator, pair(), 0..SLOTS).prop_map(|(operator, (a, b), to)| Operation::Binary {
                operator,
                operands: [a, b],
                to
            }),
            2 => (by_number, operand(), 0..SLOTS).prop_map(|((operator, b), a, to)| {
                let operands = [a, Operand::Constant(f64::from(b))];
                Operation::Binary { operator, operands, to }
            }),
            1 => (pair(), operand(), 0..SLOTS).prop_map(|((a, b), c, to)| Operation::Select {
                operands: [a, b, c],
                to
            }),
        ]
    }

    /// All slots are filled from inputs first, so that each is some value.
    fn program(operations: Vec<Operation>) -> VectorProgram {
        let inputs = (0..SLOTS).map(|to| Operation::Input {
            input: to % INPUTS,
            part: [Part::High, Part::Low][to % 5 / 4],
            denominator: [1.0, 10.0][to % 2],
            to,
        });
        let outputs = (0..SLOTS).map(|slot| Operation::Output {
            result: slot,
            operands: [
                Operand::Column(slot),
                Operand::Constant([1.0, 7.0][slot % 2]),
            ],
        });
        VectorProgram {
            code: inputs.chain(operations).chain(outputs).collect(),
            slots: SLOTS,
            known: vec![None; SLOTS],
            is_certain: true,
        }
    }

    fn bits(results: &[Vec<f64>]) -> Vec<Vec<u64>> {
        // NaN has no canonical bits.
        let bits = |x: &f64| if x.is_nan() { f64::NAN } else { *x }.to_bits();
        let bits = |column: &Vec<f64>| column.iter().map(bits).collect();
        results.iter().map(bits).collect()
    }

    proptest! {
        #[test]
        fn both_engines_give_the_same_bits(
            operations in prop::collection::vec(operation(), 0..120),
            columns in prop::collection::vec(prop::collection::vec(-20i32..20, POINTS), INPUTS - 1),
        ) {
            let program = program(operations);
            let column = |column: &Vec<i32>| column.iter().map(|&x| f64::from(x) / 10.0).collect();
            let columns: Vec<Vec<f64>> = columns.iter().map(column).collect();
            let mut batches: Vec<Batch> = columns.iter().map(|column| Batch::Exact(column)).collect();
            batches.push(Batch::Constant(3.0.into()));
            let computed = |compute: &mut dyn FnMut(&mut [&mut [f64]]) -> bool| {
                let mut results = vec![vec![0.0; POINTS]; SLOTS];
                let mut views: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
                assert!(compute(&mut views));
                bits(&results)
            };
            let mut slots = Slots::default();
            slots.reserve(SLOTS);
            let tiles = computed(&mut |results| {
                program.run(&batches, 0..POINTS, &mut slots, results);
                true
            });
            for width in Width::available() {
                let mut machine = MachineProgram::of_width(&program, width).unwrap();
                assert!(machine.code.extent.spilled > 0, "no value was spilled");
                let found = computed(&mut |results| machine.run(&batches, POINTS, results));
                prop_assert_eq!(&tiles, &found, "{:?}", width);
            }
        }
    }

    /// Neither part of a vector nor a short column is written.
    #[test]
    fn what_does_not_fit_is_left_to_the_other_engine() {
        let program = program(Vec::new());
        let column = [1.0; POINTS];
        let batches = [Batch::Exact(&column); INPUTS];
        for width in Width::available() {
            let mut machine = MachineProgram::of_width(&program, width).unwrap();
            let mut run = |points: usize, room: usize| {
                let mut results = vec![vec![0.0; room]; SLOTS];
                let mut views: Vec<&mut [f64]> =
                    results.iter_mut().map(Vec::as_mut_slice).collect();
                machine.run(&batches, points, &mut views)
            };
            assert!(run(8, 8) && run(16, 20) && run(POINTS, POINTS));
            assert!(!run(7, 8) && !run(16, 8) && !run(2 * POINTS, 2 * POINTS));
        }
    }
}
