//! Units of parameters and results.

use std::sync::Arc;

use super::Compiled;
use crate::diagnostic::Result;
use crate::pipeline::Shown;

impl Compiled {
    /// The display unit of a parameter or a result, if it has one.
    pub fn shown(&self, name: &str) -> Option<&Shown> {
        self.shown.get(name)
    }

    /// All parameters and results that have a display unit, by name.
    pub fn shown_units(&self) -> impl Iterator<Item = (&str, &Shown)> {
        self.shown
            .iter()
            .map(|(name, shown)| (name.as_str(), shown))
    }

    /// The unit declarations of the model, as text.
    pub fn declared_units(&self) -> String {
        if self.shown.is_empty() {
            String::new()
        } else {
            self.model().map_or(String::new(), |model| {
                let declared = model.checked().units().declared().iter();
                declared.map(|unit| format!("{unit}\n")).collect()
            })
        }
    }

    /// Displays times in the unit `unit`.
    ///
    /// # Errors
    /// Fails like [`Model::time_unit`].
    pub fn with_time_unit(mut self, unit: &str) -> Result<Compiled> {
        let unit = self.model()?.time_unit(unit)?;
        for shown in Arc::make_mut(&mut self.shown).values_mut() {
            if shown.time && !shown.declared {
                *shown = unit.clone();
            }
        }
        Ok(self)
    }
}
