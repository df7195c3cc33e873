//! The order of requests of one time: that of the text, and others that are drawn.

use super::run::Run;
use super::{Arbitration, Options};

/// In so many orders a run is made where requests of one time are contended: in that of the text, and in drawn ones.
///
/// Of 392 random models whose times differ by the order, ten drawn ones beside the text miss 1.8 %.
pub const ORDERS: usize = 11;

/// Longer runs are made in the order of the text alone.
pub(super) const MOST_EVENTS_OF_ORDERS: u64 = 1_000_000;

/// Whether nothing is drawn in a run, but the order of the text decided in it between requests of one time.
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
