//! Proof obligations.

use crate::level::Level;
use crate::obligation::{self, ObligationId};
use nilas_term::{Cube, Term};

/// States to be shown unreachable. Every state of the cube leads, with the choices recorded here, into the
/// cube of the next obligation, and so on to a bad state.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    pub(super) level: Level,
    pub(super) cube: Cube,
    /// What inputs, and next-state variables without update, are set to: terms over the state.
    pub(super) choices: Vec<(Term, Term)>,
    /// The obligation that the step leads to; `None` if the states are bad themselves.
    pub(super) next: Option<ObligationId>,
}

impl obligation::Obligation for Obligation {
    fn level(&self) -> Level {
        self.level
    }
    fn set_level(&mut self, level: Level) {
        self.level = level;
    }
    fn size(&self) -> usize {
        self.cube.len()
    }
    fn next(&self) -> Option<ObligationId> {
        self.next
    }
}

/// Fewer literals first, within a level.
pub(super) type Queue = obligation::Queue<Obligation>;
