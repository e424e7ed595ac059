//! Cubes: conjunctions of literals as sorted sets.

use crate::arena::Arena;
use crate::term::Term;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A set of literals (Boolean terms), read as their conjunction; its negation is a clause.
///
/// Literals are sorted by id and distinct. A 64-bit signature, with one bit per literal, refuses most
/// subset tests at once. Cloning is cheap. Whether literals contradict each other is the caller's business.
#[derive(Clone, Debug)]
pub struct Cube {
    literals: Arc<[Term]>,
    signature: u64,
}

fn signature_bit(literal: Term) -> u64 {
    // Fibonacci hashing: neighbouring ids, which are what one formula yields, get distant bits.
    1 << (literal.0.wrapping_mul(0x9E37_79B9) >> 26)
}

impl Cube {
    /// The cube of those literals.
    pub fn new(literals: impl IntoIterator<Item = Term>) -> Self {
        let mut literals: Vec<Term> = literals.into_iter().collect();
        literals.sort_unstable();
        literals.dedup();
        Self::from_sorted(literals)
    }

    fn from_sorted(literals: Vec<Term>) -> Self {
        let signature = literals.iter().fold(0, |signature, &literal| signature | signature_bit(literal));
        Cube { literals: literals.into(), signature }
    }

    /// The cube without literals, which is true.
    #[must_use]
    pub fn empty() -> Self {
        Self::from_sorted(Vec::new())
    }

    /// The literals, sorted by id.
    #[must_use]
    pub fn literals(&self) -> &[Term] {
        &self.literals
    }

    /// Number of literals.
    #[must_use]
    pub fn len(&self) -> usize {
        self.literals.len()
    }

    /// Whether there is no literal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.literals.is_empty()
    }

    /// Whether a literal is in it.
    #[must_use]
    pub fn contains(&self, literal: Term) -> bool {
        self.signature & signature_bit(literal) != 0 && self.literals.binary_search(&literal).is_ok()
    }

    /// Whether all its literals are in the other: then the other implies it.
    #[must_use]
    pub fn is_subset_of(&self, other: &Cube) -> bool {
        if self.signature & !other.signature != 0 || self.len() > other.len() {
            return false;
        }
        let mut rest = other.literals.iter();
        self.literals.iter().all(|literal| rest.by_ref().find(|other| *other >= literal) == Some(literal))
    }

    /// The cube without one literal.
    #[must_use]
    pub fn without(&self, literal: Term) -> Cube {
        Self::from_sorted(self.iter().filter(|&other| other != literal).collect())
    }

    /// All literals of both.
    #[must_use]
    pub fn union(&self, other: &Cube) -> Cube {
        Self::new(self.iter().chain(other.iter()))
    }

    /// The literals that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Cube) -> Cube {
        Self::from_sorted(self.iter().filter(|&literal| !other.contains(literal)).collect())
    }

    /// The literals, by id.
    pub fn iter(&self) -> impl Iterator<Item = Term> + '_ {
        self.literals.iter().copied()
    }

    /// The signature: a cube is a subset of another only if its signature's bits are set in the other's.
    #[must_use]
    pub fn signature(&self) -> u64 {
        self.signature
    }

    /// The conjunction.
    pub fn to_term(&self, arena: &mut Arena) -> Term {
        arena.and(&self.literals)
    }

    /// The clause that is its negation.
    pub fn negation(&self, arena: &mut Arena) -> Term {
        let negated: Vec<Term> = self.iter().map(|literal| arena.not(literal)).collect();
        arena.or(&negated)
    }
}

impl Default for Cube {
    fn default() -> Self {
        Self::empty()
    }
}

impl FromIterator<Term> for Cube {
    fn from_iter<I: IntoIterator<Item = Term>>(literals: I) -> Self {
        Self::new(literals)
    }
}

impl PartialEq for Cube {
    fn eq(&self, other: &Self) -> bool {
        self.signature == other.signature && self.literals == other.literals
    }
}

impl Eq for Cube {}

impl PartialOrd for Cube {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cube {
    fn cmp(&self, other: &Self) -> Ordering {
        self.literals.cmp(&other.literals)
    }
}

impl Hash for Cube {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.literals.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(ids: &[u32]) -> Cube {
        Cube::new(ids.iter().map(|&id| Term(id)))
    }

    #[test]
    fn literals_are_a_sorted_set() {
        assert_eq!(cube(&[3, 1, 3, 2]).literals(), &[Term(1), Term(2), Term(3)]);
        assert_eq!(cube(&[2, 1]), cube(&[1, 2, 2]));
        assert!(Cube::empty().is_empty());
    }

    #[test]
    fn set_operations_agree_with_bit_masks() {
        // Every pair of subsets of ids 0..6, spread so that signatures of different ids may coincide.
        let of = |mask: u32| Cube::new((0..6).filter(|bit| mask >> bit & 1 == 1).map(|bit| Term(bit * 1009)));
        for left in 0..64 {
            for right in 0..64 {
                let (a, b) = (of(left), of(right));
                assert_eq!(a.is_subset_of(&b), left & !right == 0, "{left:b} in {right:b}");
                assert_eq!(a.union(&b), of(left | right));
                assert_eq!(a.difference(&b), of(left & !right));
                assert_eq!(a.signature() & !a.union(&b).signature(), 0);
            }
            for bit in 0..6 {
                assert_eq!(of(left).without(Term(bit * 1009)), of(left & !(1 << bit)));
                assert_eq!(of(left).contains(Term(bit * 1009)), left >> bit & 1 == 1);
            }
        }
    }

    #[test]
    fn conjunction_and_clause_are_complements() {
        let mut arena = Arena::new();
        let literals: Vec<Term> =
            ["a", "b", "c"].iter().filter_map(|name| arena.variable(name, &crate::Sort::Bool).ok()).collect();
        let cube = Cube::new(literals);
        let (term, clause) = (cube.to_term(&mut arena), cube.negation(&mut arena));
        assert_ne!(term, clause);
        let mut evaluator = crate::Evaluator::new(crate::Model::new()).with_defaults();
        assert_eq!(evaluator.holds(&arena, term), Ok(false));
        assert_eq!(evaluator.holds(&arena, clause), Ok(true));
    }
}
