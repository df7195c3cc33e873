//! std/serving beside enumerations, runs of its queue and of its scheduler, and measured servers.

use std::collections::{BTreeMap, VecDeque};

use pamela::compiled::Column;

use crate::selection::is_full;

use super::{Draws, assert_near, compiled, value};

/// Random servers that a test tries.
fn trials() -> u64 {
    if is_full() { 200 } else { 30 }
}

/// A server of which the tests set some numbers; `others` are more of them.
fn server(parameters: &str, others: &str, name: &str) -> pamela::compiled::Compiled {
    let text = format!(
        "import \"std/serving\" as s with ({others})\n{parameters}\nnumeric x = s.{name}\n"
    );
    compiled(&text, &["x"])
}

/// Parameters by the names of the prototype that was fitted first.
struct Server {
    b: f64,
    isl: f64,
    osl: f64,
    g: f64,
    adp: f64,
    word: f64,
    stream: f64,
    limit: f64,
}

impl Server {
    /// Seconds of a step and of the first token of gpt-oss-120b on H200, with these constants, by the terms of the prototype.
    fn by_hand(&self, k: [f64; 9], f: [f64; 6]) -> [f64; 2] {
        let Server {
            b,
            isl,
            osl,
            g,
            adp,
            word,
            stream,
            limit,
        } = *self;
        let (rest, experts, active) = (2.34e9, 1.1466e11, 5.1e9);
        let (layers, width, kvtok) = (36.0, 2880.0, 18432.0 / (g / adp).min(8.0));
        let rate = if word < 1.0 { 989e12 } else { 1979e12 };
        let (bw, link) = (4.8e12, 450e9);
        let held = b.min(limit);
        let touched = rest + experts * (1.0 - f64::powf(1.0 - 4.0 / 128.0, held));
        let flop = 2.0 * active / g;
        let act = layers * width * 2.0 / bw;
        let ring = layers * width * 4.0 / link * (g - 1.0) / g;
        let attention = if adp > 1.0 { k[7] } else { 0.0 };
        let step = k[0] * touched * word / g / bw
            + k[1] * touched / g / bw
            + k[2] * held / adp * (isl + osl / 2.0) * kvtok / bw
            + (held - 1.0).max(0.0) * isl / osl
                * (k[3] * flop / rate + k[4] * flop / 9.89e14 + k[5] * act / adp)
            + layers * 1e-6 * (k[6] + attention)
            + k[8] * held / adp * ring;
        let first = f[0] * 1e-3
            + f[1] * isl * flop / rate
            + f[2] * held * isl * flop / rate
            + f[3] * held / adp * isl * act
            + f[4] * (held / adp * isl).min(8192.0) * ring
            + (f[5] + stream) * step
            + (b / limit - 1.0).max(0.0) * osl * step;
        [step, first]
    }
}

#[test]
fn steps_and_first_tokens_are_the_sums_of_their_terms() {
    let mut draws = Draws(3);
    let (mut waiting, mut alone, mut ranked) = (0, 0, 0);
    for trial in 0..trials() {
        let mut number = |least: u64, most: u64| (least + draws.below(most - least + 1)) as f64;
        let g = [1.0, 2.0, 4.0, 8.0][number(0, 3) as usize];
        let limit = number(1, 40);
        let own = Server {
            b: match trial % 5 {
                0 => limit,
                1 => 1.0,
                _ => number(1, 60),
            },
            isl: number(1, 9000),
            osl: number(1, 2000),
            g,
            adp: if trial % 2 == 0 { 1.0 } else { g },
            word: [0.5, 1.0][number(0, 1) as usize],
            stream: [0.0, 20.0][number(0, 1) as usize],
            limit,
        };
        let mut constants = |_| number(0, 3);
        let k: [f64; 9] = std::array::from_fn(&mut constants);
        let f: [f64; 6] = std::array::from_fn(&mut constants);
        let Server {
            b,
            isl,
            osl,
            g,
            adp,
            word,
            stream,
            limit,
        } = own;
        let others = format!(
            "net = s.models.gpt_oss_120b, gpu = m.gpus.h200, limit = {limit} [request], requests = {b} [request], \
             prompt = {isl} [token/request], answer = {osl} [token/request], gpus = {g} [GPU], ranks = {adp} [GPU], \
             word = {word} [B/weight], stream = {stream} [token], server = s.software(1, 1, {}, {} [B/weight], {}, {}, \
             {}, {}, {} [us/layer], {} [us/layer], {}, {} [ms], {}, {} [1/request], {}, {}, {})",
            k[0],
            k[1],
            k[2],
            k[3],
            k[4],
            k[5],
            k[6],
            k[7],
            k[8],
            f[0],
            f[1],
            f[2],
            f[3],
            f[4],
            f[5]
        );
        let [step, first] = own.by_hand(k, f);
        let import = "import \"std/machines\" as m\n";
        assert_near(
            value(&server(import, &others, "step"), "x", &[]),
            step,
            &others,
        );
        assert_near(
            value(&server(import, &others, "first"), "x", &[]),
            first,
            &others,
        );
        waiting += u64::from(b > limit);
        alone += u64::from(b == 1.0 || limit == 1.0);
        ranked += u64::from(adp > 1.0);
    }
    assert!(
        10 * waiting > trials() && 60 * alone > trials() && 10 * ranked > trials(),
        "{waiting} {alone} {ranked}"
    );
}

/// Three experts, one or two for each request: all choices of all requests, one by one.
#[test]
fn a_step_reads_the_experts_that_some_request_chooses() {
    for (count, chosen) in [(1, 0), (3, 1), (3, 3), (4, 1), (4, 2), (2, 1)] {
        let choices: Vec<u32> = (0u32..1 << count)
            .filter(|set| set.count_ones() == chosen)
            .collect();
        for requests in 1..=4u32 {
            let all = choices.len().pow(requests);
            let touched = (0..all).map(|mut number| {
                let mut union = 0;
                for _ in 0..requests {
                    union |= choices[number % choices.len()];
                    number /= choices.len();
                }
                f64::from(union.count_ones()) / f64::from(count)
            });
            let mean = touched.sum::<f64>() / all as f64;
            let others = format!(
                "net = s.model(100 [weight], 12 [weight], 9 [weight/token], 2 [layer], 8 [number/layer/token], \
                 4 [number/token], 1, {count} [expert], {chosen} [expert]), limit = 1000 [request], \
                 requests = {requests} [request], prompt = 5 [token/request], answer = 7 [token/request]"
            );
            let found = value(&server("", &others, "touched"), "x", &[]);
            assert_near(found, 100.0 + 12.0 * mean, &others);
        }
    }
}

/// Requests are put into memory one by one until the next one does not fit.
#[test]
fn as_many_requests_are_held_as_fit() {
    let mut draws = Draws(1);
    let (mut full, mut none) = (0, 0);
    for _ in 0..trials() {
        let [layers, prompt, answer] = [4, 40, 40].map(|most| 1 + draws.below(most));
        let gpus: u32 = 1 << draws.below(4);
        let ranks: u32 = 1 << draws.below(u64::from(gpus.trailing_zeros()) + 1);
        let heads = 1 + draws.below(4);
        let weights = draws.below(120) * 1_000_000;
        let requests = 1 + draws.below(60);
        let ahead = draws.below(3);
        let others = format!(
            "net = s.model({weights} [weight], 0 [weight], 1 [weight/token], {layers} [layer], 1 [number/layer/token], \
             100000 [number/token], {heads}, 1 [expert], 0 [expert]), \
             server = s.software(1/2, {ahead}/2, 1, 0 [B/weight], 1, 1, 0, 0, 0 [us/layer], 0 [us/layer], 0, 0 [ms], 1, \
             0 [1/request], 0, 0, 1), \
             gpu = s.own, requests = {requests} [request], prompt = {prompt} [token/request], \
             answer = {answer} [token/request], gpus = {gpus} [GPU], ranks = {ranks} [GPU]"
        );
        let others = others.replace(
            "s.own",
            "m.accelerator(1 [TFLOP/s], 1 [TFLOP/s], 1 [TFLOP/s], 1 [TB/s], 1 [MB] * 200, 1 [GB/s])",
        );
        let held = server("import \"std/machines\" as m\n", &others, "held");
        // Numbers of a byte; half of the memory of 200 MB on each accelerator, of which weights take their part.
        let room = 100_000_000.0 - weights as f64 / f64::from(gpus);
        let parts = (f64::from(gpus) / f64::from(ranks)).min(heads as f64);
        let token = 100_000.0 / parts;
        let request = (prompt as f64 + answer as f64 * ahead as f64 / 2.0) * token;
        // Each rank has requests of its own.
        let fit = (0..)
            .take_while(|k| f64::from(k + 1) * request <= room * f64::from(ranks))
            .count();
        let found = value(&held, "x", &[]);
        if fit == 0 {
            assert_eq!(found, None, "{others}");
            none += 1;
            continue;
        }
        let found = found.unwrap_or(f64::NAN);
        assert_eq!(found.floor() as u64, requests.min(fit as u64), "{others}");
        full += u64::from((fit as u64) < requests);
    }
    assert!(
        12 * full > trials() && 40 * none > trials(),
        "{full} {none}"
    );
}

/// Requests that come back at once, in the order in which they ended, and places that each is served in for one time.
#[test]
fn requests_without_a_place_wait_as_little_says() {
    for (requests, places) in [(1u64, 1u64), (5, 1), (4, 4), (7, 3), (64, 5), (3, 8)] {
        let rounds = 200;
        let mut ends: VecDeque<u64> = (0..places).map(|_| 0).collect();
        let mut queue: VecDeque<u64> = (0..requests).map(|_| 0).collect();
        let (mut waited, mut counted) = (0u64, 0u64);
        for served in 0..rounds * requests {
            let Some(came) = queue.pop_front() else { break };
            let Some(free) = ends.pop_front() else { break };
            let begin = free.max(came);
            // The first rounds have no queue yet.
            if served >= 20 * requests {
                waited += begin - came;
                counted += 1;
            }
            ends.push_back(begin + 1000);
            queue.push_back(begin + 1000);
        }
        // In units of a service, which takes a whole answer.
        let mean = waited as f64 / counted as f64 / 1000.0;
        let others = format!(
            "requests = {requests} [request], limit = {places} [request], prompt = 10 [token/request], \
             answer = 10 [token/request], step = 1 [s]"
        );
        let found = value(&server("", &others, "waiting"), "x", &[]);
        let expected = mean * 10.0;
        let found = found.unwrap_or(f64::NAN);
        assert!(
            (found - expected).abs() <= 0.02 * expected,
            "{others}: {found} {expected}"
        );
    }
}

/// A step makes a token of each answer, and fills what is left of a chunk with the prompts that came first.
fn scheduled(held: usize, prompt: u64, answer: u64, chunk: u64) -> (f64, u64, u64) {
    // What is left of the prompt and of the answer of each request.
    let mut requests: VecDeque<(u64, u64)> = (0..held).map(|_| (prompt, answer)).collect();
    let (warm, steps) = (20 * answer, 200 * answer);
    let (mut answered, mut largest, mut first) = (0u64, 0, 0);
    for step in 0..steps {
        let now = requests.iter().filter(|(left, _)| *left == 0).count() as u64;
        answered += if step >= warm { now } else { 0 };
        let mut room = chunk.saturating_sub(now);
        let mut taken = 0;
        for (left, to_make) in &mut requests {
            if *left == 0 {
                *to_make -= 1;
                continue;
            }
            let piece = room.min(*left);
            *left -= piece;
            room -= piece;
            taken += piece;
        }
        largest = largest.max(taken);
        if first == 0 && requests.front().is_some_and(|(left, _)| *left == 0) {
            first = step + 1;
        }
        // A complete answer is followed by a new request, behind the others.
        let ended = requests.iter().filter(|(_, to_make)| *to_make == 0).count();
        requests.retain(|(_, to_make)| *to_make > 0);
        requests.extend((0..ended).map(|_| (prompt, answer)));
    }
    (answered as f64 / (steps - warm) as f64, largest, first)
}

#[test]
fn chunks_are_scheduled_as_by_steps() {
    let mut saturated = 0;
    for held in [1u64, 2, 8, 20] {
        for (prompt, answer, chunk) in [
            (40u64, 10u64, 64u64),
            (100, 20, 32),
            (7, 30, 40),
            (64, 64, 64),
            (500, 25, 50),
        ] {
            let (answered, largest, first) = scheduled(held as usize, prompt, answer, chunk);
            let others = format!(
                "requests = {held} [request], limit = 1000 [request], prompt = {prompt} [token/request], \
                 answer = {answer} [token/request], chunk = {chunk} [token]"
            );
            let of = |name: &str| value(&server("", &others, name), "x", &[]).unwrap_or(f64::NAN);
            // No more are answered than memory and chunks allow, which they do where requests wait for chunks.
            let most = of("answered");
            assert!(answered <= most * 1.02, "{others}: {answered} {most}");
            if most < held as f64 * 0.7 {
                assert!(answered >= most * 0.93, "{others}: {answered} {most}");
                saturated += 1;
            }
            // Before anything is answered, a whole chunk is free.
            assert!(
                largest <= chunk && of("piece") == (chunk - held) as f64,
                "{others}"
            );
            if held == 1 {
                let steps = of("prompt_steps");
                let alone = (0..).take_while(|k| k * (chunk - 1) < prompt).count();
                assert!(
                    steps == alone as f64 && first <= alone as u64,
                    "{others}: {steps} {first}"
                );
            }
        }
    }
    assert!(saturated >= 3, "{saturated}");
}

/// The columns of a table, by name.
fn columns(text: &str) -> BTreeMap<String, Vec<String>> {
    let mut lines = text.lines().map(|line| line.split(','));
    let names: Vec<String> = lines
        .next()
        .into_iter()
        .flatten()
        .map(str::to_owned)
        .collect();
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in lines {
        for (name, cell) in names.iter().zip(line) {
            columns
                .entry(name.clone())
                .or_default()
                .push(cell.to_owned());
        }
    }
    columns
}

/// Names of the table and of the library.
const MODELS: [(&str, &str); 7] = [
    ("Llama-3.1-8B", "llama_8b"),
    ("Llama-3.1-70B", "llama_70b"),
    ("Qwen3-32B", "qwen3_32b"),
    ("Qwen3-235B", "qwen3_235b"),
    ("gpt-oss-120b", "gpt_oss_120b"),
    ("DeepSeek", "deepseek_v3"),
    ("Kimi-K2.5", "kimi_k2"),
];
const PRECISIONS: [(&str, f64, f64); 4] = [
    ("bf16", 2.0, 2.0),
    ("fp8", 1.0, 1.0),
    ("fp4", 0.5625, 1.0),
    ("int4", 0.5625, 1.0),
];

/// The server of the library for rows of the table; that of any accelerator where it has no other.
fn server_of(library: &str, system: &str, backend: &str, kind: &str) -> String {
    let experts = if kind == "dense" { "" } else { "_experts" };
    let own = format!("{system}_{backend}{experts}");
    if library.contains(&format!("    {own}: ")) {
        own
    } else {
        format!("{backend}{experts}")
    }
}

/// Errors of the defaults of the library, by kind: time per token, and time to the first one.
fn errors(table: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<[f64; 2]>> {
    let library = include_str!("../../std/serving.pam");
    let mut groups: BTreeMap<[&str; 5], Vec<usize>> = BTreeMap::new();
    let keys = ["kind", "system", "backend", "model", "precision"];
    (0..table["kind"].len()).for_each(|row| {
        let key = keys.map(|key| table[key][row].as_str());
        groups.entry(key).or_default().push(row);
    });
    let mut errors: BTreeMap<String, Vec<[f64; 2]>> = BTreeMap::new();
    for ([kind, system, backend, model, precision], rows) in groups {
        let Some((_, model)) = MODELS.iter().find(|(name, _)| *name == model) else {
            continue;
        };
        let (_, word, digit) = PRECISIONS
            .iter()
            .find(|(name, ..)| *name == precision)
            .expect("a precision");
        let system = system.trim_end_matches("_sxm");
        let server = server_of(library, system, backend, kind);
        let text = format!(
            "import \"std/machines\" as m
            import \"std/serving\" as s with (requests = b, prompt = isl, answer = osl, gpus = g, ranks = adp,
                stream = stream, word = {word} [B/weight], digit = {digit} [B/number],
                net = s.models.{model}, gpu = m.gpus.{system}, server = s.servers.{server})
            numeric parameter b : [request] > 0 numeric parameter isl : [token/request] > 0
            numeric parameter osl : [token/request] > 0 numeric parameter g : [GPU] >= 1 [GPU]
            numeric parameter adp : [GPU] >= 1 [GPU] numeric parameter stream : [token] >= 0
            numeric step : [ms] = s.step numeric first : [ms] = s.first"
        );
        let compiled = compiled(&text, &["step", "first"]);
        let numbers = |name: &str| -> Vec<f64> {
            rows.iter()
                .map(|row| table[name][*row].parse().expect("a number"))
                .collect()
        };
        let given = ["b", "isl", "osl", "g", "adp", "stream"];
        let given = given.map(|name| (name, Column::new(numbers(name))));
        let found = compiled
            .batch(&given, &[])
            .unwrap_or_else(|error| panic!("{error}"));
        let of = |name: &str, measured: &str| -> Vec<f64> {
            let found = found
                .equation(name)
                .expect("it was asked for")
                .values
                .iter();
            let measured = numbers(measured);
            found
                .zip(measured)
                .map(|(found, measured)| (1e3 * found / measured - 1.0).abs())
                .collect()
        };
        let pairs = of("step", "tpot_ms")
            .into_iter()
            .zip(of("first", "ttft_ms"));
        // A server whose weights do not fit by the library has no value.
        let pairs = pairs.filter(|(step, _)| step.is_finite());
        errors
            .entry(kind.to_owned())
            .or_default()
            .extend(pairs.map(|(step, first)| [step, first]));
    }
    errors
}

/// The errors that the library states. `PAMELA_MEASUREMENTS` names the directory with the table, which is not part of the
/// repository.
#[test]
fn defaults_predict_the_table_that_they_were_fitted_to() {
    let Ok(directory) = std::env::var("PAMELA_MEASUREMENTS") else {
        println!("skipped: PAMELA_MEASUREMENTS names no directory of measured tables");
        return;
    };
    let text =
        std::fs::read_to_string(format!("{directory}/serving.csv")).expect("the table can be read");
    let errors = errors(&columns(&text));
    for (kind, rows, [step, first]) in [
        ("dense", 640, [0.065, 0.21]),
        ("experts", 800, [0.16, 0.29]),
    ] {
        let own = &errors[kind];
        assert!(own.len() >= rows, "{kind}: {}", own.len());
        for (place, most) in [step, first].into_iter().enumerate() {
            let mean = own.iter().map(|errors| errors[place]).sum::<f64>() / own.len() as f64;
            println!(
                "{kind}: {} rows, mean error {:.1} %",
                own.len(),
                100.0 * mean
            );
            assert!(mean < most, "{kind}: {mean}");
        }
    }
}
