//! Branches whose share is drawn once a run: the law of the model has the variance that runs have.

use std::fs;
use std::process::Command;

use super::{directory, pamela};

/// The share of a run is one of 0.005, 0.015, .. 0.995, a run each: its law is nearly uniform.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned long long state;
static double draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) / 9007199254740992.0;
}
static long count(int n, double share)
{
    long held = 0;
    for (int i = 0; i < n; i++)
        if (draw() < share)
            held++;
    return held;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), seed = atoi(argv[2]);
    double share = (seed * 37 % 100 + 0.5) / 100;
    long held = 0;
    state = 0x9e3779b97f4a7c15ull * (1 + seed);
    for (int j = 0; j < 4; j++)
        held += count(n, share);
    printf("%ld\n", held);
    return 0;
}
"#;

/// One long function, because each command reads what the one before it wrote.
#[test]
fn a_share_of_each_run_is_one_draw_times_the_loop() {
    let directory = directory("drawn");
    fs::write(directory.join("drawn.c"), PROGRAM).expect("a program");
    let _ = fs::remove_file(directory.join("drawn.json"));
    let profile = [
        "profile",
        "drawn.c",
        "--points",
        "n=2000,5000",
        "--seeds",
        "100",
        "--runs",
        "1",
        "-o",
        "drawn.json",
        "--",
        "{n}",
        "{seed}",
    ];
    let (_, errors, status) = pamela(&profile, &directory);
    assert_eq!(status, Some(0), "{errors}");
    let model = ["model", "drawn.c", "--profile", "drawn.json"];
    let (text, errors, status) = pamela(&model, &directory);
    assert_eq!(status, Some(0), "{errors}");
    assert!(text.contains("p_count_if1 = beta("), "{text}");
    assert!(
        text.contains("delay(p_count_if1 * T(once_count_if1))"),
        "{text}"
    );
    fs::write(directory.join("drawn.pam"), &text).expect("a model");
    // The program itself, in the place of the profile: all its runs at another size.
    let binary = directory.join("drawn");
    let status = Command::new("cc")
        .args(["-O1", "-o"])
        .arg(&binary)
        .arg(directory.join("drawn.c"))
        .status();
    assert!(status.expect("there is a C compiler").success());
    let held: Vec<f64> = (1..=100)
        .map(|seed| {
            let output = Command::new(&binary)
                .args(["3000", &seed.to_string()])
                .output();
            let text = String::from_utf8(output.expect("it runs").stdout).expect("text");
            text.trim().parse().expect("a number")
        })
        .collect();
    let mean = held.iter().sum::<f64>() / 100.0;
    let variance = held.iter().map(|held| (held - mean).powi(2)).sum::<f64>() / 99.0;
    let times: Vec<String> = text
        .lines()
        .filter_map(|line| line.strip_prefix("numeric parameter ")?.split_once(' '))
        .map(|(name, _)| (name, if name == "n" { 3000 } else { 0 }))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let mut arguments = vec!["eval", "--emit", "pamela", "drawn.pam"];
    let of_branch = text.lines().find(|line| line.contains("held++"));
    let of_branch = of_branch
        .and_then(|line| line.split(' ').nth(2))
        .expect("its time");
    let times: Vec<String> = times
        .into_iter()
        .map(|time| match time.strip_suffix("=0") {
            Some(name) if name == of_branch => format!("{name}=1"),
            _ => time,
        })
        .collect();
    times.iter().for_each(|time| arguments.extend(["-D", time]));
    let (text, errors, status) = pamela(&arguments, &directory);
    assert_eq!(status, Some(0), "{errors}");
    let law = text
        .lines()
        .find_map(|line| line.strip_prefix("numeric time_main = moments("));
    let law = law.unwrap_or_else(|| panic!("no law: {text}"));
    let numbers: Vec<f64> = law
        .trim_end_matches(')')
        .split(", ")
        .map(|number| number.parse().expect("a number"))
        .collect();
    let near = |found: f64, wanted: f64| (found / wanted - 1.0).abs() < 0.05;
    assert!(near(numbers[0], mean), "{text}: {mean}");
    assert!(near(numbers[1], variance), "{text}: {variance}");
}
