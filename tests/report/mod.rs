//! `pamela report`: one page, whose values are those of `eval`, as a browser computes them where one is installed.

mod answers;
mod browser;
mod names;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use pamela::pipeline::{Model, Options};

use browser::{browser, compare, open, values};
use names::model_of_names;

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
        // Names of notations are no addresses that are fetched; `}}` ends data, and `{{` begins what was not filled in.
        let page = page.replace("http://www.w3.org/", "").replace("url(#", "");
        for word in ["http:", "https:", "src=", "@import", "url(", "<link", "{{"] {
            assert!(!page.contains(word), "{model} has {word}");
        }
        for word in [
            "<math",
            "class=\"picture\"",
            "<mi>main</mi>",
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
    let own = [true, false].map(|parameters| {
        let path = file(&format!("names-{parameters}.pam"));
        fs::write(&path, model_of_names(parameters)).expect("a model");
        path.to_string_lossy().into_owned()
    });
    let constant = file("constant.pam");
    fs::write(&constant, "numeric a = 3\nnumeric b = exponential(2)\n").expect("a model");
    let constant = constant.to_string_lossy().into_owned();
    // What is stated concerns parameters that an equation does not depend on.
    let stated = file("stated.pam");
    let text = "numeric parameter P : integer >= 1\nnumeric parameter Q : integer >= 1\nnumeric parameter x : >= 0 <= 1\n\
        assume P * Q <= 12\nassume (Q mod 2) * (Q - 3) == 0\nnumeric f = 2 * P\nnumeric g = floor(Q / 3)\nnumeric h = x\n";
    fs::write(&stated, text).expect("a model");
    let stated = stated.to_string_lossy().into_owned();
    let mut models: Vec<(&str, &[&str])> = MODELS.to_vec();
    models.extend([
        (
            stated.as_str(),
            &["P=1:9", "Q=2,1,3,4,5,6,7", "x=0.5,1,0,1.5"][..],
        ),
        (own[0].as_str(), &["P=1:4"][..]),
        (own[1].as_str(), &["P=1:4"][..]),
        (constant.as_str(), &[][..]),
        ("corpus/papers/mrm_stochastic.pam", &["P=1:6", "N=20"][..]),
    ]);
    let pages: Vec<PathBuf> = models
        .iter()
        .enumerate()
        .map(|(position, (model, values))| report(&format!("seen{position}.html"), model, values))
        .collect();
    for ((model, _), (wrongs, seen)) in models.iter().zip(open(browser, "all", &pages)) {
        let (compared, found) = compare(model, &wrongs, &seen);
        assert!(found.is_empty(), "{}", found.join("\n"));
        assert!(compared > 1, "{model}: {compared} numbers");
    }
}

/// `PAMELA_REPORTS=DIRECTORY,.. cargo test --test all report::every` opens the pages of all models in directories.
#[test]
fn every_model_has_a_page() {
    let (Some(browser), Ok(directories)) = (browser(), std::env::var("PAMELA_REPORTS")) else {
        return;
    };
    let mut models = Vec::new();
    for directory in directories.split(',') {
        models_in(&PathBuf::from(directory), &mut models);
    }
    models.sort();
    let (mut compared, mut found, mut opened) = (0, Vec::new(), 0);
    for (number, part) in models.chunks(12).enumerate() {
        let mut pages = Vec::new();
        for (position, model) in part.iter().enumerate() {
            let Some(values) = values_of(model) else {
                continue;
            };
            let page = file(&format!("every{position}.html"));
            let shown = page.to_string_lossy().into_owned();
            let values: Vec<&str> = values.iter().flat_map(|value| ["-D", value]).collect();
            let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
                .args(["report", model, "-o", &shown])
                .args(&values)
                .output()
                .expect("pamela runs");
            if output.status.success() {
                pages.push((model, page))
            } else {
                found.push(format!(
                    "{model} {values:?}: {}",
                    String::from_utf8_lossy(&output.stderr)
                ))
            }
        }
        let paths: Vec<PathBuf> = pages.iter().map(|(_, page)| page.clone()).collect();
        for ((model, _), (wrongs, seen)) in
            pages
                .iter()
                .zip(open(browser, &format!("every-{}", number % 2), &paths))
        {
            let (own, wrong) = compare(model, &wrongs, &seen);
            compared += own;
            opened += 1;
            found.extend(wrong.into_iter().take(3));
        }
    }
    println!(
        "{opened} pages of {} models, {compared} numbers compared",
        models.len()
    );
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn models_in(directory: &std::path::Path, models: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "pam") {
            models.push(path.to_string_lossy().into_owned())
        } else if path.is_dir() {
            models_in(&path, models)
        }
    }
}

/// Values that the facts of a model allow, the first parameter over several; `None` where the model has no values at all.
fn values_of(model: &str) -> Option<Vec<String>> {
    let compiled = Model::from_file(model)
        .ok()?
        .compile(&Options::default())
        .ok()?;
    let free: Vec<String> = compiled
        .parameters()
        .iter()
        .filter(|p| !p.default)
        .map(|p| p.name.clone())
        .collect();
    let candidates = [4.0, 2.0, 8.0, 1.0, 3.0, 0.5, 16.0, 0.0, -1.0, 100.0];
    let valued = |choice: &dyn Fn(usize) -> f64| {
        let point: Vec<(String, f64)> = free
            .iter()
            .enumerate()
            .map(|(k, name)| (name.clone(), choice(k)))
            .collect();
        values(&compiled, &point).map(|_| point)
    };
    let same = candidates.iter().find_map(|x| valued(&|_| *x));
    let mixed = || {
        (0..200usize)
            .find_map(|turn| valued(&|k| candidates[(turn * (2 * k + 1) + turn / 10 + k) % 8]))
    };
    let point = same.or_else(mixed)?;
    let text = |(position, (name, value)): (usize, (String, f64))| match position {
        0 => format!("{name}={},{value},{}", value * 0.5, value * 2.0),
        _ => format!("{name}={value}"),
    };
    Some(point.into_iter().enumerate().map(text).collect())
}

#[test]
fn a_part_that_is_missing_leaves_the_others() {
    let model = file("derivative.pam");
    let text = "% Waves of tasks.\nnumeric parameter P : integer >= 1\nprocess main = par (p = 1, P) delay(lognormal(2, 0.8))\n\
        process one = seq (p = 1, P) delay(3)\nnumeric gain = E(T(main)) / T(one)\n";
    fs::write(&model, text).expect("a model");
    let page = pamela(&["report", &model.to_string_lossy(), "-D", "P=1:3"]);
    for part in [
        "<h1>Waves of tasks</h1>",
        "`gain` has no derivative by `P`",
        "dtime_one_dP",
        "id=\"value-gain\"",
        "id=\"law-time_main\"",
    ] {
        assert!(page.contains(part), "no {part}");
    }
}

#[test]
fn a_page_begins_where_the_model_has_values() {
    let model = file("divisors.pam");
    let text = "numeric parameter N : integer >= 1\nnumeric parameter c : integer >= 1\nassume N mod c == 0\n\
        process main = seq (i = 1, N / c) delay(c)\n";
    fs::write(&model, text).expect("a model");
    // The middle, 5, does not divide 12.
    let page = pamela(&[
        "report",
        &model.to_string_lossy(),
        "-D",
        "N=12",
        "-D",
        "c=1:8",
    ]);
    assert!(page.contains("id=\"at-c\">4<"), "the slider of c is at 4");
}

#[test]
fn a_single_value_has_a_slider_with_values_that_are_allowed() {
    let model = file("share.pam");
    let text = "numeric parameter hit : >= 0 <= 1\nnumeric parameter P : integer >= 1     % processors\nnumeric f = hit * P\n";
    fs::write(&model, text).expect("a model");
    let page = pamela(&[
        "report",
        &model.to_string_lossy(),
        "-D",
        "P=2",
        "-D",
        "hit=0.5",
    ]);
    assert!(page.contains("<h1>share.pam</h1>"), "the name of the file");
    assert!(
        page.contains("<span>0.05</span><span>1</span>"),
        "a share is at most 1"
    );
    assert!(
        page.contains("<span>1</span><span>20</span>"),
        "whole from 1 on"
    );
    assert!(
        page.contains("id=\"meaning-P\">processors</span>"),
        "what it means"
    );
}

#[test]
fn what_is_a_bound_says_so() {
    let page = pamela(&[
        "report",
        "corpus/papers/mrm.pam",
        "--all",
        "-D",
        "P=1:9",
        "-D",
        "N=10",
        "-D",
        "tl=1",
        "-D",
        "ts=1",
    ]);
    assert!(
        page.contains("<h3>T_main <span class=\"badge\">lower bound</span></h3>"),
        "beside form and picture"
    );
    assert!(
        page.contains("\"standing\":\"lower bound\""),
        "beside the number"
    );
    assert!(
        page.contains("<span class=\"badge\">rests on bounds</span>"),
        "beside sensitivities"
    );
    assert!(
        page.contains("<th scope=\"col\">Value (lower bound)</th>"),
        "beside regimes"
    );
    assert!(
        page.contains("<th scope=\"col\">Decided by</th>"),
        "heads of regimes"
    );
}

#[test]
fn the_command_of_the_documentation_makes_a_page() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("docs/how-to/report.md")).expect("the page is there");
    let command = text
        .lines()
        .find_map(|line| line.strip_prefix("    pamela "));
    let command = command.expect("a command");
    let path = file("documented.html");
    let shown = path.to_string_lossy().into_owned();
    let words = command.split_whitespace();
    let words: Vec<&str> = words
        .map(|word| match word {
            "report.html" => shown.as_str(),
            word => word,
        })
        .collect();
    pamela(&words);
    let page = fs::read_to_string(&path).expect("a page");
    assert!(page.contains("<h1>The machine repair model with parameters</h1>"));
    assert!(page.contains("<span>1</span><span>200</span>"));
}

/// Two tasks after two, of exponential times: 23/8 in the mean by the recursion over sets of finished tasks.
#[test]
fn graphs_of_tasks_have_their_time_a_picture_and_who_is_critical() {
    let model = file("graph.pam");
    let text = "numeric parameter m : > 0
process main = graph {
    a: delay(exponential(m)) ; b: delay(exponential(m)) ;
    c: delay(exponential(m)) after a ; d: delay(exponential(m)) after a, b
}
process other = delay(m)
";
    fs::write(&model, text).expect("a model");
    let page = pamela(&["report", &model.to_string_lossy(), "-D", "m=1"]);
    let (_, tasks) = page.split_once("<h2>Tasks</h2>").expect("a part");
    let (tasks, _) = tasks.split_once("<h2>Closed forms</h2>").expect("an end");
    // Only one of the processes has a graph.
    assert_eq!(tasks.matches("<figure>").count(), 1, "{tasks}");
    let number = |before: &str| {
        let (_, rest) = tasks.split_once(before).expect(before);
        let word = rest.split([' ', ')', ',', ';']).next().unwrap_or_default();
        word.parse::<f64>().unwrap_or(f64::NAN)
    };
    let [mean, lower] = ["estimated mean of ", "guaranteed from "].map(number);
    let upper = number(&format!("guaranteed from {lower} to "));
    assert!((mean - 2.875).abs() < 0.02, "{mean}");
    assert!(
        lower < 2.875 && 2.875 < upper && upper < 3.1,
        "{lower} {upper}"
    );
    for word in ["<svg", "on the longest path", "<td>d</td>"] {
        assert!(tasks.contains(word), "{word}: {tasks}");
    }
    // What has too many tasks for a picture says so, and has its time.
    let text = "numeric parameter n : integer >= 1
process main = graph { a(i = 1, n): delay(i mod 7) after a(i div 2) }
";
    fs::write(&model, text).expect("a model");
    let page = pamela(&["report", &model.to_string_lossy(), "-D", "n=1000"]);
    for word in [
        "T_main = 52",
        "there are 1000 tasks, but at most 200 can be drawn",
    ] {
        assert!(page.contains(word), "{word}");
    }
}
