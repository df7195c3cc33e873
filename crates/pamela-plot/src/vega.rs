//! Vega-Lite, for notebooks and the web.

use serde_json::{Value, json};

use crate::{Arrangement, Figure, HeatMap, Mark, Picture, Scale, TaskGraph};

const SCHEMA: &str = "https://vega.github.io/schema/vega-lite/v5.json";

impl Picture {
    /// A specification with its data inside.
    pub fn vega_lite(&self) -> Value {
        match self {
            Picture::Figure(figure) => with_schema(of_figure(figure)),
            Picture::Panels(figures) => {
                let panels: Vec<Value> = figures.iter().map(of_figure).collect();
                with_schema(json!({"vconcat": panels}))
            }
            Picture::HeatMap(map) => of_map(map),
            Picture::Tasks(graph) => of_tasks(graph),
        }
    }
}

fn with_schema(specification: Value) -> Value {
    let mut all = json!({"$schema": SCHEMA});
    if let (Some(all), Value::Object(own)) = (all.as_object_mut(), specification) {
        all.extend(own);
    }
    all
}

fn scale(scale: Scale) -> Value {
    match scale {
        Scale::Linear => json!({"type": "linear", "zero": false}),
        Scale::Log => json!({"type": "log"}),
    }
}

fn of_figure(figure: &Figure) -> Value {
    let x = json!({"field": "x", "type": "quantitative", "title": figure.x.label, "scale": scale(figure.x_scale())});
    let y = json!({"field": "y", "type": "quantitative", "title": figure.y.label, "scale": scale(figure.y_scale())});
    let names: Vec<&str> = figure.curves.iter().map(|c| c.name.as_str()).collect();
    let series = json!({"field": "series", "type": "nominal", "title": null, "sort": names});
    let mut layers = Vec::new();
    let regions: Vec<Value> = figure
        .regions
        .iter()
        .map(|r| json!({"from": r.from, "to": r.to, "name": r.name}))
        .collect();
    if !regions.is_empty() {
        layers.push(json!({
            "data": {"values": regions},
            "mark": {"type": "rect", "opacity": 0.12, "tooltip": true},
            "encoding": {
                "x": {"field": "from", "type": "quantitative"},
                "x2": {"field": "to"},
                "color": {"field": "name", "type": "nominal", "scale": {"scheme": "greys"}, "title": "regime"}
            }
        }));
    }
    let bands: Vec<Value> = figure
        .bands
        .iter()
        .flat_map(|band| {
            let name = &figure.curves[band.curve].name;
            let point = move |p: &(f64, f64, f64)| json!({"x": p.0, "low": p.1, "high": p.2, "series": name});
            band.points.iter().map(point)
        })
        .collect();
    if !bands.is_empty() {
        layers.push(json!({
            "data": {"values": bands},
            "mark": {"type": "area", "opacity": 0.2},
            "encoding": {"x": x, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}, "color": series}
        }));
    }
    let points = |curves: Vec<(&str, &[(f64, f64)])>| {
        let of = |(name, points): (&str, &[(f64, f64)])| {
            let name = name.to_string();
            let point = |&(x, y): &(f64, f64)| json!({"x": x, "y": y, "series": name});
            points.iter().map(point).collect::<Vec<Value>>()
        };
        curves.into_iter().flat_map(of).collect::<Vec<Value>>()
    };
    let curves = figure
        .curves
        .iter()
        .map(|c| (c.name.as_str(), c.points.as_slice()));
    layers.push(json!({
        "data": {"values": points(curves.collect())},
        "mark": {"type": "line"},
        "encoding": {"x": x, "y": y, "color": series, "strokeDash": series}
    }));
    layers.extend(marks(figure));
    for measured in &figure.measured {
        let values: Vec<Value> = measured
            .points
            .iter()
            .map(|&(x, y, error)| {
                let error = error.unwrap_or(0.0);
                json!({"x": x, "y": y, "low": y - error, "high": y + error, "series": measured.name})
            })
            .collect();
        layers.push(json!({
            "data": {"values": values},
            "layer": [
                {"mark": "rule", "encoding": {"x": x, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}},
                {"mark": {"type": "point", "filled": true}, "encoding": {"x": x, "y": y, "color": series}}
            ]
        }));
    }
    json!({"title": figure.title, "width": 480, "height": 300, "layer": layers})
}

/// The vertical lines, if there are any.
fn marks(figure: &Figure) -> Option<Value> {
    let mark = |m: &Mark| json!({"x": m.at, "label": m.label});
    let marks: Vec<Value> = figure.marks.iter().map(mark).collect();
    let at = json!({"field": "x", "type": "quantitative"});
    let layer = json!({
        "data": {"values": marks},
        "mark": {"type": "rule", "strokeDash": [3, 3], "tooltip": true},
        "encoding": {"x": at, "tooltip": {"field": "label"}}
    });
    (!figure.marks.is_empty()).then_some(layer)
}

fn of_map(map: &HeatMap) -> Value {
    let values: Vec<Value> = map
        .rows
        .iter()
        .zip(&map.values)
        .flat_map(|(y, row)| {
            let cell = move |(x, value): (&f64, &f64)| json!({"x": x, "y": y, "value": value});
            map.columns.iter().zip(row).map(cell)
        })
        .collect();
    json!({
        "$schema": SCHEMA,
        "title": map.title,
        "data": {"values": values},
        "mark": "rect",
        "encoding": {
            "x": {"field": "x", "type": "ordinal", "title": map.x},
            "y": {"field": "y", "type": "ordinal", "title": map.y, "sort": "descending"},
            "color": {"field": "value", "type": "quantitative", "title": map.label, "scale": {"scheme": "viridis"}}
        }
    })
}

/// Bars over time, or over layers; precedences are in the data of layers only.
fn of_tasks(graph: &TaskGraph) -> Value {
    let (rows, layers) = (graph.rows(), graph.layers());
    let in_layers = graph.arrangement == Arrangement::Layers;
    let ends = |task: usize| {
        if in_layers {
            (layers[task] as f64, layers[task] as f64 + 0.72)
        } else {
            (graph.tasks[task].from, graph.tasks[task].to)
        }
    };
    let bars = graph.tasks.iter().enumerate().map(|(task, own)| {
        let (from, to) = ends(task);
        json!({"name": own.name, "from": from, "to": to, "row": rows[task], "criticality": own.criticality,
            "begins": own.from, "ends": own.to})
    });
    let bars: Vec<Value> = bars.collect();
    let x = json!({"field": "from", "type": "quantitative", "title": if in_layers { "layer" } else { "time" }});
    let bar = json!({
        "data": {"values": bars},
        "mark": {"type": "bar", "tooltip": true},
        "encoding": {
            "x": x, "x2": {"field": "to"},
            "y": {"field": "row", "type": "ordinal", "axis": null},
            "color": {"field": "criticality", "type": "quantitative", "scale": {"domain": [0, 1], "range": ["#dde6ee", "#d55e00"]}},
            "tooltip": [{"field": "name"}, {"field": "begins"}, {"field": "ends"}, {"field": "criticality"}],
        },
    });
    let lines = graph.precedences.iter().filter(|_| in_layers).map(|&(before, task)| {
        json!({"from": ends(before).1, "to": ends(task).0, "row": rows[before], "row2": rows[task],
            "critical": graph.is_on_path(before, task)})
    });
    let lines: Vec<Value> = lines.collect();
    let line = json!({
        "data": {"values": lines},
        "mark": {"type": "rule"},
        "encoding": {
            "x": {"field": "from", "type": "quantitative"}, "x2": {"field": "to"},
            "y": {"field": "row", "type": "ordinal"}, "y2": {"field": "row2"},
            "size": {"condition": {"test": "datum.critical", "value": 2}, "value": 0.5},
        },
    });
    with_schema(json!({"title": graph.title, "layer": [line, bar]}))
}
