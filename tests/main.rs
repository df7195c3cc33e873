//! The tests of everything together are one program, as to link the whole of it takes seconds each time:
//! `cargo test --test all models::fuzz` runs those of `tests/models/fuzz.rs`.

mod arrivals;
mod batch;
mod bounds;
mod carried;
mod chains;
mod claims;
mod cli;
mod collect;
mod contended;
mod differences;
mod documentation;
#[cfg(feature = "editor")]
mod editor;
mod emit;
mod estimates;
mod gates;
mod graphs;
mod holding;
mod layering;
mod library;
mod models;
mod optimise;
#[cfg(all(feature = "plot", feature = "programs"))]
mod papers;
mod parts;
#[cfg(feature = "plot")]
mod plot;
#[cfg(feature = "programs")]
mod programs;
mod report;
mod schemas;
mod selection;
mod service;
mod slips;
mod solve;
#[cfg(feature = "plot")]
mod standing;
mod study;
mod sweep;
mod tables;
mod ties;
mod times;
mod unknowns;
mod values;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
