//! Models of programs.
//!
//! The walk ([`walker`], with `statements`, `loops`, `values`, `directives`) makes [`part`]s of a function that keep
//! only what matters for the time. `translate` turns them into processes, and `print` writes these.

mod addresses;
mod assigned;
mod calls;
mod cases;
mod changes;
mod choices;
mod collapse;
mod condense;
mod counts;
mod cycles;
mod declarations;
mod directives;
mod drawn;
mod elements;
mod endings;
mod farms;
mod flow;
mod functions;
mod graph;
mod growth;
mod induction;
mod invariants;
mod iterations;
mod jumps;
mod known;
mod library;
mod linear;
mod literals;
mod loops;
mod magnitudes;
mod mapping;
mod meeting;
mod members;
mod message;
mod messages;
mod mpi;
mod names;
pub mod number;
mod objects;
mod operations;
mod orders;
mod parameters;
pub mod part;
mod phased;
mod phases;
mod pipelines;
mod pragmas;
mod print;
mod process;
mod program;
mod proofs;
mod ranges;
mod ranking;
mod ranks;
mod recursion;
mod resources;
mod rounds;
mod runners;
mod schedules;
mod sequences;
mod shape;
mod split;
mod state;
mod statements;
mod switch;
mod tasks;
mod text;
mod totals;
mod translate;
mod trips;
mod value;
mod values;
mod waiting;
mod walker;
mod ways;
mod within;
mod writer;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::problem::{Place, Problem};
use crate::source::tree::{Kind, Variable};
use crate::source::{Family, Unit};
pub use known::{Known, KnownLaw, KnownValue};
pub use message::Network;
pub use mpi::{Elements, elements, plain};
use number::{Number, Symbol};
use part::{Bounds, Declared, Parameter, ParameterKind, Part};
use program::WholeProgram;
pub use program::{AT_BEGIN, dependences, sites};
use value::Value;
use walker::{List, Role, Walker};

/// Options for a model.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The function to model; `main` by default.
    pub entry: Option<String>,
    /// Macros that are kept as parameters.
    pub macros: Vec<String>,
    /// Names for arguments of the program: `n` for `argv[1]`.
    pub arguments: Vec<(String, usize)>,
    /// True if equations say how often each block runs.
    pub counts: bool,
    /// Known facts about branches and loops from a profile, by site: `sort/if1`.
    pub known: BTreeMap<String, Known>,
    /// Shares of functions from a sampling profiler.
    pub sampled: Option<Sampled>,
    /// Network that messages use.
    pub network: Network,
    pub parts: Parts,
    /// Lines beside parameters above which a model is shortened; 0 never shortens it.
    pub lines: usize,
    /// Numbers of ranks with which messages are tried; some small ones if there are none.
    pub ranks: Vec<i64>,
}

/// The size assumed for all recursive calls of a level if their sizes differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    #[default]
    Smallest,
    Largest,
}

/// Shares of the time from a profiler, from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    /// `perf report`
    pub by: String,
    /// Shares of functions of the program.
    pub functions: BTreeMap<String, f64>,
    /// Shares of libraries, or of functions if the text names no library.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elsewhere: BTreeMap<String, f64>,
}

impl Sampled {
    /// Smaller shares are not told.
    const LEAST: f64 = 0.005;

    /// `perf report: multiply 72 %, main 3 %; outside of the program: libgomp.so.1 25 %`
    fn note(&self) -> String {
        let told = |shares: &BTreeMap<String, f64>| {
            let mut list: Vec<(&String, f64)> = shares.iter().map(|(n, s)| (n, *s)).collect();
            list.retain(|(_, share)| *share >= Sampled::LEAST);
            list.sort_by(|a, b| b.1.total_cmp(&a.1));
            let told = list
                .iter()
                .map(|(name, share)| format!("{name} {:.0} %", 100.0 * share));
            told.collect::<Vec<String>>().join(", ")
        };
        let (own, elsewhere) = (told(&self.functions), told(&self.elsewhere));
        let parts = [own, format!("outside of the program: {elsewhere}")];
        let count = if elsewhere.is_empty() { 1 } else { 2 };
        format!("the time by {}: {}", self.by, parts[..count].join("; "))
    }
}

/// A model of a program: text of the language, with its parameters and notes.
#[derive(Clone, Debug, Serialize)]
pub struct Model {
    pub model: String,
    pub parameters: Vec<Described>,
    pub opaque: Vec<NotUnderstood>,
    pub notes: Vec<String>,
    /// Line numbers of the text, from 0, with their origin in the program.
    #[serde(skip)]
    pub places: Vec<(usize, Place)>,
    /// True if it contains expressions of pragmas in their original text.
    #[serde(skip)]
    pub has_pragmas: bool,
}

impl Model {
    /// The program lines of a model line, or of the nearest earlier line that has any.
    pub fn place_of(&self, line: usize) -> Option<&Place> {
        let known = self.places.iter().rev();
        let mut before = known.skip_while(|(at, _)| *at > line);
        before.next().map(|(_, place)| place)
    }
}

/// A parameter of the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Described {
    pub name: String,
    pub kind: ParameterKind,
    pub facts: Declared,
    /// Bounds of a number of iterations that is not derived.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    pub what: String,
    /// For the time of straight code: the lines on which its statements begin.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// A part that became a measured time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotUnderstood {
    /// The parameter that replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// Models a function of a program that consists of the given files.
///
/// # Errors
/// Fails if the function does not exist or is not understood, if a pragma is wrong, or if the program is too large.
pub fn model(units: &[Unit], options: &Options) -> Result<Model, Problem> {
    let whole = WholeProgram::new(units)?;
    let name = match &options.entry {
        Some(name) => name.clone(),
        None => whole.region().unwrap_or_else(|| "main".to_string()),
    };
    let entry = whole.entry(&name)?;
    let function = whole.functions[entry].function;
    if let Some(place) = &function.broken {
        return Err(Problem::new(format!("`{name}` is not understood here")).at(place.clone()));
    }
    if let Some(reason) = whole.refused(entry) {
        return Err(
            Problem::new(format!("`{name}` {reason}, which is not modelled"))
                .at(function.place.clone())
                .hint("choose a function that it calls as `entry`"),
        );
    }
    let mut walker = Walker::new(&whole);
    walker.function = entry;
    walker.arguments = options.arguments.clone();
    walker.known = options.known.clone();
    walker.counts = options.counts;
    walker.network = options.network;
    walker.ranks = options.ranks.clone();
    walker.parts = options.parts;
    if whole.sends_messages(entry) {
        walker.of_ranks();
    }
    walker
        .notes
        .extend(options.sampled.iter().map(Sampled::note));
    keep_macros(&mut walker, units, options)?;
    globals(&mut walker, units)?;
    let pragmas = units.iter().flat_map(|unit| &unit.program.pragmas);
    pragmas
        .filter(|pragma| pragma.family == Family::Unknown)
        .for_each(|pragma| walker.note_unknown(pragma));
    let body = enter(&mut walker, entry)?;
    let body = among_ranks(&mut walker, body);
    let mut model = print::print(&mut walker, &body, options.counts, options.lines)?;
    let mut pragmas = units.iter().flat_map(|unit| &unit.text.pragmas);
    model.has_pragmas = pragmas.any(|pragma| pragma.family == Family::Pamela);
    Ok(model)
}

/// Replaces the communication of the ranks by farms or pipelines if possible, and notes waiting that is left out.
fn among_ranks(walker: &mut Walker, body: Part) -> Part {
    // Counts follow the program text.
    let is_kept = walker.counts;
    if let Some(farm) = farms::rewritten(walker, &body) {
        return if is_kept { body } else { farm };
    }
    let piped = pipelines::rewritten(walker, &body);
    waiting::check(walker, piped.as_ref().unwrap_or(&body));
    match piped {
        Some(piped) if !is_kept => piped,
        _ => body,
    }
}

/// Macros whose names are kept are parameters, with the values that the program gives them.
fn keep_macros(walker: &mut Walker, units: &[Unit], options: &Options) -> Result<(), Problem> {
    for name in &options.macros {
        let defaults = units.iter().flat_map(|unit| &unit.program.defaults);
        let mut values = defaults
            .filter(|(defined, _)| defined == name)
            .map(|(_, value)| value);
        let Some(value) = values.next() else {
            return Err(Problem::new(format!("no macro `{name}` is defined")).hint(
                "use --param to keep the name of a macro, or to name an argument: --param n=argv[1]",
            ));
        };
        let stated = walker.whole.facts.get(name.as_str()).cloned();
        let least = stated.as_ref().map_or(Some(0), |stated| stated.least);
        let digits = value.trim_matches(|c: char| {
            c == '(' || c == ')' || c == 'L' || c == 'U' || c.is_whitespace()
        });
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Value,
            facts: stated.map_or("integer >= 0".into(), |stated| stated.for_integer().into()),
            place: None,
            what: format!("macro {name}"),
            default: digits.parse::<u64>().ok().map(|value| value.to_string()),
            site: None,
        };
        let symbol = walker.parameter((format!("macro {name}"), 0), parameter, name);
        walker.given_names.insert(name.clone(), 1);
        if let Some(least) = least {
            walker.facts.least.insert(symbol, least);
        }
    }
    Ok(())
}

/// Values of globals before the program begins.
fn globals(walker: &mut Walker, units: &[Unit]) -> Result<(), Problem> {
    let mut never_written = BTreeMap::new();
    for (unit, variable) in all(units) {
        let name = &variable.name;
        // Files may have static variables with the same name; then none of them is known.
        let mut others = all(units).filter(|(other, same)| *other != unit && same.name == *name);
        if others.any(|(_, same)| same.is_static || variable.is_static) {
            let binding = state::Binding::number(variable.kind, None);
            walker.values.globals.insert(name.clone(), binding);
            continue;
        }
        let binding = match variable.kind {
            Kind::Integer { .. } => {
                let first = match &variable.value {
                    Some(value) => walker.value(value)?,
                    None => Value::unknown(),
                };
                let first = first.number.filter(|_| !first.real);
                if walker.whole.is_never_written(variable) && first.is_some() {
                    never_written.insert(name.clone(), first.clone());
                }
                let value = match never_written.get(name) {
                    Some(first) => first.clone(),
                    None if walker.whole.is_addressed(walker.function, name) => None,
                    None => Some(walker.global(unit, variable)),
                };
                state::Binding::number(variable.kind, value)
            }
            Kind::Real => state::Binding::number(variable.kind, None),
            Kind::Other => {
                let object = if variable.is_pointer {
                    format!("*{name}")
                } else {
                    name.clone()
                };
                let mut binding = state::Binding::object(variable, Some(object));
                if !variable.is_pointer {
                    let begin = walker.symbol(name, Role::Address);
                    binding.address = Some(Number::symbol(begin));
                }
                binding
            }
        };
        walker.values.globals.insert(name.clone(), binding);
        if let Some(kind) = variable.element {
            let marker = state::Binding::number(kind, None);
            let values = &mut walker.values.globals;
            values.insert(format!("{name}[]"), marker);
            if variable.is_constant {
                walker.initial_elements(variable);
            }
        }
    }
    walker.pending.clear();
    Ok(())
}

/// The globals of all files, with the numbers of the files.
fn all(units: &[Unit]) -> impl Iterator<Item = (usize, &Variable)> {
    let units = units.iter().enumerate();
    units.flat_map(|(at, unit)| unit.program.globals.iter().map(move |v| (at, v)))
}

/// Walks the entry: its formals are parameters of the model.
fn enter(walker: &mut Walker, entry: usize) -> Result<Part, Problem> {
    let function = walker.whole.functions[entry].function;
    walker.stack.push(entry);
    walker.values.open();
    for formal in &function.formals {
        let is_argument_count = function.name == "main";
        let is_integer = matches!(formal.kind, Kind::Integer { .. });
        let value: Option<Number> = (is_integer && !is_argument_count).then(|| {
            let site = walker.whole.site_at_begin(entry, &formal.name);
            let what = format!("argument {}", formal.name);
            let number = walker.value_at(Some(site), &formal.name, function.span, &what);
            walker.given_names.insert(formal.name.clone(), 1);
            number
        });
        match formal.kind {
            Kind::Other => {
                let object = if formal.is_pointer {
                    format!("*{}@{entry}:{}", formal.name, formal.span.start)
                } else {
                    format!("{}@{entry}:{}", formal.name, formal.span.start)
                };
                walker.values.declare_object(formal, Some(object));
                walker.point_anew(&formal.name);
            }
            kind => walker.values.declare(&formal.name, kind, value),
        }
    }
    let calls_itself = walker.whole.is_recursive(entry);
    let formals = function.formals.iter();
    let values: Vec<Option<Number>> = formals
        .map(|formal| walker.values.get(&formal.name)?.value.clone())
        .collect();
    if calls_itself {
        walker.once = false;
        walker.begin_again(entry);
    }
    let mut list = List::default();
    walker.list(std::slice::from_ref(&function.body), &mut list)?;
    let whole = Part::sequence(list.parts);
    Ok(match walker.region.take() {
        Some(region) => {
            walker.note_calls_of_itself(&region);
            region
        }
        None if calls_itself => walker.of_levels(entry, &whole, &values),
        None => whole,
    })
}
