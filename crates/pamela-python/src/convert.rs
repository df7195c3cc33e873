//! Numbers of Python as exact ones, and back.

use num_bigint::BigInt;
use num_rational::BigRational;
use pamela::Point;
use pamela::eval::{Number, Value, Vector, decimal};
use pamela::pipeline::Shown;
use pamela::ring::Rational;
use pamela::sweep::{InputUnit, of_value};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

use crate::error::{raise, refuse};
use crate::law::Law;

/// The unit in which a parameter of a model is given: bare numbers are of base units.
pub fn unit_of(model: &pamela::Compiled, name: &str) -> InputUnit {
    let shown = model.shown(name).map(|shown| Shown {
        unit: shown.base.clone(),
        scale: Rational::ONE,
        ..shown.clone()
    });
    InputUnit {
        declared: model.declared_units(),
        shown,
    }
}

/// The exact number that an object stands for: of a float the decimal that prints it, of a text what it says in the language,
/// in the unit of the parameter where it is one of a model.
pub fn rational(
    model: Option<&pamela::Compiled>,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<Rational> {
    let py = value.py();
    if let Ok(float) = value.cast::<PyFloat>() {
        let float = float.value();
        let wrong = || refuse(py, format!("`{name}` is {float}, which is no number here"));
        return decimal(float).ok_or_else(wrong);
    }
    if value.is_instance_of::<PyInt>() {
        return whole(value);
    }
    if let Ok(text) = value.cast::<PyString>() {
        let unit = model.map_or(InputUnit::default(), |model| unit_of(model, name));
        let found = unit.constant(text.to_str()?);
        return found.map_err(|error| raise(py, &of_value(name, error)));
    }
    let wrong_type = || {
        let kind = value.get_type().name().map(|name| name.to_string());
        PyTypeError::new_err(format!(
            "`{name}` is of type {}; a number, a Fraction, a Decimal or a text is expected",
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
        let wrong = |_| refuse(py, format!("`{name}` is {text}, which is no number here"));
        return Rational::parse_decimal(&text).map_err(wrong);
    }
    match value.call_method0("__float__") {
        Ok(float) => rational(model, name, &float),
        Err(_) => Err(wrong_type()),
    }
}

/// What NumPy holds may be a time, a complex number or bytes, which turn into floats as well.
fn is_real(value: &Bound<'_, PyAny>) -> bool {
    let kind = value.getattr("dtype").and_then(|own| own.getattr("kind"));
    match kind.and_then(|kind| kind.extract::<String>()) {
        Ok(kind) => ["b", "i", "u", "f"].contains(&kind.as_str()),
        Err(_) => true,
    }
}

/// A number as a text of the language.
#[pyfunction]
pub fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(rational(None, name, value)?.to_string())
}

/// A whole number, which may be one of NumPy.
fn whole(value: &Bound<'_, PyAny>) -> PyResult<Rational> {
    match value.extract::<i64>() {
        Ok(small) => Ok(Rational::from(small)),
        Err(_) => Ok(Rational::from(value.extract::<BigInt>()?)),
    }
}

/// A point where the parameters of a model have the values of keywords.
pub fn point(model: &pamela::Compiled, values: &Bound<'_, PyDict>) -> PyResult<Point> {
    let mut point = Point::default();
    for (name, value) in values {
        let name = name.cast::<PyString>()?;
        let name = name.to_str()?;
        point = point.with(name, rational(Some(model), name, &value)?);
    }
    Ok(point)
}

/// `fractions.Fraction`
pub fn fraction<'py>(py: Python<'py>, value: &Rational) -> PyResult<Bound<'py, PyAny>> {
    BigRational::from(value)
        .into_pyobject(py)
        .map(Bound::into_any)
}

/// A value of an equation: a float, a law, or of a vector a list of components `(array, index, float)`.
pub fn value<'py>(
    py: Python<'py>,
    value: &Value,
    carrier: pamela::law::Carrier,
) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Scalar(number) => Ok(PyFloat::new(py, number.to_f64()).into_any()),
        Value::Law(law) => Ok(Bound::new(py, Law::new((**law).clone(), carrier))?.into_any()),
        Value::Vector(vector) => {
            components(py, vector, |n| Ok(PyFloat::new(py, n.to_f64()).into_any()))
        }
    }
}

/// The exact number in a value: a Fraction, of a vector its components; `None` where it is not known exactly.
pub fn exact<'py>(py: Python<'py>, value: &Value) -> PyResult<Option<Bound<'py, PyAny>>> {
    let number = |number: &Number| match number.as_exact() {
        Some(value) => fraction(py, value),
        None => Ok(py.None().into_bound(py)),
    };
    match value {
        Value::Scalar(n) => Ok(n.as_exact().map(|value| fraction(py, value)).transpose()?),
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
