//! Functions that are called: each is walked once for each pattern of what is known of its arguments.

use std::collections::BTreeMap;

use super::number::{Number, Symbol};
use super::part::*;
use super::state::Binding;
use super::walker::{Flow, List, Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// Functions with different values of their arguments.
const MOST_INSTANCES: usize = 2_000;

/// The place among the arguments of the index of the thread that calls.
pub const THREAD: usize = usize::MAX;

/// What a call of a function comes to.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Its place in the list of instances; none where it is part of the caller's block.
    pub instance: Option<usize>,
    /// The formals whose values matter, by their place among the arguments.
    pub formals: Vec<(usize, Symbol)>,
    pub returned: Option<Number>,
    pub globals: BTreeMap<String, Binding>,
}

/// Whether a variable is what a loop adds or takes away: `i += step`.
fn is_step(body: &Statement, name: &str) -> bool {
    let mut found = false;
    body.walk_expressions(&mut |expression| {
        let ExpressionKind::Assign(operator, _, value) = &expression.kind else {
            return;
        };
        found |= match (operator.as_str(), &value.kind) {
            ("+=" | "-=", ExpressionKind::Name(step)) => step == name,
            ("=", ExpressionKind::Binary(operator, _, step))
                if operator == "+" || operator == "-" =>
            {
                step.name() == Some(name)
            }
            _ => false,
        };
    });
    found
}

impl Walker<'_> {
    /// A function with these values of its arguments, walked once for each pattern of what is known.
    pub fn call(
        &mut self,
        function: usize,
        arguments: &[Option<Number>],
    ) -> Result<Walked, Problem> {
        self.step()?;
        let entry = self.whole.functions[function];
        let known: Vec<bool> = entry
            .function
            .formals
            .iter()
            .enumerate()
            .map(|(k, formal)| {
                matches!(formal.kind, Kind::Integer { .. })
                    && arguments.get(k).is_some_and(Option::is_some)
            })
            .collect();
        // Arguments that are not below 0 keep quotients simple.
        let above: Vec<bool> = known
            .iter()
            .enumerate()
            .map(|(k, known)| {
                *known
                    && arguments[k]
                        .as_ref()
                        .is_some_and(|n| self.facts.nonnegative(n))
            })
            .collect();
        let used = self.whole.globals_used(function);
        let values: BTreeMap<_, _> = self
            .values
            .globals
            .iter()
            .filter(|(n, _)| used.contains(n.split('[').next().unwrap_or(n)))
            .collect();
        let in_team = self
            .team
            .as_ref()
            .filter(|_| self.whole.is_of_threads(function))
            .map(|(_, thread)| *thread);
        // Steps of loops must be known to be above 0: they are said in what the caller knows.
        let steps: Vec<Option<Number>> = entry
            .function
            .formals
            .iter()
            .enumerate()
            .map(|(k, formal)| {
                let argument = arguments.get(k)?.clone()?;
                let is_step = known[k] && is_step(&entry.function.body, &formal.name);
                (is_step && self.is_of_parameters(&argument)).then_some(argument)
            })
            .collect();
        let key = format!(
            "{function} {known:?} {above:?} {steps:?} {values:?} {in_team:?} {:?}",
            self.threads
        );
        if let Some(walked) = self.walked.get(&key) {
            return Ok(walked.clone());
        }
        if self.instances.len() >= MOST_INSTANCES {
            return Err(
                Problem::new("functions are called with too many different values")
                    .hint("model one of them: --entry"),
            );
        }
        // What shares work is said in the program's own sizes where it is called once.
        let is_direct = self.whole.is_of_threads(function) && self.whole.is_called_once(function);
        let same = is_direct
            && arguments
                .iter()
                .flatten()
                .all(|argument| self.is_of_parameters(argument));
        let direct = if same { arguments } else { &steps };
        let walked = self.walk_function(function, &known, &above, direct)?;
        self.walked.insert(key, walked.clone());
        Ok(walked)
    }

    /// Whether a number is the same throughout the program.
    pub fn is_of_parameters(&self, number: &Number) -> bool {
        let mut all = true;
        number.symbols(&mut |symbol| {
            all &= matches!(self.names[symbol.0 as usize].role, Role::Parameter(_));
        });
        all
    }

    fn walk_function(
        &mut self,
        function: usize,
        known: &[bool],
        above: &[bool],
        direct: &[Option<Number>],
    ) -> Result<Walked, Problem> {
        let entry = self.whole.functions[function];
        let scopes = self.values.enter();
        let caller = std::mem::replace(&mut self.function, function);
        let once = self.once && self.whole.is_called_once(function);
        let once = std::mem::replace(&mut self.once, once);
        let pending = std::mem::take(&mut self.pending);
        let facts = self.facts.clone();
        self.facts.known.clear();
        let loops = std::mem::take(&mut self.loops);
        self.stack.push(function);
        self.values.open();
        let mut formals = Vec::new();
        for (k, formal) in entry.function.formals.iter().enumerate() {
            let value = known.get(k).copied().unwrap_or(false).then(|| {
                if let Some(Some(value)) = direct.get(k) {
                    return value.clone();
                }
                let symbol = self.symbol(&formal.name, Role::Formal);
                formals.push((k, symbol));
                if above[k] {
                    self.facts.least.insert(symbol, 0);
                }
                Number::symbol(symbol)
            });
            self.values.declare(&formal.name, formal.kind, value);
        }
        let mut list = List::default();
        let flow = self.list(std::slice::from_ref(&entry.function.body), &mut list);
        self.stack.pop();
        self.values.leave(scopes);
        self.function = caller;
        self.once = once;
        self.loops = loops;
        self.pending = pending;
        let least = std::mem::replace(&mut self.facts, facts).least;
        self.facts.least.extend(least);
        let returned = match flow? {
            Flow::Leaves(value) => value,
            _ => None,
        };
        // A function of one value, such as a maximum, belongs to the code that asks for it.
        let is_plain = matches!(list.parts[..], [] | [Part::Block(_)]);
        let body = Part::sequence(list.parts);
        if let Some((_, thread)) = self
            .team
            .as_ref()
            .filter(|_| !super::translate::is_of_team(&body, &self.instances))
        {
            formals.push((THREAD, *thread));
        }
        let of_globals = |symbol: Symbol| {
            let mut values = self
                .values
                .globals
                .values()
                .filter_map(|binding| binding.value.as_ref());
            values.any(|value| value.mentions(symbol))
        };
        formals.retain(|(_, symbol)| {
            of_globals(*symbol)
                || body.mentions(*symbol)
                || returned
                    .as_ref()
                    .is_some_and(|value| value.mentions(*symbol))
        });
        let instance = match is_plain && returned.is_some() {
            true => None,
            false => {
                let name = self.symbol(&entry.function.name, Role::Function);
                self.instances.push(Instance {
                    name,
                    formals: formals
                        .iter()
                        .map(|(_, symbol)| *symbol)
                        .filter(|symbol| body.mentions(*symbol))
                        .collect(),
                    body,
                    place: entry.function.place.clone(),
                    team: self
                        .team
                        .clone()
                        .filter(|_| self.whole.is_of_threads(function)),
                });
                Some(self.instances.len() - 1)
            }
        };
        let globals = self.values.globals.clone();
        Ok(Walked {
            instance,
            formals,
            returned,
            globals,
        })
    }
}
