//! The command line; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    pamela::cli::main()
}
