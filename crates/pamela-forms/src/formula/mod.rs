//! Closed forms: expressions with the conditions under which they hold, their presentation and
//! printers.

mod collect;
mod derivation;
mod explain;
mod factor;
mod graphs;
#[allow(missing_docs, reason = "the fields are those of the files")]
pub mod json;
mod latex;
mod law;
mod literal;
mod names;
mod parts;
mod path;
mod powers;
mod present;
mod product;
mod shared;
mod shares;
mod signs;
mod statement;
mod sum;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod tree;
mod view;
mod weight;

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::sync::Arc;

pub use crate::syntax::number::{Notation, number_text};
pub use collect::collected;
pub use derivation::{Derivation, Outline, PremiseText, RangeText, Status, StepText};
pub use latex::{
    derivative as latex_derivative, latex_unit, moment as latex_moment, name as latex_name,
};
pub use parts::Parts;
pub use present::{Presenter, present};
pub use shared::NameTable;
pub use shares::Shares;
pub use statement::{
    escaped as latex_words, rule_latex, truth as statement_latex, unescaped as words_of_latex,
};

use crate::eval::{Bindings, EvalError, Limits, Value, evaluate};
use crate::expr::{
    Arena, ExprId, Function, GraphPart, LawKind, Node, ReduceKind, Reduction, Sort, Symbol,
    SymbolKind, base_of,
};
use crate::ring::Rational;
use crate::timing::Note;
use names::IndexNames;

/// A closed form and its domain.
#[derive(Clone, Debug)]
pub struct Formula {
    arena: Arc<Arena>,
    root: ExprId,
    /// Conditions over parameters, each 1 where it holds. The closed form is valid where all hold.
    conditions: Vec<ExprId>,
    /// Names of other equations whose conditions must also hold.
    rests_on: Vec<String>,
    /// Approximations that the value rests on, such as an assumed independence.
    approximations: Vec<Note>,
    /// Moments of the law that have no closed form, with the reason.
    unknown_moments: Option<Note>,
    /// Laws that are assumed to be nonnegative.
    times: Vec<ExprId>,
    /// Facts that decide how copies of laws are written.
    known: law::ParameterFacts,
    /// Names that are already in use.
    given: Arc<NameTable>,
}

/// A formula as texts with named parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// Pairs of name and text. Each text uses only parameters, earlier names and references.
    pub definitions: Vec<(String, String)>,
    /// Names of other equations that occur, with the expressions that they stand for.
    pub references: Vec<(String, String)>,
    /// The formula, over parameters, definitions and references.
    pub expression: String,
    /// Conditions, each 1 where it holds.
    pub conditions: Vec<String>,
    /// The conditions for a reader; bounds of one expression are joined: `0 < h < 1`.
    pub domain: Vec<String>,
    /// True if the conditions use definitions.
    pub is_named_in_domain: bool,
    /// Assumptions about laws.
    pub assumptions: Vec<String>,
}

/// The expression in PAMELA+; its conditions are [`Formula::condition_texts`].
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pamela())
    }
}

impl Formula {
    /// Creates a closed form from expressions in `arena`; each condition is 0 or 1.
    pub fn new(arena: Arc<Arena>, root: ExprId, conditions: Vec<ExprId>) -> Formula {
        Formula {
            arena,
            root,
            conditions,
            rests_on: Vec::new(),
            approximations: Vec::new(),
            unknown_moments: None,
            times: Vec::new(),
            known: law::ParameterFacts::default(),
            given: Arc::default(),
        }
    }

    /// Replaces each unit by 1, in formulas that may share an arena.
    pub fn drop_units(formulas: &mut [&mut Formula]) {
        let mut done: Vec<(Arc<Arena>, Arc<Arena>)> = Vec::new();
        for position in 0..formulas.len() {
            let old = formulas[position].arena.clone();
            if done.iter().any(|(_, new)| Arc::ptr_eq(new, &old)) {
                continue;
            }
            let mut arena = (*old).clone();
            let mut plain = |id: &mut ExprId| {
                *id = arena.replace(*id, &|arena, id| {
                    let is_unit = arena.as_unit(id).is_some();
                    is_unit.then(|| arena.number(1))
                });
            };
            let shares = |formula: &&mut &mut Formula| Arc::ptr_eq(&formula.arena, &old);
            for formula in formulas.iter_mut().filter(shares) {
                plain(&mut formula.root);
                formula.conditions.iter_mut().for_each(&mut plain);
            }
            let new = Arc::new(arena);
            for formula in formulas.iter_mut().filter(|f| Arc::ptr_eq(&f.arena, &old)) {
                formula.arena = new.clone();
            }
            done.push((old, new));
        }
    }

    /// Evaluates the formula exactly, whether or not its conditions hold.
    ///
    /// # Errors
    /// Fails if the formula is undefined, if a parameter has no value, or if open reductions take
    /// too many steps.
    pub fn evaluate(&self, bindings: &Bindings) -> Result<Value, EvalError> {
        evaluate(self.arena(), self.root(), bindings, Limits::default())
    }

    /// Sets the names in use, and the names of expressions in the arena.
    pub fn beside(mut self, given: Arc<NameTable>) -> Formula {
        self.given = given;
        self
    }

    /// Sets which parameters are whole and which facts hold; both decide how copies of laws are
    /// printed.
    pub fn knowing(mut self, whole: &[Symbol], facts: &[ExprId]) -> Formula {
        self.known = law::ParameterFacts {
            whole: whole.to_vec(),
            facts: [facts, &self.conditions].concat(),
        };
        self
    }

    /// Sets the equations whose conditions must also hold.
    ///
    /// These are the mentioned equations that have conditions.
    pub fn resting_on(mut self, equations: Vec<String>) -> Formula {
        self.rests_on = equations;
        self
    }

    /// Names of the equations whose conditions must also hold.
    pub fn rests_on(&self) -> &[String] {
        &self.rests_on
    }

    /// Names of the equations that the value, its conditions, or the equations in
    /// [`Formula::rests_on`] mention.
    pub fn mentions(&self) -> BTreeSet<String> {
        let roots = self.conditions.iter().chain([&self.root]);
        let mentioned = roots.flat_map(|&root| self.arena.mentioned(root));
        let names = mentioned.map(|defined| defined.name.clone());
        names.chain(self.rests_on.iter().cloned()).collect()
    }

    /// Adds approximations that the value rests on.
    pub fn with_approximations(mut self, approximations: Vec<Note>) -> Formula {
        self.approximations = approximations;
        self
    }

    /// Sets which moments of the law have no closed form, with the reason.
    pub fn without_moments(mut self, unknown: Option<Note>) -> Formula {
        self.unknown_moments = unknown;
        self
    }

    /// Adds laws that are assumed to be nonnegative.
    pub fn taking_for_times(mut self, laws: Vec<ExprId>) -> Formula {
        self.times = laws;
        let texts = self.assumption_texts(Notation::Pamela);
        if !texts.is_empty() {
            self.approximations.push(Note::Assumes(texts));
        }
        self
    }

    /// The arena that owns the expressions of the formula.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// The expression itself.
    pub fn root(&self) -> ExprId {
        self.root
    }

    /// Sort of the values: number, vector or law.
    pub fn sort(&self) -> Sort {
        self.arena.sort(self.root)
    }

    /// The conditions of validity, each 1 where it holds.
    pub fn conditions(&self) -> &[ExprId] {
        &self.conditions
    }

    /// The parameters that conditions require to be whole.
    pub fn whole_parameters(&self) -> impl Iterator<Item = &str> {
        let whole = |&id: &ExprId| match *self.arena.node(id) {
            Node::Apply(Function::Integer, operand) => match *self.arena.node(operand) {
                Node::Symbol(symbol) => self.arena.symbol_name(symbol),
                _ => None,
            },
            _ => None,
        };
        self.conditions.iter().filter_map(whole)
    }

    /// Approximations about laws that the value rests on.
    pub fn approximations(&self) -> &[Note] {
        &self.approximations
    }

    /// Notes printed beside the formula: its approximations, and moments without closed form.
    pub fn notes(&self) -> Vec<Note> {
        let assumed = |note: &&Note| matches!(note, Note::Assumes(_));
        let (assumed, rests): (Vec<&Note>, Vec<&Note>) =
            self.approximations.iter().partition(assumed);
        let notes = rests.into_iter().chain(&self.unknown_moments);
        notes.chain(assumed).cloned().collect()
    }

    /// Names of the parameters that the value and its conditions depend on.
    pub fn parameters(&self) -> BTreeSet<String> {
        let roots = self.conditions.iter().chain([&self.root]);
        roots
            .flat_map(|&root| self.arena.free(root))
            .filter_map(|&symbol| match self.arena.symbol_kind(symbol) {
                SymbolKind::Named(name) if base_of(name).is_none() => Some(name.clone()),
                _ => None,
            })
            .collect()
    }

    /// Number of different reductions and vector maxima that must be evaluated by looping.
    ///
    /// A vector `sum (i = a, b) { c * unitvec(e) }` counts only if `c` contains a reduction; it is
    /// a vector's closed form.
    pub fn open_reductions(&self) -> usize {
        open_reductions(&self.arena, self.root)
    }

    /// Number of operations of an evaluation that computes each shared expression once.
    ///
    /// A sum of n terms counts n-1, a sign nothing, a division one. Vectors count only what
    /// computes their components.
    pub fn operations(&self) -> usize {
        operations(&self.arena, self.root)
    }

    /// The value as one PAMELA+ expression, of any length.
    pub fn pamela(&self) -> String {
        self.inline(self.root, Notation::Pamela)
    }

    /// The value as one LaTeX expression, of any length.
    pub fn latex(&self) -> String {
        self.inline(self.root, Notation::Latex)
    }

    /// The conditions as text.
    pub fn condition_texts(&self, notation: Notation) -> Vec<String> {
        let texts = self.conditions.iter().map(|&c| self.inline(c, notation));
        texts.collect()
    }

    /// Assumptions about laws that no condition checks: that they are nonnegative.
    pub fn assumption_texts(&self, notation: Notation) -> Vec<String> {
        let text = |&law: &ExprId| never_negative(&self.inline(law, notation), notation);
        self.times.iter().map(text).collect()
    }

    /// The value and its conditions as text, with repeated or large parts named.
    ///
    /// Parts have the names set by [`Formula::beside`], or else `prefix_1`, `prefix_2`, ...
    pub fn text(&self, notation: Notation, prefix: &str) -> Text {
        let roots: Vec<ExprId> = [&[self.root], &self.conditions[..], &self.times].concat();
        let mut shared = shared::shared(&self.arena, &roots, prefix, &self.given);
        let known = self.known.copied(&self.arena, &mut shared.arena);
        let write = |&id: &ExprId| print(&shared.arena, id, notation, &known);
        let named = |(name, id): &(String, ExprId)| (name.clone(), write(id));
        let (conditions, times) = shared.roots[1..].split_at(self.conditions.len());
        let of_domain = names::used_names(&shared.arena, conditions);
        let mut names = shared.definitions.iter().map(|(name, _)| name);
        Text {
            is_named_in_domain: names.any(|name| of_domain.contains(name)),
            definitions: shared.definitions.iter().map(named).collect(),
            references: shared.references.iter().map(named).collect(),
            expression: write(&shared.roots[0]),
            conditions: conditions.iter().map(write).collect(),
            domain: domain(&shared.arena, conditions, notation, &known),
            assumptions: times
                .iter()
                .map(|id| never_negative(&write(id), notation))
                .collect(),
        }
    }

    fn inline(&self, id: ExprId, notation: Notation) -> String {
        print(&self.arena, id, notation, &self.known)
    }
}

/// An expression as PAMELA+ text, of any length; `whole` lists the parameters that are whole
/// numbers.
pub fn expression_text(arena: &Arena, id: ExprId, whole: &[Symbol]) -> String {
    let known = law::ParameterFacts {
        whole: whole.to_vec(),
        facts: Vec::new(),
    };
    print(arena, id, Notation::Pamela, &known)
}

fn print(arena: &Arena, id: ExprId, notation: Notation, known: &law::ParameterFacts) -> String {
    let names = IndexNames::new(arena, &[id]);
    match notation {
        Notation::Pamela => tree::print(arena, id, names, known),
        Notation::Latex => latex::print(arena, id, names, known),
    }
}

/// Statements that say together what the conditions do.
fn domain(
    arena: &Arena,
    conditions: &[ExprId],
    notation: Notation,
    known: &law::ParameterFacts,
) -> Vec<String> {
    let truths = conditions.iter().map(|&c| view::truth_or_atom(arena, c));
    let write = |truth: &view::Truth| {
        let names = IndexNames::new(arena, conditions);
        match notation {
            Notation::Pamela => tree::print_truth(arena, truth, names, known),
            Notation::Latex => latex::print_truth(arena, truth, names, known),
        }
    };
    let statements = view::intervals(arena, &truths.collect::<Vec<_>>());
    statements.iter().map(write).collect()
}

fn never_negative(law: &str, notation: Notation) -> String {
    match notation {
        Notation::Pamela => format!("{law} >= 0"),
        Notation::Latex => format!("{law} \\ge 0"),
    }
}

/// See [`Formula::open_reductions`].
pub fn open_reductions(arena: &Arena, root: ExprId) -> usize {
    let mut seen = HashSet::from([root]);
    let mut pending = vec![root];
    let mut count = 0;
    while let Some(id) = pending.pop() {
        match arena.node(id) {
            Node::VectorMax(_) | Node::Law(LawKind::VectorMax, _) => count += 1,
            Node::Graph(GraphPart::LongestPath(_), _) => count += 1,
            Node::Reduce(r) if r.kind == ReduceKind::Each || is_of_copies(arena, r) => {}
            Node::Reduce(_) if !is_closed_vector(arena, id) => count += 1,
            _ => {}
        }
        for operand in arena.operands(id) {
            if seen.insert(operand) {
                pending.push(operand);
            }
        }
    }
    count
}

/// True if it is a sum of laws, or an order statistic of copies of one, which need not be looped over.
fn is_of_copies(arena: &Arena, r: &Reduction) -> bool {
    let statistic = matches!(
        r.kind,
        ReduceKind::LawMax | ReduceKind::LawMin | ReduceKind::LawKth(_)
    );
    match r.kind {
        // Its moments are sums of scalars, which are looked at by themselves.
        ReduceKind::Sum => arena.is_law(r.body),
        _ => statistic && !arena.mentions(r.body, r.index),
    }
}

/// True if the expression contains a power of 0 that is undefined everywhere.
pub fn divides_by_zero(arena: &Arena, root: ExprId) -> bool {
    names::reachable(arena, &[root])
        .into_iter()
        .any(|id| match *arena.node(id) {
            Node::Pow(base, exponent) => {
                let number = |id, is: fn(&Rational) -> bool| arena.as_number(id).is_some_and(is);
                number(base, Rational::is_zero) && number(exponent, Rational::is_negative)
            }
            _ => false,
        })
}

/// `coefficient * unitvec(k)`, a sum of such terms, or a sum of them over a range (of ranges).
fn is_closed_vector(arena: &Arena, id: ExprId) -> bool {
    let closed = |&operand: &ExprId| is_closed_vector(arena, operand);
    match arena.node(id) {
        Node::UnitVector(..) | Node::Vector(_) => true,
        Node::Mul(list) => list.iter().any(closed),
        Node::Add(list) => list.iter().all(closed),
        Node::Reduce(r) => r.kind == ReduceKind::Sum && closed(&r.body),
        _ => false,
    }
}

fn operations(arena: &Arena, root: ExprId) -> usize {
    let is_reciprocal = |id: ExprId| match *arena.node(id) {
        Node::Pow(_, exponent) => arena.as_number(exponent) == Some(&Rational::from(-1)),
        _ => false,
    };
    let mut count = 0;
    let mut inside_products = HashSet::new();
    let mut order = names::reachable(arena, &[root]);
    order.reverse();
    for id in order {
        count += match arena.node(id) {
            Node::Number(_) | Node::Symbol(_) => 0,
            // One factor is the vector itself.
            Node::Mul(list) if arena.sort(id) == Sort::Vector => list.len() - 2,
            _ if arena.sort(id) == Sort::Vector => 0,
            Node::Add(list) | Node::Max(list) | Node::Min(list) => list.len() - 1,
            Node::Mul(list) => {
                inside_products.extend(list.iter().copied().filter(|&f| is_reciprocal(f)));
                let sign = arena.as_number(list[0]) == Some(&Rational::from(-1));
                list.len() - 1 - usize::from(sign)
            }
            // Its division was counted where it divides.
            Node::Pow(..) if inside_products.contains(&id) => 0,
            _ => 1,
        };
    }
    count
}
