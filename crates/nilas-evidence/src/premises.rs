//! Which premises sufficed: a hint for the checker, never trusted.
//!
//! That a lemma holds where a region ends follows from the formula where the region starts; often a few of
//! its conjuncts are enough, and an engine may know which. The checker asks with those first. It asks with all
//! of them if these do not suffice, so a wrong hint costs time and nothing else: fewer premises never show
//! more.

use nilas_program::LocationId;
use nilas_term::{Arena, Importer, SortError, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What a hint is about: where the region starts, where it ends, and the lemma there (*false* at a sink).
type About = (LocationId, LocationId, Term);

/// Conjuncts of the formulas where regions start, by what they suffice for. Terms belong to the arena of the
/// invariant. With `k`-induction, regions are ways of `k` of them, and conjuncts are those of the first state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Premises(BTreeMap<About, BTreeSet<Term>>);

impl Premises {
    /// Whether there is no hint.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds what sufficed for a lemma over some of the ways of a region.
    pub fn tell(
        &mut self,
        from: LocationId,
        to: LocationId,
        lemma: Term,
        used: impl IntoIterator<Item = Term>,
    ) {
        self.0.entry((from, to, lemma)).or_default().extend(used);
    }

    /// What is told of a lemma.
    pub(crate) fn told(&self, from: LocationId, to: LocationId, lemma: Term) -> Option<&BTreeSet<Term>> {
        self.0.get(&(from, to, lemma))
    }

    /// All hints: start, end, lemma, premises.
    pub fn iter(&self) -> impl Iterator<Item = (LocationId, LocationId, Term, &BTreeSet<Term>)> {
        self.0.iter().map(|(&(from, to, lemma), used)| (from, to, lemma, used))
    }

    /// The hints in another arena.
    ///
    /// # Errors
    /// When the arena has other symbols of the same names.
    pub fn import(
        &self,
        importer: &mut Importer,
        arena: &mut Arena,
        source: &Arena,
    ) -> Result<Premises, SortError> {
        let mut imported = Premises::default();
        for (from, to, lemma, used) in self.iter() {
            let lemma = importer.import(arena, source, lemma)?;
            let used = used.iter().map(|&term| importer.import(arena, source, term));
            imported.tell(from, to, lemma, used.collect::<Result<Vec<Term>, SortError>>()?);
        }
        Ok(imported)
    }
}
