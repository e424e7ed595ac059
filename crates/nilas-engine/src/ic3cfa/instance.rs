//! IC3CFA as an instance of the core: places are locations, ways are edges, targets the edges into sinks.

use super::candidates::OBLIGATIONS;
use super::effort;
use super::predecessor::Trail;
use super::technique::Technique;
use super::{Cfa, Ic3Cfa};
use crate::outcome::{Unknown, with_premises};
use crate::pdr::{
    Effort, Foresight, Instance, Kind, Level, Local, ObligationId, ObligationOf, Pdr, Purpose, QueueOf,
    Reached, SpotOf, State,
};
use crate::phase::Phase;
use crate::sinks::Sinks;
use nilas_evidence::{Execution, Invariant};
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Cube, Term};
use std::time::Instant;

pub(super) type Obligation = ObligationOf<Cfa<'static>>;
pub(super) type Queue = QueueOf<Cfa<'static>>;
pub(super) type Spot = SpotOf<Cfa<'static>>;

impl Instance for Cfa<'_> {
    const NAME: &'static str = "ic3cfa";

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

    fn leading_to(pdr: &mut Ic3Cfa<'_, '_>, edge: EdgeId) -> Result<Option<Obligation>, Unknown> {
        let location = pdr.instance.map.automaton.edge(edge).source;
        if pdr.frames.is_empty_at(pdr.level, location) || !pdr.feasible(edge)? {
            return Ok(None);
        }
        pdr.predecessor(pdr.level.next(), edge, &Cube::empty(), None).map(Some)
    }

    fn is_initial(pdr: &mut Ic3Cfa<'_, '_>, obligation: &Obligation) -> Result<bool, Unknown> {
        Ok(obligation.place == pdr.instance.map.automaton.entry)
    }

    fn reached(
        pdr: &mut Ic3Cfa<'_, '_>,
        queue: &mut Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        if let Some(conjecture) = queue.conjecture(first) {
            queue.give_up(conjecture);
            return Ok(Reached::Settled);
        }
        pdr.counterexample(queue, first).map(Reached::Counterexample)
    }

    fn blocked_over(
        pdr: &mut Ic3Cfa<'_, '_>,
        way: EdgeId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        pdr.blocked_over_edge(way, below, cube, purpose)
    }

    fn is_too_far(pdr: &mut Ic3Cfa<'_, '_>) {
        pdr.instance.applied.count(Technique::PathLength, 1);
    }

    /// A lemma of a location is told to the solvers of its outgoing edges.
    fn assert_lemma(pdr: &mut Ic3Cfa<'_, '_>, place: LocationId, level: Level, clause: Term) {
        for edge in &pdr.instance.map.outgoing[place.index()] {
            if let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] {
                solver.frame.add_lemma(&pdr.arena, level, clause);
            }
        }
    }

    fn preimages(
        pdr: &mut Ic3Cfa<'_, '_>,
        level: Level,
        way: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<Obligation>, Unknown> {
        Ok(vec![pdr.predecessor(level, way, cube, next)?])
    }

    fn witness(pdr: &mut Ic3Cfa<'_, '_>, way: EdgeId) -> Result<Option<(State, State)>, Unknown> {
        let automaton = pdr.instance.map.automaton;
        let (solver, arena) = pdr.solver(way)?;
        let state = solver.state(arena, automaton)?;
        let after = solver.state_after(arena, automaton)?;
        Ok(Some((state, after)))
    }

    fn check_frames(pdr: &mut Ic3Cfa<'_, '_>) -> Result<(), Unknown> {
        let automaton = pdr.instance.map.automaton;
        pdr.check_consecution(automaton)
    }

    fn location(_pdr: &mut Ic3Cfa<'_, '_>, place: LocationId, _cube: &Cube) -> Option<LocationId> {
        Some(place)
    }

    fn at(&self, place: LocationId) -> String {
        self.map.at(place)
    }

    fn extended(pdr: &mut Ic3Cfa<'_, '_>) -> Result<(), Unknown> {
        pdr.add_candidates()?;
        pdr.publish();
        pdr.take_facts()
    }

    fn goes_on(pdr: &mut Ic3Cfa<'_, '_>) -> Result<bool, Unknown> {
        if pdr.statistics.obligations.is_multiple_of(OBLIGATIONS) {
            pdr.add_candidates()?;
            pdr.take_facts()?;
        }
        Ok(true)
    }

    fn foresee(pdr: &mut Ic3Cfa<'_, '_>, queue: &mut Queue, id: ObligationId) -> Result<Foresight, Unknown> {
        let obligation = queue.get(id);
        let (level, location) = (obligation.level, obligation.place);
        if pdr.excluded(location, &obligation.cube)? {
            return Ok(Foresight::Excluded);
        }
        if pdr.conjecture_sums(level, location, &obligation.cube) {
            queue.put_back(id, level);
            pdr.try_conjectures(queue)?;
            return Ok(Foresight::Later);
        }
        Ok(Foresight::Ask)
    }

    fn blocked(pdr: &mut Ic3Cfa<'_, '_>, queue: &mut Queue, id: ObligationId) -> Result<(), Unknown> {
        let obligation = queue.get(id);
        if obligation.kind == Kind::Conjecture {
            pdr.sum_is_blocked(obligation.place, &obligation.cube, false)?;
        }
        pdr.try_conjectures(queue)
    }

    fn learnt(pdr: &mut Ic3Cfa<'_, '_>, level: Level, place: LocationId, cube: &Cube) {
        pdr.guide(level, place, cube);
    }

    fn pushed(pdr: &mut Ic3Cfa<'_, '_>, place: LocationId, cube: &Cube) {
        pdr.note_good(place, cube);
    }

    fn all_pushed(pdr: &mut Ic3Cfa<'_, '_>) -> Result<(), Unknown> {
        let techniques = pdr.instance.techniques;
        if techniques.contains(Technique::Subsumption) {
            for location in pdr.instance.map.automaton.location_ids() {
                let dropped = pdr.frames.subsume(location) as u64;
                if dropped > 0 {
                    pdr.instance.applied.count(Technique::Subsumption, dropped);
                }
            }
        }
        if techniques.contains(Technique::Infinity) {
            pdr.push_to_infinity()?;
        }
        Ok(())
    }

    fn shorten(pdr: &mut Ic3Cfa<'_, '_>, spot: Spot, cube: &Cube, core: &Cube) -> Result<Cube, Unknown> {
        pdr.shortened(spot, cube, core)
    }

    fn polish(pdr: &mut Ic3Cfa<'_, '_>, spot: Spot, cube: Cube) -> Result<Cube, Unknown> {
        pdr.polished(spot, cube)
    }

    fn order_literals(pdr: &mut Ic3Cfa<'_, '_>, place: LocationId, literals: &mut [Term]) {
        pdr.put_good_last(place, literals);
    }

    fn effort(pdr: &Pdr<'_, Self>) -> Effort {
        effort::effort(pdr.instance.techniques, pdr.activity)
    }

    fn ctg_blocked(pdr: &mut Ic3Cfa<'_, '_>, extended: bool) {
        let technique =
            if extended { Technique::ExtendedCtg } else { Technique::CounterexamplesToGeneralisation };
        pdr.instance.applied.count(technique, 1);
    }
}

impl Local for Cfa<'_> {
    fn sinks(&mut self) -> &mut Sinks {
        &mut self.map.sinks
    }

    fn proved(pdr: &mut Ic3Cfa<'_, '_>, level: Level, invariant: Invariant) -> Result<Invariant, Unknown> {
        if !pdr.instance.tells_premises {
            return Ok(invariant);
        }
        let started = Instant::now();
        // A proof is not lost for lack of hints.
        let premises = pdr.premises(level).unwrap_or_default();
        let found = with_premises(&pdr.arena, invariant, &premises)?;
        pdr.statistics.times.spent(Phase::Premises, started);
        Ok(found)
    }
}
