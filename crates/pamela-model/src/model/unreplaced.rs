//! Warns about `at(e, P, v)` if the replacement probably does not do what the author means.

use std::collections::{BTreeSet, HashMap};

use super::{Model, order, walk};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::{Expr, ExprKind, Name, Value};

/// Calls that are looked at; each may come to all equations.
const MAX_CALLS: usize = 100;

/// The equations that an equation mentions, by position.
struct Mentions(HashMap<usize, Vec<usize>>);

impl Mentions {
    /// The equations on which `roots` depend, including themselves; equations in `without` are not followed.
    fn cone(&mut self, model: &Model, roots: &[usize], without: &[usize]) -> BTreeSet<usize> {
        let (mut found, mut open) = (BTreeSet::new(), roots.to_vec());
        while let Some(next) = open.pop() {
            if found.insert(next) && !without.contains(&next) {
                open.extend(self.of(model, next));
            }
        }
        found
    }

    fn of(&mut self, model: &Model, position: usize) -> &[usize] {
        self.0.entry(position).or_insert_with(|| {
            let mentioned = order::mentions(model, &model.equations[position]);
            mentioned.into_iter().map(|(used, _)| used).collect()
        })
    }
}

/// Finds replacements without effect, and replacements of values while something that they depend
/// on is not replaced.
pub(super) fn warnings(model: &Model) -> Vec<Diagnostic> {
    let mut mentions = Mentions(HashMap::new());
    let mut found = Vec::new();
    let mut calls = 0;
    for equation in &model.equations {
        let Some(value) = &equation.value else {
            continue;
        };
        let root = match value {
            Value::Numeric(e) | Value::Resource(e) => walk::Part::Expr(e),
            Value::Process(p) => walk::Part::Process(p),
        };
        walk::calls(root, &mut |name: &Name, arguments| {
            if name.text == "at" && model.position("at").is_none() && calls < MAX_CALLS {
                calls += 1;
                of_call(model, &mut mentions, arguments, &mut found);
            }
        });
    }
    found
}

fn of_call(
    model: &Model,
    mentions: &mut Mentions,
    arguments: &[Expr],
    found: &mut Vec<Diagnostic>,
) {
    let Some((of, pairs)) = arguments.split_first() else {
        return;
    };
    let targets = pairs
        .chunks_exact(2)
        .filter_map(|pair| match &pair[0].kind {
            ExprKind::Name(name) => Some((model.position(name)?, name.as_str(), pair[0].span)),
            _ => None,
        });
    let targets: Vec<(usize, &str, Span)> = targets.collect();
    let replaced: Vec<usize> = targets.iter().map(|target| target.0).collect();
    let mut roots = Vec::new();
    walk::free_names_of(of, &[], &mut |name, _| roots.extend(model.position(name)));
    let cone = mentions.cone(model, &roots, &replaced);
    for (position, name, span) in targets {
        if !cone.contains(&position) {
            let message = format!("`{of}` does not depend on `{name}`");
            found.push(
                Diagnostic::warning(message, span, "replaced without effect".to_owned()).hint(
                    "remove the replacement, or replace a name that the expression depends on",
                ),
            );
            continue;
        }
        if model.equations[position].parameter {
            continue;
        }
        let sources = mentions.cone(model, &[position], &[]);
        let mut kept = sources.intersection(&cone);
        let kept =
            kept.find(|source| model.equations[**source].parameter && !replaced.contains(source));
        if let Some(&kept) = kept {
            let kept = &model.equations[kept].name.text;
            let message = format!("`{name}` is computed from `{kept}`, which keeps its value here");
            found.push(
                Diagnostic::warning(message, span, format!("only `{name}` itself is replaced"))
                    .hint(format!("replace `{kept}`, and `{name}` follows")),
            );
        }
    }
}
