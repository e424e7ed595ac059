//! Threads for the parser and the lowering: with a large stack, because both recurse over the program, and
//! with a budget.
//!
//! Whatever takes long calls [`poll`]. Where the budget has ended, that unwinds to the start of the thread,
//! as the fatal errors of compilers do: functions that recurse over a program would have to hand an end
//! through every expression otherwise, and nothing that they have built is of use to anybody. Nothing is
//! printed, and no panic hook runs. The budget belongs to the thread, so nobody has to pass it on; on other
//! threads [`poll`] does nothing.

use nilas_term::{Budget, Interrupt};
use std::cell::{Cell, RefCell};

/// The stack of a thread: enough for the deepest nesting and the longest chains that the parser's limits
/// allow, with room to spare in unoptimised builds. Only touched pages cost memory.
const STACK: usize = 1 << 30;
/// A smaller one is not tried.
const SMALLEST: usize = 1 << 26;

/// The budget is looked at once in so many calls of [`poll`].
const CALLS: u32 = 16;

thread_local! {
    static BUDGET: RefCell<Option<Budget>> = const { RefCell::new(None) };
    static COUNT: Cell<u32> = const { Cell::new(0) };
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The budget ended first.
    Interrupted(Interrupt),
    /// The work panicked: a bug.
    Died,
    /// No thread could be started.
    NoThread,
}

/// What unwinds.
struct Ended(Interrupt);

/// Ends the work of this thread if its budget has ended. Quick enough for inner loops.
pub(crate) fn poll() {
    let count = COUNT.get().wrapping_add(1);
    COUNT.set(count);
    if count.is_multiple_of(CALLS) {
        let why = BUDGET.with_borrow(|budget| budget.as_ref().and_then(Budget::exhausted));
        if let Some(why) = why {
            std::panic::resume_unwind(Box::new(Ended(why)));
        }
    }
}

/// Does work within the budget of this thread; ends as [`poll`] does.
pub(crate) fn within<T>(work: impl FnOnce(&Budget) -> Result<T, Interrupt>) -> T {
    let budget = BUDGET.with_borrow(Clone::clone).unwrap_or_default();
    work(&budget).unwrap_or_else(|why| std::panic::resume_unwind(Box::new(Ended(why))))
}

/// Does work on a thread of its own, and waits for it.
pub(crate) fn on_thread<T: Send>(
    name: &str,
    budget: &Budget,
    work: impl Fn() -> T + Sync,
) -> Result<T, Lost> {
    if let Some(why) = budget.exhausted() {
        return Err(Lost::Interrupted(why));
    }
    let within = || {
        BUDGET.set(Some(budget.clone()));
        work()
    };
    // A stack that cannot be had (a tight memory limit) is asked for again, smaller.
    let mut stack = STACK;
    loop {
        let ended = std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack).name(name.to_owned());
            Some(builder.spawn_scoped(scope, within).ok()?.join())
        });
        match ended {
            Some(Ok(result)) => return Ok(result),
            Some(Err(payload)) => {
                let ended = payload.downcast::<Ended>();
                return Err(ended.map_or(Lost::Died, |ended| Lost::Interrupted(ended.0)));
            }
            None if stack > SMALLEST => stack /= 4,
            None => return Err(Lost::NoThread),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endless() {
        loop {
            poll();
        }
    }

    #[test]
    fn work_ends_with_its_budget() {
        let budget = Budget::unlimited();
        let cancelled = budget.cancel.clone();
        let ended = on_thread("test", &budget, || {
            cancelled.cancel(Interrupt::OutOfMemory);
            endless();
        });
        assert_eq!(ended, Err(Lost::Interrupted(Interrupt::OutOfMemory)));
        assert_eq!(on_thread("test", &budget, endless), Err(Lost::Interrupted(Interrupt::OutOfMemory)));
        assert_eq!(on_thread("test", &Budget::unlimited(), || 7), Ok(7));
    }
}
