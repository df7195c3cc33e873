//! Called functions: each is walked once for each pattern of known facts about its arguments.

use std::collections::BTreeMap;

use super::number::{Number, Symbol};
use super::objects::spelled;
use super::part::*;
use super::state::Walked;
use super::walker::{Flow, List, Role, Walker};
use crate::problem::Problem;
use crate::source::tree::*;

/// Functions with different values of their arguments.
const MOST_INSTANCES: usize = 2_000;

/// Position of the argument with the index of the calling thread or rank.
pub const CALLER: usize = usize::MAX;

/// A global or a member whose value is expressed in variables of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hidden {
    Global(String),
    Member(String),
}

/// The variable of which a name is an element: `size` of `size[0]`.
fn variable_of(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// True if a variable is what a loop adds or takes away: `i += step`.
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
    /// A function with these argument values, walked once for each pattern of known facts.
    ///
    /// One long function, because each step of the key rests on the previous ones.
    pub fn call(
        &mut self,
        function: usize,
        arguments: &[Option<Number>],
        objects: &[Option<String>],
        hidden: &[(Hidden, Number)],
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
        let calls_itself = self.whole.is_recursive(function);
        // Arguments that are not below 0 keep quotients simple.
        let above: Vec<bool> = known
            .iter()
            .enumerate()
            .map(|(k, known)| {
                let is_above = |n: &Number| {
                    // The last place of nothing is -1, where a function that calls itself ends at once.
                    let next = n.plus_constant(i64::from(calls_itself));
                    next.is_some_and(|next| self.facts.nonnegative(&next))
                };
                *known && arguments[k].as_ref().is_some_and(is_above)
            })
            .collect();
        let kept = (self.values.globals.clone(), self.values.objects.clone());
        let first = entry
            .function
            .formals
            .len()
            .max(arguments.len() - hidden.len());
        let symbols = self.name_hidden(hidden);
        // Steps of loops must be known to be positive, and partners of messages must be known, so both are expressed
        // in values that the caller knows.
        let steps: Vec<Option<Number>> = entry
            .function
            .formals
            .iter()
            .enumerate()
            .map(|(k, formal)| {
                let argument = arguments.get(k)?.clone()?;
                let is_step = known[k] && is_step(&entry.function.body, &formal.name);
                let is_direct = is_step && self.is_of_parameters(&argument)
                    || known[k] && self.is_of_messages(function, &argument);
                is_direct.then_some(argument)
            })
            .collect();
        let state = self.state_seen_by(function, objects);
        let key = format!("{function} {known:?} {above:?} {steps:?} {state}");
        if let Some(walked) = self.walked.get(&key) {
            (self.values.globals, self.values.objects) = kept;
            return Ok(walked.clone());
        }
        if self.instances.len() >= MOST_INSTANCES {
            return Err(
                Problem::new("functions are called with too many different values")
                    .hint("choose one of them as `entry`"),
            );
        }
        // If shared work is called only once, it is expressed in the program's own sizes.
        let is_direct = self.whole.is_of_threads(function) && self.whole.is_called_once(function);
        let same = is_direct
            && arguments
                .iter()
                .flatten()
                .all(|argument| self.is_of_parameters(argument));
        let direct = if same { arguments } else { &steps };
        let symbols = symbols.into_iter().enumerate();
        let symbols: Vec<(usize, Symbol)> = symbols.map(|(k, s)| (first + k, s)).collect();
        let walked = self.walk_function(function, &known, &above, direct, objects, symbols)?;
        (self.values.globals, self.values.objects) = kept;
        self.walked.insert(key, walked.clone());
        Ok(walked)
    }

    /// A key of the state besides the arguments that a walk of a function may depend on: the globals that it uses,
    /// objects whose members it uses, its team and the number of threads.
    fn state_seen_by(&self, function: usize, objects: &[Option<String>]) -> String {
        let used = self.whole.globals_used(function);
        let globals: BTreeMap<_, _> = self
            .values
            .globals
            .iter()
            .filter(|(name, _)| used.contains(variable_of(name)))
            .map(|(name, binding)| (name, (&binding.value, &binding.object)))
            .collect();
        let members = if self.whole.is_of_members(function) {
            format!("{objects:?} {:?}", self.values.objects)
        } else {
            String::new()
        };
        let in_team = self
            .team
            .as_ref()
            .filter(|_| self.whole.is_of_threads(function))
            .map(|(_, thread)| (*thread, self.runner));
        format!("{globals:?} {members} {in_team:?} {:?}", self.threads)
    }

    /// The globals and members that a function may use and whose values are expressed in variables of the caller.
    pub fn hidden(&self, function: usize) -> Vec<(Hidden, Number)> {
        let used = self.whole.globals_used(function);
        let globals = self.values.globals.iter();
        let globals = globals
            .filter(|(name, _)| used.contains(variable_of(name)))
            .filter_map(|(name, b)| Some((Hidden::Global(name.clone()), b.value.clone()?)));
        let members = self.values.objects.known();
        let of_members = self.whole.is_of_members(function);
        let members = members
            .filter(|_| of_members)
            .map(|(path, number)| (Hidden::Member(path.clone()), number.clone()));
        globals
            .chain(members)
            .filter(|(_, number)| {
                !self.is_of_parameters(number) && !self.is_of_messages(function, number)
            })
            .collect()
    }

    /// Gives each hidden value a name of its own. Equal values get equal names, so a function is walked once.
    fn name_hidden(&mut self, hidden: &[(Hidden, Number)]) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for (at, _) in hidden {
            let name = match at {
                Hidden::Global(name) => spelled(name),
                Hidden::Member(path) => spelled(path),
            };
            let key = (format!("hidden {at:?}"), 0);
            let symbol = match self.by_site.get(&key) {
                Some(symbol) => *symbol,
                None => {
                    let symbol = self.symbol(&name, Role::Formal);
                    self.by_site.insert(key, symbol);
                    symbol
                }
            };
            self.put(at, Some(Number::symbol(symbol)));
            symbols.push(symbol);
        }
        symbols
    }

    fn put(&mut self, at: &Hidden, number: Option<Number>) {
        match at {
            Hidden::Global(name) => {
                if let Some(binding) = self.values.globals.get_mut(name) {
                    binding.value = number;
                }
            }
            Hidden::Member(path) => self.values.objects.store(path, number),
        }
    }

    /// True if a number is the same throughout the program.
    pub fn is_of_parameters(&self, number: &Number) -> bool {
        let mut all = true;
        number.symbols(&mut |symbol| {
            let role = self.names[symbol.0 as usize].role;
            all &= matches!(role, Role::Parameter(_) | Role::Bound);
        });
        all
    }

    /// Declares the arguments of a function; those that stand for themselves are added to `formals`.
    fn declare_arguments(
        &mut self,
        arguments: &[Variable],
        known: &[bool],
        above: &[bool],
        direct: &[Option<Number>],
        objects: &[Option<String>],
        formals: &mut Vec<(usize, Symbol)>,
    ) {
        for (k, formal) in arguments.iter().enumerate() {
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
            match formal.kind {
                Kind::Other => {
                    let object = objects.get(k).cloned().flatten();
                    let object = if formal.is_pointer {
                        object
                    } else {
                        Some(self.copied(formal, object.as_deref()))
                    };
                    self.values.declare_object(formal, object);
                    self.point_anew(&formal.name);
                }
                kind => self.values.declare(&formal.name, kind, value),
            }
        }
    }

    /// True if a global or an object has a value with this symbol.
    fn is_left_behind(&self, symbol: Symbol) -> bool {
        let mut globals = self.values.globals.values();
        let mut objects = self.values.objects.known();
        globals.any(|global| global.value.as_ref().is_some_and(|v| v.mentions(symbol)))
            || objects.any(|(_, value)| value.mentions(symbol))
    }

    /// One long function, because the state saved at the beginning is restored at the end.
    fn walk_function(
        &mut self,
        function: usize,
        known: &[bool],
        above: &[bool],
        direct: &[Option<Number>],
        objects: &[Option<String>],
        hidden: Vec<(usize, Symbol)>,
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
        let in_switch = std::mem::take(&mut self.in_switch);
        let returning = std::mem::take(&mut self.returning);
        let ahead = std::mem::take(&mut self.ahead);
        self.stack.push(function);
        self.values.open();
        let mut formals = hidden;
        let arguments = &entry.function.formals;
        self.declare_arguments(arguments, known, above, direct, objects, &mut formals);
        let calls_itself = self.whole.is_recursive(function);
        let values: Vec<Option<Number>> = arguments
            .iter()
            .map(|formal| self.values.get(&formal.name)?.value.clone())
            .collect();
        if calls_itself {
            self.begin_again(function);
        }
        let mut list = List::default();
        let flow = self.list(std::slice::from_ref(&entry.function.body), &mut list);
        self.stack.pop();
        self.values.leave(scopes);
        self.function = caller;
        self.once = once;
        self.loops = loops;
        self.ahead = ahead;
        self.in_switch = in_switch;
        self.pending = pending;
        let mut returned_objects = std::mem::replace(&mut self.returning, returning);
        returned_objects.dedup();
        let object = match &returned_objects[..] {
            [object] => object.clone(),
            _ => None,
        };
        let least = std::mem::replace(&mut self.facts, facts).least;
        self.facts.least.extend(least);
        let returned = match flow? {
            Flow::Leaves(value) => value.filter(|_| !calls_itself),
            _ => None,
        };
        // A function of one value, such as a maximum, belongs to the code that asks for it.
        let is_plain = matches!(list.parts[..], [] | [Part::Block(_)]);
        let mut body = Part::sequence(list.parts);
        if calls_itself {
            body = self.of_levels(function, &body, &values);
        }
        if let Some((_, thread)) = self
            .team
            .as_ref()
            .filter(|_| !super::translate::is_of_team(&body, &self.instances))
        {
            formals.push((CALLER, *thread));
        }
        if let Some(world) = &self.world
            && !super::meeting::is_of_all(&body, &self.instances)
        {
            formals.push((CALLER, world.rank));
        }
        // Locks and threads are those of the rank.
        let rank = self.world.as_ref().map(|world| world.rank);
        let rank = rank.filter(|_| body.shares_work());
        let mentions = |symbol: Symbol| body.mentions(symbol) || rank == Some(symbol);
        formals.retain(|(_, symbol)| {
            self.is_left_behind(*symbol)
                || mentions(*symbol)
                || returned
                    .as_ref()
                    .is_some_and(|value| value.mentions(*symbol))
        });
        let instance = if is_plain && returned.is_some() {
            None
        } else {
            let formals = formals.iter().map(|(_, symbol)| *symbol);
            let formals = formals.filter(|symbol| mentions(*symbol)).collect();
            let name = self.symbol(&entry.function.name, Role::Function);
            self.instances.push(Instance {
                name,
                formals,
                body,
                place: Some(entry.function.place.clone()),
                comment: entry.function.place.to_string(),
                team: self
                    .team
                    .clone()
                    .filter(|_| self.whole.is_of_threads(function)),
            });
            Some(self.instances.len() - 1)
        };
        // Globals that the function does not use keep their values.
        let used = self.whole.globals_used(function);
        let globals = self.values.globals.iter();
        let globals = globals
            .filter(|(name, _)| used.contains(variable_of(name)))
            .map(|(name, binding)| (name.clone(), binding.clone()));
        let globals = globals.collect();
        Ok(Walked {
            instance,
            formals,
            returned,
            globals,
            objects: self.values.objects.clone(),
            object,
        })
    }
}
