//! Names that a model may have, though the script of the page or the browser uses them.

/// What every name of a model may be, though the script of the page or the browser uses it.
const NAMES: [&str; 46] = [
    "top",
    "document",
    "location",
    "sliders",
    "equations",
    "Array",
    "Number",
    "at",
    "page",
    "functions",
    "element",
    "start",
    "axis",
    "update",
    "window",
    "self",
    "parent",
    "name",
    "status",
    "length",
    "event",
    "history",
    "screen",
    "origin",
    "closed",
    "frames",
    "Object",
    "String",
    "JSON",
    "Math",
    "undefined",
    "constructor",
    "toString",
    "hasOwnProperty",
    "__proto__",
    "prototype",
    "valueOf",
    "alert",
    "fetch",
    "eval",
    "arguments",
    "Map",
    "Boolean",
    "call",
    "draw",
    "made",
];

/// A model whose parameters, or whose equations, have names that scripts use.
pub fn model_of_names(parameters: bool) -> String {
    let mut text = String::new();
    for (position, name) in NAMES.iter().enumerate() {
        text.push_str(&if parameters {
format!("numeric parameter {name} : >= 0 = {position}\nnumeric f{position} = {name} / (1 + {name})\n")
} else {
format!("numeric {name} = log({position} + P) / P\n")
});
    }
    format!("numeric parameter P : integer >= 1\nnumeric last = max(P, floor(P / 3), 2)\n{text}")
}
