//! Files embedded in the program: `import "std/.."` needs no disk.

/// By their paths, without `.pam`.
const FILES: [(&str, &str); 9] = [
    ("std/collectives", include_str!("../../std/collectives.pam")),
    ("std/kernels", include_str!("../../std/kernels.pam")),
    ("std/machines", include_str!("../../std/machines.pam")),
    ("std/pipelines", include_str!("../../std/pipelines.pam")),
    ("std/reliability", include_str!("../../std/reliability.pam")),
    ("std/services", include_str!("../../std/services.pam")),
    ("std/serving", include_str!("../../std/serving.pam")),
    ("std/training", include_str!("../../std/training.pam")),
    ("std/transformer", include_str!("../../std/transformer.pam")),
];

/// A name of a carried file is in these brackets, which no path on the disk begins with by chance.
const OPEN: &str = "<";
const CLOSE: &str = ">";

/// True if a file of this name is embedded.
pub(super) fn is_name(name: &str) -> bool {
    text(name).is_some()
}

pub(super) fn text(name: &str) -> Option<&'static str> {
    let path = name.strip_prefix(OPEN)?.strip_suffix(CLOSE)?;
    let found = FILES.iter().find(|(own, _)| *own == path);
    found.map(|(_, text)| *text)
}

/// The name of the file that `path` means in the file `including`, which may be embedded as well.
pub(super) fn find(including: &str, path: &str) -> Result<String, String> {
    let path = path.strip_suffix(".pam").unwrap_or(path);
    let folder = including
        .strip_prefix(OPEN)
        .and_then(|own| own.rsplit_once('/'));
    let beside = folder.map(|(folder, _)| format!("{OPEN}{folder}/{path}{CLOSE}"));
    let names = beside.into_iter().chain([format!("{OPEN}{path}{CLOSE}")]);
    names.into_iter().find(|name| is_name(name)).ok_or_else(|| {
        let all: Vec<&str> = FILES.iter().map(|(path, _)| *path).collect();
        format!("no such file; the program contains {}", all.join(", "))
    })
}
