//! Laws by their definitions: cdfs and densities written here, and integrals of them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use pamela_lab::models::laws::{Basic, MadeLaw, Part};

/// A single value or a density, with its weight.
pub enum Piece {
    Value(f64, f64),
    Density(f64, Part),
}

/// The pieces of a mixture; values of a geometric law of negligible probability are left out.
fn pieces(parts: &[Part]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for part in parts.iter().filter(|part| part.weight > 0.0) {
        match part.law {
            Basic::Value(value) => pieces.push(Piece::Value(part.weight, value)),
            Basic::Geometric { p } => {
                let mut left = part.weight;
                let mut value = 1.0;
                while left > 1e-25 {
                    pieces.push(Piece::Value(left * p, value));
                    (left, value) = (left * (1.0 - p), value + 1.0);
                }
            }
            _ => pieces.push(Piece::Density(part.weight, *part)),
        }
    }
    pieces
}

/// `erfc(x)` for `x >= 0`: the series of erf below 2, and the continued fraction above.
fn erfc(x: f64) -> f64 {
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..80 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        return 1.0 - 2.0 / std::f64::consts::PI.sqrt() * sum;
    }
    let mut fraction = 0.0;
    for n in (1..120).rev() {
        fraction = f64::from(n) / 2.0 / (x + fraction);
    }
    (-x * x).exp() / std::f64::consts::PI.sqrt() / (x + fraction)
}

/// `P(X <= x)`, `P(X > x)` and the density of a law without bounds.
fn unbounded(law: &Basic, x: f64) -> [f64; 3] {
    match *law {
        Basic::Exponential { mean } if x > 0.0 => {
            let above = (-x / mean).exp();
            [-(-x / mean).exp_m1(), above, above / mean]
        }
        Basic::Uniform { lower, upper } => {
            let share = ((x - lower) / (upper - lower)).clamp(0.0, 1.0);
            let inside = x > lower && x < upper;
            [
                share,
                1.0 - share,
                f64::from(u8::from(inside)) / (upper - lower),
            ]
        }
        Basic::Erlang { stages, mean } if x > 0.0 => {
            let y = x / mean * f64::from(stages);
            if y > 700.0 {
                return [1.0, 0.0, 0.0];
            }
            let (mut term, mut above) = ((-y).exp(), 0.0);
            for k in 0..stages {
                above += term;
                term *= y / f64::from(k + 1);
            }
            // The terms left of the series are the cdf, without cancellation.
            let (mut rest, mut below, mut k) = (term, 0.0, stages);
            while rest > 1e-18 * below && k < 2000 {
                below += rest;
                k += 1;
                rest *= y / f64::from(k);
            }
            [below, above, term * f64::from(stages) / x]
        }
        Basic::Weibull { shape, scale } if x > 0.0 => {
            let hazard = (x / scale).powf(shape);
            let above = (-hazard).exp();
            [-(-hazard).exp_m1(), above, above * hazard * shape / x]
        }
        Basic::Normal { mean, deviation } => {
            let z = (x - mean) / deviation;
            let tail = 0.5 * erfc(z.abs() / std::f64::consts::SQRT_2);
            let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt() / deviation;
            if z < 0.0 {
                [tail, 1.0 - tail, density]
            } else {
                [1.0 - tail, tail, density]
            }
        }
        Basic::Pareto { shape, scale } if x > scale => {
            let log = -shape * (x / scale).ln();
            [-log.exp_m1(), log.exp(), log.exp() * shape / x]
        }
        _ => [0.0, 1.0, 0.0],
    }
}

/// As [`unbounded`], given that the value lies between the bounds.
fn of_part(part: &Part, x: f64) -> [f64; 3] {
    let Some([lower, upper]) = part.bounds else {
        return unbounded(&part.law, x);
    };
    let ([f, t, density], [f0, t0, _], [f1, t1, _]) = (
        unbounded(&part.law, x.clamp(lower, upper)),
        unbounded(&part.law, lower),
        unbounded(&part.law, upper),
    );
    // Differences of the smaller tails keep their digits.
    let (below, above) = if t0 < 0.5 {
        (t0 - t, t - t1)
    } else {
        (f - f0, f1 - f)
    };
    let mass = below + above;
    let density = if x < lower || x > upper { 0.0 } else { density };
    // At an end, rounding may leave less than nothing.
    let [below, above] = [below, above].map(|share| (share / mass).clamp(0.0, 1.0));
    [below, above, density / mass]
}

/// Between which values all but 1e-18 of a part lies, and whether it ends there.
fn ends(part: &Part) -> [f64; 2] {
    let [lower, upper] = part.bounds.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
    let own = match part.law {
        Basic::Value(value) => [value, value],
        Basic::Uniform { lower, upper } => [lower, upper],
        Basic::Exponential { mean } => [0.0, 42.0 * mean],
        Basic::Erlang { stages, mean } => [0.0, 55.0 * mean / f64::from(stages)],
        Basic::Weibull { shape, scale } => [0.0, scale * 42_f64.powf(1.0 / shape)],
        Basic::Normal { mean, deviation } => [mean - 9.0 * deviation, mean + 9.0 * deviation],
        Basic::Pareto { scale, .. } => [scale, f64::INFINITY],
        Basic::Geometric { p } => [1.0, 1.0 + 42.0 / -(-p).ln_1p()],
    };
    [own[0].max(lower), own[1].min(upper)]
}

/// The double-exponential rule with steps of 1/8: distance of a node from the nearer end of `[0, 1]`, and weight.
static NODES: LazyLock<[[f64; 2]; 57]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let s = (k as f64 - 28.0) * 0.125;
        let e = (-std::f64::consts::PI * s.sinh().abs()).exp();
        let near = e / (1.0 + e);
        [near, std::f64::consts::PI * s.cosh() * near / (1.0 + e)]
    })
});

/// `int_a^b f(x) dx` by the double-exponential rule. Each step halved doubles the digits: where seven agree, fourteen are right.
fn integral(a: f64, b: f64, f: &dyn Fn(f64) -> f64) -> f64 {
    let (mut sum, mut last) = (0.0, f64::INFINITY);
    for (first, stride, step) in [(0, 4, 0.5), (2, 4, 0.25), (1, 2, 0.125)] {
        for k in (first..57).step_by(stride) {
            let [near, weight] = NODES[k];
            let x = if k < 28 {
                a + (b - a) * near
            } else {
                b - (b - a) * near
            };
            sum += weight * f(x);
        }
        let all = sum * step;
        if (all - last).abs() <= 1e-7 * all.abs() {
            return all * (b - a);
        }
        last = all;
    }
    last * (b - a)
}

/// As [`integral`], in pieces between the cuts that lie inside.
fn in_pieces(a: f64, b: f64, cuts: &[f64], f: &dyn Fn(f64) -> f64) -> f64 {
    let mut knots: Vec<f64> = cuts.iter().copied().filter(|x| a < *x && *x < b).collect();
    knots.extend([a, b]);
    knots.sort_by(f64::total_cmp);
    knots.dedup();
    knots
        .windows(2)
        .map(|pair| integral(pair[0], pair[1], f))
        .sum()
}

/// Values between which a density is like a polynomial.
fn knots(part: &Part) -> Vec<f64> {
    let multiples = [0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
    match part.law {
        Basic::Exponential { mean } | Basic::Erlang { mean, .. } => {
            multiples.map(|factor| factor * mean).to_vec()
        }
        Basic::Weibull { scale, .. } => multiples.map(|factor| factor * scale).to_vec(),
        Basic::Normal { mean, deviation } => (-3..=3)
            .map(|k| mean + 2.0 * f64::from(k) * deviation)
            .collect(),
        _ => Vec::new(),
    }
}

/// The sum of one or two copies of a mixture, by its definition.
pub struct Reference {
    pub pieces: Vec<Piece>,
    /// The single values, ascending, with the weights up to each and from each on: a geometric law has hundreds.
    values: Vec<f64>,
    up_to: Vec<f64>,
    from: Vec<f64>,
    copies: u32,
    /// Values at which the cdf of the sum jumps or bends.
    cuts: Vec<f64>,
}

impl Reference {
    pub fn new(made: &MadeLaw) -> Reference {
        let pieces = pieces(&made.parts);
        let mut one: Vec<f64> = pieces
            .iter()
            .flat_map(|piece| match piece {
                Piece::Value(_, value) => [*value; 2],
                Piece::Density(_, part) => ends(part),
            })
            .collect();
        one.sort_by(f64::total_cmp);
        one.dedup();
        let mut single: Vec<(f64, f64)> = pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Value(weight, value) => Some((*value, *weight)),
                Piece::Density(..) => None,
            })
            .collect();
        single.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut up_to, mut from) = (vec![0.0], vec![0.0]);
        for k in 0..single.len() {
            up_to.push(up_to[k] + single[k].1);
            from.push(from[k] + single[single.len() - 1 - k].1);
        }
        from.reverse();
        let inner = pieces.iter().flat_map(|piece| match piece {
            Piece::Value(..) => Vec::new(),
            Piece::Density(_, part) => knots(part),
        });
        let inner: Vec<f64> = inner.collect();
        let mut cuts = [&one[..], &inner[..]].concat();
        if made.copies == 2 {
            // The cdf of a sum has kinks where two ends meet; that it changes slowly elsewhere needs only the likely values.
            let shifts: Vec<f64> = pieces
                .iter()
                .flat_map(|piece| match piece {
                    Piece::Value(weight, value) if *weight > 0.01 => vec![*value],
                    Piece::Value(..) => Vec::new(),
                    Piece::Density(_, part) => ends(part).to_vec(),
                })
                .collect();
            let sums = |a: &[f64], b: &[f64]| -> Vec<f64> {
                a.iter()
                    .flat_map(|x| b.iter().map(move |y| x + y))
                    .collect()
            };
            cuts = [sums(&one, &one), sums(&shifts, &inner)].concat();
        }
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        Reference {
            values: single.into_iter().map(|(value, _)| value).collect(),
            up_to,
            from,
            pieces,
            copies: made.copies,
            cuts,
        }
    }

    /// `P(X <= x)`, or `P(X < x)`, and the complement, of one copy.
    pub fn one(&self, x: f64, before: bool) -> [f64; 2] {
        let reached = self
            .values
            .partition_point(|value| if before { *value < x } else { *value <= x });
        let mut sum = [self.up_to[reached], self.from[reached]];
        for piece in &self.pieces {
            if let Piece::Density(weight, part) = piece {
                let [below, above, _] = of_part(part, x);
                sum[0] += weight * below;
                sum[1] += weight * above;
            }
        }
        sum
    }

    /// As [`Reference::one`], of the sum.
    pub fn sum(&self, x: f64, before: bool) -> [f64; 2] {
        if self.copies == 1 {
            return self.one(x, before);
        }
        let mut sum = [0.0; 2];
        for piece in &self.pieces {
            match piece {
                Piece::Value(weight, value) => {
                    let [below, above] = self.one(x - value, before);
                    sum = [sum[0] + weight * below, sum[1] + weight * above];
                }
                Piece::Density(weight, part) => {
                    let beside = self.beside(part, x);
                    sum = [sum[0] + weight * beside[0], sum[1] + weight * beside[1]];
                }
            }
        }
        sum
    }

    /// `P(Y + X <= x)` and the complement for a density `Y` and one copy `X`: a density is added to single values without an
    /// integral.
    fn beside(&self, part: &Part, x: f64) -> [f64; 2] {
        let [a, b] = ends(part);
        let mut kinks = knots(part);
        let mut sum = [0.0; 2];
        for piece in &self.pieces {
            match piece {
                Piece::Value(weight, value) => {
                    let [below, above, _] = of_part(part, x - value);
                    sum = [sum[0] + weight * below, sum[1] + weight * above];
                }
                Piece::Density(_, other) => kinks.extend(ends(other).map(|end| x - end)),
            }
        }
        for (side, sum) in sum.iter_mut().enumerate() {
            let densities = |y: f64| {
                let pieces = self.pieces.iter().map(|piece| match piece {
                    Piece::Density(weight, other) => weight * of_part(other, x - y)[side],
                    Piece::Value(..) => 0.0,
                });
                of_part(part, y)[2] * pieces.sum::<f64>()
            };
            *sum += in_pieces(a, b, &kinks, &densities);
        }
        sum
    }

    /// As [`Reference::one`], of the extreme of `n` sums.
    pub fn extreme(&self, made: &MadeLaw, x: f64, before: bool) -> [f64; 2] {
        let [below, above] = self.sum(x, before);
        let (own, other) = if made.largest {
            (below, above)
        } else {
            (above, below)
        };
        let log = if own > 0.5 {
            (-other).ln_1p()
        } else {
            own.ln()
        };
        let all = (made.sums as f64 * log).exp();
        let rest = -(made.sums as f64 * log).exp_m1();
        if made.largest {
            [all, rest]
        } else {
            [rest, all]
        }
    }

    /// Mean and variance of the extreme.
    pub fn moments(&self, made: &MadeLaw) -> [f64; 2] {
        let [first, last] = [self.cuts[0], self.cuts[self.cuts.len() - 1]];
        // Between these values the cdf, or its complement, passes `p`.
        let passing = |p: f64, side: usize| {
            let (mut low, mut high) = (first, last);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                let found = self.extreme(made, middle, false)[side];
                let is_past = if side == 0 { found >= p } else { found <= p };
                if is_past { high = middle } else { low = middle }
            }
            [low, high]
        };
        let rest = 1e-15 * self.extreme(made, first, false)[1];
        // From where on it is likely at all, in pieces by quantiles too.
        let mut cuts = self.cuts.clone();
        cuts.extend([1e-15, 1e-6, 1e-3, 0.1, 0.4].map(|p| passing(p, 0)[1]));
        cuts.extend([1e-15, 1e-6, 1e-3, 0.1, 0.4].map(|p| passing(p, 1)[1]));
        let (low, high) = (passing(1e-15, 0)[0], passing(rest, 1)[1]);
        let low = low - 1e-9 * low.abs().max(1e-9);
        let known = RefCell::new(HashMap::new());
        let above = |x: f64| {
            let value = || self.extreme(made, x, false)[1];
            *known.borrow_mut().entry(x.to_bits()).or_insert_with(value)
        };
        let first = in_pieces(low, high, &cuts, &above);
        let second = in_pieces(low, high, &cuts, &|x| 2.0 * (x - low) * above(x));
        [low + first, second - first * first]
    }
}
