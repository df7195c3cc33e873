//! Imported files, defaults and named arguments, as the flat model has them.

use std::collections::HashMap;
use std::fmt::Write;

use crate::diagnostic::Error;
use crate::model::Model;
use crate::syntax::tree::Type;
use crate::syntax::{NoFiles, parse_expression, parse_model};

const POOL: &str = "
    numeric parameter size : integer >= 1 = 4
    numeric parameter t : >= 0
    resource server
    numeric _twice = 2 * t
    numeric cost(n, m = size, k = m + 1) = _twice + n * m + k
    process visit(x, y = t) = use(server, x * y)
    assume size <= 100
    numeric lost = size + 1";

pub(super) fn read(text: &str, files: &[(&str, &str)]) -> Result<Model, Error> {
    let files = files
        .iter()
        .map(|&(name, text)| (name.to_owned(), text.to_owned()));
    let files: HashMap<String, String> = files.collect();
    let (tree, sources) = parse_model("model.pam", text, &files)?;
    Model::check(tree, sources, &files)
}

/// The flat model, an equation or assumption a line; what is no result of it is indented.
pub(super) fn flat(text: &str, files: &[(&str, &str)]) -> String {
    let model = read(text, files).unwrap_or_else(|e| panic!("{text}: {}", e.render(false)));
    shown(&model)
}

pub(super) fn shown(model: &Model) -> String {
    let mut shown = String::new();
    for equation in model.equations() {
        let indent = if equation.auxiliary { "  " } else { "" };
        writeln!(shown, "{indent}{equation}").expect("a text takes all");
    }
    for relation in model.assumptions() {
        writeln!(shown, "assume {relation}").expect("a text takes all");
    }
    shown
}

/// The message of the only error, and its hint.
pub(super) fn error(text: &str, files: &[(&str, &str)]) -> String {
    let error = read(text, files).expect_err(text);
    let told: Vec<String> = (error.diagnostics.iter())
        .map(|d| format!("{}; {}", d.message, d.hint.as_deref().unwrap_or_default()))
        .collect();
    told.join("\n")
}

#[test]
fn what_is_reached_is_copied_under_names_of_its_own() {
    let text = "import \"pool\" numeric a = pool.cost(1, 2, 3)";
    let expected = "numeric a = pool_cost(1, 2, 3)\n  \
                    numeric parameter pool_t : >= 0\n  \
                    numeric pool__twice = 2 * pool_t\n  \
                    numeric pool_cost(n, m, k) = pool__twice + n * m + k\n";
    assert_eq!(flat(text, &[("pool.pam", POOL)]), expected);
}

#[test]
fn defaults_are_looked_up_where_they_are_written() {
    let text =
        "import \"pool\" as p numeric size = 7 numeric a = sum (size = 1, 3) { p.cost(size) }";
    let expected = "numeric size = 7\n\
                    numeric a = sum (size = 1, 3) { p_cost_default_k_default_m(size) }\n  \
                    numeric parameter p_size : integer >= 1 = 4\n  \
                    numeric parameter p_t : >= 0\n  \
                    numeric p__twice = 2 * p_t\n  \
                    numeric p_cost(n, m, k) = p__twice + n * m + k\n  \
                    numeric p_cost_default_k(n, m) = p_cost(n, m, m + 1)\n  \
                    numeric p_cost_default_k_default_m(n) = p_cost_default_k(n, p_size)\n\
                    assume p_size <= 100\n";
    assert_eq!(flat(text, &[("pool.pam", POOL)]), expected);
}

#[test]
fn arguments_of_libraries_may_be_declared_after_the_call() {
    let text =
        "import \"pool\" numeric a = pool.cost(x, y, 3) numeric y = x + 1 numeric parameter x";
    let expected = "numeric a = pool_cost(x, y, 3)\n\
                    numeric y = x + 1\n\
                    numeric parameter x\n  \
                    numeric parameter pool_t : >= 0\n  \
                    numeric pool__twice = 2 * pool_t\n  \
                    numeric pool_cost(n, m, k) = pool__twice + n * m + k\n";
    assert_eq!(flat(text, &[("pool.pam", POOL)]), expected);
}

#[test]
fn arguments_are_given_by_name_in_any_order() {
    let text = "numeric f(a, b = 2, c = 3) = a + 10 * b + 100 * c numeric x = f(c = 5, a = 1) numeric y = f(1, 2, c = 4)";
    let expected = "numeric f(a, b, c) = a + 10 * b + 100 * c\n\
                    numeric x = f_default_b(1, 5)\n\
                    numeric y = f(1, 2, 4)\n  \
                    numeric f_default_b(a, c) = f(a, 2, c)\n";
    assert_eq!(flat(text, &[]), expected);
    let all = "process work(n = 3) = delay(n) process main = work ; work(2) numeric t = T(work)";
    let expected = "process work(n) = delay(n)\n\
                    process main =\n    work_default_n;\n    work(2)\n\
                    numeric t = T(work_default_n)\n  \
                    process work_default_n = work(3)\n";
    assert_eq!(flat(all, &[]), expected);
}

#[test]
fn each_with_makes_an_instance_and_all_without_are_one() {
    let text = "import \"pool\" as a with (t = P, size = 2)
        import \"pool\" as b with (t = 1)
        import \"pool\" as c
        import \"other\"
        numeric parameter P : >= 0
        process main = a.visit(1, 1) ; b.visit(1) ; c.visit(1, 1) ; other.go";
    let files = [
        ("pool.pam", POOL),
        (
            "other.pam",
            "from \"pool\" import visit process go = visit(5, 5)",
        ),
    ];
    let expected = "numeric parameter P : >= 0\n\
                    process main =\n    a_visit(1, 1);\n    b_visit_default_y(1);\n    c_visit(1, 1);\n    other_go\n  \
                    resource a_server\n  process a_visit(x, y) = use(a_server, x * y)\n  \
                    numeric b_t : >= 0 = 1\n  resource b_server\n  process b_visit(x, y) = use(b_server, x * y)\n  \
                    process b_visit_default_y(x) = b_visit(x, b_t)\n  \
                    resource c_server\n  process c_visit(x, y) = use(c_server, x * y)\n  \
                    process other_go = c_visit(5, 5)\n";
    assert_eq!(flat(text, &files), expected);
}

#[test]
fn an_instance_of_an_instance_has_its_own_parameters() {
    let text = "import \"node\" as left with (speed = 1) import \"node\" as right with (speed = 2)
        numeric a = left.cost numeric b = right.cost numeric c = right.pool.size";
    let node = "import \"pool\" with (t = speed) numeric parameter speed : > 0
        numeric cost = pool.cost(1, 1, 1)";
    let flat = flat(text, &[("node.pam", node), ("pool.pam", POOL)]);
    assert!(
        flat.contains("numeric left_pool_t : >= 0 = left_speed\n"),
        "{flat}"
    );
    assert!(
        flat.contains("numeric right_pool_t : >= 0 = right_speed\n"),
        "{flat}"
    );
    assert!(flat.contains("numeric c = right_pool_size\n"), "{flat}");
    assert!(!flat.contains("left_pool_size"), "{flat}");
}

#[test]
fn a_name_that_is_taken_is_not_made() {
    let text = "import \"pool\" numeric pool_size = 1 process main = delay(1)
        import \"pool\" as T with (t = 1) numeric a = pool.size + sum (T_size_2 = 1, 3) { T.size }";
    let pool = "numeric parameter size numeric parameter t process main = delay(1)";
    let flat = flat(text, &[("pool.pam", pool)]);
    assert!(
        flat.contains("pool_size_2 + sum (T_size_2 = 1, 3) { T_size_3 }"),
        "{flat}"
    );
    let time = "import \"pool\" as T process main = T.main";
    let flat = self::flat(time, &[("pool.pam", pool)]);
    assert!(flat.contains("process main = T_main_2\n"), "{flat}");
}

#[test]
fn what_is_wrong_with_an_import_is_told() {
    let pool = &[
        ("pool.pam", POOL),
        ("bad.pam", "numeric x = P"),
        ("1.pam", ""),
        ("a.pam", "import \"b\""),
        ("b.pam", "import \"a\""),
    ][..];
    for (text, expected) in [
        ("import \"none\"", "cannot import \"none\": no such file; "),
        (
            "import \"pool\" numeric a = pool.sise",
            "`pool.pam` has no `sise`; did you mean `size`?",
        ),
        (
            "import \"pool\" numeric a = pool._twice",
            "`_twice` is private to `pool.pam`; names that begin with `_` are private to their file",
        ),
        (
            "import \"pool\" numeric a = pol.size",
            "no import named `pol`; did you mean `pool`?",
        ),
        (
            "numeric a = pool.size",
            "no import named `pool`; import a file under this name: `import \"pool.pam\"`",
        ),
        (
            "import \"pool\" with (server = 1)",
            "\"pool\" has no number `server`; it has lost, size, t",
        ),
        (
            "import \"bad\" numeric P = 1 numeric a = bad.x",
            "`P` is not defined; an imported file sees only its own names: pass values as arguments or parameters",
        ),
        (
            "import \"1\"",
            "`1` cannot be the name of an import; name it: `import \"..\" as name`",
        ),
        (
            "import \"pool\" import \"bad\" as pool",
            "two imports are named `pool`; give one of them another name: `import \"..\" as name`",
        ),
        (
            "from \"pool\" import size numeric size = 1",
            "`size` is imported, but also defined otherwise; import the whole file, and write `name.x`, or rename one of the two",
        ),
        (
            "import \"a\"",
            "\"a\" imports itself; move what both files need into a third file",
        ),
        (
            "numeric f(a = 1, b) = a",
            "`b` has no default, but an argument before it has one; put arguments with defaults last",
        ),
        (
            "numeric f(a, b = 1) = a numeric x = f(b = 1)",
            "`f` is called without `a`; the arguments of `f` are a, b",
        ),
        (
            "numeric f(a, b = 1) = a numeric x = f(1, a = 1)",
            "`a` is given twice; the arguments of `f` are a, b",
        ),
        (
            "numeric f(a, b = 1) = a numeric x = f(1, c = 1)",
            "`f` has no argument `c`; the arguments of `f` are a, b",
        ),
        (
            "numeric x = floor(y = 1)",
            "the arguments of `floor` have no names; arguments have names in calls of equations; equality is written `==`",
        ),
    ] {
        assert_eq!(error(text, pool), expected, "{text}");
    }
}

#[test]
fn a_chain_of_doubling_imports_is_refused() {
    let files: Vec<(String, String)> = (0..40)
        .map(|level| {
            let next = level + 1;
            let text = format!("import \"f{next}\" as a with (x = 1) import \"f{next}\" as b with (x = 2) numeric parameter x");
            (format!("f{level}.pam"), text)
        })
        .chain([("f40.pam".to_owned(), "numeric parameter x".to_owned())])
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(n, t)| (n.as_str(), t.as_str()))
        .collect();
    let told = error("import \"f0\" numeric a = f0.x", &files);
    assert!(
        told.starts_with("more than 10000 instances of imported files"),
        "{told}"
    );
}

#[test]
fn a_value_may_reach_what_the_model_did_not() {
    let mut model = read(
        "import \"pool\" numeric a = pool.size",
        &[("pool.pam", POOL)],
    )
    .expect("a model");
    let mut define = |name: &str, value: &str| {
        let (value, sources) = parse_expression("value", value).expect("an expression");
        model
            .define(name, value, &sources, &NoFiles)
            .map(|()| shown(&model))
    };
    let flat = define("pool.size", "pool.cost(k = 1, n = 3, m = 5)").expect("a value");
    assert!(
        flat.contains("pool_size : integer >= 1 = pool_cost(3, 5, 1)"),
        "{flat}"
    );
    assert!(define("pool.sise", "1").is_err());
    let mut plain = read("numeric f(x, y) = x - y numeric a = 1", &[]).expect("a model");
    let (value, sources) = parse_expression("value", "f(y = 1, x = 3)").expect("an expression");
    plain
        .define("a", value, &sources, &NoFiles)
        .expect("a value");
    assert!(shown(&plain).contains("numeric a = f(3, 1)\n"));
}

#[test]
fn of_a_large_library_only_what_is_reached_is_copied() {
    let library: String = (0..1000)
        .map(|k| {
            format!("numeric parameter p{k} : >= 0\nnumeric f{k}(x, y = p{k}) = x * y + {k}\n")
        })
        .collect();
    let text = "import \"large\" numeric a = large.f1(1) + large.f2(2, 3) + large.f500(1, y = 2)";
    let model = read(text, &[("large.pam", &library)]).expect("a model");
    // `a`, three functions, one default and what fills it in.
    assert_eq!(model.equations().len(), 6);
}

#[test]
fn of_a_library_only_what_may_be_reached_is_read() {
    let library = "numeric parameter alpha : >= 0
        numeric cost(n) = alpha + n * beta
        numeric parameter beta : [1] > 0 = 2
        numeric wrong = (1 +
        2) ) 3
        numeric broken = 1 + * 2
        numeric hidden(broken, x) = 3 [s]
        process main = delay(cost(1) * 1 [s])";
    let files = [("lib.pam", library)];
    // Brackets are looked at everywhere, the rest where it is asked for.
    assert!(error("import \"lib\" numeric a = 1", &files).contains("`)`"));
    let library = library.replace("        numeric wrong = (1 +\n        2) ) 3\n", "");
    let files = [("lib.pam", library.as_str())];
    assert_eq!(
        flat("import \"lib\" numeric a = 1", &files),
        "numeric a = 1\n"
    );
    let used = read("import \"lib\" numeric a = lib.cost(3)", &files).expect("a model");
    assert_eq!(used.equations().len(), 4);
    assert!(used.units().is_used());
    let told = error("import \"lib\" numeric a = lib.broken", &files);
    assert!(told.contains("expected an expression, found `*`"), "{told}");
    let told = error("import \"lib\" numeric a = lib.costs(3)", &files);
    assert!(told.contains("did you mean `cost`?"), "{told}");
    let told = error("import \"lib\" with (alfa = 3) numeric a = 1", &files);
    assert!(told.contains("it has alpha, beta, broken"), "{told}");
    // What a value asks for is read then.
    let (mut model, sources) = (
        read("import \"lib\" numeric parameter a", &files).expect("a model"),
        "lib.cost(5)",
    );
    let (value, sources) = crate::syntax::parse_expression("a", sources).expect("it reads");
    let given = model.define("a", value, &sources, &crate::syntax::NoFiles);
    given.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.equations().len(), 4);
    assert_eq!(model.reach("lib.main").as_deref(), Some("lib_main"));
    assert!(model.lookup("lib_main").is_some());
}

#[test]
fn instances_by_the_hundred_have_resources_of_their_own() {
    let imports: String = (0..100)
        .map(|k| format!("import \"pool\" as p{k} with (t = {k})\n"))
        .collect();
    let visits: Vec<String> = (0..100).map(|k| format!("p{k}.visit(1)")).collect();
    let text = format!("{imports} process main = {}", visits.join(" || "));
    let model = read(&text, &[("pool.pam", POOL)]).expect("a model");
    let resources = model
        .equations()
        .iter()
        .filter(|e| e.kind == Type::Resource);
    let names: std::collections::BTreeSet<&str> = resources.map(|e| e.name.text.as_str()).collect();
    assert_eq!(names.len(), 100);
    assert!(names.contains("p99_server"));
}

#[test]
fn graphs_of_a_library_keep_their_names_and_their_files() {
    let flow = "numeric parameter scale = 2
        numeric parameter w = 100
        numeric n(j) = j + 1
        process run = graph (w in \"tasks.csv\", default = scale) delay(w * scale)
        process own = graph { a(w = 1, n(2)): delay(scale * w) after a(w - 1) for (scale = 1, 1) if (scale < w) }
        process outer = delay(w)";
    let tasks = "task,after,time\na,,1\nb,a,2\nc,a,\n";
    let files = [("flow.pam", flow), ("tasks.csv", tasks)];
    let text = "import \"flow\"
        import \"flow\" as other with (scale = 5)
        process main = flow.run ; other.run ; flow.own ; flow.outer";
    let shown = flat(text, &files);
    for expected in [
        "process flow_run = graph (w in \"tasks.csv\", default = flow_scale) delay(w * flow_scale)",
        "process other_run = graph (w in \"tasks.csv\", default = other_scale) delay(w * other_scale)",
        "process flow_outer = delay(flow_w)",
        "a (w = 1, flow_n(2)): delay(flow_scale * w) after a(w - 1) for (scale = 1, 1) if (scale < w)",
    ] {
        assert!(shown.contains(expected), "{expected} is not in\n{shown}");
    }
}
