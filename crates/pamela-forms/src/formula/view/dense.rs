//! Reads vectors as lists of components.

use super::{OwnedTerm, is_predefined, term, terms_of};
use crate::expr::{Arena, ExprId, Node};
use crate::ring::Rational;

/// A vector is written densely when its last component is at most this.
const LAST_DENSE_COMPONENT: i64 = 63;
/// ... and at most this many zeros stand before each component on average, some more being free.
const ZEROS_PER_COMPONENT: usize = 3;
const FREE_ZEROS: usize = 8;

/// True if a vector reads as a list: all positions are numbers, in the predefined array.
pub(crate) fn is_list(arena: &Arena, id: ExprId) -> bool {
    match arena.node(id) {
        Node::UnitVector(array, index) => {
            is_predefined(arena, *array) && arena.as_number(*index).is_some()
        }
        _ if arena.sort(id) != crate::expr::Sort::Vector => true,
        _ => arena
            .operands(id)
            .into_iter()
            .all(|part| is_list(arena, part)),
    }
}

/// The components of a vector whose positions in the predefined array are small constants.
pub(super) fn dense(arena: &Arena, id: ExprId) -> Option<Vec<Vec<OwnedTerm>>> {
    if arena.sort(id) != crate::expr::Sort::Vector {
        return None;
    }
    let parts: &[ExprId] = match arena.node(id) {
        Node::Add(list) => list,
        Node::Mul(_) | Node::UnitVector(..) | Node::Vector(_) => std::slice::from_ref(&id),
        _ => return None,
    };
    let mut components: Vec<Vec<OwnedTerm>> = Vec::new();
    for &part in parts {
        place(arena, part, &mut components)?;
    }
    for terms in &mut components {
        // Numbers last, as in every sum.
        terms.sort_by_key(|term| term.factors.is_empty());
    }
    let named = components.iter().filter(|c| !c.is_empty()).count();
    let limit = named * (1 + ZEROS_PER_COMPONENT) + FREE_ZEROS;
    (components.len() <= limit).then_some(components)
}

/// Adds `coefficient * vector` to the components.
fn place(arena: &Arena, part: ExprId, components: &mut Vec<Vec<OwnedTerm>>) -> Option<()> {
    let term = term(arena, part);
    let (&vector, scalars) = term.factors.split_last()?;
    let mut put = |index: usize, value: Option<OwnedTerm>| {
        if components.len() <= index {
            components.resize(index + 1, Vec::new());
        }
        components[index].extend(value);
    };
    let scaled = |value: OwnedTerm| OwnedTerm {
        coefficient: &term.coefficient * &value.coefficient,
        factors: scalars.iter().copied().chain(value.factors).collect(),
    };
    match arena.node(vector) {
        Node::UnitVector(array, index) if is_predefined(arena, *array) => {
            let index = arena.as_number(*index)?.to_i64()?;
            if !(0..=LAST_DENSE_COMPONENT).contains(&index) {
                return None;
            }
            let one = OwnedTerm {
                coefficient: Rational::from(1),
                factors: Vec::new(),
            };
            put(index as usize, Some(scaled(one)));
            Some(())
        }
        Node::Vector(list) => {
            for (index, &component) in list.iter().enumerate() {
                let plain = scalars.is_empty() && term.coefficient.is_one();
                match arena.as_number(component) {
                    Some(value) if value.is_zero() => put(index, None),
                    _ if plain => terms_of(arena, component)
                        .into_iter()
                        .for_each(|t| put(index, Some(t))),
                    _ => put(index, Some(scaled(self::term(arena, component)))),
                }
            }
            Some(())
        }
        _ => None,
    }
}
