//! What a newcomer reads first: the README, and the help of the commands.

use std::fs;

use super::{agrees, directory, pamela, root, shell_in, wrong_commands, wrong_sessions};

/// The fenced blocks of a text in Markdown that are in this language.
fn fenced(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = text.split(&fence).skip(1);
    blocks
        .filter_map(|rest| Some(rest.split_once("```")?.0.to_owned()))
        .collect()
}

/// The README's models and commands, in an empty folder.
#[test]
fn the_readme_runs_from_an_empty_folder() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README is there");
    assert!(text.lines().count() <= 120, "the README is too long");
    let directory = directory("readme", &[]);
    for entry in fs::read_dir(&directory).expect("a folder") {
        fs::remove_file(entry.expect("a file").path()).expect("a file of an earlier run");
    }
    let models = fenced(&text, "pamela");
    let [model] = &models[..] else {
        panic!("the README has one model")
    };
    fs::write(directory.join("sum.pam"), model).expect("the model can be written");
    let mut checked = 0;
    for block in fenced(&text, "console") {
        for step in block.split("$ ").skip(1) {
            let (command, expected) = step.split_once('\n').expect("a line");
            let printed = shell_in(command, &directory);
            assert!(
                agrees(&printed, expected),
                "{command}\n{printed}\nbut the README says\n{expected}"
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 7);
    let drawn = fs::read_to_string(directory.join("readme.svg")).expect("a picture");
    let shown = root().join("docs/pictures/readme.svg");
    if std::env::var("PAMELA_DOCS").is_ok_and(|told| told == "overwrite") {
        fs::write(&shown, &drawn).expect("the picture can be written");
    }
    let shown = fs::read_to_string(shown).expect("a picture");
    assert!(drawn == shown, "the README shows another picture");
}

/// The reference of the commands is what their help prints.
#[test]
fn the_reference_of_commands_is_their_help() {
    let list = pamela(&["help"], root());
    let commands = list.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(commands.len() >= 20, "{list}");
    let mut page = String::from(
        "# Commands\n\nWhich command does what, and with which options? This page is made from the help texts: `pamela help \
         COMMAND`\nprints each of them.\n\n",
    );
    page.push_str(&format!("```text\n{}\n```\n", list.trim_end()));
    for name in commands {
        let help = pamela(&["help", name], root());
        let lines = help.lines().count();
        assert!(lines <= 60, "help of {name} has {lines} lines");
        page.push_str(&format!(
            "\n## pamela {name}\n\n```text\n{}\n```\n",
            help.trim_end()
        ));
    }
    let path = root().join("docs/reference/commands.md");
    if std::env::var("PAMELA_DOCS").is_ok_and(|told| told == "overwrite") {
        fs::write(&path, &page).expect("the page can be written");
    }
    let shown = fs::read_to_string(&path).expect("the page is there");
    assert!(
        shown == page,
        "docs/reference/commands.md is out of date: PAMELA_DOCS=overwrite writes it"
    );
}

/// The program carries every model of `corpus/papers` and `corpus/patterns`, as it stands there.
#[test]
fn the_examples_are_the_models_of_papers_and_patterns() {
    let list = pamela(&["examples"], root());
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut carried: Vec<String> = names.map(str::to_owned).collect();
    let mut there = Vec::new();
    for folder in ["papers", "patterns"] {
        let path = root().join("corpus").join(folder);
        for entry in fs::read_dir(path).expect("a folder of the corpus") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().expect("a name").to_string_lossy();
            let name = format!("{folder}/{stem}");
            let text = fs::read_to_string(&path).expect("a model");
            assert_eq!(pamela(&["examples", &name], root()), text, "{name}");
            there.push(name);
        }
    }
    carried.sort();
    there.sort();
    assert_eq!(carried, there);
}

/// Every template is a model with values.
#[test]
fn templates_can_be_evaluated_as_they_are() {
    let directory = directory("templates", &[]);
    for name in [
        "master-worker",
        "pipeline",
        "halo",
        "all-reduce",
        "service",
        "checkpoint",
        "training",
    ] {
        let file = format!("{name}.pam");
        let _ = fs::remove_file(directory.join(&file));
        assert!(pamela(&["new", name], &directory).contains(&file), "{name}");
        let printed = shell_in(&format!("pamela eval {file} && echo done"), &directory);
        assert!(printed.trim_end().ends_with("done"), "{name}: {printed}");
    }
}

#[test]
fn promises_and_regressions_are_judged_as_their_pages_say() {
    let mut wrong = wrong_commands("docs/how-to/contracts.md", 3);
    if cfg!(feature = "programs") {
        wrong.extend(wrong_commands("docs/how-to/regressions.md", 3));
        wrong.extend(wrong_commands("docs/how-to/messages.md", 2));
    }
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

#[test]
fn servers_are_planned_as_the_page_says() {
    let wrong = wrong_sessions("docs/how-to/planning.md", 5);
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}

#[cfg(feature = "programs")]
#[test]
fn intervals_are_those_that_their_page_says() {
    let wrong = wrong_commands("docs/how-to/intervals.md", 5);
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}
