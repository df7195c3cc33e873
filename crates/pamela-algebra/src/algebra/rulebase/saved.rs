//! The library's rules in compiled form, saved beside their files: compiling them takes longer than simplifying most
//! models.

use std::borrow::Cow;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{RuleBase, RuleFiles};
use crate::algebra::rule::{Body, Code, Function, Lazy, PatternRule, Rule, RuleText, Signature};
use crate::algebra::{builtins, functions, language::Head};
use crate::expr::Contents;
use crate::syntax::tree;

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    /// Key of the compiled files.
    key: u64,
    functions: Vec<SavedFunction>,
    #[serde(borrow)]
    rules: Vec<SavedRule<'a>>,
}

#[derive(Serialize, Deserialize)]
struct SavedFunction {
    name: String,
    source: String,
    doc: String,
    /// Signature of a function implemented in code.
    signature: Option<Signature>,
}

#[derive(Serialize, Deserialize)]
struct SavedRule<'a> {
    name: String,
    family: String,
    source: String,
    doc: String,
    head: Head,
    needs: Contents,
    /// The applier is code with the rule's name.
    builtin: bool,
    /// A [`SavedPattern`]: most are never asked for.
    #[serde(borrow)]
    pattern: Cow<'a, [u8]>,
}

/// Functions are positions among those that are saved; none where the text of a builtin cannot be read as a pattern.
type SavedPattern = Option<PatternRule<usize>>;

/// The rules compiled from text, on first use of their texts.
type Texts = Arc<Lazy<RuleBase>>;

/// The saved rules, if they were compiled from these files.
pub(super) fn rule_base(files: RuleFiles, saved: &'static [u8]) -> Option<RuleBase> {
    let saved: Saved<'static> = postcard::from_bytes(saved).ok()?;
    if saved.key != files.key {
        return None;
    }
    #[expect(
        clippy::expect_used,
        reason = "the key says that these files were compiled once"
    )]
    let texts: &Texts = &Arc::new(Lazy::new(Box::new(move || {
        let compiled = RuleBase::compiled(files);
        compiled.expect("what was saved of these files was compiled from them")
    })));
    let functions = saved.functions.into_iter().enumerate();
    let functions = functions.map(|(n, function)| function.loaded(n, texts).map(Arc::new));
    let functions: Arc<[_]> = functions.collect::<Option<_>>()?;
    let rules = saved.rules.into_iter().enumerate();
    let rules = rules.map(|(n, rule)| rule.loaded(n, &functions, texts).map(Arc::new));
    Some(RuleBase {
        rules: Arc::new(rules.collect::<Option<_>>()?),
        functions: Arc::new(functions.to_vec()),
        ..RuleBase::default()
    })
}

impl SavedFunction {
    fn loaded(self, position: usize, texts: &Texts) -> Option<Function> {
        let body = match self.signature {
            Some(signature) => Some(Code {
                run: functions::find(&self.name)?,
                signature,
            }),
            None => None,
        };
        let texts = texts.clone();
        Some(Function {
            name: self.name,
            source: self.source,
            doc: self.doc,
            text: Lazy::new(Box::new(move || {
                tree::Function::clone(&texts.functions[position].text)
            })),
            body,
        })
    }
}

impl SavedRule<'static> {
    fn loaded(
        self,
        position: usize,
        functions: &Arc<[Arc<Function>]>,
        texts: &Texts,
    ) -> Option<Rule> {
        let (functions, texts) = (functions.clone(), texts.clone());
        let compiled = texts.clone();
        let pattern = move || {
            let pattern: SavedPattern = postcard::from_bytes(&self.pattern).ok()?;
            pattern?.with_functions(|position| functions.get(position).cloned())
        };
        #[expect(
            clippy::expect_used,
            reason = "a rule without code was saved with its pattern"
        )]
        let body = if self.builtin {
            Body::Builtin(builtins::find(&self.name)?, Lazy::new(Box::new(pattern)))
        } else {
            Body::Pattern(Lazy::new(Box::new(move || {
                let pattern = pattern().or_else(|| compiled.rules[position].pattern().cloned());
                pattern.expect("what was saved as text has a pattern")
            })))
        };
        Some(Rule {
            name: self.name,
            family: self.family,
            source: self.source,
            shipped: true,
            doc: self.doc,
            text: Lazy::new(Box::new(move || {
                RuleText::clone(&texts.rules[position].text)
            })),
            head: self.head,
            needs: self.needs,
            body,
        })
    }
}

/// The bytes to save for files with this key.
pub(super) fn bytes(key: u64, base: &RuleBase) -> Vec<u8> {
    let functions = base.functions.iter().map(|function| SavedFunction {
        name: function.name.clone(),
        source: function.source.clone(),
        doc: function.doc.clone(),
        signature: function.body.as_ref().map(|code| code.signature.clone()),
    });
    let place = |function: Arc<Function>| {
        let mut known = base.functions.iter();
        known.position(|other| other.name == function.name)
    };
    let pattern = |rule: &Rule| {
        let pattern = rule.pattern().cloned();
        let pattern: SavedPattern = pattern.and_then(|pattern| pattern.with_functions(place));
        // Every pattern can be serialised.
        Cow::Owned(postcard::to_allocvec(&pattern).unwrap_or_default())
    };
    let rules = base.rules.iter().map(|rule| SavedRule {
        name: rule.name.clone(),
        family: rule.family.clone(),
        source: rule.source.clone(),
        doc: rule.doc.clone(),
        head: rule.head,
        needs: rule.needs,
        builtin: matches!(rule.body, Body::Builtin(..)),
        pattern: pattern(rule),
    });
    let saved = Saved {
        key,
        functions: functions.collect(),
        rules: rules.collect(),
    };
    postcard::to_allocvec(&saved).unwrap_or_default()
}

/// A hash of the names and the texts of files (FNV-1a): the same on every machine.
pub(super) const fn key(files: &[(&str, &str)]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut file = 0;
    while file < files.len() {
        hash = hashed(hash, files[file].0.as_bytes());
        hash = hashed(hash, files[file].1.as_bytes());
        file += 1;
    }
    hash
}

const fn hashed(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut at = 0;
    while at <= bytes.len() {
        // A zero ends each text.
        let byte = if at < bytes.len() { bytes[at] } else { 0 };
        hash = (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}
