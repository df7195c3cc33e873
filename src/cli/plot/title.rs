//! Titles of pictures.

use pamela_plot::plain;

use crate::compiled::Compiled;
use crate::pipeline::Model;
use crate::report::Heading;
use crate::ring::Rational;

/// Longer titles do not fit above a picture.
const LONGEST_TITLE: usize = 56;

/// The title that is asked for, or else the first sentence of the model, or the name of its file, with the fixed values.
pub fn title(
    asked: Option<&String>,
    file: &str,
    model: Option<&Model>,
    fixed: &[String],
) -> String {
    if let Some(asked) = asked {
        return asked.clone();
    }
    let own = model.map(|model| Heading::of(file, model.texts().text()).title);
    let own = own.filter(|own| own.chars().count() <= LONGEST_TITLE);
    let own = own.unwrap_or_else(|| file.to_owned());
    if fixed.is_empty() {
        own
    } else {
        format!("{own}: {}", fixed.join(", "))
    }
}

/// `N = 1000`, `hop = 2 us`: the parameters that have one value in a picture.
pub fn fixed(constants: &[(String, Rational)], compiled: &Compiled) -> Vec<String> {
    let text = |(name, value): &(String, Rational)| match compiled.shown(name) {
        Some(own) => format!(
            "{name} = {} {}",
            plain(own.double(value.to_f64())),
            own.unit
        ),
        None => format!("{name} = {}", plain(value.to_f64())),
    };
    constants.iter().map(text).collect()
}
