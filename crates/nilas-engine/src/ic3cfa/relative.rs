//! Relative inductiveness over all edges into a location, with as few questions to solvers as possible.
//!
//! Before the solver of an edge is asked, three tests by syntax are tried, the cheapest first: what is known
//! from earlier answers ([`context`](super::context), thesis 5.3, 5.6, 5.7), what the edge's assumes say
//! about literals (thesis 5.4), and whether a lemma of the source is a part of the precondition (thesis 5.5).

use super::Ic3Cfa;
use super::edge::{EdgeSolver, Reachability};
use super::level::Level;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::{Interrupt, Reason};
use nilas_term::{Arena, Cube, Term};

/// What the one who asks needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Where the cube is reachable the solver must have a model.
    Model,
    /// Yes or no, and no if it is too hard to tell: whoever asks can do without.
    Truth,
    /// Where the cube is reachable the solver has a model, unless it was too hard to tell
    /// ([`Ic3Cfa::too_hard`]).
    Push,
}

/// Conflicts that a question may take whose answer one can do without.
const CONFLICTS: u64 = 2_000;

impl Ic3Cfa<'_> {
    /// Relative inductiveness over *all* incoming edges. `Err` names an edge over which the cube can be
    /// reached from the frames below `level`, and if the purpose is a model its solver has one. `Ok` is a
    /// part of the cube that is blocked over every edge already.
    ///
    /// The part is the union of the cores of the edges, and needs no further check: let `g` be it, `g ⊆ c`
    /// as sets of literals, and `g_e ⊆ g` the core of edge `e`. A core means that `F ∧ T ∧ g_e'`, for a
    /// self-loop `F ∧ ¬c ∧ T ∧ g_e'`, has no model. `g` implies `g_e`, and `¬g` implies `¬c`, so neither has
    /// `F ∧ ¬g ∧ T ∧ g'`.
    pub(super) fn reachable(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Result<Cube, EdgeId>, Unknown> {
        let mut union = Cube::empty();
        for index in 0..self.incoming[location.index()].len() {
            let edge = self.incoming[location.index()][index];
            match self.reachable_over(edge, level, cube, purpose)? {
                None => return Ok(Err(edge)),
                Some(core) => union = union.union(&core),
            }
        }
        Ok(Ok(union))
    }

    /// The same over one edge: a part of the cube that is not reachable, if there is one.
    pub(super) fn reachable_over(
        &mut self,
        edge: EdgeId,
        level: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let Some(below) = level.previous() else {
            return Err(Unknown::Internal("an obligation at level 0 away from the entry".into()));
        };
        let source = self.automaton.edge(edge).source;
        if self.frames.is_empty_at(below, source) {
            self.statistics.count(Technique::PathLength, 1);
            return Ok(Some(Cube::empty()));
        }
        let seen = self.frames.added(source);
        let techniques = self.settings.techniques;
        let Some(solver) = &mut self.solvers[edge.index()] else {
            return Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter")));
        };
        if techniques.contains(Technique::Contexts)
            && let Some(core) = solver.contexts.find_blocked(below, cube)
        {
            self.statistics.count(Technique::Contexts, 1);
            return Ok(Some(core));
        }
        if purpose == Purpose::Truth
            && techniques.contains(Technique::MinimalGeneralisation)
            && solver.contexts.is_reached(below, cube, solver.is_loop, seen)
        {
            self.statistics.count(Technique::MinimalGeneralisation, 1);
            return Ok(None);
        }
        let preconditions = solver.preconditions(&mut self.arena, cube);
        let mut asked = cube.clone();
        let mut asked_before = preconditions.clone();
        if techniques.contains(Technique::Assumes) {
            match assumed(&mut self.arena, solver, cube, &preconditions) {
                Assumed::Contradiction(literal) => {
                    self.statistics.count(Technique::Assumes, 1);
                    return Ok(Some(Cube::new([literal])));
                }
                Assumed::Implied(implied) if !implied.is_empty() => {
                    self.statistics.count(Technique::Assumes, implied.len() as u64);
                    // Over a self-loop the negation of the whole cube is asked with, so the cube stays as it
                    // is there.
                    let kept =
                        || cube.iter().zip(&preconditions).filter(|(literal, _)| !implied.contains(*literal));
                    asked_before = kept().map(|(_, &before)| before).collect();
                    asked = kept().map(|(literal, _)| literal).collect();
                }
                Assumed::Implied(_) => {}
            }
        }
        if techniques.contains(Technique::PredecessorCubes) {
            let known = Cube::new(preconditions.iter().copied().chain(solver.transition.assumed.iter()));
            let blocking = self.frames.frame(below, source).find(|lemma| lemma.cube.is_subset_of(&known));
            if let Some(lemma) = blocking {
                self.statistics.count(Technique::PredecessorCubes, 1);
                let needed =
                    cube.iter().zip(&preconditions).filter(|(_, before)| lemma.cube.contains(**before));
                let core: Cube = needed.map(|(literal, _)| literal).collect();
                solver.contexts.add_blocked(below, core.clone(), None);
                return Ok(Some(core));
            }
        }
        self.statistics.relative_checks += 1;
        let mut budget = self.budget.clone();
        if purpose != Purpose::Model {
            budget.conflicts = Some(CONFLICTS);
        }
        let answer = solver.reachable(&mut self.arena, below, cube, &asked, &asked_before, &budget);
        self.too_hard = answer == Err(Reason::Interrupted(Interrupt::Conflicts));
        if self.too_hard && purpose != Purpose::Model {
            self.statistics.too_hard += 1;
            return Ok(None);
        }
        Ok(match answer? {
            Reachability::Reachable => {
                if techniques.contains(Technique::MinimalGeneralisation) {
                    solver.contexts.add_reached(below, cube.clone(), seen);
                }
                None
            }
            Reachability::Blocked { core, outside } => {
                if techniques.contains(Technique::Contexts) {
                    solver.contexts.add_blocked(below, core.clone(), outside.then(|| cube.clone()));
                }
                Some(core)
            }
        })
    }
}

/// What the assumes of an edge say about a cube behind it.
enum Assumed {
    /// This literal cannot hold there.
    Contradiction(Term),
    /// These literals always hold there.
    Implied(Cube),
}

/// Thesis 5.4 by syntax: a literal whose precondition is a conjunct of the guard is implied, one whose
/// negated precondition is contradicts it.
fn assumed(arena: &mut Arena, edge: &EdgeSolver, cube: &Cube, preconditions: &[Term]) -> Assumed {
    let mut implied = Vec::new();
    for (literal, &before) in cube.iter().zip(preconditions) {
        if arena.as_bool(before) == Some(true) || edge.transition.assumed.contains(before) {
            implied.push(literal);
            continue;
        }
        let negated = arena.not(before);
        if arena.as_bool(before) == Some(false) || edge.transition.assumed.contains(negated) {
            return Assumed::Contradiction(literal);
        }
    }
    Assumed::Implied(Cube::new(implied))
}
