//! Evaluates equations over borrowed columns and writes the values into buffers of the caller.

use std::sync::Arc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::block::List;
use super::columns::joined;
use super::{Column, Columns, Compiled, Input, Plan, Workspace};
use crate::diagnostic::{Error, Result};
use crate::effort::Interrupt;
use crate::eval::certified::LANES;
use crate::eval::decimal;
use crate::pool::{self, Spares};
use crate::ring::Rational;

/// Points that a thread takes at a time, where they are computed in batches.
const PIECE: usize = 64 * LANES;
/// Points of which the numbers alone are computed at once.
const BLOCK: usize = 8 * LANES;
/// Elsewhere, where one point may take long.
const SLOW_PIECE: usize = 16;
/// Fewer points are computed by the thread that asks.
const FEW: usize = 4096;

/// The values of one parameter at all points.
#[derive(Clone, Debug)]
pub enum Numbers<'a> {
    /// One exact value at all points.
    Constant(Rational),
    /// One value for each point. A double stands for its shortest decimal, as in [`Column`].
    Column(&'a [f64]),
    /// Like `Column`, with each number multiplied by this scale to get base units.
    Scaled(&'a [f64], Rational),
}

impl Compiled {
    /// Evaluates the scalar and law equations at the points given by columns of equal length.
    ///
    /// `probabilities` selects the quantiles of laws. All values equal those of [`Compiled::at`],
    /// bit for bit.
    ///
    /// # Errors
    /// Fails if columns have different lengths, if a parameter has neither a column nor a default,
    /// or if a column names no parameter.
    pub fn batch(&self, columns: &[(&str, Column)], probabilities: &[f64]) -> Result<Columns> {
        self.batch_in(pool::of(0)?, columns, probabilities)
    }

    /// Like [`Compiled::batch`], on the threads of a pool.
    ///
    /// # Errors
    /// Fails like [`Compiled::batch`].
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
        let run = |workspace: &mut _, &from: &usize| {
            plan.run(&moved(&inputs, from), LANES.min(length - from), workspace)
        };
        let spares = Spares::default();
        let part = |from: &usize| spares.with(|| plan.workspace(), |own| run(own, from));
        let parts = pool.install(|| starts.par_iter().map(part).collect());
        Ok(joined(&plan, parts))
    }
}

/// The length of all columns, if there is one.
///
/// # Errors
/// Fails for columns of different lengths.
fn one_length<'n>(lengths: impl Iterator<Item = (&'n str, usize)>) -> Result<Option<usize>> {
    let mut first = None;
    for (name, length) in lengths {
        match first {
            Some(first) if first != length => {
                return Err(Error::new(format!(
                    "the column of `{name}` differs in length from the first column, {first}"
                )));
            }
            _ => first = Some(length),
        }
    }
    Ok(first)
}

/// The inputs from a point on.
fn moved(inputs: &[Input], from: usize) -> Vec<Input> {
    let moved = inputs.iter().map(|input| match input {
        Input::Column(column, start) => Input::Column(column.clone(), start + from),
        other => other.clone(),
    });
    moved.collect()
}

impl<'a> Numbers<'a> {
    /// A column of one value as that value.
    fn settled(&self) -> Numbers<'a> {
        let (Numbers::Column([first, rest @ ..]) | Numbers::Scaled([first, rest @ ..], _)) = self
        else {
            return self.clone();
        };
        let constant = rest.iter().all(|x| x.to_bits() == first.to_bits());
        match (decimal(*first).filter(|_| constant), self) {
            (Some(value), Numbers::Scaled(_, scale)) => Numbers::Constant(&value * scale),
            (Some(value), _) => Numbers::Constant(value),
            (None, _) => self.clone(),
        }
    }

    /// The values from one point on.
    fn part(&self, from: usize, length: usize) -> Input {
        match self {
            Numbers::Constant(value) => Input::Constant(value.clone()),
            Numbers::Column(values) => {
                let own = values[from..from + length].to_vec();
                Input::Column(Arc::new(Column::new(own)), 0)
            }
            Numbers::Scaled(values, scale) => {
                let own = values[from..from + length].iter();
                let own = own.map(|value| Some(&decimal(*value)? * scale));
                Input::Column(Arc::new(Column::of_exact(own.collect())), 0)
            }
        }
    }
}

/// The values of a parameter at all points.
enum Prepared<'a> {
    Given(Numbers<'a>),
    Default(Input),
}

/// The inputs of this many points, from a given one on.
fn parts(all: &[Prepared], start: usize, length: usize) -> Vec<Input> {
    let part = |one: &Prepared| match one {
        Prepared::Given(numbers) => numbers.part(start, length),
        Prepared::Default(input) => input.clone(),
    };
    all.iter().map(part).collect()
}

/// Output buffers for a piece of the points, from `start` on.
struct Piece<'a> {
    start: usize,
    outputs: Vec<&'a mut [f64]>,
}

impl Plan {
    /// Evaluates all equations and writes the values into `outputs`, in the order of
    /// [`Plan::value_names`].
    ///
    /// Each output is as long as the columns of `given`. All values equal those of
    /// [`Compiled::at`], bit for bit. Missing values are NaN. Returns notes with the indices of
    /// their points, in order.
    ///
    /// # Errors
    /// Fails if lengths differ, if a parameter has neither a value nor a default, if a name is not
    /// a parameter, or if the computation is interrupted.
    pub fn fill(
        &self,
        given: &[(&str, Numbers)],
        outputs: &mut [&mut [f64]],
        interrupt: &Interrupt,
    ) -> Result<Vec<(usize, String)>> {
        let Some((inputs, length)) = self.prepared(given, outputs)? else {
            return Ok(Vec::new());
        };
        let size = if self.is_fast() { PIECE } else { SLOW_PIECE };
        let mut pieces: Vec<Piece> = (0..length)
            .step_by(size)
            .map(|start| Piece {
                start,
                outputs: Vec::new(),
            })
            .collect();
        for output in outputs {
            for (piece, part) in pieces.iter_mut().zip(output.chunks_mut(size)) {
                piece.outputs.push(part);
            }
        }
        let work = |workspace: &mut Workspace, piece: &mut Piece| {
            let length = size.min(length - piece.start);
            let inputs = parts(&inputs, piece.start, length);
            let outputs = &mut piece.outputs;
            let mut notes = self.put_until(&inputs, length, workspace, outputs, interrupt);
            notes
                .iter_mut()
                .for_each(|(place, _)| *place += piece.start);
            notes
        };
        let notes: Vec<Vec<(usize, String)>> = if length < FEW && self.is_fast() {
            let mut workspace = self.workspace();
            let pieces = pieces.iter_mut();
            pieces.map(|piece| work(&mut workspace, piece)).collect()
        } else {
            let spares = Spares::default();
            let part = |piece: &mut Piece| spares.with(|| self.workspace(), |own| work(own, piece));
            pool::of(0)?.install(|| pieces.par_iter_mut().map(part).collect())
        };
        if interrupt.is_stopped() {
            Err(Error::new("interrupted before all values were computed"))
        } else {
            Ok(notes.into_iter().flatten().collect())
        }
    }

    /// Like [`Plan::fill`], on the calling thread with reusable buffers; for small batches.
    ///
    /// # Errors
    /// Fails like [`Plan::fill`].
    pub fn fill_few(
        &self,
        given: &[(&str, Numbers)],
        outputs: &mut [&mut [f64]],
        workspace: &mut Workspace,
    ) -> Result<Vec<(usize, String)>> {
        let Some((inputs, length)) = self.prepared(given, outputs)? else {
            return Ok(Vec::new());
        };
        Ok(self.put_all(&parts(&inputs, 0, length), length, workspace, outputs))
    }

    /// Evaluates one point, where closed forms give all values; `values` are in the order of
    /// [`Plan::parameters`].
    ///
    /// The values equal those of [`Plan::fill`]. Returns `false` if they have to be found by
    /// [`Plan::fill`]; the contents of `outputs` are then meaningless.
    pub fn fill_point(
        &self,
        values: impl Iterator<Item = Rational>,
        outputs: &mut [f64],
        workspace: &mut Workspace,
    ) -> bool {
        let inputs: Vec<Input> = values.map(Input::Constant).collect();
        let mut outputs: List<&mut [f64]> = outputs.chunks_mut(1).collect();
        self.is_fast()
            && inputs.len() == self.parameters.len()
            && self.put_block(&inputs, 0..1, workspace, &mut outputs)
    }

    /// The numbers of all parameters in order, and the number of points; `None` if there are no points.
    fn prepared<'a>(
        &self,
        given: &'a [(&str, Numbers)],
        outputs: &[&mut [f64]],
    ) -> Result<Option<(Vec<Prepared<'a>>, usize)>> {
        let columns = given.iter().filter_map(|(name, source)| match source {
            Numbers::Column(values) | Numbers::Scaled(values, _) => Some((*name, values.len())),
            Numbers::Constant(_) => None,
        });
        let places = outputs.iter().map(|output| ("the result", output.len()));
        let length = match one_length(columns.chain(places))? {
            None | Some(0) => return Ok(None),
            Some(length) => length,
        };
        let settled = given.iter().map(|(name, source)| (*name, source.settled()));
        let settled: Vec<(&str, Numbers)> = settled.collect();
        let first = settled.iter();
        let first: Vec<(&str, Input)> = first
            .map(|(name, source)| (*name, source.part(0, 1)))
            .collect();
        let inputs = self.parameters.iter().zip(self.inputs(&first)?);
        let prepared = inputs.map(|(name, default)| {
            let own = settled.iter().find(|(own, _)| own == name);
            own.map_or(Prepared::Default(default), |(_, own)| {
                Prepared::Given(own.clone())
            })
        });
        Ok(Some((prepared.collect(), length)))
    }

    /// True if all values can be computed in batches, without exact evaluation.
    pub fn is_fast(&self) -> bool {
        self.others.is_none()
    }

    /// Evaluates `length` points and writes the values into `outputs`; `inputs` are in the order of
    /// the parameters.
    pub fn put_all(
        &self,
        inputs: &[Input],
        length: usize,
        workspace: &mut Workspace,
        outputs: &mut [&mut [f64]],
    ) -> Vec<(usize, String)> {
        self.put_until(inputs, length, workspace, outputs, &Interrupt::default())
    }

    /// Like `put`, until interrupted.
    fn put_until(
        &self,
        inputs: &[Input],
        length: usize,
        workspace: &mut Workspace,
        outputs: &mut [&mut [f64]],
        interrupt: &Interrupt,
    ) -> Vec<(usize, String)> {
        let mut notes = Vec::new();
        for from in (0..length).step_by(BLOCK) {
            if interrupt.is_stopped() {
                break;
            }
            let end = length.min(from + BLOCK);
            if self.is_fast() && self.put_block(inputs, from..end, workspace, outputs) {
                continue;
            }
            for from in (from..end).step_by(LANES) {
                if interrupt.is_stopped() {
                    return notes;
                }
                let range = from..end.min(from + LANES);
                if self.is_fast() && self.put_block(inputs, range.clone(), workspace, outputs) {
                    continue;
                }
                let columns = self.run(&moved(inputs, from), range.len(), workspace);
                for (output, values) in outputs.iter_mut().zip(columns.values()) {
                    output[range.clone()].copy_from_slice(values);
                }
                let found = columns.notes.into_iter();
                notes.extend(found.map(|(lane, note)| (from + lane, note)));
            }
        }
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::Point;
    use crate::pipeline::{Model, Options};

    /// A model with conditions, a case that only the definition covers, and a division by a term that may be 0.
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
        let notes = plan
            .fill(&given, &mut views, &Interrupt::default())
            .unwrap();
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
        // At x = 1, q has no value, and a note says so.
        assert!(outputs[1][10].is_nan() && notes.iter().any(|(place, _)| *place == 10));
    }

    #[test]
    fn one_value_is_a_constant_and_no_number_has_a_note() {
        let plan = compiled().plan_of_values(&[]).unwrap();
        let (x, n) = ([0.1, 0.1, 0.1], [1.0, f64::NAN, 3.0]);
        let mut outputs = [[0.0; 3]; 2];
        let mut views: Vec<&mut [f64]> = outputs.iter_mut().map(|o| &mut o[..]).collect();
        let given = [("x", Numbers::Column(&x)), ("n", Numbers::Column(&n))];
        let notes = plan
            .fill(&given, &mut views, &Interrupt::default())
            .unwrap();
        assert_eq!(outputs[0][2], 0.111);
        assert!(outputs[0][1].is_nan() && outputs[1][1].is_nan());
        assert_eq!(
            notes.iter().map(|(place, _)| *place).collect::<Vec<_>>(),
            [1]
        );
        let mut short = [0.0; 2];
        assert!(
            plan.fill(
                &given,
                &mut [&mut short[..], &mut [0.0; 2]],
                &Interrupt::default()
            )
            .is_err()
        );
        assert!(
            plan.fill(
                &given[..1],
                &mut [&mut [0.0; 3][..], &mut [0.0; 3]],
                &Interrupt::default()
            )
            .is_err()
        );
    }

    /// At single points: the same values, or none.
    #[test]
    fn points_are_those_of_columns() {
        let plan = compiled().plan_of_values(&[]).unwrap();
        assert_eq!(plan.parameters(), ["n", "x", "d"]);
        let mut workspace = plan.workspace();
        let mut missing = 0;
        for (n, x, d) in [
            (3, 2.0, 7),
            (0, 0.0, 0),
            (1, 1.0, 2),
            (-1, 0.5, 0),
            (4, -1.5, -3),
        ] {
            let values = [n.into(), decimal(x).unwrap(), Rational::from(d)];
            let given = ["n", "x", "d"].into_iter().zip(values.clone());
            let given: Vec<_> = given.map(|(n, v)| (n, Numbers::Constant(v))).collect();
            let (mut found, mut expected) = ([1.5; 2], [[2.5; 1]; 2]);
            let mut views: Vec<&mut [f64]> = expected.iter_mut().map(|o| &mut o[..]).collect();
            let notes = plan.fill_few(&given, &mut views, &mut workspace).unwrap();
            if plan.fill_point(values.into_iter(), &mut found, &mut workspace) {
                assert_eq!(found.map(f64::to_bits), expected.map(|[x]| x.to_bits()));
                assert!(notes.is_empty());
            } else {
                missing += 1;
            }
        }
        // At x = 1 the division fails, and -1 is no value of n.
        assert_eq!(missing, 2);
        assert!(!plan.fill_point(
            [Rational::from(1)].into_iter(),
            &mut [0.0; 2],
            &mut workspace
        ));
    }

    /// The bounds of a product do not always tell which double is nearest.
    #[test]
    fn values_that_bounds_do_not_tell_are_exact() {
        let text = "numeric parameter n\nnumeric parameter x\nnumeric T = n ^ 2 * x ^ 2";
        let model = Model::parse(text).unwrap();
        let plan = model.compile(&Options::default()).unwrap();
        let plan = plan.plan_of_values(&[]).unwrap();
        for x in (0..2000).map(|k| 240_234_816_i64 + 7 * k) {
            let given = [("n", 27), ("x", x)].map(|(n, v)| (n, Numbers::Constant(v.into())));
            let mut found = [0.0; 3];
            plan.fill(&given, &mut [&mut found[..]], &Interrupt::default())
                .unwrap();
            let square = 27 * i128::from(x);
            assert_eq!(found, [(square * square) as f64; 3], "{x}");
        }
    }

    #[test]
    fn somebody_may_interrupt() {
        let plan = compiled().plan_of_values(&[]).unwrap();
        let interrupt = Interrupt::default();
        interrupt.stop();
        let given = [("x", 2.into()), ("n", 3.into())]
            .map(|(name, value)| (name, Numbers::Constant(value)));
        let found = plan.fill(&given, &mut [&mut [0.0][..], &mut [0.0]], &interrupt);
        assert!(found.unwrap_err().to_string().contains("interrupted"));
    }
}
