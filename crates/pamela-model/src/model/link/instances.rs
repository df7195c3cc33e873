//! The instances of a model, and their names for each other.

use std::collections::{HashMap, HashSet, VecDeque};

use super::unit::{Instance, Target, Unit};
use super::{Linker, ROOT};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::model::predefined::nearest;
use crate::syntax::tree::{Expr, Import, ImportedNames, Name, Type};

/// Maximum number of instances of files in a model: in a chain of files that each import the next one twice,
/// instances multiply.
const MAX_INSTANCES: usize = 10_000;

impl Linker {
    /// Finds all instances, first those that the model itself imports, because it names them.
    pub(super) fn find_instances(&mut self) {
        self.instances.push(Instance::default());
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let mut prefixes: HashSet<String> = HashSet::new();
        let mut pending = VecDeque::from([ROOT]);
        let units = self.units.clone();
        while let Some(importer) = pending.pop_front() {
            for import in units[self.instances[importer].unit].imports() {
                let unit = import.library + 1;
                let known = shared.get(&unit).filter(|_| import.given.is_empty());
                let instance = match known {
                    Some(&known) => known,
                    None => {
                        if self.instances.len() >= MAX_INSTANCES {
                            return self.too_many(import);
                        }
                        let prefix = self.prefix(importer, import, &mut prefixes);
                        let given = self.given(importer, import, unit);
                        let number = self.instances.len();
                        self.instances.push(Instance {
                            prefix,
                            unit,
                            given,
                            ..Instance::default()
                        });
                        if import.given.is_empty() {
                            shared.insert(unit, number);
                        }
                        pending.push_back(number);
                        number
                    }
                };
                self.make_visible(importer, import, instance);
            }
        }
    }

    fn too_many(&mut self, import: &Import) {
        let message = format!("more than {MAX_INSTANCES} instances of imported files");
        self.diagnostics.push(
            Diagnostic::error(message, import.span, "one more is imported here")
                .hint("each `with` makes its own instance: remove those that change nothing"),
        );
    }

    fn prefix(&self, importer: usize, import: &Import, known: &mut HashSet<String>) -> String {
        let own = match &import.names {
            ImportedNames::Under(Some(name)) => name.text.clone(),
            _ => stem(&import.path.text).to_owned(),
        };
        let whole = match importer {
            ROOT => own,
            _ => format!("{}_{own}", self.instances[importer].prefix),
        };
        let numbered = (2..).map(|number: u64| format!("{whole}_{number}"));
        let mut all = std::iter::once(whole.clone()).chain(numbered);
        let prefix = all.find(|prefix| !known.contains(prefix)).unwrap_or(whole);
        known.insert(prefix.clone());
        prefix
    }

    /// The values that `with` gives to parameters of a file.
    fn given(
        &mut self,
        importer: usize,
        import: &Import,
        unit: usize,
    ) -> HashMap<usize, (usize, Expr)> {
        let units = self.units.clone();
        let unit = &units[unit];
        let mut given = HashMap::new();
        for (name, value) in &import.given {
            let mut numbers = unit.numbers();
            let is_number = numbers.any(|number| number == name.text);
            let position = unit.position(&name.text).filter(|_| is_number);
            let Some(position) = position else {
                let what = format!("{:?} has no number `{}`", import.path.text, name.text);
                let error =
                    Diagnostic::error(what, name.span, "given here").code(Code::NameUnbound);
                self.diagnostics
                    .push(suggested(error, &name.text, unit.numbers()));
                continue;
            };
            if given.insert(position, (importer, value.clone())).is_some() {
                let what = format!("`{}` is given twice", name.text);
                self.diagnostics
                    .push(Diagnostic::error(what, name.span, "given again here"));
            }
        }
        given
    }

    /// Adds what an import makes visible in its file.
    fn make_visible(&mut self, importer: usize, import: &Import, instance: usize) {
        let name = match &import.names {
            ImportedNames::Under(Some(name)) => name.clone(),
            ImportedNames::Under(None) => Name {
                text: stem(&import.path.text).to_owned(),
                span: import.path.span,
            },
            ImportedNames::Single(names) => {
                for name in names {
                    self.make_single_visible(importer, name, instance);
                }
                return;
            }
        };
        if !is_name(&name.text) {
            let message = format!("`{}` cannot be the name of an import", name.text);
            let error = Diagnostic::error(message, name.span, "not a name");
            let hint = "name it: `import \"..\" as name`";
            self.diagnostics.push(error.hint(hint));
            return;
        }
        let known = &mut self.instances[importer].under;
        match known.get(&name.text) {
            // Two included files may import the same file.
            Some(&(earlier, _)) if earlier == instance => {}
            Some(&(_, place)) => {
                let message = format!("two imports are named `{}`", name.text);
                let error = Diagnostic::error(message, name.span, "imported again here")
                    .also(place, "first imported here");
                let hint = "give one of them another name: `import \"..\" as name`";
                self.diagnostics.push(error.hint(hint));
            }
            None => {
                known.insert(name.text, (instance, name.span));
            }
        }
    }

    fn make_single_visible(&mut self, importer: usize, name: &Name, instance: usize) {
        let unit = &self.units[self.instances[instance].unit];
        if let Some(item) = unit
            .declared(&name.text)
            .filter(|_| !name.text.starts_with('_'))
        {
            let known = &mut self.instances[importer].single_declared;
            known.insert(name.text.clone(), (instance, item));
            return;
        }
        let target = match self.member(instance, &name.text, name.span) {
            Ok(target) => target,
            Err(error) => return self.diagnostics.push(*error),
        };
        let unit = &self.units[self.instances[importer].unit];
        let own = unit.position(&name.text);
        let own = own.map(|position| unit.equation(position).name.span);
        let known = &mut self.instances[importer].single;
        let imported = known.get(&name.text).filter(|known| known.0 != target);
        match own.or(imported.map(|known| known.1)) {
            Some(place) => {
                let message = format!("`{}` is imported, but also defined otherwise", name.text);
                self.diagnostics.push(
                    Diagnostic::error(message, name.span, "imported here")
                        .also(place, "also defined here")
                        .hint(
                            "import the whole file, and write `name.x`, or rename one of the two",
                        ),
                );
            }
            None => {
                known.insert(name.text.clone(), (target, name.span));
            }
        }
    }

    /// The equation `name` of an instance, as others see it.
    pub(super) fn member(
        &self,
        instance: usize,
        name: &str,
        span: Span,
    ) -> Result<Target, Box<Diagnostic>> {
        let unit = &self.units[self.instances[instance].unit];
        let file = &unit.file;
        match unit.position(name) {
            Some(_) if name.starts_with('_') => {
                let message = format!("`{name}` is private to `{file}`");
                let hint = "names that begin with `_` are private to their file";
                Err(Box::new(
                    Diagnostic::error(message, span, "used here").hint(hint),
                ))
            }
            Some(item) => Ok(Target::new(instance, item)),
            None => {
                let message = format!("`{file}` has no `{name}`");
                let error = Diagnostic::error(message, span, "used here").code(Code::NameUnbound);
                let all = unit.names().chain(unit.declared_names());
                Err(Box::new(suggested(error, name, all)))
            }
        }
    }

    /// The equation that `a.b.x` means in the scope of an instance.
    pub(super) fn find_path(
        &self,
        instance: usize,
        path: &str,
        span: Span,
    ) -> Result<Target, Box<Diagnostic>> {
        let mut names: Vec<&str> = path.split('.').collect();
        let last = names.pop().unwrap_or_default();
        let mut at = instance;
        for (depth, name) in names.iter().enumerate() {
            let under = &self.instances[at].under;
            let found = under
                .get(*name)
                .filter(|_| depth == 0 || !name.starts_with('_'));
            let Some(&(next, _)) = found else {
                let message = format!("no import named `{name}`");
                let error = Diagnostic::error(message, span, "used here").code(Code::NameUnbound);
                if let Some(table) = self.declared_path_of(at, name).filter(|_| depth == 0) {
                    let error = error.hint(format!("did you mean `{table}`?"));
                    return Err(Box::new(error.edit(span, table)));
                }
                return Err(Box::new(if under.is_empty() {
                    error.hint(format!(
                        "import a file under this name: `import \"{name}.pam\"`"
                    ))
                } else {
                    suggested(error, name, under.keys().map(String::as_str))
                }));
            };
            at = next;
        }
        self.member(at, last, span)
    }

    /// The files that an instance imports, in the order of the names that it has for them.
    fn imported(&self, instance: usize) -> Vec<(&str, &Unit)> {
        let under = self.instances[instance].under.iter();
        let imports =
            under.map(|(name, &(at, _))| (name.as_str(), &self.units[self.instances[at].unit]));
        let mut imports: Vec<(&str, &Unit)> = imports.collect();
        imports.sort_unstable_by_key(|(name, _)| *name);
        imports
    }

    /// The path `file.name` of an equation in a file that the model imports.
    pub(in crate::model) fn path_of(&self, name: &str, kind: Type) -> Option<String> {
        let imports = self.imported(ROOT);
        let found = imports
            .iter()
            .find(|(_, unit)| unit.names_of(kind).any(|own| own == name))?;
        Some(format!("{}.{name}", found.0))
    }

    /// The path of an equation in an imported file whose name is similar.
    pub(in crate::model) fn path_near(&self, name: &str, kind: Type) -> Option<String> {
        let imports = self.imported(ROOT);
        let names = imports.iter().flat_map(|(_, unit)| unit.names_of(kind));
        self.path_of(nearest(name, names)?, kind)
    }

    /// The path `file.name` of a record or a table in a file that an instance imports.
    pub(super) fn declared_path_of(&self, instance: usize, name: &str) -> Option<String> {
        let imports = self.imported(instance);
        let found = imports
            .iter()
            .find(|(_, unit)| unit.declared_names().any(|own| own == name))?;
        Some(format!("{}.{name}", found.0))
    }

    /// The record or table that a path means in the scope of an instance, as an instance and an
    /// item.
    pub(super) fn find_declared(&self, instance: usize, path: &str) -> Option<(usize, usize)> {
        let mut at = instance;
        let mut names = path.split('.');
        let last = names.next_back()?;
        for name in names {
            at = self.instances[at].under.get(name)?.0;
        }
        let seen = at == instance || !last.starts_with('_');
        let own = self.units[self.instances[at].unit].declared(last);
        let own = own.filter(|_| seen).map(|item| (at, item));
        let single = || self.instances[at].single_declared.get(last).copied();
        own.or_else(|| single().filter(|_| at == instance))
    }

    /// The equation that a single name imports.
    pub(super) fn single(&self, instance: usize, name: &str) -> Option<Target> {
        let single = self.instances[instance].single.get(name);
        single.map(|(target, _)| *target)
    }
}

/// Adds the most likely intended name to an error about a name.
pub(super) fn suggested<'n>(
    error: Diagnostic,
    name: &str,
    candidates: impl Iterator<Item = &'n str>,
) -> Diagnostic {
    let mut candidates: Vec<&str> = candidates.collect();
    candidates.sort_unstable();
    match nearest(name, candidates.iter().copied()) {
        Some(near) => {
            // The span covers the whole path.
            let place = error.labels.first().map(|(span, _)| *span);
            let last = place.filter(|span| (span.end - span.start) as usize == name.len());
            match last {
                Some(span) => error.suggest(span, near),
                None => error.hint(format!("did you mean `{near}`?")),
            }
        }
        None => {
            let more = if candidates.len() > MOST_NAMED {
                ", .."
            } else {
                ""
            };
            candidates.truncate(MOST_NAMED);
            error.hint(format!("it has {}{more}", candidates.join(", ")))
        }
    }
}

/// Names that an error lists.
const MOST_NAMED: usize = 12;

/// The name of a file without its directory and its extension.
fn stem(path: &str) -> &str {
    let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
    file.strip_suffix(".pam").unwrap_or(file)
}

fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    begins && text.chars().all(letter) && !crate::syntax::is_reserved(text)
}
