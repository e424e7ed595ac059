//! The algorithm that unites the catalogue (5.12 of the thesis).
//!
//! Before literals are dropped, a lemma is looked for that needs no dropping ([`predict`](super::predict));
//! with [`Technique::Necessary`] they are dropped edge by edge ([`necessary`](super::necessary)), else as the
//! core does; afterwards they are weakened, or the cube is interpolated
//! ([`interpolate`](super::interpolate)).

use super::Ic3Cfa;
use super::instance::Spot;
use super::technique::Technique;
use crate::outcome::Unknown;
use nilas_term::Cube;

impl Ic3Cfa<'_, '_> {
    /// The first part of Alg. 5.12.1: a part of the cube that is blocked, with few literals. `core` is one.
    pub(super) fn shortened(&mut self, spot: Spot, cube: &Cube, core: &Cube) -> Result<Cube, Unknown> {
        let techniques = self.instance.techniques;
        let result = match self.predicted(spot, cube)? {
            Some(predicted) => predicted,
            None if !techniques.contains(Technique::Dropping) => cube.clone(),
            None if techniques.contains(Technique::Necessary) => self.generalise_by_edges(spot, core)?,
            None => self.drop_literals(spot, core, &Cube::empty())?,
        };
        if techniques.contains(Technique::Dropping) {
            let dropped = cube.len().saturating_sub(result.len());
            self.instance.applied.count(Technique::Dropping, dropped as u64);
        }
        Ok(result)
    }

    /// The second part: a cube that the given one implies and that is still blocked.
    pub(super) fn polished(&mut self, spot: Spot, cube: Cube) -> Result<Cube, Unknown> {
        let techniques = self.instance.techniques;
        let mut result = cube;
        if techniques.contains(Technique::Weakening) {
            result = self.weaken(spot, result)?;
        }
        if techniques.contains(Technique::Interpolation) {
            result = self.interpolated(spot, result)?;
        }
        Ok(result)
    }
}
