//! Gate 5: finds the models of a corpus that use a rule.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::algebra::RuleBase;
use crate::diagnostic::{Error, Result};
use crate::pipeline::{Model, Options};

/// The models that use each rule, by the rule's name: `algebra/sum_linear.pam`, ...
pub type Uses = BTreeMap<String, Vec<String>>;

/// The models below `directory` (all `*/*.pam`) whose derivations with the rules of `base` take a rule.
///
/// # Errors
/// Fails for a directory that cannot be read or contains no model, and for an invalid model.
pub fn uses(base: &RuleBase, directory: &Path, progress: &dyn Fn(&str)) -> Result<Uses> {
    let mut uses = Uses::new();
    steps(base, directory, progress, &mut |model, rules| {
        for rule in rules {
            let users = uses.entry(rule.clone()).or_default();
            if users.last().is_none_or(|last| last != model) {
                users.push(model.to_string());
            }
        }
    })?;
    Ok(uses)
}

/// Calls `step` with the model and the rules of each derivation step, for all models below `directory`.
///
/// # Errors
/// Fails like [`uses`].
pub fn steps(
    base: &RuleBase,
    directory: &Path,
    progress: &dyn Fn(&str),
    step: &mut dyn FnMut(&str, &[String]),
) -> Result<()> {
    for path in models(directory)? {
        let shown = path
            .strip_prefix(directory)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        progress(&format!("corpus: {shown}"));
        let model = Model::from_file(&path.to_string_lossy())?;
        steps_of(&model, base, &mut |rules| step(&shown, rules))?;
    }
    Ok(())
}

/// Calls `step` with the rules of each derivation step of a model.
///
/// # Errors
/// Fails for an invalid model.
pub fn steps_of(model: &Model, base: &RuleBase, step: &mut dyn FnMut(&[String])) -> Result<()> {
    let options = Options {
        all: true,
        explain: true,
        ..Options::default()
    };
    let simplified = model.simplify_with(base.clone(), &options)?;
    for equation in &simplified.equations {
        equation
            .derivation
            .iter()
            .flat_map(|d| d.rules())
            .for_each(&mut *step);
    }
    Ok(())
}

/// All models `*/*.pam` below a directory.
///
/// # Errors
/// Fails for a directory that cannot be read or contains no model.
pub fn models(directory: &Path) -> Result<Vec<PathBuf>> {
    let models = files(directory)
        .map_err(|reason| Error::new(format!("cannot read `{}`: {reason}", directory.display())))?;
    if models.is_empty() {
        let message = format!(
            "`{}` has no models; expected `*/*.pam` in it",
            directory.display()
        );
        return Err(Error::new(message));
    }
    Ok(models)
}

fn files(directory: &Path) -> std::io::Result<Vec<PathBuf>> {
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
