//! Models of small programs of MPI, and what is said of those that are not understood.

#![allow(clippy::expect_used, clippy::panic, reason = "what a test needs")]

use pamela_programs::lowering::Network;
use pamela_programs::source;
use pamela_programs::{Model, Options, model};

/// A program whose ranks do this, with `rank`, `size`, `n` and a buffer.
fn program(body: &str) -> String {
    format!(
        "static double a[1000], b[1000];\n\
         int main(int argc, char **argv) {{\nint rank, size;\nMPI_Init(&argc, &argv);\n\
         MPI_Comm_rank(MPI_COMM_WORLD, &rank);\nMPI_Comm_size(MPI_COMM_WORLD, &size);\nint n = atoi(argv[1]);\n\
         {body}\nMPI_Finalize();\n}}\n"
    )
}

fn with(text: &str, options: Options) -> Model {
    let unit = source::parse("text.c", text.to_string()).expect("the program can be read");
    model(&[unit], &options).expect("it has a model")
}

fn modelled(body: &str) -> Model {
    with(&program(body), Options::default())
}

/// The model of a body that is understood.
fn understood(body: &str) -> String {
    let model = modelled(body);
    assert!(model.opaque.is_empty(), "{body}: {:?}", model.opaque);
    model.model
}

/// What is said of a body.
fn said(body: &str) -> String {
    let model = modelled(body);
    let reasons = model.opaque.iter().map(|part| part.reason.clone());
    reasons.collect::<Vec<String>>().join("\n")
}

#[test]
fn collectives_are_processes_of_their_own() {
    let text = understood(
        "MPI_Bcast(a, n, MPI_FLOAT, 0, MPI_COMM_WORLD);\nMPI_Allreduce(a, b, 2 * n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n\
         MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);\nMPI_Barrier(MPI_COMM_WORLD);",
    );
    assert!(text.contains("bcast(n / 2) ;"), "{text}");
    assert!(text.contains("allreduce(2 * n) ;"), "{text}");
    assert!(text.contains("alltoall(1 / 2) ;"), "{text}");
    assert!(
        text.contains("process barrier = delay(ceil(log2(P)) * t_startup)"),
        "{text}"
    );
    assert!(
        text.contains("process alltoall(w) = delay((P - 1) * (t_word * w + t_startup))"),
        "{text}"
    );
}

#[test]
fn sums_may_go_round_in_a_ring() {
    let text = understood(
        "#pragma pamela allreduce(ring)\nMPI_Allreduce(a, b, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n\
         MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);",
    );
    assert!(text.contains("allreduce_ring(n) ;"), "{text}");
    assert!(text.contains("allreduce(1)"), "{text}");
}

#[test]
fn loops_and_branches_around_collectives_are_those_of_all_ranks() {
    let text = understood(
        "for (int t = 0; t < n; t++) {\nif (t % 10 == 0)\nMPI_Barrier(MPI_COMM_WORLD);\na[t] += rank;\n}",
    );
    assert!(text.contains("seq (t = 0, n - 1) {"), "{text}");
    assert!(text.contains("if (t mod 10 == 0) barrier"), "{text}");
    // Both ways meet alike.
    let text = understood(
        "if (rank == 0) {\na[0] = 1;\nMPI_Reduce(MPI_IN_PLACE, a, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n} else {\n\
         MPI_Reduce(a, a, n, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n}",
    );
    assert!(text.contains("reduce(n)"), "{text}");
    assert!(!text.contains("if (rank"), "{text}");
    let reason = said("if (rank < 2) MPI_Barrier(MPI_COMM_WORLD);");
    assert!(reason.contains("depends on the rank"), "{reason}");
    let reason = said("if (a[0] > 1) MPI_Barrier(MPI_COMM_WORLD);");
    assert!(reason.contains("for all ranks or for none"), "{reason}");
}

#[test]
fn messages_to_nobody_take_no_time() {
    let text = understood(
        "int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;\n\
         MPI_Sendrecv(a, n, MPI_DOUBLE, left, 0, b, n, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);",
    );
    assert!(
        text.contains("if (rank > 0) delay(n * t_word + t_startup) else {"),
        "{text}"
    );
    let text = understood("MPI_Send(a, n, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);");
    assert!(!text.contains("t_word"), "{text}");
}

#[test]
fn what_is_posted_goes_on_its_way_at_the_wait() {
    let text = understood(
        "MPI_Request r[2];\nMPI_Irecv(a, n, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, r);\n\
         MPI_Isend(b, n, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, r + 1);\n\
         MPI_Waitall(2, r, MPI_STATUSES_IGNORE);",
    );
    assert!(
        text.contains("delay(n * t_word + t_main_1 + 2 * t_startup)"),
        "{text}"
    );
}

#[test]
fn ranks_that_wait_for_each_other_are_told() {
    let ring = "if (size > 1) {\nif (rank > 0) MPI_Recv(a, n, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                MPI_Send(a, n, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD);\n\
                if (rank == 0) MPI_Recv(a, n, MPI_DOUBLE, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n}";
    assert!(said(ring).contains("a lower bound"), "{}", said(ring));
    let unmatched =
        "if (rank == 0) MPI_Recv(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    assert!(
        said(unmatched).contains("messages do not match"),
        "{}",
        said(unmatched)
    );
    let lost = "if (rank == 0 && size > 1) MPI_Send(a, n, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);";
    assert!(said(lost).contains("is not received"), "{}", said(lost));
    let tags = "int to = rank ^ 1;\nif (to < size)\n\
                MPI_Sendrecv(a, n, MPI_DOUBLE, to, rank, b, n, MPI_DOUBLE, to, rank, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
    assert!(
        said(tags).contains("messages do not match"),
        "{}",
        said(tags)
    );
}

#[test]
fn functions_that_call_each_other_twice_are_no_matter() {
    let mut text = "static double a[9];\nstatic void f0(int r, int p) {\n\
                    if (r > 0) MPI_Send(a, 1, MPI_DOUBLE, r - 1, 0, MPI_COMM_WORLD);\n\
                    if (r < p - 1) MPI_Recv(a, 1, MPI_DOUBLE, r + 1, 0, MPI_COMM_WORLD, 0); }\n"
        .to_string();
    for k in 1..40 {
        let before = k - 1;
        text.push_str(&format!(
            "static void f{k}(int r, int p) {{ f{before}(r, p); a[{}]++; f{before}(r, p); }}\n",
            k % 9
        ));
    }
    text.push_str(
        "int main(int c, char **v) { int r, p; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);\n\
         MPI_Comm_size(MPI_COMM_WORLD, &p); f39(r, p); MPI_Finalize(); }\n",
    );
    let model = with(&text, Options::default());
    let reasons: Vec<&str> = model
        .opaque
        .iter()
        .map(|part| part.reason.as_str())
        .collect();
    assert!(
        matches!(reasons[..], [reason] if reason.contains("could not be tested")),
        "{reasons:?}"
    );
}

#[test]
fn pipelines_are_graphs() {
    let item = "if (rank > 0) MPI_Recv(a, n, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n\
                for (int i = 0; i < n; i++) a[i] += 1;\n\
                if (rank != size - 1) MPI_Send(a, n, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);";
    let text = understood(item);
    let sent = "send(rank = 0, P - 2): delay(n * t_word + t_startup) after work(rank)";
    assert!(text.contains(sent), "{text}");
    assert!(text.contains("} after send(rank - 1) ;"), "{text}");
    let text = understood(&format!("for (int k = 0; k < n; k++) {{\n{item}\n}}"));
    let after = "after send(rank - 1, k), send(rank, k - 1), work(rank, k - 1) ;";
    assert!(text.contains(after), "{text}");
    // What one iteration does beside them overlaps with those of others.
    let reason = said(&format!(
        "for (int k = 0; k < n; k++) {{\na[k]++;\n{item}\n}}"
    ));
    assert!(reason.contains("a lower bound"), "{reason}");
}

/// Every q-th rank, or blocks of q of which the last may be shorter.
#[test]
fn communicators_by_colour_have_their_ranks() {
    let text = understood(
        "MPI_Comm c;\nint own;\nMPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &c);\nMPI_Comm_rank(c, &own);\n\
         MPI_Barrier(c);\nif (own == 1) MPI_Send(a, n, MPI_DOUBLE, 0, 0, c);\n\
         if (own == 0 && rank + 2 < size) MPI_Recv(a, n, MPI_DOUBLE, 1, 0, c, 0);",
    );
    assert!(
        text.contains("barrier_among(((P - (rank mod 2) - 1) div 2) + 1)"),
        "{text}"
    );
    let text = understood(
        "MPI_Comm c;\nMPI_Comm_split(MPI_COMM_WORLD, rank / 3, 0, &c);\nMPI_Bcast(a, n, MPI_DOUBLE, 0, c);",
    );
    assert!(
        text.contains("bcast_among(n, min(3, P - 3 * (rank div 3)))"),
        "{text}"
    );
}

#[test]
fn what_is_not_modelled_is_told() {
    for (body, wanted) in [
        (
            "MPI_Comm c;\nMPI_Group g;\nMPI_Comm_create(MPI_COMM_WORLD, g, &c);\nMPI_Barrier(c);",
            "makes a communicator of some of the ranks",
        ),
        (
            "MPI_Comm c;\nMPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &c);\nMPI_Barrier(c);",
            "a communicator of some of the ranks",
        ),
        (
            "MPI_Win w;\nMPI_Put(a, n, MPI_DOUBLE, 0, 0, n, MPI_DOUBLE, w);",
            "is a way of sending",
        ),
        (
            "MPI_Status s;\nint flag;\nMPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, &s);",
            "polls for messages",
        ),
        (
            "for (int i = 0; i < n; i++) {\nint to = a[i];\nMPI_Send(a, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD);\n}",
            "the partner of a message depends on data",
        ),
        (
            "int c[9];\nfor (int i = 0; i < 9; i++) c[i] = a[i];\nMPI_Allgatherv(a, c[rank], MPI_INT, b, c, c, MPI_INT, MPI_COMM_WORLD);",
            "the number of words",
        ),
        (
            "MPI_Request r;\nMPI_Iallreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r);\nMPI_Wait(&r, 0);",
            "as if all ranks waited",
        ),
        (
            "#pragma omp parallel\nMPI_Barrier(MPI_COMM_WORLD);",
            "within a team of threads",
        ),
    ] {
        let reason = said(body);
        assert!(reason.contains(wanted), "{body}: {reason}");
    }
}

#[test]
fn threads_and_locks_are_those_of_a_rank() {
    let text = understood(
        "double sum = 0;\n#pragma omp parallel for reduction(+:sum)\nfor (int i = 0; i < n; i++)\nsum += a[i];",
    );
    assert!(
        text.contains("numeric parameter Threads : integer >= 1"),
        "{text}"
    );
    assert!(text.contains("resource lock_reduction(rank)"), "{text}");
    assert!(
        text.contains("use(lock_reduction(rank), t_combine)"),
        "{text}"
    );
}

#[test]
fn messages_may_wait_for_a_network() {
    let body = program(
        "MPI_Sendrecv(a, n, MPI_DOUBLE, (rank + 1) % size, 0, b, n, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, 0);",
    );
    let of = |network| {
        with(
            &body,
            Options {
                network,
                ..Options::default()
            },
        )
        .model
    };
    assert!(of(Network::Shared).contains("use(network, n * t_word + t_startup)"));
    let links = of(Network::Links);
    assert!(
        links.contains("use(link((rank + 1) mod P), n * t_word + t_startup)"),
        "{links}"
    );
    assert!(links.contains("resource link(p)"), "{links}");
}

#[test]
fn functions_know_their_rank_and_their_neighbours() {
    let text = "static double a[9];\nstatic int me(void) { int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n\
                static void to(int partner, int n, MPI_Comm comm) { MPI_Send(a, n, MPI_DOUBLE, partner, 0, comm); }\n\
                static void from(int partner, int n) { MPI_Recv(a, n, MPI_DOUBLE, partner, 0, MPI_COMM_WORLD, 0); }\n\
                static void step(int n, int rank, int size) { MPI_Barrier(MPI_COMM_WORLD);\n\
                to(rank < size - 1 ? rank + 1 : MPI_PROC_NULL, n, MPI_COMM_WORLD); from(rank > 0 ? rank - 1 : MPI_PROC_NULL, n); }\n\
                int main(int argc, char **argv) { int size, n = atoi(argv[1]); MPI_Init(&argc, &argv);\n\
                MPI_Comm_size(MPI_COMM_WORLD, &size); for (int t = 0; t < n; t++) step(n, me(), size); MPI_Finalize(); }\n";
    let model = with(text, Options::default());
    assert!(model.opaque.is_empty(), "{:?}", model.opaque);
    let text = model.model;
    assert!(
        text.contains("seq (t = 0, n - 1)\n        step\n"),
        "{text}"
    );
    assert!(text.contains("if (rank < P - 1) delay("), "{text}");
    assert!(text.contains("if (rank > 0) delay("), "{text}");
}

#[test]
fn types_of_blocks_have_the_bytes_of_their_parts() {
    let text = understood(
        "int lengths[2] = { 3, n }, blocks[2] = { 0, 5 }; MPI_Aint at[2] = { 0, 64 };\n\
         MPI_Datatype kinds[2] = { MPI_DOUBLE, MPI_INT }, pair, parts, even;\n\
         MPI_Type_create_struct(2, lengths, at, kinds, &pair);\nMPI_Bcast(a, 2, pair, 0, MPI_COMM_WORLD);\n\
         MPI_Type_indexed(2, lengths, blocks, MPI_DOUBLE, &parts);\nMPI_Bcast(a, 1, parts, 0, MPI_COMM_WORLD);\n\
         MPI_Type_create_indexed_block(n, 4, blocks, MPI_FLOAT, &even);\nMPI_Bcast(a, 1, even, 0, MPI_COMM_WORLD);",
    );
    // 2 * (3 * 8 + 4 n), 8 * (3 + n) and 16 n bytes.
    assert!(text.contains("bcast(n + 6) ;"), "{text}");
    assert!(text.contains("bcast(n + 3) ;"), "{text}");
    assert!(text.contains("bcast(2 * n)"), "{text}");
}

#[test]
fn a_call_that_receives_more_than_is_sent_is_told() {
    let exchange = |received: &str| {
        said(&format!(
            "if (rank == 0) for (int p = 1; p < size; p++) MPI_Send(a, n, MPI_DOUBLE, p, 0, MPI_COMM_WORLD);\n\
             else MPI_Recv(a, {received}, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        ))
    };
    assert_eq!(exchange("n"), "");
    let told = exchange("1000");
    assert!(
        told.contains("words are received by a call for 1000"),
        "{told}"
    );
}

#[test]
fn what_a_condition_calls_is_called_once_more_than_the_body() {
    let text = with(
        "static double x[9];\nstatic double step(int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n\
         int main(int argc, char **argv) { int n = atoi(argv[1]); while (step(n) > 1) x[0] /= 2;\n\
         for (int i = 0; i < 5 && step(n) < 9; i++) x[i] = 1; do x[1]++; while (step(n) < 1); }\n",
        Options::default(),
    );
    // Behind the first loop; the second ends in either way, the third asks behind its body.
    let main = text.model.split_once("process main").expect("a process").1;
    let main = main.split("process step").next().expect("its text");
    assert_eq!(main.matches("step").count(), 5, "{main}");
}

/// A master with results from all, and workers.
fn farm(before: &str, results: &str, answer: &str, behind: &str, worker: &str) -> Model {
    const ANY: &str =
        "MPI_Recv(a, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s);";
    let body = format!(
        "MPI_Status s; int next = 0, job = 0; double r = 0;\nif (rank == 0) {{\n{before}\n\
         for (int k = 0; k < {results}; k++) {{\n{ANY}\n{answer}\n}}\n{behind}\n}} else {{\n{worker}\n}}"
    );
    let body = body
        .replace(
            "JOB(to)",
            "MPI_Send(&next, 1, MPI_INT, to, 1, MPI_COMM_WORLD);",
        )
        .replace(
            "ANSWER",
            "MPI_Send(&next, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);",
        )
        .replace(
            "GET",
            "MPI_Recv(&job, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &s);",
        )
        .replace("PUT", "MPI_Send(&r, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD);");
    modelled(&body)
}

#[test]
fn first_jobs_and_ends_of_workers_are_counted_or_told() {
    const FIRST: &str = "for (int to = 1; to < size; to++) { JOB(to) next++; }";
    const EITHER: &str = "if (next < n) { ANSWER next++; } else { ANSWER }";
    const UNTIL_STOP: &str = "while (1) { GET if (s.MPI_TAG == 2) break; r += job; PUT }";
    let ready = format!("PUT\n{UNTIL_STOP}");
    let asked = "GET\nwhile (job >= 0) { r += job; PUT GET }";
    let is_told = |model: &Model| {
        let mut said = model.opaque.iter();
        said.any(|part| part.reason.contains("are left out"))
    };
    // Messages in front of the rounds, in each, and behind them.
    let farms = [
        (farm(FIRST, "n", EITHER, "", UNTIL_STOP), [0, 2, 1]),
        (farm("", "n + size - 1", EITHER, "", &ready), [1, 2, 1]),
        (farm(FIRST, "n", EITHER, "", asked), [1, 2, 0]),
    ];
    for (model, messages) in farms {
        let text = &model.model;
        assert!(!is_told(&model), "{:?}", model.opaque);
        let workers = text.split_once("par (rank = 1, P - 1)").expect("workers").1;
        let rounds = workers.split_once("seq (k = 1, ceil(n / max(P - 1, 1))) {");
        let (before, rounds) = rounds.expect("rounds");
        let (rounds, behind) = rounds.split_once('}').expect("the end of the rounds");
        let messages_in = |text: &str| {
            let once = text.matches("t_startup").count();
            once + text.matches("2 * t_startup").count()
        };
        assert_eq!(
            [before, rounds, behind].map(messages_in),
            messages,
            "{text}"
        );
    }
    let twice = "while (1) { GET if (s.MPI_TAG == 2) break; r += job; PUT PUT }";
    let now_and_then = "if (k % 2 == 0) { ANSWER }";
    assert!(is_told(&farm(FIRST, "2 * n", now_and_then, "", twice)));
    assert!(is_told(&farm(
        FIRST,
        "n",
        "if (next < n) { ANSWER next++; }",
        FIRST,
        UNTIL_STOP
    )));
}
