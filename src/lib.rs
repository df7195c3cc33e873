//! A compiler from performance models of parallel programs to closed-form formulas.

pub mod algebra;
pub mod diagnostic;
pub mod eval;
pub mod expr;
pub mod formula;
pub mod model;
pub mod ring;
pub mod syntax;
pub mod timing;
