//! Data of the page's script: functions, values along an axis, and labels.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::standing::{Told, told_of};
use super::table::{PROBABILITIES, Table, flag_name, shown};
use super::{Page, escaped, forms};
use crate::compiled::{Compiled, EquationColumns};
use crate::emit::{Emitted, Facts, Language, emit_with_facts};
use crate::expr::Sort;
use crate::pipeline::SimplifiedEquation;
use crate::timing::{Moment, Note, Origin};

/// The parts of a page that its script fills.
pub(super) struct Live {
    /// A table with a row for each number.
    pub values: String,
    pub panels: String,
    /// JSON data.
    pub data: String,
    /// The functions, then a list of the functions that the data use.
    pub functions: String,
}

/// More curves in a panel cannot be told apart.
const MOST_CURVES: usize = 6;
/// Further panels are folded.
const MOST_PANELS: usize = 8;

pub(super) fn live(compiled: &Compiled, page: &Page) -> Live {
    let emitted = emit_with_facts(Language::JavaScript, compiled);
    let (emitted, reason) = match emitted {
        Ok(emitted) => (Some(emitted), String::new()),
        Err(error) => (None, error.to_string()),
    };
    let (table, without_table) = match Table::new(compiled, page) {
        Ok(table) => (table, String::new()),
        Err(error) => (Table::default(), error.to_string()),
    };
    let standings = told_of(compiled.equations());
    let equations = in_order(compiled);
    let functions = Functions {
        emitted: emitted.as_ref(),
        compiled,
    };
    let entries: Vec<Value> = equations
        .iter()
        .map(|e| {
            let standing = standings.get(e.name.as_str()).cloned().unwrap_or_default();
            entry(e, &standing, &functions, &table, &reason)
        })
        .collect();
    let panels = panels(&equations, &standings);
    let start = page.sliders.iter().map(|slider| slider.start);
    let parameter = |slider: &super::Slider| {
        json!({
            "name": slider.name, "label": slider.label(), "unit": slider.unit, "values": slider.values
        })
    };
    let drawn = panels.iter().enumerate().map(
        |(number, panel)| json!({ "id": format!("panel-{number}"), "equations": panel.equations }),
    );
    let data = json!({
        "command": page.command,
        "facts": functions.facts().map(|facts| {
            json!({ "arguments": functions.places(&facts.parameters), "complete": facts.complete })
        }),
        "parameters": page.sliders.iter().map(parameter).collect::<Vec<Value>>(),
        "axis": page.axis,
        "start": start.collect::<Vec<usize>>(),
        "places": table.places,
        "notes": table.notes,
        "probabilities": PROBABILITIES,
        "equations": entries,
        "panels": drawn.collect::<Vec<Value>>(),
    });
    let mut values = rows(&equations, &standings);
    if !without_table.is_empty() {
        values.push_str(&format!(
            "<p class=\"note\">Values of laws, and values by the model's definition, are missing: {}</p>\n",
            escaped(&without_table)
        ));
    }
    Live {
        values,
        panels: figures(&panels),
        // No text of the user ends the element.
        data: data.to_string().replace('<', "\\u003c"),
        functions: functions.text(&equations),
    }
}

/// The order of the page: times first, those of `main` before all others and exact times before bounds; then the
/// numbers of the model.
fn in_order(compiled: &Compiled) -> Vec<&SimplifiedEquation> {
    let mut equations: Vec<&SimplifiedEquation> =
        compiled.equations().iter().filter(|e| shown(e)).collect();
    equations.sort_by_key(|e| match &e.origin {
        Origin::Execution(process) | Origin::Time(process) if process == "main" => 0,
        Origin::Execution(_) | Origin::Time(_) => 1,
        Origin::Equation => 2,
        _ => 3,
    });
    equations
}

/// The functions of the page.
struct Functions<'a> {
    emitted: Option<&'a Emitted>,
    compiled: &'a Compiled,
}

impl Functions<'_> {
    fn signature(&self, name: &str) -> Option<&crate::emit::Signature> {
        let signatures = &self.emitted?.signatures;
        signatures.iter().find(|signature| signature.name == name)
    }

    /// Places of parameters among the sliders.
    fn arguments(&self, name: &str) -> Option<Vec<usize>> {
        self.places(&self.signature(name)?.parameters)
    }

    fn places(&self, parameters: &[String]) -> Option<Vec<usize>> {
        let numbers = self.compiled.parameters().iter().filter(|p| !p.law);
        let all: Vec<&str> = numbers.map(|p| p.name.as_str()).collect();
        let place = |name: &String| all.iter().position(|other| other == name);
        parameters.iter().map(place).collect()
    }

    fn facts(&self) -> Option<&Facts> {
        self.emitted?.facts.as_ref()
    }

    /// The equations of the moments of a law that the page has functions of.
    fn moments(&self, of: &str) -> Vec<Option<String>> {
        let name = |moment: Moment| {
            let origin = Origin::Moment {
                moment,
                of: of.to_owned(),
            };
            let mut equations = self.compiled.equations().iter();
            let own = equations.find(|e| e.origin == origin)?;
            self.signature(&own.name).map(|own| own.name.clone())
        };
        Moment::ALL.map(name).to_vec()
    }

    /// All that is emitted, then a list in the order of the equations: of each its function and that of its conditions,
    /// of a law those of its moments. The list has the function of the facts besides.
    fn text(&self, equations: &[&SimplifiedEquation]) -> String {
        let pair = |name: &str| match self.signature(name) {
            Some(own) => format!("[{}, {}]", own.function, own.holds),
            None => "null".to_string(),
        };
        let list = equations.iter().map(|e| match e.sort {
            Sort::Law => {
                let moments = self.moments(&e.name);
                let moments = moments.iter().map(|moment| moment.as_deref());
                let pairs: Vec<String> = moments
                    .map(|name| name.map_or("null".to_string(), pair))
                    .collect();
                format!("[{}]", pairs.join(", "))
            }
            _ => pair(&e.name),
        });
        let list: Vec<String> = list.collect();
        let text = self.emitted.map_or("", |emitted| emitted.text.as_str());
        let facts = self.facts().map_or("null", |facts| facts.function.as_str());
        format!(
            "{text}\nreturn Object.assign([\n  {}\n], {{ facts: {facts} }});",
            list.join(",\n  ")
        )
    }

    /// The reason why the page has no function for an equation.
    fn refusal(&self, name: &str) -> Option<&str> {
        let mut refused = self.emitted?.refused.iter();
        let found = refused.find(|(own, _)| own == name);
        found.map(|(_, reason)| reason.as_str())
    }
}

fn entry(
    equation: &SimplifiedEquation,
    standing: &Told,
    functions: &Functions,
    table: &Table,
    reason: &str,
) -> Value {
    let name = &equation.name;
    let law = equation.sort == Sort::Law;
    let moments = functions.moments(name);
    let moments = moments.iter().map(|moment| {
        let arguments = moment.as_ref().and_then(|name| functions.arguments(name));
        arguments.map_or(Value::Null, |list| json!(list))
    });
    let refusal = functions.refusal(name).unwrap_or(reason);
    json!({
        "name": name,
        "unit": functions.compiled.shown(name).map(|shown| &shown.base),
        "standing": standing.label,
        "law": law,
        "arguments": functions.arguments(name),
        "moments": law.then(|| moments.collect::<Vec<Value>>()),
        "refusal": refusal,
        "table": table.equation(name).map(columns),
    })
}

/// NaN becomes `null`.
fn columns(own: &EquationColumns) -> Value {
    let flags: Vec<&str> = own.flags.iter().map(|flag| flag_name(*flag)).collect();
    let law = own.law.as_ref();
    json!({
        "values": own.values,
        "flags": flags,
        "deviations": law.map(|law| &law.deviations),
        "skewnesses": law.map(|law| &law.skewnesses),
        "kurtoses": law.map(|law| &law.kurtoses),
        "quantiles": law.map(|law| &law.quantiles),
        "methods": law.map(|law| &law.methods),
    })
}

/// A picture: what is of one kind.
struct Panel {
    title: String,
    /// Label of its only curve.
    label: String,
    equations: Vec<usize>,
}

/// The times first; every number of the model is a kind of its own.
fn panels(equations: &[&SimplifiedEquation], standings: &BTreeMap<&str, Told>) -> Vec<Panel> {
    let varies = |e: &SimplifiedEquation| {
        let formula = &e.formula;
        e.sort != Sort::Vector
            && !(formula.parameters().is_empty() && formula.mentions().is_empty())
    };
    let numbered = || equations.iter().enumerate().filter(|(_, e)| varies(e));
    let is_time = |e: &SimplifiedEquation| e.origin != Origin::Equation;
    let times: Vec<usize> = numbered()
        .filter(|(_, e)| is_time(e))
        .map(|(place, _)| place)
        .collect();
    let label = |place: usize| {
        let standing = standings.get(equations[place].name.as_str());
        standing.map_or(String::new(), |standing| standing.label.clone())
    };
    let mut panels: Vec<Panel> = times
        .chunks(MOST_CURVES)
        .enumerate()
        .map(|(number, part)| Panel {
            title: match (part, number) {
                ([one], _) => equations[*one].name.clone(),
                (_, 0) => "Times".to_string(),
                _ => "Further times".to_string(),
            },
            label: match part {
                [one] => label(*one),
                _ => String::new(),
            },
            equations: part.to_vec(),
        })
        .collect();
    let others = numbered().filter(|(_, e)| !is_time(e));
    panels.extend(others.map(|(place, e)| Panel {
        title: e.name.clone(),
        label: label(place),
        equations: vec![place],
    }));
    panels
}

fn figures(panels: &[Panel]) -> String {
    let figure = |(number, panel): (usize, &Panel)| {
        let mut title = escaped(&panel.title);
        if !panel.label.is_empty() {
            title.push_str(&format!(" <span class=\"badge\">{}</span>", panel.label));
        }
        format!(
            "<figure id=\"panel-{number}\"><h3>{title}</h3><div class=\"picture\"></div><figcaption></figcaption></figure>\n"
        )
    };
    let mut all = panels.iter().enumerate().map(figure);
    let first: String = all.by_ref().take(MOST_PANELS).collect();
    let others: String = all.collect();
    let folded = if others.is_empty() {
        others
    } else {
        let count = panels.len() - MOST_PANELS;
        format!(
            "<details class=\"part\"><summary>{count} more pictures</summary><div class=\"panels\">{others}</div></details>\n"
        )
    };
    format!("<div class=\"panels\">\n{first}</div>\n{folded}")
}

/// The rows that the script fills: numbers, then laws, then the notes of both.
fn rows(equations: &[&SimplifiedEquation], standings: &BTreeMap<&str, Told>) -> String {
    let name = |e: &SimplifiedEquation| {
        let (own, shown) = (escaped(&e.name), forms::quantity(e));
        format!("<th scope=\"row\"><a href=\"#form-{own}\" aria-label=\"{own}\">{shown}</a></th>")
    };
    let number = |e: &&&SimplifiedEquation| {
        let own = escaped(&e.name);
        format!(
            "<tr>{}<td id=\"value-{own}\" class=\"number\"></td><td id=\"holds-{own}\"></td></tr>\n",
            name(e)
        )
    };
    let law = |e: &&&SimplifiedEquation| {
        let own = escaped(&e.name);
        let cells: String = LAW_CELLS
            .iter()
            .map(|(cell, _)| format!("<td class=\"number\" data-cell=\"{cell}\"></td>"))
            .collect();
        format!(
            "<tr id=\"law-{own}\">{}<td class=\"standing\" id=\"holds-{own}\"></td><td class=\"number\" \
             id=\"value-{own}\"></td>{cells}</tr>\n",
            name(e)
        )
    };
    let (laws, numbers): (Vec<&&SimplifiedEquation>, Vec<&&SimplifiedEquation>) =
        equations.iter().partition(|e| e.sort == Sort::Law);
    let mut html = String::new();
    if !numbers.is_empty() {
        let rows: String = numbers.iter().map(number).collect();
        html.push_str(&format!(
            "<div class=\"wide\" tabindex=\"0\"><table class=\"values\"><thead><tr><th scope=\"col\">Number</th><th \
             scope=\"col\" class=\"number\">Value</th><th scope=\"col\">What it is</th></tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
        ));
    }
    if !laws.is_empty() {
        let heads: String = LAW_CELLS
            .iter()
            .map(|(_, head)| format!("<th scope=\"col\" class=\"number\">{head}</th>"))
            .collect();
        let rows: String = laws.iter().map(law).collect();
        html.push_str(&format!(
            "<div class=\"wide\" tabindex=\"0\"><table class=\"values\"><thead><tr><th scope=\"col\">Law</th><th scope=\"col\">What it \
             is</th><th scope=\"col\" class=\"number\">Mean</th>{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div>\n"
        ));
    }
    html.push_str(&notes(equations, standings));
    html
}

/// The figures of a law beside its mean.
const LAW_CELLS: [(&str, &str); 7] = [
    ("deviation", "Deviation"),
    ("skewness", "Skewness"),
    ("kurtosis", "Kurtosis"),
    ("quantile-0", "10 %"),
    ("quantile-1", "Median"),
    ("quantile-2", "90 %"),
    ("quantile-3", "99 %"),
];

/// Each note once, with the numbers that rest on it.
fn notes(equations: &[&SimplifiedEquation], standings: &BTreeMap<&str, Told>) -> String {
    let mut of: Vec<(&Note, Vec<&str>)> = Vec::new();
    for equation in equations {
        let Some(standing) = standings.get(equation.name.as_str()) else {
            continue;
        };
        for note in standing.of_values() {
            match of.iter_mut().find(|(known, _)| *known == note) {
                Some((_, names)) => names.push(&equation.name),
                None => of.push((note, vec![&equation.name])),
            }
        }
    }
    let items: String = of
        .iter()
        .map(|(note, names)| {
            format!(
                "<li><code>{}</code>: {}</li>\n",
                escaped(&names.join(", ")),
                escaped(&note.to_string())
            )
        })
        .collect();
    if items.is_empty() {
        String::new()
    } else {
        format!("<ul class=\"note\">\n{items}</ul>\n")
    }
}
