//! Relative inductiveness over all ways into a place.

use super::Pdr;
use super::instance::{Instance, SpotOf};
use super::level::Level;
use crate::outcome::Unknown;
use nilas_smt::{Budget, Interrupt, Reason};
use nilas_term::Cube;

/// What the one who asks needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Where the cube is reachable the solver must have a model.
    Model,
    /// Yes or no, and no if it is too hard to tell: whoever asks can do without.
    Truth,
    /// Where the cube is reachable the solver has a model, unless it was too hard to tell
    /// ([`Pdr::too_hard`]).
    Push,
}

/// Conflicts that a question may take whose answer one can do without.
const CONFLICTS: u64 = 2_000;

impl<I: Instance> Pdr<'_, I> {
    /// Relative inductiveness over *all* ways into a place. `Err` names a way over which the cube can be
    /// reached from the frame below `level`, and if the purpose is a model its solver has one. `Ok` is a cube
    /// that the given one implies, usually a part of it, and that is blocked over every way already.
    ///
    /// It is the union of what the ways gave back, and needs no further check: let `c` be the cube, `g` the
    /// union as a set of literals, and `g_w` what way `w` gave. `c` implies each `g_w` and so `g`; `g`
    /// implies each `g_w`. That `g_w` is blocked means that `F ∧ T ∧ g_w'`, for a way from the place to
    /// itself `F ∧ ¬c ∧ T ∧ g_w'`, has no model. `¬g` implies `¬c`, so neither has `F ∧ ¬g ∧ T ∧ g'`.
    /// Literals that are added afterwards so that no execution begins in it are literals of `c`: the same
    /// holds.
    pub(crate) fn reachable(
        &mut self,
        level: Level,
        place: I::Place,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Result<Cube, I::Way>, Unknown> {
        let mut union = Cube::empty();
        for index in 0..self.instance.ways(place).len() {
            let way = self.instance.ways(place)[index];
            match self.reachable_over(way, level, cube, purpose)? {
                None => return Ok(Err(way)),
                Some(core) => union = union.union(&core),
            }
        }
        I::without_initial(self, place, union, cube).map(Ok)
    }

    /// The same over one way: a cube that the given one implies and that is not reachable, if there is one.
    pub(crate) fn reachable_over(
        &mut self,
        way: I::Way,
        level: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let Some(below) = self.instance.below(way, level) else {
            return Err(Unknown::Internal("an obligation at level 0 away from the beginning".into()));
        };
        if self.frames.is_empty_at(below, self.instance.source(way)) {
            I::is_too_far(self);
            return Ok(Some(Cube::empty()));
        }
        I::blocked_over(self, way, below, cube, purpose)
    }

    /// Relative inductiveness of a cube, in which no execution begins, at a spot: what is blocked there, or a
    /// way over which it is reachable.
    pub(crate) fn blocked(
        &mut self,
        spot: SpotOf<I>,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Result<Cube, I::Way>, Unknown> {
        match spot.over {
            None => self.reachable(spot.level, spot.place, cube, purpose),
            Some(way) => Ok(self.reachable_over(way, spot.level, cube, purpose)?.ok_or(way)),
        }
    }

    /// One question to a solver about relative inductiveness, limited if the purpose allows that. `None` if
    /// it was too hard to tell.
    pub(crate) fn question<T: PartialEq>(
        &mut self,
        purpose: Purpose,
        ask: impl FnOnce(&mut Self, &Budget) -> Result<T, Reason>,
    ) -> Result<Option<T>, Unknown> {
        self.statistics.relative_checks += 1;
        let mut budget = self.budget.clone();
        if purpose != Purpose::Model {
            budget.conflicts = Some(CONFLICTS);
        }
        let answer = ask(self, &budget);
        self.too_hard = answer == Err(Reason::Interrupted(Interrupt::Conflicts));
        if self.too_hard && purpose != Purpose::Model {
            self.statistics.too_hard += 1;
            return Ok(None);
        }
        Ok(Some(answer?))
    }
}
