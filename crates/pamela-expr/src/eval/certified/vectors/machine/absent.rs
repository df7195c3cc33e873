//! Replacement on processors without machine code: makes no program.

use super::VectorProgram;
use crate::eval::certified::batch::Batch;

#[derive(Clone, Debug)]
pub(super) struct MachineProgram;

impl MachineProgram {
    pub(super) fn new(_: &VectorProgram) -> Option<MachineProgram> {
        None
    }

    pub(super) fn run(&mut self, _: &[Batch], _: usize, _: &mut [&mut [f64]]) -> bool {
        false
    }
}
