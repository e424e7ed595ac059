//! Location-local frames (§4.1 of the thesis), delta-encoded.
//!
//! The frame `F(i, l)` over-approximates what is reachable at location `l` in at most `i` edges. It is
//! *false* below the location's distance from the entry (thesis 5.1), and otherwise the conjunction of the
//! lemmas of `l` at level `i` or above: a lemma is kept at the highest level where it is known to hold, and
//! holds at all levels below. So frames are monotone by construction. The entry has no lemma.

use super::level::Level;
use nilas_program::{EdgeId, LocationId};
use nilas_term::{Cube, Term, Value};

/// A cube that is not reachable at a location within so many edges.
#[derive(Clone, Debug)]
pub(crate) struct Lemma {
    /// The cube.
    pub(crate) cube: Cube,
    /// Its negation as a term.
    pub(crate) clause: Term,
    /// The highest level at which it is known to hold.
    pub(crate) level: Level,
    /// Why it could not be pushed to the next level when that was last tried.
    pub(crate) witness: Option<Witness>,
}

/// A state from which an edge leads into a lemma's cube: as long as no lemma excludes the state, the lemma
/// cannot be pushed (triggered clause pushing, Suda 2013).
#[derive(Clone, Debug)]
pub(crate) struct Witness {
    /// The edge.
    pub(crate) edge: EdgeId,
    /// Values of the variables before the edge.
    pub(crate) state: Vec<(Term, Value)>,
    /// Values of the variables behind it.
    pub(crate) after: Vec<(Term, Value)>,
    /// How many lemmas had ever been added at the edge's source when that was last looked at.
    pub(crate) seen: u64,
}

/// All frames.
#[derive(Debug)]
pub(crate) struct Frames {
    distance: Vec<Option<Level>>,
    lemmas: Vec<Vec<Lemma>>,
    added: Vec<u64>,
}

impl Frames {
    /// No lemma anywhere; `distance` is each location's distance from the entry, if it can be reached.
    pub(crate) fn new(distance: Vec<Option<Level>>) -> Self {
        let locations = distance.len();
        Frames { distance, lemmas: vec![Vec::new(); locations], added: vec![0; locations] }
    }

    /// Whether `F(level, location)` is *false* because no way in the graph is that short.
    pub(crate) fn is_empty_at(&self, level: Level, location: LocationId) -> bool {
        self.distance[location.index()].is_none_or(|distance| level < distance)
    }

    /// The lemmas of a location, at all levels.
    pub(crate) fn lemmas(&self, location: LocationId) -> &[Lemma] {
        &self.lemmas[location.index()]
    }

    pub(crate) fn lemmas_mut(&mut self, location: LocationId) -> &mut [Lemma] {
        &mut self.lemmas[location.index()]
    }

    /// The lemmas that make up `F(level, location)`.
    pub(crate) fn frame(&self, level: Level, location: LocationId) -> impl Iterator<Item = &Lemma> {
        self.lemmas[location.index()].iter().filter(move |lemma| lemma.level >= level)
    }

    /// The highest level at which a lemma of the frame excludes the cube, by subset of literals.
    pub(crate) fn blocks(&self, level: Level, location: LocationId, cube: &Cube) -> Option<Level> {
        let blocking = self.frame(level, location).filter(|lemma| lemma.cube.is_subset_of(cube));
        blocking.map(|lemma| lemma.level).max()
    }

    /// Adds a lemma, and drops those of the location that it subsumes.
    pub(crate) fn add(&mut self, location: LocationId, lemma: Lemma) {
        let lemmas = &mut self.lemmas[location.index()];
        lemmas.retain(|old| old.level > lemma.level || !lemma.cube.is_subset_of(&old.cube));
        lemmas.push(lemma);
        self.added[location.index()] += 1;
    }

    /// Notes that a lemma holds at a higher level.
    pub(crate) fn raise(&mut self, location: LocationId, clause: Term, level: Level) {
        for lemma in &mut self.lemmas[location.index()] {
            if lemma.clause == clause {
                lemma.level = level;
                lemma.witness = None;
            }
        }
        self.note_pushed(location);
    }

    /// Drops the lemmas of a location that one of its others subsumes.
    pub(crate) fn subsume(&mut self, location: LocationId) -> usize {
        let lemmas = &mut self.lemmas[location.index()];
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

    /// Notes that a lemma of the location holds at a higher level now, which strengthens that frame.
    pub(crate) fn note_pushed(&mut self, location: LocationId) {
        self.added[location.index()] += 1;
    }

    /// How many lemmas were ever added or pushed at a location: grows whenever one of its frames does.
    pub(crate) fn added(&self, location: LocationId) -> u64 {
        self.added[location.index()]
    }

    /// Whether no location has a lemma at exactly this level, so that this frame equals the next one
    /// everywhere (given that the level is not below any location's distance).
    pub(crate) fn is_delta_empty(&self, level: Level) -> bool {
        self.lemmas.iter().flatten().all(|lemma| lemma.level != level)
    }

    /// The largest distance of a location: below it, frames of some location are *false*.
    pub(crate) fn horizon(&self) -> Level {
        self.distance.iter().flatten().copied().max().unwrap_or(Level(0))
    }

    /// The most lemmas that a location has.
    pub(crate) fn most(&self) -> usize {
        self.lemmas.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// How many locations have lemmas.
    pub(crate) fn locations(&self) -> usize {
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
