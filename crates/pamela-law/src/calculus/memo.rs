//! Cache of sums of named laws. Over a grid of points, most sums differ in few of their laws.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Law, Shape};
use crate::named::Key;
use crate::{Grid, Named};

/// Size of a generation of the cache: sums not used since the last generation are forgotten. The cache takes some 20
/// MB per thread.
const MOST: usize = 2048;

/// Number of copies of each law, by its family and its parameters, as bits.
type Sum = Box<[(u64, Key)]>;

/// Sums found in this generation, and those of the previous generation that were not used since.
#[derive(Default)]
struct Sums {
    young: HashMap<Sum, Arc<Grid>>,
    old: HashMap<Sum, Arc<Grid>>,
}

impl Sums {
    fn get(&mut self, key: &Sum) -> Option<Arc<Grid>> {
        if let Some(known) = self.young.get(key) {
            return Some(known.clone());
        }
        let (key, known) = self.old.remove_entry(key)?;
        self.insert(key, known.clone());
        Some(known)
    }

    fn insert(&mut self, key: Sum, found: Arc<Grid>) {
        if self.young.len() >= MOST {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, found);
    }
}

thread_local! {
    static SUMS: RefCell<Sums> = RefCell::default();
}

/// The sum of several copies of each law. Calls `find` only once if all laws are named laws.
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
    if let Some(known) = SUMS.with_borrow_mut(|sums| sums.get(&key)) {
        return Ok(known);
    }
    let found = Arc::new(find()?);
    SUMS.with_borrow_mut(|sums| sums.insert(key, found.clone()));
    Ok(found)
}
