//! Files that are nearly right: none panics, whatever it says.

use super::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const TABLE: &str = "task,after,time,run,resource\na,,1,1,r\nb,a,2,1,r\nc,a b,3e0,1,\na,,2,2,r\n";
const TRACE: &str = r#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":2},{"ph":"B","name":"b","ts":3},{"ph":"E","ts":4},
    {"ph":"s","id":1,"pid":1,"tid":1,"ts":1},{"ph":"f","bp":"e","id":1,"ts":3}]"#;
const JAEGER: &str = r#"{"data":[{"spans":[{"spanID":"1","startTime":1,"duration":9},{"spanID":"2","startTime":2,"duration":3,"references":[{"refType":"CHILD_OF","spanID":"1"}]}]}]}"#;
const DOT: &str =
    "digraph g { node [weight=1] a -> {b c} [x=y]; subgraph s { \"q\\\"\" [label=2] } }";

/// Bytes replaced, left out, doubled; ends cut; parts of one file in another.
fn mutated(rng: &mut Pcg64, text: &str, other: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let signs = b"\"{}[],:;->=\n\t 0159eE.+x#<\\/&";
    for _ in 0..rng.random_range(1..6) {
        let length = bytes.len();
        let place = rng.random_range(0..=length);
        match rng.random_range(0..6) {
            0 if place < length => bytes[place] = signs[rng.random_range(0..signs.len())],
            1 if place < length => {
                bytes.remove(place);
            }
            2 => bytes.insert(place, signs[rng.random_range(0..signs.len())]),
            3 => {
                let end = (place + rng.random_range(0..40)).min(length);
                let part = bytes[place..end].to_vec();
                let to = rng.random_range(0..=length);
                bytes.splice(to..to, part);
            }
            4 => bytes.truncate(place),
            _ => {
                let from = rng.random_range(0..other.len());
                let end = (from + rng.random_range(0..30)).min(other.len());
                bytes.splice(place..place, other.as_bytes()[from..end].iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn no_file_panics() {
    let count = std::env::var("PAMELA_FILES")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(3_000);
    let texts = [
        TABLE,
        TRACE,
        formats::WORKFLOW,
        formats::NINJA_GRAPH,
        formats::NINJA_LOG,
        DOT,
        formats::STG,
        formats::SPANS,
        JAEGER,
        formats::OTF2,
    ];
    let mut rng = Pcg64::seed_from_u64(11);
    let mut right = 0;
    for _ in 0..count {
        let which = rng.random_range(0..texts.len());
        let other = texts[rng.random_range(0..texts.len())];
        let text = mutated(&mut rng, texts[which], other);
        let with = match which {
            4 => vec![text.as_str(), formats::NINJA_GRAPH],
            3 => vec![text.as_str(), formats::NINJA_LOG],
            _ => vec![text.as_str()],
        };
        match parsed(&with) {
            Err(error) => assert!(
                !error.message.is_empty() && error.message.len() < 600,
                "{error}"
            ),
            Ok(recording) => {
                right += 1;
                let _ = Graph::of(&recording.tasks);
            }
        }
    }
    assert!(right > count / 100, "{right} of {count} are still right");
}
