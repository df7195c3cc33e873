//! Tables over rows and plans: each row has the values of `eval`, and points at which an assumption fails are none.

use std::path::PathBuf;
use std::process::{Command, Output};

fn pamela(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs")
}

fn printed(arguments: &[&str]) -> String {
    let output = pamela(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}\n{errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The cells of a table without quoted ones, by the names in its head.
fn rows(csv: &str) -> Vec<Vec<(String, String)>> {
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let cells = head.iter().zip(line.split(','));
        let cells = cells.map(|(name, cell)| (name.to_string(), cell.to_owned()));
        cells.collect()
    };
    lines.map(row).collect()
}

fn cell<'r>(row: &'r [(String, String)], name: &str) -> &'r str {
    let found = row.iter().find(|(own, _)| own == name);
    found.map_or("", |(_, cell)| cell)
}

/// A library, and a model with rows of a table, fields and paths.
fn model(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    let library = "
        numeric parameter alpha : > 0
        numeric parameter beta : > 0 = 2
        numeric hop(n) = alpha + n * beta
        numeric one = hop(1)
        numeric other = 3 * alpha
        process main = delay(2 * alpha)
    ";
    let model = r#"
        import "node.pam" as fast
        record accelerator { flops : > 0, bandwidth : > 0, memory : > 0 }
        table gpus : accelerator {
            a100: 312e12, 2.04e12, 80e9
            h100: 989e12, 3.35e12, 80e9
            b200: 2250e12, 8e12, 192e9
        }
        numeric parameter gpu : gpus = h100
        numeric parameter n : integer >= 1
        numeric product = max(2 * n^3 / gpu.flops, 6 * n^2 / gpu.bandwidth) + fast.one / 7
        numeric share = steps(n, 0: 0.1, 300: 0.7) * gpu.memory
    "#;
    std::fs::write(directory.join("node.pam"), library).expect("a library for the test");
    let file = directory.join("model.pam");
    std::fs::write(&file, model).expect("a model for the test");
    file
}

#[test]
fn rows_of_tables_have_the_values_of_eval() {
    let file = model("rows");
    let file = file.to_str().expect("a path in Unicode");
    let axes = ["gpu=*", "n=1:450:1000", "fast.alpha=0.1,3"];
    let mut command = vec!["sweep", file];
    axes.iter().for_each(|axis| command.extend(["-D", axis]));
    let table = rows(&printed(&command));
    assert_eq!(table.len(), 3 * 3 * 2);
    for row in table {
        let gpu = format!("gpu={}", cell(&row, "gpu"));
        let n = format!("n={}", cell(&row, "n"));
        let alpha = format!("fast.alpha={}", cell(&row, "fast_alpha"));
        let own = printed(&[
            "eval",
            "--emit=pamela",
            file,
            "-D",
            &gpu,
            "-D",
            &n,
            "-D",
            &alpha,
        ]);
        for name in ["product", "share"] {
            let expected = format!("numeric {name} = {}", cell(&row, name));
            assert!(
                own.lines().any(|line| line == expected),
                "{expected}\n{own}"
            );
        }
    }
}

#[test]
fn options_know_paths() {
    let file = model("paths");
    let file = file.to_str().expect("a path in Unicode");
    let given = ["-D", "gpu=*", "-D", "n=4096", "-D", "fast.alpha=1,2"];
    let sweep = |more: &[&str]| printed(&[&["sweep", file], &given[..], more].concat());
    let best = sweep(&[
        "--only",
        "product,fast.one",
        "--top",
        "1",
        "--by",
        "-fast.one",
    ]);
    assert_eq!(cell(&rows(&best)[0], "fast_one"), "3");
    let grouped = sweep(&[
        "--only",
        "fast.other",
        "--aggregate",
        "max",
        "--group-by",
        "fast.alpha",
    ]);
    let maxima: Vec<(String, String)> = rows(&grouped)
        .iter()
        .map(|row| {
            (
                cell(row, "fast_alpha").to_owned(),
                cell(row, "fast_other_max").to_owned(),
            )
        })
        .collect();
    assert_eq!(maxima, [("1".into(), "3".into()), ("2".into(), "6".into())]);
    // Of a library what is asked for is brought in, its processes too.
    let time = printed(&[
        "eval",
        "--emit=pamela",
        file,
        "-D",
        "fast.alpha=5",
        "-D",
        "n=1",
        "--only",
        "fast.main",
    ]);
    assert_eq!(time.trim(), "numeric T_fast_main = 10");
    let optimum = ["optimise", file, "-D", "n=1", "--over", "fast.alpha=2:9"];
    let least = printed(&[&optimum[..], &["--minimise", "fast.other"]].concat());
    assert!(least.contains("numeric fast_other = 6"), "{least}");
    let field = [
        "--over",
        "gpu.flops=1e12,3e12",
        "-D",
        "n=9000",
        "-D",
        "fast.alpha=1",
    ];
    let least = printed(&[&["optimise", file], &field[..], &["--minimise", "product"]].concat());
    assert!(
        least.contains("numeric gpu_flops = 3000000000000"),
        "{least}"
    );
}

/// `limit` is 3000 / p at each point, not at the default of `p`.
#[test]
fn defaults_follow_the_parameters_that_they_depend_on() {
    let model = model("follow").with_file_name("follow.pam");
    let lines = "numeric parameter p : integer > 0 = 100
        numeric half = p / 2
        numeric parameter limit = 1500 / half
        numeric x = limit + 3 * p";
    std::fs::write(&model, lines).expect("a model");
    let model = model.to_str().expect("a path");
    let rows = printed(&["sweep", model, "-D", "p=1,50", "--only", "x"]);
    assert_eq!(rows, "p,x,regime,note\n1,3003,,\n50,210,,\n");
    let best = ["optimise", model, "--over", "p=1:100", "--minimise", "x"];
    let found = printed(&best);
    // 3000 / 32 + 96, less than 3000 / 31 + 93 and 3000 / 33 + 99.
    assert!(
        found.contains("numeric p = 32\nnumeric x = 189.75\n"),
        "{found}"
    );
    // With a value of its own it no longer depends on others.
    let given = printed(&[&best[..], &["-D", "limit=7"]].concat());
    assert!(given.contains("numeric p = 1\nnumeric x = 10\n"), "{given}");
}

/// One long function, because all commands are asked about the same file.
#[test]
fn points_at_which_an_assumption_fails_are_none() {
    let plans = [
        "-D", "l=96", "-D", "h=12288", "-D", "a=96", "-D", "b=1", "-D", "m=64",
    ];
    let axes = [
        "-D",
        "p=1:12",
        "-D",
        "v=1:3",
        "-D",
        "full=1",
        "-D",
        "measured=18",
    ];
    let file = model("plans").with_file_name("training.pamc");
    let file = file.to_str().expect("a path in Unicode");
    let compiled = [
        "simplify",
        "studies/training.pam",
        "--emit",
        "compiled",
        "-o",
        file,
    ];
    printed(&compiled);
    let table = printed(&[&["sweep", file, "--only", "time"], &plans[..], &axes[..]].concat());
    // Whole chunks of 96 layers, and with several of them whole rounds of 64 microbatches.
    let is_possible = |p: u64, v: u64| 96 % (p * v) == 0 && (v == 1 || 64 % p == 0);
    let (mut kept, mut refused) = (0, 0);
    for row in rows(&table) {
        let [p, v]: [u64; 2] = ["p", "v"].map(|name| cell(&row, name).parse().unwrap_or(0));
        assert!(
            p * v > 0 && is_possible(p, v) && cell(&row, "note").is_empty(),
            "{row:?}"
        );
        kept += 1;
    }
    for p in 1..=12 {
        for v in 1..=3 {
            refused += usize::from(!is_possible(p, v));
        }
    }
    assert_eq!((kept, kept + refused), (36 - refused, 36));
    let at = |p: &str, v: &str| {
        let given = [format!("p={p}"), format!("v={v}")];
        let given = [
            "-D",
            &given[0],
            "-D",
            &given[1],
            "-D",
            "full=1",
            "-D",
            "measured=18",
        ];
        pamela(
            &[
                &["eval", "--emit=pamela", file, "--only", "time"],
                &plans[..],
                &given[..],
            ]
            .concat(),
        )
    };
    for row in rows(&table).iter().step_by(5) {
        let own = at(cell(row, "p"), cell(row, "v"));
        let expected = format!("numeric time = {} [s]\n", cell(row, "time [s]"));
        assert_eq!(String::from_utf8_lossy(&own.stdout), expected);
    }
    let refused = at("5", "1");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("an assumption does not hold"));
    // Best rows, figures and columns have the same points.
    let figures = [
        &["sweep", file, "--only", "time", "--aggregate", "count,min"],
        &plans[..],
        &axes[..],
    ];
    let figures = rows(&printed(&figures.concat()));
    let number =
        |row: &[(String, String)], name: &str| cell(row, name).parse::<f64>().unwrap_or(f64::NAN);
    assert_eq!(cell(&figures[0], "time_count"), kept.to_string());
    let least = rows(&table)
        .iter()
        .map(|row| number(row, "time [s]"))
        .fold(f64::INFINITY, f64::min);
    assert_eq!(number(&figures[0], "time_min [s]"), least);
    let best = [
        &[
            "sweep", file, "--only", "time", "--top", "1", "--by", "-time",
        ],
        &plans[..],
        &axes[..],
    ];
    assert_eq!(
        number(&rows(&printed(&best.concat()))[0], "time [s]"),
        least
    );
    // What is declared of a parameter is another matter: its row says what is wrong.
    let other = [
        "-D",
        "p=0,5",
        "-D",
        "v=1",
        "-D",
        "full=1",
        "-D",
        "measured=18",
    ];
    let table = printed(&[&["sweep", file, "--only", "time"], &plans[..], &other[..]].concat());
    let table = rows(&table);
    assert_eq!(table.len(), 1);
    assert!(!cell(&table[0], "note").is_empty(), "{table:?}");
    let other = [
        "-D",
        "p=1,5",
        "-D",
        "v=1",
        "-D",
        "full=1,2",
        "-D",
        "measured=18",
    ];
    let table = printed(&[&["sweep", file, "--only", "time"], &plans[..], &other[..]].concat());
    let declared = |row: &Vec<(String, String)>| cell(row, "note").contains("`full` is 2");
    assert_eq!(
        rows(&table).iter().map(declared).collect::<Vec<bool>>(),
        [false, true]
    );
}

/// The training model over the libraries of the program: everything that has a name keeps it, and all lines can be read.
#[test]
fn forms_of_the_training_model_have_its_names_and_no_long_lines() {
    let file = "studies/training.pam";
    for keep in [&[][..], &["--keep", "all"], &["--keep", "hops"]] {
        let text = printed(&[&["simplify", file], keep].concat());
        let longest = text.lines().map(|line| line.chars().count()).max();
        assert!(longest <= Some(200), "{keep:?}: {longest:?}");
    }
    let text = printed(&["simplify", file, "--keep", "all"]);
    let own = ["hops", "time", "utilisation", "error"].map(str::to_owned);
    let library = std::fs::read_to_string("std/transformer.pam").expect("the library is there");
    let named = library
        .lines()
        .filter_map(|line| line.strip_prefix("numeric "));
    let named = named.filter_map(|line| line.split([' ', '(']).next());
    // What nothing asks for is not brought in.
    let unused = ["parameter", "stored", "parameters"];
    let gpt = named.filter(|name| !unused.contains(name));
    let gpt: Vec<String> = gpt.map(|name| format!("gpt_{name}")).collect();
    assert!(gpt.len() >= 14);
    for name in own.iter().chain(&gpt) {
        let heads = [
            format!("numeric kept {name} "),
            format!("numeric kept {name}("),
        ];
        assert!(
            heads.iter().any(|head| text.contains(head)),
            "{name}\n{text}"
        );
    }
}

/// A hundred instances of one file: what each of their servers does is its own, by runs of the model.
#[test]
fn instances_by_the_hundred_keep_their_resources_apart() {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pools");
    std::fs::create_dir_all(&directory).expect("a directory for the test");
    let pool = "numeric parameter t : > 0
        resource server
        process visit(n) = par (i = 1, n) { use(server, t) }";
    std::fs::write(directory.join("pool.pam"), pool).expect("a library for the test");
    let imports = (1..=100).map(|k| format!("import \"pool\" as p{k} with (t = {k})\n"));
    let visits: Vec<String> = (1..=100).map(|k| format!("p{k}.visit(2)")).collect();
    let text = format!(
        "{}process main = {}\n",
        imports.collect::<String>(),
        visits.join(" || ")
    );
    let file = directory.join("model.pam");
    std::fs::write(&file, text).expect("a model for the test");
    let file = file.to_str().expect("a path in Unicode");
    let report = printed(&["simulate", file, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).expect("it is JSON");
    assert_eq!(report["processes"][0]["mean"], 200.0);
    let resources = report["resources"].as_array().expect("a list");
    assert_eq!(resources.len(), 100);
    for k in 1..=100 {
        let name = format!("p{k}_server(0)");
        let own = resources.iter().find(|own| own["name"] == name.as_str());
        let own = own.unwrap_or_else(|| panic!("{name}: {}", resources[0]));
        assert_eq!(own["visits"], 2.0, "{own}");
        let utilisation = own["utilisation"].as_f64().expect("a share");
        assert!((utilisation - f64::from(k) / 100.0).abs() < 1e-12, "{own}");
    }
}

#[test]
fn conditions_name_the_columns_of_quantiles() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("quantiles.pam");
    let model = "numeric parameter P : integer >= 1\nprocess main = par (p = 1, P) delay(exponential(10))\n";
    std::fs::write(&path, model).expect("a model");
    let path = path.to_string_lossy().into_owned();
    let condition = "time_main_q0.99 <= 60 && time_main_q0.5 > 0";
    let given = [
        "-D",
        "P=1:9",
        "--only",
        "time_main",
        "--quantiles",
        "0.5,0.99",
    ];
    let table = printed(&[&["sweep", &path, "--where", condition][..], &given].concat());
    // The largest of P has the quantile -10 log(1 - 0.99^(1/P)).
    let quantile = |p: f64| -10.0 * (1.0 - 0.99f64.powf(1.0 / p)).ln();
    let expected = (1..=9).filter(|&p| quantile(f64::from(p)) <= 60.0).count();
    assert_eq!(table.lines().count() - 1, expected, "{table}");
    let wrong = pamela(
        &[
            &["sweep", &path, "--where", "time_main_q0.9 <= 60"][..],
            &given,
        ]
        .concat(),
    );
    let told = String::from_utf8_lossy(&wrong.stderr);
    assert!(told.contains("time_main_q0.99"), "{told}");
}
