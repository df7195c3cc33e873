//! Questions of `report --solve`.

use super::pamela;

/// A page shows what `solve` prints, whatever the sliders are; what is not solved is an error of the command.
#[test]
fn a_page_answers_questions() {
    const MODEL: &str = "corpus/patterns/speedup.pam";
    let shared = ["-D", "a=1", "-D", "c=0.01"];
    // 1 + b / P + 0.01 * P <= 8 for b = 1000 holds for P from 200 to 501: at 199 and 502 it is 8.015.. and 8.012..
    let ask = ["--solve", "time_main <= 8", "--for", "P"];
    let given = ["-D", "P=1:1000", "-D", "b=1000"];
    let page = pamela(&[&["report", MODEL], &shared[..], &given[..], &ask[..]].concat());
    assert!(page.contains("<h2>Answers</h2>"), "{page}");
    assert!(page.contains("P in 200:501"), "{page}");
    // A parameter with several values stays a symbol.
    let given = ["-D", "P=1:1000", "-D", "b=500,1000"];
    let page = pamela(&[&["report", MODEL], &shared[..], &given[..], &ask[..]].concat());
    let solved = pamela(
        &[
            &["solve", MODEL, "time_main <= 8", "--for", "P"],
            &shared[..],
        ]
        .concat(),
    );
    let shown = solved.trim().replace('<', "&lt;").replace('>', "&gt;");
    assert!(page.contains(&shown), "{solved}");
    let without = pamela(&[&["report", MODEL], &shared[..], &given[..]].concat());
    assert!(!without.contains("<h2>Answers</h2>"));
}
