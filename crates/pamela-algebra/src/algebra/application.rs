//! Application of a text rule to a term: match the left side, call the functions, test the guards, instantiate the
//! right side.

use std::collections::hash_map::Entry;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::pattern::{Binding, Item, Matcher, Pattern, Value, instantiate_items};
use super::rule::{Called, Form, Function, Guard, Let, PatternRule, Source};
use super::scope::{Candidate, Clamping, Scope, mentions_index};
use super::terms::Terms;
use crate::expr::ExprId;

/// Maximum number of matches of a rule with one term that are applied.
const MOST_MATCHES: usize = 64;

/// Maximum number of repetitions of a rule.
const MOST_REPEATED: usize = 64;

/// Result of applying a rule to a term.
pub struct Application {
    pub candidate: Candidate,
    /// The functions called for this result.
    pub calls: Vec<Called>,
    /// Index of each guard in the rule's text; guards made by code have none.
    pub asked: Vec<usize>,
}

/// Cache of function results for one term: many rules begin with the same calls.
#[derive(Default)]
pub struct FunctionAnswers(FxHashMap<Call, Rc<[Vec<Value>]>>);

/// A function by where it lies, and its arguments.
type Call = (*const Function, Vec<Value>);

impl FunctionAnswers {
    fn of(
        &mut self,
        function: &Arc<Function>,
        scope: &mut Scope,
        arguments: &[Value],
    ) -> Rc<[Vec<Value>]> {
        // A function without arguments creates something new on each call, so it is not cached.
        if arguments.is_empty() {
            return function.call(scope, arguments).into();
        }
        match self.0.entry((Arc::as_ptr(function), arguments.to_vec())) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(place) => place.insert(function.call(scope, arguments).into()).clone(),
        }
    }
}

/// All results of a rule for a term, before its assumptions are tested.
pub fn made(
    rule: &PatternRule,
    scope: &mut Scope,
    term: ExprId,
    answers: &mut FunctionAnswers,
) -> Vec<Application> {
    if rule.last && scope.clamping == Clamping::Off {
        return Vec::new();
    }
    if !rule.repeat {
        return once(rule, scope, term, answers, MOST_MATCHES);
    }
    let mut last: Option<Application> = None;
    let mut current = term;
    for _ in 0..MOST_REPEATED {
        let Some(mut next) = once(rule, scope, current, answers, 1).pop() else {
            break;
        };
        current = scope.terms.canonical(next.candidate.right);
        if let Some(before) = last {
            next.candidate.guards.splice(0..0, before.candidate.guards);
            next.asked.splice(0..0, before.asked);
            next.calls.splice(0..0, before.calls);
        }
        last = Some(next);
    }
    last.into_iter().collect()
}

/// Results of the first matches, up to a limit.
fn once(
    rule: &PatternRule,
    scope: &mut Scope,
    term: ExprId,
    answers: &mut FunctionAnswers,
    most: usize,
) -> Vec<Application> {
    let mut found = Vec::new();
    let mut matcher = Matcher {
        scope,
        independent: &rule.independent,
    };
    matcher.each(&rule.left, term, rule.variables, &mut |scope, binding| {
        found.extend(instances(rule, scope, binding, answers));
        found.len() < most
    });
    found.truncate(most);
    found
}

/// Results of one match: one for each combination of function results.
fn instances(
    rule: &PatternRule,
    scope: &mut Scope,
    binding: &Binding,
    answers: &mut FunctionAnswers,
) -> Vec<Application> {
    let mut solved = vec![(binding.clone(), Vec::new())];
    for binding in &rule.lets {
        let before = std::mem::take(&mut solved);
        for (known, calls) in before {
            solved.extend(bound(binding, rule, scope, (&known, &calls), answers));
        }
    }
    let solved = solved.into_iter();
    let made = solved.filter_map(|(binding, calls)| {
        let (asked, candidate) = instance(rule, scope, binding)?;
        Some(Application {
            candidate,
            calls,
            asked,
        })
    });
    made.collect()
}

/// The binding with the results of one `let`.
fn bound(
    binding: &Let,
    rule: &PatternRule,
    scope: &mut Scope,
    (known, calls): (&Binding, &[Called]),
    answers: &mut FunctionAnswers,
) -> Vec<(Binding, Vec<Called>)> {
    let mut found = Vec::new();
    match &binding.value {
        Source::Term(pattern) => {
            let Some(value) = pattern.instantiate(&mut scope.terms, known) else {
                return found;
            };
            let value = scope.terms.canonical(value);
            let values = [Value::Term(value)];
            for binding in received(&binding.results, &values, rule, scope, known) {
                found.push((binding, calls.to_vec()));
            }
        }
        Source::Call(function, arguments) => {
            let Some(arguments) = arguments_of(arguments, &mut scope.terms, known) else {
                return found;
            };
            for results in &*answers.of(function, scope, &arguments) {
                for binding in received(&binding.results, results, rule, scope, known) {
                    let values = arguments.iter().chain(results).cloned().collect();
                    let called = Called {
                        function: function.clone(),
                        values,
                    };
                    let calls = calls.iter().cloned().chain([called]).collect();
                    found.push((binding, calls));
                }
            }
        }
    }
    found
}

/// A list for each item that is one, else a term in canonical form.
fn arguments_of(items: &[Item], terms: &mut Terms, binding: &Binding) -> Option<Vec<Value>> {
    let value = |item: &Item| {
        let operands = instantiate_items(std::slice::from_ref(item), terms, binding)?;
        let operands: Vec<ExprId> = operands.into_iter().map(|e| terms.canonical(e)).collect();
        Some(match item {
            Item::One(_) => Value::Term(*operands.first()?),
            Item::Each(..) => Value::list(operands),
        })
    };
    items.iter().map(value).collect()
}

/// The ways in which results match their patterns.
fn received(
    patterns: &[Item],
    results: &[Value],
    rule: &PatternRule,
    scope: &mut Scope,
    binding: &Binding,
) -> Vec<Binding> {
    let mut matcher = Matcher {
        scope,
        independent: &rule.independent,
    };
    matcher.received(patterns, results, binding)
}

/// The right side and the guards, with the index of each guard in the rule's text.
fn instance(
    rule: &PatternRule,
    scope: &mut Scope,
    mut binding: Binding,
) -> Option<(Vec<usize>, Candidate)> {
    let independent = rule.independent.iter().all(|&(free, index)| {
        let symbol = binding.symbol(&scope.terms.arena, index);
        matches!((symbol, binding.get(free)), (Some(s), Some(term)) if !scope.terms.mentions(term, s))
    });
    // Cheap guards are tested before guards that need proofs.
    let (looks, proofs) = (
        rule.assume.iter().filter(|&guard| takes_a_look(guard)),
        &rule.when,
    );
    if !independent
        || !looks
            .chain(proofs)
            .all(|guard| proved(guard, scope, &binding))
    {
        return None;
    }
    let mut guards = Vec::new();
    // A derivation finds the others again.
    if rule.repeat || !rule.lets.is_empty() {
        for (place, guard) in rule.when.iter().enumerate() {
            let truths = truths(guard, &mut scope.terms, &binding)?;
            guards.extend(truths.into_iter().map(|truth| (place, truth)));
        }
    }
    for (place, guard) in (rule.when.len()..).zip(&rule.assume) {
        match guard {
            Guard::Holds(_) | Guard::Each(..) => {
                let truths = truths(guard, &mut scope.terms, &binding)?;
                guards.extend(truths.into_iter().map(|truth| (place, truth)));
            }
            _ if takes_a_look(guard) || proved(guard, scope, &binding) => {}
            _ => return None,
        }
    }
    for &index in &rule.fresh {
        let fresh = scope.terms.arena.fresh_index();
        let symbol = scope.terms.arena.symbol(fresh);
        binding = binding.bind_value(index, Value::Term(symbol))?;
    }
    let right = rule.right.instantiate(&mut scope.terms, &binding)?;
    let (asked, guards) = guards.into_iter().unzip();
    Some((asked, Candidate { right, guards }))
}

/// The truth values that a guard asks for, if it asks for some.
fn truths(guard: &Guard, terms: &mut Terms, binding: &Binding) -> Option<Vec<ExprId>> {
    match guard {
        Guard::Holds(pattern) => Some(vec![pattern.instantiate(terms, binding)?]),
        Guard::Each(each) => instantiate_items(std::slice::from_ref(each), terms, binding),
        _ => Some(Vec::new()),
    }
}

/// True if a guard asks for a form that a term has, which needs no proof.
fn takes_a_look(guard: &Guard) -> bool {
    let (Guard::Form(form, _) | Guard::Not(form, _)) = guard else {
        return false;
    };
    matches!(form, Form::Closed | Form::Contains | Form::Parameters)
}

fn proved(guard: &Guard, scope: &mut Scope, binding: &Binding) -> bool {
    let terms = &mut scope.terms;
    match guard {
        Guard::Holds(_) | Guard::Each(..) => match truths(guard, terms, binding) {
            Some(guards) => guards.into_iter().all(|guard| {
                let guard = scope.terms.canonical(guard);
                scope.holds(guard)
            }),
            None => false,
        },
        Guard::Defined(pattern) => match pattern.instantiate(terms, binding) {
            Some(term) => scope.prover.defined(terms, term),
            None => false,
        },
        Guard::Form(form, operands) => has_form(*form, operands, scope, binding) == Some(true),
        Guard::Not(form, operands) => has_form(*form, operands, scope, binding) == Some(false),
    }
}

fn has_form(
    form: Form,
    operands: &[Pattern],
    scope: &mut Scope,
    binding: &Binding,
) -> Option<bool> {
    let terms = &mut scope.terms;
    let operands = operands.iter().map(|operand| {
        let operand = operand.instantiate(terms, binding)?;
        Some(terms.canonical(operand))
    });
    let operands: Vec<ExprId> = operands.collect::<Option<_>>()?;
    Some(match (form, &operands[..]) {
        (Form::Closed, &[term]) => terms.cost(term).open == 0,
        (Form::Contains, &[term, part]) => {
            let (whole, part) = (terms.polynomial(term), terms.polynomial(part));
            part.atoms().into_iter().any(|atom| whole.contains(atom))
        }
        (Form::Proved, &[guard]) => scope.holds(guard),
        (Form::Parameters, &[term]) => !mentions_index(terms, term),
        (Form::Assumable, &[guard]) => {
            let refuted = terms.arena.not(guard);
            let refuted = terms.canonical(refuted);
            scope.holds(guard) || !scope.holds(refuted) && !mentions_index(&scope.terms, guard)
        }
        _ => return None,
    })
}
