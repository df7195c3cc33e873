pub mod diagnostic;
pub mod eval;
pub mod expr;
pub mod formula;
pub mod model;
pub mod ring;
pub mod syntax;
