//! Answers as JSON.

use serde_json::{Map, Value, json};

use super::answer::Edge;
use super::formulas::{FormulaBound, Formulas, joined};
use super::range::{End, Range};
use super::{Answer, Region};
use crate::compiled::Compiled;
use crate::formula::Formula;
use crate::ring::Rational;

/// The values of a parameter.
pub fn of(compiled: &Compiled, answer: &Answer) -> Value {
    let ranges: Vec<_> = answer.ranges.iter().map(pair).collect();
    let mut all = json!({
        "for": answer.name,
        "ranges": ranges,
        "certain": !answer.is_evaluated,
        "standing": answer.standing.words(),
        "edges": answer.edges.iter().map(|edge| of_edge(answer, edge)).collect::<Vec<_>>(),
    });
    if !answer.is_whole {
        let included = |end: &Option<End>| end.as_ref().is_some_and(|end| end.is_included);
        let closed = answer
            .ranges
            .iter()
            .map(|own| [included(&own.low), included(&own.high)]);
        all["included"] = json!(closed.collect::<Vec<_>>());
    }
    if let Some(shown) = compiled.shown(&answer.name) {
        all["unit"] = json!(shown.base);
    }
    all
}

/// The values of two parameters.
pub fn of_region(region: &Region) -> Value {
    let row = |(at, ranges): &(Rational, Vec<Range>)| {
        let ranges: Vec<_> = ranges.iter().map(pair).collect();
        json!({ &region.names[0]: number(at), "ranges": ranges })
    };
    json!({
        "for": region.names,
        "rows": region.rows.iter().map(row).collect::<Vec<_>>(),
        "certain": !region.is_evaluated,
        "standing": region.standing.words(),
    })
}

/// Both ends; `null` where there is none.
fn pair(range: &Range) -> [Value; 2] {
    [&range.low, &range.high].map(|end| end.as_ref().map_or(Value::Null, value))
}

fn of_edge(answer: &Answer, edge: &Edge) -> Value {
    let values = edge.values.iter();
    let values: Map<String, Value> = values
        .map(|(_, text, value)| (text.clone(), json!(value.to_f64())))
        .collect();
    json!({ &answer.name: number(&edge.at), "holds": edge.holds, "values": values })
}

fn value(end: &End) -> Value {
    number(&end.value)
}

/// A whole number as one, if programs read it exactly.
fn number(value: &Rational) -> Value {
    match value.to_i64() {
        Some(whole) => json!(whole),
        None => json!(value.to_f64()),
    }
}

/// The values of a parameter as formulas.
pub fn of_formulas(answer: &Formulas) -> Value {
    let included = |bounds: &[FormulaBound]| bounds.iter().all(|own| own.is_included);
    let cases = answer.cases.iter().map(|case| {
        let ranges = case.ranges.iter().map(|range| {
            let mut own = json!({
                "from": joined(&range.lows, "max"),
                "to": joined(&range.highs, "min"),
            });
            if !answer.is_whole {
                own["included"] = json!([included(&range.lows), included(&range.highs)]);
            }
            own
        });
        json!({ "when": case.when.iter().map(Formula::pamela).collect::<Vec<_>>(), "ranges": ranges.collect::<Vec<_>>() })
    });
    let domain: Vec<String> = answer.domain.iter().map(ToString::to_string).collect();
    json!({
        "for": answer.name,
        "cases": cases.collect::<Vec<_>>(),
        "domain": domain,
        "certain": true,
        "standing": answer.standing.words(),
    })
}
