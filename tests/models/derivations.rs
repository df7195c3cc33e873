//! Derivations: every step is an equality of its own, wherever its premises hold, and is checked as one.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use pamela::Options;
use pamela::formula::{Notation, RangeText, Status, StepText};
use pamela::model::{Model, Value};
use pamela::syntax::FileLoader;
use pamela::syntax::tree::Type;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::selection::{is_selected, selected};

use super::support::corpus::{CorpusModel, deterministic};
use super::support::points::points;
use super::support::{Bindings, Memo, definition, is_true, read, same, shown, shown_point};
use pamela_lab::models::grower::Grower;
use pamela_lab::models::tree::Spelling;

const POINTS: usize = 16;
const MANY_POINTS: usize = 400;
/// Of each range of an index so many values are tried, of all ranges together so many combinations.
const VALUES: usize = 4;
const PLACES: usize = 12;
const RANDOM_MODELS: u64 = 150;
const NOWHERE: &str = "was compared nowhere";

/// An equation with its derivation.
pub struct Derived {
    pub name: String,
    pub conditions: Vec<String>,
    rules: Vec<String>,
    pub steps: Vec<StepText>,
}

fn derived(model: &CorpusModel, strict: bool) -> Result<Vec<Derived>, String> {
    let options = Options {
        strict,
        all: true,
        explain: true,
        ..Options::default()
    };
    let simplified = pamela::Model::read(model.file(), &model.text, &FileLoader)
        .and_then(|model| model.simplify(&options))
        .map_err(|error| format!("{}: {error}", model.name))?;
    // Skewness and kurtosis are quotients of what is derived apart.
    let quotient = |name: &str| name.starts_with("Skw_") || name.starts_with("Kur_");
    let equations = simplified.equations.into_iter();
    let derived = equations
        .filter(|e| !quotient(&e.name))
        .map(|equation| Derived {
            conditions: equation.formula.condition_texts(Notation::Pamela),
            steps: equation
                .derivation
                .expect("a derivation was asked for")
                .steps(Notation::Pamela),
            rules: equation.rules,
            name: equation.name,
        });
    Ok(derived.collect())
}

/// The derivations of a model of the corpus, which are found once for all tests where they may assume something.
pub fn derived_of(model: &CorpusModel, strict: bool) -> Arc<[Derived]> {
    static FOUND: Memo<Derived> = Memo::new();
    let find = || derived(model, strict).expect("models of the corpus close");
    if strict {
        find().into()
    } else {
        FOUND.get(&model.path, find)
    }
}

#[test]
fn every_step_is_an_equality_where_its_premises_hold() {
    let mut wrong = Vec::new();
    for model in selected(deterministic()) {
        wrong.extend(faults_of_model(
            &model,
            &derived_of(&model, false),
            MANY_POINTS,
        ));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_step_is_an_equality_where_nothing_is_assumed() {
    let mut wrong = Vec::new();
    for model in selected(deterministic()) {
        let equations = derived_of(&model, true);
        for equation in equations.iter() {
            let mut premises = equation.steps.iter().flat_map(|step| &step.premises);
            if let Some(premise) = premises.find(|premise| premise.status == Status::Assumed) {
                let (name, condition) = (&equation.name, &premise.condition);
                wrong.push(format!("{}: {name} assumes {condition}", model.name));
            }
        }
        wrong.extend(faults_of_model(&model, &equations, MANY_POINTS));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Models with steps that name several rules: the rules between two terms are not kept apart.
const SEVERAL: [&str; 8] = [
    "algebra/sum_max_residue",
    "codes/gauss_block",
    "distributions/cyclic_columns_rectangle",
    "distributions/gauss_blocks_size",
    "distributions/wavefront_blocked",
    "distributions/wavefront_process",
    "graphs/halo_exchange",
    "graphs/sweep_blocking",
];

#[test]
fn every_step_names_the_one_rule_that_it_takes_among_those_of_its_equation() {
    let mut wrong = Vec::new();
    for model in selected(deterministic()) {
        if SEVERAL.contains(&model.name.as_str()) {
            continue;
        }
        for equation in derived_of(&model, false).iter() {
            let named =
                |step: &&StepText| step.rule == "ring" || equation.rules.contains(&step.rule);
            let others = equation.steps.iter().filter(|step| !named(step));
            wrong.extend(others.map(|step| format!("{}: {}", model.name, step.rule)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_step_of_random_models_is_an_equality() {
    let mut wrong = Vec::new();
    let (mut steps, mut leaps) = (0, 0);
    for seed in 1..=RANDOM_MODELS {
        let model = CorpusModel {
            name: format!("random model {seed}"),
            path: "random.pam".into(),
            text: random_text(seed),
        };
        for strict in [false, true] {
            // Some divide by what may be 0.
            let Ok(equations) = derived(&model, strict) else {
                continue;
            };
            let of_all = equations.iter().flat_map(|equation| &equation.steps);
            steps += of_all.clone().count();
            leaps += of_all.filter(|step| step.rule.contains(',')).count();
            // All are counted, the selected ones compared.
            if !is_selected(seed) {
                continue;
            }
            let faults = faults_of_model(&model, &equations, 0).into_iter();
            wrong.extend(faults.filter(|fault| !fault.ends_with(NOWHERE)));
        }
    }
    println!("{steps} steps, {leaps} of them by several rules");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        steps > 500 && leaps * 50 < steps,
        "{leaps} leaps in {steps} steps"
    );
}

fn random_text(seed: u64) -> String {
    let mut random = Pcg64::seed_from_u64(seed);
    let budget = random.random_range(3..=14);
    let spelling = Spelling {
        index: "i",
        swapped: false,
    };
    let mut grower = Grower {
        random: &mut random,
        budget,
    };
    grower.model().text(spelling)
}

#[test]
fn the_derivations_of_the_papers_are_as_reviewed() {
    for name in ["mrm", "psrs"] {
        let path = format!("{}/corpus/papers/{name}.pam", env!("CARGO_MANIFEST_DIR"));
        let options = Options {
            explain: true,
            ..Options::default()
        };
        let simplified = pamela::Model::from_file(&path)
            .and_then(|model| model.simplify(&options))
            .expect("the model closes");
        let time = simplified.equation("T_main").expect("there is a process");
        let derivation = time.derivation.as_ref().expect("it was asked for");
        let mut settings = insta::Settings::clone_current();
        settings.set_omit_expression(true);
        settings.set_prepend_module_to_snapshot(false);
        settings.bind(|| {
            let text = derivation.comment("T_main").join("\n");
            insta::assert_snapshot!(format!("derivation_of_{name}"), text);
            if name == "mrm" {
                let latex = derivation.latex("T_main").join("\n");
                insta::assert_snapshot!("derivation_of_mrm_in_latex", latex);
            }
        });
    }
}

#[test]
fn an_explained_result_reads_back() {
    for model in deterministic()
        .iter()
        .filter(|m| m.name.starts_with("papers/"))
    {
        let run = |arguments: &[&str], text: &str| {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explained.pam");
            fs::write(&file, text).expect("the model can be written");
            let output = Command::new(env!("CARGO_BIN_EXE_pamela"))
                .args(arguments)
                .arg(&file)
                .output()
                .expect("the binary runs");
            String::from_utf8(output.stdout).expect("a model is text")
        };
        let explained = run(&["simplify", "--explain"], &model.text);
        let checked = run(&["check"], &explained);
        assert!(
            checked.ends_with("no errors\n"),
            "{}: {checked}",
            model.name
        );
        let rest: Vec<&str> = explained
            .lines()
            .filter(|line| !line.starts_with("% Derivation from ") && !is_step(line))
            .filter(|line| !line.starts_with("% Theorem ") && !line.starts_with("%   "))
            .collect();
        let plain = run(&["simplify"], &model.text);
        assert_eq!(rest, plain.lines().collect::<Vec<_>>(), "{}", model.name);
    }
}

/// `% 1. rule` or a line below it.
fn is_step(line: &str) -> bool {
    let comment = line.strip_prefix("% ").unwrap_or_default();
    let heading = comment.split_once(". ").map(|(number, _)| number);
    comment.starts_with("     ") || heading.is_some_and(|n| n.parse::<usize>().is_ok())
}

/// Steps whose sides differ somewhere, whose premises fail somewhere, or that were compared nowhere,
/// though up to `most` points were tried.
fn faults_of_model(model: &CorpusModel, equations: &[Derived], most: usize) -> Vec<String> {
    let checked = read(model.file(), &model.text);
    let (few, many) = (points(&checked, POINTS), OnceCell::new());
    let mut wrong = Vec::new();
    for equation in equations {
        let statements = read("steps", &statements(&checked, equation));
        let mut comparison = Comparison::default();
        comparison.compare(&statements, equation, &few);
        if comparison.compared.len() < equation.steps.len() {
            // The conditions hold at few points.
            let many = many.get_or_init(|| points(&checked, most));
            comparison.compare(&statements, equation, many);
        }
        for (number, step) in equation.steps.iter().enumerate() {
            if !comparison.compared.contains(&number) {
                let left = &step.left;
                comparison
                    .wrong
                    .push(format!("{}: {left} {NOWHERE}", step.rule));
            }
        }
        let faults = comparison.wrong.into_iter();
        wrong.extend(faults.map(|fault| format!("{}: {}: {fault}", model.name, equation.name)));
    }
    wrong
}

#[derive(Default)]
struct Comparison {
    wrong: Vec<String>,
    /// The steps that were compared at some point.
    compared: BTreeSet<usize>,
}

impl Comparison {
    fn compare(&mut self, statements: &Model, equation: &Derived, points: &[Bindings]) {
        for point in points {
            let mut conditions = 0..equation.conditions.len();
            if conditions.all(|which| holds(statements, &format!("condition_{which}"), point)) {
                for (number, step) in equation.steps.iter().enumerate() {
                    for place in places(statements, number, &step.scope, point) {
                        self.compare_step(statements, number, step, &place);
                    }
                }
            }
        }
    }

    fn compare_step(
        &mut self,
        statements: &Model,
        number: usize,
        step: &StepText,
        place: &Bindings,
    ) {
        let value = |side: &str| definition(statements, &format!("{side}_{number}"), place);
        let premise_holds =
            |which: usize| holds(statements, &format!("premise_{number}_{which}"), place);
        let mut premises = step.premises.iter().enumerate();
        // Outside of its case a step claims nothing.
        if premises.any(|(which, p)| p.status == Status::Case && !premise_holds(which)) {
            return;
        }
        let Ok(left) = value("left") else { return };
        self.compared.insert(number);
        let right = value("right");
        let shown_place = shown_point(place);
        if !right.as_ref().is_ok_and(|right| same(&left, right)) {
            self.wrong.push(format!(
                "{}: {} is {}, but {} is {} at {shown_place}",
                step.rule,
                step.left,
                shown(&Ok(left)),
                step.right,
                shown(&right),
            ));
        }
        for (which, premise) in step.premises.iter().enumerate() {
            if !premise_holds(which) {
                let condition = &premise.condition;
                let fault = format!("{}: {condition} does not hold at {shown_place}", step.rule);
                self.wrong.push(fault);
            }
        }
    }
}

pub fn holds(model: &Model, name: &str, point: &Bindings) -> bool {
    definition(model, name, point).is_ok_and(|value| is_true(&value))
}

/// A model of the sides, premises and ranges of all steps, in which indices are parameters.
pub fn statements(checked: &Model, equation: &Derived) -> String {
    let mut names: BTreeSet<&str> = checked
        .parameters()
        .map(|parameter| parameter.name.text.as_str())
        .collect();
    let scopes = equation.steps.iter().flat_map(|step| &step.scope);
    names.extend(scopes.map(|range| range.index.as_str()));
    let units = checked.units().declared().iter().map(ToString::to_string);
    let parameters = names
        .into_iter()
        .map(|name| format!("numeric parameter {name}"));
    let mut lines: Vec<String> = units.chain(parameters).collect();
    for array in checked.equations() {
        let name = &array.name.text;
        if array.kind == Type::Resource && checked.is_resource_array(name) {
            lines.push(format!("resource parameter {name}(i)"));
        }
    }
    let mut state = |name: String, text: &str| lines.push(format!("numeric {name} = {text}"));
    for (which, condition) in equation.conditions.iter().enumerate() {
        state(format!("condition_{which}"), condition);
    }
    for (number, step) in equation.steps.iter().enumerate() {
        state(format!("left_{number}"), &step.left);
        state(format!("right_{number}"), &step.right);
        for (which, premise) in step.premises.iter().enumerate() {
            state(format!("premise_{number}_{which}"), &premise.condition);
        }
        for (which, range) in step.scope.iter().enumerate() {
            state(format!("lower_{number}_{which}"), &range.lower);
            state(format!("upper_{number}_{which}"), &range.upper);
        }
    }
    lines.join("\n")
}

/// The point with some of the values that the indices of a step can have there.
pub fn places(
    model: &Model,
    number: usize,
    scope: &[RangeText],
    point: &Bindings,
) -> Vec<Bindings> {
    let mut places = vec![point.clone()];
    for (which, range) in scope.iter().enumerate() {
        let mut inner = Vec::new();
        for place in &places {
            let bound = |side: &str| {
                let bound = definition(model, &format!("{side}_{number}_{which}"), place);
                bound.ok().as_ref().and_then(exact)
            };
            let (Some(lower), Some(upper)) = (bound("lower"), bound("upper")) else {
                continue;
            };
            for value in values(lower, &upper) {
                let mut place = place.clone();
                place.insert(range.index.clone(), value.into());
                inner.push(place);
            }
        }
        places = inner;
    }
    places.truncate(PLACES);
    places
}

/// The first values of a range, one in the middle, and the last.
fn values(lower: Rational, upper: &Rational) -> Vec<Rational> {
    use num_traits::ToPrimitive;
    let count = (upper - &lower).floor().to_integer().to_i64().unwrap_or(0) + 1;
    let mut steps: Vec<i64> = vec![0, count - 1, 1, count / 2];
    steps.retain(|step| (0..count).contains(step));
    let steps: BTreeSet<i64> = steps.into_iter().take(VALUES).collect();
    let value = |step: i64| &lower + Rational::from_integer(step.into());
    steps.into_iter().map(value).collect()
}

type Rational = num_rational::BigRational;

fn exact(value: &Value) -> Option<Rational> {
    match value {
        Value::Scalar(pamela::model::Number::Exact(value)) => Some(value.to_big()),
        _ => None,
    }
}
