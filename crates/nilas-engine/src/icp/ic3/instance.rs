//! IC3 over bounds as an instance of the core: places are locations, ways are edges, targets stand for sinks.

use super::preimage::{Lifting, ROTATING};
use super::{Bounds, IcpIc3, shuffled};
use crate::execution::follow;
use crate::outcome::Unknown;
use crate::pdr::{
    Instance, Level, Local, Map, ObligationId, ObligationOf, Purpose, QueueOf, Reached, SpotOf, State,
};
use crate::phase::Phase;
use crate::sinks::Sinks;
use crate::transition::{Step, state};
use nilas_evidence::{Execution, Induction, Invariant};
use nilas_icp::{Asked, SimpleBound};
use nilas_program::{EdgeId, LocationId};
use nilas_smt::Reason;
use nilas_term::{Arena, Cube, Importer, Term, Value};
use std::num::NonZero;
use std::time::Instant;

pub(super) type Obligation = ObligationOf<Bounds<'static>>;
pub(super) type Queue = QueueOf<Bounds<'static>>;

/// How the states of an obligation lead on.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    /// The steps to the next obligation, or to a sink.
    pub(super) steps: Vec<Step>,
    /// At the entry: a state of the cube.
    pub(super) state: Vec<(Term, Value)>,
}

impl Instance for Bounds<'_> {
    const NAME: &'static str = "icp-ic3";

    type Place = LocationId;
    type Way = EdgeId;
    /// An edge to a sink, which stands for all ways there.
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
        let Map { sinks, incoming, .. } = &self.map;
        sinks.left().iter().filter_map(|sink| incoming[sink.index()].first().copied()).collect()
    }

    /// Bad states of the frontier: those that a suffix leads from to the sink.
    fn leading_to(pdr: &mut IcpIc3<'_, '_>, target: EdgeId) -> Result<Option<Obligation>, Unknown> {
        let start = Instant::now();
        let (level, automaton) = (pdr.level, pdr.instance.map.automaton);
        let sink = automaton.edge(target).target;
        let mut suffixes = std::mem::take(&mut pdr.instance.suffixes);
        let mut found = Ok(None);
        for suffix in &mut suffixes {
            if suffix.closed || pdr.frames.is_empty_at(level, suffix.location) {
                continue;
            }
            let Some(&(_, condition)) = suffix.sinks.iter().find(|(other, _)| *other == sink) else {
                continue;
            };
            pdr.statistics.relative_checks += 1;
            match suffix.frame.meets(&pdr.arena, level, &[condition], pdr.budget) {
                Ok(false) => suffix.closed = suffix.location == automaton.entry && suffix.sinks.len() == 1,
                Ok(true) => {
                    pdr.statistics.times.spent(Phase::Block, start);
                    found = pdr.before_suffix(level, suffix, sink, condition).map(Some);
                    break;
                }
                Err(reason) => {
                    found = Err(reason.into());
                    break;
                }
            }
        }
        pdr.instance.suffixes = suffixes;
        found
    }

    fn is_initial(pdr: &mut IcpIc3<'_, '_>, obligation: &Obligation) -> Result<bool, Unknown> {
        Ok(obligation.place == pdr.instance.map.automaton.entry)
    }

    fn reached(
        pdr: &mut IcpIc3<'_, '_>,
        queue: &mut Queue,
        first: ObligationId,
    ) -> Result<Reached<Execution>, Unknown> {
        let chain = queue.chain(first);
        let state = chain.first().map(|obligation| obligation.trail.state.clone()).unwrap_or_default();
        let steps: Vec<&Step> = chain.iter().flat_map(|obligation| &obligation.trail.steps).collect();
        let transition =
            |edge: EdgeId| pdr.instance.map.solvers[edge.index()].as_ref().map(|solver| &solver.transition);
        let execution = follow(&pdr.arena, pdr.instance.map.automaton, &transition, state, &steps)?;
        Ok(Reached::Counterexample(execution))
    }

    /// Relative inductiveness, and ANALYZE (§2.4.4): literals rotated and bounds generalised. Over the edges
    /// from the entry this is ungeneralisation (§2.4.3): the bounds that keep executions from beginning in
    /// the cube are those that the refutation over these edges needs.
    fn blocked_over(
        pdr: &mut IcpIc3<'_, '_>,
        edge: EdgeId,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown> {
        let answer = pdr.question(purpose, |pdr, budget| {
            let mut asked = pdr.instance.asked(cube);
            shuffled(&mut pdr.instance.random, &mut asked);
            let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] else {
                return Err(Reason::Failed(format!("{edge:?} cannot matter")));
            };
            let before: Vec<Asked> = asked
                .iter()
                .map(|asked| Asked {
                    literal: solver.transition.before(&mut pdr.arena, asked.literal),
                    bound: SimpleBound {
                        of: solver.transition.before(&mut pdr.arena, asked.bound.of),
                        ..asked.bound
                    },
                })
                .collect();
            let outside = pdr.instance.outside.as_ref().unwrap_or(cube);
            let outside = solver.is_loop.then_some(outside);
            let activations = solver.frame.step_from(&mut pdr.arena, below, outside);
            let found =
                solver.frame.solver.refute(&pdr.arena, &activations, &[], &before, ROTATING, budget)?;
            Ok(found.map(|found| (asked, found.kept)))
        })?;
        let Some(Some((asked, kept))) = answer else { return Ok(None) };
        pdr.instance.statistics.asked += asked.len() as u64;
        for &(place, bound) in &kept {
            pdr.instance.statistics.kept += 1;
            pdr.instance.statistics.relaxed += u64::from(
                bound.value != asked[place].bound.value && bound.reading == asked[place].bound.reading,
            );
        }
        Ok(Some(pdr.instance.restated(&mut pdr.arena, &asked, kept)))
    }

    /// Ways may give different bounds of the same end back: the strongest is kept.
    fn without_initial(
        pdr: &mut IcpIc3<'_, '_>,
        _place: LocationId,
        part: Cube,
        _cube: &Cube,
    ) -> Result<Cube, Unknown> {
        Ok(pdr.instance.literals.tidy(&part))
    }

    /// A lemma of a location is told to the solvers of its outgoing edges, and of its suffix.
    fn assert_lemma(pdr: &mut IcpIc3<'_, '_>, place: LocationId, level: Level, clause: Term) {
        for edge in &pdr.instance.map.outgoing[place.index()] {
            if let Some(solver) = &mut pdr.instance.map.solvers[edge.index()] {
                solver.frame.add_lemma(&pdr.arena, level, clause);
            }
        }
        for suffix in pdr.instance.suffixes.iter_mut().filter(|suffix| suffix.location == place) {
            suffix.frame.add_lemma(&pdr.arena, level, clause);
        }
    }

    fn preimages(
        pdr: &mut IcpIc3<'_, '_>,
        level: Level,
        way: EdgeId,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<Obligation>, Unknown> {
        let below = level.previous().unwrap_or(Level(0));
        let lifting =
            if pdr.instance.configuration.lift_obligations { Lifting::Lift } else { Lifting::GeNtr };
        Ok(vec![pdr.predecessor(below, way, cube, next, lifting)?])
    }

    fn witness(pdr: &mut IcpIc3<'_, '_>, way: EdgeId) -> Result<Option<(State, State)>, Unknown> {
        let automaton = pdr.instance.map.automaton;
        let (solver, arena) = (pdr.instance.map.solver(way)?, &mut pdr.arena);
        let before = state(arena, automaton, &mut *solver.frame.solver)?;
        let after = solver.transition.state_after(arena, automaton, &mut *solver.frame.solver)?;
        Ok(Some((before, after)))
    }

    fn check_frames(pdr: &mut IcpIc3<'_, '_>) -> Result<(), Unknown> {
        // With a suffix the frontier may have states before a sink.
        if pdr.instance.suffix > 0 {
            return Ok(());
        }
        let automaton = pdr.instance.map.automaton;
        pdr.check_consecution(automaton)
    }

    fn location(_pdr: &mut IcpIc3<'_, '_>, place: LocationId, _cube: &Cube) -> Option<LocationId> {
        Some(place)
    }

    fn at(&self, place: LocationId) -> String {
        self.map.at(place)
    }

    fn extended(pdr: &mut IcpIc3<'_, '_>) -> Result<(), Unknown> {
        pdr.instance.without_progress = 0;
        pdr.publish();
        Ok(())
    }

    /// §2.4.6: too many obligations without progress.
    fn goes_on(pdr: &mut IcpIc3<'_, '_>) -> Result<bool, Unknown> {
        pdr.instance.without_progress += 1;
        if pdr.instance.configuration.abort && pdr.instance.without_progress > super::OBLIGATIONS {
            pdr.instance.aborted = true;
            return Err(Unknown::Bound { what: "obligation", limit: super::OBLIGATIONS });
        }
        Ok(true)
    }

    fn rise(
        pdr: &mut IcpIc3<'_, '_>,
        spot: SpotOf<Self>,
        cube: &Cube,
        core: &Cube,
    ) -> Result<(Level, Cube), Unknown> {
        pdr.rise(spot.level, spot.place, cube, core)
    }

    fn shorten(
        pdr: &mut IcpIc3<'_, '_>,
        spot: SpotOf<Self>,
        cube: &Cube,
        core: &Cube,
    ) -> Result<Cube, Unknown> {
        pdr.drop_once(spot, cube, core, 0)
    }

    /// Bounds were weakened with every question.
    fn polish(_pdr: &mut IcpIc3<'_, '_>, _spot: SpotOf<Self>, cube: Cube) -> Result<Cube, Unknown> {
        Ok(cube)
    }
}

impl Local for Bounds<'_> {
    fn sinks(&mut self) -> &mut Sinks {
        &mut self.map.sinks
    }

    /// With a suffix the frames are k-inductive together with the property: see [`super::suffix`].
    fn proved(pdr: &mut IcpIc3<'_, '_>, _level: Level, mut found: Invariant) -> Result<Invariant, Unknown> {
        if pdr.instance.suffix == 0 {
            return Ok(found);
        }
        let (automaton, sinks) = (pdr.instance.map.automaton, pdr.instance.map.sinks.left().to_vec());
        let mut importer = Importer::new();
        for (location, formula) in &mut found.formulas {
            let edges = &pdr.instance.map.outgoing[location.index()];
            let property = crate::k_induction::property_at(&mut pdr.arena, automaton, edges, &sinks);
            let property = importer.import(&mut found.arena, &pdr.arena, property);
            let property = property.map_err(|error| Unknown::Internal(error.to_string()))?;
            *formula = found.arena.and(&[*formula, property]);
        }
        let k = NonZero::new(u64::from(pdr.instance.suffix) + 1).unwrap_or(NonZero::<u64>::MIN);
        found.induction = Induction { k, simple: false };
        Ok(found)
    }
}

impl Bounds<'_> {
    /// The literals of a cube as questions about the variables themselves.
    pub(super) fn asked(&self, cube: &Cube) -> Vec<Asked> {
        let asked = |literal: Term| Some(Asked { literal, bound: self.literals.bound(literal)? });
        cube.iter().filter_map(asked).collect()
    }

    /// The cube of the bounds that a refutation has kept of what was asked.
    pub(super) fn restated(
        &mut self,
        arena: &mut Arena,
        asked: &[Asked],
        kept: Vec<(usize, SimpleBound)>,
    ) -> Cube {
        let bounds =
            kept.into_iter().map(|(place, bound)| SimpleBound { of: asked[place].bound.of, ..bound });
        let literals: Vec<Term> = bounds.filter_map(|bound| self.literals.weaker(arena, bound)).collect();
        self.literals.tidy(&Cube::new(literals))
    }
}
