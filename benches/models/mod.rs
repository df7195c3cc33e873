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
