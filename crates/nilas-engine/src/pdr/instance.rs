//! What an instance of the core provides. What it must keep and may rely on is said in [the module](super).

use super::Pdr;
use super::ctg::Effort;
use super::generalise::Spot;
use super::level::Level;
use super::obligation::{Obligation, ObligationId, Queue};
use super::place::Place;
use super::relative::Purpose;
use crate::outcome::Unknown;
use nilas_program::LocationId;
use nilas_term::{Cube, Term, Value};

/// Values of variables.
pub(crate) type State = Vec<(Term, Value)>;

pub(crate) type ObligationOf<I> = Obligation<<I as Instance>::Place, <I as Instance>::Trail>;
pub(crate) type QueueOf<I> = Queue<<I as Instance>::Place, <I as Instance>::Trail>;
pub(crate) type SpotOf<I> = Spot<<I as Instance>::Place, <I as Instance>::Way>;

/// What comes of a chain of obligations whose first one has states in which executions begin.
pub(crate) enum Reached<C> {
    /// It is a counterexample.
    Counterexample(C),
    /// It is none, and what makes obligations was refined. All of them are forgotten, the targets are looked
    /// at anew.
    Refined {
        /// Whether the relation has fewer steps now: then the states that kept lemmas from being pushed say
        /// nothing any more.
        relation: bool,
    },
    /// Nothing is to be shown for this obligation any more, and the others go on: it came from a conjecture,
    /// which is given up, or it is one of several that lead to the next obligation, and more is known of that
    /// now.
    Settled,
}

/// What is to be done about an obligation that no lemma excludes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foresight {
    /// It is asked about.
    Ask,
    /// Its states are known to be unreachable at all levels.
    Excluded,
    /// It was put back: others come first.
    Later,
}

/// An instance of IC3.
pub(crate) trait Instance: Sized {
    /// Its name, for people.
    const NAME: &'static str;

    // Where lemmas live.

    /// A place.
    type Place: Place;
    /// One step from a place to a place: an edge, the relation.
    type Way: Copy;

    /// All places, in the order in which their lemmas are pushed.
    fn places(&self) -> Vec<Self::Place>;
    /// The ways into a place.
    fn ways(&self, place: Self::Place) -> &[Self::Way];
    /// Where a way comes from.
    fn source(&self, way: Self::Way) -> Self::Place;

    /// The level of the frame of a way's source from which it leads to a level: the one below, as a step is a
    /// level. A way that takes part in no cycle of such ways may lead from the same level.
    fn below(&self, _way: Self::Way, level: Level) -> Option<Level> {
        level.previous()
    }

    // Targets and ends.

    /// What is to be shown unreachable.
    type Target: Copy;
    /// How the states of an obligation lead on.
    type Trail: Clone;
    /// An execution to a target.
    type Counterexample;

    /// The targets, in the order in which they are looked at.
    fn targets(&self) -> Vec<Self::Target>;
    /// States in frames of the frontier that lead to a target, if there are any.
    fn leading_to(
        pdr: &mut Pdr<'_, Self>,
        target: Self::Target,
    ) -> Result<Option<ObligationOf<Self>>, Unknown>;
    /// Whether executions begin in some states of an obligation.
    fn is_initial(pdr: &mut Pdr<'_, Self>, obligation: &ObligationOf<Self>) -> Result<bool, Unknown>;
    /// What comes of the chain that begins with such an obligation.
    fn reached(
        pdr: &mut Pdr<'_, Self>,
        queue: &mut QueueOf<Self>,
        first: ObligationId,
    ) -> Result<Reached<Self::Counterexample>, Unknown>;

    // Questions.

    /// Whether a cube can be reached over a way from the frame `below` of its source: `None` if it can or it
    /// is too hard to tell, else why not.
    fn blocked_over(
        pdr: &mut Pdr<'_, Self>,
        way: Self::Way,
        below: Level,
        cube: &Cube,
        purpose: Purpose,
    ) -> Result<Option<Cube>, Unknown>;
    /// Takes note that frames of a way's source are *false* where it would have been asked about.
    fn is_too_far(_pdr: &mut Pdr<'_, Self>) {}
    /// Whether no execution begins in the cube at this place.
    fn excludes_initial(
        _pdr: &mut Pdr<'_, Self>,
        _place: Self::Place,
        _cube: &Cube,
    ) -> Result<bool, Unknown> {
        Ok(true)
    }
    /// A cube that `cube` implies and that implies `part`, and in which no execution begins; none does in
    /// `cube`.
    fn without_initial(
        _pdr: &mut Pdr<'_, Self>,
        _place: Self::Place,
        part: Cube,
        _cube: &Cube,
    ) -> Result<Cube, Unknown> {
        Ok(part)
    }
    /// A lemma holds at a place up to this level (perhaps [`Level::INFINITE`]): solvers are told.
    fn assert_lemma(pdr: &mut Pdr<'_, Self>, place: Self::Place, level: Level, clause: Term);

    // Preimages, from the model that the last question has left.

    /// The obligations before a step over a way that lead into the cube of the obligation `next`, or to a
    /// target. The cube is at this level.
    fn preimages(
        pdr: &mut Pdr<'_, Self>,
        level: Level,
        way: Self::Way,
        cube: &Cube,
        next: Option<ObligationId>,
    ) -> Result<Vec<ObligationOf<Self>>, Unknown>;
    /// The state before the step and, if someone wants to know, the one after. `None` if lemmas cannot be
    /// evaluated in it, or if there is more to the step than one state before it.
    fn witness(pdr: &mut Pdr<'_, Self>, way: Self::Way) -> Result<Option<(State, State)>, Unknown>;

    // Finding bugs.

    /// An internal error if the frames do not keep what they promise, asked of fresh solvers.
    fn check_frames(pdr: &mut Pdr<'_, Self>) -> Result<(), Unknown>;

    // Words.

    /// The location that a cube is at, if it is at one.
    fn location(pdr: &mut Pdr<'_, Self>, place: Self::Place, cube: &Cube) -> Option<LocationId>;
    /// How a place is called where a lemma is told of: ` at l1`, or nothing.
    fn at(&self, place: Self::Place) -> String;

    // Techniques.

    /// The frontier was extended, and no fixpoint found.
    fn extended(_pdr: &mut Pdr<'_, Self>) -> Result<(), Unknown> {
        Ok(())
    }
    /// Before each turn of the queue. If not to go on, all obligations are forgotten, and the targets looked
    /// at anew.
    fn goes_on(_pdr: &mut Pdr<'_, Self>) -> Result<bool, Unknown> {
        Ok(true)
    }
    /// What is known of an obligation without asking about its ways.
    fn foresee(
        _pdr: &mut Pdr<'_, Self>,
        _queue: &mut QueueOf<Self>,
        _id: ObligationId,
    ) -> Result<Foresight, Unknown> {
        Ok(Foresight::Ask)
    }
    /// An obligation was blocked, and put back where that is due.
    fn blocked(
        _pdr: &mut Pdr<'_, Self>,
        _queue: &mut QueueOf<Self>,
        _id: ObligationId,
    ) -> Result<(), Unknown> {
        Ok(())
    }
    /// A lemma was learnt from this cube, and is about to be added.
    fn learnt(_pdr: &mut Pdr<'_, Self>, _level: Level, _place: Self::Place, _cube: &Cube) {}
    /// A lemma was pushed.
    fn pushed(_pdr: &mut Pdr<'_, Self>, _place: Self::Place, _cube: &Cube) {}
    /// Every lemma was pushed as far as it goes.
    fn all_pushed(_pdr: &mut Pdr<'_, Self>) -> Result<(), Unknown> {
        Ok(())
    }
    /// Before generalisation: up to which level a cube is blocked, as far as the instance wants to know that
    /// beforehand, and a cube that it implies and that is blocked there. `core` is one at the spot.
    fn rise(
        _pdr: &mut Pdr<'_, Self>,
        spot: SpotOf<Self>,
        _cube: &Cube,
        core: &Cube,
    ) -> Result<(Level, Cube), Unknown> {
        Ok((spot.level, core.clone()))
    }
    /// The first step of generalisation: a cube that `cube` implies and that is blocked. `core` is one.
    fn shorten(
        pdr: &mut Pdr<'_, Self>,
        spot: SpotOf<Self>,
        _cube: &Cube,
        core: &Cube,
    ) -> Result<Cube, Unknown> {
        pdr.drop_literals(spot, core, &Cube::empty())
    }
    /// The second step: the same again, of what the first one has left.
    fn polish(pdr: &mut Pdr<'_, Self>, spot: SpotOf<Self>, cube: Cube) -> Result<Cube, Unknown> {
        pdr.weaken(spot, cube)
    }
    /// Puts literals into the order in which they are tried to be dropped.
    fn order_literals(_pdr: &mut Pdr<'_, Self>, _place: Self::Place, _literals: &mut [Term]) {}
    /// What may be done about counterexamples to generalisation.
    fn effort(_pdr: &Pdr<'_, Self>) -> Effort {
        Effort::NONE
    }
    /// A counterexample to generalisation was blocked; with its predecessors, if it was so many steps.
    fn ctg_blocked(_pdr: &mut Pdr<'_, Self>, _extended: bool) {}
}
