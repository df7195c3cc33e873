//! Emits closed forms as functions of other languages, with their conditions as further functions.

mod bound;
mod certainty;
mod comment;
mod expression;
mod facts;
mod functions;
mod language;
mod languages;
mod mathml;
mod notation;
mod products;
mod reserved;
mod sql;
mod sympy;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

pub use languages::Language;
pub use mathml::mathml;

use crate::compiled::{Compiled, Parameter};
use crate::diagnostic::{Error, Result};
use crate::expr::{Arena, ExprId, Node, Sort};
use crate::formula::Formula;
use crate::pipeline::{Simplified, SimplifiedEquation};
use crate::ring::Rational;
use expression::Writer;
use notation::{Notation, Obstacle};
use reserved::Names;

/// A source file in another language.
#[derive(Clone, Debug)]
pub struct Emitted {
    /// The contents of the file.
    pub text: String,
    /// One signature for each emitted equation.
    pub signatures: Vec<Signature>,
    /// Names of the equations that were left out, with the reasons.
    pub refused: Vec<(String, String)>,
    /// The function that checks all facts of the model, if it was requested.
    pub facts: Option<Facts>,
}

/// A function of parameters that is true where the facts of a model hold.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Name of the function.
    pub function: String,
    /// Parameters of the function, by their names in the model.
    pub parameters: Vec<String>,
    /// True if the function checks all facts; the language may not be able to express some.
    pub complete: bool,
}

/// Names and parameters of the functions of an equation.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The name of the equation.
    pub name: String,
    /// Name of the function that computes the value.
    pub function: String,
    /// Name of the function that is true where the conditions of the closed form hold.
    pub holds: String,
    /// Parameters of both functions, by their names in the model.
    pub parameters: Vec<String>,
}

/// A function for the value of an equation, and a function for its conditions.
///
/// The second function is true where the conditions and the facts about the parameters hold. Both
/// take the parameters that the equation depends on, and those that facts tie to them. Parameters
/// are in the order of the model.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// Name of the equation in the model.
    name: String,
    parameters: Vec<String>,
    value: Body,
    conditions: Body,
    notes: Vec<String>,
}

/// Shared parts with their names, in order, then the result expressions. A vector has several
/// results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    parts: Vec<(String, String)>,
    results: Vec<String>,
}

impl Body {
    /// Without the parts that no other text names.
    fn without_idle_parts(mut self) -> Body {
        let words = |text: &str| {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.map(str::to_owned).collect::<BTreeSet<String>>()
        };
        let mut named: BTreeSet<String> = self.results.iter().flat_map(|t| words(t)).collect();
        let mut kept = Vec::new();
        while let Some((name, text)) = self.parts.pop() {
            if named.contains(&name) {
                named.extend(words(&text));
                kept.push((name, text));
            }
        }
        kept.reverse();
        self.parts = kept;
        self
    }

    /// True if a piece of text stands in it.
    fn mentions(&self, text: &str) -> bool {
        let parts = self.parts.iter().map(|(_, part)| part);
        parts.chain(&self.results).any(|part| part.contains(text))
    }
}

/// Input of the emitter.
struct Source<'a> {
    simplified: &'a Simplified,
    /// All parameters of the model that are numbers.
    parameters: Vec<&'a Parameter>,
    by_name: BTreeMap<&'a str, &'a SimplifiedEquation>,
}

/// Emits functions for all equations that the language can express.
///
/// Each function comes after those that it calls. Numbers are doubles. A missing value is NaN, or
/// `NULL` in SQL.
///
/// # Errors
/// Fails if the language can express no equation; the error gives the reasons.
pub fn emit(language: Language, compiled: &Compiled) -> Result<Emitted> {
    file(language, compiled, false)
}

/// Like [`emit`], with a function that checks all facts of the model. SQL and SymPy are not supported.
///
/// # Errors
/// Fails like [`emit`].
pub fn emit_with_facts(language: Language, compiled: &Compiled) -> Result<Emitted> {
    file(language, compiled, true)
}

/// A parameter whose comment says in which base units it is taken, if it has some.
fn in_base_units(parameter: &Parameter, compiled: &Compiled) -> Parameter {
    let mut own = parameter.clone();
    if let Some(shown) = compiled.shown(&own.name) {
        let unit = format!("in [{}]", shown.base);
        own.comment = Some(match &own.comment {
            Some(comment) => format!("{comment}, {unit}"),
            None => unit,
        });
    }
    own
}

/// The closed forms over numbers of base units.
fn without_units(compiled: &Compiled) -> Cow<'_, Simplified> {
    match compiled.shown_units().next() {
        None => Cow::Borrowed(compiled.simplified()),
        Some(_) => Cow::Owned(compiled.simplified().without_units()),
    }
}

/// The comment with the base units of an equation, if it has any.
fn unit_of(name: &str, function: String, compiled: &Compiled) -> Option<String> {
    let base = &compiled.shown(name)?.base;
    Some(format!("{function} is in [{base}]"))
}

fn file(language: Language, compiled: &Compiled, with_facts: bool) -> Result<Emitted> {
    let simplified = &*without_units(compiled);
    let by_name = simplified.equations.iter();
    let declared: Vec<Parameter> = compiled
        .parameters()
        .iter()
        .map(|p| in_base_units(p, compiled))
        .collect();
    let scalar = declared.iter().filter(|p| !p.law);
    let source = Source {
        simplified,
        parameters: scalar.collect(),
        by_name: by_name.map(|e| (e.name.as_str(), e)).collect(),
    };
    let parameters = source.parameters.iter().map(|p| p.name.as_str());
    let names = Names::new(language, parameters, source.by_name.keys().copied());
    let (mut functions, mut refused) = (Vec::new(), Vec::new());
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for position in simplified.callees_first() {
        let equation = &simplified.equations[position];
        let mentioned = equation.formula.mentions();
        let missing = mentioned.iter().find(|name| failed.contains(name.as_str()));
        let function = match missing {
            Some(name) => Err(Obstacle::Mention(name.clone())),
            None => source.function(language, &names, equation),
        };
        match function {
            Ok(mut function) => {
                let unit = unit_of(&equation.name, names.of(&equation.name), compiled);
                function.notes.splice(0..0, unit);
                functions.push(function);
            }
            Err(reason) => {
                failed.insert(&equation.name);
                refused.push((equation.name.clone(), reason.to_string()));
            }
        }
    }
    if functions.is_empty() {
        let first = refused.first();
        let reason = first.map_or("there is no equation".to_string(), |(name, reason)| {
            format!("`{name}` {reason}")
        });
        return Err(Error::new(format!(
            "cannot write {}: {reason}",
            language.name()
        )));
    }
    let facts = with_facts.then(|| source.facts(language, &names, compiled.has_random_facts()));
    let text = match language {
        Language::Sql => sql::file(&functions, &names, &source.parameters)?,
        Language::SymPy => sympy::file(
            &functions,
            &names,
            &source.parameters,
            &sympy::signs(&simplified.facts),
        ),
        _ => functions::file(
            language,
            &functions,
            facts.as_ref(),
            &names,
            &source.parameters,
        ),
    };
    let signature = |function: &Function| Signature {
        name: function.name.clone(),
        function: names.of(&function.name),
        holds: names.holds(&function.name),
        parameters: function.parameters.clone(),
    };
    Ok(Emitted {
        signatures: functions.iter().map(signature).collect(),
        text,
        refused,
        facts: facts.map(|(facts, _)| facts),
    })
}

impl Source<'_> {
    fn function(
        &self,
        language: Language,
        names: &Names,
        equation: &SimplifiedEquation,
    ) -> std::result::Result<Function, Obstacle> {
        let formula = &equation.formula;
        if !equation.formals.is_empty() {
            return Err(Obstacle::Arguments);
        }
        if formula.sort() == Sort::Law {
            return Err(Obstacle::Law);
        }
        let notation = language.notation();
        let parameters = self.parameters_of(equation);
        // In SQL all parts are columns of one table.
        let prefix = |kind: &str| match language {
            Language::Sql => format!("{}_{}_{kind}", names.part(), equation.name),
            _ => names.part().to_string(),
        };
        let components = components(formula)?;
        let roots: Vec<ExprId> = components.iter().flatten().flatten().copied().collect();
        let call = |name: &str| Some(self.parameters_of(self.by_name.get(name)?));
        let mut writer = Writer::new(
            &*notation,
            formula.arena(),
            names,
            &call,
            prefix(""),
            &roots,
        );
        let results = components.iter().map(|terms| writer.terms(terms));
        let value = Body {
            results: results.collect::<std::result::Result<_, _>>()?,
            parts: writer.finish(),
        };
        let conditions = Conditions {
            notation: &*notation,
            names,
            call: &call,
            prefix: prefix("if_"),
        };
        let conditions = self.conditions(conditions, formula, &parameters, &roots)?;
        Ok(Function {
            name: equation.name.clone(),
            parameters,
            value,
            conditions,
            notes: formula
                .approximations()
                .iter()
                .map(ToString::to_string)
                .collect(),
        })
    }

    /// The conditions of a formula, the facts about its parameters, the conditions of the equations that it uses, and
    /// the conditions under which all steps equal those of exact numbers.
    fn conditions(
        &self,
        how: Conditions,
        formula: &Formula,
        parameters: &[String],
        values: &[ExprId],
    ) -> std::result::Result<Body, Obstacle> {
        let Conditions {
            notation,
            names,
            call,
            prefix,
        } = how;
        let of_parameters = |fact: &&Formula| {
            let same = std::ptr::eq(fact.arena(), formula.arena());
            same && fact
                .parameters()
                .iter()
                .all(|name| parameters.contains(name))
        };
        let facts = self.simplified.facts.iter().filter(of_parameters);
        let mut roots: Vec<ExprId> = facts.map(Formula::root).collect();
        for &condition in formula.conditions() {
            if !roots.contains(&condition) {
                roots.push(condition);
            }
        }
        let mut writer = Writer::new(notation, formula.arena(), names, call, prefix, &roots);
        let results = roots.iter().map(|&root| writer.truth(root));
        let mut results = results.collect::<std::result::Result<Vec<String>, Obstacle>>()?;
        for name in formula.rests_on() {
            let own = call(name).ok_or_else(|| Obstacle::Name(name.clone()))?;
            results.push(notation.call_holds(names, name, &own));
        }
        if !notation.is_exact() {
            writer.whole = self.whole(formula, &roots);
            roots.extend_from_slice(values);
            results.extend(writer.decisions(&roots)?);
        }
        Ok(Body {
            parts: writer.finish(),
            results,
        }
        .without_idle_parts())
    }

    /// The parameters that are whole wherever conditions hold.
    fn whole(&self, formula: &Formula, conditions: &[ExprId]) -> Vec<String> {
        let declared = self.parameters.iter().filter(|p| p.whole);
        let arena = formula.arena();
        let assumed = conditions.iter().filter_map(|&id| match arena.node(id) {
            Node::Apply(crate::expr::Function::Integer, operand) => match arena.node(*operand) {
                Node::Symbol(symbol) => arena.symbol_name(*symbol),
                _ => None,
            },
            _ => None,
        });
        let declared = declared.map(|p| p.name.as_str());
        declared.chain(assumed).map(str::to_owned).collect()
    }

    /// The parameters of an equation and of the equations that it mentions, directly or not, and other parameters in
    /// facts about them: the equation is only right if these facts hold.
    fn parameters_of(&self, equation: &SimplifiedEquation) -> Vec<String> {
        let mut pending = vec![equation];
        let (mut seen, mut free) = (BTreeSet::new(), BTreeSet::new());
        while let Some(next) = pending.pop() {
            if !seen.insert(next.name.as_str()) {
                continue;
            }
            free.extend(next.formula.parameters());
            let mentions = next.formula.mentions();
            pending.extend(
                mentions
                    .iter()
                    .filter_map(|name| self.by_name.get(name.as_str())),
            );
        }
        self.add_tied(&mut free);
        let names = self.parameters.iter().map(|p| &p.name);
        names.filter(|name| free.contains(*name)).cloned().collect()
    }

    /// Adds the parameters that facts tie to the given ones, directly or not.
    fn add_tied(&self, free: &mut BTreeSet<String>) {
        let facts = self.simplified.facts.iter().map(Formula::parameters);
        let mut facts: Vec<BTreeSet<String>> = facts.collect();
        loop {
            let known = free.len();
            facts.retain(|fact| {
                let tied = fact.iter().any(|name| free.contains(name));
                if tied {
                    free.extend(fact.iter().cloned());
                }
                !tied
            });
            if free.len() == known {
                return;
            }
        }
    }
}

/// Writer of conditions.
struct Conditions<'a> {
    notation: &'a dyn Notation,
    names: &'a Names,
    call: notation::Call<'a>,
    prefix: String,
}

/// A sum of products, each a list of factors.
type Terms = Vec<Vec<ExprId>>;

/// The numbers that an equation is: one, or the components of a vector from 0, where they are written out.
fn components(formula: &Formula) -> std::result::Result<Vec<Terms>, Obstacle> {
    if formula.sort() != Sort::Vector {
        return Ok(vec![vec![vec![formula.root()]]]);
    }
    let mut all = Components::default();
    all.add(formula.arena(), formula.root(), &[])?;
    Ok(all.terms)
}

/// More components are not written out.
const MOST_COMPONENTS: usize = 1000;

#[derive(Default)]
struct Components {
    terms: Vec<Terms>,
    /// Name of the resource array that the components belong to.
    array: Option<String>,
}

impl Components {
    /// Adds a vector times factors.
    fn add(
        &mut self,
        arena: &Arena,
        id: ExprId,
        factors: &[ExprId],
    ) -> std::result::Result<(), Obstacle> {
        match arena.node(id) {
            Node::Add(list) => list
                .iter()
                .try_for_each(|&term| self.add(arena, term, factors)),
            Node::Mul(list) => {
                let is_vector = |id: &&ExprId| arena.sort(**id) == Sort::Vector;
                let vector = list.iter().find(is_vector).ok_or(Obstacle::Vector)?;
                let scalars = list.iter().filter(|id| *id != vector).copied();
                let factors: Vec<ExprId> = factors.iter().copied().chain(scalars).collect();
                self.add(arena, *vector, &factors)
            }
            Node::Vector(list) => list.iter().enumerate().try_for_each(|(place, &component)| {
                self.put("fcfs", place, [factors, &[component]].concat())
            }),
            Node::UnitVector(array, place) => {
                let place = arena.as_number(*place).and_then(Rational::to_i64);
                let place = place.and_then(|place| usize::try_from(place).ok());
                let array = arena.symbol_name(*array).unwrap_or_default();
                self.put(array, place.ok_or(Obstacle::Vector)?, factors.to_vec())
            }
            _ => Err(Obstacle::Vector),
        }
    }

    fn put(
        &mut self,
        array: &str,
        place: usize,
        factors: Vec<ExprId>,
    ) -> std::result::Result<(), Obstacle> {
        let known = self.array.get_or_insert_with(|| array.to_string());
        if known != array || place >= MOST_COMPONENTS {
            return Err(Obstacle::Vector);
        }
        if self.terms.len() <= place {
            self.terms.resize(place + 1, Vec::new());
        }
        self.terms[place].push(factors);
        Ok(())
    }
}
