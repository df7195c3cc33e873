//! `pamela plot` as a process: formats, what is in the pictures, errors.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn plot(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pamela"))
        .arg("plot")
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("pamela runs")
}

fn done(arguments: &[&str]) -> Vec<u8> {
    let output = plot(arguments);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    output.stdout
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(done(arguments)).expect("UTF-8")
}

fn vega(arguments: &[&str]) -> serde_json::Value {
    serde_json::from_slice(&done(&[arguments, &["--emit", "vega-lite"]].concat())).expect("JSON")
}

fn file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("plot");
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory.join(name)
}

const MRM: &str = "corpus/papers/mrm.pam";
const LAW: &str = "corpus/papers/mrm_stochastic.pam";
const FIXED: [&str; 6] = ["-D", "N=1000", "-D", "tl=10", "-D", "ts=0.1"];

fn mrm<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&[MRM], &FIXED[..], more].concat()
}

/// The `y` of a series of a layer at each `x`.
fn series(specification: &serde_json::Value, name: &str) -> Vec<(f64, f64)> {
    let layers = specification["layer"].as_array().expect("layers");
    let points = layers
        .iter()
        .flat_map(|layer| layer["data"]["values"].as_array());
    let own = points
        .flatten()
        .filter(|p| p["series"] == name && p["y"].is_number());
    own.map(|p| {
        (
            p["x"].as_f64().unwrap_or(f64::NAN),
            p["y"].as_f64().unwrap_or(f64::NAN),
        )
    })
    .collect()
}

#[test]
fn curves_are_the_values_with_their_regimes() {
    let vega = vega(&mrm(&["-D", "P=1:200"]));
    let points = series(&vega, "time_main");
    assert_eq!(points.len(), 200);
    // The theorem of the line, with N = 1000 rounds of 10 and 0.1.
    for (p, value) in points {
        let expected = f64::max(10_100.0 + (p - 1.0) * 0.1, 10.1 + (1000.0 * p - 1.0) * 0.1);
        assert!((value - expected).abs() < 1e-9 * expected, "{p}: {value}");
    }
    let told = vega.to_string();
    assert!(
        told.contains("\"from\":1.0,\"to\":101.0,\"name\":\"P * ts <= tl + ts\""),
        "{told}"
    );
    assert!(told.contains("P = (tl + ts) / ts = 101"), "{told}");
    let svg = text(&mrm(&["-D", "P=1:200"]));
    assert!(
        svg.contains("<svg")
            && svg.contains("P * ts &lt;= tl + ts")
            && svg.contains("P = (tl + ts) / ts = 101")
    );
}

#[test]
fn speedups_are_relative_to_the_base() {
    let model = file("amdahl.pam");
    let amdahl = "numeric parameter P : integer >= 1\nnumeric T = 10 + 90 / P\n";
    fs::write(&model, amdahl).expect("a file");
    let model = model.to_string_lossy().into_owned();
    let speedup = vega(&[&model, "-D", "P=1,2,4,9", "--speedup"]);
    assert_eq!(
        series(&speedup, "T"),
        [
            (1.0, 1.0),
            (2.0, 100.0 / 55.0),
            (4.0, 100.0 / 32.5),
            (9.0, 5.0)
        ]
    );
    assert_eq!(
        series(&speedup, "ideal"),
        [(1.0, 1.0), (2.0, 2.0), (4.0, 4.0), (9.0, 9.0)]
    );
    let efficiency = vega(&[&model, "-D", "P=2,9", "--efficiency", "--base", "2"]);
    assert_eq!(
        series(&efficiency, "T"),
        [(2.0, 1.0), (9.0, 55.0 / 20.0 / 4.5)]
    );
}

#[test]
fn a_second_parameter_gives_curves_or_the_other_axis() {
    let curves = vega(&[
        MRM, "-D", "P=1:5", "-D", "N=10,20", "-D", "tl=10", "-D", "ts=1",
    ]);
    assert_eq!(series(&curves, "N = 10")[4], (5.0, 114.0));
    assert_eq!(series(&curves, "N = 20")[4], (5.0, 224.0));
    let heat = vega(&[
        MRM,
        "-D",
        "P=1:5",
        "-D",
        "N=10,20,30",
        "-D",
        "tl=1",
        "-D",
        "ts=1",
        "--heat",
    ]);
    let cells = heat["data"]["values"].as_array().expect("cells");
    assert_eq!(cells.len(), 15);
    for cell in cells {
        let [x, y, value] = ["x", "y", "value"].map(|key| cell[key].as_f64().expect("a number"));
        // The theorem of the line.
        assert_eq!(value, f64::max(2.0 * y + x - 1.0, x * y + 1.0));
    }
}

#[test]
fn laws_have_bands_and_densities() {
    let bands = vega(&[LAW, "-D", "P=2,4", "-D", "N=10"]);
    assert!(bands.to_string().contains("\"low\""), "{bands}");
    assert_eq!(series(&bands, "T_main (estimate)").len(), 2);
    let density = vega(&[LAW, "-D", "P=2", "-D", "N=10", "--density"]);
    let points = series(&density, "T_main");
    let width = points[1].0 - points[0].0;
    let total: f64 = points.iter().map(|p| p.1 * width).sum();
    assert!((total - 1.0).abs() < 0.01, "{total}");
    let cdf = series(&vega(&[LAW, "-D", "P=2", "-D", "N=10", "--cdf"]), "T_main");
    assert!(cdf.windows(2).all(|w| w[0].1 <= w[1].1) && cdf[239].1 > 0.99);
}

#[test]
fn bands_lie_between_two_probabilities() {
    let law = [LAW, "-D", "P=1:4", "-D", "N=20", "--band"];
    let told = text(&[&law[..], &["0.2,0.7"]].concat());
    assert!(told.contains("20 % to 70 %"), "{told}");
    for wrong in ["0.7,0.2", "0.5", "0,1"] {
        let output = plot(&[&law[..], &[wrong]].concat());
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains("for example 0.1,0.9"), "{told}");
    }
}

#[test]
fn measured_samples_stand_beside_laws() {
    let csv = file("samples.csv");
    fs::write(&csv, "run,T_main\na,0.5\nb,1.5\nc,2.5\nd,1.75\n").expect("a file");
    let csv = csv.to_string_lossy().into_owned();
    let at = [LAW, "-D", "P=2", "-D", "N=10"];
    let drawn = |shape: &str| {
        let words = [&at[..], &[shape, "--measured", &csv]].concat();
        series(&vega(&words), "measured")
    };
    // Two intervals of width 1 from 0.5 on, the last with 2.5: one sample of four, and three.
    let steps = [
        (0.5, 0.0),
        (0.5, 0.25),
        (1.5, 0.25),
        (1.5, 0.75),
        (2.5, 0.75),
        (2.5, 0.0),
    ];
    assert_eq!(drawn("--density"), steps);
    let cdf = drawn("--cdf");
    let at_2 = cdf.iter().rfind(|point| point.0 <= 2.0).expect("a point");
    assert_eq!(at_2.1, 0.75);
    // Whole numbers from 3 to 6, five of them: intervals of two.
    fs::write(&csv, "3\n3\n4\n6\n6\n").expect("a file");
    let steps = [
        (2.5, 0.0),
        (2.5, 0.3),
        (4.5, 0.3),
        (4.5, 0.2),
        (6.5, 0.2),
        (6.5, 0.0),
    ];
    for (found, wanted) in drawn("--density").iter().zip(steps) {
        assert!(
            (found.0 - wanted.0).abs() < 1e-12 && (found.1 - wanted.1).abs() < 1e-12,
            "{found:?}"
        );
    }
    fs::write(&csv, "a,b\n1,2\n").expect("a file");
    let words = [&at[..], &["--density", "--measured", &csv]].concat();
    let output = plot(&words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("its columns are a, b"), "{said}");
}

#[test]
fn measured_points_lie_on_top() {
    let csv = file("runs.csv");
    fs::write(
        &csv,
        "host,P,T_main,error\na,10,10200,300\nb,150,15100,200\n",
    )
    .expect("a file");
    let csv = csv.to_string_lossy().into_owned();
    let vega = vega(&mrm(&["-D", "P=1:200", "--measured", &csv]));
    assert_eq!(
        series(&vega, "measured"),
        [(10.0, 10200.0), (150.0, 15100.0)]
    );
    let wrong = file("wrong.csv");
    fs::write(&wrong, "P,T_main\n1,2\n3,many\n").expect("a file");
    let output = plot(&mrm(&[
        "-D",
        "P=1:200",
        "--measured",
        &wrong.to_string_lossy(),
    ]));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("line 3, column `T_main`: `many` is not a finite number"),
        "{told}"
    );
}

/// The same times in seconds, in milliseconds and under the name of the equation are the same points.
#[test]
fn a_column_of_times_is_called_as_for_calibrate() {
    let csv = file("named.csv");
    let at = csv.to_string_lossy().into_owned();
    let tables = [
        ("P,T_main\n2,200\n4,50\n", "s"),
        ("P,time\n2,200\n4,50\n", "s"),
        ("P,time[ms]\n2,200000\n4,50000\n", "s"),
        ("P,time_main [us]\n2,2e8\n4,5e7\n", "s"),
        ("P,time\n2,0.2\n4,0.05\n", "ms"),
        ("P,value\n2,200\n4,50\n", "ms"),
    ];
    for (text, unit) in tables {
        fs::write(&csv, text).expect("a file");
        let vega = vega(&mrm(&["-D", "P=1:200", "--unit", unit, "--measured", &at]));
        assert_eq!(
            series(&vega, "measured"),
            [(2.0, 200.0), (4.0, 50.0)],
            "{text}"
        );
    }
    fs::write(&csv, "P,time[h]\n2,1\n").expect("a file");
    let output = plot(&mrm(&["-D", "P=1:200", "--measured", &at]));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("unknown unit"),
        "{output:?}"
    );
}

#[test]
fn measured_times_become_speedups() {
    let csv = file("times.csv");
    fs::write(
        &csv,
        "P,N,T_main,error\n1,1000,200,20\n4,1000,50,5\n4,7,9,1\n",
    )
    .expect("a file");
    let csv = csv.to_string_lossy().into_owned();
    let own = mrm(&["-D", "P=1:200", "--speedup", "--measured", &csv]);
    let speedup = vega(&own);
    // The row of another N is left out, and the time over the time at the base is no second.
    assert_eq!(series(&speedup, "measured"), [(1.0, 1.0), (4.0, 4.0)]);
    let said = plot(&[&own[..], &["--emit", "svg"]].concat());
    assert!(
        String::from_utf8_lossy(&said.stderr).contains("1 row of"),
        "{said:?}"
    );
    let efficiency = mrm(&["-D", "P=1:200", "--efficiency", "--measured", &csv]);
    assert_eq!(
        series(&vega(&efficiency), "measured"),
        [(1.0, 1.0), (4.0, 1.0)]
    );
    let output = plot(&[&own[..], &["--base", "2"]].concat());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.code() == Some(1)
            && told.contains("no measured speedup")
            && told.contains("P = 2"),
        "{told}"
    );
}

#[test]
fn what_rests_on_a_bound_says_so() {
    let svg = text(&mrm(&["-D", "P=1:200", "--only", "T_main"]));
    assert!(svg.contains("T_main (lower bound)"), "{svg}");
    let bounds = vega(&mrm(&["-D", "P=1:200", "--bounds", "--only", "T_main"]));
    assert!(bounds.to_string().contains("\"low\""), "{bounds}");
    let svg = text(&mrm(&["-D", "P=1:200", "--bounds", "--only", "T_main"]));
    assert!(svg.contains("L_main .. U_main (bounds)"), "{svg}");
}

#[test]
fn values_of_several_kinds_have_an_axis_each() {
    let model = file("kinds.pam");
    let text = "numeric parameter P : integer >= 1\nprocess main = par (p = 1, P) delay(90 / P)\nnumeric messages = 5000 * P\n";
    fs::write(&model, text).expect("a file");
    let model = model.to_string_lossy().into_owned();
    let vega = vega(&[&model, "-D", "P=1:9", "--only", "T_main,messages"]);
    assert_eq!(vega["vconcat"].as_array().map(Vec::len), Some(2), "{vega}");
}

#[test]
fn crossings_are_where_the_value_changes_hands() {
    let model = file("crossings.pam");
    // The lines of slope 2 and 3 meet at 2, below the other one, which goes over to that of slope 3 at 20.
    let text = "numeric parameter N : integer >= 1\nnumeric T = max(40 + N, 2*N + 2, 3*N)\n";
    fs::write(&model, text).expect("a file");
    let model = model.to_string_lossy().into_owned();
    let figure = vega(&[&model, "-D", "N=1:60"]);
    let layers = figure["layer"].as_array().expect("layers");
    let labels = layers
        .iter()
        .flat_map(|layer| layer["data"]["values"].as_array())
        .flatten();
    let labels: Vec<&str> = labels.filter_map(|value| value["label"].as_str()).collect();
    assert_eq!(labels, ["N = 20"]);
}

#[test]
fn regimes_end_between_the_places_of_the_grid() {
    let model = file("ends.pam");
    // 100 - 17^1.5 = 29.9 is above 10*log(17) = 28.3, 100 - 18^1.5 = 23.6 below 10*log(18) = 28.9; no formula has the place.
    let text =
        "numeric parameter P : integer >= 1\nprocess main = delay(max(100 - P^1.5, 10*log(P)))\n";
    fs::write(&model, text).expect("a file");
    let model = model.to_string_lossy().into_owned();
    let figure = vega(&[&model, "-D", "P=1:9:100"]);
    let regions = figure["layer"][0]["data"]["values"].as_array();
    let regions = regions.expect("regions");
    let ends: Vec<[f64; 2]> = regions
        .iter()
        .map(|region| ["from", "to"].map(|end| region[end].as_f64().expect("a place")))
        .collect();
    assert_eq!(ends, [[1.0, 17.5], [17.5, 100.0]]);
    let names: Vec<&str> = regions.iter().filter_map(|r| r["name"].as_str()).collect();
    assert!(
        names[0].starts_with("critical path, ") && names[0] != names[1],
        "{names:?}"
    );
}

#[test]
fn the_name_of_the_file_says_the_format() {
    let pdf = file("mrm.pdf").to_string_lossy().into_owned();
    done(&mrm(&["-D", "P=1:200", "-o", &pdf]));
    let bytes = fs::read(&pdf).expect("a picture");
    assert!(bytes.starts_with(b"%PDF") && bytes.len() < 100_000);
    for name in ["x.eps", "x"] {
        let path = file(name);
        let output = plot(&mrm(&["-D", "P=1:9", "-o", &path.to_string_lossy()]));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.code() == Some(1) && told.contains(".pdf"),
            "{told}"
        );
        assert!(!path.exists());
    }
}

#[test]
fn files_and_terminals() {
    let png = file("mrm.png").to_string_lossy().into_owned();
    done(&mrm(&["-D", "P=1:200", "-o", &png]));
    let bytes = fs::read(&png).expect("a picture");
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 10_000);
    let terminal = text(&mrm(&["-D", "P=1:200", "--only", "T_main", "--terminal"]));
    assert!(
        terminal
            .chars()
            .any(|c| ('\u{2801}'..='\u{28ff}').contains(&c)),
        "{terminal}"
    );
    assert_eq!(
        text(&mrm(&["-D", "P=1:200"])),
        text(&mrm(&["-D", "P=1:200"]))
    );
}

#[test]
fn what_is_wrong_is_told() {
    let told = |arguments: &[&str]| {
        let output = plot(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(told(&mrm(&["-D", "P=3"])).contains("takes a parameter with several values"));
    assert!(told(&mrm(&["-D", "P=1:1e9"])).contains("a picture has at most"));
    assert!(told(&[MRM, "-D", "P=1:9", "-D", "N=1"]).contains("has no value"));
    assert!(told(&mrm(&["-D", "P=1:9", "-o", "/nowhere/x.svg"])).contains("/nowhere/x.svg"));
    assert!(told(&mrm(&["-D", "P=1:9", "--heat"])).contains("two parameters"));
    assert!(told(&mrm(&["-D", "P=3", "--density"])).contains("no equation is a law"));
    assert!(told(&mrm(&["-D", "P=0:9", "--x-scale", "log"])).contains("cannot show P = 0"));
    assert!(told(&mrm(&["-D", "P=1:9", "--tasks"])).contains("takes one"));
    assert!(
        told(&[
            MRM, "-D", "P=1:9", "-D", "N=1:40", "-D", "tl=1", "-D", "ts=1"
        ])
        .contains("at most 12")
    );
}

/// The fixed values are those of the command line.
#[test]
fn titles_tell_the_fixed_values() {
    let svg = text(&mrm(&["-D", "P=1:9", "--emit", "svg"]));
    assert!(
        svg.contains("parameters: N = 1000, tl = 10, ts = 0.1<"),
        "{svg}"
    );
    let svg = text(&mrm(&["-D", "P=1:9", "--title", "Repair", "--emit", "svg"]));
    assert!(
        svg.contains(">Repair<") && !svg.contains("N = 1000"),
        "{svg}"
    );
    let heat = text(&[
        MRM, "-D", "P=1:9", "-D", "tl=1:4", "-D", "N=1000", "-D", "ts=0.1", "--heat", "--emit",
        "svg",
    ]);
    // The name of the colours ends above their bar.
    assert!(
        heat.contains("text-anchor=\"end\"") && heat.contains(">time_main<"),
        "{heat}"
    );
    assert!(heat.contains("N = 1000"), "{heat}");
}

/// Tasks of a tiled factorisation of 8 tiles: 120 tasks of four families.
#[test]
fn many_bars_have_a_lane_for_each_family() {
    let cholesky = [
        "corpus/graphs/cholesky.pam",
        "-D",
        "tp=1",
        "-D",
        "tt=3",
        "-D",
        "ts=3",
        "-D",
        "tg=6",
    ];
    let svg = |k: &str| text(&[&cholesky[..], &["-D", k, "--gantt", "--emit", "svg"]].concat());
    let (few, many) = (svg("k=4"), svg("k=8"));
    for family in ["potrf", "trsm", "syrk", "gemm"] {
        let name = format!(">{family}<");
        assert!(many.contains(&name) && !few.contains(&name), "{family}");
    }
}
