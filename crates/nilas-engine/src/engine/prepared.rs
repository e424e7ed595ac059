//! Programs as engines want them, computed once for all engines that run side by side.

use super::Wants;
use crate::exchange::Steps;
use nilas_program::procedures::WithCalls;
use nilas_program::{BackMap, Program, Simplified, few_values, large_blocks_within, simplify};
use nilas_smt::{Budget, Interrupt};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How often somebody who waits looks at his own budget.
const POLL: Duration = Duration::from_millis(10);

/// A program that is ready to be worked on, with the way back to the one as given.
#[derive(Debug)]
pub struct Prepared {
    /// The program.
    pub program: Program,
    /// The way back.
    pub back: BackMap,
    /// What its edges are.
    pub steps: Steps,
    /// The program with its calls, if it has some and this is the program as given.
    pub calls: Option<Arc<WithCalls>>,
}

/// A program as given, and what was made of it.
#[derive(Debug)]
pub struct Preparations {
    given: Arc<Prepared>,
    small: Shared<Prepared>,
    /// Nothing, if no variable takes few values.
    coded: Shared<Option<Arc<Prepared>>>,
    blocks: Shared<Prepared>,
}

impl Preparations {
    /// Nothing is made of the program before an engine wants it.
    #[must_use]
    pub fn new(given: Program) -> Self {
        Preparations::with_calls(given, None)
    }

    /// The same of a program with the module that it comes from.
    #[must_use]
    pub fn with_calls(given: Program, calls: Option<Arc<WithCalls>>) -> Self {
        let back = BackMap::identity();
        let given = Arc::new(Prepared { program: given, back, steps: Steps::Given, calls });
        Preparations { given, small: Shared::new(), coded: Shared::new(), blocks: Shared::new() }
    }

    /// The program as given.
    #[must_use]
    pub fn given(&self) -> &Program {
        &self.given.program
    }

    /// The program as given with its calls, if it has some.
    #[must_use]
    pub fn calls(&self) -> Option<&WithCalls> {
        self.given.calls.as_deref()
    }

    /// The program that an engine wants.
    ///
    /// # Errors
    /// When the budget ends before it is there.
    pub fn get(&self, wants: Wants, budget: &Budget) -> Result<Arc<Prepared>, Interrupt> {
        match wants {
            Wants::Given => Ok(Arc::clone(&self.given)),
            Wants::Small => self.small.get(budget, || {
                let Simplified { program, back, .. } = simplify(self.given(), budget)?;
                Ok(Prepared { program, back, steps: Steps::Small, calls: None })
            }),
            Wants::FewValues => {
                let small = self.get(Wants::Small, budget)?;
                let coded = self.coded.get(budget, || {
                    let coded = few_values(&small.program, budget);
                    // Without a result nobody knows whether there is none, or no time.
                    budget.exhausted().map_or(Ok(()), Err)?;
                    Ok(coded.map(|(program, later)| {
                        let back = small.back.clone().then(later);
                        Arc::new(Prepared { program, back, steps: Steps::Small, calls: None })
                    }))
                })?;
                Ok(coded.as_ref().clone().unwrap_or(small))
            }
        }
    }

    /// The program as given with nothing but its loop-free pieces folded.
    ///
    /// # Errors
    /// When the budget ends before it is there.
    pub fn blocks(&self, budget: &Budget) -> Result<Arc<Prepared>, Interrupt> {
        self.blocks.get(budget, || {
            let (program, back) = large_blocks_within(self.given(), budget)?;
            Ok(Prepared { program, back, steps: Steps::Blocks, calls: None })
        })
    }
}

/// Something that the first one who wants it computes, under his budget. Others wait for it, under theirs; if
/// the first one is stopped, the next one computes it.
#[derive(Debug)]
struct Shared<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
enum State<T> {
    Open,
    Busy,
    Done(Arc<T>),
}

impl<T> Shared<T> {
    fn new() -> Self {
        Shared { state: Mutex::new(State::Open), changed: Condvar::new() }
    }

    fn get(
        &self,
        budget: &Budget,
        compute: impl FnOnce() -> Result<T, Interrupt>,
    ) -> Result<Arc<T>, Interrupt> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match &*state {
                State::Done(done) => return Ok(Arc::clone(done)),
                State::Open => break,
                State::Busy => {
                    let waited = self.changed.wait_timeout(state, POLL);
                    // Whoever computes it needs the lock to tell: nobody may wait for his turn with it.
                    drop(waited);
                    if let Some(why) = budget.rest() {
                        return Err(why);
                    }
                    state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
        *state = State::Busy;
        drop(state);
        let mut turn = Turn { shared: self, done: None };
        let done = Arc::new(compute()?);
        turn.done = Some(Arc::clone(&done));
        Ok(done)
    }
}

/// Somebody's turn to compute. However it ends, the others learn of it.
struct Turn<'s, T> {
    shared: &'s Shared<T>,
    done: Option<Arc<T>>,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock().unwrap_or_else(PoisonError::into_inner);
        *state = self.done.take().map_or(State::Open, State::Done);
        self.shared.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn what_is_shared_is_computed_once() {
        let (shared, count) = (Shared::new(), AtomicU32::new(0));
        let unlimited = Budget::unlimited();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let found = shared.get(&unlimited, || {
                        count.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                        Ok(7)
                    });
                    assert_eq!(found.as_deref(), Ok(&7));
                });
            }
        });
        assert_eq!(count.load(Ordering::SeqCst), 1);
    }

    /// Whoever waits leaves his turn to others, and keeps nothing that they need: where they take turns,
    /// nobody could go on otherwise.
    #[test]
    fn who_waits_leaves_his_turn() {
        struct Looks(Arc<Shared<u32>>, AtomicU32);
        impl nilas_smt::Turns for Looks {
            fn worked(&self, _: &nilas_smt::CancelFlag) {
                panic!("waiting is no work");
            }

            fn rests(&self, cancel: &nilas_smt::CancelFlag) {
                assert!(self.0.state.try_lock().is_ok(), "the lock is held");
                if self.1.fetch_add(1, Ordering::SeqCst) == 3 {
                    cancel.cancel(Interrupt::Cancelled);
                }
            }
        }
        let shared: Arc<Shared<u32>> = Arc::new(Shared::new());
        let looks = Arc::new(Looks(Arc::clone(&shared), AtomicU32::new(0)));
        let turn = nilas_smt::Turn::of(Arc::clone(&looks) as Arc<dyn nilas_smt::Turns>);
        let waits = Budget { turn, ..Budget::unlimited() };
        let inside = shared.get(&Budget::unlimited(), || {
            assert_eq!(shared.get(&waits, || Ok(1)).err(), Some(Interrupt::Cancelled));
            Ok(2)
        });
        assert_eq!(inside.as_deref(), Ok(&2));
        assert_eq!(looks.1.load(Ordering::SeqCst), 4);
    }

    /// Whoever is stopped leaves the work to the next one; who waits can be stopped, too.
    #[test]
    fn nobody_waits_for_what_was_given_up() {
        let shared: Shared<u32> = Shared::new();
        let unlimited = Budget::unlimited();
        assert_eq!(shared.get(&unlimited, || Err(Interrupt::Cancelled)).err(), Some(Interrupt::Cancelled));
        let ended = Budget::unlimited();
        ended.cancel.cancel(Interrupt::Timeout);
        let inside = shared.get(&unlimited, || {
            assert_eq!(shared.get(&ended, || Ok(1)).err(), Some(Interrupt::Timeout));
            Ok(2)
        });
        assert_eq!(inside.as_deref(), Ok(&2));
        assert_eq!(shared.get(&ended, || Ok(3)).as_deref(), Ok(&2));
    }
}
