//! Compiled models, and their values at points and in columns.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pamela::compiled::{Numbers, Plan, Workspace};
use pamela::emit::{Language, emit};
use pamela::expr::Sort;
use pamela::law::Carrier;
use pamela::pipeline::{Options, Shown};
use pamela::ring::Rational;
use pamela::{Interrupt, document, pool};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyString};

use crate::convert::{Subject, given, point, rational, simple};
use crate::error::{exception, raise, refuse};
use crate::evaluated::Evaluated;
use crate::formula::Formula;
use crate::work::attended;

/// Batches up to this size are fast enough to skip checks for interrupts.
const AT_ONCE: usize = 100_000;

/// Closed forms, with everything needed to evaluate them.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Compiled {
    pub compiled: pamela::Compiled,
    pub carrier: Carrier,
    /// Plan without quantiles, made on first use.
    plan: OnceLock<pamela::Result<PlainPlan>>,
    /// Buffers that finished threads leave for others.
    spare: Mutex<Vec<Workspace>>,
}

/// A plan without quantiles, with what each call at a point needs.
struct PlainPlan {
    plan: Plan,
    /// The parameters in the order of the plan, with the number of base units in one unit if that is not one. `None` if some
    /// parameters are laws.
    parameters: Option<Vec<(Py<PyString>, Option<Rational>)>>,
    /// Names and units of the number columns.
    values: Vec<(Py<PyString>, Option<Shown>)>,
}

impl PlainPlan {
    fn of(py: Python<'_>, compiled: &pamela::Compiled) -> pamela::Result<PlainPlan> {
        let plan = py.detach(|| compiled.plan_of_values(&[]))?;
        let subject = Subject::Compiled(compiled);
        let word = |name: &str| PyString::intern(py, name).unbind();
        let own = plan.parameters().iter();
        let parameters = own.map(|name| (word(name), subject.scale_of(name)));
        let has_laws = compiled.parameters().iter().any(|own| own.law);
        let parameters = (!has_laws).then(|| parameters.collect());
        let names = plan.value_names();
        let values = names.iter().map(|name| word(name)).zip(plan.value_units());
        Ok(PlainPlan {
            parameters,
            values: values.collect(),
            plan,
        })
    }
}

/// Name, flags for law, whole and default, comment, and unit.
type ParameterParts = (String, bool, bool, bool, Option<String>, Option<String>);
/// Number columns by name, and notes about points.
pub type Filled<'py> = (Bound<'py, PyDict>, Vec<(usize, String)>);

pub fn sort_name(sort: Sort) -> &'static str {
    match sort {
        Sort::Scalar => "number",
        Sort::Vector => "vector",
        Sort::Law => "law",
    }
}

pub fn language(py: Python<'_>, name: &str) -> PyResult<Language> {
    let known = Language::ALL.into_iter().find(|known| known.key() == name);
    known.ok_or_else(|| {
        let known = Language::ALL.map(Language::key).join(", ");
        refuse(
            py,
            format!("unknown language `{name}`; expected one of {known}"),
        )
    })
}

impl Compiled {
    pub fn new(compiled: pamela::Compiled, carrier: Carrier) -> Compiled {
        Compiled {
            compiled,
            carrier,
            plan: OnceLock::new(),
            spare: Mutex::default(),
        }
    }

    /// The plan with quantiles of laws.
    pub fn plan(&self, py: Python<'_>, quantiles: &[f64]) -> PyResult<Plan> {
        let made = py.detach(|| self.compiled.plan_of_values(quantiles));
        made.map_err(|error| raise(py, &error))
    }

    fn plain_plan(&self, py: Python<'_>) -> PyResult<&PlainPlan> {
        let plan = match self.plan.get() {
            Some(plan) => plan,
            None => {
                // Outside of the lock, which another thread may hold while it waits for Python.
                let made = PlainPlan::of(py, &self.compiled);
                self.plan.get_or_init(|| made)
            }
        };
        plan.as_ref().map_err(|error| raise(py, error))
    }

    /// Buffers that nobody uses.
    fn workspace(&self, plan: &Plan) -> Workspace {
        let spare = self.spare.lock().ok().and_then(|mut all| all.pop());
        spare.unwrap_or_else(|| plan.workspace())
    }

    fn give_back(&self, workspace: Workspace) {
        if let Ok(mut all) = self.spare.lock() {
            all.push(workspace);
        }
    }

    fn document(
        &self,
        py: Python<'_>,
        write: impl Fn(&pamela::Model) -> pamela::Result<String> + Sync,
    ) -> PyResult<String> {
        let text = py.detach(|| write(self.compiled.model()?));
        text.map_err(|error| raise(py, &error))
    }
}

#[pymethods]
impl Compiled {
    #[staticmethod]
    fn loads(py: Python<'_>, name: &str, text: &[u8]) -> PyResult<Compiled> {
        let text = std::str::from_utf8(text).map_err(|_| {
            refuse(
                py,
                format!("cannot read `{name}`: it is not a compiled model"),
            )
        })?;
        let compiled = py.detach(|| pamela::Compiled::load(name, text));
        let compiled = compiled.map_err(|error| raise(py, &error))?;
        let carrier = compiled.carrier();
        Ok(Compiled::new(compiled, carrier))
    }

    fn dumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = py.detach(|| self.compiled.save());
        let text = text.map_err(|error| raise(py, &error))?;
        Ok(PyBytes::new(py, text.as_bytes()))
    }

    #[getter]
    fn parameters(&self) -> Vec<ParameterParts> {
        let parts = self.compiled.parameters().iter().map(|p| {
            let name = p.name.clone();
            let unit = self.compiled.shown(&name).map(|shown| shown.unit.clone());
            (name, p.law, p.whole, p.default, p.comment.clone(), unit)
        });
        parts.collect()
    }

    /// Units of the parameters and results that have one: the declared ones, or else base units.
    #[getter]
    fn units(&self) -> BTreeMap<String, String> {
        let units = self.compiled.shown_units();
        let units = units.map(|(name, shown)| (name.to_owned(), shown.unit.clone()));
        units.collect()
    }

    /// Defaults of parameters that do not depend on others, in their units.
    #[getter]
    fn defaults(&self, py: Python<'_>) -> PyResult<BTreeMap<String, f64>> {
        let plan = &self.plain_plan(py)?.plan;
        let own = self.compiled.parameters().iter();
        let defaults = own.filter_map(|parameter| {
            let value = plan.default(&parameter.name)?;
            let shown = plan.unit(&parameter.name);
            let value = shown.map_or_else(|| value.clone(), |shown| shown.exact(&value));
            Some((parameter.name.clone(), value.to_f64()))
        });
        Ok(defaults.collect())
    }

    /// The equations that have a name in the model.
    #[getter]
    fn formulas(&self) -> Vec<Formula> {
        let all = self.compiled.equations().iter().enumerate();
        let named = all.filter(|(_, equation)| !equation.auxiliary);
        named
            .map(|(position, _)| Formula::new(&self.compiled, position))
            .collect()
    }

    /// Names of the equations that documents print: one answer for each process.
    #[getter]
    fn shown(&self) -> Vec<&str> {
        let shown = self.compiled.simplified().shown();
        let named = shown.filter(|equation| !equation.auxiliary);
        named.map(|equation| equation.name.as_str()).collect()
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.document(py, |model| Ok(model.name().to_string()))
    }

    /// The model that was compiled.
    #[getter]
    fn model(&self, py: Python<'_>) -> PyResult<crate::model::Model> {
        let model = py.detach(|| self.compiled.model().cloned());
        let model = model.map_err(|error| raise(py, &error))?;
        Ok(crate::model::Model { model })
    }

    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        let simplified = self.compiled.simplified();
        self.document(py, |model| Ok(document::pamela(model, simplified)))
    }

    #[getter]
    fn latex(&self, py: Python<'_>) -> PyResult<String> {
        let simplified = self.compiled.simplified();
        self.document(py, |model| Ok(document::latex(model, simplified)))
    }

    #[getter]
    fn mathml(&self, py: Python<'_>) -> PyResult<String> {
        let simplified = self.compiled.simplified();
        self.document(py, |model| document::mathml(model, simplified))
    }

    #[getter]
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        let simplified = self.compiled.simplified();
        self.document(py, |model| {
            let text = serde_json::to_string(&document::data(model, simplified));
            text.map_err(|error| pamela::Error::new(format!("cannot write JSON: {error}")))
        })
    }

    #[getter]
    fn is_closed(&self) -> bool {
        self.compiled.simplified().is_closed()
    }

    #[getter]
    fn caveats(&self) -> Vec<String> {
        self.compiled.simplified().caveats()
    }

    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let failures = self.compiled.simplified().failures.iter();
        failures.map(|failure| exception(py, failure)).collect()
    }

    /// Emits a file in another language; also returns the omitted equations with the reasons.
    fn emit(&self, py: Python<'_>, name: &str) -> PyResult<(String, Vec<(String, String)>)> {
        let language = language(py, name)?;
        let emitted = py.detach(|| emit(language, &self.compiled));
        let emitted = emitted.map_err(|error| raise(py, &error))?;
        Ok((emitted.text, emitted.refused))
    }

    /// Keeps only these equations.
    fn only(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Compiled> {
        let options = Options {
            only: names,
            laws: self.carrier,
            regimes: true,
            ..Options::default()
        };
        let restricted = self.compiled.restricted(&options);
        let restricted = restricted.map_err(|error| raise(py, &error))?;
        Ok(Compiled::new(restricted, self.carrier))
    }

    #[pyo3(signature = (values, *, thorough=false))]
    fn at(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyDict>,
        thorough: bool,
    ) -> PyResult<Evaluated> {
        let values = given(&self.compiled, values)?;
        let point = point(&values);
        let found = py.detach(|| {
            pool::within(|| {
                if thorough {
                    self.compiled.evaluate_at(&point)
                } else {
                    self.compiled.at(&point)
                }
            })
            .flatten()
        });
        let found = found.map_err(|error| raise(py, &error))?;
        Ok(Evaluated {
            found,
            carrier: self.carrier,
            compiled: self.compiled.clone(),
            values,
        })
    }

    /// Names of the number columns.
    fn columns(&self, py: Python<'_>, quantiles: Vec<f64>) -> PyResult<Vec<String>> {
        if quantiles.is_empty() {
            Ok(self.plain_plan(py)?.plan.value_names())
        } else {
            Ok(self.plan(py, &quantiles)?.value_names())
        }
    }

    /// Evaluates one point at which all parameters are numbers.
    fn point<'py>(&self, py: Python<'py>, values: &Bound<'py, PyDict>) -> PyResult<Filled<'py>> {
        let PlainPlan {
            plan,
            values: columns,
            ..
        } = self.plain_plan(py)?;
        let subject = Subject::Compiled(&self.compiled);
        let mut given: Vec<(Bound<'_, PyString>, Numbers)> = Vec::with_capacity(values.len());
        for (name, value) in values {
            let name = name.cast_into::<PyString>()?;
            let number = rational(&subject, name.to_str()?, &value)?;
            given.push((name, Numbers::Constant(number)));
        }
        let sources = given
            .iter()
            .map(|(name, n)| Ok((name.to_str()?, n.clone())));
        let sources = sources.collect::<PyResult<Vec<_>>>()?;
        let mut places = vec![[0.0]; columns.len()];
        let mut outputs: Vec<&mut [f64]> = places.iter_mut().map(|p| &mut p[..]).collect();
        let notes = py.detach(|| {
            let mut workspace = self.workspace(plan);
            let work = || plan.fill_few(&sources, &mut outputs, &mut workspace);
            let notes = pool::within(work).flatten();
            self.give_back(workspace);
            notes
        });
        let notes = notes.map_err(|error| raise(py, &error))?;
        let found = places.iter().map(|[value]| *value);
        Ok((shown(py, columns, found)?, notes))
    }

    /// Like `point`, if all values are floats and whole numbers, and closed forms give all results; then there are no notes.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyDict>,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let own = self.plain_plan(py)?;
        let Some(parameters) = &own.parameters else {
            return Ok(None);
        };
        if parameters.len() != values.len() {
            return Ok(None);
        }
        let mut given: Vec<Rational> = Vec::with_capacity(parameters.len());
        for (name, scale) in parameters {
            let value = values.get_item(name)?;
            let Some(number) = value.as_ref().and_then(simple) else {
                return Ok(None);
            };
            given.push(match scale {
                Some(scale) => &number * scale,
                None => number,
            });
        }
        let mut found = vec![0.0; own.values.len()];
        let mut workspace = self.workspace(&own.plan);
        let values = given.into_iter();
        let is_found = own.plan.fill_point(values, &mut found, &mut workspace);
        self.give_back(workspace);
        is_found
            .then(|| shown(py, &own.values, found.into_iter()))
            .transpose()
    }

    /// Evaluates the points given by columns of equal length; other `values` are numbers.
    #[pyo3(signature = (values, length, quantiles))]
    fn fill<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyDict>,
        length: usize,
        quantiles: Vec<f64>,
    ) -> PyResult<Filled<'py>> {
        let own = if quantiles.is_empty() {
            None
        } else {
            Some(self.plan(py, &quantiles)?)
        };
        let plan = match &own {
            Some(plan) => plan,
            None => &self.plain_plan(py)?.plan,
        };
        let subject = Subject::Compiled(&self.compiled);
        let mut given: Vec<(String, ParameterValue)> = Vec::with_capacity(values.len());
        for (name, value) in values {
            let name = name.extract::<String>()?;
            let value = match value.extract::<PyReadonlyArray1<f64>>() {
                Ok(array) => ParameterValue::Array(array, subject.scale_of(&name)),
                Err(_) => ParameterValue::Number(rational(&subject, &name, &value)?),
            };
            given.push((name, value));
        }
        let sources = given.iter().map(|(name, value)| {
            let numbers = match value {
                ParameterValue::Number(number) => Numbers::Constant(number.clone()),
                ParameterValue::Array(array, None) => Numbers::Column(array.as_slice()?),
                ParameterValue::Array(array, Some(scale)) => {
                    Numbers::Scaled(array.as_slice()?, scale.clone())
                }
            };
            Ok((name.as_str(), numbers))
        });
        let sources = sources.collect::<PyResult<Vec<(&str, Numbers)>>>()?;
        let names = plan.value_names();
        let arrays: Vec<_> = names
            .iter()
            .map(|_| PyArray1::<f64>::zeros(py, length, false))
            .collect();
        let mut places: Vec<PyReadwriteArray1<f64>> =
            arrays.iter().map(|a| a.readwrite()).collect();
        let outputs = places.iter_mut().map(|place| place.as_slice_mut());
        let mut outputs = outputs.collect::<Result<Vec<&mut [f64]>, _>>()?;
        let interrupt = Interrupt::default();
        let notes = if plan.is_fast() && length < AT_ONCE {
            py.detach(|| plan.fill(&sources, &mut outputs, &interrupt))
        } else {
            attended(py, &interrupt, || {
                plan.fill(&sources, &mut outputs, &interrupt)
            })?
        };
        for (output, unit) in outputs.iter_mut().zip(plan.value_units()) {
            if let Some(unit) = unit {
                output
                    .iter_mut()
                    .for_each(|value| *value = unit.double(*value));
            }
        }
        drop(outputs);
        drop(places);
        let notes = notes.map_err(|error| raise(py, &error))?;
        let found = PyDict::new(py);
        for (name, array) in names.iter().zip(arrays) {
            found.set_item(name, array)?;
        }
        Ok((found, notes))
    }
}

/// The values of number columns at one point, in their units.
fn shown<'py>(
    py: Python<'py>,
    columns: &[(Py<PyString>, Option<Shown>)],
    values: impl Iterator<Item = f64>,
) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for ((name, unit), value) in columns.iter().zip(values) {
        let value = unit.as_ref().map_or(value, |unit| unit.double(value));
        found.set_item(name, PyFloat::new(py, value))?;
    }
    Ok(found)
}

/// The value of a parameter.
enum ParameterValue<'py> {
    Number(Rational),
    /// An array, with the number of base units in one unit if that is not one.
    Array(PyReadonlyArray1<'py, f64>, Option<Rational>),
}
