//! How a model is simplified.

use crate::algebra;
use crate::effort::{Effort, Interrupt};
use crate::eval::PathLaws;
use crate::law::Carrier;
use crate::timing::Contention;

/// How the longest paths of random tasks have their laws where numbers are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// Which law stands for that of a path; samples and their seed.
    pub paths: PathLaws,
    /// Also guaranteed bounds of what grows with the paths.
    pub bounds: bool,
}

/// Which equations stay names in the forms of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None of them: numbers are found faster.
    #[default]
    Nothing,
    /// Those that are declared as kept, and these.
    Named(Vec<String>),
    /// All that have names.
    All,
}

/// How a model is simplified.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Assume nothing: what cannot be proved from the model's facts stays as cases.
    pub strict: bool,
    /// Also `phi_L`, `delta_L` and `omega_L` of each process `L`.
    pub all: bool,
    /// Also bounds of the time of each process `L` on both sides, `L_L` and `U_L`; with `all`, `U2_L` and `U1_L`.
    pub bounds: bool,
    /// Also, of each process `L` whose `T_L` is a lower bound only, what every run takes where that is known,
    /// `time_L`, and else the bounds `L_L` and `U_L`.
    pub times: bool,
    /// Also `time_L` where it is known, and no bounds where it is not.
    pub exact_times: bool,
    /// Where no formula gives `time_L`, a run gives it at a point: it is found where the name is asked for, beside `L_L`.
    pub runs: bool,
    /// Also an estimate of times with contention, in symbols.
    pub contention: Option<Contention>,
    /// Only the equations of these names, if any are given.
    pub only: Vec<String>,
    /// Equations of the model that are written out wherever others mention them, however large these become.
    pub expand: Vec<String>,
    /// Equations that stay names in the forms of others.
    pub keep: Keep,
    /// How much work may be done before what is left stays as it is.
    pub effort: Effort,
    /// Also how each closed form is derived.
    pub explain: bool,
    /// Also closed bounds on both sides of each scalar `f` that stays open, `lower_f` and `upper_f`.
    pub enclose: bool,
    /// Also which operand of a `max`, and which side of a bracket, decides where.
    pub regimes: bool,
    /// How laws are carried where numbers are asked for.
    pub laws: Carrier,
    /// How the longest paths of random tasks have their laws.
    pub graphs: GraphOptions,
    /// Leaves out the moments of laws, `E_f`, `Var_f`, `Skw_f` and `Kur_f`.
    pub without_moments: bool,
    /// Of the moments only so many, the mean first; all for `None`.
    pub most_moments: Option<usize>,
    /// Also the derivative and the elasticity of each scalar by these parameters.
    pub sensitivity: Vec<String>,
    /// Is told, before each equation, how many are done, of how many, and its name.
    pub progress: Option<fn(usize, usize, &str)>,
    /// Asked before each equation whether the search is to end, which is an error.
    pub interrupt: Interrupt,
}

impl Options {
    /// Whether the equation of this name is among the results, and not only mentioned by one.
    pub(super) fn chooses(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }

    pub(super) fn of_algebra(&self) -> algebra::Options {
        algebra::Options {
            strict: self.strict,
            explain: self.explain,
            effort: self.effort,
        }
    }
}
