//! Evaluates equations at many points, as columns of numbers.

mod block;
mod columns;
mod fill;
mod planned;
mod units;

pub use block::Workspace;
pub use columns::{Column, Columns, EquationColumns, Flag, Input, LawColumns};
pub use fill::Numbers;

use block::of_result;

use super::{Compiled, EvaluatedEquation, Method, Point, at};
use crate::diagnostic::Result;
use crate::eval::certified::Program;
use crate::eval::{Limits, Number, Value, evaluate};
use crate::expr::Sort;
use crate::formula::{Formula, Notation};
use crate::law::{self, Cumulants, Law};
use crate::model::BROKEN_ASSUMPTION;
use crate::ring::Rational;
use crate::timing::Note;

/// A plan to compute the equations at every point. Make it once and share it among threads.
#[derive(Clone, Debug)]
pub struct Plan {
    compiled: Compiled,
    parameters: Vec<String>,
    /// Default values of the parameters.
    defaults: Vec<(String, Rational)>,
    program: Program,
    /// Results of the program that check declared facts.
    declared: Vec<usize>,
    assumed: Vec<usize>,
    outputs: Vec<Output>,
    /// For each result of the program, the first output that equals it.
    direct: Vec<Option<usize>>,
    /// The equations that need exact evaluation.
    others: Option<Compiled>,
    probabilities: Vec<f64>,
    regimes: Vec<RegimeOutput>,
}

#[derive(Clone, Debug)]
struct Output {
    name: String,
    sort: Sort,
    /// Index of the value among the results of the program, with the indices of its conditions.
    place: Option<(usize, Vec<usize>)>,
    /// True for a law whose mean has bounds, if bounds were requested.
    bounded: bool,
}

#[derive(Clone, Debug)]
struct RegimeOutput {
    label: String,
    formula: Formula,
    places: Option<Vec<usize>>,
}

impl Plan {
    /// The parameters, in the order of the inputs.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// The column name of `name`, which may be a path into an import.
    pub fn own_name(&self, name: &str) -> String {
        let model = self.compiled.model().ok().filter(|_| name.contains('.'));
        model.map_or_else(|| name.to_owned(), |model| model.own_name(name))
    }

    /// Names and sorts of the equations, in order.
    pub fn equations(&self) -> impl Iterator<Item = (&str, Sort)> {
        self.outputs.iter().map(|o| (o.name.as_str(), o.sort))
    }

    /// The names of the number columns.
    ///
    /// A scalar has one column with its own name. A law has `f_mean`, `f_sd`, `f_skewness`,
    /// `f_kurtosis` and one column for each quantile, such as `f_q0.5`.
    pub fn value_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for output in &self.outputs {
            match output.sort {
                Sort::Law => names.extend(self.law_columns(&output.name)),
                _ => names.push(output.name.clone()),
            }
        }
        names
    }

    /// The names of a law's number columns, including bounds of its mean if it has them.
    pub fn law_columns(&self, name: &str) -> impl Iterator<Item = String> {
        let parts = ["mean", "sd", "skewness", "kurtosis"].map(String::from);
        let quantiles = self.probabilities.iter().map(|p| format!("q{p}"));
        let bounds = ["lower", "upper"].map(String::from);
        let bounds = bounds.into_iter().filter(|_| self.is_bounded(name));
        let parts = parts.into_iter().chain(quantiles).chain(bounds);
        parts.map(move |part| format!("{name}_{part}"))
    }

    /// The closed forms of the equations.
    pub fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.compiled.equations().iter().map(|own| &own.formula)
    }

    /// True if the mean of the law `name` has bounds at each point.
    pub fn is_bounded(&self, name: &str) -> bool {
        self.outputs.iter().any(|o| o.name == name && o.bounded)
    }

    /// The labels of the regimes of [`Compiled::regimes_owner`].
    pub fn regimes(&self) -> impl ExactSizeIterator<Item = &str> {
        self.regimes.iter().map(|regime| regime.label.as_str())
    }

    /// Like [`Plan::regimes`], with conditions added where labels are equal.
    pub fn distinct_regimes(&self) -> impl Iterator<Item = String> {
        let alike = |label: &str| self.regimes().filter(|own| *own == label).count() > 1;
        self.regimes.iter().map(move |regime| {
            if alike(&regime.label) {
                let conditions = regime.formula.condition_texts(Notation::Pamela);
                format!("{}, {}", regime.label, conditions.join(" && "))
            } else {
                regime.label.clone()
            }
        })
    }

    /// The probabilities of the quantiles.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }

    /// The default value of a parameter, if it does not depend on other parameters.
    pub fn default(&self, name: &str) -> Option<Rational> {
        let own = self.defaults.iter().find(|(own, _)| own == name);
        own.map(|(_, value)| value.clone())
    }

    /// Returns inputs in the order of the parameters. Parameters that are not given take their
    /// defaults.
    ///
    /// # Errors
    /// Fails if a name is not a scalar parameter, or if a parameter has no value.
    pub fn inputs(&self, given: &[(&str, Input)]) -> Result<Vec<Input>> {
        let mut point = Point::default();
        for (name, input) in given {
            let zero = || Rational::from(0);
            point = point.with(name, input.exact(0).unwrap_or_else(zero));
        }
        at::require_all(&self.compiled, &point)?;
        let input = |name: &String| {
            let own = given.iter().find(|(own, _)| own == name);
            let default = || self.default(name).map(Input::Constant);
            own.map(|(_, input)| input.clone())
                .or_else(default)
                .unwrap_or(Input::Default)
        };
        Ok(self.parameters.iter().map(input).collect())
    }

    fn columns(&self, length: usize) -> Columns {
        let empty = || vec![f64::NAN; length];
        let equation = |output: &Output| EquationColumns {
            name: output.name.clone(),
            sort: output.sort,
            values: empty(),
            law: (output.sort == Sort::Law).then(|| LawColumns {
                deviations: empty(),
                skewnesses: empty(),
                kurtoses: empty(),
                quantiles: self.probabilities.iter().map(|_| empty()).collect(),
                bounds: output.bounded.then(|| [empty(), empty()]),
                methods: vec![String::new(); length],
            }),
            flags: vec![Flag::Failed; length],
        };
        Columns {
            equations: self.outputs.iter().map(equation).collect(),
            regimes: vec![None; length],
            notes: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Evaluates a batch of at most [`LANES`] points; `inputs` are in the order of the parameters.
    pub fn run(&self, inputs: &[Input], length: usize, workspace: &mut Workspace) -> Columns {
        let results = self.results(inputs, length, workspace);
        let mut columns = self.columns(length);
        let mut known = vec![self.others.is_none(); length];
        let mut facts = vec![true; length];
        restrict(&mut facts, &self.declared, results);
        let outside = self.outside(&facts, results);
        restrict(&mut facts, &self.assumed, results);
        let mut applies = facts.clone();
        for (output, column) in self.outputs.iter().zip(&mut columns.equations) {
            let Some((value, conditions)) = &output.place else {
                continue;
            };
            applies.copy_from_slice(&facts);
            restrict(&mut applies, conditions, results);
            let lanes = applies.iter().zip(of_result(results, *value, length));
            let to = column.values.iter_mut().zip(&mut column.flags);
            for (((&applies, &value), (to, flag)), known) in lanes.zip(to).zip(&mut known) {
                let closed = applies && value.is_finite();
                *to = if closed { value } else { f64::NAN };
                *flag = if closed { Flag::Closed } else { Flag::Failed };
                *known &= closed;
            }
        }
        for lane in (0..length).filter(|&lane| !known[lane]) {
            if outside[lane] {
                columns.notes.push((lane, BROKEN_ASSUMPTION.to_owned()))
            } else {
                self.exactly(inputs, lane, &mut columns)
            }
        }
        self.regimes_of(inputs, results, &mut columns.regimes);
        columns
    }

    /// Points where the declarations hold but an assumption certainly fails.
    fn outside(&self, declared: &[bool], results: &[f64]) -> Vec<bool> {
        let mut outside = vec![false; declared.len()];
        for &place in &self.assumed {
            let values = of_result(results, place, declared.len());
            for ((outside, &declared), &value) in outside.iter_mut().zip(declared).zip(values) {
                *outside |= declared && value == 0.0;
            }
        }
        outside
    }

    /// The values at one point by exact evaluation.
    fn exactly(&self, inputs: &[Input], lane: usize, columns: &mut Columns) {
        let Some(point) = self.point(inputs, lane) else {
            let reason = "a parameter is not a number here".to_string();
            return columns.notes.push((lane, reason));
        };
        let all_but_others = self.outputs.iter().zip(&columns.equations);
        let all_but_others = all_but_others
            .filter(|(output, _)| output.place.is_some())
            .all(|(_, column)| column.flags[lane] != Flag::Failed);
        let compiled = match &self.others {
            Some(others) if all_but_others => others,
            _ => &self.compiled,
        };
        let mut notes: Vec<String> = Vec::new();
        match compiled.at(&point) {
            Err(error) => notes.push(first_line(&error)),
            Ok(evaluated) => {
                columns.steps.push((lane, evaluated.steps));
                for equation in evaluated.equations {
                    let column = columns.equations.iter_mut();
                    if let Some(column) = column.into_iter().find(|c| c.name == equation.name) {
                        self.put(lane, &equation, column, &mut notes);
                    }
                }
                let own = evaluated.failures.iter().skip(evaluated.everywhere);
                notes.extend(own.map(first_line));
                let unfinished = evaluated.unfinished.iter();
                notes.extend(unfinished.map(|name| format!("{name} takes too many steps")));
            }
        }
        if !notes.is_empty() {
            columns.notes.push((lane, notes.join("; ")));
        }
    }

    fn put(
        &self,
        lane: usize,
        equation: &EvaluatedEquation,
        column: &mut EquationColumns,
        notes: &mut Vec<String>,
    ) {
        column.flags[lane] = match equation.method {
            Method::Closed | Method::Run => Flag::Closed,
            Method::Definition => {
                notes.push(format!("{} by the definition", equation.name));
                Flag::Definition
            }
        };
        let own = equation.law.iter().flat_map(|law| &law.approximations);
        let cancelled = equation.approximations.iter();
        notes.extend(
            cancelled
                .filter(|note| matches!(note, Note::Cancelled(_)))
                .map(ToString::to_string),
        );
        notes.extend(
            own.filter(|note| !notes.contains(note))
                .cloned()
                .collect::<Vec<_>>(),
        );
        notes.extend(equation.overflow());
        match (&equation.value, &mut column.law) {
            (Value::Scalar(number), None) => column.values[lane] = number.to_f64(),
            (Value::Scalar(number), Some(_)) => {
                let law = Law::constant(number.to_f64());
                self.put_law(lane, &law, "exact", column);
                let ends = column.law.iter_mut().filter_map(|law| law.bounds.as_mut());
                ends.flatten().for_each(|end| end[lane] = number.to_f64());
            }
            (Value::Law(law), Some(_)) => {
                let method = equation.law.as_ref().and_then(|law| law.method);
                let method = method.map_or("moments".to_string(), |method| method.to_string());
                self.put_law(lane, law, &method, column);
                let found = equation
                    .paths
                    .as_ref()
                    .and_then(|paths| paths.bounds.as_ref());
                let ends = column.law.as_mut().and_then(|law| law.bounds.as_mut());
                if let (Some(found), Some(ends)) = (found, ends) {
                    ends.iter_mut()
                        .zip(found.mean)
                        .for_each(|(end, mean)| end[lane] = mean);
                }
            }
            _ => column.flags[lane] = Flag::Failed,
        }
    }

    fn put_law(&self, lane: usize, law: &Law, method: &str, column: &mut EquationColumns) {
        let cumulants: Cumulants = law.cumulants();
        let exists = |order: usize, value: f64| {
            if law.moments_in_range() >= order {
                value
            } else {
                f64::NAN
            }
        };
        column.values[lane] = exists(1, cumulants.mean);
        let Some(columns) = &mut column.law else {
            return;
        };
        columns.deviations[lane] = exists(2, cumulants.deviation());
        columns.skewnesses[lane] = exists(3, cumulants.skewness());
        columns.kurtoses[lane] = exists(4, cumulants.kurtosis());
        columns.methods[lane] = method.to_string();
        if let Some(value) = law.as_constant() {
            columns
                .quantiles
                .iter_mut()
                .for_each(|own| own[lane] = value);
            return;
        }
        let Ok((distribution, _)) = law.distribution(self.compiled.carrier) else {
            return;
        };
        for (own, &p) in columns.quantiles.iter_mut().zip(&self.probabilities) {
            own[lane] = law::quantile(distribution.as_ref(), p);
        }
    }

    /// For each point, the first regime whose conditions hold.
    fn regimes_of(&self, inputs: &[Input], results: &[f64], found: &mut [Option<usize>]) {
        let length = found.len();
        for (number, regime) in self.regimes.iter().enumerate() {
            let places = regime.places.as_deref();
            let mut all = vec![places.is_some(); found.len()];
            restrict(&mut all, places.unwrap_or_default(), results);
            let fails = |lane: usize| {
                let places = places.into_iter().flatten();
                let mut values = places.map(|&place| of_result(results, place, length)[lane]);
                values.any(|value| value == 0.0)
            };
            let lanes = found.iter_mut().zip(all).enumerate();
            for (lane, (found, all)) in lanes.filter(|(_, (found, _))| found.is_none()) {
                if all || !fails(lane) && self.regime_holds(regime, inputs, lane) {
                    *found = Some(number);
                }
            }
        }
    }

    /// True if the conditions of a regime hold, by exact evaluation.
    fn regime_holds(&self, regime: &RegimeOutput, inputs: &[Input], lane: usize) -> bool {
        let Some(point) = self.point(inputs, lane) else {
            return false;
        };
        let formula = &regime.formula;
        formula.conditions().iter().all(|&condition| {
            let limits = Limits { steps: 10_000 };
            let value = evaluate(formula.arena(), condition, &point.values, limits);
            matches!(value, Ok(Value::Scalar(number)) if !number.is_zero())
        })
    }

    fn point(&self, inputs: &[Input], lane: usize) -> Option<Point> {
        let mut point = Point::default();
        for (name, input) in self.parameters.iter().zip(inputs) {
            if let Input::Default = input {
                continue;
            }
            let value = Value::Scalar(Number::Exact(input.exact(lane)?));
            point.values.insert(name.clone(), value);
        }
        Some(point)
    }
}

/// Leaves the points where the results at all these places are 1.
fn restrict(points: &mut [bool], places: &[usize], results: &[f64]) {
    for &place in places {
        let values = of_result(results, place, points.len());
        for (point, &result) in points.iter_mut().zip(values) {
            *point &= result == 1.0;
        }
    }
}

fn first_line(error: &crate::diagnostic::Error) -> String {
    let diagnostic = error.diagnostics.first();
    diagnostic.map_or(String::new(), |d| d.message.replace(['\n', '\r'], " "))
}
