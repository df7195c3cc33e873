//! An expression as PAMELA+ text that reads back with the same meaning.

mod choice;
mod graphs;
mod laws;
mod truth;

use choice::Chosen;
pub(super) use truth::print_truth;
use truth::{is_plainly_true_or_false, truth_level};

use super::Notation;
use super::law::{self, ParameterFacts};
use super::names::IndexNames;
use super::number::{Shape, magnitude};
use super::term::OwnedTerm;
use super::view::{self, Exponent, Factor, Product, View, is_list, is_predefined, product, view};
use crate::expr::{Arena, ExprId, Function, Node, ReduceKind, Reduction, Sort, base_of};
use crate::ring::Rational;
use crate::with_stack;

/// How tightly a text holds together, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    If,
    Or,
    And,
    Relation,
    Sum,
    Product,
    Power,
    Primary,
}

/// The text of `id`.
pub(super) fn print(
    arena: &Arena,
    id: ExprId,
    names: IndexNames,
    known: &ParameterFacts,
) -> String {
    let mut writer = Writer {
        arena,
        names,
        known,
        out: String::new(),
    };
    writer.write_view(&view(arena, id), Level::If);
    writer.out
}

/// The shortest exact text of a number: `10.1`, `1/3`, `-2`.
pub fn number(value: &Rational) -> String {
    value.to_decimal().unwrap_or_else(|| value.to_string())
}

struct Writer<'a> {
    arena: &'a Arena,
    names: IndexNames,
    known: &'a ParameterFacts,
    out: String,
}

impl Writer<'_> {
    /// Writes `id` for a place that takes what holds at least as tightly as `place`.
    fn write(&mut self, id: ExprId, place: Level) {
        with_stack(|| {
            self.write_view(&view(self.arena, id), place);
        });
    }

    /// One function, as it is a table with an arm for each kind of expression.
    fn write_view(&mut self, view: &View, place: Level) {
        let level = match view {
            // A share reads like a conditional.
            View::Copies(count, _) if !law::is_whole(self.arena, count, self.known) => Level::If,
            View::Product(product) if Chosen::of(self.arena, product).is_some() => Level::If,
            _ => level(view),
        };
        self.enclosed(level < place, |writer| match view {
            View::Number(value) => {
                writer
                    .out
                    .push_str(if value.is_negative() { "-" } else { "" });
                writer.number(value);
            }
            View::Name(symbol) => {
                // One of a unit.
                if let Some(base) = writer.arena.symbol_name(*symbol).and_then(base_of) {
                    writer.out.push_str(&format!("1 [{base}]"));
                    return;
                }
                let name = writer.names.name(writer.arena, *symbol);
                writer.out.push_str(name);
            }
            View::Sum(terms) => {
                let products: Vec<Product> = terms
                    .iter()
                    .map(|t| product(writer.arena, &t.coefficient, t.factors))
                    .collect();
                writer.sum(&products);
            }
            View::Product(product) => match Chosen::of(writer.arena, product) {
                Some(chosen) => writer.chosen(&chosen),
                None => writer.sum(std::slice::from_ref(product)),
            },
            View::Power(base, exponent) => {
                writer.write(*base, Level::Primary);
                writer.out.push('^');
                writer.write(*exponent, Level::Primary);
            }
            View::Max(list) => writer.call("max", list),
            View::Min(list) => writer.call("min", list),
            View::Apply(function, operand) => writer.apply(*function, *operand),
            View::LogTo(operand, base) => writer.log_to(*operand, *base),
            View::FloorDivide(quotient) => writer.floor_divide(quotient),
            View::Modulo(a, b) => {
                writer.write(*a, Level::Power);
                writer.out.push_str(" mod ");
                writer.write(*b, Level::Power);
            }
            View::Truth(truth) => writer.write_truth(truth, level),
            View::If(condition, then, otherwise) => writer.if_else(*condition, *then, *otherwise),
            View::Reduce(reduction) => writer.reduction(reduction),
            View::Graph(graph, families) => writer.graph(*graph, families),
            View::Dense(components) => writer.dense(components),
            View::UnitVector(array, index) => {
                writer.out.push_str("unitvec(");
                if !is_predefined(writer.arena, *array) {
                    let name = writer.names.name(writer.arena, *array);
                    writer.out.push_str(name);
                    writer.out.push_str(", ");
                }
                writer.write(*index, Level::If);
                writer.out.push(')');
            }
            // A list reads back with its own components only.
            View::VectorMax(vector) if is_list(writer.arena, *vector) => {
                writer.out.push_str("max(0, ");
                writer.call("max", &[*vector]);
                writer.out.push(')');
            }
            View::VectorMax(vector) => writer.call("max", &[*vector]),
            View::LawSum(parts) => writer.law_sum(parts),
            View::Copies(count, law) => writer.copies(count, *law),
            View::Demand(count, law, vector) => writer.demand(count, *law, *vector),
            View::Scale(factor, law) => {
                writer.write(*factor, Level::Power);
                writer.out.push_str(" * ");
                writer.write(*law, Level::Power);
            }
            View::LawProduct(list) => {
                for (position, &law) in list.iter().enumerate() {
                    writer.out.push_str(if position > 0 { " * " } else { "" });
                    writer.write(law, Level::Power);
                }
            }
            View::Samples(samples) => writer.samples(samples),
            View::Call(name, arguments) => writer.call(name, arguments),
            View::Equation(symbol, arguments) => {
                let name = writer.names.name(writer.arena, *symbol).to_owned();
                writer.call(&name, arguments);
            }
            View::RandomSum(count, law) => {
                writer.repeated(*law, |writer| writer.write(*count, Level::If));
            }
            View::Choice(condition, then, otherwise) => {
                writer.choice(*then, *otherwise, |writer| {
                    writer.write(*condition, Level::If)
                });
            }
        });
    }

    fn enclosed(&mut self, parentheses: bool, content: impl FnOnce(&mut Self)) {
        if parentheses {
            self.out.push('(');
        }
        content(self);
        if parentheses {
            self.out.push(')');
        }
    }

    /// Without its sign.
    fn number(&mut self, value: &Rational) {
        let (text, _) = magnitude(&value.abs(), Notation::Pamela);
        self.out.push_str(&text);
    }

    fn choice(&mut self, then: ExprId, otherwise: ExprId, condition: impl FnOnce(&mut Self)) {
        self.out.push_str("if (");
        condition(self);
        self.out.push_str(") ");
        self.write(then, Level::Or);
        self.out.push_str(" else ");
        self.write(otherwise, Level::If);
    }

    fn call(&mut self, name: &str, arguments: &[ExprId]) {
        self.out.push_str(name);
        self.out.push('(');
        self.list(arguments);
        self.out.push(')');
    }

    fn apply(&mut self, function: Function, operand: ExprId) {
        self.out.push_str(function.name());
        self.out.push('(');
        self.list(&[operand]);
        if let Function::Harmonic(order) = function
            && order != 1
        {
            self.out.push_str(&format!(", {order}"));
        }
        self.out.push(')');
    }

    fn list(&mut self, items: &[ExprId]) {
        for (position, &item) in items.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.write(item, Level::If);
        }
    }

    fn sum(&mut self, terms: &[Product]) {
        for (position, term) in terms.iter().enumerate() {
            self.out.push_str(match (position, term.negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            // A leading minus binds tighter than `div` and `mod`.
            let place = match (position, term.negative) {
                (0, true) => Level::Power,
                _ => Level::Product,
            };
            self.product(term, place);
        }
    }

    /// The magnitude of a product; `place` is that of a factor which stands alone.
    fn product(&mut self, term: &Product, place: Level) {
        let whole = term.divisor.is_one() && term.divisors.is_empty();
        if let ([factor], true, true) = (&term.factors[..], whole, term.multiplier.is_one())
            && matches!(factor.exponent, Exponent::One)
        {
            return self.write(factor.base, place);
        }
        self.factors(&term.multiplier, &term.factors);
        if whole {
            return;
        }
        self.out.push_str(" / ");
        self.denominator(&term.divisor, &term.divisors);
    }

    fn denominator(&mut self, number: &Rational, factors: &[Factor]) {
        let literal = |factor: &Factor| matches!(factor.exponent, Exponent::Literal(_));
        let apart = is_several(number, factors) || factors.iter().any(literal);
        self.enclosed(apart, |writer| writer.factors(number, factors));
    }

    fn factors(&mut self, multiplier: &Rational, factors: &[Factor]) {
        let mut separator = "";
        if factors.is_empty() || !multiplier.is_one() {
            self.number(multiplier);
            separator = " * ";
        }
        for factor in factors {
            self.out.push_str(separator);
            self.factor(factor);
            separator = " * ";
        }
    }

    fn factor(&mut self, factor: &Factor) {
        // As a list it would be hard to see among the factors.
        if let Node::UnitVector(array, index) = *self.arena.node(factor.base) {
            return self.write_view(&View::UnitVector(array, index), Level::Power);
        }
        match &factor.exponent {
            Exponent::One => self.write(factor.base, Level::Power),
            Exponent::Number(power) => {
                self.write(factor.base, Level::Primary);
                self.exponent(power);
            }
            Exponent::Of(exponent) => {
                self.write(factor.base, Level::Primary);
                self.out.push('^');
                self.write(*exponent, Level::Primary);
            }
            Exponent::Literal(literal) => {
                let text = format!("{} [{}]", literal.number, literal.unit);
                self.out.push_str(&text);
            }
            Exponent::LogTo(..) => {
                if let Some((operand, base, power)) = factor.logarithm(self.arena) {
                    self.log_to(operand, base);
                    if !power.is_one() {
                        self.exponent(power);
                    }
                }
            }
        }
    }

    fn exponent(&mut self, power: &Rational) {
        self.out.push('^');
        let text = number(power);
        self.enclosed(text.contains('/'), |writer| writer.out.push_str(&text));
    }

    fn log_to(&mut self, operand: ExprId, base: ExprId) {
        match self.arena.as_number(base) {
            Some(base) if *base == Rational::from(2) => self.call("log2", &[operand]),
            _ => self.call("log", &[operand, base]),
        }
    }

    /// `numerator div denominator`, both sides in parentheses unless they are one factor.
    fn floor_divide(&mut self, quotient: &Product) {
        let several = is_several(&quotient.multiplier, &quotient.factors);
        self.enclosed(quotient.negative || several, |writer| {
            if quotient.negative {
                writer.out.push('-');
            }
            writer.factors(&quotient.multiplier, &quotient.factors);
        });
        self.out.push_str(" div ");
        self.denominator(&quotient.divisor, &quotient.divisors);
    }

    fn if_else(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) {
        self.out.push_str("if (");
        self.condition(condition);
        self.out.push_str(") ");
        let vector = [then, otherwise]
            .iter()
            .any(|&branch| self.arena.sort(branch) == Sort::Vector);
        // An `if` in the first branch would be hard to read.
        self.branch(then, vector, Level::Or);
        self.out.push_str(" else ");
        self.branch(otherwise, vector, Level::If);
    }

    /// What chooses one of two branches.
    fn condition(&mut self, condition: ExprId) {
        match view::truth(self.arena, condition) {
            Some(truth) if is_plainly_true_or_false(self.arena, &truth) => {
                self.write(condition, Level::If);
            }
            // Anything else would read as a probability, and both branches be evaluated.
            _ => {
                self.write(condition, Level::Sum);
                self.out.push_str(" == 1");
            }
        }
    }

    /// One branch of a conditional; the arena writes the zero vector as the number 0.
    fn branch(&mut self, id: ExprId, vector: bool, place: Level) {
        if vector && self.arena.as_number(id).is_some() {
            self.out.push_str("[0]");
        } else {
            self.write(id, place);
        }
    }

    fn reduction(&mut self, reduction: &Reduction) {
        self.out.push_str(match reduction.kind {
            ReduceKind::Sum => "sum (",
            ReduceKind::Product => "prod (",
            ReduceKind::Max | ReduceKind::LawMax => "max (",
            ReduceKind::Min | ReduceKind::LawMin => "min (",
            ReduceKind::Kth(_) | ReduceKind::LawKth(_) => "kth (",
            // Only in a graph, which writes its own.
            ReduceKind::Each => "(",
        });
        if let Some(quorum) = reduction.kind.quorum() {
            self.write(quorum, Level::If);
            self.out.push_str(" of ");
        }
        // The bounds stand outside the scope of the index, in the text before its name is chosen.
        let range = |writer: &mut Self| {
            let start = writer.out.len();
            writer.write(reduction.lower, Level::If);
            writer.out.push_str(", ");
            writer.write(reduction.upper, Level::If);
            writer.out.split_off(start)
        };
        let range = range(self);
        let index = self.names.enter(reduction.index);
        self.out.push_str(&index);
        self.out.push_str(" = ");
        self.out.push_str(&range);
        self.out.push_str(") { ");
        self.write(reduction.body, Level::If);
        self.out.push_str(" }");
        self.names.leave();
    }

    fn dense(&mut self, components: &[Vec<OwnedTerm>]) {
        if components.is_empty() {
            // There is no empty list in the language; a component that is 0 changes nothing.
            self.out.push_str("[0]");
            return;
        }
        self.out.push('[');
        for (position, terms) in components.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.component(terms);
        }
        self.out.push(']');
    }

    fn component(&mut self, terms: &[OwnedTerm]) {
        match terms {
            [] => self.out.push('0'),
            [term] if term.coefficient.is_one() && term.factors.len() == 1 => {
                self.write(term.factors[0], Level::If);
            }
            _ => {
                let products: Vec<Product> = terms
                    .iter()
                    .map(|t| product(self.arena, &t.coefficient, &t.factors))
                    .collect();
                self.sum(&products);
            }
        }
    }
}

/// Whether a product has more than one factor when it is written.
fn is_several(number: &Rational, factors: &[Factor]) -> bool {
    let long = || magnitude(number, Notation::Pamela).1 == Shape::Product;
    let count = factors.len() + usize::from(!number.is_one());
    count > 1 || (!number.is_one() && long())
}

fn level(view: &View) -> Level {
    match view {
        View::Number(value) if value.is_negative() => Level::Sum,
        View::Number(value) => match magnitude(value, Notation::Pamela).1 {
            Shape::Digits => Level::Primary,
            Shape::Power => Level::Power,
            Shape::Product => Level::Product,
        },
        View::Sum(_) => Level::Sum,
        View::Product(product) if product.negative => Level::Sum,
        View::Product(_) | View::FloorDivide(_) | View::Modulo(..) => Level::Product,
        View::Power(..) => Level::Power,
        View::Truth(truth) => truth_level(truth),
        View::If(..) | View::Choice(..) => Level::If,
        View::LawSum(_) => Level::Sum,
        View::Scale(..) | View::LawProduct(_) | View::Demand(..) => Level::Product,
        _ => Level::Primary,
    }
}
