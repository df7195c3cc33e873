//! What the README and the tutorial say that the commands print, they print.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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
    let text = fs::read_to_string(root().join("docs/tutorial.md")).expect("the tutorial is there");
    let blocks = blocks(&text);
    let models: Vec<&String> = blocks
        .iter()
        .filter(|b| b.contains("process main"))
        .collect();
    let [total, cyclic] = models[..] else {
        panic!("the tutorial has two models, not {}", models.len())
    };
    let bare: String = total
        .lines()
        .map(|line| format!("{}\n", line.split(" : ").next().unwrap_or(line)))
        .collect();
    let files = [
        ("total.pam", total.as_str()),
        ("bare.pam", &bare),
        ("cyclic.pam", cyclic),
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
        assert_eq!(pamela(&arguments, &directory), expected, "{command}");
        checked += 1;
    }
    assert!(checked >= 5, "only {checked} commands were found");
}

#[test]
fn the_first_screen_of_the_readme_is_true() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README is there");
    let blocks = blocks(&text);
    let model =
        fs::read_to_string(root().join("corpus/papers/mrm.pam")).expect("the model is there");
    assert!(
        model.ends_with(&blocks[0]),
        "the README shows another model than mrm.pam"
    );
    assert_eq!(
        pamela(&["simplify", "corpus/papers/mrm.pam"], root()),
        blocks[1]
    );
}
