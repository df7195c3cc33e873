//! Writes the proof of the closed form of a longest path, in sentences.

use super::builtins::families::{Order, Size, ordered, regular, sum_of};
use super::families::{
    Affine, Direction, Edge, Form, Potential, Problem, Reach, Segment, Variable, prove,
};
use super::terms::Terms;
use crate::expr::{Arena, ExprId, SymbolKind};

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    Text(String),
    Expr(ExprId),
    /// The label of a family of the graph, by index.
    Family(usize),
}

/// Name of the rule whose steps have such a proof.
pub const LONGEST_PATH: &str = "longest-path-families";

/// Names of task indices and of repetition counters.
const NAMES: [&str; 9] = ["i", "j", "k", "l", "x", "y", "z", "r", "q"];

/// The proof that the longest path of a graph equals its closed form.
///
/// The proof names the paths that reach the form, and the potentials that none exceeds. With several cases, it covers
/// only the case with the largest sizes.
pub fn longest_path_proof(arena: &mut Arena, graph: ExprId) -> Vec<Vec<Piece>> {
    let mut terms = Terms::new(std::mem::take(arena));
    let sentences = sentences(&mut terms, graph);
    *arena = terms.arena;
    sentences.unwrap_or_default()
}

fn sentences(terms: &mut Terms, graph: ExprId) -> Option<Vec<Vec<Piece>>> {
    let read = regular(terms, graph)?;
    let none = vec![0; read.problem.sizes.len()];
    let count = read.sizes.len();
    let pairs = (0..count).flat_map(|size| (0..count).map(move |other| [size, other]));
    let pairs: Vec<[usize; 2]> = pairs.filter(|[size, other]| size != other).collect();
    let two = pairs
        .iter()
        .flat_map(|&a| pairs.iter().map(move |&b| vec![a, b]));
    let one = pairs.iter().map(|&a| vec![a]);
    let mut orders = [Order::new()].into_iter().chain(one).chain(two);
    let (problem, sizes, proof) = orders.find_map(|order| {
        let (problem, sizes) = ordered(terms, &read.problem, &read.sizes, &order);
        let proof = prove(&problem, &none)?;
        Some((problem, sizes, proof))
    })?;
    let mut writer = Writer::new(terms, &read.times, sizes, problem);
    let mut all = Vec::new();
    all.extend(writer.domain(&proof.from));
    for (form, reach) in &proof.reached {
        all.push(writer.reach(form, reach)?);
    }
    for edge in &proof.edges {
        all.push(writer.edge(edge)?);
    }
    Some(all)
}

struct Writer<'t> {
    terms: &'t mut Terms,
    problem: Problem,
    /// Values of variables.
    values: Vec<(Variable, ExprId)>,
    sizes: Vec<Size>,
    times: Vec<ExprId>,
    round: ExprId,
    round_name: &'static str,
}

impl<'t> Writer<'t> {
    fn new(
        terms: &'t mut Terms,
        times: &[ExprId],
        sizes: Vec<Size>,
        problem: Problem,
    ) -> Writer<'t> {
        let mentioned = sizes.iter().map(|size| size.1).chain(times.iter().copied());
        let mentioned: Vec<ExprId> = mentioned.collect();
        let taken: Vec<String> = mentioned
            .iter()
            .flat_map(|&id| terms.arena.free(id).to_vec())
            .filter_map(|symbol| match terms.arena.symbol_kind(symbol) {
                SymbolKind::Named(name) => Some(name.to_string()),
                _ => None,
            })
            .collect();
        let free = NAMES
            .into_iter()
            .filter(|name| !taken.iter().any(|known| known == name));
        let mut names: Vec<&'static str> = free.collect();
        let round_name = names.pop().unwrap_or("q");
        let mut symbol = |name: &str| {
            let symbol = terms.arena.named(name);
            terms.arena.symbol(symbol)
        };
        let round = symbol(round_name);
        let mut values = sizes.clone();
        for family in &problem.families {
            for (range, name) in family.ranges.iter().zip(&names) {
                values.push((range.index, symbol(name)));
            }
        }
        Writer {
            terms,
            problem,
            values,
            sizes,
            times: times.to_vec(),
            round,
            round_name,
        }
    }

    fn affine(&mut self, form: &Affine) -> ExprId {
        let arena = &mut self.terms.arena;
        let mut sum = vec![arena.number(form.constant)];
        for (variable, coefficient) in form.terms() {
            let known = self.values.iter().find(|known| known.0 == variable);
            let value = known.map_or(self.round, |known| known.1);
            let number = arena.number(coefficient);
            sum.push(arena.mul(&[number, value]));
        }
        let sum = arena.add(&sum);
        self.terms.canonical(sum)
    }

    fn form(&mut self, form: &Form) -> ExprId {
        let sum = sum_of(self.terms, form, &self.values, &self.times);
        self.terms.canonical(sum)
    }

    /// From which sizes on it holds.
    fn domain(&mut self, from: &[i64]) -> Option<Vec<Piece>> {
        if from.is_empty() {
            return None;
        }
        let mut sentence = text("for ");
        for (place, (&(_, size), from)) in self.sizes.iter().zip(from).enumerate() {
            sentence.extend(text(if place > 0 { ", " } else { "" }));
            sentence.push(Piece::Expr(size));
            sentence.extend(text(&format!(" >= {from}")));
        }
        Some(sentence)
    }

    fn task(&mut self, family: usize, indices: Vec<ExprId>) -> Vec<Piece> {
        let mut pieces = vec![Piece::Family(family)];
        for (place, &index) in indices.iter().enumerate() {
            pieces.extend(text(if place > 0 { ", " } else { "(" }));
            pieces.push(Piece::Expr(index));
        }
        pieces.extend(text(if indices.is_empty() { "" } else { ")" }));
        pieces
    }

    /// A task of a family by the names of its indices.
    fn any_task(&mut self, family: usize) -> Vec<Piece> {
        let ranges = self.problem.families[family].ranges.clone();
        let indices = ranges
            .iter()
            .map(|range| self.affine(&Affine::variable(range.index)));
        let indices = indices.collect();
        self.task(family, indices)
    }

    fn reach(&mut self, form: &Form, reach: &Reach) -> Option<Vec<Piece>> {
        let whole = self.form(form);
        let mut sentence = match reach {
            Reach::AllPaths => text("one of all paths takes "),
            Reach::Path(_) => text("a path takes "),
            Reach::Tasks(_) => text("one of the paths to all tasks takes "),
        };
        sentence.push(Piece::Expr(whole));
        match reach {
            Reach::AllPaths => {}
            Reach::Path(segments) => {
                for (place, segment) in segments.iter().enumerate() {
                    sentence.extend(text(if place > 0 { "; " } else { ": " }));
                    sentence.extend(self.segment(segment));
                }
            }
            Reach::Tasks(forms) => {
                let known = forms.iter().enumerate();
                let known = known.filter_map(|(family, form)| Some((family, form.as_ref()?)));
                for (place, (family, form)) in known.enumerate() {
                    sentence.extend(text(if place > 0 { "; " } else { ": " }));
                    sentence.extend(self.any_task(family));
                    sentence.extend(text(" by "));
                    let own = self.form(form);
                    sentence.push(Piece::Expr(own));
                }
            }
        }
        Some(sentence)
    }

    fn segment(&mut self, segment: &Segment) -> Vec<Piece> {
        let once = segment.repetitions.as_constant() == Some(1);
        let mut sentence = Vec::new();
        for (place, step) in segment.block.iter().enumerate() {
            sentence.extend(text(if place > 0 { ", " } else { "" }));
            let pairs = step.indices.iter().zip(&step.steps);
            // Any variable that the problem does not use stands for the number of the repetition.
            let round = self.problem.next;
            let moved = pairs.map(|(index, &by)| {
                if once {
                    self.affine(index)
                } else {
                    self.affine(&index.clone().with(round, by))
                }
            });
            let moved = moved.collect();
            sentence.extend(self.task(step.family, moved));
        }
        if !once {
            sentence.extend(text(&format!(" for {} = 0, ..., ", self.round_name)));
            let last = self.affine(&segment.repetitions.shifted(-1));
            sentence.push(Piece::Expr(last));
        }
        sentence
    }

    fn edge(&mut self, edge: &Edge) -> Option<Vec<Piece>> {
        let mut sentence = text("no path is longer");
        for (place, (&time, value)) in self.times.iter().zip(&edge.times).enumerate() {
            sentence.extend(text(if place > 0 { ", " } else { " where " }));
            sentence.push(Piece::Expr(time));
            sentence.extend(text(&format!(" = {value}")));
        }
        for (family, potential) in edge.potentials.iter().enumerate() {
            sentence.extend(text(if family > 0 { "; " } else { ": " }));
            match edge.direction {
                Direction::Forward => {
                    sentence.extend(self.any_task(family));
                    sentence.extend(text(" ends by "));
                }
                Direction::Backward => {
                    sentence.extend(text("from "));
                    sentence.extend(self.any_task(family));
                    sentence.extend(text(" on at most "));
                }
            }
            let potential = self.potential(potential);
            sentence.push(Piece::Expr(potential));
        }
        Some(sentence)
    }

    fn potential(&mut self, potential: &Potential) -> ExprId {
        let parts = potential.parts.iter().map(|part| {
            let forms: Vec<ExprId> = part.iter().map(|form| self.affine(form)).collect();
            self.terms.arena.min(&forms)
        });
        let parts: Vec<ExprId> = parts.collect();
        self.terms.arena.max(&parts)
    }
}

fn text(text: &str) -> Vec<Piece> {
    if text.is_empty() {
        Vec::new()
    } else {
        vec![Piece::Text(text.to_owned())]
    }
}
