//! Builds records and tables.

use super::parts::Parts;
use super::{Built, Rule, parameter_facts, quoted};
use crate::syntax::tree::{Field, Record, Row, Table};

pub(super) fn record(mut parts: Parts<'_>) -> Built<Record> {
    let span = parts.span();
    let name = parts.take()?.name();
    let mut fields = Vec::new();
    while let Some(mut field) = parts.next() {
        fields.push(Field {
            name: field.take()?.name(),
            facts: match field.next() {
                Some(facts) => parameter_facts(facts)?,
                None => Vec::new(),
            },
        });
    }
    Ok(Record { name, fields, span })
}

pub(super) fn table(mut parts: Parts<'_>) -> Built<Table> {
    let span = parts.span();
    let name = parts.take()?.name();
    let record = match parts.take_if(Rule::row_type) {
        Some(mut record) => Some(record.take()?.name()),
        None => None,
    };
    let file = parts.take_if(Rule::text).map(|file| quoted(&file));
    let mut rows = Vec::new();
    while let Some(mut row) = parts.next() {
        rows.push(Row {
            name: row.take()?.name(),
            values: row.take()?.expressions()?,
        });
    }
    Ok(Table {
        name,
        record,
        file,
        rows,
        span,
    })
}
