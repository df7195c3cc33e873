//! Long work: other Python threads continue meanwhile, and Ctrl-C stops it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pamela::Interrupt;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval of checks for signals.
const TICK: Duration = Duration::from_millis(50);
/// Longest wait after an interrupt. Work that takes longer ends by itself, and its result is
/// dropped.
const GRACE: Duration = Duration::from_millis(500);

/// Runs `work` in a thread of its own. If a signal raises an exception, calls `interrupt` to stop
/// it.
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
                    return Err(lost());
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

/// Like [`interruptible`], for work on data that Python lends; always waits for its end.
pub fn attended<T: Send>(
    py: Python<'_>,
    interrupt: &Interrupt,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (send, receive) = channel();
            scope.spawn(move || {
                // It is waited for.
                let _ = send.send(work());
            });
            let mut signal = Ok(());
            loop {
                match receive.recv_timeout(TICK) {
                    Ok(found) => return signal.map(|()| found),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Err(lost()),
                }
                if signal.is_ok() {
                    signal = Python::attach(|py| py.check_signals());
                    if signal.is_err() {
                        interrupt.stop();
                    }
                }
            }
        })
    })
}

/// The error for work that panicked; standard error has the message.
fn lost() -> PyErr {
    PyRuntimeError::new_err("the work ended without a result")
}
