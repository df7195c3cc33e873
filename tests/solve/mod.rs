//! `pamela solve`: random conditions against every point, and answers that are formulas.

mod formulas;
mod numeric;
mod random;

#[test]
fn the_commands_of_the_how_to_print_what_it_says() {
    let wrong = crate::documentation::wrong_sessions("docs/how-to/solve.md", 6);
    assert_eq!(wrong, Vec::<String>::new(), "{}", wrong.join("\n"));
}
