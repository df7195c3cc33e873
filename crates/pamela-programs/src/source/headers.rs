//! Substitute headers of libraries, which need not be installed.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

const MPI: &str = include_str!("mpi.h");

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A temporary directory with the headers.
#[derive(Debug)]
pub struct Headers {
    directory: PathBuf,
}

impl Headers {
    /// `None` if no directory can be created; then installed headers are read.
    pub fn new() -> Option<Headers> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("pamela-headers-{}-{number}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        // Never one that another has made.
        fs::create_dir(&directory).ok()?;
        let headers = Headers { directory };
        fs::write(headers.directory.join("mpi.h"), MPI).ok()?;
        Some(headers)
    }

    /// The compiler option that puts these headers first.
    pub fn option(&self) -> String {
        format!("-I{}", self.directory.display())
    }
}

impl Drop for Headers {
    fn drop(&mut self) {
        // A leftover directory does no harm.
        let _ = fs::remove_dir_all(&self.directory);
    }
}
