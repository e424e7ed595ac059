//! Frames, delta-encoded.
//!
//! The frame `F(i)` over-approximates the states that are reachable in at most `i` steps. It is the
//! conjunction of the lemmas at level `i` or above: a lemma is kept at the highest level where it is known to
//! hold. So frames are monotone by construction. `F(0)` is, besides, the initial formula; no lemma excludes
//! an initial state.

use crate::level::Level;
use nilas_term::{Cube, Term, Value};

/// A cube that is not reachable within so many steps.
#[derive(Clone, Debug)]
pub(super) struct Lemma {
    pub(super) cube: Cube,
    /// The negation of the cube as a term.
    pub(super) clause: Term,
    /// The highest level at which it is known to hold.
    pub(super) level: Level,
    /// Why it could not be pushed to the next level when that was last tried.
    pub(super) witness: Option<Witness>,
}

/// A state from which a step leads into a lemma's cube: as long as no lemma excludes the state, the lemma
/// cannot be pushed (triggered clause pushing, Suda 2013).
#[derive(Clone, Debug)]
pub(super) struct Witness {
    pub(super) state: Vec<(Term, Value)>,
    /// How many lemmas had ever been added when that was last looked at.
    pub(super) seen: u64,
}

/// All frames.
#[derive(Debug, Default)]
pub(super) struct Frames {
    lemmas: Vec<Lemma>,
    added: u64,
}

impl Frames {
    /// The lemmas, at all levels.
    pub(super) fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    pub(super) fn lemmas_mut(&mut self) -> &mut [Lemma] {
        &mut self.lemmas
    }

    /// The lemmas that make up `F(level)`.
    pub(super) fn frame(&self, level: Level) -> impl Iterator<Item = &Lemma> {
        self.lemmas.iter().filter(move |lemma| lemma.level >= level)
    }

    /// The highest level at which a lemma of the frame excludes the cube, by subset of literals.
    pub(super) fn blocks(&self, level: Level, cube: &Cube) -> Option<Level> {
        self.frame(level).filter(|lemma| lemma.cube.is_subset_of(cube)).map(|lemma| lemma.level).max()
    }

    /// Adds a lemma, and drops those that it subsumes.
    pub(super) fn add(&mut self, lemma: Lemma) {
        self.lemmas.retain(|old| old.level > lemma.level || !lemma.cube.is_subset_of(&old.cube));
        self.lemmas.push(lemma);
        self.added += 1;
    }

    /// Notes that a lemma holds one level higher, and drops those that it subsumes there. Returns how many of
    /// these stood before it in the list.
    pub(super) fn raise(&mut self, index: usize) -> usize {
        let lemma = &mut self.lemmas[index];
        lemma.level = lemma.level.next();
        lemma.witness = None;
        self.added += 1;
        let (cube, level) = (lemma.cube.clone(), lemma.level);
        let mut position = 0;
        let mut before = 0;
        self.lemmas.retain(|old| {
            let keep = position == index || old.level > level || !cube.is_subset_of(&old.cube);
            before += usize::from(!keep && position < index);
            position += 1;
            keep
        });
        before
    }

    /// How many lemmas were ever added or pushed: grows whenever a frame does.
    pub(super) fn added(&self) -> u64 {
        self.added
    }

    /// Whether there is no lemma at exactly this level, so that this frame equals the next one (from level 1
    /// on).
    pub(super) fn is_delta_empty(&self, level: Level) -> bool {
        self.lemmas.iter().all(|lemma| lemma.level != level)
    }

    /// Number of lemmas.
    pub(super) fn len(&self) -> usize {
        self.lemmas.len()
    }
}
