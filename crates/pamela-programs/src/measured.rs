//! Tables of measured times: CSV with a header, a column for each parameter, one for the time.

use crate::problem::{Place, Problem};

/// Longer tables are refused.
const MOST_ROWS: usize = 1_000_000;
/// Seconds; what is beyond is a mistake in the unit.
const POSSIBLE: std::ops::RangeInclusive<f64> = 1e-12..=1e12;
/// Columns that number repeated runs.
const REPEATS: [&str; 3] = ["rep", "repetition", "run"];

/// Measured times, in seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The names of the columns that are parameters.
    pub parameters: Vec<String>,
    /// The first so many are sizes; the others were counted.
    pub sizes: usize,
    /// Columns that the model does not have say nothing: what they do to the program was counted.
    pub counted: bool,
    /// In the order in which they come first.
    pub points: Vec<Point>,
}

/// All runs with the same values of the parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// In the order of [`Table::parameters`].
    pub values: Vec<f64>,
    /// Seconds, smallest first.
    pub times: Vec<f64>,
    /// The line of the first of them, from 1.
    pub line: usize,
}

impl Point {
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// By linear interpolation between the runs.
    pub fn quantile(&self, share: f64) -> f64 {
        let at = share * (self.times.len() - 1) as f64;
        let below = at.floor() as usize;
        let above = (below + 1).min(self.times.len() - 1);
        self.times[below] + (at - below as f64) * (self.times[above] - self.times[below])
    }

    /// Leaves out runs longer than `q3 + 3 (q3 - q1)`, which something interrupted; their number.
    pub fn without_interruptions(&mut self) -> usize {
        let (first, third) = (self.quantile(0.25), self.quantile(0.75));
        let most = third + 3.0 * (third - first);
        let before = self.times.len();
        self.times.retain(|time| *time <= most);
        before - self.times.len()
    }
}

/// What a column holds.
enum Column {
    Parameter,
    /// With the length of its unit in seconds.
    Time(f64),
    Region,
    Repeat,
}

impl Table {
    /// Reads a table. Lines that begin with `#` are comments. The column `time` is in seconds, `time[ms]`, `time[us]`
    /// and `time[ns]` in what they say. A column `region` names what was measured: only rows of `region` are taken.
    /// A column `rep` numbers repeated runs and is not looked at; all others are parameters.
    ///
    /// # Errors
    /// No column for the time, or two; a value that is no number; a time that is not above 0; several regions of which
    /// none is chosen; no row.
    pub fn read(file: &str, text: &str, region: Option<&str>) -> Result<Table, Problem> {
        let mut reader = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let at = |line: usize| Place {
            file: file.into(),
            first: line,
            last: line,
        };
        let header = reader
            .headers()
            .map_err(|error| Problem::new(format!("`{file}`: {error}")))?
            .clone();
        let columns: Vec<Column> = header.iter().map(column).collect::<Result<_, _>>()?;
        check(file, &header, &columns)?;
        let parameters: Vec<String> = header
            .iter()
            .zip(&columns)
            .filter(|(_, column)| matches!(column, Column::Parameter))
            .map(|(name, _)| name.to_string())
            .collect();
        let mut table = Table {
            sizes: parameters.len(),
            counted: false,
            parameters,
            points: Vec::new(),
        };
        let mut known = std::collections::HashMap::new();
        let mut regions: Vec<String> = Vec::new();
        for (number, record) in reader.records().enumerate() {
            let record = record.map_err(|error| Problem::new(format!("`{file}`: {error}")))?;
            let line = record.position().map_or(0, |p| p.line() as usize);
            if number >= MOST_ROWS {
                return Err(
                    Problem::new(format!("there are more than {MOST_ROWS} rows")).at(at(line)),
                );
            }
            let mut values = Vec::new();
            let (mut time, mut wanted) = (f64::NAN, true);
            for ((cell, column), name) in record.iter().zip(&columns).zip(&header) {
                match column {
                    Column::Parameter => {
                        values.push(number_in(cell, name).map_err(|p| p.at(at(line)))?)
                    }
                    Column::Time(unit) => {
                        time = unit * number_in(cell, name).map_err(|p| p.at(at(line)))?;
                    }
                    Column::Region => {
                        if !regions.iter().any(|known| known == cell) {
                            regions.push(cell.to_string());
                        }
                        wanted = region.is_none_or(|region| region == cell);
                    }
                    Column::Repeat => {}
                }
            }
            if time.is_nan() || time <= 0.0 {
                return Err(Problem::new("a measured time is not above 0").at(at(line)));
            }
            if !POSSIBLE.contains(&time) {
                let message = "a measured time is not between 1e-12 and 1e12 seconds";
                return Err(Problem::new(message).at(at(line)));
            }
            if !wanted {
                continue;
            }
            // Only numbers are here, and -0 is 0.
            let key: Vec<u64> = values.iter().map(|v| (v + 0.0).to_bits()).collect();
            let place = *known.entry(key).or_insert(table.points.len());
            match table.points.get_mut(place) {
                Some(point) => point.times.push(time),
                None => table.points.push(Point {
                    values,
                    times: vec![time],
                    line,
                }),
            }
        }
        table.chosen(file, region, &regions)?;
        for point in &mut table.points {
            point.times.sort_by(f64::total_cmp);
        }
        Ok(table)
    }

    fn chosen(&self, file: &str, region: Option<&str>, regions: &[String]) -> Result<(), Problem> {
        let listed = || format!("there are `{}`", regions.join("`, `"));
        match region {
            None if regions.len() > 1 => Err(Problem::new(format!(
                "`{file}` has times of several regions"
            ))
            .hint(format!("choose one by --region; {}", listed()))),
            Some(region) if self.points.is_empty() => Err(Problem::new(format!(
                "`{file}` has no row of the region `{region}`"
            ))
            .hint(match regions.is_empty() {
                true => "it has no column `region`".to_string(),
                false => listed(),
            })),
            _ if self.points.is_empty() => Err(Problem::new(format!(
                "`{file}` has no row of measured times"
            ))),
            _ => Ok(()),
        }
    }

    /// The least and the greatest value of each size.
    pub fn ranges(&self) -> Vec<[f64; 2]> {
        let column = |at: usize| self.points.iter().map(move |point| point.values[at]);
        (0..self.sizes)
            .map(|at| {
                [
                    column(at).fold(f64::INFINITY, f64::min),
                    column(at).fold(f64::NEG_INFINITY, f64::max),
                ]
            })
            .collect()
    }
}

fn column(name: &str) -> Result<Column, Problem> {
    let unit = match name.strip_prefix("time") {
        Some("") => Some("s"),
        Some(rest) => rest
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']')),
        None => None,
    };
    Ok(match (unit, name) {
        (Some(unit), _) => Column::Time(match unit.trim() {
            "s" => 1.0,
            "ms" => 1e-3,
            "us" => 1e-6,
            "ns" => 1e-9,
            _ => {
                return Err(Problem::new(format!("`{name}` has an unknown unit"))
                    .hint("units are s, ms, us and ns"));
            }
        }),
        (None, "region") => Column::Region,
        (None, name) if REPEATS.contains(&name) => Column::Repeat,
        _ => Column::Parameter,
    })
}

/// One column of times, and no name twice.
fn check(file: &str, header: &csv::StringRecord, columns: &[Column]) -> Result<(), Problem> {
    let times = columns.iter().filter(|c| matches!(c, Column::Time(_)));
    match times.count() {
        1 => {}
        0 => {
            return Err(Problem::new(format!("`{file}` has no column of times")).hint(
                "its first line names the columns: those of parameters, and `time`, or `time[ms]`",
            ));
        }
        _ => {
            return Err(Problem::new(format!(
                "`{file}` has several columns of times"
            )));
        }
    }
    for (place, name) in header.iter().enumerate() {
        if name.is_empty() || header.iter().skip(place + 1).any(|other| other == name) {
            return Err(Problem::new(match name.is_empty() {
                true => format!("column {} of `{file}` has no name", place + 1),
                false => format!("`{file}` has the column `{name}` twice"),
            }));
        }
    }
    Ok(())
}

fn number_in(cell: &str, name: &str) -> Result<f64, Problem> {
    let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| Problem::new(format!("`{cell}` in the column `{name}` is not a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_runs_are_one_point() {
        let text = "# measured on two cores\nn, P, rep, time[ms]\n10,1,1,3\n20,1,1,8\n10,1,2,1\n10,1,3,2\n";
        let table = Table::read("t.csv", text, None).expect("it is a table");
        assert_eq!(table.parameters, ["n", "P"]);
        assert_eq!(table.points.len(), 2);
        assert_eq!(table.points[0].values, [10.0, 1.0]);
        assert!((table.points[0].median() - 2e-3).abs() < 1e-15);
        assert!((table.points[0].quantile(0.25) - 1.5e-3).abs() < 1e-15);
        assert_eq!(table.points[1].line, 4);
        assert_eq!(table.ranges(), [[10.0, 20.0], [1.0, 1.0]]);
    }

    #[test]
    fn regions_are_chosen() {
        let text = "n,region,time\n1,a,1\n1,b,2\n";
        let error = Table::read("t.csv", text, None).expect_err("two regions");
        assert!(error.to_string().contains("`a`, `b`"), "{error}");
        let table = Table::read("t.csv", text, Some("b")).expect("one region");
        assert_eq!(table.points[0].times, [2.0]);
        assert!(Table::read("t.csv", text, Some("c")).is_err());
    }

    #[test]
    fn what_is_wrong_with_a_table_is_told_with_its_line() {
        let error = |text: &str| {
            Table::read("t.csv", text, None)
                .expect_err("wrong")
                .to_string()
        };
        assert_eq!(
            error("n,time\n1,2\nx,3\n"),
            "t.csv:3: `x` in the column `n` is not a number"
        );
        assert_eq!(
            error("n,time\n1,0\n"),
            "t.csv:2: a measured time is not above 0"
        );
        assert!(error("n,time\n1,1e300\n").contains("t.csv:2: a measured time is not between"));
        assert!(error("n,m\n1,2\n").contains("no column of times"));
        assert!(error("n,time,time[ms]\n1,2,3\n").contains("several columns"));
        assert!(error("n,n,time\n1,2,3\n").contains("twice"));
        assert!(error("n,time[h]\n1,2\n").contains("units are"));
        assert!(error("n,time\n").contains("no row"));
        assert!(error("n,time\n1,nan\n").contains("not a number"));
        assert!(error("").contains("no column"));
        assert!(error("n,time\n1,2,3\n").contains("t.csv"));
    }

    #[test]
    fn interruptions_are_left_out() {
        let mut point = Point {
            values: Vec::new(),
            times: vec![1.0, 1.01, 1.02, 1.03, 9.0],
            line: 1,
        };
        assert_eq!(point.without_interruptions(), 1);
        assert_eq!(point.times.len(), 4);
    }
}
