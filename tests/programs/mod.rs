//! Models of C programs beside the programs, compiled by the system's compiler and run.

mod benchmark;
mod bounds;
mod callpaths;
mod counted;
mod drawn;
mod exits;
mod gcov;
mod hazards;
mod idioms;
mod lines;
mod mapping;
mod mpi;
mod nests;
mod notes;
mod objects;
mod phases;
mod pointers;
mod random;
mod ranks;
mod recorded;
mod recursions;
mod runs;
mod sampled;
mod sizes;
mod study;
mod teams;
mod weights;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Held by tests that start ranks: two programs that start or end at once may take each other's directories.
pub static STARTING: Mutex<()> = Mutex::new(());

/// A directory of its own for one test.
pub fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("programs")
        .join(name);
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

/// What this program prints and says, and how it ends.
pub fn pamela(arguments: &[&str], directory: &Path) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the binary runs");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code(),
    )
}
