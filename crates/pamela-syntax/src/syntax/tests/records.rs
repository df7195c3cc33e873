//! Records and tables.

use std::collections::HashMap;

use super::{errors, model, shape};
use crate::syntax::parse_model;

#[test]
fn what_is_printed_reads_back() {
    let text = "record node { speed : integer > 0 <= 9, links, time : law }
        table nodes : lib.node { a: 1, links = -x, time = exponential(3) b: 2, if (c) 1 else 2, 4 }
        table empty : node {}
        record none {}
        numeric parameter own : nodes = a
        numeric x = sum (r in lib.nodes) { r.speed } + max (r in nodes) r.links
        numeric s = steps(x + 1, 0: if (c) 1 else 2, 1e9: -x) * linear(x, t.a: t.b)
        process p = par (r in nodes) delay(r.speed)";
    let read = model(text);
    let again = model(&read.to_string());
    assert_eq!(shape(&read), shape(&again), "{read}");
    let sum = "sum (r in lib.nodes) { r.speed }";
    assert!(read.to_string().contains(sum), "{read}");
}

#[test]
fn a_table_from_a_file_is_printed_as_it_is_written() {
    let files = HashMap::from([("t.csv".to_owned(), "n,a\nx,1\n".to_owned())]);
    let text = "table t : r = \"t.csv\"\n";
    let (read, _) = parse_model("model.pam", text, &files).expect("it reads");
    assert_eq!(read.to_string(), text);
}

#[test]
fn slips_are_told_where_they_are() {
    for (text, told) in [
        ("record r { a b }", "expected"),
        ("record r { a : > }", "expected an expression"),
        ("table t : r { a 1 }", "expected `:`"),
        ("table t : r { a: 1 = 2 }", "expected"),
        ("table t = 3", "expected a quoted text"),
        ("table t = \"t.xls\"", "its name ends neither in .csv nor"),
        ("table t = \"t.csv\"", "cannot read \"t.csv\""),
        (
            "numeric x = kth (r in t) { r.a }",
            "`kth` over the rows of a table",
        ),
    ] {
        let found = errors(text);
        assert!(found.contains(told), "{text}: {found}");
    }
}
