//! Cache of sums of named laws. Over a grid of points, most sums differ in few of their laws.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::lazy::Lazy;
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

/// The grid of a named law.
pub(super) fn named(named: &Named) -> Arc<Grid> {
    let key = Box::from([(1f64.to_bits(), named.key())]);
    remembered(key, || {
        if named.is_continuous() {
            Grid::of(named)
        } else {
            Grid::of_values(named)
        }
    })
}

/// The sum of several copies of each law. Calls `find` only once if all laws are named laws.
pub(super) fn sum(terms: &[(f64, Lazy)], find: impl FnOnce() -> Grid) -> Arc<Grid> {
    let key = |(n, law): &(f64, Lazy)| Some((n.to_bits(), law.as_named()?.key()));
    match terms.iter().map(key).collect::<Option<Sum>>() {
        Some(key) => remembered(key, find),
        None => Arc::new(find()),
    }
}

fn remembered(key: Sum, find: impl FnOnce() -> Grid) -> Arc<Grid> {
    if let Some(known) = SUMS.with_borrow_mut(|sums| sums.get(&key)) {
        return known;
    }
    let found = Arc::new(find());
    SUMS.with_borrow_mut(|sums| sums.insert(key, found.clone()));
    found
}
