//! Compares one value of two models.

use std::cmp::Ordering;

use super::growth::{Growth, growth};
use super::sides::{Pair, Sides};
use super::{Change, Compared, Example, GrowthChange, Region, Request};
use crate::algebra::{self, Closed};
use crate::claims::{Collection, Goal, Ground, Place, Value, bindings};
use crate::effort::Effort;
use crate::eval::Number;
use crate::expr::{ExprId, Symbol};
use crate::formula::{Formula, expression_text};
use crate::ring::Rational;

/// Doubles that differ by less are compared exactly.
const NEAR: f64 = 1e-9;
/// Points that are compared exactly in search of a difference.
const MOST_EXACT: usize = 200;

/// Both values and their difference in one arena.
pub(super) struct Forms {
    pub(super) ground: Ground,
    pub(super) values: [Value; 2],
    pub(super) difference: Closed,
    /// Conditions of the forms that are not proved; elsewhere they are not compared.
    domain: Vec<String>,
}

impl Forms {
    /// Both values as closed forms of the results.
    pub(super) fn closed(&mut self) -> [ExprId; 2] {
        let exprs = [self.values[0].expr, self.values[1].expr];
        exprs.map(|expr| self.ground.close(expr).expr)
    }
}

/// The signs that the difference has at points.
struct Signs {
    greater: Option<Pair>,
    less: Option<Pair>,
    count: usize,
}

impl Sides<'_> {
    /// Compares the values of a name.
    pub(super) fn compared(&self, name: &str, request: &Request) -> Compared {
        let forms = [0, 1].map(|side| self.equation(side, name).map(|own| &own.formula));
        let (axes, places) = self.sample(name);
        let pairs = self.pairs(name, &places);
        let signs = self.signs(name, &pairs);
        let mut compared = Compared {
            name: name.to_owned(),
            old: forms[0].map(Formula::pamela),
            new: forms[1].map(Formula::pamela),
            change: Change::Undecided,
            certain: false,
            reason: None,
            domain: Vec::new(),
            regions: Vec::new(),
            ratio: None,
            growth: Vec::new(),
            examples: self.examples(name, &signs),
        };
        if self.is_same(name) {
            compared.change = Change::Equal;
            compared.certain = true;
            compared.examples.clear();
            return compared;
        }
        let closed = self.forms(name, request.effort);
        let is_found = signs.greater.is_some() || signs.less.is_some();
        match closed {
            Some(forms) if forms.ground.is_empty() => {
                let reason = "the facts of the two models exclude each other";
                compared.reason = Some(reason.to_owned());
            }
            Some(mut forms) => {
                compared.domain.clone_from(&forms.domain);
                self.by_forms(&mut forms, &signs, &mut compared);
                if compared.change != Change::Equal && is_found {
                    compared.growth = self.growths(name, &places);
                    compared.ratio =
                        self.ratio(name, &mut forms, &pairs, (&axes, &compared.growth));
                }
            }
            None => compared.reason = Some("a part of it has no closed form".to_owned()),
        }
        if !compared.certain {
            compared.change = match (&signs.greater, &signs.less) {
                (Some(_), Some(_)) => Change::Mixed,
                (Some(_), None) => Change::Slower,
                _ => Change::Undecided,
            };
            if compared.change == Change::Undecided && compared.reason.is_none() {
                let what = if is_found { "not greater" } else { "equal" };
                compared.reason = Some(format!(
                    "{what} at all {} points that were tried",
                    signs.count
                ));
            }
        }
        if request.more_is_better.iter().any(|own| own == name) {
            reverse(&mut compared);
        }
        compared
    }

    /// Signs at points, confirmed by exact values.
    fn signs(&self, name: &str, pairs: &[Pair]) -> Signs {
        let mut signs = Signs {
            greater: None,
            less: None,
            count: pairs.len(),
        };
        let mut exact = 0;
        for pair in pairs {
            let [old, new] = pair.values;
            if old == new && exact >= MOST_EXACT {
                continue;
            }
            let is_near = (new - old).abs() <= NEAR * old.abs().max(new.abs());
            let order = if !is_near {
                new.total_cmp(&old)
            } else if exact < MOST_EXACT {
                exact += 1;
                self.exact(name, &pair.place).map_or(Ordering::Equal, order)
            } else {
                Ordering::Equal
            };
            let sign = match order {
                Ordering::Greater => &mut signs.greater,
                Ordering::Less => &mut signs.less,
                Ordering::Equal => continue,
            };
            if sign.as_ref().is_none_or(|known| size(pair) < size(known)) {
                *sign = Some(pair.clone());
            }
        }
        signs
    }

    fn examples(&self, name: &str, signs: &Signs) -> Vec<Example> {
        let pairs = signs.greater.iter().chain(&signs.less);
        let example = |pair: &Pair| {
            let values = self.exact(name, &pair.place)?;
            let [old, new] = values.map(|number| number.decimal_text());
            Some(Example {
                point: self.shown(name, &pair.place),
                old,
                new,
            })
        };
        pairs.filter_map(example).collect()
    }

    /// True if both forms are the same expression, closed or not, under the same conditions.
    fn is_same(&self, name: &str) -> bool {
        let mut collection = Collection::new();
        let mut values = Vec::new();
        for own in (0..2).filter_map(|side| self.equation(side, name)) {
            if !own.formula.mentions().is_empty() {
                return false;
            }
            let value = collection.value(&own.formula);
            values.push((value.expr, value.conditions));
        }
        matches!(&values[..], [old, new] if old == new && old.1.is_empty())
    }

    /// Both forms in one arena; `None` if one is open.
    ///
    /// They are compared where the conditions of both hold.
    fn forms(&self, name: &str, effort: Effort) -> Option<Forms> {
        let mut forms = self.forms_where(name, effort, false)?;
        let conditions = forms.values.iter().flat_map(|own| own.conditions.clone());
        let conditions: Vec<ExprId> = conditions.collect();
        let unproved = conditions
            .into_iter()
            .filter(|&own| !forms.ground.holds(own));
        let unproved: Vec<ExprId> = unproved.collect();
        if unproved.is_empty() {
            return Some(forms);
        }
        let domain = unproved.iter().map(|&own| {
            let closed = forms.ground.close(own).expr;
            text(&mut forms.ground, closed, &[])
        });
        let mut domain: Vec<String> = domain.collect();
        domain.dedup();
        Some(Forms {
            domain,
            ..self.forms_where(name, effort, true)?
        })
    }

    /// Both forms in one arena, with their conditions as facts if asked.
    fn forms_where(&self, name: &str, effort: Effort, are_facts: bool) -> Option<Forms> {
        let mut collection = Collection::new();
        self.facts().for_each(|fact| collection.fact(fact));
        let mut values = Vec::new();
        for side in 0..2 {
            let own = &self.equation(side, name)?.formula;
            let mentions_by_name = !own.mentions().is_empty();
            if own.open_reductions() > 0 || mentions_by_name {
                return None;
            }
            values.push(collection.value(own));
        }
        let [old, new]: [Value; 2] = values.try_into().ok()?;
        if are_facts {
            collection.facts(&[&old.conditions[..], &new.conditions].concat());
        }
        let options = algebra::Options {
            strict: true,
            explain: false,
            effort,
        };
        let difference = collection.arena().subtract(new.expr, old.expr);
        let mut ground = collection.ground(self.rules.clone(), options);
        Some(Forms {
            difference: ground.close(difference),
            values: [old, new],
            ground,
            domain: Vec::new(),
        })
    }

    fn by_forms(&self, forms: &mut Forms, signs: &Signs, compared: &mut Compared) {
        let difference = forms.difference.expr;
        let whole = self.axes.iter().filter(|axis| axis.is_whole);
        let whole: Vec<&str> = whole.map(|axis| axis.name.as_str()).collect();
        let change = sign_of(&mut forms.ground, difference, &[], signs);
        if change == Some(Change::Equal) {
            compared.change = Change::Equal;
            compared.certain = true;
            return;
        }
        compared.regions = regions(forms, &whole, change.is_none());
        let Some(change) = change.or_else(|| of_regions(&compared.regions)) else {
            return;
        };
        compared.certain = true;
        let (greater, less) = (signs.greater.is_some(), signs.less.is_some());
        // Without a point that differs, a difference of one sign may still be 0, and a region may be empty.
        compared.change = match change {
            Change::Slower if !greater && !is_positive(forms) => {
                let points = signs.count;
                let reason = format!("proved to be nowhere less, and equal at all {points} points");
                compared.reason = Some(reason);
                compared.certain = false;
                return;
            }
            Change::Faster if !less => Change::NotSlower,
            Change::Mixed if greater && !less => Change::Slower,
            Change::Mixed if !greater => {
                compared.certain = false;
                return;
            }
            change => change,
        };
        if compared.regions.is_empty() {
            compared.regions.push(Region {
                when: Vec::new(),
                change,
                difference: text(&mut forms.ground, difference, &whole),
                certain: compared.certain,
            });
        }
    }

    /// Parameters in which the orders of growth differ.
    fn growths(&self, name: &str, places: &[Place]) -> Vec<GrowthChange> {
        let forms = [0, 1].map(|side| self.equation(side, name).map(|own| &own.formula));
        let [Some(old), Some(new)] = forms else {
            return Vec::new();
        };
        let Some(base) = places
            .iter()
            .max_by_key(|place| place.iter().filter(|own| own.is_positive()).count())
        else {
            return Vec::new();
        };
        let others = bindings(&self.axes, base);
        let mut found = Vec::new();
        let alone = [self.parameters_only(0), self.parameters_only(1)].concat();
        let shared = self.axes.iter().filter(|axis| !alone.contains(&axis.name));
        for axis in shared.filter(|axis| axis.high.is_none()) {
            let name = &axis.name;
            let orders = [old, new].map(|form| growth(form, name, &others));
            let [Some(before), Some(after)] = orders else {
                continue;
            };
            if before != after {
                let text = |order| {
                    Growth {
                        parameter: name.clone(),
                        order,
                    }
                    .to_string()
                };
                found.push(GrowthChange {
                    parameter: name.clone(),
                    faster: after > before,
                    old: text(before),
                    new: text(after),
                });
            }
        }
        found
    }
}

/// Small whole numbers above 0 are the simplest to read.
fn size(pair: &Pair) -> f64 {
    let size = |value: f64| match value.abs() {
        0.0 => 2.0,
        value => value.max(value.recip()),
    };
    pair.place.iter().map(|value| size(value.to_f64())).sum()
}

/// True if the difference is proved to be positive everywhere.
fn is_positive(forms: &mut Forms) -> bool {
    let difference = forms.difference.expr;
    forms.ground.has_sign(difference, Goal::Positive, &[])
}

/// The regimes of the difference, with its sign in each; if that is open, regions of the sign.
fn regions(forms: &mut Forms, whole: &[&str], is_open: bool) -> Vec<Region> {
    let nothing = Signs {
        greater: None,
        less: None,
        count: 0,
    };
    let found = forms.ground.regimes(&forms.difference, &[]);
    let regimes = found.map_or(Vec::new(), |found| found.regimes);
    let region = |regime: algebra::Regime| {
        let ground = &mut forms.ground;
        let change = sign_of(ground, regime.expr, &regime.when, &nothing);
        let when = regime.when.iter().map(|&own| text(ground, own, whole));
        Region {
            when: when.collect(),
            change: change.unwrap_or(Change::Undecided),
            difference: text(ground, regime.expr, whole),
            certain: change.is_some(),
        }
    };
    let regions: Vec<Region> = regimes.into_iter().map(region).collect();
    let is_undecided = |own: &Region| own.change == Change::Undecided;
    if is_open && (regions.is_empty() || regions.iter().any(is_undecided)) {
        by_sign(forms, whole).unwrap_or(regions)
    } else {
        regions
    }
}

/// The regions in which the difference is above 0, and those in which it is not.
fn by_sign(forms: &mut Forms, whole: &[&str]) -> Option<Vec<Region>> {
    let arena = forms.ground.results();
    let zero = arena.number(0);
    let positive = Closed {
        expr: arena.max(&[zero, forms.difference.expr]),
        ..forms.difference.clone()
    };
    let found = forms.ground.regimes(&positive, &[])?;
    let difference = forms.difference.expr;
    let region = |regime: algebra::Regime| {
        let ground = &mut forms.ground;
        let number = ground.results().as_number(regime.expr);
        let (change, difference) = if number.is_some_and(Rational::is_zero) {
            (Change::Faster, difference)
        } else {
            (Change::Slower, regime.expr)
        };
        let when = regime.when.iter().map(|&own| text(ground, own, whole));
        Region {
            when: when.collect(),
            change,
            difference: text(ground, difference, whole),
            certain: true,
        }
    };
    Some(found.regimes.into_iter().map(region).collect())
}

/// The change of the whole, if the sign in each region is known.
fn of_regions(regions: &[Region]) -> Option<Change> {
    let has = |change| regions.iter().any(|own| own.change == change);
    if regions.is_empty() || has(Change::Undecided) {
        return None;
    }
    Some(match (has(Change::Slower), has(Change::Faster)) {
        (false, false) => Change::Equal,
        (true, false) => Change::Slower,
        (false, true) => Change::Faster,
        (true, true) => Change::Mixed,
    })
}

/// The change that a difference means where `when` holds, if it has one sign; points exclude some.
fn sign_of(
    ground: &mut Ground,
    difference: ExprId,
    when: &[ExprId],
    signs: &Signs,
) -> Option<Change> {
    let (greater, less) = (signs.greater.is_some(), signs.less.is_some());
    if !greater && !less && ground.has_sign(difference, Goal::Zero, when) {
        return Some(Change::Equal);
    }
    if !less && ground.has_sign(difference, Goal::NonNegative, when) {
        return Some(Change::Slower);
    }
    let opposite = ground.results();
    let opposite = opposite.negate(difference);
    let is_less = !greater && ground.has_sign(opposite, Goal::NonNegative, when);
    is_less.then_some(Change::Faster)
}

/// The order of the second number relative to the first.
pub(super) fn order([old, new]: [Number; 2]) -> Ordering {
    new.to_real()
        .compare(&old.to_real())
        .unwrap_or(Ordering::Equal)
}

pub(super) fn text(ground: &mut Ground, id: ExprId, whole: &[&str]) -> String {
    let arena = ground.results();
    let whole: Vec<Symbol> = whole.iter().map(|name| arena.named(name)).collect();
    expression_text(arena, id, &whole)
}

/// Exchanges slower and faster.
fn reverse(compared: &mut Compared) {
    let reversed = |change: Change| match change {
        Change::Slower => Change::Faster,
        Change::Faster => Change::Slower,
        // It is nowhere greater, so it may be less, which is worse.
        Change::NotSlower => Change::Undecided,
        same => same,
    };
    compared.change = reversed(compared.change);
    for region in &mut compared.regions {
        region.change = reversed(region.change);
    }
}
