//! `numeric unknown x = law`: a number that is not known.

use super::Built;
use crate::diagnostic::Diagnostic;
use crate::syntax::tree::{Expr, ExprKind, Name, ParameterFact, Relation};
use pamela_law::{LawName, Least};

/// Adds what is known of an unknown number to its facts. Between two bounds without a law, all values are as likely.
pub(super) fn declare(name: &Name, facts: &mut Vec<ParameterFact>, law: Option<Expr>) -> Built<()> {
    let bound = |is_own: fn(&Relation) -> bool| {
        facts.iter().find_map(|fact| match fact {
            ParameterFact::Bound(relation, bound) if is_own(relation) => Some(bound.clone()),
            _ => None,
        })
    };
    let least = bound(|own| matches!(own, Relation::Greater | Relation::GreaterEqual));
    let most = bound(|own| matches!(own, Relation::Less | Relation::LessEqual));
    let law = match (law, &least, most) {
        (Some(law), ..) => law,
        (None, Some(least), Some(most)) => {
            let called = Name {
                text: UNIFORM.to_owned(),
                span: name.span,
            };
            Expr {
                kind: ExprKind::Call(called, vec![least.clone(), most]),
                span: name.span,
            }
        }
        (None, ..) => {
            let message = format!("nothing is known of the unknown `{}`", name.text);
            let error = Diagnostic::error(message, name.span, "declared here");
            let hint = format!(
                "give it a law, `numeric unknown {0} = uniform(1, 3)`, or bounds, `numeric unknown {0} : >= 1 <= 3`",
                name.text
            );
            return Err(error.hint(hint).into());
        }
    };
    if least.is_none()
        && let Some((relation, bound)) = least_of(&law)
    {
        facts.push(ParameterFact::Bound(relation, bound));
    }
    facts.push(ParameterFact::Unknown(Box::new(law)));
    Ok(())
}

const UNIFORM: &str = "uniform";

/// A bound that all values of a law have, by its form: closed forms may rest on it.
fn least_of(law: &Expr) -> Option<(Relation, Expr)> {
    let ExprKind::Call(name, arguments) = &law.kind else {
        return None;
    };
    let number = |value: i64| Expr {
        kind: ExprKind::Number(value.into()),
        span: law.span,
    };
    let least = match LawName::find(&name.text)?.row().least? {
        Least::Number(value) => number(value),
        Least::Argument(place) => arguments.get(place)?.clone(),
    };
    let is_number = matches!(least.kind, ExprKind::Number(_) | ExprKind::Quantity(_));
    is_number.then_some((Relation::GreaterEqual, least))
}
