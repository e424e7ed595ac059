//! IC3IA as an instance of the core: places are locations, ways are edges, targets the edges into sinks.

use super::{Abstracted, Ic3Ia};
use crate::lift::word_literals;
use crate::outcome::Unknown;
use crate::pdr::{
    Instance, Kind, Level, Local, Map, ObligationId, ObligationOf, Purpose, QueueOf, Reachability, Reached,
    SpotOf, State,
};
use crate::phase::Phase;
use crate::sinks::Sinks;
use crate::transition::state;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::Reason;
use nilas_term::{Cube, Term};
use std::time::Instant;

pub(super) type Obligation = ObligationOf<Abstracted<'static>>;
pub(super) type Queue = QueueOf<Abstracted<'static>>;

/// How some states of an abstract state lead on.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// The edge to the next obligation, or to a sink.
    pub(super) edge: EdgeId,
    /// States that all lead on: a precondition along the way of the model. One of them is in the abstract
    /// state.
    pub(super) concrete: Cube,
}

impl Instance for Abstracted<'_> {
    const NAME: &'static str = "ic3ia";

    type Place = LocationId;
    type Way = EdgeId;
    type Target = EdgeId;
    type Trail = Trail;
    type Counterexample = Execution;

    fn places(&self) -> Vec<LocationId> {
        self.map.places()
    }

    fn ways(&self, place: LocationId) -> &[EdgeId] {
        self.map.ways(place)
    }

    fn source(&self, way: EdgeId) -> LocationId {
        self.map.source(way)
    }

    fn targets(&self) -> Vec<EdgeId> {
        self.map.targets()
    }

    fn leading_to(pdr: &mut Ic3Ia<'_, '_>, edge: EdgeId) -> Result<Option<Obligation>, Unknown> {
        let (level, location) = (pdr.level, pdr.instance.map.automaton.edge(edge).source);
        if pdr.frames.is_empty_at(level, location) {
            return Ok(None);
        }
        pdr.statistics.relative_checks += 1;
        let budget = pdr.budget;
        let (solver, arena) = pdr.solver(edge)?;
        if !solver.frame.meets(arena, level, &[], budget)? {
            return Ok(None);
        }
        pdr.abstract_preimage(level, edge, &Cube::empty(), None).map(Some)
    }

    fn is_initial(pdr: &mut Ic3Ia<'_, '_>, obligation: &Obligation) -> Result<bool, Unknown> {
        Ok(obligation.place == pdr.instance.map.automaton.entry)
    }

    fn reached(
        pdr: &mut Ic3Ia<'_, '_>,
        queue: &mut Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let start = Instant::now();
        let reached = pdr.try_path(queue, first);
        pdr.statistics.times.spent(Phase::Refine, start);
        reached
    }

    /// AbsRelInd of the paper; see [the module](super) for why there are no copies of the state.
    fn blocked_over(
        pdr: &mut Ic3Ia<'_, '_>,
        edge: EdgeId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let answer = pdr.question(purpose, |pdr, budget| {
            let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] else {
                return Err(Reason::Failed(format!("{edge:?} cannot matter")));
            };
            let preconditions = solver.transition.preconditions(&mut pdr.arena, cube);
            let outside = solver.is_loop.then_some(cube);
            solver.frame.reachable(&mut pdr.arena, below, outside, cube, &preconditions, budget)
        })?;
        Ok(match answer {
            Some(Reachability::Blocked { core, .. }) => Some(core),
            Some(Reachability::Reachable) | None => None,
        })
    }

    /// A lemma of a location is told to the solvers of its outgoing edges.
    fn assert_lemma(pdr: &mut Ic3Ia<'_, '_>, place: LocationId, level: Level, clause: Term) {
        for edge in &pdr.instance.map.outgoing[place.index()] {
            if let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] {
                solver.frame.add_lemma(&pdr.arena, level, clause);
            }
        }
    }

    fn preimages(
        pdr: &mut Ic3Ia<'_, '_>,
        level: Level,
        way: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<Obligation>, Unknown> {
        let below = level.previous().unwrap_or(Level(0));
        Ok(vec![pdr.abstract_preimage(below, way, cube, next)?])
    }

    fn witness(pdr: &mut Ic3Ia<'_, '_>, way: EdgeId) -> Result<Option<(State, State)>, Unknown> {
        let automaton = pdr.instance.map.automaton;
        let (solver, arena) = pdr.solver(way)?;
        let before = state(arena, automaton, &mut *solver.frame.solver)?;
        let after = solver.transition.state_after(arena, automaton, &mut *solver.frame.solver)?;
        Ok(Some((before, after)))
    }

    fn check_frames(pdr: &mut Ic3Ia<'_, '_>) -> Result<(), Unknown> {
        let automaton = pdr.instance.map.automaton;
        pdr.check_consecution(automaton)
    }

    fn location(_pdr: &mut Ic3Ia<'_, '_>, place: LocationId, _cube: &Cube) -> Option<LocationId> {
        Some(place)
    }

    fn at(&self, place: LocationId) -> String {
        self.map.at(place)
    }

    /// A literal that is weakened would be no predicate.
    fn polish(_pdr: &mut Ic3Ia<'_, '_>, _spot: SpotOf<Self>, cube: Cube) -> Result<Cube, Unknown> {
        Ok(cube)
    }
}

impl Local for Abstracted<'_> {
    fn sinks(&mut self) -> &mut Sinks {
        &mut self.map.sinks
    }
}

impl Ic3Ia<'_, '_> {
    /// The abstract state before an edge at this level, from the model that the edge's solver has.
    fn abstract_preimage(
        &mut self,
        level: Level,
        edge: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Obligation, Unknown> {
        let start = Instant::now();
        let automaton = self.instance.map.automaton;
        let location = automaton.edge(edge).source;
        if self.observer.wants_inputs() {
            let (solver, arena) = self.solver(edge)?;
            let inputs = solver.transition.inputs(arena, automaton, &mut *solver.frame.solver)?;
            self.observer.inputs(inputs);
        }
        let (solver, arena) = self.solver(edge)?;
        let model = &mut *solver.frame.solver;
        let (_, mut concrete, _) = solver.transition.predecessor(arena, automaton, model, cube, true)?;
        if let Some(words) = word_literals(model, arena, &concrete)? {
            concrete = words;
        }
        if automaton.is_sink(automaton.edge(edge).target) && location != automaton.entry {
            // What decides about the property is a predicate from the start, as in the paper. No obligation
            // waits yet.
            for literal in concrete.iter() {
                self.instance.predicates.add(&self.arena, location, literal);
            }
        }
        let Abstracted { predicates, map: Map { solvers, .. }, .. } = &mut self.instance;
        let Some(solver) = &mut solvers[edge.index()] else {
            return Err(Unknown::Internal(format!("{edge:?} was asked about, but cannot matter")));
        };
        let state = predicates.state(&mut self.arena, location, &mut *solver.frame.solver)?;
        self.statistics.times.spent(Phase::Lift, start);
        let trail = Trail { edge, concrete };
        Ok(Obligation::new(level, location, state, trail, next).of_kind(Kind::Abstract))
    }
}
