//! Work that takes long: other threads of Python go on meanwhile, and Ctrl-C ends it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often Python is asked for signals.
const TICK: Duration = Duration::from_millis(50);
/// What was interrupted is waited for no longer: it goes on by itself, and nobody takes what it finds.
const GRACE: Duration = Duration::from_millis(500);

/// Does `work` in a thread of its own. Where a signal raises an exception meanwhile, `interrupt` asks the work to end.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    interrupt: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    py.detach(|| {
        let (send, receive) = channel();
        let thread = std::thread::Builder::new().stack_size(16 << 20);
        let started = thread.spawn(move || {
            // Nobody may be there any more.
            let _ = send.send(work());
        });
        started
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let mut signal: Option<(PyErr, Instant)> = None;
        loop {
            match receive.recv_timeout(TICK) {
                Ok(found) => return signal.map_or(Ok(found), |(error, _)| Err(error)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the work ended without a result"));
                }
            }
            match signal {
                Some((error, at)) if at.elapsed() > GRACE => return Err(error),
                Some(_) => {}
                None => {
                    if let Err(error) = Python::attach(|py| py.check_signals()) {
                        interrupt();
                        signal = Some((error, Instant::now()));
                    }
                }
            }
        }
    })
}
