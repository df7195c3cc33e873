//! Work-sharing loops and sections.

use super::*;

pub(super) fn ending(pragma: &Pragma) -> Ending {
    if pragma.has("nowait") {
        Ending::NoWait
    } else {
        Ending::Barrier
    }
}

pub(super) fn reductions(pragma: &Pragma) -> usize {
    pragma
        .words
        .iter()
        .filter(|word| word.name == "reduction")
        .count()
}

/// The names in clauses of the given kinds, each with the text before a colon: `+` in `reduction(+:a, b)`.
pub(super) fn listed<'p>(pragma: &'p Pragma, clauses: &[&str]) -> Vec<(&'p str, &'p str)> {
    let words = pragma.words.iter();
    let words = words.filter(|word| clauses.contains(&word.name.as_str()));
    let arguments = words.filter_map(|word| word.argument.as_deref());
    let names = arguments.flat_map(|text| {
        let (sign, names) = text.rsplit_once(':').unwrap_or(("", text));
        names.split(',').map(move |name| (sign.trim(), name.trim()))
    });
    names.collect()
}

impl Walker<'_> {
    /// The sums that the threads of a team make together, in variables that are all threads'.
    pub(super) fn shared_sums(
        &mut self,
        shape: &Shape,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<Vec<(String, Number, Number)>, Problem> {
        let own = listed(
            pragma,
            &["private", "firstprivate", "lastprivate", "linear"],
        );
        let combined = listed(pragma, &["reduction"]);
        let mut sums = self.sums(shape)?;
        let mut indices = Vec::new();
        if let StatementKind::For { first, .. } = &statement.kind {
            first.walk_expressions(&mut |part| {
                if let ExpressionKind::Assign(_, place, _) = &part.kind {
                    indices.extend(place.name());
                }
            });
        }
        sums.retain(|(name, ..)| {
            let is_own = own.iter().any(|(_, known)| known == name);
            let by_other = combined
                .iter()
                .any(|(sign, known)| known == name && *sign != "+" && *sign != "-");
            !is_own && !by_other && !indices.contains(&name.as_str())
        });
        Ok(sums)
    }

    /// Sets sums to their values after a loop with shared iterations.
    pub(super) fn add_up(&mut self, sums: Vec<(String, Number, Number)>, range: &Range) {
        let count = self.count_of(range);
        for (name, first, by) in sums {
            let added = count.as_ref().and_then(|count| count.times(&by));
            if let Some(sum) = added.and_then(|added| first.plus(&added)) {
                self.set(&name, Some(sum));
            }
        }
    }

    pub(super) fn schedule(&mut self, pragma: &Pragma) -> Result<Option<Schedule>, Problem> {
        let Some(text) = pragma.argument("schedule") else {
            return Ok(Some(Schedule::Static));
        };
        let text = text.rsplit(':').next().unwrap_or(text);
        let (kind, chunk) = text.split_once(',').unwrap_or((text, ""));
        let chunk = match source::expression(chunk.trim()) {
            Some(expression) => {
                let value = self.value(&expression)?;
                self.pending.clear();
                value.number
            }
            None => None,
        };
        let one = Number::constant(1);
        Ok(match (kind.trim(), chunk) {
            ("static", None) => Some(Schedule::Static),
            ("static", Some(chunk)) => Some(Schedule::Chunked(chunk)),
            ("dynamic", chunk) => Some(Schedule::Dynamic(chunk.unwrap_or(one))),
            ("guided", _) => Some(Schedule::Guided),
            ("auto", _) => Some(Schedule::Static),
            _ => None,
        })
    }

    /// The loop behind `for`, with those inside of it that `collapse` takes in.
    pub(super) fn shared_loop(
        &mut self,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<Part, Problem> {
        let Some(schedule) = self.schedule(pragma)? else {
            let mut list = List::default();
            self.refused(
                statement,
                pragma,
                "a schedule that is chosen at run time is not modelled",
                &mut list,
            );
            return Ok(Part::sequence(list.parts));
        };
        if let Schedule::Chunked(chunk) | Schedule::Dynamic(chunk) = &schedule
            && self.assume_positive(chunk).is_none()
        {
            let mut list = List::default();
            self.refused(
                statement,
                pragma,
                "the size of the chunks depends on data",
                &mut list,
            );
            return Ok(Part::sequence(list.parts));
        }
        let runner = match &schedule {
            Schedule::Static | Schedule::Chunked(_) => Runner::Each,
            Schedule::Dynamic(_) | Schedule::Guided => Runner::Any,
        };
        let (range, body) = self.dealt(runner, statement, pragma)?;
        Ok(Part::Shared(Box::new(Shared {
            range,
            schedule,
            body,
            reductions: reductions(pragma),
            ending: ending(pragma),
        })))
    }

    /// The loop behind `taskloop`: each iteration is a task, and all are waited for.
    pub(super) fn task_loop(
        &mut self,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<Part, Problem> {
        let (range, body) = self.dealt(Runner::Any, statement, pragma)?;
        let tasks = Part::Loop(Box::new(range), Box::new(Part::Task(Box::new(body))));
        Ok(if pragma.has("nogroup") {
            tasks
        } else {
            Part::sequence(vec![tasks, Part::TaskWait])
        })
    }

    /// The distributed iterations of a loop, and the body of each.
    fn dealt(
        &mut self,
        runner: Runner,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<(Range, Part), Problem> {
        self.run_by(runner, statement, |walker| {
            walker.dealt_out(statement, pragma)
        })
    }

    fn dealt_out(
        &mut self,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<(Range, Part), Problem> {
        let depth = self
            .clause(pragma, "collapse")?
            .and_then(|n| n.as_constant())
            .unwrap_or(1);
        let before = self.values.clone();
        self.make_private(pragma);
        self.values.open();
        let result = self.collapsed(statement, usize::try_from(depth.clamp(1, 16)).unwrap_or(1));
        self.values.close();
        let (range, body) = result?;
        self.forget(&before.differing(&self.values), statement.span);
        self.keep_own(&before, pragma);
        Ok((range, body))
    }

    pub(super) fn sections(
        &mut self,
        statement: &Statement,
        pragma: &Pragma,
    ) -> Result<Part, Problem> {
        self.run_by(Runner::Any, statement, |walker| {
            walker.each_section(statement, pragma)
        })
    }

    fn each_section(&mut self, statement: &Statement, pragma: &Pragma) -> Result<Part, Problem> {
        let StatementKind::Block(statements) = &statement.kind else {
            let mut list = List::default();
            let before = self.values.clone();
            self.once(false, |walker| walker.plain(statement, &mut list))?;
            self.forget(&before.differing(&self.values), statement.span);
            return Ok(Part::Sections(
                vec![Part::sequence(list.parts)],
                ending(pragma),
            ));
        };
        let mut groups: Vec<Vec<&Statement>> = Vec::new();
        for inner in statements {
            let begins = inner
                .pragmas
                .iter()
                .any(|p| p.is(Family::OpenMp, "section"));
            if begins || groups.is_empty() {
                groups.push(Vec::new());
            }
            if let Some(group) = groups.last_mut() {
                group.push(inner);
            }
        }
        let mut sections = Vec::new();
        for group in groups {
            let mut list = List::default();
            let before = self.values.clone();
            for inner in group {
                self.once(false, |walker| {
                    walker.list(std::slice::from_ref(inner), &mut list)
                })?;
            }
            self.forget(&before.differing(&self.values), statement.span);
            sections.push(Part::sequence(list.parts));
        }
        Ok(Part::Sections(sections, ending(pragma)))
    }
}
