//! Known values of the variables during the walk through a program.

use std::collections::{BTreeMap, BTreeSet};

use super::number::{Number, Symbol};
use super::objects::Objects;
use super::part::Trips;
use crate::source::tree::{Kind, Variable};

/// A variable: its kind, and its value if known.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    pub kind: Kind,
    pub value: Option<Number>,
    /// The kind without pointers and brackets.
    pub base: Kind,
    /// The object itself, or the target of the pointer, if known.
    pub object: Option<String>,
    /// The element that the pointer points to; for an array, its first element.
    pub address: Option<Number>,
    pub is_pointer: bool,
    /// Uninitialised: reading the variable is undefined in C.
    pub is_unset: bool,
}

impl Binding {
    pub fn object(variable: &Variable, object: Option<String>) -> Binding {
        Binding {
            kind: variable.kind,
            value: None,
            base: variable.base,
            object,
            address: None,
            is_pointer: variable.is_pointer,
            is_unset: false,
        }
    }

    pub fn number(kind: Kind, value: Option<Number>) -> Binding {
        Binding {
            kind,
            value,
            base: kind,
            object: None,
            address: None,
            is_pointer: false,
            is_unset: false,
        }
    }
}

/// The values of the variables in scope and of the globals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    scopes: Vec<BTreeMap<String, Binding>>,
    pub globals: BTreeMap<String, Binding>,
    pub objects: Objects,
}

impl Values {
    pub fn open(&mut self) {
        self.scopes.push(BTreeMap::new());
    }

    pub fn close(&mut self) {
        self.scopes.pop();
    }

    pub fn declare(&mut self, name: &str, kind: Kind, value: Option<Number>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), Binding::number(kind, value));
        }
    }

    /// Declares a variable that has members, or points to an object with members.
    pub fn declare_object(&mut self, variable: &Variable, object: Option<String>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(variable.name.clone(), Binding::object(variable, object));
        }
    }

    pub fn get(&self, name: &str) -> Option<&Binding> {
        let local = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        local.or_else(|| self.globals.get(name))
    }

    /// True if a name is that of a variable of the function being walked.
    pub fn is_local(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.contains_key(name))
    }

    pub fn get_mut(&mut self, name: &str) -> Option<&mut Binding> {
        let local = self
            .scopes
            .iter_mut()
            .rev()
            .find_map(|scope| scope.get_mut(name));
        local.or_else(|| self.globals.get_mut(name))
    }

    /// The elements of an array with separate values.
    pub fn elements(&self, array: &str) -> Vec<String> {
        let prefix = format!("{array}[");
        let all = self
            .scopes
            .iter()
            .chain([&self.globals])
            .flat_map(BTreeMap::keys);
        all.filter(|name| name.starts_with(&prefix))
            .cloned()
            .collect()
    }

    /// The kind of the elements of an array.
    pub fn element(&self, array: &str) -> Option<Kind> {
        self.get(&format!("{array}[]")).map(|binding| binding.kind)
    }

    /// Gives an element a value separate from the array.
    pub fn add_element(&mut self, array: &str, element: &str, kind: Kind) {
        let marker = format!("{array}[]");
        let scope = self
            .scopes
            .iter_mut()
            .rev()
            .find(|scope| scope.contains_key(&marker));
        let scope = scope.unwrap_or(&mut self.globals);
        scope
            .entry(element.to_string())
            .or_insert(Binding::number(kind, None));
    }

    /// Values that differ between two ways become unknown.
    pub fn differing(&self, other: &Values) -> Vec<String> {
        let mut names = BTreeSet::new();
        let pairs = self.scopes.iter().zip(&other.scopes);
        for (a, b) in pairs.chain([(&self.globals, &other.globals)]) {
            for (name, binding) in a {
                if b.get(name).is_some_and(|other| {
                    other.value != binding.value
                        || other.is_unset != binding.is_unset
                        || other.object != binding.object
                        || other.address != binding.address
                }) {
                    names.insert(name.clone());
                }
            }
        }
        let mut names: Vec<String> = names.into_iter().collect();
        names.extend(self.objects.differing(&other.objects));
        names
    }

    /// Replaces a symbol in all values by a number, or makes these values unknown.
    pub fn replace(&mut self, symbol: Symbol, number: Option<&Number>) {
        let changed = |value: &mut Option<Number>| {
            if let Some(old) = value.as_ref().filter(|old| old.mentions(symbol)) {
                *value = number.and_then(|number| old.with(symbol, number));
            }
        };
        let scopes = self.scopes.iter_mut().chain([&mut self.globals]);
        scopes
            .flat_map(BTreeMap::values_mut)
            .for_each(|binding| changed(&mut binding.value));
        self.objects.numbers().for_each(|(_, value)| changed(value));
    }

    /// Restores values that contained a symbol, except for names assigned since.
    pub fn restore(&mut self, before: &Values, symbol: Symbol, assigned: &BTreeSet<String>) {
        let stood = |value: &Option<Number>| value.as_ref().is_some_and(|v| v.mentions(symbol));
        let scopes = self.scopes.iter_mut().chain([&mut self.globals]);
        let others = before.scopes.iter().chain([&before.globals]);
        for (scope, before) in scopes.zip(others) {
            for (name, binding) in scope
                .iter_mut()
                .filter(|(name, _)| !assigned.contains(*name))
            {
                if let Some(old) = before.get(name).filter(|old| stood(&old.value)) {
                    binding.value = old.value.clone();
                }
            }
        }
        let is_member = |name: &String| name.starts_with("->");
        if !assigned.iter().any(is_member) {
            for (path, number) in before.objects.known().filter(|(_, n)| n.mentions(symbol)) {
                self.objects.store(path, Some(number.clone()));
            }
        }
    }

    /// The scopes of a called function: only globals are visible.
    pub fn enter(&mut self) -> Vec<BTreeMap<String, Binding>> {
        std::mem::take(&mut self.scopes)
    }

    pub fn leave(&mut self, scopes: Vec<BTreeMap<String, Binding>>) {
        self.scopes = scopes;
    }
}

/// Facts that hold at the current place: each number is at least 0.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    pub known: Vec<Number>,
    /// The least value of parameters.
    pub least: BTreeMap<Symbol, i64>,
}

/// Facts tried before a proof is given up.
const TRIES: usize = 300;

impl Facts {
    /// True if a number is proved to be at least 0 wherever the facts hold. A proof that is too long counts as a
    /// failure.
    pub fn nonnegative(&self, number: &Number) -> bool {
        let mut tries = TRIES;
        self.known.contains(number) || self.prove(number, 4, &mut tries)
    }

    fn prove(&self, number: &Number, depth: usize, tries: &mut usize) -> bool {
        if self.is_sum_of_nonnegative(number) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let is_short = number.is_short();
        for fact in &self.known {
            if *tries == 0 {
                return false;
            }
            // A long one tells nothing of a short number.
            if is_short && !fact.is_short() {
                continue;
            }
            *tries -= 1;
            let Some(rest) = number.minus(fact) else {
                continue;
            };
            if rest.terms().count() <= number.terms().count() + 1
                && self.prove(&rest, depth - 1, tries)
            {
                return true;
            }
        }
        false
    }

    /// Each term is at least 0; parameters count from their least value.
    fn is_sum_of_nonnegative(&self, number: &Number) -> bool {
        use super::number::Atom;
        // Nothing is known of these, and they may be long.
        let is_open = |(atom, exponent): &(Atom, u32)| {
            exponent % 2 == 1
                && matches!(
                    atom,
                    Atom::If(..)
                        | Atom::Function(..)
                        | Atom::Quotient(..)
                        | Atom::Real(_)
                        | Atom::Written(_)
                )
        };
        if number
            .terms()
            .any(|(monomial, _)| monomial.iter().any(is_open))
        {
            return false;
        }
        let mut shifted = number.clone();
        for (symbol, least) in &self.least {
            if *least > 0 && shifted.mentions(*symbol) {
                let value = Number::symbol(*symbol).plus_constant(*least);
                match value.and_then(|value| shifted.with(*symbol, &value)) {
                    Some(number) => shifted = number,
                    None => return false,
                }
            }
        }
        let mut least = 0_i64;
        let all = shifted.terms().all(|(monomial, coefficient)| {
            if monomial.iter().all(|(atom, _)| self.is_from_one(atom)) {
                least = least.saturating_add(coefficient);
            }
            (coefficient >= 0 || monomial.is_empty())
                && monomial.iter().all(|(atom, exponent)| {
                    exponent % 2 == 0
                        || match atom {
                            Atom::Symbol(symbol) => self.least.get(symbol).is_some_and(|l| *l >= 0),
                            Atom::Mod(..) => true,
                            Atom::Div(a, _) => self.is_sum_of_nonnegative(a),
                            Atom::Min(a, b) => {
                                self.is_sum_of_nonnegative(a) && self.is_sum_of_nonnegative(b)
                            }
                            Atom::Max(a, b) => {
                                self.is_sum_of_nonnegative(a) || self.is_sum_of_nonnegative(b)
                            }
                            Atom::Power(a, _) => self.is_sum_of_nonnegative(a),
                            _ => false,
                        }
                })
        });
        all && least >= 0
    }

    /// A power is at least 1 where its base is, and its exponent at least 0.
    fn is_from_one(&self, atom: &super::number::Atom) -> bool {
        match atom {
            super::number::Atom::Power(base, exponent) => {
                base.as_constant().is_some_and(|base| base >= 1)
                    && self.is_sum_of_nonnegative(exponent)
            }
            _ => false,
        }
    }
}

/// Result of walking a call.
#[derive(Clone, Debug)]
pub struct Walked {
    /// Its index in the list of instances; `None` if it is part of the caller's block.
    pub instance: Option<usize>,
    /// The formals whose values are used, by argument position.
    pub formals: Vec<(usize, Symbol)>,
    pub returned: Option<Number>,
    /// Values of the used globals after the call.
    pub globals: BTreeMap<String, Binding>,
    pub objects: Objects,
    /// Object of the returned pointer.
    pub object: Option<String>,
}

/// Bounds of the loops of a nest, by their places, and of variables behind it.
#[derive(Clone, Debug, Default)]
pub struct Nest {
    /// The loops that are reached; none where this is not known.
    pub reached: BTreeSet<usize>,
    pub most: BTreeMap<usize, Number>,
    pub behind: BTreeMap<String, Trips>,
}
