//! Guessing formulas for a location.
//!
//! For one variable: its first value, its parity, bounds by constants of the program. For two variables of
//! one width that change: equality, order, and the line through the first two states (`x = x₀ + c·(i - i₀)`;
//! wrapping arithmetic is exact here). For all variables of a width: affine relations
//! ([`affine`](mod@super::affine)). Only what all samples satisfy is proposed.

use super::affine::affine;
use super::samples::Sample;
use crate::landmarks::constants;
use nilas_program::Automaton;
use nilas_smt::weaken::Shape;
use nilas_term::{Arena, BitVec, Evaluator, Model, Term, Value};
use std::collections::BTreeMap;

/// Locations together may have so many candidates; beyond that pairs are left out, then bounds.
const MOST: usize = 1_000;
/// Constants that are tried as bounds of one variable.
const BOUNDS: usize = 12;

/// Candidates for each location.
pub(super) fn propose(arena: &mut Arena, automaton: &Automaton, samples: &[Vec<Sample>]) -> Vec<Vec<Term>> {
    let landmarks = constants(arena, automaton);
    let reached = samples.iter().filter(|samples| !samples.is_empty()).count().max(1);
    let most = MOST / reached;
    samples
        .iter()
        .map(|samples| {
            let Some(first) = samples.first() else { return Vec::new() };
            let mut found = of_one(arena, first);
            found.extend(affine(arena, samples));
            let pairs = pairs(arena, samples, most);
            if found.len() + pairs.len() <= most {
                found.extend(pairs);
            }
            let bounds = bounds(arena, first, &landmarks);
            if found.len() + bounds.len() <= most {
                found.extend(bounds);
            }
            if found.len() > most {
                return Vec::new();
            }
            found.retain(|&candidate| samples.iter().all(|sample| satisfies(arena, sample, candidate)));
            found.sort_unstable();
            found.dedup();
            found
        })
        .collect()
}

fn satisfies(arena: &Arena, sample: &Sample, candidate: Term) -> bool {
    if arena.as_bool(candidate).is_some() {
        return false;
    }
    let mut model = Model::new();
    for (variable, value) in sample {
        model.set(*variable, value.clone());
    }
    Evaluator::new(model).holds(arena, candidate).unwrap_or(false)
}

fn words(sample: &Sample) -> impl Iterator<Item = (Term, &BitVec)> {
    sample.iter().filter_map(|(variable, value)| match value {
        Value::BitVec(value) => Some((*variable, value)),
        _ => None,
    })
}

/// The value that a variable has at first, and its parity.
fn of_one(arena: &mut Arena, first: &Sample) -> Vec<Term> {
    let mut found = Vec::new();
    for (variable, value) in first {
        let constant = arena.constant(value.clone());
        found.push(arena.eq(*variable, constant));
        if let Value::BitVec(value) = value
            && value.width() > 1
        {
            let low = arena.extract(*variable, 0, 0);
            let bit = arena.bv(1, u64::from(value.bit(0)));
            found.push(arena.eq(low, bit));
        }
    }
    found
}

fn bounds(arena: &mut Arena, first: &Sample, landmarks: &[BitVec]) -> Vec<Term> {
    let mut found = Vec::new();
    for (variable, value) in words(first) {
        if value.width() == 1 {
            continue;
        }
        let of_width = landmarks.iter().filter(|landmark| landmark.width() == value.width());
        for landmark in of_width.take(BOUNDS) {
            let constant = arena.bv_constant(landmark.clone());
            found.push(arena.bv_ule(variable, constant));
            found.push(arena.bv_sle(variable, constant));
            found.push(arena.bv_sle(constant, variable));
        }
    }
    found
}

/// Relations between two variables, of which at least one changes.
fn pairs(arena: &mut Arena, samples: &[Sample], most: usize) -> Vec<Term> {
    let mut found = Vec::new();
    let (Some(first), second) = (samples.first(), samples.get(1)) else { return found };
    let variables: Vec<(Term, &BitVec)> = words(first).filter(|(_, value)| value.width() > 1).collect();
    if variables.len() * variables.len() > most {
        return found;
    }
    let later: BTreeMap<Term, &BitVec> = second.map(|sample| words(sample).collect()).unwrap_or_default();
    for (index, &(left, left_value)) in variables.iter().enumerate() {
        for &(right, right_value) in &variables[..index] {
            if left_value.width() != right_value.width() {
                continue;
            }
            found.push(arena.eq(left, right));
            found.push(arena.bv_sle(left, right));
            found.push(arena.bv_sle(right, left));
            found.push(arena.bv_ule(left, right));
            found.push(arena.bv_ule(right, left));
            let (Some(left_later), Some(right_later)) = (later.get(&left), later.get(&right)) else {
                continue;
            };
            let steps = (left_later.sub(left_value), right_later.sub(right_value));
            let one = BitVec::one(left_value.width());
            for ((x, x0, dx), (i, i0, di)) in [
                ((left, left_value, &steps.0), (right, right_value, &steps.1)),
                ((right, right_value, &steps.1), (left, left_value, &steps.0)),
            ] {
                // Only steps of one divide: x - c·i is the same as at first, with c = dx / di.
                let slope = if *di == one {
                    dx.clone()
                } else if *di == one.neg() {
                    dx.neg()
                } else {
                    continue;
                };
                let offset = x0.sub(&slope.mul(i0));
                let slope = arena.bv_constant(slope);
                let offset = arena.bv_constant(offset);
                let product = arena.bv_mul(slope, i);
                let line = arena.bv_add(product, offset);
                found.push(arena.eq(x, line));
            }
        }
    }
    found
}

/// Of bounds of one variable in one direction only the strongest, and none where the variable is a constant.
pub(super) fn strongest(arena: &Arena, inductive: &[Term]) -> Vec<Term> {
    let mut best: BTreeMap<(Term, nilas_smt::weaken::Order), (BitVec, Term)> = BTreeMap::new();
    let mut kept = Vec::new();
    let mut constant = Vec::new();
    for &lemma in inductive {
        match Shape::of(arena, lemma) {
            Shape::Bound { term, order, rank } => {
                let better = best.get(&(term, order)).is_none_or(|(known, _)| rank < *known);
                if better {
                    best.insert((term, order), (rank, lemma));
                }
            }
            Shape::Equal(term, value) => {
                if arena.as_bitvec(value).is_some() {
                    constant.push(term);
                }
                kept.push(lemma);
            }
            _ => kept.push(lemma),
        }
    }
    kept.extend(
        best.into_iter().filter(|((term, _), _)| !constant.contains(term)).map(|(_, (_, lemma))| lemma),
    );
    kept
}
