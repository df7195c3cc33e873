//! Calls of MPI that only read through an address: the value itself is passed, so it stays known.

use super::tree::{Expression, ExpressionKind};

/// Functions whose first argument is only read.
const READ: [&str; 29] = [
    "Send",
    "Bsend",
    "Ssend",
    "Rsend",
    "Isend",
    "Ibsend",
    "Issend",
    "Irsend",
    "Sendrecv",
    "Reduce",
    "Allreduce",
    "Reduce_scatter",
    "Reduce_scatter_block",
    "Scan",
    "Exscan",
    "Gather",
    "Gatherv",
    "Scatter",
    "Scatterv",
    "Allgather",
    "Allgatherv",
    "Alltoall",
    "Alltoallv",
    "Alltoallw",
    "Iallreduce",
    "Ireduce",
    "Type_commit",
    "Type_free",
    "Send_init",
];

/// The arguments of a call, with `x` in place of `&x` if the call does not write there.
pub fn by_value(function: &Expression, arguments: &mut [Expression]) {
    let name = function.name().unwrap_or_default();
    let count = match name.strip_prefix("MPI_") {
        Some("Init" | "Init_thread") => 2,
        Some(call) if READ.contains(&call) => 1,
        _ => 0,
    };
    for argument in arguments.iter_mut().take(count) {
        if let ExpressionKind::Unary(operator, inner) = &argument.kind
            && operator == "&"
        {
            *argument = (**inner).clone();
        }
    }
}
