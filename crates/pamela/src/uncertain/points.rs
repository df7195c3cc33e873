//! Points of the unit cube that fill it evenly: the sequence of Sobol with random digital shifts.
//!
//! Direction numbers are those of S. Joe and F. Y. Kuo, *Constructing Sobol sequences with better two-dimensional projections*
//! (SIAM J. Sci. Comput. 30, 2008), for the first dimensions. Further ones are random.

/// For each dimension after the first, the inner coefficients of its polynomial and its first direction numbers.
const DIRECTIONS: [(u32, &[u32]); 47] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
    (50, &[1, 3, 1, 3, 5, 53, 69]),
    (55, &[1, 1, 5, 5, 23, 33, 13]),
    (56, &[1, 1, 7, 7, 1, 61, 123]),
    (59, &[1, 1, 7, 9, 13, 61, 49]),
    (62, &[1, 3, 3, 5, 3, 55, 33]),
    (14, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (21, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (22, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (38, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (47, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (49, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (50, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (52, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (56, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (67, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (70, &[1, 3, 7, 11, 15, 39, 119, 27]),
];
const BITS: u32 = 32;

/// Numbers that depend on the seed alone: SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1, and neither.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }
}

/// One coordinate of the first `count` points, shifted at random.
pub fn coordinate(dimension: usize, count: usize, random: &mut Random) -> Vec<f64> {
    let Some(directions) = directions(dimension) else {
        return (0..count).map(|_| random.unit()).collect();
    };
    let shift = (random.next() >> 32) as u32;
    let mut at = 0_u32;
    let point = |number: usize| {
        // In the order of a Gray code each point differs from the one before by one direction.
        if number > 0 {
            at ^= directions[number.trailing_zeros() as usize % BITS as usize];
        }
        (f64::from(at ^ shift) + 0.5) / 2.0_f64.powi(BITS as i32)
    };
    (0..count).map(point).collect()
}

/// The direction numbers of a dimension, as bits after the point.
fn directions(dimension: usize) -> Option<[u32; BITS as usize]> {
    let mut all = [0; BITS as usize];
    if dimension == 0 {
        for (place, direction) in all.iter_mut().enumerate() {
            *direction = 1 << (BITS as usize - 1 - place);
        }
        return Some(all);
    }
    let (inner, first) = DIRECTIONS.get(dimension - 1)?;
    let degree = first.len();
    for place in 0..BITS as usize {
        all[place] = match first.get(place) {
            Some(number) => number << (BITS as usize - 1 - place),
            None => {
                let oldest = all[place - degree];
                let mut next = oldest ^ (oldest >> degree);
                for step in 1..degree {
                    if (inner >> (degree - 1 - step)) & 1 == 1 {
                        next ^= all[place - step];
                    }
                }
                next
            }
        };
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The points of `scipy.stats.qmc.Sobol(6, scramble=False)` from 0 to 7.
    #[test]
    fn points_are_those_of_sobol() {
        let wanted = [
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25, 0.25, 0.75, 0.75],
            [0.25, 0.75, 0.75, 0.75, 0.25, 0.25],
            [0.375, 0.375, 0.625, 0.875, 0.375, 0.125],
            [0.875, 0.875, 0.125, 0.375, 0.875, 0.625],
            [0.625, 0.125, 0.875, 0.625, 0.625, 0.875],
            [0.125, 0.625, 0.375, 0.125, 0.125, 0.375],
        ];
        for dimension in 0..6 {
            let directions = directions(dimension).expect("it is tabulated");
            let mut at = 0_u32;
            for (number, wanted) in wanted.iter().enumerate() {
                if number > 0 {
                    at ^= directions[number.trailing_zeros() as usize];
                }
                assert_eq!(f64::from(at) / 2.0_f64.powi(32), wanted[dimension]);
            }
        }
    }

    /// Of each dimension, one of the first 1,024 points lies in each of so many equal parts.
    #[test]
    fn every_coordinate_is_even() {
        for dimension in 0..=DIRECTIONS.len() {
            let mut parts = vec![false; 1024];
            for value in coordinate(dimension, 1024, &mut Random(dimension as u64)) {
                parts[(value * 1024.0) as usize] = true;
            }
            assert!(parts.iter().all(|own| *own), "{dimension}");
        }
    }
}
