//! Systems of linear inequalities between whole numbers, decided over the rationals by the simplex method.

use rustc_hash::FxHashMap;

use super::affine::{Affine, Variable};

/// A system that needs more steps is taken to have a point.
const MOST_STEPS: usize = 1_000;

/// Inequalities, with a point that satisfies all of them, or known to have none.
///
/// A row says `divisor * slack = sum of coefficients * columns`. Each slack has a least value. Slacks that are
/// columns have their least values; variables that are columns are 0 and may be changed in both directions. The
/// slacks are numbered after all variables.
#[derive(Clone, Default)]
pub struct System {
    places: FxHashMap<Variable, Place>,
    columns: Vec<Column>,
    rows: Vec<Row>,
    slacks: usize,
    has_point: Point,
}

/// Existence of a point at which a system of inequalities holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Point {
    #[default]
    Exists,
    /// No rational point exists, so no whole one does.
    Impossible,
    /// Numbers became too large, or the step limit was reached.
    Unknown,
}

#[derive(Clone, Copy)]
enum Place {
    Column(usize),
    Row(usize),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Variable(Variable),
    Slack(usize),
}

#[derive(Clone)]
struct Column {
    name: Name,
    /// Its value.
    value: i64,
}

#[derive(Clone)]
struct Row {
    name: Name,
    /// The least value; none of a variable.
    least: Option<i64>,
    divisor: i64,
    coefficients: Vec<i64>,
}

impl System {
    pub fn point(&self) -> Point {
        self.has_point
    }

    /// Adds forms that are at least 0.
    pub fn assume(&mut self, forms: &[Affine]) {
        for form in forms {
            if self.add(form).is_none() {
                self.has_point = Point::Unknown;
                return;
            }
        }
        if self.has_point == Point::Exists {
            self.has_point = self.solved().unwrap_or(Point::Unknown);
        }
    }

    /// Existence of a point at which these forms are at least 0 as well.
    pub fn with(&self, forms: &[Affine]) -> Point {
        if self.has_point != Point::Exists {
            return self.has_point;
        }
        let mut system = self.clone();
        system.assume(forms);
        system.has_point
    }

    fn add(&mut self, form: &Affine) -> Option<()> {
        let terms: Vec<(Variable, i64)> = form.terms().collect();
        let content = terms.iter().fold(0, |sum, &(_, c)| common_divisor(sum, c));
        if content == 0 {
            if form.constant < 0 {
                self.has_point = Point::Impossible;
            }
            return Some(());
        }
        let mut divisor: i128 = 1;
        let mut sum: Vec<i128> = vec![0; self.columns.len()];
        for (variable, coefficient) in terms {
            let coefficient = i128::from(coefficient / content);
            match self.places.get(&variable) {
                None => {
                    let place = Place::Column(self.columns.len());
                    self.places.insert(variable, place);
                    let name = Name::Variable(variable);
                    self.columns.push(Column { name, value: 0 });
                    self.rows
                        .iter_mut()
                        .for_each(|row| row.coefficients.push(0));
                    sum.push(coefficient.checked_mul(divisor)?);
                }
                Some(&Place::Column(column)) => {
                    sum[column] = sum[column].checked_add(coefficient.checked_mul(divisor)?)?;
                }
                Some(&Place::Row(row)) => {
                    let row = &self.rows[row];
                    combine(&mut sum, &mut divisor, coefficient, row)?;
                }
            }
        }
        let (divisor, coefficients) = shortened(divisor, sum)?;
        self.rows.push(Row {
            name: Name::Slack(self.slacks),
            // If the coefficients of whole variables have a common divisor, the bound is rounded to the next
            // multiple.
            least: Some(-form.constant.div_euclid(content)),
            divisor,
            coefficients,
        });
        self.slacks += 1;
        Some(())
    }

    /// Moves to a point that meets all, by Bland's rule, which comes to an end.
    fn solved(&mut self) -> Option<Point> {
        for _ in 0..MOST_STEPS {
            let mut violated: Option<(usize, usize)> = None;
            for (place, row) in self.rows.iter().enumerate() {
                let (Name::Slack(number), Some(least)) = (row.name, row.least) else {
                    continue;
                };
                let least = i128::from(least).checked_mul(row.divisor.into())?;
                if self.value(row)? < least && violated.is_none_or(|(_, first)| number < first) {
                    violated = Some((place, number));
                }
            }
            let Some((place, _)) = violated else {
                return Some(Point::Exists);
            };
            let row = &self.rows[place];
            let columns = self.columns.iter().zip(&row.coefficients).enumerate();
            let helps = columns.filter(|(_, (column, coefficient))| match column.name {
                Name::Variable(_) => **coefficient != 0,
                Name::Slack(_) => **coefficient > 0,
            });
            let order = |name: Name| match name {
                Name::Variable(number) => (0, number as usize),
                Name::Slack(number) => (1, number),
            };
            let Some((column, _)) = helps.min_by_key(|(_, (column, _))| order(column.name)) else {
                return Some(Point::Impossible);
            };
            self.exchange(place, column)?;
        }
        None
    }

    /// The value of a row, times its divisor.
    fn value(&self, row: &Row) -> Option<i128> {
        let mut sum: i128 = 0;
        for (column, &coefficient) in self.columns.iter().zip(&row.coefficients) {
            let part = i128::from(coefficient).checked_mul(column.value.into())?;
            sum = sum.checked_add(part)?;
        }
        Some(sum)
    }

    /// A row becomes a column, at its least value, and the column a row.
    fn exchange(&mut self, place: usize, column: usize) -> Option<()> {
        let row = &mut self.rows[place];
        let own = row.coefficients[column];
        // own * column = divisor * row - the rest
        let sign = own.signum();
        let mut coefficients: Vec<i64> = row.coefficients.iter().map(|c| -c * sign).collect();
        coefficients[column] = row.divisor * sign;
        let least = row.least;
        let new = Column {
            name: row.name,
            value: least.unwrap_or(0),
        };
        let old = std::mem::replace(&mut self.columns[column], new);
        *row = Row {
            name: old.name,
            least: match old.name {
                Name::Slack(_) => Some(old.value),
                Name::Variable(_) => None,
            },
            divisor: own * sign,
            coefficients,
        };
        for (name, place) in [
            (old.name, Place::Row(place)),
            (self.columns[column].name, Place::Column(column)),
        ] {
            if let Name::Variable(variable) = name {
                self.places.insert(variable, place);
            }
        }
        let solved = self.rows[place].clone();
        for (number, other) in self.rows.iter_mut().enumerate() {
            let factor = other.coefficients[column];
            if number == place || factor == 0 {
                continue;
            }
            let mut sum: Vec<i128> = other.coefficients.iter().map(|&c| c.into()).collect();
            sum[column] = 0;
            let mut divisor = i128::from(other.divisor);
            combine_over(&mut sum, &mut divisor, factor.into(), &solved)?;
            (other.divisor, other.coefficients) = shortened(divisor, sum)?;
        }
        Some(())
    }
}

/// Adds `factor` times a row to a sum over a divisor.
fn combine(sum: &mut [i128], divisor: &mut i128, factor: i128, row: &Row) -> Option<()> {
    let factor = factor.checked_mul(*divisor)?;
    combine_over(sum, divisor, factor, row)
}

/// Adds `factor / divisor` times a row to a sum over the divisor.
fn combine_over(sum: &mut [i128], divisor: &mut i128, factor: i128, row: &Row) -> Option<()> {
    let scale = i128::from(row.divisor);
    for (sum, &coefficient) in sum.iter_mut().zip(&row.coefficients) {
        let more = factor.checked_mul(coefficient.into())?;
        *sum = sum.checked_mul(scale)?.checked_add(more)?;
    }
    *divisor = divisor.checked_mul(scale)?;
    Some(())
}

fn shortened(divisor: i128, sum: Vec<i128>) -> Option<(i64, Vec<i64>)> {
    let common = sum.iter().fold(divisor, |a, &b| common_divisor_wide(a, b));
    let short = |value: i128| {
        i64::try_from(value / common)
            .ok()
            .filter(|v| *v != i64::MIN)
    };
    let sum = sum.into_iter().map(short).collect::<Option<Vec<i64>>>()?;
    Some((short(divisor)?, sum))
}

pub fn common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn common_divisor_wide(a: i128, b: i128) -> i128 {
    if let (Ok(a), Ok(b)) = (i64::try_from(a), i64::try_from(b)) {
        return common_divisor(a, b).into();
    }
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the variables at the point found, over one common denominator.
    fn found(system: &System, variables: &[Variable]) -> (i128, Vec<i128>) {
        let mut divisor = 1;
        let mut values: Vec<i128> = Vec::new();
        for variable in variables {
            let (value, over) = match system.places.get(variable) {
                None => (0, 1),
                Some(&Place::Column(column)) => (system.columns[column].value.into(), 1),
                Some(&Place::Row(row)) => {
                    let row = &system.rows[row];
                    (system.value(row).unwrap(), i128::from(row.divisor))
                }
            };
            values.iter_mut().for_each(|known| *known *= over);
            values.push(value * divisor);
            divisor *= over;
        }
        (divisor, values)
    }

    /// Each point found satisfies the system. If none is found, no small whole point does.
    #[test]
    fn points_are_found_where_there_are_some() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |bound: i64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as i64 % bound
        };
        let (mut exist, mut impossible) = (0, 0);
        for _ in 0..3_000 {
            let count = 2 + next(7);
            let forms: Vec<Affine> = (0..count)
                .map(|_| {
                    let constant = Affine::constant(next(13) - 6);
                    (0..3).fold(constant, |form, v| form.with(v, next(7) - 3))
                })
                .collect();
            let (first, rest) = forms.split_at(next(count) as usize);
            let mut system = System::default();
            system.assume(first);
            assert!(system.point() == Point::Impossible || system.with(rest) != Point::Unknown);
            system.assume(rest);
            let range = -4..=4;
            let points = range.clone().flat_map(|a| {
                let range = range.clone();
                range
                    .clone()
                    .flat_map(move |b| range.clone().map(move |c| [a, b, c]))
            });
            let mut points = points.into_iter();
            let whole = points.any(|point| forms.iter().all(|form| form.value(&point) >= 0));
            match system.point() {
                Point::Exists => {
                    exist += 1;
                    let (divisor, values) = found(&system, &[0, 1, 2]);
                    for form in &forms {
                        let terms = form.terms();
                        let terms = terms.map(|(v, c)| i128::from(c) * values[v as usize]);
                        let value = i128::from(form.constant) * divisor + terms.sum::<i128>();
                        assert!(value >= 0, "{forms:?} {values:?}/{divisor}");
                    }
                }
                Point::Impossible => {
                    impossible += 1;
                    assert!(!whole, "{forms:?}");
                }
                Point::Unknown => panic!("{forms:?}"),
            }
        }
        assert!(exist > 500 && impossible > 500, "{exist} {impossible}");
    }

    /// `2 x + 4 y = 1` has points, and none of whole numbers.
    #[test]
    fn whole_numbers_are_told_from_others_by_common_divisors() {
        let form = Affine::constant(-1).with(0, 2).with(1, 4);
        let mut system = System::default();
        system.assume(&[form.clone(), form.scaled(-1)]);
        assert_eq!(system.point(), Point::Impossible);
    }
}
