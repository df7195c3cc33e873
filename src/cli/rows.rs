//! Rows of a table for readers: names, values and notes.

use crate::law::shortest::rounded;

/// Significant digits of numbers that are not known by a standard error.
pub const DIGITS: usize = 6;

/// One equation.
#[derive(Default)]
pub struct Row {
    /// Name of the equation.
    pub name: String,
    /// Its value, with its unit.
    pub value: String,
    /// Relation of the value to the time of a run, printed beside the value.
    pub standing: Option<String>,
    /// A second line, below the value.
    pub below: Option<String>,
    /// Notes, which rows share.
    pub notes: Vec<String>,
}

/// Rows with their columns aligned, then the notes by number.
pub fn lines(rows: &[Row]) -> Vec<String> {
    let width = |text: &dyn Fn(&Row) -> usize| rows.iter().map(text).max().unwrap_or(0);
    let names = width(&|row| row.name.chars().count());
    let values = width(&|row| {
        if row.standing.is_some() || !row.notes.is_empty() {
            row.value.chars().count()
        } else {
            0
        }
    });
    let mut notes: Vec<&String> = Vec::new();
    let mut lines = Vec::new();
    for row in rows {
        let mut beside: Vec<String> = row.standing.iter().cloned().collect();
        let numbers = row.notes.iter().map(|note| {
            let known = notes.iter().position(|known| *known == note);
            let at = known.unwrap_or_else(|| {
                notes.push(note);
                notes.len() - 1
            });
            format!("[{}]", at + 1)
        });
        beside.extend(numbers);
        let beside = beside.join(" ");
        let (name, value) = (&row.name, &row.value);
        let (line, below) = match &row.below {
            None => (format!("{name:names$}  {value:values$}  {beside}"), None),
            Some(below) => (
                format!("{name:names$}  {value}"),
                Some(format!("{:names$}  {below}  {beside}", "")),
            ),
        };
        let both = std::iter::once(line).chain(below);
        lines.extend(both.map(|line| line.trim_end().to_owned()));
    }
    if !notes.is_empty() {
        lines.push(String::new());
    }
    let numbered = notes.iter().enumerate();
    lines.extend(numbered.map(|(at, note)| format!("[{}] {note}", at + 1)));
    lines
}

/// `2.876 ± 0.005`: at most two digits of the error, and as many decimals of the value.
pub fn with_error(value: f64, error: f64) -> String {
    let is_known = error > 0.0 && error.is_finite() && value.is_finite();
    if !is_known {
        return rounded(value, DIGITS);
    }
    let decimals = 1 - error.log10().floor() as i32;
    // What rounds to 0 has no sign.
    let is_nothing = value.abs() <= 0.5 * 10f64.powi(-decimals);
    let value = if is_nothing { 0.0 } else { value };
    match usize::try_from(decimals) {
        Ok(decimals @ 0..=12) => format!("{value:.decimals$} ± {error:.decimals$}"),
        Ok(_) => format!("{} ± {}", rounded(value, 15), rounded(error, 2)),
        Err(_) => {
            let unit = 10f64.powi(-decimals);
            let nearest = |x: f64| rounded((x / unit).round() * unit, 15);
            format!("{} ± {}", nearest(value), nearest(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::with_error;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        assert_eq!(with_error(-0.0004, 0.03), "0.000 ± 0.030");
        assert_eq!(with_error(-0.4, 12.0), "0 ± 12");
        assert_eq!(with_error(-3.0, 123.0), "0 ± 120");
        assert_eq!(with_error(-0.04, 0.03), "-0.040 ± 0.030");
        assert_eq!(with_error(-0.0, 0.0), "0");
    }
}
