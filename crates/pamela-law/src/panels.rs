//! Adaptive Gauss-Kronrod quadrature (Piessens et al. 1983) over panels on which the integrand is smooth.
//!
//! An integrand has `K` components, which share their nodes.

/// Positive nodes of the 21-point Kronrod rule with their weights; every other one is of the 10-point Gauss rule, and
/// has its weight there.
const NODES: [(f64, f64, f64); 10] = [
    (0.995_657_163_025_808_1, 0.011_694_638_867_371_874, 0.0),
    (
        0.973_906_528_517_171_7,
        0.032_558_162_307_964_725,
        0.066_671_344_308_688_14,
    ),
    (0.930_157_491_355_708_2, 0.054_755_896_574_351_995, 0.0),
    (
        0.865_063_366_688_984_5,
        0.075_039_674_810_919_96,
        0.149_451_349_150_580_6,
    ),
    (0.780_817_726_586_416_9, 0.093_125_454_583_697_6, 0.0),
    (
        0.679_409_568_299_024_4,
        0.109_387_158_802_297_64,
        0.219_086_362_515_982_04,
    ),
    (0.562_757_134_668_604_7, 0.123_491_976_262_065_85, 0.0),
    (
        0.433_395_394_129_247_2,
        0.134_709_217_311_473_34,
        0.269_266_719_309_996_35,
    ),
    (0.294_392_862_701_460_2, 0.142_775_938_577_060_09, 0.0),
    (
        0.148_874_338_981_631_22,
        0.147_739_104_901_338_49,
        0.295_524_224_714_752_87,
    ),
];
const MIDDLE: f64 = 0.149_445_554_002_916_9;

/// A panel is halved while its error is above this, beside the integral of the absolute value.
const TOLERANCE: f64 = 1e-10;
const MAX_PANELS: usize = 400;

struct Panel<const K: usize> {
    ends: (f64, f64),
    value: [f64; K],
    magnitude: [f64; K],
    error: [f64; K],
}

/// `int f(x) dx` from the first to the last of the increasing `knots`.
pub fn integral<const K: usize>(knots: &[f64], f: impl Fn(f64) -> [f64; K]) -> [f64; K] {
    let mut fresh: Vec<Panel<K>> = (knots.windows(2))
        .map(|pair| panel((pair[0], pair[1]), &f))
        .collect();
    let (mut value, mut magnitude) = ([0.0; K], [0.0; K]);
    for panel in &fresh {
        (0..K).for_each(|k| magnitude[k] += panel.magnitude[k]);
    }
    let mut count = fresh.len();
    while let Some(worst) = fresh.pop() {
        let (a, b) = worst.ends;
        let middle = 0.5 * (a + b);
        let settled = (0..K).all(|k| worst.error[k] <= TOLERANCE * magnitude[k]);
        if settled || count >= MAX_PANELS || middle <= a || middle >= b {
            (0..K).for_each(|k| value[k] += worst.value[k]);
            continue;
        }
        count += 1;
        fresh.push(panel((a, middle), &f));
        fresh.push(panel((middle, b), &f));
    }
    value
}

fn panel<const K: usize>(ends: (f64, f64), f: &impl Fn(f64) -> [f64; K]) -> Panel<K> {
    let (middle, half) = (0.5 * (ends.0 + ends.1), 0.5 * (ends.1 - ends.0));
    let (mut kronrod, mut gauss, mut magnitude) = ([0.0; K], [0.0; K], [0.0; K]);
    let mut add = |x: f64, weight: f64, of_gauss: f64| {
        let values = f(x);
        for k in 0..K {
            kronrod[k] += weight * values[k];
            gauss[k] += of_gauss * values[k];
            magnitude[k] += weight * values[k].abs();
        }
    };
    add(middle, MIDDLE, 0.0);
    for (node, weight, of_gauss) in NODES {
        add(middle - half * node, weight, of_gauss);
        add(middle + half * node, weight, of_gauss);
    }
    // The 21-point rule has more than half as many digits again as the 10-point rule.
    let error = |k: usize| {
        if magnitude[k] > 0.0 {
            magnitude[k] * (200.0 * (kronrod[k] - gauss[k]).abs() / magnitude[k]).powf(1.5)
        } else {
            0.0
        }
    };
    Panel {
        ends,
        error: std::array::from_fn(|k| half * error(k)),
        value: kronrod.map(|value| half * value),
        magnitude: magnitude.map(|value| half * value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_exact_and_kinks_are_halved_to() {
        // The rule is exact up to degree 31; a single panel is not split.
        for power in 0..=31 {
            let [found] = integral(&[0.0, 2.0], |x: f64| [x.powi(power)]);
            let exact = 2.0_f64.powi(power + 1) / f64::from(power + 1);
            assert!((found / exact - 1.0).abs() < 1e-13, "{power}");
        }
        let found = integral(&[-1.0, 2.0], |x: f64| [(x - 0.3).abs(), (-x * x).exp()]);
        assert!((found[0] - (1.3 * 1.3 + 1.7 * 1.7) / 2.0).abs() < 1e-12);
        assert!((found[1] - 1.628_905_523_574_848_7).abs() < 1e-14);
    }

    #[test]
    fn panels_may_be_of_any_widths() {
        let knots = [0.0, 1e-9, 1e-3, 1.0, 1.0, 40.0, 700.0];
        let found = integral(&knots, |x: f64| [(-x).exp(), x.powi(3) * (-x).exp()]);
        assert!((found[0] - 1.0).abs() < 1e-14 && (found[1] - 6.0).abs() < 1e-13);
    }
}
