//! Figures that depend on size: `steps` and `linear` through constant points, as cases of a
//! `switch`.

use super::Linker;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::constants::value_of;
use crate::syntax::tree::{AddOp, Expr, ExprKind, MulOp, POINT, Relation};

const STEPS: &str = "steps";
const LINEAR: &str = "linear";

/// More points are no table that anybody measured.
const MAX_POINTS: usize = 1000;

/// True if a call is `steps` or `linear`.
pub(super) fn are_given(name: &str, arguments: &[Expr]) -> bool {
    let is_point = |argument: &Expr| parts(argument).is_some();
    [STEPS, LINEAR].contains(&name) && arguments.iter().any(is_point)
}

/// The parts of a point `x: y`.
fn parts(argument: &Expr) -> Option<(&Expr, &Expr)> {
    match &argument.kind {
        ExprKind::Call(sign, parts) if sign.text == POINT => match &parts[..] {
            [x, y] => Some((x, y)),
            _ => None,
        },
        _ => None,
    }
}

type Points = Vec<(Expr, Expr)>;

impl Linker {
    /// The cases of `steps(e, x0: y0, ..)` or `linear(e, x0: y0, ..)`, with unresolved names.
    pub(super) fn through_points(
        &mut self,
        instance: usize,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Result<Expr, Box<Diagnostic>> {
        let wrong = |message: &str, place: Span, label: &str| {
            let message = format!("`{name}`: {message}");
            let hint = format!("write `{name}(x, 0: 0.1, 1e9: 0.6)`");
            Box::new(
                Diagnostic::error(message, place, label)
                    .code(Code::Constant)
                    .hint(hint),
            )
        };
        let Some((at, points)) = arguments
            .split_first()
            .filter(|(at, _)| parts(at).is_none())
        else {
            return Err(wrong("a number comes before the points", span, "of what?"));
        };
        let mut all = Points::new();
        for argument in points {
            let Some((x, y)) = parts(argument) else {
                return Err(wrong(
                    "this is not a point",
                    argument.span,
                    "expected `x: y`",
                ));
            };
            match self.columns(instance, x, y) {
                Some(rows) => all.extend(rows),
                None => all.push((x.clone(), y.clone())),
            }
        }
        if all.len() > MAX_POINTS {
            let message = format!("{} points, but at most {MAX_POINTS} are allowed", all.len());
            return Err(wrong(&message, span, "too many points"));
        }
        self.write_out(2 * all.len(), at.span)?;
        let mut before = None;
        for (x, _) in &all {
            let value = value_of(x, &|_| None);
            let Some(value) = value else {
                return Err(wrong(
                    "a place must be a constant",
                    x.span,
                    "this depends on names",
                ));
            };
            if before.as_ref().is_some_and(|before| *before >= value) {
                return Err(wrong(
                    "the places must increase",
                    x.span,
                    "not after the one before",
                ));
            }
            before = Some(value);
        }
        match name {
            STEPS => Ok(steps(at, &all, span)),
            _ => Ok(linear(at, &all, span)),
        }
    }

    /// The rows of `table.x: table.y`.
    fn columns(&mut self, instance: usize, x: &Expr, y: &Expr) -> Option<Points> {
        let (ExprKind::Name(x), ExprKind::Name(y)) = (&x.kind, &y.kind) else {
            return None;
        };
        let ((table, x), (other, y)) = (x.rsplit_once('.')?, y.rsplit_once('.')?);
        let declared = self
            .find_declared(instance, table)
            .filter(|_| table == other)?;
        let form = self.form(declared);
        let (x, y) = (form.field(x)?, form.field(y)?);
        let rows = 0..form.rows().len();
        let rows = rows.map(|row| (form.value(row, x).clone(), form.value(row, y).clone()));
        Some(rows.collect())
    }
}

/// `at >= x`
fn from(at: &Expr, x: &Expr, span: Span) -> Expr {
    let (at, x) = (Box::new(at.clone()), Box::new(x.clone()));
    let kind = ExprKind::Compare(Relation::GreaterEqual, at, x);
    Expr { kind, span }
}

/// The value at the last place that is not above `at`.
fn steps(at: &Expr, points: &[(Expr, Expr)], span: Span) -> Expr {
    let case = |(x, y): &(Expr, Expr)| (from(at, x, span), y.clone());
    let kind = ExprKind::Switch(points.iter().rev().map(case).collect());
    Expr { kind, span }
}

/// Straight between neighbours; from the last place on the value there.
fn linear(at: &Expr, points: &[(Expr, Expr)], span: Span) -> Expr {
    let of = |kind| Expr { kind, span };
    let difference = |a: &Expr, b: &Expr| {
        let rest = vec![(AddOp::Subtract, b.clone())];
        of(ExprKind::Sum(Box::new(a.clone()), rest))
    };
    let between = |pair: &[(Expr, Expr)]| {
        let ((x0, y0), (x1, y1)) = (&pair[0], &pair[1]);
        let factors = vec![
            (MulOp::Multiply, difference(at, x0)),
            (MulOp::Divide, difference(x1, x0)),
        ];
        let rise = of(ExprKind::Product(Box::new(difference(y1, y0)), factors));
        let sum = of(ExprKind::Sum(
            Box::new(y0.clone()),
            vec![(AddOp::Add, rise)],
        ));
        (from(at, x0, span), sum)
    };
    let last = points.last().map(|(x, y)| (from(at, x, span), y.clone()));
    let others = points.windows(2).rev().map(between);
    of(ExprKind::Switch(last.into_iter().chain(others).collect()))
}
