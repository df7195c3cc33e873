//! Columns of numbers for vector instructions.

use std::ops::{Deref, DerefMut};

/// Doubles aligned to 64 bytes, so that no vector crosses a cache line, which would double the
/// access time.
#[derive(Clone, Debug)]
pub(super) struct Lanes<const COUNT: usize>(Box<Aligned<COUNT>>);

#[repr(align(64))]
#[derive(Clone, Debug)]
struct Aligned<const COUNT: usize>([f64; COUNT]);

impl<const COUNT: usize> Lanes<COUNT> {
    pub(super) fn new() -> Lanes<COUNT> {
        Lanes(Box::new(Aligned([0.0; COUNT])))
    }
}

impl<const COUNT: usize> Deref for Lanes<COUNT> {
    type Target = [f64];

    fn deref(&self) -> &[f64] {
        &self.0.0
    }
}

impl<const COUNT: usize> DerefMut for Lanes<COUNT> {
    fn deref_mut(&mut self) -> &mut [f64] {
        &mut self.0.0
    }
}
