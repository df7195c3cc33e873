//! What an equation is of the model.

use serde::{Deserialize, Serialize};

use crate::expr::Moment;

/// What an equation of the results is of the model; its name is made from this, never the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A numeric equation of the model.
    Equation,
    /// The execution time of this process, as the papers estimate it.
    Time(String),
    /// What every run of it takes, with all its waiting.
    Execution(String),
    /// Its critical path.
    CriticalPath(String),
    /// Its demand per resource, a vector.
    Demand(String),
    /// Its largest demand.
    Bottleneck(String),
    /// A lower bound of its time, at least as sharp as `T`.
    Lower(String),
    /// An upper bound of its time, where services are first come, first served.
    Upper(String),
    /// An upper bound for services in any order.
    UpperUnordered(String),
    /// An upper bound by all work, for services in any order.
    UpperByWork(String),
    /// An estimate of its time between the two bounds.
    Between(String),
    /// The mean of a cycle, by mean value analysis.
    Cycle(String),
    /// An estimate of its time by mean value analysis.
    MeanValue(String),
    /// A part that others mention, which the model does not ask for.
    Part,
    /// A moment of the equation of this name, which is a law.
    Moment {
        /// Which one.
        moment: Moment,
        /// The equation.
        of: String,
    },
    /// The derivative of an equation by a parameter.
    Derivative {
        /// The equation.
        of: String,
        /// The parameter.
        by: String,
    },
    /// `p/T * dT/dp`
    Elasticity {
        /// The equation.
        of: String,
        /// The parameter.
        by: String,
    },
    /// What a label has of the time of a process.
    Label {
        /// The time.
        of: String,
        /// The label.
        label: String,
        /// What of it.
        share: Share,
    },
    /// A closed form that is never above the equation of this name, which stays open.
    Least {
        /// The equation.
        of: String,
    },
    /// One that is never below it.
    Most {
        /// The equation.
        of: String,
    },
}

/// What is told of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// Its part of the time: the parts of all labels add up to it.
    Part,
    /// What vanishes if it takes no time.
    Saved,
    /// The time where nothing else takes any.
    Alone,
    /// What it takes alone beyond its part.
    Hidden,
}

impl Share {
    /// As names have it.
    pub fn name(self) -> &'static str {
        match self {
            Share::Part => "part",
            Share::Saved => "saved",
            Share::Alone => "alone",
            Share::Hidden => "hidden",
        }
    }
}

impl Origin {
    /// Whether it is asked for without being named: an equation of the model, or the time of a process.
    pub fn is_result(&self) -> bool {
        matches!(
            self,
            Origin::Equation
                | Origin::Time(_)
                | Origin::Execution(_)
                | Origin::Lower(_)
                | Origin::Upper(_)
                | Origin::Label { .. }
        ) || self.is_estimate()
    }

    /// Whether it is an estimate, which is made only where one is asked for.
    pub fn is_estimate(&self) -> bool {
        use Origin::{Between, Cycle, MeanValue};
        matches!(self, Between(_) | Cycle(_) | MeanValue(_))
    }

    /// Whether it is a bound, which is made only where bounds are asked for.
    pub fn is_bound(&self) -> bool {
        use Origin::{Lower, Upper, UpperByWork, UpperUnordered};
        matches!(
            self,
            Lower(_) | Upper(_) | UpperUnordered(_) | UpperByWork(_)
        )
    }

    /// The process that it is a time or a demand of.
    pub fn process(&self) -> Option<&String> {
        use Origin::{Between, Bottleneck, CriticalPath, Cycle, Demand, Execution, Lower};
        use Origin::{MeanValue, Time, Upper, UpperByWork, UpperUnordered};
        match self {
            Time(process)
            | Execution(process)
            | CriticalPath(process)
            | Demand(process)
            | Bottleneck(process)
            | Lower(process)
            | Upper(process)
            | UpperUnordered(process)
            | UpperByWork(process)
            | Between(process)
            | Cycle(process)
            | MeanValue(process) => Some(process),
            _ => None,
        }
    }

    /// The name of the equation that it is derived of.
    pub fn of(&self) -> Option<&String> {
        match self {
            Origin::Moment { of, .. }
            | Origin::Derivative { of, .. }
            | Origin::Elasticity { of, .. }
            | Origin::Label { of, .. }
            | Origin::Least { of }
            | Origin::Most { of } => Some(of),
            _ => None,
        }
    }

    /// The name of one of the equations that a process defines.
    pub fn process_equation(&self) -> Option<String> {
        Some(match self {
            Origin::Time(process) => format!("T_{process}"),
            Origin::Execution(process) => format!("time_{process}"),
            Origin::CriticalPath(process) => format!("phi_{process}"),
            Origin::Demand(process) => format!("delta_{process}"),
            Origin::Bottleneck(process) => format!("omega_{process}"),
            Origin::Lower(process) => format!("L_{process}"),
            Origin::Upper(process) => format!("U_{process}"),
            Origin::UpperUnordered(process) => format!("U2_{process}"),
            Origin::UpperByWork(process) => format!("U1_{process}"),
            Origin::Between(process) => format!("estimate_{process}"),
            Origin::Cycle(process) => format!("cycle_{process}"),
            Origin::MeanValue(process) => format!("mva_{process}"),
            _ => return None,
        })
    }
}
