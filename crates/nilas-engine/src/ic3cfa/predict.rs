//! Lemmas that need no dropping: prediction from failed pushes, and lemmas that refer to earlier ones.
//!
//! A cube to be blocked at a level often contains a lemma of the level below that could not be pushed because
//! of one state (a counterexample to propagation). A literal of the cube that this state violates, added to
//! the lemma, excludes the state: if the two together are relative inductive, that is a lemma of nearly the
//! size of the old one for one question (Su, Yang, Ci: Predicting Lemmas in Generalization of IC3, DAC 2024).
//!
//! Where that does not help, the order in which literals are dropped matters: those that stand in lemmas
//! which were pushed before are tried last, so that new lemmas resemble those that hold at several levels
//! (Xia, Becchi, Cimatti, Griggio, Li, Pu: Searching for i-Good Lemmas, CAV 2023).

use super::Ic3Cfa;
use super::instance::Spot;
use super::technique::Technique;
use crate::outcome::Unknown;
use crate::pdr::Purpose;
use nilas_program::LocationId;
use nilas_term::{Cube, Evaluator, Model, Term};

/// Questions that one prediction may take.
const TRIES: usize = 3;

impl Ic3Cfa<'_, '_> {
    /// A part of the cube that a failed push suggests, if it is blocked.
    pub(super) fn predicted(&mut self, spot: Spot, cube: &Cube) -> Result<Option<Cube>, Unknown> {
        let technique = Technique::Prediction;
        if !self.instance.techniques.contains(technique) {
            return Ok(None);
        }
        let mut tries = Vec::new();
        for lemma in self.frames.lemmas(spot.place) {
            let Some(witness) = &lemma.witness else { continue };
            if lemma.level.next() != spot.level || !lemma.cube.is_subset_of(cube) {
                continue;
            }
            let mut model = Model::new();
            for (variable, value) in &witness.after {
                model.set(*variable, value.clone());
            }
            let mut evaluator = Evaluator::new(model);
            for literal in cube.iter().filter(|&literal| !lemma.cube.contains(literal)) {
                if tries.len() < TRIES && evaluator.holds(&self.arena, literal) == Ok(false) {
                    tries.push(lemma.cube.union(&Cube::new([literal])));
                }
            }
        }
        for candidate in tries {
            if let Ok(core) = self.reachable(spot.level, spot.place, &candidate, Purpose::Truth)? {
                self.instance.applied.count(technique, (cube.len() - core.len()) as u64);
                return Ok(Some(core));
            }
        }
        Ok(None)
    }

    /// Notes the literals of a lemma that was pushed.
    pub(super) fn note_good(&mut self, location: LocationId, cube: &Cube) {
        if self.instance.techniques.contains(Technique::GoodLiterals) {
            for literal in cube.iter() {
                *self.instance.good.entry((location, literal)).or_default() += 1;
            }
        }
    }

    /// Puts literals into the order in which they are tried to be dropped.
    pub(super) fn put_good_last(&mut self, location: LocationId, literals: &mut [Term]) {
        if self.instance.techniques.contains(Technique::GoodLiterals) {
            let score = |literal: Term| self.instance.good.get(&(location, literal)).copied().unwrap_or(0);
            if literals.iter().any(|&literal| score(literal) > 0) {
                // Stable: among equals the order stays.
                literals.sort_by_key(|&literal| score(literal));
                self.instance.applied.count(Technique::GoodLiterals, 0);
            }
        }
    }
}
