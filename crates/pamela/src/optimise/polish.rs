//! Refines the location of an optimum to all digits.

use super::best::Best;
use super::boxes::Program;
use super::interval::Interval;
use super::search::{Places, Search};

impl Search<'_> {
    /// Moves the best point to the zero of the slope, then to a nearby number with few digits.
    pub(super) fn polish(&mut self, program: &mut Program, places: &Places, whole: &[Interval]) {
        let Some(best) = self.best.clone().filter(|best| best.fixed == self.fixed) else {
            return;
        };
        let mut place = best.place;
        for _ in 0..if place.len() == 1 { 1 } else { 20 } {
            for side in 0..place.len() {
                if let Some(found) = self.turning(program, places, &place, (side, whole[side])) {
                    place[side] = found;
                }
            }
        }
        let value = self.value(&place).map(|value| self.sign * value);
        if let (Some(best), Some(value)) = (&mut self.best, value)
            && value <= best.value
        {
            (best.place, best.value) = (place, value);
        }
        for side in 0..whole.len() {
            for digits in 0..12_usize {
                let Some(best) = self.best.clone() else {
                    return;
                };
                let mut place = best.place.clone();
                place[side] = format!("{:.digits$e}", place[side])
                    .parse()
                    .unwrap_or(place[side]);
                let inside = whole[side].low <= place[side] && place[side] <= whole[side].high;
                let Some(value) = self.value(&place).filter(|_| inside) else {
                    continue;
                };
                let value = self.sign * value;
                if value < best.value || digits < 3 && value == best.value {
                    self.best = Some(Best {
                        place,
                        value,
                        ..best
                    });
                    break;
                }
            }
        }
    }

    /// Near a place the number at which the slope along one side changes from falling to rising.
    fn turning(
        &self,
        program: &mut Program,
        places: &Places,
        place: &[f64],
        (side, whole): (usize, Interval),
    ) -> Option<f64> {
        let mut slope = |x: f64| {
            let mut there: Vec<Interval> = place.iter().map(|x| Interval::at(*x)).collect();
            there[side] = Interval::at(x);
            let found = self.signed(program.run(&there)[places.objective].slopes[side]);
            found.low.is_finite().then(|| found.middle())
        };
        let mut step = 1e-7 * whole.width();
        let (mut low, mut high) = (place[side], place[side]);
        while slope(low)? > 0.0 || slope(high)? < 0.0 {
            if step > whole.width() {
                return None;
            }
            (low, high) = (
                (place[side] - step).max(whole.low),
                (place[side] + step).min(whole.high),
            );
            step *= 2.0;
        }
        for _ in 0..200 {
            let middle = low / 2.0 + high / 2.0;
            if middle <= low || middle >= high {
                break;
            }
            if slope(middle)? < 0.0 {
                low = middle
            } else {
                high = middle
            }
        }
        Some(high)
    }
}
