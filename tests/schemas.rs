//! What commands print as JSON has the schemas of `docs/schema`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Words that describe, and require nothing.
const ANNOTATIONS: [&str; 4] = ["$schema", "$defs", "title", "description"];

/// Why a value does not follow a schema. Only the words of our schemas are known; another one is a defect of the test.
fn fault(value: &Value, schema: &Value, root: &Value, place: &str) -> Option<String> {
    let schema = schema.as_object().expect("a schema is an object");
    schema
        .iter()
        .find_map(|(word, wanted)| match word.as_str() {
            "$ref" => {
                let pointer = wanted.as_str().unwrap().trim_start_matches('#');
                fault(value, root.pointer(pointer).unwrap(), root, place)
            }
            "type" => {
                let wanted: Vec<&Value> = match wanted {
                    Value::Array(all) => all.iter().collect(),
                    one => vec![one],
                };
                let is = |name: &&Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "boolean" => value.is_boolean(),
                    "null" => value.is_null(),
                    other => panic!("no type {other}"),
                };
                let found = !wanted.iter().any(is);
                found.then(|| format!("{place} is {value}, not {wanted:?}"))
            }
            "enum" => {
                let found = !wanted.as_array().unwrap().contains(value);
                found.then(|| format!("{place} is {value}, none of {wanted}"))
            }
            "minimum" => {
                let found = value.as_f64() < wanted.as_f64();
                found.then(|| format!("{place} is {value}, less than {wanted}"))
            }
            "anyOf" => {
                let mut all = wanted.as_array().unwrap().iter();
                let found = all.all(|one| fault(value, one, root, place).is_some());
                found.then(|| format!("{place} is {value}, none of the alternatives"))
            }
            "items" => {
                let own = value.as_array().into_iter().flatten().enumerate();
                { own }.find_map(|(k, own)| fault(own, wanted, root, &format!("{place}/{k}")))
            }
            "required" => {
                let own = value.as_object()?;
                let mut names = wanted.as_array().unwrap().iter().filter_map(Value::as_str);
                let missing = names.find(|name| !own.contains_key(*name))?;
                Some(format!("{place} has no {missing}"))
            }
            "properties" => {
                let wanted = wanted.as_object().unwrap();
                let own = value.as_object().into_iter().flatten();
                { own }.find_map(|(name, own)| {
                    fault(own, wanted.get(name)?, root, &format!("{place}/{name}"))
                })
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                let none = Map::new();
                let known = known.unwrap_or(&none);
                let mut others = value.as_object().into_iter().flatten();
                others.find_map(|(name, own)| match (known.contains_key(name), wanted) {
                    (true, _) => None,
                    (false, Value::Bool(false)) => Some(format!("{place} has {name}")),
                    (false, schema) => fault(own, schema, root, &format!("{place}/{name}")),
                })
            }
            word if ANNOTATIONS.contains(&word) => None,
            word => panic!("the schema has the word {word}"),
        })
}

fn schema(name: &str) -> Value {
    let path = root().join("docs/schema").join(name).with_extension("json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The output of a command has its schema. Commands without output have failed, which other tests know.
fn follows(name: &str, arguments: &[&str]) -> bool {
    let program = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    let text = String::from_utf8(program.stdout).unwrap();
    if text.trim().is_empty() {
        return false;
    }
    let value: Value = serde_json::from_str(&text).unwrap();
    let schema = schema(name);
    if let Some(fault) = fault(&value, &schema, &schema, "") {
        panic!("{arguments:?}: {fault}");
    }
    true
}

/// Models of each kind: with laws, vectors, units, assertions, contention.
const MODELS: [&str; 8] = [
    "papers/mrm",
    "papers/mrm_stochastic",
    "papers/vectors",
    "patterns/stencil",
    "practice/halo",
    "practice/hedged",
    "units/batches",
    "graphs/two_stages",
];

fn models() -> Vec<String> {
    let folders = [
        "papers", "patterns", "practice", "units", "graphs", "codes", "issues",
    ];
    let all = folders.iter().flat_map(|folder| {
        let files = std::fs::read_dir(root().join("corpus").join(folder)).unwrap();
        files.map(|file| file.unwrap().path())
    });
    let is_model = |path: &PathBuf| path.extension().is_some_and(|end| end == "pam");
    let is_chosen = |path: &PathBuf| {
        let stem = path.with_extension("");
        std::env::var_os("PAMELA_ALL").is_some_and(|all| !all.is_empty())
            || MODELS
                .iter()
                .any(|own| stem.ends_with(Path::new("corpus").join(own)))
    };
    let mut chosen: Vec<PathBuf> = all.filter(is_model).filter(is_chosen).collect();
    chosen.sort();
    let name = |path: PathBuf| {
        path.strip_prefix(root())
            .unwrap()
            .to_string_lossy()
            .into_owned()
    };
    chosen.into_iter().map(name).collect()
}

#[test]
fn outputs_have_their_schemas() {
    let mut simplified = 0;
    for model in models() {
        let arguments = [
            "simplify",
            &model,
            "--emit",
            "json",
            "--regimes",
            "--explain",
        ];
        simplified += usize::from(follows("simplify", &arguments));
    }
    assert!(simplified >= 4, "{simplified} models have closed forms");
    let values = ["-D", "P=4", "-D", "N=3", "-D", "tl=2", "-D", "ts=1"];
    let eval = |model, more: &[&str]| {
        let arguments = [&["eval", model, "--json"], more].concat();
        assert!(follows("eval", &arguments), "{arguments:?}");
    };
    eval("corpus/papers/mrm.pam", &values);
    eval("corpus/papers/mrm_stochastic.pam", &values[..4]);
}

/// Commands that find, run and compare, after the names of their schemas.
const ANSWERS: &str = "
    optimise: optimise corpus/papers/mrm.pam -D N=10 -D tl=3 -D ts=1 --over P=1:1:8 --minimise time_main
    optimise: optimise tests/cli/models/slowest.pam -D m=10 --over n=1:9 --minimise quantile(T(all),0.99)/n
    solve: solve tests/cli/models/solve.pam time_main<=15 --for P -D N=1 -D work=3600 -D add=0.01 -D x=1
    solve: solve tests/cli/models/solve.pam 1/x>=3 --for x -D N=1 -D P=1 -D work=3600 -D add=0.01
    solve: solve tests/cli/models/solve.pam time_main<=15 --for P=1:9,N -D work=3600 -D add=0.01 -D x=1
    solve: solve tests/cli/models/solve.pam time_main<=limit --for P
    simulate: simulate corpus/papers/mrm.pam -D P=5 -D N=10 -D tl=3 -D ts=1
    simulate: simulate corpus/papers/mrm_stochastic.pam --replications 20 -D P=4 -D N=10
    compare: compare corpus/papers/mrm.pam -D P=2 -D N=10 -D tl=3 -D ts=1
    diff: diff corpus/papers/mrm.pam tests/cli/models/solve.pam --only time_main
    fit: fit corpus/algebra/law_samples.csv --column 2
    model: model cases/search/search.c --profile cases/search/search.json
    rules-list: rules list
    rules-check: rules check tests/gates/idle_guard.rules
";

#[test]
fn answers_have_their_schemas() {
    for line in ANSWERS.trim().lines() {
        let (name, command) = line.trim().split_once(": ").unwrap();
        let arguments: Vec<&str> = command.split(' ').chain(["--json"]).collect();
        assert!(follows(name, &arguments), "{command} prints nothing");
    }
}

#[test]
fn calibrations_and_profiles_have_their_schemas() {
    let folder = std::env::temp_dir().join(format!("pamela-calibrated-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (model, times) = (path("matmul.pam"), path("times.toml"));
    let table = "cases/matmul/matmul.json";
    let run = |arguments: &[&str]| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_pamela"));
        let ended = program
            .args(arguments)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(ended.status.success(), "{arguments:?}");
    };
    run(&[
        "model",
        "cases/matmul/matmul.c",
        "--entry",
        "multiply",
        "-o",
        &model,
    ]);
    let calibrate = ["calibrate", &model, table, "--by", "P"];
    run(&[&calibrate[..], &["-o", &times]].concat());
    assert!(follows(
        "calibrate",
        &[&calibrate[..], &["--json"]].concat()
    ));
    assert!(follows(
        "calibrate",
        &[&calibrate[..], &["--folds", "3", "--json"]].concat()
    ));
    let compare = [
        "compare",
        &model,
        "--measured",
        table,
        "--params",
        &times,
        "--json",
    ];
    assert!(follows("compare-measured", &compare));
    std::fs::remove_dir_all(folder).unwrap();

    let schema = schema("profile");
    let mut profiles = 0;
    for case in std::fs::read_dir(root().join("cases")).unwrap() {
        let case = case.unwrap().path();
        for file in case
            .is_dir()
            .then(|| std::fs::read_dir(case).unwrap())
            .into_iter()
            .flatten()
        {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|own| own != "json") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let value: Value = serde_json::from_str(&text).unwrap();
            if value["format"] == "pamela-profile/1" {
                assert_eq!(
                    fault(&value, &schema, &schema, ""),
                    None,
                    "{}",
                    file.display()
                );
                profiles += 1;
            }
        }
    }
    assert!(profiles >= 3, "only {profiles} profiles");
}

#[test]
fn diagnostics_have_their_schema() {
    let folder = std::env::temp_dir().join(format!("pamela-schemas-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let texts = [
        "numeric parameter count\nnumeric f = coun + 1\nassume count > 0\nnumeric f = 2",
        "numeric parameter x : >= 1\nassert x >= 0\nassert x >= 2",
        "process main = {",
        "numeric f = exponential(-1)",
    ];
    for (k, text) in texts.iter().enumerate() {
        let path = folder.join(format!("{k}.pam"));
        std::fs::write(&path, text).unwrap();
        assert!(follows(
            "check",
            &["check", path.to_str().unwrap(), "--format", "json"]
        ));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A value that lacks a field, has another one, or another type, is refused.
#[test]
fn schemas_refuse_other_values() {
    let schema = schema("check");
    let good = serde_json::json!({ "files": [{ "file": "a", "diagnostics": [] }] });
    assert_eq!(fault(&good, &schema, &schema, ""), None);
    for bad in [
        serde_json::json!({}),
        serde_json::json!({ "files": [{ "file": "a" }] }),
        serde_json::json!({ "files": [{ "file": 1, "diagnostics": [] }] }),
        serde_json::json!({ "files": [{ "file": "a", "diagnostics": [], "other": 1 }] }),
        serde_json::json!({ "files": [{ "file": "a", "diagnostics": [{ "code": "x" }] }] }),
    ] {
        assert!(fault(&bad, &schema, &schema, "").is_some(), "{bad}");
    }
}

/// A release has one version, which stands in several files.
#[test]
fn versions_agree() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let manifest = read("Cargo.toml");
    let own = manifest
        .lines()
        .filter(|line| line.starts_with("pamela") && line.contains("path = "));
    for line in own {
        assert!(
            line.contains(&format!("version = \"={version}\"")),
            "{line}"
        );
    }
    for file in ["CITATION.cff", "editors/vscode/package.json"] {
        let text = read(file);
        let line = text.lines().find(|line| {
            line.trim_start()
                .trim_start_matches('"')
                .starts_with("version")
        });
        let line = line.unwrap_or_else(|| panic!("{file} has no version"));
        assert!(line.contains(version), "{file}: {line}");
    }
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let manifest = entry.unwrap().path().join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).unwrap();
        assert!(text.contains("version.workspace = true"), "{manifest:?}");
    }
    // The changes of a release have its version; between releases the first heading is another one.
    let changes = read("CHANGELOG.md");
    let first = changes
        .lines()
        .find_map(|line| line.strip_prefix("## "))
        .unwrap();
    assert!(
        first == "Unreleased" || first.starts_with(version),
        "{first}"
    );
}
