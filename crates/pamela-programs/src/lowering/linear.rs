//! Linear equations for numbers that are not negative: the solution that costs least, by the simplex method (Dantzig; with
//! the rule of Bland, so that it ends).

use pamela_exact::ring::Rational;

/// Steps of a search before it is given up.
const MOST_STEPS: usize = 400;

/// The equations, solved for one variable each; the last number of each is its right side.
struct Table {
    rows: Vec<Vec<Rational>>,
    /// The variable that each equation is solved for.
    solved: Vec<usize>,
    variables: usize,
}

/// Numbers from 0 on for which each row, whose last number is its right side, holds, and the sum of which by these costs is
/// the least one; nothing where there are none, or after too many steps.
pub fn cheapest(rows: Vec<Vec<Rational>>, costs: &[Rational]) -> Option<Vec<Rational>> {
    let (variables, equations) = (costs.len(), rows.len());
    let all = variables + equations;
    let rows = rows.into_iter().enumerate().map(|(at, mut row)| {
        let right = row.pop().unwrap_or_default();
        if right.is_negative() {
            row.iter_mut().for_each(|own| *own = -own.clone());
        }
        row.extend((0..equations).map(|other| Rational::from(i64::from(other == at))));
        row.push(right.abs());
        row
    });
    let mut table = Table {
        rows: rows.collect(),
        solved: (variables..all).collect(),
        variables: all,
    };
    // First without the variables that only stand for what is missing.
    let missing = (0..all).map(|at| Rational::from(i64::from(at >= variables)));
    if !table
        .minimize(&missing.collect::<Vec<Rational>>(), all)?
        .is_zero()
    {
        return None;
    }
    // They stay out: where one is still solved for, it is 0, and so is its equation if no other variable is in it.
    for at in (0..equations)
        .rev()
        .filter(|at| table.solved[*at] >= variables)
        .collect::<Vec<usize>>()
    {
        match (0..variables).find(|other| !table.rows[at][*other].is_zero()) {
            Some(other) => table.solve(at, other)?,
            None => {
                table.rows.remove(at);
                table.solved.remove(at);
            }
        }
    }
    let none = std::iter::repeat_n(Rational::ZERO, equations);
    let costs: Vec<Rational> = costs.iter().cloned().chain(none).collect();
    table.minimize(&costs, variables)?;
    let mut found = vec![Rational::ZERO; variables];
    for (row, at) in table.rows.iter().zip(&table.solved) {
        if *at < variables {
            found[*at] = row[all].clone();
        }
    }
    Some(found)
}

impl Table {
    /// Makes a sum least, by variables below a number; returns it.
    fn minimize(&mut self, costs: &[Rational], below: usize) -> Option<Rational> {
        // What the sum grows by with each variable, and the sum itself, less than 0.
        let mut growth: Vec<Rational> = costs.to_vec();
        growth.push(Rational::ZERO);
        for (row, own) in self.rows.iter().zip(&self.solved) {
            subtract(&mut growth, &costs[*own], row);
        }
        for _ in 0..MOST_STEPS {
            let Some(enters) = growth[..below].iter().position(Rational::is_negative) else {
                return growth.pop().map(|sum| -sum);
            };
            let ratios = self.rows.iter().enumerate().filter_map(|(at, row)| {
                let by = &row[enters];
                if !by.is_positive() {
                    return None;
                }
                Some((row[self.variables].checked_div(by)?, self.solved[at], at))
            });
            let (.., leaves) = ratios.min()?;
            self.solve(leaves, enters)?;
            let factor = growth[enters].clone();
            subtract(&mut growth, &factor, &self.rows[leaves]);
        }
        None
    }

    /// Solves an equation for a variable, and puts it into the others.
    fn solve(&mut self, at: usize, variable: usize) -> Option<()> {
        let by = self.rows[at][variable].clone();
        for own in self.rows[at].iter_mut().filter(|own| !own.is_zero()) {
            *own = own.checked_div(&by)?;
        }
        let row = self.rows[at].clone();
        for (other, own) in self.rows.iter_mut().enumerate() {
            let factor = own[variable].clone();
            if other != at {
                subtract(own, &factor, &row);
            }
        }
        self.solved[at] = variable;
        Some(())
    }
}

/// Subtracts a multiple of a row from another one.
fn subtract(from: &mut [Rational], factor: &Rational, row: &[Rational]) {
    if factor.is_zero() {
        return;
    }
    for (own, value) in from.iter_mut().zip(row) {
        if !value.is_zero() {
            *own -= &(factor * value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(all: &[i64]) -> Vec<Rational> {
        all.iter().map(|own| Rational::from(*own)).collect()
    }

    #[test]
    fn solutions_hold_and_cost_least() {
        // x + y = 4, x - z = 1: x from 1 to 4; 3 x + y is least at x = 1, and x + 3 y at x = 4.
        let rows = || vec![numbers(&[1, 1, 0, 4]), numbers(&[1, 0, -1, 1])];
        let found = cheapest(rows(), &numbers(&[3, 1, 0]));
        assert_eq!(found, Some(numbers(&[1, 3, 0])));
        let found = cheapest(rows(), &numbers(&[1, 3, 0]));
        assert_eq!(found, Some(numbers(&[4, 0, 3])));
        // x + y = -1 has no such solution; -x - y = -1 has.
        assert_eq!(
            cheapest(vec![numbers(&[1, 1, -1])], &numbers(&[1, 1])),
            None
        );
        let found = cheapest(vec![numbers(&[-1, -2, -1])], &numbers(&[3, 2]));
        let half = Rational::new(1, 2).expect("a half");
        assert_eq!(found, Some(vec![Rational::ZERO, half]));
        // Equations that say the same twice.
        let same = vec![numbers(&[1, 1, 2]), numbers(&[2, 2, 4])];
        assert_eq!(cheapest(same, &numbers(&[1, 0])), Some(numbers(&[0, 2])));
        assert_eq!(cheapest(vec![numbers(&[0, 0, 1])], &numbers(&[1, 1])), None);
    }
}
