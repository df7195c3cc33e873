//! Parallel sorting by regular sampling with counted comparisons: blocks are sorted and split by pivots, then the
//! parts of each range are merged.

use super::random::Random;

/// Below this length quicksort inserts.
const SHORT: usize = 8;

/// Comparisons of each processor in the three parallel sections, and comparisons of one processor for sorting the
/// samples.
pub struct Sorted {
    pub sort: Vec<u64>,
    pub samples: u64,
    pub disjoin: Vec<u64>,
    pub merge: Vec<u64>,
    /// Parts that each processor merges.
    pub parts: Vec<Vec<f64>>,
    #[cfg(test)]
    pub values: Vec<f64>,
}

/// Sorts `processors` blocks of `size` random numbers.
pub fn sorted(random: &mut Random, processors: usize, size: usize) -> Sorted {
    let mut blocks: Vec<Vec<f64>> = Vec::new();
    let mut sort = Vec::new();
    for _ in 0..processors {
        let mut comparisons = 0;
        let block = (0..size).map(|_| random.share()).collect();
        blocks.push(stable_quicksort(block, &mut comparisons));
        sort.push(comparisons);
    }
    let (pivots, samples) = pivots(random, &blocks);
    let mut disjoin = Vec::new();
    let mut parts: Vec<Vec<&[f64]>> = vec![Vec::new(); processors];
    for block in &blocks {
        let (ends, comparisons) = split(block, &pivots);
        disjoin.push(comparisons);
        let mut from = 0;
        for (range, end) in ends.into_iter().chain([block.len()]).enumerate() {
            parts[range].push(&block[from..end]);
            from = end;
        }
    }
    let merged: Vec<(Vec<f64>, u64)> = parts
        .iter()
        .enumerate()
        .map(|(p, of_range)| merged(p, of_range))
        .collect();
    Sorted {
        sort,
        samples,
        disjoin,
        merge: merged.iter().map(|(_, comparisons)| *comparisons).collect(),
        parts: parts.iter().map(|of_range| of_range.concat()).collect(),
        #[cfg(test)]
        values: merged.into_iter().flat_map(|(values, _)| values).collect(),
    }
}

/// Regular samples of all blocks are sorted, and every `processors`-th is a pivot.
fn pivots(random: &mut Random, blocks: &[Vec<f64>]) -> (Vec<f64>, u64) {
    let processors = blocks.len();
    let sample = |block: &Vec<f64>| -> Vec<f64> {
        (0..processors)
            .map(|i| block[i * block.len() / processors])
            .collect()
    };
    let mut samples: Vec<f64> = blocks.iter().flat_map(sample).collect();
    // The samples of a block ascend; quicksort expects them in a random order.
    random.shuffle(&mut samples);
    let mut comparisons = 0;
    let samples = stable_quicksort(samples, &mut comparisons);
    let pivots = (1..processors)
        .map(|i| samples[i * processors + processors / 2])
        .collect();
    (pivots, comparisons)
}

/// The ends of the ranges in a sorted block, by a scan that stops at the last pivot.
fn split(block: &[f64], pivots: &[f64]) -> (Vec<usize>, u64) {
    let (mut at, mut comparisons) = (0, 0);
    let ends = pivots.iter().map(|pivot| {
        while at < block.len() {
            comparisons += 1;
            if block[at] > *pivot {
                break;
            }
            at += 1;
        }
        at
    });
    let ends = ends.collect();
    (ends, comparisons)
}

/// The parts of a range, merged one after the other from that of processor `p` on.
fn merged(p: usize, parts: &[&[f64]]) -> (Vec<f64>, u64) {
    let mut whole: Vec<f64> = Vec::new();
    let mut comparisons = 0;
    for turn in 0..parts.len() {
        let part = parts[(p + turn) % parts.len()];
        let (mut i, mut j) = (0, 0);
        let mut next = Vec::with_capacity(whole.len() + part.len());
        while i < whole.len() && j < part.len() {
            comparisons += 1;
            if whole[i] <= part[j] {
                next.push(whole[i]);
                i += 1;
            } else {
                next.push(part[j]);
                j += 1;
            }
        }
        next.extend_from_slice(&whole[i..]);
        next.extend_from_slice(&part[j..]);
        whole = next;
    }
    (whole, comparisons)
}

/// Quicksort by the median of the first, the middle and the last; the parts keep the order of their elements, so a
/// random order remains random.
pub fn stable_quicksort(values: Vec<f64>, comparisons: &mut u64) -> Vec<f64> {
    let mut sorted = values;
    let mut other = vec![0.0; sorted.len()];
    sort(&mut sorted, &mut other, comparisons);
    sorted
}

fn sort(values: &mut [f64], other: &mut [f64], comparisons: &mut u64) {
    let length = values.len();
    if length <= SHORT {
        return insert(values, comparisons);
    }
    let pivot = median(values, comparisons);
    // Smaller ones from the left, larger ones from the right, whose order is then turned.
    let (mut left, mut right) = (0, length);
    for (at, value) in values.iter().enumerate() {
        if at == pivot {
            continue;
        }
        if *value < values[pivot] {
            other[left] = *value;
            left += 1;
        } else {
            right -= 1;
            other[right] = *value;
        }
    }
    // The other two of the median were compared with it already.
    *comparisons += length as u64 - 3;
    other[left] = values[pivot];
    other[right..length].reverse();
    values.copy_from_slice(other);
    let (below, above) = values.split_at_mut(left + 1);
    let (other_below, other_above) = other.split_at_mut(left + 1);
    sort(&mut below[..left], &mut other_below[..left], comparisons);
    sort(above, other_above, comparisons);
}

/// The position of the median of three values, by two or three comparisons.
fn median(values: &[f64], comparisons: &mut u64) -> usize {
    let (first, middle, last) = (0, values.len() / 2, values.len() - 1);
    let mut less = |i: usize, j: usize| {
        *comparisons += 1;
        values[i] < values[j]
    };
    let (low, high) = if less(first, middle) {
        (first, middle)
    } else {
        (middle, first)
    };
    if less(high, last) {
        high
    } else if less(low, last) {
        last
    } else {
        low
    }
}

fn insert(values: &mut [f64], comparisons: &mut u64) {
    for i in 1..values.len() {
        let mut at = i;
        while at > 0 {
            *comparisons += 1;
            if values[at - 1] <= values[at] {
                break;
            }
            values.swap(at - 1, at);
            at -= 1;
        }
    }
}
