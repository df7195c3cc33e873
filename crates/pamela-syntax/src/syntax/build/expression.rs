//! Builds numeric expressions: operands, and operators grouped by precedence.

use super::parts::{Parts, lost};
use super::unit::quantity;
use super::{Built, Rule, quoted, range};
use crate::diagnostic::{Diagnostic, Span};
use crate::ring::Rational;
use crate::syntax::tree::{
    AddOp, Expr, ExprKind, MulOp, NAMED, Name, POINT, ReduceKind, Reduction, Relation, SPREAD,
};

/// The largest exponent of a written number, either way: a short text must not be a huge number.
const MAX_EXPONENT: u32 = 400;

/// An element of a flat expression.
enum Element<'i> {
    Operand(Operand),
    /// `-` or `!` before an operand.
    Prefix(&'i str, Span),
    Infix(&'i str, Span),
}

/// An expression with its place, brackets included: a name in brackets has the place of the name.
type Operand = (Expr, Span);

impl<'i> Parts<'i> {
    /// Builds the expression from its parts: a flat list, or a bracketed one.
    pub(super) fn expression(mut self) -> Built<Expr> {
        let mut elements = Vec::new();
        let mut bare_reduction = None;
        while let Some(part) = self.next() {
            let span = part.span();
            elements.push(match part.rule() {
                Rule::prefix => Element::Prefix(part.text(), span),
                Rule::infix | Rule::arithmetic_infix => {
                    if let ("^", Some(reduction)) = (part.text(), bare_reduction.take()) {
                        return Err(power_of_reduction(span, reduction));
                    }
                    Element::Infix(part.text(), span)
                }
                _ => {
                    bare_reduction = part.is_bare_reduction().then_some(span);
                    let operand = self.operand(part)?;
                    let place = span.to(operand.span);
                    Element::Operand((operand, place))
                }
            });
        }
        Grouping {
            elements: elements.into_iter().peekable(),
            place: self.span(),
        }
        .disjunction()
        .map(|(expression, _)| expression)
    }

    /// Builds all parts as expressions.
    pub(super) fn expressions(mut self) -> Built<Vec<Expr>> {
        let mut expressions = Vec::new();
        while let Some(mut part) = self.next() {
            let expression = match part.rule() {
                Rule::value_there => {
                    let value = part.take()?.expression()?;
                    let place = expressions.pop().ok_or_else(|| lost(part.span()))?;
                    point(place, value)
                }
                Rule::spread => part.spread()?,
                Rule::named => part.named()?,
                _ => part.expression()?,
            };
            expressions.push(expression);
        }
        Ok(expressions)
    }

    /// The operand `part`, and its arguments, which come after it among these parts.
    fn operand(&mut self, mut part: Parts<'i>) -> Built<Expr> {
        let mut span = part.span();
        let kind = match part.rule() {
            Rule::number => match (number(&part)?, self.take_if(Rule::units)) {
                (ExprKind::Number(number), Some(unit)) => {
                    span = span.to(unit.span());
                    ExprKind::Quantity(Box::new(quantity(number, unit.unit()?)))
                }
                (number, _) => number,
            },
            Rule::text => ExprKind::Text(quoted(&part).text),
            Rule::path => match self.take_if(Rule::arguments) {
                Some(arguments) => {
                    span = span.to(arguments.span());
                    ExprKind::Call(part.name(), arguments.expressions()?)
                }
                None => ExprKind::Name(part.text().to_owned()),
            },
            Rule::round | Rule::braced => {
                let inner = part.take()?.expression()?;
                if matches!(inner.kind, ExprKind::Name(_)) {
                    return Ok(inner);
                }
                return Ok(Expr {
                    kind: inner.kind,
                    span,
                });
            }
            Rule::vector => ExprKind::Vector(part.expressions()?),
            Rule::reduction => part.reduction()?,
            Rule::numeric_switch => part.numeric_arms()?,
            Rule::numeric_graph => ExprKind::Graph(Box::new(part.graph(Parts::expression)?)),
            _ => part.numeric_conditional()?,
        };
        Ok(Expr { kind, span })
    }

    /// `..e`
    fn spread(mut self) -> Built<Expr> {
        let span = self.span();
        let sign = Name {
            text: SPREAD.to_owned(),
            span,
        };
        let inner = self.take()?.expression()?;
        Ok(Expr {
            kind: ExprKind::Call(sign, vec![inner]),
            span,
        })
    }

    /// `x = e`
    fn named(mut self) -> Built<Expr> {
        let span = self.span();
        let name = self.take()?;
        let sign = Name {
            text: NAMED.to_owned(),
            span: name.span(),
        };
        let own = Expr {
            kind: ExprKind::Name(name.text().to_owned()),
            span: name.span(),
        };
        let value = self.take()?.expression()?;
        Ok(Expr {
            kind: ExprKind::Call(sign, vec![own, value]),
            span,
        })
    }

    fn reduction(&mut self) -> Built<ExprKind> {
        let word = self.take()?;
        let kind = match word.text() {
            "sum" => ReduceKind::Sum,
            "prod" => ReduceKind::Product,
            "max" => ReduceKind::Max,
            "min" => ReduceKind::Min,
            _ => ReduceKind::Kth,
        };
        let range = range(self.take()?, word.text(), Some(kind == ReduceKind::Kth))?;
        let body = self.take()?;
        let body = self.operand(body)?;
        Ok(ExprKind::Reduce(Box::new(Reduction { kind, range, body })))
    }

    fn numeric_arms(&mut self) -> Built<ExprKind> {
        let mut arms = Vec::new();
        while let Some(mut arm) = self.next() {
            arms.push((arm.take()?.expression()?, arm.take()?.expression()?));
        }
        Ok(ExprKind::Switch(arms))
    }

    fn numeric_conditional(&mut self) -> Built<ExprKind> {
        let condition = self.take()?.take()?.expression()?;
        let then = self.take()?.expression()?;
        let otherwise = self.take()?.expression()?;
        Ok(ExprKind::If(
            Box::new(condition),
            Box::new(then),
            Box::new(otherwise),
        ))
    }

    /// True if this is a reduction whose body has no braces.
    fn is_bare_reduction(&self) -> bool {
        self.rule() == Rule::reduction && !self.text().ends_with('}')
    }
}

/// `x: y`
fn point(place: Expr, value: Expr) -> Expr {
    let span = place.span.to(value.span);
    let text = POINT.to_owned();
    Expr {
        kind: ExprKind::Call(Name { text, span }, vec![place, value]),
        span,
    }
}

/// `sum (i = 1, N) i ^ 2` reads as a sum of squares and would be the square of a sum.
fn power_of_reduction(operator: Span, reduction: Span) -> super::Failure {
    Diagnostic::error(
        "`^` after a reduction without braces",
        operator,
        "the power of what?",
    )
    .also(reduction, "of this as a whole, or of its last operand?")
    .hint("put the body of the reduction in braces: `sum (i = 1, N) { i ^ 2 }`")
    .into()
}

fn number(part: &Parts<'_>) -> Built<ExprKind> {
    let text = part.text();
    let exponent = text
        .split_once(['e', 'E'])
        .map(|(_, exponent)| exponent.trim_start_matches(['+', '-']));
    let in_reach = |digits: &str| {
        digits
            .parse::<u32>()
            .is_ok_and(|exponent| exponent <= MAX_EXPONENT)
    };
    if !exponent.is_none_or(in_reach) {
        let message = format!("an exponent beyond {MAX_EXPONENT}");
        return Err(
            Diagnostic::error(message, part.span(), "too large or too small a number").into(),
        );
    }
    match Rational::parse_decimal(text) {
        Ok(value) => Ok(ExprKind::Number(value)),
        Err(error) => Err(Diagnostic::error(error.to_string(), part.span(), "not readable").into()),
    }
}

/// Groups a flat list of operands and operators, one function per level of precedence.
///
/// Its recursion is over `^` and prefix operators only, whose number is bounded with the nesting.
struct Grouping<'i> {
    elements: std::iter::Peekable<std::vec::IntoIter<Element<'i>>>,
    /// Location of the whole expression.
    place: Span,
}

impl Grouping<'_> {
    /// The meaning of the next element if it is an infix operator that `meaning` knows.
    fn infix<T>(&mut self, meaning: impl Fn(&str) -> Option<T>) -> Option<(T, Span)> {
        let Some(Element::Infix(text, span)) = self.elements.peek() else {
            return None;
        };
        let found = (meaning(text)?, *span);
        self.elements.next();
        Some(found)
    }

    fn disjunction(&mut self) -> Built<Operand> {
        self.flat("||", Grouping::conjunction, ExprKind::Or)
    }

    fn conjunction(&mut self) -> Built<Operand> {
        self.flat("&&", Grouping::comparison, ExprKind::And)
    }

    fn flat(
        &mut self,
        operator: &str,
        operand: fn(&mut Self) -> Built<Operand>,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Built<Operand> {
        let (first, mut span) = operand(self)?;
        let mut operands = vec![first];
        while self
            .infix(|text| (text == operator).then_some(()))
            .is_some()
        {
            let (next, place) = operand(self)?;
            operands.push(next);
            span = span.to(place);
        }
        if operands.len() == 1 {
            return Ok((operands.swap_remove(0), span));
        }
        let kind = kind(operands);
        Ok((Expr { kind, span }, span))
    }

    fn comparison(&mut self) -> Built<Operand> {
        let (left, start) = self.sum()?;
        let Some((sign, first)) = self.infix(relation) else {
            return Ok((left, start));
        };
        let (right, end) = self.sum()?;
        if let Some((_, second)) = self.infix(relation) {
            return Err(Diagnostic::error("comparisons do not chain", second, "a second comparison")
                .also(first, "the first one")
                .hint("write `(a < b) && (b < c)` for a range; put a comparison used as a number in brackets")
                .into());
        }
        let span = start.to(end);
        let kind = ExprKind::Compare(sign, Box::new(left), Box::new(right));
        Ok((Expr { kind, span }, span))
    }

    fn sum(&mut self) -> Built<Operand> {
        self.chain(add_operator, Grouping::product, ExprKind::Sum)
    }

    fn product(&mut self) -> Built<Operand> {
        self.chain(multiply_operator, Grouping::unary, ExprKind::Product)
    }

    fn chain<T>(
        &mut self,
        meaning: fn(&str) -> Option<T>,
        operand: fn(&mut Self) -> Built<Operand>,
        kind: fn(Box<Expr>, Vec<(T, Expr)>) -> ExprKind,
    ) -> Built<Operand> {
        let (first, mut span) = operand(self)?;
        let mut rest = Vec::new();
        while let Some((operator, _)) = self.infix(meaning) {
            let (next, place) = operand(self)?;
            rest.push((operator, next));
            span = span.to(place);
        }
        if rest.is_empty() {
            return Ok((first, span));
        }
        let kind = kind(Box::new(first), rest);
        Ok((Expr { kind, span }, span))
    }

    fn unary(&mut self) -> Built<Operand> {
        if let Some(Element::Prefix(operator, place)) = self.elements.peek() {
            let (operator, place) = (*operator, *place);
            self.elements.next();
            let (operand, end) = self.unary()?;
            let span = place.to(end);
            let kind = if operator == "-" {
                ExprKind::Negate(Box::new(operand))
            } else {
                ExprKind::Not(Box::new(operand))
            };
            return Ok((Expr { kind, span }, span));
        }
        let (base, start) = match self.elements.next() {
            Some(Element::Operand(operand)) => operand,
            _ => return Err(super::parts::lost(self.place)),
        };
        if self.infix(|text| (text == "^").then_some(())).is_none() {
            return Ok((base, start));
        }
        let (exponent, end) = self.unary()?;
        let span = start.to(end);
        let kind = ExprKind::Power(Box::new(base), Box::new(exponent));
        Ok((Expr { kind, span }, span))
    }
}

fn relation(text: &str) -> Option<Relation> {
    Some(match text {
        "<" => Relation::Less,
        "<=" => Relation::LessEqual,
        ">" => Relation::Greater,
        ">=" => Relation::GreaterEqual,
        "==" => Relation::Equal,
        "!=" => Relation::NotEqual,
        _ => return None,
    })
}

fn add_operator(text: &str) -> Option<AddOp> {
    match text {
        "+" => Some(AddOp::Add),
        "-" => Some(AddOp::Subtract),
        _ => None,
    }
}

fn multiply_operator(text: &str) -> Option<MulOp> {
    match text {
        "*" => Some(MulOp::Multiply),
        "/" => Some(MulOp::Divide),
        "mod" => Some(MulOp::Modulo),
        "div" => Some(MulOp::FloorDivide),
        _ => None,
    }
}
