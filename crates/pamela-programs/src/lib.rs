//! Makes performance models in PAMELA+ from C, OpenMP and MPI programs and from measurements.
//!
//! Data flows one way through the modules:
//!
//! ```text
//! words, problem < source < lowering < profile
//! words, problem < measured < callpaths
//! problem < measured < calibrate < compare < profile < manifest
//! callpaths, profile < trace
//! ```
//!
//! - `words` has the words that no name of a model can be.
//! - `source` reads a program after the user's compiler has preprocessed it.
//! - `lowering` makes a model of the program without running it.
//! - `measured` reads tables of measured times.
//! - `callpaths` makes models of measured call trees.
//! - `calibrate` estimates the times of a model's parts from them.
//! - `compare` reports the errors of predictions.
//! - `profile` builds and runs a program to get counts and times.
//! - `manifest` reads lists of programs to profile.
//! - `trace` makes models of the MPI calls that a run makes.

pub mod calibrate;
pub mod callpaths;
pub mod compare;
pub mod lowering;
pub mod manifest;
pub mod measured;
pub mod problem;
pub mod profile;
pub mod source;
pub mod trace;

pub use lowering::{Known, KnownLaw, KnownValue, Model, Options, Sampled, model};
pub use problem::{Place, Problem};
