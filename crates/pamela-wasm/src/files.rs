//! The files beside a model, which a page gives with it.

use std::collections::BTreeMap;

use pamela::syntax::Loader;

/// Texts by the names under which models include them.
pub struct Files<'a>(pub &'a BTreeMap<String, String>);

impl Loader for Files<'_> {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        let folder = including.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            match part {
                "." => {}
                ".." if parts.pop().is_none() => {
                    return Err(format!("`{path}` leaves the folder of the models"));
                }
                ".." => {}
                part => parts.push(part),
            }
        }
        Ok(parts.join("/"))
    }

    fn read(&self, name: &str) -> Result<String, String> {
        let text = self.0.get(name).cloned();
        text.ok_or_else(|| format!("this page has no file `{name}`"))
    }
}
