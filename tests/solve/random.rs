//! Random expressions of one parameter, of the kinds that people write.

/// A generator of random numbers (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % count
    }

    pub fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len() as u64) as usize]
    }

    /// A number as text: a third of them 0, 1, negative or at a boundary.
    pub fn number(&mut self) -> String {
        match self.below(12) {
            0 => "0".to_owned(),
            1 => "1".to_owned(),
            2 => format!("(-{})", 1 + self.below(50)),
            3 => "1000".to_owned(),
            4..=6 => format!("{}", 1 + self.below(40)),
            7..=8 => format!("{}", 1 + self.below(5000)),
            9 => format!("{}.{}", self.below(20), 1 + self.below(9)),
            10 => format!("0.{:03}", 1 + self.below(999)),
            _ => format!("{}/{}", 1 + self.below(30), 1 + self.below(9)),
        }
    }

    /// A positive number as text.
    pub fn positive(&mut self) -> String {
        match self.below(5) {
            0 => "1".to_owned(),
            1 => format!("{}", 1 + self.below(20)),
            2 => format!("{}", 1 + self.below(3000)),
            3 => format!("0.{:02}", 1 + self.below(99)),
            _ => format!("{}.5", self.below(30)),
        }
    }

    /// A term in P.
    pub fn term(&mut self) -> String {
        let (a, b, c) = (self.number(), self.positive(), self.positive());
        match self.below(26) {
            0..=2 => format!("{a} / P"),
            3..=4 => format!("{a} * P"),
            5 => format!("{a} * log(P)"),
            6 => format!("{a} * log({b} * P + {c})"),
            7 => format!("{a} * ceil(log(P) / log(2))"),
            8..=9 => format!("{a} * ceil({b} / P)"),
            10 => format!("{a} * (P div {})", 1 + self.below(30)),
            11 => format!("{a} * ({} div P)", self.below(4000)),
            12 => format!("{a} * (P mod {})", 1 + self.below(12)),
            13 => format!("({} mod P)", self.below(3000)),
            14 => format!("max({a} * P, {b} / P, {c})"),
            15 => format!("min({a}, {b} * P)"),
            16 => format!("abs(P - {b}) * {a}"),
            17 => format!("{a} * P ^ 2"),
            18 => format!("{a} * sqrt(P)"),
            19 => format!("{a} / (P + {b})"),
            20 => format!("{a} / (P - {})", self.below(30)),
            21 => format!("(if (P < {}) {a} * P else {b})", 1 + self.below(900)),
            22 => format!("{a} * P ^ 1.5 / (1 + {b} * P)"),
            23 => format!("{a} * P * log(P)"),
            24 => format!("(sum (i = 1, P) {{ i * {b} }}) / P"),
            _ => format!("(P - {}) * (P - {})", self.below(100), self.below(1100)),
        }
    }

    /// A sum, a difference, a product or a maximum of terms.
    pub fn expression(&mut self) -> String {
        let (a, b) = (self.term(), self.term());
        match self.below(12) {
            0..=2 => a,
            3..=6 => format!("{a} + {b}"),
            7 => format!("{a} - {b}"),
            8 => format!("({a}) * ({b})"),
            9 => format!("max({a}, {b})"),
            10 => format!("{a} + {b} + {}", self.term()),
            _ => format!("min({a}, {b}) + {}", self.number()),
        }
    }
}
