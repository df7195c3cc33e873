//! Prints names as LaTeX symbols.

const GREEK: [&str; 31] = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega", "Gamma", "Delta", "Theta", "Lambda", "Sigma", "Phi", "Psi", "Omega",
];

fn part(text: &str) -> String {
    if GREEK.contains(&text) {
        format!("\\{text}")
    } else if text.len() == 1 || text.bytes().all(|byte| byte.is_ascii_digit()) {
        text.to_string()
    } else {
        format!("\\mathit{{{text}}}")
    }
}

/// Prints a name as a LaTeX symbol.
///
/// Single letters and Greek letters become symbols, longer names upright text. The part after `_`
/// becomes a subscript. Different names never look alike. So names with leading, trailing or double
/// `_` are written literally, and so is `H_n`, which would look like a harmonic number.
pub fn name(name: &str) -> String {
    let parts: Vec<&str> = name.split('_').collect();
    match parts.as_slice() {
        ["H", _] => as_written(name),
        parts if parts.contains(&"") => as_written(name),
        [head] => part(head),
        [head, subscripts @ ..] => {
            let subscripts: Vec<String> = subscripts.iter().map(|text| part(text)).collect();
            format!("{}_{{{}}}", part(head), subscripts.join(","))
        }
        [] => String::new(),
    }
}

/// Prints a name that will get its own subscript or superscript; it has none itself.
pub(in crate::formula) fn base_name(own: &str) -> String {
    let text = name(own);
    if own.contains('_') {
        format!("{{{text}}}")
    } else {
        text
    }
}

/// In one piece, with its underscores.
fn as_written(name: &str) -> String {
    format!("\\mathit{{{}}}", name.replace('_', "\\_"))
}
