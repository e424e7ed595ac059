//! Tests of the proof-producing solver: chains resolve to what they claim, answers agree with enumeration.

#![allow(clippy::unwrap_used)]

use super::circuit::{Circuit, Edge};
use super::lift::lift;
use super::record::Bit;
use super::refute::{Search, refute};
use super::system::needed;
use crate::budget::Budget;
use crate::sat::{Lit, Var};
use nilas_term::{Arena, BitVec, Evaluator, Model, Op, Sort, Term, Value};
use std::collections::BTreeSet;

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state >> 16
}

/// Replays the resolutions; the last clause must be empty.
fn replay(clauses: &[Vec<Lit>], chains: &[super::refute::Chain]) {
    let mut derived: Vec<BTreeSet<Lit>> =
        clauses.iter().map(|clause| clause.iter().copied().collect()).collect();
    for chain in chains {
        let mut resolvent = derived[chain.start as usize].clone();
        for &(pivot, other) in &chain.steps {
            assert!(resolvent.remove(&!pivot), "{resolvent:?} has no {:?}", !pivot);
            let mut other = derived[other as usize].clone();
            assert!(other.remove(&pivot));
            resolvent.extend(other);
            assert!(!resolvent.contains(&pivot));
        }
        derived.push(resolvent);
    }
    assert!(derived.last().unwrap().is_empty());
}

#[test]
fn refutations_are_resolution_proofs() {
    let (mut sat, mut unsat, mut used) = (0, 0, 0);
    for seed in 1..=600u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let variables = 3 + random(&mut state) % 10;
        let count = variables * 3 + random(&mut state) % (variables * 3);
        let clauses: Vec<Vec<Lit>> = (0..count)
            .map(|_| {
                let size = 2 + random(&mut state) % 3;
                let mut clause: BTreeSet<u32> = BTreeSet::new();
                let mut lits = Vec::new();
                for _ in 0..size {
                    let var = u32::try_from(random(&mut state) % variables).unwrap();
                    if clause.insert(var) {
                        lits.push(Lit::new(Var(var), random(&mut state).is_multiple_of(2)));
                    }
                }
                lits
            })
            .collect();
        let holds = |code: u64| {
            clauses
                .iter()
                .all(|clause| clause.iter().any(|lit| (code >> lit.var().0 & 1 == 1) == lit.is_positive()))
        };
        let expected = (0..1u64 << variables).any(holds);
        match refute(usize::try_from(variables).unwrap(), &clauses, &Budget::unlimited()) {
            Search::Refuted(chains) => {
                assert!(!expected, "seed {seed}: refuted, but there is a model");
                replay(&clauses, &chains);
                used += needed(clauses.len(), &chains).iter().filter(|&&needed| needed).count();
                unsat += 1;
            }
            Search::Satisfiable => {
                assert!(expected, "seed {seed}: there is no model");
                sat += 1;
            }
            Search::Interrupted(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(sat > 30 && unsat > 100 && used > 1000, "{sat} sat, {unsat} unsat, {used} clauses used");
}

#[test]
fn pigeons_need_restarts_and_learning() {
    // Seven pigeons in six holes.
    let (pigeons, holes) = (7u32, 6u32);
    let at = |pigeon: u32, hole: u32| Var(pigeon * holes + hole).lit();
    let mut clauses: Vec<Vec<Lit>> =
        (0..pigeons).map(|pigeon| (0..holes).map(|hole| at(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for first in 0..pigeons {
            for second in first + 1..pigeons {
                clauses.push(vec![!at(first, hole), !at(second, hole)]);
            }
        }
    }
    let Search::Refuted(chains) = refute((pigeons * holes) as usize, &clauses, &Budget::unlimited()) else {
        panic!("not refuted")
    };
    replay(&clauses, &chains);
    let limited = Budget { conflicts: Some(10), ..Budget::unlimited() };
    assert!(matches!(refute((pigeons * holes) as usize, &clauses, &limited), Search::Interrupted(_)));
}

/// By values of the variables, all of one width: whether the term holds.
fn table(arena: &Arena, variables: &[Term], width: u32, term: Term) -> Vec<bool> {
    let total = width * u32::try_from(variables.len()).unwrap();
    let holds = |code: u64| {
        let value = |index: usize| BitVec::new(width, code >> (width as usize * index));
        let model: Model =
            variables.iter().enumerate().map(|(index, &at)| (at, Value::BitVec(value(index)))).collect();
        Evaluator::new(model).holds(arena, term).unwrap()
    };
    (0..1u64 << total).map(holds).collect()
}

/// Comparisons with every constant, from their chains of gates.
#[test]
fn comparisons_are_lifted() {
    let width = 4u32;
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::BitVec(width)).unwrap();
    let mut compared = 0;
    for constant in 0..1u64 << width {
        for upper in [true, false] {
            let mut circuit = Circuit::new();
            let mut edge = Edge::TRUE;
            for index in 0..width {
                let bit = circuit.bit(Bit { variable: x, index });
                let one = constant >> index & 1 == 1;
                edge = match (upper, one) {
                    (true, false) => circuit.and(!bit, edge),
                    (true, true) => circuit.or(!bit, edge),
                    (false, true) => circuit.and(bit, edge),
                    (false, false) => circuit.or(bit, edge),
                };
            }
            for negate in [false, true] {
                let term = lift(&mut arena, &circuit, if negate { !edge } else { edge });
                compared += u32::from(matches!(arena.op(term), Op::BvUle | Op::BvUlt));
                let expected: Vec<bool> = (0..1u64 << width)
                    .map(|value| (if upper { value <= constant } else { value >= constant }) != negate)
                    .collect();
                assert_eq!(table(&arena, &[x], width, term), expected, "{constant} {upper} {negate}");
            }
        }
    }
    assert!(compared >= 30, "{compared} of 64 are comparisons");
}

/// Random circuits over the bits of two words mean the same as what they are lifted to.
#[test]
fn lifting_keeps_the_meaning() {
    let width = 3u32;
    for seed in 1..=400u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut arena = Arena::new();
        let words: Vec<Term> =
            ["x", "y"].iter().map(|name| arena.variable(name, &Sort::BitVec(width)).unwrap()).collect();
        let mut circuit = Circuit::new();
        // Edges with their truth tables.
        let mut edges: Vec<(Edge, u64)> = Vec::new();
        for (position, &variable) in words.iter().enumerate() {
            for index in 0..width {
                let at = u32::try_from(position).unwrap() * width + index;
                let bits =
                    (0..64u64).filter(|code| code >> at & 1 == 1).fold(0, |bits, code| bits | 1 << code);
                edges.push((circuit.bit(Bit { variable, index }), bits));
            }
        }
        for _ in 0..3 + random(&mut state) % 30 {
            let mut pick = || {
                let (edge, bits) = edges[usize::try_from(random(&mut state)).unwrap() % edges.len()];
                if random(&mut state).is_multiple_of(2) { (edge, bits) } else { (!edge, !bits) }
            };
            let (a, b) = (pick(), pick());
            edges.push((circuit.and(a.0, b.0), a.1 & b.1));
        }
        for (edge, bits) in edges {
            let term = lift(&mut arena, &circuit, edge);
            let expected: Vec<bool> = (0..64).map(|code| bits >> code & 1 == 1).collect();
            assert_eq!(table(&arena, &words, width, term), expected, "seed {seed}, {edge:?}");
        }
    }
}
