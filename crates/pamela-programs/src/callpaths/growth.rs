//! Growth of a measured quantity with the parameters: `c0 + c1 * n^i * log2(n)^j`, with products and sums of such terms
//! for several parameters. The form that predicts left-out points best is taken, the simpler one of two that are alike.

use std::fmt::Write;

/// Exponents, as numerator and denominator.
const POWERS: [(i32, i32); 15] = [
    (-1, 1),
    (-1, 2),
    (0, 1),
    (1, 4),
    (1, 3),
    (1, 2),
    (2, 3),
    (3, 4),
    (1, 1),
    (5, 4),
    (4, 3),
    (3, 2),
    (2, 1),
    (5, 2),
    (3, 1),
];
/// Best terms of each parameter that are combined.
const KEPT: usize = 3;
/// Terms of a sum beside the constant.
const MOST_TERMS: usize = 3;
/// With more parameters only the best term of each is combined.
const MOST_PARAMETERS: usize = 3;
/// Errors that differ by less are alike.
const ALIKE: f64 = 1.1;
/// Relative errors of rounding.
const ROUNDING: f64 = 1e-9;

/// `x^i * log2(x)^j`, for the parameter with this index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    pub parameter: usize,
    power: (i32, i32),
    logarithms: i32,
}

impl Factor {
    fn at(&self, point: &[f64]) -> f64 {
        let x = point[self.parameter];
        x.powf(f64::from(self.power.0) / f64::from(self.power.1)) * x.log2().powi(self.logarithms)
    }

    /// Larger for forms that are rarer.
    fn cost(&self) -> i32 {
        let power = match self.power {
            (_, 1) => self.power.0.abs(),
            (_, by) => self.power.0.abs() + by,
        };
        power + 2 * self.logarithms
    }

    fn write(&self, names: &[String]) -> String {
        let name = &names[self.parameter];
        let power = match self.power {
            (0, _) => None,
            (1, 1) => Some(name.clone()),
            (-1, 1) => Some(format!("{name}^(-1)")),
            (power, 1) => Some(format!("{name}^{power}")),
            (power, by) => Some(format!("{name}^({power} / {by})")),
        };
        let logarithm = match self.logarithms {
            0 => None,
            1 => Some(format!("log2({name})")),
            power => Some(format!("log2({name})^{power}")),
        };
        power
            .into_iter()
            .chain(logarithm)
            .collect::<Vec<String>>()
            .join(" * ")
    }
}

/// A product of factors; none is the constant 1.
pub type Term = Vec<Factor>;

fn value(term: &Term, point: &[f64]) -> f64 {
    term.iter().map(|factor| factor.at(point)).product()
}

/// A sum of terms with coefficients that are not below 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    pub terms: Vec<(Term, f64)>,
    /// Root of the mean square of errors at points that were left out by turns, relative to that of the values.
    pub error: f64,
}

impl Growth {
    /// The same value everywhere.
    pub fn constant(value: f64) -> Growth {
        Growth {
            terms: vec![(Term::new(), value)],
            error: 0.0,
        }
    }

    pub fn at(&self, point: &[f64]) -> f64 {
        self.terms
            .iter()
            .map(|(term, coefficient)| coefficient * value(term, point))
            .sum()
    }

    fn cost(&self) -> i32 {
        let factors = self.terms.iter().flat_map(|(term, _)| term);
        4 * self.terms.len() as i32 + factors.map(Factor::cost).sum::<i32>()
    }

    /// True if it does not depend on the parameters.
    pub fn is_constant(&self) -> bool {
        self.terms.iter().all(|(term, _)| term.is_empty())
    }
}

/// A term in the language: `n * log2(n)`.
pub fn written(term: &Term, names: &[String]) -> String {
    let mut text = String::new();
    for factor in term {
        let separator = if text.is_empty() { "" } else { " * " };
        let _ = write!(text, "{separator}{}", factor.write(names));
    }
    text
}

/// The growth of values, one for each point.
pub fn fit(points: &[Vec<f64>], values: &[f64]) -> Growth {
    let zero = Growth {
        terms: Vec::new(),
        error: 0.0,
    };
    if values.iter().all(|value| *value == 0.0) {
        return zero;
    }
    let parameters = points.first().map_or(0, Vec::len);
    let constant = fitted(&[Vec::new()], points, values).unwrap_or(zero);
    let mut found = vec![constant];
    let mut kept: Vec<Vec<Factor>> = Vec::new();
    for parameter in 0..parameters {
        let (line, along) = line(points, values, parameter);
        let mut single: Vec<Growth> = factors(parameter, &line)
            .into_iter()
            .filter_map(|factor| best(&[vec![factor]], &line, &along))
            .collect();
        single.sort_by(|a, b| a.error.total_cmp(&b.error).then(a.cost().cmp(&b.cost())));
        let most = if parameters > MOST_PARAMETERS {
            1
        } else {
            KEPT
        };
        let own = single.iter().take(most).filter_map(|growth| {
            growth
                .terms
                .iter()
                .find_map(|(term, _)| term.first().copied())
        });
        kept.push(own.collect());
        if parameters == 1 {
            found.append(&mut single);
        }
    }
    for terms in combinations(&kept) {
        found.extend(best(&terms, points, values));
    }
    let least = found
        .iter()
        .map(|growth| growth.error)
        .fold(f64::INFINITY, f64::min);
    let alike = found
        .into_iter()
        .filter(|growth| growth.error <= least * ALIKE + ROUNDING);
    alike
        .min_by(|a, b| a.cost().cmp(&b.cost()).then(a.error.total_cmp(&b.error)))
        .unwrap_or(Growth {
            terms: Vec::new(),
            error: 0.0,
        })
}

/// The factors of a parameter that have values at all points.
fn factors(parameter: usize, points: &[Vec<f64>]) -> Vec<Factor> {
    let is_above = |least: f64| points.iter().all(|point| point[parameter] >= least);
    let mut all = Vec::new();
    for power in POWERS {
        for logarithms in 0..=2 {
            let is_one = power.0 == 0 && logarithms == 0;
            let is_rare = power.0 < 0 && logarithms > 0;
            if !is_one
                && !is_rare
                && (logarithms == 0 || is_above(1.0))
                && (power.0 > 0 || is_above(f64::MIN_POSITIVE))
            {
                all.push(Factor {
                    parameter,
                    power,
                    logarithms,
                });
            }
        }
    }
    all
}

/// The points that differ in one parameter only: the longest such line.
fn line(points: &[Vec<f64>], values: &[f64], parameter: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let is_beside = |a: &[f64], b: &[f64]| (0..a.len()).all(|k| k == parameter || a[k] == b[k]);
    let size = |at: &&Vec<f64>| points.iter().filter(|other| is_beside(at, other)).count();
    // The last of the longest: at large values of the others, where the term matters most.
    let Some(longest) = points.iter().max_by_key(size) else {
        return Default::default();
    };
    let own = points
        .iter()
        .zip(values)
        .filter(|(point, _)| is_beside(longest, point));
    own.map(|(point, value)| (point.clone(), *value)).unzip()
}

/// Sums and products of the terms of several parameters.
fn combinations(kept: &[Vec<Factor>]) -> Vec<Vec<Term>> {
    let mut all: Vec<Vec<Term>> = Vec::new();
    if kept.len() < 2 {
        return all;
    }
    // Each parameter has one of its terms, or none.
    let mut choices: Vec<Vec<Factor>> = vec![Vec::new()];
    for own in kept {
        let with = |choice: &Vec<Factor>| {
            let more = own.iter().map(|factor| [&choice[..], &[*factor]].concat());
            std::iter::once(choice.clone())
                .chain(more)
                .collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(with).collect();
    }
    for choice in choices.iter().filter(|choice| !choice.is_empty()) {
        let products: Vec<Term> = if choice.len() <= MOST_PARAMETERS {
            subsets(choice, choice.len())
        } else {
            [subsets(choice, 1), vec![choice.clone()]].concat()
        };
        let sums = subsets(&products, MOST_TERMS).into_iter();
        // Others belong to a shorter choice.
        all.extend(sums.filter(|terms| {
            choice
                .iter()
                .all(|factor| terms.iter().any(|term| term.contains(factor)))
        }));
    }
    all
}

/// The subsets that are not empty, of at most so many elements.
fn subsets<T: Clone>(list: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all: Vec<Vec<T>> = vec![Vec::new()];
    for element in list {
        let short: Vec<Vec<T>> = all.iter().filter(|own| own.len() < most).cloned().collect();
        all.extend(
            short
                .into_iter()
                .map(|own| [&own[..], std::slice::from_ref(element)].concat()),
        );
    }
    all.retain(|own| !own.is_empty());
    all
}

/// With a constant term, or without one where it would be below 0.
fn best(terms: &[Term], points: &[Vec<f64>], values: &[f64]) -> Option<Growth> {
    let with_constant = [&[Vec::new()], terms].concat();
    fitted(&with_constant, points, values).or_else(|| fitted(terms, points, values))
}

/// Least squares, which follow the longest runs; none with a coefficient below 0, or with too few points.
fn fitted(terms: &[Term], points: &[Vec<f64>], values: &[f64]) -> Option<Growth> {
    let count = terms.len();
    if points.len() < count + usize::from(count > 1) {
        return None;
    }
    let rows: Vec<Vec<f64>> = points
        .iter()
        .map(|point| terms.iter().map(|term| value(term, point)).collect())
        .collect();
    // Columns of one size.
    let sizes: Vec<f64> = (0..count)
        .map(|k| rows.iter().map(|row| row[k] * row[k]).sum::<f64>().sqrt())
        .collect();
    if sizes.iter().any(|size| !size.is_finite() || *size == 0.0) {
        return None;
    }
    let rows: Vec<Vec<f64>> = rows
        .iter()
        .map(|row| row.iter().zip(&sizes).map(|(x, size)| x / size).collect())
        .collect();
    let wanted = values;
    let inverse = inverse(&rows, count)?;
    let product = |k: usize| {
        rows.iter()
            .zip(wanted)
            .map(|(row, y)| row[k] * y)
            .sum::<f64>()
    };
    let products: Vec<f64> = (0..count).map(product).collect();
    let solved: Vec<f64> = inverse
        .iter()
        .map(|row| row.iter().zip(&products).map(|(a, b)| a * b).sum())
        .collect();
    if solved.iter().any(|coefficient| *coefficient < 0.0) {
        return None;
    }
    let mut sum = 0.0;
    for (row, y) in rows.iter().zip(wanted) {
        let predicted: f64 = row.iter().zip(&solved).map(|(x, c)| x * c).sum();
        let through: f64 = inverse
            .iter()
            .zip(row)
            .map(|(line, x)| x * line.iter().zip(row).map(|(a, b)| a * b).sum::<f64>())
            .sum();
        // The error at this point if it is left out.
        let error = (y - predicted) / (1.0 - through).max(1e-6);
        sum += error * error;
    }
    let terms = terms
        .iter()
        .zip(solved.iter().zip(&sizes))
        .map(|(term, (c, size))| (term.clone(), c / size));
    let largest = values
        .iter()
        .fold(0.0_f64, |most, value| most.max(value.abs()));
    // What rounding leaves is no term.
    let is_seen = |(term, c): &(Term, f64)| {
        points
            .iter()
            .any(|point| c * value(term, point) > ROUNDING * largest)
    };
    Some(Growth {
        terms: terms.filter(is_seen).collect(),
        error: (sum / values.iter().map(|value| value * value).sum::<f64>()).sqrt(),
    })
}

/// The inverse of the products of columns; none if they depend on each other.
fn inverse(rows: &[Vec<f64>], count: usize) -> Option<Vec<Vec<f64>>> {
    let product = |a: usize, b: usize| rows.iter().map(|row| row[a] * row[b]).sum::<f64>();
    let mut left: Vec<Vec<f64>> = (0..count)
        .map(|a| (0..count).map(|b| product(a, b)).collect())
        .collect();
    let mut right: Vec<Vec<f64>> = (0..count)
        .map(|a| (0..count).map(|b| f64::from(u8::from(a == b))).collect())
        .collect();
    for at in 0..count {
        let pivot = (at..count).max_by(|a, b| left[*a][at].abs().total_cmp(&left[*b][at].abs()))?;
        if left[pivot][at].abs() < 1e-12 {
            return None;
        }
        left.swap(at, pivot);
        right.swap(at, pivot);
        let by = left[at][at];
        left[at]
            .iter_mut()
            .chain(&mut right[at])
            .for_each(|x| *x /= by);
        for other in (0..count).filter(|other| *other != at) {
            let factor = left[other][at];
            for k in 0..count {
                left[other][k] -= factor * left[at][k];
                right[other][k] -= factor * right[at][k];
            }
        }
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(values: &[f64]) -> Vec<Vec<f64>> {
        values.iter().map(|x| vec![*x]).collect()
    }

    /// Values of known functions, without noise and with 1 %.
    #[test]
    fn known_growth_is_found() {
        type Named = (fn(f64) -> f64, &'static str);
        let functions: [Named; 6] = [
            (|x| 3.0 + 2.0 * x, "n"),
            (|x| 5.0 * x * x.log2(), "n * log2(n)"),
            (|x| 1.0 + 7.0 / x, "n^(-1)"),
            (|x| 2.0 * x.powf(1.5), "n^(3 / 2)"),
            (|x| 1.0 + 0.5 * x.log2(), "log2(n)"),
            (|_| 4.0, ""),
        ];
        let at = points(&[4.0, 8.0, 16.0, 32.0, 64.0, 128.0]);
        for (function, wanted) in functions {
            for noise in [0.0, 0.002] {
                let values: Vec<f64> = at
                    .iter()
                    .enumerate()
                    .map(|(k, point)| {
                        function(point[0]) * (1.0 + noise * [0.3, -1.0, 0.7, 0.1, -0.4, 0.5][k])
                    })
                    .collect();
                let growth = fit(&at, &values);
                let last = growth
                    .terms
                    .last()
                    .map(|(term, _)| written(term, &["n".to_string()]));
                assert_eq!(last.as_deref(), Some(wanted), "{growth:?}");
            }
        }
    }

    #[test]
    fn two_parameters_are_combined() {
        let mut at = Vec::new();
        for p in [2.0, 4.0, 8.0, 16.0] {
            for n in [100.0, 200.0, 400.0, 800.0] {
                at.push(vec![n, p]);
            }
        }
        let names = ["n".to_string(), "p".to_string()];
        let values: Vec<f64> = at
            .iter()
            .map(|point| 2.0 + point[0] * point[0] / point[1])
            .collect();
        let growth = fit(&at, &values);
        let terms: Vec<String> = growth
            .terms
            .iter()
            .map(|(term, _)| written(term, &names))
            .collect();
        assert_eq!(terms, ["", "n^2 * p^(-1)"]);
        assert!((growth.at(&[1600.0, 32.0]) - 80_002.0).abs() < 1e-3);
        let values: Vec<f64> = at
            .iter()
            .map(|point| 3.0 * point[0] + 5.0 * point[1])
            .collect();
        assert!((fit(&at, &values).at(&[1600.0, 32.0]) / 4960.0 - 1.0).abs() < 1e-3);
    }

    #[test]
    fn zeros_and_few_points_have_a_growth() {
        assert!(fit(&points(&[1.0, 2.0]), &[0.0, 0.0]).terms.is_empty());
        assert!(fit(&points(&[3.0]), &[2.0]).is_constant());
        assert!(fit(&[Vec::new()], &[2.0]).is_constant());
        assert!(
            fit(
                &points(&[0.0, 1.0, 2.0, 3.0, 4.0]),
                &[1.0, 2.0, 3.0, 4.0, 5.0]
            )
            .at(&[9.0])
                > 9.0
        );
    }
}
