//! Sums of laws of the language that were found before: over a grid of points, most differ in few of their laws.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::super::{Grid, Named};
use super::{Law, Shape};

/// With so many, all are forgotten: some megabytes a thread.
const MOST: usize = 256;

/// How many copies of each law, by its family and its parameters, as bits.
type Sum = Box<[(u64, (u8, [u64; 2]))]>;

thread_local! {
    static SUMS: RefCell<HashMap<Sum, Arc<Grid>>> = RefCell::default();
}

/// The sum of so many copies of each law: what `find` finds, which is asked once where all are laws of the language.
pub(super) fn sum<E>(
    terms: &[(f64, &Law)],
    find: impl FnOnce() -> Result<Grid, E>,
) -> Result<Arc<Grid>, E> {
    let key = |&(n, law): &(f64, &Law)| match &law.shape {
        Shape::Named(named) => Some((n.to_bits(), Named::key(named))),
        _ => None,
    };
    let Some(key) = terms.iter().map(key).collect::<Option<Sum>>() else {
        return find().map(Arc::new);
    };
    if let Some(known) = SUMS.with_borrow(|sums| sums.get(&key).cloned()) {
        return Ok(known);
    }
    let found = Arc::new(find()?);
    SUMS.with_borrow_mut(|sums| {
        if sums.len() >= MOST {
            sums.clear();
        }
        sums.insert(key, found.clone());
    });
    Ok(found)
}
