//! `pamela sweep --parts` and `pamela merge` as processes: any division, in any order, is the whole sweep to the byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn pamela(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs")
}

fn done(arguments: &[&str]) -> (Vec<u8>, String) {
    let output = pamela(arguments);
    let notes = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{arguments:?}\n{notes}");
    (output.stdout, notes)
}

fn error(arguments: &[&str]) -> String {
    let output = pamela(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// A new directory of this name.
fn fresh(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("parts")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory for the test");
    path.to_string_lossy().into_owned()
}

const FIXED: [&str; 8] = [
    "sweep",
    "corpus/papers/mrm.pam",
    "-D",
    "tl=10",
    "-D",
    "ts=0.1",
    "-D",
    "P=1:90",
];

fn sweep<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&FIXED[..], more].concat()
}

/// What is asked, each over 4,500 points or 45,000.
const QUESTIONS: [&[&str]; 7] = [
    &["-D", "N=1:50"],
    &["-D", "N=1:500", "--where", "N > 3 * P", "--format", "jsonl"],
    &["-D", "N=1:50", "--where", "P + N mod 7 == 1"],
    &[
        "-D",
        "N=1:50",
        "--aggregate",
        "min,max,mean,sum,count,argmin,argmax",
    ],
    &[
        "-D",
        "N=1:50",
        "--aggregate",
        "argmax,mean",
        "--group-by",
        "P",
        "--format",
        "jsonl",
    ],
    &["-D", "N=1:50", "--top", "20", "--by", "T_main"],
    &[
        "-D",
        "N=1:500",
        "--top",
        "7",
        "--by",
        "-time_main",
        "--format",
        "jsonl",
    ],
];

#[test]
fn any_division_merges_to_the_whole() {
    for (place, question) in QUESTIONS.iter().enumerate() {
        let (whole, _) = done(&sweep(question));
        assert!(whole.len() > 40);
        for into in ["1", "7", "64", ""] {
            let directory = fresh(&format!("division-{place}-{into}"));
            let mut more = [question, &["--parts", &directory][..]].concat();
            if !into.is_empty() {
                more.extend(["--into", into]);
            }
            // The last part first, each in a process of its own; then all that is left in one.
            let known: usize = into.parse().unwrap_or(1);
            for part in (0..known.min(9)).rev() {
                let part = part.to_string();
                done(&sweep(&[&more[..], &["--part", &part]].concat()));
            }
            done(&sweep(&more));
            assert!(Path::new(&directory).join("_SUCCESS").exists());
            let (merged, _) = done(&["merge", &directory]);
            assert!(merged == whole, "{question:?} into {into}");
        }
    }
}

/// Quantiles, methods and notes, which are texts, in parts of few points.
#[test]
fn laws_and_notes_are_merged_too() {
    let model = fresh("law.pam");
    let text = "numeric parameter P : integer
        process main = par (p = 1, P) delay(exponential(1))
        numeric q = 1 / (P - 3)";
    fs::write(&model, text).expect("a file");
    let all = ["sweep", &model, "-D", "P=1:40"];
    let (whole, _) = done(&all);
    let directory = fresh("laws");
    let table = fresh("laws.csv");
    let more = ["--parts", &directory, "--into", "6", "-o", &table];
    let (_, notes) = done(&[&all[..], &more].concat());
    assert!(notes.contains("6 parts in") && notes.contains("6 of them computed now"));
    assert_eq!(fs::read(&table).expect("a table"), whole);
    // By name the parts are the table.
    let parts =
        (0..6).map(|part| fs::read(format!("{directory}/part-{part:05}.csv")).expect("a part"));
    assert_eq!(parts.collect::<Vec<_>>().concat(), whole);
}

/// Rows of a table by their names: values by hand, and parts that know the names without the model.
#[test]
fn rows_of_tables_have_their_names_in_rows_and_figures() {
    let model = fresh("rows.pam");
    let text = "table gpus { small: flops = 2, watts = 10  big: 5, 40 }
        numeric parameter gpu : gpus
        numeric parameter n : integer >= 1
        numeric t = 20 * n / gpu.flops
        numeric joules = t * gpu.watts";
    fs::write(&model, text).expect("a file");
    let all = ["sweep", &model, "-D", "gpu=*", "-D", "n=1:2"];
    let (rows, _) = done(&all);
    let expected = "gpu,n,t,joules,regime,note\n\
                    small,1,10,100,,\nsmall,2,20,200,,\nbig,1,4,160,,\nbig,2,8,320,,\n";
    assert_eq!(String::from_utf8_lossy(&rows), expected);
    let figures = ["--aggregate", "min,argmin", "--group-by", "n"];
    let figures = [&all[..], &figures].concat();
    let (table, _) = done(&figures);
    let expected = "n,t_min,t_argmin_gpu,joules_min,joules_argmin_gpu\n\
                    1,4,big,100,small\n2,8,big,200,small\n";
    assert_eq!(String::from_utf8_lossy(&table), expected);
    let best = [&all[..], &["--top", "1", "--by", "-joules"]].concat();
    for (name, question) in [("rows", &all[..]), ("figures", &figures), ("best", &best)] {
        let (whole, _) = done(question);
        let directory = fresh(&format!("table-{name}"));
        done(&[question, &["--parts", &directory, "--into", "3"]].concat());
        assert_eq!(done(&["merge", &directory]).0, whole, "{name}");
    }
    let (chosen, _) = done(&[
        "eval",
        "--emit=pamela",
        &model,
        "-D",
        "gpu=big",
        "-D",
        "n=2",
    ]);
    let chosen = String::from_utf8_lossy(&chosen);
    assert!(
        chosen.contains("t = 8") && chosen.contains("joules = 320"),
        "{chosen}"
    );
}

#[test]
fn what_is_there_is_not_computed_again_and_what_is_cut_is() {
    let (whole, _) = done(&sweep(&["-D", "N=1:50"]));
    let directory = fresh("cut");
    let all = ["-D", "N=1:50", "--parts", &directory, "--into", "5"];
    assert!(done(&sweep(&all)).1.contains("5 of them computed now"));
    assert!(done(&sweep(&all)).1.contains("0 of them computed now"));
    let missing = [&all[..], &["--missing"]].concat();
    assert_eq!(done(&sweep(&missing)).0, b"");
    let again = [&all[..], &["--part", "3"]].concat();
    assert!(done(&sweep(&again)).1.contains("part 3 exists already"));
    let part = format!("{directory}/part-00002.csv");
    let content = fs::read(&part).expect("a part");
    let receipt = format!("{directory}/_done/part-00002.json");
    let said = fs::read(&receipt).expect("a receipt");
    let changed = [&content[..content.len() - 2], b"7\n"].concat();
    for (damage, told) in [
        (Some(&content[..100]), "bytes, but"),
        (Some(&changed), "does not have the bytes that were written"),
        (None, "cannot be read"),
    ] {
        match damage {
            Some(bytes) => fs::write(&part, bytes).expect("damage"),
            None => fs::remove_file(&part).expect("damage"),
        }
        let message = error(&["merge", &directory]);
        assert!(
            message.contains("part 2") && message.contains(told),
            "{message}"
        );
        assert_eq!(done(&sweep(&missing)).0, b"2\n");
        assert!(done(&sweep(&all)).1.contains("1 of them computed now"));
        assert_eq!(fs::read(&part).expect("a part"), content);
        assert_eq!(fs::read(&receipt).expect("a receipt"), said);
    }
    fs::remove_file(&receipt).expect("damage");
    assert!(error(&["merge", &directory]).contains("is not there"));
    assert!(done(&sweep(&all)).1.contains("1 of them computed now"));
    assert_eq!(done(&["merge", &directory]).0, whole);
    // Nothing is left of what was begun.
    let names = fs::read_dir(&directory).expect("a directory");
    let names = names.map(|entry| entry.expect("an entry").file_name());
    assert_eq!(names.count(), 5 + 3);
}

#[test]
fn parts_of_another_question_are_refused() {
    let (one, other) = (fresh("one"), fresh("other"));
    let all = |n: &'static str, directory: &str| {
        let more = ["-D", n, "--parts", directory, "--into", "3"].map(str::to_owned);
        FIXED
            .iter()
            .map(|word| (*word).to_string())
            .chain(more)
            .collect::<Vec<_>>()
    };
    let run = |words: Vec<String>, more: &[&str]| {
        let words: Vec<&str> = words
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        pamela(&words)
    };
    assert!(run(all("N=1:50", &one), &[]).status.success());
    assert!(run(all("N=2:51", &other), &[]).status.success());
    for (n, more, told) in [
        ("N=1:51", &[][..], "the values"),
        ("N=1:50", &["--where", "P > 1"][..], "the conditions"),
        ("N=1:50", &["--format", "jsonl"], "their format"),
        (
            "N=1:50",
            &["--top", "3", "--by", "T_main"],
            "the computed values",
        ),
        ("N=1:50", &["--only", "T_main"], "the model"),
    ] {
        let output = run(all(n, &one), more);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1));
        assert!(
            message.contains("another sweep") && message.contains(told),
            "{message}"
        );
    }
    // A part of the other one, with all that is said of it.
    for name in ["part-00001.csv", "_done/part-00001.json"] {
        fs::copy(format!("{other}/{name}"), format!("{one}/{name}")).expect("copied");
    }
    assert!(error(&["merge", &one]).contains("belongs to another sweep"));
    let (whole, _) = done(&sweep(&["-D", "N=1:50"]));
    assert!(run(all("N=1:50", &one), &[]).status.success());
    assert_eq!(done(&["merge", &one]).0, whole);
}

#[test]
fn what_is_no_directory_of_parts_is_told() {
    let directory = fresh("none");
    fs::create_dir_all(&directory).expect("a directory");
    assert!(error(&["merge", &directory]).contains("has no parts of a sweep"));
    for (text, told) in [
        ("", "cannot read"),
        ("[1, 2]", "not a list of parts"),
        ("{\"format\": 2}", "it has format 2"),
        ("{\"format\": 3}", "missing field"),
    ] {
        fs::write(format!("{directory}/_pamela.json"), text).expect("a file");
        let message = error(&["merge", &directory]);
        assert!(message.contains(told), "{message}");
        let more = ["-D", "N=1:50", "--parts", &directory];
        assert!(error(&sweep(&more)).contains(told));
    }
    let directory = fresh("numbers");
    let all = ["-D", "N=1:50", "--parts", &directory, "--into", "3"];
    done(&sweep(&all));
    let path = format!("{directory}/_pamela.json");
    let said = fs::read_to_string(&path).expect("a manifest");
    for (from, to) in [
        ("\"size\": 1500", "\"size\": 0"),
        ("\"parts\": 3", "\"parts\": 4"),
    ] {
        assert!(said.contains(from), "{said}");
        fs::write(&path, said.replace(from, to)).expect("a file");
        assert!(error(&["merge", &directory]).contains("do not agree"));
    }
    fs::write(&path, said).expect("a file");
    let there_is_not = [&all[..], &["--part", "3"]].concat();
    assert!(error(&sweep(&there_is_not)).contains("the parts are 0 to 2"));
    assert!(error(&["merge", &directory, "-o", &format!("{directory}.jsonl")]).contains("as .csv"));
    assert!(
        error(&["merge", &directory, "-o", &format!("{directory}.doc")]).contains("file extension")
    );
    assert!(error(&sweep(&["-D", "N=1", "--parts", "7"])).contains("--into 7"));
    let engine = ["-D", "N=1", "--engine", "dask://host:8786"];
    assert!(error(&sweep(&engine)).contains("pip install pamelaplus[dask]"));
}

/// Stands in for the scheduler: runs the jobs of an array, the last one first.
#[cfg(unix)]
const SBATCH: &str = r#"#!/bin/sh
script=$(mktemp)
cat > "$script"
grep -q '^#SBATCH --requeue' "$script" || { sh "$script" && rm "$script"; exit; }
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
while [ "$last" -ge 0 ]; do
    SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_TASK_ID=$last sh "$script" >&2 || exit 1
    last=$((last - 1))
done
rm "$script"
echo "12;cluster"
"#;

#[cfg(unix)]
#[test]
fn the_script_for_slurm_computes_the_table() {
    use std::os::unix::fs::PermissionsExt;
    let bin = fresh("bin");
    fs::create_dir_all(&bin).expect("a directory");
    let program = format!("{bin}/sbatch");
    fs::write(&program, SBATCH).expect("a program");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is run");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pamela"), format!("{bin}/pamela"))
        .expect("a link");
    let (directory, table) = (fresh("it's a study"), fresh("a table.csv"));
    let _ = fs::remove_file(&table);
    let more = [
        "-D",
        "N=1:50",
        "--where",
        "N > 2 * P",
        "--emit",
        "slurm",
        "--parts",
        &directory,
        "--into",
        "4",
        "-o",
        &table,
    ];
    let (script, _) = done(&sweep(&more));
    let path = format!("{}:{}", bin, std::env::var("PATH").expect("a path"));
    let mut shell = Command::new("sh");
    shell
        .arg("-c")
        .arg(String::from_utf8(script).expect("UTF-8"));
    shell
        .env("PATH", path)
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = shell.output().expect("a shell");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (whole, _) = done(&sweep(&["-D", "N=1:50", "--where", "N > 2 * P"]));
    assert_eq!(fs::read(&table).expect("a table"), whole);
    // What looks like an option that is left out is not mistaken for it.
    let strange = [
        "-D", "N=1:50", "--where", "--emit", "--parts", &directory, "--emit", "slurm",
    ];
    let output = pamela(&sweep(&strange));
    assert_ne!(output.status.code(), Some(0));
    assert!(error(&["sweep", "-", "--parts", &directory, "--emit", "slurm"]).len() > 10);
}
