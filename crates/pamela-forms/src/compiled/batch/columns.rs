//! Columns of numbers: the inputs and outputs of a batch.

use std::ops::Range;
use std::sync::Arc;

use super::Plan;
use crate::eval::certified::{Batch, CertifiedDouble, InputRange};
use crate::eval::{decimal, is_whole};
use crate::expr::Sort;
use crate::ring::Rational;

/// The values of one parameter at many points.
///
/// A double stands for the shortest decimal that reads back as it: 0.1 means one tenth. The printed value is
/// therefore the value that was used.
#[derive(Clone, Debug)]
pub struct Column {
    values: Vec<f64>,
    /// The difference between each decimal and its double; empty if all are zero.
    low: Vec<f64>,
    error: Vec<f64>,
    range: Option<InputRange>,
    /// The exact values, if they differ from the decimals of the doubles; otherwise empty. `None`
    /// is not a number.
    exact: Vec<Option<Rational>>,
}

impl Column {
    /// Creates a column of exact values, in order; `None` means that there is no number.
    ///
    /// Stores doubles if they represent all values.
    pub fn of_exact(exact: Vec<Option<Rational>>) -> Column {
        let double = |value: &Option<Rational>| value.as_ref().map_or(f64::NAN, Rational::to_f64);
        let values: Vec<f64> = exact.iter().map(double).collect();
        let mut pairs = values.iter().zip(&exact);
        if pairs.all(|(double, value)| value.is_none() || decimal(*double) == *value) {
            return Column::new(values);
        }
        let unknown = CertifiedDouble::of_decimal(f64::NAN);
        let near = |value: &Option<Rational>| value.as_ref().map_or(unknown, CertifiedDouble::of);
        let near: Vec<CertifiedDouble> = exact.iter().map(near).collect();
        Column {
            low: near.iter().map(|own| own.low).collect(),
            error: near.iter().map(|own| own.error).collect(),
            range: None,
            values,
            exact,
        }
    }

    /// The exact values, if doubles do not represent them.
    pub fn beyond_doubles(&self) -> &[Option<Rational>] {
        &self.exact
    }

    /// The exact value at a point; `None` if there is no number.
    pub fn exact(&self, place: usize) -> Option<Rational> {
        if self.exact.is_empty() {
            decimal(self.values[place])
        } else {
            self.exact[place].clone()
        }
    }

    /// Creates a column from the values at all points, in order.
    pub fn new(values: Vec<f64>) -> Column {
        if values.iter().all(|&x| is_whole(x)) {
            return Column {
                range: InputRange::of_decimals(&values, 0),
                values,
                low: Vec::new(),
                error: Vec::new(),
                exact: Vec::new(),
            };
        }
        let mut most = 0;
        let (mut low, mut error) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        let (mut last, mut near) = (f64::NAN, CertifiedDouble::from(f64::NAN));
        for ((&value, low), error) in values.iter().zip(&mut low).zip(&mut error) {
            if value.to_bits() != last.to_bits() {
                let (found, decimals) = CertifiedDouble::with_decimals(value);
                (last, near, most) = (value, found, most.max(decimals));
            }
            (*low, *error) = (near.low, near.error);
        }
        Column {
            range: InputRange::of_decimals(&values, most),
            values,
            low,
            error,
            exact: Vec::new(),
        }
    }

    /// Creates a column of computed results.
    ///
    /// Skips the search for the shortest decimals, which takes longer than a comparison. A double
    /// is within one unit of its last place of the number that it stands for. Comparisons that this
    /// cannot decide are done exactly.
    pub fn of_results(values: Vec<f64>) -> Column {
        if values.iter().all(|&x| is_whole(x)) {
            return Column::new(values);
        }
        let error = |&value: &f64| {
            if value.is_finite() {
                value.abs() * f64::EPSILON + f64::from_bits(1)
            } else {
                f64::INFINITY
            }
        };
        Column {
            range: None,
            low: vec![0.0; values.len()],
            error: values.iter().map(error).collect(),
            values,
            exact: Vec::new(),
        }
    }

    /// Numerators and denominator of the values, if they are small.
    pub(super) fn range(&self) -> Option<InputRange> {
        self.range
    }

    /// The values as doubles.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values in these ranges, one after another.
    pub fn slices(&self, ranges: impl Iterator<Item = Range<usize>> + Clone) -> Column {
        let make = |all: &[f64]| {
            let mut found = Vec::new();
            ranges
                .clone()
                .for_each(|range| found.extend_from_slice(&all[range]));
            found
        };
        self.made_by(make, ranges.clone().flatten())
    }

    /// Repeats values: each pair is an index and a count.
    pub fn repeated(&self, runs: impl Iterator<Item = (usize, usize)> + Clone) -> Column {
        let make = |all: &[f64]| {
            let mut found = Vec::new();
            runs.clone()
                .for_each(|(place, count)| found.resize(found.len() + count, all[place]));
            found
        };
        let places = runs.clone();
        self.made_by(
            make,
            places.flat_map(|(place, count)| std::iter::repeat_n(place, count)),
        )
    }

    /// The values at these indices.
    pub fn gather(&self, places: impl Iterator<Item = usize> + Clone) -> Column {
        let make = |all: &[f64]| places.clone().map(|place| all[place]).collect();
        self.made_by(make, places.clone())
    }

    /// Each part made from its own, where `make` takes the values at `places`; what is known of all values holds of some.
    fn made_by(
        &self,
        make: impl Fn(&[f64]) -> Vec<f64>,
        places: impl Iterator<Item = usize>,
    ) -> Column {
        let of = |all: &[f64]| {
            if all.is_empty() {
                Vec::new()
            } else {
                make(all)
            }
        };
        Column {
            values: of(&self.values),
            low: of(&self.low),
            error: of(&self.error),
            range: self.range,
            exact: if self.exact.is_empty() {
                Vec::new()
            } else {
                places.map(|place| self.exact[place].clone()).collect()
            },
        }
    }

    pub(super) fn batch(&self, start: usize, length: usize) -> Batch<'_> {
        let range = start..start + length;
        if self.low.is_empty() {
            Batch::Exact(&self.values[range])
        } else {
            Batch::Pairs {
                high: &self.values[range.clone()],
                low: &self.low[range.clone()],
                error: &self.error[range],
            }
        }
    }
}

/// The values of one parameter at the points of a batch.
#[derive(Clone, Debug)]
pub enum Input {
    /// One exact value at all points.
    Constant(Rational),
    /// A column and the index of its first value.
    Column(Arc<Column>, usize),
    /// The default of the model, which may depend on other parameters.
    Default,
}

impl Input {
    /// The value at a point of the batch.
    pub fn double(&self, lane: usize) -> f64 {
        match self {
            Input::Constant(value) => value.to_f64(),
            Input::Column(column, start) => column.values[start + lane],
            Input::Default => f64::NAN,
        }
    }

    /// The exact value at a point of the batch; `None` if it is only known as a double.
    pub fn exact(&self, lane: usize) -> Option<Rational> {
        match self {
            Input::Constant(value) => Some(value.clone()),
            Input::Column(column, start) => column.exact(start + lane),
            Input::Default => None,
        }
    }
}

/// How a value was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// By the closed form.
    Closed,
    /// By the definition, because the closed form does not apply.
    Definition,
    /// The value is missing; a note gives the reason.
    Failed,
}

/// The values of the equations at the points of a batch.
#[derive(Clone, Debug)]
pub struct Columns {
    /// One column for each equation.
    pub equations: Vec<EquationColumns>,
    /// Index of the regime in [`Plan::regimes`] at each point.
    pub regimes: Vec<Option<usize>>,
    /// Index of a point and a note about its values, in order.
    pub notes: Vec<(usize, String)>,
    /// Points without a closed form, with the number of loop steps taken there.
    pub steps: Vec<(usize, u64)>,
}

/// The values of one equation at the points of a batch.
#[derive(Clone, Debug)]
pub struct EquationColumns {
    /// `T_main`, or the name of an equation of the model.
    pub name: String,
    /// Sort of the values: numbers, vectors or laws.
    pub sort: Sort,
    /// Numbers; means for laws; NaN where a value is missing.
    pub values: Vec<f64>,
    /// Columns beside the means, if the equation is a law.
    pub law: Option<LawColumns>,
    /// How each value was computed.
    pub flags: Vec<Flag>,
}

/// Columns of a law beside its means.
#[derive(Clone, Debug, Default)]
pub struct LawColumns {
    /// Standard deviations.
    pub deviations: Vec<f64>,
    /// Skewness; NaN if it does not exist.
    pub skewnesses: Vec<f64>,
    /// Kurtosis; NaN if it does not exist.
    pub kurtoses: Vec<f64>,
    /// Quantiles, one column for each requested probability.
    pub quantiles: Vec<Vec<f64>>,
    /// Bounds of the means, if the law contains longest paths of random tasks and bounds were
    /// requested.
    pub bounds: Option<[Vec<f64>; 2]>,
    /// How the quantiles were computed.
    pub methods: Vec<String>,
}

impl LawColumns {
    /// The number columns, in the order of tables.
    pub fn numbers(&self) -> impl Iterator<Item = &[f64]> {
        let parts = [&self.deviations, &self.skewnesses, &self.kurtoses].into_iter();
        let parts = parts.chain(&self.quantiles);
        parts.chain(self.bounds.iter().flatten()).map(Vec::as_slice)
    }
}

impl Columns {
    /// The number columns, in the order of [`Plan::value_names`].
    pub fn values(&self) -> Vec<&[f64]> {
        let mut all: Vec<&[f64]> = Vec::new();
        for equation in &self.equations {
            all.push(&equation.values);
            if let Some(law) = &equation.law {
                all.extend(law.numbers());
            }
        }
        all
    }

    /// The values at the points with these indices.
    pub fn gather(&self, lanes: &[usize]) -> Columns {
        fn of<T: Clone>(all: &[T], lanes: &[usize]) -> Vec<T> {
            lanes.iter().map(|&lane| all[lane].clone()).collect()
        }
        let equation = |own: &EquationColumns| EquationColumns {
            name: own.name.clone(),
            sort: own.sort,
            values: of(&own.values, lanes),
            law: own.law.as_ref().map(|law| LawColumns {
                deviations: of(&law.deviations, lanes),
                skewnesses: of(&law.skewnesses, lanes),
                kurtoses: of(&law.kurtoses, lanes),
                quantiles: law.quantiles.iter().map(|q| of(q, lanes)).collect(),
                bounds: (law.bounds.as_ref()).map(|ends| [0, 1].map(|end| of(&ends[end], lanes))),
                methods: of(&law.methods, lanes),
            }),
            flags: of(&own.flags, lanes),
        };
        let note =
            |(lane, note): &(usize, String)| Some((lanes.binary_search(lane).ok()?, note.clone()));
        let steps = |(lane, steps): &(usize, u64)| Some((lanes.binary_search(lane).ok()?, *steps));
        Columns {
            equations: self.equations.iter().map(equation).collect(),
            regimes: of(&self.regimes, lanes),
            notes: self.notes.iter().filter_map(note).collect(),
            steps: self.steps.iter().filter_map(steps).collect(),
        }
    }
}

pub(super) fn joined(plan: &Plan, parts: Vec<Columns>) -> Columns {
    let mut all = plan.columns(0);
    for mut part in parts {
        let done = all.regimes.len();
        all.regimes.append(&mut part.regimes);
        let notes = part.notes.into_iter();
        all.notes
            .extend(notes.map(|(lane, note)| (done + lane, note)));
        let steps = part.steps.into_iter();
        all.steps
            .extend(steps.map(|(lane, steps)| (done + lane, steps)));
        for (all, mut part) in all.equations.iter_mut().zip(part.equations) {
            all.values.append(&mut part.values);
            all.flags.append(&mut part.flags);
            if let (Some(all), Some(mut part)) = (&mut all.law, part.law) {
                all.deviations.append(&mut part.deviations);
                all.skewnesses.append(&mut part.skewnesses);
                all.kurtoses.append(&mut part.kurtoses);
                all.methods.append(&mut part.methods);
                for (all, mut part) in all.quantiles.iter_mut().zip(part.quantiles) {
                    all.append(&mut part);
                }
            }
        }
    }
    all
}
