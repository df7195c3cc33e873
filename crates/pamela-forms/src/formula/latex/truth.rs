//! Prints conditions.

use super::{Level, Writer};
use crate::expr::{Arena, ExprId, Function, Node};
use crate::formula::law::ParameterFacts;
use crate::formula::names::IndexNames;
use crate::formula::view::{self, Sign, Truth};
use crate::with_stack;

/// Prints a condition as a statement.
pub(in crate::formula) fn print_truth(
    arena: &Arena,
    truth: &Truth,
    names: IndexNames,
    known: &ParameterFacts,
) -> String {
    let mut writer = Writer {
        arena,
        names,
        known,
        out: String::new(),
    };
    writer.truth(truth, Level::Or);
    writer.out
}

impl Writer<'_> {
    /// Prints a logical formula, without the Iverson bracket around it.
    pub(super) fn truth(&mut self, truth: &Truth, place: Level) {
        let level = truth_level(truth);
        self.enclosed(level < place, |writer| match truth {
            Truth::Relation(sign, a, b) => {
                writer.write(*a, Level::Remainder);
                writer.out.push_str(sign_text(*sign));
                writer.write(*b, Level::Remainder);
            }
            Truth::Atom(id) => writer.atom(*id),
            Truth::Not(inner) => {
                writer.out.push_str("\\lnot ");
                writer.enclosed(true, |writer| writer.truth(inner, Level::Or));
            }
            Truth::Between {
                lower,
                above,
                of,
                below,
                upper,
            } => {
                writer.write(*lower, Level::Remainder);
                writer.out.push_str(sign_text(*above));
                writer.write(*of, Level::Remainder);
                writer.out.push_str(sign_text(*below));
                writer.write(*upper, Level::Remainder);
            }
            Truth::And(list) => {
                let list = view::intervals(writer.arena, list);
                writer.chain(&list, " \\land ", Level::Relation);
            }
            Truth::Or(list) => writer.chain(list, " \\lor ", Level::And),
        });
    }

    pub(super) fn atom(&mut self, id: ExprId) {
        if let Node::Apply(Function::Integer, operand) = *self.arena.node(id) {
            self.write(operand, Level::Remainder);
            self.out.push_str(" \\in \\mathbb{Z}");
        } else {
            self.write(id, Level::Remainder);
            self.out.push_str(" = 1");
        }
    }

    fn chain(&mut self, list: &[Truth], operator: &str, place: Level) {
        for (position, truth) in list.iter().enumerate() {
            if position > 0 {
                self.out.push_str(operator);
            }
            with_stack(|| self.truth(truth, place));
        }
    }
}

fn truth_level(truth: &Truth) -> Level {
    match truth {
        Truth::Or(_) => Level::Or,
        Truth::And(_) => Level::And,
        _ => Level::Relation,
    }
}

pub(in crate::formula) fn sign_text(sign: Sign) -> &'static str {
    match sign {
        Sign::Less => " < ",
        Sign::LessEqual => " \\le ",
        Sign::Greater => " > ",
        Sign::GreaterEqual => " \\ge ",
        Sign::Equal => " = ",
        Sign::NotEqual => " \\ne ",
    }
}
