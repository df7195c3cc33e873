//! `pamela --version --verbose`

use std::ffi::OsString;

/// True for `pamela --version --verbose`, in either order.
pub fn asks_for_build(given: &[OsString]) -> bool {
    let words: Vec<&str> = given
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .collect();
    let is_version = |word: &&str| ["--version", "-V"].contains(word);
    words.len() == 2 && words.contains(&"--verbose") && words.iter().any(is_version)
}

/// Version and features of the program, for error reports.
pub fn build() -> String {
    let features = [
        (cfg!(feature = "tools"), "tools"),
        (cfg!(feature = "editor"), "editor"),
        (cfg!(feature = "plot"), "plot"),
        (cfg!(feature = "programs"), "programs"),
        (cfg!(feature = "columns"), "columns"),
    ];
    let features = features.iter().filter(|(is_there, _)| *is_there);
    let features: Vec<&str> = features.map(|(_, name)| *name).collect();
    let profile = if cfg!(debug_assertions) {
        "with debug assertions"
    } else {
        "optimised"
    };
    format!(
        "pamela {}\nsystem: {}-{}\nbuild: {profile}\nfeatures: {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        crate::diagnostic::listed(&features),
    )
}
