//! Numbers that are not known, at the point of an evaluation.

use super::Arguments;
use crate::cli::shared::RuleOptions;
use crate::cli::sweep_values::{self, SweepInputs};
use crate::cli::{Subject, compiling, uncertain};
use crate::compiled::{Evaluated, decimal};
use crate::diagnostic::Error;
use crate::pipeline::Options;
use crate::sweep::Grid;
use crate::uncertain::{Factor, Spread, spread};

/// What is not known, and all values that are given.
pub struct Unknowns {
    factors: Vec<Factor>,
    /// The model and its values, if something is not known.
    given: Option<(Subject, SweepInputs)>,
}

impl Unknowns {
    /// Finds what is not known; adds the values in the middle of unknown numbers to `values`.
    ///
    /// # Errors
    /// Fails for values that the model does not take.
    pub fn of(
        subject: &Subject,
        arguments: &Arguments,
        values: &mut Vec<(String, String)>,
    ) -> Result<Unknowns, Error> {
        let define = &arguments.values.define;
        let params = arguments.values.params.as_deref();
        let model = match subject {
            Subject::Model(model) => &**model,
            Subject::Compiled(compiled) => compiled.model()?,
        };
        let has_unknown = model
            .checked()
            .parameters()
            .any(|own| own.unknown().is_some());
        if !has_unknown && params.is_none() {
            return Ok(Unknowns {
                factors: Vec::new(),
                given: None,
            });
        }
        let given = sweep_values::given(subject, define, params, false)?;
        let mut there = model.clone();
        for (name, value) in values.iter() {
            there.define(name, value)?;
        }
        let factors = uncertain::factors(&there, &given.factors)?;
        for (name, value) in uncertain::centres(&factors) {
            let shown = model.shown_number(&name);
            let value = shown.map_or(value, |shown| shown.double(value));
            let value = decimal(value)
                .ok_or_else(|| Error::new(format!("the unknown `{name}` has no middle value")))?;
            values.push((name, value.to_string()));
        }
        let subject = match subject {
            Subject::Model(model) => Subject::Model(model.clone()),
            Subject::Compiled(compiled) => Subject::Compiled(compiled.clone()),
        };
        let given = (!factors.is_empty()).then_some((subject, given));
        Ok(Unknowns { factors, given })
    }

    /// The laws of the results that are shown, beside what is not known.
    ///
    /// # Errors
    /// Fails if a parameter has no value.
    pub fn spreads(
        self,
        arguments: &Arguments,
        evaluated: &Evaluated,
        options: Options,
    ) -> Result<(Vec<Spread>, Vec<Factor>), Error> {
        let Some((subject, given)) = self.given else {
            return Ok((Vec::new(), Vec::new()));
        };
        let rules = RuleOptions {
            rules: arguments.rules.rules.clone(),
        };
        let (compiled, given) = compiling::compile(subject, given, &options, &rules)?;
        let grid = Grid::new(given.axes, given.constants)?;
        let plan = compiled.plan_of_values(&arguments.quantiles)?;
        let sampling = arguments.uncertainty.sampling(&[0.05, 0.5, 0.95], true);
        let mut spreads = spread(&plan, &uncertain::known(&grid, 0), &self.factors, &sampling)?;
        let shown = |name: &str| {
            let mut equations = evaluated.equations.iter().filter(|own| !own.superseded);
            equations.any(|own| own.name == name)
        };
        spreads.retain(|own| shown(&own.name));
        Ok((spreads, self.factors))
    }
}
