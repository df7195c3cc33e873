//! Division of an axis, and labels of its ticks.

use crate::Scale;

/// Range of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub low: f64,
    pub high: f64,
    pub scale: Scale,
    /// True if all positions are whole numbers, so no ticks lie between.
    pub whole: bool,
    /// True if all positions are powers of two.
    pub binary: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub at: f64,
    /// Label of the tick; empty for a minor tick.
    pub label: String,
}

/// Values that differ by less than this share are one, but for their rounding.
const CONSTANT: f64 = 1e-11;
/// Limits of values whose ranges do not overflow.
pub(crate) const LARGEST: f64 = 1e300;
const SMALLEST: f64 = 1e-300;
/// If all values are above this share of the greatest, a linear axis need not begin at zero.
const FROM_ZERO: f64 = 0.7;

impl Extent {
    /// True if a value can be drawn on an axis of this scale.
    pub fn shows(scale: Scale, value: f64) -> bool {
        value.abs() <= LARGEST && (scale == Scale::Linear || value >= SMALLEST)
    }

    fn of(values: &[f64], scale: Scale) -> Extent {
        let shown = values.iter().filter(|v| Extent::shows(scale, **v));
        let shown: Vec<f64> = shown.copied().collect();
        let low = shown.iter().copied().fold(f64::INFINITY, f64::min);
        let high = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = match (low <= high, scale) {
            (true, _) => (low, high),
            (false, Scale::Linear) => (0.0, 1.0),
            (false, Scale::Log) => (1.0, 10.0),
        };
        let power = |v: &f64| *v > 0.0 && v.log2().fract() == 0.0;
        Extent {
            low,
            high,
            scale,
            whole: !shown.is_empty() && shown.iter().all(|v| v.fract() == 0.0 && v.abs() < 1e15),
            binary: low < high && shown.iter().all(power),
        }
    }

    /// Range of a horizontal axis: from the first to the last position, plus a margin if requested.
    pub fn of_places(places: &[f64], scale: Scale, margin: f64) -> Extent {
        let mut extent = Extent::of(places, scale);
        if extent.low == extent.high {
            let at = extent.low;
            let beside = if extent.whole {
                1.0
            } else {
                at.abs().max(1e-300)
            };
            (extent.low, extent.high) = match scale {
                Scale::Linear => (at - beside, at + beside),
                Scale::Log => (at / 2.0, at * 2.0),
            };
        } else {
            extent.widen(margin, margin);
        }
        extent
    }

    /// Range of a vertical axis: from zero, unless all values are far from it.
    pub fn of_values(values: &[f64], scale: Scale) -> Extent {
        let mut extent = Extent::of(values, scale);
        let (low, high) = (extent.low, extent.high);
        if scale == Scale::Log {
            if low == high {
                (extent.low, extent.high) = (low / 2.0, high * 2.0)
            } else {
                extent.widen(0.04, 0.04)
            }
            return extent;
        }
        let size = low.abs().max(high.abs());
        let constant = high - low <= CONSTANT * size;
        if size == 0.0 {
            (extent.low, extent.high) = (0.0, 1.0);
        } else if low >= 0.0 && (constant || low <= FROM_ZERO * high) {
            (extent.low, extent.high) = (0.0, high * if constant { 1.25 } else { 1.04 });
        } else if high <= 0.0 && (constant || high >= FROM_ZERO * low) {
            (extent.low, extent.high) = (low * if constant { 1.25 } else { 1.04 }, 0.0);
        } else {
            extent.widen(0.04, 0.04);
        }
        extent
    }

    fn widen(&mut self, below: f64, above: f64) {
        let (from, to) = (self.on(self.low), self.on(self.high));
        let wide = to - from;
        let back = |place: f64| match self.scale {
            Scale::Linear => place,
            Scale::Log => place.exp(),
        };
        let (low, high) = (back(from - below * wide), back(to + above * wide));
        if below > 0.0 {
            self.low = low;
        }
        if above > 0.0 {
            self.high = high;
        }
    }

    fn on(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => value,
            Scale::Log => value.ln(),
        }
    }

    /// Position from 0 at the low end to 1 at the high one.
    pub fn place(&self, value: f64) -> f64 {
        let (from, to) = (self.on(self.low), self.on(self.high));
        (self.on(value) - from) / (to - from)
    }

    fn holds(&self, value: f64) -> bool {
        let place = self.place(value);
        (-1e-9..=1.0 + 1e-9).contains(&place)
    }

    /// Evenly spaced ticks, as many as `fit` accepts.
    pub fn ticks(&self, fit: &dyn Fn(&[Tick]) -> bool) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => self.linear(fit),
            Scale::Log => self.logarithmic(fit),
        }
    }

    fn linear(&self, fit: &dyn Fn(&[Tick]) -> bool) -> Vec<Tick> {
        let wide = self.high - self.low;
        let mut power = (wide / 100.0).log10().floor() as i32;
        if self.whole {
            power = power.max(0);
        }
        for power in power..power + 6 {
            for digit in [1.0, 2.0, 5.0] {
                let step = digit * 10f64.powi(power);
                let count = wide / step;
                if count > 12.0 || step <= 0.0 {
                    continue;
                }
                let first = (self.low / step).ceil();
                let values = (0..=count as i64 + 1).map(|k| (first + k as f64) * step);
                let values: Vec<f64> = values.filter(|v| self.holds(*v)).collect();
                let ticks = labelled(&values, power);
                if fit(&ticks) && distinct(&ticks) {
                    return ticks;
                }
            }
        }
        Vec::new()
    }

    fn logarithmic(&self, fit: &dyn Fn(&[Tick]) -> bool) -> Vec<Tick> {
        let base: f64 = if self.binary { 2.0 } else { 10.0 };
        let first = (self.on(self.low) / base.ln() - 1e-9).ceil() as i32;
        let last = (self.on(self.high) / base.ln() + 1e-9).floor() as i32;
        if !self.binary && last - first < 2 {
            let part = self.within_decades();
            let ticks: Vec<Tick> = part
                .iter()
                .map(|v| Tick {
                    at: *v,
                    label: plain(*v),
                })
                .collect();
            if part.len() >= 3 && fit(&ticks) {
                return ticks;
            }
            let ends = ticks
                .into_iter()
                .filter(|t| t.label.trim_end_matches('0').len() <= 1);
            let ends: Vec<Tick> = ends.collect();
            return if part.len() >= 3 && ends.len() >= 2 && fit(&ends) {
                ends
            } else {
                self.linear(fit)
            };
        }
        for stride in 1..=(last - first).max(1) {
            let powers = (first..=last).filter(|k| k.rem_euclid(stride) == 0);
            let tick = |k: i32| Tick {
                at: base.powi(k),
                label: power_text(k, self.binary),
            };
            let mut ticks: Vec<Tick> = powers.map(tick).collect();
            // One notation for all of an axis.
            if ticks.iter().any(|t| {
                t.label
                    .contains(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'])
            }) {
                let raise = |t: &mut Tick| {
                    let k = (t.at.ln() / base.ln()).round() as i32;
                    t.label = format!("{base}{}", raised(k));
                };
                ticks.iter_mut().for_each(raise);
            }
            if fit(&ticks) {
                return ticks;
            }
        }
        Vec::new()
    }

    /// 1, 2 and 5 times powers of ten.
    fn within_decades(&self) -> Vec<f64> {
        let first = self.low.log10().floor() as i32;
        let last = self.high.log10().ceil() as i32;
        let all = (first..=last).flat_map(|k| [1.0, 2.0, 5.0].map(|digit| decimal(digit, k)));
        all.filter(|v| self.holds(*v)).collect()
    }
}

fn decimal(digits: f64, power: i32) -> f64 {
    format!("{digits}e{power}").parse().unwrap_or(f64::NAN)
}

fn distinct(ticks: &[Tick]) -> bool {
    ticks.windows(2).all(|pair| pair[0].label != pair[1].label)
}

/// Multiples of a step of the order `power`, all with as many decimals.
fn labelled(values: &[f64], power: i32) -> Vec<Tick> {
    let size = values.iter().fold(0.0, |size: f64, v| size.max(v.abs()));
    let order = if size > 0.0 {
        size.log10().floor() as i32
    } else {
        0
    };
    let label = |value: f64| {
        if value.abs() < 1e-9 * size {
            return "0".to_string();
        }
        if (-4..6).contains(&order) {
            return signed(&format!("{value:.*}", (-power).max(0) as usize));
        }
        let decimals = (order - power).clamp(0, 15) as usize;
        let digits = value / 10f64.powi(order.clamp(-300, 300));
        format!(
            "{}×10{}",
            signed(&format!("{digits:.decimals$}")),
            raised(order)
        )
    };
    let tick = |&value: &f64| Tick {
        at: value,
        label: label(value),
    };
    values.iter().map(tick).collect()
}

fn signed(number: &str) -> String {
    number.replace('-', "−")
}

fn power_text(power: i32, binary: bool) -> String {
    match (binary, power) {
        (true, 0..=13) => (1u64 << power).to_string(),
        (false, -3..=4) => plain(decimal(1.0, power)),
        (true, _) => format!("2{}", raised(power)),
        (false, _) => format!("10{}", raised(power)),
    }
}

pub(crate) fn raised(power: i32) -> String {
    let digit = |c: char| match c {
        '-' => '⁻',
        _ => "⁰¹²³⁴⁵⁶⁷⁸⁹"
            .chars()
            .nth(c as usize - '0' as usize)
            .unwrap_or(c),
    };
    power.to_string().chars().map(digit).collect()
}

/// A number in full if that is short, else with a power of ten; `2²⁰` for large powers of two.
pub fn plain(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 || !value.is_finite() {
        return signed(&value.to_string());
    }
    if value >= 16384.0 && value.log2().fract() == 0.0 {
        return format!("2{}", raised(value.log2() as i32));
    }
    // Without the last digits of sums in binary.
    let rounded = format!("{value:.12e}").parse().unwrap_or(value);
    let value = if (value - rounded).abs() <= 1e-13 * size {
        rounded
    } else {
        value
    };
    let text = value.to_string();
    if (1e-4..1e15).contains(&size) && text.len() <= 8 {
        return signed(&text);
    }
    let text = format!("{value:e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power = raised(power.parse().unwrap_or(0));
    match digits {
        "1" => format!("10{power}"),
        "-1" => format!("−10{power}"),
        _ => format!("{}×10{power}", signed(digits)),
    }
}
