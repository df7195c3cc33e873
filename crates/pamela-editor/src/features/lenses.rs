//! Closed forms above the equations that they belong to.

use lsp_types::{CodeLens, Command};
use pamela::pipeline::SimplifiedEquation;
use pamela::syntax::tree::{Equation, Type};
use pamela::timing::Origin;
use serde_json::json;

use crate::analysis::Analysis;

/// Characters of a formula that are shown.
const MOST_SHOWN: usize = 80;

pub(super) fn all(analysis: &Analysis) -> Vec<CodeLens> {
    let equations = analysis.draft.model.checked().equations().iter();
    let own = equations.filter(|own| own.span.file == 0 && !own.auxiliary && !own.parameter);
    let lenses = own.flat_map(|equation| {
        let range = analysis.lines.range_of(analysis.text(), equation.name.span);
        let uri = analysis.document.uri.as_str().to_owned();
        results(analysis, equation).map(move |result| CodeLens {
            range,
            command: Some(Command {
                title: title(result),
                command: "pamela.show".to_owned(),
                arguments: Some(vec![json!(uri), json!(result.name)]),
            }),
            data: None,
        })
    });
    lenses.collect()
}

/// The results of an equation without arguments.
pub(super) fn results<'a>(
    analysis: &'a Analysis,
    equation: &'a Equation,
) -> impl Iterator<Item = &'a SimplifiedEquation> {
    let forms = analysis.forms.as_deref().into_iter();
    let shown = forms.flat_map(|forms| forms.shown());
    shown.filter(move |result| {
        let is_own = match equation.kind {
            Type::Process => result.origin.process() == Some(&equation.name.text),
            Type::Numeric => result.origin == Origin::Equation && result.name == equation.name.text,
            Type::Resource => false,
        };
        is_own && equation.formals.is_empty() && !result.auxiliary
    })
}

/// `T_main = N * max(tl + ts, P * ts)`
fn title(result: &SimplifiedEquation) -> String {
    let formula = result.formula.pamela();
    let mut title = format!("{} = {}", result.name, shortened(&formula));
    let mut notes = Vec::new();
    let standing = result.standing.words();
    if result.proof().is_none() && result.origin.process().is_some() {
        notes.push(standing);
    }
    if result.formula.open_reductions() > 0 {
        notes.push("open");
    }
    if !result.formula.conditions().is_empty() {
        notes.push("with conditions");
    }
    if result.cut_short().is_some() {
        notes.push("the search was long");
    }
    if !notes.is_empty() {
        title.push_str(&format!("  ({})", notes.join(", ")));
    }
    title
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{} ..", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
