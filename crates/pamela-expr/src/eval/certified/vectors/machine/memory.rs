//! Maps machine code into memory and calls it. All other code of the library is safe.
#![allow(unsafe_code)]

use std::sync::Arc;

use memmap2::{Mmap, MmapMut};

use super::Columns;

/// A function with the System V calling convention. Its arguments are the addresses of the input columns, of the
/// result columns, of the constants and of the spill area, and the size of a column in bytes.
type Function =
    unsafe extern "sysv64" fn(*const *const f64, *const *mut f64, *const f64, *mut f64, usize);

/// Code written by [`super::Generator`] alone.
///
/// It is first writable, then executable, and never both.
#[derive(Clone, Debug)]
pub(super) struct Code {
    memory: Arc<Mmap>,
    /// Its numbers of input columns, result columns, constants and spilled doubles.
    pub(super) extent: Extent,
}

/// Memory that the code reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) constants: usize,
    pub(super) spilled: usize,
    /// Number of points per vector.
    pub(super) lanes: usize,
}

impl Code {
    /// Maps code; `None` if the system refuses.
    pub(super) fn new(bytes: &[u8], extent: Extent) -> Option<Code> {
        let mut memory = MmapMut::map_anon(bytes.len()).ok()?;
        memory.copy_from_slice(bytes);
        let memory = Arc::new(memory.make_exec().ok()?);
        Some(Code { memory, extent })
    }

    /// Computes `points` points.
    ///
    /// Returns `false` without any effect if this is not a whole number of vectors, or if a column
    /// is short.
    pub(super) fn run(
        &self,
        inputs: &[&[f64]],
        outputs: &mut [&mut [f64]],
        constants: &[f64],
        spilled: &mut [f64],
        points: usize,
    ) -> bool {
        let Extent {
            inputs: input_count,
            outputs: output_count,
            constants: constant_count,
            spilled: spilled_count,
            lanes,
        } = self.extent;
        let fits = points > 0
            && points.is_multiple_of(lanes)
            && (inputs.len(), outputs.len()) == (input_count, output_count)
            && inputs.iter().all(|column| column.len() >= points)
            && outputs.iter().all(|column| column.len() >= points)
            && (constants.len(), spilled.len()) == (constant_count, spilled_count);
        if !fits {
            return false;
        }
        let inputs: Columns<*const f64> = inputs.iter().map(|column| column.as_ptr()).collect();
        let outputs: Columns<*mut f64> = outputs
            .iter_mut()
            .map(|column| column.as_mut_ptr())
            .collect();
        // SAFETY: the memory holds a whole function, made for a processor that has its instructions. It reads and writes
        // `points` doubles of each column of its extent, and its constants and spilled vectors; all are as long, as has been
        // looked at above. It keeps no address, and no register that a caller relies on is changed.
        unsafe {
            let function: Function = std::mem::transmute(self.memory.as_ptr());
            function(
                inputs.as_ptr(),
                outputs.as_ptr(),
                constants.as_ptr(),
                spilled.as_mut_ptr(),
                points * size_of::<f64>(),
            );
        }
        true
    }
}
