//! Sorts beside the names of equations that are no scalars.

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel};
use pamela::model::{Sort, Sorts};
use pamela::syntax::tree::Type;

use crate::analysis::Analysis;

pub(super) fn all(analysis: &Analysis) -> Vec<InlayHint> {
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
        Some(InlayHint {
            position: analysis.lines.position(analysis.text(), end),
            label: InlayHintLabel::String(label.to_owned()),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: Some(false),
            padding_right: Some(false),
            data: None,
        })
    });
    hints.collect()
}
