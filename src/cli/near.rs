//! Files whose names are near to one that does not exist.

use std::path::{Path, PathBuf};

/// Files of a folder among which a near name is looked for.
const MOST_BESIDE: usize = 10_000;

/// The same name with its ending, or a file beside it whose name is nearly the same.
pub fn file(path: &Path) -> Option<PathBuf> {
    let model = path.with_extension("pam");
    if path.extension().is_none() && model.is_file() {
        return Some(model);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let beside = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let beside = beside.take(MOST_BESIDE).filter_map(|file| {
        let file = file.ok().filter(|file| file.path().is_file())?;
        file.file_name().into_string().ok()
    });
    let mut names: Vec<String> = beside.collect();
    names.sort();
    let asked = path.file_name()?.to_str()?;
    let near = crate::model::predefined::nearest(asked, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| near.into(), |folder| folder.join(near)))
}
