//! Random models of the families whose time is known, with sizes and times as parameters.

use std::fmt::Write;

use crate::gates::random::Random;
use crate::ring::Rational;

/// A family of models.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    pub name: &'static str,
    /// Whether its time rests on the order of the text.
    pub ordered: bool,
    /// Whether each model has a time.
    pub complete: bool,
    /// Whether each time has a closed form.
    pub closes: bool,
    process: fn(&mut Writer) -> String,
}

/// Parameters: counts from 1 up, and times.
pub const COUNTS: [&str; 4] = ["P", "N", "K", "c"];
pub const TIMES: [&str; 5] = ["f", "g", "h", "q", "s"];

pub const FAMILIES: [Family; 24] = [
    family("flow shop with delays", false, flow_shop),
    family("flow shop over an array", false, array_shop),
    family("machine repair, central server", false, cycles),
    family("pipeline with a flush", false, flush),
    family("equal tasks on a pool", false, pool),
    family("interleaved stages", false, interleaved),
    family("one resource each", false, one_each),
    family("proportional items", false, proportional),
    family("one copy engine", false, copy_engine),
    family("buffers and own resources", false, own_resources),
    family("components and phases", false, components),
    family("stations and a pool", false, stations_and_pool),
    family("a pool that holds a lock", false, holding),
    open_family("two pools and stations", false, two_pools),
    family(
        "one resource each, by conditions",
        false,
        one_each_by_conditions,
    ),
    family("one resource each, within", false, one_each_within),
    bounded_family("near these", near),
    bounded_family("items of any times", any_items),
    bounded_family("forward and back", forward_and_back),
    family("dealt in turn", true, dealt),
    family("rounds on a pool", true, rounds),
    family("rising tasks on a pool", true, rising),
    open_family("stations and pools, in rounds", true, pools_in_rounds),
    open_family("rising tasks behind stations", true, rising_behind),
];

const fn family(name: &'static str, ordered: bool, process: fn(&mut Writer) -> String) -> Family {
    Family {
        name,
        ordered,
        complete: true,
        closes: true,
        process,
    }
}

/// A family whose formula may keep a loop over rounds or waves.
const fn open_family(
    name: &'static str,
    ordered: bool,
    process: fn(&mut Writer) -> String,
) -> Family {
    Family {
        closes: false,
        ..family(name, ordered, process)
    }
}

/// A family of which most models have bounds only.
const fn bounded_family(name: &'static str, process: fn(&mut Writer) -> String) -> Family {
    Family {
        complete: false,
        ..open_family(name, true, process)
    }
}

impl Family {
    /// The model of a seed.
    pub fn model(&self, seed: u64) -> String {
        let mut writer = Writer {
            random: Random::new(seed, self.name),
            resources: String::new(),
            count: 0,
        };
        let process = (self.process)(&mut writer);
        let mut text = String::new();
        // Writing into a string does not fail.
        for name in COUNTS {
            let _ = writeln!(text, "numeric parameter {name} : integer >= 1");
        }
        for name in TIMES {
            let _ = writeln!(text, "numeric parameter {name} : >= 0");
        }
        text.push_str(&writer.resources);
        let _ = writeln!(text, "process main = {process}");
        text
    }
}

/// Values of the parameters, in the order of [`COUNTS`] and [`TIMES`]; times are quarters.
pub fn values(random: &mut Random) -> Vec<(&'static str, Rational)> {
    let mut below = |count: usize| Rational::from(random.below(count) as i64);
    let counts = COUNTS.map(|name| (name, below(7) + Rational::ONE));
    let times = TIMES.map(|name| (name, below(25) / Rational::from(4)));
    counts.into_iter().chain(times).collect()
}

struct Writer {
    random: Random,
    resources: String,
    count: usize,
}

impl Writer {
    /// A new array of resources with so many servers.
    fn array(&mut self, servers: &str) -> String {
        self.count += 1;
        let name = format!("r{}", self.count);
        let _ = writeln!(self.resources, "resource {name}(i) = servers({servers})");
        name
    }

    fn time(&mut self) -> String {
        let pair = (*self.random.pick(&TIMES), *self.random.pick(&TIMES));
        match self.random.below(4) {
            0 => format!("{} + {}", pair.0, pair.1),
            1 => format!("2 * {}", pair.0),
            2 => format!("{} / 2 + 1", pair.0),
            _ => pair.0.to_string(),
        }
    }

    /// A delay, or none.
    fn delay(&mut self, chance: usize) -> Option<String> {
        let time = self.time();
        self.random
            .chance(chance, 4)
            .then(|| format!("delay({time})"))
    }

    /// Visits to so many resources with delays between them.
    fn chain(&mut self, stations: usize) -> String {
        let mut steps = Vec::new();
        for _ in 0..stations {
            steps.extend(self.delay(2));
            let (array, place) = (self.array("1"), self.random.below(3));
            let time = self.time();
            steps.push(format!("use({array}({place}), {time})"));
        }
        steps.extend(self.delay(2));
        steps.join(" ; ")
    }

    fn stations(&mut self) -> usize {
        1 + self.random.below(4)
    }
}

/// What is before and after a loop.
fn around(writer: &mut Writer, inner: String) -> String {
    let parts = [writer.delay(1), Some(inner), writer.delay(1)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join(" ; ")
}

fn flow_shop(writer: &mut Writer) -> String {
    let stations = writer.stations();
    let chain = writer.chain(stations);
    match writer.random.below(4) {
        0 => format!("{{ {chain} }} || {{ {chain} }} || {{ {chain} }}"),
        1 => format!("par (p = 1, P) par (k = 0, K) {{ {chain} }}"),
        _ => format!("par (p = 1, P) {{ {chain} }}"),
    }
}

fn array_shop(writer: &mut Writer) -> String {
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

fn cycles(writer: &mut Writer) -> String {
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

fn flush(writer: &mut Writer) -> String {
    let (array, there, back) = (writer.array("1"), writer.time(), writer.time());
    format!(
        "{{ par (m = 1, P) seq (k = 1, K) use({array}(k), {there}) }} ; \
         par (m = 1, P) seq (k = 1, K) use({array}(K + 1 - k), {back})"
    )
}

fn pool(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("c"), writer.time());
    let inner = around(writer, format!("use({array}(0), {time})"));
    format!("par (p = 1, P * K) {{ {inner} }}")
}

fn interleaved(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("1"), writer.time());
    let first = writer.random.below(3);
    let inner = format!("seq (k = {first}, N * K - 1 + {first}) use({array}(k mod K), {time})");
    let inner = around(writer, inner);
    format!("par (p = 1, P) {{ {inner} }}")
}

fn one_each(writer: &mut Writer) -> String {
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

fn proportional(writer: &mut Writer) -> String {
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

fn copy_engine(writer: &mut Writer) -> String {
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

fn own_resources(writer: &mut Writer) -> String {
    let (own, stations) = (writer.array("1"), writer.stations());
    let (chain, time) = (writer.chain(stations), writer.time());
    let cycle = match writer.random.below(2) {
        0 => "seq (n = 1, N)",
        _ => "seq (n = 1, 2)",
    };
    format!("par (p = 1, P) {cycle} {{ use({own}(p), {time}) ; {chain} }}")
}

fn components(writer: &mut Writer) -> String {
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

fn rounds(writer: &mut Writer) -> String {
    let (array, time) = (writer.array("c"), writer.time());
    let inner = around(writer, format!("seq (n = 1, N) use({array}(0), {time})"));
    format!("par (p = 1, P) {{ {inner} }}")
}

fn rising(writer: &mut Writer) -> String {
    let array = writer.array("c");
    let time = *writer
        .random
        .pick(&["g + s * p", "f * p + h", "max(f, g * p)", "h + p^2"]);
    format!("par (p = 1, P * K) use({array}(0), {time})")
}

fn stations_and_pool(writer: &mut Writer) -> String {
    let (before, after) = (writer.random.below(3), writer.random.below(3));
    let (before, pool, after) = (writer.chain(before), writer.array("c"), writer.chain(after));
    let visit = format!("use({pool}(0), {})", writer.time());
    let steps = [before, visit, after];
    let steps: Vec<String> = steps.into_iter().filter(|step| !step.is_empty()).collect();
    format!("par (p = 1, P * K) {{ {} }}", steps.join(" ; "))
}

fn two_pools(writer: &mut Writer) -> String {
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

/// Clients that pass stations and pools over and over.
fn pools_in_rounds(writer: &mut Writer) -> String {
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

fn rising_behind(writer: &mut Writer) -> String {
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

fn holding(writer: &mut Writer) -> String {
    let (servers, stations) = (
        *writer.random.pick(&["c", "1", "2"]),
        1 + writer.random.below(2),
    );
    let (pool, inside) = (writer.array(servers), writer.chain(stations));
    let inner = around(writer, format!("use({pool}(0)) {{ {inside} }}"));
    format!("par (p = 1, P * K) {{ {inner} }}")
}

fn one_each_by_conditions(writer: &mut Writer) -> String {
    let (first, second) = (writer.array("1"), writer.array("1"));
    let condition = *writer.random.pick(&["p mod 2 == 0", "p < K", "p == 1"]);
    let choice = match writer.random.below(2) {
        0 => format!("if ({condition}) use({first}(p mod K), g) else use({second}(0), h)"),
        _ => format!("if ({condition}) use({first}(p mod K), g)"),
    };
    let inner = match choice.contains("else") {
        true => around(writer, choice),
        false => choice,
    };
    format!("par (p = 1, P * N) {{ {inner} }}")
}

fn dealt(writer: &mut Writer) -> String {
    let (stations, workers) = (writer.random.below(3), writer.array("1"));
    let (before, time) = (writer.chain(stations), writer.time());
    let visit = format!("use({workers}(p mod K), {time})");
    let inner = match before.is_empty() {
        true => visit,
        false => format!("{before} ; {visit}"),
    };
    format!("par (p = 1, P * N) {{ {inner} ; delay(f) }}")
}

/// What resembles the other families: chains that may come back to a resource, at places that may be one.
fn near(writer: &mut Writer) -> String {
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
            let place = match array == pool {
                true => "0",
                false => *writer.random.pick(&places),
            };
            let place = place.replace('p', index);
            let time = match writer.random.below(8) {
                0 => format!("f + {index}"),
                _ => writer.time(),
            };
            let visit = format!("use({array}({place}), {time})");
            let loops = place.contains('k') || writer.random.chance(1, 6);
            steps.push(match loops {
                true => format!("seq (k = 1, K) {{ {visit} }}"),
                false => visit,
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

fn any_items(writer: &mut Writer) -> String {
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

fn forward_and_back(writer: &mut Writer) -> String {
    let (array, forward, back) = (writer.array("1"), writer.time(), writer.time());
    let backward = match writer.random.below(2) {
        0 => format!("seq (k = K, 1, -1) use({array}(k), {back})"),
        _ => format!("seq (k = 1, K) use({array}(K + 1 - k), {back})"),
    };
    format!("par (p = 1, P) {{ seq (k = 1, K) use({array}(k), {forward}) ; {backward} }}")
}

/// Sections within branches, which may be empty.
fn one_each_within(writer: &mut Writer) -> String {
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
