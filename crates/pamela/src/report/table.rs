//! Precomputed values of `eval` along one slider, with the others at their initial values.
//!
//! Used for laws, for results that the page cannot compute, and where conditions fail.

use std::sync::Arc;

use super::Page;
use crate::compiled::{Column, Columns, Compiled, EquationColumns, Flag, Input, Plan, decimal};
use crate::diagnostic::Result;
use crate::effort::Effort;
use crate::expr::Sort;
use crate::pipeline::{Options, SimplifiedEquation};

/// Laws and definitions take their time.
const MOST_PLACES: usize = 40;

/// Quantiles of laws; the first and the third are the edges of the bands.
pub(super) const PROBABILITIES: [f64; 4] = [0.1, 0.5, 0.9, 0.99];

/// Values at some points of the axis; all lists have the same length.
#[derive(Default)]
pub(super) struct Table {
    /// Indices into the values of the slider; the first is the initial one.
    pub places: Vec<usize>,
    pub equations: Vec<EquationColumns>,
    /// Notes for each point.
    pub notes: Vec<String>,
}

impl Table {
    /// Evaluates the model along the axis.
    ///
    /// # Errors
    /// Fails if a parameter has no value.
    pub fn new(compiled: &Compiled, page: &Page) -> Result<Table> {
        let only: Vec<String> = compiled
            .equations()
            .iter()
            .filter(|e| shown(e) && e.sort != Sort::Vector)
            .map(|e| e.name.clone())
            .collect();
        if only.is_empty() {
            return Ok(Table::default());
        }
        let restricted = |effort: Effort| {
            let only = only.clone();
            let options = Options {
                only,
                effort,
                ..Options::default()
            };
            compiled.restricted(&options)
        };
        let start = page.sliders.get(page.axis).map_or(0, |slider| slider.start);
        let mut table = Table::default();
        table.add(&restricted(Effort::Normal)?, page, &[start])?;
        let others: Vec<usize> = places(page).into_iter().filter(|p| *p != start).collect();
        table.add(&restricted(Effort::Low)?, page, &others)?;
        Ok(table)
    }

    fn add(&mut self, compiled: &Compiled, page: &Page, places: &[usize]) -> Result<()> {
        let plan = compiled.plan_of_values(&PROBABILITIES)?;
        let mut workspace = plan.workspace();
        for part in places.chunks(crate::eval::certified::LANES) {
            let inputs = inputs(&plan, page, part)?;
            let columns = plan.run(&inputs, part.len(), &mut workspace);
            self.extend(part, columns);
        }
        Ok(())
    }

    fn extend(&mut self, places: &[usize], columns: Columns) {
        self.places.extend(places);
        let start = self.notes.len();
        self.notes
            .resize_with(start + places.len(), String::default);
        for (lane, note) in columns.notes {
            self.notes[start + lane] = note;
        }
        if self.equations.is_empty() {
            self.equations = columns.equations;
            return;
        }
        for (all, own) in self.equations.iter_mut().zip(columns.equations) {
            all.values.extend(own.values);
            all.flags.extend(own.flags);
            if let (Some(all), Some(own)) = (&mut all.law, own.law) {
                all.deviations.extend(own.deviations);
                all.skewnesses.extend(own.skewnesses);
                all.kurtoses.extend(own.kurtoses);
                all.methods.extend(own.methods);
                for (all, own) in all.quantiles.iter_mut().zip(own.quantiles) {
                    all.extend(own);
                }
            }
        }
    }

    pub fn equation(&self, name: &str) -> Option<&EquationColumns> {
        self.equations.iter().find(|e| e.name == name)
    }
}

/// True for results that are numbers or laws.
pub(super) fn shown(equation: &SimplifiedEquation) -> bool {
    use crate::timing::Origin::{Derivative, Elasticity, Moment};
    let derived = matches!(
        equation.origin,
        Derivative { .. } | Elasticity { .. } | Moment { .. }
    );
    !equation.auxiliary && !equation.superseded && !derived && equation.formals.is_empty()
}

/// Places of the axis at equal distances.
fn places(page: &Page) -> Vec<usize> {
    let count = page.sliders.get(page.axis).map_or(1, |s| s.values.len());
    if count <= MOST_PLACES {
        (0..count).collect()
    } else {
        let place = |k: usize| k * (count - 1) / (MOST_PLACES - 1);
        (0..MOST_PLACES).map(place).collect()
    }
}

fn inputs(plan: &Plan, page: &Page, places: &[usize]) -> Result<Vec<Input>> {
    let mut inputs: Vec<(&str, Input)> = Vec::new();
    for (position, slider) in page.sliders.iter().enumerate() {
        let at = |place: &usize| slider.values.get(*place).copied().unwrap_or(f64::NAN);
        let column = |values: Vec<f64>| Input::Column(Arc::new(Column::new(values)), 0);
        let start = at(&slider.start);
        let input = match decimal(start) {
            _ if position == page.axis => column(places.iter().map(at).collect()),
            Some(value) => Input::Constant(value),
            None => column(vec![start; places.len()]),
        };
        inputs.push((&slider.name, input));
    }
    plan.inputs(&inputs)
}

/// The name of a flag in the page's script.
pub(super) fn flag_name(flag: Flag) -> &'static str {
    match flag {
        Flag::Closed => "closed",
        Flag::Definition => "definition",
        Flag::Failed => "failed",
    }
}
