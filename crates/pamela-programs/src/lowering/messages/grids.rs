//! Grids of processes: the ranks row by row, as MPI numbers them.

use super::calls::{Called, MOST_DIMENSIONS};
use crate::lowering::message::{Grid, NOBODY};
use crate::lowering::mpi::{Call, FIRST_GRID};
use crate::lowering::number::{Comparison, Condition, Number};
use crate::lowering::walker::Walker;

impl Walker<'_> {
    /// The rank a number of places further in a dimension.
    fn neighbour(
        &self,
        grid: &Grid,
        rank: &Number,
        dimension: usize,
        by: &Number,
    ) -> Option<Number> {
        let here = grid.coordinate(rank, dimension)?;
        let extent = grid.extents.get(dimension)?;
        let there = here.plus(by)?;
        let stride = grid.stride(dimension)?;
        if *grid.periodic.get(dimension)? {
            let moved = there.modulo(extent).minus(&here)?;
            return rank.plus(&moved.times(&stride)?);
        }
        let is_below = match by.as_constant() {
            Some(by) if by >= 0 => Condition::Constant(true),
            _ => Condition::compare(Comparison::LessEqual, Number::constant(0), there.clone()),
        };
        let is_above = match by.as_constant() {
            Some(by) if by <= 0 => Condition::Constant(true),
            _ => Condition::compare(Comparison::Less, there, extent.clone()),
        };
        let found = rank.plus(&by.times(&stride)?)?;
        let is_inside = is_below.and(is_above);
        Some(Number::choose(is_inside, found, Number::constant(NOBODY)))
    }

    /// The elements of an array that an argument names.
    fn elements_of(
        &self,
        called: &Called,
        place: usize,
        count: i64,
    ) -> Option<Vec<Option<Number>>> {
        let array = called.arguments.get(place)?.name()?;
        let element = |k: i64| self.values.get(&format!("{array}[{k}]"))?.value.clone();
        (0..=MOST_DIMENSIONS)
            .contains(&count)
            .then(|| (0..count).map(element).collect())
    }

    fn set_elements(&mut self, called: &Called, place: usize, numbers: &[Number]) -> Option<()> {
        let array = called.arguments.get(place)?.name()?;
        let kind = self.values.element(array)?;
        for (k, number) in numbers.iter().enumerate() {
            let name = format!("{array}[{k}]");
            self.values.add_element(array, &name, kind);
            self.set(&name, Some(number.clone()));
        }
        Some(())
    }

    /// All ranks as a grid of known extents.
    pub fn grid_of(&mut self, called: &Called) -> Option<Number> {
        let count = called.number(1)?.as_constant()?;
        let extents = self.elements_of(called, 2, count)?;
        let extents = extents.into_iter().collect::<Option<Vec<Number>>>()?;
        let periodic = self.elements_of(called, 3, count)?;
        let periodic = periodic
            .iter()
            .map(|p| Some(p.as_ref()?.as_constant()? != 0));
        let periodic = periodic.collect::<Option<Vec<bool>>>()?;
        for extent in &extents {
            self.assume_positive(extent)?;
        }
        let ranks = self.world.as_ref()?.ranks.clone();
        let grid = Grid { extents, periodic };
        self.assume_product(&grid.extents, &ranks)?;
        self.grids.push(grid);
        i64::try_from(self.grids.len())
            .ok()
            .map(|number| Number::constant(FIRST_GRID + number - 1))
    }

    /// The extents are those of all ranks.
    fn assume_product(&mut self, extents: &[Number], ranks: &Number) -> Option<()> {
        let product = extents
            .iter()
            .try_fold(Number::constant(1), |product, e| product.times(e))?;
        let over = product.minus(ranks)?;
        if over.as_constant() != Some(0) && !self.assumptions.contains(&over) {
            let under = over.scaled(-1)?;
            self.assumptions.extend([over, under]);
        }
        Some(())
    }

    /// Calls that ask for coordinates and neighbours.
    pub fn of_grid(&mut self, called: &Called, call: Call) -> Option<()> {
        if call == Call::Extents {
            return self.extents(called);
        }
        let number = called.number(0)?.as_constant()?;
        let grid = usize::try_from(number.checked_sub(FIRST_GRID)?).ok()?;
        let grid = self.grids.get(grid)?.clone();
        let own = Number::symbol(self.world.as_ref()?.rank);
        let all = |rank: &Number| {
            let dimensions = 0..grid.extents.len();
            dimensions
                .map(|k| grid.coordinate(rank, k))
                .collect::<Option<Vec<Number>>>()
        };
        match call {
            Call::Coordinates => self.set_elements(called, 3, &all(&called.number(1)?)?),
            Call::Extent => {
                self.set_elements(called, 2, &grid.extents)?;
                self.set_elements(called, 4, &all(&own)?)
            }
            Call::Shift => {
                let dimension = usize::try_from(called.number(1)?.as_constant()?).ok()?;
                let by = called.number(2)?;
                let source = self.neighbour(&grid, &own, dimension, &by.scaled(-1)?)?;
                let target = self.neighbour(&grid, &own, dimension, &by)?;
                self.give(called.arguments.get(3)?, source, called.span);
                self.give(called.arguments.get(4)?, target, called.span);
                Some(())
            }
            _ => {
                let count = i64::try_from(grid.extents.len()).ok()?;
                let coordinates = self.elements_of(called, 1, count)?;
                let mut rank = Number::default();
                for (k, coordinate) in coordinates.into_iter().enumerate() {
                    let coordinate = if *grid.periodic.get(k)? {
                        coordinate?.modulo(grid.extents.get(k)?)
                    } else {
                        coordinate?
                    };
                    rank = rank.plus(&coordinate.times(&grid.stride(k)?)?)?;
                }
                self.give(called.arguments.get(2)?, rank, called.span);
                Some(())
            }
        }
    }

    /// `MPI_Dims_create`: extents that are 0 are chosen by MPI, and parameters here.
    fn extents(&mut self, called: &Called) -> Option<()> {
        let count = called.number(1)?.as_constant()?;
        let ranks = called.number(0)?;
        let known = &called.before.extents;
        let array = called.arguments.get(2)?.name()?.to_string();
        if count == 1 {
            return self.set_elements(called, 2, &[ranks]);
        }
        let mut extents = Vec::new();
        for k in 0..count.min(MOST_DIMENSIONS) {
            let given = known.get(usize::try_from(k).ok()?).cloned().flatten();
            extents.push(match given.filter(|given| given.as_constant() != Some(0)) {
                Some(given) => given,
                None => {
                    let asking = self
                        .asking
                        .replace(format!("extent {array} {k} {}", called.span.start));
                    let what = format!("processes in dimension {k} of the grid");
                    let name = format!("{array}_{k}");
                    let number = self.value_parameter(&name, called.span, &what);
                    self.asking = asking;
                    number
                }
            });
        }
        for extent in &extents {
            self.assume_positive(extent)?;
        }
        self.assume_product(&extents, &ranks)?;
        self.set_elements(called, 2, &extents)
    }
}
