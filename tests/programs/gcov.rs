//! Counts of whole programs beside those of gcov: each line whose count rests on nothing that only a run tells, and with the
//! line counts of gcov as a profile those that it tells as well. The programs are compiled without OpenMP: gcov leaves out
//! what threads share.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use super::lines::words;
use super::{directory, pamela};

/// Words of lines on which more than one statement stands.
const CONTROL: [&str; 7] = ["if", "else", "for", "while", "do", "switch", "case"];

/// A program that is compiled and run.
struct Program {
    name: String,
    /// What `pamela model` is given beside the files.
    options: Vec<String>,
    files: Vec<String>,
    /// Options of the compiler.
    flags: Vec<String>,
    arguments: Vec<String>,
    /// Values of parameters.
    values: Vec<String>,
}

/// Lines by what came of the comparison.
#[derive(Debug, Default)]
struct Compared {
    equal: usize,
    /// Their counts rest on what only a run tells.
    open: usize,
    /// gcov has no count of the line, or only one of its parts.
    absent: usize,
    wrong: Vec<String>,
}

fn has_gcov() -> bool {
    let found = Command::new("gcov")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let found = found.is_ok_and(|status| status.success());
    if !found {
        eprintln!("not run: there is no `gcov`");
    }
    found
}

/// Compiles and runs a program, and returns what gcov says.
fn measured(program: &Program, at: &Path) -> Result<String, String> {
    let run = |command: &mut Command| {
        let output = command.current_dir(at).stdin(Stdio::null()).output();
        let output = output.map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if output.status.success() {
            return Ok(text);
        }
        Err(format!(
            "{command:?}: {text}{}",
            String::from_utf8_lossy(&output.stderr)
        ))
    };
    for entry in fs::read_dir(at).expect("a directory").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".gcda") || name.ends_with(".gcno") {
            fs::remove_file(entry.path()).expect("an old file");
        }
    }
    let flags = program.flags.iter().filter(|flag| *flag != "-fopenmp");
    run(Command::new("gcc")
        .args(["-O0", "-w", "--coverage", "-o", "program"])
        .args(flags)
        .args(&program.files)
        .args(["-lm", "-lgomp"]))?;
    // A program may return what it likes.
    let ran = Command::new("./program")
        .args(&program.arguments)
        .current_dir(at)
        .output();
    ran.map_err(|error| error.to_string())?;
    let mut all = String::new();
    for entry in fs::read_dir(at).expect("a directory").flatten() {
        if entry.path().extension().is_some_and(|own| own == "gcda") {
            all += &run(Command::new("gcov")
                .args(["-b", "--json-format", "--stdout"])
                .arg(entry.path()))?;
        }
    }
    fs::write(at.join("gcov.json"), &all).expect("what gcov says");
    Ok(all)
}

/// Counts by file and line, of all files that include it together; none of lines with branches, parts of which run less often.
fn line_counts(text: &str, at: &Path) -> BTreeMap<(PathBuf, u64), Option<f64>> {
    let mut counts: BTreeMap<(PathBuf, u64), Option<f64>> = BTreeMap::new();
    for report in text.lines() {
        let report: Value = serde_json::from_str(report).expect("JSON of gcov");
        for file in report["files"].as_array().expect("files") {
            let path = at.join(file["file"].as_str().expect("a name"));
            let path = path.canonicalize().unwrap_or(path);
            for line in file["lines"].as_array().expect("lines") {
                let number = line["line_number"].as_u64().expect("a line");
                let count = line["count"].as_f64().expect("a count");
                let is_plain = line["branches"].as_array().is_none_or(Vec::is_empty);
                let known = counts.entry((path.clone(), number)).or_insert(Some(0.0));
                *known = known.filter(|_| is_plain).map(|known| known + count);
            }
        }
    }
    counts
}

/// Equations and parameters of counts.
struct Counts {
    text: String,
    /// Parameters without a value.
    free: BTreeSet<String>,
}

impl Counts {
    fn read(text: String, given: &[String]) -> Counts {
        let is_given = |name: &str| given.iter().any(|own| own.split('=').next() == Some(name));
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("numeric parameter "));
        let lines = lines.map(|line| line.split('%').next().unwrap_or_default());
        let free = lines.filter(|line| !line.contains(" = "));
        let free = free.filter_map(|line| line.split_whitespace().next());
        let free = free
            .filter(|name| !is_given(name) && *name != "P")
            .map(String::from)
            .collect();
        Counts { text, free }
    }

    fn equation(&self, name: &str) -> Option<&str> {
        let lines = self.text.lines();
        let mut own = lines.filter_map(|line| line.strip_prefix("numeric ")?.strip_prefix(name));
        let own = own.find(|rest| rest.starts_with([' ', '(']))?;
        own.split_once(" = ").map(|(_, value)| value)
    }

    fn is_determined(&self, name: &str) -> bool {
        let (mut open, mut seen) = (vec![name.to_string()], BTreeSet::new());
        while let Some(name) = open.pop() {
            if self.free.contains(&name) {
                return false;
            }
            let value = self.equation(&name).unwrap_or_default();
            let all = words(value).filter(|word| !seen.contains(*word));
            open.extend(all.map(String::from).collect::<Vec<String>>());
            seen.insert(name);
        }
        true
    }
}

/// One long function, because each step reads what the one before has written.
fn compared(program: &Program, with_profile: bool) -> Result<Compared, String> {
    let at = directory(&format!("gcov/{}", program.name));
    let at = at.canonicalize().expect("the directory");
    let text = measured(program, &at)?;
    let lines = line_counts(&text, &at);
    let mut command: Vec<&str> = vec!["model"];
    command.extend(
        program
            .files
            .iter()
            .chain(&program.options)
            .map(String::as_str),
    );
    let compiler = ["cc".to_string(), "-O2".to_string()];
    let compiler = [&compiler[..], &program.flags].concat().join(" ");
    command.extend(["--cc", &compiler]);
    if with_profile {
        command.extend(["--profile", "gcov.json"]);
    }
    let (output, errors, _) = pamela(&[&command[..], &["--json"]].concat(), &at);
    let model: Value = serde_json::from_str(&output).map_err(|_| errors)?;
    let (output, errors, status) = pamela(&[&command[..], &["--counts"]].concat(), &at);
    if !matches!(status, Some(0 | 3)) {
        return Err(errors);
    }
    let counts = Counts::read(output, &program.values);
    fs::write(at.join("counts.pam"), &counts.text).expect("a model");
    // What rests on a free parameter is not looked at.
    let free = counts.free.iter().map(|name| format!("{name}=1"));
    let one = Some("P=1".to_string()).filter(|_| counts.text.contains("numeric parameter P "));
    let is_declared = |value: &&String| {
        let name = value.split('=').next().unwrap_or_default();
        counts.text.contains(&format!("numeric parameter {name} "))
    };
    let sizes = program.values.iter().filter(is_declared).cloned();
    let given: Vec<String> = free.chain(one).chain(sizes).collect();
    let mut evaluate = vec!["eval", "--emit", "pamela", "--effort", "high", "counts.pam"];
    given
        .iter()
        .for_each(|given| evaluate.extend(["-D", given]));
    let (values, errors, status) = pamela(&evaluate, &at);
    if status != Some(0) {
        return Err(errors);
    }
    let value = |name: &str| {
        let mut all = values
            .lines()
            .filter_map(|line| line.strip_prefix("numeric "));
        let own = all.find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))?;
        match own.split_once('/') {
            Some((a, b)) => Some(a.parse::<f64>().ok()? / b.parse::<f64>().ok()?),
            None => own.parse().ok(),
        }
    };
    // A line may be in several blocks: of functions that are walked with several values.
    let mut blocks: BTreeMap<(PathBuf, u64), Vec<String>> = BTreeMap::new();
    for parameter in model["parameters"].as_array().expect("parameters") {
        if parameter["kind"] == "time" {
            let path = at.join(parameter["place"]["file"].as_str().unwrap_or_default());
            let path = path.canonicalize().unwrap_or(path);
            let own = parameter["lines"].as_array().into_iter().flatten();
            for line in own.filter_map(Value::as_u64) {
                let name = parameter["name"].as_str().expect("a name");
                let own = blocks.entry((path.clone(), line)).or_default();
                own.push(format!("count_{name}"));
            }
        }
    }
    let mut result = Compared::default();
    for (place, names) in blocks {
        let source = fs::read_to_string(&place.0).unwrap_or_default();
        let text = source.lines().nth(place.1 as usize - 1).unwrap_or_default();
        // gcov counts a condition with the line in front of it: `if (c) continue;` as often as `continue`.
        let is_one = !words(text).any(|word| CONTROL.contains(&word));
        let Some(count) = lines.get(&place).copied().flatten().filter(|_| is_one) else {
            result.absent += 1;
            continue;
        };
        let is_known =
            |name: &String| counts.equation(name).is_some() && counts.is_determined(name);
        let values: Option<Vec<f64>> = names.iter().map(|name| value(name)).collect();
        let Some(values) = values.filter(|_| names.iter().all(is_known)) else {
            result.open += 1;
            continue;
        };
        let own: f64 = values.iter().sum();
        // Means of a profile have six digits, and two of them may be multiplied.
        let most = if with_profile { 1e-5 } else { 0.0 };
        if (own - count).abs() <= most * count.max(1.0) {
            result.equal += 1;
        } else {
            let (path, line) = (place.0.display(), place.1);
            result
                .wrong
                .push(format!("{path}:{line}: {names:?} are {own}, not {count}"));
        }
    }
    Ok(result)
}

/// Compares all of them, without a profile and with one, and returns how many lines are equal.
fn compare(programs: &[Program]) -> usize {
    let (mut wrong, mut equal) = (Vec::new(), 0);
    for program in programs {
        for with_profile in [false, true] {
            match compared(program, with_profile) {
                Ok(found) => {
                    eprintln!(
                        "{}{}: {} lines are equal, {} rest on what is told, {} have no count",
                        program.name,
                        if with_profile { " with gcov" } else { "" },
                        found.equal,
                        found.open,
                        found.absent
                    );
                    equal += found.equal;
                    wrong.extend(found.wrong);
                }
                Err(error) => wrong.push(format!("{}: {error}", program.name)),
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    equal
}

#[test]
fn counts_of_measured_programs_are_those_of_gcov() {
    if !has_gcov() {
        return;
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let programs: [(&str, &[(&str, &str)]); 8] = [
        ("matmul", &[("n", "12")]),
        ("gauss", &[("n", "9")]),
        ("apsp", &[("n", "7")]),
        ("ep", &[("n", "30")]),
        ("search", &[("n", "50"), ("key", "7")]),
        ("cache", &[("n", "200"), ("m", "16")]),
        ("sssp", &[("n", "40"), ("m", "4")]),
        ("fft", &[("n", "64"), ("times", "2")]),
    ];
    let programs = programs.map(|(name, arguments)| {
        let options = arguments.iter().enumerate();
        let options = options.map(|(at, (own, _))| format!("{own}=argv[{}]", at + 1));
        Program {
            name: name.to_string(),
            options: options
                .flat_map(|own| ["--param".to_string(), own])
                .collect(),
            files: vec![
                cases
                    .join(name)
                    .join(format!("{name}.c"))
                    .display()
                    .to_string(),
            ],
            flags: vec!["-fopenmp".to_string()],
            arguments: arguments
                .iter()
                .map(|(_, value)| value.to_string())
                .collect(),
            values: arguments
                .iter()
                .map(|(own, value)| format!("{own}={value}"))
                .collect(),
        }
    });
    assert!(compare(&programs) >= 40);
}

/// `PAMELA_GCOV=FILE` compares whole programs, of which nothing is kept here: each line of the file has the arguments of
/// `pamela model`, separated by tabs, then perhaps `--` and the arguments of the program.
#[test]
fn counts_of_whole_programs_are_those_of_gcov() {
    let Ok(list) = env::var("PAMELA_GCOV") else {
        return eprintln!("not run: PAMELA_GCOV names no list of programs");
    };
    if !has_gcov() {
        return;
    }
    let list = fs::read_to_string(list).expect("a list");
    let lines = list.lines().filter(|line| !line.is_empty()).enumerate();
    let programs = lines.map(|(number, line)| {
        let all: Vec<&str> = line.split('\t').collect();
        let behind = all
            .iter()
            .position(|word| *word == "--")
            .unwrap_or(all.len());
        let (own, arguments) = (&all[..behind], all.get(behind + 1..).unwrap_or_default());
        let (mut files, mut flags, mut options) = (Vec::new(), Vec::new(), Vec::new());
        let mut own = own.iter().map(ToString::to_string);
        while let Some(word) = own.next() {
            if word == "--cc" {
                let compiler = own.next().unwrap_or_default();
                flags.extend(compiler.split_whitespace().skip(1).map(String::from));
            } else if word.starts_with("--") {
                options.extend([word, own.next().unwrap_or_default()]);
            } else {
                files.push(word);
            }
        }
        Program {
            name: format!("list{number}"),
            options,
            files,
            flags,
            arguments: arguments.iter().map(ToString::to_string).collect(),
            values: Vec::new(),
        }
    });
    let programs: Vec<Program> = programs.collect();
    assert!(compare(&programs) > programs.len());
}
