//! Records and tables, as the flat model has them.

use super::link::{error, flat, read, shown};
use crate::syntax::{NoFiles, parse_expression};

const TABLES: &str = "
    record accelerator { flops : > 0, memory : integer >= 0, service : law }
    table gpus : accelerator {
        a100: 312e12, 80, exponential(2)
        h100: 989e12, memory = 80 + 14, service = 3
    }
    table layers { first: flops = 2, bytes = 3  second: 5, -1 }
    numeric parameter gpu : gpus = h100
    numeric parameter other : accelerator
    numeric best = gpus.h100
    numeric compute(work, g) = work / g.flops
    numeric twice(g, w = g.memory) = compute(w, g) + compute(1, g = g)
    process run(g) = delay(g.service) ; delay(compute(1, g))
";

/// What `text` adds to the tables, and the parameters that it reaches.
fn with_tables(text: &str) -> String {
    let whole = flat(&format!("{TABLES}{text}"), &[]);
    let own = flat(TABLES, &[]);
    let lines: Vec<&str> = whole.lines().filter(|line| !own.contains(line)).collect();
    lines.join("\n")
}

#[test]
fn fields_of_parameters_are_symbols_with_the_facts_of_the_field() {
    let expected = "  numeric parameter gpu_flops : > 0 = 989000000000000\n  \
                    numeric parameter other_memory : integer >= 0\n\
                    numeric a = 1 / gpu_flops + other_memory";
    assert_eq!(
        with_tables("numeric a = 1 / gpu.flops + other.memory"),
        expected
    );
    assert_eq!(
        with_tables("numeric a = gpus.a100.memory"),
        "numeric a = 80"
    );
    assert_eq!(
        with_tables("numeric a = best.memory"),
        "numeric a = 80 + 14"
    );
}

#[test]
fn arguments_that_are_records_are_one_for_each_field_that_is_asked_for() {
    let a = "numeric a = compute(3, gpus.a100)";
    assert_eq!(with_tables(a), "numeric a = compute(3, 312000000000000)");
    let whole = flat(&format!("{TABLES}numeric a = twice(gpu)"), &[]);
    assert!(whole.contains(
        "numeric twice(g_memory, g_flops, w) = compute(w, g_flops) + compute(1, g_flops)"
    ));
    assert!(
        whole.contains("numeric a = twice_default_w(gpu_memory, gpu_flops)"),
        "{whole}"
    );
    let filled = "numeric twice_default_w(g_memory, g_flops) = twice(g_memory, g_flops, g_memory)";
    assert!(whole.contains(filled), "{whole}");
    let a = "process a = run(if (other.memory > 3) gpu else gpus.h100)";
    assert!(with_tables(a).contains("run(if (other_memory > 3) gpu_service else 3, if"));
    let built = "numeric a = compute(2, accelerator(7, service = 0, memory = 1))";
    assert_eq!(with_tables(built), "numeric a = compute(2, 7)");
}

#[test]
fn rows_are_written_out() {
    let sum = "numeric a = sum (r in layers) { r.flops / gpu.flops + compute(r.bytes, gpu) }";
    assert!(with_tables(sum).ends_with(
        "numeric a = (2 / gpu_flops + compute(3, gpu_flops)) + (5 / gpu_flops + compute(-1, gpu_flops))"
    ));
    assert_eq!(
        with_tables("numeric a = max (r in layers) { r.bytes }"),
        "numeric a = max(3, -1)"
    );
    let nested = "numeric a = sum (r in layers) { sum (r in gpus) { r.memory } * r.flops }";
    let expected = "numeric a = (80 + (80 + 14)) * 2 + (80 + (80 + 14)) * 5";
    assert_eq!(with_tables(nested), expected);
    let process = "process p = par (r in layers) delay(r.flops)";
    assert_eq!(with_tables(process), "process p = delay(2) || delay(5)");
}

#[test]
fn a_row_that_is_wrong_is_still_a_row() {
    let text = "record r { f : > 0, g : > 0 } table t : r { a: 1, 2 b: 1 }
                numeric parameter x : t = b numeric y = x.f + t.b.g";
    let told = error(text, &[]);
    assert_eq!(
        told,
        "row `b` of `t`: `g` is missing; the fields of `t` are f, g"
    );
}

#[test]
fn rows_come_from_files() {
    let csv = "name;flops;bytes\nfirst;1e3;\" 2 + 3\"\nsecond ; 4;5\n";
    let toml = "# sizes\n[first]\nflops = 7 # of it\nbytes = \"2^3\"\n";
    let files = [("t.csv", csv), ("t.toml", toml)];
    let a = "table t = \"t.csv\" table u = \"t.toml\"
             numeric a = sum (r in t) { r.flops * r.bytes } + u.first.bytes";
    assert_eq!(
        flat(a, &files),
        "numeric a = (1000 * (2 + 3) + 4 * 5) + 2^3\n"
    );
    let wrong = [
        ("a,b\nx,y\n", "row `x` of `t`: `b` is not a constant"),
        ("a,b\nx\n", "there is 1 field, but the first line has 2"),
        ("a,b\nx,\n", "a value is missing"),
        ("a,b\nx,5%\n", "`%` begins a comment"),
        ("a,b\nx,(\n", "expected `)`"),
        ("a,1b\nx,2\n", "`1b` is not the name of a field"),
        ("a,b\nx,1\nx,2\n", "two rows of `t` are named `x`"),
        ("a,b,b\nx,1,2\n", "two columns are named `b`"),
        ("", "the file is empty"),
    ];
    for (csv, message) in wrong {
        let told = error("table t = \"t.csv\" numeric a = 1", &[("t.csv", csv)]);
        assert!(told.contains(message), "{csv}: {told}");
    }
    // A sign within quotes begins no comment.
    let sections = [("t.toml", "[first]\nflops = \"2 # 3\"\n")];
    let told = error("table t = \"t.toml\" numeric a = 1", &sections);
    assert!(told.contains("unknown character `#`"), "{told}");
}

/// One table, because each line is a slip and its message.
#[test]
fn what_is_wrong_with_records_is_told_with_its_place() {
    let wrong = [
        (
            "numeric a = gpu + 1",
            "expected a number, found the record `gpu`; a field of it is written `gpu.flops`",
        ),
        (
            "numeric a = gpu.flop",
            "`gpus` has no field `flop`; did you mean `flops`?",
        ),
        (
            "numeric a = gpus.h10.flops",
            "`gpus` has no row `h10`; did you mean `h100`?",
        ),
        (
            "numeric parameter x : gpus = h200",
            "`gpus` has no row `h200`; did you mean `h100`?",
        ),
        (
            "numeric parameter x : gpu = h200",
            "no record or table named `gpu`; did you mean `gpus`?",
        ),
        (
            "numeric a = compute(1, 2)",
            "expected a record, found something else",
        ),
        (
            "numeric a = compute(1)",
            "`compute` takes 2 arguments, found 1",
        ),
        (
            "numeric a = compute(1, layers.first, 4)",
            "`compute` takes 2 arguments, found 3",
        ),
        (
            "numeric a = twice()",
            "`twice` takes 1 or 2 arguments, found 0",
        ),
        (
            "process p = run(layers.first)",
            "`layers` has no field `service`",
        ),
        ("numeric gpus = 3", "`gpus` is defined twice"),
        (
            "table t : accelerator { x: 1, 2 }",
            "row `x` of `t`: `service` is missing",
        ),
        (
            "table t : accelerator { x: 1, 2, 3, 4 }",
            "row `x` of `t`: there are more values than fields",
        ),
        (
            "table t : accelerator { x: -1, 2, 3 }",
            "row `x` of `t`: `flops` is -1, but declared `> 0`",
        ),
        (
            "table t : accelerator { x: 1, 2.5, 3 }",
            "row `x` of `t`: `memory` is 5/2, but declared `integer`",
        ),
        (
            "table t : accelerator { x: 1, exponential(2), 3 }",
            "`memory` is a law, but its field is a number",
        ),
        (
            "table t : accelerators { x: 1, 2, 3 }",
            "no record named `accelerators`; did you mean",
        ),
        (
            "numeric a = sum (r in layer) { r.flops }",
            "no table named `layer`; did you mean `layers`?",
        ),
        (
            "numeric x : gpus = y numeric y = x numeric a = x.flops",
            "is defined in terms of itself",
        ),
        ("numeric x = z.flops", "no import named `z`"),
        ("record r { a, a }", "two fields are named `a`"),
    ];
    for (text, message) in wrong {
        let whole = format!("{TABLES}{text}");
        let told = match read(&whole, &[]) {
            Ok(model) => shown(&model),
            Err(_) => error(&whole, &[]),
        };
        assert!(told.contains(message), "{text}: {told}");
    }
}

#[test]
fn words_that_begin_items_are_names() {
    let text = "numeric record = 1 numeric table = record numeric in = table + record";
    assert_eq!(flat(text, &[]).lines().count(), 3);
    let text = "numeric a = table record table { flops } table record : table { x: 3 }
                numeric table = record.x.flops";
    assert!(
        error(text, &[]).contains("`table` is defined twice"),
        "{}",
        error(text, &[])
    );
}

#[test]
fn records_of_libraries_are_reached_by_paths() {
    let library = "record node { speed : > 0, links }
                   table nodes : node { small: 1, 2  large: 3, 4 }
                   numeric parameter own : nodes = small
                   numeric time(w, n = own) = w / n.speed";
    let files = [("lib.pam", library)];
    let a = "import \"lib.pam\" numeric a = lib.time(6) + lib.nodes.large.links";
    let expected = "numeric a = lib_time_default_n(6) + 4\n  \
                    numeric lib_time(w, n_speed) = w / n_speed\n  \
                    numeric parameter lib_own_speed : > 0 = 1\n  \
                    numeric lib_time_default_n(w) = lib_time(w, lib_own_speed)\n";
    assert!(
        flat(a, &files).contains("numeric a = lib_time_default_n(6) + 4"),
        "{}",
        flat(a, &files)
    );
    let mut lines: Vec<String> = flat(a, &files).lines().map(str::to_owned).collect();
    let mut wanted: Vec<String> = expected.lines().map(str::to_owned).collect();
    lines.sort();
    wanted.sort();
    assert_eq!(lines, wanted);
    let a = "import \"lib.pam\" as b with (own = large) numeric a = b.own.links";
    assert!(
        flat(a, &files).contains("numeric b_own_links = 4"),
        "{}",
        flat(a, &files)
    );
    let a = "from \"lib.pam\" import nodes, time numeric parameter mine : nodes
             numeric a = time(1, mine)";
    assert!(
        flat(a, &files).contains("numeric a = lib_time(1, mine_speed)"),
        "{}",
        flat(a, &files)
    );
}

fn defined(text: &str, given: &[(&str, &str)]) -> String {
    let mut model = read(text, &[]).expect(text);
    for (name, value) in given {
        let (value, sources) = parse_expression("value", value).expect("an expression");
        if let Err(error) = model.define(name, value, &sources, &NoFiles) {
            return error.diagnostics[0].message.clone();
        }
    }
    shown(&model)
}

#[test]
fn rows_and_fields_are_given_from_outside_in_any_order() {
    let text = format!("{TABLES}numeric a = gpu.flops + gpu.memory");
    let expected = "  numeric gpu_flops : > 0 = 5\n  numeric gpu_memory : integer >= 0 = 80\n";
    for given in [
        [("gpu", "a100"), ("gpu.flops", "5")],
        [("gpu.flops", "5"), ("gpu", "a100")],
    ] {
        let told = defined(&text, &given);
        assert!(told.starts_with(expected), "{told}");
    }
    assert_eq!(
        defined(&text, &[("gpu", "b100")]),
        "`gpus` has no row `b100`"
    );
    assert_eq!(defined(&text, &[("gpu", "5")]), "`gpus` has no row `5`");
}

#[test]
fn figures_by_size_are_cases() {
    let tables = "table sizes { a: at = 0, share = 1 / 10  b: 8, 0.5 } numeric parameter n : >= 0";
    let cases = |value: &str| {
        let whole = flat(&format!("{tables} numeric a = {value}"), &[]);
        whole.lines().last().unwrap_or_default().to_owned()
    };
    let steps = "numeric a = switch { n + 1 >= 8: 0.5, n + 1 >= 0: n }";
    assert_eq!(cases("steps(n + 1, 0: n, 8: 0.5)"), steps);
    let steps = "numeric a = switch { n >= 8: 0.5, n >= 0: 1 / 10 }";
    assert_eq!(cases("steps(n, sizes.at: sizes.share)"), steps);
    let linear = "numeric a = switch { n >= 5: 7, n >= 2: 6 + (7 - 6) * (n - 2) / (5 - 2), \
                  n >= 1: 4 + (6 - 4) * (n - 1) / (2 - 1) }";
    assert_eq!(cases("linear(n, 1: 4, 2: 6, 5: 7)"), linear);
    let wrong = [
        ("steps(n, 1: 2, 1: 3)", "`steps`: the places must increase"),
        ("steps(n, n: 2)", "`steps`: a place must be a constant"),
        ("steps(1: 2)", "`steps`: a number comes before the points"),
        ("linear(n, 1: 2, 3)", "`linear`: this is not a point"),
        ("max(n, 1: 2)", "a point `x: y` is not allowed here"),
        (
            "steps(n, sizes.at: sizes.shares)",
            "`steps`: a place must be a constant",
        ),
    ];
    for (value, message) in wrong {
        let told = error(&format!("{tables} numeric a = {value}"), &[]);
        assert!(told.contains(message), "{value}: {told}");
    }
    let own = "numeric steps(x, y) = x + y numeric a = steps(1, 2)";
    assert!(flat(own, &[]).contains("numeric a = steps(1, 2)"));
}

#[test]
fn what_is_written_out_is_bounded() {
    let rows: String = (0..3000).map(|row| format!("r{row},{row}\n")).collect();
    let csv = format!("name,x\n{rows}");
    let files = [("t.csv", csv.as_str())];
    let nested = "table t = \"t.csv\" numeric a = sum (r in t) { sum (q in t) { r.x * q.x } }";
    assert!(error(nested, &files).contains("exceed 8 MiB when expanded"));
    let points: String = (0..90).map(|x| format!(", {x}: 1")).collect();
    let steps = (0..9).fold("n".to_owned(), |at, _| format!("steps({at}{points})"));
    let text = format!("numeric parameter n numeric a = {steps}");
    assert!(error(&text, &[]).contains("exceed 8 MiB when expanded"));
}
