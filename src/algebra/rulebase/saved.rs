//! The trees of the library's rule files, saved beside them: to read these takes a tenth of the time that their texts
//! take.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Result;
use crate::syntax::{self, tree::RuleFile};

const SAVED: &[u8] = include_bytes!("../../../rules/trees.bin");

#[derive(Serialize, Deserialize)]
struct Saved {
    /// Of the texts that the trees are of.
    key: u64,
    trees: Vec<RuleFile>,
}

/// The trees of the files, each a family and its text: what is saved, if it is of these texts.
pub(super) fn trees(files: &[(&str, &str)]) -> Result<Vec<RuleFile>> {
    match postcard::from_bytes::<Saved>(SAVED) {
        Ok(saved) if saved.key == key(files) => Ok(saved.trees),
        _ => parsed(files),
    }
}

fn parsed(files: &[(&str, &str)]) -> Result<Vec<RuleFile>> {
    let trees = files.iter().map(|(family, text)| {
        let (tree, _) = syntax::parse_rules(&super::file_of(family), text)?;
        Ok(tree)
    });
    trees.collect()
}

/// What is to be saved.
pub(super) fn bytes(files: &[(&str, &str)]) -> Result<Vec<u8>> {
    let saved = Saved {
        key: key(files),
        trees: parsed(files)?,
    };
    // Nothing in a tree has no form in bytes.
    Ok(postcard::to_allocvec(&saved).unwrap_or_default())
}

/// A hash of the names and the texts (FNV-1a): the same on every machine.
fn key(files: &[(&str, &str)]) -> u64 {
    let texts = files.iter().flat_map(|(family, text)| [family, text]);
    let bytes = texts.flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
