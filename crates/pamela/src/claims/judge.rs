//! Judges the assertions of a model.

use std::collections::BTreeSet;

use super::ground::{Collection, Value};
use super::induction::{by_induction, by_values, is_interval};
use super::narrow::narrow;
use super::points::{Axis, Place, boundaries, limit, numbers_in, numbers_of, scalar_axes};
use super::prove::Prove;
use super::search::{Asked, Oracle};
use super::statement::{Splitter, Statement, of};
use super::verdict::{Counterexample, Judged, Proof, Side, Verdict};
use crate::algebra::{self, RuleBase};
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::effort::Effort;
use crate::expr::Sort;
use crate::formula::{Formula, Notation};
use crate::model;
use crate::pipeline::{Model, Options, SimplifiedEquation};
use crate::ring::Rational;
use crate::syntax::tree::{Assertion, Expr, ExprKind};
use crate::timing::without_repetitions;

/// A claim over so many points of whole numbers is decided by evaluating all of them.
const MOST_POINTS: i64 = 20_000;
/// Steps of the definition for the sides of a comparison at a counterexample.
const STEPS: u64 = 2_000_000;

/// Judges each assertion of a model without rows of tables, in order.
///
/// # Errors
/// Fails if the facts of the model contradict each other, or if a claim compares random times.
pub(super) fn judge_numbers(
    model: &Model,
    rules: &RuleBase,
    effort: Effort,
) -> Result<Vec<Judged>> {
    let assertions = model.checked().assertions();
    if assertions.is_empty() {
        return Ok(Vec::new());
    }
    let mut splitter = Splitter {
        model: model.checked(),
        equations: Vec::new(),
        errors: Vec::new(),
    };
    let certain = Expr {
        kind: ExprKind::Number(Rational::ONE),
        span: Default::default(),
    };
    let certain = splitter.equation(certain);
    let claims: Vec<Claim> = assertions
        .iter()
        .map(|assertion| Claim::new(assertion, &mut splitter))
        .collect();
    if !splitter.errors.is_empty() {
        return Err(Error {
            diagnostics: without_repetitions(splitter.errors),
            sources: model.checked().sources().clone(),
        });
    }
    let names: Vec<String> = splitter
        .equations
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    let equations = splitter.equations;
    let derived = model.with_equations(equations)?;
    let options = Options {
        only: names,
        without_moments: true,
        effort,
        ..Options::default()
    };
    let mut compiled = Vec::new();
    compile(&derived, rules, options, &mut compiled);
    let facts = facts(&derived, rules, effort, certain)?;
    let axes: Vec<Axis> = scalar_axes(model.checked());
    let bench = Bench {
        model: &derived,
        compiled: &compiled,
        facts: &facts,
        axes: &axes,
        rules,
        effort,
    };
    let judged = assertions
        .iter()
        .zip(&claims)
        .map(|(assertion, claim)| Judged {
            assertion: assertion.clone(),
            place: model.checked().sources().place(assertion.span),
            verdict: bench.verdict(assertion, claim),
        });
    Ok(judged.collect())
}

/// Compiles the equations together; where that fails, those that have a closed form.
fn compile(model: &Model, rules: &RuleBase, options: Options, found: &mut Vec<Compiled>) {
    match model.compile_with(rules.clone(), &options) {
        Ok(compiled) => found.push(compiled),
        Err(_) if options.only.len() > 1 => {
            let (first, second) = options.only.split_at(options.only.len() / 2);
            for only in [first, second] {
                let options = Options {
                    only: only.to_vec(),
                    ..options.clone()
                };
                compile(model, rules, options, found);
            }
        }
        Err(_) => {}
    }
}

/// The facts of the model as formulas.
fn facts(model: &Model, rules: &RuleBase, effort: Effort, certain: String) -> Result<Vec<Formula>> {
    let options = Options {
        only: vec![certain],
        effort,
        ..Options::default()
    };
    Ok(model.simplify_with(rules.clone(), &options)?.facts)
}

/// The names of the equations for one assertion.
struct Claim {
    statement: Statement,
    /// The condition, as truth values that all hold.
    when: Vec<String>,
    /// The condition as one truth value.
    condition: Option<String>,
    /// The condition does not hold, or the claim does.
    holds: String,
    sides: Option<[String; 2]>,
}

impl Claim {
    fn new(assertion: &Assertion, splitter: &mut Splitter<'_>) -> Claim {
        let statement = splitter.statement(&assertion.claim, true);
        let mut parts = Vec::new();
        if let Some(condition) = &assertion.when {
            conjuncts(condition, &mut parts);
        }
        let when = parts
            .into_iter()
            .map(|part| splitter.equation(part.clone()));
        let when = when.collect();
        let condition = assertion.when.clone();
        let condition = condition.map(|condition| splitter.equation(condition));
        let span = assertion.span;
        let holds = match &assertion.when {
            None => assertion.claim.clone(),
            Some(condition) => {
                let always = of(ExprKind::Number(Rational::ONE), span);
                let parts = [condition, &assertion.claim, &always];
                let [condition, claim, always] = parts.map(|part| Box::new(part.clone()));
                of(ExprKind::If(condition, claim, always), span)
            }
        };
        let holds = splitter.equation(holds);
        let sides = match &assertion.claim.kind {
            ExprKind::Compare(_, left, right) => {
                Some([left, right].map(|side| splitter.equation((**side).clone())))
            }
            _ => None,
        };
        Claim {
            statement,
            when,
            condition,
            holds,
            sides,
        }
    }
}

/// The parts of a condition that all have to hold.
fn conjuncts<'e>(condition: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &condition.kind {
        ExprKind::And(list) => list.iter().for_each(|part| conjuncts(part, parts)),
        _ => parts.push(condition),
    }
}

/// What all claims of a model are judged by.
struct Bench<'b> {
    model: &'b Model,
    compiled: &'b [Compiled],
    facts: &'b [Formula],
    axes: &'b [Axis],
    rules: &'b RuleBase,
    effort: Effort,
}

impl Bench<'_> {
    fn verdict(&self, assertion: &Assertion, claim: &Claim) -> Verdict {
        let asked = self.depends_on(claim);
        let mut axes = self.axes.to_vec();
        if let Some(condition) = &assertion.when {
            let mut parts = Vec::new();
            conjuncts(condition, &mut parts);
            narrow(&mut axes, &parts);
        }
        let forms = [Some(&claim.holds), claim.condition.as_ref()];
        for own in forms
            .into_iter()
            .flatten()
            .filter_map(|name| self.formula(name))
        {
            limit(&mut axes, &own.formula);
        }
        let oracle = Oracle {
            model: self.model,
            compiled: self.compiled,
            axes: &axes,
            facts: self.facts,
        };
        let asked = Asked {
            holds: &claim.holds,
            when: claim.condition.as_deref(),
            axes: &asked,
        };
        // First, so that no proof stands against a counterexample that is easy to find.
        if let Some(found) = oracle.refute(&asked, &self.numbers(assertion, claim)) {
            return Verdict::Refuted(self.counterexample(&oracle, assertion, claim, &asked, found));
        }
        let mut proof = self.proof(claim);
        if proof.ground.is_empty() {
            return Verdict::Proved(Proof::NeverApplies);
        }
        if proof.of(&claim.statement, &[]) {
            return Verdict::Proved(if proof.used_bounds {
                Proof::ByBounds
            } else {
                Proof::ByFacts
            });
        }
        if assertion.when.is_none() && self.by_induction(&mut proof, claim) {
            return Verdict::Proved(Proof::ByInduction);
        }
        if let Some(count) = oracle.holds_everywhere(&asked, MOST_POINTS) {
            return Verdict::Proved(Proof::ByPoints(count));
        }
        if let Some((parameter, count)) = by_values_of(&mut proof, claim, &axes) {
            return Verdict::Proved(Proof::ByValues { parameter, count });
        }
        Verdict::Undecided {
            reason: self.reason(claim),
            proved_where: proof.regions(&claim.statement, &self.whole()),
        }
    }

    /// True if a claim without a condition, which is one comparison, is proved by induction.
    fn by_induction(&self, proof: &mut Prove, claim: &Claim) -> bool {
        let Statement::Sign {
            difference, goal, ..
        } = &claim.statement
        else {
            return false;
        };
        let Some(closed) = proof.closed(difference) else {
            return false;
        };
        let mut axes = self
            .axes
            .iter()
            .filter(|axis| is_interval(self.facts, axis));
        axes.any(|axis| by_induction(&mut proof.ground, closed, *goal, axis))
    }

    fn whole(&self) -> Vec<String> {
        let whole = self.axes.iter().filter(|axis| axis.is_whole);
        whole.map(|axis| axis.name.clone()).collect()
    }

    fn formula(&self, name: &str) -> Option<&SimplifiedEquation> {
        let mut equations = self.compiled.iter().flat_map(Compiled::equations);
        equations.find(|own| own.name == name)
    }

    /// The axes on which a claim or its condition depends.
    fn depends_on(&self, claim: &Claim) -> Vec<usize> {
        let names = [Some(&claim.holds), claim.condition.as_ref()];
        let mut parameters: BTreeSet<String> = BTreeSet::new();
        for name in names.into_iter().flatten() {
            match self.formula(name) {
                Some(own) if own.formula.mentions().is_empty() => {
                    parameters.extend(own.formula.parameters());
                }
                _ => parameters.extend(self.axes.iter().map(|axis| axis.name.clone())),
            }
        }
        let axes = self.axes.iter().enumerate();
        let asked = axes.filter(|(_, axis)| parameters.contains(&axis.name));
        asked.map(|(number, _)| number).collect()
    }

    /// Numbers near which a claim may change its truth.
    fn numbers(&self, assertion: &Assertion, claim: &Claim) -> BTreeSet<Rational> {
        let (mut numbers, mut seen) = (BTreeSet::new(), BTreeSet::new());
        for part in assertion.parts() {
            numbers_of(self.model.checked(), part, &mut seen, &mut numbers);
        }
        for name in claim.sides.iter().flatten().chain([&claim.holds]) {
            if let Some(own) = self.formula(name) {
                numbers_in(&own.formula, &mut numbers);
            }
        }
        boundaries(&numbers)
    }

    fn counterexample(
        &self,
        oracle: &Oracle<'_>,
        assertion: &Assertion,
        claim: &Claim,
        asked: &Asked<'_>,
        found: super::search::Found,
    ) -> Counterexample {
        let point: Vec<(String, Rational)> = asked
            .axes
            .iter()
            .map(|&axis| (self.axes[axis].name.clone(), found.place[axis].clone()))
            .collect();
        let shown = point.iter().map(|(name, value)| {
            let text = match self.model.shown_number(name) {
                Some(shown) => format!("{} [{}]", shown.exact(value), shown.unit),
                None => value.to_string(),
            };
            (name.clone(), text)
        });
        let texts = match &assertion.claim.kind {
            ExprKind::Compare(_, left, right) => Some([left.to_string(), right.to_string()]),
            _ => None,
        };
        let sides = claim.sides.as_ref().zip(texts).and_then(|(names, texts)| {
            let [left, right] = names;
            let [of_left, of_right] = texts;
            Some([
                self.side(oracle, left, of_left, &found.place)?,
                self.side(oracle, right, of_right, &found.place)?,
            ])
        });
        Counterexample {
            shown: shown.collect(),
            point,
            is_smallest: found.is_smallest,
            sides,
        }
    }

    fn side(&self, oracle: &Oracle<'_>, name: &str, text: String, place: &Place) -> Option<Side> {
        match oracle.value(name, place, STEPS)? {
            model::Value::Scalar(number) => Some(Side {
                text,
                value: crate::compiled::decimal_of(&number)?,
            }),
            model::Value::Vector(_) => None,
        }
    }

    fn proof(&self, claim: &Claim) -> Prove {
        let mut collection = Collection::new();
        self.facts.iter().for_each(|fact| collection.fact(fact));
        for name in &claim.when {
            let closed = self.formula(name).map(|own| &own.formula);
            // Where its own conditions fail, a form says nothing.
            let closed =
                closed.filter(|own| own.conditions().is_empty() && own.rests_on().is_empty());
            closed.into_iter().for_each(|own| collection.fact(own));
        }
        let mut values = Vec::new();
        self.values(&claim.statement, &mut collection, &mut values);
        let options = algebra::Options {
            strict: true,
            explain: false,
            effort: self.effort,
        };
        Prove {
            ground: collection.ground(self.rules.clone(), options),
            values,
            used_bounds: false,
        }
    }

    /// Copies the values of a statement.
    fn values(
        &self,
        statement: &Statement,
        collection: &mut Collection,
        values: &mut Vec<(String, Value)>,
    ) {
        let names: Vec<&String> = match statement {
            Statement::Sign {
                difference,
                bounded,
                ..
            } => [difference].into_iter().chain(bounded).collect(),
            Statement::Truth(name) => vec![name],
            Statement::All(parts) | Statement::Any(parts) => {
                parts
                    .iter()
                    .for_each(|part| self.values(part, collection, values));
                return;
            }
        };
        for name in names {
            let closed = self.formula(name).filter(|own| own.sort == Sort::Scalar);
            let closed = closed.map(|own| &own.formula);
            if let Some(own) = closed.filter(|own| own.rests_on().is_empty()) {
                values.push((name.clone(), collection.value(own)));
            }
        }
    }

    /// Why a claim has no closed form.
    fn reason(&self, claim: &Claim) -> Option<String> {
        match self.formula(&claim.holds) {
            None => Some("a time in it has no formula, and its bounds do not decide".to_owned()),
            Some(own) if own.formula.open_reductions() > 0 => {
                Some("a part of it has no closed form".to_owned())
            }
            Some(own) => {
                let conditions = own.formula.condition_texts(Notation::Pamela);
                (!conditions.is_empty()).then(|| {
                    let conditions = conditions.join(" && ");
                    format!("its closed form is valid for {conditions} only; claim it with `when`")
                })
            }
        }
    }
}

/// The parameter at each of whose values a claim, which is one comparison, is proved, and their number.
fn by_values_of(proof: &mut Prove, claim: &Claim, axes: &[Axis]) -> Option<(String, u64)> {
    let Statement::Sign {
        difference, goal, ..
    } = &claim.statement
    else {
        return None;
    };
    let closed = proof.closed(difference)?;
    axes.iter().find_map(|axis| {
        let count = by_values(&mut proof.ground, closed, *goal, axis)?;
        Some((axis.name.clone(), count))
    })
}
