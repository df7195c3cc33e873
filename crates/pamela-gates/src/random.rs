//! Pseudo-random choices that depend on a seed alone.

/// SplitMix64: small, fast, and good enough to choose test cases.
pub struct Random(u64);

impl Random {
    /// The sequence of `seed` for the rule called `name`, independent of other rules.
    pub fn new(seed: u64, name: &str) -> Random {
        let mixed = name.bytes().fold(seed, |state, byte| {
            (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random(mixed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0, ..., count - 1`; 0 for a count of 0.
    pub fn below(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }

    /// An element of a nonempty list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// True with the probability `parts / whole`.
    pub fn chance(&mut self, parts: usize, whole: usize) -> bool {
        self.below(whole) < parts
    }
}
