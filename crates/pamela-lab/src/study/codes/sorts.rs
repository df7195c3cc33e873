//! Parallel sorting by regular sampling, with indices sent to all processors and with distributed indices.

use super::machine::{FLOP, LOAD, message};
use crate::study::random::Random;
use crate::study::sorting::{sorted, stable_quicksort};

/// Cycles for a comparison: two words, one operation.
pub const COMPARISON: f64 = FLOP + 2.0 * LOAD;

/// The model: `c` comparisons for each element and doubling; `c` comes from runs on one processor.
pub fn process(is_told_all: bool) -> String {
    let index = if is_told_all {
        "N div P"
    } else {
        "N div (P * P)"
    };
    format!(
        "\
numeric parameter c : >= 0                 % comparisons of an element and a doubling
numeric parameter t_compare : >= 0
numeric comparisons(n) = c * n * log(n) / log(2)
process main = {{
    par (p = 0, P - 1) use(cpu(p), comparisons(N / P) * t_compare) ;
    if (P > 1) {{
        seq (p = 0, P - 1) send(P) ;
        use(cpu(0), comparisons(P * P) * t_compare) ;
        send(P - 1) ;
        seq (p = 0, P - 1) seq (q = 0, P - 1) send({index}) ;
        seq (p = 0, P - 1) seq (q = 0, P - 1) send(N div (P * P)) ;
        par (p = 0, P - 1) use(cpu(p), comparisons(N / P) * t_compare)
    }}
}}
"
    )
}

/// Comparisons for each element and doubling, from runs on one processor.
pub fn profiled() -> f64 {
    let mut random = Random::new(4);
    let (mut found, mut expected) = (0, 0.0);
    for size in [1 << 10, 1 << 12, 1 << 14] {
        stable_quicksort((0..size).map(|_| random.share()).collect(), &mut found);
        expected += f64::from(size) * f64::from(size).log2();
    }
    found as f64 / expected
}

/// Cycles with indices sent to all processors, and with distributed indices.
pub fn counted(size: usize, processors: usize) -> [f64; 2] {
    let mut random = Random::new(size as u64);
    let run = sorted(&mut random, processors, size / processors);
    let longest =
        |counts: &[u64]| counts.iter().copied().max().unwrap_or_default() as f64 * COMPARISON;
    let sort = longest(&run.sort);
    if processors == 1 {
        return [sort; 2];
    }
    let mut again = Vec::new();
    for mut part in run.parts {
        // Elements arrive in any order: sorted runs one after the other are the worst that a median of three can meet.
        random.shuffle(&mut part);
        let mut comparisons = 0;
        stable_quicksort(part, &mut comparisons);
        again.push(comparisons);
    }
    let p = processors as f64;
    let pivots =
        p * message(processors) + run.samples as f64 * COMPARISON + message(processors - 1);
    let data = p * p * message(size / (processors * processors));
    let common = sort + pivots + data + longest(&again);
    [size / processors, size / (processors * processors)]
        .map(|indices| common + p * p * message(indices))
}
