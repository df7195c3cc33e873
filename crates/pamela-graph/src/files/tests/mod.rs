use super::*;
use crate::path::Paths;
use crate::shape::Graph;

mod formats;
mod mutants;
mod traces;

fn parsed(texts: &[&str]) -> Result<Recording, Error> {
    parsed_with(texts, &Options::default())
}

fn parsed_with(texts: &[&str], options: &Options) -> Result<Recording, Error> {
    let sources: Vec<Source> = texts
        .iter()
        .map(|text| Source { name: "f", text })
        .collect();
    parse(&sources, options)
}

fn error(text: &str) -> String {
    parsed(&[text]).unwrap_err().to_string()
}

/// Tasks as `name<before,before=time,time`, in the order of the file.
fn shown(recording: &Recording) -> String {
    let tasks = &recording.tasks;
    let task = |task: u32| {
        let before: Vec<&str> = (tasks.precedences().iter())
            .filter(|pair| pair.1 == task)
            .map(|pair| tasks.name(pair.0))
            .collect();
        let times: Vec<String> = tasks
            .times(task)
            .map(|time| format!("{}", (time * 1e9).round() / 1e9))
            .collect();
        format!(
            "{}<{}={}",
            tasks.name(task),
            before.join(","),
            times.join(",")
        )
    };
    (0..tasks.len() as u32)
        .map(task)
        .collect::<Vec<_>>()
        .join(" ")
}

fn length(recording: &Recording) -> f64 {
    let graph = Graph::of(&recording.tasks).unwrap();
    let times =
        (0..recording.tasks.len() as u32).map(|task| recording.tasks.times(task).next().unwrap());
    Paths::new(&graph, &times.collect::<Vec<f64>>()).length()
}

#[test]
fn files_that_are_too_large_are_refused_without_being_read() {
    let directory = std::env::temp_dir().join(format!("pamela-graph-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let path = directory.join("large.json");
    let file = File::create(&path).unwrap();
    // 10 GB that take no room.
    file.set_len(10_000_000_000).unwrap();
    let error = read(&[&path], &Options::default()).unwrap_err();
    assert!(
        error.message.starts_with("the file is larger than 64 MiB"),
        "{error}"
    );
    std::fs::write(&path, b"task,time\na,1\n\xff,2\n").unwrap();
    let error = read(&[&path], &Options::default()).unwrap_err();
    assert!(
        error.place.ends_with("large.json:3") && error.message.contains("UTF-8"),
        "{error}"
    );
    std::fs::write(&path, "task,time\na,1\n").unwrap();
    assert_eq!(shown(&read(&[&path], &Options::default()).unwrap()), "a<=1");
    std::fs::remove_dir_all(&directory).unwrap();
    let missing = read(&[Path::new("/no/such/file")], &Options::default()).unwrap_err();
    assert!(
        missing
            .to_string()
            .starts_with("/no/such/file: the file cannot be read")
    );
    assert_eq!(
        parsed(&[]).unwrap_err().message,
        "no file of recorded tasks is named"
    );
    assert!(error_of_nothing().ends_with("there are no tasks in it"));
}

fn error_of_nothing() -> String {
    error(" \n")
}
