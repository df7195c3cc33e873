//! From C and OpenMP programs, and measurements of them, to performance models in PAMELA+.
//!
//! Data goes one way through the rooms:
//!
//! ```text
//! problem < source < lowering < profile
//! problem < measured < calibrate < compare < profile < manifest
//! ```
//!
//! `source` reads a program as the user's compiler preprocesses it, `lowering` makes a model of it. Nothing of the
//! program is run. `measured` reads tables of measured times, `calibrate` finds the times of a model from them,
//! `compare` says how far predictions miss them. `profile` builds and runs a program for its counts and times,
//! `manifest` reads lists of programs to do that with.

pub mod calibrate;
pub mod compare;
pub mod lowering;
pub mod manifest;
pub mod measured;
pub mod problem;
pub mod profile;
pub mod source;

pub use lowering::{Known, KnownValue, Model, Options, Sampled, model};
pub use problem::{Place, Problem};
