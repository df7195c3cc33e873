//! Values in JSON files: lists of bounded length, and names and numbers in several notations.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, DeserializeOwned, Deserializer, Error as _, SeqAccess, Visitor};

/// Maximum number of entries in a list of the file.
const MAX_ENTRIES: usize = 2_000_000;

pub(super) fn entries<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    mut list: A,
) -> Result<Vec<T>, A::Error> {
    let mut entries = Vec::new();
    while let Some(entry) = list.next_element()? {
        if entries.len() >= MAX_ENTRIES {
            return Err(A::Error::custom(format!(
                "a list has more than {MAX_ENTRIES} entries, the most that are read"
            )));
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// A list of bounded length.
pub struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List(Vec::new())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<List<T>, D::Error> {
        deserializer
            .deserialize_seq(ListVisitor(PhantomData))
            .map(List)
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
        entries(list)
    }
}

/// A name, written as a text or as a number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub Box<str>);

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Id, D::Error> {
        struct IdVisitor;
        impl de::Visitor<'_> for IdVisitor {
            type Value = Id;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a text or a number")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Id, E> {
                Ok(Id(text.into()))
            }
            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Id, E> {
                Ok(Id(number.to_string().into()))
            }
            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Id, E> {
                Ok(Id(number.to_string().into()))
            }
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Id, E> {
                Ok(Id(number.to_string().into()))
            }
        }
        deserializer.deserialize_any(IdVisitor)
    }
}

/// A number, possibly written as a text, as 64-bit numbers are in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Number(pub f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        let Id(text) = Id::deserialize(deserializer)?;
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Number(number)),
            _ => Err(D::Error::custom("a number was expected")),
        }
    }
}

/// A point in time with exact whole units: times since 1970 may have more digits than a double.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    whole: i64,
    part: f64,
}

impl Moment {
    /// Time since another moment.
    pub fn since(self, other: &Moment) -> f64 {
        let whole = i128::from(self.whole) - i128::from(other.whole);
        whole as f64 + (self.part - other.part)
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.part == 0.0 {
            self.whole.fmt(f)
        } else {
            (self.whole as f64 + self.part).fmt(f)
        }
    }
}

impl<'de> Deserialize<'de> for Moment {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moment, D::Error> {
        let Id(text) = Id::deserialize(deserializer)?;
        if let Ok(whole) = text.parse::<i64>() {
            return Ok(Moment { whole, part: 0.0 });
        }
        let moment = text.split_once('.').and_then(|(whole, part)| {
            let sign = if whole.starts_with('-') { -1.0 } else { 1.0 };
            let part = format!("0.{part}").parse::<f64>().ok()?;
            let whole = whole.parse().ok()?;
            Some(Moment {
                whole,
                part: sign * part,
            })
        });
        let of_double = || {
            let number = text.parse::<f64>().ok()?;
            (number.abs() < i64::MAX as f64).then(|| Moment {
                whole: number.trunc() as i64,
                part: number.fract(),
            })
        };
        (moment.or_else(of_double)).ok_or_else(|| D::Error::custom("a number was expected"))
    }
}
