//! The compiler for web pages. A request and its answer are JSON texts.
//!
//! A page writes a request into the buffer of [`request`], calls [`answer`], and reads as many bytes from [`text`].
//! [`requests`](Request) lists what can be asked.

mod files;
mod requests;

use std::cell::RefCell;

pub use requests::{Request, answered};

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// A buffer for a request of this many bytes.
#[expect(unsafe_code, reason = "a page finds functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn request(length: usize) -> *const u8 {
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = vec![0; length];
        buffer.as_ptr()
    })
}

/// Replaces the request in the buffer by its answer, and returns the number of bytes.
#[expect(unsafe_code, reason = "a page finds functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let asked = BUFFER.take();
    let text = answered(&String::from_utf8_lossy(&asked));
    BUFFER.with_borrow_mut(|buffer| {
        *buffer = text.into_bytes();
        buffer.len()
    })
}

/// Where the answer is.
#[expect(unsafe_code, reason = "a page finds functions by their names")]
#[unsafe(no_mangle)]
pub extern "C" fn text() -> *const u8 {
    BUFFER.with_borrow(|buffer| buffer.as_ptr())
}
