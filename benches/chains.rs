//! Long chains of equations that mention each other, as the tests of chains make them: how long `simplify` takes,
//! with how much memory, how much it prints, whether that is read back, and how long `eval` takes.
//!
//! `cargo bench --bench chains [-- LINKS [KIND..]]`; 5,000 links of every kind unless told. Beside the seconds stands
//! the exponent of growth from half as many links.

mod command;
#[path = "../tests/chains/kinds.rs"]
mod kinds;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::Stdio;

use command::{Measurement, measure};

/// The parameters of the kinds that are evaluated: not those with one for each link, nor the laws.
const POINT: [&str; 6] = ["-D", "x=2", "-D", "y=3", "-D", "N=7"];

fn simplified(kind: &kinds::Kind, links: usize, directory: &Path) -> io::Result<Measurement> {
    let model = directory.join("chain.pam");
    fs::write(&model, (kind.model)(links))?;
    let printed = File::create(directory.join("closed.pam"))?;
    measure("simplify", &model, &[], printed.into())
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1).filter(|a| !a.starts_with('-'));
    let links = match arguments.next().map(|number| number.parse()) {
        None => 5_000,
        Some(Ok(links)) => links,
        Some(Err(reason)) => return Err(io::Error::other(format!("LINKS: {reason}"))),
    };
    let chosen: Vec<String> = arguments.collect();
    let directory = std::env::temp_dir().join(format!("pamela-chains-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    println!(
        "{:<18} {:>8} {:>9} {:>8} {:>10} {:>6} {:>8} {:>8}",
        "kind", "seconds", "exponent", "peak MB", "printed KB", "read", "eval s", "eval MB"
    );
    for kind in kinds::all() {
        if !chosen.is_empty() && !chosen.iter().any(|name| name == kind.name) {
            continue;
        }
        let shorter = simplified(&kind, links / 2, &directory)?;
        let closed = simplified(&kind, links, &directory)?;
        let result = directory.join("closed.pam");
        let printed = fs::metadata(&result)?.len() as f64 / 1024.0;
        let read = measure("check", &result, &[], Stdio::null())?;
        let evaluated = if kind.laws || kind.name.ends_with("_parameters") {
            None
        } else {
            let chain = directory.join("chain.pam");
            Some(measure("eval", &chain, &POINT, Stdio::null())?)
        };
        let seconds = closed.seconds();
        println!(
            "{:<18} {:>8.2} {:>9.2} {:>8} {:>10.0} {:>6} {:>8} {:>8}{}",
            kind.name,
            seconds,
            (seconds / shorter.seconds()).log2(),
            closed.peak(),
            printed,
            if read.exit_code == Some(0) {
                "yes"
            } else {
                "NO"
            },
            evaluated
                .as_ref()
                .map_or("-".to_owned(), |m| format!("{:.2}", m.seconds())),
            evaluated.as_ref().map_or("-".to_owned(), Measurement::peak),
            match (closed.exit_code, evaluated.map(|m| m.exit_code)) {
                (Some(0 | 3), None | Some(Some(0))) => String::new(),
                (simplify, eval) => format!("  (exit codes {simplify:?}, {eval:?})"),
            }
        );
    }
    fs::remove_dir_all(&directory)
}
