//! Derivations of models with laws: the two sides of every step have the same cumulants.
//!
//! They are those of the definition (by enumeration, or those of sums of independent laws) where it has
//! any. Order statistics of continuous laws are evaluated as they stand, without any rule.

use std::str::FromStr;

use pamela::Options;
use pamela::algebra::RuleBase;
use pamela::formula::{Status, StepText};
use pamela::model::{Model, Number, Value};
use pamela::syntax::FileLoader;

use crate::selection::is_selected;

use super::derivations::{Derived, derived_of, holds, places, statements};
use super::support::corpus::{CorpusModel, stochastic};
use super::support::points::points;
use super::support::{Bindings, definition, read, same, shown_point};

const POINTS: usize = 8;
/// Of vectors so many components are compared.
const COMPONENTS: usize = 3;
const TOLERANCE: f64 = 1e-6;
/// Of orders 1 to 4.
const CUMULANTS: [&str; 4] = ["E", "Var", "K3", "K4"];

/// What a side of a step is at some place.
enum Side {
    Scalar(Value),
    /// Mean, variance, third and fourth cumulant.
    Law([f64; 4]),
    /// One of these.
    Cumulant(f64),
}

#[test]
fn the_sides_of_every_step_have_the_same_cumulants() {
    let (mut wrong, mut nowhere) = (Vec::new(), Vec::new());
    let (mut of_laws, mut all) = (0, 0);
    // One in eight: laws are few.
    let tried = (0..).zip(stochastic()).filter(|(n, _)| is_selected(2 * n));
    for (_, model) in tried {
        let checked = read(model.file(), &model.text);
        let points = points_of(&model, &checked);
        for equation in derived_of(&model, false).iter() {
            let text = statements(&checked, equation);
            let comparison = Comparison::of(model.file(), &text, equation, &points);
            let name = |fault: &String| format!("{}: {}: {fault}", model.name, equation.name);
            wrong.extend(comparison.wrong.iter().map(name));
            nowhere.extend(comparison.nowhere.iter().map(name));
            of_laws += comparison.of_laws;
            all += equation.steps.len();
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!("{all} steps, {of_laws} of laws, {} nowhere", nowhere.len());
    assert!(
        nowhere.is_empty(),
        "compared nowhere:\n{}",
        nowhere.join("\n")
    );
    assert!(of_laws > 15, "only {of_laws} steps of laws were compared");
}

/// `% at: N = 3, P = 1/2`, or points within the facts.
fn points_of(model: &CorpusModel, checked: &Model) -> Vec<Bindings> {
    let Some(line) = model.text.lines().find_map(|l| l.strip_prefix("% at: ")) else {
        return points(checked, POINTS);
    };
    let value = |part: &str| {
        let (name, value) = part.split_once('=').expect("`% at: name = value, ...`");
        let value = num_rational::BigRational::from_str(value.trim()).expect("a fraction");
        (name.trim().to_string(), value.into())
    };
    vec![line.split(", ").map(value).collect()]
}

#[derive(Default)]
struct Comparison {
    wrong: Vec<String>,
    nowhere: Vec<String>,
    /// So many steps were compared by cumulants.
    of_laws: usize,
}

impl Comparison {
    /// `file` is the model that names of other files are relative to.
    fn of(file: &str, text: &str, equation: &Derived, points: &[Bindings]) -> Comparison {
        let model = read(file, text);
        let arrays = text.lines().filter(|line| line.starts_with("resource "));
        let ground = Ground {
            file,
            arrays: arrays.map(|line| format!("{line}\n")).collect(),
        };
        let mut comparison = Comparison::default();
        let valid = |point: &&Bindings| {
            let mut conditions = 0..equation.conditions.len();
            conditions.all(|which| holds(&model, &format!("condition_{which}"), point))
        };
        let points: Vec<&Bindings> = points.iter().filter(valid).collect();
        for (number, step) in equation.steps.iter().enumerate() {
            let (mut compared, mut of_laws) = (false, false);
            for point in &points {
                for place in places(&model, number, &step.scope, point) {
                    let premise =
                        |which| holds(&model, &format!("premise_{number}_{which}"), &place);
                    let mut premises = step.premises.iter().enumerate();
                    if premises.any(|(which, p)| p.status == Status::Case && !premise(which)) {
                        continue;
                    }
                    for (left, right) in sides(&ground, step, &place) {
                        compared = true;
                        of_laws |= matches!(left, Side::Law(_));
                        if !right.as_ref().is_some_and(|right| agree(&left, right)) {
                            let sides = [Some(left), right].map(|side| said(side.as_ref()));
                            comparison.wrong.push(fault(step, &sides, &place));
                        }
                    }
                }
            }
            comparison.of_laws += usize::from(of_laws);
            if !compared {
                comparison
                    .nowhere
                    .push(format!("{}: {}", step.rule, step.left));
            }
        }
        comparison
    }
}

fn fault(step: &StepText, [left, right]: &[String; 2], place: &Bindings) -> String {
    let (rule, a, b) = (&step.rule, &step.left, &step.right);
    format!(
        "{rule}: {a} is {left}, but {b} is {right} at {}",
        shown_point(place)
    )
}

fn said(side: Option<&Side>) -> String {
    match side {
        None => "undefined".to_string(),
        Some(Side::Scalar(value)) => format!("{value:?}"),
        Some(Side::Law(cumulants)) => format!("a law of {cumulants:?}"),
        Some(Side::Cumulant(value)) => value.to_string(),
    }
}

/// What the sides of a step stand on beside parameters.
struct Ground<'a> {
    file: &'a str,
    arrays: String,
}

/// Both sides of a step where left is defined; of vectors of laws, the sides' first components.
fn sides(ground: &Ground, step: &StepText, place: &Bindings) -> Vec<(Side, Option<Side>)> {
    let (file, declared) = (ground.file, declared(&ground.arrays, place));
    if let Some(left) = side(file, &declared, &step.left, place) {
        return vec![(left, side(file, &declared, &step.right, place))];
    }
    let component = |position: usize| {
        let declared = format!("{declared}numeric component(k) = k == {position}\n");
        let of = |text: &str| {
            side(
                file,
                &declared,
                &text.replace("unitvec(", "component("),
                place,
            )
        };
        Some((of(&step.left)?, of(&step.right)))
    };
    (0..COMPONENTS).filter_map(component).collect()
}

/// By the definition where it has a value or cumulants, else evaluated as it stands.
fn side(file: &str, declared: &str, text: &str, place: &Bindings) -> Option<Side> {
    let of = |operator: &str| {
        let text = format!("{declared}numeric side = {operator}({text})");
        let (tree, sources) = pamela::syntax::parse_model(file, &text, &FileLoader).ok()?;
        let model = Model::check(tree, sources, &FileLoader).ok()?;
        definition(&model, "side", place).ok()
    };
    if let Some(value) = of("") {
        return Some(Side::Scalar(value));
    }
    let cumulants = CUMULANTS.map(|operator| number(&of(operator)?));
    if let [Some(mean), Some(variance), Some(third), Some(fourth)] = cumulants {
        return Some(Side::Law([mean, variance, third, fourth]));
    }
    let law = |text: &str| evaluated(file, &format!("{declared}numeric side = {text}"), place);
    let cumulant = CUMULANTS.iter().enumerate().find_map(|(order, operator)| {
        let operand = text.strip_prefix(operator)?.strip_prefix('(')?;
        Some((order, operand.strip_suffix(')')?))
    });
    match cumulant {
        Some((order, operand)) => Some(Side::Cumulant(law(operand)?[order])),
        None => law(text).map(Side::Law),
    }
}

/// The arrays, and the parameters and indices that have a value.
fn declared(arrays: &str, place: &Bindings) -> String {
    let line = |name: &String| format!("numeric parameter {name}\n");
    let parameters: String = place.keys().map(line).collect();
    format!("{arrays}{parameters}")
}

fn number(value: &Value) -> Option<f64> {
    Some(match value.as_scalar()? {
        Number::Exact(value) => value.to_f64(),
        Number::Real(real) => real.value,
    })
}

/// The cumulants of a law without any rule.
fn evaluated(file: &str, text: &str, place: &Bindings) -> Option<[f64; 4]> {
    let options = Options {
        without_moments: true,
        ..Options::default()
    };
    let model = pamela::Model::read(file, text, &FileLoader).ok()?;
    let value = |(name, value): (&String, &Value)| match value.as_scalar()? {
        Number::Exact(value) => Some((name.clone(), value.to_string())),
        Number::Real(_) => None,
    };
    let values: Option<Vec<(String, String)>> = place.iter().map(value).collect();
    let evaluated = model
        .evaluate(&values?, RuleBase::default(), &options)
        .ok()?;
    let law = evaluated.equations.first()?.law.as_ref()?.cumulants;
    Some([law.mean, law.variance, law.third, law.fourth])
}

fn agree(left: &Side, right: &Side) -> bool {
    // A moment that does not exist is infinite on both sides.
    let close =
        |a: f64, b: f64, scale: f64| a == b || (a - b).abs() <= TOLERANCE * scale.max(1e-300);
    match (left, right) {
        (Side::Scalar(left), Side::Scalar(right)) => {
            same(left, right)
                || matches!((number(left), number(right)), (Some(a), Some(b)) if close(a, b, a.abs()))
        }
        (Side::Law(left), Side::Law(right)) => {
            let deviation = left[1].sqrt();
            let scales = [
                left[0].abs().max(deviation),
                deviation.powi(2),
                deviation.powi(3).max(left[2].abs()),
                deviation.powi(4).max(left[3].abs()),
            ];
            (0..4).all(|order| close(left[order], right[order], scales[order]))
        }
        (Side::Cumulant(own), Side::Scalar(value)) | (Side::Scalar(value), Side::Cumulant(own)) => {
            number(value).is_some_and(|value| close(*own, value, own.abs()))
        }
        (Side::Cumulant(_), _) | (_, Side::Cumulant(_)) => false,
        // A law that turned out to be a number, or the reverse.
        (Side::Law(law), Side::Scalar(value)) | (Side::Scalar(value), Side::Law(law)) => {
            let is =
                |value| close(law[0], value, law[0].abs()) && law[1..].iter().all(|k| *k == 0.0);
            number(value).is_some_and(is)
        }
    }
}
