//! Global guidance against diverging series of lemmas (Vediramana Krishnan, Chen, Shoham, Gurfinkel: Global
//! Guidance for Local Generalization in Model Checking, CAV 2020).
//!
//! Lemmas of a location that are alike but for one constant are a *series*. A series that goes on is a sign
//! that generalisation looks at too little at a time, so whenever one has doubled, it is looked at as a
//! whole:
//! - *subsume*: one cube that contains all of the series, with a bound or some low bits in the place of the
//!   constant;
//! - *conjecture*: the cube without the literal;
//! - *concretise*: where the literal is about more than one variable, later obligations that have it are
//!   replaced by values of the variables.
//!
//! Cubes of the first two are conjectures.

use super::Ic3Cfa;
use super::conjecture::Conjecture;
use super::technique::Technique;
use crate::pdr::Level;
use nilas_program::LocationId;
use nilas_smt::weaken::{Order, Shape};
use nilas_term::{Arena, BitVec, Cube, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lemmas that make a series worth a look.
const SERIES: usize = 4;

/// What the literals of a series have in common: the term, and for bounds the order.
type Pattern = (Term, Option<Order>);

/// The series of all locations.
#[derive(Debug, Default)]
pub(super) struct Guidance {
    series: FxHashMap<(LocationId, Cube, Pattern), Vec<BitVec>>,
    /// Terms of series over more than one variable.
    compound: FxHashSet<(LocationId, Term)>,
}

fn pattern(arena: &Arena, literal: Term) -> Option<(Pattern, BitVec)> {
    match Shape::of(arena, literal) {
        Shape::Equal(term, value) => Some(((term, None), arena.as_bitvec(value)?.clone())),
        Shape::Bound { term, order, rank } => Some(((term, Some(order)), rank)),
        _ => None,
    }
}

impl Ic3Cfa<'_, '_> {
    /// Looks at the series that a new lemma belongs to.
    pub(super) fn guide(&mut self, level: Level, location: LocationId, cube: &Cube) {
        if !self.instance.techniques.contains(Technique::Guidance) {
            return;
        }
        for literal in cube.iter() {
            let Some((pattern, value)) = pattern(&self.arena, literal) else { continue };
            let rest = cube.without(literal);
            let values = self.instance.guidance.series.entry((location, rest.clone(), pattern)).or_default();
            if values.contains(&value) {
                continue;
            }
            values.push(value);
            if values.len() < SERIES || !values.len().is_power_of_two() {
                continue;
            }
            let values = values.clone();
            let (term, order) = pattern;
            if self.arena.free_variables(term).len() > 1 {
                self.instance.guidance.compound.insert((location, term));
            }
            let mut cubes = Vec::new();
            if order.is_none() {
                for literal in subsuming(&mut self.arena, term, &values) {
                    cubes.push(rest.union(&Cube::new([literal])));
                }
            }
            if !rest.is_empty() {
                cubes.push(rest);
            }
            let technique = Technique::Guidance;
            self.instance.conjectures.extend(cubes.into_iter().map(|cube| Conjecture {
                technique,
                level,
                location,
                cube,
            }));
        }
    }

    /// The literals of an obligation that are to be replaced by values.
    pub(super) fn to_concretise(&self, location: LocationId, cube: &Cube) -> Vec<Term> {
        if self.instance.guidance.compound.is_empty() {
            return Vec::new();
        }
        let compound = |literal: &Term| {
            pattern(&self.arena, *literal)
                .is_some_and(|((term, _), _)| self.instance.guidance.compound.contains(&(location, term)))
        };
        cube.iter().filter(compound).collect()
    }
}

/// Literals that hold for all values of a series of equalities: bounds, and the low bits that the values
/// share.
fn subsuming(arena: &mut Arena, term: Term, values: &[BitVec]) -> Vec<Term> {
    let mut found = Vec::new();
    let width = values[0].width();
    let shared =
        (0..width).take_while(|&bit| values.iter().all(|value| value.bit(bit) == values[0].bit(bit)));
    if let Some(high) = shared.last() {
        let low = arena.extract(term, high, 0);
        let bits = arena.bv_constant(values[0].extract(high, 0));
        found.push(arena.eq(low, bits));
    }
    for signed in [true, false] {
        for upper in [true, false] {
            let order = Order { signed, upper };
            let weakest = values.iter().map(|value| order.rank(value)).max();
            if let Some(rank) = weakest {
                found.push(order.bound(arena, term, &rank));
            }
        }
    }
    found.retain(|&literal| arena.as_bool(literal).is_none());
    found
}

#[cfg(test)]
mod tests {
    use super::subsuming;
    use nilas_term::{Arena, BitVec, Evaluator, Model, Sort, Value};

    /// What is to subsume a series holds for all of it, and not for everything.
    #[test]
    fn series_are_subsumed() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(8)).expect("a new name");
        let values: Vec<BitVec> = [3, 5, 7, 11].map(|value| BitVec::new(8, value)).to_vec();
        let literals = subsuming(&mut arena, x, &values);
        assert_eq!(literals.len(), 5);
        for &literal in &literals {
            let holds = |value: &BitVec| {
                let mut model = Model::new();
                model.set(x, Value::BitVec(value.clone()));
                Evaluator::new(model).holds(&arena, literal).expect("a formula over x")
            };
            assert!(values.iter().all(holds));
            assert!(!(0..=255).map(|value| BitVec::new(8, value)).all(|value| holds(&value)));
        }
    }
}
