//! Options of simplification.

use crate::algebra;
use crate::effort::{Effort, Interrupt};
use crate::eval::PathLaws;
use crate::law::Carrier;
use crate::timing::Contention;

/// How longest paths of random tasks are evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GraphOptions {
    /// The law that replaces the law of a path; samples and their seed.
    pub paths: PathLaws,
    /// Also computes guaranteed bounds of values that increase with the paths.
    pub bounds: bool,
}

/// Which equations keep their names inside the closed forms of others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None; values are found faster.
    #[default]
    Nothing,
    /// Equations declared as `kept`, and these.
    Named(Vec<String>),
    /// All named equations.
    All,
}

/// Options of simplification.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Assume nothing: conditions that the facts do not prove become cases.
    pub strict: bool,
    /// Also find `phi_L`, `delta_L` and `omega_L` of each process `L`.
    pub all: bool,
    /// Also find bounds of the time of each process `L`: `L_L` and `U_L`; with `all`, also `U2_L`
    /// and `U1_L`.
    pub bounds: bool,
    /// Also find the time of each process `L` whose `T_L` is only a lower bound: `time_L` if it is
    /// known, else `L_L` and `U_L`.
    pub times: bool,
    /// Also find `time_L` if it is known, but no bounds if it is not.
    pub exact_times: bool,
    /// At a point, run processes whose `time_L` has no formula. A requested `time_L` then adds
    /// `L_L`.
    pub runs: bool,
    /// Also derive an estimate of times with contention, as a formula.
    pub contention: Option<Contention>,
    /// Names of the requested equations; empty means all.
    pub only: Vec<String>,
    /// Equations that are written out wherever others mention them, at any size.
    pub expand: Vec<String>,
    /// Equations that keep their names inside the closed forms of others.
    pub keep: Keep,
    /// Limit of work; what exceeds it stays open.
    pub effort: Effort,
    /// Also record how each closed form is derived.
    pub explain: bool,
    /// Also find closed bounds `lower_f` and `upper_f` of each scalar `f` that stays open.
    pub enclose: bool,
    /// Also find regimes: which operand of a `max`, and which side of a bracket, applies where.
    pub regimes: bool,
    /// How laws are represented in numeric results.
    pub laws: Carrier,
    /// How longest paths of random tasks are evaluated.
    pub graphs: GraphOptions,
    /// Omit the moments of laws: `E_f`, `Var_f`, `Skw_f` and `Kur_f`.
    pub without_moments: bool,
    /// Number of moments, starting with the mean; `None` means all.
    pub most_moments: Option<usize>,
    /// Also find the derivative and the elasticity of each scalar by these parameters.
    pub sensitivity: Vec<String>,
    /// Sums are collected by these parameters: `tf * (..) + tm * (..)`.
    pub collect: Vec<String>,
    /// Called before each equation with the number done, the total, and the name.
    pub progress: Option<fn(usize, usize, &str)>,
    /// Checked before each equation; an interruption is an error.
    pub interrupt: Interrupt,
}

impl Options {
    /// True if the equation is a requested result, and not only mentioned by one.
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
