//! Tests of the proof-producing solver: chains resolve to what they claim, answers agree with enumeration.

#![allow(clippy::unwrap_used)]

use super::refute::{Search, refute};
use super::system::needed;
use crate::budget::Budget;
use crate::sat::{Lit, Var};
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
