//! Samples of `empirical("file.csv", column)`, read when the model is checked.

use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use super::Model;
use super::walk::{Part, parts_of_expr, parts_of_process, with_stack};
use crate::diagnostic::{Diagnostic, Span};
use crate::law::{Sampled, Samples};
use crate::syntax::tree::{Assertion, Expr, ExprKind, ParameterFact, Value as Definition};
use crate::syntax::{Loader, MAX_TEXT};

/// Maximum number of samples in a model; those of a column count once.
const MAX_SAMPLES: usize = 2_000_000;

impl Model {
    /// The samples of the call with the file name at this location.
    pub fn samples(&self, file: Span) -> Option<&Arc<Sampled>> {
        self.samples.get(&file)
    }

    /// The samples of all calls.
    pub fn all_samples(&self) -> impl Iterator<Item = &Arc<Sampled>> {
        self.samples.values()
    }

    /// Reads the samples of every call that has not been read yet.
    pub(super) fn read_samples(&mut self, loader: &dyn Loader) -> Vec<Diagnostic> {
        let mut calls = Vec::new();
        for part in self.expressions() {
            calls_in(part, &mut calls);
        }
        let mut reader = Reader::new(self, loader);
        let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
        for call in calls {
            if !self.samples.contains_key(&call.file.1) {
                match reader.read(&call) {
                    Ok(samples) => found.push((call.file.1, samples)),
                    Err(diagnostic) => diagnostics.push(*diagnostic),
                }
            }
        }
        self.samples.extend(found);
        diagnostics
    }

    /// The root expressions and processes of the model.
    pub(super) fn expressions(&self) -> impl Iterator<Item = Part<'_>> {
        let of_equations = self.equations.iter().flat_map(|equation| {
            let value = equation.value.as_ref().map(|value| match value {
                Definition::Numeric(e) | Definition::Resource(e) => Part::Expr(e),
                Definition::Process(p) => Part::Process(p),
            });
            let bounds = equation.facts.iter().filter_map(|fact| match fact {
                ParameterFact::Bound(_, e) => Some(Part::Expr(e)),
                ParameterFact::Unknown(own) | ParameterFact::Arrivals(own) => Some(Part::Expr(own)),
                ParameterFact::Integer(_)
                | ParameterFact::Law(_)
                | ParameterFact::Row(_)
                | ParameterFact::Unit(_)
                | ParameterFact::Monotone(_) => None,
            });
            value.into_iter().chain(bounds)
        });
        let asserted = self.assertions.iter().flat_map(Assertion::parts);
        let stated = self.assumptions.iter().chain(asserted);
        of_equations.chain(stated.map(Part::Expr))
    }
}

/// A call of `empirical` with a file.
struct Call<'m> {
    file: (&'m str, Span),
    /// A name or a number; `None` means the only column.
    column: Option<(String, Span)>,
}

fn calls_in<'m>(part: Part<'m>, calls: &mut Vec<Call<'m>>) {
    if let Part::Expr(expr) = &part
        && let ExprKind::Call(_, arguments) = &expr.kind
        && let [file, column @ ..] = arguments.as_slice()
        && let ExprKind::Text(name) = &file.kind
    {
        calls.push(Call {
            file: (name, file.span),
            column: column.first().map(|column| (selected(column), column.span)),
        });
    }
    let mut inner = |part, _: &[&str]| with_stack(|| calls_in(part, calls));
    match part {
        Part::Expr(e) => parts_of_expr(e, &mut inner),
        Part::Process(p) => parts_of_process(p, &mut inner),
    }
}

/// The name or number of the column in an argument.
fn selected(column: &Expr) -> String {
    match &column.kind {
        ExprKind::Text(name) => name.clone(),
        ExprKind::Number(number) => number.to_string(),
        // The checker of names has refused it.
        _ => String::new(),
    }
}

/// A file that has been read.
struct File {
    identity: String,
    /// Name in the model's own file.
    name: String,
}

/// Reads each file, and each of its columns, once.
struct Reader<'l> {
    loader: &'l dyn Loader,
    sources: Vec<String>,
    /// Texts by identity of the file.
    texts: HashMap<String, Rc<str>>,
    /// Samples by identity of the file and column as written.
    asked: HashMap<(String, Option<String>), Arc<Sampled>>,
    /// Samples by identity of the file and number of the column.
    columns: HashMap<(String, usize), Arc<Sampled>>,
    bytes: usize,
    samples: usize,
}

impl<'l> Reader<'l> {
    fn new(model: &Model, loader: &'l dyn Loader) -> Reader<'l> {
        let sources = &model.sources.0;
        Reader {
            loader,
            sources: sources.iter().map(|source| source.name.clone()).collect(),
            texts: HashMap::new(),
            asked: HashMap::new(),
            columns: HashMap::new(),
            bytes: 0,
            samples: model.distinct_samples(),
        }
    }

    fn read(&mut self, call: &Call) -> Result<Arc<Sampled>, Box<Diagnostic>> {
        let (path, place) = call.file;
        let file = self.open(path, place).map_err(|reason| {
            let label = "samples are read from here";
            Box::new(Diagnostic::error(
                format!("cannot read `{path}`: {reason}"),
                place,
                label,
            ))
        })?;
        let column = call.column.as_ref();
        let samples = self.column(&file, column.map(|(column, _)| column.as_str()));
        samples.map_err(|reason| {
            let message = format!("`{path}`: {reason}");
            Box::new(match column {
                Some((_, place)) => Diagnostic::error(message, *place, "this column is read"),
                None => Diagnostic::error(message, place, "samples are read from here"),
            })
        })
    }

    /// Reads the file that `path` means at `place`.
    fn open(&mut self, path: &str, place: Span) -> Result<File, String> {
        let including = self.sources.get(place.file as usize);
        let name = self
            .loader
            .resolve(including.map_or("", String::as_str), path)?;
        let identity = self.loader.identity(&name);
        if !self.texts.contains_key(&identity) {
            let text = self.loader.read(&name)?;
            self.bytes += text.len();
            if self.bytes > MAX_TEXT {
                let most = MAX_TEXT >> 20;
                return Err(format!(
                    "all files of samples together are larger than {most} MiB"
                ));
            }
            self.texts.insert(identity.clone(), text.into());
        }
        let name = self.spelled(path, &name, &identity);
        Ok(File { identity, name })
    }

    fn column(&mut self, file: &File, column: Option<&str>) -> Result<Arc<Sampled>, String> {
        let asked = (file.identity.clone(), column.map(str::to_owned));
        if let Some(known) = self.asked.get(&asked) {
            return Ok(known.clone());
        }
        let samples = Samples::read(&self.texts[&file.identity], column)?;
        let law = self.law(file, samples)?;
        self.asked.insert(asked, law.clone());
        Ok(law)
    }

    fn law(&mut self, file: &File, samples: Samples) -> Result<Arc<Sampled>, String> {
        let key = (file.identity.clone(), samples.number);
        if let Some(known) = self.columns.get(&key) {
            return Ok(known.clone());
        }
        self.samples += samples.values.len();
        if self.samples > MAX_SAMPLES {
            return Err(format!(
                "too many samples: a model has at most {MAX_SAMPLES}"
            ));
        }
        let (name, identity) = (file.name.clone(), file.identity.clone());
        let law = Sampled::new(name, identity, samples.number, samples.values)?;
        let law = Arc::new(law);
        self.columns.insert(key, law.clone());
        Ok(law)
    }

    fn main(&self) -> &str {
        self.sources.first().map_or("", String::as_str)
    }

    /// The path from the model's own file to the file `name`, which another file or a value from outside calls
    /// `path`.
    fn spelled(&self, path: &str, name: &str, identity: &str) -> String {
        let folder = Path::new(self.main()).parent().unwrap_or(Path::new(""));
        let beside = Path::new(name).strip_prefix(folder).ok();
        let beside = beside.map(|rest| rest.to_string_lossy().into_owned());
        let same = |candidate: &String| {
            let resolved = self.loader.resolve(self.main(), candidate);
            let quotable = !candidate.contains(['"', '\n']);
            quotable && resolved.is_ok_and(|name| self.loader.identity(&name) == identity)
        };
        let candidates = [Some(path.to_owned()), beside];
        let fitting = candidates.into_iter().flatten().find(same);
        fitting.unwrap_or_else(|| identity.to_owned())
    }
}

impl Model {
    /// Number of samples read so far.
    fn distinct_samples(&self) -> usize {
        let mut laws: Vec<&Arc<Sampled>> = self.all_samples().collect();
        laws.sort_by_key(|law| Arc::as_ptr(law));
        laws.dedup_by_key(|law| Arc::as_ptr(law));
        laws.iter().map(|law| law.count()).sum()
    }
}
