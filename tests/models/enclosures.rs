//! Bounds of what stays open: on the right side of the definition, closed, and as sharp as they were derived by hand.

use pamela::Options;
use pamela::formula::Notation;
use pamela::model::{Number, Value};
use pamela::pipeline::{Simplified, SimplifiedEquation};
use pamela::syntax::FileLoader;

use crate::selection::seeds;

use pamela_lab::models::distributions;

use super::fuzz;
use super::support::points::{ends, points};
use super::support::{Bindings, Closed, as_double, definition, is_true, read, results_text};
use super::support::{shown, shown_point};

const POINTS: usize = 60;
/// How many random models are tried where nothing else is asked for: every thirteenth stays open.
const FEW: u64 = 420;
const MANY: u64 = 400;

const PARAMETERS: &str = "numeric parameter N : integer >= 0
numeric parameter M : integer >= 0
numeric parameter P : integer >= 1
numeric parameter Q : integer >= 1
numeric parameter B : integer >= 1
numeric parameter t : >= 0
numeric parameter u : >= 0
";

fn simplified(text: &str) -> Simplified {
    enclosed(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn enclosed(text: &str) -> Result<Simplified, pamela::diagnostic::Error> {
    let options = Options {
        enclose: true,
        ..Options::default()
    };
    pamela::Model::read("model", text, &FileLoader)?.simplify(&options)
}

/// Where a bound of `equation` is on the wrong side; each is compared at some point.
fn wrong(text: &str, equation: &str, simplified: &Simplified) -> Vec<String> {
    let (mut wrong, idle) = compared(text, equation, simplified);
    wrong.extend(
        idle.iter()
            .map(|name| format!("{name} has no value at any point\n{text}")),
    );
    wrong
}

/// The same, and which bounds were compared nowhere.
fn compared(text: &str, equation: &str, simplified: &Simplified) -> (Vec<String>, Vec<String>) {
    let model = read("model", text);
    let bounds = ["lower", "upper"].map(|side| simplified.equation(&format!("{side}_{equation}")));
    let (mut wrong, mut idle) = (Vec::new(), Vec::new());
    for bound in bounds.into_iter().flatten() {
        let closed = as_text(bound);
        let results = read(
            "results",
            &results_text(&model, std::slice::from_ref(&closed)),
        );
        let mut compared = 0;
        for point in points(&model, POINTS).into_iter().chain(ends(&model)) {
            let holds = |which: usize| {
                let condition = format!("condition_0_{which}");
                definition(&results, &condition, &point).is_ok_and(|value| is_true(&value))
            };
            let Ok(expected) = definition(&model, equation, &point) else {
                continue;
            };
            if !(0..closed.conditions.len()).all(holds) {
                continue;
            }
            compared += 1;
            let found = definition(&results, "closed_0", &point);
            let below = bound.name.starts_with("lower");
            if !found
                .as_ref()
                .is_ok_and(|found| in_order(found, &expected, below))
            {
                let at: &Bindings = &point;
                wrong.push(format!(
                    "{} = {} is {} for {} at {}\n{text}",
                    bound.name,
                    closed.formula,
                    shown(&found),
                    shown(&Ok(expected)),
                    shown_point(at)
                ));
            }
        }
        if compared == 0 {
            idle.push(bound.name.clone());
        }
    }
    (wrong, idle)
}

fn as_text(equation: &SimplifiedEquation) -> Closed {
    Closed {
        name: equation.name.clone(),
        formula: equation.formula.pamela(),
        conditions: equation.formula.condition_texts(Notation::Pamela),
        open_reductions: equation.formula.open_reductions(),
        asks: true,
    }
}

/// Exactly, where both are exact.
fn in_order(bound: &Value, value: &Value, below: bool) -> bool {
    let (Some(bound), Some(value)) = (bound.as_scalar(), value.as_scalar()) else {
        return false;
    };
    let (least, most) = if below {
        (bound, value)
    } else {
        (value, bound)
    };
    match (least, most) {
        (Number::Exact(least), Number::Exact(most)) => least <= most,
        _ => {
            let (least, most) = (as_double(least), as_double(most));
            least <= most + 1e-12 * most.abs().max(1.0)
        }
    }
}

/// Times and sums of which no closed form is known, with bounds that were derived by hand where there are any.
const OPEN: &[(&str, &str, [&str; 2])] = &[
    (
        // Each product is at least i^2 / (P * Q) and at most (i + P - 1) * (i + Q - 1) / (P * Q).
        "f",
        "numeric f = sum (i = 1, N) { ceil(i / P) * ceil(i / Q) }",
        [
            // A quotient of positive numbers, rounded up, is at least itself, and at least 1.
            "N * max((N + 1) * (2 * N + 1) / (6 * P * Q), (N + 1) / (2 * P), (N + 1) / (2 * Q), 1)",
            "(N * (N + 1) * (2 * N + 1) / 6 + (P + Q - 2) * N * (N + 1) / 2 + (P - 1) * (Q - 1) * N) / (P * Q)",
        ],
    ),
    (
        // P / 2^l is rounded up log2(P) times, by less than 1 - 1 / 2^l.
        "f",
        "numeric f = sum (i = 1, N) { ceil(i / P) * (i mod Q) }",
        ["0", ""],
    ),
    (
        "f",
        "numeric f = sum (i = 1, N) { max(t * i, u * ceil(i / P)) }",
        ["", ""],
    ),
    (
        // A remainder is below its modulus, and not above what is divided.
        "f",
        "numeric f = sum (i = 1, N) { (i mod P) * (i mod Q) }",
        [
            "0",
            "N * min((P - 1) * (Q - 1), (P - 1) * (N + 1) / 2, (Q - 1) * (N + 1) / 2, (N + 1) * (2 * N + 1) / 6)",
        ],
    ),
    (
        "f",
        "numeric f = sum (i = 1, N) { u * (i mod P) - t * ((i * i) mod Q) }",
        ["", ""],
    ),
    (
        "T_main",
        "process main = par (i = 0, N - 1) use(fcfs(i mod P, 1), t + u * (i * i mod B))",
        ["", ""],
    ),
];

#[test]
fn bounds_of_open_equations_are_closed_and_on_their_side_of_the_definition() {
    for (equation, body, by_hand) in OPEN {
        let text = format!("{PARAMETERS}{body}\n");
        let simplified = simplified(&text);
        let open = simplified.equation(equation).expect("it is in the model");
        assert!(open.formula.open_reductions() > 0, "it closes now: {body}");
        for (side, by_hand) in ["lower", "upper"].iter().zip(by_hand) {
            let bound = simplified.equation(&format!("{side}_{equation}"));
            let bound = bound.unwrap_or_else(|| panic!("no {side} bound of {body}"));
            assert_eq!(bound.formula.open_reductions(), 0, "{body}");
            if !by_hand.is_empty() {
                same(&text, &bound.formula.pamela(), by_hand);
            }
        }
        assert_eq!(wrong(&text, equation, &simplified), Vec::<String>::new());
    }
}

/// Two formulas have the same values.
fn same(text: &str, left: &str, right: &str) {
    let both = format!("{PARAMETERS}numeric left = {left}\nnumeric right = {right}\n");
    let model = read("both", &both);
    for point in points(&model, POINTS) {
        let [left, right] = ["left", "right"].map(|name| definition(&model, name, &point));
        assert_eq!(
            shown(&left),
            shown(&right),
            "at {} of {text}",
            shown_point(&point)
        );
    }
}

/// The open form has a case for `t == 0`, its bounds once had a quotient by t alone.
#[test]
fn bounds_have_a_value_wherever_their_conditions_hold() {
    let text = "numeric parameter N : integer >= 0
        numeric parameter t : >= 0
        numeric parameter u
        numeric f = max (i = 1, N div 2) { sum (j = 1, i) { min(j * t, u) + (if (i < N div 2) t else t * i) } }";
    let simplified = simplified(text);
    assert!(simplified.equation("lower_f").is_some());
    assert_eq!(wrong(text, "f", &simplified), Vec::<String>::new());
}

#[test]
fn what_closes_has_no_bounds() {
    let text = format!("{PARAMETERS}numeric f = sum (i = 1, N) {{ i }}\n");
    assert_eq!(simplified(&text).equations.len(), 1);
}

#[test]
fn bounds_change_no_other_equation() {
    let open = "numeric f = sum (i = 1, N) { (i mod P) * (i mod Q) }";
    let text = format!("{PARAMETERS}{open}\nnumeric g = f + sum (i = 1, N) {{ ceil(i / P) }}\n");
    let model = pamela::Model::parse(&text).expect("it reads");
    let plain = model.simplify(&Options::default()).expect("it lowers");
    let enclosed = simplified(&text);
    for equation in &plain.equations {
        let other = enclosed.equation(&equation.name).expect("it is there");
        assert_eq!(equation.formula.pamela(), other.formula.pamela());
    }
}

/// `PAMELA_MODELS=1000` tries more of them.
#[test]
fn bounds_of_random_distributions_are_on_their_side() {
    let (mut open, mut both) = (0, 0);
    for seed in seeds("PAMELA_MODELS", FEW) {
        let text = distributions::model(seed);
        let simplified = simplified(&text);
        let time = simplified.equation("T_main").expect("it has a time");
        if time.formula.open_reductions() == 0 {
            continue;
        }
        open += 1;
        let has = |side: &str| simplified.equation(&format!("{side}_T_main")).is_some();
        both += usize::from(has("lower") && has("upper"));
        if !(has("lower") && has("upper")) {
            eprintln!(
                "seed {seed}: lower {}, upper {}\n{text}",
                has("lower"),
                has("upper")
            );
        }
        assert_eq!(wrong(&text, "T_main", &simplified), Vec::<String>::new());
    }
    eprintln!("{both} of {open} open distributions have bounds on both sides");
    assert!(open > 0 && 10 * both >= 8 * open, "{both} of {open}");
}

/// The least demand of a resource in any iteration is taken from that of all others, which is the zero vector.
#[test]
fn demands_that_fall_on_other_resources_have_bounds() {
    let process = "par (i = 1, N) { switch { 0.25: use(fcfs(2 mod P, max(1, B)), i^2 != x), 0.75: use(fcfs(1, 2), 1) } }";
    let text = format!(
        "numeric parameter N\nnumeric parameter P\nnumeric parameter B\nnumeric parameter x\nprocess main = {process}\n"
    );
    let simplified = enclosed(&text).expect("it lowers");
    let mut bounds = 0;
    for equation in ["T_main", "L_main"] {
        let (wrong, _) = compared(&text, equation, &simplified);
        assert_eq!(wrong, Vec::<String>::new());
        let sides = ["lower", "upper"].map(|side| format!("{side}_{equation}"));
        bounds += sides
            .iter()
            .filter(|side| simplified.equation(side).is_some())
            .count();
    }
    assert!(bounds > 0);
}

/// Of all operators of the language, where few equations have bounds: `PAMELA_MODELS=5000` tries more of them.
#[test]
fn bounds_of_random_models_are_on_their_side() {
    let mut found = 0;
    for seed in seeds("PAMELA_MODELS", MANY) {
        let text = fuzz::text(seed);
        // What cannot be lowered has nothing to be bounded.
        let Ok(simplified) = enclosed(&text) else {
            continue;
        };
        let names = simplified.equations.iter().map(|e| e.name.as_str());
        let bounded =
            names.filter_map(|name| name.strip_prefix("lower_").or(name.strip_prefix("upper_")));
        let mut bounded: Vec<&str> = bounded.collect();
        bounded.dedup();
        for equation in bounded {
            let (wrong, _) = compared(&text, equation, &simplified);
            assert_eq!(wrong, Vec::<String>::new(), "seed {seed}");
            found += 1;
        }
    }
    assert!(found > 0);
}
