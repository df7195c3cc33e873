//! Parameters of the model: values of the program, times of the machine, and measured quantities.

use super::number::{Atom, Number, Piece, Symbol};
use super::part::Declared;
use super::part::{Parameter, ParameterKind};
use super::walker::{Opaque, Role, Walker};
use super::{Known, KnownLaw, KnownValue};
use crate::problem::Problem;
use crate::source::tree::*;

impl Walker<'_> {
    /// A parameter of the model; an existing one if this site has one.
    pub fn parameter(&mut self, site: (String, usize), parameter: Parameter, hint: &str) -> Symbol {
        if let Some(symbol) = self.by_site.get(&site) {
            return *symbol;
        }
        // A value named like a value given by the user is a different one, whether the model contains the given one
        // or not.
        let spelled = match self.given_names.get_mut(hint) {
            Some(number) if parameter.kind == ParameterKind::Value => {
                *number += 1;
                format!("{hint}_{number}")
            }
            _ => hint.to_string(),
        };
        let symbol = self.symbol(&spelled, Role::Parameter(self.parameters.len()));
        self.parameters.push(Parameter {
            symbol,
            ..parameter
        });
        self.by_site.insert(site, symbol);
        symbol
    }

    /// A value of the program that the model takes as a parameter: a size, an argument.
    pub fn value_parameter(&mut self, name: &str, span: Span, what: &str) -> Number {
        self.value_at(None, name, span, what)
    }

    /// Like [`Walker::value_parameter`], for a value that a profile finds at a site.
    pub fn value_at(&mut self, site: Option<String>, name: &str, span: Span, what: &str) -> Number {
        let place = self.place(span);
        let facts = self.whole.facts.get(name).cloned();
        let (plain, least) = if self.may_be_negative {
            ("integer", None)
        } else {
            ("integer >= 0", Some(0))
        };
        let least = facts.as_ref().map_or(least, |facts| facts.least);
        let mut parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Value,
            facts: facts.map_or(plain.into(), |facts| facts.for_integer().into()),
            place: Some(place),
            what: what.to_string(),
            default: None,
            site,
        };
        self.recall(&mut parameter, name, least);
        let site = match &self.asking {
            Some(path) => (format!("member {path}"), 0),
            None => (format!("value {name} of {}", self.function), span.start),
        };
        let symbol = self.parameter(site, parameter, name);
        if let Some(least) = least {
            self.facts.least.insert(symbol, least);
        }
        Number::symbol(symbol)
    }

    /// Looks up a value in the profile.
    fn recall(&mut self, parameter: &mut Parameter, name: &str, least: Option<i64>) {
        let site = parameter.site.as_ref();
        let Some(known) = site.and_then(|site| self.known.get(site)).cloned() else {
            return;
        };
        parameter.what.push_str(&format!("; {}", known.note));
        let KnownValue::Same { mean, .. } = known.value else {
            return;
        };
        if least.is_some_and(|least| mean < least as f64) {
            let problem = Problem::new(format!(
                "`{name}` is {mean} in the profile, and the model takes it as more"
            ));
            let hint = format!("state its range: #pragma pamela param({name} >= {mean})");
            let problem = match &parameter.place {
                Some(place) => problem.at(place.clone()),
                None => problem,
            };
            return self.unsure(problem.hint(hint));
        }
        parameter.default = Some(mean.to_string());
    }

    /// The value of a global that is set elsewhere, or more than once.
    pub fn global(&mut self, unit: usize, variable: &Variable) -> Number {
        let name = &variable.name;
        let stated = self.whole.facts.get(name).cloned();
        let least = stated.as_ref().map_or(Some(0), |stated| stated.least);
        let entry = &self.whole.functions[self.function];
        let is_seen = entry.unit == unit && variable.span.end < entry.function.span.start;
        let mut parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Value,
            facts: stated.map_or("integer >= 0".into(), |stated| stated.for_integer().into()),
            place: Some(self.whole.place_in(unit, variable.span)),
            what: format!("value of the global {name}"),
            default: None,
            site: is_seen.then(|| self.whole.site_at_begin(self.function, name)),
        };
        self.recall(&mut parameter, name, least);
        let symbol = self.parameter((format!("global {name}"), 0), parameter, name);
        self.given_names.insert(name.clone(), 1);
        if let Some(least) = least {
            self.facts.least.insert(symbol, least);
        }
        Number::symbol(symbol)
    }

    /// The number of threads of a team where the program does not say it.
    pub fn default_threads(&mut self) -> Number {
        if let Some(threads) = &self.threads {
            return threads.clone();
        }
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Threads,
            facts: "integer >= 1".into(),
            place: None,
            what: "number of threads".to_string(),
            default: None,
            site: None,
        };
        // The number of ranks is P.
        let name = if self.world.is_some() { "Threads" } else { "P" };
        let symbol = self.parameter(("threads".to_string(), 0), parameter, name);
        self.facts.least.insert(symbol, 1);
        Number::symbol(symbol)
    }

    /// The time of an operation of the machine: `t_fork`.
    pub fn machine_time(&mut self, name: &str, what: &str) -> Number {
        let parameter = Parameter {
            symbol: Symbol(0),
            kind: ParameterKind::Time,
            facts: ">= 0".into(),
            place: None,
            what: what.to_string(),
            default: None,
            site: None,
        };
        Number::symbol(self.parameter((name.to_string(), 0), parameter, name))
    }

    /// A parameter measured at a place: the probability of a condition, or the number of iterations of a loop.
    pub fn measured(&mut self, kind: ParameterKind, span: Span, what: &str) -> Number {
        let (letter, facts) = match kind {
            ParameterKind::Share => ("p", ">= 0 <= 1"),
            _ => ("K", "integer >= 0"),
        };
        let site = self.whole.site(self.function, span.start);
        let name = self.function_name();
        let hint = format!("{letter}_{name}_{site}");
        let path = format!("{name}/{site}");
        let known = self.known.get(&path).cloned();
        if let Some(number) = known.as_ref().and_then(|known| self.by_position(known)) {
            return number;
        }
        let mut parameter = Parameter {
            symbol: Symbol(0),
            kind,
            facts: facts.into(),
            place: Some(self.place(span)),
            what: what.to_string(),
            default: None,
            site: Some(path),
        };
        let (mut drawn, mut is_fraction) = (None, false);
        let is_known = known
            .as_ref()
            .is_some_and(|known| known.value != KnownValue::Unknown);
        if let Some(known) = known {
            parameter.what.push_str(&format!("; {}", known.note));
            parameter.default = match known.value {
                KnownValue::Same { mean, .. } | KnownValue::Drawn { mean, .. } if self.counts => {
                    is_fraction = mean.fract() != 0.0 && kind == ParameterKind::Trips;
                    if is_fraction {
                        parameter.facts = ">= 0".into();
                    }
                    Some(mean.to_string())
                }
                KnownValue::Drawn { law, mean } => {
                    parameter.facts = Declared::Law;
                    drawn = Some(mean);
                    Some(law.to_string())
                }
                KnownValue::Same { law, .. } => {
                    let law = if kind == ParameterKind::Trips {
                        law.of_whole_numbers()
                    } else {
                        law
                    };
                    if !matches!(law, KnownLaw::Constant(_)) {
                        parameter.facts = Declared::Law;
                    }
                    Some(law.to_string())
                }
                _ => None,
            };
        }
        let key = (format!("{letter} {what} of {}", self.function), span.start);
        let symbol = self.parameter(key, parameter, &hint);
        self.drawn.extend(drawn.map(|mean| (symbol, mean)));
        self.fractions.extend(Some(symbol).filter(|_| is_fraction));
        if !is_known {
            let (message, pragma) = match kind {
                ParameterKind::Share => ("how often this is done depends on data", "prob(p)"),
                _ => (
                    "the iteration count of this loop does not follow from sizes",
                    "trips(n)",
                ),
            };
            let problem = Problem::new(format!("{message}: a parameter"));
            let hint = format!(
                "state it with #pragma pamela {pragma}, or measure it with `pamela profile`"
            );
            self.tell(symbol, problem.at(self.place(span)).hint(hint));
        }
        Number::symbol(symbol)
    }

    /// Notes that a value of the program depends on data, or on a loop without a derived number of iterations.
    pub fn tell_value(&mut self, value: &Number, name: &str, span: Span) {
        let Some(symbol) = value.as_symbol() else {
            return;
        };
        let mut known = self
            .parameters
            .iter()
            .filter(|known| known.symbol == symbol);
        if known.any(|known| known.default.is_some()) {
            return;
        }
        let problem = Problem::new(format!(
            "the value of `{name}` after this does not follow from sizes: a parameter"
        ));
        let hint = "state its value, or measure it with `pamela profile`";
        self.tell(symbol, problem.at(self.place(span)).hint(hint));
    }

    /// Adds a note about a parameter once, if the model has the parameter.
    pub fn tell(&mut self, symbol: Symbol, problem: Problem) {
        if self.opaque.iter().all(|known| known.name != Some(symbol)) {
            let name = Some(symbol);
            self.opaque.push(Opaque { name, problem });
        }
    }

    /// The share of a branch that depends on the number of the iteration.
    fn by_position(&self, known: &Known) -> Option<Number> {
        let KnownValue::Position {
            constant,
            slope,
            offset,
        } = &known.value
        else {
            return None;
        };
        let position = self.around.last().filter(|_| self.loops > 0)?.clone()?;
        let text = |text: String| Piece::Text(text);
        let (open, close) = if self.counts {
            ("", "")
        } else {
            ("bernoulli(", ")")
        };
        let constant = if *constant == 0.0 {
            String::new()
        } else {
            format!("{constant} + ")
        };
        let pieces = match position.plus_constant(*offset) {
            Some(shifted) => vec![
                text(format!("{open}{constant}{slope} / ")),
                Piece::Value(shifted),
                text(close.to_string()),
            ],
            None => vec![
                text(format!("{open}{constant}{slope} / (")),
                Piece::Value(position),
                text(format!(" + {offset}){close}")),
            ],
        };
        Some(Number::atom(Atom::Written(pieces)))
    }
}
