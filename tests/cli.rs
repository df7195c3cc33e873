//! The command line, as its reader sees it.

#[test]
fn commands_print_what_the_cases_say() {
    trycmd::TestCases::new().case("tests/cli/*.trycmd");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() -> std::io::Result<()> {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(["rules", "list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    drop(child.stdout.take());
    let output = child.wait_with_output()?;
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    Ok(())
}
