//! Alg. 2 and 3 of the IC3CFA paper (4.2.2 of the thesis): block everything that leads to a sink.

use super::Ic3Cfa;
use super::edge::Reachability;
use super::frame::Lemma;
use super::level::Level;
use super::obligation::{Obligation, ObligationId, Queue};
use crate::outcome::Unknown;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_term::Cube;

impl Ic3Cfa<'_> {
    /// Alg. 2: while a sink can be reached from a frame of the frontier, block the states from which it can.
    /// Returns an execution if one of them is initial.
    pub(super) fn strengthen(&mut self) -> Result<Option<(LocationId, Execution)>, Unknown> {
        for target in self.targets.clone() {
            for edge in self.incoming[target.index()].clone() {
                let location = self.automaton.edge(edge).source;
                while !self.frames.is_empty_at(self.level, location) && self.feasible(edge)? {
                    let obligation = self.predecessor(self.level.next(), edge, &Cube::empty(), None)?;
                    if let Some(execution) = self.backward_block(obligation)? {
                        return Ok(Some((target, execution)));
                    }
                }
            }
        }
        Ok(None)
    }

    fn feasible(&mut self, edge: EdgeId) -> Result<bool, Unknown> {
        self.statistics.relative_checks += 1;
        let (level, budget) = (self.level, self.budget);
        let (solver, arena) = self.solver(edge)?;
        Ok(solver.feasible(arena, level, budget)?)
    }

    /// Alg. 3: works off the obligation and all that come from it, lowest level first.
    fn backward_block(&mut self, first: Obligation) -> Result<Option<Execution>, Unknown> {
        let mut queue = Queue::default();
        queue.push(first);
        while let Some(id) = queue.pop() {
            self.report(queue.len());
            if let Some(why) = self.budget.exhausted() {
                return Err(Unknown::Interrupted(why));
            }
            let Obligation { level, location, cube, .. } = queue.get(id).clone();
            if location == self.automaton.entry {
                return Ok(Some(self.counterexample(&queue, id)));
            }
            // The syntactic test first: a lemma may have come since.
            if self.frames.blocks(level, location, &cube) {
                continue;
            }
            match self.reachable(level, location, &cube)? {
                Err(edge) => {
                    let predecessor = self.predecessor(level, edge, &cube, Some(id))?;
                    queue.push(predecessor);
                    queue.put_back(id);
                }
                Ok(core) => {
                    let generalised = self.generalise(level, location, &cube, &core)?;
                    self.block(level, location, generalised);
                }
            }
        }
        Ok(None)
    }

    /// Relative inductiveness over *all* incoming edges. `Err` names an edge over which the cube can be
    /// reached from the frames below `level`, and its solver has a model. `Ok` is a part of the cube that
    /// is blocked over every edge already.
    ///
    /// The part is the union of the cores of the edges, and needs no further check: let `g` be it, `g ⊆ c`
    /// as sets of literals, and `g_e ⊆ g` the core of edge `e`. A core means that `F ∧ T ∧ g_e'`, for a self-loop
    /// `F ∧ ¬c ∧ T ∧ g_e'`, has no model. `g` implies `g_e`, and `¬g` implies `¬c`, so neither has `F ∧ ¬g ∧ T ∧ g'`.
    pub(super) fn reachable(
        &mut self,
        level: Level,
        location: LocationId,
        cube: &Cube,
    ) -> Result<Result<Cube, EdgeId>, Unknown> {
        let mut union = Cube::empty();
        let Some(below) = level.previous() else {
            return Err(Unknown::Internal("an obligation at level 0 away from the entry".into()));
        };
        for edge in self.incoming[location.index()].clone() {
            if self.frames.is_empty_at(below, self.automaton.edge(edge).source) {
                continue;
            }
            self.statistics.relative_checks += 1;
            let budget = self.budget;
            let (solver, arena) = self.solver(edge)?;
            match solver.reachable(arena, below, cube, budget)? {
                Reachability::Reachable => return Ok(Err(edge)),
                Reachability::Blocked(core) => union = union.union(&core),
            }
        }
        Ok(Ok(union))
    }

    /// The obligation one edge back, from the model that the edge's solver has. `level` is the level of `cube`.
    fn predecessor(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation, Unknown> {
        self.statistics.obligations += 1;
        let automaton = self.automaton;
        let location = automaton.edge(edge).source;
        let (solver, arena) = self.solver(edge)?;
        // Only a counterexample needs a whole state, and it starts at the entry.
        let state = if location == automaton.entry { solver.state(arena, automaton)? } else { Vec::new() };
        let (step, cube) = solver.predecessor(arena, automaton, cube)?;
        let level = level.previous().unwrap_or(Level(0));
        Ok(Obligation { level, location, cube, step, next, state })
    }

    /// Adds the negation of the cube to the frames of the location up to `level`.
    fn block(&mut self, level: Level, location: LocationId, cube: Cube) {
        self.statistics.lemmas += 1;
        let clause = cube.negation(&mut self.arena);
        self.observer.event(&|| {
            let place = &self.automaton.location(location).name;
            let clause = nilas_term::smtlib::print_term(&self.arena, clause);
            format!("lemma at {place}, level {level}: {clause}")
        });
        self.tell_solvers(location, level, clause);
        self.frames.add(location, Lemma { cube, clause, level, witness: None });
    }
}
