//! The progress of long commands on a terminal, and their interruption. The clock affects only the display, never the
//! results.

use std::io::{IsTerminal, Write};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

#[cfg(feature = "tools")]
pub use long::{spinning, watch, watched};

#[cfg(feature = "tools")]
mod long;

/// Shorter work shows nothing.
const QUIET: Duration = Duration::from_millis(700);
/// When the equations of the model began to be closed; a long one is closed after the other.
static BEGIN: OnceLock<Instant> = OnceLock::new();

/// Shows the equation that is closed, if somebody is at a terminal.
pub fn of_equations() -> Option<fn(usize, usize, &str)> {
    std::io::stderr().is_terminal().then_some(show_equation)
}

fn show_equation(done: usize, all: usize, name: &str) {
    let elapsed = BEGIN.get_or_init(Instant::now).elapsed();
    if elapsed > QUIET {
        let seconds = elapsed.as_secs();
        line(&format!("{done} of {all} equations, {seconds} s: {name}"));
    }
}

/// Clears the line of equations.
pub fn end_of_equations() {
    if BEGIN.get().is_some() {
        clear_line();
    }
}

/// Writes one line over the last one, if standard error is a terminal.
pub fn line(what: &str) {
    let mut stderr = std::io::stderr().lock();
    if stderr.is_terminal() {
        // A message that cannot be shown is not worth an error.
        let _ = write!(stderr, "\r\x1b[2K{what}").and_then(|()| stderr.flush());
    }
}

/// Clears the line.
pub fn clear_line() {
    line("");
}
