//! Target enlargement (§2.4.6): bad states are those from which some sink is reached after so many steps.
//!
//! From each location the automaton is unrolled by one step more than the suffix is long. On the way the
//! property holds (as far as it is a formula): whatever violates it sooner is found by BMC, which goes ahead
//! by as many steps, or from a later state. So the frames at the end are *k*-inductive together with the
//! property, with `k` one more than the length of the suffix: the first of `k` states excludes a sink after
//! `k` steps, and the second one that the property is violated then. With an empty suffix this is what IC3
//! always asks.

use super::edge::lifter;
use crate::k_induction::property_at;
use crate::outcome::Unknown;
use crate::pdr::FrameSolver;
use crate::relevant::Relevant;
use crate::transition::Step;
use crate::unrolling::{Layer, Place, Unrolling};
use nilas_icp::Icp;
use nilas_program::{Automaton, EdgeId, LocationId, State};
use nilas_smt::{Budget, Solver};
use nilas_term::{Arena, Term};

/// The ways from a location to sinks, all of the same length.
pub(super) struct Suffix<'a> {
    pub(super) location: LocationId,
    unrolling: Unrolling<'a>,
    depth: usize,
    /// The sinks that may be reached, and when.
    pub(super) sinks: Vec<(LocationId, Term)>,
    /// Knows the frames of the location.
    pub(super) frame: FrameSolver<Icp>,
    pub(super) lifter: Icp,
    /// Whether nothing more is to be asked: it was answered, and the location has no lemmas.
    pub(super) closed: bool,
}

impl<'a> Suffix<'a> {
    /// The ways of `length` steps, and one more, from a location to these sinks.
    pub(super) fn new(
        arena: &mut Arena,
        automaton: &'a Automaton,
        relevant: &Relevant,
        sinks: &[LocationId],
        location: LocationId,
        length: u32,
        budget: &'a Budget,
    ) -> Result<Self, Unknown> {
        let outgoing = relevant.outgoing.clone();
        let mut unrolling = Unrolling::new(automaton, std::mem::take(arena), outgoing, budget);
        let start = unrolling.arena.mk_true();
        let mut layer =
            Layer::from([(location, Place { condition: start, state: State::initial(automaton) })]);
        let mut reached = Vec::new();
        for left in (0..=length).rev() {
            if left > 0 {
                for (location, place) in &mut layer {
                    let edges = &relevant.outgoing[location.index()];
                    let property = property_at(&mut unrolling.arena, automaton, edges, sinks);
                    let here = place.state.apply(&mut unrolling.arena, property);
                    place.condition = unrolling.arena.and(&[place.condition, here]);
                }
            }
            let arrivals = unrolling.next_layer(&layer);
            let arrivals = arrivals.inspect_err(|_| *arena = std::mem::take(&mut unrolling.arena))?;
            layer = Layer::new();
            for (location, place) in arrivals {
                if !automaton.is_sink(location) {
                    layer.insert(location, place);
                } else if left == 0 && sinks.contains(&location) {
                    reached.push((location, place.condition));
                }
            }
        }
        *arena = std::mem::take(&mut unrolling.arena);
        let depth = usize::try_from(length).unwrap_or(usize::MAX) + 1;
        let frame = FrameSolver::new(Box::<Icp>::default());
        Ok(Suffix { location, unrolling, depth, sinks: reached, frame, lifter: lifter(), closed: false })
    }

    /// The steps of the model that its solver has, to a sink. `own` are the inputs of an edge's transition.
    pub(super) fn steps(
        &mut self,
        arena: &mut Arena,
        sink: LocationId,
        own: &dyn Fn(EdgeId) -> Vec<Term>,
    ) -> Result<Vec<Step>, Unknown> {
        self.unrolling.arena = std::mem::take(arena);
        let taken = self.unrolling.steps(&mut *self.frame.solver, sink, self.depth);
        *arena = std::mem::take(&mut self.unrolling.arena);
        let mut steps = Vec::with_capacity(self.depth);
        for (edge, inputs) in taken? {
            let mut values = Vec::with_capacity(inputs.len());
            for (own, input) in own(edge).into_iter().zip(inputs) {
                let value = self.frame.solver.value(arena, input)?;
                values.push((own, arena.constant(value)));
            }
            steps.push(Step { edge, inputs: values });
        }
        Ok(steps)
    }
}
