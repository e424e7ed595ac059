//! Frames, local to places (§4.1 of the IC3CFA thesis), delta-encoded.
//!
//! The frame `F(i, p)` over-approximates what is reachable at place `p` in at most `i` steps. It is *false*
//! below the place's distance from the beginning (thesis 5.1), and otherwise the conjunction of the lemmas of
//! `p` at level `i` or above: a lemma is kept at the highest level where it is known to hold, and holds at
//! all levels below. So frames are monotone by construction. What else level 0 is, an instance knows.

use super::instance::State;
use super::level::Level;
use super::place::Place;
use nilas_term::{Cube, Term};

/// A cube that is not reachable at a place within so many steps.
#[derive(Clone, Debug)]
pub(crate) struct Lemma<P> {
    /// The cube.
    pub(crate) cube: Cube,
    /// Its negation as a term.
    pub(crate) clause: Term,
    /// The highest level at which it is known to hold.
    pub(crate) level: Level,
    /// Why it could not be pushed to the next level when that was last tried.
    pub(crate) witness: Option<Witness<P>>,
}

/// A state from which a step leads into a lemma's cube: as long as no lemma excludes the state, the lemma
/// cannot be pushed (triggered clause pushing, Suda 2013).
#[derive(Clone, Debug)]
pub(crate) struct Witness<P> {
    /// Where the step comes from.
    pub(super) source: P,
    /// The state before it.
    pub(super) state: State,
    /// The state behind it, if the instance tells.
    pub(crate) after: State,
    /// How many lemmas had ever been added at the source when that was last looked at.
    pub(super) seen: u64,
}

/// All frames.
#[derive(Debug)]
pub(crate) struct Frames<P> {
    distance: Vec<Option<Level>>,
    lemmas: Vec<Vec<Lemma<P>>>,
    added: Vec<u64>,
}

impl<P: Place> Frames<P> {
    /// No lemma anywhere; `distance` is each place's distance from the beginning, if it can be reached.
    pub(super) fn new(distance: Vec<Option<Level>>) -> Self {
        let places = distance.len();
        let lemmas = (0..places).map(|_| Vec::new()).collect();
        Frames { distance, lemmas, added: vec![0; places] }
    }

    /// Whether `F(level, place)` is *false* because no way in the graph is that short.
    pub(crate) fn is_empty_at(&self, level: Level, place: P) -> bool {
        self.distance[place.index()].is_none_or(|distance| level < distance)
    }

    /// The first level at which a place can be reached by a way in the graph.
    pub(super) fn first(&self, place: P) -> Option<Level> {
        self.distance[place.index()]
    }

    /// The lemmas of a place, at all levels.
    pub(crate) fn lemmas(&self, place: P) -> &[Lemma<P>] {
        &self.lemmas[place.index()]
    }

    pub(super) fn lemmas_mut(&mut self, place: P) -> &mut [Lemma<P>] {
        &mut self.lemmas[place.index()]
    }

    /// The lemmas that make up `F(level, place)`.
    pub(crate) fn frame(&self, level: Level, place: P) -> impl Iterator<Item = &Lemma<P>> {
        self.lemmas[place.index()].iter().filter(move |lemma| lemma.level >= level)
    }

    /// The highest level at which a lemma of the frame excludes the cube, by subset of literals.
    pub(crate) fn blocks(&self, level: Level, place: P, cube: &Cube) -> Option<Level> {
        let blocking = self.frame(level, place).filter(|lemma| lemma.cube.is_subset_of(cube));
        blocking.map(|lemma| lemma.level).max()
    }

    /// Adds a lemma, and drops those of the place that it subsumes.
    pub(super) fn add(&mut self, place: P, lemma: Lemma<P>) {
        let lemmas = &mut self.lemmas[place.index()];
        lemmas.retain(|old| old.level > lemma.level || !lemma.cube.is_subset_of(&old.cube));
        lemmas.push(lemma);
        self.added[place.index()] += 1;
    }

    /// Notes that a lemma holds one level higher and, if `subsuming`, drops those that it subsumes there.
    /// Returns how many of these stood before it.
    pub(super) fn push(&mut self, place: P, index: usize, subsuming: bool) -> usize {
        self.added[place.index()] += 1;
        let lemmas = &mut self.lemmas[place.index()];
        let lemma = &mut lemmas[index];
        lemma.level = lemma.level.next();
        lemma.witness = None;
        if !subsuming {
            return 0;
        }
        let (cube, level) = (lemma.cube.clone(), lemma.level);
        let mut position = 0;
        let mut before = 0;
        lemmas.retain(|old| {
            let keep = position == index || old.level > level || !cube.is_subset_of(&old.cube);
            before += usize::from(!keep && position < index);
            position += 1;
            keep
        });
        before
    }

    /// Forgets the states that kept lemmas from being pushed: perhaps they lead nowhere any more.
    pub(super) fn forget_witnesses(&mut self) {
        for lemma in self.lemmas.iter_mut().flatten() {
            lemma.witness = None;
        }
    }

    /// Notes that a lemma holds at a higher level.
    pub(crate) fn raise(&mut self, place: P, clause: Term, level: Level) {
        for lemma in &mut self.lemmas[place.index()] {
            if lemma.clause == clause {
                lemma.level = level;
                lemma.witness = None;
            }
        }
        self.added[place.index()] += 1;
    }

    /// Drops the lemmas of a place that one of its others subsumes.
    pub(crate) fn subsume(&mut self, place: P) -> usize {
        let lemmas = &mut self.lemmas[place.index()];
        let before = lemmas.len();
        let mut index = 0;
        while index < lemmas.len() {
            let subsumed = lemmas.iter().enumerate().any(|(other, lemma)| {
                let old = &lemmas[index];
                other != index
                    && lemma.level >= old.level
                    && lemma.cube.is_subset_of(&old.cube)
                    // Of two that are alike the first one stays.
                    && (lemma.level > old.level || lemma.cube != old.cube || other < index)
            });
            if subsumed {
                lemmas.remove(index);
            } else {
                index += 1;
            }
        }
        before - lemmas.len()
    }

    /// How many lemmas were ever added or pushed at a place: grows whenever one of its frames does.
    pub(crate) fn added(&self, place: P) -> u64 {
        self.added[place.index()]
    }

    /// Whether no place has a lemma at exactly this level, so that this frame equals the next one
    /// everywhere (given that the level is not below any place's distance).
    pub(crate) fn is_delta_empty(&self, level: Level) -> bool {
        self.lemmas.iter().flatten().all(|lemma| lemma.level != level)
    }

    /// The largest distance of a place: below it, frames of some place are *false*.
    pub(crate) fn horizon(&self) -> Level {
        self.distance.iter().flatten().copied().max().unwrap_or(Level(0))
    }

    /// The most lemmas that a place has.
    pub(crate) fn most(&self) -> usize {
        self.lemmas.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// How many places have lemmas.
    pub(crate) fn places(&self) -> usize {
        self.lemmas.iter().filter(|lemmas| !lemmas.is_empty()).count()
    }

    /// How many lemmas there are at a level.
    pub(crate) fn at(&self, level: Level) -> usize {
        self.lemmas.iter().flatten().filter(|lemma| lemma.level == level).count()
    }

    /// Number of lemmas.
    pub(crate) fn len(&self) -> usize {
        self.lemmas.iter().map(Vec::len).sum()
    }
}
