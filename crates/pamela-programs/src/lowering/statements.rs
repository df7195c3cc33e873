//! Statements, one after the other.

use super::endings::ENDINGS;
use super::jumps::is_target;
use super::library;
use super::meeting::has_tasks;
use super::mpi::is_of_messages;
use super::number::*;
use super::part::*;
use super::walker::{Flow, List, Walker};
use super::ways::{Way, joined, jumps_to};
use crate::problem::Problem;
use crate::source::Family;
use crate::source::tree::*;

impl Walker<'_> {
    /// Statements in sequence; their straight code forms one block.
    pub fn list(&mut self, statements: &[Statement], list: &mut List) -> Result<Flow, Problem> {
        let mut at = 0;
        while let Some(statement) = statements.get(at) {
            let rest = &statements[at + 1..];
            if let StatementKind::Goto(label) = &statement.kind {
                return self.jump(statement, label, rest, list);
            }
            let ahead = self.look_ahead(rest);
            // This many of the remaining statements have been walked as parts of the branch.
            let (flow, walked) = match &statement.kind {
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } if statement.pragmas.is_empty() || statement.is("prob") => {
                    self.branch(statement, condition, then, otherwise.as_deref(), rest, list)?
                }
                _ => (self.statement(statement, list)?, 0),
            };
            self.ahead.truncate(ahead);
            let rest = &rest[walked..];
            at += 1 + walked;
            match flow {
                Flow::Next => {}
                Flow::Maybe => {
                    // A jump out of the statement goes on at its label.
                    let target = rest.iter().position(|next| is_target(statement, next));
                    let Some(target) = target else {
                        return self.perhaps(statement, rest, list);
                    };
                    self.perhaps(statement, &rest[..target], list)?;
                    return self.list(&rest[target..], list);
                }
                Flow::Leaves(_) | Flow::Ends(_) => return Ok(flow),
            }
        }
        Ok(Flow::Next)
    }

    /// Walks the code after a statement that may skip it.
    fn perhaps(
        &mut self,
        statement: &Statement,
        rest: &[Statement],
        list: &mut List,
    ) -> Result<Flow, Problem> {
        if rest.is_empty() {
            return Ok(Flow::Maybe);
        }
        let share = self.measured(
            ParameterKind::Share,
            Span {
                start: statement.span.end,
                end: statement.span.end,
            },
            "how often what follows is reached",
        );
        let before = self.values.clone();
        let mut inner = List::default();
        self.once(false, |walker| walker.list(rest, &mut inner))?;
        let part = Part::choice(
            Condition::Share(share),
            Part::sequence(inner.parts),
            Part::nothing(),
        );
        list.parts.push(part);
        self.forget(&before.differing(&self.values), statement.span);
        Ok(Flow::Maybe)
    }

    /// Runs a walk over code that runs several times, or not always.
    pub fn once<T>(&mut self, once: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.once;
        self.once = before && once;
        let result = walk(self);
        self.once = before;
        result
    }

    /// A branch with the code after it, if only one of its ways leads there. Returns the number of following
    /// statements that have been walked.
    ///
    /// One long function, because each step goes on from the values that both ways leave.
    fn branch(
        &mut self,
        statement: &Statement,
        condition: &Expression,
        then: &Statement,
        otherwise: Option<&Statement>,
        rest: &[Statement],
        list: &mut List,
    ) -> Result<(Flow, usize), Problem> {
        let stated = self.stated_share(statement)?;
        let known = self.condition(condition)?.filter(|_| stated.is_none());
        self.calls_of(list);
        if let Some(holds) = self.decided.get(&(self.function, statement.span.start)) {
            // Other iterations take another way through the same list.
            let mut inner = List::default();
            let taken = if *holds { Some(then) } else { otherwise };
            let flow = match taken {
                Some(taken) => self.inside(taken, &mut inner)?,
                None => Flow::Next,
            };
            list.parts.append(&mut inner.parts);
            if may_leave(statement) {
                // Iterations that leave here do not come to the code behind.
                list.block = None;
            }
            return Ok((flow, 0));
        }
        if let Some(Condition::Constant(decided)) = known {
            let taken = if decided { Some(then) } else { otherwise };
            let flow = match taken {
                Some(taken) => self.inside(taken, list)?,
                None => Flow::Next,
            };
            return Ok((flow, 0));
        }
        if known.is_none() {
            self.straight(list, condition.span, statement.span.start);
        }
        let before = self.values.clone();
        let mut ways = [Way::new(true, before.clone()), Way::new(false, before)];
        let statements = [Some(then), otherwise];
        for (way, taken) in ways.iter_mut().zip(statements) {
            self.walk_on(&known, way, taken.map_or(&[], std::slice::from_ref))?;
        }
        // A way on which the program ends without success is not modelled: it is an error.
        for at in [0, 1] {
            let span = statements[at].map_or(statement.span, |taken| taken.span);
            if self.is_left_out(&ways[at], &ways[1 - at].flow, span) {
                let [first, second] = ways;
                let kept = if at == 0 { second } else { first };
                self.values = kept.values;
                list.parts.extend(kept.list.parts);
                return Ok((kept.flow, 0));
            }
        }
        let is_short = |way: &Way| {
            let parts = way.list.parts.iter();
            parts.into_iter().all(|part| matches!(part, Part::Block(_)))
        };
        let [first, second] = &ways;
        let leaves_out = match (&first.flow, &second.flow) {
            (Flow::Leaves(_), _) => is_short(first) && second.list.parts.is_empty(),
            (_, Flow::Leaves(_)) => is_short(second) && first.list.parts.is_empty(),
            _ => is_short(first) && is_short(second),
        };
        if known.is_none() && leaves_out && self.asks_for_arguments(condition) {
            return Ok((self.without_arguments(ways, statement.span), 0));
        }
        let jumps = statements
            .iter()
            .flatten()
            .any(|way| jumps_to(way, rest).is_some());
        if !jumps && statements.iter().flatten().any(|way| self.is_exit(way)) {
            // The number of iterations says how often a loop is left; what is done then is seldom.
            let share = self.share_of(statement.span, condition.span);
            let [mut first, mut second] = ways;
            let part = Part::choice(share, first.part(), second.part());
            list.parts
                .extend(Some(part).filter(|part| !part.is_nothing()));
            self.values = second.values;
            self.join(&None, first.values, statement.span);
            return Ok((Flow::Next, 0));
        }
        let walked = self.go_on(&known, &mut ways, statements, rest)?;
        let [mut first, mut second] = ways;
        let leaves = |way: &Way| matches!(way.flow, Flow::Leaves(_));
        // The values at the end of a way that leaves are not visible afterwards.
        match (leaves(&first), leaves(&second)) {
            (false, true) => self.values = first.values.clone(),
            (first_leaves, second_leaves) => {
                self.values = second.values.clone();
                if first_leaves == second_leaves {
                    self.join(&known, first.values.clone(), statement.span);
                }
            }
        }
        let flow = joined(&known, first.flow.clone(), second.flow.clone());
        let condition = match (known, stated) {
            (Some(condition), _) => condition,
            (None, Some(share)) => Condition::Share(share),
            (None, None) if first.list.parts.is_empty() && second.list.parts.is_empty() => {
                return Ok((flow, walked));
            }
            (None, None) => self.share_of(statement.span, condition.span),
        };
        let part = self.by_first_thread(condition, first.part(), second.part());
        if !part.is_nothing() {
            list.parts.push(part);
        }
        Ok((flow, walked))
    }

    /// A choice; tasks that the first thread of a team alone makes are left to all, as behind `master`.
    fn by_first_thread(&self, condition: Condition, first: Part, second: Part) -> Part {
        let thread = self.team.as_ref().map(|(_, thread)| *thread);
        let is_first = thread.and_then(|thread| condition.is_of_first(thread));
        match is_first {
            Some(true) if second.is_nothing() && has_tasks(&first, &self.instances) => {
                Part::Master(Box::new(first))
            }
            Some(false) if first.is_nothing() && has_tasks(&second, &self.instances) => {
                Part::Master(Box::new(second))
            }
            _ => Part::choice(condition, first, second),
        }
    }

    /// True if a condition only looks at how many arguments the program got.
    fn asks_for_arguments(&self, condition: &Expression) -> bool {
        let function = self.whole.functions[self.function].function;
        let Some(count) = function.formals.first().filter(|_| function.name == "main") else {
            return false;
        };
        let mut names = Vec::new();
        condition.walk(&mut |part| names.extend(part.name()));
        names.contains(&count.name.as_str())
            && names
                .iter()
                .all(|name| function.formals.iter().any(|f| f.name == *name))
    }

    /// Behind such a branch the program goes on with its arguments.
    fn without_arguments(&mut self, ways: [Way; 2], span: Span) -> Flow {
        let [first, second] = ways;
        match (first.flow, second.flow) {
            (Flow::Leaves(_), other) => {
                self.values = second.values;
                other
            }
            (flow, Flow::Leaves(_)) => {
                self.values = first.values;
                flow
            }
            _ => {
                self.values = second.values;
                self.join_for(&None, first.values, span, true);
                Flow::Next
            }
        }
    }

    /// A branch's statement: what it asks for is not always asked for.
    fn inside(&mut self, statement: &Statement, list: &mut List) -> Result<Flow, Problem> {
        self.list(std::slice::from_ref(statement), list)
    }

    /// Walks one statement that is not a branch.
    pub fn statement(&mut self, statement: &Statement, list: &mut List) -> Result<Flow, Problem> {
        self.step()?;
        self.directed(statement, 0, list)
    }

    /// A statement without its pragmas.
    pub fn plain(&mut self, statement: &Statement, list: &mut List) -> Result<Flow, Problem> {
        use StatementKind::*;
        let key = statement.span.start;
        match &statement.kind {
            Block(statements) => {
                self.values.open();
                let flow = self.list(statements, list);
                self.values.close();
                return flow;
            }
            Expression(expression) => {
                self.value(expression)?;
                let plain = is_plain_call(self, expression);
                self.calls_of(list);
                if let Some(outcome) = self.ending(expression) {
                    return Ok(self.ended(outcome, statement.span));
                }
                if !plain {
                    self.straight(list, statement.span, key);
                }
            }
            Declaration(variables) => self.declaration(variables, statement, list)?,
            If {
                condition,
                then,
                otherwise,
            } => {
                let (flow, _) =
                    self.branch(statement, condition, then, otherwise.as_deref(), &[], list)?;
                return Ok(flow);
            }
            For { .. } | While { .. } | DoWhile { .. } => return self.repetition(statement, list),
            Switch { value, cases } => return self.switch(statement, value, cases, list),
            Return(value) => {
                let Some(expression) = value else {
                    return Ok(Flow::Leaves(None));
                };
                self.returned_object = None;
                let value = self.value(expression)?;
                let object = match self.returned_object.take() {
                    Some(object) if matches!(expression.kind, ExpressionKind::Call(..)) => object,
                    _ => self.pointee(expression),
                };
                self.returning.push(object);
                self.calls_of(list);
                if !expression.parts().is_empty() && !is_plain_call(self, expression) {
                    self.straight(list, statement.span, key);
                }
                return Ok(Flow::Leaves(value.number.filter(|_| !value.real)));
            }
            Break | Continue | Goto(_) => return Ok(Flow::Leaves(None)),
            Label(_) | Empty => {}
            Broken => {
                let problem = Problem::new("this statement is not understood")
                    .at(self.place(statement.span))
                    .hint("give its cost: #pragma pamela cost(a * n)");
                let part = self.opaque(statement.span, problem);
                list.parts.push(part);
            }
        }
        Ok(Flow::Next)
    }

    /// Moves the calls of the evaluated expression into the list.
    pub fn calls_of(&mut self, list: &mut List) {
        list.parts.append(&mut self.pending);
    }

    /// The share that a pragma gives to a branch.
    fn stated_share(&mut self, statement: &Statement) -> Result<Option<Number>, Problem> {
        let pragma = statement
            .pragmas
            .iter()
            .find(|p| p.is(Family::Pamela, "prob"));
        match pragma {
            Some(pragma) => Ok(Some(self.written(pragma, "prob")?)),
            None => Ok(None),
        }
    }
}

/// True if an iteration may leave its way in a statement.
fn may_leave(statement: &Statement) -> bool {
    let mut found = false;
    statement.walk(&mut |inner| {
        found |= matches!(
            inner.kind,
            StatementKind::Break | StatementKind::Continue | StatementKind::Return(_)
        );
    });
    found
}

/// A single call of a function of the program: its time is that of the function.
pub fn is_plain_call(walker: &Walker, expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Call(function, _) if function.name().is_some_and(is_of_messages) => true,
        ExpressionKind::Call(function, arguments) => {
            let is_apart = function.name().is_some_and(|name| {
                walker.whole.function(name, walker.function).is_some()
                    || walker.values.get(name).is_none()
                        && !ENDINGS.contains(&name)
                        && library::is_apart(name)
            });
            is_apart
                && arguments
                    .iter()
                    .all(|a| a.parts().is_empty() || a.parts().iter().all(|p| p.parts().is_empty()))
        }
        ExpressionKind::Cast(_, inner) => is_plain_call(walker, inner),
        _ => false,
    }
}
