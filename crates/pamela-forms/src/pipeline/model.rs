//! Models as read and as checked.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::names::unused_name;
use crate::diagnostic::{Code, Diagnostic, Error, Result, Severity};
use crate::expr::Arena;
use crate::model::{self, Use};
use crate::ring::Rational;
use crate::syntax::tree::{Equation, Expr, ParameterFact, Type};
use crate::syntax::{
    Broken, FileLoader, ItemCache, Loader, NoFiles, Recorded, Recorder, parse_assertion,
    parse_expression, parse_model, parse_partial,
};
use crate::timing::{self, Note, Origin};

/// A checked performance model.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    pub(super) checked: model::Model,
    /// True if the model was read as text only; its values cannot name files.
    alone: bool,
    texts: Arc<Texts>,
}

/// A model that may be partly wrong, as editors need it.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The equations that are right and mention no wrong ones.
    pub model: Model,
    /// Everything that is wrong, then warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// What each name is bound to.
    pub uses: Vec<Use>,
    /// Items that could not be read.
    pub broken: Vec<Broken>,
}

impl Draft {
    /// Errors of [`Model::check`], which takes longer than reading. Only models without other errors have some.
    pub fn further_errors(&self) -> Vec<Diagnostic> {
        let is_error = |own: &Diagnostic| own.severity == Severity::Error;
        if self.diagnostics.iter().any(is_error) {
            return Vec::new();
        }
        let found = self.model.check().err();
        let found = found.into_iter().flat_map(|error| error.diagnostics);
        found.filter(is_error).collect()
    }
}

/// The paths of names in a text, with their places.
fn paths(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    let mut start = 0;
    let words = text.split_inclusive(move |letter| !is_part(letter));
    let words = words.map(move |piece| {
        let place = start;
        start += piece.len();
        (place, piece.trim_end_matches(|letter| !is_part(letter)))
    });
    let is_path =
        |word: &str| !word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    words.filter(move |(_, word)| is_path(word))
}

/// A text of the language with other names, where there is another one for a name.
pub fn replace_names(text: &str, other: impl Fn(&str) -> Option<String>) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut written = String::new();
    for piece in text.split_inclusive(|letter| !is_letter(letter)) {
        let word = piece.trim_end_matches(|letter| !is_letter(letter));
        match other(word) {
            Some(other) => {
                written.push_str(&other);
                written.push_str(&piece[word.len()..]);
            }
            None => written.push_str(piece),
        }
    }
    written
}

/// The texts of a model, from which it can be read again.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Texts {
    name: String,
    text: String,
    alone: bool,
    files: Recorded,
    /// Values given to parameters, in order.
    definitions: Vec<(String, String)>,
}

impl Texts {
    /// The text of the model itself, without included files.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads the model again.
    ///
    /// # Errors
    /// Fails like [`Model::read`].
    pub fn model(&self) -> Result<Model> {
        let mut model = Model::read(&self.name, &self.text, &self.files)?;
        model.alone = self.alone;
        for (name, value) in &self.definitions {
            model.define_from(name, value, &self.files)?;
        }
        Ok(model)
    }
}

impl Model {
    /// Reads a model without included files.
    ///
    /// # Errors
    /// Fails with all syntax errors, or else with all errors of names, types and sorts.
    pub fn parse(text: &str) -> Result<Model> {
        let mut model = Model::read("model", text, &NoFiles)?;
        model.alone = true;
        Arc::make_mut(&mut model.texts).alone = true;
        Ok(model)
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// Fails like [`Model::parse`]; also fails if a file cannot be read.
    pub fn from_file(path: &str) -> Result<Model> {
        let text = FileLoader
            .read(path)
            .map_err(|reason| Error::new(format!("cannot read `{path}`: {reason}")))?;
        Model::read(path, &text, &FileLoader)
    }

    /// Reads a model called `name`; `loader` finds its included files and samples.
    ///
    /// # Errors
    /// Fails like [`Model::parse`].
    pub fn read(name: &str, text: &str, loader: &dyn Loader) -> Result<Model> {
        let recorder = Recorder::new(loader);
        let (tree, sources) = parse_model(name, text, &recorder)?;
        let checked = model::Model::check(tree, sources, &recorder)?;
        Ok(Model {
            name: name.to_string(),
            checked,
            alone: false,
            texts: Arc::new(Texts {
                name: name.to_string(),
                text: text.to_string(),
                files: recorder.finish(),
                ..Texts::default()
            }),
        })
    }

    /// Reads a model as far as it is right, and finds everything that `pamela check` reports.
    pub fn draft(name: &str, text: &str, loader: &dyn Loader) -> Draft {
        let mut draft = Model::draft_again(name, text, loader, &mut ItemCache::default());
        let further = draft.further_errors();
        draft.diagnostics.splice(0..0, further);
        draft
    }

    /// Like [`Model::draft`], without parsing the equations that the cache knows, and without
    /// [`Draft::further_errors`].
    pub fn draft_again(
        name: &str,
        text: &str,
        loader: &dyn Loader,
        cache: &mut ItemCache,
    ) -> Draft {
        let recorder = Recorder::new(loader);
        let (partial, sources) = parse_partial(name, text, &recorder, cache);
        let broken = partial.broken.clone();
        let checked = model::Model::check_partial(partial, sources, &recorder);
        let texts = Texts {
            name: name.to_string(),
            text: text.to_string(),
            files: recorder.finish(),
            ..Texts::default()
        };
        let model = Model {
            name: name.to_string(),
            checked: checked.model,
            alone: false,
            texts: Arc::new(texts),
        };
        let mut diagnostics = checked.diagnostics;
        diagnostics.extend(model.checked.warnings());
        Draft {
            model,
            diagnostics,
            uses: checked.uses,
            broken,
        }
    }

    /// Name of the model, for example its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The checked model.
    pub fn checked(&self) -> &model::Model {
        &self.checked
    }

    /// The name in closed forms for a name in the model: `a.x` of a library becomes `a_x`.
    pub fn own_name(&self, name: &str) -> String {
        let linked = self.checked.name_of_path(name);
        linked.unwrap_or_else(|| name.to_owned())
    }

    /// Rewrites a condition so that paths become the names in closed forms.
    ///
    /// Adds the equations that the condition mentions to the model.
    pub fn own_condition(&mut self, condition: &str) -> String {
        let mut own = String::new();
        let mut from = 0;
        for (start, word) in paths(condition) {
            if let Some(name) = self.checked.reach(word) {
                own.push_str(&condition[from..start]);
                own.push_str(&name);
                from = start + word.len();
            }
        }
        own.push_str(&condition[from..]);
        own
    }

    /// The model with one more equation, whose name is returned as well.
    ///
    /// The expression may name results as they are printed: `time_main` stands for `time(main)`.
    ///
    /// # Errors
    /// Fails if the text is not an expression over the names of the model.
    pub fn with_expression(&self, expression: &str) -> Result<(Model, String)> {
        let name = unused_name(&self.checked, "objective".to_owned());
        let written = self.with_measures(expression);
        let mut texts = (*self.texts).clone();
        texts.text = format!("{}\nnumeric {name} = {written}\n", texts.text.trim_end());
        Ok((texts.model()?, name))
    }

    /// The model with one more parameter, a number without facts.
    ///
    /// # Errors
    /// Fails if the model has something of this name.
    pub fn with_parameter(&self, name: &str) -> Result<Model> {
        let mut texts = (*self.texts).clone();
        texts.text = format!("{}\nnumeric parameter {name}\n", texts.text.trim_end());
        texts.model()
    }

    /// True if a text is the name of a result, such as `time_main`.
    pub fn is_result(&self, text: &str) -> bool {
        self.measure(text).is_some()
    }

    /// The model with further numeric equations, which nothing else mentions.
    ///
    /// # Errors
    /// Fails if the model does not check with them.
    pub fn with_equations(&self, values: Vec<(String, Expr)>) -> Result<Model> {
        Ok(Model {
            checked: self.checked.with_equations(values)?,
            ..self.clone()
        })
    }

    /// Adds a claim, `condition [when condition]`, which may name results as they are printed.
    ///
    /// # Errors
    /// Fails if the text is no claim over the names of the model.
    pub fn assert(&mut self, claim: &str) -> Result<()> {
        let written = self.with_measures(claim);
        let (assertion, sources) = parse_assertion("--assert", &written)?;
        self.checked.add_assertion(assertion, &sources)
    }

    /// A text with `time(main)` in place of `time_main`, for each measure of a process.
    fn with_measures(&self, text: &str) -> String {
        replace_names(text, |word| self.measure(word))
    }

    /// `time(main)` for the name `time_main` of a result.
    fn measure(&self, word: &str) -> Option<String> {
        let (measure, process) = word.split_once('_')?;
        let is_process = self
            .checked
            .lookup(process)
            .is_some_and(|own| own.kind == Type::Process);
        let is_measure = model::predefined::measure(measure).is_some();
        let is_result = is_process && is_measure && self.checked.lookup(word).is_none();
        is_result.then(|| format!("{measure}({process})"))
    }

    /// The rows that a parameter can take, if it is declared as a row of a table.
    pub fn rows(&self, name: &str) -> Option<model::Rows> {
        self.checked.rows(name)
    }

    /// Sets the parameter or numeric equation `name` to a PAMELA+ expression.
    ///
    /// Samples that the expression names are read from disk, relative to the working directory. A
    /// model that was read as text only cannot read files.
    ///
    /// # Errors
    /// Fails if the text is not an expression, if `name` cannot have a value, or if the value does
    /// not fit.
    pub fn define(&mut self, name: &str, value: &str) -> Result<()> {
        if self.alone {
            self.define_from(name, value, &NoFiles)
        } else {
            self.define_from(name, value, &FileLoader)
        }
    }

    /// Like [`Model::define`], with a number of base units.
    ///
    /// # Errors
    /// Fails like [`Model::define`].
    pub fn define_number(&mut self, name: &str, value: &Rational) -> Result<()> {
        match self.shown_number(name) {
            Some(shown) => self.define(name, &format!("{value} * 1 [{}]", shown.base)),
            None => self.define(name, &value.to_string()),
        }
    }

    fn define_from(&mut self, name: &str, value: &str, loader: &dyn Loader) -> Result<()> {
        let (expression, sources) = parse_expression(&format!("value of {name}"), value)?;
        let recorder = Recorder::new(loader);
        self.checked.define(name, expression, &sources, &recorder)?;
        let texts = Arc::make_mut(&mut self.texts);
        texts.files.extend(recorder.finish());
        texts.definitions.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// The texts of the model, with the values given to its parameters.
    pub fn texts(&self) -> &Arc<Texts> {
        &self.texts
    }

    /// Runs checks beyond reading.
    ///
    /// Finds arguments of laws and quorums that are always out of range, and facts that are false
    /// or contradict each other. Valid constructs that are not supported yet are not errors.
    ///
    /// # Errors
    /// Fails with everything that was found.
    pub fn check(&self) -> Result<()> {
        self.require_declarations()?;
        let mut arena = Arena::new();
        let mut error = match timing::lower(&self.checked, &mut arena) {
            Ok(lowered) => return self.facts(&mut arena, &lowered).map(drop),
            Err(error) => error,
        };
        error.diagnostics.retain(|d| d.severity == Severity::Error);
        for diagnostic in &mut error.diagnostics {
            *diagnostic = diagnostic.clone().or_code(Code::LawArgument);
        }
        if error.diagnostics.is_empty() {
            Ok(())
        } else {
            Err(error)
        }
    }

    /// A note about runs of a process, if its times mention lower bounds of other processes.
    pub fn note_of_runs(&self, process: Option<&str>) -> Option<Note> {
        let main = || {
            let main = self.checked.main_process()?;
            Some(self.checked.equations()[main].name.text.as_str())
        };
        let process = process.or_else(main)?;
        let wanted = timing::ProcessEquations {
            times: true,
            ..timing::ProcessEquations::default()
        };
        let names = timing::Names::default();
        let lowered = timing::lower_with(&self.checked, &mut Arena::new(), wanted, names).ok()?;
        let is_time = |origin: &Origin| matches!(origin, Origin::Execution(_) | Origin::Lower(_));
        let mut times = lowered.equations.iter().filter(|e| is_time(&e.origin));
        let own = times.find(|e| e.origin.process().is_some_and(|own| own == process))?;
        own.notes
            .iter()
            .find(|note| **note == Note::ByLowerBounds)
            .cloned()
    }

    /// Checks the declarations of kept functions, on which their callers rely.
    ///
    /// # Errors
    /// Fails with the violated declarations.
    pub(super) fn require_declarations(&self) -> Result<()> {
        let broken = self.broken_declarations();
        if broken.is_empty() {
            Ok(())
        } else {
            Err(Error {
                diagnostics: broken,
                sources: self.checked.sources().clone(),
            })
        }
    }

    /// Parameters that are declared to be whole numbers.
    pub(super) fn whole_parameters(&self) -> Vec<String> {
        let whole = |p: &&Equation| {
            let mut facts = p.facts.iter();
            facts.any(|fact| matches!(fact, ParameterFact::Integer(_)))
        };
        let parameters = self.checked.parameters().filter(whole);
        parameters.map(|p| p.name.text.clone()).collect()
    }
}
