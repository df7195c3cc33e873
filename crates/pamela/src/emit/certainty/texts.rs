//! Writes numbers, sums and products of error bounds.

use super::DIGITS;
use crate::emit::expression::{EXACT, Writer};
use crate::emit::notation::Translation;
use crate::expr::Function;
use crate::ring::Rational;

impl Writer<'_> {
    /// The error of `steps` roundings of numbers up to `magnitude`; zero for whole numbers that
    /// doubles hold.
    pub(super) fn rounded(&mut self, magnitude: &str, whole: bool, steps: usize) -> Option<String> {
        if steps < 2 {
            return None;
        }
        let steps = self.text(steps as f64);
        Some(if whole {
            let (most, zero) = (self.text((EXACT - 1) as f64), self.text(0.0));
            let above = self.notation.sum(&[magnitude.to_string()], &[most]);
            let above = self.short(above);
            let above = self.notation.extreme(true, &[above, zero]);
            let above = self.short(above);
            self.times(&[steps, above])
        } else {
            let once = self.rounding(magnitude, DIGITS);
            self.times(&[steps, once])
        })
    }

    pub(super) fn rounding(&mut self, magnitude: &str, digits: u32) -> String {
        let unit = self.text(2f64.powi(-(digits as i32)));
        self.times(&[unit, magnitude.to_string()])
    }

    pub(super) fn text(&self, value: f64) -> String {
        let exact = crate::compiled::decimal(value).unwrap_or_else(|| Rational::from(0));
        self.notation.number(&exact)
    }

    pub(super) fn absolute(&mut self, value: &str) -> Translation {
        if value.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(value.to_string());
        }
        let value = self.short(value.to_string());
        let size = self.notation.apply(Function::Abs, &value)?;
        Ok(self.short(size))
    }

    pub(super) fn total(&mut self, texts: &[String]) -> String {
        match texts {
            [only] => only.clone(),
            _ => {
                let text = self.notation.sum(texts, &[]);
                self.short(text)
            }
        }
    }

    pub(super) fn times(&mut self, texts: &[String]) -> String {
        let one = self.text(1.0);
        let others: Vec<String> = texts.iter().filter(|text| **text != one).cloned().collect();
        match others.as_slice() {
            [] => one,
            [only] => only.clone(),
            several => {
                let text = self.notation.product(several);
                self.short(text)
            }
        }
    }
}
