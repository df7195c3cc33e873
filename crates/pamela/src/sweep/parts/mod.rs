//! Sweeps in parts, which any processes compute at any time and in any order, into one directory.
//!
//! Parts depend on the question alone. Each is a file, `part-00012.csv`, beside which `_done/part-00012.json` says
//! that it is whole; `_pamela.json` says what the question is, and all who compute a part write or find the same
//! there. No file is changed by two processes: a part is written under a name of its own, and renamed when it is
//! whole.

mod directory;
mod division;
mod manifest;
mod merge;
mod partial;
mod request;

pub use directory::Parts;
pub use division::{Division, MOST_PARTS};
pub use request::{Form, SweepRequest};
