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
        // A hundredth of the program is an index for who unwinds its stack, which nobody does where a panic ends it and no
        // names of functions are there to be shown.
        if variable("PROFILE") == "release" && variable("DEBUG") == "false" {
            println!("cargo::rustc-link-arg-bin=pamela=-Wl,--no-eh-frame-hdr");
        }
    }
}
