//! MPI functions with the positions of their relevant arguments, and MPI constants as numbers: a communicator of all
//! ranks is 1, a type is its number of bytes.

use super::message::{ANYBODY, Kind, NOBODY};
use super::number::{Atom, Number};

/// The communicator of all ranks.
pub const ALL: i64 = 1;
/// The communicator of one rank alone.
pub const SELF: i64 = 2;
/// Communicators of grids of processes are numbered from here on.
pub const FIRST_GRID: i64 = 16;
/// Communicators of some ranks are numbered from here on.
pub const FIRST_GROUP: i64 = 1 << 16;
/// Persistent requests are numbered from here on.
pub const FIRST_REQUEST: i64 = 1 << 20;

/// Places of arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageArguments {
    pub count: usize,
    pub kind: usize,
    pub partner: usize,
    pub tag: usize,
}

/// The count and the type in a list of arguments.
type Places = Option<(usize, usize)>;

/// Meaning of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Takes negligible time and has no effect on the model.
    Free,
    Rank,
    Size,
    /// One message or two: the sent and the received one, the communicator, and whether the call is nonblocking.
    Point {
        sent: Option<MessageArguments>,
        received: Option<MessageArguments>,
        communicator: usize,
        at_once: bool,
    },
    Wait,
    /// A message of a persistent request, which each start sends or receives.
    Prepared {
        sent: Option<MessageArguments>,
        received: Option<MessageArguments>,
    },
    Start,
    StartAll,
    /// A collective operation: positions of count and type, also for `MPI_IN_PLACE`, and of the communicator.
    Together {
        kind: Kind,
        words: Places,
        in_place: Places,
        communicator: usize,
        at_once: bool,
    },
    /// A communicator of the same ranks.
    Duplicate,
    Split,
    SubGrid,
    GridOf,
    Coordinates,
    Shift,
    RankAt,
    /// Extents of a grid that are set or queried.
    Extents,
    Extent,
    SameType,
    MadeType,
    Contiguous,
    Vector,
    Subarray,
    Bytes,
    /// Waits or sends in an unsupported way.
    Refused(&'static str),
}

/// Functions whose time does not matter.
const FREE: &str = "
Init Init_thread Finalize Initialized Finalized Wtime Wtick Get_processor_name Get_version Get_library_version
Abort Type_commit Type_free Comm_free Comm_set_errhandler Errhandler_set Error_string Error_class Op_create Op_free
Get_count Get_elements Request_free Pcontrol Address Get_address Group_free Comm_group Group_incl Group_excl Group_rank
Group_size Buffer_attach Buffer_detach Info_create Info_set Info_free Comm_set_name Comm_get_name Query_thread
Is_thread_main Probe Comm_compare Type_get_extent Type_extent Type_lb Type_ub Topo_test Cartdim_get Status_set_elements
Alloc_mem Free_mem";

const fn sent(count: usize, kind: usize, partner: usize, tag: usize) -> Option<MessageArguments> {
    Some(MessageArguments {
        count,
        kind,
        partner,
        tag,
    })
}

/// Meaning of an MPI function, by its name without `MPI_`.
pub fn call(name: &str) -> Call {
    let point = |sent, received, communicator, at_once| Call::Point {
        sent,
        received,
        communicator,
        at_once,
    };
    match name {
        "Comm_rank" => Call::Rank,
        "Comm_size" => Call::Size,
        "Send" | "Ssend" | "Bsend" | "Rsend" => point(sent(1, 2, 3, 4), None, 5, false),
        "Isend" | "Issend" | "Ibsend" | "Irsend" => point(sent(1, 2, 3, 4), None, 5, true),
        "Recv" => point(None, sent(1, 2, 3, 4), 5, false),
        "Irecv" => point(None, sent(1, 2, 3, 4), 5, true),
        "Sendrecv" => point(sent(1, 2, 3, 4), sent(6, 7, 8, 9), 10, false),
        "Sendrecv_replace" => point(sent(1, 2, 3, 4), sent(1, 2, 5, 6), 7, false),
        "Wait" | "Waitall" | "Waitany" | "Waitsome" => Call::Wait,
        "Send_init" | "Ssend_init" | "Bsend_init" | "Rsend_init" => Call::Prepared {
            sent: sent(1, 2, 3, 4),
            received: None,
        },
        "Recv_init" => Call::Prepared {
            sent: None,
            received: sent(1, 2, 3, 4),
        },
        "Start" => Call::Start,
        "Startall" => Call::StartAll,
        "Comm_dup" => Call::Duplicate,
        "Cart_create" => Call::GridOf,
        "Cart_coords" => Call::Coordinates,
        "Cart_shift" => Call::Shift,
        "Cart_rank" => Call::RankAt,
        "Dims_create" => Call::Extents,
        "Cart_get" => Call::Extent,
        "Type_dup" | "Type_create_resized" => Call::SameType,
        "Type_create_struct"
        | "Type_struct"
        | "Type_indexed"
        | "Type_create_indexed_block"
        | "Type_create_hindexed"
        | "Type_hindexed" => Call::MadeType,
        "Type_contiguous" => Call::Contiguous,
        "Type_vector" | "Type_hvector" | "Type_create_hvector" => Call::Vector,
        "Type_create_subarray" => Call::Subarray,
        "Type_size" => Call::Bytes,
        "Test" | "Testall" | "Testany" | "Testsome" | "Iprobe" => {
            Call::Refused("polls for messages, which is not modelled")
        }
        "Comm_split" => Call::Split,
        "Cart_sub" => Call::SubGrid,
        "Comm_create"
        | "Comm_create_group"
        | "Comm_split_type"
        | "Graph_create"
        | "Dist_graph_create"
        | "Dist_graph_create_adjacent"
        | "Intercomm_create"
        | "Intercomm_merge" => {
            Call::Refused("makes a communicator of some of the ranks, which is not modelled")
        }
        _ if FREE.split_whitespace().any(|free| free == name) => Call::Free,
        _ => together(name).unwrap_or(Call::Refused(
            "is a way of sending or waiting that is not modelled",
        )),
    }
}

/// Calls that all ranks make together; those that return at once are taken as if they waited.
fn together(name: &str) -> Option<Call> {
    let lower = name.strip_prefix('I').map(|rest| {
        let mut letters = rest.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    let blocking = |name: &str| -> Option<(Kind, Places, usize)> {
        Some(match name {
            "Barrier" => (Kind::Barrier, None, 0),
            "Bcast" => (Kind::Broadcast, Some((1, 2)), 4),
            "Reduce" => (Kind::Reduce, Some((2, 3)), 6),
            "Allreduce" => (Kind::Allreduce, Some((2, 3)), 5),
            "Scan" | "Exscan" => (Kind::Scan, Some((2, 3)), 5),
            "Reduce_scatter_block" => (Kind::ReduceScatter, Some((2, 3)), 5),
            "Reduce_scatter" => (Kind::ReduceScatter, None, 5),
            "Gather" => (Kind::Gather, Some((1, 2)), 7),
            "Gatherv" => (Kind::Gather, Some((1, 2)), 8),
            "Scatter" => (Kind::Scatter, Some((1, 2)), 7),
            "Scatterv" => (Kind::Scatter, Some((5, 6)), 8),
            "Allgather" => (Kind::Allgather, Some((1, 2)), 6),
            "Allgatherv" => (Kind::Allgather, Some((1, 2)), 7),
            "Alltoall" => (Kind::Alltoall, Some((1, 2)), 6),
            "Alltoallv" | "Alltoallw" => (Kind::Alltoall, None, 8),
            _ => return None,
        })
    };
    let (found, at_once) = match (blocking(name), lower) {
        (Some(found), _) => (found, false),
        (None, Some(lower)) => (blocking(&lower)?, true),
        (None, None) => return None,
    };
    let (kind, words, communicator) = found;
    // Calls with `MPI_IN_PLACE`: the data to send are in the receive buffer.
    let in_place = match name {
        "Gather" | "Scatter" | "Allgather" | "Alltoall" => Some((4, 5)),
        _ => words,
    };
    // A request stands last, behind the communicator.
    Some(Call::Together {
        kind,
        words,
        in_place,
        communicator,
        at_once,
    })
}

/// Position of the argument with the number of elements sent, or received if none are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Elements {
    One(usize),
    /// An array with a number for each rank.
    Each(usize),
}

/// Positions of the elements and of their type in an MPI call, by its name without `MPI_`.
pub fn elements(name: &str) -> Option<(Elements, usize)> {
    match (call(name), name) {
        (Call::Point { sent, received, .. }, _) => {
            let places = sent.or(received)?;
            Some((Elements::One(places.count), places.kind))
        }
        (Call::Together { words, .. }, _) if words.is_some() => {
            words.map(|(count, kind)| (Elements::One(count), kind))
        }
        (_, "Alltoallv" | "Ialltoallv") => Some((Elements::Each(1), 3)),
        (_, "Reduce_scatter" | "Ireduce_scatter") => Some((Elements::Each(2), 3)),
        _ => None,
    }
}

/// The name of a function of MPI without its prefix.
pub fn plain(name: &str) -> Option<&str> {
    name.strip_prefix("PMPI_").or(name.strip_prefix("MPI_"))
}

/// True if a function is one of MPI.
pub fn is_of_messages(name: &str) -> bool {
    plain(name).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// True if a call does not change its argument arrays, except elements whose addresses it gets.
pub fn only_reads(name: &str) -> bool {
    const READ: [&str; 8] = [
        "Cart_create",
        "Cart_rank",
        "Cart_shift",
        "Comm_rank",
        "Comm_size",
        "Isend",
        "Send",
        "Ssend",
    ];
    let makes_type = |name: &str| name.starts_with("Type_") && !name.starts_with("Type_get");
    let prepares = |name: &str| matches!(call(name), Call::Prepared { .. });
    plain(name).is_some_and(|name| READ.contains(&name) || makes_type(name) || prepares(name))
}

/// True if a call leaves the persistent requests that it is given as they are.
pub fn keeps_requests(name: &str) -> bool {
    plain(name).is_some_and(|name| matches!(call(name), Call::Wait | Call::Start | Call::StartAll))
}

/// Types that are sent, with their bytes.
const TYPES: [(i64, &str); 5] = [
    (1, "CHAR SIGNED_CHAR UNSIGNED_CHAR BYTE PACKED INT8_T UINT8_T C_BOOL CXX_BOOL CHARACTER"),
    (2, "SHORT UNSIGNED_SHORT INT16_T UINT16_T"),
    (4, "INT UNSIGNED FLOAT INT32_T UINT32_T INTEGER REAL WCHAR LOGICAL"),
    (
        8,
        "DOUBLE LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT UNSIGNED_LONG_LONG INT64_T UINT64_T DOUBLE_PRECISION AINT OFFSET
        COUNT FLOAT_INT 2INT C_FLOAT_COMPLEX C_COMPLEX COMPLEX",
    ),
    (16, "LONG_DOUBLE C_DOUBLE_COMPLEX DOUBLE_COMPLEX"),
];

/// The value of a constant of MPI, if it matters.
pub fn constant(name: &str) -> Option<i64> {
    let plain = name.strip_prefix("MPI_")?;
    let known = match plain {
        "COMM_NULL" | "SUCCESS" | "THREAD_SINGLE" | "DATATYPE_NULL" => 0,
        "COMM_WORLD" => ALL,
        "COMM_SELF" => SELF,
        "PROC_NULL" => NOBODY,
        "ANY_SOURCE" | "ANY_TAG" => ANYBODY,
        "ROOT" => -3,
        "UNDEFINED" => -32766,
        "THREAD_FUNNELED" => 1,
        "THREAD_SERIALIZED" => 2,
        "THREAD_MULTIPLE" => 3,
        "DOUBLE_INT" | "LONG_INT" => 12,
        "SHORT_INT" => 6,
        _ => {
            let is_named = |names: &str| names.split_whitespace().any(|name| name == plain);
            return TYPES.iter().find(|(_, names)| is_named(names)).map(|t| t.0);
        }
    };
    Some(known)
}

/// Words of 8 bytes.
pub fn words(bytes: &Number) -> Number {
    const WORD: i64 = 8;
    let divides = |by: i64| bytes.terms().all(|(_, coefficient)| coefficient % by == 0);
    let by = [8, 4, 2, 1]
        .into_iter()
        .find(|by| divides(*by))
        .unwrap_or(1);
    let number = bytes.div(&Number::constant(by));
    match by {
        WORD => number,
        _ => Number::atom(Atom::Quotient(number, Number::constant(WORD / by))),
    }
}
