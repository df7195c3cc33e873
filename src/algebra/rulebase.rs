//! The rule base: rule files compiled into patterns, guards and appliers.

mod compiler;

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Error, Result, Sources, Span};
use crate::syntax::{self, tree};

use compiler::Compiler;

use super::builtins::{self, Builtin};
use super::language::{Head, Reducer};
use super::pattern::{Independence, Pattern};
use super::scope::Rewrites;

/// The files that are compiled into the library, by family.
const FILES: &[(&str, &str)] = &[
    ("conditions", include_str!("../../rules/conditions.rules")),
    ("maxplus", include_str!("../../rules/maxplus.rules")),
    ("rounding", include_str!("../../rules/rounding.rules")),
    ("vectors", include_str!("../../rules/vectors.rules")),
    ("sums", include_str!("../../rules/sums.rules")),
    ("series", include_str!("../../rules/series.rules")),
    ("extrema", include_str!("../../rules/extrema.rules")),
    ("moments", include_str!("../../rules/moments.rules")),
    ("products", include_str!("../../rules/products.rules")),
    ("order", include_str!("../../rules/order.rules")),
];

/// A rule, ready to be applied.
#[derive(Debug)]
pub struct Rule {
    pub name: String,
    /// The file that it stands in, without its ending.
    pub family: String,
    /// That file, and the line that the rule begins in: `rules/sums.rules:3`.
    pub source: String,
    /// What it says, in words.
    pub doc: String,
    /// Its text as written, for printing.
    pub text: tree::Rule,
    /// What a term must be for the rule to be tried on it.
    pub head: Head,
    pub body: Body,
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
    Pattern(Box<PatternRule>),
    /// By code.
    Builtin(Builtin),
}

#[derive(Debug)]
pub struct PatternRule {
    pub left: Pattern,
    pub right: Pattern,
    pub variables: usize,
    pub independent: Vec<Independence>,
    pub when: Vec<Guard>,
    pub assume: Vec<Guard>,
}

#[derive(Debug)]
pub enum Guard {
    /// The truth value is 1.
    Holds(Pattern),
    /// The term is defined for all values of its symbols.
    Defined(Pattern),
}

/// All rules, in the order in which they are tried.
#[derive(Clone, Debug, Default)]
pub struct RuleBase {
    rules: Vec<Arc<Rule>>,
    /// The rules as egg takes them, once they were asked for.
    rewrites: OnceLock<Arc<Rewrites>>,
}

impl RuleBase {
    /// The rules that come with the library.
    ///
    /// # Errors
    /// A rule file that does not compile; the tests show that none of the library's is one.
    pub fn standard() -> Result<RuleBase> {
        // Compiling them takes longer than simplifying most models.
        static STANDARD: OnceLock<RuleBase> = OnceLock::new();
        if let Some(base) = STANDARD.get() {
            return Ok(base.clone());
        }
        let mut base = RuleBase::default();
        for (family, text) in FILES {
            base.add(family, &format!("rules/{family}.rules"), text)?;
        }
        // Its clones share what was made for it.
        base.rewrites();
        Ok(STANDARD.get_or_init(|| base).clone())
    }

    /// All rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// Leaves the rules that are wanted.
    pub fn retain(&mut self, wanted: impl Fn(&Rule) -> bool) {
        self.rules.retain(|rule| wanted(rule));
        self.rewrites = OnceLock::new();
    }

    /// The rules as egg takes them.
    pub(super) fn rewrites(&self) -> Arc<Rewrites> {
        let rewrites = self
            .rewrites
            .get_or_init(|| Arc::new(Rewrites::new(&self.rules)));
        rewrites.clone()
    }

    /// Adds the rules of one file.
    ///
    /// # Errors
    /// Syntax errors, duplicate names, unbound variables, unknown functions and predicates, each
    /// with its place.
    pub fn add(&mut self, family: &str, file: &str, text: &str) -> Result<()> {
        let (parsed, sources) = syntax::parse_rules(file, text)?;
        self.rewrites = OnceLock::new();
        let mut diagnostics = Vec::new();
        for rule in parsed.rules {
            if self.find(&rule.name.text).is_some() {
                let label = "a rule of this name exists";
                diagnostics.push(
                    Diagnostic::error(
                        format!("duplicate rule `{}`", rule.name.text),
                        rule.name.span,
                        label,
                    )
                    .hint("rename it; `pamela rules list` shows all names"),
                );
                continue;
            }
            match compile(family, &place(file, text, rule.span), rule) {
                Ok(rule) => self.rules.push(Arc::new(rule)),
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        if diagnostics.is_empty() {
            Ok(())
        } else {
            Err(error(diagnostics, sources))
        }
    }

    /// The rule called `name`.
    pub fn find(&self, name: &str) -> Option<&Arc<Rule>> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

fn error(diagnostics: Vec<Diagnostic>, sources: Arc<Sources>) -> Error {
    Error {
        diagnostics,
        sources,
    }
}

type Compiled<T> = std::result::Result<T, Box<Diagnostic>>;

fn fail<T>(message: String, span: Span, label: &str, hint: &str) -> Compiled<T> {
    Err(Box::new(Diagnostic::error(message, span, label).hint(hint)))
}

/// `FILE:LINE`
fn place(file: &str, text: &str, span: Span) -> String {
    let before = text.bytes().take(span.start as usize);
    let line = 1 + before.filter(|&byte| byte == b'\n').count();
    format!("{file}:{line}")
}

fn compile(family: &str, source: &str, text: tree::Rule) -> Compiled<Rule> {
    let head = head_of(&text.left, !text.laws.is_empty())?;
    if !text.laws.is_empty() && !text.builtin {
        let hint = "a rule about laws is a `builtin`: patterns match scalars and vectors";
        return fail(
            "a `rule` has no laws".into(),
            text.laws[0].span,
            "stands for a law",
            hint,
        );
    }
    let body = if text.builtin {
        match builtins::find(&text.name.text) {
            Some(builtin) => Body::Builtin(builtin),
            None => {
                let message = format!("no builtin is called `{}`", text.name.text);
                let hint = "write it as a `rule`, or register its applier under this name";
                return fail(message, text.name.span, "unknown applier", hint);
            }
        }
    } else {
        let (mut compiler, mut rule) = sides(&text)?;
        rule.when = compiler.guards(&text.when, &mut rule.independent)?;
        rule.assume = compiler.guards(&text.assume, &mut rule.independent)?;
        for kept in &text.kept {
            let guards = compiler.guards(&kept.guards, &mut rule.independent)?;
            rule.assume.extend(guards);
        }
        Body::Pattern(Box::new(rule))
    };
    Ok(Rule {
        name: text.name.text.clone(),
        family: family.to_string(),
        source: source.to_string(),
        doc: text.doc.clone(),
        head,
        body,
        text,
    })
}

/// The left and right sides, and the compiler that knows their variables.
fn sides(text: &tree::Rule) -> Compiled<(Compiler, PatternRule)> {
    let mut compiler = Compiler {
        variables: HashMap::new(),
        binding: true,
    };
    let left = compiler.pattern(&text.left)?;
    compiler.binding = false;
    let right = compiler.pattern(&text.right)?;
    let rule = PatternRule {
        left,
        right,
        variables: compiler.variables.len(),
        independent: Vec::new(),
        when: Vec::new(),
        assume: Vec::new(),
    };
    Ok((compiler, rule))
}

impl Rule {
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Pattern(_) => Kind::Text,
            Body::Builtin(_) => Kind::Procedure,
        }
    }

    /// The rule as a pattern with its `when` guards; of a builtin, as far as its text can be read as one.
    pub fn as_written(&self) -> Option<PatternRule> {
        let (mut compiler, mut rule) = sides(&self.text).ok()?;
        for guard in &self.text.when {
            let guard = std::slice::from_ref(guard);
            if let Ok(compiled) = compiler.guards(guard, &mut rule.independent) {
                rule.when.extend(compiled);
            }
        }
        Some(rule)
    }
}

/// The operator at the root of a left side.
fn head_of(left: &tree::Expr, of_laws: bool) -> Compiled<Head> {
    use tree::ExprKind as E;
    let head = match &left.kind {
        E::Call(name, arguments) if is_moment(&name.text) && arguments.len() == 1 => Head::Cumulant,
        E::Reduce(r) if of_laws && r.kind != tree::ReduceKind::Sum => Head::Order,
        E::Call(..) | E::Product(..) | E::If(..) if of_laws => Head::Law,
        E::Reduce(r) => Head::Reduce(reducer(r.kind)),
        E::If(..) => Head::If,
        E::Compare(..) => Head::Compare,
        E::Power(..) => Head::Pow,
        E::Sum(..) => Head::Add,
        E::Product(_, rest) if rest.iter().all(|(op, _)| *op == tree::MulOp::Multiply) => Head::Mul,
        E::Product(_, rest) if rest.len() == 1 && rest[0].0 == tree::MulOp::Modulo => Head::Mod,
        E::Product(_, rest) if rest.len() == 1 && rest[0].0 == tree::MulOp::FloorDivide => {
            Head::Floor
        }
        E::Call(name, arguments) => match (name.text.as_str(), arguments.len()) {
            ("max", 1) => Head::VectorMax,
            ("max", _) => Head::Max,
            ("min", _) => Head::Min,
            ("floor", _) => Head::Floor,
            ("ceil", _) => Head::Ceil,
            _ => Head::Apply,
        },
        _ => {
            let hint = "a left side is a reduction, a function, a comparison or a conditional";
            return fail(
                "the left side has no operator to index it by".into(),
                left.span,
                "found this",
                hint,
            );
        }
    };
    Ok(head)
}

fn is_moment(name: &str) -> bool {
    ["E", "Var", "K3", "K4"].contains(&name)
}

fn reducer(kind: tree::ReduceKind) -> Reducer {
    match kind {
        tree::ReduceKind::Sum => Reducer::Sum,
        tree::ReduceKind::Product => Reducer::Product,
        tree::ReduceKind::Max => Reducer::Max,
        tree::ReduceKind::Min => Reducer::Min,
        tree::ReduceKind::Kth => Reducer::Kth,
    }
}
