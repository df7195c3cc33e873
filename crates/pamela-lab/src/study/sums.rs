//! The list of sums, one paragraph each: comments with its properties and its text for each peer, then a model.

use std::collections::BTreeMap;

use crate::diagnostic::Error;

/// The sums of the study.
pub const LIST: &str = include_str!("../../corpus/studies/sums.txt");

/// Name of the equation with the sum in each model.
pub const EQUATION: &str = "f";

/// A sum with its parameters.
#[derive(Clone, Debug)]
pub struct Sum {
    pub name: String,
    pub family: String,
    /// The reason why the sum is not closed yet, if known.
    pub open: Option<String>,
    /// The sum in the notation of each peer that can express it.
    pub peers: BTreeMap<String, String>,
    /// The model: parameters with their facts and the equation `f`.
    pub model: String,
}

/// Reads a list of sums.
///
/// # Errors
/// Fails for a paragraph without a name or a family, an unknown key, or two sums with one name.
pub fn read(list: &str) -> Result<Vec<Sum>, Error> {
    let mut sums: Vec<Sum> = Vec::new();
    let is_sum = |paragraph: &&str| paragraph.lines().any(|line| !line.starts_with('%'));
    for paragraph in list.split("\n\n").filter(is_sum) {
        let sum = sum(paragraph.trim())?;
        if sums.iter().any(|known| known.name == sum.name) {
            return Err(Error::new(format!(
                "two sums of the list are named `{}`; rename one",
                sum.name
            )));
        }
        sums.push(sum);
    }
    Ok(sums)
}

fn sum(paragraph: &str) -> Result<Sum, Error> {
    let mut keys: BTreeMap<String, String> = BTreeMap::new();
    for line in paragraph.lines() {
        let Some(comment) = line.strip_prefix('%') else {
            continue;
        };
        let Some((key, value)) = comment.split_once(": ") else {
            return Err(Error::new(format!(
                "expected `% key: value` in the list of sums, found `{line}`"
            )));
        };
        keys.insert(key.trim().to_string(), value.trim().to_string());
    }
    let mut take = |key: &str| keys.remove(key);
    let missing = |key: &str| {
        Error::new(format!(
            "a sum of the list has no `% {key}: ...`:\n{paragraph}"
        ))
    };
    let name = take("name").ok_or_else(|| missing("name"))?;
    let family = take("family").ok_or_else(|| missing("family"))?;
    let open = take("open");
    let peers: BTreeMap<String, String> = ["sympy", "maxima", "barvinok"]
        .into_iter()
        .filter_map(|peer| take(peer).map(|text| (peer.to_string(), text)))
        .collect();
    if let Some(unknown) = keys.keys().next() {
        return Err(Error::new(format!(
            "`{name}` in the list of sums: unknown key `{unknown}`; expected name, family, open, sympy, maxima or \
             barvinok"
        )));
    }
    Ok(Sum {
        name,
        family,
        open,
        peers,
        model: format!("{paragraph}\n"),
    })
}
