//! The part of the language DOT that describes nodes, edges and their attributes.

use std::collections::HashMap;

use super::Source;
use crate::error::{Error, short};
use crate::tasks::{MAX_PRECEDENCES, MAX_TASKS};

mod statements;
mod token;

/// A directed graph in its written form.
#[derive(Debug, Default)]
pub struct Dot {
    pub name: String,
    pub nodes: Vec<DotNode>,
    pub edges: Vec<DotEdge>,
}

#[derive(Debug)]
pub struct DotNode {
    pub name: String,
    pub attributes: Attributes,
    pub line: usize,
}

#[derive(Debug)]
pub struct DotEdge {
    pub from: u32,
    pub to: u32,
    pub attributes: Attributes,
}

/// The attributes that are used.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    pub label: Option<String>,
    pub weight: Option<String>,
    pub shape: Option<String>,
}

impl Attributes {
    fn set(&mut self, name: &str, value: String) {
        match name {
            "label" => self.label = Some(value),
            "weight" => self.weight = Some(value),
            "shape" => self.shape = Some(value),
            _ => {}
        }
    }

    /// These, where they say something, else the others.
    fn over(&self, others: &Attributes) -> Attributes {
        let either = |a: &Option<String>, b: &Option<String>| a.clone().or_else(|| b.clone());
        Attributes {
            label: either(&self.label, &others.label),
            weight: either(&self.weight, &others.weight),
            shape: either(&self.shape, &others.shape),
        }
    }
}

/// True if a text begins as graphs do.
pub fn is_of(text: &str) -> bool {
    let mut tokens = token::Tokens::new(text);
    let word = |token: Result<Option<token::Token>, String>| match token {
        Ok(Some(token::Token::Name(name))) => name.to_ascii_lowercase(),
        _ => String::new(),
    };
    let first = word(tokens.next());
    match first.as_str() {
        "strict" => matches!(word(tokens.next()).as_str(), "graph" | "digraph"),
        // A table may have a column of this name.
        "graph" | "digraph" => match tokens.next() {
            Ok(Some(token::Token::Open)) => true,
            Ok(Some(token::Token::Name(_) | token::Token::Text(_))) => {
                matches!(tokens.next(), Ok(Some(token::Token::Open)))
            }
            _ => false,
        },
        _ => false,
    }
}

pub fn parse(source: Source) -> Result<Dot, Error> {
    let mut tokens = token::Tokens::new(source.text);
    let parsed = statements::parse(&mut tokens);
    parsed.map_err(|message| Error::at(format!("{}:{}", source.name, tokens.line()), message))
}

/// Nodes by name.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, u32>,
}

impl Dot {
    fn node(
        &mut self,
        names: &mut Names,
        name: String,
        line: usize,
        defaults: &Attributes,
    ) -> Result<u32, String> {
        if let Some(&number) = names.numbers.get(&name) {
            return Ok(number);
        }
        if self.nodes.len() >= MAX_TASKS {
            return Err(format!(
                "there are more than {MAX_TASKS} nodes, the limit of a graph"
            ));
        }
        let number = self.nodes.len() as u32;
        names.numbers.insert(name.clone(), number);
        let attributes = defaults.clone();
        self.nodes.push(DotNode {
            name,
            attributes,
            line,
        });
        Ok(number)
    }

    fn edge(&mut self, from: u32, to: u32, attributes: &Attributes) -> Result<(), String> {
        if self.edges.len() >= MAX_PRECEDENCES {
            return Err(format!(
                "there are more than {MAX_PRECEDENCES} edges, the limit of a graph"
            ));
        }
        let attributes = attributes.clone();
        self.edges.push(DotEdge {
            from,
            to,
            attributes,
        });
        Ok(())
    }
}

fn unexpected(found: &str, expected: &str) -> String {
    format!("`{}` stands where {expected} was expected", short(found))
}
