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
