//! Least squares with few unknowns.

/// A dense matrix, by rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    values: Vec<f64>,
}

/// Columns whose part apart from the others is this small beside them depend on them.
const DEPENDENT: f64 = 1e-7;

impl Matrix {
    pub fn new(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            values: vec![0.0; rows * columns],
        }
    }

    /// A matrix of rows, which have the same length.
    pub fn of_rows(rows: &[Vec<f64>]) -> Matrix {
        Matrix {
            rows: rows.len(),
            columns: rows.first().map_or(0, Vec::len),
            values: rows.concat(),
        }
    }

    pub fn get(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.columns + column] = value;
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    pub fn column(&self, column: usize) -> Vec<f64> {
        (0..self.rows).map(|row| self.get(row, column)).collect()
    }

    /// A matrix of some of the rows, in this order.
    pub fn rows_of(&self, rows: &[usize]) -> Matrix {
        Matrix {
            rows: rows.len(),
            columns: self.columns,
            values: rows.iter().flat_map(|r| self.row(*r).to_vec()).collect(),
        }
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        (0..self.rows)
            .map(|row| dot(self.row(row), vector))
            .collect()
    }

    /// A maximal set of independent columns, the most independent one first. Every other column is returned with its
    /// coefficients as a combination of the chosen ones.
    pub fn independent(&self) -> (Vec<usize>, Vec<(usize, Vec<f64>)>) {
        let scale: Vec<f64> = (0..self.columns).map(|c| norm(&self.column(c))).collect();
        // Columns of length 1, from which the chosen ones are taken out.
        let mut left: Vec<Vec<f64>> = (0..self.columns)
            .map(|c| {
                if scale[c] > 0.0 {
                    self.column(c).iter().map(|v| v / scale[c]).collect()
                } else {
                    self.column(c)
                }
            })
            .collect();
        let mut chosen = Vec::new();
        loop {
            let apart = |c: &usize| !chosen.contains(c) && norm(&left[*c]) > DEPENDENT;
            let mut next: Option<usize> = None;
            for column in (0..self.columns).filter(apart) {
                // Among equally good columns, the first one is taken, so rounding errors decide nothing.
                if next.is_none_or(|best| norm(&left[column]) > norm(&left[best]) * (1.0 + 1e-6)) {
                    next = Some(column);
                }
            }
            let Some(next) = next.filter(|_| chosen.len() < self.rows) else {
                break;
            };
            let length = norm(&left[next]);
            let direction: Vec<f64> = left[next].iter().map(|v| v / length).collect();
            for column in left.iter_mut() {
                // Twice: the first time leaves a small part behind.
                for _ in 0..2 {
                    let part = dot(&direction, column);
                    column
                        .iter_mut()
                        .zip(&direction)
                        .for_each(|(v, d)| *v -= part * d);
                }
            }
            chosen.push(next);
        }
        chosen.sort_unstable();
        let rest = (0..self.columns).filter(|c| !chosen.contains(c));
        let rest = rest
            .map(|c| (c, self.least_squares(&chosen, &self.column(c))))
            .collect();
        (chosen, rest)
    }

    /// Least-squares coefficients of some columns for `wanted`, by Householder reflections. Columns that depend on
    /// earlier ones get the coefficient 0.
    pub fn least_squares(&self, columns: &[usize], wanted: &[f64]) -> Vec<f64> {
        let mut matrix: Vec<Vec<f64>> = columns.iter().map(|c| self.column(*c)).collect();
        let lengths: Vec<f64> = matrix.iter().map(|column| norm(column)).collect();
        let mut right = wanted.to_vec();
        // The row of the pivot of each column.
        let mut pivots: Vec<Option<usize>> = vec![None; columns.len()];
        let mut row = 0;
        for at in 0..columns.len() {
            let below = if row < self.rows {
                norm(&matrix[at][row..])
            } else {
                0.0
            };
            if below <= DEPENDENT * lengths[at] || below == 0.0 {
                continue;
            }
            let first = matrix[at][row];
            let target = if first > 0.0 { -below } else { below };
            let mut mirror = matrix[at][row..].to_vec();
            mirror[0] -= target;
            let square = dot(&mirror, &mirror);
            let reflect = |column: &mut [f64]| {
                let part = 2.0 * dot(&mirror, &column[row..]) / square;
                column[row..]
                    .iter_mut()
                    .zip(&mirror)
                    .for_each(|(v, m)| *v -= part * m);
            };
            matrix[at..].iter_mut().for_each(|column| reflect(column));
            reflect(&mut right);
            pivots[at] = Some(row);
            row += 1;
        }
        let mut solution = vec![0.0; columns.len()];
        for at in (0..columns.len()).rev() {
            let Some(row) = pivots[at] else { continue };
            let known: f64 = (at + 1..columns.len())
                .map(|k| matrix[k][row] * solution[k])
                .sum();
            solution[at] = (right[row] - known) / matrix[at][row];
        }
        solution
    }
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub fn norm(vector: &[f64]) -> f64 {
    // Squares of small numbers would be 0.
    let most = vector.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    if most > 0.0 && most.is_finite() {
        most * vector
            .iter()
            .map(|v| (v / most) * (v / most))
            .sum::<f64>()
            .sqrt()
    } else {
        most
    }
}

/// `x` between `bounds` that makes `matrix x` nearest to `wanted`: the active sets of Stark and Parker.
pub fn bounded(matrix: &Matrix, wanted: &[f64], bounds: &[[f64; 2]]) -> Vec<f64> {
    let count = matrix.columns;
    let columns: Vec<Vec<f64>> = (0..count).map(|c| matrix.column(c)).collect();
    let scale: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let tolerance = 1e-13 * norm(wanted);
    let mut solution: Vec<f64> = bounds.iter().map(|[least, _]| *least).collect();
    let mut passive: Vec<usize> = Vec::new();
    // A column that entered and left at once is blocked: it can only gain rounding errors.
    let mut blocked: Vec<usize> = Vec::new();
    // Each set comes at most once but for errors of rounding.
    for _ in 0..30 * count + 30 {
        let left = rest(matrix, wanted, &solution);
        let gain = |c: usize| {
            let upwards = dot(&columns[c], &left) / scale[c];
            if is_highest(&solution, bounds, c) {
                -upwards
            } else {
                upwards
            }
        };
        let has_room = |c: &usize| bounds[*c][0] < bounds[*c][1];
        let next = (0..count)
            .filter(|c| scale[*c] > 0.0 && !passive.contains(c) && !blocked.contains(c))
            .filter(has_room)
            .map(|c| (c, gain(c)))
            .filter(|(_, gain)| *gain > tolerance)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((next, _)) = next else { break };
        passive.push(next);
        passive.sort_unstable();
        if enter(matrix, wanted, bounds, next, &mut passive, &mut solution) {
            blocked.clear()
        } else {
            blocked.push(next)
        }
    }
    solution
}

/// What `solution` leaves of `wanted`.
fn rest(matrix: &Matrix, wanted: &[f64], solution: &[f64]) -> Vec<f64> {
    let reached = matrix.times(solution);
    wanted.iter().zip(&reached).map(|(w, r)| w - r).collect()
}

/// True if a column is at its upper bound.
fn is_highest(solution: &[f64], bounds: &[[f64; 2]], column: usize) -> bool {
    solution[column] >= bounds[column][1]
}

/// Moves towards the least squares of the passive columns; those that reach a bound leave them. False where `next` goes
/// out as it came in.
fn enter(
    matrix: &Matrix,
    wanted: &[f64],
    bounds: &[[f64; 2]],
    next: usize,
    passive: &mut Vec<usize>,
    solution: &mut [f64],
) -> bool {
    let mut fresh = true;
    loop {
        let mut held = solution.to_vec();
        passive.iter().for_each(|c| held[*c] = 0.0);
        let found = matrix.least_squares(passive, &rest(matrix, wanted, &held));
        let of_next = passive.iter().position(|p| *p == next).map(|k| found[k]);
        let goes_back = |value: f64| {
            if is_highest(solution, bounds, next) {
                value >= bounds[next][1]
            } else {
                value <= bounds[next][0]
            }
        };
        if fresh && of_next.is_none_or(goes_back) {
            passive.retain(|c| *c != next);
            return false;
        }
        fresh = false;
        let edge = |c: usize, value: f64| {
            let [least, most] = bounds[c];
            (value <= least)
                .then_some(least)
                .or((value >= most).then_some(most))
        };
        let (mut step, mut first) = (1.0, None);
        for (c, value) in passive.iter().zip(&found) {
            let Some(edge) = edge(*c, *value) else {
                continue;
            };
            let part = (solution[*c] - edge) / (solution[*c] - value);
            // 0 / 0, where it is at its bound and stays there.
            let part = if part.is_finite() { part } else { 0.0 };
            if part <= step {
                (step, first) = (part, Some((*c, edge)));
            }
        }
        for (c, value) in passive.iter().zip(&found) {
            solution[*c] = match first {
                Some(_) => solution[*c] + step * (value - solution[*c]),
                None => *value,
            };
        }
        let Some((first, edge)) = first else {
            return true;
        };
        solution[first] = edge;
        for (value, [least, most]) in solution.iter_mut().zip(bounds) {
            *value = value.clamp(*least, *most);
        }
        passive.retain(|c| bounds[*c][0] < solution[*c] && solution[*c] < bounds[*c][1]);
        if passive.is_empty() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }
    }

    fn random(random: &mut Random, rows: usize, columns: usize) -> Matrix {
        let mut matrix = Matrix::new(rows, columns);
        for row in 0..rows {
            for column in 0..columns {
                matrix.set(row, column, 2.0 * random.next() - 0.7);
            }
        }
        matrix
    }

    fn distance(matrix: &Matrix, solution: &[f64], wanted: &[f64]) -> f64 {
        let reached = matrix.times(solution);
        norm(
            &reached
                .iter()
                .zip(wanted)
                .map(|(r, w)| r - w)
                .collect::<Vec<_>>(),
        )
    }

    /// The nearest of all sets of columns whose least squares are positive: the definition.
    fn by_all_sets(matrix: &Matrix, wanted: &[f64]) -> f64 {
        let mut best = norm(wanted);
        for set in 1..1_u32 << matrix.columns {
            let columns: Vec<usize> = (0..matrix.columns).filter(|c| set >> c & 1 == 1).collect();
            let found = matrix.least_squares(&columns, wanted);
            if found.iter().all(|value| *value >= 0.0) {
                let mut solution = vec![0.0; matrix.columns];
                columns
                    .iter()
                    .zip(&found)
                    .for_each(|(c, value)| solution[*c] = *value);
                best = best.min(distance(matrix, &solution, wanted));
            }
        }
        best
    }

    #[test]
    fn nonnegative_least_squares_are_the_best_of_all_sets() {
        let mut numbers = Random(7);
        for trial in 0..400 {
            let (rows, columns) = (1 + trial % 9, 1 + trial % 5);
            let mut matrix = random(&mut numbers, rows, columns);
            if trial % 7 == 0 && columns > 2 {
                // One column is the sum of two others.
                for row in 0..rows {
                    matrix.set(row, 0, matrix.get(row, 1) + matrix.get(row, 2));
                }
            }
            let wanted: Vec<f64> = (0..rows).map(|_| 2.0 * numbers.next() - 0.5).collect();
            let solution = bounded(&matrix, &wanted, &vec![[0.0, f64::INFINITY]; columns]);
            assert!(solution.iter().all(|value| *value >= 0.0), "{trial}");
            let (found, best) = (
                distance(&matrix, &solution, &wanted),
                by_all_sets(&matrix, &wanted),
            );
            assert!(found <= best + 1e-9, "{trial}: {found} and {best}");
        }
    }

    /// The conditions of Kuhn and Tucker: no change that a bound allows makes the distance less.
    #[test]
    fn bounded_least_squares_leave_nothing_to_gain() {
        let mut numbers = Random(11);
        for trial in 0..400 {
            let (rows, columns) = (1 + trial % 9, 1 + trial % 5);
            let matrix = random(&mut numbers, rows, columns);
            let wanted: Vec<f64> = (0..rows).map(|_| 4.0 * numbers.next() - 2.0).collect();
            let bounds: Vec<[f64; 2]> = (0..columns)
                .map(|c| {
                    let least = numbers.next() - 0.5;
                    let width = if c % 2 == 0 {
                        f64::INFINITY
                    } else {
                        numbers.next()
                    };
                    [least, least + width]
                })
                .collect();
            let solution = bounded(&matrix, &wanted, &bounds);
            let left = rest(&matrix, &wanted, &solution);
            for (column, [least, most]) in bounds.into_iter().enumerate() {
                let (value, gain) = (solution[column], dot(&matrix.column(column), &left));
                assert!(least <= value && value <= most, "{trial}: {value}");
                assert!(value >= most || gain <= 1e-9, "{trial}: up by {gain}");
                assert!(value <= least || gain >= -1e-9, "{trial}: down by {gain}");
            }
        }
    }

    #[test]
    fn dependent_columns_are_sums_of_the_others() {
        let mut numbers = Random(9);
        let mut matrix = random(&mut numbers, 6, 4);
        for row in 0..6 {
            matrix.set(row, 1, 3.0 * matrix.get(row, 0) + 1e-9 * matrix.get(row, 2));
            matrix.set(row, 3, 0.0);
        }
        let (chosen, rest) = matrix.independent();
        assert_eq!(chosen, [0, 2]);
        let [(1, first), (3, none)] = &rest[..] else {
            panic!("{rest:?}")
        };
        assert!(
            (first[0] - 3.0).abs() < 1e-6 && first[1].abs() < 1e-6,
            "{first:?}"
        );
        assert_eq!(none, &[0.0, 0.0]);
    }

    #[test]
    fn least_squares_of_very_different_scales() {
        let mut matrix = Matrix::new(3, 2);
        for (row, n) in [10.0, 1000.0, 100_000.0_f64].into_iter().enumerate() {
            matrix.set(row, 0, n * n * n);
            matrix.set(row, 1, 1.0);
        }
        let wanted = matrix.times(&[1e-9, 2e-5]);
        let found = matrix.least_squares(&[0, 1], &wanted);
        assert!((found[0] / 1e-9 - 1.0).abs() < 1e-9, "{found:?}");
        assert!((found[1] / 2e-5 - 1.0).abs() < 1e-3, "{found:?}");
    }
}
