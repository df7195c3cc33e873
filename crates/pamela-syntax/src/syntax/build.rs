//! Builds items of the syntax tree from grammar pairs. Expressions and processes have their own
//! files.

mod expression;
mod graph;
mod parts;
mod process;
mod record;
mod unit;
mod unknowns;

use pest::Parser;

use self::parts::Parts;
pub(super) use self::unit::lone_unit;
use super::items::ItemKind;
use super::tree::{
    Assertion, Direction, Equation, Expr, ExprKind, Function, Guard, Import, ImportedNames, Item,
    Kept, Let, Monotone, Name, ParameterFact, Range, Relation, Rule as RewriteRule, Table, Type,
    Unit, Value,
};
use crate::diagnostic::{Diagnostic, Span};

#[derive(pest_derive::Parser)]
#[grammar = "syntax/grammar.pest"]
struct Grammar;

/// Reason why an item has no tree.
pub(super) enum Failure {
    /// The grammar rejects the text.
    Grammar(Box<pest::error::Error<Rule>>),
    /// The grammar accepts the text, but it has no meaning.
    Meaning(Box<Diagnostic>),
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Meaning(Box::new(diagnostic))
    }
}

pub(super) type Built<T> = std::result::Result<T, Failure>;

/// The contents of one item of a file.
pub(super) enum Parsed {
    Item(Item),
    /// `include "file"`: the name without quotes, with its location.
    Include(Name),
    Import(Import),
    /// A table whose rows in a file have not been read yet.
    Table(Table),
    Rule(RewriteRule),
    Function(Function),
    Expression(Expr),
    Assertion(Assertion),
}

/// Parses the item `text`, which starts at `place` in its file.
///
/// The text has no [`super::items::Fault`], so its nesting is limited.
pub(super) fn parse_item(kind: ItemKind, text: &str, place: Span) -> Built<Parsed> {
    let rule = match kind {
        ItemKind::Numeric => Rule::numeric_equation,
        ItemKind::Process => Rule::process_equation,
        ItemKind::Resource => Rule::resource_equation,
        ItemKind::Assume => Rule::assumption,
        ItemKind::Assert => Rule::assertion,
        ItemKind::LoneAssertion => Rule::lone_assertion,
        ItemKind::Include => Rule::inclusion,
        ItemKind::Import => Rule::import_item,
        ItemKind::From => Rule::from_item,
        ItemKind::Record => Rule::record_item,
        ItemKind::Table => Rule::table_item,
        ItemKind::Unit => Rule::unit_item,
        ItemKind::Rule => Rule::rule_item,
        ItemKind::Function => Rule::function_item,
        ItemKind::Expression | ItemKind::Stray => Rule::lone_expression,
    };
    let pairs = Grammar::parse(rule, text).map_err(|error| Failure::Grammar(Box::new(error)))?;
    let mut parts = Parts::of_item(pairs, place)?;
    match kind {
        ItemKind::Numeric => equation(Type::Numeric, parts),
        ItemKind::Process => equation(Type::Process, parts),
        ItemKind::Resource => equation(Type::Resource, parts),
        ItemKind::Assume => {
            let mut relations = Vec::new();
            while let Some(part) = parts.next() {
                relations.push(part.expression()?);
            }
            Ok(Parsed::Item(Item::Assume(relations)))
        }
        ItemKind::Assert => assertion(parts).map(|own| Parsed::Item(Item::Assert(own))),
        ItemKind::LoneAssertion => assertion(parts).map(Parsed::Assertion),
        ItemKind::Include => Ok(Parsed::Include(quoted(&parts.take()?))),
        ItemKind::Import | ItemKind::From => import(parts).map(Parsed::Import),
        ItemKind::Record => Ok(Parsed::Item(Item::Record(record::record(parts)?))),
        ItemKind::Table => record::table(parts).map(Parsed::Table),
        ItemKind::Unit => Ok(Parsed::Item(Item::Unit(unit::declared(parts)?))),
        ItemKind::Rule => rule_of(parts).map(Parsed::Rule),
        ItemKind::Function => function_of(parts).map(Parsed::Function),
        ItemKind::Expression | ItemKind::Stray => {
            parts.take()?.expression().map(Parsed::Expression)
        }
    }
}

fn assertion(mut parts: Parts<'_>) -> Built<Assertion> {
    let span = parts.span();
    let claim = parts.take()?.expression()?;
    let when = match parts.next() {
        Some(part) => Some(part.expression()?),
        None => None,
    };
    Ok(Assertion { claim, when, span })
}

fn equation(kind: Type, mut parts: Parts<'_>) -> Built<Parsed> {
    let span = parts.span();
    let parameter = parts.take_if(Rule::parameter_word).is_some();
    let kept = parts.take_if(Rule::kept_flag).is_some();
    let unknown = parts.take_if(Rule::unknown_flag).is_some();
    let name = parts.take()?.name();
    let (formals, defaults, formal_units) = match parts.take_if(Rule::formals) {
        Some(list) => formals(list)?,
        None => Default::default(),
    };
    let mut facts = match parts.take_if(Rule::facts) {
        Some(facts) => parameter_facts(facts)?,
        None => Vec::new(),
    };
    if let Some(mut arrivals) = parts.take_if(Rule::arrivals) {
        let rate = arrivals.take()?.take()?.expression()?;
        facts.push(ParameterFact::Arrivals(Box::new(rate)));
    }
    let value = match parts.next() {
        value if unknown => {
            let law = value.map(Parts::expression).transpose()?;
            unknowns::declare(&name, &mut facts, law)?;
            None
        }
        None => None,
        Some(value) => Some(match kind {
            Type::Numeric => Value::Numeric(value.expression()?),
            Type::Process => Value::Process(value.process()?),
            Type::Resource => Value::Resource(resource(value)?),
        }),
    };
    Ok(Parsed::Item(Item::Equation(Equation {
        kind,
        parameter: parameter || unknown,
        kept,
        name,
        formals,
        defaults,
        formal_units: formal_units.into(),
        facts,
        value,
        comment: None,
        auxiliary: false,
        span,
    })))
}

/// Formals, the defaults of the last of them, and the units of some.
type Formals = (Vec<Name>, Vec<Expr>, Vec<(String, Unit)>);

fn formals(mut parts: Parts<'_>) -> Built<Formals> {
    let (mut names, mut defaults) = (Vec::new(), Vec::<Expr>::new());
    let mut units = Vec::new();
    while let Some(mut formal) = parts.next() {
        let name = formal.take()?.name();
        if let Some(mut unit) = formal.take_if(Rule::formal_unit) {
            units.push((name.text.clone(), unit.take()?.unit()?));
        }
        match (formal.take_if(Rule::default), defaults.last()) {
            (Some(mut default), _) => defaults.push(default.take()?.expression()?),
            (None, Some(earlier)) => {
                let message = format!(
                    "`{}` has no default, but an argument before it has one",
                    name.text
                );
                return Err(Diagnostic::error(message, name.span, "no default")
                    .also(earlier.span, "a default")
                    .hint("put arguments with defaults last")
                    .into());
            }
            (None, None) => {}
        }
        names.push(name);
    }
    Ok((names, defaults, units))
}

fn import(mut parts: Parts<'_>) -> Built<Import> {
    let span = parts.span();
    let single = parts.rule() == Rule::from_item;
    let path = quoted(&parts.take()?);
    let (mut names, mut given) = (Vec::new(), Vec::new());
    while let Some(mut part) = parts.next() {
        match part.rule() {
            Rule::given => {
                while let Some(mut binding) = part.next() {
                    given.push((binding.take()?.name(), binding.take()?.expression()?));
                }
            }
            _ => names.push(part.name()),
        }
    }
    Ok(Import {
        path,
        names: if single {
            ImportedNames::Single(names)
        } else {
            ImportedNames::Under(names.pop())
        },
        given,
        // The parser finds it.
        library: usize::MAX,
        span,
    })
}

fn parameter_facts(mut parts: Parts<'_>) -> Built<Vec<ParameterFact>> {
    let mut facts = Vec::new();
    while let Some(mut fact) = parts.next() {
        facts.push(match fact.rule() {
            Rule::integer_fact => ParameterFact::Integer(fact.span()),
            Rule::law_fact => ParameterFact::Law(fact.span()),
            Rule::row_fact => ParameterFact::Row(fact.name()),
            Rule::units => ParameterFact::Unit(fact.unit()?),
            Rule::monotone_fact => ParameterFact::Monotone(monotone(fact)?),
            _ => {
                let relation = match fact.take()?.text() {
                    ">=" => Relation::GreaterEqual,
                    "<=" => Relation::LessEqual,
                    ">" => Relation::Greater,
                    _ => Relation::Less,
                };
                ParameterFact::Bound(relation, fact.take()?.expression()?)
            }
        });
    }
    Ok(facts)
}

/// `increasing` or `decreasing(x, y)`
fn monotone(mut parts: Parts<'_>) -> Built<Monotone> {
    let span = parts.span();
    let direction = match parts.take()?.text() {
        "increasing" => Direction::Increasing,
        _ => Direction::Decreasing,
    };
    let mut formals = Vec::new();
    while let Some(formal) = parts.next() {
        formals.push(formal.name());
    }
    Ok(Monotone {
        direction,
        formals,
        span,
    })
}

/// `name` or `name(args)` in the place of a resource.
fn resource(mut parts: Parts<'_>) -> Built<Expr> {
    let span = parts.span();
    let name = parts.take()?.name();
    let kind = match parts.take_if(Rule::arguments) {
        Some(arguments) => ExprKind::Call(name, arguments.expressions()?),
        None => ExprKind::Name(name.text),
    };
    Ok(Expr { kind, span })
}

fn rule_of(mut parts: Parts<'_>) -> Built<RewriteRule> {
    let span = parts.span();
    let builtin = parts.take()?.text() == "builtin";
    let name = parts.take()?.name();
    let doc = quoted(&parts.take()?).text;
    let left = parts.take()?.expression()?;
    let right = parts.take()?.expression()?;
    let (mut when, mut assume, mut kept) = (Vec::new(), Vec::new(), Vec::new());
    let (mut laws, mut examples) = (Vec::new(), Vec::new());
    let (mut truths, mut lets) = (Vec::new(), Vec::new());
    let (mut repeat, mut last) = (false, false);
    while let Some(clause) = parts.next() {
        match clause.rule() {
            Rule::law_clause => laws.extend(names(clause)),
            Rule::truth_clause => truths.extend(names(clause)),
            Rule::let_clause => lets.push(let_clause(clause)?),
            Rule::mode_clause => match clause.text() {
                "last" => last = true,
                _ => repeat = true,
            },
            Rule::kept_clause => kept.push(kept_clause(clause)?),
            Rule::example_clause => examples.extend(clause.expressions()?),
            Rule::when_clause => drop(guards(clause, &mut when)?),
            _ => drop(guards(clause, &mut assume)?),
        }
    }
    Ok(RewriteRule {
        name,
        doc,
        builtin,
        left,
        right,
        laws,
        truths,
        lets,
        repeat,
        last,
        when,
        assume,
        kept,
        examples,
        span,
    })
}

fn let_clause(mut clause: Parts<'_>) -> Built<Let> {
    let results = clause.take()?;
    let results = match results.rule() {
        Rule::arguments => results.expressions()?,
        _ => vec![named(&results)],
    };
    let value = clause.take()?.expression()?;
    Ok(Let { results, value })
}

fn named(part: &Parts<'_>) -> Expr {
    Expr {
        kind: ExprKind::Name(part.text().to_owned()),
        span: part.span(),
    }
}

fn function_of(mut parts: Parts<'_>) -> Built<Function> {
    let span = parts.span();
    let name = parts.take()?.name();
    let formals = parts.take()?.expressions()?;
    let mut shape = parts.take()?;
    let (results, value) = match shape.rule() {
        Rule::results => (shape.take()?.expressions()?, None),
        _ => (Vec::new(), Some(shape.take()?.expression()?)),
    };
    let doc = quoted(&parts.take()?).text;
    let ensures = match parts.next() {
        Some(clause) => clause.expressions()?,
        None => Vec::new(),
    };
    Ok(Function {
        name,
        doc,
        formals,
        results,
        ensures,
        value,
        span,
    })
}

fn names(mut clause: Parts<'_>) -> Vec<Name> {
    std::iter::from_fn(|| clause.next())
        .map(|part| part.name())
        .collect()
}

fn kept_clause(clause: Parts<'_>) -> Built<Kept> {
    let mut list = Vec::new();
    let reason = guards(clause, &mut list)?.unwrap_or_default();
    Ok(Kept {
        guards: list,
        reason,
    })
}

/// Reads guards into a list, and the text that ends the clause, if there is one.
fn guards(mut clause: Parts<'_>, list: &mut Vec<Guard>) -> Built<Option<String>> {
    while let Some(mut guard) = clause.next() {
        if guard.rule() == Rule::text {
            return Ok(Some(quoted(&guard).text));
        }
        list.push(if guard.rule() == Rule::not_in {
            Guard::NotIn(guard.take()?.name(), guard.take()?.expression()?)
        } else {
            Guard::Holds(guard.expression()?)
        });
    }
    Ok(None)
}

/// A quoted text without its quotes.
fn quoted(text: &Parts<'_>) -> Name {
    Name {
        text: text.text().trim_matches('"').to_owned(),
        span: text.span(),
    }
}

/// `([k of] i = a, b[, c])`; `ranked` says whether the form that it belongs to has a rank or quorum:
/// always (`Some(true)`), never (`Some(false)`), or as one likes (`None`).
fn range(mut parts: Parts<'_>, form: &str, ranked: Option<bool>) -> Built<Range> {
    let span = parts.span();
    if let Some(mut rows) = parts.take_if(Rule::row_range) {
        if ranked == Some(true) {
            return Err(Diagnostic::error(
                format!("`{form}` over the rows of a table"),
                span,
                "not supported",
            )
            .hint("`sum`, `prod`, `max`, `min`, `seq`, `par` and `any` go through rows")
            .into());
        }
        return Ok(Range::over_rows(rows.take()?.name(), rows.take()?.name()));
    }
    let quorum = match parts.take_if(Rule::quorum) {
        Some(mut quorum) => Some(quorum.take()?.expression()?),
        None => None,
    };
    if let (Some(quorum), Some(false)) = (&quorum, ranked) {
        return Err(Diagnostic::error(format!("`{form}` takes no rank"), quorum.span, "a rank")
            .hint("write `kth (k of i = a, b) { e }` for the k-th smallest, `any (k of i = a, b) L` for a quorum")
            .into());
    }
    if quorum.is_none() && ranked == Some(true) {
        return Err(Diagnostic::error(
            format!("`{form}` needs a rank"),
            span,
            "which one of these?",
        )
        .hint("write `kth (k of i = a, b) { e }` for the k-th smallest")
        .into());
    }
    Ok(Range {
        quorum,
        index: parts.take()?.name(),
        lower: parts.take()?.expression()?,
        upper: parts.take()?.expression()?,
        step: match parts.next() {
            Some(mut step) => Some(step.take()?.expression()?),
            None => None,
        },
    })
}
