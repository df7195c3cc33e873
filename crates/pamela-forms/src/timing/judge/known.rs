//! Known standings of the equations of a model.

use std::collections::{HashMap, HashSet};

use super::judged::Judged;
use crate::model::walk::calls;
use crate::model::{Model, Part};
use crate::syntax::tree::Value as Definition;
use crate::timing::argument::Instance;

/// Known standings of the equations of a model.
#[derive(Default)]
pub(in crate::timing) struct Judge {
    /// Positions of the equations whose values depend on times of processes.
    pub(super) reaching: HashSet<usize>,
    pub(super) known: HashMap<Instance, Judged>,
    /// Names in scope whose values are not exact.
    pub(super) scope: Vec<(String, Judged)>,
    pub(super) looks: usize,
    /// True to ignore queueing that times do not count.
    pub(super) without_waiting: bool,
}

impl Judge {
    pub(in crate::timing) fn new(model: &Model) -> Judge {
        let count = model.equations().len();
        let measures = |position: usize| {
            let wait = model.basis_of_wait(&model.equations()[position].name.text);
            let mut found = wait.is_some_and(|(basis, _)| !basis.is_exact());
            let part = match &model.equations()[position].value {
                Some(Definition::Numeric(expr) | Definition::Resource(expr)) => Part::Expr(expr),
                Some(Definition::Process(process)) => Part::Process(process),
                None => return found,
            };
            calls(part, &mut |name, arguments| {
                found |= model.measure(name, arguments).is_some();
            });
            found
        };
        let mut reaching: HashSet<usize> = (0..count).filter(|&p| measures(p)).collect();
        if reaching.is_empty() {
            return Judge::default();
        }
        let mut mentioned_by: HashMap<usize, Vec<usize>> = HashMap::new();
        for position in 0..count {
            for other in model.mentions(position) {
                mentioned_by.entry(other).or_default().push(position);
            }
        }
        let mut pending: Vec<usize> = reaching.iter().copied().collect();
        while let Some(position) = pending.pop() {
            for &other in mentioned_by.get(&position).into_iter().flatten() {
                if reaching.insert(other) {
                    pending.push(other);
                }
            }
        }
        Judge {
            reaching,
            ..Judge::default()
        }
    }
}
