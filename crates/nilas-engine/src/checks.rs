//! One check of a proof at a time, where engines run side by side.
//!
//! Easy programs have many proofs: several engines find one at once, and large programs take the checker far
//! longer than any of them. Whoever comes second waits, because the check that is under way will most likely
//! decide. It waits for a part of the time that is left only, since the proof that came first may be the
//! harder one to check.

use nilas_smt::Budget;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A second proof waits for one part in so many of the time that is left.
const PART: u32 = 4;

/// How long it waits where there is no limit of time.
const UNLIMITED: Duration = Duration::from_secs(20);

/// How long it sleeps between two looks.
const NAP: Duration = Duration::from_millis(4);

/// The check that is under way, for all engines of a run.
#[derive(Clone, Debug, Default)]
pub struct Checks(Arc<Mutex<Option<Instant>>>);

/// A check that others wait for, until this goes.
pub(crate) struct Underway<'c>(Option<&'c Checks>);

impl Checks {
    /// Begins a check: now, or when the one under way ends or has had its time, or `budget` does.
    pub(crate) fn begin(&self, budget: &Budget) -> Underway<'_> {
        let left = budget.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let patience = left.map_or(UNLIMITED, |left| left / PART);
        loop {
            {
                let mut underway = self.0.lock().unwrap_or_else(PoisonError::into_inner);
                match *underway {
                    None => {
                        *underway = Some(Instant::now());
                        return Underway(Some(self));
                    }
                    Some(since) if since.elapsed() >= patience => return Underway(None),
                    Some(_) => {}
                }
            }
            if budget.exhausted().is_some() {
                return Underway(None);
            }
            std::thread::sleep(NAP);
        }
    }
}

impl Drop for Underway<'_> {
    fn drop(&mut self) {
        if let Some(checks) = self.0 {
            *checks.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_waits_for_the_first_or_for_its_time() {
        let checks = Checks::default();
        let soon =
            || Budget { deadline: Some(Instant::now() + Duration::from_millis(40)), ..Budget::unlimited() };
        let first = checks.begin(&soon());
        assert!(first.0.is_some());
        // A part of the time has gone by.
        let second = checks.begin(&soon());
        assert!(second.0.is_none());
        drop(second);
        assert!(checks.0.lock().is_ok_and(|it| it.is_some()), "the first one is still under way");
        drop(first);
        assert!(checks.begin(&soon()).0.is_some());
    }
}
