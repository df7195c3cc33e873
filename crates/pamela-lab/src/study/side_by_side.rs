//! Maps a function over a list on all processors.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Maps `look` over `asked` on as many threads as there are processors; the results are in the order of `asked`.
pub(super) fn side_by_side<A: Sync, T: Send>(asked: &[A], look: impl Fn(&A) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            match asked.get(number) {
                Some(asked) => found.push((number, look(asked))),
                None => return found,
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found: Vec<(usize, T)> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        let ended = running.into_iter().map(|thread| thread.join());
        ended
            .flat_map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    found.sort_by_key(|&(number, _)| number);
    found.into_iter().map(|(_, found)| found).collect()
}
