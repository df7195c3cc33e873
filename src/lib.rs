pub mod diagnostic;
pub mod ring;
pub mod syntax;
