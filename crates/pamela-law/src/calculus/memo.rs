//! Grids of named laws and of their sums, which are computed once: over a grid of points, most sums differ in few laws.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

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
pub(super) fn sum<'a>(
    terms: impl Iterator<Item = (f64, Option<&'a Named>)>,
    find: impl FnOnce() -> Grid,
) -> Arc<Grid> {
    let key = |(n, law): (f64, Option<&Named>)| Some((n.to_bits(), law?.key()));
    match terms.map(key).collect::<Option<Sum>>() {
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

/// Grids of the standard laws of families.
#[derive(Default)]
pub(super) struct Standards {
    grids: HashMap<Key, Arc<Grid>>,
}

impl Standards {
    pub(super) fn of(&mut self, named: &Named) -> Arc<Grid> {
        let grid = self.grids.entry(named.key());
        grid.or_insert_with(|| Arc::new(Grid::of(named))).clone()
    }

    pub(super) fn moved(&mut self, named: &Named) -> Grid {
        let own = named.standardised();
        self.of(&own.law).scaled(own.factor).shifted(own.amount)
    }
}
