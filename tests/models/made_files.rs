//! Files of a generator beside what they record: numbers of tables, how long a track is busy, how long a request takes.
//!
//! `PAMELA_MADE_FILES=20000 cargo test --test all models::made_files` tries so many; `PAMELA_SEED` begins elsewhere.

use std::ops::Range;

use pamela::law::Samples;
use pamela::law::table::{Rows, number};
use pamela_graph::files::{Options, Recording, Source, Tracks, parse};
use pamela_graph::{Error, Graph, Paths};
use pamela_lab::models::files::{Interval, slices, spans, table};

/// How many of each kind are tried where nothing is said.
const FEW: u64 = 300;

fn seeds() -> Range<u64> {
    let number = |name: &str| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().expect("a number"))
    };
    let first = number("PAMELA_SEED").unwrap_or(0);
    first..first + number("PAMELA_MADE_FILES").unwrap_or(FEW)
}

#[test]
fn tables_have_the_numbers_that_they_were_made_of() {
    let mut refused = 0;
    for seed in seeds() {
        let made = table(seed);
        let read =
            |column: &String| Samples::read(&made.text, Some(column)).map(|samples| samples.values);
        let found = made.columns.iter().map(read).collect::<Result<Vec<_>, _>>();
        let expected = made.rows.as_ref().map(|rows| {
            let column = |place: usize| rows.iter().map(|row| row[place]).collect::<Vec<f64>>();
            (0..made.columns.len()).map(column).collect::<Vec<_>>()
        });
        match (&expected, &found) {
            (Some(expected), Ok(found)) => assert_eq!(expected, found, "{seed}: {:?}", made.text),
            (None, Err(_)) => refused += 1,
            _ => panic!("{seed}: {:?}: {found:?}", made.text),
        }
        // The reader of rows says the same of all columns at once.
        let (mut rows, mut fields, mut values) =
            (Rows::of(&made.text), Vec::new(), Some(Vec::new()));
        while let Some(line) = rows.read(&mut fields).transpose() {
            let is_read = line.is_ok() && !fields.is_empty();
            let row = fields.iter().map(|field| number(&field.text).ok());
            let row = line.ok().and_then(|_| row.collect::<Option<Vec<f64>>>());
            let is_head = is_read
                && values.as_ref().is_some_and(Vec::is_empty)
                && fields.iter().all(|field| field.text.starts_with('c'));
            if is_head && row.is_none() {
                continue;
            }
            let Some(row) = row else {
                values = None;
                break;
            };
            values
                .iter_mut()
                .for_each(|values| values.push(row.clone()));
        }
        assert_eq!(values, made.rows, "{seed}: {:?}", made.text);
    }
    assert!(refused > 0);
}

fn read(text: &str, tracks: Option<Tracks>) -> Result<Recording, Error> {
    let options = Options {
        tracks,
        ..Options::default()
    };
    parse(
        &[Source {
            name: "made.json",
            text,
        }],
        &options,
    )
}

fn length(recording: &Recording) -> f64 {
    let graph = Graph::of(&recording.tasks).expect("it has no round");
    let time = |task: u32| recording.tasks.times(task).next().unwrap_or(0.0);
    let times: Vec<f64> = (0..recording.tasks.len() as u32).map(time).collect();
    Paths::new(&graph, &times).length()
}

#[test]
fn a_track_takes_as_long_as_it_is_covered() {
    for seed in seeds() {
        let made = slices(seed);
        // Unit by unit.
        let (first, last) = (
            made[0].begin,
            made.iter().map(|slice| slice.end).max().unwrap_or(0),
        );
        let is_covered = |at: &u64| {
            made.iter()
                .any(|slice| slice.begin <= *at && *at < slice.end)
        };
        let covered = (first..last).filter(is_covered).count();
        let text = |Interval { begin, end, .. }: &Interval| {
            format!(
                r#"{{"ph":"X","name":"s","pid":1,"tid":1,"ts":{begin},"dur":{}}}"#,
                end - begin
            )
        };
        let text = format!("[{}]", made.iter().map(text).collect::<Vec<_>>().join(","));
        let recording =
            read(&text, Some(Tracks::Order)).unwrap_or_else(|error| panic!("{seed}: {error}"));
        let found = length(&recording);
        assert!(
            (found - covered as f64).abs() < 1e-9,
            "{seed}: {found}, not {covered}: {text}"
        );
    }
}

#[test]
fn a_request_takes_as_long_as_from_its_beginning_to_its_last_end() {
    let mut refused = 0;
    for seed in seeds() {
        let (made, backwards) = spans(seed);
        let whole = made.iter().map(|span| span.end).max().unwrap_or(0) - made[0].begin;
        let text = |(number, span): (usize, &Interval)| {
            let kind = if span.follows {
                "FOLLOWS_FROM"
            } else {
                "CHILD_OF"
            };
            let reference = span
                .parent
                .map(|parent| format!(r#"{{"refType":"{kind}","spanID":"{parent}"}}"#));
            format!(
                r#"{{"spanID":"{number}","operationName":"o","references":[{}],"startTime":{},"duration":{}}}"#,
                reference.unwrap_or_default(),
                span.begin,
                span.end - span.begin
            )
        };
        let text: Vec<String> = made.iter().enumerate().map(text).collect();
        let text = format!(r#"{{"data":[{{"spans":[{}]}}]}}"#, text.join(","));
        match read(&text, None) {
            Err(error) => {
                assert!(backwards, "{seed}: {error}: {text}");
                refused += 1;
            }
            Ok(recording) => {
                assert!(!backwards, "{seed}: {text}");
                let found = 1e6 * length(&recording);
                assert!(
                    (found - whole as f64).abs() < 1e-6,
                    "{seed}: {found}, not {whole}: {text}"
                );
            }
        }
    }
    assert!(refused > 0);
}
