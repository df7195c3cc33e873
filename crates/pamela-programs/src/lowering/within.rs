//! The model of a program within a number of lines.

use std::collections::BTreeSet;

use super::Model;
use super::condense;
use super::names::Names;
use super::number::Number;
use super::process::{Equation, Resource};
use super::walker::Walker;
use super::writer::Writer;
use crate::problem::Problem;

/// What a model declares beside its processes.
pub struct All {
    pub resources: BTreeSet<Resource>,
    pub whole: Vec<(Number, Number)>,
    pub notes: Vec<String>,
}

impl All {
    pub fn writer<'a, 'b>(
        &self,
        walker: &'a mut Walker<'b>,
        processes: &[Equation],
    ) -> (Writer<'a, 'b>, Vec<usize>) {
        let mut writer = Writer {
            walker,
            names: Names::default(),
        };
        writer.name(processes, &self.resources, &self.whole);
        let used = writer.used(processes, &self.resources, &self.whole);
        (writer, used)
    }

    fn model(&self, walker: &mut Walker, processes: &[Equation]) -> Model {
        let (writer, used) = self.writer(walker, processes);
        let text = writer.model(processes, &self.resources, &self.whole, &self.notes);
        writer.described_model(text, &used, &self.notes)
    }

    /// The model with at most `lines` lines beside its parameters and notes, or else the shortest one.
    pub fn within(&self, walker: &mut Walker, mut processes: Vec<Equation>, lines: usize) -> Model {
        let mut model = self.model(walker, &processes);
        let whole = body_lines(&model.model);
        let mut steps = condense::STEPS.into_iter();
        while lines > 0
            && body_lines(&model.model) > lines
            && let Some(step) = steps.next()
        {
            let before = walker.means.len();
            condense::shorten(walker, &mut processes, step);
            if walker.means.len() > before {
                let problem = Problem::new(format!(
                    "the model would have {whole} lines: branches and loops around straight code are part of its mean time"
                ));
                walker.unsure(problem.hint("keep all of them with --lines 0"));
            }
            model = self.model(walker, &processes);
        }
        model
    }
}

/// Lines of a model beside its parameters, notes and empty lines.
fn body_lines(model: &str) -> usize {
    let is_body = |line: &&str| {
        !line.is_empty() && !line.starts_with('%') && !line.starts_with("numeric parameter ")
    };
    model.lines().map(str::trim).filter(is_body).count()
}
