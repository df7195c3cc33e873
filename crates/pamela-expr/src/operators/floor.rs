//! The greatest integer that is not greater.

use super::row::{Code, Domain, Rounding, Row, Sign};

pub const ROW: Row = Row {
    name: "floor",
    domain: Domain::All,
    exact: |_, x| Some(x.floor()),
    value: |_, x| x.floor(),
    sign: Sign::Sure,
    latex: ["\\left\\lfloor ", " \\right\\rfloor"],
    sympy: "sympy.floor",
    sql: Some("FLOOR"),
    code: Code::Own,
    rounding: Rounding::None,
};
