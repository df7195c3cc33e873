//! Conditions as combinations of comparisons.

use crate::diagnostic::{Error, Result};
use crate::model::{predefined, walk};
use crate::pipeline::{Asked, Model, Options, replace_names};
use crate::ring::Rational;
use crate::syntax::parse_expression;
use crate::syntax::tree::{Expr, ExprKind, Relation, Value as Definition};

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// A number as it is written.
    Number(Rational),
    /// An equation of the model.
    Equation {
        /// Its name.
        name: String,
        /// The text that it stands for.
        text: String,
    },
}

/// A condition; nothing is negated but comparisons.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// One comparison.
    Compare(Relation, Side, Side),
    /// From left to right: what follows a part that does not hold need not have a value.
    All(Vec<Condition>),
    /// From left to right: what follows a part that holds need not have a value.
    Any(Vec<Condition>),
}

/// A model with an equation for each side of the comparisons of a condition.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The model with the equations.
    pub model: Model,
    /// The conditions as they were given.
    pub texts: Vec<String>,
    /// The condition that must hold.
    pub condition: Condition,
    /// The equation that is 1 where the condition holds, for points that are evaluated one by one.
    pub truth: String,
    /// Options under which the sides have closed forms.
    pub options: Options,
    /// Names in the conditions that the model lacks; they became parameters.
    pub introduced: Vec<String>,
}

impl Side {
    /// The equation, if the side is not a number.
    pub fn equation(&self) -> Option<&str> {
        match self {
            Side::Number(_) => None,
            Side::Equation { name, .. } => Some(name),
        }
    }
}

impl Condition {
    /// The comparisons in order.
    pub fn comparisons(&self) -> Vec<(Relation, &Side, &Side)> {
        match self {
            Condition::Compare(relation, left, right) => vec![(*relation, left, right)],
            Condition::All(list) | Condition::Any(list) => {
                list.iter().flat_map(Condition::comparisons).collect()
            }
        }
    }
}

impl Problem {
    /// Reads conditions over the names of a model; all of them must hold. Commas separate conditions in a text.
    ///
    /// # Errors
    /// Fails if a text is not a condition over the names of the model, or if its units do not agree.
    pub fn new(model: &Model, texts: &[String]) -> Result<Problem> {
        let mut reading = Reading {
            model: model.clone(),
            sides: Vec::new(),
        };
        let parts = texts.iter().flat_map(|text| split(text));
        let parts: Vec<String> = parts.map(|text| with_means(model, &text)).collect();
        let trees = parts
            .iter()
            .map(|text| {
                Ok(Definition::Numeric(
                    parse_expression("the condition", text)?.0,
                ))
            })
            .collect::<Result<Vec<Definition>>>()?;
        let mut introduced = Vec::new();
        for (text, tree) in parts.iter().zip(&trees) {
            for name in new_names(&reading.model, text, tree)? {
                reading.model = reading.model.with_parameter(&name)?;
                introduced.push(name);
            }
        }
        let (mut all, mut asked) = (Vec::new(), Vec::new());
        for tree in &trees {
            if let Definition::Numeric(condition) = tree {
                all.push(reading.condition(condition, false)?);
            }
            walk::free_names(tree, &[], &mut |name, _, _| asked.push(Asked::by(name)));
        }
        let written: Vec<String> = parts.iter().map(|text| format!("({text})")).collect();
        let (model, truth) = reading.model.with_expression(&written.join(" && "))?;
        let is_part = |asked: &Asked| matches!(asked, Asked::Part | Asked::Bound { is_part: true });
        let options = Options {
            all: asked.iter().any(is_part),
            bounds: asked.iter().any(|asked| asked.is_bound()),
            times: asked.contains(&Asked::Time),
            without_moments: true,
            only: reading.sides,
            ..Options::default()
        };
        let condition = match <[Condition; 1]>::try_from(all) {
            Ok([one]) => one,
            Err(all) => Condition::All(all),
        };
        Ok(Problem {
            model,
            texts: parts,
            condition,
            truth,
            options,
            introduced,
        })
    }
}

impl Problem {
    /// The names of the equations that are compared.
    pub fn sides(&self) -> Vec<&str> {
        let sides = self.condition.comparisons().into_iter();
        let sides = sides.flat_map(|(_, left, right)| [left, right]);
        sides.filter_map(Side::equation).collect()
    }

    /// The text of the equation of a side.
    pub fn text_of(&self, wanted: &str) -> String {
        let sides = self.condition.comparisons().into_iter();
        let mut sides = sides.flat_map(|(_, left, right)| [left, right]);
        let text = sides.find_map(|side| match side {
            Side::Equation { name, text } if name == wanted => Some(text.clone()),
            _ => None,
        });
        text.unwrap_or_else(|| wanted.to_owned())
    }
}

struct Reading {
    model: Model,
    /// The equations of the sides.
    sides: Vec<String>,
}

impl Reading {
    fn condition(&mut self, tree: &Expr, is_negated: bool) -> Result<Condition> {
        let all = |own: &mut Reading, list: &[Expr]| -> Result<Vec<Condition>> {
            list.iter()
                .map(|part| own.condition(part, is_negated))
                .collect()
        };
        Ok(match (&tree.kind, is_negated) {
            (ExprKind::Compare(relation, left, right), _) => {
                let relation = if is_negated {
                    relation.negated()
                } else {
                    *relation
                };
                Condition::Compare(relation, self.side(left)?, self.side(right)?)
            }
            (ExprKind::Not(of), _) => self.condition(of, !is_negated)?,
            (ExprKind::And(list), false) | (ExprKind::Or(list), true) => {
                Condition::All(all(self, list)?)
            }
            (ExprKind::Or(list), false) | (ExprKind::And(list), true) => {
                Condition::Any(all(self, list)?)
            }
            _ => {
                // A value that is 0 or 1, such as `integer(N / P)`.
                let relation = if is_negated {
                    Relation::Equal
                } else {
                    Relation::NotEqual
                };
                if !is_truth(tree) {
                    let message = format!("`{tree}` is not a condition: it compares nothing");
                    return Err(
                        Error::new(message).hint("write a comparison, such as `time_main <= 10`")
                    );
                }
                Condition::Compare(relation, self.side(tree)?, Side::Number(Rational::ZERO))
            }
        })
    }

    fn side(&mut self, tree: &Expr) -> Result<Side> {
        let text = tree.to_string();
        match &tree.kind {
            ExprKind::Number(value) => return Ok(Side::Number(value.clone())),
            ExprKind::Negate(of) => {
                if let ExprKind::Number(value) = &of.kind {
                    return Ok(Side::Number(-value));
                }
            }
            _ => {}
        }
        let is_parameter = |name: &str| {
            let mut parameters = self.model.checked().parameters();
            parameters.any(|own| own.name.text == name)
        };
        let name = match &tree.kind {
            ExprKind::Name(name) if !is_parameter(name) => name.clone(),
            _ => {
                let (model, name) = self.model.with_expression(&text)?;
                self.model = model;
                name
            }
        };
        if !self.sides.contains(&name) {
            self.sides.push(name.clone());
        }
        Ok(Side::Equation { name, text })
    }
}

/// True for an expression that is 0 or 1 by its form.
fn is_truth(tree: &Expr) -> bool {
    matches!(&tree.kind, ExprKind::Call(name, _) if name.text == "integer")
        || matches!(&tree.kind, ExprKind::If(..))
}

/// The parts of a text between commas outside brackets.
fn split(text: &str) -> Vec<String> {
    let (mut depth, mut start) = (0_i64, 0);
    let mut parts = Vec::new();
    for (place, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..place].trim().to_owned());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim().to_owned());
    parts
}

/// Names in a condition that the model lacks.
///
/// # Errors
/// Fails for a name that resembles one of the model, or names a result of a process: a slip would become a parameter.
fn new_names(model: &Model, text: &str, condition: &Definition) -> Result<Vec<String>> {
    let checked = model.checked();
    let mut known: Vec<String> = Vec::new();
    for equation in checked.equations() {
        let name = &equation.name.text;
        known.push(name.clone());
        if matches!(equation.value, Some(Definition::Process(_))) {
            known.extend(["time", "T", "L", "U"].map(|result| format!("{result}_{name}")));
        }
    }
    let (mut found, mut slip) = (Vec::new(), None);
    walk::free_names(condition, &[], &mut |name, _, is_called| {
        let is_known = checked.lookup(name).is_some()
            || model.is_result(name)
            || is_made_of_known(model, name);
        if is_called || is_known || found.iter().any(|own| own == name) {
            return;
        }
        let near = predefined::nearest(name, known.iter().map(String::as_str));
        if near.is_some() || Asked::by(name) != Asked::Other {
            slip = Some((name.to_owned(), near.map(ToOwned::to_owned)));
        } else {
            found.push(name.to_owned());
        }
    });
    let Some((name, near)) = slip else {
        return Ok(found);
    };
    let message = format!("`{name}` in the condition `{text}` is no name of the model");
    let hint = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("its names are `{}`", known.join("`, `")),
    };
    Err(Error::new(message).hint(hint))
}

/// True for a name made of a name of the model, such as `L_main` or `Var_T_main`.
fn is_made_of_known(model: &Model, word: &str) -> bool {
    let mut ends = word.match_indices('_').map(|(place, _)| &word[place + 1..]);
    ends.any(|end| model.checked().lookup(end).is_some() || model.is_result(end))
}

/// A text with `E(time_main)` in place of `E_time_main`.
fn with_means(model: &Model, text: &str) -> String {
    replace_names(text, |word| {
        let of = word.strip_prefix("E_")?;
        let is_value = model.is_result(of) || model.checked().lookup(of).is_some();
        (is_value && model.checked().lookup(word).is_none()).then(|| format!("E({of})"))
    })
}
