//! Error bounds of numbers in doubles.

/// Error bound of a number, as texts in the target language.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// An upper bound of the number's absolute value, and of all intermediate sums and products.
    pub(super) magnitude: String,
    /// An upper bound of the absolute error; `None` if the number is exact.
    pub(super) error: Option<String>,
    /// Like `error`, if only the side of a whole number matters.
    pub(super) beside_whole: Option<String>,
    /// The number is a multiple of one over this.
    pub(super) grid: String,
    /// True if the number is whole wherever the facts hold.
    pub(super) whole: bool,
}
