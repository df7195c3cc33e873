//! What the tests that compare closed forms with the definition share.

pub mod corpus;
pub mod points;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use pamela::Options;
use pamela::expr::Arena;
use pamela::formula::{Formula, Notation};
use pamela::model::{Evaluator, Fraction, Limits, Model, Number, Value};
use pamela::syntax::tree::Type;
use pamela::syntax::{FileLoader, parse_model};
use pamela::timing::lower;

use corpus::CorpusModel;

/// What several tests need of each file, found once.
pub struct Memo<T>(Mutex<BTreeMap<PathBuf, Slot<T>>>);

type Slot<T> = Arc<OnceLock<Arc<[T]>>>;

impl<T> Memo<T> {
    pub const fn new() -> Memo<T> {
        Memo(Mutex::new(BTreeMap::new()))
    }

    pub fn get(&self, path: &Path, find: impl FnOnce() -> Vec<T>) -> Arc<[T]> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = all.entry(path.to_owned()).or_default().clone();
        // Other threads look at other files meanwhile.
        drop(all);
        slot.get_or_init(|| find().into()).clone()
    }
}

/// What the parameters are at a point.
pub type Bindings = BTreeMap<String, Value>;

/// One closed form as text, with what it claims.
#[derive(Clone, Debug)]
pub struct Closed {
    pub name: String,
    pub formula: String,
    /// Each is 1 where it holds.
    pub conditions: Vec<String>,
    pub open_reductions: usize,
    /// True if the conditions say where there is a value at all.
    pub asks: bool,
}

/// Reads and checks a model; `name` is the path that includes are relative to.
pub fn read(name: &str, text: &str) -> Model {
    let checked = parse_model(name, text, &FileLoader)
        .and_then(|(tree, sources)| Model::check(tree, sources, &FileLoader));
    checked.unwrap_or_else(|error| panic!("{name} is not a model: {error}\n{text}"))
}

/// The value of an equation by its definition; `T_main` and its like are found in the process `main`.
pub fn definition(model: &Model, name: &str, bindings: &Bindings) -> Result<Value, String> {
    let mut evaluator = Evaluator::new(model, bindings, Limits { steps: 2_000_000 });
    evaluator
        .equation(name)
        .map_err(|diagnostic| diagnostic.message)
}

/// Components by array and index.
pub type Demands = BTreeMap<(Arc<str>, Fraction), Number>;

/// The components of a vector that are not 0: two vectors with the same ones are the same demand.
pub fn demands(value: &Value) -> Demands {
    match value {
        Value::Scalar(_) => BTreeMap::new(),
        Value::Vector(vector) => vector
            .components()
            .into_iter()
            .filter(|(_, component)| !component.is_zero())
            .collect(),
    }
}

/// Equal as numbers, exactly where both are exact; vectors by components, 0 where none is named.
pub fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Scalar(left), Value::Scalar(right)) => same_number(left, right),
        (Value::Vector(_), Value::Vector(_)) => {
            let (left, right) = (demands(left), demands(right));
            let nothing = Number::from(0);
            let agree = |key| {
                let at = |demands: &Demands| demands.get(key).unwrap_or(&nothing).clone();
                same_number(&at(&left), &at(&right))
            };
            left.keys().chain(right.keys()).all(agree)
        }
        // The empty vector prints as a scalar zero and the reverse.
        (Value::Scalar(scalar), vector) | (vector, Value::Scalar(scalar)) => {
            scalar.is_zero() && demands(vector).is_empty()
        }
    }
}

fn same_number(left: &Number, right: &Number) -> bool {
    match (left, right) {
        (Number::Exact(left), Number::Exact(right)) => left == right,
        _ => {
            let (left, right) = (as_double(left), as_double(right));
            (left - right).abs() <= 1e-12 * left.abs().max(right.abs()).max(1.0)
        }
    }
}

pub fn as_double(number: &Number) -> f64 {
    match number {
        Number::Exact(value) => value.to_f64(),
        Number::Real(real) => real.value,
    }
}

/// True if a 0/1 value is 1.
pub fn is_true(value: &Value) -> bool {
    value.as_scalar().is_some_and(Number::is_one)
}

/// How closed forms stand to the definition at some points.
#[derive(Default)]
pub struct Comparison {
    /// Equation, formula, point and the two values, where they differ although all conditions hold.
    pub wrong: Vec<String>,
    /// The equations with a point at which the definition has a value and all conditions hold.
    pub compared: BTreeSet<String>,
    /// At how many points the definition was undefined, and the closed form with its conditions, too.
    pub undefined: usize,
}

/// True if the definition ends for want of room or time, where a closed form may well have a value.
fn is_out_of_reach(reason: &str) -> bool {
    ["the number is too long", "steps", "not a finite number"]
        .iter()
        .any(|known| reason.contains(known))
}

/// Compares closed forms of a model with the definition, exactly, where its conditions hold.
///
/// Formulas and conditions are read back from their text and evaluated by the definitional evaluator,
/// so that the printer is under test too.
pub fn compare(name: &str, text: &str, closed: &[Closed], points: &[Bindings]) -> Comparison {
    let model = read(name, text);
    let results = read("results", &results_text(&model, closed));
    let mut comparison = Comparison::default();
    for point in points {
        for (number, closed) in closed.iter().enumerate() {
            let expected = definition(&model, &closed.name, point);
            if expected
                .as_ref()
                .is_err_and(|reason| is_out_of_reach(reason))
            {
                continue;
            }
            let holds = |which: usize| {
                definition(&results, &format!("condition_{number}_{which}"), point)
                    .is_ok_and(|value| is_true(&value))
            };
            if !(0..closed.conditions.len()).all(holds) {
                comparison.undefined += usize::from(expected.is_err());
                continue;
            }
            let value = definition(&results, &format!("closed_{number}"), point);
            if matches!(&value, Err(reason) if reason.contains("the number is too long")) {
                // As in a quotient of `fact(80000)` and another.
                continue;
            }
            if expected.is_ok() {
                comparison.compared.insert(closed.name.clone());
            }
            match (&value, &expected) {
                (Ok(value), Ok(expected)) if same(value, expected) => {}
                (Err(_), Err(_)) => comparison.undefined += 1,
                _ if expected.is_err() && !closed.asks => {}
                (other, _) => comparison.wrong.push(format!(
                    "{name}: {} is {}, but its closed form {} with conditions {:?} is {} at {}",
                    closed.name,
                    shown(&expected),
                    closed.formula,
                    closed.conditions,
                    shown(other),
                    shown_point(point)
                )),
            }
        }
    }
    comparison
}

/// A model that states the closed forms and their conditions, over bare parameters.
pub fn results_text(model: &Model, closed: &[Closed]) -> String {
    let units = model.units().declared().iter();
    let mut text: String = units.map(|unit| format!("{unit}\n")).collect();
    for parameter in model.parameters() {
        text.push_str(&format!("numeric parameter {}\n", parameter.name.text));
    }
    for equation in model.equations() {
        let array = &equation.name.text;
        if equation.kind == Type::Resource && model.is_resource_array(array) {
            text.push_str(&format!("resource parameter {array}(i)\n"));
        }
    }
    for (number, closed) in closed.iter().enumerate() {
        text.push_str(&format!("numeric closed_{number} = {}\n", closed.formula));
        for (which, condition) in closed.conditions.iter().enumerate() {
            text.push_str(&format!(
                "numeric condition_{number}_{which} = {condition}\n"
            ));
        }
    }
    text
}

/// A value as a reader of a failed test wants it.
pub fn shown(value: &Result<Value, String>) -> String {
    match value {
        Ok(Value::Scalar(Number::Exact(value))) => value.to_string(),
        Ok(Value::Scalar(Number::Real(real))) => real.value.to_string(),
        Ok(vector) => format!("{:?}", demands(vector)),
        Err(reason) => format!("undefined ({reason})"),
    }
}

/// `N = 3, P = 1`
pub fn shown_point(point: &Bindings) -> String {
    let parts: Vec<String> = point
        .iter()
        .map(|(name, value)| format!("{name} = {}", shown(&Ok(value.clone()))))
        .collect();
    parts.join(", ")
}

/// The equations of a model before any simplification, with the same names as its closed forms.
pub fn lowered(name: &str, text: &str) -> Result<Vec<Closed>, String> {
    let mut arena = Arena::new();
    let lowered = lower(&read(name, text), &mut arena).map_err(|error| error.to_string())?;
    let arena = Arc::new(arena);
    // Parts have no definition in the model.
    let own = lowered.equations.into_iter().filter(|e| !e.auxiliary);
    let equations = own.map(|equation| Closed {
        name: equation.name,
        formula: Formula::new(arena.clone(), equation.expr, Vec::new()).pamela(),
        conditions: Vec::new(),
        open_reductions: 0,
        asks: false,
    });
    Ok(equations.collect())
}

/// The closed forms of a model, all four of each process, in the order of the model.
pub fn closed_forms(name: &str, text: &str) -> Result<Vec<Closed>, String> {
    closed_forms_by(name, text, false)
}

/// The closed forms of a model of the corpus, which are found once for all tests.
pub fn simplified(model: &CorpusModel) -> Arc<[Closed]> {
    static FOUND: Memo<Closed> = Memo::new();
    FOUND.get(&model.path, || {
        closed_forms(model.file(), &model.text)
            .unwrap_or_else(|error| panic!("{}: {error}", model.name))
    })
}

/// The same, assuming nothing if `strict`.
pub fn closed_forms_by(name: &str, text: &str, strict: bool) -> Result<Vec<Closed>, String> {
    let options = Options {
        strict,
        all: true,
        ..Options::default()
    };
    let simplified = pamela::Model::read(name, text, &FileLoader)
        .and_then(|model| model.simplify(&options))
        .map_err(|error| error.to_string())?;
    let closed = simplified.equations.into_iter().map(|equation| Closed {
        name: equation.name,
        formula: equation.formula.pamela(),
        conditions: equation.formula.condition_texts(Notation::Pamela),
        open_reductions: equation.formula.open_reductions(),
        asks: true,
    });
    Ok(closed.collect())
}
