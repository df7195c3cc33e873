//! Orders of simultaneous requests: that of the text, and random ones.

use super::run::Run;
use super::{Arbitration, Options};

/// Number of orders in which a run is made if simultaneous requests contend: that of the text, and
/// random ones.
///
/// In 392 random models whose times depend on the order, ten random orders and that of the text miss 1.8 %.
pub const ORDERS: usize = 11;

/// Longer runs are made in the order of the text alone.
pub(super) const MOST_EVENTS_OF_ORDERS: u64 = 1_000_000;

/// True if nothing is drawn in a run, but the order of the text decided in it between requests of one time.
pub(super) fn is_order_sensitive(run: &Run<'_>, options: &Options) -> bool {
    options.arbitration == Arbitration::Source && run.contended && !run.random
}

/// The options by which runs in other orders than that of the text are made.
pub(super) fn drawn_orders(options: &Options) -> Options {
    Options {
        arbitration: Arbitration::Seeded,
        ..options.clone()
    }
}
