//! Facts about parameters that the user states.

/// Facts about a parameter that the user states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedFacts {
    /// `>= 1`
    pub text: String,
    /// True if `integer` is among them.
    pub is_integer: bool,
    /// The least value that follows from the fact.
    pub least: Option<i64>,
}

impl StatedFacts {
    /// Parses `n >= 1` from a pragma into the name and the facts.
    pub fn read(text: &str) -> Option<(String, StatedFacts)> {
        let text = text.trim();
        let end = text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        if name.is_empty() {
            return None;
        }
        let rest = rest.trim().trim_start_matches(':').trim();
        let least = rest
            .split(">=")
            .nth(1)
            .and_then(|after| after.split_whitespace().next()?.parse().ok());
        let above = rest
            .split('>')
            .nth(1)
            .and_then(|after| after.split_whitespace().next()?.parse::<i64>().ok());
        Some((
            name.to_string(),
            StatedFacts {
                text: rest.to_string(),
                is_integer: rest.split_whitespace().any(|word| word == "integer"),
                least: least.or(above.and_then(|above| above.checked_add(1))),
            },
        ))
    }

    /// The facts of a whole number.
    pub fn for_integer(&self) -> String {
        if self.is_integer {
            self.text.clone()
        } else {
            format!("integer {}", self.text).trim_end().to_string()
        }
    }
}
