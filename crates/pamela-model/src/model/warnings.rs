//! Legal but probably unintended constructs.

use std::collections::HashMap;

use super::walk::{Part, parts_of_process, with_stack};
use super::{Model, with_code};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::tree::{
    Equation, Expr, ExprKind, Process, ProcessKind, Type, Value as Definition,
};

/// Warnings of one kind that are told; more would not be read.
const MAX_WARNINGS: usize = 20;

impl Model {
    /// Warnings about probably unintended constructs, in the order of the text for each kind.
    pub fn warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = with_code(self.servers_by_two_names(), Code::WarningSameServer);
        let remainders = self.remainders_in_comments();
        warnings.extend(with_code(remainders, Code::WarningRemainder));
        warnings.extend(with_code(self.negative_times(), Code::WarningNegativeTime));
        warnings.extend(with_code(self.doubtful_units(), Code::WarningUnit));
        let mut without_effect = super::unreplaced::warnings(self);
        without_effect.truncate(MAX_WARNINGS);
        let holding = self.holding.warnings.iter().take(MAX_WARNINGS).cloned();
        warnings.extend(with_code(holding.collect(), Code::WarningHolding));
        warnings.extend(with_code(without_effect, Code::WarningReplacement));
        warnings
    }

    /// Resources by different names that are, or may be, one element of one array.
    ///
    /// An index that is an argument may be any number; others are only compared as they are written.
    fn servers_by_two_names(&self) -> Vec<Diagnostic> {
        let mut known: HashMap<(&str, Index), &Equation> = HashMap::new();
        let mut numbered: HashMap<&str, &Equation> = HashMap::new();
        let mut warnings = Vec::new();
        for equation in &self.equations {
            let Some((array, index)) = self.element(equation) else {
                continue;
            };
            let same = known.get(&(array, index.clone())).copied();
            let other = match index {
                Index::Any => numbered.get(array).copied(),
                Index::Number(_) => known.get(&(array, Index::Any)).copied(),
                Index::Written(_) => None,
            };
            if let Some(earlier) = same.or(other) {
                let (first, second) = (&earlier.name, &equation.name);
                let message = format!(
                    "`{}` and `{}` may be the same server",
                    first.text, second.text
                );
                let hint = format!(
                    "elements of `{array}` with equal indices are the same; `resource {}` without a value is a \
                     separate resource",
                    second.text
                );
                let label = format!("an element of `{array}`");
                warnings.push(
                    Diagnostic::warning(message, second.span, label.clone())
                        .also(first.span, label)
                        .hint(hint),
                );
            }
            if matches!(index, Index::Number(_)) {
                numbered.entry(array).or_insert(equation);
            }
            known.entry((array, index)).or_insert(equation);
        }
        warnings.truncate(MAX_WARNINGS);
        warnings
    }

    /// The array and the index of a resource that is defined as an element.
    fn element<'e>(&self, equation: &'e Equation) -> Option<(&'e str, Index)> {
        let Some(Definition::Resource(value)) = &equation.value else {
            return None;
        };
        match &value.kind {
            ExprKind::Call(array, arguments)
                if self.is_resource_array(&array.text) && self.servers(equation).is_none() =>
            {
                Some((&array.text, Index::of(arguments.first()?, equation)))
            }
            _ => None,
        }
    }

    /// Comments behind an equation that go on as its expression might: `N % P`.
    fn remainders_in_comments(&self) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for equation in self.equations.iter().filter(|e| e.kind == Type::Numeric) {
            let Some(Definition::Numeric(value)) = &equation.value else {
                continue;
            };
            let Some(file) = self.sources.0.get(value.span.file as usize) else {
                continue;
            };
            let rest = file.text.get(value.span.end as usize..).unwrap_or_default();
            let line = rest.lines().next().unwrap_or_default();
            let Some((between, comment)) = line.split_once('%') else {
                continue;
            };
            let number = match value.kind {
                ExprKind::Number(_) if between.is_empty() && comment.trim().is_empty() => file
                    .text
                    .get(value.span.start as usize..value.span.end as usize),
                _ => None,
            };
            if number.is_some() || between.trim().is_empty() && self.reads_as_operand(comment) {
                let start = value.span.end + between.len() as u32;
                let span = Span {
                    file: value.span.file,
                    start,
                    end: start + 1,
                };
                let message = format!("the value of `{}` ends at a `%`", equation.name.text);
                let hint = match number {
                    Some(number) => {
                        format!("`%` begins a comment; {number} per cent is `{number} / 100`")
                    }
                    None => "`%` begins a comment; a remainder is written `a mod b`".to_owned(),
                };
                warnings.push(
                    Diagnostic::warning(message, span, "the rest is a comment".to_owned())
                        .hint(hint),
                );
            }
        }
        warnings.truncate(MAX_WARNINGS);
        warnings
    }

    /// Times that are numbers below 0.
    fn negative_times(&self) -> Vec<Diagnostic> {
        let mut warnings = Vec::new();
        for equation in &self.equations {
            if let Some(Definition::Process(process)) = &equation.value {
                negative_times_in(process, &mut warnings);
            }
        }
        warnings.truncate(MAX_WARNINGS);
        warnings
    }

    /// True if a text is a number or a name of the model, perhaps in an expression that goes on.
    fn reads_as_operand(&self, text: &str) -> bool {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        let operators = text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_. +-*/^()\t\r".contains(c));
        let known = |word: &str| {
            word.parse::<f64>().is_ok()
                || self.lookup(word).is_some_and(|e| e.kind == Type::Numeric)
        };
        operators && words.peek().is_some() && words.all(known)
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Index {
    /// An argument of the equation.
    Any,
    Number(String),
    Written(String),
}

impl Index {
    fn of(index: &Expr, equation: &Equation) -> Index {
        match &index.kind {
            ExprKind::Number(_) => Index::Number(index.to_string()),
            ExprKind::Name(name) if equation.formals.iter().any(|f| f.text == *name) => Index::Any,
            _ => Index::Written(index.to_string()),
        }
    }
}

fn negative_times_in(process: &Process, warnings: &mut Vec<Diagnostic>) {
    if let ProcessKind::Delay(time) | ProcessKind::Use(_, time) = &process.kind
        && let ExprKind::Negate(number) = &time.kind
        && matches!(number.kind, ExprKind::Number(_))
    {
        let message = "a time is below 0".to_owned();
        warnings.push(
            Diagnostic::warning(message, time.span, "counted as written".to_owned())
                .hint("times must be at least 0: `pamela simulate` rejects this one"),
        );
    }
    parts_of_process(process, &mut |part, _| {
        if let Part::Process(part) = part {
            with_stack(|| negative_times_in(part, warnings));
        }
    });
}
