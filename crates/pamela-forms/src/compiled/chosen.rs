//! Selects equations of a compiled model, with the equations that they mention.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::Compiled;
use crate::diagnostic::{Error, Result};
use crate::pipeline::{
    Asked, Options, Simplified, SimplifiedEquation, no_equation, no_formula, process_of_run,
    supersede_estimates,
};
use crate::timing::{Origin, Standing};

impl Compiled {
    /// An error if `name` is the time of a run and only bounds of it are known.
    pub fn no_formula(&self, name: &str) -> Option<Error> {
        let equations = &self.simplified.equations;
        if equations.iter().any(|e| e.name == name) {
            return None;
        }
        no_formula(name, self.lower_times())
    }

    /// Origins of the times that are lower bounds.
    fn lower_times(&self) -> impl Iterator<Item = &Origin> {
        let is_time = |e: &&SimplifiedEquation| {
            matches!(e.origin, Origin::Time(_)) && e.standing == Standing::Lower
        };
        let times = self.simplified.equations.iter().filter(is_time);
        times.map(|e| &e.origin)
    }

    /// The names in `only`. A time that only a run gives is replaced by its bound `L_L`.
    fn only_with_runs(&self, options: &Options) -> Vec<String> {
        let own = |name: &String| {
            let has_it = self.simplified.equation(name).is_some();
            let process = process_of_run(name, self.lower_times()).filter(|_| !has_it);
            let bound = Origin::Lower(process.filter(|_| options.runs)?.clone());
            let bound = self.simplified.equations.iter().find(|e| e.origin == bound);
            bound.map(|bound| bound.name.clone())
        };
        let all = options.only.iter();
        all.map(|name| own(name).unwrap_or_else(|| name.clone()))
            .collect()
    }

    /// True if `options` ask for bounds that this model does not have.
    pub fn lacks_bounds(&self, options: &Options) -> bool {
        let is_run = |name: &String| options.runs && self.no_formula(name).is_some();
        let mut only = options.only.iter();
        let named = only.any(|name| {
            Asked::by(name).is_bound() && self.simplified.equation(name).is_none() || is_run(name)
        });
        let asked = options.bounds || named;
        asked && !self.has_bounds()
    }

    /// True if each process has bounds of its time.
    pub fn has_bounds(&self) -> bool {
        let equations = &self.simplified.equations;
        let has = |origin: Origin| equations.iter().any(|e| e.origin == origin);
        let mut processes = equations.iter().filter_map(|e| match &e.origin {
            Origin::Time(process) => Some(process),
            _ => None,
        });
        processes.all(|process| has(Origin::Lower(process.clone())))
    }

    /// Keeps the equations that `options` ask for, and the equations that these mention.
    ///
    /// # Errors
    /// Fails if no equation has a requested name.
    pub fn restricted(&self, options: &Options) -> Result<Compiled> {
        let equations = &self.simplified.equations;
        let by_name: BTreeMap<&str, &SimplifiedEquation> =
            equations.iter().map(|e| (e.name.as_str(), e)).collect();
        let only = self.only_with_runs(options);
        if let Some(unknown) = only
            .iter()
            .find(|name| !by_name.contains_key(name.as_str()))
        {
            if let Some(error) = self.no_formula(unknown) {
                return Err(error);
            }
            let named = equations.iter().filter(|equation| !equation.auxiliary);
            let names: Vec<&str> = named.map(|e| e.name.as_str()).collect();
            return Err(no_equation(unknown, &names));
        }
        let wanted = |e: &&SimplifiedEquation| {
            if options.only.is_empty() {
                match e.origin {
                    Origin::Moment { ref moment, .. } => {
                        let most = options.most_moments.unwrap_or(usize::MAX);
                        let mut first = crate::timing::Moment::ALL.iter().take(most);
                        !options.without_moments && first.any(|own| own == moment)
                    }
                    ref origin if origin.is_bound() && !options.bounds && !options.times => false,
                    _ => options.all || e.origin.is_result(),
                }
            } else {
                only.contains(&e.name)
            }
        };
        let chosen: HashSet<&str> = equations
            .iter()
            .filter(|e| !e.auxiliary)
            .filter(wanted)
            .map(|e| e.name.as_str())
            .collect();
        let mut needed = chosen.clone();
        let mut pending: Vec<&str> = needed.iter().copied().collect();
        while let Some(name) = pending.pop() {
            let mentions = by_name[name].formula.mentions().into_iter();
            for mentioned in mentions.filter_map(|name| by_name.get(name.as_str())) {
                if needed.insert(&mentioned.name) {
                    pending.push(&mentioned.name);
                }
            }
        }
        let kept = equations
            .iter()
            .filter(|e| needed.contains(e.name.as_str()));
        // An equation that is only mentioned is auxiliary.
        let kept = kept.map(|e| SimplifiedEquation {
            auxiliary: e.auxiliary || !chosen.contains(e.name.as_str()),
            superseded: e.superseded && options.only.is_empty(),
            regimes: e.regimes.clone().filter(|_| options.regimes),
            ..e.clone()
        });
        let mut kept: Vec<SimplifiedEquation> = kept.collect();
        if options.all {
            supersede_estimates(&mut kept, true);
        }
        let simplified = Simplified {
            equations: kept,
            ..(*self.simplified).clone()
        };
        Ok(Compiled {
            order: simplified.callees_first().into(),
            simplified: Arc::new(simplified),
            carrier: options.laws,
            effort: options.effort,
            ..self.clone()
        })
    }
}
