//! The matrix product, alternating directions and elimination: counts of words on a machine with caches, and models.

use super::machine::{Cache, message};

/// A code with a distribution of its data.
pub struct Code {
    /// The process, after the common beginning of all models.
    pub process: &'static str,
    /// Cycles for a size on a number of processors, with the time of a missed line.
    pub counted: fn(usize, usize, f64) -> f64,
}

/// Columns of `b` and `c` in blocks; each row of `a` is sent to all processors.
pub const MATMUL: Code = Code {
    process: "\
process main = seq (i = 0, N - 1) {
    send(N) ;
    par (j = 0, N - 1)
        seq (k = 0, N - 1) use(cpu(j div B), word(1) + 2 * t_load + 2 * t_flop)
}
",
    counted: |n, processors, miss| {
        let block = n.div_ceil(processors);
        // Row after row of c is like the second, which finds the caches as the first one leaves them.
        let mut rows = [0.0_f64; 2];
        for p in 0..processors {
            let mut cache = Cache::new(miss);
            let columns = block.min(n.saturating_sub(p * block));
            for row in &mut rows {
                for k in 0..n {
                    for j in 0..columns {
                        cache.word(k * columns + j);
                        cache.word(n * columns + j);
                        cache.word(n * columns + j);
                        cache.flops(2);
                    }
                }
                *row = row.max(cache.lap());
            }
        }
        n as f64 * message(n) + rows[0] + (n - 1) as f64 * rows[1]
    },
};

/// Sweeps along the rows; each row is on one processor.
pub const ADI_ROWS: Code = Code {
    process: "\
process main = par (i = 0, N - 1)
    seq (j = 1, N - 1) use(cpu(i div B), 2 * word(1) + 2 * t_load + 2 * t_flop)
",
    counted: |n, processors, miss| {
        let block = n.div_ceil(processors);
        let of_processor = |p: usize| {
            let mut cache = Cache::new(miss);
            for i in 0..block.min(n.saturating_sub(p * block)) {
                (1..n).for_each(|j| sweep(&mut cache, [n, block], i, j));
            }
            cache.time
        };
        (0..processors).map(of_processor).fold(0.0, f64::max)
    },
};

/// The same sweeps for columns on processors: column after column; the last column of each block is sent.
pub const ADI_COLUMNS: Code = Code {
    process: "\
process main = seq (j = 0, N - 1) {
    par (i = 0, N - 1) use(cpu(j div B), 2 * word(B) + 2 * t_load + 2 * t_flop) ;
    if (j mod B == B - 1) send(N)
}
",
    counted: |n, processors, miss| {
        let block = n.div_ceil(processors);
        let mut time = 0.0;
        for p in 0..processors {
            let mut cache = Cache::new(miss);
            let columns = block.min(n.saturating_sub(p * block));
            for j in 0..columns {
                (0..n).for_each(|i| sweep(&mut cache, [columns, n], i, j));
            }
            time += cache.time;
            if columns == block {
                time += message(n);
            }
        }
        time
    },
};

/// `x[i][j] -= a[i][j] * x[i][j - 1]` of arrays with rows of `width`, one after the other.
fn sweep(cache: &mut Cache, [width, rows]: [usize; 2], i: usize, j: usize) {
    let at = i * width + j;
    cache.word(width * rows + at);
    cache.word(at.saturating_sub(1));
    cache.word(at);
    cache.word(at);
    cache.flops(2);
}

/// Elimination with cyclic columns, which keep their addresses in the whole matrix.
pub const GAUSS_CYCLIC: Code = Code {
    process: "\
process main = seq (k = 1, N - 1) {
    send(N - k) ;
    seq (i = k + 1, N)
        par (j = k + 1, N) use(cpu((j - 1) mod P), word(P) + 2 * t_load + 2 * t_flop)
}
",
    counted: |n, processors, miss| {
        let columns = |p: usize| (p..n).step_by(processors).map(|j| (j, j)).collect();
        eliminated([n, n], miss, (0..processors).map(columns).collect())
    },
};

/// Elimination with blocks of neighbouring columns.
pub const GAUSS_BLOCK: Code = Code {
    process: "\
process main = seq (k = 1, N - 1) {
    send(N - k) ;
    seq (i = k + 1, N)
        par (j = 0, N - 1 - k) use(cpu(j div B), word(1) + 2 * t_load + 2 * t_flop)
}
",
    counted: |n, processors, miss| {
        let block = n.div_ceil(processors);
        // Counted from the last column on, so that full blocks work longest.
        let columns = |p: usize| {
            let (until, from) = (n - (p * block).min(n), n - ((p + 1) * block).min(n));
            (from..until).map(|j| (j, j - from)).collect()
        };
        eliminated([n, block], miss, (0..processors).map(columns).collect())
    },
};

/// Cycles of elimination on processors with these columns, each with its position in a row of `width`.
fn eliminated([n, width]: [usize; 2], miss: f64, processors: Vec<Vec<(usize, usize)>>) -> f64 {
    let mut caches: Vec<Cache> = processors.iter().map(|_| Cache::new(miss)).collect();
    let mut time = 0.0;
    for k in 0..n - 1 {
        let mut longest = 0.0_f64;
        for (columns, cache) in processors.iter().zip(&mut caches) {
            let right = &columns[columns.partition_point(|(j, _)| *j <= k)..];
            for i in k + 1..n {
                for (_, place) in right {
                    cache.word(k * width + place);
                    cache.word(i * width + place);
                    cache.word(i * width + place);
                    cache.flops(2);
                }
            }
            longest = longest.max(cache.lap());
        }
        time += longest + message(n - 1 - k);
    }
    time
}
