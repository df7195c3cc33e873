//! Checks graphs of tasks: labels, and their numbers of arguments.

use super::{Names, Target, plural};
use crate::diagnostic::{Code, Diagnostic};
use crate::model::{MAX_DIAGNOSTICS, predefined};
use crate::syntax::tree::{Family, Graph, Range, Reference};

impl<'m> Names<'m> {
    pub(super) fn graph<T>(&mut self, graph: &'m Graph<T>, task: fn(&mut Self, &'m T)) {
        let families = &graph.families;
        for (number, family) in families.iter().enumerate() {
            let label = &family.label;
            self.record(label.span, Target::Task(label.span));
            let namesake = families[..number]
                .iter()
                .find(|f| f.label.text == label.text);
            if let Some(first) = namesake {
                let message = format!("the label `{}` is used twice", label.text);
                self.diagnostics.push(
                    Diagnostic::error(message, label.span, "this name is ambiguous")
                        .also(first.label.span, "the first")
                        .hint("give each family of tasks its own label")
                        .code(Code::NameDuplicate),
                );
            }
            let outer = self.indices.len();
            if let Some(recorded) = &graph.recorded {
                recorded.default.iter().for_each(|e| self.numeric(e));
                self.enter(&recorded.time);
            }
            self.ranges(&family.ranges);
            task(self, &family.task);
            for reference in &family.after {
                self.reference_to_family(reference, families);
            }
            self.leave(outer);
        }
    }

    fn reference_to_family<T>(&mut self, reference: &'m Reference, families: &'m [Family<T>]) {
        let label = &reference.label;
        match families.iter().find(|f| f.label.text == label.text) {
            None => self.unknown_label(reference, families),
            Some(family) => {
                self.record(label.span, Target::Task(family.label.span));
                self.arity(reference, family);
            }
        }
        let outer = self.indices.len();
        self.ranges(&reference.ranges);
        let arguments = reference.arguments.iter().flatten();
        arguments
            .chain(&reference.condition)
            .for_each(|e| self.numeric(e));
        self.leave(outer);
    }

    fn unknown_label<T>(&mut self, reference: &'m Reference, families: &'m [Family<T>]) {
        let label = &reference.label;
        let labels = || families.iter().map(|f| f.label.text.as_str());
        let few = self.diagnostics.len() < MAX_DIAGNOSTICS;
        let near = few
            .then(|| predefined::nearest(&label.text, labels()))
            .flatten();
        let message = format!("this graph has no task `{}`", label.text);
        let error = Diagnostic::error(message, label.span, "expected the label of a task")
            .code(Code::TaskUnknown);
        self.diagnostics.push(match near {
            Some(near) => error.suggest(label.span, near),
            None => {
                let shown: Vec<String> = labels().take(8).map(|l| format!("`{l}`")).collect();
                error.hint(format!("the tasks of this graph are {}", shown.join(", ")))
            }
        });
    }

    fn arity<T>(&mut self, reference: &'m Reference, family: &'m Family<T>) {
        let Some(arguments) = &reference.arguments else {
            return;
        };
        let (label, indices) = (&reference.label, family.ranges.len());
        if arguments.len() == indices {
            return;
        }
        let wanted = match indices {
            0 => "no index".to_owned(),
            1 => "1 index".to_owned(),
            n => format!("{n} indices"),
        };
        let message = format!(
            "`{}` has {wanted}, but here {}",
            label.text,
            plural(arguments.len())
        );
        self.diagnostics.push(
            Diagnostic::error(message, label.span, format!("expected {}", plural(indices)))
                .also(family.label.span, "the task")
                .hint(format!(
                    "`{}` without indices means all its instances",
                    label.text
                ))
                .code(Code::IndexCount),
        );
    }

    /// Checks the bounds of ranges, and puts their indices in scope.
    fn ranges(&mut self, ranges: &'m [Range]) {
        for range in ranges {
            self.range(range);
            self.enter(&range.index);
        }
    }
}
