//! Conditions.

use super::{Level, Writer, view};
use crate::expr::{Arena, Function};
use crate::formula::law::ParameterFacts;
use crate::formula::names::IndexNames;
use crate::formula::view::{Sign, Truth, View};
use crate::with_stack;

/// A statement for a reader; what is read back has no chains of comparisons.
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
    match truth {
        Truth::Between {
            lower,
            above,
            of,
            below,
            upper,
        } => {
            writer.write(*lower, Level::Sum);
            writer.out.push_str(sign_text(*above));
            writer.write(*of, Level::Sum);
            writer.out.push_str(sign_text(*below));
            writer.write(*upper, Level::Sum);
        }
        _ => writer.write_truth(truth, Level::If),
    }
    writer.out
}

impl Writer<'_> {
    pub(super) fn write_truth(&mut self, truth: &Truth, place: Level) {
        let level = truth_level(truth);
        self.enclosed(level < place, |writer| match truth {
            Truth::Relation(sign, a, b) => {
                writer.write(*a, Level::Sum);
                writer.out.push_str(sign_text(*sign));
                writer.write(*b, Level::Sum);
            }
            Truth::Atom(id) => writer.write(*id, Level::Primary),
            Truth::Not(inner) => {
                writer.out.push('!');
                writer.write_truth(inner, Level::Primary);
            }
            Truth::Between {
                lower,
                above,
                of,
                below,
                upper,
            } => {
                writer.write(*lower, Level::Sum);
                writer.out.push_str(sign_text(*above));
                writer.write(*of, Level::Sum);
                writer.out.push_str(" && ");
                writer.write(*of, Level::Sum);
                writer.out.push_str(sign_text(*below));
                writer.write(*upper, Level::Sum);
            }
            Truth::And(list) => {
                let list = view::intervals(writer.arena, list);
                writer.chain(&list, " && ", Level::And);
            }
            Truth::Or(list) => writer.chain(list, " || ", Level::And),
        });
    }

    fn chain(&mut self, list: &[Truth], operator: &str, place: Level) {
        for (position, truth) in list.iter().enumerate() {
            if position > 0 {
                self.out.push_str(operator);
            }
            with_stack(|| self.write_truth(truth, place));
        }
    }
}

/// Whether the language takes a condition for a truth value by its form.
pub(super) fn is_plainly_true_or_false(arena: &Arena, truth: &Truth) -> bool {
    match truth {
        Truth::Relation(..) | Truth::Between { .. } => true,
        Truth::Atom(id) => matches!(view(arena, *id), View::Apply(Function::Integer, _)),
        Truth::Not(inner) => is_plainly_true_or_false(arena, inner),
        Truth::And(list) | Truth::Or(list) => {
            list.iter().all(|t| is_plainly_true_or_false(arena, t))
        }
    }
}

pub(super) fn truth_level(truth: &Truth) -> Level {
    match truth {
        Truth::Relation(..) => Level::Relation,
        Truth::Atom(_) => Level::Primary,
        Truth::Not(_) => Level::Product,
        Truth::And(_) | Truth::Between { .. } => Level::And,
        Truth::Or(_) => Level::Or,
    }
}

fn sign_text(sign: Sign) -> &'static str {
    match sign {
        Sign::Less => " < ",
        Sign::LessEqual => " <= ",
        Sign::Greater => " > ",
        Sign::GreaterEqual => " >= ",
        Sign::Equal => " == ",
        Sign::NotEqual => " != ",
    }
}
