//! Counts of a program, and those of its model: three places of a program count where it is run, and call functions of
//! the library where it is modelled, of which each takes so long that the counts are the digits of the whole.

use std::path::Path;
use std::process::Command;

use super::pamela;

/// What stands in front of a program with the places COUNT0, COUNT1 and COUNT2.
pub const HEAD: &str = "#include <stdio.h>
#include <stdlib.h>
long counts[3];
#ifdef RUN
#define COUNT0 counts[0]++;
#define COUNT1 counts[1]++;
#define COUNT2 counts[2]++;
#else
#define COUNT0 memset(b, 0, 1);
#define COUNT1 memcpy(b, b, 1);
#define COUNT2 memmove(b, b, 1);
#endif
char b[1];
";

/// What stands at the end of its `main`.
pub const TAIL: &str = "#ifdef RUN
printf(\"%ld %ld %ld\\n\", counts[0], counts[1], counts[2]);
#endif
";

const WEIGHTS: [(&str, i64); 3] = [
    ("t_memset", 1),
    ("t_memcpy", 1_000_000),
    ("t_memmove", 1_000_000_000_000),
];

/// The parameters of a model.
pub fn parameters(model: &str) -> impl Iterator<Item = &str> {
    let lines = model.lines();
    lines.filter_map(|line| line.strip_prefix("numeric parameter ")?.split(' ').next())
}

/// The counts of a model in a file; `model` is its text, other parameters are 0.
pub fn modelled(
    file: &str,
    model: &str,
    directory: &Path,
    point: &[(&str, i64)],
) -> Result<Vec<i64>, String> {
    let mut arguments = vec![
        "eval".to_string(),
        "--emit=pamela".to_string(),
        "--only=T_main".to_string(),
        file.to_string(),
    ];
    for name in parameters(model) {
        let mut known = WEIGHTS.iter().chain(point);
        let value = known.find(|(known, _)| *known == name);
        let value = value.map_or(0, |(_, value)| *value);
        arguments.extend(["-D".to_string(), format!("{name}={value}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (text, errors, status) = pamela(&arguments, directory);
    if status != Some(0) {
        return Err(errors);
    }
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("numeric T_main = "));
    let total: i64 = line
        .and_then(|value| value.trim().parse().ok())
        .ok_or(text.clone())?;
    Ok((0..3)
        .map(|k| total / 1_000_000_i64.pow(k) % 1_000_000)
        .collect())
}

/// Compiles a program that counts.
pub fn compile(text: &str, file: &Path, binary: &Path) {
    let status = Command::new("cc")
        .args(["-O1", "-w", "-DRUN", "-o"])
        .args([binary, file])
        .status();
    let status = status.expect("there is a C compiler");
    assert!(status.success(), "{text}");
}

/// What it counts.
pub fn run(binary: &Path, arguments: &[i64]) -> Vec<i64> {
    let output = Command::new(binary)
        .args(arguments.iter().map(i64::to_string))
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split_whitespace()
        .map(|word| word.parse().expect("a count"))
        .collect()
}
