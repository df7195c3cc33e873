//! Splits the time of a process by labels.

use super::closed::ClosedEquation;
use super::model::Model;
use super::names::unused_name;
use crate::algebra::{Closed, Simplifier};
use crate::diagnostic::{Diagnostic, Error, Result};
use crate::expr::Sort;
use crate::model::REST;
use crate::timing::{LoweredEquation, Moment, Origin, Share};

impl Model {
    /// Returns the model with equations for each label of its processes.
    ///
    /// They give the parts of `T`, the time saved if the label took no time, the time of the label alone, and its
    /// hidden share.
    ///
    /// # Errors
    /// Fails if the model has no label.
    pub fn with_labels(&self) -> Result<Model> {
        match self.checked.with_labels()? {
            Some(checked) => {
                let mut labelled = self.clone();
                labelled.checked = checked;
                Ok(labelled)
            }
            None => Err(Error::new("nothing in the model has a label")
                .hint("label a time with `delay(t) as comm`, or several with `{ .. } as comm`")),
        }
    }

    /// The process whose time an equation splits by labels.
    pub(super) fn by_label(&self, origin: &Origin) -> Option<&str> {
        match origin {
            Origin::Time(copy) => self.checked.labels().original(copy),
            _ => None,
        }
    }

    /// The equations of the labels of a process; `closed` is its time with a factor for each label.
    pub(super) fn parts(
        &self,
        simplifier: &mut Simplifier,
        equation: &LoweredEquation,
        closed: &Closed,
        failures: &mut Vec<Diagnostic>,
    ) -> Vec<ClosedEquation> {
        let Some(process) = self.by_label(&equation.origin) else {
            return Vec::new();
        };
        let of = format!("T_{process}");
        let mean = match equation.sort {
            Sort::Scalar => None,
            _ => match mean_of(simplifier, equation) {
                None => {
                    failures.push(without_mean(&of, equation));
                    return Vec::new();
                }
                mean => mean,
            },
        };
        // For a law, slopes are those of its mean.
        let (closed, timed) = match &mean {
            None => (closed, of.clone()),
            Some(mean) => (mean, Moment::Mean.of(&of)),
        };
        let labels = &self.checked.labels().factors;
        let mut found = Vec::new();
        for (label, factor) in labels {
            // A label without a part in the time is not printed.
            if label != REST && !simplifier.mentions(closed, factor) {
                continue;
            }
            match self.shares_of(simplifier, closed, (label, factor)) {
                Ok(shares) => found.extend(shares.into_iter().map(|(share, form)| {
                    let name = match share {
                        Share::Part => format!("{timed}_{label}"),
                        other => format!("{timed}_{label}_{}", other.name()),
                    };
                    let origin = Origin::Label {
                        of: of.clone(),
                        label: label.clone(),
                        share,
                    };
                    let equation = LoweredEquation {
                        name: unused_name(&self.checked, name),
                        sort: Sort::Scalar,
                        standing: equation.standing.of_derived(&origin),
                        origin,
                        auxiliary: false,
                        ..equation.clone()
                    };
                    ClosedEquation::new(equation, form)
                })),
                Err(why) => {
                    let message = format!("`{of}` has no part labelled `{label}`");
                    failures.push(Diagnostic::error(message, equation.span, why));
                }
            }
        }
        found
    }

    fn shares_of(
        &self,
        simplifier: &mut Simplifier,
        closed: &Closed,
        (label, factor): (&String, &String),
    ) -> std::result::Result<Vec<(Share, Closed)>, String> {
        let factors = self.checked.labels().factors.iter();
        let all: Vec<String> = factors.map(|(_, factor)| factor.clone()).collect();
        let part = simplifier.part(closed, factor, &all)?;
        if label == REST {
            return Ok(vec![(Share::Part, part)]);
        }
        let values = |own: i64, others: i64| -> Vec<(String, i64)> {
            let value = |name: &String| if name == factor { own } else { others };
            all.iter().map(|name| (name.clone(), value(name))).collect()
        };
        let whole = simplifier.with_factors(closed, closed.expr, &values(1, 1))?;
        let without = simplifier.with_factors(closed, closed.expr, &values(0, 1))?;
        let alone = simplifier.with_factors(closed, closed.expr, &values(1, 0))?;
        let saved = simplifier.difference(closed, whole.expr, without.expr)?;
        let hidden = simplifier.difference(closed, alone.expr, part.expr)?;
        Ok(vec![
            (Share::Part, part),
            (Share::Saved, saved),
            (Share::Alone, alone),
            (Share::Hidden, hidden),
        ])
    }
}

/// The mean of a random time, if there is a formula for it.
fn mean_of(simplifier: &mut Simplifier, equation: &LoweredEquation) -> Option<Closed> {
    let mut moments = simplifier.moments(equation.expr).found.into_iter();
    let (_, mut mean) = moments.find(|(moment, _)| *moment == Moment::Mean)?;
    let possible = simplifier.require_all(&equation.conditions, &mut mean);
    possible.then_some(mean)
}

fn without_mean(of: &str, equation: &LoweredEquation) -> Diagnostic {
    Diagnostic::error(
        format!("`{of}` is random, and its mean has no formula that labels could split"),
        equation.span,
        "the time of this process",
    )
    .hint("use means instead of laws, `E(X)` for `X`")
}
