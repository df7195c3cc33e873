//! Tables of measured configurations.

use std::collections::BTreeMap;

use crate::diagnostic::Error;
use crate::law::table::{Field, Rows as Reader};

use super::Subject;

/// The rows of a table, by columns.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Numbers, by the name of a parameter or of a measured value.
    pub numbers: BTreeMap<String, Vec<f64>>,
    /// Texts, by the name of a column.
    pub texts: BTreeMap<String, Vec<String>>,
    /// The line of each row, from 1.
    pub lines: Vec<usize>,
}

impl Rows {
    /// The columns that a subject needs, of a CSV table; others are left out.
    ///
    /// # Errors
    /// Fails where a column or a number is missing, or where a measured value is not positive.
    pub fn read(file: &str, text: &str, subject: &Subject) -> Result<Rows, Error> {
        let wrong = |line: usize, message: String| Error::new(format!("{file}:{line}: {message}"));
        let mut reader = Reader::of(text);
        let mut fields: Vec<Field> = Vec::new();
        let first = reader.read(&mut fields);
        let first = first.map_err(|error| wrong(error.line, error.message))?;
        let names: Vec<String> = fields.iter().map(|field| field.text.to_string()).collect();
        let place = |name: &str| {
            let found = names.iter().position(|own| own == name);
            found.ok_or_else(|| {
                wrong(
                    first.unwrap_or(1),
                    format!(
                        "there is no column `{name}`; the columns are `{}`",
                        names.join("`, `")
                    ),
                )
            })
        };
        let numbers = subject.parameters()?;
        let measured = subject.measures.iter().map(|measure| measure.column);
        let numbers = numbers.iter().map(String::as_str).chain(measured);
        let numbers = numbers
            .map(|name| Ok((name, place(name)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        let texts = subject.texts();
        let texts = texts
            .map(|name| Ok((name, place(name)?)))
            .collect::<Result<Vec<_>, Error>>()?;
        let mut rows = Rows::default();
        loop {
            let line = reader.read(&mut fields);
            let Some(line) = line.map_err(|error| wrong(error.line, error.message))? else {
                break;
            };
            for (name, place) in &numbers {
                let text = &fields[*place].text;
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                let number = number.ok_or_else(|| {
                    wrong(line, format!("`{name}` is `{text}`, which is not a number"))
                })?;
                let is_measured = subject.measures.iter().any(|own| own.column == *name);
                if is_measured && number <= 0.0 {
                    return Err(wrong(
                        line,
                        format!("`{name}` is {number}, but measured times are positive"),
                    ));
                }
                rows.numbers
                    .entry((*name).to_owned())
                    .or_default()
                    .push(number);
            }
            for (name, place) in &texts {
                let text = fields[*place].text.to_string();
                rows.texts.entry((*name).to_owned()).or_default().push(text);
            }
            rows.lines.push(line);
        }
        if rows.lines.is_empty() {
            return Err(wrong(1, "the table has no rows".to_owned()));
        }
        Ok(rows)
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The texts of these columns in a row.
    pub fn key(&self, columns: &[&str], row: usize) -> Vec<String> {
        let text = |column: &&str| self.texts.get(*column).map(|texts| texts[row].clone());
        columns.iter().filter_map(text).collect()
    }

    /// The numbers of a column; none if the subject does not read it.
    pub fn column(&self, name: &str) -> &[f64] {
        self.numbers.get(name).map_or(&[], Vec::as_slice)
    }

    /// Some rows, in this order.
    pub fn some(&self, rows: &[usize]) -> Rows {
        let numbers = self.numbers.iter().map(|(name, all)| {
            let some = rows.iter().map(|row| all[*row]);
            (name.clone(), some.collect())
        });
        let texts = self.texts.iter().map(|(name, all)| {
            let some = rows.iter().map(|row| all[*row].clone());
            (name.clone(), some.collect())
        });
        Rows {
            numbers: numbers.collect(),
            texts: texts.collect(),
            lines: rows.iter().map(|row| self.lines[*row]).collect(),
        }
    }

    /// These rows and then those of another table of the same subject.
    pub fn and(&self, other: &Rows) -> Rows {
        let mut both = self.clone();
        for (name, numbers) in &other.numbers {
            both.numbers
                .entry(name.clone())
                .or_default()
                .extend(numbers);
        }
        for (name, texts) in &other.texts {
            both.texts
                .entry(name.clone())
                .or_default()
                .extend(texts.iter().cloned());
        }
        both.lines.extend(&other.lines);
        both
    }
}
