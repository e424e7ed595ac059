//! The literals of cubes: simple bounds of the program's variables.

use nilas_icp::{Reading, SimpleBound};
use nilas_program::{Automaton, VarId};
use nilas_term::{Arena, Cube, Op, Sort, Term, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::landmarks::terms;

/// Which bounds the literals are. Looked up by literal only.
#[derive(Default)]
pub(super) struct Literals {
    bounds: FxHashMap<Term, SimpleBound>,
    /// Whether each variable is read with a sign.
    signed: Vec<bool>,
}

impl Literals {
    /// For the variables of an automaton. A bit-vector is read as it is compared, converted and divided most
    /// often; with a sign where that does not tell.
    pub(super) fn new(arena: &Arena, automaton: &Automaton) -> Self {
        let mut votes: FxHashMap<Term, i64> = FxHashMap::default();
        let (mut stack, mut seen) = (terms(automaton), FxHashSet::default());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let children = arena.children(term);
            stack.extend_from_slice(children);
            let vote = match arena.op(term) {
                Op::BvUlt | Op::BvUle | Op::BvUdiv | Op::BvUrem | Op::BvLshr | Op::ZeroExtend(_) => -1,
                Op::BvSlt | Op::BvSle | Op::BvSdiv | Op::BvSrem | Op::BvAshr | Op::SignExtend(_) => 1,
                _ => continue,
            };
            for &child in children {
                *votes.entry(child).or_default() += vote;
            }
        }
        let signed = automaton.variables.iter().map(|it| votes.get(&it.term).is_none_or(|&votes| votes >= 0));
        Literals { bounds: FxHashMap::default(), signed: signed.collect() }
    }

    /// The literal of a bound of a variable.
    pub(super) fn literal(&mut self, arena: &mut Arena, bound: SimpleBound) -> Term {
        let literal = bound.literal(arena);
        self.bounds.insert(literal, bound);
        literal
    }

    /// The bound of a literal that was made here.
    pub(super) fn bound(&self, literal: Term) -> Option<SimpleBound> {
        self.bounds.get(&literal).copied()
    }

    /// The cube that says of a variable that it has a value; `None` if such values have no bounds.
    pub(super) fn around(
        &mut self,
        arena: &mut Arena,
        automaton: &Automaton,
        id: VarId,
        value: &Value,
    ) -> Option<Vec<Term>> {
        let bounds = SimpleBound::around(automaton.variable(id).term, value, self.signed[id.index()])?;
        let bounds = bounds.into_iter().filter(|bound| !bound.is_trivial(arena)).collect::<Vec<_>>();
        Some(bounds.into_iter().map(|bound| self.literal(arena, bound)).collect())
    }

    /// The literal that is left of one that was weakened, if any: a bound that every number satisfies says
    /// that there is a number.
    pub(super) fn weaker(&mut self, arena: &mut Arena, bound: SimpleBound) -> Option<Term> {
        let bound = match bound.is_number() {
            Some(number) if bound.is_trivial(arena) => number,
            None if bound.is_trivial(arena) => return None,
            _ => bound,
        };
        Some(self.literal(arena, bound))
    }

    /// The same cube without literals that others of it imply.
    pub(super) fn tidy(&self, cube: &Cube) -> Cube {
        let bounds: Vec<SimpleBound> = cube.iter().filter_map(|literal| self.bound(literal)).collect();
        let implied = |literal: &Term| {
            let Some(bound) = self.bound(*literal) else { return false };
            bounds
                .iter()
                .any(|&other| (other != bound && other.implies(bound)) || other.is_number() == Some(bound))
        };
        Cube::new(cube.iter().filter(|literal| !implied(literal)))
    }

    /// The join of two cubes (§3.1.2): of the ends that both bound, the weaker bounds.
    pub(super) fn join(&mut self, arena: &mut Arena, one: &Cube, other: &Cube) -> Cube {
        let others: Vec<SimpleBound> = other.iter().filter_map(|literal| self.bound(literal)).collect();
        let mut joined = Vec::with_capacity(one.len());
        for literal in one.iter() {
            let Some(bound) = self.bound(literal) else { continue };
            let met = others.iter().find(|met| met.same_end(bound));
            let weaker = match met {
                Some(met) if met.implies(bound) => Some(bound),
                Some(met) => Some(*met),
                // A number on both sides is one of the join.
                None if bound.reading == Reading::Nan => {
                    others.iter().any(|met| met.is_number() == Some(bound)).then_some(bound)
                }
                None => None,
            };
            joined.extend(weaker.map(|bound| self.literal(arena, bound)));
        }
        Cube::new(joined)
    }
}

/// Whether the values of a sort have bounds.
pub(super) fn is_bounded(sort: &Sort) -> bool {
    match sort {
        Sort::Bool => true,
        Sort::BitVec(width) => *width <= nilas_icp::boxes::bits::MAX_WIDTH,
        Sort::Float(exponent, significand) => exponent + significand <= nilas_icp::boxes::float::MAX_BITS,
        _ => false,
    }
}
