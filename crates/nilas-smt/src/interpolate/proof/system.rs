//! Interpolants of a resolution proof, by three systems.
//!
//! Every clause of the proof gets a partial interpolant; that of the empty clause is the interpolant. In the
//! terms of D'Silva et al. ("Interpolant strength", VMCAI 2010), McMillan's system labels shared literals *b*
//! and gives the strongest interpolant of the proof, the inverse one labels them *a* and gives the weakest,
//! Pudlák's is between.
//!
//! The same proof and system give interpolants at all cuts of a sequence of parts, and these form a path: the
//! one at a cut and the part behind it imply the next.

use super::circuit::{Circuit, Edge};
use super::record::Parts;
use super::refute::Chain;
use crate::sat::Lit;

/// An interpolation system for resolution proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum System {
    /// McMillan's: the strongest of the three.
    #[default]
    McMillan,
    /// Pudlák's, also Huang's and Krajíček's: symmetric.
    Pudlak,
    /// The inverse of McMillan's: the weakest.
    InverseMcMillan,
}

/// Where a variable occurs, seen from a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Before,
    Behind,
    Both,
}

/// The interpolant at a cut: parts below `cut` are A, the others B. `None` when it would have more than
/// `limit` nodes.
pub(super) fn interpolant(
    circuit: &mut Circuit,
    parts: &Parts,
    chains: &[Chain],
    needed: &[bool],
    system: System,
    cut: u32,
    limit: usize,
) -> Option<Edge> {
    let place = |lit: Lit| {
        let span = parts.spans[lit.var().0 as usize];
        match (span.first < cut, span.last >= cut) {
            (true, true) => Place::Both,
            (true, false) => Place::Before,
            _ => Place::Behind,
        }
    };
    let given = parts.clauses.len();
    let mut partial: Vec<Edge> = vec![Edge::FALSE; given + chains.len()];
    for (index, clause) in parts.clauses.iter().enumerate() {
        if !needed[index] {
            continue;
        }
        let before = parts.part[index] < cut;
        let mut edge = if before { Edge::FALSE } else { Edge::TRUE };
        let labelled = match system {
            System::McMillan => before,
            System::InverseMcMillan => !before,
            System::Pudlak => false,
        };
        for &lit in clause.iter().filter(|&&lit| labelled && place(lit) == Place::Both) {
            let bit = literal(circuit, parts, lit);
            edge = if before { circuit.or(edge, bit) } else { circuit.and(edge, !bit) };
        }
        partial[index] = edge;
    }
    for (position, chain) in chains.iter().enumerate() {
        if !needed[given + position] {
            continue;
        }
        let mut edge = partial[chain.start as usize];
        for &(pivot, other) in &chain.steps {
            // The other clause has the pivot, what was resolved so far has its complement.
            let other = partial[other as usize];
            edge = match (place(pivot), system) {
                (Place::Before, _) | (Place::Both, System::InverseMcMillan) => circuit.or(edge, other),
                (Place::Behind, _) | (Place::Both, System::McMillan) => circuit.and(edge, other),
                (Place::Both, System::Pudlak) => {
                    let bit = literal(circuit, parts, pivot);
                    let (with, without) = (circuit.or(bit, other), circuit.or(!bit, edge));
                    circuit.and(with, without)
                }
            };
        }
        partial[given + position] = edge;
        if circuit.len() > limit {
            return None;
        }
    }
    partial.last().copied()
}

/// The edge of a shared literal.
fn literal(circuit: &mut Circuit, parts: &Parts, lit: Lit) -> Edge {
    match parts.bits[lit.var().0 as usize] {
        Some(bit) => {
            let edge = circuit.bit(bit);
            if lit.is_positive() { edge } else { !edge }
        }
        // Only bits of variables occur in several parts.
        None => Edge::TRUE,
    }
}

/// By clause, given and derived: whether the empty clause rests on it.
pub(super) fn needed(given: usize, chains: &[Chain]) -> Vec<bool> {
    let mut needed = vec![false; given + chains.len()];
    if let Some(last) = needed.last_mut() {
        *last = true;
    }
    for (position, chain) in chains.iter().enumerate().rev() {
        if needed[given + position] {
            needed[chain.start as usize] = true;
            for &(_, other) in &chain.steps {
                needed[other as usize] = true;
            }
        }
    }
    needed
}
