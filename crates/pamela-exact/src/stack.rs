//! Recursion that is limited only by the depth of the input.

/// Less than this is nearly used up. The frames between two calls of [`with_stack`] take far less, also in a debug build.
#[cfg(not(target_family = "wasm"))]
const RED_ZONE: usize = 256 * 1024;
/// Size of a fresh piece of stack.
#[cfg(not(target_family = "wasm"))]
const STACK: usize = 4 * 1024 * 1024;

/// Runs `work` on a fresh piece of stack when the current one is nearly used up.
///
/// Chains of names and trees that programs make are as deep as the model is long. Recursive functions over such trees
/// call this function once for each level.
#[cfg(not(target_family = "wasm"))]
pub fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, STACK, work)
}

/// Runs `work`. The stack of WebAssembly belongs to its host, which ends a recursion that is too deep.
#[cfg(target_family = "wasm")]
pub fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    work()
}
