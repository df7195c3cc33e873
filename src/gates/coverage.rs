//! Gate 5: which models of a corpus use a rule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::algebra::RuleBase;
use crate::diagnostic::Result;
use crate::pipeline::{Model, Options, plain_error};

/// The models that use each rule, by the rule's name: `algebra/sum_linear.pam`, ...
pub type Uses = BTreeMap<String, Vec<String>>;

/// The models below `directory` (all `*/*.pam`) whose derivations with the rules of `base` take a rule.
///
/// # Errors
/// A directory that cannot be read or that holds no model, and a model that is wrong.
pub fn uses(base: &RuleBase, directory: &Path, progress: &dyn Fn(&str)) -> Result<Uses> {
    named(base, directory, true, progress)
}

/// The models in which a rule fired on the way to the closed form or to an alternative to it.
///
/// # Errors
/// As [`uses`].
pub(super) fn fires(base: &RuleBase, directory: &Path, progress: &dyn Fn(&str)) -> Result<Uses> {
    named(base, directory, false, progress)
}

/// Without `derivations`, rules that led to alternatives are named, too.
fn named(
    base: &RuleBase,
    directory: &Path,
    derivations: bool,
    progress: &dyn Fn(&str),
) -> Result<Uses> {
    let models = models(directory).map_err(|reason| {
        plain_error(format!("cannot read `{}`: {reason}", directory.display()))
    })?;
    if models.is_empty() {
        let message = format!(
            "`{}` holds no models; expected `*/*.pam` in it",
            directory.display()
        );
        return Err(plain_error(message));
    }
    let mut uses = Uses::new();
    let options = Options {
        all: true,
        explain: derivations,
        ..Options::default()
    };
    for path in models {
        let shown = path
            .strip_prefix(directory)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        progress(&format!("corpus: {shown}"));
        let simplified =
            Model::from_file(&path.to_string_lossy())?.simplify_with(base.clone(), &options)?;
        for rule in simplified
            .equations
            .iter()
            .flat_map(|equation| &equation.rules)
        {
            let users = uses.entry(rule.clone()).or_default();
            if users.last() != Some(&shown) {
                users.push(shown.clone());
            }
        }
    }
    Ok(uses)
}

fn models(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for group in std::fs::read_dir(directory)? {
        let group = group?.path();
        if !group.is_dir() {
            continue;
        }
        for file in std::fs::read_dir(group)? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "pam") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
