pub mod diagnostic;
pub mod expr;
pub mod model;
pub mod ring;
pub mod syntax;
