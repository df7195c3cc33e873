//! `switch`: its cases, including fall-through.

use super::number::*;
use super::part::*;
use super::state::Values;
use super::walker::{Flow, List, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    pub fn switch(
        &mut self,
        statement: &Statement,
        value: &Expression,
        cases: &[Case],
        list: &mut List,
    ) -> Result<Flow, Problem> {
        let selector = self.value(value)?;
        self.calls_of(list);
        let selector = selector.number.filter(|_| !selector.real);
        if selector.is_none() {
            self.straight(list, value.span, statement.span.start);
        }
        let before = self.values.clone();
        let mut ways = Vec::new();
        let mut behind = Vec::new();
        let mut flow = Flow::Next;
        let mut rest = Condition::Constant(true);
        let mut shares = Number::constant(1);
        for (place, case) in cases.iter().enumerate() {
            self.values = before.clone();
            let mut inner = List::default();
            self.values.open();
            let in_switch = std::mem::replace(&mut self.in_switch, true);
            let way = self.fall_through(&cases[place..], &mut inner);
            self.in_switch = in_switch;
            self.values.close();
            if matches!(way?, Flow::Leaves(_) | Flow::Maybe) {
                flow = Flow::Maybe;
            }
            behind.push(self.values.clone());
            self.forget(&before.differing(&self.values), statement.span);
            let condition = match (&case.value, &selector) {
                (None, _) => None,
                (Some(value), Some(selector)) => {
                    let value = self.value(value)?.number.unwrap_or_default();
                    let is = Condition::compare(Comparison::Equal, selector.clone(), value);
                    rest = rest.and(is.clone().negated());
                    Some(is)
                }
                (Some(value), None) => {
                    let what = "how often this case is taken";
                    let share = self.measured_case(statement, value.span, place, what);
                    shares = shares.minus(&share).unwrap_or_default();
                    Some(Condition::Share(share))
                }
            };
            ways.push((condition, Part::sequence(inner.parts)));
        }
        self.values = before.clone();
        let conditions = ways.iter().map(|(condition, _)| condition.clone());
        let behind: Vec<_> = conditions.zip(behind).collect();
        if selector.is_some() && flow == Flow::Next {
            self.join_cases(behind, statement.span);
        } else {
            self.forget_cases(cases, statement.span);
        }
        // The default comes last, wherever it is written; without one, nothing is done.
        let (mut named, default): (Vec<_>, Vec<_>) =
            ways.into_iter().partition(|(c, _)| c.is_some());
        let default = default
            .into_iter()
            .next()
            .map_or(Part::nothing(), |(_, part)| part);
        let last = match selector {
            Some(_) => Condition::Constant(true),
            None => Condition::Share(shares),
        };
        named.push((Some(last), default));
        let ways: Vec<(Condition, Part)> = named
            .into_iter()
            .filter_map(|(c, part)| Some((c?, part)))
            .collect();
        if let Some(taken) = decided(&ways) {
            list.parts.push(taken);
        } else if ways.iter().any(|(_, part)| !part.is_nothing()) {
            list.parts.push(Part::Switch(ways));
        }
        Ok(flow)
    }

    /// Forgets the values that cases may assign.
    fn forget_cases(&mut self, cases: &[Case], span: Span) {
        for case in cases {
            let names = super::assigned::assigned_in(self, case.body.iter());
            let names: Vec<String> = names.into_iter().collect();
            self.forget(&names, span);
        }
    }

    /// Joins the values after cases that known conditions choose. Without a default, the earlier values remain if no
    /// case is chosen.
    fn join_cases(&mut self, behind: Vec<(Option<Condition>, Values)>, span: Span) {
        let (named, default): (Vec<_>, Vec<_>) = behind.into_iter().partition(|(c, _)| c.is_some());
        if let Some((_, values)) = default.into_iter().next() {
            self.values = values;
        }
        for (condition, values) in named.into_iter().rev() {
            self.join(&condition, values, span);
        }
    }

    fn measured_case(
        &mut self,
        statement: &Statement,
        span: Span,
        case: usize,
        what: &str,
    ) -> Number {
        let site = self.whole.site(self.function, statement.span.start);
        let name = self.function_name();
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Share,
            facts: ">= 0 <= 1".into(),
            place: Some(self.place(span)),
            what: what.to_string(),
            default: None,
            site: Some(format!("{name}/{site}/{case}")),
        };
        let key = (
            format!("case {case} of {}", self.function),
            statement.span.start,
        );
        let symbol = self.parameter(key, parameter, &format!("p_{name}_{site}_{}", case + 1));
        let problem = Problem::new("how often this case is taken depends on data: a parameter");
        self.tell(symbol, problem.at(self.place(span)));
        Number::symbol(symbol)
    }

    /// The statements of a case, and those of the next ones until a `break`.
    fn fall_through(&mut self, cases: &[Case], list: &mut List) -> Result<Flow, Problem> {
        for case in cases {
            let end = case
                .body
                .iter()
                .position(|s| matches!(s.kind, StatementKind::Break));
            let flow = self.list(&case.body[..end.unwrap_or(case.body.len())], list)?;
            let is_braced = case.body.iter().any(ends_with_break);
            if end.is_some() || is_braced {
                return Ok(match flow {
                    Flow::Leaves(_) if is_braced && end.is_none() => Flow::Next,
                    flow => flow,
                });
            }
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }
}

fn decided(ways: &[(Condition, Part)]) -> Option<Part> {
    let open = ways
        .iter()
        .filter(|(c, _)| *c != Condition::Constant(false));
    let (first, part) = open.into_iter().next()?;
    (*first == Condition::Constant(true)).then(|| part.clone())
}

fn ends_with_break(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Block(list) => list.last().is_some_and(ends_with_break),
        _ => false,
    }
}
