//! Where facts are put up.

use super::Steps;
use nilas_program::LocationId;
use nilas_term::{Arena, Term, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many facts of an engine are taken, so that one that talks much does not keep others from working.
const MOST: usize = 4_000;

/// How sure somebody is of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Standing {
    Invariant,
    Lemma,
    Predicate,
}

/// What is said of the program as given.
pub(super) enum Saying {
    /// Of a location; the term belongs to the board's arena.
    Formula(Standing, LocationId, Term),
    /// A state at a location, variables by name.
    Reached(LocationId, Vec<(String, Value)>),
}

/// A fact, and whose it is.
pub(super) struct Posted {
    pub(super) by: usize,
    pub(super) saying: Saying,
}

/// All facts, in the order in which they came.
#[derive(Default)]
pub(super) struct Board {
    pub(super) arena: Arena,
    pub(super) posted: Vec<Posted>,
    /// Formulas that were said, by whomever.
    said: FxHashSet<(Standing, LocationId, Term)>,
    /// How many facts each engine has posted.
    count: Vec<usize>,
    depths: BTreeMap<(Steps, usize), u64>,
}

impl Board {
    /// Whether the fact is taken: it is new, and its engine has not said too much.
    pub(super) fn post(&mut self, by: usize, saying: Saying) -> bool {
        if let Saying::Formula(standing, location, formula) = saying {
            // Who is surer says more.
            let surer = [Standing::Invariant, standing].map(|it| (it, location, formula));
            if surer.iter().any(|key| self.said.contains(key)) || self.count[by] >= MOST {
                return false;
            }
            self.said.insert((standing, location, formula));
        } else if self.count[by] >= MOST {
            return false;
        }
        self.count[by] += 1;
        self.posted.push(Posted { by, saying });
        true
    }

    pub(super) fn reach_depth(&mut self, by: usize, steps: Steps, depth: u64) {
        let known = self.depths.entry((steps, by)).or_default();
        *known = depth.max(*known);
    }

    /// How deep others have looked.
    pub(super) fn depth(&self, but: usize, steps: Steps) -> u64 {
        let others = self.depths.iter().filter(|((of, by), _)| *of == steps && *by != but);
        others.map(|(_, &depth)| depth).max().unwrap_or(0)
    }
}

/// See [the module](super). Clones share what is put up.
#[derive(Clone, Default)]
pub struct Exchange(Arc<Mutex<Board>>);

impl Exchange {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of somebody who takes part from now on.
    pub(super) fn join(&self) -> usize {
        let mut board = self.board();
        board.count.push(0);
        board.count.len() - 1
    }
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exchange").field("facts", &self.board().posted.len()).finish()
    }
}
