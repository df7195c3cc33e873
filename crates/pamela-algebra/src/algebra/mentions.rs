//! Closes an equation that mentions others by name, and proves facts about its values by induction over them.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, Function, LONGEST_NUMBER, Node, Relation, Sort, Symbol};
use crate::ring::Polynomial;

use super::closed::Closed;
use super::definitions::Definition;
use super::facts::{PROOF, Prover};
use super::simplify::Simplifier;
use super::terms::Terms;

/// A closed form of more nodes, as a tree, or with a longer number, is mentioned by name.
const LARGEST_FORM: u32 = 60;
/// A form that keeps names must be this many nodes smaller than one with names written out.
const WORTH_A_NAME: u32 = 8;
/// If more equations are mentioned together, no facts about them are collected.
const MOST_DESCRIBED: usize = 24;
/// Work limit for proving facts about one equation.
const WORK: u64 = 60 * PROOF;

impl Simplifier {
    /// Closes an equation with unknown arguments.
    pub fn close_function(&mut self, expr: ExprId) -> Closed {
        let deep = self.with_forms(expr);
        self.close_strictly(deep, &[])
    }

    /// Closes an expression of the source arena that mentions other equations, all of them closed.
    pub fn close_with_mentions(&mut self, expr: ExprId) -> Closed {
        if self.source.mentioned(expr).next().is_none() {
            return self.close(expr);
        }
        let deep = self.with_forms(expr);
        let written_out = self.close_among(deep);
        if deep == expr || self.takes_the_place_of_its_name(&written_out) {
            return written_out;
        }
        let by_name = self.close_among(expr);
        if self.is_better_by_name(&by_name, &written_out) {
            by_name
        } else {
            written_out
        }
    }

    /// Remembers the closed form of the equation `name`, which is `expr` in the source arena.
    ///
    /// Adds a definition. `formals` are the parameters for its arguments. `kept` are the declared truth values about
    /// the name, which then stays in any case.
    pub fn define(
        &mut self,
        name: &str,
        formals: &[String],
        expr: ExprId,
        closed: &Closed,
        kept: Option<&[ExprId]>,
    ) {
        let small = kept.is_none() && self.takes_the_place_of_its_name(closed);
        let mut copied = FxHashMap::default();
        let form = self.source.import(&self.results, closed.expr, &mut copied);
        let facts = if small || !formals.is_empty() {
            Vec::new()
        } else {
            self.facts_of(name, expr, form)
        };
        let facts = [facts.as_slice(), kept.unwrap_or_default()].concat();
        let definition = Definition {
            formals: formals.to_vec(),
            form: small.then_some(form),
            facts,
        };
        self.definitions
            .0
            .insert(name.to_owned(), Rc::new(definition));
    }

    /// True if a closed form is small, and mentions nothing.
    fn takes_the_place_of_its_name(&self, closed: &Closed) -> bool {
        let arena = &self.results;
        arena.size(closed.expr) <= LARGEST_FORM
            && arena.mentioned(closed.expr).next().is_none()
            && arena.longest_number(closed.expr) <= LONGEST_NUMBER
    }

    /// `expr` with small closed forms in the place of their names.
    fn with_forms(&mut self, expr: ExprId) -> ExprId {
        self.definitions
            .write_out(&mut self.source, expr, &mut FxHashMap::default())
    }

    /// The closed form of `expr`, of the source arena, where what is known of the equations that it mentions holds.
    pub(super) fn close_among(&mut self, expr: ExprId) -> Closed {
        let further = self.facts_of_mentioned(expr);
        // Equations of a model ask for much the same.
        if further.is_empty() {
            self.close(expr)
        } else {
            self.close_under(expr, &further)
        }
    }

    /// Known facts about the equations that `expr` mentions.
    fn facts_of_mentioned(&mut self, expr: ExprId) -> Vec<ExprId> {
        let mentioned = self.source.mentioned(expr);
        let mentioned: Vec<String> = mentioned.map(|defined| defined.name.clone()).collect();
        let mut mentioned: Vec<&str> = mentioned.iter().map(String::as_str).collect();
        mentioned.sort_unstable();
        if mentioned.len() > MOST_DESCRIBED {
            return Vec::new();
        }
        let known = mentioned
            .into_iter()
            .filter_map(|name| Some((name, self.definitions.0.get(name)?.clone())));
        let mut facts = Vec::new();
        for (name, definition) in known.collect::<Vec<_>>() {
            if definition.formals.is_empty() || definition.facts.is_empty() {
                facts.extend_from_slice(&definition.facts)
            } else {
                facts.extend(self.facts_of_calls(expr, name, &definition))
            }
        }
        facts
    }

    /// Declared facts of a function, for each of its calls in `expr` that depends on no index.
    fn facts_of_calls(&mut self, expr: ExprId, name: &str, function: &Definition) -> Vec<ExprId> {
        let mut calls = Vec::new();
        let (mut pending, mut seen) = (vec![expr], FxHashSet::default());
        while let Some(id) = pending.pop() {
            if !seen.insert(id) || calls.len() == MOST_DESCRIBED {
                continue;
            }
            if let Node::Call(symbol, arguments) = self.source.node(id)
                && self
                    .source
                    .defined(*symbol)
                    .is_some_and(|own| own.name == name)
                && self
                    .source
                    .free(id)
                    .iter()
                    .all(|own| self.source.range(*own).is_none())
            {
                calls.push(arguments.to_vec());
            }
            pending.extend(self.source.operands(id));
        }
        let names = function.formals.iter();
        let formals: Vec<Symbol> = names.map(|name| self.source.named(name)).collect();
        let mut facts = Vec::new();
        for arguments in calls {
            for &fact in &function.facts {
                let instance = self
                    .source
                    .replace(fact, &|arena, id| match arena.node(id) {
                        Node::Symbol(symbol) => {
                            let place = formals.iter().position(|formal| formal == symbol);
                            place.map(|place| arguments[place])
                        }
                        _ => None,
                    });
                facts.push(instance);
            }
        }
        facts
    }

    /// No more nodes to read, and nothing left undecided that the other form has decided.
    fn is_better_by_name(&mut self, by_name: &Closed, written_out: &Closed) -> bool {
        let sizes = [by_name, written_out].map(|closed| self.results.size(closed.expr));
        if sizes[0].saturating_add(WORTH_A_NAME) > sizes[1] {
            return false;
        }
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let both = [by_name.expr, written_out.expr];
        let both = both.map(|id| arena.import(&self.results, id, &mut copied));
        let mut terms = Terms::new(arena);
        let [ours, theirs] = both.map(|id| terms.cost(id));
        ours.depth <= theirs.depth
            && ours.open <= theirs.open
            && ours.cases <= theirs.cases
            && ours.choices <= theirs.choices
    }

    /// Proved facts about the value of the equation `name`, in the source arena.
    fn facts_of(&mut self, name: &str, expr: ExprId, form: ExprId) -> Vec<ExprId> {
        let reference = self.source.mention_of(name);
        let Some(reference) = reference.filter(|&id| self.source.sort(id) == Sort::Scalar) else {
            return Vec::new();
        };
        let mut questions = Questions::new(self, expr, form);
        let sign = questions.sign();
        let (whole, has_value) = (questions.is_whole(), questions.has_value());
        let zero = self.source.number(0);
        let mut facts = Vec::new();
        facts.extend(sign.map(|relation| self.source.relate(relation, zero, reference)));
        if whole {
            facts.push(self.source.apply(Function::Integer, reference));
        }
        if has_value {
            facts.extend(self.source.has_value(reference));
        }
        facts
    }
}

/// Questions about an equation: about its closed form and about the expression as written.
struct Questions {
    terms: Terms,
    prover: Prover,
    expr: ExprId,
    form: ExprId,
}

impl Questions {
    fn new(simplifier: &mut Simplifier, expr: ExprId, form: ExprId) -> Questions {
        let written_out = simplifier.with_forms(expr);
        let mut known = simplifier.facts_of_mentioned(form);
        known.extend(simplifier.facts_of_mentioned(written_out));
        let (mut arena, mut copied) = (Arena::new(), FxHashMap::default());
        let source = &simplifier.source;
        let facts = [simplifier.facts.as_slice(), &known].concat();
        let facts = arena.import_all(source, &facts, &mut copied);
        let ids = arena.import_all(source, &[written_out, form], &mut copied);
        let mut terms = Terms::new(arena);
        let facts = facts.iter().map(|&fact| terms.canonical(fact)).collect();
        let mut prover = Prover::new(facts);
        prover.allow(WORK);
        Questions {
            terms,
            prover,
            expr: ids[0],
            form: ids[1],
        }
    }

    /// `0 <` or `0 <=`, where that is known.
    fn sign(&mut self) -> Option<Relation> {
        if self.either(Prover::positive) {
            return Some(Relation::Less);
        }
        self.either(Prover::nonnegative)
            .then_some(Relation::LessEqual)
    }

    fn is_whole(&mut self) -> bool {
        self.either(Prover::integer)
    }

    /// True if something is proved of the closed form, or of the expression as it was written: the sum of a loop shows
    /// that it is an integer, its closed form may not.
    fn either(&mut self, proved: fn(&Prover, &mut Terms, &Polynomial) -> bool) -> bool {
        [self.form, self.expr].into_iter().any(|id| {
            let value = self.terms.polynomial(id);
            proved(&self.prover, &mut self.terms, &value)
        })
    }

    fn has_value(&mut self) -> bool {
        self.prover.defined(&mut self.terms, self.expr)
    }
}
