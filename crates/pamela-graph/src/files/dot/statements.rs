//! Statements of DOT, with an explicit stack for subgraphs, so nesting is not limited.

use super::token::{Token, Tokens};
use super::{Attributes, Dot, Names, unexpected};

/// A graph or subgraph that is open.
#[derive(Default)]
struct Scope {
    nodes: Vec<u32>,
    node_defaults: Attributes,
    edge_defaults: Attributes,
    /// The chain of edges that this subgraph stands in: the node sets before it.
    chain: Vec<Vec<u32>>,
}

pub fn parse(tokens: &mut Tokens) -> Result<Dot, String> {
    let mut dot = Dot::default();
    let mut names = Names::default();
    begin(tokens, &mut dot)?;
    let mut scopes = vec![Scope::default()];
    let mut chain: Vec<Vec<u32>> = Vec::new();
    loop {
        let line = tokens.line();
        let Some(token) = tokens.next()? else {
            return Err("the graph ends here, but a `}` is missing".to_string());
        };
        match token {
            Token::Separator if chain.is_empty() => {}
            Token::Open => scopes.push(open(&scopes, std::mem::take(&mut chain))),
            Token::Close => {
                if !chain.is_empty() {
                    return Err(unexpected("}", "a node after `->`"));
                }
                let Some(closed) = scopes.pop() else { break };
                let Some(scope) = scopes.last_mut() else {
                    break;
                };
                scope.nodes.extend(&closed.nodes);
                chain = closed.chain;
                chain.push(closed.nodes);
                chain = after_nodes(tokens, &mut dot, &scopes, chain)?;
            }
            Token::Name(word) if is_word(&word, "subgraph") => {
                if let Some(Token::Name(_) | Token::Text(_)) = tokens.peek()? {
                    tokens.next()?;
                }
                if tokens.next()? != Some(Token::Open) {
                    return Err("`{` was expected after `subgraph`".to_string());
                }
                scopes.push(open(&scopes, std::mem::take(&mut chain)));
            }
            Token::Name(word) if chain.is_empty() && tokens.peek()? == Some(Token::Equals) => {
                let _attribute_of_the_graph = word;
                tokens.next()?;
                tokens.next()?;
            }
            Token::Name(word)
                if chain.is_empty()
                    && tokens.peek()? == Some(Token::OpenList)
                    && is_default(&word) =>
            {
                let attributes = attributes(tokens)?;
                let Some(scope) = scopes.last_mut() else {
                    break;
                };
                match word.to_ascii_lowercase().as_str() {
                    "node" => scope.node_defaults = attributes.over(&scope.node_defaults),
                    "edge" => scope.edge_defaults = attributes.over(&scope.edge_defaults),
                    _ => {}
                }
            }
            Token::Name(word) | Token::Text(word) => {
                let Some(scope) = scopes.last_mut() else {
                    break;
                };
                let node = dot.node(&mut names, word.into_owned(), line, &scope.node_defaults)?;
                scope.nodes.push(node);
                port(tokens)?;
                chain.push(vec![node]);
                chain = after_nodes(tokens, &mut dot, &scopes, chain)?;
            }
            other => return Err(unexpected(&other.to_string(), "a node")),
        }
    }
    Ok(dot)
}

/// `strict digraph name {`
fn begin(tokens: &mut Tokens, dot: &mut Dot) -> Result<(), String> {
    loop {
        match tokens.next()? {
            Some(Token::Open) => return Ok(()),
            Some(Token::Name(word)) if is_word(&word, "strict") || is_word(&word, "digraph") => {}
            Some(Token::Name(word)) if is_word(&word, "graph") && dot.name.is_empty() => {
                return Err(
                    "this graph is undirected: precedences need a `digraph` with `->`".to_string(),
                );
            }
            Some(Token::Name(word) | Token::Text(word)) => dot.name = word.into_owned(),
            _ => return Err("`{` was expected".to_string()),
        }
    }
}

fn open(scopes: &[Scope], chain: Vec<Vec<u32>>) -> Scope {
    let above = scopes.last();
    Scope {
        nodes: Vec::new(),
        node_defaults: above.map_or_else(Attributes::default, |scope| scope.node_defaults.clone()),
        edge_defaults: above.map_or_else(Attributes::default, |scope| scope.edge_defaults.clone()),
        chain,
    }
}

/// Reads the token after a node or a subgraph: an arrow, which continues the chain, or the end of the statement.
fn after_nodes(
    tokens: &mut Tokens,
    dot: &mut Dot,
    scopes: &[Scope],
    chain: Vec<Vec<u32>>,
) -> Result<Vec<Vec<u32>>, String> {
    let mut own = Attributes::default();
    match tokens.peek()? {
        Some(Token::Arrow) => {
            tokens.next()?;
            return Ok(chain);
        }
        Some(Token::Line) => {
            return Err(
                "`--` joins nodes of undirected graphs: precedences are written `->`".to_string(),
            );
        }
        Some(Token::OpenList) => own = attributes(tokens)?,
        _ => {}
    }
    if let [nodes] = &chain[..] {
        for &node in nodes {
            let node = &mut dot.nodes[node as usize].attributes;
            *node = own.over(node);
        }
        return Ok(Vec::new());
    }
    let defaults = scopes
        .last()
        .map_or_else(Attributes::default, |scope| scope.edge_defaults.clone());
    let attributes = own.over(&defaults);
    for pair in chain.windows(2) {
        for &from in &pair[0] {
            for &to in &pair[1] {
                dot.edge(from, to, &attributes)?;
            }
        }
    }
    Ok(Vec::new())
}

/// Lists such as `[label=a, weight=2][shape=box]`.
fn attributes(tokens: &mut Tokens) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    while tokens.peek()? == Some(Token::OpenList) {
        tokens.next()?;
        loop {
            match tokens.next()? {
                Some(Token::CloseList) => break,
                Some(Token::Separator) => {}
                Some(Token::Name(name) | Token::Text(name)) => {
                    let mut value = "true".to_string();
                    if tokens.peek()? == Some(Token::Equals) {
                        tokens.next()?;
                        let Some(Token::Name(text) | Token::Text(text)) = tokens.next()? else {
                            return Err(format!("the attribute `{name}` has no value"));
                        };
                        value = text.into_owned();
                    }
                    attributes.set(&name, value);
                }
                _ => return Err("`]` was expected at the end of the attributes".to_string()),
            }
        }
    }
    Ok(attributes)
}

/// A place at a node, which means nothing here.
fn port(tokens: &mut Tokens) -> Result<(), String> {
    while tokens.peek()? == Some(Token::Colon) {
        tokens.next()?;
        let Some(Token::Name(_) | Token::Text(_)) = tokens.next()? else {
            return Err("the name of a port was expected after `:`".to_string());
        };
    }
    Ok(())
}

fn is_word(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

fn is_default(word: &str) -> bool {
    ["node", "edge", "graph"]
        .iter()
        .any(|keyword| is_word(word, keyword))
}
