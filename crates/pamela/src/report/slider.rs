//! Values that parameters can take in the page.

use super::escaped;

/// The values of one parameter, with the initial one.
#[derive(Clone, Debug, PartialEq)]
pub struct Slider {
    /// Name of the parameter.
    pub name: String,
    /// Comment of the parameter in the model.
    pub meaning: String,
    /// Unit of the values, if any.
    pub unit: Option<String>,
    /// The possible values, in slider order; at least one.
    pub values: Vec<f64>,
    /// Index of the initial value in `values`.
    pub start: usize,
}

/// Range of values around a single value: powers of ten each way, and number of steps.
const STEPS: i32 = 20;

impl Slider {
    /// Makes a slider around one value.
    ///
    /// The slider has twenty values for each power of ten, as far as they are `allowed`.
    pub fn around(name: &str, value: f64, whole: bool, allowed: impl Fn(f64) -> bool) -> Slider {
        let factor = |k: i32| 10f64.powf(f64::from(k) / f64::from(STEPS));
        let step = |k: i32| match (value == 0.0, whole) {
            (true, _) => f64::from(k),
            (false, true) => (value * factor(k)).round(),
            (false, false) => shortened(value * factor(k)),
        };
        let other = |k: i32| if k == 0 { value } else { step(k) };
        let mut values: Vec<f64> = (-STEPS..=STEPS).map(other).collect();
        values.sort_by(f64::total_cmp);
        let ends = values.windows(2).filter_map(|pair| match pair {
            &[a, b] if !whole && allowed(a) != allowed(b) => Some(end(a, b, &allowed)),
            _ => None,
        });
        let ends: Vec<f64> = ends.collect();
        values.extend(ends);
        values.retain(|x| *x == value || x.is_finite() && allowed(*x));
        values.sort_by(f64::total_cmp);
        values.dedup();
        let start = values.iter().position(|x| *x == value).unwrap_or(0);
        Slider {
            name: name.to_string(),
            meaning: String::new(),
            unit: None,
            values,
            start,
        }
    }

    /// Makes a slider from a list; it starts in the middle.
    pub fn of_list(name: &str, values: Vec<f64>) -> Slider {
        Slider {
            name: name.to_string(),
            meaning: String::new(),
            unit: None,
            start: values.len() / 2,
            values,
        }
    }
}

impl Slider {
    /// Name of the parameter, with its unit.
    pub(super) fn label(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} [{unit}]", self.name),
            None => self.name.clone(),
        }
    }
}

/// The end of the allowed values between an allowed and a forbidden one.
fn end(a: f64, b: f64, allowed: impl Fn(f64) -> bool) -> f64 {
    let (mut inside, mut outside) = if allowed(a) { (a, b) } else { (b, a) };
    for _ in 0..f64::MANTISSA_DIGITS {
        let middle = inside.midpoint(outside);
        if allowed(middle) {
            inside = middle
        } else {
            outside = middle
        }
    }
    shortened(inside)
}

/// Three digits.
fn shortened(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// HTML of the sliders, each with its range.
pub(super) fn all(sliders: &[Slider]) -> String {
    sliders.iter().map(one).collect()
}

fn one(slider: &Slider) -> String {
    let name = escaped(&slider.name);
    let label = escaped(&slider.label());
    let last = slider.values.len().saturating_sub(1);
    let start = slider.start;
    let meaning = match slider.meaning.as_str() {
        "" => String::new(),
        text => format!(
            "<span class=\"meaning\" id=\"meaning-{name}\">{}</span>",
            escaped(text)
        ),
    };
    let described = if meaning.is_empty() {
        String::new()
    } else {
        format!(" aria-describedby=\"meaning-{name}\"")
    };
    let edge = |value: Option<&f64>| value.map_or(String::new(), f64::to_string);
    let at = edge(slider.values.get(start));
    let (least, most) = (edge(slider.values.first()), edge(slider.values.last()));
    let disabled = if last == 0 { " disabled" } else { "" };
    format!(
        "<div class=\"slider\"><label for=\"slider-{name}\">{label}</label><span class=\"range\"><input type=\"range\" \
         id=\"slider-{name}\" min=\"0\" max=\"{last}\" value=\"{start}\" aria-valuetext=\"{at}\"{described}{disabled}><span \
         class=\"edges\"><span>{least}</span><span>{most}</span></span></span><output for=\"slider-{name}\" \
         id=\"at-{name}\">{at}</output>{meaning}</div>\n"
    )
}

/// HTML of the choices for the horizontal axis.
pub(super) fn axes(sliders: &[Slider], axis: usize) -> String {
    let numbered = sliders.iter().enumerate();
    let several = numbered.filter(|(_, slider)| slider.values.len() > 1);
    let option = |(position, slider): (usize, &Slider)| {
        let selected = if position == axis { " selected" } else { "" };
        let name = escaped(&slider.name);
        format!("<option value=\"{position}\"{selected}>{name}</option>")
    };
    several.map(option).collect()
}
