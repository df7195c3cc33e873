//! What is not known of results: their intervals, and the share of each unknown number.

use super::escaped;
use crate::law::shortest::rounded;
use crate::uncertain::Spread;

/// Digits of numbers that come from draws.
const DIGITS: usize = 4;

/// A section with a table for each result, the greatest share first; nothing if all is known.
pub(super) fn section(spreads: &[(Spread, String)]) -> String {
    if spreads.is_empty() {
        return String::new();
    }
    let tables: String = spreads.iter().map(|(own, unit)| table(own, unit)).collect();
    format!(
        "<section id=\"unknown\"><h2>What is not known</h2>\n\
         <p>At the first values of the sliders, by {} draws.</p>\n{tables}</section>\n",
        spreads[0].0.draws
    )
}

fn table(own: &Spread, unit: &str) -> String {
    let number = |value: f64| escaped(format!("{} {unit}", rounded(value, DIGITS)).trim_end());
    let mut shares = own.shares.clone();
    shares.sort_by(|a, b| b.total.total_cmp(&a.total));
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let rows = shares.iter().map(|share| {
        format!(
            "<tr><th scope=\"row\">{}</th><td><meter min=\"0\" max=\"1\" value=\"{:.4}\"></meter></td><td>{}</td><td>{}</td></tr>\n",
            escaped(&share.name),
            share.total.clamp(0.0, 1.0),
            percent(share.total),
            percent(share.first)
        )
    });
    format!(
        "<h3><code>{}</code></h3>\n<p>Mean {}, standard deviation {}; {} % between {} and {}.</p>\n\
         <table><thead><tr><th>Unknown</th><th></th><th>Share of the variance</th><th>Alone</th></tr></thead>\n\
         <tbody>{}</tbody></table>\n",
        escaped(&own.name),
        number(own.mean),
        number(own.sd),
        rounded(100.0 * own.interval.level, DIGITS),
        number(own.interval.low),
        number(own.interval.high),
        rows.collect::<String>()
    )
}
