//! Models as read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pamela::model::walk::free_names;
use pamela::pipeline::{Options, Texts};
use pamela::syntax::tree::{ParameterFact, Type, Value};
use pamela::syntax::{FileLoader, Loader, NoFiles, parse_expression};
use pamela::{Effort, law::Carrier};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::compiled::Compiled;
use crate::error::{raise, refuse};
use crate::work::interruptible;

/// A checked model.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Model {
    pub model: pamela::Model,
}

/// Files given by name, and a directory for others.
struct Given<'a> {
    /// Name of the text itself.
    name: &'a str,
    files: BTreeMap<String, String>,
    directory: Option<PathBuf>,
}

impl Loader for Given<'_> {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        if self.files.contains_key(path) {
            return Ok(path.to_owned());
        }
        let is_own = including == self.name || self.files.contains_key(including);
        match &self.directory {
            Some(directory) if is_own => Ok(directory.join(path).to_string_lossy().into_owned()),
            Some(_) => FileLoader.resolve(including, path),
            None => Err("no file of this name is given".to_owned()),
        }
    }

    fn read(&self, name: &str) -> Result<String, String> {
        match self.files.get(name) {
            Some(text) => Ok(text.clone()),
            None if self.directory.is_some() => FileLoader.read(name),
            None => Err("no file of this name is given".to_owned()),
        }
    }

    fn identity(&self, name: &str) -> String {
        if self.files.contains_key(name) {
            name.to_owned()
        } else {
            FileLoader.identity(name)
        }
    }
}

/// Name, flags for law, whole and default, facts, comment, and unit.
type ParameterParts = (
    String,
    bool,
    bool,
    bool,
    Vec<String>,
    Option<String>,
    Option<String>,
);

#[pymethods]
impl Model {
    /// Reads a text; its files are given, or are in a directory.
    #[new]
    #[pyo3(signature = (text, name="model", files=None, directory=None))]
    fn new(
        py: Python<'_>,
        text: String,
        name: &str,
        files: Option<BTreeMap<String, String>>,
        directory: Option<PathBuf>,
    ) -> PyResult<Model> {
        let read = || match (&files, &directory) {
            (None, None) => pamela::Model::read(name, &text, &NoFiles),
            _ => pamela::Model::read(
                name,
                &text,
                &Given {
                    name,
                    files: files.unwrap_or_default(),
                    directory,
                },
            ),
        };
        made(py, py.detach(read))
    }

    #[staticmethod]
    fn from_file(py: Python<'_>, path: &str) -> PyResult<Model> {
        made(py, py.detach(|| pamela::Model::from_file(path)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    #[getter]
    fn text(&self) -> &str {
        self.model.texts().text()
    }

    #[getter]
    fn parameters(&self) -> Vec<ParameterParts> {
        let parameters = self.model.checked().parameters();
        let parts = parameters.map(|equation| {
            let has = |wanted: fn(&ParameterFact) -> bool| equation.facts.iter().any(wanted);
            let bounds = equation.facts.iter().filter_map(|fact| match fact {
                ParameterFact::Bound(..) => Some(format!("{} {fact}", equation.name.text)),
                _ => None,
            });
            (
                equation.name.text.clone(),
                has(|fact| matches!(fact, ParameterFact::Law(_))),
                has(|fact| matches!(fact, ParameterFact::Integer(_))),
                equation.value.is_some(),
                bounds.collect(),
                equation.comment.clone(),
                self.model
                    .shown_number(&equation.name.text)
                    .map(|shown| shown.unit),
            )
        });
        parts.collect()
    }

    /// Units of the parameters that have one: the declared ones, or else base units.
    #[getter]
    fn units(&self) -> BTreeMap<String, String> {
        let parameters = self.model.checked().parameters();
        let unit = |name: &String| Some((name.clone(), self.model.shown_number(name)?.unit));
        parameters
            .filter_map(|equation| unit(&equation.name.text))
            .collect()
    }

    /// Names of the numeric equations without arguments.
    #[getter]
    fn equations(&self) -> Vec<String> {
        let equations = self.model.checked().equations().iter();
        let own = equations.filter(|equation| {
            equation.kind == Type::Numeric && !equation.parameter && equation.formals.is_empty()
        });
        own.map(|equation| equation.name.text.clone()).collect()
    }

    /// The model with one more parameter, a number without facts.
    fn with_parameter(&self, py: Python<'_>, name: &str) -> PyResult<Model> {
        made(py, self.model.with_parameter(name))
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        let checked = self.model.checked();
        let warnings = checked.warnings().into_iter();
        warnings
            .map(|warning| warning.render(checked.sources(), false))
            .collect()
    }

    fn define(&self, py: Python<'_>, values: Vec<(String, String)>) -> PyResult<Model> {
        let mut model = self.model.clone();
        for (name, value) in values {
            let defined = model.define(&name, &value);
            defined.map_err(|error| raise(py, &error))?;
        }
        Ok(Model { model })
    }

    /// All texts that the model was read from.
    fn dumps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let text = serde_json::to_vec(self.model.texts());
        let text = text.map_err(|error| refuse(py, format!("cannot save: {error}")))?;
        Ok(PyBytes::new(py, &text))
    }

    #[staticmethod]
    fn loads(py: Python<'_>, data: &[u8]) -> PyResult<Model> {
        let texts: Texts = serde_json::from_slice(data)
            .map_err(|error| refuse(py, format!("these bytes are not a model: {error}")))?;
        made(py, py.detach(|| texts.model()))
    }

    fn check(&self, py: Python<'_>) -> PyResult<()> {
        let checked = py.detach(|| self.model.check());
        checked.map_err(|error| raise(py, &error))
    }

    fn compile(&self, py: Python<'_>, options: &Bound<'_, PyDict>) -> PyResult<Compiled> {
        let options = options_of(options)?;
        let (model, carrier) = (self.model.clone(), options.laws);
        let interrupt = options.interrupt.clone();
        let work = move || model.compile(&options);
        let compiled = interruptible(py, || interrupt.stop(), work)?;
        let compiled = compiled.map_err(|error| raise(py, &error))?;
        Ok(Compiled::new(compiled, carrier))
    }
}

fn made(py: Python<'_>, model: pamela::Result<pamela::Model>) -> PyResult<Model> {
    match model {
        Ok(model) => Ok(Model { model }),
        Err(error) => Err(raise(py, &error)),
    }
}

/// The names that an expression mentions without calling them.
#[pyfunction]
pub fn names_of(py: Python<'_>, text: &str) -> PyResult<Vec<String>> {
    let parsed = parse_expression("the value", text);
    let (expression, _) = parsed.map_err(|error| raise(py, &error))?;
    let mut names = Vec::new();
    free_names(&Value::Numeric(expression), &[], &mut |name, _, called| {
        if !called && !names.iter().any(|own| own == name) {
            names.push(name.to_owned());
        }
    });
    Ok(names)
}

/// Reads the options of the command line by name.
pub fn options_of(given: &Bound<'_, PyDict>) -> PyResult<Options> {
    let py = given.py();
    let mut options = Options::default();
    for (name, value) in given {
        let name = name.extract::<String>()?;
        match name.as_str() {
            "strict" => options.strict = value.extract()?,
            "all" => options.all = value.extract()?,
            "bounds" => options.bounds = value.extract()?,
            "times" => options.times = value.extract()?,
            "exact_times" => options.exact_times = value.extract()?,
            "only" => options.only = value.extract()?,
            "expand" => options.expand = value.extract()?,
            "explain" => options.explain = value.extract()?,
            "enclose" => options.enclose = value.extract()?,
            "regimes" => options.regimes = value.extract()?,
            "sensitivity" => options.sensitivity = value.extract()?,
            "collect" => options.collect = value.extract()?,
            "moments" => {
                let most: usize = value.extract()?;
                options.without_moments = most == 0;
                options.most_moments = Some(most);
            }
            "effort" => options.effort = effort(py, &value.extract::<String>()?)?,
            "laws" => options.laws = carrier(py, &value.extract::<String>()?)?,
            _ => return Err(refuse(py, format!("unknown option `{name}`"))),
        }
    }
    Ok(options)
}

fn effort(py: Python<'_>, name: &str) -> PyResult<Effort> {
    match name {
        "low" => Ok(Effort::Low),
        "normal" => Ok(Effort::Normal),
        "high" => Ok(Effort::High),
        _ => {
            let message = format!("`effort={name:?}`: expected \"low\", \"normal\" or \"high\"");
            Err(refuse(py, message))
        }
    }
}

pub fn carrier(py: Python<'_>, name: &str) -> PyResult<Carrier> {
    match name {
        "grid" => Ok(Carrier::Grid),
        "gld" => Ok(Carrier::Gld),
        "johnson" => Ok(Carrier::Johnson),
        _ => {
            let message = format!("`laws={name:?}`: expected \"grid\", \"gld\" or \"johnson\"");
            Err(refuse(py, message))
        }
    }
}
