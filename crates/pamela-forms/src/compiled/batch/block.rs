//! Runs the program of a plan over a block of points.

use std::ops::Range;

use smallvec::SmallVec;

use super::{Input, Plan};
use crate::eval::certified::{Batch, CertifiedDouble, Computed, Scratch};

/// Buffers that a thread reuses from batch to batch.
#[derive(Clone, Debug)]
pub struct Workspace {
    scratch: Scratch,
    /// For each result of the program, space for the largest batch so far.
    results: Vec<f64>,
}

/// A short list, one for each input or result.
pub(super) type List<T> = SmallVec<[T; 8]>;

impl Plan {
    /// Creates the buffers for [`Plan::fill_few`] and [`Plan::run`].
    pub fn workspace(&self) -> Workspace {
        Workspace {
            scratch: self.program.scratch(),
            results: Vec::new(),
        }
    }

    /// Runs the program at `length` points of the inputs. [`of_result`] selects one result.
    pub(super) fn results<'w>(
        &self,
        inputs: &[Input],
        length: usize,
        workspace: &'w mut Workspace,
    ) -> &'w [f64] {
        let Workspace { scratch, results } = workspace;
        results.resize(results.len().max(self.program.results() * length), 0.0);
        {
            let views = results.chunks_exact_mut(length.max(1));
            let mut views: List<&mut [f64]> = views.take(self.program.results()).collect();
            let computed = self.evaluate(inputs, 0..length, scratch, &mut views);
            let known = computed.map_or(&[][..], |computed| computed.known);
            for (view, known) in views.iter_mut().zip(known) {
                known.iter().for_each(|&value| view.fill(value));
            }
        }
        results
    }

    /// Like [`Program::evaluate_in`](crate::eval::certified::Program::evaluate_in), at some points of the inputs.
    fn evaluate<'w>(
        &self,
        inputs: &[Input],
        range: Range<usize>,
        scratch: &'w mut Scratch,
        views: &mut [&mut [f64]],
    ) -> Option<Computed<'w>> {
        let (mut batches, mut ranges) = (List::new(), List::new());
        for input in inputs {
            let (batch, range) = match input {
                Input::Constant(value) => {
                    let constant = scratch.constant(value);
                    (Batch::Constant(constant.near), constant.range)
                }
                Input::Column(column, start) => {
                    let own = column.batch(start + range.start, range.len());
                    (own, column.range())
                }
                Input::Default => (Batch::Constant(CertifiedDouble::from(f64::NAN)), None),
            };
            batches.push(batch);
            ranges.push(range);
        }
        let both = (&batches[..], &ranges[..]);
        self.program.evaluate_in(both, range.len(), scratch, views)
    }

    /// Writes values into `outputs` if closed forms give all of them.
    ///
    /// Returns `false` if they do not; the contents of `outputs` are then meaningless.
    pub(super) fn put_block(
        &self,
        inputs: &[Input],
        range: Range<usize>,
        workspace: &mut Workspace,
        outputs: &mut [&mut [f64]],
    ) -> bool {
        let Workspace { scratch, results } = workspace;
        let length = range.len();
        results.resize(results.len().max(self.program.results() * length), 0.0);
        let outputs = outputs
            .iter_mut()
            .map(|output| Some(&mut output[range.clone()]));
        let mut outputs: List<Option<&mut [f64]>> = outputs.collect();
        // Values are computed where they are wanted, facts and conditions apart.
        let views = results.chunks_exact_mut(length).zip(&self.direct);
        let views = views.map(|(own, output)| {
            let output = output.and_then(|output| outputs.get_mut(output)?.take());
            output.unwrap_or(own)
        });
        let mut views: List<&mut [f64]> = views.collect();
        let computed = self.evaluate(inputs, range, scratch, &mut views);
        let is_certain = computed.is_some_and(|computed| computed.is_certain);
        let known_at = |place: usize| *computed?.known.get(place)?;
        let holds = |places: &[usize], views: &List<&mut [f64]>| {
            places.iter().all(|&place| match known_at(place) {
                Some(value) => value == 1.0,
                None => all_one(views[place]),
            })
        };
        if !holds(&self.declared, &views) || !holds(&self.assumed, &views) {
            return false;
        }
        for (output, to) in self.outputs.iter().zip(outputs) {
            let Some((value, conditions)) = &output.place else {
                return false;
            };
            if !holds(conditions, &views) {
                return false;
            }
            match known_at(*value) {
                // The bounds of a value that is the same at all points may not tell its double.
                Some(known) if !known.is_finite() => return false,
                Some(known) => views[*value].fill(known),
                None if !is_certain && has_other_than_finite(views[*value]) => return false,
                None => {}
            }
            // Another equation is the same, and has the values.
            if let Some(to) = to {
                to.copy_from_slice(views[*value]);
            }
        }
        true
    }
}

/// The values of one result of a program at the points of a batch.
pub(super) fn of_result(results: &[f64], place: usize, length: usize) -> &[f64] {
    &results[place * length..][..length]
}

/// In loops without a way out, which the compiler makes vector instructions of.
#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn all_one(values: &[f64]) -> bool {
    let mut others = 0u64;
    for &value in values {
        others |= u64::from(value != 1.0);
    }
    others == 0
}

#[multiversion::multiversion(targets(
    "x86_64+avx512f+avx512vl+avx512dq",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn has_other_than_finite(values: &[f64]) -> bool {
    let mut found = 0u64;
    for &value in values {
        found |= u64::from(!value.is_finite());
    }
    found != 0
}
