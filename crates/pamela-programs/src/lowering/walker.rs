//! State of the walk through a program, and the names of its parts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::endings::Outcome;
use super::message::{Grid, Network, Subgroup, World};
use super::number::{Number, Symbol};
use super::part::*;
use super::program::WholeProgram;
use super::state::{Facts, Nest, Values, Walked};
use super::{Known, Parts};
use crate::problem::{Place, Problem};
use crate::source::tree::*;

/// Parts of a program that are walked before it counts as too large.
const MOST_STEPS: usize = 2_000_000;

/// Preferred spelling and meaning of a symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub hint: String,
    pub role: Role,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A parameter, with its index in the list.
    Parameter(usize),
    Formal,
    Index,
    /// The index of a reduction in a number.
    Bound,
    Function,
    /// The address of an array, which models do not contain.
    Address,
}

/// Straight code and its parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub symbol: Symbol,
    /// First bytes of the pieces of code, and their lines.
    pub pieces: BTreeSet<usize>,
    pub lines: BTreeSet<usize>,
    /// True if the snippet is only the beginning of the code.
    pub is_cut: bool,
}

/// Code that was not understood.
#[derive(Clone, Debug, PartialEq)]
pub struct Opaque {
    /// The parameter that replaces it, if there is one.
    pub name: Option<Symbol>,
    pub problem: Problem,
}

/// Continuation of control after a statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    Next,
    /// Control reaches the following code with some probability.
    Maybe,
    /// Control leaves the code; with the value that a function returns.
    Leaves(Option<Number>),
    /// The program ends here.
    Ends(Outcome),
}

/// The threads of a team that run a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runner {
    Each,
    First,
    /// A thread that only the run determines: code that depends on its number depends on data.
    Any,
}

/// The list of statements being walked.
#[derive(Debug, Default)]
pub struct List {
    pub parts: Vec<Part>,
    /// The block of its straight code.
    pub block: Option<usize>,
}

pub struct Walker<'a> {
    pub whole: &'a WholeProgram<'a>,
    pub names: Vec<Name>,
    pub parameters: Vec<Parameter>,
    pub blocks: Vec<Block>,
    pub instances: Vec<Instance>,
    pub opaque: Vec<Opaque>,
    /// Assumptions of the model.
    pub assumptions: Vec<Number>,
    /// Those without which a loop never ends.
    pub ends: BTreeSet<Number>,
    /// Bounds of measured numbers of iterations; none where they differ.
    pub bounds: BTreeMap<Symbol, Option<Trips>>,
    pub notes: Vec<String>,
    pub values: Values,
    pub facts: Facts,
    /// Calls in the expression that is being evaluated.
    pub pending: Vec<Part>,
    /// Index of the function being walked.
    pub function: usize,
    /// The functions that are being walked, outermost first.
    pub stack: Vec<usize>,
    /// Enumeration constants that are being evaluated.
    pub constants: usize,
    /// Surrounding loops in the function being walked.
    pub loops: usize,
    /// Labels inside the innermost surrounding loop.
    pub labels: BTreeSet<String>,
    /// True if `break` leaves a `switch`.
    pub in_switch: bool,
    /// True if the code runs at most once.
    pub once: bool,
    /// Labels of statements that come later in the function being walked.
    pub ahead: Vec<String>,
    /// Inside a team of threads: their number and the index of one.
    pub team: Option<(Number, Symbol)>,
    /// The threads that run the current code.
    pub runner: Runner,
    pub threads: Option<Number>,
    /// The ranks of a program that sends messages.
    pub world: Option<World>,
    pub network: Network,
    /// The messages of persistent requests.
    pub prepared: Vec<Part>,
    /// Numbers of ranks with which messages are tried.
    pub ranks: Vec<i64>,
    pub parts: Parts,
    /// Values that are no sizes of the work: bytes of types, mean lengths of strings.
    pub of_types: BTreeSet<Symbol>,
    /// Bounds of the loops in the outermost surrounding one.
    pub nest: Option<Nest>,
    /// The parameters of mean times, by a share or a number of iterations and the times in them.
    pub means: BTreeMap<(Option<Symbol>, Vec<Number>), Symbol>,
    /// Processes of collective operations, by name.
    pub collectives: BTreeMap<&'static str, usize>,
    /// Grids of ranks, in the order of their communicators.
    pub grids: Vec<Grid>,
    pub groups: Vec<Subgroup>,
    /// True if an allreduce in this statement uses a ring.
    pub in_ring: bool,
    /// Probabilities that are drawn once per run, with their means.
    pub drawn: BTreeMap<Symbol, f64>,
    /// Mean numbers of iterations that are not whole.
    pub fractions: BTreeSet<Symbol>,
    /// Facts from a profile, by site.
    pub known: BTreeMap<String, Known>,
    /// Only means count.
    pub counts: bool,
    /// For each surrounding loop, in all functions: the number of the iteration, unless threads share it.
    pub around: Vec<Option<Number>>,
    /// Names for arguments of the program.
    pub arguments: Vec<(String, usize)>,
    /// Arguments, macros and globals by name, with the number of values of each name.
    pub given_names: BTreeMap<String, usize>,
    /// What branches decide in the phase of a loop that is walked, by their functions and places.
    pub decided: BTreeMap<(usize, usize), bool>,
    /// True if a wanted value may be negative.
    pub may_be_negative: bool,
    /// The region to model, if there is one.
    pub region: Option<Part>,
    /// The objects whose addresses the function returns.
    pub returning: Vec<Option<String>>,
    /// The object that the last call returned.
    pub returned_object: Option<Option<String>>,
    /// The path of the member whose value is computed.
    pub asking: Option<String>,
    /// Parameters by meaning, so code that is walked twice has one parameter.
    pub by_site: HashMap<(String, usize), Symbol>,
    blocks_by_site: HashMap<(usize, usize), usize>,
    pub walked: HashMap<String, Walked>,
    blocks_of: HashMap<usize, usize>,
    steps: usize,
}

impl<'a> Walker<'a> {
    pub fn new(whole: &'a WholeProgram<'a>) -> Walker<'a> {
        Walker {
            whole,
            names: Vec::new(),
            parameters: Vec::new(),
            blocks: Vec::new(),
            instances: Vec::new(),
            opaque: Vec::new(),
            assumptions: Vec::new(),
            ends: BTreeSet::new(),
            bounds: BTreeMap::new(),
            notes: Vec::new(),
            values: Values::default(),
            facts: Facts::default(),
            pending: Vec::new(),
            function: 0,
            stack: Vec::new(),
            constants: 0,
            loops: 0,
            labels: BTreeSet::new(),
            in_switch: false,
            once: true,
            ahead: Vec::new(),
            team: None,
            runner: Runner::Each,
            threads: None,
            world: None,
            network: Network::Free,
            prepared: Vec::new(),
            ranks: Vec::new(),
            parts: Parts::default(),
            of_types: BTreeSet::new(),
            nest: None,
            means: BTreeMap::new(),
            collectives: BTreeMap::new(),
            grids: Vec::new(),
            groups: Vec::new(),
            in_ring: false,
            drawn: BTreeMap::new(),
            fractions: BTreeSet::new(),
            known: BTreeMap::new(),
            counts: false,
            around: Vec::new(),
            arguments: Vec::new(),
            given_names: BTreeMap::new(),
            decided: BTreeMap::new(),
            may_be_negative: false,
            region: None,
            returning: Vec::new(),
            returned_object: None,
            asking: None,
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
    /// Fails if the program is too large.
    pub fn step(&mut self) -> Result<(), Problem> {
        self.steps += 1;
        if self.steps <= MOST_STEPS {
            Ok(())
        } else {
            Err(
                Problem::new("the program is too large to be modelled at once")
                    .hint("choose one of its functions as `entry`"),
            )
        }
    }

    /// Adds a note about the model, once.
    pub fn note(&mut self, note: &str) {
        if !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_string());
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
        self.blocks[block].lines.insert(place.first);
        let symbol = self.blocks[block].symbol;
        let (snippet, is_cut) = self.whole.beginning(self.function, span);
        let pieces = self.blocks[block].pieces.len();
        if pieces == 1 {
            self.blocks[block].is_cut = is_cut;
        }
        let is_cut = self.blocks[block].is_cut;
        if let Role::Parameter(at) = self.names[symbol.0 as usize].role {
            let what = &mut self.parameters[at].what;
            // The beginning of the first one stands for all.
            match pieces {
                1 => *what = snippet,
                2 if is_new && !is_cut => what.push_str(" .."),
                _ => {}
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
            facts: ">= 0".into(),
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
            lines: BTreeSet::new(),
            is_cut: false,
        });
        self.blocks_by_site.insert(site, self.blocks.len() - 1);
        self.blocks.len() - 1
    }

    /// Notes code that the model omits or approximates.
    pub fn unsure(&mut self, problem: Problem) {
        if self.opaque.iter().all(|known| known.problem != problem) {
            self.opaque.push(Opaque {
                name: None,
                problem,
            });
        }
    }

    /// Replaces code that is not understood by a measured time.
    pub fn opaque(&mut self, span: Span, problem: Problem) -> Part {
        let name = self.function_name().to_string();
        let known = (format!("opaque of {}", self.function), span.start);
        let opaque = self.parameters.iter();
        let opaque = opaque.filter(|known| known.kind == ParameterKind::Opaque);
        let number = 1 + opaque.count();
        let hint = format!("t_{name}_opaque{number}");
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Opaque,
            facts: ">= 0".into(),
            place: Some(self.place(span)),
            what: format!("opaque: {}", problem.message),
            default: None,
            site: None,
        };
        let symbol = self.parameter(known, parameter, &hint);
        self.tell(symbol, problem);
        Part::Cost(Number::symbol(symbol))
    }
}
