//! Sorts beside the names of equations that are no scalars, and values behind equations.

use std::collections::BTreeMap;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel};
use pamela::model::{Evaluator, Limits, Sort, Sorts, Value};
use pamela::syntax::tree::Type;

use crate::analysis::Analysis;

/// Steps of the evaluation of an equation, which the user waits for.
const STEPS: u64 = 10_000;
/// A larger model has no values: each of its equations is evaluated.
const MOST_EQUATIONS: usize = 200;

pub(super) fn all(analysis: &Analysis, with_values: bool) -> Vec<InlayHint> {
    let mut hints = sorts(analysis);
    if with_values {
        hints.extend(values(analysis));
    }
    hints
}

/// The values of numbers at the defaults of the parameters, by the definition.
fn values(analysis: &Analysis) -> Vec<InlayHint> {
    let model = analysis.draft.model.checked();
    let equations = model.equations();
    if equations.len() > MOST_EQUATIONS {
        return Vec::new();
    }
    let (none, limits) = (BTreeMap::new(), Limits { steps: STEPS });
    let mut evaluator = Evaluator::new(model, &none, limits);
    let own = equations.iter().filter(|own| {
        own.span.file == 0
            && own.kind == Type::Numeric
            && own.formals.is_empty()
            && !own.auxiliary
            && !own.parameter
    });
    let hints = own.filter_map(|equation| {
        let Value::Scalar(number) = evaluator.equation(&equation.name.text).ok()? else {
            return None;
        };
        let value = number.to_f64();
        // A number that stands there already is no news.
        let end = equation.span.end as usize;
        let written = analysis.text().get(equation.span.start as usize..end)?;
        if written.split('=').next_back()?.trim().parse() == Ok(value) {
            return None;
        }
        Some(hint(analysis, end, format!("= {value}"), None))
    });
    hints.collect()
}

fn hint(analysis: &Analysis, end: usize, label: String, kind: Option<InlayHintKind>) -> InlayHint {
    InlayHint {
        position: analysis.lines.position(analysis.text(), end),
        label: InlayHintLabel::String(label),
        kind,
        text_edits: None,
        tooltip: None,
        padding_left: Some(kind.is_none()),
        padding_right: Some(false),
        data: None,
    }
}

fn sorts(analysis: &Analysis) -> Vec<InlayHint> {
    let model = analysis.draft.model.checked();
    let mut sorts = Sorts::new(model);
    let numbered = model.equations().iter().enumerate();
    let own = numbered.filter(|(_, own)| {
        own.span.file == 0 && own.kind == Type::Numeric && own.formals.is_empty() && !own.auxiliary
    });
    let hints = own.filter_map(|(position, equation)| {
        let label = match sorts.of_equation(position) {
            Sort::Vector => ": vector",
            Sort::Law if !equation.parameter => ": law",
            Sort::Law | Sort::Scalar | Sort::Unknown => return None,
        };
        let end = equation.name.span.end as usize;
        let kind = Some(InlayHintKind::TYPE);
        Some(hint(analysis, end, label.to_owned(), kind))
    });
    hints.collect()
}
