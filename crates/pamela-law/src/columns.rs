//! Columns of numbers in CSV files.

use csv::StringRecord;

use super::{Samples, separator};

impl Samples {
    /// Reads the column with this name, or with this number counted from 1; without one, the only column. The first
    /// line is one of names where none of its fields is a number.
    ///
    /// # Errors
    ///
    /// Says which columns there are instead, or in which line there is no finite number.
    pub fn read(text: &str, column: Option<&str>) -> Result<Samples, String> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(separator(text))
            .flexible(true)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let mut records = reader.records();
        let first = match records.next() {
            None => return Err("there are no samples".to_string()),
            Some(record) => record.map_err(|error| error.to_string())?,
        };
        let named = first.iter().all(|field| field.parse::<f64>().is_err());
        let index = find(&first, named, column)?;
        let column = match named {
            true => first.get(index).unwrap_or_default().to_string(),
            false => (index + 1).to_string(),
        };
        let mut values = Vec::new();
        if !named {
            values.push(number(text, &first, index, &column)?);
        }
        for record in records {
            let record = record.map_err(|error| error.to_string())?;
            values.push(number(text, &record, index, &column)?);
        }
        Ok(Samples {
            column,
            number: index + 1,
            values,
        })
    }
}

/// Where the column stands.
fn find(first: &StringRecord, named: bool, column: Option<&str>) -> Result<usize, String> {
    let there_are = || match named {
        true => first.iter().collect::<Vec<_>>().join(", "),
        false => format!("1 to {}", first.len()),
    };
    let Some(column) = column else {
        return match first.len() {
            1 => Ok(0),
            _ => Err(format!(
                "its columns are {}: one must be chosen, by name or number",
                there_are()
            )),
        };
    };
    let by_name = first.iter().position(|name| named && name == column);
    let by_number = column
        .parse()
        .ok()
        .filter(|n| (1..=first.len()).contains(n));
    by_name
        .or(by_number.map(|n| n - 1))
        .ok_or_else(|| format!("there is no column `{column}`; there are {}", there_are()))
}

/// The line of a record, counted from 1: blank lines and comments before it belong to its position.
fn line(text: &str, record: &StringRecord) -> usize {
    let (start, before) = record.position().map_or((0, 0), |position| {
        (position.byte() as usize, position.line() as usize)
    });
    let rest = text.get(start..).unwrap_or_default();
    let skipped = rest
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with('#'));
    before + skipped.count()
}

fn number(text: &str, record: &StringRecord, index: usize, column: &str) -> Result<f64, String> {
    let Some(field) = record.get(index) else {
        let line = line(text, record);
        return Err(format!("line {line} has no column `{column}`"));
    };
    match field.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let decimal = match field.replace(',', ".").parse::<f64>() {
                Ok(_) if field.contains(',') => ": a decimal is written with a point",
                _ => "",
            };
            Err(format!(
                "line {}, column `{column}`: `{field}` is not a finite number{decimal}",
                line(text, record)
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "task, time\n# warm\n1, 2.5\n\n2, 1e-3\n";

    #[test]
    fn columns_are_found_by_name_and_by_number() {
        for column in ["time", "2"] {
            let samples = Samples::read(TABLE, Some(column)).unwrap();
            assert_eq!((samples.column.as_str(), samples.number), ("time", 2));
            assert_eq!(samples.values, [2.5, 0.001]);
        }
        let bare = Samples::read("3\n-4.5\n", None).unwrap();
        assert_eq!((bare.column.as_str(), bare.values), ("1", vec![3.0, -4.5]));
    }

    #[test]
    fn columns_may_be_separated_otherwise() {
        for text in [
            "task;time\n1;2.5\n2;1e-3\n",
            "task\ttime\n1\t2.5\n2\t1e-3\n",
        ] {
            let samples = Samples::read(text, Some("time")).unwrap();
            assert_eq!(samples.values, [2.5, 0.001]);
        }
        let error = Samples::read("x;y\n1,5;2\n", Some("x")).unwrap_err();
        assert!(error.ends_with("`1,5` is not a finite number: a decimal is written with a point"));
        let quoted = Samples::read("\"a;b\",c\n1,2\n", Some("c")).unwrap();
        assert_eq!(quoted.values, [2.0]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str, column: Option<&str>| Samples::read(text, column).unwrap_err();
        assert_eq!(error("", None), "there are no samples");
        assert_eq!(
            error(TABLE, Some("tim")),
            "there is no column `tim`; there are task, time"
        );
        assert!(error(TABLE, None).contains("its columns are task, time: one must be chosen"));
        assert!(error("1,2\n3,4\n", Some("3")).ends_with("there are 1 to 2"));
        assert_eq!(
            error("x\n1\n\n# two\nabc", None),
            "line 5, column `x`: `abc` is not a finite number"
        );
        assert!(error("1\nNaN\n", None).contains("`NaN` is not a finite number"));
        assert_eq!(
            error("a,b\n1,2\n3\n", Some("b")),
            "line 3 has no column `b`"
        );
    }
}
