//! Says how the module is linked.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family.contains("wasm")) {
        // Deep models need a deep stack. What a page may take of memory is bounded.
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
        println!("cargo::rustc-link-arg-cdylib=--max-memory=536870912");
    }
}
