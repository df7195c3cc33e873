//! What is printed as a model is read back as one with the same resources, and says nothing before it is defined.

use std::collections::BTreeSet;

use pamela::model::Model;
use pamela::syntax::FileLoader;
use pamela::syntax::tree::{ExprKind, Type, Value};
use pamela::{Options, document};

use super::support::corpus::corpus;
use super::support::points::points;
use super::support::{definition, read, same, shown};
use crate::selection::selected;

/// What `pamela simplify` prints, of all equations or of one.
fn printed(name: &str, text: &str, options: &Options) -> Option<String> {
    let model = pamela::Model::read(name, text, &FileLoader).expect("a model");
    // Such as what is undefined everywhere.
    let simplified = model.simplify(options).ok()?;
    Some(document::pamela(&model, &simplified))
}

/// The resources of a model whose number of servers it states.
fn with_servers(model: &Model) -> Vec<(String, usize)> {
    let stated = |e: &&pamela::syntax::tree::Equation| model.servers(e).is_some();
    let own = model.equations().iter().filter(stated);
    own.map(|e| (e.name.text.clone(), e.formals.len()))
        .collect()
}

/// For each resource a number that is its number of servers, at two places of an array: by its own expression, in which
/// the index has that value.
fn probes(model: &Model) -> String {
    let mut text = String::new();
    for (name, formals) in with_servers(model) {
        for place in 0..2 {
            let own = if formals == 0 {
                name.clone()
            } else {
                format!("{name}({place})")
            };
            text.push_str(&format!("\nprocess probe_{name}_{place} = use({own}, 1)"));
        }
    }
    text
}

/// The largest demand of a visit that takes 1 is one over the number of servers: by the definition, in what was written
/// and in what was printed.
fn keeps_servers(name: &str, text: &str, options: &Options) -> usize {
    let model = read(name, text);
    let probes = probes(&model);
    let Some(printed) = printed(name, text, options) else {
        return 0;
    };
    let own = read(name, &format!("{text}{probes}"));
    let again = read(name, &format!("{printed}{probes}"));
    let asked: Vec<String> = probes
        .split_whitespace()
        .filter(|word| word.starts_with("probe_"))
        .map(|word| format!("omega_{word}"))
        .collect();
    for point in points(&model, 5) {
        for probe in &asked {
            let (expected, found) = (
                definition(&own, probe, &point),
                definition(&again, probe, &point),
            );
            match (&expected, &found) {
                (Ok(expected), Ok(found)) => assert!(
                    same(expected, found),
                    "{name}: {probe} is {} and {}\n{printed}",
                    shown(&Ok(expected.clone())),
                    shown(&Ok(found.clone()))
                ),
                _ => assert_eq!(
                    expected.is_err(),
                    found.is_err(),
                    "{name}: {probe}\n{printed}"
                ),
            }
        }
    }
    asked.len()
}

const MADE: [&str; 8] = [
    "resource pool = servers(4) process main = par (i = 1, 9) use(pool, 1)",
    "numeric parameter c : integer >= 1
    numeric k = c + 1
    resource pool(i) = servers(2 * k)
    process main = par (i = 1, 9) use(pool(i mod 3), 1)",
    "numeric parameter c : integer >= 1
    numeric f(x) = x + g(c)
    numeric g(y) = 2 * y
    resource pool = servers(f(2))
    process main = par (i = 1, 9) use(pool, 1)",
    "numeric parameter c : integer >= 1
    resource pool(i) = servers(i + c)
    resource other(i)
    process main = use(pool(2), 1) || use(other(1), 2)",
    "numeric parameter c : integer >= 1
    resource pool = servers(max(2, c div 2))
    resource alias = pool
    process main = par (i = 1, 3) use(alias, c)",
    "numeric parameter n : integer >= 1
    resource a = servers(n)
    resource b = servers(1)
    process main = par (i = 1, n) { use(a) { use(b, 1) } }",
    "numeric f(x) = x + 1
    numeric parameter n : integer >= f(1)
    assume n <= 4 * f(n)
    resource a = servers(n)
    process main = par (i = 1, n) use(a, 1)",
    "resource a(i) = servers(3) process main = par (i = 1, 7) use(a(i mod 2), i)",
];

#[test]
fn resources_keep_their_servers() {
    let all = Options {
        all: true,
        ..Options::default()
    };
    let only = Options {
        only: vec!["T_main".to_string()],
        ..Options::default()
    };
    let mut probed = 0;
    for text in MADE {
        for options in [&all, &only] {
            probed += keeps_servers("made.pam", text, options);
        }
    }
    assert!(probed >= 2 * 2 * MADE.len(), "{probed}");
    let states = |text: &str| text.contains("servers(");
    for model in corpus().iter().filter(|model| states(&model.text)) {
        if !model.text.contains("import ") {
            keeps_servers(model.file(), &model.text, &all);
        }
    }
}

/// The names that stand in the comments `% valid ..` of a text are known above them: they are declared, or helpers of
/// equations that are printed before.
#[test]
fn conditions_speak_of_what_is_known() {
    let all = Options {
        all: true,
        bounds: true,
        ..Options::default()
    };
    let made = [HELPED.to_string()];
    let texts = selected(corpus())
        .into_iter()
        .map(|m| (m.file().to_string(), m.text));
    let mut helped = 0;
    for (name, text) in texts.chain(made.map(|text| ("helped.pam".to_string(), text))) {
        let Some(printed) = printed(&name, &text, &all) else {
            continue;
        };
        // It reads back.
        read(&name, &printed);
        let lines: Vec<&str> = printed.lines().collect();
        let defined = |line: &str| {
            let head = line.strip_prefix("numeric ")?;
            let head = head.strip_prefix("kept ").unwrap_or(head);
            let end = head.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            Some(head[..end.unwrap_or(head.len())].to_string())
        };
        let all: Vec<Option<String>> = lines.iter().map(|line| defined(line)).collect();
        for (place, line) in lines.iter().enumerate() {
            if !line.starts_with("% valid for ") {
                continue;
            }
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let words: BTreeSet<&str> = words.collect();
            let helper = |name: &String| {
                // Helpers are numbered, and belong to the equation of the same paragraph.
                name.rsplit_once('_')
                    .is_some_and(|(_, n)| n.parse::<u32>().is_ok())
                    && words.contains(name.as_str())
            };
            let later = all[place..].iter().flatten().find(|name| helper(name));
            assert_eq!(later, None, "{name}: {line}\n{printed}");
            helped += all[..place]
                .iter()
                .flatten()
                .filter(|name| helper(name))
                .count();
        }
    }
    assert!(helped > 0, "no condition speaks of a helper");
}

/// A part that stands in the form and in its condition several times.
const HELPED: &str = "numeric parameter x
    numeric parameter y
    numeric parameter z
    numeric parameter n : integer >= 1
    numeric f = sum (k = 1, n) { 1 / (k + floor((x * y + z) / (x + 3 * y * z + 1)) * (x + y * z + 2)) } +
        floor((x * y + z) / (x + 3 * y * z + 1)) / (floor((x * y + z) / (x + 3 * y * z + 1)) + x + y)
        + sqrt(floor((x * y + z) / (x + 3 * y * z + 1)) - 1)";

/// What a library states in its own names is printed in those of the text.
#[test]
fn resources_of_libraries_keep_their_servers() {
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed");
    std::fs::create_dir_all(&directory).expect("a directory");
    let library = "numeric parameter slots : integer >= 1 = 2
        numeric _q = slots + 1
        numeric _twice(x) = 2 * x
        resource disk(i) = servers(_twice(_q))
        process visit(k) = use(disk(k), 1)";
    std::fs::write(directory.join("printed_lib.pam"), library).expect("a file");
    let text = "import \"printed_lib.pam\" as l with (slots = 3)
        process main = par (i = 1, 20) l.visit(1)";
    let name = directory.join("printed_main.pam");
    let name = name.to_str().expect("a plain path");
    let printed = printed(name, text, &Options::default()).expect("closed forms");
    let again = read(name, &printed);
    let disk = again.lookup("l_disk").expect("the resource of the library");
    assert_eq!(disk.kind, Type::Resource);
    let value = disk.value.as_ref().expect("its servers");
    assert!(matches!(value, Value::Resource(e) if matches!(e.kind, ExprKind::Call(..))));
    let probed = read(
        name,
        &format!("{printed}\nprocess probe = use(l_disk(1), 1)"),
    );
    let found = definition(&probed, "omega_probe", &Default::default());
    // Twice 3 + 1.
    let eight = read(name, "numeric x = 1 / 8");
    let expected = definition(&eight, "x", &Default::default()).expect("1/8");
    assert!(
        found.as_ref().is_ok_and(|found| same(found, &expected)),
        "{printed}"
    );
}
