//! The walk through a program: its state, and what its parts are called.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::number::{Number, Symbol};
use super::part::*;
use super::program::Whole;
use super::state::{Binding, Facts, Values};
use crate::problem::{Place, Problem};
use crate::source::tree::*;

/// Parts of a program that are walked before it counts as too large.
const MOST_STEPS: usize = 2_000_000;
/// Functions with different values of their arguments.
const MOST_INSTANCES: usize = 2_000;

/// The place among the arguments of the index of the thread that calls.
pub const THREAD: usize = usize::MAX;

/// How a symbol wants to be spelled, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub hint: String,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// With its place in the list of parameters.
    Parameter(usize),
    Formal,
    Index,
    Function,
}

/// Straight code: what its parameter stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub symbol: Symbol,
    /// First bytes of its pieces.
    pub pieces: BTreeSet<usize>,
}

/// Something that was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque {
    pub name: Symbol,
    pub problem: Problem,
}

/// How control goes on behind a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    Next,
    /// To what follows only for a share of the time.
    Maybe,
    /// Never to what follows; with the value that a function returns.
    Leaves(Option<Number>),
    /// The program ends here.
    Ends,
}

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

/// The list of statements being walked.
#[derive(Debug, Default)]
pub struct List {
    pub parts: Vec<Part>,
    /// The block of its straight code.
    pub block: Option<usize>,
}

pub struct Walker<'a> {
    pub whole: &'a Whole<'a>,
    pub names: Vec<Name>,
    pub parameters: Vec<Parameter>,
    pub blocks: Vec<Block>,
    pub instances: Vec<Instance>,
    pub opaque: Vec<Opaque>,
    /// Relations that hold in the model.
    pub assumptions: Vec<Number>,
    pub notes: Vec<String>,
    pub values: Values,
    pub facts: Facts,
    /// Calls in the expression that is being evaluated.
    pub pending: Vec<Part>,
    /// The function being walked, its place in the program.
    pub function: usize,
    /// The functions that are being walked, outermost first.
    pub stack: Vec<usize>,
    /// Constants of enumerations that are being evaluated.
    pub constants: usize,
    /// Loops around, in the function being walked.
    pub loops: usize,
    /// What is walked is run at most once.
    pub once: bool,
    /// Inside a team of threads: their number and the index of one.
    pub team: Option<(Number, Symbol)>,
    pub threads: Option<Number>,
    /// Names for arguments of the program.
    pub arguments: Vec<(String, usize)>,
    /// The part that alone is modelled.
    pub region: Option<Part>,
    /// Parameters by what they stand for, so that a part that is walked twice has one.
    pub by_site: HashMap<(String, usize), Symbol>,
    blocks_by_site: HashMap<(usize, usize), usize>,
    walked: HashMap<String, Walked>,
    blocks_of: HashMap<usize, usize>,
    steps: usize,
}

impl<'a> Walker<'a> {
    pub fn new(whole: &'a Whole<'a>) -> Walker<'a> {
        Walker {
            whole,
            names: Vec::new(),
            parameters: Vec::new(),
            blocks: Vec::new(),
            instances: Vec::new(),
            opaque: Vec::new(),
            assumptions: Vec::new(),
            notes: Vec::new(),
            values: Values::default(),
            facts: Facts::default(),
            pending: Vec::new(),
            function: 0,
            stack: Vec::new(),
            constants: 0,
            loops: 0,
            once: true,
            team: None,
            threads: None,
            arguments: Vec::new(),
            region: None,
            by_site: HashMap::new(),
            blocks_by_site: HashMap::new(),
            walked: HashMap::new(),
            blocks_of: HashMap::new(),
            steps: 0,
        }
    }

    /// Counts a step of the walk.
    ///
    /// # Errors
    /// The program is too large.
    pub fn step(&mut self) -> Result<(), Problem> {
        self.steps += 1;
        match self.steps <= MOST_STEPS {
            true => Ok(()),
            false => Err(
                Problem::new("the program is too large to be modelled at once")
                    .hint("model one of its functions: --entry"),
            ),
        }
    }

    pub fn symbol(&mut self, hint: &str, role: Role) -> Symbol {
        self.names.push(Name {
            hint: hint.to_string(),
            role,
        });
        Symbol(self.names.len() as u32 - 1)
    }

    pub fn place(&self, span: Span) -> Place {
        self.whole.place(self.function, span)
    }

    pub fn function_name(&self) -> &'a str {
        &self.whole.functions[self.function].function.name
    }

    /// A parameter of the model; the same one where this site has one already.
    pub fn parameter(&mut self, site: (String, usize), parameter: Parameter, hint: &str) -> Symbol {
        if let Some(symbol) = self.by_site.get(&site) {
            return *symbol;
        }
        let symbol = self.symbol(hint, Role::Parameter(self.parameters.len()));
        self.parameters.push(Parameter {
            symbol,
            ..parameter
        });
        self.by_site.insert(site, symbol);
        symbol
    }

    /// A value of the program that the model takes as a parameter: a size, an argument.
    pub fn value_parameter(&mut self, name: &str, span: Span, what: &str) -> Number {
        let place = self.place(span);
        let facts = self.whole.facts.get(name).cloned();
        let least = facts.as_ref().map_or(Some(0), |facts| facts.least);
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Value,
            facts: facts.map_or("integer >= 0".to_string(), |facts| facts.for_integer()),
            place: Some(place),
            what: what.to_string(),
            default: None,
            site: None,
        };
        let site = (format!("value {name} of {}", self.function), span.start);
        let symbol = self.parameter(site, parameter, name);
        if let Some(least) = least {
            self.facts.least.insert(symbol, least);
        }
        Number::symbol(symbol)
    }

    /// The number of threads of a team where the program does not say it.
    pub fn default_threads(&mut self) -> Number {
        if let Some(threads) = &self.threads {
            return threads.clone();
        }
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Threads,
            facts: "integer >= 1".to_string(),
            place: None,
            what: "number of threads".to_string(),
            default: None,
            site: None,
        };
        let symbol = self.parameter(("threads".to_string(), 0), parameter, "P");
        self.facts.least.insert(symbol, 1);
        Number::symbol(symbol)
    }

    /// A time that the machine takes for something: `t_fork`.
    pub fn machine_time(&mut self, name: &str, what: &str) -> Number {
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Time,
            facts: ">= 0".to_string(),
            place: None,
            what: what.to_string(),
            default: None,
            site: None,
        };
        Number::symbol(self.parameter((name.to_string(), 0), parameter, name))
    }

    /// A parameter measured at a place: how often a condition holds, or how often a loop runs.
    pub fn measured(&mut self, kind: ParameterKind, span: Span, what: &str) -> Number {
        let (letter, facts) = match kind {
            ParameterKind::Share => ("p", ">= 0 <= 1"),
            _ => ("K", "integer >= 0"),
        };
        let site = self.whole.site(self.function, span.start);
        let name = self.function_name();
        let hint = format!("{letter}_{name}_{site}");
        let parameter = Parameter {
            symbol: Symbol(0),
            kind,
            facts: facts.to_string(),
            place: Some(self.place(span)),
            what: what.to_string(),
            default: None,
            site: Some(format!("{name}/{site}")),
        };
        let key = (format!("{letter} {what} of {}", self.function), span.start);
        Number::symbol(self.parameter(key, parameter, &hint))
    }

    /// Adds straight code to the block of a list.
    pub fn straight(&mut self, list: &mut List, span: Span, key: usize) {
        let block = match list.block {
            Some(block) => block,
            None => {
                let block = self.block_at(key);
                list.parts.push(Part::Block(block));
                list.block = Some(block);
                block
            }
        };
        let is_new = self.blocks[block].pieces.insert(span.start);
        let place = self.place(span);
        let symbol = self.blocks[block].symbol;
        let snippet = self.whole.snippet(self.function, span);
        if let Role::Parameter(at) = self.names[symbol.0 as usize].role {
            let what = &mut self.parameters[at].what;
            if what.is_empty() {
                *what = snippet;
            } else if is_new && !what.ends_with("..") {
                what.push_str(" ..");
            }
            let own = self.parameters[at].place.get_or_insert(place.clone());
            if own.file == place.file {
                own.first = own.first.min(place.first);
                own.last = own.last.max(place.last);
            }
        }
    }

    fn block_at(&mut self, key: usize) -> usize {
        let site = (self.function, key);
        if let Some(block) = self.blocks_by_site.get(&site) {
            return *block;
        }
        let number = self.blocks_of.entry(self.function).or_insert(0);
        *number += 1;
        let number = *number;
        let hint = format!("t_{}_{number}", self.function_name());
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Time,
            facts: ">= 0".to_string(),
            place: None,
            what: String::new(),
            default: None,
            site: None,
        };
        let symbol = self.parameter(
            (format!("block of {}", self.function), key),
            parameter,
            &hint,
        );
        self.blocks.push(Block {
            symbol,
            pieces: BTreeSet::new(),
        });
        self.blocks_by_site.insert(site, self.blocks.len() - 1);
        self.blocks.len() - 1
    }

    /// A part that is not understood: a measured time.
    pub fn opaque(&mut self, span: Span, problem: Problem) -> Part {
        let name = self.function_name().to_string();
        let known = (format!("opaque of {}", self.function), span.start);
        let is_new = !self.by_site.contains_key(&known);
        let number = 1 + self.opaque.len();
        let hint = format!("t_{name}_opaque{number}");
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Opaque,
            facts: ">= 0".to_string(),
            place: Some(self.place(span)),
            what: format!("opaque: {}", problem.message),
            default: None,
            site: None,
        };
        let symbol = self.parameter(known, parameter, &hint);
        if is_new {
            self.opaque.push(Opaque {
                name: symbol,
                problem,
            });
        }
        Part::Cost(Number::symbol(symbol))
    }

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
        let key = format!(
            "{function} {known:?} {above:?} {values:?} {in_team:?} {:?}",
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
        let direct = if same { arguments } else { &[] };
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
