//! Computes ranges of points of a sweep as columns.

use rayon::prelude::*;

use super::run::BatchResult;
use super::{Sweep, Watch};
use crate::compiled::{Input, Workspace};
use crate::diagnostic::Result;
use crate::eval::certified::LANES;
use crate::pool::{self, Spares};

/// Points that a thread takes at a time.
const PIECE: usize = 64 * LANES;
/// Points that are computed at once.
const BLOCK: usize = 8 * LANES;

/// The kept points of a range, column by column.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Number of points.
    pub length: usize,
    /// The parameters, in the order of [`Sweep::parameters`].
    pub parameters: Vec<Vec<f64>>,
    /// The number columns, in the order of [`Sweep::values`]; NaN if missing.
    pub values: Vec<Vec<f64>>,
    /// How the quantiles of each law were computed, in the order of the laws.
    pub methods: Vec<Vec<String>>,
    /// Index of the regime in the plan for each point; empty if the plan has no regimes.
    pub regimes: Vec<Option<usize>>,
    /// Index of a point and a note about it, in order.
    pub notes: Vec<(usize, String)>,
}

/// Places of the columns of a chunk, from a point of the grid on.
struct Piece<'a> {
    start: u64,
    parameters: Vec<&'a mut [f64]>,
    values: Vec<&'a mut [f64]>,
}

impl Sweep {
    /// Computes the points of a half-open range. If the watch stops it, later points are missing.
    ///
    /// # Errors
    /// Fails if the system refuses to start threads.
    pub fn chunk(&self, range: (u64, u64), watch: &Watch) -> Result<Chunk> {
        let is_plain = self.is_unfiltered() && self.plan.is_fast();
        if is_plain && self.plan.regimes().len() == 0 {
            return self.plain_chunk(range, watch);
        }
        let mut chunk = self.empty_chunk();
        let has_regimes = self.plan.regimes().len() > 0;
        self.each(
            range,
            watch,
            |found| found,
            |found| {
                chunk.append(found, has_regimes);
                Ok(())
            },
        )?;
        Ok(chunk)
    }

    fn empty_chunk(&self) -> Chunk {
        let laws = self.plan.equations();
        let laws = laws.filter(|(_, sort)| *sort == crate::expr::Sort::Law);
        Chunk {
            parameters: vec![Vec::new(); self.parameters().len()],
            values: vec![Vec::new(); self.values().len()],
            methods: vec![Vec::new(); laws.count()],
            ..Chunk::default()
        }
    }

    /// All points of a range, whose values are computed in batches: they are put where they stay.
    fn plain_chunk(&self, (start, end): (u64, u64), watch: &Watch) -> Result<Chunk> {
        let length = end.saturating_sub(start) as usize;
        let mut chunk = self.empty_chunk();
        chunk.length = length;
        let columns = chunk.parameters.iter_mut().chain(&mut chunk.values);
        columns.for_each(|column| column.resize(length, 0.0));
        let mut pieces: Vec<Piece> = (0..length)
            .step_by(PIECE)
            .map(|from| Piece {
                start: start + from as u64,
                parameters: Vec::new(),
                values: Vec::new(),
            })
            .collect();
        for column in &mut chunk.parameters {
            let parts = pieces.iter_mut().zip(column.chunks_mut(PIECE));
            parts.for_each(|(piece, part)| piece.parameters.push(part));
        }
        for column in &mut chunk.values {
            let parts = pieces.iter_mut().zip(column.chunks_mut(PIECE));
            parts.for_each(|(piece, part)| piece.values.push(part));
        }
        let length = |piece: &Piece| PIECE.min((end - piece.start) as usize);
        let work = |workspace: &mut Workspace, piece: &mut Piece| {
            let mut notes = Vec::new();
            for from in (0..length(piece)).step_by(BLOCK) {
                if watch.ends() {
                    break;
                }
                let lanes = BLOCK.min(length(piece) - from);
                let found = self.put(piece, from, lanes, workspace);
                let base = (piece.start - start) as usize + from;
                notes.extend(found.into_iter().map(|(lane, note)| (base + lane, note)));
            }
            notes
        };
        let notes: Vec<Vec<(usize, String)>> = match pieces.len() {
            0 | 1 => {
                let mut workspace = self.plan.workspace();
                pieces.iter_mut().map(|p| work(&mut workspace, p)).collect()
            }
            _ => {
                let spares = Spares::default();
                let part = |piece: &mut Piece| {
                    spares.with(|| self.plan.workspace(), |own| work(own, piece))
                };
                pool::of(self.threads())?.install(|| pieces.par_iter_mut().map(part).collect())
            }
        };
        if watch.ends() {
            return Ok(self.empty_chunk());
        }
        chunk.notes = notes.into_iter().flatten().collect();
        Ok(chunk)
    }

    /// Parameters and values of one batch.
    fn put(
        &self,
        piece: &mut Piece,
        from: usize,
        lanes: usize,
        workspace: &mut Workspace,
    ) -> Vec<(usize, String)> {
        let given = self.grid.batch(piece.start + from as u64, lanes);
        let own = |name: &str| given.iter().find(|(own, _)| *own == name);
        for (name, out) in self.parameters().iter().zip(&mut piece.parameters) {
            let out = &mut out[from..from + lanes];
            match own(name) {
                Some((_, Input::Column(column, start))) => {
                    out.copy_from_slice(&column.values()[*start..start + lanes]);
                }
                Some((_, input)) => out.fill(input.double(0)),
                None => out.fill(f64::NAN),
            }
        }
        let input = |name: &String| match own(name) {
            Some((_, input)) => input.clone(),
            None => self
                .plan
                .default(name)
                .map_or(Input::Default, Input::Constant),
        };
        let inputs: Vec<Input> = self.plan.parameters().iter().map(input).collect();
        let outputs = piece.values.iter_mut();
        let mut outputs: Vec<&mut [f64]> =
            outputs.map(|out| &mut out[from..from + lanes]).collect();
        self.plan.put_all(&inputs, lanes, workspace, &mut outputs)
    }
}

impl Chunk {
    fn append(&mut self, found: BatchResult, has_regimes: bool) {
        let lanes = found.points.len();
        for (own, input) in self.parameters.iter_mut().zip(&found.parameters) {
            own.extend((0..lanes).map(|lane| input.double(lane)));
        }
        for (own, values) in self.values.iter_mut().zip(found.columns.values()) {
            own.extend_from_slice(values);
        }
        let laws = found.columns.equations.into_iter();
        let laws = laws.filter_map(|equation| equation.law);
        for (own, law) in self.methods.iter_mut().zip(laws) {
            own.extend(law.methods);
        }
        if has_regimes {
            self.regimes.extend(found.columns.regimes);
        }
        let notes = found.columns.notes.into_iter();
        let base = self.length;
        self.notes
            .extend(notes.map(|(lane, note)| (base + lane, note)));
        self.length += lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Model, Options};
    use crate::sweep::{Axis, Grid, Values};

    fn sweep(conditions: &[String]) -> Sweep {
        let text = "numeric parameter n : integer\nnumeric parameter x\nnumeric parameter d = 3
            numeric s = sum (i = 1, n) { x * i }\nnumeric q = d / (n - 2)";
        let compiled = Model::parse(text)
            .unwrap()
            .compile(&Options::default())
            .unwrap();
        let axis = |name: &str, values: &str| Axis {
            names: vec![name.to_string()],
            values: vec![Values::parse(values).unwrap().unwrap()],
            ..Axis::default()
        };
        let axes = vec![axis("n", "-1:6"), axis("x", "0:0.1:300")];
        let grid = Grid::new(axes, Vec::new()).unwrap();
        let plan = compiled.plan_of_values(&[]).unwrap();
        Sweep::new(plan, grid, conditions, 2).unwrap()
    }

    fn bits(columns: &[Vec<f64>]) -> Vec<Vec<u64>> {
        let column = |column: &Vec<f64>| column.iter().map(|x| x.to_bits()).collect();
        columns.iter().map(column).collect()
    }

    /// A condition that always holds takes the other way.
    #[test]
    fn both_ways_give_the_same_columns() {
        let (plain, filtered) = (sweep(&[]), sweep(&["x >= 0".to_string()]));
        for range in [(0, plain.grid.len()), (2_990, 20_011), (7, 7), (5, 6)] {
            let [one, other] = [&plain, &filtered].map(|sweep| {
                let chunk = sweep.chunk(range, &Watch::default()).unwrap();
                assert_eq!(chunk.length as u64, range.1 - range.0);
                assert!(
                    chunk
                        .parameters
                        .iter()
                        .chain(&chunk.values)
                        .all(|c| c.len() == chunk.length)
                );
                chunk
            });
            assert_eq!(bits(&one.parameters), bits(&other.parameters));
            assert_eq!(bits(&one.values), bits(&other.values));
            assert_eq!(one.notes, other.notes);
        }
    }

    #[test]
    fn points_that_are_not_kept_are_not_there() {
        let chunk = sweep(&["n == 1".to_string()])
            .chunk((0, 24_008), &Watch::default())
            .unwrap();
        assert!(chunk.length == 3_001 && chunk.parameters[0].iter().all(|&n| n == 1.0));
    }
}
