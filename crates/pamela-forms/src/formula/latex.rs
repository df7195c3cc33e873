//! Prints expressions as LaTeX for math mode; uses only what both KaTeX and amsmath provide.

mod graphs;
mod laws;
mod names;
mod truth;
mod units;

pub(super) use names::base_name;
pub use names::name;
pub(super) use truth::{print_truth, sign_text};
pub(super) use units::latex_quantity;
pub use units::latex_unit;
use units::quantity;

use super::Notation;
use super::law::ParameterFacts;
use super::names::IndexNames;
use super::term::OwnedTerm;
use super::view::{self, Exponent, Factor, Product, View, product, view};
use crate::expr::{Arena, ExprId, Function, Node, Operation, ReduceKind, Reduction, base_of};
use crate::ring::Rational;
use crate::syntax::number::{Shape, magnitude};
use crate::with_stack;

/// Binding strength of a text, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Or,
    And,
    Relation,
    /// A remainder has brackets beside any other operator, because readers disagree on its extent.
    Remainder,
    Sum,
    /// A sum sign extends to the right, so it needs brackets before another factor.
    Product,
    Power,
    Primary,
}

/// The LaTeX of `id`.
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
    match view::truth(arena, id) {
        // At the top a condition is a statement and needs no bracket.
        Some(truth) => writer.truth(&truth, Level::Or),
        None if matches!(arena.node(id), Node::Apply(Function::Integer, _)) => writer.atom(id),
        None => writer.write_view(&view(arena, id), Level::Or),
    }
    writer.out
}

/// The LaTeX of a moment: `operator` in the language's notation, applied to `of`.
pub fn moment(operator: &str, of: &str) -> String {
    let operator = match operator {
        "K3" => "\\kappa_{3}",
        "K4" => "\\kappa_{4}",
        "E" => "\\operatorname{E}",
        "Var" => "\\operatorname{Var}",
        "Skw" => "\\operatorname{Skw}",
        _ => "\\operatorname{Kur}",
    };
    format!("{operator}\\left[{of}\\right]")
}

/// The LaTeX of the derivative of the equation `of` by a parameter.
pub fn derivative(of: &str, by: &str) -> String {
    format!("\\frac{{\\partial {}}}{{\\partial {}}}", name(of), name(by))
}

/// A terminating decimal, or else a fraction.
pub(super) fn number(value: &Rational) -> String {
    let sign = if value.is_negative() { "-" } else { "" };
    let (text, _) = magnitude(&value.abs(), Notation::Latex);
    format!("{sign}{text}")
}

struct Writer<'a> {
    arena: &'a Arena,
    names: IndexNames,
    known: &'a ParameterFacts,
    out: String,
}

impl Writer<'_> {
    fn write(&mut self, id: ExprId, place: Level) {
        with_stack(|| {
            self.write_view(&view(self.arena, id), place);
        });
    }

    /// One long function, because it is a table with an arm for each kind of expression.
    fn write_view(&mut self, view: &View, place: Level) {
        let parentheses = level(view) < place && !matches!(view, View::Copies(..));
        self.enclosed(parentheses, |writer| match view {
            View::Number(value) => writer.number(value),
            View::Name(symbol) => {
                let own = writer.names.name(writer.arena, *symbol);
                let text = base_of(own).map_or_else(|| name(own), |base| quantity("1", base));
                writer.out.push_str(&text);
            }
            View::Sum(terms) => {
                let products: Vec<Product> = terms
                    .iter()
                    .map(|t| product(writer.arena, &t.coefficient, t.factors))
                    .collect();
                writer.sum(&products);
            }
            View::Product(product) => writer.sum(std::slice::from_ref(product)),
            View::Power(base, exponent) => writer.power(*base, *exponent),
            View::Max(list) => writer.call("\\max", list),
            View::Min(list) => writer.call("\\min", list),
            View::Apply(function, operand) => writer.apply(*function, *operand),
            View::LogTo(operand, base) => writer.log_to(*operand, *base, &Rational::ONE),
            View::FloorDivide(quotient) => {
                writer.out.push_str("\\left\\lfloor ");
                writer.sum(std::slice::from_ref(quotient));
                writer.out.push_str(" \\right\\rfloor");
            }
            View::Modulo(a, b) => {
                writer.write(*a, Level::Power);
                writer.out.push_str(" \\bmod ");
                writer.write(*b, Level::Power);
            }
            View::Truth(truth) => {
                writer.out.push_str("\\left[");
                writer.truth(truth, Level::Or);
                writer.out.push_str("\\right]");
            }
            View::If(condition, then, otherwise) => writer.cases(*condition, *then, *otherwise),
            View::Reduce(reduction) => writer.reduction(reduction),
            View::Graph(graph, families) => writer.graph(*graph, families),
            View::Dense(components) => writer.dense(components),
            View::UnitVector(array, index) => {
                let array = name(writer.names.name(writer.arena, *array));
                writer.out.push_str("\\mathbf{e}^{");
                writer.out.push_str(&array);
                writer.out.push_str("}_{");
                writer.write(*index, Level::Or);
                writer.out.push('}');
            }
            View::VectorMax(vector) => writer.call("\\max", &[*vector]),
            View::LawSum(parts) => writer.law_sum(parts),
            View::Copies(count, law) => writer.copies(count, *law),
            View::Demand(count, law, vector) => writer.demand(count, *law, *vector),
            View::Scale(factor, law) => {
                writer.write(*factor, Level::Power);
                writer.out.push_str(" \\cdot ");
                writer.write(*law, Level::Power);
            }
            View::LawProduct(list) => {
                for (position, &law) in list.iter().enumerate() {
                    writer
                        .out
                        .push_str(if position > 0 { " \\cdot " } else { "" });
                    writer.write(law, Level::Power);
                }
            }
            View::Samples(samples) => writer.samples(samples),
            View::Call(name @ ("max" | "min"), list) => writer.call(&format!("\\{name}"), list),
            View::Call(operator @ ("E" | "Var" | "K3" | "K4"), [law]) => {
                let start = writer.out.len();
                writer.write(*law, Level::Or);
                let law = writer.out.split_off(start);
                writer.out.push_str(&moment(operator, &law));
            }
            View::Call(name, list) => match Operation::named(name) {
                Some(operation) => writer.call(operation.row().latex, list),
                None => writer.call(&format!("\\operatorname{{{name}}}"), list),
            },
            View::Quantile(operands) => writer.call("\\operatorname{quantile}", operands),
            View::Probability(sign, law, t) => {
                writer.out.push_str("\\operatorname{P}\\left[");
                writer.truth(&view::Truth::Relation(*sign, *law, *t), Level::Or);
                writer.out.push_str("\\right]");
            }
            View::Equation(symbol, list) => {
                let own = name(writer.names.name(writer.arena, *symbol));
                writer.call(&own, list);
            }
            View::RandomSum(count, law) => {
                writer.repeated(*law, |writer| writer.write(*count, Level::Or));
            }
            View::Choice(condition, then, otherwise) => {
                writer.share(*then, |writer| writer.write(*condition, Level::Or));
                writer.write(*otherwise, Level::Or);
                writer.out.push_str(" & \\text{otherwise} \\end{cases}");
            }
        });
    }

    fn enclosed(&mut self, parentheses: bool, content: impl FnOnce(&mut Self)) {
        if parentheses {
            self.out.push_str("\\left(");
        }
        content(self);
        if parentheses {
            self.out.push_str("\\right)");
        }
    }

    fn number(&mut self, value: &Rational) {
        self.out.push_str(&number(value));
    }

    fn call(&mut self, function: &str, arguments: &[ExprId]) {
        self.out.push_str(function);
        self.out.push_str("\\left(");
        for (position, &argument) in arguments.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            self.write(argument, Level::Or);
        }
        self.out.push_str("\\right)");
    }

    fn apply(&mut self, function: Function, operand: ExprId) {
        let [open, close] = match function {
            Function::Harmonic(order) if order > 1 => return self.harmonic(order, operand),
            Function::Factorial => return self.factorial(operand),
            _ => function.row().latex,
        };
        self.out.push_str(open);
        self.write(operand, Level::Or);
        self.out.push_str(close);
    }

    fn harmonic(&mut self, order: u32, operand: ExprId) {
        self.out.push_str("H_{");
        self.write(operand, Level::Or);
        self.out.push_str(&format!("}}^{{\\left({order}\\right)}}"));
    }

    fn factorial(&mut self, operand: ExprId) {
        let plain = matches!(view(self.arena, operand), View::Name(_));
        self.enclosed(!plain, |writer| writer.write(operand, Level::Or));
        self.out.push('!');
    }

    /// Writes the base of an exponent; a base that ends in an accent or exponent of its own is enclosed.
    fn base(&mut self, base: ExprId) {
        let marked = matches!(
            self.arena.node(base),
            Node::Apply(Function::Factorial | Function::Harmonic(_), _)
        );
        self.enclosed(marked, |writer| writer.write(base, Level::Primary));
    }

    fn power(&mut self, base: ExprId, exponent: ExprId) {
        if let Some(order) = root_order(self.arena, exponent) {
            self.out.push_str(&format!("\\sqrt[{order}]{{"));
            self.write(base, Level::Or);
            return self.out.push('}');
        }
        self.base(base);
        self.out.push_str("^{");
        self.write(exponent, Level::Or);
        self.out.push('}');
    }

    fn sum(&mut self, terms: &[Product]) {
        let several = terms.len() > 1;
        for (position, term) in terms.iter().enumerate() {
            self.out.push_str(match (position, term.negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            });
            let fraction = !term.divisor.is_one() || !term.divisors.is_empty();
            if fraction {
                self.out.push_str("\\frac{");
                self.factors(&term.multiplier, &term.factors, Level::Remainder);
                self.out.push_str("}{");
                self.factors(&term.divisor, &term.divisors, Level::Remainder);
                self.out.push('}');
            } else {
                let beside = several || term.negative;
                let place = if beside {
                    Level::Product
                } else {
                    Level::Remainder
                };
                self.factors(&term.multiplier, &term.factors, place);
            }
        }
    }

    /// `place` is that of a factor which stands alone.
    fn factors(&mut self, multiplier: &Rational, factors: &[Factor], place: Level) {
        let mut first = true;
        if factors.is_empty() || !multiplier.is_one() {
            self.number(multiplier);
            first = false;
        }
        let alone = (first && factors.len() == 1).then_some(place);
        for factor in factors {
            let start = self.out.len();
            self.factor(factor, alone);
            if !first {
                // Digits side by side would read as one number.
                let digit = self.out.as_bytes()[start].is_ascii_digit();
                self.out
                    .insert_str(start, if digit { " \\cdot " } else { "\\," });
            }
            first = false;
        }
    }

    fn factor(&mut self, factor: &Factor, alone: Option<Level>) {
        // A list would be hard to see among the factors.
        if let Node::UnitVector(array, index) = *self.arena.node(factor.base) {
            return self.write_view(&View::UnitVector(array, index), Level::Power);
        }
        match &factor.exponent {
            Exponent::One => self.write(factor.base, alone.unwrap_or(Level::Power)),
            Exponent::Number(power) => {
                self.base(factor.base);
                self.exponent(power);
            }
            Exponent::Of(exponent) => self.power(factor.base, *exponent),
            Exponent::Literal(literal) => {
                self.out.push_str(&latex_quantity(literal));
            }
            Exponent::LogTo(..) => {
                if let Some((operand, base, power)) = factor.logarithm(self.arena) {
                    self.log_to(operand, base, power);
                }
            }
        }
    }

    fn log_to(&mut self, operand: ExprId, base: ExprId, power: &Rational) {
        self.out.push_str("\\log_{");
        self.write(base, Level::Or);
        self.out.push('}');
        if !power.is_one() {
            self.exponent(power);
        }
        self.call("", &[operand]);
    }

    fn exponent(&mut self, power: &Rational) {
        self.out.push_str("^{");
        self.number(power);
        self.out.push('}');
    }

    /// One row for each case; nested cases are listed in the same braces.
    fn cases(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) {
        self.out.push_str("\\begin{cases} ");
        let mut case = (condition, then, otherwise);
        loop {
            let (condition, then, otherwise) = case;
            self.write(then, Level::Or);
            self.out.push_str(" & \\text{if } ");
            match view::truth(self.arena, condition) {
                Some(truth) => self.truth(&truth, Level::Or),
                None => self.atom(condition),
            }
            self.out.push_str(" \\\\ ");
            match *self.arena.node(otherwise) {
                Node::If(condition, then, otherwise) => case = (condition, then, otherwise),
                _ => break self.write(otherwise, Level::Or),
            }
        }
        self.out.push_str(" & \\text{otherwise} \\end{cases}");
    }

    /// `X_{(k:n)}`: the k-th smallest of n copies of a law.
    fn order_statistic(&mut self, quorum: ExprId, reduction: &Reduction) {
        match *self.arena.node(reduction.body) {
            Node::Symbol(symbol) => {
                let own = base_name(self.names.name(self.arena, symbol));
                self.out.push_str(&own);
            }
            _ => self.write(reduction.body, Level::Primary),
        }
        self.out.push_str("_{\\left(");
        self.write(quorum, Level::Or);
        self.out.push(':');
        self.write(reduction.upper, Level::Or);
        self.out.push_str("\\right)}");
    }

    fn reduction(&mut self, reduction: &Reduction) {
        let copies = !self.arena.mentions(reduction.body, reduction.index);
        let lower = self.arena.as_number(reduction.lower);
        let from_one = lower.is_some_and(Rational::is_one);
        if let ReduceKind::LawKth(quorum) = reduction.kind
            && copies
            && from_one
        {
            return self.order_statistic(quorum, reduction);
        }
        self.out.push_str(match reduction.kind {
            ReduceKind::Sum => "\\sum_{",
            ReduceKind::Product => "\\prod_{",
            ReduceKind::Max | ReduceKind::LawMax => "\\max_{",
            ReduceKind::Min | ReduceKind::LawMin => "\\min_{",
            ReduceKind::Kth(_) | ReduceKind::LawKth(_) => "\\operatorname{kth}^{",
            // Only in a graph, which writes its own.
            ReduceKind::Each => "_{",
        });
        if let Some(quorum) = reduction.kind.quorum() {
            self.write(quorum, Level::Or);
            self.out.push_str("}_{");
        }
        let start = self.out.len();
        self.write(reduction.lower, Level::Or);
        let lower = self.out.split_off(start);
        self.write(reduction.upper, Level::Or);
        let upper = self.out.split_off(start);
        let index = self.names.enter(reduction.index);
        let range = match reduction.kind {
            ReduceKind::Sum | ReduceKind::Product => {
                format!("{}={lower}}}^{{{upper}}} ", name(&index))
            }
            _ => format!("{lower} \\le {} \\le {upper}}} ", name(&index)),
        };
        self.out.push_str(&range);
        self.write(reduction.body, Level::Product);
        self.names.leave();
    }

    fn dense(&mut self, components: &[Vec<OwnedTerm>]) {
        self.out.push_str("\\left[");
        for (position, terms) in components.iter().enumerate() {
            if position > 0 {
                self.out.push_str(", ");
            }
            let products: Vec<Product> = terms
                .iter()
                .map(|t| product(self.arena, &t.coefficient, &t.factors))
                .collect();
            if products.is_empty() {
                self.out.push('0');
            }
            self.sum(&products);
        }
        self.out.push_str("\\right]");
    }
}

fn level(view: &View) -> Level {
    match view {
        View::Number(value) if value.is_negative() => Level::Sum,
        View::Number(value) => match magnitude(value, Notation::Latex).1 {
            Shape::Digits => Level::Primary,
            Shape::Product if value.is_integer() => Level::Product,
            // Fractions as well.
            Shape::Power | Shape::Product => Level::Power,
        },
        View::Sum(_) | View::LawSum(_) => Level::Sum,
        View::Product(product) if product.negative => Level::Sum,
        View::Modulo(..) => Level::Remainder,
        View::Product(_)
        | View::Reduce(_)
        | View::Copies(..)
        | View::Demand(..)
        | View::Scale(..)
        | View::LawProduct(_)
        | View::RandomSum(..) => Level::Product,
        // A superscript after the last two would be read as part of them.
        View::Choice(..) | View::Power(..) | View::UnitVector(..) | View::If(..) => Level::Power,
        _ => Level::Primary,
    }
}

/// The `n` of an exponent `1/n`, from 3 on.
fn root_order(arena: &Arena, exponent: ExprId) -> Option<i64> {
    let order = arena.as_number(exponent)?.recip()?.to_i64()?;
    (order > 2).then_some(order)
}
