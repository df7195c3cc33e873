//! Closed forms with their conditions.

use pamela::emit::{emit, mathml};
use pamela::formula::{Notation, StepText};
use pamela::pipeline::Options;
use pamela::timing::{Note, Origin};
use pamela::{Compiled, SimplifiedEquation, document};
use pyo3::prelude::*;

use crate::compiled::language;
use crate::error::raise;

/// One equation of a compiled model.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Formula {
    compiled: Compiled,
    position: usize,
}

/// Text, LaTeX, conditions, and the dominating part.
type RegimeParts = (String, String, Vec<String>, Option<String>);
/// Parameter, text, LaTeX, conditions.
type CrossingParts = (String, String, String, Vec<String>);
/// Rule, its statement, left side, right side, indices with ranges, and premises with their
/// reasons.
type StepParts = (
    String,
    String,
    String,
    String,
    Vec<(String, String, String)>,
    Vec<(String, String)>,
);

impl Formula {
    pub fn new(compiled: &Compiled, position: usize) -> Formula {
        Formula {
            compiled: compiled.clone(),
            position,
        }
    }

    fn equation(&self) -> &SimplifiedEquation {
        &self.compiled.equations()[self.position]
    }

    fn display(&self) -> String {
        let equation = self.equation();
        let name = document::latex_quantity(equation);
        format!("{name} = {}", equation.formula.latex())
    }

    fn step(step: StepText) -> StepParts {
        let scope = step.scope.into_iter();
        let premises = step.premises.into_iter();
        let status = |premise: &pamela::formula::PremiseText| {
            serde_json::to_value(premise.status)
                .ok()
                .and_then(|value| value.as_str().map(str::to_owned))
                .unwrap_or_default()
        };
        (
            step.rule,
            step.says,
            step.left,
            step.right,
            scope.map(|r| (r.index, r.lower, r.upper)).collect(),
            premises
                .map(|p| (p.condition.clone(), status(&p)))
                .collect(),
        )
    }
}

#[pymethods]
impl Formula {
    #[getter]
    fn name(&self) -> &str {
        &self.equation().name
    }

    #[getter]
    fn text(&self) -> String {
        self.equation().formula.pamela()
    }

    #[getter]
    fn latex(&self) -> String {
        self.equation().formula.latex()
    }

    #[getter]
    fn latex_name(&self) -> String {
        document::latex_quantity(self.equation())
    }

    #[getter]
    fn mathml(&self, py: Python<'_>) -> PyResult<String> {
        mathml(&self.display(), true).map_err(|error| raise(py, &error))
    }

    #[getter]
    fn sort(&self) -> &'static str {
        crate::compiled::sort_name(self.equation().sort)
    }

    #[getter]
    fn conditions(&self) -> Vec<String> {
        self.equation().formula.condition_texts(Notation::Pamela)
    }

    /// The conditions for a reader, in the language or in LaTeX.
    fn domain(&self, latex: bool) -> Vec<String> {
        let equation = self.equation();
        let notation = if latex {
            Notation::Latex
        } else {
            Notation::Pamela
        };
        let text = equation.formula.text(notation, &equation.name);
        if text.definitions.is_empty() {
            text.domain
        } else {
            equation.formula.condition_texts(notation)
        }
    }

    #[getter]
    fn assumptions(&self) -> Vec<String> {
        self.equation().formula.assumption_texts(Notation::Pamela)
    }

    #[getter]
    fn approximations(&self) -> Vec<String> {
        let equation = self.equation();
        let notes = equation.formula.notes().into_iter();
        let notes = notes.filter(|note| !matches!(note, Note::Assumes(_)));
        let notes = notes.map(|note| note.to_string());
        notes.chain(equation.budget_notes()).collect()
    }

    /// How the value relates to the time of a run, in the words of JSON.
    #[getter]
    fn standing(&self) -> &'static str {
        self.equation().standing.words()
    }

    /// True if text and HTML leave the equation out: the exact time of its process is known.
    #[getter]
    fn superseded(&self) -> bool {
        self.equation().superseded
    }

    #[getter]
    fn rests_on(&self) -> Vec<String> {
        self.equation().formula.rests_on().to_vec()
    }

    #[getter]
    fn evidence(&self) -> Option<String> {
        self.equation().proof().map(ToString::to_string)
    }

    /// The parameters that the form depends on, in the order of the model.
    #[getter]
    fn parameters(&self) -> Vec<String> {
        let own = self.equation().formula.parameters();
        let all = self.compiled.parameters().iter();
        let own = all.filter(|parameter| own.contains(&parameter.name));
        own.map(|parameter| parameter.name.clone()).collect()
    }

    #[getter]
    fn formals(&self) -> Vec<String> {
        self.equation().formals.clone()
    }

    /// The closed forms that this one belongs to.
    #[getter]
    fn compiled(&self) -> crate::compiled::Compiled {
        let carrier = self.compiled.carrier();
        crate::compiled::Compiled::new(self.compiled.clone(), carrier)
    }

    /// The equation and the parameter of a derivative.
    #[getter]
    fn derivative_of(&self) -> Option<(String, String)> {
        match &self.equation().origin {
            Origin::Derivative { of, by } => Some((of.clone(), by.clone())),
            _ => None,
        }
    }

    /// Number of base units in one unit of a parameter or of the value.
    fn scale(&self, name: &str) -> f64 {
        let shown = self.compiled.shown(name);
        shown.map_or(1.0, |shown| shown.scale.to_f64())
    }

    #[getter]
    fn operations(&self) -> usize {
        self.equation().formula.operations()
    }

    #[getter]
    fn open_reductions(&self) -> usize {
        self.equation().formula.open_reductions()
    }

    #[getter]
    fn regimes(&self) -> Vec<RegimeParts> {
        let found = self.equation().regimes.iter();
        let regimes = found.flat_map(|found| &found.regimes).map(|regime| {
            let formula = &regime.formula;
            let conditions = formula.condition_texts(Notation::Pamela);
            let dominant = regime.dominant.clone();
            (formula.pamela(), formula.latex(), conditions, dominant)
        });
        regimes.collect()
    }

    #[getter]
    fn crossings(&self) -> Vec<CrossingParts> {
        let found = self.equation().regimes.iter();
        let crossings = found.flat_map(|found| &found.crossings).map(|crossing| {
            let formula = &crossing.formula;
            let conditions = formula.condition_texts(Notation::Pamela);
            let parameter = crossing.parameter.clone();
            (parameter, formula.pamela(), formula.latex(), conditions)
        });
        crossings.collect()
    }

    #[getter]
    fn steps(&self) -> Vec<StepParts> {
        let derivation = self.equation().derivation.iter();
        let steps = derivation.flat_map(|derivation| derivation.steps(Notation::Pamela));
        steps.map(Formula::step).collect()
    }

    /// Emits a file in another language; also returns the names of both functions and their
    /// parameters.
    fn emit(&self, py: Python<'_>, name: &str) -> PyResult<(String, String, String, Vec<String>)> {
        let language = language(py, name)?;
        let equation = self.equation();
        let options = Options {
            only: vec![equation.name.clone()],
            ..Options::default()
        };
        let only = self.compiled.restricted(&options);
        let emitted = only.and_then(|only| emit(language, &only));
        let emitted = emitted.map_err(|error| raise(py, &error))?;
        let own = emitted.signatures.iter().find(|s| s.name == equation.name);
        let Some(own) = own else {
            let refused = emitted.refused.iter().find(|(n, _)| *n == equation.name);
            let reason = refused.map_or("has no form there", |(_, reason)| reason);
            let message = format!(
                "`{}` cannot be written in {name}: it {reason}",
                equation.name
            );
            return Err(crate::error::refuse(py, message));
        };
        let (function, holds) = (own.function.clone(), own.holds.clone());
        let parameters = own.parameters.clone();
        Ok((emitted.text, function, holds, parameters))
    }
}
