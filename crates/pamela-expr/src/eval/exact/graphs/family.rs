//! Families of tasks, which are found by their indices.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

use crate::ring::Rational;

/// Maximum number of places in a box of indices for each task.
const PLACES_EACH: i64 = 4;

/// Stands for no task.
const NONE: u32 = u32::MAX;

/// The indices of the tasks of a family, one after another.
pub enum Indices {
    /// Whole numbers, the usual case.
    Whole(Vec<i64>),
    Any(Vec<Rational>),
}

/// The tasks of a family.
pub struct Family {
    pub first: u32,
    pub count: u32,
    places: Places,
}

enum Places {
    /// Tasks by the distances of their indices from the corner of a box.
    Box {
        corner: Vec<i64>,
        sides: Vec<i64>,
        tasks: Vec<u32>,
    },
    Whole(FxHashMap<Vec<i64>, u32>),
    Any(HashMap<Vec<Rational>, u32>),
}

impl Indices {
    pub fn new() -> Indices {
        Indices::Whole(Vec::new())
    }

    pub fn push(&mut self, indices: &[Rational]) {
        if let Indices::Whole(all) = self {
            let before = all.len();
            all.extend(indices.iter().map_while(Rational::to_i64));
            if all.len() == before + indices.len() {
                return;
            }
            let whole = all[..before].iter().map(|&index| Rational::from(index));
            *self = Indices::Any(whole.collect());
        }
        if let Indices::Any(all) = self {
            all.extend(indices.iter().cloned());
        }
    }
}

impl Family {
    /// A family of `count` tasks, numbered from `first` on.
    pub fn new(first: u32, count: u32, indices: &Indices) -> Family {
        let places = match indices {
            Indices::Whole(all) => Places::of_whole(first, count, all),
            Indices::Any(all) => {
                let rows = all
                    .chunks(width(all.len(), count))
                    .map(<[Rational]>::to_vec);
                Places::Any(rows.zip(first..).collect())
            }
        };
        Family {
            first,
            count,
            places,
        }
    }

    /// The task with these indices.
    pub fn find(&self, indices: &[i64]) -> Option<u32> {
        match &self.places {
            Places::Box {
                corner,
                sides,
                tasks,
            } => {
                if indices.len() != corner.len() {
                    return None;
                }
                let mut place = 0;
                for ((index, least), side) in indices.iter().zip(corner).zip(sides) {
                    let distance = index.checked_sub(*least)?;
                    if !(0..*side).contains(&distance) {
                        return None;
                    }
                    place = place * side + distance;
                }
                let task = tasks.get(usize::try_from(place).ok()?);
                task.copied().filter(|&task| task != NONE)
            }
            Places::Whole(tasks) => tasks.get(indices).copied(),
            Places::Any(_) => {
                let indices: Vec<Rational> = indices.iter().copied().map(Rational::from).collect();
                self.find_any(&indices)
            }
        }
    }

    /// Like [`Family::find`], for numbers that may not be whole.
    pub fn find_any(&self, indices: &[Rational]) -> Option<u32> {
        match &self.places {
            Places::Any(tasks) => tasks.get(indices).copied(),
            _ => {
                let whole: Option<Vec<i64>> = indices.iter().map(Rational::to_i64).collect();
                self.find(&whole?)
            }
        }
    }
}

impl Places {
    fn of_whole(first: u32, count: u32, all: &[i64]) -> Places {
        let width = width(all.len(), count);
        let rows = || all.chunks(width);
        if all.is_empty() {
            // A family without indices has at most one task.
            return Places::Box {
                corner: Vec::new(),
                sides: Vec::new(),
                tasks: (first..first + count).collect(),
            };
        }
        let end = |place: usize, of: fn(i64, i64) -> i64| {
            let own = rows().map(|row| row[place]).reduce(of);
            own.unwrap_or(0)
        };
        let corner: Vec<i64> = (0..width).map(|place| end(place, i64::min)).collect();
        let side = |(place, least): (usize, &i64)| {
            end(place, i64::max).checked_sub(*least)?.checked_add(1)
        };
        let sides: Option<Vec<i64>> = corner.iter().enumerate().map(side).collect();
        let volume = sides.as_ref().and_then(|sides| {
            let mut sides = sides.iter();
            sides.try_fold(1_i64, |volume, side| volume.checked_mul(*side))
        });
        match (sides, volume) {
            (Some(sides), Some(volume)) if volume <= PLACES_EACH * i64::from(count) => {
                let mut tasks = vec![NONE; volume as usize];
                for (row, task) in rows().zip(first..) {
                    let distances = row.iter().zip(&corner).zip(&sides);
                    let place = distances.fold(0, |place, ((index, least), side)| {
                        place * side + (index - least)
                    });
                    tasks[place as usize] = task;
                }
                Places::Box {
                    corner,
                    sides,
                    tasks,
                }
            }
            _ => Places::Whole(rows().map(<[i64]>::to_vec).zip(first..).collect()),
        }
    }
}

/// Number of indices of each task.
fn width(all: usize, count: u32) -> usize {
    (all / count.max(1) as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_found_by_their_indices_and_nothing_else_is() {
        let far = i64::MAX / 2;
        let rows: [&[[i64; 2]]; 4] = [
            &[[1, 1], [1, 2], [2, 1], [2, 2]],
            &[[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]],
            &[[-5, 3], [100_000, 7], [4, -1_000_000]],
            &[[far, -far], [-far, far]],
        ];
        for rows in rows {
            for shift in [Rational::ZERO, Rational::new(1, 2).unwrap()] {
                let mut indices = Indices::new();
                let row = |row: &[i64; 2]| row.map(|index| &Rational::from(index) + &shift);
                rows.iter().for_each(|one| indices.push(&row(one)));
                let family = Family::new(7, rows.len() as u32, &indices);
                for (one, task) in rows.iter().zip(7..) {
                    assert_eq!(family.find_any(&row(one)), Some(task));
                    let whole = family.find(one);
                    assert_eq!(whole, shift.is_zero().then_some(task), "{one:?}");
                    for other in [[one[0], one[1] + 1], [one[0] - 1, one[1]], [i64::MIN, 0]] {
                        let expected = rows.iter().position(|known| *known == other);
                        let expected = expected.map(|place| place as u32 + 7);
                        assert_eq!(family.find_any(&row(&other)), expected, "{other:?}");
                    }
                    assert_eq!(family.find(&one[..1]), None);
                }
            }
        }
        let single = Family::new(3, 1, &Indices::new());
        assert_eq!((single.find(&[]), single.find_any(&[])), (Some(3), Some(3)));
        assert_eq!(Family::new(3, 0, &Indices::new()).find(&[]), None);
    }

    #[test]
    fn indices_may_stop_to_be_whole() {
        let mut indices = Indices::new();
        let half = Rational::new(1, 2).unwrap();
        indices.push(&[Rational::from(1)]);
        indices.push(std::slice::from_ref(&half));
        let family = Family::new(0, 2, &indices);
        assert_eq!(family.find(&[1]), Some(0));
        assert_eq!(family.find_any(&[half]), Some(1));
    }
}
