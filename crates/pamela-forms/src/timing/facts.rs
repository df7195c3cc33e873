//! Facts that a model states about its parameters.

use super::Fact;
use super::scope::Lowering;
use crate::diagnostic::{Diagnostic, Span};
use crate::expr::Node;
use crate::syntax::tree::{Expr, ExprKind, ParameterFact};

impl Lowering<'_, '_> {
    /// Declared and assumed facts, each with its source location.
    pub(super) fn facts(&mut self) -> std::result::Result<Vec<(Fact, Span)>, Diagnostic> {
        let model = self.model;
        let mut facts = Vec::new();
        for (position, equation) in model
            .equations()
            .iter()
            .enumerate()
            .filter(|(_, e)| !e.facts.is_empty())
        {
            // The declared facts of kept names are known where the names are mentioned.
            if equation.kept {
                continue;
            }
            let span = equation.name.span;
            for fact in &equation.facts {
                let (fact, span) = match fact {
                    // A law has no value to bound; statements about its moments are not facts yet.
                    ParameterFact::Law(_)
                    | ParameterFact::Unknown(_)
                    | ParameterFact::Arrivals(_)
                    | ParameterFact::Row(_)
                    | ParameterFact::Unit(_)
                    | ParameterFact::Monotone(_) => continue,
                    ParameterFact::Integer(place) => (
                        Fact::Integer(self.numeric_equation(position, &[].into(), span)?),
                        *place,
                    ),
                    ParameterFact::Bound(relation, bound) => {
                        let value = self.numeric_equation(position, &[].into(), span)?;
                        let limit = self.numeric(bound)?;
                        let holds = self.compare(*relation, value, limit);
                        (Fact::Holds(holds), bound.span)
                    }
                };
                self.add_fact(fact, span, &mut facts)?;
            }
        }
        for relation in model.assumptions() {
            self.add_assumption(relation, &mut facts)?;
        }
        self.add_units(&mut facts)?;
        Ok(facts)
    }

    fn add_assumption(
        &mut self,
        relation: &Expr,
        facts: &mut Vec<(Fact, Span)>,
    ) -> std::result::Result<(), Diagnostic> {
        match &relation.kind {
            ExprKind::And(parts) => parts
                .iter()
                .try_for_each(|part| self.add_assumption(part, facts)),
            _ => {
                let lowered = self.numeric(relation)?;
                let fact = match *self.arena.node(lowered) {
                    Node::Apply(crate::expr::Function::Integer, operand) => Fact::Integer(operand),
                    _ => Fact::Holds(lowered),
                };
                self.add_fact(fact, relation.span, facts)
            }
        }
    }

    /// Adds a fact unless it is trivial; a fact that is always false is an error of the model.
    pub(super) fn add_fact(
        &mut self,
        fact: Fact,
        span: Span,
        facts: &mut Vec<(Fact, Span)>,
    ) -> std::result::Result<(), Diagnostic> {
        let (Fact::Integer(expr) | Fact::Holds(expr)) = fact;
        let holds = self.arena.as_number(expr).map(|value| match fact {
            Fact::Integer(_) => value.is_integer(),
            Fact::Holds(_) => !value.is_zero(),
        });
        match holds {
            Some(true) => Ok(()),
            Some(false) => {
                Err(
                    Diagnostic::error("this never holds", span, "false for the given values")
                        .hint("declarations and assumptions about parameters must be satisfiable"),
                )
            }
            None if facts.iter().any(|(known, _)| *known == fact) => Ok(()),
            None => {
                facts.push((fact, span));
                Ok(())
            }
        }
    }
}
