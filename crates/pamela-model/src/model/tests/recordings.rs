//! Graphs that files record: what is refused, and where.

use std::collections::HashMap;

use super::Model;
use crate::diagnostic::Error;
use crate::model::{Sort, Sorts};
use crate::syntax::parse_model;

fn check(text: &str, file: &str) -> Result<Model, Error> {
    let files = HashMap::from([("f".to_owned(), file.to_owned())]);
    let (tree, sources) = parse_model("test.pam", text, &files)?;
    Model::check(tree, sources, &files)
}

/// What is wrong with a model that reads this file, and the text that it points to.
fn wrong_with(text: &str, file: &str) -> String {
    let error = check(text, file).map(|_| ()).expect_err(text);
    let all = error.diagnostics.iter().map(|diagnostic| {
        let (span, _) = &diagnostic.labels[0];
        let place =
            &error.sources.0[span.file as usize].text[span.start as usize..span.end as usize];
        format!("{place}: {}", diagnostic.message)
    });
    all.collect::<Vec<String>>().join("\n")
}

fn wrong(file: &str) -> String {
    wrong_with("process main = graph (w in \"f\") delay(w)", file)
}

#[test]
fn errors_in_files_name_the_file_and_the_line() {
    let table = |rows: &str| wrong(&format!("task,after,time\n{rows}"));
    assert!(table("a,,1\nb,c,2\n").starts_with("\"f\": f:3: "));
    // Rows of one task are runs, which wait for the same tasks.
    assert!(table("a,,1\nb,,2\na,b,2\n").starts_with("\"f\": f:4: "));
    assert!(table("a,,-1\n").starts_with("\"f\": f:2: "));
    let round = table("a,c,1\nb,a,1\nc,b,1\n");
    assert!(
        round.starts_with("\"f\": f:2: tasks wait for each other in a cycle"),
        "{round}"
    );
    assert!(wrong("").starts_with("\"f\": f: the file is empty"));
    assert!(wrong("{\"a\": 1}").starts_with("\"f\": f: "));
    let contradiction = r#"{"schemaVersion": "1.5", "workflow": {"specification": {"tasks": [
        {"name": "a", "id": "a", "parents": [], "children": ["b"]},
        {"name": "b", "id": "b", "parents": [], "children": []}]}, "execution": {"tasks": []}}}"#;
    assert!(wrong(contradiction).contains("workflow.specification.tasks[0]"));
}

#[test]
fn times_that_are_missing_are_asked_for() {
    let table = "task,after,time\na,,1\nb,a,\n";
    assert_eq!(wrong(table), "\"f\": f:3: the task `b` has no time");
    let given = "process main = graph (w in \"f\", default = 2) delay(w)";
    assert!(check(given, table).is_ok());
    let unknown = "process main = graph (w in \"f\", default = w) delay(w)";
    assert!(wrong_with(unknown, table).starts_with("w: `w` is not defined"));
    let absent = "process main = graph (w in \"g\") delay(w)";
    assert_eq!(
        wrong_with(absent, table),
        "\"g\": cannot read `g`: no such file"
    );
}

#[test]
fn the_order_of_tracks_is_asked_for_where_there_are_no_flows() {
    let trace = r#"[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":2}]"#;
    assert!(wrong(trace).contains("there are no flows between the slices"));
    let text = "process main = graph (w in \"f\", tracks = order) delay(w)";
    assert!(check(text, trace).is_ok());
}

#[test]
fn times_are_laws_where_runs_differ() {
    let sort = |rows: &str| {
        let text = "numeric x = graph (w in \"f\") { 2 * w }";
        let model = check(text, &format!("task,after,time,run\n{rows}")).expect("it is right");
        Sorts::new(&model).of_equation(0)
    };
    assert_eq!(sort("a,,1,1\na,,3,2\n"), Sort::Law);
    assert_eq!(sort("a,,1,1\na,,1,2\n"), Sort::Scalar);
    let text = "numeric x = graph (w in \"f\") { 2 ^ w }";
    let both = "task,after,time,run\na,,1,1\na,,3,2\n";
    assert!(check(text, both).is_ok());
}
