//! Many small edits give what the whole text gives, and renaming keeps values.

use rand::{RngExt, SeedableRng};
use serde_json::json;

use super::client::{Client, URI, position};
use super::thirty;
use pamela::pipeline::{Model, Options};
use pamela::syntax::{NoFiles, tokens};

/// Pieces that an edit may insert.
const PIECES: [&str; 14] = [
    "",
    " ",
    "\n",
    "(",
    ")",
    "{",
    "}",
    "%",
    "x",
    "numeric ",
    "= 1",
    "\u{1d4af}",
    "\"",
    "process p = delay(1)\n",
];

#[test]
fn random_edits_give_the_diagnostics_of_a_fresh_server() {
    let mut random = rand_pcg::Pcg64::seed_from_u64(55);
    let mut client = Client::start("utf-16");
    let files = thirty();
    let mut text = files[3].1.clone();
    client.open(&text);
    let mut is_compared = [false; 1000];
    super::share(0..1000, 50).for_each(|step: usize| is_compared[step] = true);
    for step in 0..1000 {
        // The text is replaced now and then, lest all of it become a comment.
        if step % 100 == 99 {
            text = files[step / 100 * 2].1.clone();
            client.change(None, &text);
        }
        let ends: Vec<usize> = (0..=text.len())
            .filter(|end| text.is_char_boundary(*end))
            .collect();
        let start = random.random_range(0..ends.len());
        let length = [0, 0, 1, 3][random.random_range(0..4)];
        let end = (start + length).min(ends.len() - 1);
        let range =
            json!({ "start": position(&text, ends[start]), "end": position(&text, ends[end]) });
        let piece = PIECES[random.random_range(0..PIECES.len())];
        client.change(Some(range), piece);
        text.replace_range(ends[start]..ends[end], piece);
        if is_compared[step] {
            let found = client.diagnostics();
            let mut fresh = Client::start("utf-16");
            fresh.open(&text);
            assert_eq!(found, fresh.diagnostics(), "{text}");
            fresh.finish();
        }
    }
    client.finish();
}

/// The values of a model at a point, by the names of its equations.
fn values(text: &str) -> Option<Vec<(String, String)>> {
    let mut model = Model::read("model.pam", text, &NoFiles).ok()?;
    let parameters: Vec<String> = model.scalar_parameters().map(str::to_owned).collect();
    for (number, name) in parameters.iter().enumerate() {
        model.define(name, &(number + 2).to_string()).ok()?;
    }
    let simplified = model.simplify(&Options::default()).ok()?;
    let values = simplified.equations.iter().filter(|own| !own.auxiliary);
    Some(
        values
            .map(|own| (own.name.clone(), own.formula.pamela()))
            .collect(),
    )
}

/// The text after all uses of the name at this byte are renamed to `fresh_name`.
fn rename(client: &mut Client, text: &str, byte: usize, old: &str) -> String {
    let new = json!({ "newName": "fresh_name" });
    let answer = client.at("rename", &position(text, byte), new);
    let Some(edits) = answer["result"]["changes"][URI].as_array() else {
        panic!("{answer}: {text}");
    };
    let mut places: Vec<usize> = { edits.iter() }
        .map(|edit| {
            let line = edit["range"]["start"]["line"].as_u64().expect("a line") as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            let column = edit["range"]["start"]["character"]
                .as_u64()
                .expect("a column");
            // The corpus has no letters of two units before names.
            start + column as usize
        })
        .collect();
    places.sort_by_key(|place| std::cmp::Reverse(*place));
    let mut changed = text.to_owned();
    for start in places {
        assert_eq!(&changed[start..start + old.len()], old);
        changed.replace_range(start..start + old.len(), "fresh_name");
    }
    changed
}

#[test]
fn a_name_in_brackets_is_renamed_without_them() {
    let text = "numeric parameter c\nnumeric f = sum (i = 1, 3) { c } + (if (c) (c) else -((c)) * 2)\n\
                process main = par (i = 1, 2) { if (c) delay((c) + c ^ (c)) }\n";
    let mut client = Client::start("utf-16");
    client.open(text);
    client.diagnostics();
    let words = tokens(text).filter(|own| &text[own.start..own.end] == "c");
    let starts: Vec<usize> = words.map(|own| own.start).collect();
    assert_eq!(starts.len(), 9);
    let mut expected = text.to_owned();
    for start in starts.iter().rev() {
        expected.replace_range(*start..start + 1, "fresh_name");
    }
    for start in starts {
        assert_eq!(rename(&mut client, text, start, "c"), expected);
    }
    client.finish();
}

#[test]
fn rename_and_layout_change_no_value() {
    let mut client = Client::start("utf-16");
    client.open("");
    client.diagnostics();
    let (mut renamed, mut compared) = (0, 0);
    for (_, text) in super::share(thirty().into_iter(), 3) {
        let Some(before) = values(&text) else {
            continue;
        };
        assert_eq!(
            values(&pamela::layout::format(&text)),
            Some(before.clone()),
            "{text}"
        );
        client.change(None, &text);
        client.diagnostics();
        let draft = Model::draft("model.pam", &text, &NoFiles);
        let definitions = draft
            .uses
            .iter()
            .filter(|own| own.target.definition() == Some(own.span))
            // What a library of the program defines lies after this text.
            .filter(|own| own.span.end as usize <= text.len());
        for own in super::share(definitions, 4) {
            let old = &text[own.span.start as usize..own.span.end as usize];
            let changed = rename(&mut client, &text, own.span.start as usize, old);
            renamed += 1;
            // The names of results contain those of processes.
            let back = |name: String| name.replace("fresh_name", old);
            let after = values(&changed).expect("a model");
            let mut after: Vec<_> = after
                .into_iter()
                .map(|(name, form)| (back(name), back(form)))
                .collect();
            let mut before = before.clone();
            after.sort();
            before.sort();
            assert_eq!(before, after, "{changed}");
            assert_eq!(tokens(&changed).count(), tokens(&text).count());
            compared += 1;
        }
    }
    assert!(renamed > 5 && compared > 5, "only {renamed} renamed");
    client.finish();
}
