//! Random files with their contents: tables of numbers, slices on a track, spans of a request. A seed always gives
//! the same file.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// A CSV table with its numbers; `None` if it must be rejected.
pub struct MadeTable {
    pub text: String,
    pub columns: Vec<String>,
    pub rows: Option<Vec<Vec<f64>>>,
}

/// Whole numbers about which doubles lose digits, each with the double that is equal to it.
const GREAT: [(&str, Option<f64>); 6] = [
    ("9007199254740991", Some(9_007_199_254_740_991.0)),
    ("9007199254740992", Some(9_007_199_254_740_992.0)),
    ("9007199254740993", None),
    ("-9007199254740993", None),
    ("9007199254740994", Some(9_007_199_254_740_994.0)),
    ("1e16", Some(1e16)),
];

/// Small ones.
const SMALL: [(&str, f64); 8] = [
    ("0", 0.0),
    ("1", 1.0),
    ("1", 1.0),
    ("-1", -1.0),
    ("0.5", 0.5),
    ("-0", 0.0),
    ("2.50", 2.5),
    ("1e-3", 0.001),
];

/// The table of a seed.
pub fn table(seed: u64) -> MadeTable {
    let mut random = Pcg64::seed_from_u64(seed);
    let separator = one_of(&mut random, &[",", ",", ";", "\t"]);
    let columns: Vec<String> = (0..one_of(&mut random, &[1, 1, 2, 3]))
        .map(|k| format!("c{k}"))
        .collect();
    let mut text = one_of(
        &mut random,
        &[
            "",
            "",
            "\u{feff}",
            "# a comment, with a comma; and more\n",
            "\n",
        ],
    )
    .to_owned();
    text.push_str(&columns.join(separator));
    let mut rows = Some(Vec::new());
    let great = one_of(&mut random, &[true, false, false]);
    for _ in 0..one_of(&mut random, &[1, 1, 2, 5]) {
        text.push_str(one_of(
            &mut random,
            &["\n", "\n", "\r\n", "\n\n", "\n  # 1,2,3,4\n"],
        ));
        let mut row = Vec::new();
        let mut cells = Vec::new();
        for _ in &columns {
            let (cell, value) = if great {
                one_of(&mut random, &GREAT)
            } else {
                let (cell, value) = one_of(&mut random, &SMALL);
                (cell, Some(value))
            };
            let quoted = one_of(&mut random, &["x", "x", " x ", "\"x\"", " \"x\" "]);
            cells.push(quoted.replace('x', cell));
            row.push(value);
        }
        // A row of another length is refused.
        if one_of(
            &mut random,
            &[true, false, false, false, false, false, false, false],
        ) {
            cells.push("1".to_owned());
            rows = None;
        }
        text.push_str(&cells.join(separator));
        rows = rows.zip(row.into_iter().collect::<Option<Vec<f64>>>()).map(
            |(mut rows, row): (Vec<_>, _)| {
                rows.push(row);
                rows
            },
        );
    }
    MadeTable {
        text,
        columns,
        rows,
    }
}

/// A slice or a span, in whole units: its parent, begin and end.
#[derive(Clone, Debug)]
pub struct Interval {
    pub parent: Option<usize>,
    pub follows: bool,
    pub begin: u64,
    pub end: u64,
}

/// Slices of a track, nested or one after the other.
pub fn slices(seed: u64) -> Vec<Interval> {
    let mut random = Pcg64::seed_from_u64(seed);
    let origin = one_of(&mut random, &[0, 0, 1, 1 << 53, 1_700_000_000_000_000_001]);
    let mut slices: Vec<Interval> = Vec::new();
    let end = origin + one_of(&mut random, &[1, 8, 30]);
    nested(&mut random, &mut slices, [origin, end], 0);
    slices
}

fn nested(random: &mut Pcg64, slices: &mut Vec<Interval>, [from, to]: [u64; 2], depth: u32) {
    let mut at = from;
    for _ in 0..one_of(random, &[1, 1, 2, 3]) {
        // At the beginning or end of the enclosing slice, or inside it.
        let begin = at + one_of(random, &[0, 0, 1, 2]).min(to - at);
        let end = begin + one_of(random, &[0, 1, 3, 12, 30]).min(to - begin);
        slices.push(Interval {
            parent: None,
            follows: false,
            begin,
            end,
        });
        if depth < 3 && end > begin && one_of(random, &[true, false]) {
            nested(random, slices, [begin, end], depth + 1);
        }
        at = end;
    }
}

/// Spans of one request, the first around or before all others, and whether one begins before its parent.
pub fn spans(seed: u64) -> (Vec<Interval>, bool) {
    let mut random = Pcg64::seed_from_u64(seed);
    let origin = one_of(&mut random, &[0, 0, 1, 1_700_000_000_000_000]);
    let length = one_of(&mut random, &[0, 1, 10, 20]);
    let mut spans = vec![Interval {
        parent: None,
        follows: false,
        begin: origin,
        end: origin + length,
    }];
    let mut backwards = false;
    for _ in 0..one_of(&mut random, &[0, 1, 2, 4, 8]) {
        let parent = random.random_range(0..spans.len());
        let Interval { begin, end, .. } = spans[parent];
        let back = one_of(
            &mut random,
            &[
                true, false, false, false, false, false, false, false, false, false,
            ],
        ) && begin > 0;
        let begin = if back {
            begin - 1
        } else {
            one_of(
                &mut random,
                &[
                    begin,
                    end,
                    begin + (end - begin) / 2,
                    begin + (end - begin) / 3,
                    end + 1,
                ],
            )
        };
        backwards |= back;
        let end = begin
            + one_of(
                &mut random,
                &[
                    0,
                    1,
                    1,
                    4,
                    end.saturating_sub(begin),
                    end.saturating_sub(begin) + 3,
                ],
            );
        spans.push(Interval {
            parent: Some(parent),
            follows: one_of(&mut random, &[true, false, false]),
            begin,
            end,
        });
    }
    (spans, backwards)
}

fn one_of<T: Copy>(random: &mut Pcg64, list: &[T]) -> T {
    list[random.random_range(0..list.len())]
}
