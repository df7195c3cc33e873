//! The page of the papers' tables and figures: each that it says a study shows, the study shows, and the totals are right.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::selection::{is_full, is_selected};

/// What the page says of some tables or figures of a paper.
struct Row {
    paper: String,
    numbers: Vec<String>,
    command: String,
}

/// `5.19, 5.21 to 5.23` is 5.19, 5.21, 5.22, 5.23.
fn numbers(text: &str) -> Vec<String> {
    let range = |part: &str| -> Vec<String> {
        let Some((first, last)) = part.split_once(" to ") else {
            return vec![part.to_string()];
        };
        let split = |number: &str| match number.rsplit_once('.') {
            Some((chapter, number)) => (format!("{chapter}."), number.parse::<u32>()),
            None => (String::new(), number.parse::<u32>()),
        };
        let ((chapter, from), (_, until)) = (split(first), split(last));
        let (from, until) = (from.expect("a number"), until.expect("a number"));
        (from..=until)
            .map(|number| format!("{chapter}{number}"))
            .collect()
    };
    text.split(", ").flat_map(range).collect()
}

/// The rows below a heading, and what the line `Shown: a of b` says.
fn section(page: &str, heading: &str) -> (Vec<Row>, [usize; 2]) {
    let (_, text) = page
        .split_once(&format!("## {heading}\n"))
        .expect("a heading");
    let text = text.split("\n## ").next().unwrap_or_default();
    let rows = text
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| paper"));
    let rows = rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        Row {
            paper: cells[0].to_string(),
            numbers: numbers(cells[1]),
            command: cells[3].to_string(),
        }
    });
    let shown = text
        .lines()
        .find_map(|line| line.strip_prefix("Shown: "))
        .expect("totals");
    let mut totals = shown.split(['.', ' ']).filter_map(|word| word.parse().ok());
    let totals = [
        totals.next().expect("a total"),
        totals.next().expect("a total"),
    ];
    (rows.collect(), totals)
}

/// The study and its arguments, where a study shows a row, made small.
fn study(command: &str) -> Option<Vec<String>> {
    let arguments = command.strip_prefix("`pamela study ")?.split('`').next()?;
    let mut words: Vec<String> = arguments.split(' ').map(str::to_string).collect();
    // Each of the programs adds its rows to the table of all.
    if arguments == "workloads" {
        words.extend(["--only", "ep"].map(str::to_string));
    }
    let small: &[&str] = match words[0].as_str() {
        "workloads" => &["--runs", "200"],
        "sequential" => &["--runs", "100"],
        "branches" => &["--runs", "600"],
        "codes" => &["--divide", "16"],
        _ => &[],
    };
    words.extend(small.iter().map(|word| (*word).to_string()));
    Some(words)
}

/// What a study prints, and the names of its pictures.
fn output(arguments: &[String]) -> (String, Vec<String>) {
    let name = format!("papers-{}", arguments.join("-").replace(['-', ' '], "_"));
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    let mut command = Command::new(env!("CARGO_BIN_EXE_pamela"));
    command
        .arg("study")
        .args(arguments)
        .arg("--pictures")
        .arg(&directory);
    // A study without pictures says so after its tables.
    let output = command.output().expect("the binary runs");
    let pictures = fs::read_dir(&directory).into_iter().flatten();
    let pictures =
        pictures.filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_string()));
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        pictures.collect(),
    )
}

/// True if a line names the table or figure by this number.
fn names(text: &str, kind: &str, number: &str) -> bool {
    text.lines().any(|line| {
        let words = line.split([' ', ':', ',']).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        words.iter().any(|word| word.trim_end_matches('s') == kind) && words.contains(&number)
    })
}

#[test]
fn studies_show_what_the_page_says_and_its_totals_are_right() {
    let page = fs::read_to_string("docs/evidence/papers.md").expect("the page is there");
    let mut outputs: BTreeMap<Vec<String>, Option<(String, Vec<String>)>> = BTreeMap::new();
    let mut missing = Vec::new();
    for (heading, kind, all) in [("Tables", "Table", 22), ("Figures", "Figure", 91)] {
        let (rows, totals) = section(&page, heading);
        let count =
            |rows: &mut dyn Iterator<Item = &Row>| rows.map(|row| row.numbers.len()).sum::<usize>();
        let shown = count(&mut rows.iter().filter(|row| !row.command.starts_with("none: ")));
        assert_eq!([shown, count(&mut rows.iter())], totals, "{heading}");
        assert_eq!(totals[1], all, "{heading}");
        for row in &rows {
            let Some(arguments) = study(&row.command) else {
                let is_told =
                    row.command.starts_with("none: ") || row.command.starts_with("`pamela ");
                assert!(is_told, "{}", row.command);
                continue;
            };
            // Studies take turns: together they take minutes, and oceans alone do.
            let number = outputs.len() as u64;
            let is_due = if arguments.iter().any(|word| word == "wator") {
                is_full()
            } else {
                is_selected(number)
            };
            let shown = outputs
                .entry(arguments.clone())
                .or_insert_with(|| is_due.then(|| output(&arguments)));
            let Some((text, pictures)) = shown else {
                continue;
            };
            let prefix = match row.paper.as_str() {
                "speculative" => "000-",
                "cost estimation" => "002-",
                "graphs" => "003-",
                _ => "",
            };
            for number in &row.numbers {
                let is_drawn = pictures.contains(&format!("figure-{prefix}{number}"));
                if !(names(text, kind, number) || kind == "Figure" && is_drawn) {
                    missing.push(format!("{} {kind} {number}: {}", row.paper, row.command));
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}
