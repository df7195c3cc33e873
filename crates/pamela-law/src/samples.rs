//! The numbers of one column of a file.

/// The numbers of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// As the first line calls it, or its number, counted from 1.
    pub column: String,
    /// The number of the column, counted from 1.
    pub number: usize,
    /// The samples in the order of the file.
    pub values: Vec<f64>,
}

/// What separates the columns of a table: a semicolon or a tabulator, where its first line has one, else a comma.
pub fn separator(text: &str) -> u8 {
    let mut lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut quoted = false;
    let first = lines.next().unwrap_or_default().bytes().filter(|byte| {
        quoted ^= *byte == b'"';
        !quoted
    });
    let bare: Vec<u8> = first.collect();
    let first = [b';', b'\t'].into_iter().find(|sign| bare.contains(sign));
    match first {
        Some(b'\t') if bare.contains(&b',') => b',',
        first => first.unwrap_or(b','),
    }
}

#[cfg(not(feature = "samples"))]
impl Samples {
    /// # Errors
    ///
    /// Always: without the feature `samples` no file is read.
    pub fn read(_text: &str, _column: Option<&str>) -> Result<Samples, String> {
        Err("this build reads no samples: it was made without the feature `samples`".to_string())
    }
}
