//! The last resort: a process that does not end by itself long after a limit is ended, and so is one that has
//! no memory left.
//!
//! Everything that works looks at its budget, so this is for what should not happen. An answer is told once:
//! either by the one who has it, or from here.

use crate::exit::Exit;
use nilas_check::Clock;
use nilas_smt::Interrupt;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long after a limit.
const PATIENCE: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(100);

/// An answer was told.
static TOLD: AtomicBool = AtomicBool::new(false);

/// There is an answer, and something else is done before it is told.
static ANSWERED: AtomicBool = AtomicBool::new(false);

/// What is told where there is no memory left: nothing can be put together then.
static EXHAUSTED: OnceLock<String> = OnceLock::new();

/// From now on the process says that there is no memory left, instead of aborting.
pub(crate) fn start() {
    nilas_memory::when_exhausted(exhausted);
}

/// Nothing here allocates.
fn exhausted() -> ! {
    let told = TOLD.swap(true, Ordering::SeqCst);
    if told || ANSWERED.load(Ordering::SeqCst) {
        // Somebody else is telling an answer.
        std::thread::sleep(PATIENCE);
    }
    let (file, text) = match EXHAUSTED.get().filter(|_| !told) {
        Some(text) => (1, text.as_str()),
        None => (2, "nilas: there is no memory left\n"),
    };
    nilas_memory::end(file, text.as_bytes(), Exit::Unknown.code())
}

/// Says that limits have done their work: what comes now has limits of its own.
pub(crate) fn answered() {
    ANSWERED.store(true, Ordering::SeqCst);
}

/// Ends the process with an answer that nothing is known, if a limit was reached long ago and nobody has told
/// another one.
pub(crate) fn watch(clock: Clock, told: impl Fn(Interrupt) -> String + Send + 'static) {
    EXHAUSTED.get_or_init(|| told(Interrupt::OutOfMemory));
    // Without a thread there is no last resort. It ends with the process.
    let _ = std::thread::Builder::new().name("last resort".into()).spawn(move || {
        loop {
            std::thread::sleep(POLL);
            if let Some(why) = clock.passed(PATIENCE)
                && !ANSWERED.load(Ordering::SeqCst)
                && !TOLD.swap(true, Ordering::SeqCst)
            {
                crate::print(&told(why));
                let _ = std::io::stdout().flush();
                std::process::exit(Exit::Unknown.code());
            }
        }
    });
}

/// Prints an answer, if none was told.
pub(crate) fn tell(answer: &str) {
    if !TOLD.swap(true, Ordering::SeqCst) {
        crate::print(answer);
    }
}
