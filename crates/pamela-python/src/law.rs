//! Laws of random variables.

use std::sync::{Arc, OnceLock};

use numpy::{PyArray1, PyReadonlyArray1};
use pamela::law::{self, Calculus, Carrier, Distribution, Method, Probability};
use pyo3::prelude::*;

use crate::error::refuse;

/// A law of a random variable.
#[pyclass(frozen, module = "pamelaplus._pamela")]
pub struct Law {
    law: law::Law,
    carrier: Carrier,
    distribution: OnceLock<Found>,
}

/// The distribution and its method, or the reason why there is none.
type Found = Result<(Arc<dyn Distribution>, Method), String>;
type Array<'py> = Bound<'py, PyArray1<f64>>;

impl Law {
    pub fn new(law: law::Law, carrier: Carrier) -> Law {
        Law {
            law,
            carrier,
            distribution: OnceLock::new(),
        }
    }

    fn distribution(&self, py: Python<'_>) -> PyResult<&Arc<dyn Distribution>> {
        let made = py.detach(|| {
            self.distribution
                .get_or_init(|| self.law.distribution(self.carrier))
        });
        match made {
            Ok((distribution, _)) => Ok(distribution),
            Err(reason) => Err(refuse(py, reason.clone())),
        }
    }

    /// Applies a function to each element of an array.
    fn map<'py>(
        &self,
        py: Python<'py>,
        array: &PyReadonlyArray1<'py, f64>,
        of: impl Fn(&dyn Distribution, f64) -> f64 + Sync,
    ) -> PyResult<Array<'py>> {
        let distribution = self.distribution(py)?;
        let values = array.as_slice()?;
        let found: Vec<f64> = py.detach(|| {
            let values = values.iter();
            values.map(|&x| of(distribution.as_ref(), x)).collect()
        });
        Ok(PyArray1::from_vec(py, found))
    }
}

/// The quantile of a probability; NaN if it is not a probability.
fn quantile(law: &dyn Distribution, p: Probability, given: f64) -> f64 {
    match given {
        0.0..=1.0 => law.quantile(p),
        _ => f64::NAN,
    }
}

/// The probability of one value.
fn mass(law: &dyn Distribution, x: f64) -> f64 {
    let mass = law.cdf_before(x).until(law.cdf(x));
    // The cdf of a law without a jump here is rounded on both sides.
    let is_rounding = mass.abs() < 1e-12 && !law.is_discrete();
    if is_rounding { 0.0 } else { mass }
}

#[pymethods]
impl Law {
    /// Mean, variance, skewness and kurtosis (3 for a normal law); NaN if they do not exist.
    #[getter]
    fn moments(&self) -> [f64; 4] {
        let cumulants = self.law.cumulants();
        let mut all = [
            cumulants.mean,
            cumulants.variance,
            cumulants.skewness(),
            cumulants.kurtosis(),
        ];
        all[self.law.moments_in_range().min(4)..].fill(f64::NAN);
        all
    }

    /// The raw moments, as far as they are known.
    #[getter]
    fn raw_moments(&self) -> [f64; 4] {
        let mut all = self.law.cumulants().raw_moments();
        all[self.law.moments_in_range().min(4)..].fill(f64::NAN);
        all
    }

    #[getter]
    fn support(&self) -> (f64, f64) {
        let support = self.law.support();
        (support.lower, support.upper)
    }

    #[getter]
    fn method(&self, py: Python<'_>) -> Option<String> {
        self.distribution(py).ok()?;
        let found = self.distribution.get()?.as_ref().ok()?;
        Some(found.1.to_string())
    }

    #[getter]
    fn approximations(&self) -> Vec<String> {
        law_value(&self.law, self.carrier).approximations
    }

    #[getter]
    fn is_discrete(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.distribution(py)?.is_discrete())
    }

    fn cdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.cdf(x).below)
    }

    fn sf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.cdf(x).above)
    }

    fn logcdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.cdf(x).ln())
    }

    fn logsf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.cdf(x).complement().ln())
    }

    fn pdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.density(x).unwrap_or(f64::NAN))
    }

    /// The probability of each value.
    fn pmf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, mass)
    }

    fn logpdf<'py>(&self, py: Python<'py>, x: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &x, |law, x| law.log_density(x).unwrap_or(f64::NAN))
    }

    fn ppf<'py>(&self, py: Python<'py>, p: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &p, |law, p| quantile(law, Probability::below(p), p))
    }

    fn isf<'py>(&self, py: Python<'py>, q: PyReadonlyArray1<'py, f64>) -> PyResult<Array<'py>> {
        self.map(py, &q, |law, q| quantile(law, Probability::above(q), q))
    }
}

fn law_value(law: &law::Law, carrier: Carrier) -> pamela::LawValue {
    pamela::LawValue::of(law, carrier)
}

/// A law of the language, by name and arguments.
#[pyfunction]
pub fn named(py: Python<'_>, name: &str, arguments: Vec<f64>) -> PyResult<Law> {
    match Calculus::default().named(name, &arguments) {
        Ok(law) => Ok(Law::new(law, Carrier::default())),
        Err(reason) => Err(refuse(py, reason)),
    }
}
