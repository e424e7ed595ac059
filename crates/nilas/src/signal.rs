//! Ctrl-C: the first one stops the work, and what is known so far is told; the second one ends the process.

use nilas_check::Stopper;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a process ends that is told to a second time: as one that a signal ended.
const AT_ONCE: i32 = 130;

/// Whether somebody interrupted.
#[derive(Clone, Default)]
pub(crate) struct Interrupted(Arc<AtomicBool>);

impl Interrupted {
    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Stops the work of a session when the user interrupts.
pub(crate) fn stops(stopper: Stopper) -> Interrupted {
    let interrupted = Interrupted::default();
    let flag = interrupted.clone();
    // Where there is no handler, the system ends the process as ever.
    let _ = ctrlc::set_handler(move || {
        if flag.0.swap(true, Ordering::SeqCst) {
            std::process::exit(AT_ONCE);
        }
        stopper.stop();
    });
    interrupted
}
