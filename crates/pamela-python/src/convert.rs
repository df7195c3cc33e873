//! Converts between Python numbers and exact numbers.

use num_bigint::BigInt;
use num_rational::BigRational;
use pamela::Point;
use pamela::eval::{Number, Value, Vector, decimal};
use pamela::law::Calculus;
use pamela::pipeline::Shown;
use pamela::ring::Rational;
use pamela::sweep::{InputUnit, of_value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::{raise, refuse};
use crate::law::Law;

/// A model that knows the units of parameters.
///
/// All numbers from and to Python are in these units, as on the command line.
pub enum Subject<'m> {
    Compiled(&'m pamela::Compiled),
    Model(&'m pamela::Model),
}

impl Subject<'_> {
    /// The unit of bare numbers for a parameter.
    pub fn unit_of(&self, name: &str) -> InputUnit {
        match self {
            Subject::Compiled(compiled) => {
                let shown = compiled.shown(name).cloned();
                let declared = shown.as_ref().map(|_| compiled.declared_units());
                InputUnit {
                    declared: declared.unwrap_or_default(),
                    shown,
                }
            }
            Subject::Model(model) => {
                let declared = model.checked().units().declared().iter();
                InputUnit {
                    declared: declared.map(|unit| format!("{unit}\n")).collect(),
                    shown: model.shown_number(name),
                }
            }
        }
    }

    /// Number of base units in one unit of a parameter; `None` if that is one.
    pub fn scale_of(&self, name: &str) -> Option<Rational> {
        let scale = match self {
            Subject::Compiled(compiled) => compiled.shown(name).map(|shown| shown.scale.clone()),
            Subject::Model(model) => model.shown_number(name).map(|shown| shown.scale),
        };
        scale.filter(|scale| !scale.is_one())
    }
}

/// Converts a value of a parameter to an exact number of base units.
///
/// A float stands for the decimal that it prints as. A text is read in the language.
pub fn rational(subject: &Subject<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<Rational> {
    if let Ok(text) = value.cast::<PyString>() {
        let found = subject.unit_of(name).constant(text.to_str()?);
        return found.map_err(|error| raise(value.py(), &of_value(name, error)));
    }
    let number = plain(name, value)?;
    Ok(match subject.scale_of(name) {
        Some(scale) => &number * &scale,
        None => number,
    })
}

/// The exact number of a float, or of a whole number that is not large; `None` for others.
pub fn simple(value: &Bound<'_, PyAny>) -> Option<Rational> {
    if let Ok(float) = value.cast_exact::<PyFloat>() {
        return decimal(float.value());
    }
    let whole = value.cast_exact::<PyInt>().ok()?;
    whole.extract::<i64>().ok().map(Rational::from)
}

/// Converts an object to an exact number.
fn plain(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Rational> {
    let py = value.py();
    if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.value();
        let wrong = || {
            refuse(
                py,
                format!("`{name}` is {float}, which is not a number here"),
            )
        };
        return decimal(float).ok_or_else(wrong);
    }
    if value.is_instance_of::<PyInt>() {
        return whole(value);
    }
    let wrong_type = || {
        let kind = value.get_type().name().map(|name| name.to_string());
        PyTypeError::new_err(format!(
            "`{name}` is of type {}; expected a number, a Fraction, a Decimal or a text",
            kind.unwrap_or_default()
        ))
    };
    if !is_real(value) {
        return Err(wrong_type());
    }
    // Fractions, and the whole numbers of NumPy.
    if let (Ok(above), Ok(below)) = (value.getattr("numerator"), value.getattr("denominator"))
        && let (Ok(above), Ok(below)) = (whole(&above), whole(&below))
    {
        return above.checked_div(&below).ok_or_else(wrong_type);
    }
    if value.get_type().name()? == "Decimal" {
        let text = value.str()?.to_string();
        let wrong = |_| {
            refuse(
                py,
                format!("`{name}` is {text}, which is not a number here"),
            )
        };
        return Rational::parse_decimal(&text).map_err(wrong);
    }
    match value.call_method0("__float__") {
        Ok(float) => plain(name, &float),
        Err(_) => Err(wrong_type()),
    }
}

/// True if an object is a real number.
///
/// NumPy scalars may be times, complex numbers or bytes, which also convert to floats.
fn is_real(value: &Bound<'_, PyAny>) -> bool {
    let kind = value.getattr("dtype").and_then(|own| own.getattr("kind"));
    match kind.and_then(|kind| kind.extract::<String>()) {
        Ok(kind) => ["b", "i", "u", "f"].contains(&kind.as_str()),
        Err(_) => true,
    }
}

/// Writes a number as text of the language.
#[pyfunction]
pub fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(plain(name, value)?.to_string())
}

/// Converts a text to the unit of a parameter: `"5 [ms]"` gives 5000 if the unit is `[us]`.
#[pyfunction]
pub fn in_unit<'py>(
    py: Python<'py>,
    model: &Bound<'py, PyAny>,
    name: &str,
    text: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let found = with_subject(model, |subject| {
        let unit = subject.unit_of(name);
        let base = unit
            .constant(text)
            .map_err(|error| raise(py, &of_value(name, error)))?;
        Ok(unit
            .shown
            .map_or_else(|| base.clone(), |shown| shown.exact(&base)))
    })?;
    fraction(py, &found)
}

/// Runs `work` with the units of a model or a compiled model.
fn with_subject<T>(
    model: &Bound<'_, PyAny>,
    work: impl FnOnce(&Subject<'_>) -> PyResult<T>,
) -> PyResult<T> {
    if let Ok(compiled) = model.cast::<crate::compiled::Compiled>() {
        return work(&Subject::Compiled(&compiled.get().compiled));
    }
    let model = model.cast::<crate::model::Model>()?;
    work(&Subject::Model(&model.get().model))
}

/// Converts a whole number, including those of NumPy.
fn whole(value: &Bound<'_, PyAny>) -> PyResult<Rational> {
    match value.extract::<i64>() {
        Ok(small) => Ok(Rational::from(small)),
        Err(_) => Ok(Rational::from(value.extract::<BigInt>()?)),
    }
}

/// The given values of parameters, in base units.
pub fn given(
    model: &pamela::Compiled,
    values: &Bound<'_, PyDict>,
) -> PyResult<Vec<(String, Rational)>> {
    let one = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let name = name.extract::<String>()?;
        let value = rational(&Subject::Compiled(model), &name, &value)?;
        Ok((name, value))
    };
    values.iter().map(one).collect()
}

/// The point with these values of parameters.
pub fn point(values: &[(String, Rational)]) -> Point {
    let values = values.iter();
    values.fold(Point::default(), |point, (name, value)| {
        point.with(name, value.clone())
    })
}

/// Makes a `fractions.Fraction`.
pub fn fraction<'py>(py: Python<'py>, value: &Rational) -> PyResult<Bound<'py, PyAny>> {
    BigRational::from(value)
        .into_pyobject(py)
        .map(Bound::into_any)
}

/// Converts a value to its unit: a float, a law, or a list of components `(array, index, float)`.
pub fn value<'py>(
    py: Python<'py>,
    value: &Value,
    carrier: pamela::law::Carrier,
    shown: Option<&Shown>,
) -> PyResult<Bound<'py, PyAny>> {
    let float = |number: &Number| {
        let own = shown.map_or_else(|| number.to_f64(), |shown| shown.number(number).to_f64());
        PyFloat::new(py, own).into_any()
    };
    match value {
        Value::Scalar(number) => Ok(float(number)),
        Value::Law(law) => {
            let law = match shown.filter(|shown| !shown.scale.is_one()) {
                None => (**law).clone(),
                Some(shown) => Calculus::default().scaled(law, shown.double(1.0)),
            };
            Ok(Bound::new(py, Law::new(law, carrier))?.into_any())
        }
        Value::Vector(vector) => components(py, vector, |n| Ok(float(n))),
    }
}

/// Converts to exact numbers: a Fraction, or the components of a vector; `None` if not exact.
pub fn exact<'py>(
    py: Python<'py>,
    value: &Value,
    shown: Option<&Shown>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let own = |value: &Rational| {
        let value = shown.map_or_else(|| value.clone(), |shown| shown.exact(value));
        fraction(py, &value)
    };
    let number = |number: &Number| match number.as_exact() {
        Some(value) => own(value),
        None => Ok(py.None().into_bound(py)),
    };
    match value {
        Value::Scalar(n) => Ok(n.as_exact().map(own).transpose()?),
        Value::Law(_) => Ok(None),
        Value::Vector(vector) => components(py, vector, number).map(Some),
    }
}

fn components<'py>(
    py: Python<'py>,
    vector: &Vector,
    number: impl Fn(&Number) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::empty(py);
    for (array, index, value) in vector.components() {
        list.append((array, fraction(py, index)?, number(value)?))?;
    }
    Ok(list.into_any())
}
