//! Conditions on points, as expressions of the language.

use super::reading::constant;
use crate::compiled::{Compiled, Input, Plan, Workspace};
use crate::diagnostic::{Cause, Diagnostic, Error, Result};
use crate::formula::Formula;
use crate::model::predefined;
use crate::pipeline::{Model, Options, Shown};
use crate::syntax::parse_expression;
use crate::syntax::rewrite::map_operands;
use crate::syntax::tree::ExprKind;

/// Units for reading conditions.
pub struct Units<'u> {
    /// The unit of a parameter or an equation.
    pub of: &'u dyn Fn(&str) -> Option<Shown>,
    /// The units that the model declares, as text.
    pub declared: &'u str,
}

impl Units<'_> {
    /// Units of a model without units.
    pub const NONE: Units<'static> = Units {
        of: &|_| None,
        declared: "",
    };
}

/// A condition over named numbers. A point is kept if the condition is 1.
#[derive(Clone, Debug)]
pub struct Filter {
    text: String,
    plan: Plan,
    names: Vec<String>,
    /// Columns of quantiles, `T_main_q0.5`, with the names that stand for them in the plan.
    quantiles: Vec<(String, String)>,
    /// True to keep points at which the condition has no value; the table then gives the reason.
    keeps_unknown: bool,
}

impl Filter {
    /// Reads a condition over `names`.
    ///
    /// # Errors
    /// Fails if the text is not an expression over the names.
    pub fn new(text: &str, names: &[&str], units: &Units<'_>) -> Result<Filter> {
        let known = names;
        let quantiles = quantiles(names);
        let written = with_aliases(text, &quantiles);
        let aliases = quantiles.iter().map(|(alias, _)| alias.as_str());
        let plain = names.iter().copied().filter(|name| is_name(name));
        let names: Vec<&str> = plain.chain(aliases).collect();
        let column = |name: &str| {
            let own = quantiles.iter().find(|(alias, _)| alias == name);
            own.map_or(name.to_owned(), |(_, column)| column.clone())
        };
        if text.contains('%') {
            let message = format!("cannot read the condition `{text}`: `%` begins a comment");
            return Err(Error::new(message).hint("a remainder is written `a mod b`"));
        }
        let mut own = "condition".to_string();
        while names.contains(&own.as_str()) {
            own.push('_');
        }
        let has_units = names.iter().any(|name| (units.of)(&column(name)).is_some());
        let parameters = names.iter().map(|name| match (units.of)(&column(name)) {
            Some(shown) => format!("numeric parameter {name} : [{}]\n", shown.unit),
            None if has_units => format!("numeric parameter {name} : [1]\n"),
            None => format!("numeric parameter {name}\n"),
        });
        let declared = units.declared;
        let model = format!(
            "{declared}{}numeric {own} = {written}\n",
            parameters.collect::<String>()
        );
        let parsed = Model::read("the condition", &model, &crate::syntax::NoFiles);
        let compiled: Result<Compiled> =
            parsed.and_then(|model| model.compile(&Options::default()));
        let compiled = compiled.map_err(|error| {
            let first = error.diagnostics.into_iter().next();
            // The advice on declaring a name in a model does not apply here.
            let told = |d: Diagnostic| {
                let hint = d.hint.filter(|_| d.cause != Cause::Undeclared);
                (d.message, hint)
            };
            let (reason, hint) = first.map_or_else(Default::default, told);
            let known = known.join(", ");
            let message =
                format!("cannot read the condition `{text}`: {reason}; it can use {known}");
            match hint {
                Some(hint) => Error::new(message).hint(hint),
                None => Error::new(message),
            }
        })?;
        let used: Vec<String> = compiled
            .equations()
            .iter()
            .flat_map(|e| e.formula.parameters())
            .map(|name| column(&name))
            .collect();
        Ok(Filter {
            text: text.to_string(),
            plan: compiled.plan_of_values(&[])?,
            names: used,
            quantiles,
            keeps_unknown: false,
        })
    }

    /// Reads a condition over columns, or else over names of the model by `plan`.
    ///
    /// # Errors
    /// Fails if the text is neither.
    pub(crate) fn read(
        text: &str,
        names: &[&str],
        units: &Units<'_>,
        plan: impl FnOnce(&str) -> Result<Plan>,
    ) -> Result<Filter> {
        let of_columns = match Filter::new(text, names, units) {
            Ok(filter) => return Ok(filter),
            Err(error) => error,
        };
        if !speaks_of_laws(text) {
            return Err(of_columns);
        }
        let plan = plan(text)?;
        let formulas = plan.formulas().flat_map(Formula::parameters);
        Ok(Filter {
            text: text.to_owned(),
            names: formulas.collect(),
            quantiles: Vec::new(),
            plan,
            keeps_unknown: false,
        })
    }

    /// A filter for the assumptions of the model; `None` if it has none.
    ///
    /// # Errors
    /// Fails like [`Compiled::plan`].
    pub(super) fn of_assumptions(plan: &Plan) -> Result<Option<Filter>> {
        let assumptions = plan.of_assumptions()?;
        Ok(assumptions.map(|plan| Filter {
            text: String::new(),
            names: plan.parameters().to_vec(),
            quantiles: Vec::new(),
            plan,
            keeps_unknown: true,
        }))
    }

    /// The condition as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The names in the condition.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Formulas that are 1 where the condition holds.
    pub(crate) fn formulas(&self) -> impl Iterator<Item = &Formula> {
        self.plan.formulas()
    }

    /// Creates the buffers that a thread reuses from batch to batch.
    pub fn workspace(&self) -> Workspace {
        self.plan.workspace()
    }

    /// Returns the indices of the kept points among `length` points; `named` gives their values.
    pub fn kept(
        &self,
        named: &dyn Fn(&str) -> Option<Input>,
        length: usize,
        workspace: &mut Workspace,
    ) -> Vec<usize> {
        let zero = || constant("0").map_or(Input::Default, Input::Constant);
        let column = |name: &String| {
            let own = self.quantiles.iter().find(|(alias, _)| alias == name);
            named(own.map_or(name, |(_, column)| column))
        };
        let input = |name: &String| column(name).unwrap_or_else(zero);
        let inputs: Vec<Input> = self.plan.parameters().iter().map(input).collect();
        let mut values = vec![vec![0.0; length]; self.plan.equations().count()];
        let mut views: Vec<&mut [f64]> = values.iter_mut().map(Vec::as_mut_slice).collect();
        self.plan.put_all(&inputs, length, workspace, &mut views);
        let is_kept = |value: f64| value == 1.0 || self.keeps_unknown && value.is_nan();
        let holds = |lane: &usize| values.iter().all(|values| is_kept(values[*lane]));
        (0..length).filter(holds).collect()
    }
}

/// True if a condition calls functions of laws or of processes, which no column is an argument of.
fn speaks_of_laws(text: &str) -> bool {
    let Ok((condition, _)) = parse_expression("the condition", text) else {
        return false;
    };
    let is_asked = |name: &str| predefined::is_moment(name) || predefined::measure(name).is_some();
    let mut pending = vec![condition];
    while let Some(part) = pending.pop() {
        if matches!(&part.kind, ExprKind::Call(name, _) if is_asked(&name.text)) {
            return true;
        }
        map_operands(&part, &mut |operand| {
            pending.push(operand.clone());
            operand.clone()
        });
    }
    false
}

/// True for a name of the language; the column `T_main_q0.5` of a quantile is not one.
fn is_name(text: &str) -> bool {
    text.chars().all(is_letter)
}

fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The columns that are not names, each with a name that stands for it, longest first.
fn quantiles(columns: &[&str]) -> Vec<(String, String)> {
    let own = columns.iter().filter(|column| !is_name(column));
    let alias = |column: &str| {
        let mut alias = column.replace(|letter| !is_letter(letter), "_");
        while columns.contains(&alias.as_str()) {
            alias.push('_');
        }
        alias
    };
    let mut found: Vec<(String, String)> = own
        .map(|column| (alias(column), (*column).to_owned()))
        .collect();
    found.sort_by_key(|(_, column)| std::cmp::Reverse(column.len()));
    found
}

/// A condition with names in place of the columns of quantiles.
fn with_aliases(text: &str, quantiles: &[(String, String)]) -> String {
    let mut written = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let begins = !written.ends_with(is_letter);
        let is_whole = |column: &str| {
            let after = rest.strip_prefix(column);
            after.is_some_and(|after| !after.starts_with(is_letter))
        };
        let found = quantiles
            .iter()
            .find(|(_, column)| begins && is_whole(column));
        let taken = match found {
            Some((alias, column)) => {
                written.push_str(alias);
                column.len()
            }
            None => {
                written.push(letter);
                letter.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    written
}
