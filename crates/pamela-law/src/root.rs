//! Roots of increasing functions.

const MAX_STEPS: usize = 200;

/// The root of an increasing function `f`, which returns its value and its derivative.
///
/// Uses Newton's method inside the bracket that its own steps find.
pub fn newton(start: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    let (mut lower, mut upper) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut x, mut stride, mut moved) = (start, 1.0, f64::INFINITY);
    for _ in 0..MAX_STEPS {
        let (value, slope) = f(x);
        if value == 0.0 || value.is_nan() {
            return x;
        }
        if value < 0.0 {
            lower = x;
        } else {
            upper = x;
        }
        let bracketed = lower.is_finite() && upper.is_finite();
        let mut next = x - value / slope;
        let inside = next > lower && next < upper && next.is_finite();
        // If the function is strongly curved, Newton steps do not shrink.
        if bracketed && (!inside || (next - x).abs() > moved / 2.0) {
            next = lower + (upper - lower) / 2.0;
        } else if !inside {
            next = x - stride * value.signum();
            stride *= 2.0;
        }
        moved = (next - x).abs();
        let settled = moved <= 2.0 * f64::EPSILON * x.abs();
        x = next;
        if settled {
            break;
        }
    }
    x
}

/// A step shorter than this, beside 1, leaves an error of its third power, which rounding hides.
const SHORT: f64 = 1e-6;
const CUBIC_STEPS: usize = 12;

/// Like [`newton`], for a function that also returns its second derivative and bends on the scale
/// of 1.
///
/// Halley's method cubes the error in each step. Falls back to Newton's method if it diverges.
pub fn halley(start: f64, f: impl Fn(f64) -> [f64; 3]) -> f64 {
    let mut x = start;
    for _ in 0..CUBIC_STEPS {
        let step = halley_step(f(x));
        x += step;
        if step.abs() < SHORT {
            return x;
        }
    }
    newton(start, |x| {
        let [value, slope, _] = f(x);
        (value, slope)
    })
}

/// One step of Halley's method from a value and two derivatives; at most twice a Newton step.
pub fn halley_step([value, slope, bend]: [f64; 3]) -> f64 {
    let newton = -value / slope;
    newton / (1.0 + 0.5 * newton * bend / slope).max(0.5)
}

/// The least `x` in `[lower, upper]` with `f(x) >= 0`, up to some units in the last place above.
///
/// `f` increases, may jump, and is nonnegative at `upper`. Alternates interpolation and bisection
/// (Illinois).
pub fn bracketed(mut lower: f64, mut upper: f64, f: impl Fn(f64) -> f64) -> f64 {
    if upper <= lower {
        return upper;
    }
    let (mut at_lower, mut at_upper) = (f(lower), f(upper));
    if at_lower >= 0.0 {
        return lower;
    }
    for step in 0..MAX_STEPS {
        let width = upper - lower;
        if width <= 2.0 * f64::EPSILON * lower.abs().max(upper.abs()) {
            break;
        }
        let chord = upper - width * at_upper / (at_upper - at_lower);
        let inside = chord > lower && chord < upper;
        let x = if inside && step % 3 != 2 {
            chord
        } else {
            lower + width / 2.0
        };
        let value = f(x);
        if value >= 0.0 {
            (upper, at_upper) = (x, value);
            at_lower /= 2.0;
        } else {
            (lower, at_lower) = (x, value);
            at_upper /= 2.0;
        }
    }
    upper
}

/// The least whole number `k >= least` from which on `reached` holds, searched outwards from
/// `guess`.
pub fn least_whole(least: f64, guess: f64, reached: impl Fn(f64) -> bool) -> f64 {
    let start = guess.floor().max(least);
    // Below `lower` it does not hold, at `upper` it does.
    let (mut lower, mut upper) = (start, start);
    let mut stride = 1.0_f64.max(start * f64::EPSILON);
    if reached(start) {
        loop {
            lower = upper - stride;
            if lower < least {
                lower = least - 1.0;
                break;
            }
            if !reached(lower) {
                break;
            }
            upper = lower;
            stride *= 2.0;
        }
    } else {
        loop {
            upper = lower + stride;
            if upper.is_infinite() || reached(upper) {
                break;
            }
            lower = upper;
            stride *= 2.0;
        }
    }
    while upper - lower > 1.0 {
        let middle = (lower + (upper - lower) / 2.0).floor();
        if middle <= lower || middle >= upper {
            break;
        }
        if reached(middle) {
            upper = middle;
        } else {
            lower = middle;
        }
    }
    upper
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_found_from_far_away() {
        for start in [-50.0, 0.0, 3.0, 90.0] {
            let root = newton(start, |x: f64| (x.exp() - 20.0, x.exp()));
            assert!((root - 20.0_f64.ln()).abs() < 4e-15);
            let flat = newton(start, |x: f64| (x.atan() - 1.0, 1.0 / (1.0 + x * x)));
            assert!((flat - 1.0_f64.tan()).abs() < 4e-15);
            let cubic = halley(start, |x: f64| [x.exp() - 20.0, x.exp(), x.exp()]);
            assert!((cubic - 20.0_f64.ln()).abs() < 4e-15);
            let flat = halley(start, |x: f64| {
                let slope = 1.0 / (1.0 + x * x);
                [x.atan() - 1.0, slope, -2.0 * x * slope * slope]
            });
            assert!((flat - 1.0_f64.tan()).abs() < 4e-15);
        }
    }

    #[test]
    fn whole_numbers_are_found_from_both_sides() {
        for guess in [-3.0, 0.0, 41.0, 42.0, 43.0, 1e9] {
            assert_eq!(least_whole(0.0, guess, |k| k >= 42.0), 42.0);
            assert_eq!(least_whole(0.0, guess, |_| true), 0.0);
        }
        assert_eq!(least_whole(1.0, 1e18, |k| k >= 1e17), 1e17);
    }
}
