//! Pages in a browser: what goes wrong in them, and what they show.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use pamela::compiled::{Compiled, Method, Point, decimal};
use pamela::pipeline::{Model, Options};

use super::file;

/// A browser that draws without a screen.
pub fn browser() -> Option<&'static str> {
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
/// A page in a browser: the point that it was told to be at, what it shows there, and the points of its pictures.
pub struct PageState {
    pub point: Vec<(String, f64)>,
    pub shown: Vec<(String, f64, String)>,
    pub drawn: Vec<(String, f64, f64)>,
    pub axis: String,
}

const HEAD: &str = "<script>window.wrongs = []; \
    window.addEventListener('error', wrong => window.wrongs.push(String(wrong.message)));</script>";

/// Moves the sliders, and tells the page around what is seen.
const PROBE: &str = r#"<script>(() => {
const data = JSON.parse(document.getElementById("page-data").textContent);
const input = p => document.getElementById("slider-" + p.name);
const seen = [];
function look() {
  const point = data.parameters.map(p => [p.name, p.values[input(p).value]]);
  const shown = data.equations.map(e => [e.name, document.getElementById("value-" + e.name).dataset.value,
    document.getElementById("holds-" + e.name).textContent]);
  const drawn = data.panels.filter(panel => panel.equations.length === 1).flatMap(panel =>
    [...document.getElementById(panel.id).querySelectorAll("circle[data-x]")].map(c =>
      [data.equations[panel.equations[0]].name, c.dataset.x, c.dataset.y]));
  seen.push({ point, shown, drawn, axis: data.parameters.length ? data.parameters[data.axis].name : "" });
}
function set(places) {
  data.parameters.forEach((p, k) => input(p).value = places[k]);
  document.getElementById("sliders").dispatchEvent(new Event("input", { bubbles: true }));
  look();
}
look();
const most = data.parameters.map(p => p.values.length - 1), start = data.start;
for (let k = 0; k < most.length && k < 12; k++) for (const place of [0, most[k], Math.floor(most[k] / 3)])
  set(start.map((s, j) => j === k ? place : s));
for (let turn = 1; turn <= 4; turn++) set(most.map((m, k) => (turn * 7 + k * 3) % (m + 1)));
window.parent.postMessage(JSON.stringify({ page: location.pathname, wrongs: window.wrongs, seen }), "*");
})();</script>"#;

/// Opens pages in one browser; of each what went wrong, and what was seen.
pub fn open(browser: &str, name: &str, pages: &[PathBuf]) -> Vec<(Vec<String>, Vec<PageState>)> {
    let mut frames = String::new();
    for page in pages {
        let text = fs::read_to_string(page).expect("a page");
        let text = text.replacen("<head>", &format!("<head>{HEAD}"), 1);
        let end = text.rfind("</body>").expect("an end");
        let probed = page.with_extension("probed.html");
        fs::write(&probed, format!("{}{PROBE}{}", &text[..end], &text[end..])).expect("written");
        frames.push_str(&format!(
            "<iframe width=900 height=900 src=\"{}\"></iframe>\n",
            probed.display()
        ));
    }
    let all = file(&format!("{name}.html"));
    let script = "<script>const told = []; addEventListener('message', message => { told.push(JSON.parse(message.data)); \
        document.getElementById('told').textContent = encodeURIComponent(JSON.stringify(told)); });</script>";
    fs::write(
        &all,
        format!("<!DOCTYPE html><meta charset=utf-8>{script}<pre id=told></pre>{frames}"),
    )
    .expect("written");
    let profile = format!(
        "--user-data-dir={}",
        file(&format!("profile-{name}")).display()
    );
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args([&profile, "--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!("file://{}", all.display()))
        .output()
        .expect("the browser runs");
    let page = String::from_utf8_lossy(&output.stdout).into_owned();
    let told = page
        .split("id=\"told\">")
        .nth(1)
        .and_then(|rest| rest.split('<').next());
    let told = decoded(told.unwrap_or_default());
    let told: serde_json::Value = serde_json::from_str(&told).unwrap_or_default();
    let told = told.as_array().cloned().unwrap_or_default();
    let of = |page: &PathBuf| {
        let path = page.with_extension("probed.html").display().to_string();
        match told.iter().find(|one| one["page"] == path) {
            Some(one) => (
                texts(&one["wrongs"]),
                one["seen"].as_array().unwrap().iter().map(seen).collect(),
            ),
            None => (vec!["nothing was told of it".to_string()], Vec::new()),
        }
    };
    pages.iter().map(of).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digit =
            |byte: Option<u8>| byte.and_then(|b| char::from(b).to_digit(16)).unwrap_or(0) as u8;
        bytes.push(if byte == b'%' {
            digit(rest.next()) * 16 + digit(rest.next())
        } else {
            byte
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn texts(list: &serde_json::Value) -> Vec<String> {
    let list = list.as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|text| text.as_str().unwrap_or_default().to_string())
        .collect()
}

fn seen(one: &serde_json::Value) -> PageState {
    let rows = |name: &str| one[name].as_array().cloned().unwrap_or_default();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_string();
    let number = |value: &serde_json::Value| match value {
        serde_json::Value::String(text) => text.parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(f64::NAN),
    };
    PageState {
        point: rows("point")
            .iter()
            .map(|r| (text(&r[0]), number(&r[1])))
            .collect(),
        shown: rows("shown")
            .iter()
            .map(|r| (text(&r[0]), number(&r[1]), text(&r[2])))
            .collect(),
        drawn: rows("drawn")
            .iter()
            .map(|r| (text(&r[0]), number(&r[1]), number(&r[2])))
            .collect(),
        axis: text(&one["axis"]),
    }
}

/// The values of `eval`: of laws the means; none where facts fail.
pub fn values(
    compiled: &Compiled,
    point: &[(String, f64)],
) -> Option<BTreeMap<String, (f64, bool)>> {
    let mut at = Point::default();
    for (name, value) in point {
        at = at.with(name, decimal(*value)?);
    }
    let evaluated = compiled.at(&at).ok()?;
    let value = |e: &pamela::compiled::EvaluatedEquation| {
        let value = match &e.value {
            pamela::eval::Value::Scalar(number) => number.to_f64(),
            pamela::eval::Value::Law(law) => law.cumulants().mean,
            pamela::eval::Value::Vector(_) => return None,
        };
        Some((e.name.clone(), (value, e.method == Method::Closed)))
    };
    Some(evaluated.equations.iter().filter_map(value).collect())
}

/// How many numbers of a page were compared with those of `eval`, and what is wrong with it.
pub fn compare(model: &str, wrongs: &[String], all: &[PageState]) -> (usize, Vec<String>) {
    let mut found: Vec<String> = wrongs.iter().map(|w| format!("{model}: {w}")).collect();
    // The page shows the exact time of a process where there is one.
    let options = Options {
        times: true,
        ..Options::default()
    };
    let compiled = Model::from_file(model).and_then(|m| m.compile(&options));
    let Ok(compiled) = compiled else {
        return (0, found);
    };
    let same = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    let mut compared = 0;
    for seen in all {
        let own = values(&compiled, &seen.point);
        for (name, shown, how) in &seen.shown {
            let known = own.as_ref().and_then(|own| own.get(name));
            let holds = !["does not hold", "not computed", "no value"]
                .iter()
                .any(|w| how.starts_with(w));
            match known {
                Some((value, _)) if holds && !shown.is_nan() => {
                    compared += 1;
                    if !same(*value, *shown) {
                        found.push(format!(
                            "{model}: {name} is {value}, not {shown} ({how}) at {:?}",
                            seen.point
                        ));
                    }
                }
                Some((value, true)) if how.contains("does not hold") => {
                    found.push(format!(
                        "{model}: {name} = {value} is said not to hold at {:?}",
                        seen.point
                    ));
                }
                None if holds && own.is_none() => {
                    found.push(format!(
                        "{model}: {name} = {shown} ({how}) where facts fail, at {:?}",
                        seen.point
                    ));
                }
                _ => {}
            }
        }
        for (name, x, y) in seen.drawn.iter().take(20) {
            let mut point = seen.point.clone();
            point
                .iter_mut()
                .filter(|(own, _)| *own == seen.axis)
                .for_each(|(_, value)| *value = *x);
            let own = values(&compiled, &point);
            let known = own.as_ref().and_then(|own| own.get(name).copied());
            compared += usize::from(known.is_some());
            if own.is_none() || known.is_some_and(|(value, _)| !same(value, *y)) {
                found.push(format!(
                    "{model}: {name} is {known:?}, and drawn at {y}, at {point:?}"
                ));
            }
        }
    }
    (compared, found)
}
