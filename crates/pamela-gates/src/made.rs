//! Gates 1 to 3 on the results of a rule: of code for builtins, of the matcher for text rules.

use num_traits::Signed;

use crate::algebra::{Application, Ensured, Probe, Rule};
use crate::expr::ExprId;
use crate::ring::Rational;
use crate::syntax::rewrite::{label, name, node};
use crate::syntax::tree::{Expr, ExprKind, Guard, Relation};

use super::Effort;
use super::evidence::{Evidence, Sample};
use super::guards::{Condition, Declared, definedness};
use super::instance::{Instance, Parameter};
use super::landmarks::Landmarks;
use super::laws::{Evaluable, any_order, printed};
use super::lowering::lower;
use super::points::{Point, points};
use super::random::Random;
use super::value::{Definition, formula_value};
use super::variables::Variables;

/// Maximum number of results examined for one instance of a text rule.
const INSTANCES: usize = 4;

/// A rule that is tried on instances of its left side.
pub struct ApplicationGate<'a> {
    pub rule: &'a Rule,
    pub variables: &'a Variables,
    pub guards: &'a [Declared<'a>],
    pub landmarks: &'a Landmarks,
}

impl ApplicationGate<'_> {
    /// No evidence yet.
    pub fn evidence(&self) -> Evidence {
        Evidence::of_guards(self.guards, false, self.rule.written().builtin)
    }

    /// Samples the results of the rule.
    pub fn check(&self, effort: Effort, random: &mut Random, evidence: &mut Evidence) {
        let instances = if self.variables.speak_of_laws() {
            effort.instances
        } else {
            effort.instances * INSTANCES
        };
        for _ in 0..instances {
            let instance = Instance::random(self.variables, None, random);
            self.sample(&instance, effort, random, evidence);
        }
    }

    fn sample(
        &self,
        instance: &Instance,
        effort: Effort,
        random: &mut Random,
        evidence: &mut Evidence,
    ) {
        let text = self.rule.expanded();
        let left = match random.below(text.examples.len() + 1) {
            0 => &text.left,
            example => &text.examples[example - 1],
        };
        let left = any_order(instance.apply(left), random);
        let given = self.given(instance);
        let known = ParameterFacts::random(&instance.parameters, random);
        let mut expressions = vec![left.clone()];
        expressions.extend(given.iter().cloned());
        expressions.extend(known.iter().flat_map(ParameterFacts::facts));
        let Some((arena, ids)) = lower(&instance.parameters, &expressions) else {
            return;
        };
        let mut probe = Probe::new(arena, &ids[1..]);
        let made = probe.apply(self.rule, ids[0]);
        if made.is_empty() {
            return;
        }
        let mut points = points(&instance.parameters, effort.points, self.landmarks, random);
        points.retain(|point| {
            let definition = Definition::at(point);
            known.iter().all(|known| known.holds_at(point))
                && given.iter().all(|fact| definition.value(fact).holds())
        });
        let declared: Vec<Option<Condition>> = self
            .guards
            .iter()
            .map(|declared| {
                let comes = declared.plain && matches!(declared.guard, Guard::Holds(_));
                comes.then(|| Condition::of(declared.guard, self.variables, instance, &points))
            })
            .collect();
        let asked_for = self.asked_for();
        for application in &made {
            let term = Term {
                probe: &probe,
                text: &left,
                id: ids[0],
                points: &points,
                parameters: &instance.parameters,
                asked_for: &asked_for,
            };
            term.record(application, &declared, evidence);
        }
    }

    /// The numbers of the guards that are no `notin`: what is made knows them by their place among these.
    fn asked_for(&self) -> Vec<usize> {
        let holds = |&number: &usize| matches!(self.guards[number].guard, Guard::Holds(_));
        (0..self.guards.len()).filter(holds).collect()
    }

    /// Facts that the rule must prove: its `when` guards without an index.
    fn given(&self, instance: &Instance) -> Vec<Expr> {
        let plain = |guard: &Guard| match guard {
            Guard::Holds(expr)
                if self.variables.is_plain(expr, &[]) && definedness(expr).is_none() =>
            {
                Some(instance.apply(expr))
            }
            _ => None,
        };
        self.rule.expanded().when.iter().filter_map(plain).collect()
    }
}

/// A term that a rule was tried on, with the points at which the facts hold.
struct Term<'a> {
    probe: &'a Probe,
    text: &'a Expr,
    id: ExprId,
    points: &'a [Point],
    parameters: &'a [Parameter],
    /// See [`Made::asked_for`].
    asked_for: &'a [usize],
}

impl Term<'_> {
    fn record(&self, made: &Application, declared: &[Option<Condition>], evidence: &mut Evidence) {
        let arena = self.probe.arena();
        let is_one = |&guard: &ExprId| arena.as_number(guard).is_some_and(Rational::is_one);
        let kept: Vec<usize> = (0..made.guards.len())
            .filter(|&n| !is_one(&made.guards[n]))
            .collect();
        let guards: Vec<ExprId> = kept.iter().map(|&n| made.guards[n]).collect();
        let text = |id| printed(arena, id, self.parameters);
        let left_value = Evaluable::new(arena, self.id, self.parameters);
        let right_value = Evaluable::new(arena, made.right, self.parameters);
        let value = |id, point: &Point| formula_value(arena, id, point);
        // At each point, the guards that came with the right side, and those that are declared.
        let came: Vec<Vec<bool>> = self
            .points
            .iter()
            .map(|point| guards.iter().map(|&g| value(g, point).holds()).collect())
            .collect();
        let owners = if made.asked.is_empty() {
            owners(&came, &self.values(declared), guards.len())
        } else {
            let of_text = |&n: &usize| self.asked_for.get(made.asked[n]).copied();
            kept.iter().map(of_text).collect()
        };
        let owners: Vec<usize> = owners
            .into_iter()
            .zip(&guards)
            .map(|(owner, &guard)| owner.unwrap_or_else(|| evidence.undeclared(|| text(guard))))
            .collect();
        let ensured: Vec<(&Ensured, Evaluable, Option<Evaluable>)> = made
            .ensured
            .iter()
            .map(|ensured| {
                let side = |id| Evaluable::new(arena, id, self.parameters);
                (ensured, side(ensured.left), ensured.right.map(side))
            })
            .collect();
        for (point, came) in self.points.iter().zip(&came) {
            let left = Definition::at(point).value(self.text);
            if !left_value.value(point).agrees(&left) {
                evidence.disputed += 1;
                continue;
            }
            let mut holds = vec![true; evidence.guards.len()];
            for (&owner, &came) in owners.iter().zip(came) {
                holds[owner] &= came;
            }
            let sample = Sample {
                point,
                left: &left,
                guards: &holds,
            };
            if left.is_defined() && holds.iter().all(|&holds| holds) {
                for (ensured, left, right) in &ensured {
                    let right = right.as_ref().map(|right| right.value(point));
                    evidence.ensure(&sample, &ensured.text, &left.value(point), right.as_ref());
                }
            }
            evidence.record(
                &sample,
                || right_value.value(point),
                || made.automatic.iter().all(|&g| value(g, point).holds()),
                || (self.text.to_string(), text(made.right)),
            );
        }
    }

    /// The values of the declared guards at each point; `None` for guards that do not come with a result.
    fn values(&self, declared: &[Option<Condition>]) -> Vec<Vec<Option<bool>>> {
        let at = |point: &Point| {
            let definition = Definition::at(point);
            let holds =
                |condition: &Option<Condition>| Some(condition.as_ref()?.holds(&definition));
            declared.iter().map(holds).collect()
        };
        self.points.iter().map(at).collect()
    }
}

/// The declared guard that each guard is: one that agrees at all points, each taken once if possible.
fn owners(came: &[Vec<bool>], declared: &[Vec<Option<bool>>], count: usize) -> Vec<Option<usize>> {
    let width = declared.first().map_or(0, Vec::len);
    let agree = |guard: usize, own: usize| {
        let mut pairs = came.iter().zip(declared);
        pairs.all(|(came, declared)| declared[own] == Some(came[guard]))
    };
    let mut taken = vec![false; width];
    (0..count)
        .map(|guard| {
            let mut agreeing: Vec<usize> = (0..width).filter(|&own| agree(guard, own)).collect();
            agreeing.sort_by_key(|&own| taken[own]);
            let own = agreeing.first().copied()?;
            taken[own] = true;
            Some(own)
        })
        .collect()
}

/// The facts about a parameter of a model.
struct ParameterFacts<'a> {
    name: &'a str,
    integer: bool,
    sign: Option<Relation>,
}

impl ParameterFacts<'_> {
    /// Some instances have no facts: if all points are examined, each guard fails alone at some of them.
    fn random<'a>(parameters: &'a [Parameter], random: &mut Random) -> Vec<ParameterFacts<'a>> {
        if random.chance(1, 4) {
            return Vec::new();
        }
        let known = parameters.iter().map(|parameter| ParameterFacts {
            name: &parameter.name,
            integer: parameter.integral && random.chance(4, 5),
            sign: match random.below(6) {
                0 | 1 => Some(Relation::GreaterEqual),
                2 => Some(Relation::Greater),
                3 => Some(Relation::LessEqual),
                _ => None,
            },
        });
        known.collect()
    }

    fn facts(&self) -> Vec<Expr> {
        let itself = || name(self.name);
        let integer = || ExprKind::Call(label("integer"), vec![itself()]);
        let zero = || node(ExprKind::Number(0.into()));
        let sign = |relation| ExprKind::Compare(relation, itself().into(), zero().into());
        let kinds = [self.integer.then(integer), self.sign.map(sign)];
        kinds.into_iter().flatten().map(node).collect()
    }

    fn holds_at(&self, point: &Point) -> bool {
        let Some(value) = point.values.get(self.name) else {
            return true;
        };
        let sign = match self.sign {
            Some(Relation::GreaterEqual) => !value.is_negative(),
            Some(Relation::Greater) => value.is_positive(),
            Some(Relation::LessEqual) => !value.is_positive(),
            _ => true,
        };
        sign && (value.is_integer() || !self.integer)
    }
}
