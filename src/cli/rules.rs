//! `pamela rules`

use super::arguments::{RuleOptions, RulesCommand};
use super::{Outcome, output, rule_base};
use crate::algebra::{Rule, RuleBase};
use crate::diagnostic::Error;
use crate::pipeline::plain_error;

pub fn run(command: &RulesCommand, options: &RuleOptions) -> Result<Outcome, Error> {
    let base = rule_base(options)?;
    match command {
        RulesCommand::List => output::line(list(&base).trim_end())?,
        RulesCommand::Show { name } => match base.find(name) {
            Some(rule) => output::line(&show(rule))?,
            None => {
                let message = format!("no rule is called `{name}`; `pamela rules list` shows all");
                return Err(plain_error(message));
            }
        },
    }
    Ok(Outcome::Done)
}

fn list(base: &RuleBase) -> String {
    let width = base.rules.iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    let mut text = String::new();
    let mut family = "";
    for rule in &base.rules {
        if rule.family != family {
            let separator = if family.is_empty() { "" } else { "\n" };
            family = &rule.family;
            text.push_str(&format!("{separator}{family}\n"));
        }
        text.push_str(&format!("  {:width$}  {}\n", rule.name, rule.doc));
    }
    text
}

fn show(rule: &Rule) -> String {
    format!("% family: {}\n{}", rule.family, rule.text)
}
