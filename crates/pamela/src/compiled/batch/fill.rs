//! The values of equations at all points of columns that somebody else holds, put where they are wanted.

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::columns::joined;
use super::{Column, Columns, Compiled, Input, Plan, restrict};
use crate::diagnostic::{Error, Result};
use crate::eval::certified::{Batch, CertifiedDouble, LANES, Scratch};
use crate::eval::decimal;
use crate::pool;
use crate::ring::Rational;

/// Points that a thread takes at a time.
const PIECE: usize = 64 * LANES;
/// Fewer points are computed by the thread that asks.
const FEW: usize = 4096;

/// The values of one parameter at all points.
#[derive(Clone, Debug)]
pub enum Numbers<'a> {
    /// The same at all of them, exactly.
    Constant(Rational),
    /// One for each; a double stands for the decimal number that it prints as, as in [`Column`].
    Column(&'a [f64]),
}

/// What a thread keeps from batch to batch.
#[derive(Clone, Debug)]
pub struct Workspace {
    scratch: Scratch,
    /// So many of each result of the program as there are points in a batch.
    results: Vec<f64>,
}

impl Compiled {
    /// The values of the scalars and of the laws among the equations, and quantiles of `probabilities`, at the points
    /// whose parameters are in columns of one length. All equal those of [`Compiled::at`], bit for bit.
    ///
    /// # Errors
    /// Columns of different lengths; a parameter that has no column and no default; a column of no parameter.
    pub fn batch(&self, columns: &[(&str, Column)], probabilities: &[f64]) -> Result<Columns> {
        self.batch_in(pool::of(0)?, columns, probabilities)
    }

    /// The same by the threads of a pool.
    ///
    /// # Errors
    /// As [`Compiled::batch`].
    pub fn batch_in(
        &self,
        pool: &ThreadPool,
        columns: &[(&str, Column)],
        probabilities: &[f64],
    ) -> Result<Columns> {
        let plan = self.plan(probabilities)?;
        let lengths = columns.iter().map(|(name, c)| (*name, c.values().len()));
        let length = one_length(lengths)?.unwrap_or(0);
        let columns = columns.iter();
        let start = columns.map(|(name, column)| (*name, Input::Column(column.clone().into(), 0)));
        let inputs = plan.inputs(&start.collect::<Vec<(&str, Input)>>())?;
        let starts: Vec<usize> = (0..length).step_by(LANES).collect();
        let run = |scratch: &mut _, &from: &usize| {
            plan.run(&moved(&inputs, from), LANES.min(length - from), scratch)
        };
        let parts = pool.install(|| starts.par_iter().map_init(|| plan.scratch(), run).collect());
        Ok(joined(&plan, parts))
    }
}

/// The length of all columns, if there is one.
///
/// # Errors
/// Columns of different lengths.
fn one_length<'n>(lengths: impl Iterator<Item = (&'n str, usize)>) -> Result<Option<usize>> {
    let mut first = None;
    for (name, length) in lengths {
        match first {
            Some(first) if first != length => {
                return Err(Error::new(format!(
                    "the column of `{name}` has another length than the first, {first}"
                )));
            }
            _ => first = Some(length),
        }
    }
    Ok(first)
}

/// The same from a point on.
fn moved(inputs: &[Input], from: usize) -> Vec<Input> {
    let moved = inputs.iter().map(|input| match input {
        Input::Column(column, start) => Input::Column(column.clone(), start + from),
        other => other.clone(),
    });
    moved.collect()
}

impl Numbers<'_> {
    /// A column of one value as that value.
    fn settled(&self) -> Numbers<'_> {
        let Numbers::Column(values @ [first, rest @ ..]) = self else {
            return self.clone();
        };
        let constant = rest.iter().all(|x| x.to_bits() == first.to_bits());
        let value = decimal(*first).filter(|_| constant);
        value.map_or(Numbers::Column(values), Numbers::Constant)
    }

    /// The values from one point on.
    fn part(&self, from: usize, length: usize) -> Input {
        match self {
            Numbers::Constant(value) => Input::Constant(value.clone()),
            Numbers::Column(values) => {
                let own = values[from..from + length].to_vec();
                Input::Column(Arc::new(Column::new(own)), 0)
            }
        }
    }
}

/// What is put where, of the points from one on.
struct Piece<'a> {
    start: usize,
    outputs: Vec<&'a mut [f64]>,
}

impl Plan {
    /// What a thread needs for [`Plan::fill`] and for what is like it.
    pub fn workspace(&self) -> Workspace {
        Workspace {
            scratch: self.scratch(),
            results: vec![0.0; self.program.results() * LANES],
        }
    }

    /// Puts the values of all equations, in the order of [`Plan::value_names`], into `outputs`, which are as long as the
    /// columns of `given`. All equal those of [`Compiled::at`], bit for bit; not a number where there is none. What is to be said
    /// of points is returned in their order.
    ///
    /// # Errors
    /// Columns of other lengths than the outputs; a parameter that is not given and has no default; a name of no parameter.
    pub fn fill(
        &self,
        given: &[(&str, Numbers)],
        outputs: &mut [&mut [f64]],
    ) -> Result<Vec<(usize, String)>> {
        let columns = given.iter().filter_map(|(name, source)| match source {
            Numbers::Column(values) => Some((*name, values.len())),
            Numbers::Constant(_) => None,
        });
        let places = outputs.iter().map(|output| ("the result", output.len()));
        let Some(length) = one_length(columns.chain(places))? else {
            return Ok(Vec::new());
        };
        let settled = given.iter().map(|(name, source)| (*name, source.settled()));
        let settled: Vec<(&str, Numbers)> = settled.collect();
        let first = settled.iter();
        let first = first.map(|(name, source)| (*name, source.part(0, length.min(1))));
        let defaults = match length {
            0 => return Ok(Vec::new()),
            _ => self.inputs(&first.collect::<Vec<(&str, Input)>>())?,
        };
        let inputs = |start: usize, length: usize| -> Vec<Input> {
            let input = |(name, default): (&String, &Input)| {
                let own = settled.iter().find(|(own, _)| own == name);
                own.map_or_else(|| default.clone(), |(_, own)| own.part(start, length))
            };
            self.parameters.iter().zip(&defaults).map(input).collect()
        };
        let mut pieces: Vec<Piece> = (0..length)
            .step_by(PIECE)
            .map(|start| Piece {
                start,
                outputs: Vec::new(),
            })
            .collect();
        for output in outputs {
            for (piece, part) in pieces.iter_mut().zip(output.chunks_mut(PIECE)) {
                piece.outputs.push(part);
            }
        }
        let work = |workspace: &mut Workspace, piece: &mut Piece| {
            let length = PIECE.min(length - piece.start);
            let inputs = inputs(piece.start, length);
            let mut notes = self.put_all(&inputs, length, workspace, &mut piece.outputs);
            notes
                .iter_mut()
                .for_each(|(place, _)| *place += piece.start);
            notes
        };
        if length < FEW && self.is_fast() {
            let mut workspace = self.workspace();
            let notes = pieces.iter_mut().flat_map(|p| work(&mut workspace, p));
            return Ok(notes.collect());
        }
        let notes: Vec<Vec<(usize, String)>> = pool::of(0)?.install(|| {
            let pieces = pieces.par_iter_mut();
            pieces.map_init(|| self.workspace(), work).collect()
        });
        Ok(notes.into_iter().flatten().collect())
    }

    /// Whether all values are computed in batches, and none by exact evaluation alone.
    pub fn is_fast(&self) -> bool {
        self.others.is_none()
    }

    /// Puts the values at `length` points, whose inputs are in the order of the parameters, into `outputs`.
    pub(crate) fn put_all(
        &self,
        inputs: &[Input],
        length: usize,
        workspace: &mut Workspace,
        outputs: &mut [&mut [f64]],
    ) -> Vec<(usize, String)> {
        let mut notes = Vec::new();
        for from in (0..length).step_by(LANES) {
            let lanes = LANES.min(length - from);
            if self.is_fast() && self.put_batch(inputs, from, lanes, workspace, outputs) {
                continue;
            }
            let columns = self.run(&moved(inputs, from), lanes, &mut workspace.scratch);
            for (output, values) in outputs.iter_mut().zip(columns.values()) {
                output[from..from + lanes].copy_from_slice(values);
            }
            let found = columns.notes.into_iter();
            notes.extend(found.map(|(lane, note)| (from + lane, note)));
        }
        notes
    }

    /// The same of one batch; whether all its values are those of closed forms that batches can tell.
    fn put_batch(
        &self,
        inputs: &[Input],
        from: usize,
        length: usize,
        workspace: &mut Workspace,
        outputs: &mut [&mut [f64]],
    ) -> bool {
        let scratch = &mut workspace.scratch;
        let batches = inputs.iter().map(|input| match input {
            Input::Constant(value) => Batch::Constant(scratch.near(value)),
            Input::Column(column, start) => column.batch(start + from, length),
            Input::Default => Batch::Constant(CertifiedDouble::from(f64::NAN)),
        });
        let batches: Vec<Batch> = batches.collect();
        let results = workspace.results.chunks_exact_mut(LANES);
        let mut results: Vec<&mut [f64]> = results.map(|own| &mut own[..length]).collect();
        self.program
            .evaluate(&batches, length, &mut workspace.scratch, &mut results);
        let mut facts = [true; LANES];
        restrict(&mut facts[..length], &self.facts, &results);
        let mut known = true;
        for (output, to) in self.outputs.iter().zip(outputs) {
            let Some((value, conditions)) = &output.place else {
                return false;
            };
            let mut applies = facts;
            restrict(&mut applies[..length], conditions, &results);
            let to = &mut to[from..from + length];
            to.copy_from_slice(results[*value]);
            let mut closed = true;
            for (applies, value) in applies[..length].iter().zip(&*to) {
                closed &= applies & !value.is_nan();
            }
            known &= closed;
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Point;
    use crate::pipeline::{Model, Options};

    /// Conditions, a case that only the definition knows, and a division by what may be 0.
    const MODEL: &str =
        "numeric parameter n : integer >= 0\nnumeric parameter x\nnumeric parameter d = 2
        numeric s = sum (i = 1, n) { x ^ i }\nnumeric q = n / (x - 1) + d";

    fn compiled() -> Compiled {
        let model = Model::parse(MODEL).unwrap();
        model.compile(&Options::default()).unwrap()
    }

    #[test]
    fn values_are_those_at_points() {
        let compiled = compiled();
        let plan = compiled.plan_of_values(&[]).unwrap();
        let count = 5000;
        let n: Vec<f64> = (0..count).map(|k| f64::from(k % 7)).collect();
        let x: Vec<f64> = (0..count).map(|k| f64::from(k % 40) / 10.0).collect();
        let mut outputs = vec![vec![0.0; count as usize]; 2];
        let mut views: Vec<&mut [f64]> = outputs.iter_mut().map(Vec::as_mut_slice).collect();
        let given = [("x", Numbers::Column(&x)), ("n", Numbers::Column(&n))];
        let notes = plan.fill(&given, &mut views).unwrap();
        assert!(notes.is_sorted_by_key(|(place, _)| *place));
        for place in (0..count as usize).step_by(37) {
            let point =
                [("n", n[place]), ("x", x[place])].map(|(name, v)| (name, decimal(v).unwrap()));
            let at = compiled.at(Point::from(point)).unwrap();
            for (name, column) in plan.value_names().iter().zip(&outputs) {
                match at.number(name) {
                    Ok(value) => assert_eq!(value.to_bits(), column[place].to_bits(), "{place}"),
                    Err(_) => assert!(column[place].is_nan(), "{name} at {place}"),
                }
            }
        }
        // Where x is 1, q has no value, and a note says so.
        assert!(outputs[1][10].is_nan() && notes.iter().any(|(place, _)| *place == 10));
    }

    #[test]
    fn one_value_is_a_constant_and_no_number_has_a_note() {
        let plan = compiled().plan_of_values(&[]).unwrap();
        let (x, n) = ([0.1, 0.1, 0.1], [1.0, f64::NAN, 3.0]);
        let mut outputs = [[0.0; 3]; 2];
        let mut views: Vec<&mut [f64]> = outputs.iter_mut().map(|o| &mut o[..]).collect();
        let given = [("x", Numbers::Column(&x)), ("n", Numbers::Column(&n))];
        let notes = plan.fill(&given, &mut views).unwrap();
        assert_eq!(outputs[0][2], 0.111);
        assert!(outputs[0][1].is_nan() && outputs[1][1].is_nan());
        assert_eq!(
            notes.iter().map(|(place, _)| *place).collect::<Vec<_>>(),
            [1]
        );
        let mut short = [0.0; 2];
        assert!(
            plan.fill(&given, &mut [&mut short[..], &mut [0.0; 2]])
                .is_err()
        );
        assert!(
            plan.fill(&given[..1], &mut [&mut [0.0; 3][..], &mut [0.0; 3]])
                .is_err()
        );
    }
}
