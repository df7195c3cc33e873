//! Columns of numbers in CSV files.

use super::Samples;
use super::table::{Field, Rows, TableError, number};

impl Samples {
    /// Reads the column with this name, or with this number counted from 1; without one, the only
    /// column.
    ///
    /// The first line holds names if none of its fields is a number.
    ///
    /// # Errors
    ///
    /// The message lists the existing columns, or names the faulty line.
    pub fn read(text: &str, column: Option<&str>) -> Result<Samples, String> {
        let mut rows = Rows::of(text);
        let mut fields = Vec::new();
        let wrong = |error: TableError| error.to_string();
        let Some(first) = rows.read(&mut fields).map_err(wrong)? else {
            return Err("there are no samples".to_string());
        };
        let named = fields
            .iter()
            .all(|field| field.text.parse::<f64>().is_err());
        let index = find(&fields, named, column)?;
        let column = if named {
            fields[index].text.to_string()
        } else {
            (index + 1).to_string()
        };
        let value = |line: usize, fields: &[Field]| {
            let value = number(&fields[index].text);
            value.map_err(|reason| format!("line {line}, column `{column}`: {reason}"))
        };
        let mut values = Vec::new();
        if !named {
            values.push(value(first, &fields)?);
        }
        while let Some(line) = rows.read(&mut fields).map_err(wrong)? {
            values.push(value(line, &fields)?);
        }
        Ok(Samples {
            column,
            number: index + 1,
            values,
        })
    }
}

/// Index of the column.
fn find(first: &[Field], named: bool, column: Option<&str>) -> Result<usize, String> {
    let there_are = || {
        if named {
            let names = first.iter().map(|field| &*field.text);
            names.collect::<Vec<_>>().join(", ")
        } else {
            format!("1 to {}", first.len())
        }
    };
    let Some(column) = column else {
        return match first.len() {
            1 => Ok(0),
            _ => Err(format!(
                "its columns are {}: choose one by name or number",
                there_are()
            )),
        };
    };
    let mut by_name = (0..first.len()).filter(|&place| named && first[place].text == column);
    let name = by_name.next();
    if by_name.next().is_some() {
        return Err(format!(
            "two columns are named `{column}`: choose one by its number"
        ));
    }
    let by_number = column
        .parse()
        .ok()
        .filter(|n| (1..=first.len()).contains(n));
    name.or(by_number.map(|n| n - 1))
        .ok_or_else(|| format!("no column `{column}`; its columns are {}", there_are()))
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
            "no column `tim`; its columns are task, time"
        );
        assert!(error(TABLE, None).contains("its columns are task, time: choose one"));
        assert!(error("1,2\n3,4\n", Some("3")).ends_with("its columns are 1 to 2"));
        assert_eq!(
            error("x\n1\n\n# two\nabc", None),
            "line 5, column `x`: `abc` is not a finite number"
        );
        assert!(error("1\nNaN\n", None).contains("`NaN` is not a finite number"));
        assert_eq!(
            error("a,b\n1,2\n3\n", Some("b")),
            "line 3: there is 1 field, but the first line has 2: every row must have as many, and a field with `,` in it must be quoted"
        );
    }
}
