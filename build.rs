//! Says how the program is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let target = |what: &str| variable(&format!("CARGO_CFG_TARGET_{what}"));
    // At a fixed address nothing is relocated at the start, which would take a third of the time of `pamela --version`.
    // The stack, the heap and the libraries of the system are at random addresses all the same.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bin=pamela=-no-pie");
        // The index for unwinding the stack is a hundredth of the program. Nothing reads it in a release: a panic ends the
        // program there, and its names of functions are stripped. Profiles with names keep it.
        if variable("PROFILE") == "release" && variable("DEBUG") == "false" {
            println!("cargo::rustc-link-arg-bin=pamela=-Wl,--no-eh-frame-hdr");
        }
    }
}
