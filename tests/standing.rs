//! How values relate to runs: JSON, the text, pages and pictures say the same of every value of the corpus, whatever else
//! is asked for; and what is said of a value that is made of bounds follows from how it moves with them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pamela::compiled::Compiled;
use pamela::plot::{self, Request};
use pamela::report::{self, Heading, Page};
use pamela::sweep::{Axis, Grid, Values};
use pamela::timing::Standing;
use pamela::{Model, Options, document};

use crate::selection::{SHARE, is_full, selected};

fn options() -> Options {
    Options {
        all: true,
        bounds: true,
        times: true,
        ..Options::default()
    }
}

fn corpus() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut found = Vec::new();
    let rooms = fs::read_dir(root).expect("the corpus").flatten();
    for room in rooms.filter(|room| room.path().is_dir()) {
        let models = fs::read_dir(room.path()).expect("a room").flatten();
        found.extend(models.map(|model| model.path()));
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "pam"));
    found.sort();
    found
}

/// As many cases of the selected models as at least so many of the whole corpus.
fn least(of_all: usize) -> usize {
    if is_full() {
        of_all
    } else {
        of_all / (2 * SHARE as usize)
    }
}

/// The words of JSON for each equation.
fn words(model: &Model, compiled: &Compiled) -> BTreeMap<String, &'static str> {
    let data = document::data(model, compiled.simplified());
    let equations = data.equations.into_iter();
    equations.map(|own| (own.name, own.standing)).collect()
}

/// What the text says of each equation: by its comments, or by the name of a bound.
fn in_text(model: &Model, compiled: &Compiled) -> BTreeMap<String, String> {
    let text = document::pamela(model, compiled.simplified());
    let mut found = BTreeMap::new();
    let mut told: Vec<&str> = Vec::new();
    for line in text.lines() {
        if let Some(comment) = line.strip_prefix("% ") {
            told.push(comment);
            continue;
        }
        if let Some(rest) = line.strip_prefix("numeric ") {
            let name = rest.split([' ', '(']).next().unwrap_or_default();
            found.insert(name.to_string(), told.join("\n"));
        }
        // Helpers stand between the comments and the value.
        if line.is_empty() {
            told.clear();
        }
    }
    found
}

/// True if comments above a value say what the words of JSON do.
fn agrees(name: &str, told: &str, words: &str) -> bool {
    let says = |start: &str| told.lines().any(|line| line.starts_with(start));
    let by_name = |prefixes: &[&str]| prefixes.iter().any(|p| name.starts_with(p));
    let estimates = [
        "estimate",
        "approximation",
        "independence",
        "note: approximation:",
    ];
    match words {
        "exact" => {
            !says("lower bound")
                && !says("upper bound")
                && !says("rests on bounds")
                && !says("note: lower bound:")
                && !says("estimate")
        }
        "exact in the order of the text" => says("exact in the order of the text"),
        "lower bound" => {
            says("lower bound")
                || says("note: lower bound:")
                || by_name(&["L_", "lower_"])
                || says("note: lower bound of")
        }
        "upper bound" => says("upper bound") || by_name(&["U_", "U1_", "U2_", "upper_"]),
        "estimate" => estimates
            .iter()
            .any(|e| says(e) || says(&format!("note: {e}"))),
        "unknown" => {
            says("rests on bounds") || by_name(&["lower_", "upper_", "L_", "U_", "U1_", "U2_"])
        }
        _ => false,
    }
}

fn in_page(compiled: &Compiled) -> BTreeMap<String, String> {
    let page = Page {
        answers: Vec::new(),
        unknown: Vec::new(),
        heading: Heading::default(),
        model: String::new(),
        sliders: Vec::new(),
        axis: 0,
        command: String::new(),
    };
    let html = report::page(compiled, &page);
    let mut found = BTreeMap::new();
    for piece in html.split("<section class=\"form\" id=\"form-").skip(1) {
        let (name, rest) = piece.split_once('"').expect("a name");
        let head = rest.split("</h3>").next().unwrap_or_default();
        let label = head.split("<span class=\"badge\">").nth(1);
        let label = label.and_then(|label| label.split('<').next());
        found.insert(name.to_string(), label.unwrap_or_default().to_string());
    }
    found
}

/// The names of the curves of all scalars, where all parameters are 3 but one.
fn in_picture(compiled: &Compiled) -> Vec<String> {
    let parameters = compiled.parameters().iter().filter(|p| !p.law);
    let parameters: Vec<String> = parameters.map(|p| p.name.clone()).collect();
    let Some((first, rest)) = parameters.split_first() else {
        return Vec::new();
    };
    let axis = Axis {
        names: vec![first.clone()],
        values: vec![Values::list(vec![2.0, 3.0])],
        interval: None,
        rows: Vec::new(),
    };
    let three = pamela::ring::Rational::from(3);
    let constants = rest.iter().map(|name| (name.clone(), three.clone()));
    let Ok(grid) = Grid::new(vec![axis], constants.collect()) else {
        return Vec::new();
    };
    let request = Request {
        grid,
        title: String::new(),
        relative: None,
        band: (0.1, 0.9),
        scales: [None, None],
        unit: None,
        measured: Vec::new(),
        unknown: Vec::new(),
        interval: 0.9,
        runs: false,
    };
    let figures = match plot::curves(compiled, &request).map(|drawn| drawn.picture) {
        Ok(pamela_plot::Picture::Figure(figure)) => vec![figure],
        Ok(pamela_plot::Picture::Panels(figures)) => figures,
        _ => return Vec::new(),
    };
    let curves = figures.into_iter().flat_map(|figure| figure.curves);
    curves.map(|curve| curve.name).collect()
}

#[test]
fn all_that_is_printed_agrees_on_every_value_of_the_corpus() {
    let (mut inexact, mut drawn, mut wrong) = (0, 0, Vec::new());
    for path in selected(corpus()) {
        let model = Model::from_file(&path.to_string_lossy()).expect("a model");
        let Ok(compiled) = model.compile(&options()) else {
            continue;
        };
        let (json, text, page) = (
            words(&model, &compiled),
            in_text(&model, &compiled),
            in_page(&compiled),
        );
        let pictures = in_picture(&compiled);
        for equation in compiled.equations() {
            let name = &equation.name;
            let (standing, own) = (&equation.standing, json[name]);
            let mut differs = |what: &str| wrong.push(format!("{path:?} {name} is {own}: {what}"));
            if own != standing.words() {
                differs("JSON");
            }
            if let Some(told) = text.get(name).filter(|told| !agrees(name, told, own)) {
                differs(told);
            }
            let label = standing.label().unwrap_or_default();
            let badge = page.get(name).map_or("", String::as_str);
            let about_notes = ["see its note", "under an assumption"].contains(&badge);
            if page.contains_key(name) && badge != label && !(about_notes && label.is_empty()) {
                differs(badge);
            }
            for curve in pictures
                .iter()
                .filter(|c| c.split([' ', ',']).next() == Some(name))
            {
                drawn += 1;
                let is_said = curve.contains(&format!("({label})"));
                if is_said == label.is_empty() {
                    differs(curve);
                }
            }
            inexact += usize::from(!standing.is_exact());
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        inexact > least(100) && drawn > least(50),
        "{inexact} inexact, {drawn} drawn"
    );
}

/// The standing of an equation that is asked for alone is the one that it has among all.
#[test]
fn what_else_is_asked_for_changes_nothing() {
    let mut alone = 0;
    for path in selected(corpus()) {
        let model = Model::from_file(&path.to_string_lossy()).expect("a model");
        let Ok(all) = model.compile(&options()) else {
            continue;
        };
        if all
            .equations()
            .iter()
            .all(|e| e.standing.is_exact() && e.proof().is_none())
        {
            continue;
        }
        let named = all
            .equations()
            .iter()
            .filter(|e| !e.auxiliary && e.origin.of().is_none());
        let results = named.filter(|e| e.origin.is_result() && !e.origin.is_bound());
        for equation in results {
            let options = Options {
                only: vec![equation.name.clone()],
                ..Options::default()
            };
            let one = model.compile(&options).expect("one equation");
            let own = one.equations().iter().find(|e| e.name == equation.name);
            let own = own.map(|e| &e.standing);
            assert_eq!(own, Some(&equation.standing), "{path:?} {}", equation.name);
            alone += 1;
        }
    }
    assert!(alone > least(100), "{alone}");
}

/// `T_a` is a lower bound and `n` is not; the sides follow from how each value moves with `T_a` where that is positive.
#[test]
fn bounds_go_through_what_is_monotone() {
    const MODEL: &str = "
        numeric parameter n : integer >= 1
        numeric parameter s
        resource r
        resource q
        process a = par (i = 1, n) { use(r, 1) ; use(q, 2) } || { use(q, 1) ; use(r, 1) }
        process fifo = par (i = 1, n) use(r, 1)
        numeric f(y) = y / n";
    use Standing::{Lower, Unknown, Upper};
    let exact = Standing::exact();
    for (value, expected) in [
        ("T(a)", Lower),
        ("T(a) + n", Lower),
        ("n - T(a)", Upper),
        ("2 * T(a)", Lower),
        ("-2 * T(a)", Upper),
        ("s * T(a)", Unknown),
        ("1 / T(a)", Upper),
        ("n / T(a)", Upper),
        ("T(a) / n", Lower),
        ("T(a) / T(a)", Unknown),
        ("1 / (1 / T(a))", Lower),
        ("max(n, T(a))", Lower),
        ("min(n, 1 / T(a))", Upper),
        ("max(T(a), U(a))", Unknown),
        ("U(a) - L(a)", Upper),
        ("f(T(a))", Lower),
        ("f(f(T(a)) + 1)", Lower),
        ("T(a) ^ 2", Lower),
        ("T(a) mod 2", Unknown),
        ("if (T(a) > 3) 1 else 2", Unknown),
        ("if (n > 3) T(a) else 2", Lower),
        ("sum (i = 1, n) { i * T(a) }", Lower),
        ("sum (i = 1, n) { (i - 3) * T(a) }", Unknown),
        ("n + 1", exact.clone()),
    ] {
        let text = format!("{MODEL}\nnumeric named = {value}\nnumeric x = named");
        let model = Model::parse(&text).expect("a model");
        let compiled = model.compile(&options()).expect("closed forms");
        let x = compiled.equations().iter().find(|e| e.name == "x");
        assert_eq!(x.map(|e| &e.standing), Some(&expected), "{value}");
    }
    // What every run of `fifo` takes is a theorem, so that `T` is exact, and what is made of it.
    for value in ["T(fifo)", "3 / T(fifo)", "T(fifo) / T(fifo)"] {
        for only in [vec![], vec!["x".to_string()]] {
            let text = format!("{MODEL}\nnumeric x = {value}");
            let model = Model::parse(&text).expect("a model");
            let options = Options {
                only,
                ..Options::default()
            };
            let compiled = model.compile(&options).expect("closed forms");
            let x = compiled
                .equations()
                .iter()
                .find(|e| e.name == "x")
                .expect("x");
            assert!(x.standing.is_exact(), "{value} is {:?}", x.standing);
        }
    }
}
