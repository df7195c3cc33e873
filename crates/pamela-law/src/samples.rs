//! The numbers of one column of a file.

/// The numbers of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// As the first line calls it, or its number, counted from 1.
    pub column: String,
    /// The number of the column, counted from 1.
    pub number: usize,
    pub values: Vec<f64>,
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
