//! Models of any size, for measuring.

use std::fmt::Write;

/// A model of `count` phases one after the other, each of four loops, no two phases alike.
pub fn phases(count: usize) -> String {
    let mut text = String::from(
        "numeric parameter P : integer >= 1\nnumeric parameter N : integer >= 1\nprocess main = {\n",
    );
    for phase in 0..count {
        let separator = if phase + 1 < count { " ;" } else { "" };
        let (think, service, tail) = (phase + 1, 3 * phase + 2, 7 * phase + 5);
        let resource = phase % 5;
        writeln!(
            text,
            "    par (p = 1, P) seq (i = 1, N) {{ delay({think}) ; use(fcfs({resource}, 1), {service} / 10) }} ;\n    \
             seq (i = 1, N) par (p = 1, P) delay({tail}){separator}"
        )
        .expect("a string takes every text");
    }
    text.push_str("}\n");
    text
}

/// One line for each number below `count`, after the declarations.
fn lines(declarations: &str, count: usize, line: impl Fn(usize) -> String) -> String {
    let lines: Vec<String> = (0..count).map(line).collect();
    format!("{declarations}\n{}\n", lines.join("\n"))
}

/// `numeric parameter x0 ...`, one for each number.
fn parameters(count: usize, facts: &str) -> String {
    lines("", count, |k| format!("numeric parameter x{k}{facts}"))
}

/// Equations that do not mention each other.
pub fn independent(count: usize) -> String {
    let declared = "numeric parameter P : integer >= 1\nnumeric parameter N : integer >= 1";
    lines(declared, count, |k| {
        format!(
            "numeric e{k} = sum (i = 1, N) {{ {} * i + max(P, {k}) }}",
            k + 1
        )
    })
}

/// A process that uses many resources, each for a time of its own.
pub fn resources(count: usize) -> String {
    let uses: Vec<String> = (0..count)
        .map(|k| format!("use(fcfs({k}, 1), x{k})"))
        .collect();
    let declared = parameters(count, " : >= 0");
    let uses = uses.join(" ; ");
    format!(
        "{declared}numeric parameter N : integer >= 1\nprocess main = par (i = 1, N) {{ {uses} }}\n"
    )
}

/// Assumptions in a chain, and a loop between its ends.
pub fn facts(count: usize) -> String {
    let declared = parameters(count, "");
    let chain = lines(&declared, count - 1, |k| {
        format!("assume x{k} + 1 <= x{}", k + 1)
    });
    let (last, third) = (count - 1, count / 3);
    format!(
        "{chain}numeric r = max(x0, x1, x{third}, x{last}) + sum (i = x0, x1) {{ max(i, x{last}) }}\n"
    )
}

/// Loops between parameters of which nothing is known: each needs conditions.
pub fn conditions(count: usize) -> String {
    let loops: Vec<String> = (1..count)
        .map(|k| format!("sum (i = x{}, x{k}) {{ i }}", k - 1))
        .collect();
    format!(
        "{}numeric r = {}\n",
        parameters(count, ""),
        loops.join(" + ")
    )
}

/// A sum of powers.
pub fn degree(degree: usize) -> String {
    format!(
        "numeric parameter N : integer >= 1\nnumeric r = sum (i = 1, N) {{ (i + 1)^{degree} }}\n"
    )
}

/// A sum of fractions, which is added up as it stands.
pub fn fractions(count: usize) -> String {
    format!("numeric f = sum (i = 1, {count}) {{ 1 / (i^2 + i + 7) }}\n")
}
