//! Included and imported files.

use super::{FileKind, Reader};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::loader::MAX_TEXT;
use crate::syntax::tree::{Import, Item, Library, Name};

/// Maximum length of a chain of includes or imports, and maximum number of files in a model.
const MAX_DEPTH: usize = 64;
const MAX_FILES: usize = 1000;

impl Reader<'_> {
    pub(super) fn include(&mut self, path: &Name, file: u32) {
        if let Err(reason) = self.include_file(path, file) {
            let message = format!("cannot include {:?}: {reason}", path.text);
            let error = Diagnostic::error(message, path.span, "included here");
            self.diagnostics.push(error.code(Code::FileUnreadable));
        }
    }

    fn include_file(&mut self, path: &Name, file: u32) -> Result<(), String> {
        let name = self.loader.resolve(&self.file_name(file), &path.text)?;
        let identity = self.loader.identity(&name);
        if self.closes_cycle(path, &identity, "includes") || self.opened.contains_key(&identity) {
            return Ok(());
        }
        let text = self.text_of_next(&name, "include")?;
        self.read_file(name, identity, text, FileKind::Model, Some(path.span));
        Ok(())
    }

    pub(super) fn import(&mut self, mut import: Import, file: u32) {
        let path = import.path.clone();
        match self.library(&path, file) {
            Ok(Some(library)) => {
                import.library = library;
                self.items.push(Item::Import(import));
            }
            Ok(None) => {}
            Err(reason) => {
                let message = format!("cannot import {:?}: {reason}", path.text);
                let error = Diagnostic::error(message, path.span, "imported here");
                self.diagnostics.push(error.code(Code::FileUnreadable));
            }
        }
    }

    /// The number of the library that `path` means, which is read where it has not been; `None` where that is an error
    /// that has been told.
    fn library(&mut self, path: &Name, file: u32) -> Result<Option<usize>, String> {
        let name = self.loader.import(&self.file_name(file), &path.text)?;
        let identity = self.loader.identity(&name);
        if self.closes_cycle(path, &identity, "imports") {
            return Ok(None);
        }
        if let Some(&library) = self.imported.get(&identity) {
            return Ok(Some(library));
        }
        let text = self.text_of_next(&name, "import")?;
        let number = self.libraries.len();
        self.libraries.push(None);
        self.imported.insert(identity.clone(), number);
        // It has a scope, and inclusions, of its own.
        let items = std::mem::take(&mut self.items);
        let opened = std::mem::take(&mut self.opened);
        let file = name.clone();
        let in_library = std::mem::replace(&mut self.in_library, true);
        self.read_file(name, identity, text, FileKind::Model, Some(path.span));
        self.in_library = in_library;
        self.opened = opened;
        let items = std::mem::replace(&mut self.items, items);
        self.libraries[number] = Some(Library { file, items });
        Ok(Some(number))
    }

    pub(super) fn file_name(&self, file: u32) -> String {
        let source = self.sources.0.get(file as usize);
        source.map_or_else(String::new, |source| source.name.clone())
    }

    /// The text of one more file.
    pub(super) fn text_of_next(&self, name: &str, word: &str) -> Result<String, String> {
        if self.chain.len() >= MAX_DEPTH {
            return Err(format!(
                "more than {MAX_DEPTH} files {word} one another in a chain"
            ));
        }
        if self.sources.0.len() >= MAX_FILES {
            return Err(format!("the model has more than {MAX_FILES} files"));
        }
        let text = self.loader.text(name)?;
        if self.total + text.len() > MAX_TEXT {
            return Err(format!(
                "all files together are larger than {} MiB",
                MAX_TEXT >> 20
            ));
        }
        Ok(text)
    }

    /// True if the file is still being read, which is an error.
    fn closes_cycle(&mut self, path: &Name, identity: &str, verb: &str) -> bool {
        let open = self.chain.iter().position(|open| open.identity == identity);
        let Some(position) = open else {
            return false;
        };
        let message = format!("{:?} {verb} itself", path.text);
        let mut diagnostic = Diagnostic::error(message, path.span, "this closes the cycle");
        for place in self.chain[position + 1..].iter().filter_map(|o| o.place) {
            diagnostic = diagnostic.also(place, format!("{} from here", past(verb)));
        }
        self.diagnostics.push(
            diagnostic
                .hint("move what both files need into a third file")
                .code(Code::FileCycle),
        );
        true
    }
}

fn past(verb: &str) -> &'static str {
    match verb {
        "includes" => "included",
        _ => "imported",
    }
}
