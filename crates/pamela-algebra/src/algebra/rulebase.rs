//! The rule base: rule files compiled into patterns, guards and appliers.

mod compiler;
mod functions;
mod laws;
mod needs;
mod saved;

use std::sync::{Arc, OnceLock};

use crate::diagnostic::{Diagnostic, Error, Result, Span};
use crate::expr::{Contents, Operation};
use crate::syntax::{self, tree};

use compiler::Compiler;

use super::builtins;
use super::language::{Head, Reducer};
use super::rule::{Body, Function, Let, PatternRule, Rule, RuleText, ready};
use super::saturation::Rewrites;

/// Rule files embedded in a program, each with the name of its family.
#[derive(Clone, Copy, Debug)]
pub struct RuleFiles {
    texts: &'static [(&'static str, &'static str)],
    key: u64,
}

impl RuleFiles {
    pub const fn new(texts: &'static [(&'static str, &'static str)]) -> RuleFiles {
        RuleFiles {
            texts,
            key: saved::key(texts),
        }
    }
}

/// All rules, in the order in which they are tried.
#[derive(Clone, Debug, Default)]
pub struct RuleBase {
    /// Shared by the copies of a base; each model has one.
    rules: Arc<Vec<Arc<Rule>>>,
    functions: Arc<Vec<Arc<Function>>>,
    /// The rules in egg's form, made on first use.
    rewrites: OnceLock<Arc<Rewrites>>,
}

impl RuleBase {
    /// The rules of the given files: from `saved`, or else compiled, which takes longer than
    /// simplifying most models.
    ///
    /// # Errors
    /// Fails if a rule file does not compile.
    pub fn load(files: RuleFiles, saved: &'static [u8]) -> Result<RuleBase> {
        let base = match saved::rule_base(files, saved) {
            Some(base) => base,
            None => RuleBase::compiled(files)?,
        };
        // Its clones share what was made for it.
        base.rewrites();
        Ok(base)
    }

    /// The rules of the given files, compiled.
    fn compiled(files: RuleFiles) -> Result<RuleBase> {
        let mut base = RuleBase::default();
        for (family, text) in files.texts {
            base.add_from(family, &format!("rules/{family}.rules"), text, true)?;
        }
        Ok(base)
    }

    /// The compiled form of the given files.
    ///
    /// # Errors
    /// Fails if a rule file does not compile.
    pub fn saved(files: RuleFiles) -> Result<Vec<u8>> {
        Ok(saved::bytes(files.key, &RuleBase::compiled(files)?))
    }

    /// All rules, in the order in which they are tried.
    pub fn rules(&self) -> &[Arc<Rule>] {
        &self.rules
    }

    /// True if all rules belong to the library.
    pub fn is_shipped(&self) -> bool {
        // Rules of the user come after all others.
        self.rules.last().is_none_or(|rule| rule.shipped)
    }

    /// Keeps the rules for which `wanted` is true.
    pub fn retain(&mut self, wanted: impl Fn(&Rule) -> bool) {
        Arc::make_mut(&mut self.rules).retain(|rule| wanted(rule));
        self.rewrites = OnceLock::new();
    }

    /// The rules in egg's form.
    pub(super) fn rewrites(&self) -> Arc<Rewrites> {
        let rewrites = self
            .rewrites
            .get_or_init(|| Arc::new(Rewrites::new(&self.rules)));
        rewrites.clone()
    }

    /// Adds the rules of one file.
    ///
    /// # Errors
    /// Fails with syntax errors, duplicate names, unbound variables, and unknown functions and
    /// predicates, each with its location.
    pub fn add(&mut self, family: &str, file: &str, text: &str) -> Result<()> {
        self.add_from(family, file, text, false)
    }

    fn add_from(&mut self, family: &str, file: &str, text: &str, shipped: bool) -> Result<()> {
        let (tree, sources) = syntax::parse_rules(file, text)?;
        self.rewrites = OnceLock::new();
        let mut diagnostics = Vec::new();
        let mut lines = Lines::new(file, text);
        for function in tree.functions {
            let place = lines.place(function.span);
            match functions::declare(&self.functions, &place, function) {
                Ok(function) => Arc::make_mut(&mut self.functions).push(Arc::new(function)),
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        let mut lines = Lines::new(file, text);
        for rule in tree.rules {
            if self.find(&rule.name.text).is_some() {
                let label = "a rule of this name exists already";
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
            match compile(&self.functions, family, &lines.place(rule.span), rule) {
                Ok(rule) => {
                    Arc::make_mut(&mut self.rules).push(Arc::new(Rule { shipped, ..rule }));
                }
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        if diagnostics.is_empty() {
            return Ok(());
        }
        Err(Error {
            diagnostics,
            sources,
        })
    }

    /// Functions that rules can call, in the order of the files.
    pub fn functions(&self) -> &[Arc<Function>] {
        &self.functions
    }

    /// The rule called `name`.
    pub fn find(&self, name: &str) -> Option<&Arc<Rule>> {
        self.rules.iter().find(|rule| rule.name == name)
    }
}

type Compiled<T> = std::result::Result<T, Box<Diagnostic>>;

fn fail<T>(message: String, span: Span, label: &str, hint: &str) -> Compiled<T> {
    Err(Box::new(Diagnostic::error(message, span, label).hint(hint)))
}

/// The lines of a file, counted from place to place.
struct Lines<'a> {
    file: &'a str,
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    fn new(file: &'a str, text: &'a str) -> Lines<'a> {
        Lines {
            file,
            text,
            at: 0,
            line: 1,
        }
    }

    /// `FILE:LINE` of a place that is not before the last one.
    fn place(&mut self, span: Span) -> String {
        let passed = self.text.bytes().take(span.start as usize).skip(self.at);
        self.line += passed.filter(|&byte| byte == b'\n').count();
        self.at = span.start as usize;
        format!("{}:{}", self.file, self.line)
    }
}

fn compile(
    functions: &[Arc<Function>],
    family: &str,
    source: &str,
    written: tree::Rule,
) -> Compiled<Rule> {
    let expanded = functions::expanded(functions, &written);
    let text = expanded.as_ref().unwrap_or(&written);
    let head = head_of(text)?;
    let body = if text.builtin {
        match builtins::find(&text.name.text) {
            Some(builtin) => Body::Builtin(builtin, ready(as_written(text))),
            None => {
                let message = format!("no builtin named `{}`", text.name.text);
                let hint = "write it as a `rule`, or register its applier under this name";
                return fail(message, text.name.span, "unknown applier", hint);
            }
        }
    } else {
        let (mut compiler, mut rule) = sides(functions, text)?;
        rule.when = compiler.guards(&text.when, &mut rule.independent)?;
        rule.assume = compiler.guards(&text.assume, &mut rule.independent)?;
        for kept in &text.kept {
            let guards = compiler.guards(&kept.guards, &mut rule.independent)?;
            rule.assume.extend(guards);
        }
        Body::Pattern(ready(rule))
    };
    let needs = match &body {
        Body::Pattern(rule) => needs::needs(rule),
        Body::Builtin(..) => Contents::NOTHING,
    };
    Ok(Rule {
        name: written.name.text.clone(),
        family: family.to_string(),
        source: source.to_string(),
        shipped: false,
        doc: written.doc.clone(),
        text: ready(RuleText { written, expanded }),
        head,
        needs,
        body,
    })
}

/// The left and right sides, and the compiler that knows their variables.
fn sides<'a>(
    functions: &'a [Arc<Function>],
    text: &tree::Rule,
) -> Compiled<(Compiler<'a>, PatternRule)> {
    let mut compiler = Compiler::new(functions, &text.laws);
    compiler.binding = true;
    let left = compiler.pattern(&text.left)?;
    compiler.binding = false;
    let lets = text.lets.iter().map(|binding| compiler.binding(binding));
    let lets = lets.collect::<Compiled<Vec<Let>>>()?;
    let right = compiler.pattern(&text.right)?;
    let rule = PatternRule {
        left,
        right,
        variables: compiler.count(),
        independent: Vec::new(),
        lets,
        fresh: std::mem::take(&mut compiler.fresh),
        when: Vec::new(),
        assume: Vec::new(),
        repeat: text.repeat,
        last: text.last,
    };
    Ok((compiler, rule))
}

/// The text of a builtin as a pattern, with those of its `when` guards that can be read as patterns.
fn as_written(text: &tree::Rule) -> Option<PatternRule> {
    let (mut compiler, mut pattern) = sides(&[], text).ok()?;
    for guard in &text.when {
        let guard = std::slice::from_ref(guard);
        if let Ok(compiled) = compiler.guards(guard, &mut pattern.independent) {
            pattern.when.extend(compiled);
        }
    }
    Some(pattern)
}

/// The operator at the root of a left side.
fn head_of(rule: &tree::Rule) -> Compiled<Head> {
    use tree::ExprKind as E;
    let left = &rule.left;
    let of_laws = !rule.laws.is_empty() || laws::is_named(left);
    let head = match &left.kind {
        E::Name(name) if rule.truths.iter().any(|truth| truth.text == *name) => Head::Compare,
        E::Call(name, arguments) if laws::is_moment(&name.text, arguments.len()) => Head::Cumulant,
        E::Call(name, _) if name.text == laws::QUANTILE => Head::Quantile,
        E::Call(name, _) if name.text == laws::PROBABILITY => Head::Probability,
        E::Reduce(r) if of_laws && r.kind != tree::ReduceKind::Sum => Head::Order,
        E::Call(..) | E::Product(..) | E::If(..) if of_laws => Head::Law,
        E::Reduce(r) => Head::Reduce(reducer(r.kind)),
        E::If(..) => Head::If,
        E::Graph(_) => Head::LongestPath,
        E::Compare(..) => Head::Compare,
        E::Power(..) => Head::Pow,
        E::Sum(..) => Head::Add,
        E::Product(_, rest) if rest.iter().all(|(op, _)| *op == tree::MulOp::Multiply) => Head::Mul,
        E::Product(_, rest) if rest.len() == 1 && rest[0].0 == tree::MulOp::Modulo => Head::Mod,
        E::Product(_, rest) if rest.len() == 1 && rest[0].0 == tree::MulOp::FloorDivide => {
            Head::Floor
        }
        E::Call(name, arguments) => match (name.text.as_str(), arguments.len()) {
            ("total", 1) => Head::Add,
            ("max", 1) if !spreads(arguments) => Head::VectorMax,
            ("max", _) => Head::Max,
            ("min", _) => Head::Min,
            ("floor", _) => Head::Floor,
            ("ceil", _) => Head::Ceil,
            (name, _) => Operation::named(name).map_or(Head::Apply, Head::Operate),
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

/// True if a list stands among the arguments.
fn spreads(arguments: &[tree::Expr]) -> bool {
    let is_list = |argument: &tree::Expr| matches!(&argument.kind, tree::ExprKind::Call(name, _) if name.text == tree::SPREAD);
    arguments.iter().any(is_list)
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
