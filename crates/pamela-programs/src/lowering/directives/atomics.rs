//! Atomic operations: locks, if they have one address.

use super::*;

impl Walker<'_> {
    /// An operation on one address is a lock; on an element that data choose, each element has one of its own.
    pub(super) fn atomic(&mut self, statement: &Statement, pragma: &Pragma, part: Part) -> Part {
        let place = updated(statement, pragma.has("read"));
        let is_same = |place: &&Expression| match &place.kind {
            ExpressionKind::Name(_) | ExpressionKind::Index(..) => true,
            _ => self.object(place).is_some(),
        };
        let name = place.as_ref().filter(is_same).and_then(address);
        if let Some(name) = name {
            return Part::Critical(format!("atomic_{name}"), Box::new(part));
        }
        if self.team.is_none() {
            return part;
        }
        let text = place.map(|place| self.whole.snippet(self.function, place.span));
        let text = text.unwrap_or_else(|| "what is updated".to_string());
        let problem = Problem::new(format!(
            "`{text}` is not a single address: waiting of threads for the same element is not modelled"
        ));
        self.unsure(
            problem
                .at(pragma.place.clone())
                .hint("if all take the same lock, use #pragma omp critical"),
        );
        let cost = self.machine_time("t_lock", "taking a lock");
        Part::sequence(vec![part, Part::Cost(cost)])
    }
}

/// The variable that an atomic statement updates: `x` in `x++`, `x += a`, `x = x + a` and `v = x++`; else the
/// variable that it writes or reads.
fn updated(statement: &Statement, reads: bool) -> Option<Expression> {
    let (mut updates, mut writes) = (Vec::new(), Vec::new());
    statement.walk_expressions(&mut |expression| match &expression.kind {
        ExpressionKind::Assign(operator, place, value) => {
            let names = |part: &Expression| {
                let mut names = Vec::new();
                part.walk(&mut |inner| names.extend(inner.name().map(String::from)));
                names
            };
            let of_place = names(place);
            let is_update = operator != "="
                || matches!(value.kind, ExpressionKind::Binary(..))
                    && of_place.iter().all(|name| names(value).contains(name));
            if is_update {
                updates.push((**place).clone())
            } else if reads {
                writes.push((**value).clone())
            } else {
                writes.push((**place).clone())
            }
        }
        ExpressionKind::Update { place, .. } => updates.push((**place).clone()),
        _ => {}
    });
    // `{ v = x; x = a; }` writes last what it updates.
    updates.into_iter().next().or(writes.pop())
}

/// The name of the lock of an address that is the same in each iteration: `sum`, `count[3]`, `m->hits`.
fn address(place: &Expression) -> Option<String> {
    Some(match &place.kind {
        ExpressionKind::Name(name) => name.clone(),
        ExpressionKind::Number(text) if text.chars().all(|c| c.is_ascii_digit()) => text.clone(),
        ExpressionKind::Field { of, name, .. } => format!("{}_{name}", address(of)?),
        ExpressionKind::Unary(operator, inner) if operator == "*" || operator == "&" => {
            address(inner)?
        }
        ExpressionKind::Index(array, index) if matches!(index.kind, ExpressionKind::Number(_)) => {
            format!("{}_{}", address(array)?, address(index)?)
        }
        ExpressionKind::Cast(_, inner) => address(inner)?,
        _ => return None,
    })
}
