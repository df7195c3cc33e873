//! Thread pools. Each is made once in a process and kept.
//!
//! A forked process has the memory of its parent but none of its threads. Work handed to the parent's pool would
//! never finish. A pool therefore belongs to the process that made it, and a forked process makes its own.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::diagnostic::{Error, Result};

/// Laws are computed by deep recursions.
const STACK: usize = 16 << 20;

/// The pools in the order in which they were made. They are never given up: the threads of a former process cannot be ended.
static POOLS: Pools = Pools(OnceLock::new());

struct Pools(OnceLock<Box<Pool>>);

struct Pool {
    process: u32,
    /// The requested number; 0 means one per core.
    threads: usize,
    pool: ThreadPool,
    next: Pools,
}

/// The pool of this process with `threads` threads; 0 means one per core.
///
/// # Errors
/// Fails if the system refuses to start threads.
pub fn of(threads: usize) -> Result<&'static ThreadPool> {
    let process = process();
    let threads = if HAS_THREADS { threads } else { 1 };
    let mut last = &POOLS;
    let mut made: Option<Box<Pool>> = None;
    loop {
        match last.0.get() {
            Some(pool) if pool.process == process && pool.threads == threads => {
                return Ok(&pool.pool);
            }
            Some(pool) => last = &pool.next,
            None => {
                let new = match made.take() {
                    Some(pool) => pool,
                    None => Box::new(Pool::new(process, threads)?),
                };
                // If another thread was faster, its pool is used.
                made = last.0.set(new).err();
            }
        }
    }
}

/// Runs `work`. In a forked process, runs it inside a pool of that process.
///
/// This matters only if the parent has used pools: parallel work then finds live threads.
///
/// # Errors
/// Fails like [`of`].
pub fn within<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let process = process();
    if *FIRST.get_or_init(|| process) == process {
        Ok(work())
    } else {
        Ok(of(0)?.install(work))
    }
}

/// False where the calling thread is the only one.
const HAS_THREADS: bool = !cfg!(target_family = "wasm");

/// The process, where there are several.
fn process() -> u32 {
    if HAS_THREADS { std::process::id() } else { 0 }
}

impl Pool {
    fn new(process: u32, threads: usize) -> Result<Pool> {
        let mut pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK);
        if !HAS_THREADS {
            pool = pool.use_current_thread();
        }
        let pool = pool.build();
        let pool = pool.map_err(|error| Error::new(format!("cannot start threads: {error}")))?;
        Ok(Pool {
            process,
            threads,
            pool,
            next: Pools(OnceLock::new()),
        })
    }
}

/// Reusable scratch values of threads. They are costly to make and improve with use.
pub struct Spares<T>(Mutex<Vec<T>>);

impl<T> Default for Spares<T> {
    fn default() -> Spares<T> {
        Spares(Mutex::new(Vec::new()))
    }
}

impl<T> Spares<T> {
    /// Runs `work` with an unused value, or with a new one.
    pub fn with<R>(&self, new: impl FnOnce() -> T, work: impl FnOnce(&mut T) -> R) -> R {
        let all = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = all().pop();
        let mut own = found.unwrap_or_else(new);
        let result = work(&mut own);
        all().push(own);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_is_made_once() {
        let all: Vec<_> = (0..8)
            .map(|_| std::thread::spawn(|| std::ptr::from_ref(of(2).unwrap()) as usize))
            .collect();
        let all: Vec<usize> = all.into_iter().map(|one| one.join().unwrap()).collect();
        assert!(all.iter().all(|one| *one == all[0]));
        assert_eq!(of(3).unwrap().current_num_threads(), 3);
        assert_eq!(of(2).unwrap().current_num_threads(), 2);
        assert_eq!(within(|| 7).unwrap(), 7);
    }
}
