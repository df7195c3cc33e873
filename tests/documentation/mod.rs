//! What the README, the tutorial and the reference say that the commands print, they print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::selection::is_full;

mod first;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The indented blocks of a text in Markdown, without their indentation.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut block = String::new();
    for line in text.lines().chain(["end"]) {
        if let Some(code) = line.strip_prefix("    ") {
            block.push_str(code);
            block.push('\n');
        } else if line.is_empty() && !block.is_empty() {
            block.push('\n');
        } else if !block.is_empty() {
            blocks.push(format!("{}\n", block.trim_end()));
            block.clear();
        }
    }
    blocks
}

fn pamela(arguments: &[&str], directory: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("the binary runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A directory of its own for one test, with these files.
fn directory(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).expect("a directory for the test");
    for (file, text) in files {
        fs::write(directory.join(file), text).expect("a file for the test");
    }
    directory
}

#[test]
fn the_commands_of_the_tutorial_print_what_it_says() {
    let text = fs::read_to_string(root().join("docs/tutorial/first-model.md"))
        .expect("the tutorial is there");
    let blocks = blocks(&text);
    let models: Vec<&String> = blocks
        .iter()
        .filter(|b| b.contains("process main"))
        .collect();
    let [total, cyclic, cache, farm] = models[..] else {
        panic!("the tutorial has four models, not {}", models.len())
    };
    let samples = fs::read_to_string(root().join("tests/cli/samples/service.csv"));
    let bare: String = total
        .lines()
        .map(|line| format!("{}\n", line.split(" : ").next().unwrap_or(line)))
        .collect();
    let files = [
        ("total.pam", total.as_str()),
        ("bare.pam", &bare),
        ("cyclic.pam", cyclic),
        ("cache.pam", cache),
        ("farm.pam", farm),
        ("service.csv", &samples.expect("the samples are there")),
    ];
    let directory = directory("tutorial", &files);
    let mut checked = 0;
    for block in &blocks {
        let Some((command, expected)) = block.split_once('\n') else {
            continue;
        };
        let Some(arguments) = command.strip_prefix("$ pamela ") else {
            continue;
        };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let printed = pamela(&arguments, &directory);
        assert!(
            says("docs/tutorial/first-model.md", command, expected, &printed),
            "{command}\n{printed}\nbut the tutorial says\n{expected}"
        );
        checked += 1;
    }
    assert!(checked >= 14, "only {checked} commands were found");
}

#[test]
fn the_commands_about_laws_print_what_is_said() {
    let text =
        fs::read_to_string(root().join("docs/explanation/laws.md")).expect("the page is there");
    let blocks = blocks(&text);
    let examples = blocks
        .iter()
        .filter_map(|block| block.split_once("\n\n$ pamela eval heavy.pam\n"));
    let [(model, expected)] = examples.collect::<Vec<_>>()[..] else {
        panic!("the page has one example")
    };
    let directory = directory("laws", &[("heavy.pam", model)]);
    let printed = pamela(&["eval", "heavy.pam"], &directory);
    assert!(
        says(
            "docs/explanation/laws.md",
            "$ pamela eval heavy.pam",
            expected,
            &printed
        ),
        "{printed}\nbut the page says\n{expected}"
    );
}

/// The commands of a text, which the next indented block says the output of: as a shell reads them.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands = Vec::new();
    let blocks = blocks(text);
    let mut rest = blocks.iter();
    while let Some(block) = rest.next() {
        // Pictures are looked at by a test of their own.
        if block.starts_with("pamela ") && !block.contains(" docs/pictures/") {
            let expected = rest.next().cloned().unwrap_or_default();
            commands.push((block.clone(), expected));
        }
    }
    commands
}

/// What a shell prints in the directory of the project, where `pamela` is this program.
fn shell(command: &str) -> String {
    shell_in(command, root())
}

/// What a shell prints in a directory, where `pamela` is this program.
fn shell_in(command: &str, directory: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_pamela"));
    let programs = program.parent().expect("a program is in a directory");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", command])
        .env("PATH", format!("{}:{path}", programs.display()))
        .current_dir(directory)
        .output()
        .expect("bash runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_commands_of_the_reference_and_of_the_patterns_print_what_they_say() {
    let mut wrong = wrong_commands("docs/reference/language.md", 10);
    wrong.extend(wrong_commands("docs/how-to/patterns.md", 10));
    wrong.extend(wrong_commands("docs/how-to/distributions.md", 7));
    wrong.extend(wrong_commands("docs/explanation/bounds.md", 2));
    wrong.extend(wrong_commands("docs/explanation/closing.md", 3));
    wrong.extend(wrong_commands("docs/explanation/laws.md", 2));
    wrong.extend(wrong_commands("docs/explanation/limits.md", 4));
    wrong.extend(wrong_commands("docs/explanation/semantics.md", 1));
    wrong.extend(wrong_commands("docs/how-to/graphs.md", 4));
    wrong.extend(wrong_commands("docs/reference/libraries.md", 7));
    wrong.extend(wrong_commands("docs/how-to/published.md", 7));
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

#[test]
fn the_commands_of_the_how_to_pages_print_what_they_say() {
    let mut wrong = wrong_commands("docs/how-to/queues.md", 6);
    wrong.extend(wrong_commands("docs/how-to/capacity.md", 4));
    wrong.extend(wrong_commands("docs/how-to/percentiles.md", 6));
    wrong.extend(wrong_commands("docs/how-to/overlap.md", 4));
    wrong.extend(wrong_commands("docs/how-to/buffers.md", 4));
    wrong.extend(wrong_commands("docs/how-to/which-number.md", 3));
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

/// True if a page says what a command prints; with PAMELA_DOCS=overwrite, the page is made to say it.
fn says(page: &str, command: &str, expected: &str, printed: &str) -> bool {
    if agrees(printed, expected) {
        return true;
    }
    let is_overwritten = std::env::var("PAMELA_DOCS").is_ok_and(|told| told == "overwrite");
    // A command that prints nothing is a wrong command.
    if !is_overwritten || printed.trim().is_empty() {
        return false;
    }
    let path = root().join(page);
    let text = fs::read_to_string(&path).expect("the page is there");
    let old: Vec<&str> = expected.trim_end().lines().collect();
    let new: Vec<&str> = printed.trim_end().lines().collect();
    // Lines that agree keep the marks for digits that are left out.
    let kept = |(at, line): (usize, &&str)| match old.get(at) {
        Some(own) if old.len() == new.len() && agrees(line, own) => (*own).to_owned(),
        _ => (*line).to_owned(),
    };
    let new: Vec<String> = new.iter().enumerate().map(kept).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let indented = |lines: &[&str]| {
        let lines = lines.iter().map(|line| format!("    {line}\n"));
        lines.collect::<String>().replace("    \n", "\n")
    };
    // The same output may stand above.
    let command: Vec<&str> = command.trim_end().lines().collect();
    let whole = text.find(&indented(&command));
    let begins = whole.or_else(|| text.find(command.first()?));
    let (above, below) = text.split_at(begins.unwrap_or(0));
    let changed = below.replacen(&indented(&old), &indented(&new), 1);
    let changed = format!("{above}{changed}");
    fs::write(path, &changed).expect("the page can be written");
    changed != text
}

/// What the commands of a page print, where that is not what it says.
fn wrong_commands(page: &str, least: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let commands = commands(&text);
    assert!(commands.len() >= least, "{page} has {}", commands.len());
    for (command, expected) in commands {
        let printed = shell(&command);
        // A page begins no block with an empty line.
        let printed = format!("{}\n", printed.trim_end().trim_start_matches('\n'));
        if !says(page, &command, &expected, &printed) {
            wrong.push(format!(
                "{page}\n{command}\nprints\n{printed}\nnot\n{expected}"
            ));
        }
    }
    wrong
}

/// The commands of one page in four, or of all in full runs.
#[cfg(feature = "programs")]
#[test]
fn the_cases_are_modelled_as_their_pages_say() {
    let mut wrong = wrong_commands("docs/how-to/programs.md", 3);
    wrong.extend(wrong_commands("docs/how-to/fitting.md", 4));
    let entries = fs::read_dir(root().join("cases")).expect("the cases are there");
    let paths = entries.map(|entry| entry.expect("the directory can be read").path());
    let mut directories: Vec<_> = paths.filter(|path| path.is_dir()).collect();
    directories.sort();
    assert!(directories.len() >= 13, "{} cases", directories.len());
    for (number, directory) in directories.into_iter().enumerate() {
        let name = directory
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let page = format!("cases/{name}/README.md");
        let text = fs::read_to_string(root().join(&page)).expect("each case has a page");
        let program = fs::read_to_string(directory.join(format!("{name}.c")));
        let program = program.expect("each case is a program");
        assert!(
            blocks(&text).contains(&program),
            "{page} shows another program"
        );
        if is_full() || number % 4 == 0 {
            wrong.extend(wrong_commands(&page, 2));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

/// The rows of tables that end with an example and its value.
fn examples(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let line = line.replace("\\|", "\u{0}");
        let cells: Vec<String> = line
            .split('|')
            .map(|cell| cell.trim().trim_matches('`').replace('\u{0}', "|"))
            .collect();
        match &cells[..] {
            [.., example, value, _] if example == "example" && value == "value" => inside = true,
            [.., example, value, _] if inside && !value.starts_with('-') => {
                found.push((example.clone(), value.clone()));
            }
            [_] => inside = false,
            _ => {}
        }
    }
    found
}

#[test]
fn the_examples_in_the_tables_of_the_reference_have_their_values() {
    let text =
        fs::read_to_string(root().join("docs/reference/language.md")).expect("the page is there");
    let examples = examples(&text);
    assert!(examples.len() >= 35, "{} examples", examples.len());
    let model: String = examples
        .iter()
        .enumerate()
        .map(|(k, (example, _))| format!("numeric x{k} = {example}\n"))
        .collect();
    let directory = directory("reference", &[("examples.pam", &model)]);
    let printed = pamela(
        &["eval", "--emit=pamela", "--exact", "examples.pam"],
        &directory,
    );
    for (k, (example, value)) in examples.iter().enumerate() {
        let expected = format!("numeric x{k} = {value}");
        assert!(
            printed.lines().any(|line| line == expected),
            "{example} is not {value}: {printed}"
        );
    }
}

#[test]
fn the_patterns_are_models_of_the_corpus() {
    let text =
        fs::read_to_string(root().join("docs/how-to/patterns.md")).expect("the page is there");
    let blocks = blocks(&text);
    let entries = fs::read_dir(root().join("corpus/patterns")).expect("the patterns are there");
    for entry in entries {
        let path = entry.expect("the directory can be read").path();
        let model = fs::read_to_string(&path).expect("a model can be read");
        assert!(
            blocks.contains(&model),
            "{} is not on the page",
            path.display()
        );
    }
}

/// True if a text is the one shown, in which `[..]` stands for digits.
fn agrees(printed: &str, shown: &str) -> bool {
    let mut rest = printed;
    for (place, part) in shown.split("[..]").enumerate() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let skipped = if place == 0 { 0 } else { digits };
        match rest[skipped..].strip_prefix(part) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.is_empty()
}

#[test]
fn what_is_left_out_is_digits() {
    assert!(agrees("1.23456, 2\n", "1.23[..], 2\n"));
    for other in [
        "1.24456, 2\n",
        "1.23456, 3\n",
        "1.23x, 2\n",
        "1.23456, 2\n3",
    ] {
        assert!(!agrees(other, "1.23[..], 2\n"), "{other}");
    }
}

/// The reference leaves out no function and no law.
#[test]
fn the_reference_has_every_predefined_word() {
    let text =
        fs::read_to_string(root().join("docs/reference/language.md")).expect("the page is there");
    for word in pamela::words::WORDS.iter() {
        let called = format!("{}(", word.name);
        let mut found = text.split('`').skip(1).step_by(2);
        assert!(
            found.any(|code| code.starts_with(&called)),
            "docs/reference/language.md has no `{}`, {}",
            word.name,
            word.says
        );
    }
    for word in pamela::words::RESERVED {
        assert!(
            text.contains(word),
            "docs/reference/language.md has no `{word}`"
        );
    }
}

#[test]
fn the_simulations_of_the_documentation_print_what_it_says() {
    assert_eq!(examples_of("docs/how-to/simulate.md"), 2);
}

/// How many commands a page has, each of which prints what it says.
fn examples_of(page: &str) -> usize {
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let mut checked = 0;
    for block in blocks(&text) {
        let Some((command, expected)) = block.split_once('\n') else {
            continue;
        };
        let Some(arguments) = command.strip_prefix("$ pamela ") else {
            continue;
        };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let printed = pamela(&arguments, root());
        assert!(
            says(page, command, expected, &printed),
            "{command}\n{printed}\nbut the page says\n{expected}"
        );
        checked += 1;
    }
    checked
}

/// Commands in a block one after the other, each with what it prints.
#[test]
fn the_commands_of_the_sweeps_print_what_they_say() {
    let text = fs::read_to_string(root().join("docs/how-to/sweep.md")).expect("the page is there");
    let directory = directory("sweeps", &[]);
    let model = root().join("corpus/papers/mrm.pam");
    let model = model.to_str().expect("a path in UTF-8");
    let mut checked = 0;
    for block in blocks(&text) {
        for step in block.split("$ pamela ").skip(1) {
            let (command, expected) = step.split_once('\n').expect("a line");
            let arguments: Vec<&str> = command
                .split(' ')
                .map(|word| match word {
                    "corpus/papers/mrm.pam" => model,
                    word => word,
                })
                .collect();
            let printed = pamela(&arguments, &directory);
            assert!(
                says("docs/how-to/sweep.md", command, expected, &printed),
                "{command}\n{printed}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 3);
}

/// Commands in a block one after the other, each with what it prints.
pub fn wrong_sessions(page: &str, least: usize) -> Vec<String> {
    let text = fs::read_to_string(root().join(page)).expect("the page is there");
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for block in blocks(&text) {
        for step in block.split("$ pamela ").skip(1) {
            let (command, expected) = step.split_once('\n').expect("a line");
            let printed = shell(&format!("pamela {command}"));
            if !says(
                page,
                command,
                &format!("{}\n", expected.trim_end()),
                &format!("{}\n", printed.trim_end()),
            ) {
                wrong.push(format!("{command}\nprints\n{printed}\nnot\n{expected}"));
            }
            checked += 1;
        }
    }
    assert!(checked >= least, "{page} has {checked} commands");
    wrong
}

#[test]
fn optimisation_code_and_the_speedup_study_print_what_their_pages_say() {
    let mut wrong = wrong_sessions("docs/how-to/optimise.md", 3);
    wrong.extend(wrong_sessions("docs/how-to/code.md", 1));
    wrong.extend(wrong_sessions("docs/reference/rules.md", 1));
    wrong.extend(wrong_sessions("docs/tutorial/speedup.md", 2));
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

/// Every picture is as its command draws it.
#[cfg(feature = "plot")]
#[test]
fn the_pictures_are_what_their_commands_draw() {
    let directory = directory("pictures", &[]);
    let mut drawn = 0;
    for page in [
        "docs/how-to/plots.md",
        "docs/tutorial/speedup.md",
        "docs/explanation/bounds.md",
        "docs/evidence/studies.md",
    ] {
        let text = fs::read_to_string(root().join(page)).expect("the page is there");
        for command in blocks(&text) {
            let Some((before, name)) = command.trim_end().rsplit_once(" docs/pictures/") else {
                continue;
            };
            let path = directory.join(name);
            shell(&format!("{before} {}", path.display()));
            let own = fs::read_to_string(&path).expect("a picture");
            let shown = fs::read_to_string(root().join("docs/pictures").join(name));
            assert!(
                own == shown.expect("a picture of the page"),
                "{command} draws another picture"
            );
            drawn += 1;
        }
    }
    assert_eq!(drawn, 11);
}
