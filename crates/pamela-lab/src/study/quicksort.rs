//! The quicksort of the thesis (appendix E): without recursion, with the median of three, and insertion sort below
//! seven elements.

/// Receives the operations of a run.
pub trait Watch {
    /// An element is loaded or stored.
    fn touch(&mut self, element: usize);
    /// Branch 1 to 7: a part is short, the insertion ends here, the three comparisons of the median, the scans have met,
    /// the right part is the larger one.
    fn branch(&mut self, number: usize, holds: bool);
    /// Another round of the outer loop.
    fn round(&mut self);
}

/// Below this length parts are sorted by insertion.
const SHORT: usize = 7;

/// Sorts `x` in place.
pub fn sort(x: &mut [f64], watch: &mut dyn Watch) {
    if x.is_empty() {
        return;
    }
    let (mut first, mut last) = (0, x.len() - 1);
    let mut stack = Vec::new();
    loop {
        watch.round();
        let is_short = last < first + SHORT;
        watch.branch(1, is_short);
        if is_short {
            insert(x, first, last, watch);
            let Some(part) = stack.pop() else { return };
            (first, last) = part;
            continue;
        }
        let (i, j) = split(x, first, last, watch);
        let right_is_larger = last - i + 1 >= j - first;
        watch.branch(7, right_is_larger);
        if right_is_larger {
            stack.push((i, last));
            last = j - 1;
        } else {
            stack.push((first, j - 1));
            first = i;
        }
    }
}

/// Straight insertion of a part, left of which nothing is larger.
fn insert(x: &mut [f64], first: usize, last: usize, watch: &mut dyn Watch) {
    for j in first + 1..=last {
        watch.touch(j);
        let element = x[j];
        let mut i = j;
        while i > 0 {
            watch.touch(i - 1);
            let is_place = x[i - 1] <= element;
            watch.branch(2, is_place);
            if is_place {
                break;
            }
            watch.touch(i - 1);
            watch.touch(i);
            x[i] = x[i - 1];
            i -= 1;
        }
        watch.touch(i);
        x[i] = element;
    }
}

/// Exchanges two elements if the first one is larger.
fn order(x: &mut [f64], [a, b]: [usize; 2], number: usize, watch: &mut dyn Watch) {
    watch.touch(a);
    watch.touch(b);
    let is_larger = x[a] > x[b];
    watch.branch(number, is_larger);
    if is_larger {
        watch.touch(a);
        watch.touch(b);
        x.swap(a, b);
    }
}

/// Splits a part by its pivot, which comes to `j`; the larger ones begin at `i`.
fn split(x: &mut [f64], first: usize, last: usize, watch: &mut dyn Watch) -> (usize, usize) {
    let middle = (first + last) / 2;
    watch.touch(middle);
    watch.touch(first + 1);
    x.swap(middle, first + 1);
    order(x, [first + 1, last], 3, watch);
    order(x, [first, last], 4, watch);
    order(x, [first + 1, first], 5, watch);
    let (mut i, mut j) = (first + 1, last);
    watch.touch(first);
    let pivot = x[first];
    loop {
        loop {
            i += 1;
            watch.touch(i);
            if x[i] >= pivot {
                break;
            }
        }
        loop {
            j -= 1;
            watch.touch(j);
            if x[j] <= pivot {
                break;
            }
        }
        let have_met = j < i;
        watch.branch(6, have_met);
        if have_met {
            break;
        }
        watch.touch(i);
        watch.touch(j);
        x.swap(i, j);
    }
    watch.touch(first);
    watch.touch(j);
    x[first] = x[j];
    watch.touch(j);
    x[j] = pivot;
    (i, j)
}
