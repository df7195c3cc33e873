//! The facts of a model as one function.

use super::expression::Writer;
use super::notation::Obstacle;
use super::reserved::Names;
use super::{Body, Facts, Language, Source};
use crate::formula::Formula;

/// No name of a model begins like this.
const FUNCTION: &str = "pamela_facts_hold";

impl Source<'_> {
    /// The function of all facts that the language can express.
    pub(super) fn facts(&self, language: Language, names: &Names, random: bool) -> (Facts, Body) {
        let mut body = Body::default();
        let mut complete = !random;
        for (number, fact) in self.simplified.facts.iter().enumerate() {
            let prefix = format!("{}{number}_", names.part());
            match self.fact(language, names, fact, prefix) {
                Ok(own) => {
                    body.parts.extend(own.parts);
                    body.results.extend(own.results);
                }
                Err(_) => complete = false,
            }
        }
        let used = |name: &String| {
            let mut facts = self.simplified.facts.iter();
            facts.any(|fact| fact.parameters().contains(name))
        };
        let all = self.parameters.iter().map(|p| &p.name);
        let facts = Facts {
            function: FUNCTION.to_string(),
            parameters: all.filter(|name| used(name)).cloned().collect(),
            complete,
        };
        (facts, body)
    }

    /// A fact by itself: none that rests on equations or on conditions, since the definition may know better.
    fn fact(
        &self,
        language: Language,
        names: &Names,
        fact: &Formula,
        prefix: String,
    ) -> Result<Body, Obstacle> {
        if let Some(name) = fact
            .mentions()
            .into_iter()
            .chain(fact.rests_on().iter().cloned())
            .next()
        {
            return Err(Obstacle::Mention(name));
        }
        if !fact.conditions().is_empty() {
            return Err(Obstacle::Open);
        }
        let notation = language.notation();
        let roots = [fact.root()];
        let mut writer = Writer::new(&*notation, fact.arena(), names, &|_| None, prefix, &roots);
        let mut results = vec![writer.truth(fact.root())?];
        if !notation.is_exact() {
            writer.whole = self.whole(fact, &roots);
            results.extend(writer.decisions(&roots)?);
        }
        let parts = writer.finish();
        Ok(Body { parts, results }.without_idle_parts())
    }
}
