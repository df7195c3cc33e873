//! Gates 1 to 3 on what a rule makes: the code of builtins, and the matcher of the others.

use std::collections::BTreeMap;

use crate::algebra::{Application, Probe, Rule};
use crate::formula::Formula;
use crate::syntax::parse_expression;
use crate::syntax::tree::{Expr, Guard};

use super::Effort;
use super::evidence::{Evidence, Sample};
use super::instance::{Instance, Parameter};
use super::lowering::lower;
use super::points::{Point, points};
use super::random::Random;
use super::value::{Definition, formula_value};
use super::variables::Variables;

/// Evidence by the number of guards that came with the right side: guards are known by their position.
type ByCount = BTreeMap<usize, Evidence>;

/// Samples what `rule` makes of instances of its left side.
pub fn check(
    rule: &Rule,
    variables: &Variables,
    effort: Effort,
    random: &mut Random,
) -> Vec<Evidence> {
    let mut found = ByCount::new();
    for _ in 0..effort.instances * 3 {
        let instance = Instance::random(variables, None, random);
        let left = instance.apply(&rule.text.left);
        let mut facts = given(rule, variables, &instance);
        facts.extend(
            instance
                .parameters
                .iter()
                .flat_map(|parameter| random_facts(parameter, random)),
        );
        let mut expressions = vec![left.clone()];
        expressions.extend(facts.iter().cloned());
        let Some((arena, ids)) = lower(&instance.parameters, &expressions) else {
            continue;
        };
        let mut probe = Probe::new(arena, &ids[1..]);
        let made = probe.apply(rule, ids[0]);
        if made.is_empty() {
            continue;
        }
        let allowed = |point: &Point| {
            let definition = Definition::at(point);
            facts.iter().all(|fact| definition.value(fact).holds())
        };
        let mut points = points(&instance.parameters, effort.points, random);
        points.retain(allowed);
        for application in &made {
            sample(&probe, &left, application, &points, &mut found);
        }
    }
    found.into_values().collect()
}

fn sample(probe: &Probe, left: &Expr, made: &Application, points: &[Point], found: &mut ByCount) {
    let arena = probe.arena();
    let text = |id| Formula::new(arena.clone().into(), id, Vec::new()).pamela();
    let evidence = found
        .entry(made.guards.len())
        .or_insert_with(|| Evidence::of_guards(made.guards.iter().map(|&guard| text(guard))));
    for point in points {
        let value = |&id| formula_value(arena, id, point);
        let left_value = Definition::at(point).value(left);
        let guards: Vec<bool> = made
            .guards
            .iter()
            .map(|guard| value(guard).holds())
            .collect();
        let sample = Sample {
            point,
            left: &left_value,
            guards: &guards,
        };
        evidence.record(
            &sample,
            || value(&made.right),
            || made.automatic.iter().all(|guard| value(guard).holds()),
            || (left.to_string(), text(made.right)),
        );
    }
}

/// What the rule must prove, as facts: its `when` guards that speak of no index.
fn given(rule: &Rule, variables: &Variables, instance: &Instance) -> Vec<Expr> {
    let plain = |guard: &Guard| match guard {
        Guard::Holds(expr) if variables.is_plain(expr, &[]) && !is_definedness(expr) => {
            Some(instance.apply(expr))
        }
        _ => None,
    };
    rule.text.when.iter().filter_map(plain).collect()
}

fn is_definedness(expr: &Expr) -> bool {
    matches!(&expr.kind, crate::syntax::tree::ExprKind::Call(name, _) if name.text == "defined")
}

/// What may be known of a parameter.
fn random_facts(parameter: &Parameter, random: &mut Random) -> Vec<Expr> {
    let mut found = Vec::new();
    let mut know =
        |text: String| found.extend(parse_expression("fact", &text).map(|(fact, _)| fact));
    if parameter.integral && random.chance(4, 5) {
        know(format!("integer({})", parameter.name));
    }
    match random.below(6) {
        0 | 1 => know(format!("{} >= 0", parameter.name)),
        2 => know(format!("{} > 0", parameter.name)),
        3 => know(format!("{} <= 0", parameter.name)),
        _ => {}
    }
    found
}
