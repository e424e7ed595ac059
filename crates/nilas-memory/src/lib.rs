//! The last resort where there is no memory left: somebody says so, and the process ends.
//!
//! Limits of memory are kept by whoever works, long before an allocation fails. This is for what they do not
//! see: address space that stacks and fragments take, or a large allocation between two looks. Rust aborts
//! then, and C++ throws what nobody catches; both would leave a user without an answer.
//!
//! [`LastResort`] is the allocator of the system that calls what [`when_exhausted`] was given instead of giving
//! null, and `operator new` of C++ does the same (feature `cpp`). That must not allocate, so [`end`] writes to
//! a file of the process and ends it without looking back.
//!
//! This is the only crate with `unsafe` code: the trait of allocators, and three functions of C and C++.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;

/// What to do where memory is exhausted.
static EXHAUSTED: OnceLock<fn() -> !> = OnceLock::new();

/// From now on this is called where an allocation fails, on the thread that it fails on. It must not allocate.
/// The first one stays.
pub fn when_exhausted(then: fn() -> !) {
    if EXHAUSTED.set(then).is_ok() {
        #[cfg(feature = "cpp")]
        cpp::install();
    }
}

/// Writes to a file of the process (1 is the standard output, 2 that of errors) and ends the process, without
/// memory.
pub fn end(file: i32, text: &[u8], code: i32) -> ! {
    let mut left = text;
    while !left.is_empty() {
        // SAFETY: the bytes of `left` can be read.
        let written = unsafe { libc::write(file, left.as_ptr().cast(), left.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => left = left.get(written..).unwrap_or_default(),
            // Nobody reads it.
            _ => break,
        }
    }
    // SAFETY: it has no preconditions. Nothing that was registered to be done at the end is done.
    unsafe { libc::_exit(code) }
}

/// The allocator of the system, which never gives null once there is something to do instead.
pub struct LastResort;

/// What was allocated.
fn checked(memory: *mut u8) -> *mut u8 {
    if memory.is_null()
        && let Some(then) = EXHAUSTED.get()
    {
        then();
    }
    memory
}

// SAFETY: everything is what the allocator of the system does, which keeps the promises of the trait.
unsafe impl GlobalAlloc for LastResort {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system's allocator asks for.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[cfg(feature = "cpp")]
mod cpp {
    /// What `operator new` calls where there is no memory.
    type Handler = Option<extern "C" fn()>;

    #[cfg_attr(target_os = "linux", link(name = "stdc++"))]
    #[cfg_attr(target_os = "macos", link(name = "c++"))]
    unsafe extern "C" {
        /// `std::set_new_handler`.
        #[link_name = "_ZSt15set_new_handlerPFvvE"]
        fn set_new_handler(handler: Handler) -> Handler;
    }

    extern "C" fn exhausted() {
        if let Some(then) = super::EXHAUSTED.get() {
            then();
        }
    }

    pub(crate) fn install() {
        // SAFETY: the handler has the type that C++ asks for, and never returns.
        unsafe { set_new_handler(Some(exhausted)) };
    }
}
