//! The branches, loops, messages and values of functions, by name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::lowering::mpi::{elements, plain};
use crate::source::tree::*;
use crate::source::{Family, Unit};

/// The site of values at the beginning of a function.
pub const AT_BEGIN: &str = "begin";

/// The parameters that the counts of sites depend on, as `#pragma pamela depends(n, P)` states for the statement
/// around them.
pub fn dependences(units: &[Unit]) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for function in units.iter().flat_map(|unit| &unit.program.functions) {
        let sites = sites(function);
        function.body.walk(&mut |statement| {
            let stated = statement.pragmas.iter();
            let stated = stated.filter(|pragma| pragma.family == Family::Pamela);
            let Some(names) = stated
                .filter_map(|pragma| pragma.argument("depends"))
                .next()
            else {
                return;
            };
            let names: Vec<String> = names
                .split(',')
                .map(|name| name.trim().to_string())
                .collect();
            // Pragmas of inner statements come later and take precedence.
            let span = statement.span;
            let inside = sites
                .iter()
                .filter(|(start, _)| (span.start..span.end).contains(start));
            for (_, site) in inside {
                all.insert(format!("{}/{site}", function.name), names.clone());
            }
        });
    }
    all
}

/// The branches, loops and values of a function by their start, and its messages by the end of their calls; numbered
/// by kind in the order of the text.
pub fn sites(function: &Function) -> HashMap<usize, String> {
    let mut sites = HashMap::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    function.body.walk(&mut |statement| {
        let kind = match &statement.kind {
            StatementKind::If { .. } => "if",
            StatementKind::For { .. } => "for",
            StatementKind::While { .. } => "while",
            StatementKind::DoWhile { .. } => "do",
            StatementKind::Switch { .. } => "switch",
            _ => return,
        };
        let number = numbers.entry(kind).or_insert(0);
        *number += 1;
        sites
            .entry(statement.span.start)
            .or_insert_with(|| format!("{kind}{number}"));
    });
    // Branches inside expressions come behind those of statements.
    function.body.walk_expressions(&mut |expression| {
        let (kind, at) = match &expression.kind {
            ExpressionKind::Conditional(..) => ("choice", expression.span.start),
            ExpressionKind::Binary(operator, ..) if operator == "&&" || operator == "||" => {
                ("both", expression.span.start)
            }
            ExpressionKind::Call(called, _) => {
                match called.name().and_then(plain).and_then(elements) {
                    Some(_) => ("message", expression.span.end),
                    None => return,
                }
            }
            _ => return,
        };
        let number = numbers.entry(kind).or_insert(0);
        *number += 1;
        sites.entry(at).or_insert_with(|| format!("{kind}{number}"));
    });
    of_values(function, &mut sites);
    sites
}

/// Other sites that give a variable its value: declarations, assignments and calls; and uses of members.
fn of_values(function: &Function, sites: &mut HashMap<usize, String>) {
    let mut starts = BTreeSet::new();
    function.body.walk(&mut |statement| {
        if let StatementKind::Declaration(_) | StatementKind::Expression(_) = statement.kind {
            starts.insert(statement.span.start);
        }
    });
    function.body.walk_expressions(&mut |expression| {
        let may_give = match &expression.kind {
            ExpressionKind::Assign(..) | ExpressionKind::Field { .. } => true,
            // Constants of an MPI that is installed are casts, which may look like calls.
            ExpressionKind::Call(_, arguments) => arguments.iter().any(is_place),
            _ => false,
        };
        if may_give {
            starts.insert(expression.span.start);
        }
    });
    starts.retain(|start| !sites.contains_key(start));
    let numbered = (1..).zip(starts);
    sites.extend(numbered.map(|(number, start): (usize, usize)| (start, format!("set{number}"))));
}

/// `n` or `&n`.
fn is_place(argument: &Expression) -> bool {
    match &argument.kind {
        ExpressionKind::Name(_) => true,
        ExpressionKind::Unary(operator, _) => operator == "&",
        _ => false,
    }
}
