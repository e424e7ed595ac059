//! What the vectors of states have a class of, place by place.
//!
//! Mostly these are variables, whose classes lie between the constants that they are compared with. Where two
//! variables are compared with each other, or bits of one are tested, the condition itself can have a place:
//! an atom, with the classes *false* and *true*. An atom keeps its class until one of its variables is
//! written.

use super::{MOST_CLASSES, UNKNOWN};
use crate::classes::cuts::Cuts;
use nilas_program::{Automaton, VarId};
use nilas_term::{Arena, BitVec, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// What has a place.
enum Feature {
    Variable(VarId),
    /// A condition, and the variables that it is about.
    Atom(Term, Box<[VarId]>),
}

/// The places of vectors.
pub(super) struct Tracked {
    features: Vec<Feature>,
    /// The places of variables, of atoms, and of their negations.
    places: FxHashMap<Term, usize>,
    negated: FxHashMap<Term, usize>,
    /// By variable, the atoms that are about it.
    about: FxHashMap<Term, Vec<usize>>,
}

impl Tracked {
    /// No places.
    pub(super) fn none() -> Self {
        let places = FxHashMap::default();
        Tracked { features: Vec::new(), negated: places.clone(), places, about: FxHashMap::default() }
    }

    /// A place for each variable that is compared with constants.
    pub(super) fn compared(automaton: &Automaton, cuts: &Cuts) -> Self {
        let is_tracked =
            |id: &VarId| cuts.tells_apart(automaton, *id) && cuts.count(automaton, *id) <= MOST_CLASSES;
        let mut tracked = Tracked::none();
        automaton.variable_ids().filter(is_tracked).for_each(|id| tracked.add(automaton, id));
        tracked
    }

    /// A place for a variable, behind the others.
    pub(super) fn add(&mut self, automaton: &Automaton, id: VarId) {
        self.places.insert(automaton.variable(id).term, self.features.len());
        self.features.push(Feature::Variable(id));
    }

    /// A place for a condition about these variables, behind the others.
    pub(super) fn add_atom(&mut self, arena: &mut Arena, automaton: &Automaton, atom: Term, of: Vec<VarId>) {
        let place = self.features.len();
        self.places.insert(atom, place);
        let negation = arena.not(atom);
        self.negated.insert(negation, place);
        for &id in &of {
            self.about.entry(automaton.variable(id).term).or_default().push(place);
        }
        self.features.push(Feature::Atom(atom, of.into()));
    }

    /// How many places there are.
    pub(super) fn len(&self) -> usize {
        self.features.len()
    }

    /// The place of a variable or an atom.
    pub(super) fn place(&self, term: Term) -> Option<usize> {
        self.places.get(&term).copied()
    }

    /// The place of an atom, and whether the condition is its negation.
    pub(super) fn atom(&self, condition: Term) -> Option<(usize, bool)> {
        let is_atom = |place: &&usize| matches!(self.features[**place], Feature::Atom(..));
        let place = self.places.get(&condition).filter(is_atom).map(|&place| (place, false));
        place.or_else(|| self.negated.get(&condition).map(|&place| (place, true)))
    }

    /// The variable of a place.
    pub(super) fn variable(&self, place: usize) -> Option<VarId> {
        match self.features[place] {
            Feature::Variable(id) => Some(id),
            Feature::Atom(..) => None,
        }
    }

    /// The variables that have places.
    pub(super) fn variables(&self) -> impl Iterator<Item = (usize, VarId)> + '_ {
        (0..self.len()).filter_map(|place| Some((place, self.variable(place)?)))
    }

    /// The variables that the class of a place is about.
    pub(super) fn about(&self, place: usize) -> &[VarId] {
        match &self.features[place] {
            Feature::Variable(id) => std::slice::from_ref(id),
            Feature::Atom(_, of) => of,
        }
    }

    /// The atoms about a variable: their places and what they say.
    pub(super) fn atoms_about(&self, variable: Term) -> impl Iterator<Item = (usize, Term)> + '_ {
        let places = self.about.get(&variable).into_iter().flatten();
        places.filter_map(|&place| match self.features[place] {
            Feature::Atom(atom, _) => Some((place, atom)),
            Feature::Variable(_) => None,
        })
    }

    /// The places that say something about what a term is: of its variables, and of atoms about no others.
    pub(super) fn places_in(&self, arena: &Arena, term: Term) -> Vec<usize> {
        let (mut seen, mut stack, mut found) = (FxHashSet::default(), vec![term], Vec::new());
        let mut mentioned: FxHashMap<usize, usize> = FxHashMap::default();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let children = arena.children(term);
            if children.is_empty() {
                found.extend(self.places.get(&term));
                for &place in self.about.get(&term).into_iter().flatten() {
                    *mentioned.entry(place).or_default() += 1;
                }
            }
            stack.extend_from_slice(children);
        }
        found.extend(mentioned.into_iter().filter(|&(place, n)| n == self.about(place).len()).map(|it| it.0));
        found.sort_unstable();
        found
    }

    /// How many classes a place has.
    pub(super) fn count(&self, automaton: &Automaton, cuts: &Cuts, place: usize) -> u32 {
        self.variable(place).map_or(2, |id| cuts.count(automaton, id))
    }

    /// The least and the largest value of a class, in signed order, if it is one of numbers.
    pub(super) fn bounds(&self, cuts: &Cuts, place: usize, class: u16) -> Option<(BitVec, BitVec)> {
        let id = self.variable(place).filter(|_| class != UNKNOWN)?;
        cuts.bounds(id, u32::from(class))
    }

    /// That a place has one of the classes from one to another: literals that hold together.
    pub(super) fn literals(
        &self,
        arena: &mut Arena,
        automaton: &Automaton,
        cuts: &Cuts,
        place: usize,
        range: (u16, u16),
    ) -> Vec<Term> {
        match (&self.features[place], range) {
            (Feature::Variable(id), (first, last)) => {
                cuts.literals(arena, automaton, *id, (u32::from(first), u32::from(last)))
            }
            (Feature::Atom(atom, _), (0, 0)) => vec![arena.not(*atom)],
            (Feature::Atom(..), (0, _)) => Vec::new(),
            (Feature::Atom(atom, _), _) => vec![*atom],
        }
    }
}
