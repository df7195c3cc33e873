//! Sums over rows of hypergeometric terms with parameters, which end where their elements vanish.

use std::collections::BTreeSet;

use crate::expr::{ExprId, Function, Node, ReduceKind, Relation};
use crate::ring::{Atom, Monomial, Polynomial, Rational, Recurrence, shift, slope};

use super::super::scope::{Candidate, Scope};
use super::super::terms::{MAX_TERMS, Terms, atom_of, expr_of};
use super::row_terms::{Row, few_factorials, rising, rows};
use super::{Loop, at_most, compare, integral, products};

/// Elements of a row that a range leaves out, and elements of its shortest one that is not 0.
const MAX_ELEMENTS: i64 = 8;
/// Maximum number of parameters that are tried.
const MAX_PARAMETERS: usize = 6;

/// The elements that a range omits at one end of a row, counted from the position where `argument` is 0.
#[derive(Clone)]
pub(super) struct End {
    argument: Polynomial,
    left_out: i64,
}

/// `S(m) * prod (n = m, N - 1) { r(n) }` if the sum over a whole row satisfies `S(n + 1) = r(n) * S(n)`.
pub fn natural(scope: &mut Scope, term: ExprId) -> Vec<Candidate> {
    whole_rows(scope, term).into_iter().collect()
}

fn whole_rows(scope: &mut Scope, term: ExprId) -> Option<Candidate> {
    let parts = Loop::of(&mut scope.terms, term, ReduceKind::Sum)?;
    let mut sums = Vec::new();
    let mut guards = Vec::new();
    for row in rows(&mut scope.terms, &parts)? {
        let ends = [1, -1].map(|direction| end(&mut scope.terms, &parts, &row, direction));
        let [Some(low), Some(high)] = ends else {
            return None;
        };
        let found = row_sum(scope, term, parts.index, &row)?;
        sums.push(found.right);
        guards.extend(found.guards);
        if low.left_out > 0 && high.left_out > 0 {
            // An element is left out once.
            guards.extend(parts.sum_guards(&mut scope.terms));
        }
        for (end, direction) in [(low, 1), (high, -1)] {
            for step in 0..end.left_out {
                let element = element(
                    &mut scope.terms,
                    parts.index,
                    &row,
                    &end.argument,
                    step * direction,
                )?;
                sums.push(scope.terms.arena.negate(element));
            }
        }
    }
    (!sums.is_empty()).then(|| Candidate {
        right: scope.terms.arena.add(&sums),
        guards,
    })
}

/// The position where the range begins (or ends, in direction -1) next to indices at which factorials of the row have
/// negative arguments.
pub(super) fn end(terms: &mut Terms, parts: &Loop, row: &Row, direction: i64) -> Option<End> {
    let bound = if direction > 0 {
        &parts.lower
    } else {
        &parts.upper
    };
    let arguments = row.term.factorials.iter();
    let arguments: Vec<&Polynomial> = arguments
        .filter(|(argument, power)| *power < 0 && slope(argument, parts.index) == Some(direction))
        .map(|(argument, _)| argument)
        .collect();
    // The elements between the first one and the bound are as many as the argument says there.
    let distance = |bound: &Polynomial| {
        arguments.iter().find_map(|argument| {
            let at = argument.substitute(parts.index, bound, MAX_TERMS)?;
            let left_out = at.as_constant()?.to_i64()?;
            let argument = (*argument).clone();
            (0..=MAX_ELEMENTS)
                .contains(&left_out)
                .then_some(End { argument, left_out })
        })
    };
    if let Some(found) = distance(bound) {
        return Some(found);
    }
    let operands = match (terms.arena.node(expr_of(bound.as_atom()?)), direction > 0) {
        (Node::Max(list), true) | (Node::Min(list), false) => list.clone(),
        _ => return None,
    };
    let mut last = None;
    for operand in operands {
        let operand = (*terms.polynomial(operand)).clone();
        last = Some(distance(&operand).filter(|end| end.left_out == 0)?);
    }
    last
}

/// The element `step` after the one at which an argument is 0, by the factorials there: 0 outside of the row.
fn element(
    terms: &mut Terms,
    index: Atom,
    row: &Row,
    argument: &Polynomial,
    step: i64,
) -> Option<ExprId> {
    let own = slope(argument, index)?;
    let rest = argument
        .coefficients_in(index)
        .remove(&0)
        .unwrap_or_default();
    let first = rest.scale(&Rational::from(-own));
    let at = &first + &Polynomial::from(step);
    let mut factor = row.term.weight.substitute(index, &at, MAX_TERMS)?;
    let mut moved = row.clone();
    for (argument, power) in &mut moved.term.factorials {
        let moves = slope(argument, index)? * step;
        if moves < 0 {
            // 1 / (x - 2)! = (x - 1) x / x!
            let below = rising(&(&*argument + &Polynomial::from(moves)), -moves)?;
            let below = below.substitute(index, &first, MAX_TERMS)?;
            let below = below.pow(u32::try_from(-*power).ok()?, MAX_TERMS)?;
            factor = factor.checked_mul(&below, MAX_TERMS)?;
        } else {
            *argument = &*argument + &Polynomial::from(moves);
        }
    }
    for (_, exponent) in &mut moved.term.powers {
        *exponent = &*exponent + &Polynomial::from(slope(exponent, index)? * step);
    }
    let element = moved.kernel_at(terms, index, &first, &factor)?;
    Some(few_factorials(terms, element))
}

/// The sum over all of a row, by that parameter of which the fewest guards are left.
fn row_sum(scope: &mut Scope, term: ExprId, index: Atom, row: &Row) -> Option<Candidate> {
    let mut best: Option<(usize, Candidate)> = None;
    for parameter in parameters(row, index) {
        let Some(found) = by_parameter(scope, index, row, &parameter) else {
            continue;
        };
        let right = scope.terms.canonical(found.right);
        let mut asked = scope.new_requirements(term, right, false);
        asked.extend(found.guards.iter().copied());
        let open = asked.into_iter().filter(|&guard| {
            let guard = scope.terms.canonical(guard);
            !scope.holds(guard)
        });
        let open = open.count();
        if best.as_ref().is_none_or(|(least, _)| open < *least) {
            best = Some((open, found));
        }
        if open == 0 {
            break;
        }
    }
    best.map(|(_, found)| found)
}

/// The monomials in the arguments of factorials that depend on the index.
fn parameters(row: &Row, index: Atom) -> Vec<Monomial> {
    let mut found = BTreeSet::new();
    for (argument, _) in &row.term.factorials {
        if argument.contains(index) {
            let monomials = argument.terms().map(|(monomial, _)| monomial);
            let other = monomials.filter(|m| !m.is_one() && m.exponent(index) == 0);
            found.extend(other.map(|m| Polynomial::term(m.clone(), Rational::ONE)));
        }
    }
    let monomials = found.iter().filter_map(|p| Some(p.as_term()?.0.clone()));
    monomials.take(MAX_PARAMETERS).collect()
}

/// By induction on a parameter, whatever all else is.
fn by_parameter(
    scope: &mut Scope,
    index: Atom,
    row: &Row,
    parameter: &Monomial,
) -> Option<Candidate> {
    let n = scope.terms.arena.fresh_index();
    let symbol = scope.terms.arena.symbol(n);
    let atom = atom_of(symbol);
    let renamed = row.map(|p| renamed(p, parameter, atom))?;
    let recurrence = renamed.term.recurrence(index, atom)?;
    let least = least(&renamed, index, atom)?;
    let (start, base, mut guards) =
        start(&mut scope.terms, index, atom, &renamed, &least, &recurrence)?;
    let first = &least + &Polynomial::from(start);
    let place = Polynomial::atom(atom);
    let product = product(scope, atom, &first, &recurrence)?;
    let closed = scope.terms.arena.mul(&[base, product.right]);
    let closed = reciprocals_from(&mut scope.terms, closed, atom, &least);
    let closed = few_factorials(&mut scope.terms, closed);
    guards.extend(product.guards);
    // The result may also hold for shorter rows.
    let mut from = start;
    while from > 0 {
        let shorter = &least + &Polynomial::from(from - 1);
        let sum = whole_row(&mut scope.terms, index, atom, &renamed, &shorter)?;
        let shorter = scope.terms.expression(&shorter);
        let there = scope.terms.arena.substitute(closed, n, shorter);
        if scope.terms.canonical(there) != scope.terms.canonical(sum) {
            break;
        }
        from -= 1;
    }
    let lowest = &least + &Polynomial::from(from);
    guards.push(at_most(&mut scope.terms, &lowest, &place));
    guards.push(integral(&mut scope.terms, &(&place - &least)));
    let value = Polynomial::term(parameter.clone(), Rational::ONE);
    let value = scope.terms.expression(&value);
    let arena = &mut scope.terms.arena;
    Some(Candidate {
        right: arena.substitute(closed, n, value),
        guards: (guards.into_iter())
            .map(|guard| arena.substitute(guard, n, value))
            .collect(),
    })
}

/// `p` with an atom in place of a monomial; where that is no atom, only where it stands alone.
fn renamed(p: &Polynomial, parameter: &Monomial, atom: Atom) -> Option<Polynomial> {
    let new = Polynomial::atom(atom);
    if let [(own, 1)] = *parameter.powers() {
        return p.substitute(own, &new, MAX_TERMS);
    }
    let of_it = p.coefficient(parameter);
    let old = Polynomial::term(parameter.clone(), of_it.clone());
    Some(&(p - &old) + &new.scale(&of_it))
}

/// The parameter at which a row has a single element: a rising and a falling argument are both 0.
fn least(row: &Row, index: Atom, n: Atom) -> Option<Polynomial> {
    let of_slope = |wanted: i64| {
        let all = row.term.factorials.iter();
        all.filter(move |(argument, _)| slope(argument, index) == Some(wanted))
    };
    let mut found: Vec<Polynomial> = Vec::new();
    for (rising, _) in of_slope(1) {
        for (falling, _) in of_slope(-1) {
            let length = rising + falling;
            let Some(slope) = slope(&length, n).filter(|&s| s > 0) else {
                continue;
            };
            let rest = length.coefficients_in(n).remove(&0).unwrap_or_default();
            let inverse = Rational::from(-slope).recip()?;
            found.push(rest.scale(&inverse));
        }
    }
    let simple = found.iter().find(|p| p.as_constant().is_some());
    let found = simple.or(found.first())?.clone();
    let whole = found.terms().all(|(_, c)| c.is_integer());
    whole.then_some(found)
}

/// The first parameter of the induction as an offset from the least one, the sum there, and the guards under which
/// each step is valid.
fn start(
    terms: &mut Terms,
    index: Atom,
    n: Atom,
    row: &Row,
    least: &Polynomial,
    recurrence: &Recurrence,
) -> Option<(i64, ExprId, Vec<ExprId>)> {
    let steps = particular(row, n, recurrence)?.linear_factors(n, MAX_TERMS)?;
    let poles: Vec<Polynomial> = steps.factors.iter().map(|(t, _)| least + t).collect();
    let mut start = 0;
    for pole in poles.iter().filter_map(Polynomial::as_constant) {
        // The last step that cannot be made.
        let beyond = (-&pole).to_i64();
        if pole.is_integer() && !pole.is_positive() {
            start = start.max(beyond? + 1);
        }
    }
    while start <= MAX_ELEMENTS {
        let at = least + &Polynomial::from(start);
        let above = row.term.factorials.iter().filter(|(_, power)| *power > 0);
        let above: Option<Vec<Polynomial>> = above
            .map(|(argument, _)| argument.substitute(n, &at, MAX_TERMS))
            .collect();
        let above = above?;
        let negative = |p: &Polynomial| p.as_constant().is_some_and(|value| value.is_negative());
        if above.iter().any(negative) {
            start += 1;
            continue;
        }
        let base = whole_row(terms, index, n, row, &at)?;
        let base = terms.canonical(base);
        if terms
            .arena
            .as_number(base)
            .is_none_or(|value| !value.is_zero())
        {
            let mut guards = Vec::new();
            let fixed =
                |pole: &&Polynomial| pole.as_constant().is_none() && !is_moved(row, n, pole);
            for pole in poles.iter().filter(fixed) {
                let above = pole + &Polynomial::from(start);
                guards.push(compare(terms, Relation::Less, &Polynomial::zero(), &above));
            }
            for argument in above.iter().filter(|p| p.as_constant().is_none()) {
                guards.push(at_most(terms, &Polynomial::zero(), argument));
            }
            if !is_generic(row, n, &steps.leading) {
                let zero = compare(terms, Relation::Equal, &steps.leading, &Polynomial::zero());
                guards.push(terms.arena.not(zero));
            }
            return Some((start, base, guards));
        }
        start += 1;
    }
    None
}

/// The factor of `S(n + 1)` without parts that vanish for only a few values of the parameters.
fn particular(row: &Row, n: Atom, recurrence: &Recurrence) -> Option<Polynomial> {
    let next = &recurrence.next;
    let step = recurrence.factor.common_divisor(&shift(next, n, 1)?)?;
    let before = shift(&step, n, -1)?;
    match !recurrence.factor.is_zero() && is_generic(row, n, &before) {
        true => next.divide_exact(&before),
        false => Some(next.clone()),
    }
}

/// The parameters that must be whole, with that of the induction.
fn whole_parameters(row: &Row, n: Atom) -> BTreeSet<Atom> {
    let arguments = row.term.factorials.iter().map(|(argument, _)| argument);
    let exponents = row.term.powers.iter().map(|(_, exponent)| exponent);
    let all = arguments.chain(exponents).flat_map(Polynomial::atoms);
    all.chain([n]).collect()
}

/// True if a polynomial is not 0 for nearly all values of the parameters that need not be whole, whatever the others
/// are. The sum and its closed form are rational functions of these, equal everywhere if they are nearly everywhere.
fn is_generic(row: &Row, n: Atom, p: &Polynomial) -> bool {
    let whole = whole_parameters(row, n);
    // One coefficient of the others is a number.
    let mut parts: Vec<Polynomial> = vec![p.clone()];
    for atom in p.atoms().into_iter().filter(|atom| !whole.contains(atom)) {
        parts = parts
            .iter()
            .flat_map(|part| part.coefficients_in(atom).into_values())
            .collect();
    }
    parts
        .iter()
        .any(|part| part.as_constant().is_some_and(|value| !value.is_zero()))
}

/// True if a polynomial is not a whole number for nearly all values of the parameters that need not be whole.
fn is_moved(row: &Row, n: Atom, p: &Polynomial) -> bool {
    let whole = whole_parameters(row, n);
    let moved = p.terms().filter(|(monomial, _)| {
        let mut powers = monomial.powers().iter();
        powers.any(|(atom, _)| !whole.contains(atom))
    });
    let moved = moved.map(|(monomial, coefficient)| (monomial.clone(), coefficient.clone()));
    is_generic(row, n, &Polynomial::from_terms(moved.collect()))
}

/// `n / n!` in place of `1 / (n - 1)!`: defined, and 0, for the least n, too.
fn reciprocals_from(terms: &mut Terms, id: ExprId, n: Atom, least: &Polynomial) -> ExprId {
    let polynomial = terms.polynomial(id);
    let Some((monomial, _)) = polynomial.as_term() else {
        return id;
    };
    let mut result = id;
    for &(atom, power) in monomial.powers() {
        let Node::Apply(Function::Factorial, operand) = *terms.arena.node(expr_of(atom)) else {
            continue;
        };
        let argument = terms.polynomial(operand);
        let there = argument.substitute(n, least, MAX_TERMS);
        let missing = there
            .and_then(|p| p.as_constant()?.to_i64())
            .map_or(0, |value| -value);
        if power > 0 || !(1..=MAX_ELEMENTS).contains(&missing) {
            continue;
        }
        let Some(between) = rising(&argument, missing) else {
            continue;
        };
        let above = terms.expression(&(&*argument + &Polynomial::from(missing)));
        let above = terms.arena.apply(Function::Factorial, above);
        let between = terms.expression(&between);
        let quotient = terms.arena.divide(above, between);
        result = (terms.arena).replace(result, &|_, id| (id == expr_of(atom)).then_some(quotient));
    }
    terms.canonical(result)
}

/// The sum of all elements of a short row.
fn whole_row(
    terms: &mut Terms,
    index: Atom,
    n: Atom,
    row: &Row,
    at: &Polynomial,
) -> Option<ExprId> {
    let there = row.map(|p| p.substitute(n, at, MAX_TERMS))?;
    let all = there.term.factorials.iter();
    let of_slope = |wanted: i64| {
        let own = all
            .clone()
            .filter(move |(argument, _)| slope(argument, index) == Some(wanted));
        own.map(|(argument, _)| argument)
    };
    let pairs = of_slope(1).flat_map(|rising| of_slope(-1).map(move |falling| (rising, falling)));
    let mut lengths = pairs.filter_map(|(rising, falling)| {
        let length = (rising + falling).as_constant()?.to_i64()?;
        Some((length, rising))
    });
    let (length, rising) = lengths.find(|(length, _)| (0..=2 * MAX_ELEMENTS).contains(length))?;
    let elements: Option<Vec<ExprId>> = (0..=length)
        .map(|step| element(terms, index, &there, rising, step))
        .collect();
    Some(terms.arena.add(&elements?))
}

/// `prod (i = first, n - 1) { r(i) }`, closed.
fn product(
    scope: &mut Scope,
    n: Atom,
    first: &Polynomial,
    recurrence: &Recurrence,
) -> Option<Candidate> {
    let next = &recurrence.next;
    let divisor = match recurrence.factor.is_zero() {
        true => next.clone(),
        false => recurrence.factor.common_divisor(next)?,
    };
    let mut above = -&recurrence.factor.divide_exact(&divisor)?;
    let mut below = next.divide_exact(&divisor)?;
    let place = Polynomial::atom(n);
    // The ratio t(i + 1) / t(i) telescopes to t(n) / t(first).
    let mut ends = Vec::new();
    if !above.is_zero() {
        let step = above.common_divisor(&shift(&below, n, 1)?)?;
        let before = shift(&step, n, -1)?;
        above = above.divide_exact(&step)?;
        below = below.divide_exact(&before)?;
        let at_first = before.substitute(n, first, MAX_TERMS)?;
        let sides = [&before, &at_first].map(|p| scope.terms.expression(p));
        ends.push(scope.terms.arena.divide(sides[0], sides[1]));
    }
    let sides = [&above, &below].map(|p| scope.terms.expression(p));
    let ratio = scope.terms.arena.divide(sides[0], sides[1]);
    if !above.contains(n) && !below.contains(n) {
        let count = scope.terms.expression(&(&place - first));
        ends.push(scope.terms.arena.pow(ratio, count));
        return Some(Candidate {
            right: scope.terms.arena.mul(&ends),
            guards: Vec::new(),
        });
    }
    let index = scope.terms.arena.fresh_index();
    let symbol = scope.terms.arena.symbol(index);
    let Node::Symbol(of_row) = *scope.terms.arena.node(expr_of(n)) else {
        return None;
    };
    let body = scope.terms.arena.substitute(ratio, of_row, symbol);
    let last = &place - &Polynomial::one();
    let [lower, upper] = [first, &last].map(|p| scope.terms.expression(p));
    let product = (scope.terms.arena).reduce(ReduceKind::Product, index, lower, upper, body);
    let product = scope.terms.canonical(product);
    let parts = Loop::of(&mut scope.terms, product, ReduceKind::Product)?;
    let closed = products::closed(scope, &parts)?;
    ends.push(closed.right);
    Some(Candidate {
        right: scope.terms.arena.mul(&ends),
        guards: closed.guards,
    })
}
