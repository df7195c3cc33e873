//! Rules, and the functions that they call, ready to be applied.

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};

use super::builtins::Builtin;
use super::functions::Run;
use super::language::Head;
use super::pattern::{Binding, Independence, Item, Pattern, Value, Variable, length};
use super::scope::Scope;
use super::terms::Terms;
use crate::expr::ExprId;
use crate::syntax::tree;

/// A rule, ready to be applied.
#[derive(Debug)]
pub struct Rule {
    pub name: String,
    /// The file that it stands in, without its ending.
    pub family: String,
    /// That file, and the line that the rule begins in: `rules/sums.rules:3`.
    pub source: String,
    /// It comes with the library, which the gates have passed; others are the user's own.
    pub shipped: bool,
    /// What it says, in words.
    pub doc: String,
    pub text: Lazy<RuleText>,
    /// What a term must be for the rule to be tried on it.
    pub head: Head,
    pub body: Body,
}

/// What is made when it is first asked for: most models need few rules, and rules run without their texts.
pub type Lazy<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

/// What exists already.
pub fn ready<T: Send + 'static>(value: T) -> Lazy<T> {
    Lazy::new(Box::new(|| value))
}

#[derive(Clone, Debug)]
pub struct RuleText {
    /// As it was written, for printing.
    pub written: tree::Rule,
    /// The same with functions that are text put in, where it calls some.
    pub expanded: Option<tree::Rule>,
}

/// Whether what a rule says is what runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Its text is matched and instantiated.
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

/// How a rule makes its right side.
#[derive(Debug)]
pub enum Body {
    /// By matching and instantiating.
    Pattern(Lazy<PatternRule>),
    /// By code; its text as a pattern, with those guards that can be read as patterns too.
    Builtin(Builtin, Lazy<Option<PatternRule>>),
}

/// A rule as patterns, which refers to functions by `F`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PatternRule<F = Arc<Function>> {
    pub left: Pattern,
    pub right: Pattern,
    pub variables: usize,
    pub independent: Vec<Independence>,
    /// What is computed once left has matched, in this order.
    pub lets: Vec<Let<F>>,
    /// Indices of the right side that the left one has not.
    pub fresh: Vec<Variable>,
    pub when: Vec<Guard>,
    pub assume: Vec<Guard>,
    /// What it makes is matched again, and only the last result counts.
    pub repeat: bool,
    /// It is tried only where ranges are repaired: where nothing else closes a term.
    pub last: bool,
}

/// Patterns, and what they are matched with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Let<F = Arc<Function>> {
    pub results: Vec<Item>,
    pub value: Source<F>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Source<F = Arc<Function>> {
    /// Of a function that is code.
    Call(F, Vec<Item>),
    Term(Pattern),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Guard {
    /// The truth value is 1.
    Holds(Pattern),
    /// It is 1 for each element of some lists.
    Each(Item),
    /// The term is defined for all values of its symbols.
    Defined(Pattern),
    /// The term has the form that is asked for.
    Form(Form, Vec<Pattern>),
    /// It has not.
    Not(Form, Vec<Pattern>),
}

/// What may be asked of the form of terms: equality asks for none of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// `closed(e)`: no reduction is left in it.
    Closed,
    /// `contains(e, x)`: x stands in it, or is a factor of one of its terms.
    Contains,
    /// `assumable(g)`: the truth value is proved, or may be assumed, since it speaks of parameters and is not refuted.
    Assumable,
    /// `proved(g)`: the truth value is proved.
    Proved,
    /// `parameters(e)`: it speaks of no index.
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

    /// Its text as it was written.
    pub fn written(&self) -> &tree::Rule {
        &self.text.written
    }

    /// Its text with functions that are text put in.
    pub fn expanded(&self) -> &tree::Rule {
        self.text.expanded.as_ref().unwrap_or(&self.text.written)
    }

    /// What it says as a pattern; of a builtin, as far as its text can be read as one.
    pub fn pattern(&self) -> Option<&PatternRule> {
        match &self.body {
            Body::Pattern(pattern) => Some(pattern),
            Body::Builtin(_, pattern) => pattern.as_ref(),
        }
    }
}

impl<F> PatternRule<F> {
    /// The same with functions that are referred to otherwise; `None` where one is not known.
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

/// A function as it is declared.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    /// The file, and the line that it begins in.
    pub source: String,
    pub doc: String,
    /// Its text as it was written, for printing.
    pub text: Lazy<tree::Function>,
    pub body: Option<Code>,
}

/// What a function does that is code.
#[derive(Debug)]
pub struct Code {
    pub run: Run,
    pub signature: Signature,
}

/// What a function takes and gives.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Signature {
    /// Of each argument, and of each result: whether it is a list.
    pub formals: Vec<bool>,
    pub results: Vec<bool>,
    /// What holds of arguments and results, which are the variables in this order.
    pub ensures: Vec<Statement>,
}

/// An equation, or a truth value.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Statement {
    pub text: String,
    pub left: Pattern,
    /// Of an equation.
    pub right: Option<Pattern>,
    /// It holds of the elements of these lists one by one.
    pub lists: Vec<Variable>,
    pub variables: usize,
}

/// A function that was called, with its arguments and then its results.
#[derive(Clone, Debug)]
pub struct Called {
    pub function: Arc<Function>,
    pub values: Vec<Value>,
}

impl Called {
    /// What the function ensures of its results: the text, and a truth value or the sides of an equation.
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
            let places = match statement.lists.is_empty() {
                true => 1,
                false => length(&statement.lists, &binding).unwrap_or(0),
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
    /// What the function makes of some arguments: its results, in every way.
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
