//! Compiled rules, and the functions that they call.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::builtins::Builtin;
use super::functions::Run;
use super::language::Head;
use super::pattern::{Binding, Independence, Item, Pattern, Value, Variable, length};
use super::scope::Scope;
use super::terms::Terms;
use crate::expr::{Contents, ExprId};
use crate::syntax::tree;

/// A compiled rule.
#[derive(Debug)]
pub struct Rule {
    pub name: String,
    /// Name of its file, without extension.
    pub family: String,
    /// File and first line of the rule: `rules/sums.rules:3`.
    pub source: String,
    /// True if it belongs to the library and has passed its checks; false for rules of the user.
    pub shipped: bool,
    /// Description in words.
    pub doc: String,
    pub text: Lazy<RuleText>,
    /// Top node that a term must have for the rule to be tried.
    pub head: Head,
    /// Operators that a term must have for the rule to be tried.
    pub needs: Contents,
    pub body: Body,
}

/// A value computed on first use. Most models need few rules, and rules run without their texts.
pub type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

/// A lazy value that already exists.
pub fn ready<T: Send + 'static>(value: T) -> Lazy<T> {
    Lazy::new(Box::new(|| value))
}

#[derive(Clone, Debug)]
pub struct RuleText {
    /// The rule as written, for printing.
    pub written: tree::Rule,
    /// The rule with text functions expanded, if it calls some.
    pub expanded: Option<tree::Rule>,
}

/// Kind of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The rule is applied by matching and instantiating its text.
    Text,
    /// Code runs; the text describes it.
    Procedure,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Kind::Text => "text",
            Kind::Procedure => "procedure",
        })
    }
}

/// How a rule produces its right side.
#[derive(Debug)]
pub enum Body {
    /// By matching and instantiating.
    Pattern(Lazy<PatternRule>),
    /// By code; also its text as a pattern, with the guards that can be read as patterns.
    Builtin(Builtin, Lazy<Option<PatternRule>>),
}

/// A rule as patterns. `F` is the type of references to functions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PatternRule<F = Arc<Function>> {
    pub left: Pattern,
    pub right: Pattern,
    pub variables: usize,
    pub independent: Vec<Independence>,
    /// Computed in this order after the left side has matched.
    pub lets: Vec<Let<F>>,
    /// Indices of the right side that do not occur on the left.
    pub fresh: Vec<Variable>,
    pub when: Vec<Guard>,
    pub assume: Vec<Guard>,
    /// True if the result is matched again; only the last result counts.
    pub repeat: bool,
    /// True if the rule is tried only where ranges are repaired, after everything else.
    pub last: bool,
}

/// Patterns, and the expression that they match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Let<F = Arc<Function>> {
    pub results: Vec<Item>,
    pub value: Source<F>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Source<F = Arc<Function>> {
    /// A call of a function in code.
    Call(F, Vec<Item>),
    Term(Pattern),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Guard {
    /// The truth value is 1.
    Holds(Pattern),
    /// The truth value is 1 for each element of some lists.
    Each(Item),
    /// The term is defined for all values of its symbols.
    Defined(Pattern),
    /// The term has this form.
    Form(Form, Vec<Pattern>),
    /// The term does not have this form.
    Not(Form, Vec<Pattern>),
}

/// Forms of terms that guards can require; equality does not depend on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// `closed(e)`: no open reduction in it.
    Closed,
    /// `contains(e, x)`: x occurs in it, or is a factor of one of its terms.
    Contains,
    /// `assumable(g)`: the truth value is proved, or it concerns parameters and is not refuted.
    Assumable,
    /// `proved(g)`: the truth value is proved.
    Proved,
    /// `parameters(e)`: it mentions no index.
    Parameters,
}

impl Form {
    pub fn named(name: &str, operands: usize) -> Option<Form> {
        match (name, operands) {
            ("closed", 1) => Some(Form::Closed),
            ("contains", 2) => Some(Form::Contains),
            ("assumable", 1) => Some(Form::Assumable),
            ("proved", 1) => Some(Form::Proved),
            ("parameters", 1) => Some(Form::Parameters),
            _ => None,
        }
    }
}

impl Rule {
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Pattern(_) => Kind::Text,
            Body::Builtin(..) => Kind::Procedure,
        }
    }

    /// The text as written.
    pub fn written(&self) -> &tree::Rule {
        &self.text.written
    }

    /// The text with text functions expanded.
    pub fn expanded(&self) -> &tree::Rule {
        self.text.expanded.as_ref().unwrap_or(&self.text.written)
    }

    /// The rule as a pattern; for a builtin, as far as its text can be read as one.
    pub fn pattern(&self) -> Option<&PatternRule> {
        match &self.body {
            Body::Pattern(pattern) => Some(pattern),
            Body::Builtin(_, pattern) => pattern.as_ref(),
        }
    }
}

impl<F> PatternRule<F> {
    /// Converts references to functions; `None` if one is unknown.
    pub fn with_functions<G>(self, other: impl Fn(F) -> Option<G>) -> Option<PatternRule<G>> {
        let lets = self.lets.into_iter().map(|binding| {
            let value = match binding.value {
                Source::Call(function, arguments) => Source::Call(other(function)?, arguments),
                Source::Term(pattern) => Source::Term(pattern),
            };
            Some(Let {
                results: binding.results,
                value,
            })
        });
        Some(PatternRule {
            lets: lets.collect::<Option<_>>()?,
            left: self.left,
            right: self.right,
            variables: self.variables,
            independent: self.independent,
            fresh: self.fresh,
            when: self.when,
            assume: self.assume,
            repeat: self.repeat,
            last: self.last,
        })
    }
}

/// A declared function.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// File and first line of the rule.
    pub source: String,
    pub doc: String,
    /// The text as written, for printing.
    pub text: Lazy<tree::Function>,
    pub body: Option<Code>,
}

/// A function implemented by code.
#[derive(Debug)]
pub struct Code {
    pub run: Run,
    pub signature: Signature,
}

/// Arguments and results of a function.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Signature {
    /// True for each argument that is a list; then the same for results.
    pub formals: Vec<bool>,
    pub results: Vec<bool>,
    /// Properties of arguments and results, which are the variables in this order.
    pub ensures: Vec<Statement>,
}

/// An equation, or a truth value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Statement {
    pub text: String,
    pub left: Pattern,
    /// The right side of an equation.
    pub right: Option<Pattern>,
    /// Lists whose elements satisfy the property one by one.
    pub lists: Vec<Variable>,
    pub variables: usize,
}

/// A called function, with its arguments and results.
#[derive(Clone, Debug)]
pub struct Called {
    pub function: Arc<Function>,
    pub values: Vec<Value>,
}

impl Called {
    /// The ensured properties: the text, and a truth value or both sides of an equation.
    pub fn statements(&self, terms: &mut Terms) -> Vec<(String, ExprId, Option<ExprId>)> {
        let mut found = Vec::new();
        let code = self.function.body.iter();
        for statement in code.flat_map(|code| &code.signature.ensures) {
            let mut binding = Binding::new(statement.variables);
            for (variable, value) in self.values.iter().enumerate() {
                if let Some(bound) = binding.bind_value(variable, value.clone()) {
                    binding = bound;
                }
            }
            let places = if statement.lists.is_empty() {
                1
            } else {
                length(&statement.lists, &binding).unwrap_or(0)
            };
            for place in 0..places {
                let Some(one) = binding.with_elements(&statement.lists, place) else {
                    continue;
                };
                let Some(left) = statement.left.instantiate(terms, &one) else {
                    continue;
                };
                let right = statement.right.as_ref();
                let right = right.and_then(|right| right.instantiate(terms, &one));
                found.push((statement.text.clone(), left, right));
            }
        }
        found
    }
}

impl Function {
    /// All results of the function for some arguments.
    pub fn call(&self, scope: &mut Scope, arguments: &[Value]) -> Vec<Vec<Value>> {
        let Some(code) = &self.body else {
            return Vec::new();
        };
        let is_list = |value: &Value| matches!(value, Value::List(_));
        let fits = |values: &[Value], lists: &[bool]| {
            let mut pairs = values.iter().zip(lists);
            values.len() == lists.len() && pairs.all(|(value, &list)| is_list(value) == list)
        };
        if !fits(arguments, &code.signature.formals) {
            return Vec::new();
        }
        let mut found = (code.run)(scope, arguments);
        found.retain(|results| fits(results, &code.signature.results));
        found
    }
}
