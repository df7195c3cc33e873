//! Gates 1 to 3 on the text of a rule: evaluates both sides and all guards by the definition.

use std::cell::OnceCell;

use crate::algebra::Probe;
use crate::expr::ExprId;
use crate::syntax::tree::{Expr, ExprKind, Guard, Rule};

use super::Effort;
use super::evidence::{Evidence, Sample};
use super::guards::{Condition, Declared};
use super::instance::Instance;
use super::landmarks::Landmarks;
use super::lowering::lower;
use super::points::{Point, points};
use super::random::Random;
use super::value::{Definition, Outcome, formula_value};
use super::variables::Variables;

/// A rule whose text can be evaluated.
pub struct TextGate<'a> {
    rule: &'a Rule,
    variables: &'a Variables,
    guards: &'a [Declared<'a>],
    landmarks: &'a Landmarks,
}

impl<'a> TextGate<'a> {
    /// `None` if the text of a builtin contains words, or if functions compute a part of it.
    pub fn new(
        rule: &'a Rule,
        variables: &'a Variables,
        guards: &'a [Declared<'a>],
        landmarks: &'a Landmarks,
    ) -> Option<TextGate<'a>> {
        let plain = variables.is_plain(&rule.right, &[]) && guards.iter().all(|guard| guard.plain);
        (rule.lets.is_empty() && (plain || !rule.builtin)).then_some(TextGate {
            rule,
            variables,
            guards,
            landmarks,
        })
    }

    /// No evidence yet.
    pub fn evidence(&self) -> Evidence {
        Evidence::of_guards(self.guards, true, true)
    }

    /// Samples the rule.
    pub fn check(&self, effort: Effort, random: &mut Random, evidence: &mut Evidence) {
        for _ in 0..effort.instances {
            let instance = Instance::random(self.variables, None, random);
            let points = points(&instance.parameters, effort.points, self.landmarks, random);
            self.sample(&instance, &points, None, evidence);
        }
        for (number, declared) in self.guards.iter().enumerate() {
            let Guard::NotIn(index, expr) = declared.guard else {
                continue;
            };
            let ExprKind::Name(variable) = &expr.kind else {
                continue;
            };
            for _ in 0..effort.instances.div_ceil(3) {
                let forbidden = Some((variable.as_str(), index.text.as_str()));
                let instance = Instance::random(self.variables, forbidden, random);
                let points = points(&instance.parameters, effort.points, self.landmarks, random);
                self.sample(&instance, &points, Some(number), evidence);
            }
        }
    }

    /// One instance at many points; the guard number `broken` fails by its form.
    fn sample(
        &self,
        instance: &Instance,
        points: &[Point],
        broken: Option<usize>,
        evidence: &mut Evidence,
    ) {
        let left = instance.apply(&self.rule.left);
        let right = instance.apply(&self.rule.right);
        if lower(&instance.parameters, std::slice::from_ref(&left)).is_none() {
            return; // The language refuses it, as it does `x mod 0`.
        }
        let numbered = self.guards.iter().enumerate();
        let guards: Vec<Condition> = numbered
            .map(|(number, declared)| {
                if broken == Some(number) {
                    Condition::Fixed(false)
                } else {
                    Condition::of(declared.guard, self.variables, instance, points)
                }
            })
            .collect();
        let lowered = OnceCell::new();
        let lowered = || lowered.get_or_init(|| Lowered::of(instance, &left, &right));
        for point in points {
            let definition = Definition::at(point);
            let left_value = definition.value(&left);
            let holds: Vec<bool> = guards.iter().map(|g| g.holds(&definition)).collect();
            let sample = Sample {
                point,
                left: &left_value,
                guards: &holds,
            };
            evidence.record(
                &sample,
                // The result of a right side may be defined where its text is not.
                || match Definition::at(point).patient().value(&right) {
                    Outcome::Undefined | Outcome::Unknown if broken.is_none() => {
                        lowered().right_value(point)
                    }
                    value => value,
                },
                // An index that escapes is nothing that definedness would find.
                || broken.is_some() || lowered().guards_hold(point),
                || (left.to_string(), right.to_string()),
            );
        }
    }
}

/// Both sides as the algebra has them, with the guards that the definedness of the right one asks for.
struct Lowered(Option<(Probe, ExprId, Vec<ExprId>)>);

impl Lowered {
    fn of(instance: &Instance, left: &Expr, right: &Expr) -> Lowered {
        let lowered = lower(&instance.parameters, &[left.clone(), right.clone()]);
        Lowered(lowered.map(|(arena, sides)| {
            let mut probe = Probe::new(arena, &[]);
            // Undefined factors may cancel in the result.
            let right = probe.canonical(sides[1]);
            let guards = probe.automatic_guards(sides[0], right);
            (probe, right, guards)
        }))
    }

    fn right_value(&self, point: &Point) -> Outcome {
        match &self.0 {
            Some((probe, right, _)) => formula_value(probe.arena(), *right, point),
            None => Outcome::Undefined,
        }
    }

    /// Never, where the language refuses the right side.
    fn guards_hold(&self, point: &Point) -> bool {
        let Some((probe, _, guards)) = &self.0 else {
            return false;
        };
        let mut guards = guards.iter();
        guards.all(|&guard| formula_value(probe.arena(), guard, point).holds())
    }
}
