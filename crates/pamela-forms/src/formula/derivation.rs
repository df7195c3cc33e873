//! The steps from an equation to its closed form, as text.

use std::sync::Arc;

use serde::Serialize;

use super::graphs::label;
use super::law::ParameterFacts;
use super::names::IndexNames;
use super::{Notation, Presenter, latex, tree};
use crate::algebra;
use crate::expr::{Arena, ExprId, Node, Symbol, SymbolKind};
use crate::ring::Rational;

/// The derivation of a closed form.
#[derive(Clone, Debug)]
pub struct Derivation {
    arena: Arc<Arena>,
    outline: Outline,
    /// Facts of parameters that decide how copies of laws are written.
    known: ParameterFacts,
}

/// A derivation with presented expressions, in an arena that is still growing.
#[derive(Clone, Debug)]
pub struct Outline {
    start: ExprId,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    /// Names of the rules; empty if only the ring rearranged terms.
    rules: Vec<String>,
    says: String,
    /// Indices in scope, outermost first.
    scope: Vec<Index>,
    left: ExprId,
    right: ExprId,
    premises: Vec<algebra::Premise>,
    /// Proof of the rule, if it has one, for each graph.
    proof: Vec<Vec<algebra::Piece>>,
    graph: ExprId,
}

#[derive(Clone, Copy, Debug)]
struct Index {
    symbol: Symbol,
    lower: ExprId,
    upper: ExprId,
}

/// One rewriting step as text: `left` equals `right` for all values of the indices in `scope`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StepText {
    /// The name of the rule, or `ring`.
    pub rule: String,
    /// The general statement of the rule.
    #[serde(skip)]
    pub says: String,
    /// Enclosing indices, outermost first.
    pub scope: Vec<RangeText>,
    /// The expression before the step.
    pub left: String,
    /// The expression after the step.
    pub right: String,
    /// The conditions that the step needs.
    pub premises: Vec<PremiseText>,
    /// Sentences of the proof, if the rule has one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proof: Vec<String>,
}

/// An enclosing index with its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RangeText {
    /// The name of the index.
    pub index: String,
    /// First value of the index.
    pub lower: String,
    /// Last value of the index.
    pub upper: String,
}

/// A condition that a step needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PremiseText {
    /// The condition.
    pub condition: String,
    /// Basis of the condition.
    pub status: Status,
    /// The facts and conditions that the condition follows from, beside the ranges; empty if it is
    /// one of them.
    pub from: Vec<String>,
}

/// Basis of a premise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The step is inside this case of a conditional.
    Case,
    /// The condition follows from the facts of the model and the ranges of the indices.
    Proved,
    /// The condition also needs the conditions of the closed form.
    Assumed,
}

impl Outline {
    /// Presents the steps and drops those whose two sides look equal.
    pub fn new(
        arena: &mut Arena,
        derivation: algebra::Derivation,
        presenter: &mut Presenter,
    ) -> Outline {
        let start = presenter.shown(arena, derivation.start);
        let steps = derivation.steps.into_iter();
        let steps = steps.map(|step| Step::new(arena, step, presenter));
        Outline {
            start,
            steps: steps.filter(|step| step.left != step.right).collect(),
        }
    }
}

impl Step {
    fn new(arena: &mut Arena, step: algebra::Step, presenter: &mut Presenter) -> Step {
        let conditions = step.premises.iter().map(|premise| premise.condition);
        let left = step.left.iter().copied();
        let roots: Vec<ExprId> = left.chain([step.right]).chain(conditions).collect();
        let scope = enclosing(arena, &roots);
        let proof = proof(arena, &step, presenter);
        let rules = step.rules.iter().map(|rule| rule.name.clone()).collect();
        let says = match &step.rules[..] {
            [] => RING.1,
            [rule] => rule.doc.as_str(),
            _ => SEVERAL,
        };
        let visible: Vec<ExprId> = step
            .left
            .iter()
            .flat_map(|&term| arena.operands(term))
            .collect();
        let left = presented(arena, &step.left, presenter);
        Step {
            rules,
            says: says.to_string(),
            scope: scope
                .into_iter()
                .map(|(symbol, lower, upper)| Index {
                    symbol,
                    lower: presenter.shown(arena, lower),
                    upper: presenter.shown(arena, upper),
                })
                .collect(),
            left: arena.add(&left),
            right: presenter.shown(arena, step.right),
            proof,
            graph: step.left[0],
            premises: step
                .premises
                .into_iter()
                .map(|premise| algebra::Premise {
                    condition: shown(arena, &visible, &premise, presenter),
                    basis: algebra::Basis {
                        grounds: presented(arena, &premise.basis.grounds, presenter),
                        ..premise.basis
                    },
                    asked: premise.asked,
                })
                .collect(),
        }
    }
}

/// The proof of a step by a rule that guesses, its expressions presented.
fn proof(
    arena: &mut Arena,
    step: &algebra::Step,
    presenter: &mut Presenter,
) -> Vec<Vec<algebra::Piece>> {
    let ([rule], &[graph]) = (&step.rules[..], &step.left[..]) else {
        return Vec::new();
    };
    if rule.name != algebra::LONGEST_PATH {
        return Vec::new();
    }
    let sentences = algebra::longest_path_proof(arena, graph).into_iter();
    let mut presented = |piece| match piece {
        algebra::Piece::Expr(id) => algebra::Piece::Expr(presenter.shown(arena, id)),
        other => other,
    };
    let sentence =
        |sentence: Vec<algebra::Piece>| sentence.into_iter().map(&mut presented).collect();
    sentences.map(sentence).collect()
}

/// The text of a step that may need several rules.
const SEVERAL: &str = "By some of these rules; the single steps were not found.";

fn presented(arena: &mut Arena, list: &[ExprId], presenter: &mut Presenter) -> Vec<ExprId> {
    list.iter().map(|&id| presenter.shown(arena, id)).collect()
}

/// A premise as the reader of a step wants it: its sides as they stand there, or a product compared with
/// 0; all else in the shortest way.
fn shown(
    arena: &mut Arena,
    visible: &[ExprId],
    premise: &algebra::Premise,
    presenter: &mut Presenter,
) -> ExprId {
    let Node::Compare(relation, a, b) = *arena.node(premise.asked) else {
        return presenter.shown(arena, premise.condition);
    };
    // An index that the canonical form has lost does not belong to the step.
    let kept = arena.free(premise.condition);
    if !arena.free(premise.asked).iter().all(|s| kept.contains(s)) {
        return presenter.shown(arena, premise.condition);
    }
    let plain = [a, b]
        .iter()
        .all(|side| visible.contains(side) && arena.as_number(*side).is_none());
    let (left, right) = (presenter.shown(arena, a), presenter.shown(arena, b));
    let zero = arena.as_number(a).is_some_and(Rational::is_zero);
    let product = zero && !matches!(arena.node(right), Node::Add(_));
    if plain || product {
        arena.relate(relation, left, right)
    } else {
        presenter.shown(arena, premise.condition)
    }
}

/// The name and the text of steps without a rule.
const RING: (&str, &str) = ("ring", "Collect the terms of the polynomial.");

/// The indices that are free in `roots`, and those that their ranges speak of, outermost first.
fn enclosing(arena: &Arena, roots: &[ExprId]) -> Vec<(Symbol, ExprId, ExprId)> {
    let mut found: Vec<(Symbol, ExprId, ExprId)> = Vec::new();
    let mut pending = roots.to_vec();
    while let Some(root) = pending.pop() {
        for &symbol in arena.free(root) {
            let Some((lower, upper)) = arena.range(symbol) else {
                continue;
            };
            // One that an inner range speaks of is met again further out.
            found.retain(|&(known, ..)| known != symbol);
            found.push((symbol, lower, upper));
            pending.extend([lower, upper]);
        }
    }
    let height = |symbol: Symbol| match arena.symbol_kind(symbol) {
        SymbolKind::Index { height, .. } => *height,
        _ => 0,
    };
    found.reverse();
    found.sort_by_key(|&(symbol, ..)| std::cmp::Reverse(height(symbol)));
    found
}

impl Derivation {
    /// Joins an outline with its arena.
    pub fn new(arena: Arc<Arena>, outline: Outline) -> Derivation {
        Derivation {
            arena,
            outline,
            known: ParameterFacts::default(),
        }
    }

    /// Like [`super::Formula::knowing`].
    pub fn knowing(mut self, whole: &[Symbol], facts: &[ExprId]) -> Derivation {
        self.known = ParameterFacts {
            whole: whole.to_vec(),
            facts: facts.to_vec(),
        };
        self
    }

    /// The equation before any step.
    pub fn start(&self, notation: Notation) -> String {
        let names = IndexNames::new(&self.arena, &[self.outline.start]);
        self.print(self.outline.start, notation, &names)
    }

    /// The steps in order. Each starts from the result of earlier steps.
    pub fn steps(&self, notation: Notation) -> Vec<StepText> {
        let steps = self.outline.steps.iter();
        steps.map(|step| self.step(step, notation)).collect()
    }

    /// The names of the rules of each step.
    ///
    /// Empty if only the ring rearranged terms. Several names if it is not known which rule led
    /// from left to right.
    pub fn rules(&self) -> impl Iterator<Item = &[String]> {
        self.outline.steps.iter().map(|step| &step.rules[..])
    }

    fn step(&self, step: &Step, notation: Notation) -> StepText {
        let conditions = step.premises.iter().map(|premise| premise.condition);
        let bounds = step
            .scope
            .iter()
            .flat_map(|index| [index.lower, index.upper]);
        let sides = [step.left, step.right];
        let roots: Vec<ExprId> = sides.into_iter().chain(conditions).chain(bounds).collect();
        let mut names = IndexNames::new(&self.arena, &roots);
        let mut scope = Vec::new();
        for index in &step.scope {
            let [lower, upper] =
                [index.lower, index.upper].map(|bound| self.print(bound, notation, &names));
            let name = names.enter(index.symbol);
            let index = match notation {
                Notation::Pamela => name,
                Notation::Latex => latex::name(&name),
            };
            scope.push(RangeText {
                index,
                lower,
                upper,
            });
        }
        let premise = |premise: &algebra::Premise| PremiseText {
            condition: self.print(premise.condition, notation, &names),
            status: match premise.basis.status {
                algebra::Status::Case => Status::Case,
                algebra::Status::Proved => Status::Proved,
                algebra::Status::Assumed => Status::Assumed,
            },
            from: premise
                .basis
                .grounds
                .iter()
                .map(|&ground| self.print(ground, notation, &names))
                .collect(),
        };
        StepText {
            rule: match &step.rules[..] {
                [] => RING.0.to_string(),
                names => names.join(", "),
            },
            says: step.says.clone(),
            left: self.print(step.left, notation, &names),
            right: self.print(step.right, notation, &names),
            premises: step.premises.iter().map(premise).collect(),
            proof: step
                .proof
                .iter()
                .map(|sentence| self.sentence(step.graph, sentence))
                .collect(),
            scope,
        }
    }

    fn sentence(&self, graph: ExprId, sentence: &[algebra::Piece]) -> String {
        let piece = |piece: &algebra::Piece| match piece {
            algebra::Piece::Text(text) => text.clone(),
            algebra::Piece::Family(number) => label(&self.arena, graph, *number),
            algebra::Piece::Expr(id) => {
                let names = IndexNames::new(&self.arena, &[*id]);
                self.print(*id, Notation::Pamela, &names)
            }
        };
        sentence.iter().map(piece).collect()
    }

    fn print(&self, id: ExprId, notation: Notation, names: &IndexNames) -> String {
        let names = names.clone();
        match notation {
            Notation::Pamela => tree::print(&self.arena, id, names, &self.known),
            Notation::Latex => latex::print(&self.arena, id, names, &self.known),
        }
    }
}
