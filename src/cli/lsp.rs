//! `pamela lsp`

use clap::Args;

use super::Outcome;
use crate::diagnostic::Error;

pub const EXAMPLES: &str = "\
Examples:
  pamela lsp           an editor starts this command and speaks to it";

pub const NOTES: &str = "\
The server speaks the Language Server Protocol on standard input and output. docs/how-to/editors.md says how to set \
up VS Code, Neovim, Helix, Zed and Emacs.";

#[derive(Debug, Args)]
pub struct Arguments {
    /// Use standard input and output, which is the only transport
    #[arg(long)]
    pub stdio: bool,
}

pub fn run(_arguments: &Arguments) -> Result<Outcome, Error> {
    match pamela_editor::serve() {
        Ok(()) => Ok(Outcome::Done),
        Err(fault) => Err(Error::new(format!(
            "the connection to the editor failed: {fault}"
        ))),
    }
}
