//! `pamela report`: one page, whose values are those of `eval`, as a browser computes them where one is installed.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn pamela(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory.join(name)
}

/// A browser that draws without a screen.
fn browser() -> Option<&'static str> {
    let runs = |name: &&&str| {
        let mut command = Command::new(name);
        command
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = ["chromium", "chromium-browser", "google-chrome"]
        .iter()
        .find(runs)
        .copied();
    if found.is_none() {
        eprintln!("SKIPPED: no Chromium is installed here");
    }
    found
}

const MODELS: [(&str, &[&str]); 3] = [
    (
        "corpus/papers/mrm.pam",
        &["P=1:200", "N=1000", "tl=10", "ts=0.1"],
    ),
    (
        "corpus/papers/psrs.pam",
        &[
            "P=1,2,4,8",
            "N=4096",
            "tf=1",
            "tm=4",
            "c1=0.5",
            "c2=0.5",
            "c3=0.5",
        ],
    ),
    (
        "corpus/codes/gauss_block.pam",
        &[
            "N=100:400",
            "B=100",
            "P=8",
            "t_flop=1",
            "t_load=1",
            "t_store=1",
            "t_startup=1000",
            "t_word=10",
        ],
    ),
];

fn report(name: &str, model: &str, values: &[&str]) -> PathBuf {
    let path = file(name);
    let shown = path.to_string_lossy().into_owned();
    let values: Vec<&str> = values.iter().flat_map(|value| ["-D", value]).collect();
    pamela(&[&["report", model, "-o", &shown], &values[..]].concat());
    path
}

#[test]
fn the_page_needs_nothing_else() {
    for (position, (model, values)) in MODELS.into_iter().enumerate() {
        let path = report(&format!("alone{position}.html"), model, values);
        let page = fs::read_to_string(&path).expect("a page");
        // Names of notations are no addresses that are fetched.
        let page = page.replace("http://www.w3.org/", "").replace("url(#", "");
        for word in [
            "http:", "https:", "src=", "@import", "url(", "<link", "{{", "}}",
        ] {
            assert!(!page.contains(word), "{model} has {word}");
        }
        for word in [
            "<math",
            "<svg",
            "function T_main(",
            "<summary>Derivation",
            "type=\"range\"",
        ] {
            assert!(page.contains(word), "{model} has no {word}");
        }
    }
}

#[test]
fn texts_of_the_user_are_no_markup() {
    let model = file("markup.pam");
    let text =
        "% </pre><script>alert(1)</script> {{code}}\nnumeric parameter P\nnumeric f = P + 1\n";
    fs::write(&model, text).expect("a model");
    let page = pamela(&[
        "report",
        &model.to_string_lossy(),
        "-D",
        "P=1:3",
        "--title",
        "<b> & \"x\"",
    ]);
    assert!(page.contains("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; {{code}}"));
    assert!(page.contains("<title>&lt;b&gt; &amp; &quot;x&quot;</title>"));
}

#[test]
fn a_browser_computes_what_eval_does() {
    let Some(browser) = browser() else { return };
    for (position, (model, values)) in MODELS.into_iter().enumerate() {
        let path = report(&format!("seen{position}.html"), model, values);
        let address = format!("file://{}", path.display());
        let profile = format!(
            "--user-data-dir={}",
            file(&format!("profile{position}")).display()
        );
        let common = ["--headless", "--no-sandbox", "--disable-gpu", &profile];
        let see = |more: &[&str]| {
            let mut command = Command::new(browser);
            let output = command
                .args(common)
                .args(more)
                .arg(&address)
                .output()
                .expect("the browser runs");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let page = see(&["--dump-dom"]);
        let shown = |mark: &str, end: char| {
            let (_, rest) = page
                .split_once(mark)
                .unwrap_or_else(|| panic!("{model}: no {mark} in {page}"));
            rest.split(end).next().unwrap_or_default().to_string()
        };
        let names = values
            .iter()
            .map(|value| value.split('=').next().unwrap_or_default());
        let at: Vec<String> = names
            .map(|name| format!("{name}={}", shown(&format!("id=\"at-{name}\">"), '<')))
            .collect();
        let given: Vec<&str> = at.iter().flat_map(|value| ["-D", value]).collect();
        let printed = pamela(&[&["eval", model, "--json"], &given[..]].concat());
        let json: serde_json::Value = serde_json::from_str(&printed).expect("JSON");
        let equations = json["equations"].as_array().expect("equations");
        let own = equations
            .iter()
            .find(|e| e["name"] == "T_main")
            .expect("a time");
        let own = own["value"].as_f64().expect("a number");
        let theirs: f64 = shown("id=\"value-T_main\" data-value=\"", '"')
            .parse()
            .expect("a number");
        assert!(
            (own - theirs).abs() <= 1e-12 * own.abs(),
            "{model} at {at:?}: {own} and {theirs}"
        );
        assert!(page.contains("conditions hold"), "{model}");
        let picture = file(&format!("seen{position}.png"));
        let _ = fs::remove_file(&picture);
        see(&[
            "--window-size=1000,1600",
            &format!("--screenshot={}", picture.display()),
        ]);
        let bytes = fs::read(&picture).expect("a screenshot");
        assert!(
            bytes.starts_with(b"\x89PNG") && bytes.len() > 20_000,
            "{} bytes",
            bytes.len()
        );
    }
}
