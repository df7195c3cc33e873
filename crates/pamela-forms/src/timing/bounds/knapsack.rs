//! The largest repeated services of a line. A service at a station with `c` servers takes the place
//! of `c` passes.

use super::chain::Stations;
use crate::expr::{ExprId, ReduceKind};
use crate::timing::scope::Lowering;

impl Lowering<'_, '_> {
    /// The largest sum of services whose servers total at most `passes`, which must be nonnegative.
    ///
    /// Returns `None` for more than two stations with several servers.
    pub(super) fn repeated_services(
        &mut self,
        passes: ExprId,
        stations: &Stations,
    ) -> Option<ExprId> {
        let longest = stations.longest;
        match stations.several[..] {
            [] => Some(self.mul(&[passes, longest])),
            [pool] => Some(self.beside_singles(passes, longest, pool)),
            [first, second] => {
                // Of the station with the shorter service per server, fewer services are repeated than the other
                // station has servers: that many services can be replaced by services of the other station that need
                // as many places and take at least as long.
                let fill = self.filled_up(passes, longest, first, second);
                let other = self.filled_up(passes, longest, second, first);
                Some(self.arena.max(&[fill, other]))
            }
            _ => None,
        }
    }

    /// With one station of several servers, as often as there is place, or never.
    fn beside_singles(
        &mut self,
        passes: ExprId,
        longest: ExprId,
        (servers, service): (ExprId, ExprId),
    ) -> ExprId {
        let waves = self.arena.floor_divide(passes, servers);
        let waves = self.mul(&[waves, service]);
        if self.is_zero(longest) {
            return waves;
        }
        let left = self.arena.modulo(passes, servers);
        let left = self.mul(&[left, longest]);
        let singles = self.mul(&[passes, longest]);
        let mixed = self.add(&[waves, left]);
        self.arena.max(&[singles, mixed])
    }

    /// Some services of the station `few`, fewer than `many` has servers, and as many services of `many` as fit
    /// beside them.
    fn filled_up(
        &mut self,
        passes: ExprId,
        longest: ExprId,
        many: (ExprId, ExprId),
        few: (ExprId, ExprId),
    ) -> ExprId {
        let (zero, minus) = (self.arena.number(0), self.arena.number(-1));
        let index = self.arena.fresh_index();
        let times = self.arena.symbol(index);
        let places = self.mul(&[times, few.0]);
        let left = self.difference(passes, places);
        let services = self.mul(&[times, few.1]);
        let rest = self.beside_singles(left, longest, many);
        let sum = self.add(&[services, rest]);
        let fewer = self.add(&[many.0, minus]);
        let fit = self.arena.floor_divide(passes, few.0);
        let last = self.arena.min(&[fewer, fit]);
        self.arena.reduce(ReduceKind::Max, index, zero, last, sum)
    }
}
