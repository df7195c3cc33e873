//! Probes of variables whose values only a run can tell.

use super::{Editor, is_shared};
use crate::lowering::AT_BEGIN;
use crate::source::tree::*;

impl Editor<'_> {
    /// Inserts probes of arguments and globals at the beginning of a function.
    pub fn begin(&mut self, function: &Function) {
        let at = function.body.span.start + 1;
        for (place, number) in self.places(AT_BEGIN) {
            self.placed.push(number);
            self.put(at, true, format!(" pamela_value({number}, {place}); "));
        }
    }

    /// The variables that are asked for at a site, with their numbers.
    fn places(&self, site: &str) -> Vec<(String, usize)> {
        let prefix = format!("{}/{site}/", self.name);
        let sites = self.wanted.sites.range(prefix.clone()..);
        let sites = sites.take_while(|(path, _)| path.starts_with(&prefix));
        let places = sites.map(|(path, number)| (path[prefix.len()..].to_string(), *number));
        // The cases of a switch are numbered.
        let is_name = |place: &str| !place.starts_with(|c: char| c.is_ascii_digit());
        places
            .filter(|(place, number)| is_name(place) && !self.placed.contains(number))
            .collect()
    }

    fn places_at(&self, start: usize) -> Vec<(String, usize)> {
        let site = self.sites.get(&start);
        site.map_or(Vec::new(), |site| self.places(site))
    }

    /// Inserts probes of variables after a statement.
    pub fn behind(&mut self, statement: &Statement) {
        let is_declaration = match &statement.kind {
            StatementKind::Declaration(_) => true,
            StatementKind::Expression(expression) => match expression.kind {
                // Their values are looked at where they are given.
                ExpressionKind::Assign(..) | ExpressionKind::Comma(..) => return,
                _ => false,
            },
            StatementKind::Return(_) => return,
            StatementKind::For { first, .. } => {
                // No probe can follow the first part of a `for`.
                let is_there = first.span.start > statement.span.start;
                self.first.extend(is_there.then_some(first.span.start));
                false
            }
            _ => false,
        };
        if self.first.contains(&statement.span.start) {
            return;
        }
        let mut places = self.places_at(statement.span.start);
        places.retain(|(place, _)| {
            let mut found = false;
            statement.walk(&mut |inner| found |= declares(inner, place));
            statement.walk_expressions(&mut |part| found |= is_of(part, place));
            found
        });
        if places.is_empty() {
            return;
        }
        // A variable is seen as far as the block goes in which it is declared.
        if !is_declaration {
            self.brace(statement, "");
        }
        for (place, number) in places {
            self.placed.push(number);
            let probe = format!("\npamela_value({number}, {place});");
            self.put(statement.span.end, false, probe);
        }
    }

    /// Inserts probes of values assigned within the expressions of a statement. Bounds of loops that threads share
    /// stay unchanged.
    pub fn within(&mut self, statement: &Statement) {
        if is_shared(statement) {
            return;
        }
        let is_alone = matches!(statement.kind, StatementKind::Expression(_));
        for expression in statement.expressions() {
            self.given(expression, !is_alone);
        }
    }

    /// `is_used`: an expression without a value cannot be used.
    fn given(&mut self, expression: &Expression, is_used: bool) {
        use ExpressionKind::*;
        let is_used = match &expression.kind {
            Comma(..) => false,
            Cast(..) | Conditional(..) => is_used,
            _ => true,
        };
        let places = match &expression.kind {
            Assign(..) | Call(..) | Field { .. } => self.places_at(expression.span.start),
            Binary(operator, ..) if operator == "&&" || operator == "||" => {
                self.places_at(expression.span.start)
            }
            _ => Vec::new(),
        };
        for (place, number) in places {
            // The assigned value, as a number of a type that is not a bit field; or the value stored by a call.
            let is_named = |part: &Expression| match part.member() {
                Some(name) => place.ends_with(name),
                None => part.place().as_deref() == Some(&*place),
            };
            let mut is_mentioned = false;
            expression.walk(&mut |part| is_mentioned |= is_of(part, &place));
            let (sign, value) = match &expression.kind {
                Field { .. } if is_named(expression) => ("+", "pamela_given"),
                Assign(_, to, _) if is_named(to) => ("+", "pamela_given"),
                Binary(..) | Call(..) if is_used && is_mentioned => ("", &*place),
                _ => continue,
            };
            self.placed.push(number);
            let before = format!("({{ __auto_type pamela_given = {sign}(");
            let behind = format!("); pamela_value({number}, {value}); pamela_given; }})");
            self.around(expression, before, &behind);
        }
        match &expression.kind {
            // Assigned or addressed expressions must remain lvalues.
            Assign(_, to, value) => {
                to.parts()
                    .into_iter()
                    .for_each(|part| self.given(part, true));
                self.given(value, true);
            }
            Update { place: to, .. } => {
                to.parts()
                    .into_iter()
                    .for_each(|part| self.given(part, true));
            }
            Unary(operator, to) if operator == "&" => {
                to.parts()
                    .into_iter()
                    .for_each(|part| self.given(part, true));
            }
            _ => {
                let parts = expression.parts();
                parts.into_iter().for_each(|part| self.given(part, is_used));
            }
        }
    }
}

/// True if an expression is this variable, or the array that this is an element of.
fn is_of(expression: &Expression, place: &str) -> bool {
    expression.name() == place.split('[').next()
}

fn declares(statement: &Statement, place: &str) -> bool {
    match &statement.kind {
        StatementKind::Declaration(variables) => variables.iter().any(|v| v.name == place),
        _ => false,
    }
}
