//! Files of compiled models: a header line, then one line of JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::{Compiled, Parameter, Source};
use crate::algebra::Stop;
use crate::diagnostic::{Error, Result};
use crate::effort::Effort;
use crate::expr::{Arena, Sort};
use crate::formula::{Formula, NameTable, Parts};
use crate::law::Carrier;
use crate::pipeline::{
    Crossing, GraphOptions, Regime, Regimes, Shown, Simplified, SimplifiedEquation, Texts,
};
use crate::timing::{Origin, Standing};

/// The first word of a file.
const MAGIC: &str = "pamela-compiled";
/// Files of other versions are not read.
const VERSION: u32 = 4;

#[derive(Serialize, Deserialize)]
struct SavedModel {
    texts: Texts,
    parameters: Vec<Parameter>,
    has_random_facts: bool,
    carrier: Carrier,
    effort: Effort,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    shown: BTreeMap<String, Shown>,
    arena: Arena,
    given: NameTable,
    facts: Vec<Parts>,
    assumptions: Vec<Parts>,
    equations: Vec<SavedEquation>,
    failures: Vec<Error>,
    stop: Stop,
    #[serde(default)]
    refuted: Vec<Error>,
    #[serde(default)]
    points: usize,
    scopes: usize,
    nodes: usize,
}

#[derive(Serialize, Deserialize)]
struct SavedEquation {
    name: String,
    sort: Sort,
    formals: Vec<String>,
    auxiliary: bool,
    #[serde(default)]
    kept: bool,
    origin: Origin,
    standing: Standing,
    #[serde(default)]
    superseded: bool,
    formula: Parts,
    rules: Vec<String>,
    own_rules: Vec<String>,
    regimes: Option<SavedRegimes>,
    regimes_cut: bool,
    stop: Stop,
}

#[derive(Serialize, Deserialize)]
struct SavedRegimes {
    /// Regimes, each with the name of the dominating resource.
    regimes: Vec<(Parts, Option<String>)>,
    /// Crossings, each with its parameter.
    crossings: Vec<(String, Parts)>,
}

impl From<&Compiled> for SavedModel {
    fn from(compiled: &Compiled) -> SavedModel {
        let simplified = &compiled.simplified;
        let one = simplified.equations.first().map(|e| &e.formula);
        SavedModel {
            texts: (*compiled.source.texts).clone(),
            parameters: compiled.parameters.to_vec(),
            has_random_facts: compiled.has_random_facts,
            carrier: compiled.carrier,
            effort: compiled.effort,
            shown: (*compiled.shown).clone(),
            arena: one.map_or_else(Arena::new, |f| f.arena().clone()),
            given: one.map_or_else(NameTable::default, |f| (**f.given()).clone()),
            facts: simplified.facts.iter().map(Formula::parts).collect(),
            assumptions: simplified.assumptions.iter().map(Formula::parts).collect(),
            equations: simplified.equations.iter().map(saved_equation).collect(),
            failures: simplified.failures.clone(),
            stop: simplified.stop,
            refuted: simplified.refuted.clone(),
            points: simplified.points,
            scopes: simplified.scopes,
            nodes: simplified.nodes,
        }
    }
}

fn saved_equation(equation: &SimplifiedEquation) -> SavedEquation {
    let regimes = |found: &Regimes| SavedRegimes {
        regimes: found
            .regimes
            .iter()
            .map(|regime| (regime.formula.parts(), regime.dominant.clone()))
            .collect(),
        crossings: found
            .crossings
            .iter()
            .map(|crossing| (crossing.parameter.clone(), crossing.formula.parts()))
            .collect(),
    };
    SavedEquation {
        name: equation.name.clone(),
        sort: equation.sort,
        formals: equation.formals.clone(),
        auxiliary: equation.auxiliary,
        kept: equation.kept,
        origin: equation.origin.clone(),
        standing: equation.standing.clone(),
        superseded: equation.superseded,
        formula: equation.formula.parts(),
        rules: equation.rules.clone(),
        own_rules: equation.own_rules.clone(),
        regimes: equation.regimes.as_ref().map(regimes),
        regimes_cut: equation.regimes_cut,
        stop: equation.stop,
    }
}

impl TryFrom<SavedModel> for Compiled {
    type Error = String;

    fn try_from(saved: SavedModel) -> std::result::Result<Compiled, String> {
        let (arena, given) = (Arc::new(saved.arena), Arc::new(saved.given));
        let formula = |parts: Parts| Formula::from_parts(parts, &arena, &given);
        let equation = |saved: SavedEquation| {
            let regimes = |saved: SavedRegimes| {
                let regime = |(parts, dominant)| {
                    Ok(Regime {
                        formula: formula(parts)?,
                        dominant,
                    })
                };
                let crossing = |(parameter, parts)| {
                    Ok(Crossing {
                        parameter,
                        formula: formula(parts)?,
                    })
                };
                Ok::<Regimes, String>(Regimes {
                    regimes: saved
                        .regimes
                        .into_iter()
                        .map(regime)
                        .collect::<std::result::Result<_, String>>()?,
                    crossings: saved
                        .crossings
                        .into_iter()
                        .map(crossing)
                        .collect::<std::result::Result<_, String>>()?,
                })
            };
            Ok::<SimplifiedEquation, String>(SimplifiedEquation {
                name: saved.name,
                sort: saved.sort,
                formals: saved.formals,
                auxiliary: saved.auxiliary,
                kept: saved.kept,
                origin: saved.origin,
                standing: saved.standing,
                superseded: saved.superseded,
                formula: formula(saved.formula)?,
                rules: saved.rules,
                own_rules: saved.own_rules,
                regimes: saved.regimes.map(regimes).transpose()?,
                regimes_cut: saved.regimes_cut,
                derivation: None,
                stop: saved.stop,
            })
        };
        let equations = saved.equations.into_iter().map(equation);
        let facts = saved.facts.into_iter().map(formula);
        let assumptions = saved.assumptions.into_iter().map(formula);
        let simplified = Simplified {
            equations: equations.collect::<std::result::Result<_, String>>()?,
            facts: facts.collect::<std::result::Result<_, String>>()?,
            assumptions: assumptions.collect::<std::result::Result<_, String>>()?,
            failures: saved.failures,
            stop: saved.stop,
            refuted: saved.refuted,
            points: saved.points,
            scopes: saved.scopes,
            nodes: saved.nodes,
            seconds: 0.0,
        };
        Ok(Compiled {
            source: Arc::new(Source {
                texts: Arc::new(saved.texts),
                model: OnceLock::new(),
                rules: OnceLock::new(),
                moments: OnceLock::new(),
            }),
            parameters: saved.parameters.into(),
            order: simplified.callees_first().into(),
            simplified: Arc::new(simplified),
            has_random_facts: saved.has_random_facts,
            carrier: saved.carrier,
            graphs: GraphOptions::default(),
            effort: saved.effort,
            shown: Arc::new(saved.shown),
        })
    }
}

impl Serialize for Compiled {
    fn serialize<S: serde::Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        SavedModel::from(self).serialize(to)
    }
}

impl<'de> Deserialize<'de> for Compiled {
    fn deserialize<D: serde::Deserializer<'de>>(
        from: D,
    ) -> std::result::Result<Compiled, D::Error> {
        let saved = SavedModel::deserialize(from)?;
        Compiled::try_from(saved).map_err(serde::de::Error::custom)
    }
}

impl Compiled {
    /// Writes a compiled model as text that [`Compiled::load`] reads.
    ///
    /// Derivations and rules of the user are not saved. The header holds the version and a
    /// checksum.
    ///
    /// # Errors
    /// Fails if JSON cannot represent a value.
    pub fn save(&self) -> Result<String> {
        let body = serde_json::to_string(self);
        let body = body.map_err(|reason| Error::new(format!("cannot save: {reason}")))?;
        let sum = checksum(body.as_bytes());
        Ok(format!("{MAGIC} {VERSION} {sum:016x}\n{body}\n"))
    }

    /// True if the text has the header of a compiled model.
    pub fn is_saved(text: &str) -> bool {
        text.strip_prefix(MAGIC)
            .is_some_and(|rest| rest.starts_with(' '))
    }

    /// Reads the text that [`Compiled::save`] wrote; `name` is the name of the file.
    ///
    /// # Errors
    /// Fails if the text is not a compiled model, has another version, or is damaged.
    pub fn load(name: &str, text: &str) -> Result<Compiled> {
        let wrong = |reason: String| Error::new(format!("cannot read `{name}`: {reason}"));
        let (head, body) = text.split_once('\n').unwrap_or((text, ""));
        let words: Vec<&str> = head.split(' ').collect();
        let [MAGIC, version, sum] = words[..] else {
            return Err(wrong(format!(
                "it is not a compiled model: it does not begin with `{MAGIC}`"
            )));
        };
        if version != VERSION.to_string() {
            return Err(wrong(format!(
                "it is a compiled model of version {version}, but this program reads version {VERSION}; compile the \
                 model again with `pamela simplify MODEL --emit compiled -o {name}`"
            )));
        }
        let body = body.strip_suffix('\n').unwrap_or(body);
        if u64::from_str_radix(sum, 16) != Ok(checksum(body.as_bytes())) {
            return Err(wrong(
                "it is damaged: its checksum differs; compile the model again".to_string(),
            ));
        }
        serde_json::from_str(body).map_err(|reason| wrong(format!("it is damaged: {reason}")))
    }
}

/// FNV-1a, eight bytes at a time: it tells accidents, not intent.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325_u64 ^ bytes.len() as u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        sum = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        sum ^= sum >> 29;
    }
    sum
}
