//! Names whose addresses may be stored: arrays and pointers that are stored, returned, or passed to a function that
//! stores them. Their contents may be written through another name.

use std::collections::{BTreeMap, BTreeSet};

use super::WholeProgram;
use crate::source::tree::*;

/// Number of uses of each name, minus the uses that do not store its address.
struct Uses<'w, 'a> {
    whole: &'w WholeProgram<'a>,
    at: usize,
    counts: BTreeMap<&'a str, i64>,
}

impl<'a> WholeProgram<'a> {
    /// For each function, the names that it keeps the addresses of.
    pub(super) fn look_for_kept_names(&mut self) {
        self.kept_names = vec![BTreeSet::new(); self.functions.len()];
        loop {
            let kept: Vec<BTreeSet<&str>> = (0..self.functions.len())
                .map(|at| self.kept_by(at))
                .collect();
            if kept == self.kept_names {
                return;
            }
            self.kept_names = kept;
        }
    }

    fn kept_by(&self, at: usize) -> BTreeSet<&'a str> {
        let mut uses = Uses {
            whole: self,
            at,
            counts: BTreeMap::new(),
        };
        let body = &self.functions[at].function.body;
        body.walk_expressions(&mut |expression| uses.look_at(expression));
        body.walk(&mut |statement| {
            for expression in statement.expressions() {
                let is_value = matches!(
                    statement.kind,
                    StatementKind::Return(_) | StatementKind::Declaration(_)
                );
                if !is_value {
                    uses.passes(expression.name());
                }
            }
        });
        let kept = uses.counts.into_iter().filter(|(_, count)| *count > 0);
        kept.map(|(name, _)| name).collect()
    }

    /// True if a call keeps the address that it is given at this place.
    pub fn keeps_argument(&self, function: usize, callee: Option<&str>, place: usize) -> bool {
        let callee = callee.and_then(|name| self.function(name, function));
        callee.is_some_and(|callee| {
            let formals = &self.functions[callee].function.formals;
            formals
                .get(place)
                .is_none_or(|formal| self.kept_names[callee].contains(formal.name.as_str()))
        })
    }

    /// True if elements of an array may be written by another name than its own.
    pub fn array_is_kept(&self, function: usize, name: &str) -> bool {
        if self.variables[function].contains_key(name) {
            self.kept_names[function].contains(name)
        } else {
            let own = self.variables.iter().zip(&self.kept_names);
            let mut elsewhere = own.filter(|(own, _)| !own.contains_key(name));
            elsewhere.any(|(_, kept)| kept.contains(name))
        }
    }
}

impl<'a> Uses<'_, 'a> {
    fn passes(&mut self, name: Option<&'a str>) {
        if let Some(name) = name {
            *self.counts.entry(name).or_insert(0) -= 1;
        }
    }

    fn look_at(&mut self, expression: &'a Expression) {
        use ExpressionKind::*;
        match &expression.kind {
            Name(name) => *self.counts.entry(name).or_insert(0) += 1,
            Index(array, _) => self.passes(base(array)),
            Field {
                of, arrow: true, ..
            } => self.passes(base(of)),
            Unary(operator, inner) => match (operator.as_str(), &inner.kind) {
                ("&", Index(array, _)) => {
                    if let Some(name) = base(array) {
                        *self.counts.entry(name).or_insert(0) += 1;
                    }
                }
                ("*" | "!", _) => self.passes(base(inner)),
                _ => {}
            },
            Binary(operator, a, b) => {
                const READS: [&str; 8] = ["==", "!=", "<", ">", "<=", ">=", "&&", "||"];
                if READS.contains(&operator.as_str()) {
                    self.passes(base(a));
                    self.passes(base(b));
                }
            }
            Assign(_, place, _) | Update { place, .. } => self.passes(place.name()),
            Conditional(condition, ..) => self.passes(condition.name()),
            Comma(first, _) => self.passes(first.name()),
            Call(function, arguments) => {
                self.passes(function.name());
                for (place, argument) in arguments.iter().enumerate() {
                    if !self.whole.keeps_argument(self.at, function.name(), place) {
                        self.passes(base(argument));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The array or pointer that an address is made of.
fn base(expression: &Expression) -> Option<&str> {
    match &expression.kind {
        ExpressionKind::Name(name) => Some(name),
        ExpressionKind::Cast(_, inner) => base(inner),
        ExpressionKind::Binary(operator, a, b) if operator == "+" || operator == "-" => {
            base(a).or_else(|| base(b))
        }
        ExpressionKind::Unary(operator, inner) if operator == "&" => match &inner.kind {
            ExpressionKind::Index(array, _) => base(array),
            _ => None,
        },
        _ => None,
    }
}
