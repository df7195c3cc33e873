//! Progress and interruption of a sweep.

use std::io::Write;
use std::sync::Arc;

use crate::cli::{Outcome, output, progress};
use crate::sweep::Watch;

/// Reports the remaining work after an interruption.
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

/// Standard output, whose reader may close the pipe early: the sweep then ends without an error.
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

/// Shows how many points of a range are done.
pub fn watched<T: Send>(watch: &Watch, range: (u64, u64), work: impl FnOnce() -> T) -> T {
    let all = range.1 - range.0;
    progress::watched("points", || (watch.done(), all), work)
}
