//! Sweeps in parts, which any number of processes compute into one directory, at any time and in
//! any order.
//!
//! Parts depend on the request alone. Each part is a file such as `part-00012.csv`. Its receipt
//! `_done/part-00012.json` says that it is complete. `_pamela.json` holds the request; whoever
//! computes a part writes it, or checks that it is equal. No two processes change the same file: a
//! part is written under a temporary name and renamed when it is complete.

mod directory;
mod division;
mod manifest;
mod merge;
mod partial;
mod request;

pub use directory::Parts;
pub use division::{Division, MOST_PARTS};
pub use request::{Form, SweepRequest};
