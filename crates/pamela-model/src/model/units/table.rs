//! Known units: base units with prefixes, multiples, and units that a model declares.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic};
use crate::model::predefined::nearest;
use crate::ring::Rational;
use crate::syntax::tree::{DeclaredUnit, Meaning, Unit, UnitPart};

/// The base unit of times, unless a model says otherwise.
pub(super) const SECOND: &str = "s";
/// The other base unit that times may have.
pub(super) const CYCLE: &str = "cycle";

const BASES: [&str; 7] = [SECOND, CYCLE, "B", "FLOP", "J", "USD", "EUR"];

/// Multiples that take no prefix, in seconds.
const SPANS: [(&str, i64); 3] = [("min", 60), ("h", 3_600), ("d", 86_400)];

/// Prefixes with their powers of ten.
pub const PREFIXES: [(&str, i64); 9] = [
    ("n", -9),
    ("u", -6),
    ("m", -3),
    ("k", 3),
    ("M", 6),
    ("G", 9),
    ("T", 12),
    ("P", 15),
    ("E", 18),
];

/// Binary prefixes with their powers of 1024.
pub const BINARY: [(&str, i64); 5] = [("Ki", 1), ("Mi", 2), ("Gi", 3), ("Ti", 4), ("Pi", 5)];

/// Other names of units.
const ALIASES: [(&str, &str); 14] = [
    ("sec", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("hour", "h"),
    ("hours", "h"),
    ("day", "d"),
    ("days", "d"),
    ("byte", "B"),
    ("bytes", "B"),
    ("bits", "bit"),
    ("flop", "FLOP"),
    ("flops", "FLOP/s"),
    ("cycles", "cycle"),
    ("dollar", "USD"),
];

/// Bits of the largest multiple, and the largest power of a base.
const MOST_BITS: u64 = 4096;
const MOST_POWER: i32 = 144;

/// Units by name, including those that files of the model declare.
#[derive(Clone, Debug, Default)]
pub(super) struct UnitTable {
    declared: BTreeMap<String, Arc<Meaning>>,
}

fn power(base: i64, exponent: i64) -> Rational {
    Rational::from(base).pow(exponent).unwrap_or_default()
}

fn one_of(base: &str, scale: Rational) -> Meaning {
    Meaning {
        scale,
        bases: vec![(base.to_owned(), 1)],
    }
}

impl UnitTable {
    /// Adds `unit [x]` or `unit [x] = q`.
    pub(super) fn declare(&mut self, unit: &DeclaredUnit) -> Result<(), Box<Diagnostic>> {
        let name = &unit.name;
        let meaning = match &unit.value {
            None => one_of(&name.text, Rational::ONE),
            Some(value) => {
                let mut meaning = self.meaning(&value.unit)?;
                meaning.scale *= value.number.clone();
                if meaning.scale.bits() > MOST_BITS {
                    let message = format!("`{}` is too large a multiple", name.text);
                    return Err(Box::new(Diagnostic::error(message, name.span, "too large")));
                }
                meaning
            }
        };
        let wrong = |message: String, hint: &str| {
            let error = Diagnostic::error(message, name.span, "declared here");
            Err(Box::new(error.hint(hint)))
        };
        if !meaning.scale.is_positive() {
            let message = format!("the unit `{}` is {}", name.text, meaning.scale);
            return wrong(message, "a unit is a positive multiple of others");
        }
        // Libraries that share a unit may each declare it.
        let earlier = self.single(&name.text);
        if earlier.is_some_and(|earlier| earlier != meaning) {
            let message = format!("`{}` is already a different unit", name.text);
            return wrong(message, "choose another name");
        }
        self.declared.insert(name.text.clone(), Arc::new(meaning));
        Ok(())
    }

    /// Meaning of a name.
    fn single(&self, name: &str) -> Option<Meaning> {
        if let Some(declared) = self.declared.get(name) {
            return Some((**declared).clone());
        }
        if let Some(plain) = self.plain(name) {
            return Some(plain);
        }
        if let Some((_, seconds)) = SPANS.iter().find(|(span, _)| *span == name) {
            return Some(one_of(SECOND, Rational::from(*seconds)));
        }
        let scaled = |rest: &str, factor: Rational| {
            let mut meaning = self.plain(rest)?;
            meaning.scale *= factor;
            Some(meaning)
        };
        let decimal = PREFIXES.iter().find_map(|&(prefix, exponent)| {
            scaled(name.strip_prefix(prefix)?, power(10, exponent))
        });
        let binary = || {
            BINARY.iter().find_map(|&(prefix, exponent)| {
                let rest = name.strip_prefix(prefix)?;
                let is_data = matches!(rest, "B" | "bit");
                scaled(rest, power(1024, exponent)).filter(|_| is_data)
            })
        };
        decimal.or_else(binary)
    }

    /// Meaning of a name that may have a prefix.
    fn plain(&self, name: &str) -> Option<Meaning> {
        if let Some(base) = BASES.iter().find(|base| **base == name) {
            return Some(one_of(base, Rational::ONE));
        }
        Some(match name {
            "bit" => one_of("B", power(8, -1)),
            "Hz" => Meaning {
                scale: Rational::ONE,
                bases: vec![(SECOND.to_owned(), -1)],
            },
            "W" => Meaning {
                scale: Rational::ONE,
                bases: vec![("J".to_owned(), 1), (SECOND.to_owned(), -1)],
            },
            _ => {
                let declared = self.declared.get(name)?;
                let is_base = declared.bases == [(name.to_owned(), 1)];
                return is_base.then(|| (**declared).clone());
            }
        })
    }

    /// The meaning of the parts of a unit together.
    pub(super) fn meaning(&self, unit: &Unit) -> Result<Meaning, Box<Diagnostic>> {
        let mut scale = Rational::ONE;
        let mut bases: BTreeMap<String, i32> = BTreeMap::new();
        for UnitPart { name, power } in &unit.parts {
            let Some(own) = self.single(&name.text) else {
                return Err(self.unknown(&name.text, name.span));
            };
            let bits = own.scale.bits().saturating_mul(power.unsigned_abs().into());
            let large =
                |(_, exponent): &(String, i32)| exponent.saturating_mul(*power).abs() > MOST_POWER;
            if bits > MOST_BITS || own.bases.iter().any(large) {
                let message = format!("`{}` to this power is too large a unit", name.text);
                return Err(Box::new(Diagnostic::error(message, name.span, "too large")));
            }
            let factor = own.scale.pow(i64::from(*power)).unwrap_or_default();
            scale *= factor;
            for (base, exponent) in own.bases {
                *bases.entry(base).or_insert(0) += exponent * power;
            }
        }
        bases.retain(|_, exponent| *exponent != 0);
        Ok(Meaning {
            scale,
            bases: bases.into_iter().collect(),
        })
    }

    /// A rate or a product that is written as one word elsewhere: `GBps`, `TFLOPS`, `kWh`.
    fn made_of_two(&self, name: &str) -> Option<String> {
        let known = |own: &String| self.single(own).is_some();
        let operations = ["FLOPS", "FLOPs", "Flops", "flops"];
        let operations = operations.iter().find_map(|word| name.strip_suffix(word));
        let operations = operations.map(|prefix| format!("{prefix}FLOP"));
        let bits = |own: &str| own.strip_suffix('b').map(|prefix| format!("{prefix}bit"));
        let rates = name.strip_suffix("ps").into_iter();
        let rates = rates.flat_map(|own| [Some(own.to_owned()), bits(own)]);
        let rate = operations.into_iter().chain(rates.flatten()).find(known);
        let energy = || name.strip_suffix('h').map(str::to_owned).filter(known);
        let rate = rate.map(|own| format!("{own}/s"));
        rate.or_else(|| energy().map(|own| format!("{own}*h")))
    }

    fn unknown(&self, name: &str, span: crate::diagnostic::Span) -> Box<Diagnostic> {
        let message = format!("no unit named `{name}`");
        let error = Diagnostic::error(message, span, "used here").code(Code::UnitUnknown);
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let prefixes = PREFIXES.iter().chain(&BINARY).map(|(prefix, _)| *prefix);
        let plain = ["bit", "Hz", "W"].into_iter().chain(BASES);
        let declared = self.declared.keys().map(String::as_str);
        let mut all: Vec<String> = plain.clone().chain(declared).map(str::to_owned).collect();
        all.extend(SPANS.iter().map(|(span, _)| (*span).to_owned()));
        for prefix in prefixes.clone() {
            all.extend(plain.clone().map(|own| format!("{prefix}{own}")));
        }
        let made = || self.made_of_two(name);
        let bits = name.strip_suffix('b').filter(|own| {
            let mut prefixes = prefixes;
            own.is_empty() || prefixes.any(|prefix| prefix == *own)
        });
        Box::new(match (alias, bits) {
            (Some((_, unit)), _) => error.hint(format!("write `[{unit}]`")).edit(span, *unit),
            (_, Some(prefix)) => error.hint(format!("did you mean `{prefix}bit` or `{prefix}B`?")),
            _ if made().is_some() => error.hint(format!("write `[{}]`", made().unwrap_or_default())),
            _ => match nearest(name, all.iter().map(String::as_str)) {
                Some(near) => error.suggest(span, near),
                None => error.hint(format!(
                    "declare a new unit with `unit [{name}]`, a multiple with `unit [{name}] = 4 [KiB]`"
                )),
            },
        })
    }
}
