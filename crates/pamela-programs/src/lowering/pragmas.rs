//! Expressions of the language that the user wrote in pragmas.

use super::number::*;
use super::part::*;
use super::walker::Walker;
use crate::problem::Problem;
use crate::source::{Family, Pragma};

impl Walker<'_> {
    /// The expression in a pragma, with the values of C variables.
    pub fn written(&mut self, pragma: &Pragma, word: &str) -> Result<Number, Problem> {
        let text = pragma.argument(word).unwrap_or_default().to_string();
        if text.is_empty() {
            return Err(
                Problem::new(format!("`{word}` needs an expression in parentheses"))
                    .at(pragma.place.clone())
                    .hint(format!("for example #pragma pamela {word}(n * log(n))")),
            );
        }
        let mut pieces = Vec::new();
        let mut rest = text.as_str();
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        while let Some(first) = rest.chars().next() {
            let end = if is_part(first) {
                rest.find(|c| !is_part(c) && c != '.').unwrap_or(rest.len())
            } else {
                first.len_utf8()
            };
            let (token, after) = rest.split_at(end);
            let is_name = first.is_alphabetic() || first == '_';
            let is_call = after.trim_start().starts_with('(');
            pieces.push(if is_name && !is_call && !is_word(token) {
                Piece::Value(self.variable(token, pragma)?)
            } else {
                Piece::Text(token.to_string())
            });
            rest = after;
        }
        Ok(match &pieces[..] {
            [Piece::Value(value)] => value.clone(),
            [Piece::Text(text)] if text.parse::<i64>().is_ok() => {
                Number::constant(text.parse().unwrap_or_default())
            }
            _ => Number::atom(Atom::Written(pieces)),
        })
    }

    /// A name in a pragma: a variable of the program, or a parameter that a pragma declares.
    fn variable(&mut self, name: &str, pragma: &Pragma) -> Result<Number, Problem> {
        let binding = self.values.get(name).map(|binding| binding.value.clone());
        if !matches!(binding, Some(Some(_)))
            && let Some(stated) = self.whole.facts.get(name).cloned()
        {
            let parameter = Parameter {
                symbol: Symbol(0),
                kind: ParameterKind::Value,
                facts: stated.text.into(),
                place: Some(pragma.place.clone()),
                what: "declared by a pragma".to_string(),
                default: None,
                site: None,
            };
            return Ok(Number::symbol(self.parameter(
                (format!("declared {name}"), 0),
                parameter,
                name,
            )));
        }
        let message = match binding {
            Some(Some(value)) => return Ok(value),
            Some(None) => format!("the value of `{name}` is not known here"),
            None => format!("`{name}` is neither a variable nor a parameter"),
        };
        let hint = format!("declare it: #pragma pamela param({name} >= 0)");
        Err(Problem::new(message).at(pragma.place.clone()).hint(hint))
    }

    /// The cost of calls that a pragma before a function states.
    pub fn stated_cost(
        &mut self,
        callee: usize,
        values: &[super::value::Value],
    ) -> Result<Option<Number>, Problem> {
        let function = self.whole.functions[callee].function;
        let Some(pragma) = function
            .pragmas
            .iter()
            .find(|p| p.is(Family::Pamela, "cost"))
        else {
            return Ok(None);
        };
        let scopes = self.values.enter();
        self.values.open();
        for (place, formal) in function.formals.iter().enumerate() {
            let value = values.get(place).and_then(|value| value.number.clone());
            self.values.declare(&formal.name, formal.kind, value);
        }
        let cost = self.written(pragma, "cost");
        self.values.leave(scopes);
        cost.map(Some)
    }
}

fn is_word(token: &str) -> bool {
    matches!(token, "mod" | "div" | "if" | "else")
}
