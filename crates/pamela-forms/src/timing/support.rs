//! Bounds of the support of a law, without evaluation; `truncated` must keep some of it.

use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::{Arena, ExprId, LawKind, LawName, Node, Relation};
use crate::law::{Density, Least};
use crate::ring::Rational;

/// The least and the greatest value of a law, each met or come near to with some probability; `None` where there is
/// no end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    least: Option<Rational>,
    greatest: Option<Rational>,
}

impl Range {
    fn one(value: &Rational) -> Range {
        let end = Some(value.clone());
        Range {
            least: end.clone(),
            greatest: end,
        }
    }

    fn plus(self, other: Range) -> Range {
        let sum = |a: Option<Rational>, b: Option<Rational>| Some(a? + b?);
        Range {
            least: sum(self.least, other.least),
            greatest: sum(self.greatest, other.greatest),
        }
    }

    fn times(self, factor: &Rational) -> Range {
        let scaled = |end: Option<Rational>| end.map(|end| end * factor.clone());
        let (least, greatest) = (scaled(self.least), scaled(self.greatest));
        if factor.is_negative() {
            Range {
                least: greatest,
                greatest: least,
            }
        } else {
            Range { least, greatest }
        }
    }

    /// The range of the largest of two.
    fn max(self, other: Range) -> Range {
        Range {
            // Without an end is below every end; `None` is the least of options.
            least: self.least.max(other.least),
            greatest: self.greatest.zip(other.greatest).map(|(a, b)| a.max(b)),
        }
    }

    /// The range of the one or the other.
    fn or(self, other: Range) -> Range {
        Range {
            least: self.least.zip(other.least).map(|(a, b)| a.min(b)),
            greatest: self.greatest.zip(other.greatest).map(|(a, b)| a.max(b)),
        }
    }

    /// True if all values lie outside of `lower..=upper`.
    fn misses(&self, lower: &Rational, upper: Option<&Rational>) -> bool {
        let after = |least: &Rational| upper.is_some_and(|upper| upper < least);
        self.least.as_ref().is_some_and(after) || self.greatest.as_ref().is_some_and(|g| g < lower)
    }

    /// True if a whole number of the range lies in `lower..=upper`.
    fn meets_whole(&self, lower: &Rational, upper: Option<&Rational>) -> bool {
        let from = self
            .least
            .as_ref()
            .map_or(lower.clone(), |least| least.clone().max(lower.clone()));
        let ends = self.greatest.iter().chain(upper);
        ends.min().is_none_or(|to| from.ceil() <= *to)
    }

    /// True if an end of the range lies in `lower..=upper` together with its neighbour.
    fn meets(&self, lower: &Rational, upper: Option<&Rational>) -> bool {
        let alone = self.least.is_some() && self.least == self.greatest;
        let below = |x: &Rational| upper.is_none_or(|upper| x < upper || alone && x == upper);
        let above = |x: &Rational| lower < x || alone && x == lower;
        let least = match &self.least {
            Some(least) => lower <= least && below(least),
            None => false,
        };
        let greatest = match &self.greatest {
            Some(greatest) => above(greatest) && upper.is_none_or(|upper| greatest <= upper),
            None => upper.is_none(),
        };
        least || greatest
    }
}

/// The range of a law or a number, where its ends are numbers.
fn range(arena: &Arena, x: ExprId) -> Option<Range> {
    if let Some(number) = arena.as_number(x) {
        return Some(Range::one(number));
    }
    let from_zero = |greatest| {
        let least = Some(Rational::ZERO);
        Some(Range { least, greatest })
    };
    let uncertain = |chance: ExprId| {
        let chance = arena.as_number(chance);
        chance.is_some_and(|p| p.is_positive() && *p < Rational::ONE)
    };
    let all = |list: &[ExprId], join: fn(Range, Range) -> Range| {
        let mut ranges = list.iter().map(|&part| range(arena, part));
        let first = ranges.next()??;
        ranges.try_fold(first, |joined, next| Some(join(joined, next?)))
    };
    match arena.node(x) {
        Node::Add(list) => all(list, Range::plus),
        Node::Law(LawKind::Max, list) => all(list, Range::max),
        Node::Law(LawKind::Min, list) => {
            let turned = |range: Range| range.times(&(-1).into());
            let mut ranges = list.iter().map(|&part| range(arena, part).map(turned));
            let first = ranges.next()??;
            let largest = ranges.try_fold(first, |joined, next| Some(joined.max(next?)));
            largest.map(turned)
        }
        Node::Law(LawKind::Scale, list) => {
            let factor = arena.as_number(list[0])?.clone();
            Some(range(arena, list[1])?.times(&factor))
        }
        Node::Law(LawKind::Mixture, list) => {
            let weights = list
                .iter()
                .step_by(2)
                .map(|&weight| arena.as_number(weight));
            let weights = weights.collect::<Option<Vec<&Rational>>>()?;
            let parts = list.iter().skip(1).step_by(2);
            let possible = weights.iter().zip(parts).filter(|(w, _)| !w.is_zero());
            let possible: Vec<ExprId> = possible.map(|(_, &part)| part).collect();
            all(&possible, Range::or)
        }
        Node::Law(LawKind::Named(name), list) => match name {
            LawName::Uniform => all(list, Range::or),
            LawName::Pareto => Some(Range {
                least: Some(arena.as_number(list[1])?.clone()),
                greatest: None,
            }),
            LawName::Normal => is_dense(arena, x).then_some(Range {
                least: None,
                greatest: None,
            }),
            _ if is_dense(arena, x) => from_zero(None),
            LawName::Poisson if arena.as_number(list[0])?.is_positive() => from_zero(None),
            LawName::Bernoulli if uncertain(list[0]) => from_zero(Some(Rational::ONE)),
            LawName::Binomial if uncertain(list[1]) => {
                from_zero(Some(arena.as_number(list[0])?.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// True if a law surely has a density above 0 between the ends of its range.
fn is_dense(arena: &Arena, law: ExprId) -> bool {
    let Node::Law(LawKind::Named(name), list) = arena.node(law) else {
        return false;
    };
    let number = |position: usize| arena.as_number(list[position]);
    match name.row().density {
        Density::Always => true,
        Density::Positive(position) => number(position).is_some_and(Rational::is_positive),
        Density::Increasing(position) => number(position)
            .zip(number(position + 1))
            .is_some_and(|(lower, upper)| lower < upper),
        Density::Unknown => false,
    }
}

/// What has to be positive for a law to have a density, where it is not a number.
fn width(arena: &Arena, law: ExprId) -> Option<ExprId> {
    let Node::Law(LawKind::Named(name), list) = arena.node(law) else {
        return None;
    };
    match name.row().density {
        Density::Positive(position) => Some(list[position]),
        _ => None,
    }
    .filter(|&width| arena.as_number(width).is_none())
}

fn is_uniform(arena: &Arena, law: ExprId) -> bool {
    let kind = LawKind::Named(LawName::Uniform);
    matches!(arena.node(law), Node::Law(found, _) if *found == kind)
}

/// The values of a choice among numbers.
fn values(arena: &Arena, law: ExprId) -> Option<Vec<&Rational>> {
    let Node::Law(LawKind::Mixture, list) = arena.node(law) else {
        return None;
    };
    let pairs = list.chunks_exact(2).map(|pair| {
        let [weight, value] = [pair[0], pair[1]].map(|x| arena.as_number(x));
        weight.zip(value)
    });
    let pairs = pairs.collect::<Option<Vec<_>>>()?;
    let possible = pairs.into_iter().filter(|(weight, _)| !weight.is_zero());
    Some(possible.map(|(_, value)| value).collect())
}

/// True if the values of a law are the whole numbers of its range.
fn is_whole(arena: &Arena, law: ExprId) -> bool {
    use LawName::{Bernoulli, Binomial, Poisson};
    matches!(
        arena.node(law),
        Node::Law(LawKind::Named(Bernoulli | Binomial | Poisson), _)
    )
}

impl Lowering<'_, '_> {
    /// The ends of a law that has a density between them.
    fn ends(&mut self, law: ExprId, range: Option<Range>) -> [Option<ExprId>; 2] {
        if let Node::Law(LawKind::Named(name), list) = self.arena.node(law) {
            let greatest = (*name == LawName::Uniform).then(|| list[1]);
            match name.row().least {
                Some(Least::Argument(position)) => return [Some(list[position]), greatest],
                Some(Least::Number(least)) if range.is_none() => {
                    return [Some(self.arena.number(least)), None];
                }
                _ => {}
            }
        }
        let ends = range.map(|range| [range.least, range.greatest]);
        let ends = ends.unwrap_or_default();
        ends.map(|end| Some(self.arena.number(end?)))
    }

    /// Requires that the law has values within the bounds.
    ///
    /// If it certainly has none, that is an error. If it is not known, a condition is added.
    pub(super) fn ask_of_truncation(
        &mut self,
        law: ExprId,
        lower: ExprId,
        upper: Option<ExprId>,
        span: Span,
    ) -> Result<(), Diagnostic> {
        let found = range(self.arena, law);
        let bounds = match upper {
            Some(upper) => self
                .arena
                .as_number(lower)
                .zip(self.arena.as_number(upper).map(Some)),
            None => self.arena.as_number(lower).map(|lower| (lower, None)),
        };
        if let (Some(range), Some((lower, upper))) = (&found, bounds) {
            let within = |x: &Rational| lower <= x && upper.is_none_or(|upper| x <= upper);
            let whole = is_whole(self.arena, law).then(|| range.meets_whole(lower, upper));
            let listed = values(self.arena, law).map(|all| all.into_iter().any(within));
            let known = whole.or(listed);
            let never = known == Some(false) || range.misses(lower, upper);
            if never && self.guards == 0 {
                let message = "`truncated` keeps values between bounds, but the law has none there";
                let label = "no value of the law lies between the bounds";
                return Err(Diagnostic::error(message, span, label));
            }
            if never {
                let nowhere = self.arena.number(0);
                self.ask(&[nowhere]);
                return Ok(());
            }
            if known == Some(true) || range.meets(lower, upper) {
                return Ok(());
            }
        }
        let dense = self.values_between(law, lower, upper, found);
        if is_dense(self.arena, law) || is_uniform(self.arena, law) {
            self.ask(&dense);
            return Ok(());
        }
        // A law with a mean has values. The mean is compared with a bound beyond all rounding errors.
        let operands: Vec<ExprId> = [law, lower].into_iter().chain(upper).collect();
        let truncated = self.arena.law(LawKind::Truncated, &operands);
        let (mean, one) = (self.arena.cumulant(1, truncated), self.arena.number(1));
        let condition = match upper {
            Some(upper) => {
                let beyond = self.arena.add(&[upper, one]);
                self.arena.relate(Relation::LessEqual, mean, beyond)
            }
            None => {
                let next = self.arena.add(&[mean, one]);
                self.arena.relate(Relation::LessEqual, lower, next)
            }
        };
        match width(self.arena, law) {
            Some(width) => {
                let positive = self.arena.positive(width);
                let always = self.arena.number(1);
                let dense = dense
                    .into_iter()
                    .fold(always, |all, next| self.arena.both(all, next));
                let either = self.arena.if_else(positive, dense, condition);
                self.ask(&[either]);
            }
            None => self.ask(&[condition]),
        }
        Ok(())
    }

    /// What holds if and only if a law with a density between its ends has values within the bounds.
    fn values_between(
        &mut self,
        law: ExprId,
        lower: ExprId,
        upper: Option<ExprId>,
        range: Option<Range>,
    ) -> Vec<ExprId> {
        let [least, greatest] = self.ends(law, range);
        let above = [
            (Some(lower), upper),
            (least, upper),
            (Some(lower), greatest),
        ];
        let pairs = above.into_iter().filter_map(|(x, y)| x.zip(y));
        pairs
            .map(|(x, y)| self.arena.relate(Relation::Less, x, y))
            .collect()
    }
}
