//! Origins of equations in the model.

use serde::{Deserialize, Serialize};

use crate::expr::Moment;

/// The part of the model that an equation of the results comes from.
///
/// The name of the equation is made from its origin, never the other way round.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A numeric equation of the model.
    Equation,
    /// The execution time of this process, as the papers estimate it: `T_L`.
    Time(String),
    /// The time of every run of the process, with contention: `time_L`.
    Execution(String),
    /// The critical path of the process.
    CriticalPath(String),
    /// The demand of the process for each resource, a vector.
    Demand(String),
    /// The largest demand of the process.
    Bottleneck(String),
    /// A lower bound of its time, at least as sharp as `T`.
    Lower(String),
    /// An upper bound of its time, if servers are first come, first served.
    Upper(String),
    /// An upper bound for services in any order.
    UpperUnordered(String),
    /// An upper bound from total work, for services in any order.
    UpperByWork(String),
    /// An estimate of its time between the two bounds.
    Between(String),
    /// The mean time of a cycle, by mean value analysis.
    Cycle(String),
    /// An estimate of its time by mean value analysis.
    MeanValue(String),
    /// A part that others mention and that was not requested.
    Part,
    /// A moment of an equation that is a law.
    Moment {
        /// The moment.
        moment: Moment,
        /// Name of the equation.
        of: String,
    },
    /// The derivative of an equation by a parameter.
    Derivative {
        /// Name of the equation.
        of: String,
        /// Name of the parameter.
        by: String,
    },
    /// The elasticity `p/T * dT/dp`.
    Elasticity {
        /// Name of the equation.
        of: String,
        /// Name of the parameter.
        by: String,
    },
    /// The contribution of a label to the time of a process.
    Label {
        /// Name of the time.
        of: String,
        /// Name of the label.
        label: String,
        /// Kind of contribution.
        share: Share,
    },
    /// A closed lower bound of an equation that stays open.
    Least {
        /// Name of the equation.
        of: String,
    },
    /// A closed upper bound of an equation that stays open.
    Most {
        /// Name of the equation.
        of: String,
    },
}

/// Kind of contribution of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// The label's part of the time; the parts of all labels add up to the time.
    Part,
    /// The time saved if the label takes no time.
    Saved,
    /// The time if nothing else takes any.
    Alone,
    /// The time alone minus its part.
    Hidden,
}

impl Share {
    /// The word used in names.
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
    /// True if the equation is a result by default: an equation of the model, or the time of a
    /// process.
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

    /// True for estimates, which are made only on request.
    pub fn is_estimate(&self) -> bool {
        use Origin::{Between, Cycle, MeanValue};
        matches!(self, Between(_) | Cycle(_) | MeanValue(_))
    }

    /// True for bounds, which are made only on request.
    pub fn is_bound(&self) -> bool {
        use Origin::{Lower, Upper, UpperByWork, UpperUnordered};
        matches!(
            self,
            Lower(_) | Upper(_) | UpperUnordered(_) | UpperByWork(_)
        )
    }

    /// The process of a time or a demand.
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

    /// The name of the equation that this one is derived from.
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

    /// The name of an equation that a process defines.
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
