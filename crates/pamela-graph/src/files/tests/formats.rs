use super::*;

#[test]
fn tables_have_a_row_for_each_run() {
    let text = "# a build\ntask, after, time[ms], run, resource\nlink, a b, 5, 1,\na,, 1, 1, cpu\nb,, 2.5, 1,\n\na,,3,2,\n";
    let recording = parsed(&[text]).unwrap();
    assert_eq!(shown(&recording), "link<a,b=0.005 a<=0.001,0.003 b<=0.0025");
    let tasks = &recording.tasks;
    assert_eq!((tasks.resource(1), tasks.resource(2)), (Some("cpu"), None));
    assert_eq!(recording.unit, Some(Unit::Seconds));
    // Two files are two runs; one without the column of times has none.
    let both = parsed(&[
        "task;after;time\na;;1\nb;a;2\n",
        "task,time,after\nb,4,a\na,3,\n",
    ])
    .unwrap();
    assert_eq!(shown(&both), "a<=1,3 b<a=2,4");
    assert_eq!(
        shown(&parsed(&["task,after\na,\nb,a\n"]).unwrap()),
        "a<= b<a="
    );
}

#[test]
fn errors_in_tables_name_the_line() {
    assert_eq!(
        error("task,after,time\na,,1\n\n# c\nb,x,1\n"),
        "f:5: `b` waits for `x`, but no row has a task of this name; names in the column `after` have blanks between them"
    );
    assert_eq!(
        error("task,time\na,1\na,-1\n"),
        "f:3: the time of `a` is `-1`, but must be a number of at least 0"
    );
    assert!(error("task,time\na,inf\n").starts_with("f:2: the time of `a` is `inf`"));
    assert_eq!(
        error("task,after,time\na,,1\nb,a,1\nb,,1\n"),
        "f:4: `b` waits for `` here, but for `a` in line 3: it must wait for the same in all runs"
    );
    assert_eq!(
        error("task,time,run\na,1,x\na,2,x\n"),
        "f:3: `a` occurs twice in the run `x`, first in line 2"
    );
    assert!(
        error("name,time\n")
            .starts_with("f:1: the first line of a table of tasks must name its columns")
    );
    assert!(error("task,time,time[ms]\n").starts_with("f:1: there are several columns of times"));
    assert!(error("task,time\n,1\n").starts_with("f:2: the column `task` is empty"));
    assert!(
        error("task,after,time [ms]\na,,1\n")
            .starts_with("f:1: there is a column `time [ms]`, but times must be in `time`")
    );
    assert!(
        error("task,after,time\na,,1\nb,a,2,c\n")
            .starts_with("f:3: there are 4 fields, but the first line has 3")
    );
    assert_eq!(
        error("task,after,time\n\"a,,1\nb,a,2\n"),
        "f:2: a quote is not closed"
    );
    let cycle = parsed(&["task,after\na,b\nb,c\nc,b\n"]).unwrap();
    let cycle = Graph::of(&cycle.tasks).unwrap_err().to_string();
    assert!(
        cycle.starts_with("f:3: tasks wait for each other in a cycle")
            && cycle.contains("`b` before `c` before `b`"),
        "{cycle}"
    );
}

#[test]
fn slices_are_tasks_and_flows_are_precedences() {
    let text = r#"{"displayTimeUnit": "ms", "traceEvents": [
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "x"}},
        {"ph": "X", "name": "outer", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
        {"ph": "X", "name": "a", "cat": "k", "pid": 1, "tid": 1, "ts": 1, "dur": 4},
        {"ph": "B", "name": "a", "pid": 1, "tid": 1, "ts": 6}, {"ph": "E", "pid": 1, "tid": 1, "ts": 8},
        {"ph": "X", "name": "b", "pid": 1, "tid": "gpu", "ts": 9.5, "dur": 2},
        {"ph": "s", "id": 7, "cat": "c", "name": "go", "pid": 1, "tid": 1, "ts": 3},
        {"ph": "f", "id": 7, "cat": "c", "name": "go", "pid": 1, "tid": "gpu", "ts": 9}
    ]}"#;
    let recording = parsed(&[text]).unwrap();
    assert_eq!(shown(&recording), "a<=4 a (2)<=2 b<a=2");
    assert_eq!(
        (recording.unit, recording.makespans.as_slice()),
        (Some(Unit::Microseconds), &[10.5][..])
    );
    let order = Options {
        tracks: Some(Tracks::Order),
        ..Options::default()
    };
    assert_eq!(
        shown(&parsed_with(&[text], &order).unwrap()),
        "outer<=1 a<outer=4 outer (2)<a=1 a (2)<outer (2)=2 outer (3)<a (2)=2 b<a=2"
    );
    let overlapping =
        r#"[{"ph":"X","name":"a","ts":0,"dur":5},{"ph":"X","name":"b","ts":3,"dur":5}]"#;
    let overlapping = parsed_with(&[overlapping], &order).unwrap();
    assert_eq!(shown(&overlapping), "a<=5 b<a=5");
    assert!(overlapping.notes[0].starts_with("1 slices begin before the previous slice"));
    let outer = Options {
        name: Some("outer".into()),
        tracks: Some(Tracks::Free),
        ..Options::default()
    };
    assert_eq!(shown(&parsed_with(&[text], &outer).unwrap()), "outer<=10");
    let kind = Options {
        category: Some("k".into()),
        ..outer
    };
    assert!(parsed_with(&[text], &kind).is_err());
}

#[test]
fn errors_in_traces_name_the_entry() {
    let slice = r#"{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":2}"#;
    assert!(error(&format!("[{slice}")).contains("there are no flows between the slices"));
    assert!(
        error(r#"[{"ph":"X","name":"a","ts":0}]"#)
            .starts_with("f:1: traceEvents[0]: the slice `a` has no `dur`")
    );
    assert!(
        error(r#"[{"ph":"X","name":"a","ts":0,"dur":-1}]"#)
            .starts_with("f:1: traceEvents[0]: the slice `a` has no `dur`")
    );
    assert!(error(r#"[{"ph":"X","name":"a","dur":0}]"#).ends_with("has no `ts`"));
    assert!(error(r#"[{"ph":"E","ts":0}]"#).contains("none has begun on its track"));
    let flow =
        |ph: &str, ts: u32| format!(r#"{{"ph":"{ph}","id":1,"pid":1,"tid":1,"ts":{ts},"bp":"e"}}"#);
    let late = format!("[{slice},{},{}]", flow("s", 2), flow("f", 1));
    assert_eq!(
        error(&late),
        "f:1: traceEvents[2]: the flow is at its end at 1, but begins at 2"
    );
    assert!(error("[{\"ph\": \"X\"").starts_with("f:1:"));
    let slices =
        format!("{{\"a\": [{{}}], \"traceEvents\": [\n{slice},\n\n{{\"ph\": \"E\", \"ts\": 3}}]}}");
    assert!(
        error(&slices).starts_with("f:4: traceEvents[1]: a slice ends here with `E`"),
        "{}",
        error(&slices)
    );
    assert!(error("{\"a\": 1}").contains("none of `traceEvents`"));
}

/// What a trace was made of is read back from it.
#[test]
fn a_trace_of_a_schedule_is_its_graph() {
    for seed in 0..50 {
        let (graph, times) = crate::shape::tests::random(seed, 20);
        let paths = Paths::new(&graph, &times);
        let slice = |task: u32| {
            let (begin, time) = (paths.heads()[task as usize], times[task as usize]);
            format!(
                r#"{{"ph":"X","name":"t{task}","pid":1,"tid":{task},"ts":{begin},"dur":{time}}}"#
            )
        };
        let arrows = |task: u32| {
            let from = graph.before(task).iter().map(|&before| {
                let end = paths_end(&graph, &times, before);
                let begin = paths.heads()[task as usize];
                let id = format!("{before}-{task}");
                format!(
                    r#"{{"ph":"s","cat":"p","id":"{id}","pid":1,"tid":{before},"ts":{end}}},{{"ph":"f","bp":"e","cat":"p","id":"{id}","pid":1,"tid":{task},"ts":{begin}}}"#
                )
            });
            from.collect::<Vec<_>>()
        };
        let tasks = 0..graph.tasks() as u32;
        let events: Vec<String> = tasks
            .clone()
            .map(slice)
            .chain(tasks.clone().flat_map(arrows))
            .collect();
        let text = format!("[{}]", events.join(",\n"));
        let free = Options {
            tracks: Some(Tracks::Free),
            ..Options::default()
        };
        let recording = parsed_with(&[&text], &free).unwrap();
        let number = |task: u32| recording.tasks.name(task)[1..].parse::<u32>().unwrap();
        let mut found: Vec<(u32, u32)> = (recording.tasks.precedences().iter())
            .map(|&(u, v)| (number(u), number(v)))
            .collect();
        let mut pairs: Vec<(u32, u32)> = tasks
            .flat_map(|v| graph.before(v).iter().map(move |&u| (u, v)))
            .collect();
        found.sort_unstable();
        pairs.sort_unstable();
        assert_eq!(found, pairs, "{seed}");
        assert!(
            (length(&recording) - paths.length()).abs() < 1e-9
                && (recording.makespans[0] - paths.length()).abs() < 1e-9
        );
    }
}

fn paths_end(graph: &Graph, times: &[f64], task: u32) -> f64 {
    Paths::new(graph, times).heads()[task as usize] + times[task as usize]
}

pub const WORKFLOW: &str = r#"{"name": "w", "schemaVersion": "1.5", "workflow": {
    "specification": {"tasks": [
        {"name": "split", "id": "s", "parents": [], "children": ["a", "b"], "inputFiles": []},
        {"name": "a", "id": "a", "parents": ["s"], "children": []},
        {"name": "b", "id": "b", "parents": ["s"], "children": []}], "files": []},
    "execution": {"makespanInSeconds": 12.5, "executedAt": "2020-01-01",
        "tasks": [{"id": "s", "runtimeInSeconds": 2, "coreCount": 4}, {"id": "b", "runtimeInSeconds": 3.5}],
        "machines": [{"nodeName": "m", "cpu": {"coreCount": 8}}, {"cpu": {"coreCount": 16}}]}}}"#;

#[test]
fn workflows_have_what_was_to_be_done_and_how_it_was() {
    let recording = parsed(&[WORKFLOW]).unwrap();
    assert_eq!(shown(&recording), "s<=2 a<s= b<s=3.5");
    assert_eq!(
        (recording.makespans.as_slice(), recording.cores),
        (&[12.5][..], Some(24.0))
    );
    assert_eq!(
        recording.notes,
        ["Tasks that ran on more than one core: 1; their times are those of the whole task."]
    );
    let error_with = |from: &str, to: &str| error(&WORKFLOW.replacen(from, to, 1));
    assert_eq!(
        error_with(r#""children": ["a", "b"]"#, r#""children": ["b"]"#),
        "f:4: workflow.specification.tasks[1]: `a` names `s` as its parent, but is not among the children of that"
    );
    assert_eq!(
        error_with(r#""parents": ["s"]"#, r#""parents": []"#),
        "f:3: workflow.specification.tasks[0]: `s` names `a` as its child, but is not among the parents of that"
    );
    assert!(
        error_with(r#""parents": ["s"]"#, r#""parents": ["x"]"#)
            .ends_with("the parent `x` of `a` is not a task")
    );
    assert!(
        error_with(r#""id": "b", "parents""#, r#""id": "a", "parents""#).contains("occurs twice")
    );
    assert!(
        error_with(r#"{"id": "b", "run"#, r#"{"id": "c", "run"#).contains("the task `c` was done")
    );
    assert!(error_with("3.5", "-3.5").contains("the time of `b` is -3.5"));
    assert!(
        error(r#"{"schemaVersion": "1.3", "workflow": {"jobs": []}}"#)
            .contains("WfFormat 1.5 and 1.6 are read (this is 1.3)")
    );
}

pub const NINJA_GRAPH: &str = r#"digraph ninja {
rankdir="LR"
node [fontsize=10, shape=box, height=0.25]
edge [fontsize=10]
"0x1" [label="app"]
"0x2" [label="link", shape=ellipse]
"0x2" -> "0x1"
"0x3" -> "0x2" [arrowhead=none]
"0x4" -> "0x2" [arrowhead=none]
"0x5" -> "0x2" [arrowhead=none style=dotted]
"0x3" [label="a.o"]
"0x6" -> "0x3" [label=" cc"]
"0x6" [label="a.c"]
"0x4" [label="b.o"]
"0x7" -> "0x4" [label=" cc"]
"0x7" [label="b.c"]
"0x5" [label="gen"]
"0x8" -> "0x5" [label=" phony"]
"0x8" [label="version.h"]
}
"#;
pub const NINJA_LOG: &str = "# ninja log v5\n0\t9\t1\ta.o\tf0\n0\t100\t1\ta.o\tf1\n5\t255\t1\tb.o\tf2\n255\t300\t1\tapp\tf3\n";

#[test]
fn a_build_is_its_graph_with_the_times_of_its_log() {
    let recording = parsed(&[NINJA_LOG, NINJA_GRAPH]).unwrap();
    assert_eq!(
        shown(&recording),
        "app<a.o,b.o,gen=0.045 a.o<=0.1 b.o<=0.25 gen<=0"
    );
    assert!(
        (recording.makespans[0] - 0.3).abs() < 1e-12 && (length(&recording) - 0.295).abs() < 1e-12
    );
    assert!(error(NINJA_LOG).contains("a log of Ninja has no precedences"));
    let bad = parsed(&[NINJA_GRAPH, "# ninja log v7\n1\t0\t1\ta\tf\n"])
        .unwrap_err()
        .to_string();
    assert_eq!(
        bad,
        "f:2: `a` begins at `1` and ends at `0`, which is not a valid time"
    );
    let old = parsed(&[NINJA_GRAPH, "# ninja log v4\n"])
        .unwrap_err()
        .to_string();
    assert_eq!(old, "f:1: the log has version `4`, but 5, 6 and 7 are read");
}

#[test]
fn nodes_of_directed_graphs_are_tasks() {
    let text = r#"strict digraph "g" { // a comment
        rankdir = LR; node [weight=2]; edge [color=red]
        a -> b -> {c; d [weight = 3.5]} [label="x"];
        subgraph cluster_1 { node [weight=7] e:n -> f:port:s }
        /* another */ "q" + " r" [weight="1", label=<<b>9</b>>]
        g [weight=0]
    }"#;
    let recording = parsed(&[text]).unwrap();
    assert_eq!(
        shown(&recording),
        "a<=2 b<a=2 c<b=2 d<b=3.5 e<=7 f<e=7 q r<=1 g<=0"
    );
    assert_eq!(
        shown(&parsed(&["digraph{a[label=4]b[label=work]a->b}"]).unwrap()),
        "a<=4 b<a="
    );
    assert_eq!(
        error("graph g { a -- b }"),
        "f:1: this graph is undirected: precedences need a `digraph` with `->`"
    );
    assert_eq!(
        error("digraph g {\n a -- b }"),
        "f:2: `--` joins nodes of undirected graphs: precedences are written `->`"
    );
    assert_eq!(
        error("digraph g {\n\n a -> b"),
        "f:3: the graph ends here, but a `}` is missing"
    );
    assert_eq!(
        error("digraph g { a [weight=x] }"),
        "f:1: the weight of `a` is `x`, but must be a number"
    );
    assert!(error("digraph g { a [weight=-1] }").contains("the time of `a` is -1"));
    let deep = format!(
        "digraph {{ {} a {} }}",
        "{".repeat(200_000),
        "}".repeat(200_000)
    );
    assert_eq!(shown(&parsed(&[&deep]).unwrap()), "a<=");
}

pub const STG: &str = " 2\n 0 0 0\n 1 5 1 0\n 2 6 2 0 1\n 3 0 2 1 2\n# end\nwhatever\n";

#[test]
fn standard_task_graphs_have_two_dummies() {
    assert_eq!(
        shown(&parsed(&[STG]).unwrap()),
        "0<=0 1<0=5 2<0,1=6 3<1,2=0"
    );
    assert_eq!(
        error("2\n0 0 0\n1 5 1 0\n"),
        "f:1: the first line says 2 tasks, which makes 4 lines with the two dummies, but there are 2"
    );
    assert_eq!(
        error("0\n0 0 0\n1 5 2 0\n"),
        "f:3: `1` waits for 2 tasks, but 1 follow"
    );
    assert_eq!(
        error("0\n0 0 0\n1 5 1 9\n"),
        "f:3: a task waits for `9`, but there is none of this number"
    );
    assert!(error("0\n0 0 0\n0 5 0\n").contains("occurs twice"));
}

pub const SPANS: &str = r#"{"resourceSpans": [{"scopeSpans": [{"spans": [
    {"traceId": "t", "spanId": "1", "name": "get", "startTimeUnixNano": "1700000000000000000", "endTimeUnixNano": "1700000000000001000"},
    {"traceId": "t", "spanId": "2", "parentSpanId": "1", "name": "auth", "startTimeUnixNano": "1700000000000000100", "endTimeUnixNano": "1700000000000000300"},
    {"traceId": "t", "spanId": "3", "parentSpanId": "1", "name": "db", "startTimeUnixNano": "1700000000000000350", "endTimeUnixNano": "1700000000000000900"},
    {"traceId": "t", "spanId": "4", "parentSpanId": "1", "name": "db", "startTimeUnixNano": "1700000000000000310", "endTimeUnixNano": "1700000000000000700"}
]}]}]}"#;

#[test]
fn spans_wait_for_siblings_that_have_ended() {
    let recording = parsed(&[SPANS]).unwrap();
    let expected = "get<=0.0000001 get, end<auth,db,db (2)=0.0000001 auth<get=0.0000002 db<before db=0.00000039 \
                    db (2)<before db (2)=0.00000055 before db<auth=0.00000001 before db (2)<auth=0.00000005";
    // To nanoseconds.
    let rounded = |text: &str| text.to_string();
    assert_eq!(
        shown_in(&recording, 1e9),
        rounded(&in_nanoseconds(expected))
    );
    assert!((length(&recording) - 1e-6).abs() < 1e-15);
    assert!((recording.makespans[0] - 1e-6).abs() < 1e-15);
    let early = error(&SPANS.replace("000100\"", "999\""));
    assert!(
        early.contains("span `auth`") || early.contains("whole number"),
        "{early}"
    );
}

fn shown_in(recording: &Recording, scale: f64) -> String {
    let tasks = &recording.tasks;
    let task = |task: u32| {
        let mut before: Vec<&str> = (tasks.precedences().iter())
            .filter(|pair| pair.1 == task)
            .map(|pair| tasks.name(pair.0))
            .collect();
        before.sort_unstable();
        let times: Vec<String> = tasks
            .times(task)
            .map(|time| (time * scale).round().to_string())
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

fn in_nanoseconds(text: &str) -> String {
    let words = text.split(' ').map(|word| match word.split_once('=') {
        Some((name, time)) => format!("{name}={}", (time.parse::<f64>().unwrap() * 1e9).round()),
        None => word.to_string(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn traces_of_jaeger_are_runs() {
    let trace = |begin: u32| {
        format!(
            r#"{{"traceID": "{begin}", "spans": [
            {{"spanID": "1", "operationName": "a", "references": [], "startTime": {begin}, "duration": 10}},
            {{"spanID": "2", "operationName": "b", "references": [{{"refType": "CHILD_OF", "traceID": "x", "spanID": "1"}}], "startTime": {}, "duration": 5}}]}}"#,
            begin + 2
        )
    };
    let recording = parsed(&[&format!(r#"{{"data": [{}, {}]}}"#, trace(0), trace(100))]).unwrap();
    assert_eq!(shown_in(&recording, 1e6), "a<=2,2 a, end<b=3,3 b<a=5,5");
    assert_eq!(recording.makespans.len(), 2);
    assert_eq!(recording.format, Format::Jaeger);
}

pub const OTF2: &str = r#"
=== OTF2-PRINT ===
CLOCK_PROPERTIES                       Ticks per Seconds: 1000, Global Offset: 0, Length: 90
=== Events =====================================================================
Event                               Location            Timestamp  Attributes
--------------------------------------------------------------------------------
ENTER                                      0                   10  Region: "main" <1>
ENTER                                      1                   10  Region: "main" <1>
ENTER                                      1                   15  Region: "MPI_Recv" <2>
ENTER                                      0                   30  Region: "MPI_Send" <3>
MPI_SEND                                   0                   31  Receiver: 1 ("Master thread" <1>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 4
LEAVE                                      0                   32  Region: "MPI_Send" <3>
MPI_RECV                                   1                   33  Sender: 0 ("Master thread" <0>), Communicator: "MPI_COMM_WORLD" <0>, Tag: 7, Length: 4
LEAVE                                      1                   34  Region: "MPI_Recv" <2>
ENTER                                      0                   37  Region: "MPI_Barrier" <4>
ENTER                                      1                   54  Region: "MPI_Barrier" <4>
MPI_COLLECTIVE_END                         0                   55  Operation: BARRIER, Communicator: "MPI_COMM_WORLD" <0>, Root: UNDEFINED, Sent: 0, Received: 0
MPI_COLLECTIVE_END                         1                   55  Operation: BARRIER, Communicator: "MPI_COMM_WORLD" <0>, Root: UNDEFINED, Sent: 0, Received: 0
LEAVE                                      0                   56  Region: "MPI_Barrier" <4>
LEAVE                                      1                   56  Region: "MPI_Barrier" <4>
LEAVE                                      0                   66  Region: "main" <1>
LEAVE                                      1                   61  Region: "main" <1>
"#;

/// By hand: 20 before the sending, 5 before the receipt; 5 and 20 before the barrier; 10 and 5 after it.
#[test]
fn work_between_messages_of_mpi_is_a_task() {
    let recording = parsed(&[OTF2]).unwrap();
    let expected = "0.0<=20 0.1<0.0=5 0.2<0.1,collective 0 of \"MPI_COMM_WORLD\" <0>=10 1.0<=5 1.1<0.0,1.0=20 \
                    1.2<1.1,collective 0 of \"MPI_COMM_WORLD\" <0>=5 collective 0 of \"MPI_COMM_WORLD\" <0><0.1,1.1=0";
    assert_eq!(shown_in(&recording, 1e3), expected);
    assert!(
        (length(&recording) - 0.05).abs() < 1e-12 && (recording.makespans[0] - 0.056).abs() < 1e-12
    );
    assert_eq!(
        error(&OTF2.replace("0                   66", "0                   55")),
        "f:21: the location 0 is at 56 before, and at 55 here: times must not fall"
    );
    assert!(error("=== OTF2-PRINT ===\n").contains("there are no events"));
    assert!(error("=== OTF2-PRINT ===\nLEAVE 0 1 Region: x\n").contains("none was entered"));
    let receive = "LEAVE                                      1                   34  Region: \"MPI_Recv\" <2>";
    assert_eq!(
        error(&OTF2.replace(receive, "")),
        "f:22: the region `\"main\" <1>` is left here, but `\"MPI_Recv\" <2>` was entered last"
    );
    assert!(
        error(&OTF2.replace("Seconds: 1000", "Seconds: 0"))
            .starts_with("f:3: the clock has `0` ticks per second")
    );
    let cut = parsed(&[OTF2
        .split_inclusive('\n')
        .take(14)
        .collect::<String>()
        .as_str()]);
    assert_eq!(
        cut.unwrap().notes,
        ["2 regions are entered but not left: the trace is incomplete."]
    );
}
