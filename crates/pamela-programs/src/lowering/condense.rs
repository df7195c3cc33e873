//! Shorter models of large programs: equal functions become one process; then parts whose times depend on no derived size
//! become one mean time.

use std::collections::BTreeMap;

use super::number::*;
use super::part::{Declared, Parameter, ParameterKind, Range};
use super::process::{Equation, Process, Resource, inner, sequence, symbols, walk};
use super::walker::{Name, Role, Walker};

/// How far a model is shortened; each step includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// What takes the same time in fewer words: functions that are single delays, arguments that are always the same
    /// number, loops over a delay, ranks that all wait equally long.
    Exact,
    /// Branches on data around straight code are part of its mean time.
    Branches,
    /// Loops around straight code whose iterations do not follow from sizes are part of its mean time.
    Loops,
    /// Functions that are called once are part of their callers.
    Callers,
    /// Branches on sizes around straight code are part of its mean time.
    Sizes,
}

pub const STEPS: [Step; 5] = [
    Step::Exact,
    Step::Branches,
    Step::Loops,
    Step::Callers,
    Step::Sizes,
];

/// Rounds of shortening: each makes the calls one level less deep.
const MOST_ROUNDS: usize = 32;

/// Symbols of bound variables in a form in which their numbers do not matter: none is made by a walk.
const FIRST_BOUND: u32 = u32::MAX / 2;

/// Makes equal processes of one function the same one.
pub fn merge(walker: &Walker, equations: &mut Vec<Equation>) {
    for _ in 0..MOST_ROUNDS {
        let mut known: BTreeMap<(&str, usize), Vec<(Process, usize)>> = BTreeMap::new();
        let mut same: BTreeMap<usize, usize> = BTreeMap::new();
        for (at, formals, process) in equations.iter() {
            let Some(at) = *at else { continue };
            let Some(form) = canonical(process, formals) else {
                continue;
            };
            let key = (walker.instances[at].comment.as_str(), formals.len());
            let others = known.entry(key).or_default();
            match others.iter().find(|(other, _)| *other == form) {
                Some((_, first)) => {
                    same.insert(at, *first);
                }
                None => others.push((form, at)),
            }
        }
        if same.is_empty() {
            return;
        }
        equations.retain(|(at, _, _)| at.is_none_or(|at| !same.contains_key(&at)));
        for (_, _, process) in equations.iter_mut() {
            *process = mapped(process, &mut |process| match process {
                Process::Call(at, arguments) => {
                    Process::Call(*same.get(&at).unwrap_or(&at), arguments)
                }
                other => other,
            });
        }
    }
}

/// The process with bound variables renamed by their depth; nothing where a number becomes too long.
fn canonical(process: &Process, bound: &[Symbol]) -> Option<Process> {
    let name = |depth: usize| Symbol(FIRST_BOUND + depth as u32);
    let mut renamed = process.clone();
    for (depth, symbol) in bound.iter().enumerate() {
        renamed = renamed.with(*symbol, &Number::symbol(name(depth)))?;
    }
    let mut depth = bound.len();
    let mut is_short = true;
    let renamed = mapped(&renamed, &mut |process| {
        let is_par = matches!(process, Process::Par(..));
        match process {
            Process::Seq(range, body) | Process::Par(range, body)
                if range.index.0 < FIRST_BOUND =>
            {
                depth += 1;
                let index = name(depth);
                let body = body.with(range.index, &Number::symbol(index));
                is_short &= body.is_some();
                let (range, body) = (
                    Range { index, ..range },
                    Box::new(body.unwrap_or(Process::Sequence(Vec::new()))),
                );
                if is_par {
                    Process::Par(range, body)
                } else {
                    Process::Seq(range, body)
                }
            }
            other => other,
        }
    });
    is_short.then_some(renamed)
}

/// The process with each part replaced, inner ones first.
fn mapped(process: &Process, map: &mut dyn FnMut(Process) -> Process) -> Process {
    let mut one = |process: &Process| Box::new(mapped(process, map));
    let part = match process {
        Process::Delay(_) | Process::Use(..) | Process::Call(..) => process.clone(),
        Process::Sequence(list) => sequence(list.iter().map(|part| *one(part)).collect()),
        Process::Both(list) => Process::Both(list.iter().map(|part| *one(part)).collect()),
        Process::Seq(range, body) => Process::Seq(range.clone(), one(body)),
        Process::Par(range, body) => Process::Par(range.clone(), one(body)),
        Process::If(condition, then, otherwise) => {
            Process::If(condition.clone(), one(then), one(otherwise))
        }
        Process::Switch(cases) => {
            let cases = cases.iter().map(|(c, part)| (c.clone(), *one(part)));
            Process::Switch(cases.collect())
        }
        Process::Pipeline(chain) => {
            let mut chain = chain.clone();
            chain.work = *one(&chain.work);
            chain.message = *one(&chain.message);
            Process::Pipeline(chain)
        }
    };
    map(part)
}

/// Shortens the processes by a step.
pub fn shorten(walker: &mut Walker, equations: &mut Vec<Equation>, step: Step) {
    for _ in 0..MOST_ROUNDS {
        let before = equations.clone();
        merge(walker, equations);
        with_same_arguments(equations);
        inline(walker, equations, step);
        for (_, _, process) in equations.iter_mut() {
            *process = mapped(process, &mut |part| {
                let part = exact(walker, part, step);
                if step > Step::Exact {
                    folded(walker, part, step)
                } else {
                    part
                }
            });
        }
        if *equations == before {
            return;
        }
    }
}

/// Formals that all callers give the same number are replaced by it.
fn with_same_arguments(equations: &mut [Equation]) {
    for callee in 0..equations.len() {
        let (Some(at), formals, _) = &equations[callee] else {
            continue;
        };
        let (at, formals) = (*at, formals.clone());
        let mut given: Vec<Option<Option<i64>>> = vec![None; formals.len()];
        for (_, _, process) in equations.iter() {
            walk(process, &mut |part| {
                if let Process::Call(own, arguments) = part
                    && *own == at
                {
                    for (known, argument) in given.iter_mut().zip(arguments) {
                        let own = argument.as_constant();
                        let is_same = known.is_none_or(|known| known == own);
                        *known = Some(own.filter(|_| is_same));
                    }
                }
            });
        }
        for (formal, value) in formals.iter().zip(&given) {
            let Some(number) = value.flatten().map(Number::constant) else {
                continue;
            };
            let Some(process) = equations[callee].2.with(*formal, &number) else {
                continue;
            };
            let place = equations[callee].1.iter().position(|own| own == formal);
            let Some(place) = place else { continue };
            equations[callee].1.remove(place);
            equations[callee].2 = process;
            for (_, _, process) in equations.iter_mut() {
                *process = mapped(process, &mut |part| match part {
                    Process::Call(own, mut arguments) if own == at => {
                        arguments.remove(place);
                        Process::Call(own, arguments)
                    }
                    other => other,
                });
            }
        }
    }
}

/// Calls of functions that are single delays, or are called once, become these. The operations of ranks keep their
/// names.
fn inline(walker: &Walker, equations: &mut Vec<Equation>, step: Step) {
    let calls = calls(equations);
    let mut named = Vec::new();
    for (_, _, process) in equations.iter() {
        symbols(process, &mut |symbol| named.push(symbol));
    }
    let short: BTreeMap<usize, (Vec<Symbol>, Process)> = equations
        .iter()
        .filter_map(|(at, formals, process)| {
            let at = (*at)?;
            let is_kept = walker.collectives.values().any(|own| *own == at);
            let is_short =
                matches!(process, Process::Delay(_) | Process::Call(..)) || process.is_nothing();
            let is_own = step >= Step::Callers && calls.get(&at) == Some(&1);
            let is_part =
                !is_kept && (is_short || is_own) && !named.contains(&walker.instances[at].name);
            is_part.then(|| (at, (formals.clone(), process.clone())))
        })
        .collect();
    for (_, _, process) in equations.iter_mut() {
        *process = mapped(process, &mut |part| match &part {
            Process::Call(at, arguments) => short
                .get(at)
                .and_then(|(formals, body)| {
                    let mut pairs = formals.iter().zip(arguments);
                    pairs.try_fold(body.clone(), |body, (formal, value)| {
                        body.with(*formal, value)
                    })
                })
                .unwrap_or(part),
            _ => part,
        });
    }
    let left = self::calls(equations);
    let is_named = |at: usize| named.contains(&walker.instances[at].name);
    equations.retain(|(at, _, _)| at.is_none_or(|at| left.contains_key(&at) || is_named(at)));
}

/// How many calls of each function the processes hold.
fn calls(equations: &[Equation]) -> BTreeMap<usize, usize> {
    let mut calls = BTreeMap::new();
    for (_, _, process) in equations {
        walk(process, &mut |part| {
            if let Process::Call(at, _) = part {
                *calls.entry(*at).or_insert(0) += 1;
            }
        });
    }
    calls
}

/// A part of fewer words that takes the same time.
fn exact(walker: &mut Walker, process: Process, step: Step) -> Process {
    let shorter = match &process {
        Process::Seq(range, body) => {
            let times = |time: &Number| {
                let count = walker.count_of(range)?;
                match count.as_constant() {
                    Some(count) => time.scaled(count),
                    None if step >= Step::Callers && !is_long(walker, &count, time) => {
                        time.times(&count)
                    }
                    None => None,
                }
            };
            // Uses of a resource stay: others may have their turns between them.
            delay(walker, body)
                .filter(|time| !time.mentions(range.index))
                .and_then(|time| times(&time))
        }
        Process::Sequence(list) => return sequence(repeated(walker, list)),
        Process::Par(range, body) => delay(walker, body)
            .filter(|time| !time.mentions(range.index))
            .filter(|_| {
                let more = range.last.minus(&range.first);
                more.is_some_and(|more| walker.facts.nonnegative(&more))
            }),
        Process::Both(list) => longest(walker, list),
        _ => None,
    };
    shorter.map_or(process, Process::Delay)
}

/// True for a product that is longer than a loop, and for an index or a count that only a run tells.
fn is_long(walker: &Walker, count: &Number, time: &Number) -> bool {
    let mut is_of_sizes = walker.is_of_parameters(count);
    count.symbols(&mut |symbol| is_of_sizes &= !is_measured(walker, symbol));
    !is_of_sizes || count.terms().count() > 1 || time.terms().count() > 2
}

/// Equal neighbours as a loop.
fn repeated(walker: &mut Walker, list: &[Process]) -> Vec<Process> {
    let mut row = Vec::new();
    let mut rest = list;
    while let Some(first) = rest.first() {
        let same = rest.iter().take_while(|part| *part == first).count();
        let (run, others) = rest.split_at(same);
        rest = others;
        if same < 3 {
            row.extend(run.iter().cloned());
            continue;
        }
        let range = Range {
            index: walker.symbol("k", Role::Index),
            first: Number::constant(1),
            last: Number::constant(same as i64),
            step: Number::constant(1),
        };
        row.push(Process::Seq(range, Box::new(first.clone())));
    }
    row
}

fn mentions(process: &Process, symbol: Symbol) -> bool {
    let mut found = false;
    symbols(process, &mut |own| found |= own == symbol);
    found
}

/// True if a time is no draw.
fn is_fixed(walker: &Walker, time: &Number) -> bool {
    let mut atoms = time.terms().flat_map(|(monomial, _)| monomial);
    let mut is_drawn = atoms.any(|(atom, _)| matches!(atom, Atom::Written(_)));
    time.symbols(&mut |symbol| {
        if let Role::Parameter(at) = walker.names[symbol.0 as usize].role {
            is_drawn |= walker.parameters[at].facts == Declared::Law;
        }
    });
    !is_drawn
}

/// The time of a delay that is no draw.
fn delay(walker: &Walker, process: &Process) -> Option<Number> {
    match process {
        Process::Delay(time) => is_fixed(walker, time).then(|| time.clone()),
        _ => None,
    }
}

/// The time of processes at once, of which one takes longest whatever the times are.
fn longest(walker: &Walker, list: &[Process]) -> Option<Number> {
    let time = |process: &Process| match process {
        // There may be no others.
        Process::Par(range, body) => Some((
            delay(walker, body).filter(|time| !time.mentions(range.index))?,
            false,
        )),
        other => Some((delay(walker, other)?, true)),
    };
    let times: Vec<(Number, bool)> = list.iter().map(time).collect::<Option<_>>()?;
    let is_longest = |(own, is_always): &&(Number, bool)| {
        *is_always
            && times.iter().all(|(other, _)| {
                let more = own.minus(other);
                more.is_some_and(|more| is_sum_of_times(walker, &more))
            })
    };
    times.iter().find(is_longest).map(|(time, _)| time.clone())
}

/// True if each term is a time with a factor of at least 0.
fn is_sum_of_times(walker: &Walker, number: &Number) -> bool {
    number.terms().all(|(monomial, factor)| {
        let is_above = |(atom, _): &(Atom, u32)| {
            let Atom::Symbol(symbol) = atom else {
                return false;
            };
            let Role::Parameter(at) = walker.names[symbol.0 as usize].role else {
                return false;
            };
            let kind = walker.parameters[at].kind;
            matches!(kind, ParameterKind::Time | ParameterKind::Opaque)
                || walker
                    .facts
                    .least
                    .get(symbol)
                    .is_some_and(|least| *least >= 0)
        };
        factor >= 0 && monomial.iter().all(is_above)
    })
}

/// The time of a part that no derived size is in, with the resource that it holds.
fn plain(walker: &Walker, process: &Process) -> Option<(Option<Resource>, Number)> {
    let (resource, time) = match process {
        Process::Delay(time) => (None, time.clone()),
        Process::Use(resource @ Resource::Pool(_), time) => (Some(resource.clone()), time.clone()),
        part if part.is_nothing() => (None, Number::default()),
        _ => return None,
    };
    let mut is_plain = true;
    time.symbols(&mut |symbol| is_plain &= is_measured(walker, symbol));
    is_plain.then_some((resource, time))
}

/// True for a time, and for what only a run tells.
fn is_measured(walker: &Walker, symbol: Symbol) -> bool {
    let Role::Parameter(at) = walker.names[symbol.0 as usize].role else {
        return false;
    };
    let parameter = &walker.parameters[at];
    match parameter.kind {
        ParameterKind::Time | ParameterKind::Opaque => true,
        ParameterKind::Value if walker.of_types.contains(&symbol) => true,
        ParameterKind::Value | ParameterKind::Share | ParameterKind::Trips => {
            parameter.default.is_none()
                && parameter.facts != Declared::Law
                && walker.opaque.iter().any(|told| told.name == Some(symbol))
        }
        ParameterKind::Threads | ParameterKind::Ranks => false,
    }
}

/// A branch on data, or a loop without a derived number of iterations, as one time.
fn folded(walker: &mut Walker, process: Process, step: Step) -> Process {
    let share = |condition: &Condition| match condition {
        Condition::Share(share) => share.as_symbol(),
        _ => None,
    };
    let by = match &process {
        Process::If(condition, ..) => share(condition),
        Process::Switch(cases) => cases.first().and_then(|(condition, _)| share(condition)),
        Process::Seq(range, _) if step >= Step::Loops => range.last.as_symbol(),
        _ => None,
    };
    let by = by.filter(|by| is_measured(walker, *by));
    let is_of_sizes = matches!(process, Process::If(..) | Process::Both(_));
    if by.is_none() && !(step >= Step::Sizes && is_of_sizes) {
        return process;
    }
    // Other ranks do their part at once.
    let alone = |part: &Process| match part {
        Process::Par(range, body)
            if matches!(process, Process::Both(_)) && !mentions(body, range.index) =>
        {
            plain(walker, body)
        }
        part => plain(walker, part),
    };
    let parts: Option<Vec<_>> = inner(&process).into_iter().map(alone).collect();
    let Some(parts) = parts else { return process };
    let mut resources = parts
        .iter()
        .filter(|(_, time)| *time != Number::default())
        .map(|(resource, _)| resource.clone());
    let first = resources.next().flatten();
    if resources.any(|resource| resource != first) {
        return process;
    }
    let times: Vec<Number> = parts.into_iter().map(|(_, time)| time).collect();
    let Some(time) = mean_time(walker, by, times) else {
        return process;
    };
    match first {
        Some(resource) => Process::Use(resource, time),
        None => Process::Delay(time),
    }
}

/// The mean time of a part: with the name of the share or the number of iterations that it belongs to, or of its first
/// time.
fn mean_time(walker: &mut Walker, by: Option<Symbol>, times: Vec<Number>) -> Option<Number> {
    let mut first = None;
    for time in times.iter().rev() {
        time.symbols(&mut |symbol| first = Some(symbol));
    }
    let key = (by, times);
    if let Some(symbol) = walker.means.get(&key) {
        return Some(Number::symbol(*symbol));
    }
    let by = by.or(first)?;
    let Name { hint, role } = walker.names[by.0 as usize].clone();
    let place = match role {
        Role::Parameter(at) => walker.parameters[at].place.clone(),
        _ => None,
    };
    let hint = ["p_", "K_", "t_"]
        .into_iter()
        .fold(hint.as_str(), |hint, letter| {
            hint.strip_prefix(letter).unwrap_or(hint)
        });
    let parameter = Parameter {
        symbol: Symbol(0),
        kind: ParameterKind::Time,
        facts: ">= 0".into(),
        place,
        what: "mean time".to_string(),
        default: None,
        site: None,
    };
    let site = ("mean time".to_string(), walker.means.len());
    let symbol = walker.parameter(site, parameter, &format!("t_{hint}"));
    walker.means.insert(key, symbol);
    Some(Number::symbol(symbol))
}
