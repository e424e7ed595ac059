//! The program counter as Booleans.
//!
//! `n` locations take ⌈log₂ n⌉ Booleans (§6.1 of the Tree-IC3 paper). The entry has the code zero; codes that
//! no location has are values that the counter never takes.

use crate::ids::LocationId;
use nilas_term::{Arena, Cube, Sort, Substitution, Term};

/// An encoding of some locations of an automaton.
#[derive(Clone, Debug)]
pub struct ProgramCounter {
    bits: Vec<Term>,
    /// The locations by code.
    locations: Vec<LocationId>,
}

impl ProgramCounter {
    /// A counter with these values, the first of which has the code zero.
    pub fn new(arena: &mut Arena, locations: Vec<LocationId>) -> Self {
        let width = locations.len().next_power_of_two().trailing_zeros();
        let bits = (0..width).map(|_| arena.fresh_variable("pc", &Sort::Bool)).collect();
        ProgramCounter { bits, locations }
    }

    /// The Booleans, the least significant first.
    #[must_use]
    pub fn bits(&self) -> &[Term] {
        &self.bits
    }

    /// The code of a location.
    #[must_use]
    pub fn code(&self, location: LocationId) -> Option<usize> {
        self.locations.iter().position(|&known| known == location)
    }

    /// Whether the counter stands at a location; false for one that has no code.
    pub fn at(&self, arena: &mut Arena, location: LocationId) -> Term {
        let Some(code) = self.code(location) else { return arena.mk_false() };
        let literals: Vec<Term> = self
            .bits
            .iter()
            .enumerate()
            .map(|(index, &bit)| if code >> index & 1 == 1 { bit } else { arena.not(bit) })
            .collect();
        arena.and(&literals)
    }

    /// From the Booleans to their values at a location that has a code.
    pub fn values(&self, arena: &mut Arena, location: LocationId) -> Option<Substitution> {
        let code = self.code(location)?;
        let values = self.bits.iter().enumerate();
        Some(values.map(|(index, &bit)| (bit, arena.mk_bool(code >> index & 1 == 1))).collect())
    }

    /// The only location that literals about the counter leave, if they leave just one. Other literals do not
    /// count.
    pub fn location(&self, arena: &mut Arena, cube: &Cube) -> Option<LocationId> {
        let mut known: Vec<Option<bool>> = Vec::with_capacity(self.bits.len());
        for &bit in &self.bits {
            let negated = arena.not(bit);
            known.push(if cube.contains(bit) { Some(true) } else { cube.contains(negated).then_some(false) });
        }
        let mut fitting = self.locations.iter().enumerate().filter(|(code, _)| {
            known.iter().enumerate().all(|(index, bit)| bit.is_none_or(|bit| bit == (code >> index & 1 == 1)))
        });
        match (fitting.next(), fitting.next()) {
            (Some((_, &location)), None) => Some(location),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_as_short_as_they_can_be_and_tell_locations_apart() {
        for (count, width) in [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (9, 4)] {
            let mut arena = Arena::new();
            let locations: Vec<LocationId> = (0..count).map(|index| LocationId::new(3 + index)).collect();
            let counter = ProgramCounter::new(&mut arena, locations.clone());
            assert_eq!(counter.bits().len(), width, "{count} locations");
            for &location in &locations {
                let at = counter.at(&mut arena, location);
                for &other in &locations {
                    let mut values = counter.values(&mut arena, other).expect("a location with a code");
                    let holds = values.apply(&mut arena, at);
                    assert_eq!(arena.as_bool(holds), Some(location == other));
                }
                let literals = Cube::new(if arena.op(at) == nilas_term::Op::And {
                    arena.children(at).to_vec()
                } else {
                    vec![at]
                });
                assert_eq!(counter.location(&mut arena, &literals), Some(location));
            }
            let nowhere = counter.at(&mut arena, LocationId::new(0));
            assert_eq!(arena.as_bool(nowhere), Some(false));
            let any = counter.location(&mut arena, &Cube::empty());
            assert_eq!(any, (count == 1).then(|| locations[0]));
        }
    }
}
