//! The command line; all of it is in the library.

use std::process::ExitCode;

use mimalloc::MiMalloc;

/// A closed form is made of many short lists, which this allocator hands out in less time than the system's.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    pamela::cli::main()
}
