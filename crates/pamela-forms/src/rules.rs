//! The standard rules, and their compiled form.

use std::sync::OnceLock;

use crate::algebra::{RuleBase, RuleFiles};
use crate::diagnostic::Result;

/// The files that are compiled into the library, by family.
const FILES: RuleFiles = RuleFiles::new(&[
    ("functions", include_str!("../rules/functions.rules")),
    ("conditions", include_str!("../rules/conditions.rules")),
    ("maxplus", include_str!("../rules/maxplus.rules")),
    ("rounding", include_str!("../rules/rounding.rules")),
    ("roots", include_str!("../rules/roots.rules")),
    ("vectors", include_str!("../rules/vectors.rules")),
    ("sums", include_str!("../rules/sums.rules")),
    ("series", include_str!("../rules/series.rules")),
    ("extrema", include_str!("../rules/extrema.rules")),
    ("graphs", include_str!("../rules/graphs.rules")),
    ("moments", include_str!("../rules/moments.rules")),
    ("laws", include_str!("../rules/laws.rules")),
    ("quantiles", include_str!("../rules/quantiles.rules")),
    ("products", include_str!("../rules/products.rules")),
    ("order", include_str!("../rules/order.rules")),
]);

const SAVED: &[u8] = include_bytes!("../rules/compiled.bin");

/// The standard rules.
///
/// # Errors
/// Fails if a rule file does not compile; tests show that this does not happen.
pub fn standard() -> Result<RuleBase> {
    static STANDARD: OnceLock<RuleBase> = OnceLock::new();
    if let Some(base) = STANDARD.get() {
        return Ok(base.clone());
    }
    let base = RuleBase::load(FILES, SAVED)?;
    Ok(STANDARD.get_or_init(|| base).clone())
}

/// The contents of `rules/compiled.bin`; recompiled if the rule files have changed.
///
/// # Errors
/// Fails if a rule file does not compile.
pub fn saved() -> Result<Vec<u8>> {
    RuleBase::saved(FILES)
}
