//! A page about a model: closed forms, conditions, derivations, regimes, sensitivities, a picture, and sliders whose
//! values are computed in the page. It needs nothing else, no network either.

use std::collections::BTreeMap;

use crate::compiled::{Compiled, decimal};
use crate::diagnostic::Result;
use crate::document::latex_quantity;
use crate::emit::{Language, emit, mathml};
use crate::formula::{Notation, latex_name, number_text};
use crate::pipeline::SimplifiedEquation;
use crate::timing::Origin;

/// What a page is made of beside the compiled model.
#[derive(Clone, Debug)]
pub struct Page {
    pub title: String,
    /// The model as it was written.
    pub model: String,
    /// The values that each parameter may be set to, with the one that it has at first.
    pub sliders: Vec<Slider>,
    /// Pictures as SVG, each with what it shows.
    pub pictures: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
pub struct Slider {
    pub name: String,
    pub values: Vec<f64>,
    pub start: usize,
}

impl Slider {
    /// Of a parameter that has one value: others around it, twenty for each power of ten.
    pub fn around(name: &str, value: f64, whole: bool) -> Slider {
        let step = |k: i32| match (value > 0.0, whole) {
            (true, false) => shortened(value * 10f64.powf(f64::from(k) / 20.0)),
            (true, true) => (value * 10f64.powf(f64::from(k) / 20.0)).round(),
            (false, _) => value + f64::from(k),
        };
        let mut values: Vec<f64> = (-20..=20)
            .map(|k| if k == 0 { value } else { step(k) })
            .collect();
        values.dedup();
        let start = values.iter().position(|x| *x == value).unwrap_or(0);
        Slider {
            name: name.to_string(),
            values,
            start,
        }
    }

    /// Of a list, at its middle.
    pub fn of_list(name: &str, values: Vec<f64>) -> Slider {
        Slider {
            name: name.to_string(),
            start: values.len() / 2,
            values,
        }
    }
}

/// Three digits.
fn shortened(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

const TEMPLATE: &str = include_str!("page.html");

/// The text of the page.
///
/// # Errors
/// A formula that cannot be typeset.
pub fn page(compiled: &Compiled, page: &Page) -> Result<String> {
    let equations = compiled.equations().iter();
    let mut forms = String::new();
    let mut sensitivities = String::new();
    for equation in equations {
        match equation.origin {
            Origin::Derivative { .. } | Origin::Elasticity { .. } => {
                sensitivities.push_str(&form(equation)?);
            }
            _ => forms.push_str(&form(equation)?),
        }
    }
    if !sensitivities.is_empty() {
        sensitivities =
            format!("<details><summary>Sensitivities</summary>{sensitivities}</details>");
    }
    let pictures = page.pictures.iter();
    let pictures: String = pictures
        .map(|(caption, svg)| {
            format!(
                "<figure>{}<figcaption>{}</figcaption></figure>\n",
                inline(svg),
                escaped(caption)
            )
        })
        .collect();
    let (code, shown) = live(compiled, page);
    let parts = BTreeMap::from([
        ("title", escaped(&page.title)),
        ("model", escaped(&page.model)),
        ("forms", forms),
        ("sensitivities", sensitivities),
        ("pictures", pictures),
        ("sliders", page.sliders.iter().map(slider).collect()),
        ("values", shown),
        ("code", code),
    ]);
    // Each part once, so that no text of the user is taken for a place.
    let mut text = String::new();
    for piece in TEMPLATE.split("{{") {
        match piece.split_once("}}") {
            None => text.push_str(piece),
            Some((name, rest)) => {
                text.push_str(parts.get(name).map_or("", String::as_str));
                text.push_str(rest);
            }
        }
    }
    Ok(text)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Without what stands before the element.
fn inline(svg: &str) -> &str {
    svg.find("<svg").map_or(svg, |start| &svg[start..])
}

/// An equation with what belongs to it.
fn form(equation: &SimplifiedEquation) -> Result<String> {
    let formula = &equation.formula;
    let text = formula.text(Notation::Latex, &equation.name);
    let mut name = latex_quantity(equation);
    if !equation.formals.is_empty() {
        let formals: Vec<String> = equation.formals.iter().map(|f| latex_name(f)).collect();
        name.push_str(&format!("({})", formals.join(", ")));
    }
    let mut html = format!(
        "<section id=\"{0}\"><h3>{0}</h3>\n",
        escaped(&equation.name)
    );
    html.push_str(&mathml(&format!("{name} = {}", text.expression), true)?);
    for (name, expression) in &text.definitions {
        let definition = format!("\\text{{where }} {} = {expression}", latex_name(name));
        html.push_str(&mathml(&definition, true)?);
    }
    let conditions = text.domain.iter().map(|condition| mathml(condition, false));
    let conditions = conditions.collect::<Result<Vec<String>>>()?;
    if !conditions.is_empty() {
        html.push_str(&format!("<p>for {}</p>\n", conditions.join(", ")));
    }
    if !formula.rests_on().is_empty() {
        html.push_str(&format!(
            "<p>where {} hold</p>\n",
            escaped(&formula.rests_on().join(", "))
        ));
    }
    for note in formula.approximations() {
        html.push_str(&format!("<p class=\"note\">{}</p>\n", escaped(note)));
    }
    if let Some(regimes) = &equation.regimes {
        let mut rows = String::new();
        for regime in &regimes.regimes {
            let when = regime
                .formula
                .condition_texts(Notation::Latex)
                .join(",\\; ");
            rows.push_str(&format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escaped(regime.dominant.as_deref().unwrap_or("")),
                mathml(&regime.formula.latex(), false)?,
                mathml(&when, false)?
            ));
        }
        for crossing in &regimes.crossings {
            let at = format!(
                "{} = {}",
                latex_name(&crossing.parameter),
                crossing.formula.latex()
            );
            rows.push_str(&format!(
                "<tr><td>crossing</td><td colspan=\"2\">{}</td></tr>\n",
                mathml(&at, false)?
            ));
        }
        html.push_str(&format!(
            "<table><caption>Regimes</caption>{rows}</table>\n"
        ));
    }
    if let Some(derivation) = &equation.derivation {
        let lines = derivation.comment(&equation.name).join("\n");
        html.push_str(&format!(
            "<details><summary>Derivation</summary><pre>{}</pre></details>\n",
            escaped(&lines)
        ));
    }
    html.push_str("</section>\n");
    Ok(html)
}

fn slider(slider: &Slider) -> String {
    let name = escaped(&slider.name);
    format!(
        "<label>{name}<input type=\"range\" id=\"slider-{name}\" min=\"0\" max=\"{}\" value=\"{}\"><output \
         id=\"at-{name}\"></output></label>\n",
        slider.values.len().saturating_sub(1),
        slider.start
    )
}

/// The code of the page, and where its values stand.
fn live(compiled: &Compiled, page: &Page) -> (String, String) {
    let emitted = match emit(Language::JavaScript, compiled) {
        Ok(emitted) => emitted,
        Err(_) => {
            let none = "<p>No equation is a number that the page can compute.</p>";
            return (String::new(), none.to_string());
        }
    };
    let wanted = compiled.equations().iter().filter(|e| {
        let derived = matches!(
            e.origin,
            Origin::Derivative { .. } | Origin::Elasticity { .. }
        );
        let known = emitted
            .signatures
            .iter()
            .any(|signature| signature.name == e.name);
        !e.auxiliary && !derived && known
    });
    let names: Vec<&str> = wanted.map(|e| e.name.as_str()).collect();
    let row = |name: &&str| {
        format!(
            "<tr><th>{0}</th><td id=\"value-{0}\"></td><td id=\"holds-{0}\"></td></tr>\n",
            escaped(name)
        )
    };
    let rows: String = names.iter().map(row).collect();
    let sliders = page.sliders.iter().map(|slider| {
        let values: Vec<String> = slider.values.iter().map(|x| value_text(*x)).collect();
        format!("  {:?}: [{}],\n", slider.name, values.join(", "))
    });
    let calls = emitted
        .signatures
        .iter()
        .filter(|s| names.contains(&s.name.as_str()));
    let calls = calls.map(|signature| {
        let arguments: Vec<String> = signature
            .parameters
            .iter()
            .map(|p| format!("at[{p:?}]"))
            .collect();
        let arguments = arguments.join(", ");
        let (value, holds) = (&signature.function, &signature.holds);
        format!(
            "  {:?}: at => [{value}({arguments}), {holds}({arguments})],\n",
            signature.name
        )
    });
    let code = format!(
        "{}\nconst sliders = {{\n{}}};\nconst equations = {{\n{}}};\n",
        emitted.text,
        sliders.collect::<String>(),
        calls.collect::<String>()
    );
    (code, format!("<table>{rows}</table>"))
}

/// As the values of a point are written.
fn value_text(value: f64) -> String {
    decimal(value).map_or_else(|| "NaN".to_string(), |value| number_text(&value))
}
