//! Messages about dimensions that do not fit.

use super::dimension::{Dimension, Term};
use super::infer::Inference;
use super::table::{CYCLE, SECOND};
use crate::diagnostic::{Diagnostic, Span};
use crate::model::walk::free_names_of;
use crate::ring::Rational;
use crate::syntax::tree::{Expr, ExprKind};

/// An expression of more names does not say what is declared of them.
const MOST_ORIGINS: usize = 6;

/// Name of a quantity with this dimension.
fn noun(dimension: &Dimension) -> String {
    match dimension.to_string().as_str() {
        "1" => "a number without a unit",
        "s" => "a time",
        "cycle" => "a number of cycles",
        "B" => "a number of bytes",
        "FLOP" => "a number of operations",
        "J" => "an energy",
        "J/s" => "a power",
        "USD" | "EUR" => "a price",
        "B/s" => "a bandwidth",
        "FLOP/s" => "a rate of operations",
        "1/s" => "a rate",
        other => return format!("a quantity in [{other}]"),
    }
    .to_owned()
}

impl<'m> Inference<'m> {
    /// Writes a term such as `[B/s]`.
    pub(super) fn text(&self, term: &Term) -> String {
        format!("[{}]", self.system.resolve(term).known())
    }

    /// Writes a label such as `[B], as declared in line 4`.
    pub(super) fn label(&self, expr: &Expr, term: &Term) -> String {
        let own = self.text(term);
        let origin = match &expr.kind {
            ExprKind::Name(name) if !self.is_local(name) => self.model.lookup(name),
            ExprKind::Negate(inner) => return self.label(inner, term),
            ExprKind::Number(_) | ExprKind::Quantity(_) | ExprKind::Name(_) => None,
            _ => return own + &self.origins(expr),
        };
        let Some(equation) = origin else {
            return own;
        };
        match equation.unit() {
            Some(unit) => format!("{own}, as declared in {}", self.line(unit.span, expr.span)),
            None => {
                let position = self.model.position(&equation.name.text);
                let scheme = position.and_then(|position| self.schemes[position].as_ref());
                let cause = scheme.and_then(|scheme| self.cause(&scheme.result));
                match cause {
                    Some(place) => format!("{own}, by {}", self.line(place, expr.span)),
                    None => own,
                }
            }
        }
    }

    /// `, with rate [B/s] in line 4`: what is declared of the few names that an expression is made of.
    fn origins(&self, expr: &Expr) -> String {
        let bound: Vec<&str> = self.scope.iter().map(|(local, _)| *local).collect();
        let mut declared: Vec<String> = Vec::new();
        free_names_of(expr, &bound, &mut |name, _| {
            let unit = self.model.lookup(name).and_then(|own| own.unit());
            let meaning = unit.and_then(|unit| Some((unit.span, unit.meaning.as_deref()?)));
            if let Some((place, meaning)) = meaning {
                let dimension = Dimension::from(meaning);
                let line = self.line(place, expr.span);
                let own = format!("{name} [{dimension}] in {line}");
                if !declared.contains(&own) {
                    declared.push(own);
                }
            }
        });
        match declared.len() {
            1..=MOST_ORIGINS => format!(", with {}", declared.join(", ")),
            _ => String::new(),
        }
    }

    /// Location at which the first unknown of a term was solved.
    fn cause(&self, term: &Term) -> Option<Span> {
        let mut unknowns = term.unknowns();
        unknowns.find_map(|unknown| self.system.causes.get(&unknown).copied())
    }

    fn line(&self, place: Span, from: Span) -> String {
        let sources = &self.model.sources.0;
        let Some(source) = sources.get(place.file as usize) else {
            return "another place".to_owned();
        };
        let before = source.text.get(..place.start as usize).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        if place.file == from.file {
            format!("line {line}")
        } else {
            format!("line {line} of {}", source.name)
        }
    }

    fn is_local(&self, name: &str) -> bool {
        self.scope.iter().any(|(local, _)| *local == name)
    }

    /// Reports two parts whose dimensions should be equal and differ.
    pub(super) fn differ(&mut self, a: (&Expr, &Term), b: (&Expr, &Term), verb: &str) {
        let ends = [a.1, b.1].map(|term| self.system.resolve(term).known());
        let [first, second] = [&ends[0], &ends[1]].map(noun);
        let message = format!("{first} and {second} are {verb}");
        let error = Diagnostic::error(message, b.0.span, self.label(b.0, b.1));
        let error = error.also(a.0.span, self.label(a.0, a.1));
        let hint = hint((a.0, &ends[0]), (b.0, &ends[1]));
        self.diagnostics.push(match hint {
            Some(hint) => error.hint(hint),
            None => error,
        });
    }

    /// Reports a part that should be a number and has a unit.
    pub(super) fn is_no_number(&mut self, expr: &Expr, term: &Term, role: &str) {
        let own = self.text(term);
        let message = format!("{role} has the unit {own}");
        let error = Diagnostic::error(message, expr.span, self.label(expr, term));
        let hint = match &expr.kind {
            ExprKind::Quantity(quantity) => format!("write `{}`", quantity.number),
            ExprKind::Name(_) => format!("divide by one of them: `{expr} / (1 {own})`"),
            _ => format!("expected a number: divide by a quantity in {own}"),
        };
        self.diagnostics.push(error.hint(hint));
    }
}

/// Advice on adding or comparing `a` and `b`.
fn hint(a: (&Expr, &Dimension), b: (&Expr, &Dimension)) -> Option<String> {
    let minus_one = Rational::from(-1);
    let number = |(expr, own): (&Expr, &Dimension), other: &Dimension| {
        let literal = matches!(expr.kind, ExprKind::Number(_));
        (own.is_none() && literal).then(|| format!("give it a unit: `{expr} [{other}]`"))
    };
    if let Some(hint) = number(a, b.1).or_else(|| number(b, a.1)) {
        return Some(hint);
    }
    let none = Dimension::default();
    if *b.1 == none.times(a.1, &minus_one) {
        return Some("one is the inverse of the other".to_owned());
    }
    let times = [SECOND, CYCLE].map(Dimension::base);
    let (amount, time) = match (times.contains(a.1), times.contains(b.1)) {
        (true, false) => (b, a.1),
        (false, true) => (a, b.1),
        _ => return None,
    };
    let divide = |what: &str, unit: &str| {
        let text = match amount.0.kind {
            ExprKind::Sum(..) | ExprKind::If(..) => format!("({})", amount.0),
            _ => amount.0.to_string(),
        };
        Some(format!("divide by {what}: `{text} / ({unit})`"))
    };
    match (amount.1.to_string().as_str(), time.to_string().as_str()) {
        ("B", "s") => divide("a bandwidth", "25 [GB/s]"),
        ("FLOP", "s") => divide("a rate", "312 [TFLOP/s]"),
        ("cycle", "s") => divide("a frequency", "2 [Gcycle/s]"),
        _ => None,
    }
}
