//! Threads that compute, each pool made once in a process and kept.
//!
//! A process that is forked has the memory of the one before and none of its threads: work that is handed to a pool of that one
//! is never done. So a pool belongs to the process that made it, and a forked one makes its own.

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
    /// As it was asked for: 0 for one per core.
    threads: usize,
    pool: ThreadPool,
    next: Pools,
}

/// The pool of this process with so many threads; one per core for 0.
///
/// # Errors
/// The system refuses threads.
pub fn of(threads: usize) -> Result<&'static ThreadPool> {
    let process = std::process::id();
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
                // Where another thread was first, what it made is looked at.
                made = last.0.set(new).err();
            }
        }
    }
}

/// Does `work` as it is, but in a process that was forked from one that has used pools: there within a pool of its own, so
/// that all that is done by several threads in it finds some.
///
/// # Errors
/// As those of [`of`].
pub fn within<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T> {
    static FIRST: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    match *FIRST.get_or_init(|| process) == process {
        true => Ok(work()),
        false => Ok(of(0)?.install(work)),
    }
}

impl Pool {
    fn new(process: u32, threads: usize) -> Result<Pool> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .build();
        let pool = pool.map_err(|error| Error::new(format!("cannot start threads: {error}")))?;
        Ok(Pool {
            process,
            threads,
            pool,
            next: Pools(OnceLock::new()),
        })
    }
}

/// What threads compute in, kept from one task to the next: it takes time to make, and learns from what it has computed.
pub struct Spares<T>(Mutex<Vec<T>>);

impl<T> Default for Spares<T> {
    fn default() -> Spares<T> {
        Spares(Mutex::new(Vec::new()))
    }
}

impl<T> Spares<T> {
    /// Does `work` with one that nobody uses, or a new one.
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
