//! Signs by bounds: a cell is halved until bounds of a value, or of its slope, decide its sign.

use std::cmp::Ordering;

use super::lattice::{Cell, Lattice, Pieces};
use super::signs::{Obstacle, Sign, Signs, sign_at};
use crate::expr::{Arena, ExprId};
use crate::optimise::{Bounded, Interval, Program};

/// Cells that are looked at.
const MOST_BOXES: usize = 20_000;

/// Bounds of one expression over cells.
struct Bounds<'a> {
    program: Program<'a>,
    root: usize,
    arena: &'a Arena,
    id: ExprId,
    name: &'a str,
    lattice: Lattice,
    boxes: usize,
}

impl Signs {
    /// True if bounds show that a value is not 0 between two numbers.
    pub fn is_apart(&self, id: ExprId, [low, high]: [f64; 2]) -> bool {
        let variables = [self.name.clone()];
        let nothing = |_: &str| None;
        let mut program = Program::new(&variables, &nothing);
        let Some(root) = program.add(&self.arena, id) else {
            return false;
        };
        let bounds = program.run(&[Interval { low, high }])[root].value;
        bounds.low > 0.0 || bounds.high < 0.0
    }

    /// The signs of an expression that is defined everywhere in a cell.
    pub fn by_bounds(&mut self, id: ExprId, cell: Cell) -> Pieces<Result<Sign, Obstacle>> {
        let most = MOST_BOXES.min(self.evaluations_left());
        let variables = [self.name.clone()];
        let nothing = |_: &str| None;
        let mut program = Program::new(&variables, &nothing);
        let Some(root) = program.add(&self.arena, id) else {
            return vec![(cell, Err(Obstacle::Form(id)))];
        };
        let mut bounds = Bounds {
            program,
            root,
            arena: &self.arena,
            id,
            name: &self.name,
            lattice: self.lattice,
            boxes: 0,
        };
        let mut all = Vec::new();
        let mut pending = vec![cell];
        while let Some(cell) = pending.pop() {
            bounds.boxes += 1;
            if bounds.boxes > most {
                all.push((cell, Err(Obstacle::TooMany(id))));
                continue;
            }
            if bounds.decide(cell, &mut all) {
                continue;
            }
            let middle = bounds.middle(cell);
            pending.push(Cell {
                first: middle + 1,
                ..cell
            });
            pending.push(Cell {
                last: middle,
                ..cell
            });
        }
        let boxes = bounds.boxes;
        self.charge(boxes);
        all
    }
}

impl Bounds<'_> {
    fn over(&mut self, cell: Cell) -> Bounded {
        let mut low = self.lattice.double(cell.first);
        let mut high = self.lattice.double(cell.last);
        if self.lattice.is_unbounded(cell) {
            high = f64::INFINITY;
        }
        if self.lattice.reaches_zero(cell) {
            low = 0.0;
        }
        self.between(low, high)
    }

    fn between(&mut self, mut low: f64, mut high: f64) -> Bounded {
        if self.lattice == Lattice::Whole {
            // Whole numbers beyond 2^53 may lie between doubles.
            (low, high) = (low.next_down(), high.next_up());
            if low == 1f64.next_down() {
                low = 1.0;
            }
        }
        self.program.run(&[Interval { low, high }])[self.root].clone()
    }

    fn middle(&self, cell: Cell) -> i64 {
        let half = cell.first + (cell.last - cell.first) / 2;
        if self.lattice == Lattice::Whole && cell.last / 4 > cell.first {
            let root = (cell.first as f64).sqrt() * (cell.last as f64).sqrt();
            return (root as i64).clamp(cell.first, cell.last - 1);
        }
        half
    }

    /// Adds the signs of a cell if they are decided.
    fn decide(&mut self, cell: Cell, all: &mut Pieces<Result<Sign, Obstacle>>) -> bool {
        let bounds = self.over(cell);
        if let Some(sign) = sign_of(bounds.value) {
            all.push((cell, Ok(Some(sign))));
            return true;
        }
        if self.lattice.is_point(cell) {
            let sign = sign_at(
                self.arena,
                self.id,
                self.name,
                &self.lattice.value(cell.first),
            );
            all.push((cell, sign));
            return true;
        }
        let slope = bounds.slopes[0];
        if slope.low <= 0.0 && slope.high >= 0.0 {
            if cell.first == cell.last {
                all.push((cell, Err(Obstacle::TooFar(self.id))));
            }
            return cell.first == cell.last;
        }
        match self.monotone(cell, slope.low > 0.0) {
            Ok(pieces) => all.extend(
                pieces
                    .into_iter()
                    .map(|(cell, sign)| (cell, Ok(Some(sign)))),
            ),
            Err(obstacle) => all.push((cell, Err(obstacle))),
        }
        true
    }

    fn sign(&mut self, index: i64) -> Result<Ordering, Obstacle> {
        let at = self.lattice.double(index);
        let bounds = self.between(at, at);
        if let Some(sign) = sign_of(bounds.value) {
            return Ok(sign);
        }
        let sign = sign_at(self.arena, self.id, self.name, &self.lattice.value(index))?;
        sign.ok_or(Obstacle::Undecided(self.id))
    }

    /// The signs of a value that rises or falls strictly.
    fn monotone(&mut self, cell: Cell, rises: bool) -> Result<Pieces<Ordering>, Obstacle> {
        let [before, after] = if rises {
            [Ordering::Less, Ordering::Greater]
        } else {
            [Ordering::Greater, Ordering::Less]
        };
        if self.lattice.is_unbounded(cell) && self.sign(cell.last)? != after {
            return Err(Obstacle::TooFar(self.id));
        }
        if self.lattice.reaches_zero(cell) && self.sign(cell.first)? != before {
            return Err(Obstacle::TooFar(self.id));
        }
        // The first point that is not before 0, and the first one that is after it.
        let reached = self.first_with(cell, |sign| sign != before)?;
        let passed = self.first_with(
            Cell {
                first: reached,
                ..cell
            },
            |sign| sign == after,
        )?;
        let parts = [
            (cell.first, reached - 1, before),
            (reached, passed - 1, Ordering::Equal),
            (passed, cell.last, after),
        ];
        let parts = parts.into_iter().filter(|(first, last, _)| first <= last);
        Ok(parts
            .map(|(first, last, sign)| (Cell { first, last }, sign))
            .collect())
    }

    /// The first point of a cell from which on the sign is wanted; one beyond the cell if there is none.
    fn first_with(
        &mut self,
        cell: Cell,
        wanted: impl Fn(Ordering) -> bool,
    ) -> Result<i64, Obstacle> {
        let (mut low, mut high) = (cell.first, cell.last + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if wanted(self.sign(middle)?) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        Ok(low)
    }
}

fn sign_of(value: Interval) -> Option<Ordering> {
    match value {
        _ if value.low > 0.0 => Some(Ordering::Greater),
        _ if value.high < 0.0 => Some(Ordering::Less),
        _ if value == Interval::ZERO => Some(Ordering::Equal),
        _ => None,
    }
}
