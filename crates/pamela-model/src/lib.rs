//! Checked models: names, types, sorts and facts.

pub mod model;

use pamela_exact::{real, ring};
use pamela_law::{self as law, special};
use pamela_syntax::{diagnostic, syntax};
