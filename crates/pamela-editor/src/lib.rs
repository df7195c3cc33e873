//! A language server for models: diagnostics, closed forms, completion, navigation and layout.

#![warn(missing_docs)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analysis;
mod documents;
mod features;
mod positions;
mod server;
mod worker;

pub use server::{Fault, serve, serve_connection};
