//! Plans the evaluation of a compiled model: which values a program computes and which need exact
//! evaluation.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Output, Plan, RegimeOutput};
use crate::algebra::Stop;
use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::eval::certified::{Compiler, Program};
use crate::eval::is_raised_by_paths;
use crate::expr::{Arena, ExprId, Sort};
use crate::formula::{Formula, Notation};
use crate::pipeline::{Options, Regime, Simplified, SimplifiedEquation};
use crate::timing::{Origin, Standing};

impl Compiled {
    /// Plans the evaluation of the scalar and law equations, with quantiles of `probabilities`.
    ///
    /// # Errors
    /// Fails if no equation is a scalar or a law, or if a fact is not known.
    pub fn plan(&self, probabilities: &[f64]) -> Result<Plan> {
        self.plan_with(probabilities, true)
    }

    /// Like [`Compiled::plan`], without regimes.
    ///
    /// # Errors
    /// Fails like [`Compiled::plan`].
    pub fn plan_of_values(&self, probabilities: &[f64]) -> Result<Plan> {
        self.plan_with(probabilities, false)
    }

    fn plan_with(&self, probabilities: &[f64], regimes: bool) -> Result<Plan> {
        let parameters: Vec<String> = self.scalar_parameters().map(str::to_owned).collect();
        let names: Vec<&str> = parameters.iter().map(String::as_str).collect();
        let results = |e: &&SimplifiedEquation| {
            !e.auxiliary && e.formals.is_empty() && e.sort != Sort::Vector
        };
        let equations: Vec<&SimplifiedEquation> = self.equations().iter().filter(results).collect();
        let Some(first) = equations.first() else {
            return Err(Error::new(
                "the model has no equation that is a number or a law".to_string(),
            ));
        };
        let mut planning = Planning::new(self, first.formula.arena(), &names);
        let (declared, assumed) = planning.facts();
        planning.equations();
        let outputs: Vec<Output> = equations.iter().map(|e| planning.output(e)).collect();
        let owner = self.regimes_owner().filter(|_| regimes);
        let regimes = owner.and_then(|owner| owner.regimes.as_ref());
        let regimes = regimes.map_or(Vec::new(), |found| {
            let regime = |regime| planning.regime(regime);
            found.regimes.iter().map(regime).collect()
        });
        let slow = outputs.iter().filter(|output| output.place.is_none());
        let slow: Vec<String> = slow.map(|output| output.name.clone()).collect();
        let program = planning.compiler.finish();
        let mut direct = vec![None; program.results()];
        for (number, output) in outputs.iter().enumerate() {
            if let Some((value, _)) = output.place {
                direct[value].get_or_insert(number);
            }
        }
        let given = |name: &String| Some((name.clone(), self.default(name)?));
        Ok(Plan {
            defaults: parameters.iter().filter_map(given).collect(),
            parameters: parameters.clone(),
            program,
            declared,
            assumed,
            direct,
            others: if slow.is_empty() {
                None
            } else {
                Some(self.only(slow)?)
            },
            compiled: self.only(outputs.iter().map(|o| o.name.clone()).collect())?,
            outputs,
            probabilities: probabilities.to_vec(),
            regimes,
        })
    }

    /// The plan that tells for each assumption whether it holds: 1, 0, or NaN if the assumption has no value.
    fn plan_of_assumptions(&self) -> Result<Option<Plan>> {
        let assumptions = self.simplified.assumptions.iter().enumerate();
        let equations: Vec<SimplifiedEquation> = assumptions
            .map(|(number, formula)| SimplifiedEquation {
                name: format!("assumption {number}"),
                sort: Sort::Scalar,
                formals: Vec::new(),
                auxiliary: false,
                kept: false,
                origin: Origin::Equation,
                formula: formula.clone(),
                standing: Standing::exact(),
                superseded: false,
                rules: Vec::new(),
                own_rules: Vec::new(),
                regimes: None,
                regimes_cut: false,
                derivation: None,
                stop: Stop::Saturated,
            })
            .collect();
        if equations.is_empty() {
            return Ok(None);
        }
        let simplified = Simplified {
            equations,
            facts: Vec::new(),
            failures: Vec::new(),
            ..(*self.simplified).clone()
        };
        let assumed = Compiled {
            order: simplified.callees_first().into(),
            simplified: Arc::new(simplified),
            has_random_facts: false,
            ..self.clone()
        };
        assumed.plan_of_values(&[]).map(Some)
    }

    /// The plan that tells whether a condition over names of the model holds: 1, 0, or NaN.
    ///
    /// # Errors
    /// Fails if the text is not such a condition, or if it is random.
    pub fn plan_of_condition(&self, text: &str) -> Result<Plan> {
        let (model, name) = self.model()?.with_expression(text)?;
        let compiled = model.compile(&Options {
            only: vec![name.clone()],
            effort: self.effort,
            laws: self.carrier,
            graphs: self.graphs,
            without_moments: true,
            ..Options::default()
        })?;
        let plan = compiled.plan_of_values(&[])?;
        if plan.equations().any(|(_, sort)| sort != Sort::Scalar) {
            let message = format!("the condition `{text}` is random");
            return Err(Error::new(message)
                .hint("compare a number: `prob(X <= 2) >= 0.99`, `quantile(X, 0.99) <= 2`"));
        }
        Ok(plan)
    }

    fn only(&self, only: Vec<String>) -> Result<Compiled> {
        self.restricted(&Options {
            only,
            effort: self.effort,
            laws: self.carrier,
            graphs: self.graphs,
            ..Default::default()
        })
    }
}

impl Plan {
    /// Plans the check of a condition over names of the model.
    ///
    /// # Errors
    /// Fails like [`Compiled::plan_of_condition`].
    pub fn of_condition(&self, text: &str) -> Result<Plan> {
        self.compiled.plan_of_condition(text)
    }

    /// Plans the check of each assumption of the model; returns `None` if there is none.
    ///
    /// # Errors
    /// Fails like [`Compiled::plan`].
    pub fn of_assumptions(&self) -> Result<Option<Plan>> {
        self.compiled.plan_of_assumptions()
    }
}

/// The program of a plan, as far as it is made.
struct Planning<'c> {
    compiled: &'c Compiled,
    arena: &'c Arena,
    compiler: Compiler<'c>,
    /// True if the program checks all facts.
    knows_facts: bool,
    /// For each equation in the program, the registers of its value and of its conditions.
    told: HashMap<&'c str, Vec<usize>>,
}

impl<'c> Planning<'c> {
    fn new(compiled: &'c Compiled, arena: &'c Arena, parameters: &'c [&'c str]) -> Planning<'c> {
        Planning {
            compiled,
            arena,
            compiler: Program::compiler(arena, parameters),
            knows_facts: !compiled.has_random_facts,
            told: HashMap::new(),
        }
    }

    /// Result positions of declarations and of assumptions.
    fn facts(&mut self) -> (Vec<usize>, Vec<usize>) {
        let (mut declared, mut assumed) = (Vec::new(), Vec::new());
        let Simplified {
            facts, assumptions, ..
        } = &*self.compiled.simplified;
        for fact in facts {
            let is_assumed = assumptions.iter().any(|own| own.root() == fact.root());
            let same = std::ptr::eq(fact.arena(), self.arena);
            match same.then(|| self.compiler.add(fact.root())) {
                Some(Ok(place)) if is_assumed => assumed.push(place),
                Some(Ok(place)) => declared.push(place),
                _ => self.knows_facts = false,
            }
        }
        (declared, assumed)
    }

    /// Tells all equations that it can, each after those that it mentions.
    fn equations(&mut self) {
        let compiled = self.compiled;
        for &position in compiled.order.iter() {
            let equation = &compiled.simplified.equations[position];
            if !equation.formals.is_empty() {
                continue;
            }
            let formula = &equation.formula;
            if let Some(told) = self.registers(formula, Some(formula.root())) {
                self.compiler.define(&equation.name, told[0]);
                self.told.insert(&equation.name, told);
            }
        }
    }

    /// The registers of `root` and of all conditions under which the formula and everything it mentions hold.
    fn registers(&mut self, formula: &Formula, root: Option<ExprId>) -> Option<Vec<usize>> {
        if !self.knows_facts || !std::ptr::eq(formula.arena(), self.arena) {
            return None;
        }
        let roots = root.into_iter().chain(formula.conditions().iter().copied());
        let values = roots.map(|root| self.compiler.value(root).ok());
        let mut told: Vec<usize> = values.collect::<Option<_>>()?;
        for name in formula.mentions() {
            let conditions = &self.told.get(name.as_str())?[1..];
            // One register for each equation, since chains of them are long.
            told.extend(self.compiler.all(conditions));
        }
        Some(told)
    }

    /// The result positions of the given registers.
    fn places(&mut self, told: Option<Vec<usize>>) -> Option<Vec<usize>> {
        let place = |register| self.compiler.result(register);
        told.map(|told| told.into_iter().map(place).collect())
    }

    fn output(&mut self, equation: &SimplifiedEquation) -> Output {
        let formula = &equation.formula;
        let told = self.told.get(equation.name.as_str()).cloned();
        let places = self.places(told);
        Output {
            name: equation.name.clone(),
            sort: equation.sort,
            place: places.map(|places| (places[0], places[1..].to_vec())),
            bounded: self.compiled.graphs.bounds
                && crate::timing::rests_on_paths_alone(formula.approximations())
                && is_raised_by_paths(formula.arena(), formula.root()),
        }
    }

    fn regime(&mut self, regime: &Regime) -> RegimeOutput {
        let told = self.registers(&regime.formula, None);
        RegimeOutput {
            label: label(regime),
            places: self.places(told),
            formula: regime.formula.clone(),
        }
    }
}

/// The dominant term of a regime, else its conditions.
fn label(regime: &Regime) -> String {
    let conditions = || {
        let texts = regime.formula.condition_texts(Notation::Pamela);
        texts.join(" && ")
    };
    regime.dominant.clone().unwrap_or_else(conditions)
}
