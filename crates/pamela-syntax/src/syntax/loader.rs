//! Loads included and imported files.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::carried;

/// Limit of the text size in bytes: of one file, and of all files of a model together.
pub const MAX_TEXT: usize = 64 << 20;

/// Finds and reads the files that a model includes or imports.
///
/// An error is a message for the user, in lower case and without a full stop.
pub trait Loader {
    /// The name of the file that `path` means in the file named `including`.
    fn resolve(&self, including: &str, path: &str) -> Result<String, String>;

    /// The text of the file of that name.
    fn read(&self, name: &str) -> Result<String, String>;

    /// A common identity of all names of one file.
    fn identity(&self, name: &str) -> String {
        name.to_owned()
    }

    /// The name of the file that `import "path"` means in the file named `including`.
    fn import(&self, including: &str, path: &str) -> Result<String, String> {
        if carried::is_name(including) {
            return carried::find(including, path);
        }
        let own = self.resolve(including, &with_extension(path));
        match own {
            Ok(name) if self.has(&name) => Ok(name),
            own => carried::find(including, path).or_else(|reason| not_carried(path, reason, own)),
        }
    }

    /// True if there is a file of that name.
    fn has(&self, name: &str) -> bool {
        self.read(name).is_ok()
    }

    /// The text of a file of that name, which the program may carry.
    fn text(&self, name: &str) -> Result<String, String> {
        match carried::text(name) {
            Some(text) => Ok(text.to_owned()),
            None => self.read(name),
        }
    }
}

/// The error for a file that neither the disk nor the program has; for `std/..` it lists the available files.
fn not_carried(
    path: &str,
    reason: String,
    beside: Result<String, String>,
) -> Result<String, String> {
    if path.starts_with("std/") {
        Err(reason)
    } else {
        beside
    }
}

/// `.pam` may be left out.
fn with_extension(path: &str) -> String {
    if path.ends_with(".pam") {
        path.to_owned()
    } else {
        format!("{path}.pam")
    }
}

/// Reads from disk; paths are relative to the directory of the including file.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        let directory = Path::new(including).parent().unwrap_or(Path::new(""));
        Ok(directory.join(path).to_string_lossy().into_owned())
    }

    fn read(&self, name: &str) -> Result<String, String> {
        // Asked first: to open a named pipe would wait for its writer, and a device may never end.
        let metadata = std::fs::metadata(name).map_err(|error| reason(&error))?;
        if !metadata.is_file() && !is_open_pipe(name, &metadata) {
            return Err("it is not a regular file".to_owned());
        }
        let file = File::open(name).map_err(|error| reason(&error))?;
        let mut bytes = Vec::new();
        file.take(MAX_TEXT as u64 + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| reason(&error))?;
        if bytes.len() > MAX_TEXT {
            return Err(too_large());
        }
        String::from_utf8(bytes).map_err(|error| {
            let line = 1 + error
                .as_bytes()
                .iter()
                .take(error.utf8_error().valid_up_to())
                .filter(|&&byte| byte == b'\n')
                .count();
            format!("it is not UTF-8 text (see line {line})")
        })
    }

    fn identity(&self, name: &str) -> String {
        match std::fs::canonicalize(name) {
            Ok(path) => path.to_string_lossy().into_owned(),
            Err(_) => name.to_owned(),
        }
    }

    fn has(&self, name: &str) -> bool {
        Path::new(name).is_file()
    }
}

/// Reads from disk, and also searches these directories for imports.
#[derive(Clone, Debug, Default)]
pub struct LibraryLoader {
    pub directories: Vec<PathBuf>,
}

impl Loader for LibraryLoader {
    fn resolve(&self, including: &str, path: &str) -> Result<String, String> {
        FileLoader.resolve(including, path)
    }

    fn read(&self, name: &str) -> Result<String, String> {
        FileLoader.read(name)
    }

    fn identity(&self, name: &str) -> String {
        FileLoader.identity(name)
    }

    fn has(&self, name: &str) -> bool {
        FileLoader.has(name)
    }

    fn import(&self, including: &str, path: &str) -> Result<String, String> {
        if carried::is_name(including) {
            return carried::find(including, path);
        }
        let beside = FileLoader.resolve(including, &with_extension(path))?;
        let others = self.directories.iter().map(|directory| {
            let file = directory.join(with_extension(path));
            file.to_string_lossy().into_owned()
        });
        let mut all = std::iter::once(beside.clone()).chain(others);
        match all.find(|name| self.has(name)) {
            Some(name) => Ok(name),
            None => carried::find(including, path)
                .or_else(|reason| not_carried(path, reason, Ok(beside))),
        }
    }
}

/// True if the name stands for a pipe that this process was given, as the shell does for `<(command)`.
#[cfg(unix)]
fn is_open_pipe(name: &str, metadata: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let given = name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
    metadata.file_type().is_fifo() && (given || name == "/dev/stdin")
}

#[cfg(not(unix))]
fn is_open_pipe(_name: &str, _metadata: &std::fs::Metadata) -> bool {
    false
}

pub(super) fn too_large() -> String {
    format!("it is larger than {} MiB", MAX_TEXT >> 20)
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "no such file".to_owned(),
        std::io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Refuses every `include`, for models without other files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Loader for NoFiles {
    fn resolve(&self, _including: &str, _path: &str) -> Result<String, String> {
        Err("this model is read from text and cannot read files".to_owned())
    }

    fn read(&self, _name: &str) -> Result<String, String> {
        Err("this model is read from text and cannot read files".to_owned())
    }
}

/// Files in memory: name to text. A path is the whole name, whatever file includes it.
impl Loader for HashMap<String, String> {
    fn resolve(&self, _including: &str, path: &str) -> Result<String, String> {
        Ok(path.to_owned())
    }

    fn read(&self, name: &str) -> Result<String, String> {
        self.get(name)
            .cloned()
            .ok_or_else(|| "no such file".to_owned())
    }
}
