//! Says how the program is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    // At a fixed address nothing is relocated at the start, which would take a third of the time of `pamela --version`.
    // The stack, the heap and the libraries of the system are at random addresses all the same.
    if target("OS") == "linux" && target("ENV") == "gnu" {
        println!("cargo::rustc-link-arg-bin=pamela=-no-pie");
    }
}
