//! Errors about names without a definition, with the name that was probably meant.

use super::{Names, type_name};
use crate::diagnostic::{Cause, Code, Diagnostic, Span};
use crate::model::{BOUNDS, FCFS, MAX_DIAGNOSTICS, PREFIXES, predefined};
use crate::syntax::tree::Type;

impl<'m> Names<'m> {
    pub(super) fn unbound(&mut self, name: &'m str, span: Span, called: bool, expected: Type) {
        let model = self.model;
        let visible = self
            .indices
            .iter()
            .map(|index| index.text.as_str())
            .chain(self.formals.iter().map(|f| f.text.as_str()));
        let equations = model
            .equations
            .iter()
            .filter(|e| e.kind == expected)
            .map(|e| e.name.text.as_str());
        let functions = predefined::names().filter(|_| expected == Type::Numeric);
        let words = predefined::beginnings(expected, called).iter().copied();
        let few = self.diagnostics.len() < MAX_DIAGNOSTICS;
        let near = few
            .then(|| {
                let all = visible.chain(equations).chain(functions).chain(words);
                model.meant(name, expected, predefined::nearest(name, all))
            })
            .flatten();
        let derived = expected == Type::Numeric
            && PREFIXES.iter().chain(&BOUNDS[..3]).any(|p| {
                name.strip_prefix(p)
                    .and_then(|l| model.lookup(l))
                    .is_some_and(|e| e.kind == Type::Process)
            });
        let instead = predefined::instead_of(name, called).filter(|_| expected == Type::Numeric);
        let mut cause = Cause::Other;
        let hint = match &near {
            _ if derived => {
                let (prefix, process) = name.split_once('_').unwrap_or((name, ""));
                format!("`{name}` is a result; within the model write `{prefix}({process})`")
            }
            _ if instead.is_some() => instead.unwrap_or_default().to_owned(),
            _ if self.left.contains(&name) => {
                format!("the body of `{name}` has ended: put all of it in braces, `{{ .. }}`")
            }
            Some(near) => format!("did you mean `{near}`?"),
            None if called && expected == Type::Numeric => {
                let laws: Vec<&str> = predefined::laws().collect();
                format!(
                    "define it, `numeric {name}(..) = ..`, or take one of the laws {}",
                    laws.join(", ")
                )
            }
            None if expected == Type::Resource && name == FCFS => {
                "an element of it is `fcfs(i, servers)`; a resource or an array of them without a value, `resource cpu` \
                 or `resource cpu(p)`, has servers of its own"
                    .to_owned()
            }
            None if expected == Type::Resource => {
                format!("declare it with `resource {name}`, or `resource {name} = servers(m)`")
            }
            None if expected == Type::Process => {
                let instead = predefined::process_instead_of(name).map(str::to_owned);
                instead.unwrap_or_else(|| format!("define it, `process {name} = ..`"))
            }
            None => {
                cause = Cause::Undeclared;
                format!("define it, or declare it with `numeric parameter {name}`")
            }
        };
        let label = format!("expected {}", type_name(expected));
        let error = Diagnostic::error(format!("`{name}` is not defined"), span, label);
        let mut error = error.hint(hint).because(cause).code(Code::NameUnbound);
        if derived {
            let (prefix, process) = name.split_once('_').unwrap_or((name, ""));
            error = error.edit(span, format!("{prefix}({process})"));
        } else if let (Some(near), None) = (near, instead) {
            error = error.edit(span, near);
        }
        self.diagnostics.push(error);
    }
}
