//! How far a number in doubles may be from the exact one.

/// What is known of a number beside its value, as texts.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// No smaller than the number without its sign, and than all sums and products on the way to it.
    pub(super) magnitude: String,
    /// Of its error; absent where there is none.
    pub(super) error: Option<String>,
    /// The same where only the side of a whole number is asked for.
    pub(super) beside_whole: Option<String>,
    /// It is a multiple of one over this number.
    pub(super) grid: String,
    /// It is a whole number wherever facts hold.
    pub(super) whole: bool,
}
