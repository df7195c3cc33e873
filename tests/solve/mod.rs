//! `pamela solve`: random conditions against every point, and answers that are formulas.

mod formulas;
mod numeric;
mod random;
