//! Programs that print the values of emitted functions at the points of a model.

use std::process::Command;

use super::driver::Model;
use super::{file, run};

/// What a name of the model is called in the text.
pub fn called(text: &str, name: &str) -> String {
    let mark = format!("`{name}` is called `");
    match text.split_once(&mark) {
        Some((_, rest)) => rest.split('`').next().unwrap_or_default().to_string(),
        None => name.to_string(),
    }
}

/// Each equation with its parameters, as the text calls them, how many numbers it is, and the function of its conditions.
fn functions(text: &str, model: &Model) -> Vec<(String, Vec<String>, usize, String)> {
    let all = model
        .equations()
        .into_iter()
        .map(|(name, parameters, length)| {
            // Those of the equations that it mentions as well: the text tells.
            let holds = called(text, &format!("{name}_holds"));
            let name = called(text, &name);
            let head = ["double ", "void ", "fn ", "def ", "function "]
                .iter()
                .find_map(|word| text.split_once(&format!("{word}{name}(")));
            let own = head.map_or(String::new(), |(_, rest)| {
                rest.split(')').next().unwrap_or_default().to_string()
            });
            let words = own.split(',').map(|word| {
                let word = word.trim().trim_start_matches("double ");
                word.split(':').next().unwrap_or_default().to_string()
            });
            let mut listed: Vec<String> = words.filter(|w| !w.is_empty() && *w != "void").collect();
            listed.retain(|word| !word.starts_with("result["));
            let parameters: Vec<String> = parameters.iter().map(|p| called(text, p)).collect();
            assert!(
                parameters.iter().all(|p| listed.contains(p)),
                "{name}: {listed:?}"
            );
            (name, listed, length, holds)
        });
    all.collect()
}

fn rows(model: &Model, open: &str, close: &str) -> String {
    let row = |values: &Vec<f64>| {
        let cells: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
        format!("{open}{}{close}", cells.join(", "))
    };
    model
        .points()
        .iter()
        .map(row)
        .collect::<Vec<_>>()
        .join(",\n")
}

fn parameters(text: &str, model: &Model) -> Vec<String> {
    model
        .axes()
        .iter()
        .map(|(name, _)| called(text, name))
        .collect()
}

pub fn c(text: &str, model: &Model) -> String {
    let calls = functions(text, model).into_iter().map(|(name, own, length, holds)| {
        let own = own.join(", ");
        let value = match length {
            1 => format!("printf(\"%.17g \", {name}({own}));"),
            _ => format!(
                "{{ double result[{length}]; {name}({own}, result); for (int j = 0; j < {length}; j++) printf(\"%.17g \
                 \", result[j]); }}"
            ),
        };
        format!("{value} printf(\"%d \", {holds}({own}));\n")
    });
    let names = parameters(text, model);
    let width = names.len();
    let set: String = names
        .iter()
        .enumerate()
        .map(|(k, name)| format!("double {name} = pamela_rows[pamela_row][{k}];"))
        .collect();
    let main = format!(
        "#include <stdio.h>\nstatic const double pamela_rows[][{width}] = {{{}}};\nint main(void) {{\nfor (int \
         pamela_row = 0; pamela_row < \
         {}; pamela_row++) {{\n{set}\n{}printf(\"\\n\");\n}}\n}}\n",
        rows(model, "{", "}"),
        model.points,
        calls.collect::<String>()
    );
    let source = file(&format!("{}.c", model.name), &format!("{text}\n{main}"));
    let program = source.with_extension("c.out");
    let flags = [
        "-O1",
        "-std=c99",
        "-Wall",
        "-Werror",
        "-Wno-unused-variable",
        "-ffp-contract=off",
        "-o",
    ];
    run(Command::new("cc")
        .args(flags)
        .arg(&program)
        .arg(&source)
        .arg("-lm"));
    run(&mut Command::new(&program))
}

/// The points are read, as Fortran takes few lines for one statement.
pub fn fortran(text: &str, model: &Model) -> String {
    let names = parameters(text, model);
    let own_places = |own: &[String]| {
        let place = |name: &String| {
            let at = names.iter().position(|known| known == name);
            format!("row({})", at.expect("a parameter of the model") + 1)
        };
        own.iter().map(place).collect::<Vec<String>>().join(", ")
    };
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, _, holds)| {
            let own = own_places(&own);
            format!(
                "write (*, '(*(es25.16e3))', advance='no') {name}({own})\n\
                 write (*, '(i2)', advance='no') merge(1, 0, {holds}({own}))\n"
            )
        });
    let row = |values: &Vec<f64>| {
        let cells: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
        cells.join(" ")
    };
    let points: Vec<String> = model.points().iter().map(row).collect();
    let points = file(&format!("{}_fortran.txt", model.name), &points.join("\n"));
    let main = format!(
        "program main\nuse pamela_model\nimplicit none\ndouble precision :: row({})\ninteger :: point\n\
         open (10, file='{}', action='read')\ndo point = 1, {}\nread (10, *) row\n{}print *\nend do\nend program\n",
        names.len(),
        points.display(),
        model.points,
        calls.collect::<String>()
    );
    let source = file(&format!("{}.f90", model.name), &format!("{text}\n{main}"));
    let program = source.with_extension("f90.out");
    let flags = [
        "-O1",
        "-std=f2018",
        "-Wall",
        "-Wno-unused",
        "-Wno-compare-reals",
    ];
    let flags = flags
        .into_iter()
        .chain(["-Wno-maybe-uninitialized", "-ffp-contract=off", "-J"]);
    let modules = program.with_extension("modules");
    std::fs::create_dir_all(&modules).expect("a directory for the module");
    run(Command::new("gfortran")
        .args(flags)
        .arg(&modules)
        .arg("-o")
        .arg(&program)
        .arg(&source));
    run(&mut Command::new(&program))
}

pub fn rust(text: &str, model: &Model) -> String {
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, length, holds)| {
            let own = own.join(", ");
            let value = match length {
                1 => format!("print!(\"{{:?}} \", {name}({own}));"),
                _ => format!("for x in {name}({own}) {{ print!(\"{{x:?}} \"); }}"),
            };
            format!("{value} print!(\"{{}} \", u8::from({holds}({own})));\n")
        });
    let names = parameters(text, model);
    let main = format!(
        "fn main() {{\nlet rows: [[f64; {}]; {}] = [{}];\nfor [{}] in rows {{\n{}println!();\n}}\n}}\n",
        names.len(),
        model.points,
        rows(model, "[", "]"),
        names.join(", "),
        calls.collect::<String>()
    );
    let source = file(&format!("{}.rs", model.name), &format!("{text}\n{main}"));
    let program = source.with_extension("rs.out");
    let flags = ["--edition", "2021", "-D", "warnings", "-o"];
    run(Command::new("rustc").args(flags).arg(&program).arg(&source));
    run(&mut Command::new(&program))
}

pub fn python(text: &str, model: &Model) -> String {
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, length, holds)| {
            let own = own.join(", ");
            let star = if length == 1 { "" } else { "*" };
            format!("    print({star}{name}({own}), int({holds}({own})), end=\" \")\n")
        });
    let main = format!(
        "for [{}] in [{}]:\n{}    print()\n",
        parameters(text, model).join(", "),
        rows(model, "[", "]"),
        calls.collect::<String>()
    );
    let source = file(&format!("{}.py", model.name), &format!("{text}\n{main}"));
    run(Command::new("python3").arg(source))
}

pub fn numpy(text: &str, model: &Model) -> String {
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, length, holds)| {
            let own = own.join(", ");
            let star = if length == 1 { "" } else { "*" };
            format!("    {star}{name}({own}), {holds}({own}),\n")
        });
    let main = format!(
        "rows = np.array([{}], dtype=float)\n{} = rows.T\ncolumns = [np.broadcast_to(column, len(rows)) for column in \
         [\n{}]]\nfor row in zip(*columns):\n    print(*(repr(float(cell)) for cell in row))\n",
        rows(model, "[", "]"),
        parameters(text, model).join(", "),
        calls.collect::<String>()
    );
    let source = file(
        &format!("{}_numpy.py", model.name),
        &format!("{text}\n{main}"),
    );
    run(Command::new("python3").arg(source))
}

pub fn javascript(text: &str, model: &Model) -> String {
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, length, holds)| {
            let own = own.join(", ");
            let star = if length == 1 { "" } else { "..." };
            format!("{star}all.{name}({own}), Number(all.{holds}({own})),\n")
        });
    let library = file(&format!("{}.cjs", model.name), text);
    let main = format!(
        "const all = require({:?});\nfor (const [{}] of [{}])\n  console.log([{}].join(\" \").replaceAll(\"Infinity\", \
         \"inf\"));\n",
        library,
        parameters(text, model).join(", "),
        rows(model, "[", "]"),
        calls.collect::<String>()
    );
    let source = file(&format!("{}_main.cjs", model.name), &main);
    run(Command::new("node").arg(source))
}

pub fn julia(text: &str, model: &Model) -> String {
    let calls = functions(text, model)
        .into_iter()
        .map(|(name, own, length, holds)| {
            let own = own.join(", ");
            let star = if length == 1 { "" } else { "..." };
            format!("    print(join([{name}({own}){star}, Int({holds}({own}))], \" \"), \" \")\n")
        });
    let main = format!(
        "for ({},) in [{}]\n{}    println()\nend\n",
        parameters(text, model).join(", "),
        rows(model, "(", ",)"),
        calls.collect::<String>()
    );
    let source = file(&format!("{}.jl", model.name), &format!("{text}\n{main}"));
    run(Command::new("julia").arg(source))
}

pub fn sql(text: &str, model: &Model, engine: &str) -> String {
    let columns = model.equations().into_iter().flat_map(|(name, _, length)| {
        let holds = called(text, &format!("{name}_holds"));
        let name = called(text, &name);
        let values: Vec<String> = match length {
            1 => vec![name.clone()],
            _ => (0..length).map(|k| format!("{name}_{k}")).collect(),
        };
        values.into_iter().chain([holds])
    });
    let columns: Vec<String> = columns.map(|name| format!("\"{name}\"")).collect();
    let query = file(&format!("{}_{engine}.sql", model.name), text);
    let names = parameters(text, model);
    let places = vec!["?"; names.len()].join(", ");
    let declared: Vec<String> = names
        .iter()
        .map(|name| format!("{name} DOUBLE PRECISION"))
        .collect();
    let main = format!(
        "import {engine}\nbase = {engine}.connect(':memory:')\nbase.execute('CREATE TABLE points ({})')\n\
         base.executemany('INSERT INTO points VALUES ({places})', [{}])\nquery = open({query:?}).read().rstrip()\n\
         found = base.execute(query)\nnames = [column[0] for column in found.description]\n\
         for row in found.fetchall():\n    row = dict(zip(names, row))\n    \
         print(*('nan' if row[name] is None else repr(float(row[name])) for name in [{}]))\n",
        declared.join(", "),
        rows(model, "(", ",)"),
        columns.join(", ")
    );
    let source = file(&format!("{}_{engine}.py", model.name), &main);
    run(Command::new("python3").arg(source))
}

/// At the first points, in exact arithmetic: what is no real number is told as none.
pub fn sympy(text: &str, model: &Model, points: usize) -> String {
    let calls = model.equations().into_iter().map(|(name, _, length)| {
        let holds = called(text, &format!("{name}_holds"));
        let name = called(text, &name);
        let values = match length {
            1 => format!("[{name}]"),
            _ => format!("list({name})"),
        };
        format!("    ({values}, {holds}),\n")
    });
    let main = format!(
        "import math\nnames = [{}]\nall = [\n{}]\ndef number(value, at):\n    try:\n        return \
         float(sympy.sympify(value).subs(at))\n    except (TypeError, ValueError, ZeroDivisionError):\n        return math.nan\nfor \
         row in [{}][:{points}]:\n    cells = []\n    point = {{name: sympy.Rational(x) for name, x in zip(names, \
         row)}}\n    at = [(s, point[s.name]) for s in set().union(*(e.free_symbols for values, holds in all for e in \
         [*values, holds]))]\n    for values, holds in all:\n        cells += [number(v, at) for v in values]\n        \
         cells.append(int(holds.subs(at) == True))\n    print(*cells)\n",
        model
            .axes()
            .iter()
            .map(|(name, _)| format!("{name:?}"))
            .collect::<Vec<_>>()
            .join(", "),
        calls.collect::<String>(),
        rows(model, "[", "]")
    );
    let source = file(
        &format!("{}_sympy.py", model.name),
        &format!("{text}\n{main}"),
    );
    run(Command::new("python3").arg(source))
}
