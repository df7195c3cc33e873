//! Values at points.

use pamela::compiled::{Evaluated as Found, Method, Verdict};
use pamela::law::Carrier;
use pamela::pipeline::replace_names;
use pamela::ring::Rational;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::convert::{exact, value};
use crate::error::exception;

/// The values at one point.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Evaluated {
    pub found: Found,
    pub carrier: Carrier,
    /// The model, which knows the units of the values.
    pub compiled: pamela::Compiled,
    /// The values of parameters that were given, in base units.
    pub values: Vec<(String, Rational)>,
}

impl Evaluated {
    fn equation(&self, name: &str) -> Option<&pamela::EvaluatedEquation> {
        self.found.equations.iter().find(|e| e.name == name)
    }
}

#[pymethods]
impl Evaluated {
    #[getter]
    fn names(&self) -> Vec<&str> {
        let equations = self.found.equations.iter();
        equations.map(|equation| equation.name.as_str()).collect()
    }

    /// Names of the equations that documents print: one answer for each process.
    #[getter]
    fn shown(&self) -> Vec<&str> {
        let shown = self.found.equations.iter().filter(|own| !own.superseded);
        shown.map(|equation| equation.name.as_str()).collect()
    }

    /// The value of an equation; `None` if no equation with this name has a value.
    fn value<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.equation(name);
        let unit = self.compiled.shown(name);
        let value = found.map(|equation| value(py, &equation.value, self.carrier, unit));
        value.transpose()
    }

    fn exact<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.equation(name);
        let unit = self.compiled.shown(name);
        let exact = found.map(|e| exact(py, &e.value, unit)).transpose()?;
        Ok(exact.flatten())
    }

    /// A text of the language for a value, without parameters and units: numbers are in the unit of
    /// the value. `None` if the value is not that of a closed form.
    fn text(&self, name: &str) -> Option<String> {
        let is_closed = |own: &&pamela::EvaluatedEquation| own.method == Method::Closed;
        self.equation(name).filter(is_closed)?;
        let plain = self.compiled.simplified().without_units();
        let formula = &plain.equation(name)?.formula;
        let plan = self.compiled.plan_of_values(&[]).ok();
        let value = |word: &str| {
            let given = self.values.iter().find(|(own, _)| own == word);
            let given = given.map(|(_, value)| value.clone());
            let value = given.or_else(|| plan.as_ref()?.default(word))?;
            Some(format!("({value})"))
        };
        let own = formula.parameters();
        let text = replace_names(&formula.pamela(), |word| {
            own.iter().find(|known| *known == word)?;
            value(word)
        });
        Some(match self.compiled.shown(name) {
            Some(shown) if !shown.scale.is_one() => format!("({text}) / ({})", shown.scale),
            _ => text,
        })
    }

    fn method(&self, name: &str) -> Option<&'static str> {
        let found = self.equation(name);
        found.map(|equation| match equation.method {
            Method::Closed => "closed",
            Method::Definition => "definition",
            Method::Run => "run",
        })
    }

    /// How a value relates to the time of a run, in the words of JSON.
    fn standing(&self, name: &str) -> Option<&'static str> {
        self.equation(name)
            .map(|equation| equation.standing.words())
    }

    fn notes(&self, name: &str) -> Vec<String> {
        let Some(equation) = self.equation(name) else {
            return Vec::new();
        };
        let evidence = equation.certificate().map(ToString::to_string);
        let law = equation.law.iter().flat_map(|law| &law.approximations);
        let own = equation.approximations.iter().map(ToString::to_string);
        let all = own.chain(law.cloned());
        evidence
            .into_iter()
            .chain(all)
            .chain(equation.overflow())
            .collect()
    }

    #[getter]
    fn conditions(&self) -> Vec<(String, Option<bool>)> {
        let conditions = self.found.conditions.iter().map(|(text, standing)| {
            let holds = match standing {
                Verdict::Holds => Some(true),
                Verdict::Fails => Some(false),
                Verdict::Undecided => None,
            };
            (text.clone(), holds)
        });
        conditions.collect()
    }

    #[getter]
    fn unfinished(&self) -> Vec<String> {
        self.found.unfinished.clone()
    }

    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let failures = self.found.failures.iter();
        let failures = failures.map(|failure| exception(py, failure));
        PyList::new(py, failures.collect::<PyResult<Vec<_>>>()?)
    }
}
