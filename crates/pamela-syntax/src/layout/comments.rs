//! The columns of comments behind code.

use super::{Comment, Line};

/// A comment is not moved beyond this column to align it with others.
const MOST_ALIGNED: usize = 100;

/// Gives each comment behind code its column.
///
/// A comment keeps its column where the code leaves room. The comments of consecutive lines that
/// began in one column stay in one.
pub(super) fn align(lines: &mut [Line]) {
    let mut start = 0;
    while start < lines.len() {
        let mut end = start + 1;
        let column = column_of(&lines[start]);
        while column.is_some()
            && end < lines.len()
            && !lines[end].blank_before
            && column_of(&lines[end]) == column
        {
            end += 1;
        }
        place(&mut lines[start..end]);
        start = end;
    }
}

fn column_of(line: &Line) -> Option<usize> {
    line.comment.as_ref().map(|comment| comment.column)
}

/// Places the comments of lines that began in one column.
fn place(lines: &mut [Line]) {
    let least = lines.iter().map(|line| line.width() + 1).max().unwrap_or(0);
    let is_near = least <= MOST_ALIGNED;
    for line in lines {
        let own = line.width() + 1;
        if let Some(Comment { column, .. }) = &mut line.comment {
            *column = (*column).max(if is_near { least } else { own });
        }
    }
}
