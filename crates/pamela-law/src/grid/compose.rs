//! Laws of several independent variables, composed from their cdfs: largest, smallest, mixtures.

use super::chart::Chart;
use super::order::{ln_below, ln_below_and_above};
use super::piece::{Piece, Shape, within};
use super::segment::Node;
use super::trace::{REACH, budget, budget_of_likely, furthest, trace};
use super::{Grid, integral};
use crate::root::bracketed;
use crate::truncated::given;
use crate::{Cumulants, Distribution, Probability, Support};

/// Maps the logits of several laws at one value, with their derivatives, to the logit of the result.
type Join<'a> = &'a dyn Fn(&[(f64, f64)]) -> (f64, f64);

impl Grid {
    /// The largest of independent variables; 0 for none.
    pub fn largest_of(laws: &[&Grid]) -> Grid {
        match laws {
            [] => return Grid::constant(0.0),
            [law] => return (*law).clone(),
            _ => {}
        }
        let highest = |end: fn(&Support) -> f64| {
            let ends = laws.iter().map(|law| end(&law.support));
            ends.fold(f64::NEG_INFINITY, f64::max)
        };
        let support = Support::new(highest(|s| s.lower), highest(|s| s.upper));
        let laws = that_count(laws);
        if let [single] = laws.as_slice() {
            let single = Grid::clone(single);
            return Grid { support, ..single };
        }
        join(&laws, support, &[], &|logits| {
            let (mut log, mut rates) = (0.0, 0.0);
            for (t, rate) in logits {
                let (below, above) = ln_below_and_above(*t);
                log += below;
                rates += above * rate;
            }
            let above = -log.exp_m1();
            (log - above.ln(), rates / above)
        })
    }

    /// The smallest of independent variables; 0 for none.
    pub fn smallest_of(laws: &[&Grid]) -> Grid {
        let mirrored: Vec<Grid> = laws.iter().map(|law| law.mirrored()).collect();
        Grid::largest_of(&mirrored.iter().collect::<Vec<_>>()).mirrored()
    }

    /// A mixture of variables with their probabilities, which add up to 1; 0 for none.
    pub fn mixture(parts: &[(f64, &Grid)]) -> Grid {
        let parts: Vec<(f64, &Grid)> = parts.iter().copied().filter(|(w, _)| *w > 0.0).collect();
        match parts.as_slice() {
            [] => return Grid::constant(0.0),
            [(_, law)] => return (*law).clone(),
            _ => {}
        }
        let laws: Vec<&Grid> = parts.iter().map(|(_, law)| *law).collect();
        let support = laws.iter().fold(laws[0].support, |all, law| {
            Support::new(
                all.lower.min(law.support.lower),
                all.upper.max(law.support.upper),
            )
        });
        let gaps = gaps(&parts);
        let mixed = join(&laws, support, &gaps, &|logits| {
            let (mut below, mut above, mut density) = (0.0, 0.0, 0.0);
            for ((weight, _), (t, rate)) in parts.iter().zip(logits) {
                let p = Probability::from_logit(*t);
                below += weight * p.below;
                above += weight * p.above;
                density += weight * p.below * p.above * rate;
            }
            ((below / above).ln(), density / (below * above))
        });
        let cumulants: Vec<(f64, Cumulants)> =
            parts.iter().map(|(w, law)| (*w, law.cumulants)).collect();
        mixed.with_cumulants(Cumulants::mixture(&cumulants))
    }

    /// The law given that the value lies in an interval; `None` if it never does.
    pub fn truncated(&self, bounds: Support) -> Option<Grid> {
        let support = Support::new(
            bounds.lower.max(self.support.lower),
            bounds.upper.min(self.support.upper),
        );
        let ends = [
            self.logit_before(support.lower).0,
            self.logit(support.upper).0,
        ];
        let ends = ends.map(Probability::from_logit);
        let mass = ends[0].until(ends[1]);
        if support.lower > support.upper || mass <= 0.0 {
            return None;
        }
        let part = |(t, rate): (f64, f64)| {
            let whole = Probability::from_logit(t);
            let part = given(ends, whole);
            let density = whole.below * whole.above * rate / mass;
            (part.logit(), density / (part.below * part.above))
        };
        let before = |x: f64| part(self.logit_before(x));
        let after = |x: f64| part(self.logit(x));
        // The quantile at a share of the probability inside.
        let at = |share: f64| {
            self.quantile(Probability {
                below: ends[0].below + share * mass,
                above: ends[1].above + (1.0 - share) * mass,
            })
        };
        let joined = Joined {
            support,
            body: (at(0.5), 0.5 * (at(0.8) - at(0.2))),
            marks: Vec::new(),
            before: &before,
            after: &after,
        };
        let cuts = self
            .ends
            .iter()
            .flat_map(|(least, largest)| [*least, *largest]);
        Some(joined.grid(cuts.collect(), 1.0))
    }

    /// Location and width of the law, from three quantiles.
    pub(super) fn body(&self) -> (f64, f64) {
        let at = |t: f64| self.at(t).0;
        (at(0.0), 0.5 * (at(1.5) - at(-1.5)))
    }
}

/// Without the laws whose values, as far as a grid tells, lie below those of another.
fn that_count<'a>(laws: &[&'a Grid]) -> Vec<&'a Grid> {
    let (mut first, mut floor) = (0, f64::NEG_INFINITY);
    for (i, law) in laws.iter().enumerate() {
        let least = law.at(-REACH).0;
        if least > floor {
            (first, floor) = (i, least);
        }
    }
    let counts = |(i, law): &(usize, &&Grid)| *i == first || law.at(REACH).0 > floor;
    let those = laws.iter().enumerate().filter(counts);
    those.map(|(_, law)| *law).collect()
}

/// Smaller probabilities are lost beside the weights of a mixture.
const LOST: f64 = 1e-13;

/// Values between parts of a mixture that lie so far apart that its cdf is flat there, as far as doubles tell: each is the
/// least value that is reached with the weight of the parts below it.
fn gaps(parts: &[(f64, &Grid)]) -> Vec<f64> {
    if parts.len() > MARKED {
        return Vec::new();
    }
    let mut parts: Vec<(f64, &Grid, f64)> = (parts.iter())
        .map(|(weight, law)| (*weight, *law, law.at(0.0).0))
        .collect();
    parts.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut gaps = Vec::new();
    for place in 1..parts.len() {
        let (lower, upper) = parts.split_at(place);
        // Logarithms, for both probabilities may be too small for doubles.
        let above = |x: f64| {
            let logs = lower
                .iter()
                .map(|(w, law, _)| w.ln() + ln_below(-law.logit(x).0));
            logs.fold(f64::NEG_INFINITY, f64::max)
        };
        let below = |x: f64| {
            let logs = upper
                .iter()
                .map(|(w, law, _)| w.ln() + ln_below(law.logit(x).0));
            logs.fold(f64::NEG_INFINITY, f64::max)
        };
        let exceeds = |x: f64| match (below(x), above(x)) {
            (_, f64::NEG_INFINITY) => 1.0,
            (f64::NEG_INFINITY, _) => -1.0,
            (below, above) => below - above,
        };
        let (from, to) = (lower[place - 1].2, upper[0].2);
        if !(exceeds(from) < 0.0 && exceeds(to) > 0.0) {
            continue;
        }
        let x = bracketed(from, to, exceeds);
        if below(x).max(above(x)) < LOST.ln() {
            gaps.push(x);
        }
    }
    gaps
}

/// A law whose cdf is a function of the cdfs of other laws.
///
/// The result is cut at the ends of the pieces of all laws and at the values `more`.
pub fn join(laws: &[&Grid], support: Support, more: &[f64], whole: Join) -> Grid {
    let after = |x: f64| whole(&laws.iter().map(|law| law.logit(x)).collect::<Vec<_>>());
    let before = |x: f64| {
        whole(
            &laws
                .iter()
                .map(|law| law.logit_before(x))
                .collect::<Vec<_>>(),
        )
    };
    let ends = laws.iter().flat_map(|law| law.ends.iter());
    let mut cuts: Vec<f64> = ends
        .flat_map(|(least, largest)| [*least, *largest])
        .collect();
    // A value that differs from an end only by rounding is that end.
    let is_end = |x: f64| cuts.iter().any(|cut| (cut - x).abs() <= 1e-12 * x.abs());
    let more: Vec<f64> = more.iter().copied().filter(|x| !is_end(*x)).collect();
    cuts.extend(more);
    let bodies = laws.iter().map(|law| law.body());
    let body = bodies.fold((f64::NEG_INFINITY, 0.0), |all, one| {
        (f64::max(all.0, one.0), f64::max(all.1, one.1))
    });
    let joined = Joined {
        support,
        body,
        marks: marks(laws),
        before: &before,
        after: &after,
    };
    joined.grid(cuts, 1.0)
}

/// If there are more laws, narrow ones are not marked separately.
const MARKED: usize = 32;

/// Logits at which the steps that a law makes in the whole are seen.
const STEPS: [f64; 5] = [-5.0, -1.5, 0.0, 1.5, 5.0];

/// Values at which the cdf of the result may rise between flat parts, which a search for the worst cell misses.
fn marks(laws: &[&Grid]) -> Vec<f64> {
    if laws.len() > MARKED {
        return Vec::new();
    }
    let smooth = |law: &&&Grid| {
        law.pieces
            .iter()
            .any(|p| matches!(p.shape, Shape::Smooth(..)))
    };
    let at = |law: &&Grid| STEPS.map(|t| law.at(t).0);
    let mut marks: Vec<f64> = laws.iter().filter(smooth).flat_map(at).collect();
    marks.sort_by(f64::total_cmp);
    marks
}

/// A law given by its cdf.
pub struct Joined<'a> {
    pub support: Support,
    /// Location and width.
    pub body: (f64, f64),
    /// Increasing values at which it is evaluated first.
    pub marks: Vec<f64>,
    /// The logit of `P(X < x)` with its derivative.
    pub before: &'a dyn Fn(f64) -> (f64, f64),
    /// The logit of `P(X <= x)` with its derivative.
    pub after: &'a dyn Fn(f64) -> (f64, f64),
}

impl Joined<'_> {
    /// The grid, with pieces between the cuts and the ends of the support.
    ///
    /// `fineness` multiplies the usual number of segments; the tails have no fewer.
    pub fn grid(&self, mut cuts: Vec<f64>, fineness: f64) -> Grid {
        let Joined {
            support,
            body,
            ref marks,
            before,
            after,
        } = *self;
        cuts.retain(|x| x.is_finite() && *x >= support.lower && *x <= support.upper);
        cuts.extend([support.lower, support.upper]);
        cuts.sort_by(f64::total_cmp);
        let same = |a: &f64, b: &f64| a == b || b - a <= SAME * a.abs().max(b.abs()).min(f64::MAX);
        let places = cuts.chunk_by(same).map(|equal| Place {
            ends: [equal[0], equal[equal.len() - 1]],
            before: before(equal[0]).0,
            after: after(equal[equal.len() - 1]).0,
        });
        let places = that_matter(places.collect(), support);
        let mut pieces: Vec<Piece> = Vec::new();
        for (i, place) in places.iter().enumerate() {
            pieces.extend(place.atom());
            if let Some(next) = places.get(i + 1) {
                let interval = [place.ends[1], next.ends[0]];
                let mass = integral::mass(place.after, next.before);
                // Extremes of many copies stand on the tails.
                let budget = if i == 0 || i + 2 == places.len() {
                    fineness.max(1.0) * budget(1) as f64
                } else {
                    fineness * budget_of_likely(places.len(), mass) as f64
                } as usize;
                let inside = |x: &&f64| interval[0] < **x && **x < interval[1];
                let marks: Vec<f64> = marks.iter().filter(inside).copied().collect();
                let shape = (body, &marks[..]);
                pieces.extend(between(interval, shape, budget, before, after));
            }
        }
        Grid::from_pieces(pieces, support, body.0)
    }
}

/// Values that differ by less, relatively, differ by rounding: sums of the same single values in another order.
const SAME: f64 = 1e-14;

/// Beyond this logit, what is smooth need not be cut where it bends.
const BENDS: f64 = 36.0;

/// The places at which the law is cut: the last one on each side beyond which hardly anything lies is one of them, for the
/// body of the law may begin there.
fn that_matter(places: Vec<Place>, support: Support) -> Vec<Place> {
    let least = places.iter().rposition(|place| place.after < -BENDS);
    let largest = places.iter().position(|place| place.before > BENDS);
    let counts = |(i, place): &(usize, Place)| {
        place.matters(support) || [least, largest].contains(&Some(*i))
    };
    let those = places.into_iter().enumerate().filter(counts);
    those.map(|(_, place)| place).collect()
}

/// A value, but for rounding, at which a cdf may jump or bend, with its logits below and up to it.
struct Place {
    ends: [f64; 2],
    before: f64,
    after: f64,
}

impl Place {
    fn jumps(&self) -> bool {
        let visible = self.after - self.before > 1e-9;
        visible && integral::mass(self.before, self.after) > 0.0
    }

    fn matters(&self, support: Support) -> bool {
        let [low, high] = self.ends;
        let in_body = self.after >= -BENDS && self.before <= BENDS;
        low == support.lower || high == support.upper || in_body || self.jumps()
    }

    fn atom(&self) -> Option<Piece> {
        let [low, high] = self.ends;
        // A whole number is no result of rounding.
        let value = if high.fract() == 0.0 { high } else { low };
        (value.is_finite() && self.jumps()).then_some(Piece {
            from: self.before,
            to: self.after,
            shape: Shape::Atom(value),
        })
    }
}

/// The smooth piece between two cuts, if there is any probability between them.
///
/// The law lies about `body` and is evaluated first at the increasing `marks`.
pub fn between(
    [lower, upper]: [f64; 2],
    (body, marks): ((f64, f64), &[f64]),
    budget: usize,
    before: &dyn Fn(f64) -> (f64, f64),
    after: &dyn Fn(f64) -> (f64, f64),
) -> Option<Piece> {
    // What lies beyond the logits of a table is nothing to it.
    let from = match lower.is_finite().then(|| after(lower).0) {
        Some(t) if t >= -REACH => t,
        _ => f64::NEG_INFINITY,
    };
    let to = match upper.is_finite().then(|| before(upper).0) {
        Some(t) if t <= REACH => t,
        _ => f64::INFINITY,
    };
    let likely = to - from > 1e-9;
    if !likely || from > REACH || to < -REACH {
        return None;
    }
    let (centre, width) = match (lower.is_finite(), upper.is_finite()) {
        (true, true) => (0.5 * (lower + upper), 0.5 * (upper - lower)),
        (true, false) => (lower, body.1),
        (false, true) => (upper, body.1),
        (false, false) => body,
    };
    let end = |t: f64, x: f64| (t.is_infinite() && x.is_finite()).then_some(x);
    let chart = Chart::new(end(from, lower), end(to, upper), centre, width);
    let logit = |y: f64| {
        let (t, rate) = after(chart.value(y));
        (within(t, from, to), rate)
    };
    let good = |y: f64| logit(y).0.abs() <= REACH && chart.is_resolved(chart.value(y));
    let limit = |x: f64, furthest: f64| match chart.coordinate(x) {
        y if y.is_finite() => y,
        _ => furthest,
    };
    let (low, high) = (limit(lower, -700.0), limit(upper, 700.0));
    let (low, high) = if good(low) && good(high) {
        (low, high)
    } else {
        let inside = middle(low, high, &|y| logit(y).0);
        (furthest(inside, low, &good), furthest(inside, high, &good))
    };
    // A sum of tails, each of which is carried so far only, may stay below 1 for ever.
    let high = if upper.is_finite() {
        high
    } else {
        end_of_rise(low, high, &|y| logit(y).0)?
    };
    let low = if lower.is_finite() {
        low
    } else {
        end_of_rise(high, low, &|y| logit(y).0)?
    };
    // A single value at the end is no part of the piece; its probability would change the slope.
    let at_end = (high == chart.coordinate(upper)).then(|| before(upper));
    let at_end = at_end.filter(|(_, rate)| *rate > 0.0);
    let mut point = |y: f64| {
        let (t, rate) = match at_end {
            Some((t, rate)) if y == high => (within(t, from, to), rate),
            _ => logit(y),
        };
        let slope = 1.0 / (rate * chart.stretch(y));
        Node { t, y, slope }
    };
    let first = parameters([low, high], marks.iter().map(|x| chart.coordinate(*x)));
    let segments = trace(&first, budget.max(8 * first.len()), &mut point);
    let shape = Shape::Smooth(chart, segments);
    Some(Piece { from, to, shape })
}

/// The ends, the middle and the marks between, without those that are hardly apart.
fn parameters([low, high]: [f64; 2], marks: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut first = vec![low, 0.5 * (low + high), high];
    first.extend(marks.filter(|y| low < *y && *y < high));
    first.sort_by(f64::total_cmp);
    let apart = 1e-4 * (high - low).min(1.0);
    let mut last = f64::NEG_INFINITY;
    first.retain(|y| {
        let kept = y - last > apart || *y == high;
        last = if kept { *y } else { last };
        kept
    });
    first
}

/// From `near` on, how far a logit changes; none where it does not at all.
fn end_of_rise(near: f64, far: f64, logit: &dyn Fn(f64) -> f64) -> Option<f64> {
    const RISE: f64 = 1.0;
    let last = logit(far);
    let changes = |y: f64| (last - logit(y)).abs() >= RISE;
    if changes(0.5 * (near + far)) {
        return Some(far);
    }
    changes(near).then(|| furthest(near, far, &changes))
}

/// A coordinate with a logit near 0, or else at the end nearest to it.
fn middle(low: f64, high: f64, logit: &dyn Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (low, high);
    for _ in 0..40 {
        let half = 0.5 * (low + high);
        let t = logit(half);
        if t.abs() < 8.0 {
            return half;
        } else if t < 0.0 {
            low = half;
        } else {
            high = half;
        }
    }
    0.5 * (low + high)
}
