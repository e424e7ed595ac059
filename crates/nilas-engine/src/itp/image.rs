//! Images that contain more than they must: interpolants between a step and what comes behind it.
//!
//! The state between the two is a copy of the program's variables and a number for the location. *Before*
//! says that it is behind one step from the states of a region; *behind* says that a sink is there, or can be
//! reached from it in some steps. The interpolant is a formula about that state alone; with the number of a
//! location put in, it is one about the variables there.
//!
//! What is not live at a location is left open in *before*, and replaced by a constant in the interpolant of
//! the location: it holds for every value, and what comes behind does not depend on it. So regions speak
//! about live variables only, as evidence has to.

use super::Region;
use crate::outcome::Unknown;
use crate::relevant::Relevant;
use crate::unrolling::{Layer, Place, Unrolling};
use nilas_program::{Automaton, LiveVariables, LocationId, Program, State, VarId};
use nilas_smt::interpolate::{InterpolateOptions, interpolate};
use nilas_smt::{Answer, Budget, Interrupt, Reason, SatCore, Solver};
use nilas_term::{Arena, Sort, Substitution, Term, Value};
use std::collections::BTreeMap;

/// Conflicts that an interpolant may take.
const CONFLICTS: u64 = 50_000;

/// What came of looking for an image.
pub(super) enum Image {
    /// It is contained in this.
    Contains(Region),
    /// A sink is too close.
    Close,
    /// There is none within the limits.
    NotFound,
}

/// See the module's text.
pub(super) struct Images<'a> {
    automaton: &'a Automaton,
    unrolling: Unrolling<'a>,
    live: LiveVariables,
    /// The locations that matter, sinks among them.
    locations: Vec<LocationId>,
    /// The number of the location in the state between, and the copies of the variables.
    location: Term,
    copies: Vec<Term>,
    /// Questions asked.
    pub(super) checks: u64,
}

impl<'a> Images<'a> {
    pub(super) fn new(
        program: &'a Program,
        relevant: &Relevant,
        budget: &'a Budget,
    ) -> Result<Self, Interrupt> {
        let automaton = &program.automaton;
        let mut arena = program.arena.clone();
        let locations: Vec<LocationId> =
            automaton.location_ids().filter(|&location| relevant.contains(location)).collect();
        let width = usize::BITS - locations.len().leading_zeros();
        let location = arena.fresh_variable("location", &Sort::BitVec(width.max(1)));
        let copy = |arena: &mut Arena, id: VarId| {
            let variable = automaton.variable(id);
            arena.fresh_variable(&variable.name, &variable.sort)
        };
        let copies = automaton.variable_ids().map(|id| copy(&mut arena, id)).collect();
        let unrolling = Unrolling::new(automaton, arena, relevant.outgoing.clone(), budget);
        let live = LiveVariables::within(program, budget)?;
        Ok(Images { automaton, unrolling, live, locations, location, copies, checks: 0 })
    }

    pub(super) fn arena(&mut self) -> &mut Arena {
        &mut self.unrolling.arena
    }

    /// That the state between is at a location.
    fn is_at(&mut self, location: LocationId) -> Term {
        let number = self.locations.iter().position(|&other| other == location).unwrap_or_default();
        let (arena, variable) = (&mut self.unrolling.arena, self.location);
        let Sort::BitVec(width) = *arena.sort(variable) else { return arena.mk_false() };
        let number = arena.bv(width, number as u64);
        arena.eq(variable, number)
    }

    /// *Behind*: a sink is reached in at most so many steps from the state between, which is one where what
    /// is known holds.
    pub(super) fn targets(
        &mut self,
        sinks: &[LocationId],
        steps: u64,
        invariants: &BTreeMap<LocationId, Vec<Term>>,
    ) -> Result<Term, Unknown> {
        let mut between = State::initial(self.automaton);
        for (id, &copy) in self.automaton.variable_ids().zip(&self.copies) {
            between.set(id, copy);
        }
        let (mut layer, mut reached) = (Layer::new(), Vec::new());
        for location in self.locations.clone() {
            let here = self.is_at(location);
            if self.automaton.is_sink(location) {
                reached.extend(sinks.contains(&location).then_some(here));
                continue;
            }
            let mut conditions = vec![here];
            for &formula in invariants.get(&location).into_iter().flatten() {
                conditions.push(between.apply(&mut self.unrolling.arena, formula));
            }
            let condition = self.unrolling.arena.and(&conditions);
            layer.insert(location, Place { condition, state: between.clone() });
        }
        for _ in 0..steps {
            let mut next = Layer::new();
            for (location, place) in self.unrolling.step(&layer)?.1 {
                if self.automaton.is_sink(location) {
                    reached.extend(sinks.contains(&location).then_some(place.condition));
                } else {
                    next.insert(location, place);
                }
            }
            layer = next;
        }
        Ok(self.unrolling.arena.or(&reached))
    }

    /// *Before*: the state between is one step behind a region, in which what is known holds.
    pub(super) fn step(
        &mut self,
        region: &Region,
        invariants: &BTreeMap<LocationId, Vec<Term>>,
    ) -> Result<Vec<Term>, Unknown> {
        let all = self.unrolling.arena.mk_true();
        let somewhere = self.unrolling.select(all, region.len());
        let mut layer = Layer::new();
        for ((&location, &formula), selected) in region.iter().zip(somewhere) {
            let mut conditions = vec![selected, formula];
            conditions.extend(invariants.get(&location).into_iter().flatten());
            let condition = self.unrolling.arena.and(&conditions);
            layer.insert(location, Place { condition, state: State::initial(self.automaton) });
        }
        let mut step = Vec::new();
        let mut ways = Vec::new();
        for (location, place) in self.unrolling.step(&layer)?.1 {
            let mut behind = vec![self.is_at(location)];
            let arena = &mut self.unrolling.arena;
            for id in self.automaton.variable_ids().filter(|&id| self.live.contains(location, id)) {
                behind.push(arena.eq(self.copies[id.index()], place.state.get(id)));
            }
            let (elsewhere, behind) = (arena.not(place.condition), arena.and(&behind));
            step.push(arena.or(&[elsewhere, behind]));
            ways.push(place.condition);
        }
        step.push(self.unrolling.arena.or(&ways));
        Ok(step)
    }

    /// What contains the states of a step, if no target can be reached from these.
    pub(super) fn image(&mut self, step: &[Term], targets: Term, budget: &Budget) -> Result<Image, Unknown> {
        let arena = &mut self.unrolling.arena;
        let mut solver = SatCore::HARD.solver();
        for &formula in step.iter().chain([&targets]) {
            solver.assert(arena, formula);
        }
        self.checks += 1;
        match solver.check(arena, &[], &[], budget) {
            Answer::Unsat => {}
            Answer::Sat => return Ok(Image::Close),
            Answer::Unknown(reason) => return Err(reason.into()),
        }
        drop(solver);
        let options = InterpolateOptions { conflicts: CONFLICTS, ..InterpolateOptions::default() };
        let found = match interpolate(arena, step, &[targets], &options, budget) {
            Ok(Some(found)) => found,
            Err(Reason::Interrupted(why)) if why != Interrupt::Conflicts => {
                return Err(Unknown::Interrupted(why));
            }
            Ok(None) | Err(_) => return Ok(Image::NotFound),
        };
        let mut region = Region::new();
        for (number, &location) in self.locations.iter().enumerate() {
            if self.automaton.is_sink(location) || location == self.automaton.entry {
                continue;
            }
            let arena = &mut self.unrolling.arena;
            let Sort::BitVec(width) = *arena.sort(self.location) else { continue };
            let mut there = Substitution::new();
            there.insert(self.location, arena.bv(width, number as u64));
            for id in self.automaton.variable_ids() {
                let variable = self.automaton.variable(id);
                let value = match self.live.contains(location, id) {
                    true => variable.term,
                    false => arena.constant(Value::default_of(&variable.sort)),
                };
                there.insert(self.copies[id.index()], value);
            }
            region.insert(location, there.apply(arena, found));
        }
        Ok(Image::Contains(region))
    }
}
