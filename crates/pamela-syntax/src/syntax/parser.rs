//! Parses texts: reads the items of each file, follows inclusions and imports, collects errors.

mod cache;
mod files;
mod later;
mod one;
mod partial;
mod tables;

use std::collections::HashMap;
use std::sync::Arc;

use super::build::{Failure, Parsed};
use super::explain::{File, Stop, explain_fault, explain_grammar, explain_stray};
use super::items::{Fault, FileKind, ItemKind, ItemText, Items};
use super::lexer::words_of;
use super::loader::{Loader, MAX_TEXT, NoFiles, too_large};
use super::tree::{Assertion, Expr, Item, Library, Model, RuleFile};
use crate::diagnostic::{Code, Diagnostic, Error, Result, SourceFile, Sources, Span};

pub use cache::ItemCache;
pub use later::read_later;
pub use one::is_item;
use one::{comment_after, parse_text};
pub use partial::{Broken, Partial, parse_partial};

/// Maximum number of errors reported in one run.
const MAX_ERRORS: usize = 50;
/// Enough for the deepest nesting that is accepted, with debug builds' large frames: the parser that is made from the
/// grammar does not ask for more at each level, as `with_stack` does.
#[cfg(not(target_family = "wasm"))]
fn with_deep_stack(work: impl FnOnce()) {
    stacker::maybe_grow(4 << 20, 64 << 20, work);
}

/// The linker sets the size of this stack.
#[cfg(target_family = "wasm")]
fn with_deep_stack(work: impl FnOnce()) {
    work();
}

/// Reads a model with the files that it includes and imports.
///
/// Each included file is read once, in place of its first `include`. `name` is shown to the user,
/// and `loader` resolves paths relative to it.
///
/// # Errors
/// Fails with a diagnostic for every wrong item in all files, up to 50.
pub fn parse_model(name: &str, text: &str, loader: &dyn Loader) -> Result<(Model, Arc<Sources>)> {
    let mut reader = Reader::new(loader);
    let model = reader.read_model(name, text);
    reader.finish(model)
}

/// Reads one expression, such as the value of a parameter on the command line.
pub fn parse_expression(name: &str, text: &str) -> Result<(Expr, Arc<Sources>)> {
    let mut reader = Reader::new(&NoFiles);
    reader.read_whole(name, text, FileKind::Expression);
    if let (Some(place), true) = (comment(text), reader.diagnostics.is_empty()) {
        reader
            .diagnostics
            .push(super::explain::explain_comment(text, place));
        return Err(reader.into_error());
    }
    match reader.expression.take() {
        Some(expression) => reader.finish(expression),
        None => {
            if reader.diagnostics.is_empty() {
                let message = "expected an expression, found nothing";
                reader.diagnostics.push(Diagnostic::error(
                    message,
                    Span::default(),
                    "an expression is missing",
                ));
            }
            Err(reader.into_error())
        }
    }
}

/// Reads a claim with its condition, `claim [when condition]`, as given on the command line.
pub fn parse_assertion(name: &str, text: &str) -> Result<(Assertion, Arc<Sources>)> {
    let mut reader = Reader::new(&NoFiles);
    reader.read_whole(name, text, FileKind::Assertion);
    if let (Some(place), true) = (comment(text), reader.diagnostics.is_empty()) {
        reader
            .diagnostics
            .push(super::explain::explain_comment(text, place));
    }
    match reader.assertion.take() {
        Some(assertion) => reader.finish(assertion),
        None => {
            if reader.diagnostics.is_empty() {
                let message = "expected a condition, found nothing";
                let error = Diagnostic::error(message, Span::default(), "a condition is missing");
                reader.diagnostics.push(error);
            }
            Err(reader.into_error())
        }
    }
}

/// Position of a comment, which a value from outside cannot contain.
fn comment(text: &str) -> Option<usize> {
    let mut quoted = false;
    text.char_indices().find_map(|(place, letter)| {
        quoted ^= letter == '"';
        (letter == '%' && !quoted).then_some(place)
    })
}

/// Reads a file of rewrite rules.
pub fn parse_rules(name: &str, text: &str) -> Result<(RuleFile, Arc<Sources>)> {
    let mut reader = Reader::new(&NoFiles);
    reader.read_whole(name, text, FileKind::Rules);
    let rules = std::mem::take(&mut reader.rules);
    let functions = std::mem::take(&mut reader.functions);
    reader.finish(RuleFile { rules, functions })
}

/// A file that is being read.
struct Open {
    identity: String,
    /// Location of the `include` or `import`; `None` for the first file.
    place: Option<Span>,
}

/// Files read so far.
struct Reader<'l> {
    loader: &'l dyn Loader,
    sources: Sources,
    /// Size of all sources in bytes.
    total: usize,
    /// The open files, by identity.
    opened: HashMap<String, u32>,
    /// The files being read, outermost first.
    chain: Vec<Open>,
    /// Index of each imported file among the libraries.
    imported: HashMap<String, usize>,
    /// `None` while a library is being read.
    libraries: Vec<Option<Library>>,
    /// True while a library is being read.
    in_library: bool,
    /// Locations in libraries that are read at once, and in other files.
    at_once: Vec<Span>,
    diagnostics: Vec<Diagnostic>,
    items: Vec<Item>,
    rules: Vec<super::tree::Rule>,
    functions: Vec<super::tree::Function>,
    expression: Option<Expr>,
    assertion: Option<Assertion>,
    /// Items that could not be read, if the caller wants them.
    broken: Option<Vec<Broken>>,
    /// Equations of earlier readings.
    cache: Option<&'l mut ItemCache>,
}

impl<'l> Reader<'l> {
    fn new(loader: &'l dyn Loader) -> Reader<'l> {
        Reader {
            loader,
            sources: Sources::default(),
            total: 0,
            opened: HashMap::new(),
            chain: Vec::new(),
            imported: HashMap::new(),
            libraries: Vec::new(),
            in_library: false,
            at_once: Vec::new(),
            diagnostics: Vec::new(),
            items: Vec::new(),
            rules: Vec::new(),
            functions: Vec::new(),
            expression: None,
            assertion: None,
            broken: None,
            cache: None,
        }
    }

    fn read_model(&mut self, name: &str, text: &str) -> Model {
        self.read_whole(name, text, FileKind::Model);
        let items = std::mem::take(&mut self.items);
        let libraries = std::mem::take(&mut self.libraries);
        let mut libraries: Vec<Library> = libraries.into_iter().flatten().collect();
        self.read_reached(&mut libraries);
        Model { items, libraries }
    }

    /// Reads the file that the user gave.
    fn read_whole(&mut self, name: &str, text: &str, kind: FileKind) {
        let identity = self.loader.identity(name);
        if text.len() > MAX_TEXT {
            // Not kept, since none of it can be shown.
            self.sources.0.push(SourceFile {
                name: name.to_owned(),
                text: String::new(),
            });
            let message = format!("cannot read `{name}`: {}", too_large());
            let error = Diagnostic::error(message, Span::default(), "too large");
            self.diagnostics.push(error.code(Code::TooLarge));
            return;
        }
        with_deep_stack(|| {
            self.read_file(name.to_owned(), identity, text.to_owned(), kind, None);
        });
    }

    fn read_file(
        &mut self,
        name: String,
        identity: String,
        text: String,
        kind: FileKind,
        place: Option<Span>,
    ) {
        let file = self.sources.0.len() as u32;
        self.total += text.len();
        self.sources.0.push(SourceFile {
            name,
            text: String::new(),
        });
        self.opened.insert(identity.clone(), file);
        self.chain.push(Open { identity, place });
        for item in Items::new(&text, kind) {
            if self.diagnostics.len() >= MAX_ERRORS && self.broken.is_none() {
                break;
            }
            let before = self.diagnostics.len();
            self.read_item(&text, kind, item, file);
            self.note_broken(&text, item, file, before);
        }
        self.chain.pop();
        if !self.in_library {
            self.at_once.push(Span {
                file,
                start: 0,
                end: text.len() as u32,
            });
        }
        if let Some(source) = self.sources.0.get_mut(file as usize) {
            source.text = text;
        }
    }

    /// Reads the equations of libraries that the rest of the model may reach.
    fn read_reached(&mut self, libraries: &mut [Library]) {
        if libraries.is_empty() {
            return;
        }
        let items = libraries.iter_mut().map(|library| &mut library.items);
        let at_once = self.at_once.iter();
        let texts = at_once.map(|&span| later::text_of(&self.sources, span));
        let read = read_later(items.collect(), &self.sources, texts.flat_map(words_of));
        if let Err(errors) = read {
            self.diagnostics.extend(errors);
            self.diagnostics.truncate(MAX_ERRORS);
        }
    }

    fn read_item(&mut self, text: &str, kind: FileKind, item: ItemText, number: u32) {
        let file = File { text, number, kind };
        if item.kind == ItemKind::Stray {
            self.diagnostics.push(explain_stray(file, item));
            return;
        }
        if let Some(fault) = item.fault {
            let earlier = error_before(file, item, fault);
            self.diagnostics
                .push(earlier.unwrap_or_else(|| explain_fault(file, item, fault)));
            return;
        }
        if self.in_library {
            if let Some(later) = later::of_item(text, item, number) {
                return self.items.push(Item::Later(Box::new(later)));
            }
            self.at_once.push(Span {
                file: number,
                start: item.start as u32,
                end: item.end as u32,
            });
        }
        let own = text.get(item.start..item.end).unwrap_or_default();
        let known = self.cache.as_mut();
        let known = known.and_then(|cache| cache.find(item, own, number));
        let parsed = match known {
            Some(known) => Ok(Parsed::Item(known)),
            None => {
                let parsed = parse_text(file, item.kind, item.start, item.end);
                if let (Some(cache), Ok(Parsed::Item(tree))) = (&mut self.cache, &parsed) {
                    cache.keep(item, own, tree);
                }
                parsed
            }
        };
        match parsed {
            Ok(Parsed::Item(mut tree)) => {
                if let Item::Equation(equation) = &mut tree {
                    equation.comment = comment_after(text, item.end);
                }
                self.items.push(tree);
            }
            Ok(Parsed::Rule(rule)) => self.rules.push(rule),
            Ok(Parsed::Function(function)) => self.functions.push(function),
            Ok(Parsed::Expression(expression)) => self.expression = Some(expression),
            Ok(Parsed::Assertion(assertion)) => self.assertion = Some(assertion),
            Ok(Parsed::Include(path)) => self.include(&path, number),
            Ok(Parsed::Import(import)) => self.import(import, number),
            Ok(Parsed::Table(table)) => self.table(table, number),
            Err(Failure::Meaning(diagnostic)) => {
                self.diagnostics.push(diagnostic.or_code(Code::Syntax));
            }
            Err(Failure::Grammar(error)) => {
                let stop = Stop::new(file, item.start, item.end, &error);
                self.diagnostics
                    .push(explain_grammar(file, item.kind, &stop));
            }
        }
    }

    fn finish<T>(self, tree: T) -> Result<(T, Arc<Sources>)> {
        if self.diagnostics.is_empty() {
            Ok((tree, Arc::new(self.sources)))
        } else {
            Err(self.into_error())
        }
    }

    fn into_error(self) -> Error {
        Error {
            diagnostics: self.diagnostics,
            sources: Arc::new(self.sources),
        }
    }
}

/// An error that the grammar finds before a bracket that does not match, if there is one: the
/// bracket may well be its consequence.
fn error_before(file: File<'_>, item: ItemText, fault: Fault) -> Option<Diagnostic> {
    let end = match fault {
        Fault::Unmatched { closer, .. } => closer.start,
        Fault::Unclosed { end, .. } => end,
        Fault::Token(_) | Fault::TooDeep(_) | Fault::TooLong => return None,
    };
    let Err(Failure::Grammar(error)) = parse_text(file, item.kind, item.start, end) else {
        return None;
    };
    let stop = Stop::new(file, item.start, end, &error);
    (!stop.at_end()).then(|| explain_grammar(file, item.kind, &stop))
}
