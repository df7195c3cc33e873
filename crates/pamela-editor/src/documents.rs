//! The open documents, and the files that they include.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};
use pamela::syntax::{LibraryLoader, Loader};

use crate::positions::{Encoding, Lines};

/// A document as the editor has it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    pub(crate) uri: Uri,
    /// Name of the file: its path, or the identifier of a text without a file.
    pub(crate) name: String,
    pub(crate) text: Arc<str>,
    pub(crate) version: i32,
}

/// Texts of open documents by the names of their files; others are read from disk.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenFiles {
    texts: HashMap<String, Arc<str>>,
    disk: LibraryLoader,
}

impl Loader for OpenFiles {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        self.disk.resolve(including, path)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        match self.texts.get(&self.identity(name)) {
            Some(text) => Ok(text.to_string()),
            None => self.disk.read(name),
        }
    }

    fn identity(&self, name: &str) -> String {
        self.disk.identity(name)
    }

    fn has(&self, name: &str) -> bool {
        self.texts.contains_key(&self.identity(name)) || self.disk.has(name)
    }

    fn import(&self, including: &str, path: &str) -> Result<String, String> {
        self.disk.import(including, path)
    }
}

impl OpenFiles {
    /// The files with another text for one of them.
    pub(crate) fn with(&self, name: &str, text: &str) -> OpenFiles {
        let mut changed = self.clone();
        changed.texts.insert(self.identity(name), text.into());
        changed
    }
}

/// All open documents.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    all: HashMap<String, Document>,
}

impl Documents {
    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.all.get(uri.as_str())
    }

    pub(crate) fn uris(&self) -> Vec<Uri> {
        let mut uris: Vec<Uri> = self.all.values().map(|own| own.uri.clone()).collect();
        uris.sort_by(|a, b| a.as_str().cmp(b.as_str()));
        uris
    }

    pub(crate) fn open(&mut self, uri: Uri, text: String, version: i32) {
        let document = Document {
            name: name_of(&uri),
            text: text.into(),
            version,
            uri,
        };
        self.all.insert(document.uri.as_str().to_owned(), document);
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        self.all.remove(uri.as_str());
    }

    /// Applies changes in their order. A change without a range is the whole text.
    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
        encoding: Encoding,
    ) {
        let Some(document) = self.all.get_mut(uri.as_str()) else {
            return;
        };
        let mut text = document.text.to_string();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let bytes = Lines::of(&text, encoding).bytes(&text, range);
                    text.replace_range(bytes, &change.text);
                }
            }
        }
        document.text = text.into();
        document.version = version;
    }

    /// The loader that reads open files from the editor.
    pub(crate) fn files(&self) -> OpenFiles {
        let disk = LibraryLoader::default();
        let texts = self.all.values().map(|own| {
            let identity = disk.identity(&own.name);
            (identity, own.text.clone())
        });
        OpenFiles {
            texts: texts.collect(),
            disk,
        }
    }
}

/// The name of a document: the path of a file, or the whole identifier.
pub(crate) fn name_of(uri: &Uri) -> String {
    let text = uri.as_str();
    let Some(rest) = text.strip_prefix("file://") else {
        return text.to_owned();
    };
    // A host may stand before the path.
    let path = rest.find('/').map_or(rest, |start| &rest[start..]);
    let path = decoded(path);
    // `/C:/x` on Windows.
    let drive = path.strip_prefix('/').filter(|path| {
        let mut letters = path.chars();
        letters.next().is_some_and(|own| own.is_ascii_alphabetic()) && letters.next() == Some(':')
    });
    drive.unwrap_or(&path).to_owned()
}

/// A text without percent signs before codes of bytes.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(|_| first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The identifier of a file, if its name is a path.
pub(crate) fn uri_of(name: &str) -> Option<Uri> {
    if name.contains("://") {
        return Uri::from_str(name).ok();
    }
    let path = Path::new(name);
    let path: PathBuf = if path.is_absolute() {
        path.to_owned()
    } else {
        std::env::current_dir().ok()?.join(path)
    };
    if !path.exists() {
        return None;
    }
    let mut encoded = String::from("file://");
    let text = path.to_string_lossy().replace('\\', "/");
    if !text.starts_with('/') {
        encoded.push('/');
    }
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte);
        if is_plain {
            encoded.push(char::from(byte))
        } else {
            encoded.push_str(&format!("%{byte:02X}"))
        }
    }
    Uri::from_str(&encoded).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_paths() {
        let name = |text: &str| Uri::from_str(text).ok().map(|uri| name_of(&uri));
        assert_eq!(
            name("file:///tmp/a%20b.pam").as_deref(),
            Some("/tmp/a b.pam")
        );
        assert_eq!(name("file:///C:/x.pam").as_deref(), Some("C:/x.pam"));
        assert_eq!(name("file:///c%3A/x.pam").as_deref(), Some("c:/x.pam"));
        assert_eq!(
            name("untitled:Untitled-1").as_deref(),
            Some("untitled:Untitled-1")
        );
    }
}
