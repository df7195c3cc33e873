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
            .map(|c| match scale[c] > 0.0 {
                true => self.column(c).iter().map(|v| v / scale[c]).collect(),
                false => self.column(c),
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
            let below = match row < self.rows {
                true => norm(&matrix[at][row..]),
                false => 0.0,
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
    match most > 0.0 && most.is_finite() {
        true => {
            most * vector
                .iter()
                .map(|v| (v / most) * (v / most))
                .sum::<f64>()
                .sqrt()
        }
        false => most,
    }
}

/// `x >= 0` that makes `matrix x` nearest to `wanted`: the active sets of Lawson and Hanson.
pub fn nonnegative(matrix: &Matrix, wanted: &[f64]) -> Vec<f64> {
    let count = matrix.columns;
    let columns: Vec<Vec<f64>> = (0..count).map(|c| matrix.column(c)).collect();
    let scale: Vec<f64> = columns.iter().map(|column| norm(column)).collect();
    let tolerance = 1e-13 * norm(wanted);
    let mut solution = vec![0.0; count];
    let mut passive: Vec<usize> = Vec::new();
    // A column that entered and left at once is blocked: it can only gain rounding errors.
    let mut blocked: Vec<usize> = Vec::new();
    // Each set comes at most once but for errors of rounding.
    for _ in 0..30 * count + 30 {
        let reached = matrix.times(&solution);
        let left: Vec<f64> = wanted.iter().zip(&reached).map(|(w, r)| w - r).collect();
        let gain = |c: usize| dot(&columns[c], &left) / scale[c];
        let next = (0..count)
            .filter(|c| scale[*c] > 0.0 && !passive.contains(c) && !blocked.contains(c))
            .map(|c| (c, gain(c)))
            .filter(|(_, gain)| *gain > tolerance)
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((next, _)) = next else { break };
        passive.push(next);
        passive.sort_unstable();
        match enter(matrix, wanted, next, &mut passive, &mut solution) {
            true => blocked.clear(),
            false => blocked.push(next),
        }
    }
    solution
}

/// Moves towards the least squares of the passive columns; those that reach 0 leave them. False where `next` goes out
/// as it came in.
fn enter(
    matrix: &Matrix,
    wanted: &[f64],
    next: usize,
    passive: &mut Vec<usize>,
    solution: &mut [f64],
) -> bool {
    let mut fresh = true;
    loop {
        let found = matrix.least_squares(passive, wanted);
        let of_next = passive.iter().position(|p| *p == next).map(|k| found[k]);
        if fresh && of_next.is_none_or(|value| value <= 0.0) {
            passive.retain(|c| *c != next);
            return false;
        }
        fresh = false;
        if found.iter().all(|value| *value > 0.0) {
            solution.fill(0.0);
            passive
                .iter()
                .zip(&found)
                .for_each(|(c, value)| solution[*c] = *value);
            return true;
        }
        let negative = passive
            .iter()
            .zip(&found)
            .filter(|(_, value)| **value <= 0.0);
        let (mut step, mut first) = (1.0, passive[0]);
        for (c, value) in negative {
            let part = solution[*c] / (solution[*c] - value);
            // 0 / 0, where it is at 0 and stays there.
            let part = if part.is_finite() { part } else { 0.0 };
            if part <= step {
                (step, first) = (part, *c);
            }
        }
        for (c, value) in passive.iter().zip(&found) {
            solution[*c] += step * (value - solution[*c]);
        }
        solution[first] = 0.0;
        passive.retain(|c| solution[*c] > 0.0);
        let is_passive = |c: &usize| passive.contains(c);
        (0..solution.len())
            .filter(|c| !is_passive(c))
            .for_each(|c| solution[c] = 0.0);
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
            let solution = nonnegative(&matrix, &wanted);
            assert!(solution.iter().all(|value| *value >= 0.0), "{trial}");
            let (found, best) = (
                distance(&matrix, &solution, &wanted),
                by_all_sets(&matrix, &wanted),
            );
            assert!(found <= best + 1e-9, "{trial}: {found} and {best}");
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
