//! The progress of long commands on a terminal, and their interruption. The clock affects only the display, never the
//! results.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::sweep::Watch;

/// Shorter work shows nothing.
const QUIET: Duration = Duration::from_millis(700);
/// Interval between updates of the line.
const EVERY: Duration = Duration::from_millis(200);

/// A watch that an interruption from outside ends.
pub fn watch() -> Arc<Watch> {
    let watch = Arc::new(Watch::default());
    let interrupted = watch.clone();
    // Without a handler, an interruption only ends the program at once.
    let _ = ctrlc::set_handler(move || interrupted.interrupt());
    watch
}

/// Runs a work and shows how much of it is done: `progress` returns the done and all parts, whose name is in the plural.
pub fn watched<T: Send>(
    parts: &str,
    progress: impl Fn() -> (u64, u64) + Send,
    work: impl FnOnce() -> T,
) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (ended, ends) = channel::<()>();
        scope.spawn(move || {
            let mut wait = QUIET;
            let bar = bar(parts);
            while ends.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                let (done, all) = progress();
                bar.set_length(all);
                bar.set_position(done.min(all));
                wait = EVERY;
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(ended);
        result
    })
}

/// Runs a task of unknown length, with a spinner on the terminal.
pub fn spinning<T: Send>(what: &'static str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (ended, ends) = channel::<()>();
        scope.spawn(move || {
            let mut wait = QUIET;
            let bar = ProgressBar::new_spinner().with_message(what);
            while ends.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                bar.tick();
                wait = EVERY;
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(ended);
        result
    })
}

fn bar(parts: &str) -> ProgressBar {
    let template =
        format!("{{bar:24}} {{human_pos}} of {{human_len}} {parts}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(0).with_style(style)
}

/// The line of the equations of one model, of which a long one is closed after the other.
static EQUATIONS: OnceLock<ProgressBar> = OnceLock::new();

/// Shows the equation that is closed, if somebody is at a terminal.
pub fn of_equations() -> Option<fn(usize, usize, &str)> {
    std::io::stderr().is_terminal().then_some(show_equation)
}

fn show_equation(done: usize, all: usize, name: &str) {
    let bar = EQUATIONS.get_or_init(|| {
        let style = ProgressStyle::with_template("{pos} of {len} equations, {elapsed}: {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(0).with_style(style)
    });
    if bar.elapsed() > QUIET {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        bar.set_message(name.to_owned());
    }
}

/// Takes the line of equations back.
pub fn end_of_equations() {
    if let Some(bar) = EQUATIONS.get() {
        bar.finish_and_clear();
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
