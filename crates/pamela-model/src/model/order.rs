//! The order of substitution: every equation after those that it mentions. Recursion has no such
//! order.

use super::{Model, recurrences, walk};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::tree::Equation;

/// Recursions that are reported; each has its path to be looked through.
const MAX_CYCLES: usize = 20;

/// Positions of all equations, each after those that it mentions, and an error for each recursion.
///
/// With recursion, the order is that of a depth-first search without the recursive mentions.
pub(super) fn of_substitution(model: &Model) -> (Vec<usize>, Vec<Diagnostic>) {
    let mut search = Search {
        equations: &model.equations,
        mentions: model.equations.iter().map(|e| mentions(model, e)).collect(),
        states: vec![State::New; model.equations.len()],
        path: Vec::new(),
        order: Vec::new(),
        cycles: Vec::new(),
    };
    for root in 0..model.equations.len() {
        search.run(root);
    }
    (search.order, search.cycles)
}

/// Equations that `equation` mentions, with the first location of each.
pub(super) fn mentions(model: &Model, equation: &Equation) -> Vec<(usize, Span)> {
    let mut found = Vec::new();
    let formals: Vec<&str> = equation.formals.iter().map(|f| f.text.as_str()).collect();
    if let Some(value) = &equation.value {
        walk::free_names(value, &formals, &mut |name, span, called| {
            let position = if called {
                model.callee(name)
            } else {
                model.position(name)
            };
            found.extend(position.map(|position| (position, span)));
        });
    }
    found.sort_by_key(|(position, span)| (*position, span.file, span.start));
    found.dedup_by_key(|(position, _)| *position);
    found.sort_by_key(|(_, span)| (span.file, span.start));
    found
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// A depth-first search with a path of its own, since a chain of names may be long.
struct Search<'m> {
    equations: &'m [Equation],
    mentions: Vec<Vec<(usize, Span)>>,
    states: Vec<State>,
    /// Open equations, outermost first, with the number of mentions already followed.
    path: Vec<(usize, usize)>,
    order: Vec<usize>,
    cycles: Vec<Diagnostic>,
}

impl Search<'_> {
    fn run(&mut self, root: usize) {
        self.enter(root);
        while let Some((equation, followed)) = self.path.last_mut() {
            let equation = *equation;
            let Some(&(mentioned, _)) = self.mentions[equation].get(*followed) else {
                self.path.pop();
                self.states[equation] = State::Done;
                self.order.push(equation);
                continue;
            };
            *followed += 1;
            match self.states[mentioned] {
                State::New => self.enter(mentioned),
                State::Open if self.cycles.len() < MAX_CYCLES => self.report(mentioned),
                State::Open => {}
                State::Done => {}
            }
        }
    }

    fn enter(&mut self, equation: usize) {
        if self.states[equation] == State::New {
            self.states[equation] = State::Open;
            self.path.push((equation, 0));
        }
    }

    /// Why the recurrence of an equation is not solved, if it is one.
    fn unsolved(&self, equation: usize) -> Option<recurrences::Unsolved> {
        let equation = &self.equations[equation];
        let is_recurrence = recurrences::is_recurrence(equation);
        is_recurrence
            .then(|| recurrences::solution(equation).err())
            .flatten()
    }

    /// Reports the cycle that ends with a mention of the open equation `first`.
    fn report(&mut self, first: usize) {
        const SHOWN: usize = 8;
        let start = self
            .path
            .iter()
            .position(|(equation, _)| *equation == first)
            .unwrap_or(0);
        let name = |equation: usize| self.equations[equation].name.text.as_str();
        let mention = |(equation, followed): (usize, usize)| self.mentions[equation][followed - 1];
        let cycle = &self.path[start..];
        let mut labels = cycle.iter().map(|step| {
            let (mentioned, span) = mention(*step);
            (
                span,
                format!("`{}` mentions `{}` here", name(step.0), name(mentioned)),
            )
        });
        let Some((span, label)) = labels.next() else {
            return;
        };
        if let ([_], Some(unsolved)) = (cycle, self.unsolved(first)) {
            let message = format!("the recurrence `{}` is not solved", name(first));
            let diagnostic = Diagnostic::error(message, unsolved.span, unsolved.label);
            self.cycles.push(diagnostic.hint(recurrences::FORMS));
            return;
        }
        let mut diagnostic = Diagnostic::error(format!("`{}` is defined in terms of itself", name(first)), span, label)
            .hint(
                "a name cannot occur in its own definition: write a loop with `seq` or `sum`, or a recurrence in one equation, such as \
                 `numeric T(n) = if (n <= 0) 0 else T(n - 1) + n`; repeat until success with `seq (k = 1, geometric(p))`",
            );
        diagnostic.labels.extend(labels.take(SHOWN));
        self.cycles.push(diagnostic);
    }
}
