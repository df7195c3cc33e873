//! Models whose names mean something in other languages, in helpers of the emitted text, or nearly do:
//! `PAMELA_NAMES=100 cargo test --test all emit::names` for so many models.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use pamela::compiled::{Method, Point, decimal};
use pamela::emit::{Language, Signature, emit};
use pamela::eval::Value;
use pamela::{Compiled, Model, Options};

use super::words::{Chance, model};
use super::{called, file, installed, run};

/// A model with what is to be found: of each name at each point the value and whether it holds.
struct Case {
    name: String,
    text: String,
    compiled: Compiled,
}

const VALUES: [usize; 2] = [3, 8];

impl Case {
    fn cases() -> Vec<Case> {
        let count = std::env::var("PAMELA_NAMES").ok();
        let count: usize = count.map_or(3, |count| count.parse().expect("a number"));
        let seed = std::env::var("PAMELA_SEED").ok();
        let mut chance = Chance(seed.map_or(3, |seed| seed.parse().expect("a number")));
        let case = |number| {
            let text = model(&mut chance);
            let compiled = Model::parse(&text).and_then(|m| m.compile(&Options::default()));
            Case {
                name: format!("names_{number}"),
                compiled: compiled.unwrap_or_else(|e| panic!("{e}\n{text}")),
                text,
            }
        };
        (0..count).map(case).collect()
    }

    fn value(&self, name: &str, turn: usize) -> f64 {
        let place = self
            .compiled
            .parameters()
            .iter()
            .position(|p| p.name == name);
        ((place.expect("a parameter") * VALUES[turn]) % 29 + 1) as f64
    }

    /// The arguments of a function at a point.
    fn arguments(&self, signature: &Signature, turn: usize) -> String {
        let own = signature
            .parameters
            .iter()
            .map(|name| format!("{:?}", self.value(name, turn)));
        own.collect::<Vec<String>>().join(", ")
    }

    /// Calls of all functions: of the value and of the conditions, at each point.
    fn calls(&self, signatures: &[Signature], call: impl Fn(&str, &str) -> String) -> Vec<String> {
        let turns = (0..VALUES.len()).flat_map(|turn| signatures.iter().map(move |s| (turn, s)));
        turns
            .flat_map(|(turn, s)| {
                let arguments = self.arguments(s, turn);
                [call(&s.function, &arguments), call(&s.holds, &arguments)]
            })
            .collect()
    }

    /// Compares one number a line.
    fn compare(&self, language: &str, signatures: &[Signature], printed: &str) {
        assert_eq!(
            signatures.len(),
            self.compiled.equations().len(),
            "{language} {}",
            self.text
        );
        let mut lines = printed
            .lines()
            .map(|line| line.trim().parse::<f64>().expect("a number"));
        for turn in 0..VALUES.len() {
            let at = self
                .compiled
                .parameters()
                .iter()
                .fold(Point::default(), |point, p| {
                    point.with(
                        &p.name,
                        decimal(self.value(&p.name, turn)).expect("a number"),
                    )
                });
            let own = self.compiled.at(&at).expect("facts hold");
            for signature in signatures {
                let place = format!(
                    "{language} {}: {} as {}",
                    self.name, signature.name, signature.function
                );
                let (theirs, holds) = (
                    lines.next().expect("a value"),
                    lines.next().expect("conditions"),
                );
                let known = own.equations.iter().find(|e| e.name == signature.name);
                let known = known.unwrap_or_else(|| panic!("{place} has no value"));
                let Value::Scalar(ours) = &known.value else {
                    panic!("{place} is not a number")
                };
                let ours = ours.to_f64();
                assert_eq!(known.method, Method::Closed, "{place}");
                assert!(
                    (theirs - ours).abs() <= 1e-12 * ours.abs().max(1.0),
                    "{place}: {theirs}, not {ours}\n{}",
                    self.text
                );
                assert!(holds == 1.0, "{place} does not hold\n{}", self.text);
            }
        }
        assert!(lines.next().is_none());
    }

    fn emit(&self, language: Language) -> (String, Vec<Signature>) {
        let emitted =
            emit(language, &self.compiled).unwrap_or_else(|e| panic!("{e}\n{}", self.text));
        (emitted.text, emitted.signatures)
    }

    fn file(&self, ending: &str, text: &str) -> PathBuf {
        file(&format!("{}{ending}", self.name), text)
    }
}

#[test]
fn names_in_c() {
    if !installed("cc", &["--version"]) {
        return;
    }
    for case in Case::cases() {
        let (text, signatures) = case.emit(Language::C);
        let calls = case.calls(&signatures, |name, own| format!("{name}({own})"));
        let set: String = calls
            .iter()
            .enumerate()
            .map(|(k, call)| format!("pamela_out[{k}] = {call};\n"))
            .collect();
        let functions = case.file(
            "_functions.c",
            &format!("{text}\nvoid pamela_test(double *pamela_out) {{\n{set}}}\n"),
        );
        let count = calls.len();
        let main = format!(
            "#include <stdio.h>\nvoid pamela_test(double *);\nint main(void) {{ static double all[{count}]; \
             pamela_test(all); for (int k = 0; k \
             < {count}; k++) printf(\"%.17g\\n\", all[k]); }}\n"
        );
        let (main, program) = (case.file("_main.c", &main), case.file(".c.out", ""));
        let flags = ["-std=c99", "-Wall", "-Werror", "-Wno-unused-variable", "-o"];
        run(Command::new("cc")
            .args(flags)
            .arg(&program)
            .args([functions, main])
            .arg("-lm"));
        case.compare("c", &signatures, &run(&mut Command::new(&program)));
    }
}

#[test]
fn names_in_rust() {
    if !installed("rustc", &["--version"]) {
        return;
    }
    for case in Case::cases() {
        let (text, signatures) = case.emit(Language::Rust);
        let functions = case.file("_functions.rs", &text);
        let calls = case.calls(&signatures, |name, own| {
            format!("println!(\"{{}}\", number(functions::{name}({own})));\n")
        });
        let main = format!(
            "#[path = {functions:?}]\nmod functions;\nfn number(x: impl Shown) -> f64 {{ x.shown() }}\ntrait Shown \
             {{ fn shown(self) -> f64; }}\n\
             impl Shown for f64 {{ fn shown(self) -> f64 {{ self }} }}\nimpl Shown for bool {{ fn shown(self) -> f64 \
              {{ f64::from(u8::from(self)) }} \
             }}\nfn main() {{\n{}}}\n",
            calls.concat()
        );
        let (main, program) = (case.file("_main.rs", &main), case.file(".rs.out", ""));
        let flags = ["--edition", "2021", "-D", "warnings", "-o"];
        run(Command::new("rustc").args(flags).arg(&program).arg(main));
        case.compare("rust", &signatures, &run(&mut Command::new(&program)));
    }
}

/// Loads the text as a module of Python.
const LOAD: &str = "import importlib.util\ndef load(path):\n    spec = importlib.util.spec_from_file_location('loaded', path)\n    \
    module = importlib.util.module_from_spec(spec)\n    spec.loader.exec_module(module)\n    return module\n";

#[test]
fn names_in_python() {
    for (language, module) in [(Language::Python, "math"), (Language::NumPy, "numpy")] {
        if !installed("python3", &["-c", &format!("import {module}")]) {
            continue;
        }
        for case in Case::cases() {
            let (text, signatures) = case.emit(language);
            let functions = case.file(&format!("_{module}.py"), &text);
            let calls = case.calls(&signatures, |name, own| {
                format!("print(float(m.{name}({own})))\n")
            });
            let main = format!("{LOAD}m = load({functions:?})\n{}", calls.concat());
            let main = case.file(&format!("_{module}_main.py"), &main);
            case.compare(
                language.name(),
                &signatures,
                &run(Command::new("python3").arg(main)),
            );
        }
    }
}

#[test]
fn names_in_javascript() {
    if !installed("node", &["--version"]) {
        return;
    }
    for case in Case::cases() {
        let (text, signatures) = case.emit(Language::JavaScript);
        // Modules of the language are strict.
        let functions = case.file(".cjs", &format!("\"use strict\";\n{text}"));
        let calls = case.calls(&signatures, |name, own| {
            format!("console.log(Number(all.{name}({own})));\n")
        });
        let main = format!("const all = require({functions:?});\n{}", calls.concat());
        let main = case.file("_main.cjs", &main);
        case.compare(
            "javascript",
            &signatures,
            &run(Command::new("node").arg(main)),
        );
    }
}

#[test]
fn names_in_fortran() {
    if !installed("gfortran", &["--version"]) {
        return;
    }
    for case in Case::cases() {
        let (text, signatures) = case.emit(Language::Fortran);
        let calls = case.calls(&signatures, |name, own| {
            let values: Vec<&str> = own.split(", ").filter(|value| !value.is_empty()).collect();
            let doubles: Vec<String> = values
                .iter()
                .map(|value| format!("dble({value})"))
                .collect();
            format!("call pamela_show({name}({}))\n", doubles.join(", "))
        });
        let main = format!(
            "module pamela_shown\ninterface pamela_show\nmodule procedure number, truth\nend interface\ncontains\n\
             subroutine number(x)\ndouble precision, intent(in) :: x\nprint '(es25.16e3)', x\nend subroutine\n\
             subroutine truth(x)\nlogical, intent(in) :: x\nprint '(i2)', merge(1, 0, x)\nend subroutine\nend module\n\
             program pamela_main\nuse pamela_model\nuse pamela_shown, only: pamela_show\n{}end program\n",
            calls.concat()
        );
        let source = case.file(".f90", &format!("{text}\n{main}"));
        let (program, modules) = (case.file(".f90.out", ""), case.file(".modules", ""));
        let modules = modules.with_extension("mod.d");
        std::fs::create_dir_all(&modules).expect("a directory for modules");
        run(Command::new("gfortran")
            .args(["-std=f2018", "-J"])
            .arg(&modules)
            .arg("-o")
            .arg(&program)
            .arg(&source));
        case.compare("fortran", &signatures, &run(&mut Command::new(&program)));
    }
}

#[test]
fn names_in_sql() {
    for engine in ["sqlite3", "duckdb"] {
        let check = format!(
            "import {engine}; {engine}.connect(':memory:').execute('select floor(ln(2.0))')"
        );
        if !installed("python3", &["-c", &check]) {
            continue;
        }
        for case in Case::cases() {
            // Names that differ in case only are refused.
            let emitted = emit(Language::Sql, &case.compiled);
            let Ok(emitted) = emitted else {
                let told = emitted.err().map(|e| e.to_string()).unwrap_or_default();
                assert!(told.contains("differ only in case"), "{told}");
                continue;
            };
            let query = case.file(&format!("_{engine}.sql"), &emitted.text);
            let all = case.compiled.parameters().iter();
            let columns: Vec<String> = all
                .clone()
                .map(|p| format!("\"{}\" DOUBLE PRECISION", called(&emitted.text, &p.name)))
                .collect();
            let row = |turn: usize| {
                let own = all
                    .clone()
                    .map(|p| format!("{:?}", case.value(&p.name, turn)));
                format!("({})", own.collect::<Vec<String>>().join(", "))
            };
            let shown = emitted
                .signatures
                .iter()
                .flat_map(|s| [format!("{:?}", s.function), format!("{:?}", s.holds)]);
            let main = format!(
                "import {engine}\nbase = {engine}.connect(':memory:')\nbase.execute('CREATE TABLE points \
                 ({})')\nbase.execute('INSERT INTO points VALUES \
                 {}')\nfound = base.execute(open({query:?}).read())\nnames = [column[0] for column in found.description]\nfor row in \
                 found.fetchall():\n    row = dict(zip(names, row))\n    for name in [{}]:\n        print(float(row[name]))\n",
                columns.join(", "),
                [row(0), row(1)].join(", "),
                shown.collect::<Vec<String>>().join(", ")
            );
            let main = case.file(&format!("_{engine}_main.py"), &main);
            case.compare(
                engine,
                &emitted.signatures,
                &run(Command::new("python3").arg(main)),
            );
        }
    }
}

#[test]
fn names_in_sympy() {
    if !installed("python3", &["-c", "import sympy"]) {
        return;
    }
    for case in Case::cases() {
        let (text, signatures) = case.emit(Language::SymPy);
        let functions = case.file("_sympy.py", &text);
        let all = case.compiled.parameters().iter();
        let values = |turn: usize| {
            let own = all
                .clone()
                .map(|p| format!("{:?}: {}", p.name, case.value(&p.name, turn) as i64));
            format!("{{{}}}", own.collect::<Vec<String>>().join(", "))
        };
        let shown = signatures
            .iter()
            .flat_map(|s| [s.function.clone(), s.holds.clone()]);
        let shown: Vec<String> = shown.map(|name| format!("m.{name}")).collect();
        let main = format!(
            "{LOAD}import sympy\nm = load({functions:?})\nfor point in [{}, {}]:\n    for value in [{}]:\n        found = \
             value.subs([(s, point[s.name]) for s in value.free_symbols])\n        print(float(found == True) if found in (sympy.true, \
             sympy.false) else float(found))\n",
            values(0),
            values(1),
            shown.join(", ")
        );
        let main = case.file("_sympy_main.py", &main);
        case.compare(
            "sympy",
            &signatures,
            &run(Command::new("python3").arg(main)),
        );
    }
}

/// Names that were looked for without end once.
#[test]
fn names_that_are_given_anew_are_found() {
    let names = [
        "step_",
        "step__holds",
        "x",
        "x_holds",
        "x_holds_",
        "__",
        "_",
        "int",
        "int_",
        "xint_",
        "int__holds",
        "pamela_",
        "model_",
        "Model_",
    ];
    let mut text = String::from("numeric parameter P : integer >= 1\n");
    for name in names {
        text.push_str(&format!("numeric {name} = P + 1\n"));
    }
    let path = file("anew.pam", &text);
    let compiled =
        Model::from_file(&path.to_string_lossy()).and_then(|m| m.compile(&Options::default()));
    let compiled = compiled.expect("a model");
    for language in [
        Language::C,
        Language::Rust,
        Language::Python,
        Language::JavaScript,
        Language::Fortran,
        Language::SymPy,
    ] {
        let emitted = emit(language, &compiled).expect("functions");
        let all: BTreeSet<&String> = emitted
            .signatures
            .iter()
            .flat_map(|s| [&s.function, &s.holds])
            .collect();
        assert_eq!(all.len(), 2 * names.len(), "{}", emitted.text);
    }
}
