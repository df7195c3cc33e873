//! Pending ends: a binary heap by time, then by order of entry.

/// The end of a delay or of a service, for the frame that waits under this ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<T> {
    pub time: T,
    pub ticket: u64,
    pub frame: u32,
}

impl<T: Ord> Entry<T> {
    fn is_before(&self, other: &Entry<T>) -> bool {
        (&self.time, self.ticket) < (&other.time, other.ticket)
    }
}

/// Pending entries. Entries of stopped frames stay until they are found, or until they are the
/// majority.
pub struct Agenda<T> {
    heap: Vec<Entry<T>>,
    stopped: usize,
}

/// Fewer entries are not worth a search.
const FEW: usize = 64;

impl<T: Copy + Ord> Agenda<T> {
    pub fn new() -> Agenda<T> {
        Agenda {
            heap: Vec::new(),
            stopped: 0,
        }
    }

    /// Reserves space for `count` more entries.
    pub fn reserve(&mut self, count: usize) {
        self.heap.reserve(count);
    }

    /// Shrinks an empty agenda with more space than `most`.
    pub fn give_back(&mut self, most: usize) {
        if self.heap.is_empty() && self.heap.capacity() > most {
            self.heap = Vec::new();
        }
    }

    pub fn first(&self) -> Option<&Entry<T>> {
        self.heap.first()
    }

    pub fn insert(&mut self, entry: Entry<T>) {
        self.heap.push(entry);
        self.rise(0, self.heap.len() - 1, entry);
    }

    /// Removes the first entry.
    pub fn pop(&mut self) -> Option<Entry<T>> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            return Some(last);
        };
        self.sink(0, last);
        Some(first)
    }

    /// Records that the entry of a stopped frame was found.
    pub fn found_stopped(&mut self) {
        self.stopped = self.stopped.saturating_sub(1);
    }

    /// Records that the frame of an entry was stopped; `waits` is true if an entry's frame still
    /// waits.
    pub fn stop(&mut self, waits: impl Fn(&Entry<T>) -> bool) {
        self.stopped += 1;
        if self.heap.len() < FEW || self.stopped * 2 < self.heap.len() {
            return;
        }
        self.heap.retain(waits);
        self.stopped = 0;
        for position in (0..self.heap.len() / 2).rev() {
            self.sink(position, self.heap[position]);
        }
    }

    /// Puts an entry into the empty place at `position`, or above it down from `top`.
    fn rise(&mut self, top: usize, mut position: usize, entry: Entry<T>) {
        while position > top {
            let parent = (position - 1) / 2;
            if !entry.is_before(&self.heap[parent]) {
                break;
            }
            self.heap[position] = self.heap[parent];
            position = parent;
        }
        self.heap[position] = entry;
    }

    /// Puts an entry into the empty place at `position`, or below it.
    ///
    /// The place sinks to the bottom first, by one comparison a level: what is put into it was there mostly.
    fn sink(&mut self, top: usize, entry: Entry<T>) {
        let mut position = top;
        loop {
            let child = 2 * position + 1;
            let Some([left, right]) = self.heap.get(child..child + 2) else {
                if let Some(&only) = self.heap.get(child) {
                    self.heap[position] = only;
                    position = child;
                }
                break;
            };
            let child = child + usize::from(right.is_before(left));
            self.heap[position] = self.heap[child];
            position = child;
        }
        self.rise(top, position, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::chance::mix;

    fn taken(agenda: &mut Agenda<u64>) -> Vec<(u64, u64)> {
        std::iter::from_fn(|| agenda.pop())
            .map(|entry| (entry.time, entry.ticket))
            .collect()
    }

    #[test]
    fn entries_come_out_by_time_then_in_their_order() {
        let mut agenda = Agenda::new();
        let mut expected = Vec::new();
        for ticket in 0..1000 {
            let time = mix(3, ticket) % 50;
            agenda.insert(Entry {
                time,
                ticket,
                frame: 0,
            });
            expected.push((time, ticket));
        }
        expected.sort();
        assert_eq!(taken(&mut agenda), expected);
    }

    #[test]
    fn stopped_entries_do_not_gather() {
        let mut agenda = Agenda::new();
        for ticket in 0..1000 {
            agenda.insert(Entry {
                time: 1000 - ticket,
                ticket,
                frame: 0,
            });
            if ticket >= 10 {
                agenda.stop(|entry| entry.ticket < 10);
            }
            assert!(agenda.heap.len() <= FEW);
        }
        let left = taken(&mut agenda);
        assert_eq!(left.iter().filter(|(_, ticket)| *ticket < 10).count(), 10);
    }
}
