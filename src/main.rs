//! The program `pamela`.

use std::process::ExitCode;

#[cfg(feature = "tools")]
use mimalloc::MiMalloc;

/// A closed form is made of many short lists, which this allocator hands out in less time than the system's.
#[cfg(feature = "tools")]
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(pamela_cli::cli::main(std::env::args_os()))
}
