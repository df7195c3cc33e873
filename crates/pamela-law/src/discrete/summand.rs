//! Values that can be added and repeated, within a limit of work.

/// The remaining work.
pub struct Work(pub usize);

impl Work {
    /// Takes some work; `None` if too little remains.
    pub fn take(&mut self, steps: usize) -> Option<()> {
        self.0 = self.0.checked_sub(steps)?;
        Some(())
    }
}

/// Values with weights, which need not add up to 1.
pub trait Summand: Clone {
    /// 0 with this probability.
    fn zero(mass: f64) -> Self;

    /// The sum of independent ones; none where it takes too long.
    fn plus(&self, other: &Self, work: &mut Work) -> Option<Self>;

    /// Adds to the probability of 0.
    fn or_zero(self, mass: f64) -> Option<Self>;

    /// The sum of `n >= 1` copies, by squaring.
    fn power(&self, mut n: u64, work: &mut Work) -> Option<Self> {
        let (mut power, mut square) = (None, self.clone());
        loop {
            if n % 2 == 1 {
                power = match power {
                    None => Some(square.clone()),
                    Some(power) => Some(square.plus(&power, work)?),
                };
            }
            n /= 2;
            if n == 0 {
                return power;
            }
            square = square.plus(&square, work)?;
        }
    }

    /// The sum of a random number of copies; `numbers` has numbers and probabilities, in increasing order.
    fn random_power(&self, numbers: &[(u64, f64)], work: &mut Work) -> Option<Self> {
        let (&(mut before, mass), rest) = numbers.split_last()?;
        let mut sum = Self::zero(mass);
        let mut gap = (1, self.clone());
        let mut add = |sum: Self, distance: u64, work: &mut Work| {
            if distance == 0 {
                return Some(sum);
            }
            if gap.0 != distance {
                gap = (distance, self.power(distance, work)?);
            }
            sum.plus(&gap.1, work)
        };
        for &(n, mass) in rest.iter().rev() {
            sum = add(sum, before - n, work)?.or_zero(mass)?;
            before = n;
        }
        add(sum, before, work)
    }
}
