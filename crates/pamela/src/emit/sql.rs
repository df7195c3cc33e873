//! A query that adds value and condition columns to a table `points`.

use std::collections::{BTreeSet, HashMap};

use super::comment::comment;
use super::notation::{Divisor, Notation, Obstacle, Translation};
use super::reserved::Names;
use super::{Function as Emitted, Language};
use crate::compiled::Parameter;
use crate::diagnostic::{Error, Result};
use crate::expr::{Domain, Function, Relation};
use crate::ring::Rational;

/// The name in quotes, with its case.
fn quoted(name: &str) -> String {
    format!("\"{name}\"")
}

/// Operators on doubles; `NULL` means that there is no value.
pub(super) struct Sql;

impl Notation for Sql {
    fn number(&self, value: &Rational) -> String {
        let value = value.to_f64();
        if !value.is_finite() {
            "NULL".to_string()
        } else if value < 0.0 {
            format!("({value:e})")
        } else {
            format!("{value:e}")
        }
    }

    fn call(&self, names: &Names, name: &str, _: &[String]) -> String {
        quoted(&names.of(name))
    }

    fn name(&self, name: &str) -> String {
        quoted(name)
    }

    fn root(&self, _: &str, _: i64) -> Option<String> {
        None
    }

    fn logarithm(&self, _: &str, _: &str) -> Option<String> {
        None
    }

    fn beside(&self, found: &str, whole: &str, power: &str, operand: &str) -> String {
        let plain = format!("{operand} = FLOOR({operand}) AND {operand} >= 1.0");
        let (up, down) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0);
        format!(
            "CASE WHEN NOT ({plain}) THEN {found} WHEN {power} = {operand} THEN {whole} WHEN {power} < {operand} AND \
             {found} <= {whole} THEN {whole} * {up:?} WHEN {power} > {operand} AND {found} >= {whole} THEN {whole} * \
             {down:?} ELSE {found} END"
        )
    }

    fn binomial(&self, _: &str, _: &str) -> Translation {
        Err(Obstacle::Function("fact", "SQL"))
    }

    fn factorials(&self, _: &str, _: &str) -> Translation {
        Err(Obstacle::Function("fact", "SQL"))
    }

    fn distance(&self, operand: &str) -> String {
        let down = format!("{operand} - FLOOR({operand})");
        let up = format!("FLOOR({operand}) + 1.0 - {operand}");
        format!("CASE WHEN {down} <= {up} THEN {down} ELSE {up} END")
    }

    fn decided(&self, distance: &str, error: &str, grid: &str) -> String {
        format!(
            "({distance} IS NULL OR ({error} < 1e308 AND {distance} > {error}) OR ({distance} = 0.0 AND 2.0 * {error} * {grid} < 1.0))"
        )
    }

    fn call_holds(&self, names: &Names, name: &str, _: &[String]) -> String {
        format!("{} = 1.0", quoted(&names.holds(name)))
    }

    fn repeats_operands(&self) -> bool {
        true
    }

    fn quotient(&self, above: &str, below: &str, divisor: Divisor) -> String {
        match divisor {
            Divisor::Number => format!("({above} / {below})"),
            Divisor::Any => format!("({above} / NULLIF({below}, 0.0))"),
        }
    }

    fn power(&self, base: &str, exponent: &str, known: Option<&Rational>) -> String {
        if let Some(times @ 2..=3) = known.and_then(Rational::to_i64) {
            let factors = vec![base; usize::from(times == 3) + 2];
            return format!("({})", factors.join(" * "));
        }
        match known {
            Some(power) if power.is_integer() => format!("POWER({base}, {exponent})"),
            Some(_) => format!("CASE WHEN {base} >= 0.0 THEN POWER({base}, {exponent}) END"),
            None => format!(
                "CASE WHEN {base} > 0.0 OR ({base} < 0.0 AND {exponent} = FLOOR({exponent})) THEN POWER({base}, \
                 {exponent}) WHEN {base} = 0.0 AND {exponent} > 0.0 THEN 0.0 WHEN {base} = 0.0 AND {exponent} = 0.0 \
                 THEN 1.0 END"
            ),
        }
    }

    fn extreme(&self, largest: bool, operands: &[String]) -> String {
        let sign = if largest { ">=" } else { "<=" };
        // Each against all others, as no operand is written in another.
        let mut cases = String::new();
        for (position, own) in operands.iter().enumerate() {
            let others = operands
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != position);
            let beats: Vec<String> = others
                .map(|(_, other)| format!("{own} {sign} {other}"))
                .collect();
            cases.push_str(&format!(" WHEN {} THEN {own}", beats.join(" AND ")));
        }
        format!("CASE{cases} END")
    }

    fn modulo(&self, a: &str, b: &str) -> String {
        format!("CASE WHEN {b} > 0.0 THEN {a} - {b} * FLOOR({a} / {b}) END")
    }

    fn operate(&self, name: &'static str, _: &str, _: &[String]) -> Translation {
        Err(Obstacle::Function(name, "SQL"))
    }

    fn language(&self) -> &'static str {
        "SQL"
    }

    fn bracket(&self, relation: Relation, a: &str, b: &str) -> String {
        let (holds, fails) = match relation {
            Relation::Less => ("<", ">="),
            Relation::LessEqual => ("<=", ">"),
            Relation::Equal => ("=", "<>"),
        };
        format!("CASE WHEN {a} {holds} {b} THEN 1.0 WHEN {a} {fails} {b} THEN 0.0 END")
    }

    fn relation(&self, relation: Relation, a: &str, b: &str) -> String {
        let sign = match relation {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Equal => "=",
        };
        format!("{a} {sign} {b}")
    }

    fn holds(&self, truth: &str) -> String {
        format!("({truth}) = 1.0")
    }

    fn both(&self, truths: &[String]) -> String {
        match truths {
            [] => "1 = 1".to_string(),
            _ => truths.join(" AND "),
        }
    }

    fn choose(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!(
            "CASE WHEN {condition} <> 0.0 THEN {then} WHEN {condition} = 0.0 THEN {otherwise} END"
        )
    }

    fn apply(&self, function: Function, operand: &str) -> Translation {
        if function == Function::Integer {
            return Ok(format!(
                "CASE WHEN {operand} = FLOOR({operand}) THEN 1.0 WHEN {operand} <> FLOOR({operand}) THEN 0.0 END"
            ));
        }
        let row = function.row();
        let call = match row.sql {
            Some(name) => format!("{name}({operand})"),
            None => return Err(Obstacle::Function(row.name, "SQL")),
        };
        Ok(match row.domain {
            Domain::All => call,
            Domain::NotNegative | Domain::Counts => {
                format!("CASE WHEN {operand} >= 0.0 THEN {call} END")
            }
            Domain::Positive => format!("CASE WHEN {operand} > 0.0 THEN {call} END"),
        })
    }
}

/// # Errors
/// Fails for two names that differ only in case, since SQL does not distinguish them.
fn require_different<'n>(mut names: impl Iterator<Item = &'n String>) -> Result<()> {
    let mut seen = BTreeSet::new();
    match names.find(|name| !seen.insert(name.to_lowercase())) {
        None => Ok(()),
        Some(twice) => Err(Error::new(format!(
            "cannot write SQL: `{twice}` and another name differ only in case, which SQL \
             ignores"
        ))),
    }
}

/// Layers of columns: each uses only earlier layers. Engines that inline columns take minutes if each of hundreds of
/// columns has its own layer.
fn layers(columns: &[(String, String)]) -> Vec<Vec<&(String, String)>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut layers: Vec<Vec<&(String, String)>> = Vec::new();
    for column in columns {
        let (name, text) = column;
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let before = words.filter_map(|word| places.get(word)).max();
        let place = before.map_or(0, |before| before + 1);
        places.insert(name, place);
        match layers.get_mut(place) {
            Some(layer) => layer.push(column),
            None => layers.push(vec![column]),
        }
    }
    layers
}

/// One table after the other from `start`, each with the columns that stand on those of the last.
fn tables(start: &str, columns: &[(String, String)], names: &Names) -> Vec<String> {
    // Parts are mentioned without quotes.
    let column = |name: &str| {
        if name.starts_with(names.part()) {
            name.to_string()
        } else {
            quoted(name)
        }
    };
    let first = format!("step_0 AS ({start})");
    let others = layers(columns).into_iter().enumerate().map(|(k, layer)| {
        let added = layer
            .iter()
            .map(|(name, text)| format!("{text} AS {}", column(name)));
        let added: Vec<String> = added.collect();
        let (next, added) = (k + 1, added.join(", "));
        format!("step_{next} AS (SELECT *, {added} FROM step_{k})")
    });
    std::iter::once(first).chain(others).collect()
}

/// Writes the values and conditions of all functions as one query.
///
/// # Errors
/// Fails if two names differ only in case, which SQL does not distinguish.
pub(super) fn file(functions: &[Emitted], names: &Names, all: &[&Parameter]) -> Result<String> {
    let mut columns: Vec<(String, String)> = Vec::new();
    let mut parameters: Vec<String> = Vec::new();
    let mut results = Vec::new();
    let comment = |words: &str| comment(Language::Sql, words);
    let mut comments = comment("Adds columns to a table `points` that has one for each parameter.");
    for function in functions {
        for parameter in names.all(&function.parameters) {
            if !parameters.contains(&parameter) {
                parameters.push(parameter);
            }
        }
        for note in &function.notes {
            comments.push_str(&comment(&format!("{}: {note}", function.name)));
        }
        let own = names.of(&function.name);
        let values = &function.value.results;
        let own: Vec<String> = match values.len() {
            1 => vec![own],
            several => (0..several).map(|k| format!("{own}_{k}")).collect(),
        };
        columns.extend(function.value.parts.iter().cloned());
        columns.extend(own.iter().cloned().zip(values.iter().cloned()));
        let holds = names.holds(&function.name);
        let all = Sql.both(&function.conditions.results);
        columns.extend(function.conditions.parts.iter().cloned());
        columns.push((
            holds.clone(),
            format!("CASE WHEN {all} THEN 1.0 ELSE 0.0 END"),
        ));
        results.extend(own);
        results.push(holds);
    }
    let double = |p: &String| {
        let p = quoted(p);
        format!("CAST({p} AS DOUBLE PRECISION) AS {p}")
    };
    let doubles: Vec<String> = parameters.iter().map(double).collect();
    let start = if doubles.is_empty() {
        "SELECT * FROM points".to_string()
    } else {
        format!("SELECT {} FROM points", doubles.join(", "))
    };
    let tables = tables(&start, &columns, names);
    for (name, other) in names.renamed() {
        comments.push_str(&comment(&format!("`{name}` is called `{other}`")));
    }
    for meaning in super::functions::meanings(functions, names, all) {
        comments.push_str(&comment(&meaning));
    }
    let added = columns.iter().map(|(name, _)| name);
    require_different(parameters.iter().chain(added))?;
    Ok(format!(
        "{comments}WITH {}\nSELECT {} FROM step_{}\n",
        tables.join(",\n"),
        [parameters.clone(), results]
            .concat()
            .iter()
            .map(|name| quoted(name))
            .collect::<Vec<_>>()
            .join(", "),
        tables.len() - 1
    ))
}
