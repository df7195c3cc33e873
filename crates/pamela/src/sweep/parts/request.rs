//! Requests for which parts are computed.

use serde::{Deserialize, Serialize};

use crate::sweep::{Aggregate, Format};

/// File format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A line of names, then a line of values for each point.
    Csv,
    /// One JSON object to a line.
    Jsonl,
    /// Parquet; needs the feature `columns`.
    Parquet,
    /// Arrow IPC file, also called Feather; needs the feature `columns`.
    Arrow,
    /// Arrow IPC stream, which can be read while it is written; needs the feature `columns`.
    Stream,
}

impl Form {
    /// File name extension.
    pub fn ending(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::Jsonl => "jsonl",
            Form::Parquet => "parquet",
            Form::Arrow => "arrow",
            Form::Stream => "arrows",
        }
    }

    /// The format for a file name extension.
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

    /// The kind of columnar file, if the format is columnar.
    #[cfg(feature = "columns")]
    pub fn columns(self) -> Option<pamela_columns::Format> {
        match self {
            Form::Csv | Form::Jsonl => None,
            Form::Parquet => Some(pamela_columns::Format::Parquet),
            Form::Arrow => Some(pamela_columns::Format::Arrow),
            Form::Stream => Some(pamela_columns::Format::Stream),
        }
    }

    /// The text format of rows, if the format is text.
    pub fn text(self) -> Option<Format> {
        match self {
            Form::Csv => Some(Format::Csv),
            Form::Jsonl => Some(Format::JsonLines),
            Form::Parquet | Form::Arrow | Form::Stream => None,
        }
    }
}

/// The computation of a sweep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SweepRequest {
    /// All rows.
    Rows {
        /// Format of the parts.
        form: Form,
    },
    /// Aggregates of each value column in each group.
    Figures {
        /// The aggregates, in the order of the table.
        figures: Vec<Aggregate>,
        /// Parameters to group by.
        by: Vec<String>,
        /// Default format of the table.
        form: Form,
    },
    /// The rows with the largest or smallest values of a column.
    Best {
        /// Number of rows.
        count: usize,
        /// Name of the column.
        by: String,
        /// True if the smallest values are best.
        smallest: bool,
        /// Default format of the table; a text format.
        form: Form,
    },
}

impl SweepRequest {
    /// Format of the table.
    pub fn form(&self) -> Form {
        match self {
            SweepRequest::Rows { form }
            | SweepRequest::Figures { form, .. }
            | SweepRequest::Best { form, .. } => *form,
        }
    }
}
