//! The models of `corpus/` and what their comments say.

use std::fs;
use std::path::{Path, PathBuf};

/// A model of the corpus.
pub struct CorpusModel {
    /// `papers/mrm`
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

/// The closed forms that were derived by hand, from the comments of a model:
/// `% let: q = ...` names a part, `% closed: T_main = ...` states one, `% where: ...` bounds all of them.
pub struct ByHand {
    pub lets: Vec<String>,
    /// Name and expression.
    pub closed: Vec<(String, String)>,
    pub domain: Option<String>,
}

/// Every model of the corpus, by name.
pub fn corpus() -> Vec<CorpusModel> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut models = Vec::new();
    for room in [
        "papers",
        "codes",
        "patterns",
        "graphs",
        "algebra",
        "units",
        "distributions",
        "issues",
    ] {
        let Ok(entries) = fs::read_dir(root.join(room)) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a directory of the corpus can be read").path();
            if path.extension().is_some_and(|extension| extension == "pam") {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let name = format!("{room}/{stem}");
                let text = fs::read_to_string(&path).expect("a model of the corpus can be read");
                models.push(CorpusModel { name, path, text });
            }
        }
    }
    models.sort_by(|left, right| left.name.cmp(&right.name));
    models
}

/// The models without laws, whose values the definition gives exactly.
pub fn deterministic() -> Vec<CorpusModel> {
    let mut models = corpus();
    models.retain(|model| !model.has_laws());
    models
}

/// The models with laws.
pub fn stochastic() -> Vec<CorpusModel> {
    let mut models = corpus();
    models.retain(CorpusModel::has_laws);
    models
}

/// Calls that make a law.
const LAWS: [&str; 9] = [
    "exponential(",
    "moments(",
    "bernoulli(",
    "uniform(",
    "mixture(",
    "empirical(",
    "geometric(",
    "pareto(",
    ": law",
];

impl CorpusModel {
    fn has_laws(&self) -> bool {
        let code = self.text.lines().filter(|line| !line.starts_with('%'));
        code.into_iter()
            .any(|line| LAWS.iter().any(|law| line.contains(law)))
    }

    pub fn file(&self) -> &str {
        self.path.to_str().expect("paths of the corpus are plain")
    }

    /// Why a model does not close, from its comment `% open: reason`.
    pub fn open(&self) -> Option<&str> {
        let mut lines = self.text.lines();
        lines.find_map(|line| line.strip_prefix("% open: "))
    }

    pub fn by_hand(&self) -> ByHand {
        let mut by_hand = ByHand {
            lets: Vec::new(),
            closed: Vec::new(),
            domain: None,
        };
        for line in self.text.lines() {
            if let Some(part) = line.strip_prefix("% let: ") {
                by_hand.lets.push(part.to_string());
            } else if let Some(closed) = line.strip_prefix("% closed: ") {
                let (name, expression) = closed
                    .split_once(" = ")
                    .expect("`% closed: name = expression`");
                by_hand
                    .closed
                    .push((name.to_string(), expression.to_string()));
            } else if let Some(domain) = line.strip_prefix("% where: ") {
                by_hand.domain = Some(domain.to_string());
            }
        }
        by_hand
    }
}
