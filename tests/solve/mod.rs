//! `pamela solve`: random conditions against every point, and answers that are formulas.

mod numeric;
mod random;
pub fn main() {
    numeric::main()
}
