//! A compiler from performance models of parallel programs to closed-form formulas.

pub mod diagnostic;
pub mod expr;
pub mod formula;
pub mod ring;
pub mod syntax;
