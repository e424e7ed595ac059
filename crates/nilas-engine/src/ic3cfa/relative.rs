//! Relative inductiveness over an edge, with as few questions to solvers as possible.
//!
//! Before the solver of an edge is asked, three tests by syntax are tried, the cheapest first: what is known
//! from earlier answers ([`context`](super::context), thesis 5.3, 5.6, 5.7), what the edge's assumes say
//! about literals (thesis 5.4), and whether a lemma of the source is a part of the precondition (thesis 5.5).

use super::Ic3Cfa;
use super::edge::EdgeSolver;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::{Level, Purpose, Reachability};
use nilas_program::EdgeId;
use nilas_smt::Reason;
use nilas_term::{Arena, Cube, Term};

impl Ic3Cfa<'_, '_> {
    /// Whether a cube can be reached over an edge from the frame `below` of its source: a part of the cube
    /// that cannot, if there is one.
    pub(super) fn blocked_over_edge(
        &mut self,
        edge: EdgeId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let source = self.instance.map.automaton.edge(edge).source;
        let seen = self.frames.added(source);
        let techniques = self.instance.techniques;
        let Some(solver) = &mut self.instance.map.solvers[edge.index()] else {
            return Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter")));
        };
        if techniques.contains(Technique::Contexts)
            && let Some(core) = solver.contexts.find_blocked(below, cube)
        {
            self.instance.applied.count(Technique::Contexts, 1);
            return Ok(Some(core));
        }
        if purpose == Purpose::Truth
            && techniques.contains(Technique::MinimalGeneralisation)
            && solver.contexts.is_reached(below, cube, solver.is_loop, seen)
        {
            self.instance.applied.count(Technique::MinimalGeneralisation, 1);
            return Ok(None);
        }
        let preconditions = solver.preconditions(&mut self.arena, cube);
        let mut asked = cube.clone();
        let mut asked_before = preconditions.clone();
        if techniques.contains(Technique::Assumes) {
            match assumed(&mut self.arena, solver, cube, &preconditions) {
                Assumed::Contradiction(literal) => {
                    self.instance.applied.count(Technique::Assumes, 1);
                    return Ok(Some(Cube::new([literal])));
                }
                Assumed::Implied(implied) if !implied.is_empty() => {
                    self.instance.applied.count(Technique::Assumes, implied.len() as u64);
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
                self.instance.applied.count(Technique::PredecessorCubes, 1);
                let needed =
                    cube.iter().zip(&preconditions).filter(|(_, before)| lemma.cube.contains(**before));
                let core: Cube = needed.map(|(literal, _)| literal).collect();
                solver.contexts.add_blocked(below, core.clone(), None);
                return Ok(Some(core));
            }
        }
        let answer =
            self.question(purpose, |pdr, budget| match &mut pdr.instance.map.solvers[edge.index()] {
                Some(solver) => solver.reachable(&mut pdr.arena, below, cube, &asked, &asked_before, budget),
                None => Err(Reason::Failed(format!("{edge:?} cannot matter"))),
            })?;
        let (Some(answer), Some(solver)) = (answer, &mut self.instance.map.solvers[edge.index()]) else {
            return Ok(None);
        };
        Ok(match answer {
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
