//! What parts are computed for.

use serde::{Deserialize, Serialize};

use crate::sweep::{Aggregate, Format};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A line of names, then a line of values for each point.
    Csv,
    /// An object a line.
    Jsonl,
    /// Parquet, where the library was built with the feature `columns`.
    Parquet,
    /// Arrow IPC as a file, also called Feather, with the same feature.
    Arrow,
    /// Arrow IPC as a stream, which is read while it is written, with the same feature.
    Stream,
}

impl Form {
    /// What the names of such files end with.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::Jsonl => "jsonl",
            Form::Parquet => "parquet",
            Form::Arrow => "arrow",
            Form::Stream => "arrows",
        }
    }

    /// By the ending of a file name.
    pub fn of_ending(ending: &str) -> Option<Form> {
        match ending {
            "csv" | "txt" | "dat" => Some(Form::Csv),
            "jsonl" | "ndjson" => Some(Form::Jsonl),
            "parquet" => Some(Form::Parquet),
            "arrow" | "feather" | "ipc" => Some(Form::Arrow),
            "arrows" => Some(Form::Stream),
            _ => None,
        }
    }

    /// The kind of file, where it has columns.
    #[cfg(feature = "columns")]
    pub fn columns(self) -> Option<pamela_columns::Format> {
        match self {
            Form::Csv | Form::Jsonl => None,
            Form::Parquet => Some(pamela_columns::Format::Parquet),
            Form::Arrow => Some(pamela_columns::Format::Arrow),
            Form::Stream => Some(pamela_columns::Format::Stream),
        }
    }

    /// How rows are written, where they are text.
    pub fn text(self) -> Option<Format> {
        match self {
            Form::Csv => Some(Format::Csv),
            Form::Jsonl => Some(Format::JsonLines),
            Form::Parquet | Form::Arrow | Form::Stream => None,
        }
    }
}

/// What is asked of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepRequest {
    /// All rows.
    Rows {
        /// How parts are written.
        form: Form,
    },
    /// Figures of each column of values, in each group.
    Figures {
        /// Which, in the order of the table.
        figures: Vec<Aggregate>,
        /// The parameters that they are grouped by.
        by: Vec<String>,
        /// How their table is written, if nothing else is asked for.
        form: Form,
    },
    /// The rows with the largest values of a column, or with the smallest.
    Best {
        /// How many.
        count: usize,
        /// The column.
        by: String,
        /// Whether the smallest are the best.
        smallest: bool,
        /// How their table is written, which is text.
        form: Form,
    },
}

impl SweepRequest {
    /// How the table is written.
    pub fn form(&self) -> Form {
        match self {
            SweepRequest::Rows { form }
            | SweepRequest::Figures { form, .. }
            | SweepRequest::Best { form, .. } => *form,
        }
    }
}
