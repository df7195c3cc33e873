//! Finds the values of a parameter for which a condition holds, exactly.
//!
//! The condition compares expressions over names of the model. Where all other parameters have numbers, the answer is a
//! union of ranges: of whole numbers, or of real numbers. Each sign is proved, or every point is evaluated; otherwise
//! the question is refused.

mod answer;
mod bounds;
mod condition;
mod formulas;
mod gaps;
mod json;
mod lattice;
mod numeric;
mod range;
mod relaxed;
mod roots;
mod signs;
mod steps;
mod symbolic;
mod terms;
mod tree;
mod truth;

pub use answer::Edge;
pub use condition::{Condition, Problem, Side};
pub use formulas::{Case, FormulaBound, FormulaRange, Formulas, joined, solve_formulas};
pub use json::{of as json, of_formulas as json_of_formulas, of_region as json_of_region};
pub use range::{End, Range};

use std::collections::BTreeMap;

use crate::compiled::Compiled;
use crate::diagnostic::{Error, Result};
use crate::expr::Sort;
use crate::pipeline::{SimplifiedEquation, unknown_name};
use crate::ring::Rational;
use crate::timing::Standing;
use numeric::Line;

/// A parameter to solve for.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Name of the parameter.
    pub name: String,
    /// Only values between these two are looked at.
    pub within: Option<[Rational; 2]>,
}

/// The values of a parameter for which a condition holds.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Name of the parameter.
    pub name: String,
    /// True if the parameter takes whole numbers.
    pub is_whole: bool,
    /// True if it is not declared so, but the closed forms hold only for whole numbers.
    pub is_taken_whole: bool,
    /// The values, in ascending order.
    pub ranges: Vec<Range>,
    /// Values at the ends of ranges and beside them.
    pub edges: Vec<Edge>,
    /// How the compared values relate to the time of a run.
    pub standing: Standing,
    /// True if laws are evaluated numerically in the condition.
    pub is_evaluated: bool,
}

/// The equation of a side of a comparison.
fn side_of<'c>(
    compiled: &'c Compiled,
    problem: &Problem,
    name: &str,
) -> Result<&'c SimplifiedEquation> {
    let Some(found) = compiled.equations().iter().find(|own| own.name == name) else {
        if let Some(error) = compiled.no_formula(name) {
            return Err(error);
        }
        let names: Vec<&str> = compiled
            .equations()
            .iter()
            .map(|own| own.name.as_str())
            .collect();
        return Err(unknown_name(
            format!("there is no value `{name}`"),
            name,
            &names,
        ));
    };
    if found.sort != Sort::Scalar {
        let text = problem.text_of(name);
        let kind = if found.sort == Sort::Law {
            "a law"
        } else {
            "a vector"
        };
        return Err(Error::new(format!(
            "`{text}` is {kind}, and a condition compares numbers"
        ))
        .hint(format!("compare its mean, `E({text})`")));
    }
    Ok(found)
}

/// Solves a condition for one parameter, where all others have numbers.
///
/// # Errors
/// Fails if a parameter has no value, if a fact does not hold, or if the condition is not decided somewhere.
pub fn solve(
    compiled: &Compiled,
    problem: &Problem,
    unknown: &Unknown,
    given: &[(String, Rational)],
) -> Result<Answer> {
    let known = known(compiled, &unknown.name, given)?;
    require_all(compiled, &unknown.name, &known)?;
    let mut line = Line::new(compiled, problem, &unknown.name, known)?;
    if let Some(ends) = &unknown.within {
        line.restrict(ends);
    }
    let answers = line.answer()?;
    let ranges = answer::ranges(&line, &answers);
    let sides = problem.sides();
    let equations = sides
        .iter()
        .filter_map(|name| compiled.equations().iter().find(|own| own.name == **name));
    let standings = equations.clone().map(|own| own.standing.clone());
    Ok(Answer {
        name: unknown.name.clone(),
        is_taken_whole: line.is_taken_whole,
        is_whole: line.lattice == lattice::Lattice::Whole,
        edges: answer::edges(compiled, problem, &line, &ranges),
        ranges,
        standing: Standing::of_all(standings),
        is_evaluated: equations.clone().any(has_laws),
    })
}

/// The values of a second parameter for which a condition holds, for each value of a first one.
#[derive(Clone, Debug)]
pub struct Region {
    /// Names of the parameters.
    pub names: [String; 2],
    /// Values of the first parameter for which some value of the second one meets the condition.
    pub rows: Vec<(Rational, Vec<Range>)>,
    /// How the compared values relate to the time of a run.
    pub standing: Standing,
    /// True if laws are evaluated numerically in the condition.
    pub is_evaluated: bool,
}

/// Values of the first parameter of a region.
const MOST_ROWS: u64 = 10_000;

/// Solves a condition for two parameters, where all others have numbers. The first one takes whole numbers of a range.
///
/// # Errors
/// Fails like [`solve`], or if the first parameter is not whole or has no range.
pub fn solve_region(
    compiled: &Compiled,
    problem: &Problem,
    [first, second]: [&Unknown; 2],
    given: &[(String, Rational)],
) -> Result<Region> {
    let name = &first.name;
    let is_whole = compiled
        .parameters()
        .iter()
        .any(|own| own.name == *name && own.whole);
    let Some([from, to]) = first.within.as_ref().filter(|_| is_whole) else {
        let message = format!(
            "the first of two parameters takes whole numbers of a range; `{name}` has none"
        );
        let other = &second.name;
        return Err(Error::new(message).hint(format!(
            "give it a range, such as `--for {name}=1:64,{other}`; it must be declared `integer`"
        )));
    };
    let (from, to) = (from.ceil(), to.floor());
    let count = (&to - &from)
        .to_i64()
        .and_then(|count| u64::try_from(count).ok());
    let Some(count) = count.filter(|&count| count < MOST_ROWS) else {
        let message = format!(
            "`{name}` takes more than {MOST_ROWS} values, or none, between {from} and {to}"
        );
        return Err(Error::new(message).hint("give it a smaller range"));
    };
    let mut region = Region {
        names: [name.clone(), second.name.clone()],
        rows: Vec::new(),
        standing: Standing::exact(),
        is_evaluated: false,
    };
    for step in 0..=count {
        let at = &from + &Rational::from(step.cast_signed());
        let given = [given, &[(name.clone(), at.clone())]].concat();
        let answer = solve(compiled, problem, second, &given)?;
        (region.standing, region.is_evaluated) = (answer.standing, answer.is_evaluated);
        if !answer.ranges.is_empty() {
            region.rows.push((at, answer.ranges));
        }
    }
    Ok(region)
}

/// The parameters without a number, other than the unknown one.
pub fn free_parameters(
    compiled: &Compiled,
    name: &str,
    given: &[(String, Rational)],
) -> Result<Vec<String>> {
    let known = known(compiled, name, given)?;
    let others = compiled
        .parameters()
        .iter()
        .filter(|own| !own.law && own.name != name);
    let free = others.filter(|own| !known.contains_key(&own.name));
    let free: Vec<String> = free.map(|own| own.name.clone()).collect();
    let model = compiled.model()?.checked();
    match free.iter().find(|own| model.wait_by_runs(own).is_some()) {
        Some(wait) => Err(
            Error::new(format!("`{wait}` is known at points only")).hint(
                "it is the mean wait of runs; `pamela sweep` and `optimise` find it at each point",
            ),
        ),
        None => Ok(free),
    }
}

fn require_all(compiled: &Compiled, name: &str, known: &BTreeMap<String, Rational>) -> Result<()> {
    let others = compiled
        .parameters()
        .iter()
        .filter(|own| !own.law && own.name != name);
    let mut free = others.filter(|own| !known.contains_key(&own.name));
    match free.next() {
        None => Ok(()),
        Some(own) => Err(
            Error::new(format!("the parameter `{}` has no value", own.name))
                .hint(format!("give it one with -D {}=..", own.name)),
        ),
    }
}

/// True if a law has a part in the value.
fn has_laws(equation: &SimplifiedEquation) -> bool {
    let arena = equation.formula.arena();
    let mut seen = std::collections::HashSet::new();
    let mut pending = vec![equation.formula.root()];
    while let Some(id) = pending.pop() {
        if arena.sort(id) == Sort::Law {
            return true;
        }
        pending.extend(arena.operands(id).into_iter().filter(|id| seen.insert(*id)));
    }
    false
}

/// The numbers of all parameters but one.
fn known(
    compiled: &Compiled,
    name: &str,
    given: &[(String, Rational)],
) -> Result<BTreeMap<String, Rational>> {
    let plan = compiled.plan_of_values(&[])?;
    let mut known = BTreeMap::new();
    for own in compiled
        .parameters()
        .iter()
        .filter(|own| !own.law && own.name != name)
    {
        let value = given.iter().find(|(given, _)| *given == own.name);
        let value = value
            .map(|(_, value)| value.clone())
            .or_else(|| plan.default(&own.name));
        if let Some(value) = value {
            known.insert(own.name.clone(), value);
        }
    }
    Ok(known)
}
