//! Times of parts from times of the whole, where both are known.

use pamela_programs::Problem;
use pamela_programs::calibrate::{At, Bound, Calibration, Settings, Unknown, calibrate, ranges};
use pamela_programs::compare::compare;
use pamela_programs::measured::{Point, Table};

/// Numbers between 0 and 1, the same for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// About normal, with deviation 1.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

type Model = fn(&[f64], &[f64]) -> f64;

/// A table of what the model says, each value multiplied by what `noise` gives.
fn table(names: &[&str], points: &[Vec<f64>], mut times: impl FnMut(&[f64]) -> Vec<f64>) -> Table {
    Table {
        parameters: names.iter().map(|name| name.to_string()).collect(),
        sizes: names.len(),
        points: points
            .iter()
            .enumerate()
            .map(|(k, values)| {
                let mut times = times(values);
                times.sort_by(f64::total_cmp);
                Point {
                    values: values.clone(),
                    times,
                    line: k + 2,
                    ..Point::default()
                }
            })
            .collect(),
        ..Table::default()
    }
}

fn fit(table: &Table, names: &[&str], model: Model) -> Result<Calibration, Problem> {
    let names: Vec<Unknown> = names.iter().map(|name| Unknown::from(*name)).collect();
    let mut predict = |candidates: &[Vec<f64>]| {
        let list = |times: &Vec<f64>| {
            table
                .points
                .iter()
                .map(|p| model(&p.values, times))
                .collect()
        };
        Ok(candidates.iter().map(list).collect())
    };
    calibrate(table, "t.csv", &names, &Settings::default(), &mut predict)
}

fn assert_near(found: f64, wanted: f64, tolerance: f64) {
    assert!(
        (found - wanted).abs() <= tolerance * wanted.abs().max(1e-300),
        "{found} for {wanted}"
    );
}

/// A product of matrices: `n^3 a + n^2 b + c`.
fn product(point: &[f64], t: &[f64]) -> f64 {
    let n = point[0];
    n.powi(3) * t[0] + n * n * t[1] + t[2]
}

/// Machines that wait for one repairman: `N max(P ts, tl + ts)`.
fn repair(point: &[f64], t: &[f64]) -> f64 {
    point[1] * f64::max(point[0] * t[0], t[1] + t[0])
}

fn sizes(list: &[f64]) -> Vec<Vec<f64>> {
    list.iter().map(|n| vec![*n]).collect()
}

#[test]
fn exact_times_are_found_again() {
    let times = [1.1e-9, 7e-9, 3e-5];
    let points = sizes(&[16.0, 32.0, 64.0, 100.0, 200.0, 400.0]);
    let table = table(&["n"], &points, |p| vec![product(p, &times)]);
    let found = fit(&table, &["t_mul", "t_row", "t_fork"], product).expect("it fits");
    for (fitted, time) in found.times.iter().zip(times) {
        assert_near(fitted.value, time, 1e-6);
        let [from, to] = fitted.interval.expect("there are enough points");
        assert!(from <= fitted.value && fitted.value <= to);
        assert!(to - from < 1e-4 * time, "{fitted:?}");
    }
    assert!(found.errors.worst < 1e-6, "{:?}", found.errors);
    assert!(found.left_out.expect("points are left out").worst < 1e-3);
    assert!(found.notes.is_empty(), "{:?}", found.notes);
}

#[test]
fn times_are_found_on_both_sides_of_a_regime() {
    let mut random = Random(3);
    for _ in 0..40 {
        let service = 1e-3 * (0.1 + random.next());
        let times = [service, service * (1.0 + 15.0 * random.next())];
        let points: Vec<Vec<f64>> = (1..=24).map(|p| vec![f64::from(p), 10.0]).collect();
        let table = table(&["P", "N"], &points, |p| vec![repair(p, &times)]);
        let found = fit(&table, &["ts", "tl"], repair).expect("it fits");
        assert!(found.errors.worst < 1e-4, "{times:?} {:?}", found.times);
        assert_near(found.times[0].value, times[0], 1e-5);
        assert_near(found.times[1].value, times[1], 1e-4);
    }
}

#[test]
fn no_time_is_negative() {
    // The measured times say `n^3 - n^2`.
    let points = sizes(&[4.0, 6.0, 8.0, 12.0, 20.0]);
    let table = table(&["n"], &points, |p| {
        vec![1e-6 * (p[0].powi(3) - p[0] * p[0])]
    });
    let found = fit(&table, &["a", "b", "c"], product).expect("it fits");
    assert!(
        found.times.iter().all(|t| t.value >= 0.0),
        "{:?}",
        found.times
    );
    assert_eq!(found.times[1].value, 0.0);
    assert!(found.errors.worst > 1.0);
}

fn bound(value: f64, is_strict: bool, text: &str) -> Bound {
    Bound {
        value,
        is_strict,
        text: text.to_string(),
    }
}

/// `n a + b`, measured as `3 n + 5`, with `b` between two bounds. At a bound the best `a` is that of one variable,
/// `sum (n / m)(m - b) / m / sum (n / m)^2`.
#[test]
fn a_time_beyond_a_bound_is_kept_at_it() {
    let model: Model = |p, t| p[0] * t[0] + t[1];
    let points = sizes(&[2.0, 3.0, 5.0, 8.0]);
    let table = table(&["n"], &points, |p| vec![3.0 * p[0] + 5.0]);
    let least = |b: f64| {
        let parts = [2.0, 3.0, 5.0, 8.0].map(|n: f64| (n, 3.0 * n + 5.0));
        let above: f64 = parts.iter().map(|(n, m)| n / m * (m - b) / m).sum();
        above / parts.iter().map(|(n, m)| (n / m) * (n / m)).sum::<f64>()
    };
    let infinite = || bound(f64::INFINITY, false, "");
    let cases = [
        (
            [bound(0.0, false, ">= 0"), bound(4.0, false, "<= 4")],
            4.0,
            "`<= 4`: the measured times alone would make it more",
        ),
        (
            [bound(0.0, true, "> 0"), bound(4.0, true, "< 4")],
            4.0,
            "`< 4`",
        ),
        (
            [bound(6.0, false, ">= 6"), infinite()],
            6.0,
            "`>= 6`: the measured times alone would make it less",
        ),
        ([bound(6.0, true, "> 6"), infinite()], 6.0, "`> 6`"),
        ([bound(4.0, true, "> 4"), bound(6.0, true, "< 6")], 5.0, ""),
    ];
    for (bounds, wanted, told) in cases {
        let names = [
            Unknown::from("a"),
            Unknown {
                bounds: bounds.clone(),
                ..Unknown::from("b")
            },
        ];
        let inside = |t: &Vec<f64>| {
            let holds = |bound: &Bound, side: f64| {
                if bound.is_strict {
                    (t[1] - bound.value) * side > 0.0
                } else {
                    (t[1] - bound.value) * side >= 0.0
                }
            };
            assert!(holds(&bounds[0], 1.0) && holds(&bounds[1], -1.0), "{t:?}");
            points.iter().map(|p| model(p, t)).collect()
        };
        let mut predict = |candidates: &[Vec<f64>]| Ok(candidates.iter().map(inside).collect());
        let found = calibrate(&table, "t.csv", &names, &Settings::default(), &mut predict)
            .expect("it fits");
        assert_near(found.times[1].value, wanted, 2e-5);
        assert_near(found.times[0].value, least(wanted), 1e-4);
        let notes = found.notes.join(", ");
        match told {
            "" => assert_eq!(notes, ""),
            told => assert!(
                notes.starts_with("`b` is at its bound ") && notes.contains(told),
                "{notes}"
            ),
        }
    }
    let none = Unknown {
        bounds: [bound(0.0, false, ">= 0"), bound(-1.0, false, "<= -1")],
        ..Unknown::from("b")
    };
    let mut predict = |_: &[Vec<f64>]| Ok(Vec::new());
    let error = calibrate(&table, "t.csv", &[none], &Settings::default(), &mut predict)
        .expect_err("no value");
    assert!(
        error.to_string().contains("leave no value of `b`"),
        "{error}"
    );
}

#[test]
fn what_the_points_do_not_tell_apart_is_said() {
    let model: Model = |p, t| p[0] * (t[0] + 2.0 * t[1]) + p[0] * p[0] * t[2] + 0.0 * t[3];
    let points = sizes(&[2.0, 3.0, 5.0, 8.0, 13.0]);
    let table = table(&["n"], &points, |p| {
        vec![model(p, &[1e-3, 2e-3, 1e-4, 0.0])]
    });
    let found = fit(&table, &["a", "b", "c", "d"], model).expect("it fits");
    assert_near(
        found.times[0].value + 2.0 * found.times[1].value,
        5e-3,
        1e-6,
    );
    assert_near(found.times[2].value, 1e-4, 1e-5);
    assert!(found.errors.worst < 1e-6);
    let notes = found.notes.join("\n");
    assert!(
        notes.contains("`b` has the same effect as 2 * `a` at all measured points"),
        "{notes}"
    );
    assert!(
        notes.contains("`d` has no effect at any measured point"),
        "{notes}"
    );
    assert_eq!(found.times[0].interval, None);
    assert_eq!(found.times[1].interval, None);
    assert!(found.times[2].interval.is_some());
    assert_eq!(found.times[3].interval, None);
}

#[test]
fn a_time_at_0_is_not_known_the_better_for_it() {
    // The second column hardly differs from the first.
    let model: Model = |p, t| p[0] * t[0] + p[0] * (0.75 + 1e-3 * (p[0] * 0.77).sin()) * t[1];
    let points = sizes(&[10.0, 20.0, 30.0, 40.0, 60.0, 90.0]);
    let mut random = Random(5);
    let table = table(&["n"], &points, |p| {
        vec![model(p, &[1e-3, 1e-3]) * (1.0 + 0.02 * random.normal())]
    });
    let found = fit(&table, &["a", "b"], model).expect("it fits");
    for fitted in &found.times {
        let [from, to] = fitted.interval.expect("an interval");
        assert!(from <= 1e-3 && 1e-3 <= to, "{:?}", found.times);
    }
}

#[test]
fn a_time_that_one_point_alone_tells_has_no_interval() {
    let model: Model = |p, t| p[0] * t[0] + if p[0] > 50.0 { t[1] } else { 0.0 };
    let points = sizes(&[10.0, 20.0, 30.0, 40.0, 60.0]);
    let table = table(&["n"], &points, |p| vec![model(p, &[1e-3, 5e-3])]);
    let found = fit(&table, &["a", "b"], model).expect("it fits");
    assert_near(found.times[1].value, 5e-3, 1e-6);
    assert_eq!(found.times[1].interval, None);
    assert!(found.times[0].interval.is_some());
    let left: Vec<bool> = found
        .points
        .iter()
        .map(|fit| fit.left_out.is_some())
        .collect();
    assert_eq!(left, [true, true, true, true, false]);
}

#[test]
fn intervals_hold_as_often_as_they_say() {
    let times = [2e-9, 5e-8, 1e-4];
    let points = sizes(&[
        20.0, 40.0, 60.0, 90.0, 130.0, 200.0, 300.0, 400.0, 500.0, 600.0, 700.0, 800.0,
    ]);
    let mut random = Random(11);
    let (trials, mut held) = (300, [0; 3]);
    for _ in 0..trials {
        let noise: Vec<f64> = points
            .iter()
            .map(|_| 1.0 + 0.02 * random.normal())
            .collect();
        let mut table = table(&["n"], &points, |p| vec![product(p, &times)]);
        for (point, noise) in table.points.iter_mut().zip(noise) {
            point.times[0] *= noise;
        }
        let found = fit(&table, &["a", "b", "c"], product).expect("it fits");
        for (held, (fitted, time)) in held.iter_mut().zip(found.times.iter().zip(times)) {
            let [from, to] = fitted.interval.expect("an interval");
            *held += usize::from(from <= time && time <= to);
        }
    }
    for held in held {
        let share = held as f64 / f64::from(trials);
        assert!((0.90..=0.99).contains(&share), "{share}");
    }
}

#[test]
fn what_is_fixed_is_no_part_of_what_is_found() {
    let model: Model = |p, t| 0.5 + p[0] * t[0];
    let points = sizes(&[1.0, 2.0, 3.0]);
    let table = table(&["n"], &points, |p| vec![model(p, &[0.25])]);
    let found = fit(&table, &["a"], model).expect("it fits");
    assert_near(found.times[0].value, 0.25, 1e-8);
}

#[test]
fn what_cannot_be_fitted_is_an_error() {
    let points = sizes(&[1.0, 2.0]);
    let table = table(&["n"], &points, |_| vec![1.0]);
    let error =
        |names: &[&str], model: Model| fit(&table, names, model).expect_err("wrong").to_string();
    assert!(error(&["a"], |_, _| 1.0).contains("does not depend on `a`"));
    assert!(error(&["a"], |_, _| f64::NAN).contains("t.csv:2: the model has no value"));
    assert!(error(&[], |_, _| 1.0).contains("0 times"));
}

#[test]
fn one_point_gives_one_time_without_an_interval() {
    let table = table(&["n"], &sizes(&[4.0]), |_| vec![2.0, 2.1, 2.2]);
    let found = fit(&table, &["a"], |p, t| p[0] * t[0]).expect("it fits");
    assert_near(found.times[0].value, 2.1 / 4.0, 1e-9);
    assert_eq!(found.times[0].interval, None);
    assert_eq!(found.left_out, None);
    let text = found.text("t.csv");
    assert!(text.contains("1 point, 3 runs"), "{text}");
    assert_eq!(ranges(&text), found.ranges);
}

#[test]
fn predictions_stand_beside_measurements() {
    let points = sizes(&[1.0, 2.0, 3.0]);
    let table = table(&["n"], &points, |p| vec![p[0], p[0] + 0.1]);
    let found = fit(&table, &["a"], |p, t| p[0] * t[0]).expect("it fits");
    let ranges: Vec<_> = found
        .ranges
        .into_iter()
        .map(|mut range| {
            range.to = 2.0;
            range
        })
        .collect();
    let compared = compare(&table, &[1.05, 4.1, 3.05], &vec![None; 3], &ranges);
    assert_eq!(compared.order.pairs, 3);
    assert_eq!(compared.order.kept, 2);
    assert_near(compared.rows[1].error, 100.0, 1e-9);
    assert_eq!(compared.rows[2].outside, ["n"]);
    assert!(compared.rows[1].outside.is_empty());
    let summary = compared.summary(&table.parameters);
    assert!(
        summary.contains(
            "worst 100 % at n = 2; 2 of 3 pairs in their order; 1 of 3 points are outside"
        ),
        "{summary}"
    );
}

#[test]
fn times_by_a_parameter_are_one_line_of_the_file() {
    // A barrier takes no time in a team of one, and 5 in one of two.
    let points: Vec<Vec<f64>> = [4.0, 8.0, 16.0]
        .iter()
        .flat_map(|n| [vec![*n, 1.0], vec![*n, 2.0]])
        .collect();
    let model: Model = |p, t| p[0] / p[1] * t[0] + if p[1] == 1.0 { t[1] } else { t[2] };
    let table = table(&["n", "P"], &points, |p| vec![model(p, &[1.0, 0.0, 5.0])]);
    let at = |value: f64| Unknown {
        at: Some(At::Value("P".to_string(), value)),
        ..Unknown::from("t_barrier")
    };
    let mut predict = |candidates: &[Vec<f64>]| {
        let list = |times: &Vec<f64>| points.iter().map(|p| model(p, times)).collect();
        Ok(candidates.iter().map(list).collect())
    };
    let names = [Unknown::from("t_work"), at(1.0), at(2.0)];
    let found =
        calibrate(&table, "t.csv", &names, &Settings::default(), &mut predict).expect("it fits");
    assert_near(found.times[2].value, 5.0, 1e-6);
    let text = found.text("t.csv");
    let line = text.lines().find(|line| line.starts_with("t_barrier"));
    let line = line.expect("it has a line");
    assert!(line.starts_with("t_barrier = \"if (P <= 1) "), "{line}");
    assert!(line.contains(" else 5e0\" # "), "{line}");
    assert!(
        line.contains(" at P = 1; ") && line.ends_with(" at P = 2"),
        "{line}"
    );
}
