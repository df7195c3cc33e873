//! Laws of samples in files, the whole way: closed forms against samples that are written out, what is printed
//! against what was read.

use std::collections::HashMap;

use pamela::{Model, Options, Simplified};

const EQUATIONS: &str = "numeric parameter N : integer >= 1
    resource server = fcfs(0, 1)
    numeric S = sum (i = 1, N) { X } + 2 * X
    numeric R = sum (i = 1, poisson(4)) { X }
    numeric C = if (bernoulli(1/3)) X else max(X, 4)
    process main = par (i = 1, N) { delay(X); use(server, X) }";

fn files() -> HashMap<String, String> {
    let table = "task,time\n1,5\n2,3\n3,8\n4,5\n".to_owned();
    let part = format!("numeric X = empirical(\"data/s.csv\", \"time\")\n{EQUATIONS}");
    [
        ("data/s.csv".to_owned(), table),
        ("part.pam".to_owned(), part),
    ]
    .into()
}

fn model(text: &str) -> Model {
    Model::read("model.pam", text, &files()).unwrap_or_else(|error| panic!("{error}"))
}

fn simplified(model: &Model) -> Simplified {
    model.simplify(&Options::default()).expect("it simplifies")
}

/// Each equation as it is printed.
fn printed(simplified: &Simplified) -> Vec<(String, String)> {
    let equations = simplified.equations.iter();
    equations
        .map(|e| (e.name.clone(), e.formula.pamela()))
        .collect()
}

#[test]
fn samples_of_a_file_have_the_closed_forms_of_those_that_are_written() {
    let file = simplified(&model("include \"part.pam\""));
    let written = simplified(&model(&format!(
        "numeric X = empirical(3, 5, 5, 8)\n{EQUATIONS}"
    )));
    let moments = |simplified: &Simplified| {
        let mut printed = printed(simplified);
        printed.retain(|(name, _)| name.ends_with("_S") || name.ends_with("_R"));
        printed
    };
    // Of S and R four each; the largest in C and in the time has none.
    assert_eq!(moments(&file).len(), 8);
    assert_eq!(moments(&file), moments(&written));
}

#[test]
fn samples_of_a_file_have_the_values_of_those_that_are_written() {
    let values = [("N".to_string(), "3".to_string())];
    let written = model(&format!("numeric X = empirical(3, 5, 5, 8)\n{EQUATIONS}"));
    for laws in ["grid", "gld"] {
        let options = Options {
            laws: match laws {
                "gld" => pamela::law::Carrier::Gld,
                _ => pamela::law::Carrier::Grid,
            },
            without_moments: true,
            ..Options::default()
        };
        let of = |model: &Model| {
            let rules = pamela::rules::standard().expect("the rules are rules");
            let evaluated = model.evaluate(&values, rules, &options);
            let equations = evaluated.expect("it has values").equations.into_iter();
            let laws = equations.filter_map(|e| e.law.map(|law| (e.name, law)));
            laws.collect::<Vec<_>>()
        };
        let (file, written) = (of(&model("include \"part.pam\"")), of(&written));
        assert_eq!(file.len(), 5);
        for ((name, file), (_, written)) in file.iter().zip(&written) {
            let (a, b) = (file.cumulants, written.cumulants);
            for (a, b) in [
                (a.mean, b.mean),
                (a.variance, b.variance),
                (a.third, b.third),
                (a.fourth, b.fourth),
            ] {
                let size = b.abs().max(1.0);
                assert!((a - b).abs() < 1e-6 * size, "{name} by {laws}: {a} and {b}");
            }
        }
    }
}

#[test]
fn what_is_printed_reads_back_beside_the_same_file() {
    let first = printed(&simplified(&model("include \"part.pam\"")));
    assert!(first.contains(&("X".into(), "empirical(\"data/s.csv\", 2)".into())));
    let lines = first
        .iter()
        .map(|(name, formula)| format!("numeric {name} = {formula}\n"));
    let text = format!(
        "numeric parameter N : integer >= 1\n{}",
        lines.collect::<String>()
    );
    let again = simplified(&Model::read("again.pam", &text, &files()).expect("it reads"));
    for (name, formula) in &first {
        let equation = again.equation(name).expect("the same equations");
        assert_eq!(equation.formula.pamela(), *formula, "{name}");
    }
}

/// The path is that of the folder of the model which is read, not of the file that names it.
#[test]
fn a_file_that_an_included_one_names_is_printed_as_the_model_would_name_it() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("samples");
    let inner = folder.join("inner part");
    std::fs::create_dir_all(&inner).expect("a folder for the files");
    let write = |path: &std::path::Path, text: &str| std::fs::write(path, text).expect("written");
    write(&inner.join("s_1.csv"), "1\n2\n");
    write(
        &inner.join("part.pam"),
        "numeric X = empirical(\"s_1.csv\") numeric Y = empirical(\"../inner part/s_1.csv\", 1)",
    );
    let main = folder.join("main.pam");
    write(
        &main,
        "include \"inner part/part.pam\" numeric Z = empirical(\"inner part/s_1.csv\")
         numeric S = X + Y + Z",
    );
    let model = Model::from_file(&main.to_string_lossy()).expect("it reads");
    let simplified = simplified(&model);
    let shown = |name: &str| {
        let equation = simplified.equation(name).expect("it is there");
        (equation.formula.pamela(), equation.formula.latex())
    };
    let (text, latex) = shown("X");
    assert_eq!(text, "empirical(\"inner part/s_1.csv\", 1)");
    assert_eq!(
        latex,
        "\\operatorname{empirical}\\left(\\text{inner part/s\\_1.csv}, 1\\right)"
    );
    // All three are the same law.
    assert_eq!(shown("S").0, format!("sum (i = 1, 3) {{ {text} }}"));
}

#[test]
fn a_hundred_thousand_samples_have_exact_moments() {
    // 0.001 to 100: the mean is (n + 1) / 2, the variance (n^2 - 1) / 12 thousandths squared.
    let lines: String = (1..=100_000)
        .map(|i| format!("{}.{:03}\n", i / 1000, i % 1000))
        .collect();
    let files: HashMap<String, String> = [("many.csv".to_string(), lines)].into();
    let text =
        "numeric parameter N : integer >= 0 numeric S = sum (i = 1, N) { empirical(\"many.csv\") }";
    let model = Model::read("model.pam", text, &files).expect("it reads");
    let printed = printed(&simplified(&model));
    let formula = |name: &str| {
        let found = printed.iter().find(|(other, _)| other == name);
        found.map(|(_, formula)| formula.as_str())
    };
    assert_eq!(
        formula("S"),
        Some("sum (i = 1, N) { empirical(\"many.csv\", 1) }")
    );
    assert_eq!(formula("E_S"), Some("50.0005 * N"));
    assert_eq!(formula("Var_S"), Some("833.33333325 * N"));
}
