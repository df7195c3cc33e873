//! Peers in one run: points per second of formulas and of grids against loops in C, NumPy and numexpr, and simulations
//! against SimPy. A peer that is not installed is left out; `PYTHON` names the interpreter that has the packages.

mod grid;
mod rates;
mod simulations;

use std::process::Command;

/// The interpreter that is asked for NumPy, numexpr and SimPy.
fn python() -> Command {
    Command::new(std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned()))
}

fn main() -> std::io::Result<()> {
    rates::table()?;
    grid::table()?;
    simulations::table()
}
