//! Checks the arguments of predefined functions and laws.

use super::{Meaning, Names, Target, plural};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::predefined::{self, AT, WAIT};
use crate::special::MAX_ORDER;
use crate::syntax::tree::{Expr, ExprKind, Name, Type, order_of_harmonic};

impl<'m> Names<'m> {
    pub(super) fn call(&mut self, name: &'m Name, arguments: &'m [Expr]) {
        let special = predefined::is_special(&name.text) && self.model.callee(&name.text).is_none();
        if !special && !matches!(self.meaning(&name.text), Meaning::Unbound) {
            return self.reference(&name.text, name.span, arguments, Type::Numeric);
        }
        let Some(arity) = predefined::function(&name.text).or_else(|| predefined::law(&name.text))
        else {
            self.unbound(&name.text, name.span, true, Type::Numeric);
            return arguments.iter().for_each(|a| self.numeric(a));
        };
        self.record(name.span, Target::Predefined);
        if !arity.contains(&arguments.len()) || (name.text == "mixture" && arguments.len() % 2 == 1)
        {
            let expected = match (name.text.as_str(), *arity.start(), *arity.end()) {
                ("mixture", ..) => "pairs of a weight and a law".to_owned(),
                (_, least, usize::MAX) => format!("at least {}", plural(least)),
                (_, least, most) if least + 1 < most => format!("{least} to {}", plural(most)),
                (_, least, most) if least < most => format!("{least} or {}", plural(most)),
                (_, exactly, _) => plural(exactly),
            };
            let message = format!(
                "`{}` takes {expected}, found {}",
                name.text,
                arguments.len()
            );
            let label = format!("expected {expected}");
            let error = Diagnostic::error(message, name.span, label);
            self.diagnostics.push(error.code(Code::ArgumentCount));
        }
        if special && predefined::measure(&name.text).is_some() {
            return arguments
                .iter()
                .take(1)
                .for_each(|a| self.process_argument(a));
        }
        if let (true, WAIT, [process, resource]) = (special, name.text.as_str(), arguments) {
            self.process_argument(process);
            return self.resource(resource);
        }
        if special && name.text == AT {
            return self.replacements(name, arguments);
        }
        if let ("H", [_, order]) = (name.text.as_str(), arguments) {
            self.harmonic_order(order);
        }
        if let ("empirical", [file, columns @ ..]) = (name.text.as_str(), arguments)
            && matches!(file.kind, ExprKind::Text(_))
        {
            return self.column(columns);
        }
        let array_first = name.text == "unitvec" && arguments.len() == 2;
        for (position, argument) in arguments.iter().enumerate() {
            match (&argument.kind, position) {
                (ExprKind::Name(array), 0)
                    if array_first && self.model.is_resource_array(array) =>
                {
                    let target = self.bound_to(array).unwrap_or(Target::Predefined);
                    self.record(argument.span, target);
                }
                (_, 0) if array_first => self.diagnostics.push(
                    Diagnostic::error(
                        "expected an array of resources",
                        argument.span,
                        "not an array of resources",
                    )
                    .hint("write for example `unitvec(fcfs, 3)`")
                    .code(Code::TypeMismatch),
                ),
                _ => self.numeric(argument),
            }
        }
    }

    /// Checks the text after the file of `empirical`: nothing, or a literal column.
    fn column(&mut self, arguments: &[Expr]) {
        let is_column = |argument: &Expr| match &argument.kind {
            ExprKind::Text(_) => true,
            ExprKind::Number(number) => number.is_integer() && number.is_positive(),
            _ => false,
        };
        let (place, message) = match arguments {
            [] => return,
            [column] if is_column(column) => return,
            [column] => (column.span, "a column must be a number from 1, or a name"),
            [_, further, ..] => (
                further.span,
                "`empirical` takes a file and one column of it",
            ),
        };
        self.diagnostics.push(
            Diagnostic::error(message, place, "expected the number or name of a column")
                .hint("write for example `empirical(\"samples.csv\", \"time\")`")
                .code(Code::Samples),
        );
    }

    /// The order of a harmonic number is a number as it stands.
    fn harmonic_order(&mut self, order: &'m Expr) {
        if order_of_harmonic(order).is_none() {
            self.diagnostics.push(
                Diagnostic::error(
                    "the order of a harmonic number must be a whole number",
                    order.span,
                    format!("expected a number from 1 to {MAX_ORDER}"),
                )
                .hint("write for example `H(N, 2)`, or the sum that you mean")
                .code(Code::Constant),
            );
        }
    }
}
