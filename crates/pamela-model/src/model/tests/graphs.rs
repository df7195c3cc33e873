//! What is refused in graphs of tasks.

use super::check;

/// The messages of all that is wrong with a graph, each with its hint.
fn wrong(families: &str) -> Vec<String> {
    let text = format!("numeric parameter n process main = graph {{ {families} }}");
    let error = check(&text).map(|_| ()).expect_err(&text);
    let all = error.diagnostics.into_iter();
    all.map(|d| format!("{} | {}", d.message, d.hint.unwrap_or_default()))
        .collect()
}

#[test]
fn references_name_families_with_all_their_indices() {
    let front = "front(i = 1, n; j = i, n): delay(1)";
    let of = |after: &str| wrong(&format!("{front} after {after}"));
    assert_eq!(
        of("frint(i, j)"),
        ["this graph has no task `frint` | did you mean `front`?"]
    );
    assert_eq!(
        of("x"),
        ["this graph has no task `x` | the tasks of this graph are `front`"]
    );
    let several = [
        "`front` has 2 indices, but here 1 argument | `front` without indices means all its instances",
    ];
    assert_eq!(of("front(i - 1)"), several);
    assert_eq!(
        wrong("a: delay(1) ; b: delay(1) after a(1)"),
        ["`a` has no index, but here 1 argument | `a` without indices means all its instances"]
    );
    assert_eq!(
        wrong("a: delay(1) ; a: delay(2)"),
        ["the label `a` is used twice | give each family of tasks its own label"]
    );
}

#[test]
fn indices_are_in_scope_where_they_are_bound() {
    let message = |families: &str| wrong(families).concat();
    assert!(message("a(i = j, n; j = 1, n): delay(1)").starts_with("`j` is not defined"));
    assert!(message("a(i = 1, n): delay(1) ; b: delay(i)").starts_with("`i` is not defined"));
    let condition = "a(i = 1, n): delay(1) after a(k) for (k = 1, i) if (k < i), a(k)";
    assert!(message(condition).starts_with("`k` is not defined"));
    assert!(check("process main = graph { a(i = 1, 2; j = i, 3): delay(i*j) after a(k, j) for (k = 1, i-1) if (k < j) }").is_ok());
}

#[test]
fn which_tasks_there_are_is_not_random() {
    assert!(
        wrong("a(i = 1, exponential(1)): delay(1)")
            .concat()
            .starts_with("a bound of a family")
    );
    assert!(
        wrong("a(i = 1, n): delay(1) after a(exponential(1))")
            .concat()
            .starts_with("the index of a task")
    );
}
