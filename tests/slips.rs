//! What beginners write in place of the language: each slip is told with a hint that names the mend.

use std::io::Write;
use std::process::{Command, Stdio};

/// A model, and what the hint has to say.
const SLIPS: [(&str, &str); 58] = [
    ("numeric x = 50%", "50 / 100"),
    ("numeric parameter n\nnumeric x = n!", "fact(n)"),
    ("numeric parameter n\nnumeric x = ceiling(n / 2)", "ceil(x)"),
    ("numeric parameter x\nnumeric y = e^x", "exp(x)"),
    ("numeric X = exponential(2)\nnumeric y = E[X]", "`E(..)`"),
    ("numeric X = exponential(2)\nnumeric y = P(X > 5)", "prob(X"),
    (
        "numeric parameter c\nnumeric y = 1 if c > 1 else 2",
        "if (c) a else b",
    ),
    (
        "numeric parameter c\nnumeric y = c > 1 ? 1 : 2",
        "if (c) a else b",
    ),
    ("// my model\nnumeric x = 1", "comment begins with `%`"),
    ("# my model\nnumeric x = 1", "comment begins with `%`"),
    ("numeric x = 1 // one", "comment begins with `%`"),
    ("numeric x = 1 /* one */", "comment begins with `%`"),
    ("let x = 3", "numeric"),
    ("numeric x == 3", "single `=`"),
    ("numeric parameter n\nnumeric x = n ** 2", "`^`"),
    ("numeric parameter n\nnumeric x = pow(n, 2)", "a ^ b"),
    ("numeric parameter n\nnumeric x = n²", "x^2"),
    ("numeric parameter a\nnumeric x = (a % 3)", "a mod b"),
    (
        "numeric parameter a\nnumeric x = if (a > 1 and a < 3) 1 else 2",
        "&&",
    ),
    (
        "numeric parameter a\nnumeric x = if (a <> 1) 1 else 2",
        "!=",
    ),
    ("numeric parameter a\nnumeric x = 2a", "2 * a"),
    ("numeric parameter a\nnumeric x = 2(a + 1)", "operator"),
    (
        "numeric parameter a\nnumeric x = (a + 1)(a + 2)",
        "operator",
    ),
    (
        "numeric parameter N\nnumeric y = sum (i = 1..N) { i }",
        "(i = a, b)",
    ),
    (
        "numeric parameter N\nnumeric y = sum (i in 1:N) { i }",
        "(i = a, b)",
    ),
    ("numeric y = sum (i = 1, 3)", "{ e }"),
    ("numeric y = sqrt 2", "sqrt(2)"),
    ("numeric y = max[1, 2]", "`max(..)`"),
    ("numeric y = log10(2)", "log(x, 10)"),
    ("numeric y = round(2.5)", "floor(x + 1/2)"),
    ("numeric X = exponential(2)\nnumeric y = mean(X)", "E(X)"),
    (
        "numeric X = exponential(2)\nnumeric y = std(X)",
        "sqrt(Var(X))",
    ),
    ("numeric X = gauss(1, 2)", "normal(mean, sd)"),
    ("numeric X = empirical(“a.csv”)", "double quotes"),
    ("numeric x = 3 − 2", "`-`"),
    ("numeric parameter x : ≥ 1", ">="),
    (
        "numeric parameter N\nprocess main = for (i = 1, N) delay(1)",
        "seq (i = a, b)",
    ),
    (
        "numeric parameter N\nprocess main = parallel (i = 1, N) delay(1)",
        "par (i = a, b)",
    ),
    ("process main = wait(3)", "delay(t)"),
    ("resource r\nprocess main = lock(r, 3)", "use(r)"),
    ("process main = use(disk, 3)", "resource disk"),
    ("process main = delay(1) & delay(2)", "||"),
    ("process main = delay(1) + delay(2)", "||"),
    ("process main = { delay(1)\n delay(2) }", "`;`"),
    ("process main = delay(1);", "remove the `;`"),
    ("process main = seq (i = 1, 3) { delay(1)", "`}`"),
    (
        "numeric parameter c\nprocess main = if c > 1 then delay(1) else delay(2)",
        "if (c)",
    ),
    ("process main = 3", "delay(t)"),
    (
        "process main = delay(1)\nnumeric s = time_main / 2",
        "time(main)",
    ),
    ("numeric parameter N : int", "integer"),
    ("resource r(4)\nprocess main = use(r, 1)", "servers"),
    // Names of imported files, without the name of the file.
    (
        "import \"std/pipelines\"\nnumeric x = gpipe(4, 16, 1)",
        "`pipelines.gpipe`",
    ),
    (
        "import \"std/pipelines\" as s\nnumeric x = one_f_one_c(4, 16, 1)",
        "`s.one_f_one_b`",
    ),
    (
        "import \"std/machines\" as node\nnumeric x = 2 * peak",
        "`node.peak`",
    ),
    (
        "import \"std/pipelines\"\nprocess main = forward(4, 16, 1)",
        "`pipelines.forward`",
    ),
    (
        "import \"std/pipelines\"\nprocess main = use(stage(0), 1)",
        "`pipelines.stage`",
    ),
    (
        "import \"std/machines\"\nnumeric parameter g : gpus = h100\nnumeric x = g.fp8",
        "`machines.gpus`",
    ),
    (
        "import \"std/machines\"\nnumeric x = gpus.h100.fp8",
        "`machines.gpus`",
    ),
];

#[test]
fn slips_of_beginners_get_a_hint_that_names_the_mend() {
    let mut without = Vec::new();
    for (model, mend) in SLIPS {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
            .args(["eval", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("an input");
        input
            .write_all(model.as_bytes())
            .expect("the model is read");
        drop(input);
        let output = child.wait_with_output().expect("the program ends");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let hint = told.split_once("hint: ").map(|(_, hint)| hint);
        if !hint.is_some_and(|hint| hint.contains(mend)) {
            without.push(format!("{model}\n    should say {mend}:\n{told}"));
        }
    }
    assert!(without.is_empty(), "{}", without.join("\n"));
}
