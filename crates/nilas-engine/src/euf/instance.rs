//! EUF abstraction as an instance of the core: places are locations, ways are edges, targets the edges into
//! sinks.

use super::{EufIc3, Uninterpreted};
use crate::outcome::Unknown;
use crate::pdr::{
    Instance, Level, Local, ObligationId, ObligationOf, Purpose, QueueOf, Reachability, Reached, SpotOf,
    State,
};
use crate::phase::Phase;
use crate::sinks::Sinks;
use nilas_evidence::Execution;
use nilas_program::{EdgeId, LocationId};
use nilas_smt::Reason;
use nilas_term::{Cube, Term};
use std::time::Instant;

pub(super) type Obligation = ObligationOf<Uninterpreted<'static>>;
pub(super) type Queue = QueueOf<Uninterpreted<'static>>;

/// Obligations between two looks at what others have published.
const OBLIGATIONS: u64 = 100;

/// How some states of an obligation lead on: the abstract model of the step, as far as refinement needs it.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// The edge to the next obligation, or to a sink.
    pub(super) edge: EdgeId,
    /// Literals over the state before the edge and its inputs that hold in the model and imply the step.
    pub(super) step: Vec<Term>,
}

impl Instance for Uninterpreted<'_> {
    const NAME: &'static str = "euf";

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

    fn leading_to(pdr: &mut EufIc3<'_, '_>, edge: EdgeId) -> Result<Option<Obligation>, Unknown> {
        let (level, location) = (pdr.level, pdr.instance.map.automaton.edge(edge).source);
        if pdr.frames.is_empty_at(level, location) {
            return Ok(None);
        }
        pdr.statistics.relative_checks += 1;
        let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] else { return Ok(None) };
        if !solver.is_open(&mut pdr.arena, &pdr.instance.lemmas, level, pdr.budget)? {
            return Ok(None);
        }
        pdr.expand_preimage(level, edge, &Cube::empty(), None).map(Some)
    }

    /// Executions begin at the entry and nowhere else.
    fn is_initial(pdr: &mut EufIc3<'_, '_>, obligation: &Obligation) -> Result<bool, Unknown> {
        Ok(obligation.place == pdr.instance.map.automaton.entry)
    }

    fn reached(
        pdr: &mut EufIc3<'_, '_>,
        queue: &mut Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let start = Instant::now();
        let reached = pdr.build_counterexample(queue, first);
        pdr.statistics.times.spent(Phase::Refine, start);
        reached
    }

    /// The question of line 9 of Fig. 2.2a over one edge, asked of EUF.
    fn blocked_over(
        pdr: &mut EufIc3<'_, '_>,
        edge: EdgeId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let answer = pdr.question(purpose, |pdr, budget| {
            let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] else {
                return Err(Reason::Failed(format!("{edge:?} cannot matter")));
            };
            solver.reachable(&mut pdr.arena, &pdr.instance.lemmas, below, cube, budget)
        })?;
        Ok(match answer {
            Some(Reachability::Blocked { core, .. }) => Some(core),
            Some(Reachability::Reachable) | None => None,
        })
    }

    /// A lemma of a location is told to the solvers of its outgoing edges.
    fn assert_lemma(pdr: &mut EufIc3<'_, '_>, place: LocationId, level: Level, clause: Term) {
        for edge in &pdr.instance.map.outgoing[place.index()] {
            if let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] {
                solver.add_lemma(&pdr.arena, level, clause);
            }
        }
    }

    fn preimages(
        pdr: &mut EufIc3<'_, '_>,
        level: Level,
        way: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<Obligation>, Unknown> {
        let below = level.previous().unwrap_or(Level(0));
        Ok(vec![pdr.expand_preimage(below, way, cube, next)?])
    }

    /// The states of a model are partitions, in which lemmas cannot be evaluated later on.
    fn witness(_pdr: &mut EufIc3<'_, '_>, _way: EdgeId) -> Result<Option<(State, State)>, Unknown> {
        Ok(None)
    }

    fn check_frames(pdr: &mut EufIc3<'_, '_>) -> Result<(), Unknown> {
        let automaton = pdr.instance.map.automaton;
        pdr.check_consecution(automaton)
    }

    fn location(_pdr: &mut EufIc3<'_, '_>, place: LocationId, _cube: &Cube) -> Option<LocationId> {
        Some(place)
    }

    fn at(&self, place: LocationId) -> String {
        self.map.at(place)
    }

    fn extended(pdr: &mut EufIc3<'_, '_>) -> Result<(), Unknown> {
        pdr.publish();
        pdr.take_facts()
    }

    fn goes_on(pdr: &mut EufIc3<'_, '_>) -> Result<bool, Unknown> {
        if pdr.statistics.obligations.is_multiple_of(OBLIGATIONS) {
            pdr.take_facts()?;
        }
        Ok(true)
    }

    /// Weaker literals are bounds, which mean nothing to EUF.
    fn polish(_pdr: &mut EufIc3<'_, '_>, _spot: SpotOf<Self>, cube: Cube) -> Result<Cube, Unknown> {
        Ok(cube)
    }
}

impl Local for Uninterpreted<'_> {
    fn sinks(&mut self) -> &mut Sinks {
        &mut self.map.sinks
    }
}
