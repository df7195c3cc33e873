//! Models whose equations mention each other in chains, wide and deep, of any length.

use std::fmt::Write;

/// A kind of chain: its name, and its model with so many links.
pub struct Kind {
    pub name: &'static str,
    pub model: Box<dyn Fn(usize) -> String>,
    /// Values are laws: only their closed forms are looked at, not their values.
    pub laws: bool,
}

const PARAMETERS: &str =
    "numeric parameter x\nnumeric parameter y : >= 0\nnumeric parameter N : integer >= 1\n";

/// `a0 = base`, and each further equation by `step`, in which `A` is the one before, `B` the one before that, and
/// `K` the number of the link.
fn chain(name: &'static str, base: &'static str, step: &'static str) -> Kind {
    let model = move |links: usize| {
        let mut text = format!("{PARAMETERS}numeric a0 = {base}\n");
        for k in 1..links {
            let before = |distance: usize| format!("a{}", k.saturating_sub(distance));
            let step = step
                .replace('A', &before(1))
                .replace('B', &before(2.min(k)));
            writeln!(text, "numeric a{k} = {}", step.replace('K', &k.to_string()))
                .expect("a string takes all");
        }
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

/// The same with processes `p0`, `p1`, ...
fn processes(name: &'static str, base: &'static str, step: &'static str) -> Kind {
    let model = move |links: usize| {
        let mut text = format!("{PARAMETERS}resource disk = fcfs(0, 1)\nprocess p0 = {base}\n");
        for k in 1..links {
            let step = step
                .replace('A', &format!("p{}", k - 1))
                .replace('K', &k.to_string());
            writeln!(text, "process p{k} = {step}").expect("a string takes all");
        }
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

/// Equations with arguments, `f0(u)`, `f1(u)`, ..., and one that calls the last.
fn calls(
    name: &'static str,
    base: &'static str,
    step: &'static str,
    use_of_last: &'static str,
) -> Kind {
    let model = move |links: usize| {
        let mut text = format!("{PARAMETERS}numeric f0(u) = {base}\n");
        for k in 1..links {
            let step = step
                .replace('F', &format!("f{}", k - 1))
                .replace('K', &k.to_string());
            writeln!(text, "numeric f{k}(u) = {step}").expect("a string takes all");
        }
        text.push_str(&format!(
            "numeric r = {}\n",
            use_of_last.replace('F', &format!("f{}", links - 1))
        ));
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

/// Processes with an argument, `p0(u)`, `p1(u)`, ..., and one that calls the last.
fn routines(
    name: &'static str,
    base: &'static str,
    step: &'static str,
    use_of_last: &'static str,
) -> Kind {
    let model = move |links: usize| {
        let mut text = format!("{PARAMETERS}resource disk = fcfs(0, 1)\nprocess p0(u) = {base}\n");
        for k in 1..links {
            let step = step
                .replace('F', &format!("p{}", k - 1))
                .replace('K', &k.to_string());
            writeln!(text, "process p{k}(u) = {step}").expect("a string takes all");
        }
        let last = use_of_last.replace('F', &format!("p{}", links - 1));
        text.push_str(&format!("process main = {last}\n"));
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

fn laws(name: &'static str, base: &'static str, step: &'static str) -> Kind {
    Kind {
        laws: true,
        ..chain(name, base, step)
    }
}

/// Many equations of one level, and one that mentions them all.
fn wide(name: &'static str, each: &'static str, separator: &'static str) -> Kind {
    let model = move |links: usize| {
        let mut text = PARAMETERS.to_owned();
        for k in 0..links {
            writeln!(
                text,
                "numeric a{k} = {}",
                each.replace('K', &(k + 1).to_string())
            )
            .expect("a string takes all");
        }
        let names: Vec<String> = (0..links).map(|k| format!("a{k}")).collect();
        text.push_str(&format!("numeric r = {}\n", names.join(separator)));
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

/// Each link has a parameter of its own.
fn parameters(name: &'static str, base: &'static str, step: &'static str) -> Kind {
    let model = move |links: usize| {
        let mut text = format!("numeric a0 = {base}\n");
        for k in 1..links {
            let step = step
                .replace('A', &format!("a{}", k - 1))
                .replace('Z', &format!("z{k}"));
            writeln!(text, "numeric parameter z{k}\nnumeric a{k} = {step}")
                .expect("a string takes all");
        }
        text
    };
    Kind {
        name,
        model: Box::new(model),
        laws: false,
    }
}

/// One table, because each line is a kind.
pub fn all() -> Vec<Kind> {
    vec![
        chain("squares", "x", "A * A + 1"),
        chain("powers", "x", "A^2 + y"),
        chain("cubes", "x / 2", "A^3 - A"),
        chain("doubling", "x", "A + A + K"),
        chain("shifted", "x", "A + 1"),
        chain("products", "x + 1", "A * (y + K)"),
        chain("max", "x", "max(A * 2, A + K)"),
        chain("max_related", "x", "max(A + 1, A) + max(A, B)"),
        chain("min_max", "x", "min(max(A, K * x), A + y)"),
        chain("max_of_two", "y", "max(A + 1, B + x)"),
        chain("fibonacci", "x", "A + B"),
        chain("floor", "x", "floor(A / 2) + A mod 3 + K"),
        chain("ceil", "y", "ceil(A / 3) + A / 2"),
        chain("div", "N", "(A + N) div (K + 1) + A"),
        chain("mod", "x", "(A + K) mod 7 + A"),
        chain("quotients", "y + 1", "(A + y) / (A + K)"),
        chain("reciprocal", "N", "1 / (A + N)"),
        chain("if", "x", "if (A > K * x) A - x else A + 1"),
        chain(
            "if_nested",
            "x",
            "if (A > y) (if (A < N) A + y else A - N) else A + A",
        ),
        chain("probability", "x", "if (1 / (N + K)) A else A + K"),
        chain("brackets", "x", "A + (A > K) * (A - K)"),
        chain("truth", "x > 1", "if (A) y < K else y > K && x > 0"),
        chain("abs", "x", "abs(A - K) + abs(A)"),
        chain("loops", "x", "sum (i = 1, N) { A + i } / N"),
        chain("loop_bounds", "N", "sum (i = 1, N) { i } + A mod 5"),
        chain("loop_max", "x", "max (i = 1, N) { A + i * y }"),
        chain("sums_to_sums", "N", "sum (i = 1, A) { i + K }"),
        chain("max_to_max", "N", "max (i = 1, A + 1) { A * i - i^2 + K }"),
        parameters("if_parameters", "1", "if (Z > A) A + Z else A * 2"),
        parameters("max_parameters", "0", "max(A, Z) + Z"),
        wide("wide", "max(x, K) + floor(x / K)", " + "),
        wide("wide_max", "x * K + y", ", ").wrapped("max"),
        processes(
            "sequence",
            "{ delay(y) ; use(disk, y) }",
            "{ A ; A ; delay(K) }",
        ),
        processes(
            "parallel",
            "{ delay(y) ; use(disk, y) }",
            "A || { A ; use(fcfs(1, 1), K) }",
        ),
        processes(
            "replicated",
            "use(disk, y)",
            "{ par (i = 1, 2) A ; use(fcfs(2, 1), 1) }",
        ),
        processes(
            "shared",
            "delay(y)",
            "if (N > K) { A ; use(disk, K) } else A",
        ),
        processes(
            "fastest",
            "{ delay(y) ; use(disk, 1) }",
            "A <> { A ; delay(K) }",
        ),
        calls("calls", "u", "F(F(u) + 1)", "F(x)"),
        calls("calls_linear", "u + y", "F(F(u) + y)", "F(x) + F(y)"),
        calls("calls_max", "u", "max(F(u), F(u + y))", "F(x)"),
        calls("calls_square", "u", "F(u)^2 + u", "F(x)"),
        calls(
            "calls_guarded",
            "if (u > 2) u else 1 / (u + 1)",
            "if (u > K) F(u) else F(u + 1) + F(K)",
            "F(y) + F(N)",
        ),
        calls(
            "calls_of_index",
            "u + 1",
            "F(u) + K",
            "sum (i = 1, N) { F(i) }",
        ),
        routines("routines", "delay(u)", "F(u) ; F(u + 1)", "F(y)"),
        routines(
            "routines_shared",
            "{ delay(u) ; use(disk, u / 2) }",
            "F(u + 1) || { use(disk, u) ; delay(K) }",
            "F(y) ; F(N)",
        ),
        routines(
            "routines_placed",
            "use(fcfs(u mod 3, 1), u)",
            "{ F(u) ; use(fcfs(K mod 3, 1), u) } || delay(u * K)",
            "F(N) || F(N + 1) || delay(y)",
        ),
        routines(
            "routines_guarded",
            "if (u > 2) use(disk, u) else delay(1 / (u + 1))",
            "if (u > K) F(u) else { F(u + 1) ; F(K) }",
            "F(y) || F(N)",
        ),
        routines(
            "routines_in_loops",
            "{ seq (i = 1, 2) use(disk, i * u) ; delay(u) }",
            "{ F(u) ; F(u + K) }",
            "seq (i = 1, N) F(i)",
        ),
        laws("law_max", "exponential(1)", "max(A, A + 1)"),
        laws("law_product", "uniform(0, 1)", "A * A"),
        laws("law_sum", "uniform(0, 1)", "A + A"),
    ]
}

impl Kind {
    /// The last equation as the arguments of a function.
    fn wrapped(self, function: &'static str) -> Kind {
        let inner = self.model;
        let model = move |links: usize| {
            let text = inner(links);
            let (before, last) = text
                .trim_end()
                .rsplit_once("numeric r = ")
                .unwrap_or((&text, "0"));
            format!("{before}numeric r = {function}({last})\n")
        };
        Kind {
            model: Box::new(model),
            ..self
        }
    }
}
