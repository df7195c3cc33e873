//! The numbers of one column of a file.

/// The numbers of one column.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Name in the first line, or else the number, counted from 1.
    pub column: String,
    /// The number of the column, counted from 1.
    pub number: usize,
    /// The samples in the order of the file.
    pub values: Vec<f64>,
}
