//! Models run as they are written.

pub mod simulate;

use pamela_model::model;
use pamela_syntax::{diagnostic, syntax};
