//! Bars and spinners of long work, and its interruption.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::QUIET;
use crate::sweep::Watch;

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
