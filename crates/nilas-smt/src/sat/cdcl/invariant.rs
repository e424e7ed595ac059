//! What must hold of the watch lists when clauses have moved, checked in debug builds.
//!
//! A watcher that is lost is a clause that no longer propagates: the solver would go on and, at worst, call a
//! query satisfiable that is not. No answer may ever show it, so the lists are compared with the clauses
//! themselves.

use super::Cdcl;

impl Cdcl {
    /// What is wrong with the watch lists, given that no garbage is left: every clause in memory is watched
    /// by its first two literals, and by nothing else.
    pub(super) fn watch_error(&self) -> Option<String> {
        let mut expected: Vec<(u32, u32)> = Vec::new();
        for clause in self.arena.live() {
            expected.extend(self.arena.codes(clause)[..2].iter().map(|&code| (clause.0, code)));
        }
        let mut found: Vec<(u32, u32)> = Vec::new();
        for code in 0..2 * self.assign.vars() {
            found.extend(self.watches.long(code).map(|clause| (clause.0, code)));
        }
        expected.sort_unstable();
        found.sort_unstable();
        let differs = expected.iter().zip(&found).find(|(expected, found)| expected != found);
        match differs {
            Some((expected, found)) => {
                Some(format!("the next watcher (clause, literal) should be {expected:?} and is {found:?}"))
            }
            None if expected.len() != found.len() => {
                Some(format!("{} watchers instead of {}", found.len(), expected.len()))
            }
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Lit, SatSolver};
    use super::Cdcl;

    #[test]
    fn a_lost_watcher_is_noticed() {
        let mut solver = Cdcl::new();
        let lits: Vec<Lit> = (0..6).map(|_| solver.new_var().lit()).collect();
        solver.add_clause(&lits[..4]);
        solver.add_clause(&lits[1..]);
        assert_eq!(solver.watch_error(), None);
        solver.watches.lose_watcher(lits[1]);
        let error = solver.watch_error();
        assert!(error.as_ref().is_some_and(|error| error.contains("watcher")), "{error:?}");
    }
}
