//! A sweep that is watched: how far it is, and what ends it early.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cli::{Outcome, output};
use crate::sweep::Watch;

/// A watch that an interruption from outside ends.
pub fn watch() -> Arc<Watch> {
    let watch = Arc::new(Watch::default());
    let interrupted = watch.clone();
    // Without a handler, an interruption only ends the program at once.
    let _ = ctrlc::set_handler(move || interrupted.interrupt());
    watch
}

/// Says what was left if it was interrupted.
pub fn ended(watch: &Watch, range: (u64, u64), further: &str) -> Outcome {
    if !watch.interrupted() {
        return Outcome::Done;
    }
    let left = range.1 - range.0 - watch.done();
    output::note(&format!(
        "note: interrupted; {left} points are left{further}"
    ));
    Outcome::Incomplete
}

/// Standard output, whose reader may leave early: the sweep ends then, and that is no error.
pub struct Pipe(pub Arc<Watch>);

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match std::io::stdout().write(bytes) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.0.leave();
                Ok(bytes.len())
            }
            written => written,
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match std::io::stdout().flush() {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Tells somebody at a terminal how far it is. The clock decides what is shown, never what is done.
pub fn watched<T: Send>(watch: &Watch, range: (u64, u64), work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let all = range.1 - range.0;
    std::thread::scope(|scope| {
        let (ended, ends) = std::sync::mpsc::channel::<()>();
        scope.spawn(move || {
            let start = Instant::now();
            while ends.recv_timeout(Duration::from_millis(500))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                let (done, seconds) = (watch.done(), start.elapsed().as_secs_f64());
                let rate = done as f64 / seconds;
                let left = (all - done) as f64 / rate.max(1e-9);
                let mut terminal = std::io::stderr();
                let _ = write!(
                    terminal,
                    "\r\x1b[K{done} of {all} points, {rate:.3e} a second, {left:.0} s left"
                );
            }
            output::end_progress();
        });
        let result = work();
        drop(ended);
        result
    })
}
