//! The processes of the families, as text.

use super::writer::{Writer, around};

pub fn flow_shop(writer: &mut Writer) -> String {
    let stations = writer.stations();
    let chain = writer.chain(stations);
    match writer.random.below(4) {
        0 => format!("{{ {chain} }} || {{ {chain} }} || {{ {chain} }}"),
        1 => format!("par (p = 1, P) par (k = 0, K) {{ {chain} }}"),
        _ => format!("par (p = 1, P) {{ {chain} }}"),
    }
}

pub fn array_shop(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("1"), writer.time());
    let time = match writer.random.below(3) {
        0 => format!("{time} + g * k"),
        1 => format!("{time} * k"),
        _ => time,
    };
    let place = *writer.random.pick(&["k", "K - k", "2 * k + 1"]);
    let delay = writer
        .delay(2)
        .map_or(String::new(), |delay| format!("{delay} ; "));
    let inner = format!("seq (k = 1, K) {{ {delay}use({array}({place}), {time}) }}");
    let inner = around(writer, inner);
    format!("par (p = 1, P) {{ {inner} }}")
}

pub fn cycles(writer: &mut Writer) -> String {
    let stations = writer.stations();
    let chain = writer.chain(stations);
    let inner = match writer.random.below(4) {
        0 => format!("seq (n = 1, N) seq (m = 1, K) {{ {chain} }}"),
        1 => {
            let (array, time) = (writer.array("1"), writer.time());
            format!("seq (n = 1, N) {{ {chain} ; seq (k = 0, K) use({array}(k), {time}) }}")
        }
        _ => format!("seq (n = 1, N) {{ {chain} }}"),
    };
    let inner = around(writer, inner);
    format!("par (p = 1, P) {{ {inner} }}")
}

pub fn flush(writer: &mut Writer) -> String {
    let (array, there, back) = (writer.array("1"), writer.time(), writer.time());
    format!(
        "{{ par (m = 1, P) seq (k = 1, K) use({array}(k), {there}) }} ; \
         par (m = 1, P) seq (k = 1, K) use({array}(K + 1 - k), {back})"
    )
}

pub fn pool(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("c"), writer.time());
    let inner = around(writer, format!("use({array}(0), {time})"));
    format!("par (p = 1, P * K) {{ {inner} }}")
}

pub fn interleaved(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("1"), writer.time());
    let first = writer.random.below(3);
    let inner = format!("seq (k = {first}, N * K - 1 + {first}) use({array}(k mod K), {time})");
    let inner = around(writer, inner);
    format!("par (p = 1, P) {{ {inner} }}")
}

pub fn one_each(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("1"), writer.time());
    let place = *writer
        .random
        .pick(&["p mod K", "p div K", "1", "(p + 1) mod K"]);
    let time = *writer
        .random
        .pick(&["g", "g + s", "2 * h"])
        .min(&time.as_str());
    let visit = match writer.random.below(3) {
        0 => format!("seq (n = 1, N) use({array}({place}), {time})"),
        _ => format!("use({array}({place}), {time})"),
    };
    let inner = around(writer, visit);
    match writer.random.below(4) {
        0 => format!("par (n = 1, N) par (p = 0, P - 1) {{ {inner} }}"),
        1 => {
            let first = inner.replace(&format!("({place})"), "(0)");
            format!("{{ {first} }} || par (p = 0, P - 1) {{ {inner} }}")
        }
        _ => format!("par (p = 0, P - 1) {{ {inner} }}"),
    }
}

pub fn proportional(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("1"), writer.time());
    let time = *writer
        .random
        .pick(&["g + s * p", "f + p", "h * (P - p)"])
        .min(&time.as_str());
    match writer.random.below(3) {
        0 => {
            let other = writer.array("1");
            format!("par (p = 1, P) {{ use({array}(0), {time}) ; use({other}(1), {time}) }}")
        }
        1 => format!(
            "seq (k = 1, K) use({array}(k), f) || seq (k = 1, K) use({array}(k), g) || \
             seq (k = 1, K) use({array}(k), h)"
        ),
        _ => format!("par (p = 1, P) seq (k = 1, K) use({array}(k), {time})"),
    }
}

pub fn copy_engine(writer: &mut Writer) -> String {
    let engine = writer.array("1");
    let times = [writer.time(), writer.time()];
    let mut steps = vec![
        writer.delay(1),
        Some(format!("use({engine}(0), {})", times[0])),
    ];
    for servers in ["1", "c"] {
        steps.push(writer.delay(2));
        if servers == "1" || writer.random.chance(1, 3) {
            let station = writer.array(servers);
            steps.push(Some(format!("use({station}(0), {})", writer.time())));
        }
    }
    steps.push(Some(format!("use({engine}(0), {})", times[1])));
    if writer.random.chance(1, 3) {
        steps.push(Some(writer.chain(1)));
    }
    let steps: Vec<String> = steps.into_iter().flatten().collect();
    format!("par (p = 1, P) {{ {} }}", steps.join(" ; "))
}

pub fn own_resources(writer: &mut Writer) -> String {
    let (own, stations) = (writer.array("1"), writer.stations());
    let (chain, time) = (writer.chain(stations), writer.time());
    let cycle = match writer.random.below(2) {
        0 => "seq (n = 1, N)",
        _ => "seq (n = 1, 2)",
    };
    format!("par (p = 1, P) {cycle} {{ use({own}(p), {time}) ; {chain} }}")
}

pub fn components(writer: &mut Writer) -> String {
    let parts: [fn(&mut Writer) -> String; 4] = [flow_shop, cycles, pool, copy_engine];
    let (first, second) = (*writer.random.pick(&parts), *writer.random.pick(&parts));
    let (first, second) = (first(writer), second(writer));
    match writer.random.below(4) {
        0 => format!("{{ {first} }} ; {{ {second} }}"),
        1 => format!("seq (z = 1, K) {{ {first} }}"),
        2 => format!("{{ delay(q) ; {{ {first} }} }} || {{ {second} }}"),
        _ => format!("{{ {first} }} || {{ {second} }}"),
    }
}

pub fn rounds(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("c"), writer.time());
    let inner = around(writer, format!("seq (n = 1, N) use({array}(0), {time})"));
    format!("par (p = 1, P) {{ {inner} }}")
}

pub fn rising(writer: &mut Writer) -> String {
    let array = writer.array("c");
    let time = *writer
        .random
        .pick(&["g + s * p", "f * p + h", "max(f, g * p)", "h + p^2"]);
    format!("par (p = 1, P * K) use({array}(0), {time})")
}

pub fn stations_and_pool(writer: &mut Writer) -> String {
    let (before, after) = (writer.random.below(3), writer.random.below(3));
    let (before, pool, after) = (writer.chain(before), writer.array("c"), writer.chain(after));
    let visit = format!("use({pool}(0), {})", writer.time());
    let steps = [before, visit, after];
    let steps: Vec<String> = steps.into_iter().filter(|step| !step.is_empty()).collect();
    format!("par (p = 1, P * K) {{ {} }}", steps.join(" ; "))
}

pub fn two_pools(writer: &mut Writer) -> String {
    let pools = [writer.array("c"), writer.array("K")];
    let times = [writer.time(), writer.time()];
    let stations = writer.random.below(2);
    let (between, shape) = (writer.chain(stations), writer.random.below(3));
    let second = format!("use({}(0), {})", pools[1], times[1]);
    let steps = match shape {
        0 => vec![format!(
            "use({}(0)) {{ {} ; {second} }}",
            pools[0],
            writer.chain(1)
        )],
        _ => vec![
            format!("use({}(0), {})", pools[0], times[0]),
            between,
            second,
        ],
    };
    let steps: Vec<String> = steps.into_iter().filter(|step| !step.is_empty()).collect();
    let inner = around(writer, steps.join(" ; "));
    format!("par (p = 1, P * N) {{ {inner} }}")
}

/// Clients that pass stations and pools repeatedly.
pub fn pools_in_rounds(writer: &mut Writer) -> String {
    let inner = match writer.random.below(3) {
        0 => {
            let (pool, inside) = (writer.array("c"), writer.chain(1));
            let held = format!("use({pool}(0)) {{ {inside} }}");
            around(writer, held)
        }
        1 => {
            let pool = writer.array("c");
            let visit = format!("use({pool}(0), {})", writer.time());
            let chain = writer.chain(1);
            around(writer, format!("{chain} ; {visit}"))
        }
        _ => {
            let pools = [writer.array("c"), writer.array("2")];
            let visits = pools.map(|pool| format!("use({pool}(0), {})", writer.time()));
            around(writer, visits.join(" ; "))
        }
    };
    let rounds = format!("seq (n = 1, N) {{ {inner} }}");
    format!("par (p = 1, P) {{ {} }}", around(writer, rounds))
}

pub fn rising_behind(writer: &mut Writer) -> String {
    let (stations, pool) = (writer.random.below(3), writer.array("c"));
    let before = writer.chain(stations);
    let time = *writer.random.pick(&[
        "g + s * p",
        "f * p + h",
        "h + p^2",
        "f + sum (k = p * K + 1, (p + 1) * K) { k * g }",
        "sum (k = 1, p) { g }",
    ]);
    let visit = format!("use({pool}(0), {time})");
    let steps: Vec<String> = [before, visit]
        .into_iter()
        .filter(|step| !step.is_empty())
        .collect();
    let inner = around(writer, steps.join(" ; "));
    format!("par (p = 1, P * K) {{ {inner} }}")
}

pub fn holding(writer: &mut Writer) -> String {
    let (servers, stations) = (
        *writer.random.pick(&["c", "1", "2"]),
        1 + writer.random.below(2),
    );
    let (pool, inside) = (writer.array(servers), writer.chain(stations));
    let inner = around(writer, format!("use({pool}(0)) {{ {inside} }}"));
    format!("par (p = 1, P * K) {{ {inner} }}")
}

pub fn one_each_by_conditions(writer: &mut Writer) -> String {
    let (first, second) = (writer.array("1"), writer.array("1"));
    let condition = *writer.random.pick(&["p mod 2 == 0", "p < K", "p == 1"]);
    let choice = match writer.random.below(2) {
        0 => format!("if ({condition}) use({first}(p mod K), g) else use({second}(0), h)"),
        _ => format!("if ({condition}) use({first}(p mod K), g)"),
    };
    let inner = if choice.contains("else") {
        around(writer, choice)
    } else {
        choice
    };
    format!("par (p = 1, P * N) {{ {inner} }}")
}

pub fn dealt(writer: &mut Writer) -> String {
    let (stations, workers) = (writer.random.below(3), writer.array("1"));
    let (before, time) = (writer.chain(stations), writer.time());
    let visit = format!("use({workers}(p mod K), {time})");
    let inner = if before.is_empty() {
        visit
    } else {
        format!("{before} ; {visit}")
    };
    format!("par (p = 1, P * N) {{ {inner} ; delay(f) }}")
}

/// Sections that resemble the other families: chains that may return to a resource, at positions that may coincide.
pub fn near(writer: &mut Writer) -> String {
    let arrays = [writer.array("1"), writer.array("1")];
    let pool = writer.array("c");
    let places = ["0", "1", "p", "p mod K", "k", "K - k", "0", "0"];
    let branch = |writer: &mut Writer, index: &str| {
        let visits = 1 + writer.random.below(4);
        let mut steps = Vec::new();
        for _ in 0..visits {
            steps.extend(writer.delay(1));
            let array = match writer.random.below(6) {
                0 => pool.clone(),
                _ => writer.random.pick(&arrays).clone(),
            };
            let place = if array == pool {
                "0"
            } else {
                *writer.random.pick(&places)
            };
            let place = place.replace('p', index);
            let time = match writer.random.below(8) {
                0 => format!("f + {index}"),
                _ => writer.time(),
            };
            let visit = format!("use({array}({place}), {time})");
            let loops = place.contains('k') || writer.random.chance(1, 6);
            steps.push(if loops {
                format!("seq (k = 1, K) {{ {visit} }}")
            } else {
                visit
            });
        }
        steps.extend(writer.delay(1));
        match writer.random.below(4) {
            0 => format!("seq (n = 1, N) {{ {} }}", steps.join(" ; ")),
            _ => format!("{{ {} }}", steps.join(" ; ")),
        }
    };
    match writer.random.below(3) {
        0 => {
            let first = branch(writer, "1");
            let second = match writer.random.below(2) {
                0 => first.clone(),
                _ => branch(writer, "2"),
            };
            format!("{first} || {second}")
        }
        _ => format!("par (p = 1, P) {}", branch(writer, "p")),
    }
}

pub fn any_items(writer: &mut Writer) -> String {
    let times = [
        "f + g * p",
        "h * (P - p)",
        "s * (p mod 3)",
        "q",
        "abs(f - g * p)",
        "p * q / 2",
    ];
    let mut steps = Vec::new();
    for _ in 0..2 + writer.random.below(3) {
        steps.extend(writer.delay(1));
        let array = writer.array("1");
        let time = *writer.random.pick(&times);
        steps.push(match writer.random.below(5) {
            0 => format!("seq (k = 1, K) use({array}(k), {time} + k)"),
            _ => format!("use({array}(0), {time})"),
        });
    }
    format!("par (p = 1, P) {{ {} }}", steps.join(" ; "))
}

pub fn forward_and_back(writer: &mut Writer) -> String {
    let (array, forward, back) = (writer.array("1"), writer.time(), writer.time());
    let backward = match writer.random.below(2) {
        0 => format!("seq (k = K, 1, -1) use({array}(k), {back})"),
        _ => format!("seq (k = 1, K) use({array}(K + 1 - k), {back})"),
    };
    format!("par (p = 1, P) {{ seq (k = 1, K) use({array}(k), {forward}) ; {backward} }}")
}

/// Sections within branches, which may be empty.
pub fn one_each_within(writer: &mut Writer) -> String {
    let (array, outer) = (writer.array("1"), writer.random.below(3));
    let (first, last) = match outer {
        0 => ("z + 1", "K"),
        1 => ("p", "K"),
        _ => ("1", "N - 1"),
    };
    let place = *writer.random.pick(&["k", "k mod 2", "0"]);
    let time = writer.time();
    let visits = format!("par (k = {first}, {last}) use({array}({place}), {time})");
    let parts = [writer.delay(3), Some(visits), writer.delay(3)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let section = format!("par (p = 1, P) {{ {} }}", parts.join(" ; "));
    match outer {
        0 => format!("seq (z = 1, K) {{ {section} }}"),
        _ => format!("{{ {section} }} ; {{ {section} }}"),
    }
}
