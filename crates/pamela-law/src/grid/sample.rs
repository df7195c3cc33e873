//! Builds the grid of any law from its quantiles.

use super::chart::Chart;
use super::compose::between;
use super::piece::{Piece, Shape, within};
use super::segment::Node;
use super::trace::{REACH, budget, furthest, trace};
use super::{Grid, integral};
use crate::{Discrete, Distribution, Probability, Support};

/// A law of more atoms than this is smoothed,
const ATOMS: usize = 512;

/// but for those that are as likely as this.
const GREAT: f64 = 0.002;

/// Maximum number of single values at either end, for samples and whole numbers: extremes of many copies are among
/// these.
const END_ATOMS: usize = 64;

/// Atoms beyond this logit are left out.
const ATOM_REACH: f64 = 45.0;

/// A single value and the logits of its probability below and up to it.
#[derive(Clone, Copy)]
struct Atom {
    value: f64,
    from: f64,
    to: f64,
}

impl Grid {
    /// The grid of a law, with the cumulants that the law states.
    ///
    /// Repeated quantiles are atoms. In a law of more than 512 values, atoms below 0.2 % are
    /// smoothed: they are spread half way to their neighbours.
    pub fn of(law: &dyn Distribution) -> Grid {
        Grid::keeping(law, great_atoms)
    }

    /// The grid of a discrete law: exact up to 512 values, else like [`Grid::of`].
    pub fn of_discrete(law: &Discrete) -> Grid {
        if law.count() > ATOMS {
            // A cdf that reaches a value a little before it would hide the jumps at small values.
            return Grid::of(&law.without_slack());
        }
        let mut from = f64::NEG_INFINITY;
        let piece = |value: f64| {
            let to = law.cdf(value).logit();
            let piece = atom_piece(Atom { value, from, to });
            from = to;
            piece
        };
        let pieces = law.breaks().into_iter().map(piece).collect();
        let cumulants = law.cumulants();
        Grid::with_known(pieces, law.support(), cumulants.mean, cumulants)
    }

    /// Like [`Grid::of`], but the 64 least and the 64 greatest values are not smoothed.
    pub fn of_values(law: &dyn Distribution) -> Grid {
        Grid::keeping(law, |law| {
            let mut atoms = great_atoms(law);
            atoms.extend(end_atoms(law, false));
            atoms.extend(end_atoms(law, true));
            atoms.sort_by(|a, b| a.value.total_cmp(&b.value));
            atoms
        })
    }

    /// With these atoms, in increasing order, of a discrete law of many.
    fn keeping(law: &dyn Distribution, kept: fn(&dyn Distribution) -> Vec<Atom>) -> Grid {
        let support = law.support();
        let cumulants = law.cumulants();
        let pieces = pieces(law, support, kept);
        let middle = quantile(law, 0.0);
        if cumulants.mean.is_finite() {
            Grid::with_known(pieces, support, middle, cumulants)
        } else {
            Grid::from_pieces(pieces, support, middle)
        }
    }
}

fn pieces(
    law: &dyn Distribution,
    support: Support,
    kept: fn(&dyn Distribution) -> Vec<Atom>,
) -> Vec<Piece> {
    let logits =
        (-32..=32).map(|i| 2.0 * (f64::from(i) / 32.0 * (ATOM_REACH / 2.0).asinh()).sinh());
    let seen: Vec<Option<Atom>> = logits
        .map(|t| (t, curve(law, t)))
        .filter(|(_, (x, _))| !rounded(*x, support))
        .map(|(t, point)| atom_about(law, t, point))
        .collect();
    let discrete = seen.iter().all(Option::is_some);
    if let Some(atoms) = discrete.then(|| all_atoms(law)).flatten() {
        return atoms.into_iter().map(atom_piece).collect();
    }
    let mut atoms: Vec<Atom> = if discrete {
        kept(law)
    } else {
        seen.into_iter().flatten().collect()
    };
    let bare = !discrete && atoms.is_empty();
    if let Some(piece) = bare.then(|| by_density(law, support)).flatten() {
        return vec![piece];
    }
    atoms.dedup_by(|a, b| a.value == b.value);
    let (bounds, curve): (_, Curve) = if discrete {
        (Support::REAL, &|t| (spread(law, t), None))
    } else {
        (support, &|t| curve(law, t))
    };
    let mut pieces = Vec::new();
    let mut from = f64::NEG_INFINITY;
    for next in atoms.iter().copied().map(Some).chain([None]) {
        let to = next.map_or(f64::INFINITY, |atom| atom.from);
        if to - from > 1e-9 {
            pieces.push(smooth(bounds, [from, to], curve));
        }
        if let Some(atom) = next {
            from = atom.to;
            pieces.push(atom_piece(atom));
        }
    }
    pieces
}

/// The one smooth piece of a law whose density is known, by its cdf, which costs less than its quantiles.
fn by_density(law: &dyn Distribution, support: Support) -> Option<Piece> {
    let body = body(-REACH, REACH, &|t| quantile(law, t));
    law.density(body.0)?;
    let logit = |x: f64| {
        let p = law.cdf(x);
        let density = law.density(x).unwrap_or(f64::NAN);
        (p.logit(), density / (p.below * p.above))
    };
    between(
        [support.lower, support.upper],
        (body, &[]),
        budget(1),
        &logit,
        &logit,
    )
}

/// True if values step visibly from one double to the next, beside an end of the support that is not 0.
fn rounded(x: f64, support: Support) -> bool {
    let beside = |end: f64| end.is_finite() && x != end && (x - end).abs() <= 1e-6 * end.abs();
    beside(support.lower) || beside(support.upper)
}

fn atom_piece(atom: Atom) -> Piece {
    Piece {
        from: atom.from,
        to: atom.to,
        shape: Shape::Atom(atom.value),
    }
}

fn quantile(law: &dyn Distribution, t: f64) -> f64 {
    let closed = law.at_logit(t).map(|(x, _)| x);
    closed.unwrap_or_else(|| law.quantile(Probability::from_logit(t)))
}

/// The value at a logit, with its slope where that is known.
type Curve<'a> = &'a dyn Fn(f64) -> (f64, Option<f64>);

fn curve(law: &dyn Distribution, t: f64) -> (f64, Option<f64>) {
    match law.at_logit(t) {
        Some((x, slope)) => (x, Some(slope)),
        None => (quantile(law, t), None),
    }
}

/// True if the quantile `x` at a logit clearly grows, by its slope.
fn grows(t: f64, x: f64, slope: f64) -> bool {
    slope * 1e-9 * (1.0 + t.abs()) > 1e-14 * x.abs()
}

/// The atom at `x`, if the cdf jumps there.
fn atom(law: &dyn Distribution, x: f64) -> Option<Atom> {
    let before = x - (1e-15 * x.abs()).max(f64::MIN_POSITIVE);
    let (from, to) = (law.cdf(before).logit(), law.cdf(x).logit());
    let jumps = to - from > 1e-6 && integral::mass(from, to) > 0.0;
    let by_rounding = || x != 0.0 && quantile(law, -just_above(-from)) >= x - 1e-6 * x.abs();
    let true_jump = jumps && (integral::mass(from, to) > 1e-9 || !by_rounding());
    true_jump.then_some(Atom { value: x, from, to })
}

/// The atom at the quantile `x` of the logit `t`. If quantiles are cheap, nearby ones may show that there is none.
fn atom_about(law: &dyn Distribution, t: f64, (x, slope): (f64, Option<f64>)) -> Option<Atom> {
    let differs = |t: f64| law.at_logit(t).is_some_and(|(aside, _)| aside != x);
    let bare = slope.is_some_and(|slope| grows(t, x, slope))
        || differs(just_above(t)) && differs(-just_above(-t));
    if bare { None } else { atom(law, x) }
}

/// All atoms of a discrete law, unless they are many.
fn all_atoms(law: &dyn Distribution) -> Option<Vec<Atom>> {
    let mut atoms = vec![atom(law, quantile(law, -ATOM_REACH))?];
    loop {
        let last = atoms[atoms.len() - 1];
        if last.to >= ATOM_REACH {
            return Some(atoms);
        }
        let next = atom(law, quantile(law, just_above(last.to)))?;
        if atoms.len() == ATOMS || next.value <= last.value {
            return None;
        }
        atoms.push(Atom {
            from: last.to,
            ..next
        });
    }
}

/// The least or the greatest atoms.
fn end_atoms(law: &dyn Distribution, upper: bool) -> Vec<Atom> {
    let mut t = if upper { ATOM_REACH } else { -ATOM_REACH };
    let mut atoms = Vec::new();
    while let Some(next) = atom(law, quantile(law, t)).filter(|_| atoms.len() < END_ATOMS) {
        t = if upper {
            -just_above(-next.from)
        } else {
            just_above(next.to)
        };
        atoms.push(next);
        if t.abs() > ATOM_REACH {
            break;
        }
    }
    atoms
}

/// The atoms of a discrete law that are likely enough to be kept when the others are smoothed.
fn great_atoms(law: &dyn Distribution) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut p = 0.5 * GREAT;
    while p < 1.0 {
        let t = Probability::below(p).logit();
        let great = |atom: &Atom| integral::mass(atom.from, atom.to) >= GREAT;
        p = match atom(law, quantile(law, t)).filter(great) {
            Some(atom) => {
                atoms.push(atom);
                Probability::from_logit(just_above(atom.to)).below
            }
            None => p + 0.5 * GREAT,
        };
    }
    atoms
}

fn just_above(t: f64) -> f64 {
    t + 1e-9 * (1.0 + t.abs())
}

/// The quantile of a discrete law with each value spread half way to its neighbours.
fn spread(law: &dyn Distribution, t: f64) -> f64 {
    let x = quantile(law, t);
    let Some(Atom { from, to, .. }) = atom(law, x) else {
        return x;
    };
    let neighbour = |t: f64, side: f64| {
        if t.abs() < REACH {
            quantile(law, t)
        } else if x.fract() == 0.0 {
            x + side
        } else {
            x
        }
    };
    let below = neighbour(-just_above(-from), -1.0);
    let above = neighbour(just_above(to), 1.0);
    let whole = integral::mass(from, to);
    let part = integral::mass(from, t).min(whole) / whole;
    if part < 0.5 {
        x - (0.5 - part) * (x - below)
    } else {
        x + (part - 0.5) * (above - x)
    }
}

/// The smooth piece between two logits of a law with this quantile function; slopes that are not known by secants.
fn smooth(support: Support, [from, to]: [f64; 2], curve: Curve) -> Piece {
    let quantile = &|t: f64| curve(t).0;
    let end = |open: bool, x: f64| (open && x.is_finite()).then_some(x);
    let (centre, width) = body(from.max(-REACH), to.min(REACH), quantile);
    let chart = Chart::new(
        end(from < -REACH, support.lower),
        end(to > REACH, support.upper),
        centre,
        width,
    );
    let resolved = |t: f64| {
        let x = quantile(t);
        chart.coordinate(x).is_finite() && chart.is_resolved(x)
    };
    let middle = 0.5 * (from.max(-REACH) + to.min(REACH));
    let (first, last) = (
        furthest(middle, from.max(-REACH), &resolved),
        furthest(middle, to.min(REACH), &resolved),
    );
    let secant = |t: f64| {
        let step = 3e-4 * (1.0 + t.abs() / 4.0);
        let (a, b) = ((t - step).max(first), (t + step).min(last));
        (chart.coordinate(quantile(b)) - chart.coordinate(quantile(a))) / (b - a)
    };
    let mut point = |t: f64| {
        let (x, slope) = curve(t);
        let y = chart.coordinate(x);
        let slope = slope.map_or_else(|| secant(t), |slope| slope / chart.stretch(y));
        Node { t, y, slope }
    };
    let segments = trace(&[first, 0.5 * (first + last), last], budget(1), &mut point);
    Piece {
        from: if from < -REACH { from } else { first },
        to: if to > REACH { to } else { last },
        shape: Shape::Smooth(chart, segments),
    }
}

/// Location and width of the body of a piece.
fn body(from: f64, to: f64, quantile: &dyn Fn(f64) -> f64) -> (f64, f64) {
    let at = |t: f64| quantile(within(t, from, to));
    if at(1.5) > at(-1.5) {
        (at(0.0), 0.5 * (at(1.5) - at(-1.5)))
    } else {
        (at(0.5 * (from + to)), 0.5 * (at(to) - at(from)))
    }
}
