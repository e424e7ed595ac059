//! Projection of conjunctions onto symbols, by substitution.
//!
//! A conjunct `x = t` that can be solved for a variable `x` outside of the wanted symbols is its definition:
//! `x` is replaced everywhere else, and the conjunct goes. For a path in functional form this is the
//! strongest post (or, from behind, the weakest precondition). Conjuncts that keep other symbols all the same
//! are left out, so the result is implied, but may be weaker than the projection.

use crate::interpolate::symbols::{conjuncts, symbols};
use nilas_term::{Arena, BitVec, Op, Sort, Substitution, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Terms that substitution may add before it is given up.
const GROWTH: usize = 50_000;

/// Consequences of a conjunction over the wanted symbols.
pub(super) fn project(arena: &mut Arena, formulas: &[Term], wanted: &BTreeSet<SymbolId>) -> Vec<Term> {
    let limit = arena.len() + GROWTH;
    let mut facts = conjuncts(arena, formulas);
    let is_wanted = |arena: &Arena, term: Term| symbols(arena, &[term]).is_subset(wanted);
    while arena.len() < limit {
        let unwanted: Vec<Term> = arena
            .free_variables_of(&facts)
            .into_iter()
            .filter(|&variable| arena.as_variable(variable).is_some_and(|symbol| !wanted.contains(&symbol)))
            .collect();
        if unwanted.is_empty() {
            break;
        }
        let solved = (0..facts.len())
            .find_map(|position| Some((position, definition(arena, facts[position], &unwanted)?)));
        let Some((position, (variable, term))) = solved else { break };
        facts.remove(position);
        let mut substitution = Substitution::new();
        substitution.insert(variable, term);
        let replaced: Vec<Term> = facts.iter().map(|&fact| substitution.apply(arena, fact)).collect();
        facts = conjuncts(arena, &replaced);
    }
    facts.retain(|&fact| is_wanted(arena, fact));
    let tidied: Vec<Term> = facts.into_iter().map(|fact| tidy(arena, fact)).collect();
    conjuncts(arena, &tidied)
}

/// An equality about one variable, solved for it: `x + 1 = 3` is `x = 2`, which can be weakened.
fn tidy(arena: &mut Arena, fact: Term) -> Term {
    match (arena.free_variables(fact)[..].first(), arena.op(fact)) {
        (Some(&variable), Op::Eq) => match definition(arena, fact, &[variable]) {
            Some((variable, constant)) if arena.as_value(constant).is_some() => arena.eq(variable, constant),
            _ => fact,
        },
        _ => fact,
    }
}

/// One of the variables and a term without it that it equals by this conjunct.
fn definition(arena: &mut Arena, fact: Term, variables: &[Term]) -> Option<(Term, Term)> {
    let occurring = arena.free_variables(fact);
    let mut candidates =
        variables.iter().copied().filter(|variable| occurring.binary_search(variable).is_ok());
    match (arena.op(fact), arena.children(fact)) {
        (Op::Var(_), _) => candidates.next().map(|variable| (variable, arena.mk_true())),
        (Op::Not, &[atom]) if arena.as_variable(atom).is_some() => {
            candidates.next().map(|variable| (variable, arena.mk_false()))
        }
        (Op::Eq, &[left, right]) => {
            let candidates: Vec<Term> = candidates.collect();
            candidates.into_iter().find_map(|variable| {
                let solution =
                    solve(arena, variable, left, right).or_else(|| solve(arena, variable, right, left))?;
                Some((variable, solution))
            })
        }
        _ => None,
    }
}

/// What `variable` is when `side = other`, if `variable` occurs in `side` once on a way of invertible
/// operators and not in `other`.
fn solve(arena: &mut Arena, variable: Term, side: Term, other: Term) -> Option<Term> {
    if contains(arena, other, variable) {
        return None;
    }
    let (mut side, mut other) = (side, other);
    while side != variable {
        let (op, children) = (arena.op(side), arena.children(side).to_vec());
        // The child to go into, and what the others are.
        let (child, rest) = match children[..] {
            [child] => (child, None),
            [left, right] => match (contains(arena, left, variable), contains(arena, right, variable)) {
                (true, false) => (left, Some(right)),
                (false, true) => (right, Some(left)),
                _ => return None,
            },
            _ => return None,
        };
        other = match (op, rest) {
            (Op::Not, None) => arena.not(other),
            (Op::BvNot, None) => arena.bv_not(other),
            (Op::BvNeg, None) => arena.bv_neg(other),
            (Op::BvAdd, Some(rest)) => arena.bv_sub(other, rest),
            (Op::BvXor, Some(rest)) => arena.bv_xor(other, rest),
            (Op::Xor, Some(rest)) => arena.xor(other, rest),
            (Op::Eq, Some(rest)) if *arena.sort(rest) == Sort::Bool => arena.eq(other, rest),
            (Op::BvMul, Some(rest)) => {
                let inverse = inverse(arena.as_bitvec(rest)?)?;
                let inverse = arena.bv_constant(inverse);
                arena.bv_mul(other, inverse)
            }
            _ => return None,
        };
        side = child;
    }
    Some(other)
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration: each round doubles the bits
/// that are right.
fn inverse(odd: &BitVec) -> Option<BitVec> {
    if !odd.bit(0) {
        return None;
    }
    let two = BitVec::one(odd.width()).add(&BitVec::one(odd.width()));
    let mut inverse = odd.clone();
    while !odd.mul(&inverse).is_one() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
    }
    Some(inverse)
}

fn contains(arena: &Arena, term: Term, variable: Term) -> bool {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        if term == variable {
            return true;
        }
        // Children are older than their parents.
        stack.extend(arena.children(term).iter().filter(|&&child| child >= variable && seen.insert(child)));
    }
    false
}
