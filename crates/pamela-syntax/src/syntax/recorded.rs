//! Files kept in memory, so that a model can be read again without the disk.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Loader;

/// All answers of a loader while a model was read; itself a loader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// Results of resolving paths: (file, path, name).
    names: Vec<(String, String, String)>,
    identities: BTreeMap<String, String>,
    texts: BTreeMap<String, String>,
}

/// Passes on the answers of another loader and records them.
pub struct Recorder<'l> {
    loader: &'l dyn Loader,
    seen: RefCell<Recorded>,
}

impl<'l> Recorder<'l> {
    pub fn new(loader: &'l dyn Loader) -> Recorder<'l> {
        Recorder {
            loader,
            seen: RefCell::default(),
        }
    }

    pub fn finish(self) -> Recorded {
        self.seen.into_inner()
    }
}

impl Loader for Recorder<'_> {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        let name = self.loader.resolve(including, path)?;
        let seen = (including.to_owned(), path.to_owned(), name.clone());
        self.seen.borrow_mut().names.push(seen);
        Ok(name)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        let text = self.loader.read(name)?;
        let mut seen = self.seen.borrow_mut();
        seen.texts.insert(name.to_owned(), text.clone());
        Ok(text)
    }

    fn import(&self, including: &str, path: &str) -> Result<String, String> {
        let name = self.loader.import(including, path)?;
        let seen = (including.to_owned(), imported(path), name.clone());
        self.seen.borrow_mut().names.push(seen);
        Ok(name)
    }

    fn has(&self, name: &str) -> bool {
        self.loader.has(name)
    }

    fn text(&self, name: &str) -> Result<String, String> {
        let text = self.loader.text(name)?;
        let mut seen = self.seen.borrow_mut();
        seen.texts.insert(name.to_owned(), text.clone());
        Ok(text)
    }

    fn identity(&self, name: &str) -> String {
        let identity = self.loader.identity(name);
        let mut seen = self.seen.borrow_mut();
        seen.identities.insert(name.to_owned(), identity.clone());
        identity
    }
}

/// The path of an import, which is looked for in more places than that of an inclusion.
fn imported(path: &str) -> String {
    format!("import {path}")
}

impl Recorded {
    /// Adds later records.
    pub fn extend(&mut self, later: Recorded) {
        self.names.extend(later.names);
        self.identities.extend(later.identities);
        self.texts.extend(later.texts);
    }
}

impl Loader for Recorded {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        let mut names = self.names.iter();
        let found = names.find(|(file, own, _)| file == including && own == path);
        let missing = || format!("`{path}` was not read when the model was compiled");
        found.map(|(.., name)| name.clone()).ok_or_else(missing)
    }

    fn import(&self, including: &str, path: &str) -> Result<String, String> {
        self.resolve(including, &imported(path))
    }

    fn text(&self, name: &str) -> Result<String, String> {
        self.read(name)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        let missing = || format!("`{name}` was not read when the model was compiled");
        self.texts.get(name).cloned().ok_or_else(missing)
    }

    fn identity(&self, name: &str) -> String {
        let known = self.identities.get(name);
        known.cloned().unwrap_or_else(|| name.to_owned())
    }
}
