//! Links imported files, defaults and named arguments into one flat model.
//!
//! Every imported file is a unit with a scope of its own. It has one instance without `with`, and
//! one for each `with`. Each equation of an instance that the model reaches is copied under a
//! unique name. A call with omitted arguments goes through an equation that fills them in, so
//! defaults are looked up where they are written.

mod calls;
mod fields;
mod forms;
mod given;
mod instances;
mod linked;
mod points;
mod records;
mod resolve;
mod rows;
mod unit;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use self::fields::Fields;
use self::forms::{Declared, Form};
pub use self::given::Rows;
use self::records::row_fact;
use self::unit::{Instance, Target, Unit};
use super::{BOUNDS, PREFIXES, Units};
use crate::diagnostic::{Diagnostic, Sources, Span};
use crate::syntax::tree::{self, Equation, Expr, Item, Name, Value};
use crate::syntax::{read_later, words_of};

/// Maximum number of bytes of expanded text.
const MAX_WRITTEN: usize = 8 << 20;

/// The instance that the model itself is.
const ROOT: usize = 0;

/// The files of a model, and the definitions reached so far.
#[derive(Clone, Debug)]
pub(super) struct Linker {
    units: Arc<Vec<Unit>>,
    instances: Vec<Instance>,
    /// Names that nothing new may have.
    taken: HashSet<String>,
    /// Names of reached equations.
    names: HashMap<Target, String>,
    /// Reached equations that are not copied yet.
    pending: VecDeque<Target>,
    /// Copied assumptions, by instance and item.
    assumed: BTreeSet<(usize, usize)>,
    /// Equations that fill in defaults, by the called equation and the omitted arguments.
    fillers: HashMap<(Target, Vec<usize>), String>,
    /// Copies, with instance and item; equations that fill in arguments come last.
    made: Vec<(Target, Item)>,
    /// Contents of records and tables.
    forms: HashMap<Declared, Arc<Form>>,
    are_records: HashMap<Target, bool>,
    /// Fields that equations use of their arguments.
    fields: HashMap<Target, Fields>,
    /// Names of arguments that are fields, by argument and field.
    formal_fields: HashMap<(String, String), String>,
    /// Rows given to parameters from outside, and fields given separately.
    chosen: HashMap<Target, Expr>,
    fields_given: HashSet<String>,
    /// Number of bytes of text written out again, for rows of tables and for points.
    written: usize,
    /// Number of names followed while a field is looked up.
    steps: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Linker {
    pub(super) fn new(model: tree::Model, sources: &Sources) -> Linker {
        let root = Unit::new(String::new(), model.items);
        let libraries = model.libraries.into_iter();
        let libraries = libraries.map(|l| Unit::new(l.file, l.items));
        let units: Vec<Unit> = std::iter::once(root).chain(libraries).collect();
        let words = sources.0.iter().flat_map(|source| words_of(&source.text));
        let mut linker = Linker {
            units: Arc::new(units),
            instances: Vec::new(),
            taken: words.map(str::to_owned).collect(),
            names: HashMap::new(),
            pending: VecDeque::new(),
            assumed: BTreeSet::new(),
            fillers: HashMap::new(),
            made: Vec::new(),
            forms: HashMap::new(),
            are_records: HashMap::new(),
            fields: HashMap::new(),
            formal_fields: HashMap::new(),
            chosen: HashMap::new(),
            fields_given: HashSet::new(),
            written: 0,
            steps: 0,
            diagnostics: Vec::new(),
        };
        for (number, unit) in linker.units.clone().iter().enumerate() {
            linker.diagnostics.extend(unit.duplicates(number != ROOT));
        }
        linker.find_instances();
        linker
    }

    /// The equation with this name in the flat model, as written.
    pub(super) fn written(&self, name: &str) -> Option<&Equation> {
        let mut names = self.names.iter();
        let (target, _) = names.find(|(target, own)| target.field == 0 && *own == name)?;
        Some(self.equation(*target))
    }

    /// The items of the model, and all that they reach.
    pub(super) fn items(&mut self) -> Result<Vec<Item>, Vec<Diagnostic>> {
        let units = self.units.clone();
        // Definitions of the model keep their names and are copied here, even if an earlier one mentions them.
        for (position, item) in units[ROOT].items.iter().enumerate() {
            if let Item::Equation(equation) = item {
                let target = Target::new(ROOT, position);
                self.names.insert(target, equation.name.text.clone());
            }
        }
        for (position, item) in units[ROOT].items.iter().enumerate() {
            let target = Target::new(ROOT, position);
            match item {
                Item::Equation(equation) => self.copy(target, equation),
                Item::Assume(relations) => self.assume(target, relations),
                Item::Assert(assertion) => {
                    let mut assertion = assertion.clone();
                    for part in assertion.parts_mut() {
                        self.resolve(part);
                    }
                    self.made.push((target, Item::Assert(assertion)));
                }
                Item::Record(_) | Item::Table(_) => {
                    self.form((ROOT, position));
                }
                Item::Import(_) | Item::Unit(_) | Item::Later(_) => {}
            }
        }
        self.reached()
    }

    /// Copies of everything reached since the last call.
    pub(super) fn reached(&mut self) -> Result<Vec<Item>, Vec<Diagnostic>> {
        let units = self.units.clone();
        loop {
            while let Some(target) = self.pending.pop_front() {
                let unit = &units[self.instances[target.instance].unit];
                if let Item::Equation(equation) = &unit.items[target.item] {
                    self.copy(target, equation);
                }
            }
            if !self.assume_reached() {
                break;
            }
        }
        if self.diagnostics.is_empty() {
            let mut made = std::mem::take(&mut self.made);
            // In the order of the files, whatever was reached first.
            made.sort_by_key(|(target, _)| *target);
            Ok(made.into_iter().map(|(_, item)| item).collect())
        } else {
            let mut told = HashSet::new();
            let mut all = std::mem::take(&mut self.diagnostics);
            // A field that several ask for is looked up for each of them.
            all.retain(|own| told.insert((own.message.clone(), own.labels.first().map(|l| l.0))));
            Err(all)
        }
    }

    /// The name in the flat model for `path`, if it is an equation of a library.
    pub(super) fn name_of(&mut self, path: &str) -> Option<String> {
        if let Some(field) = self.give_field(path) {
            return Some(field);
        }
        let target = if path.contains('.') {
            self.find_path(ROOT, path, Span::default()).ok()
        } else {
            self.single(ROOT, path)
        };
        target.map(|target| self.reach(target))
    }

    /// True if a word names a library equation that has not been parsed.
    pub(super) fn is_later(&self, word: &str) -> bool {
        self.units.iter().any(|unit| unit.is_later(word))
    }

    /// Parses the library equations that these words may mean; `units` looks up their units.
    ///
    /// # Errors
    /// Fails with the errors in them.
    pub(super) fn read<'t>(
        &mut self,
        words: impl Iterator<Item = &'t str>,
        sources: &'t Sources,
        units: &mut Units,
    ) -> Result<(), Vec<Diagnostic>> {
        let mut changed = (*self.units).clone();
        let items = changed.iter_mut().map(|unit| &mut unit.items);
        read_later(items.collect(), sources, words)?;
        for (own, before) in changed.iter_mut().zip(self.units.iter()) {
            for (item, before) in own.items.iter_mut().zip(&before.items) {
                if let (Item::Equation(_), Item::Later(_)) = (&*item, before) {
                    units.look_up_item(item)?;
                }
            }
        }
        self.units = Arc::new(changed);
        Ok(())
    }

    /// Resolves the names in an expression of the model itself.
    pub(super) fn resolve(&mut self, value: &mut Expr) {
        self.expr(ROOT, value, &mut Vec::new());
    }

    /// Counts `copies` of the text at a place.
    ///
    /// # Errors
    /// Fails if the expanded text exceeds [`MAX_WRITTEN`] in all.
    fn write_out(&mut self, copies: usize, text: Span) -> Result<(), Box<Diagnostic>> {
        let length = text.end.saturating_sub(text.start) as usize;
        let more = copies.saturating_mul(length.max(1));
        self.written = self.written.saturating_add(more);
        if self.written <= MAX_WRITTEN {
            return Ok(());
        }
        let message = format!(
            "loops over rows and points of `steps` exceed {} MiB when expanded",
            MAX_WRITTEN >> 20
        );
        Err(Box::new(Diagnostic::error(message, text, "with this")))
    }

    /// Keeps an error, unless there are more than anybody reads.
    fn tell(&mut self, error: Diagnostic) {
        if self.diagnostics.len() <= super::MAX_DIAGNOSTICS {
            self.diagnostics.push(error);
        }
    }

    /// The name of an equation, which is copied if it has not been.
    fn reach(&mut self, target: Target) -> String {
        if let Some(name) = self.names.get(&target) {
            return name.clone();
        }
        let own = self.own_name(target);
        let name = match target.instance {
            ROOT if target.field > 0 => self.unused(own),
            ROOT => own,
            // The predefined array is one for all.
            _ if own == super::FCFS => own,
            instance => {
                let name = format!("{}_{own}", self.instances[instance].prefix);
                self.unused(name)
            }
        };
        self.names.insert(target, name.clone());
        self.pending.push_back(target);
        name
    }

    /// The name of an equation in its file, or of a field of one.
    fn own_name(&mut self, target: Target) -> String {
        let own = self.equation(target).name.text.clone();
        match (
            target.field,
            self.declared_of(Target { field: 0, ..target }),
        ) {
            (number @ 1.., Ok(Some(declared))) => {
                let form = self.form(declared);
                format!("{own}_{}", form.fields[number - 1].name.text)
            }
            _ => own,
        }
    }

    fn equation(&self, target: Target) -> &Equation {
        self.units[self.instances[target.instance].unit].equation(target.item)
    }

    /// A name like this one that nothing else has, nor any result.
    fn unused(&mut self, name: String) -> String {
        let is_result = |name: &str| {
            let mut prefixes = PREFIXES.iter().chain(&BOUNDS).chain(&MOMENTS);
            prefixes.any(|prefix| {
                let of = name.strip_prefix(prefix);
                of.is_some_and(|of| self.taken.contains(of))
            })
        };
        let free = |name: &String| !self.taken.contains(name) && !is_result(name);
        let numbered = (2..).map(|number: u64| format!("{name}_{number}"));
        let found = std::iter::once(name.clone()).chain(numbered).find(free);
        let name = found.unwrap_or(name);
        self.taken.insert(name.clone());
        name
    }

    fn copy(&mut self, target: Target, equation: &Equation) {
        if target.field > 0 {
            return match self.equation_of_field(target) {
                Ok(field) => self.made.push((target, Item::Equation(field))),
                Err(error) => self.diagnostics.push(*error),
            };
        }
        // A record is not a number: what the model has of it are its fields.
        if row_fact(equation).is_some() || self.is_record(target) {
            if let Err(error) = self.check_record(target) {
                self.diagnostics.push(*error);
            }
            return;
        }
        let mut copy = equation.clone();
        copy.name.text = self.names[&target].clone();
        copy.auxiliary = target.instance != ROOT;
        copy.defaults = Vec::new();
        let instance = target.instance;
        let fields = self.fields_asked(target);
        let mut locals = self.locals_of(target);
        let flat = self.flat_formals(equation, &fields);
        for fact in &mut copy.facts {
            match fact {
                tree::ParameterFact::Bound(_, bound) => {
                    self.expr(instance, bound, &mut locals);
                }
                tree::ParameterFact::Unknown(own) | tree::ParameterFact::Arrivals(own) => {
                    self.expr(instance, own, &mut locals);
                }
                tree::ParameterFact::Monotone(own) => {
                    own.formals = written_out(own, equation, &flat)
                }
                _ => {}
            }
        }
        copy.formals = flat.concat();
        match self.instances[instance].given.get(&target.item).cloned() {
            // As with `-D`, the declared facts stay.
            Some((importer, mut value)) => {
                self.expr(importer, &mut value, &mut Vec::new());
                copy.parameter = false;
                copy.facts
                    .retain(|fact| !matches!(fact, tree::ParameterFact::Unknown(_)));
                copy.value = Some(Value::Numeric(value));
            }
            None => match &mut copy.value {
                Some(Value::Numeric(value) | Value::Resource(value)) => {
                    self.expr(instance, value, &mut locals);
                }
                Some(Value::Process(process)) => self.process(instance, process, &mut locals),
                None => {}
            },
        }
        self.made.push((target, Item::Equation(copy)));
    }

    fn assume(&mut self, target: Target, relations: &[Expr]) {
        self.assumed.insert((target.instance, target.item));
        let mut relations = relations.to_vec();
        for relation in &mut relations {
            self.expr(target.instance, relation, &mut Vec::new());
        }
        self.made.push((target, Item::Assume(relations)));
    }

    /// Copies the assumptions of instances that are about something reached; whether there are any.
    fn assume_reached(&mut self) -> bool {
        let units = self.units.clone();
        let before = self.made.len();
        for instance in 1..self.instances.len() {
            let unit = &units[self.instances[instance].unit];
            for &(item, ref names) in &unit.assumptions {
                let reached = |&own: &usize| self.names.contains_key(&Target::new(instance, own));
                let new = !self.assumed.contains(&(instance, item));
                if let (true, Item::Assume(relations)) =
                    (new && names.iter().any(reached), &unit.items[item])
                {
                    self.assume(Target::new(instance, item), relations);
                }
            }
        }
        self.made.len() > before
    }
}

/// The prefixes of the moments of results that are laws.
const MOMENTS: [&str; 6] = ["E_", "Var_", "Skw_", "Kur_", "cycle_", "mva_"];

/// True if a model contains anything to link.
pub(super) fn is_needed(model: &tree::Model) -> bool {
    let needs = |item: &Item| match item {
        Item::Import(_) | Item::Record(_) | Item::Table(_) => true,
        Item::Assert(assertion) => assertion.parts().any(linked::is_linked),
        Item::Unit(_) | Item::Later(_) => false,
        Item::Assume(relations) => relations.iter().any(linked::is_linked),
        Item::Equation(equation) => !equation.defaults.is_empty() || linked::has_linked(equation),
    };
    model.items.iter().any(needs)
}

/// True if an expression needs linking, or calls an equation with omitted arguments.
pub(super) fn is_needed_by(value: &Expr) -> bool {
    linked::is_linked(value)
}

/// The arguments that a declaration names, of records the fields.
fn written_out(own: &tree::Monotone, equation: &Equation, flat: &[Vec<Name>]) -> Vec<Name> {
    let fields = |name: &Name| {
        let mut formals = equation.formals.iter().zip(flat);
        let found = formals.find(|(formal, own)| formal.text == name.text && !own.is_empty());
        found.map_or_else(|| vec![name.clone()], |(_, fields)| fields.clone())
    };
    own.formals.iter().flat_map(fields).collect()
}
