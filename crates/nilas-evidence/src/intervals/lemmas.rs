//! Clauses over bounds, and proofs made of them.
//!
//! A proof is a list of clauses, each of which follows from the formulas and the clauses before it, up to a
//! contradiction. Who made it is not trusted, and neither is the order or the meaning of anything in it: a
//! clause counts only if assuming that all its literals are false closes the case, by narrowing
//! ([`Propagation`]) or, where that is not enough, by a few splits. A clause that is not shown so is left
//! out, which is harmless: what counts is that nothing satisfies the formulas in the end.
//!
//! Trusted: that the two sets of a literal are all values of its term.

use super::bits::{Bits, Span};
use super::floats::Floats;
use super::known::Known;
use super::propagation::{Closed, Propagation, Stop};
use super::tableau::halves;
use nilas_icp::{Reading, Side, SimpleBound};
use nilas_smt::Reason;
use nilas_term::Term;
use rustc_hash::FxHashMap;

/// Evaluations that a clause may take, and the end of a proof.
const SPLITS: u64 = 2_000;
const AT_LAST: u64 = 100_000;

/// A term is among some values, or among the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) node: usize,
    pub(super) yes: Known,
    pub(super) no: Known,
}

impl Literal {
    /// The literal of a bound; nothing if there are no such terms or intervals here. A bound of a number is
    /// true of numbers only.
    fn of(
        bound: SimpleBound,
        numbers: &FxHashMap<Term, usize>,
        all: &dyn Fn(usize) -> Known,
    ) -> Option<Self> {
        let node = *numbers.get(&bound.of)?;
        let SimpleBound { reading, side, value, .. } = bound;
        let (yes, no) = match (reading, all(node)) {
            (Reading::Truth, Known::Truth { .. }) => {
                let holds = meant(side, value)?;
                (Known::truth(holds), Known::truth(!holds))
            }
            (Reading::Nan, Known::Float(floats)) => {
                let holds = meant(side, value)?;
                let nan = Known::Float(Floats { lo: 1, hi: 0, ..floats });
                let number = Known::Float(Floats { nan: false, ..floats });
                if holds { (nan, number) } else { (number, nan) }
            }
            (Reading::Number, Known::Float(floats)) => {
                let (below, above) = cut(side, value)?;
                let low = Floats { hi: floats.hi.min(below), ..floats };
                let high = Floats { lo: floats.lo.max(above), ..floats };
                let (yes, no) = if side == Side::Lower { (high, low) } else { (low, high) };
                (Known::Float(Floats { nan: false, ..yes }), Known::Float(no))
            }
            (Reading::Unsigned, Known::Bits(bits)) => {
                let (below, above) = cut(side, value)?;
                let with = |span: Span| Known::Bits(Bits { unsigned: span, ..bits });
                let low = with(Span { hi: bits.unsigned.hi.min(below), ..bits.unsigned });
                let high = with(Span { lo: bits.unsigned.lo.max(above), ..bits.unsigned });
                if side == Side::Lower { (high, low) } else { (low, high) }
            }
            (Reading::Signed, Known::Bits(bits)) => {
                let (below, above) = cut(side, value)?;
                let with = |span: Span| Known::Bits(Bits { signed: span, ..bits });
                let low = with(Span { hi: bits.signed.hi.min(below), ..bits.signed });
                let high = with(Span { lo: bits.signed.lo.max(above), ..bits.signed });
                if side == Side::Lower { (high, low) } else { (low, high) }
            }
            _ => return None,
        };
        Some(Literal { node, yes, no })
    }

    fn fails(&self, known: &[Known]) -> bool {
        known[self.node].meet(self.yes).is_empty()
    }
}

/// The truth value that a bound of one between 0 and 1 allows.
fn meant(side: Side, value: i128) -> Option<bool> {
    match (side, value) {
        (Side::Lower, 1) => Some(true),
        (Side::Upper, 0) => Some(false),
        _ => None,
    }
}

/// The last value below a cut and the first above it.
fn cut(side: Side, value: i128) -> Option<(i128, i128)> {
    match side {
        Side::Lower => Some((value.checked_sub(1)?, value)),
        Side::Upper => Some((value, value.checked_add(1)?)),
    }
}

/// Clauses, each with two literals that are watched.
#[derive(Default)]
pub(super) struct Clauses {
    clauses: Vec<Vec<Literal>>,
    /// By term: the clauses that watch a literal of it.
    watches: Vec<Vec<usize>>,
}

impl Clauses {
    pub(super) fn new(nodes: usize) -> Self {
        Clauses { clauses: Vec::new(), watches: vec![Vec::new(); nodes] }
    }

    /// Adds a clause. Its first two literals are watched, so none that fails comes first.
    fn add(&mut self, literals: Vec<Literal>) {
        for literal in literals.iter().take(2) {
            self.watches[literal.node].push(self.clauses.len());
        }
        self.clauses.push(literals);
    }

    /// A term changed: literals that are the last of their clauses.
    pub(super) fn units(&mut self, number: usize, known: &[Known]) -> Result<Vec<Literal>, Closed> {
        let mut units = Vec::new();
        let watching = std::mem::take(&mut self.watches[number]);
        let mut kept = Vec::with_capacity(watching.len());
        let mut closed = false;
        for id in watching {
            let literals = &mut self.clauses[id];
            // Which of the watched ones is meant: both may be of this term.
            let mut stays = closed;
            if !closed {
                for at in [0, 1] {
                    if literals.get(at).is_some_and(|it| it.node == number && it.fails(known))
                        && let Some(other) = (2..literals.len()).find(|&it| !literals[it].fails(known))
                    {
                        literals.swap(at, other);
                        if literals[at].node == number {
                            stays = true;
                        } else {
                            self.watches[literals[at].node].push(id);
                        }
                    }
                }
                // A watched literal of another term may fail, too, and wait for that term's turn: so all
                // literals are asked.
                let mut open = literals.iter().filter(|it| !it.fails(known));
                match (open.next(), open.next()) {
                    (None, _) => closed = true,
                    (Some(&last), None) => units.push(last),
                    _ => {}
                }
            }
            if stays || literals.iter().take(2).any(|it| it.node == number) {
                kept.push(id);
            }
        }
        kept.dedup();
        self.watches[number].append(&mut kept);
        if closed { Err(Closed) } else { Ok(units) }
    }
}

/// Whether formulas that are required in `propagation` have no model, by a proof.
pub(super) fn shown(
    mut propagation: Propagation<'_>,
    numbers: &FxHashMap<Term, usize>,
    proof: &[Vec<SimpleBound>],
    counts: &mut Counts,
) -> Result<bool, Reason> {
    let all: Vec<Known> = propagation.nodes.iter().map(|node| Known::all(&node.sort)).collect();
    for clause in proof {
        let literals: Option<Vec<Literal>> =
            clause.iter().map(|&bound| Literal::of(bound, numbers, &|node| all[node])).collect();
        let Some(mut literals) = literals else {
            counts.left_out += 1;
            continue;
        };
        let mark = propagation.mark();
        let patience = propagation.done + SPLITS;
        let denied = literals.iter().try_for_each(|literal| propagation.learn(literal.node, literal.no));
        let follows = match denied {
            Err(Closed) => true,
            Ok(()) => closes(&mut propagation, patience, counts)?,
        };
        propagation.back_to(mark);
        if !follows {
            counts.left_out += 1;
            continue;
        }
        counts.shown += 1;
        literals.sort_by_key(|literal| literal.fails(&propagation.known));
        let open = literals.iter().take_while(|literal| !literal.fails(&propagation.known)).count();
        let closed = match open {
            0 => Err(Stop::Closed),
            1 => propagation
                .learn(literals[0].node, literals[0].yes)
                .map_err(Stop::from)
                .and_then(|()| propagation.propagate()),
            _ => {
                propagation.clauses.add(literals);
                Ok(())
            }
        };
        match closed {
            Err(Stop::Closed) => return Ok(true),
            Err(Stop::Interrupted(why)) => return Err(why),
            Ok(()) => {}
        }
    }
    let patience = propagation.done + AT_LAST;
    closes(&mut propagation, patience, counts)
}

/// What became of the clauses of proofs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Clauses that were shown to follow.
    pub(crate) shown: u64,
    /// Those that took splits.
    pub(crate) split: u64,
    /// Clauses that were not.
    pub(crate) left_out: u64,
}

/// Whether the present case closes by narrowing and splits, within some evaluations.
fn closes(propagation: &mut Propagation<'_>, patience: u64, counts: &mut Counts) -> Result<bool, Reason> {
    match propagation.propagate() {
        Err(Stop::Closed) => return Ok(true),
        Err(Stop::Interrupted(why)) => return Err(why),
        Ok(()) => {}
    }
    counts.split += 1;
    split(propagation, patience, 0)
}

/// Splits that stand in one another.
const DEPTH: usize = 60;

fn split(propagation: &mut Propagation<'_>, patience: u64, depth: usize) -> Result<bool, Reason> {
    if propagation.done > patience || depth > DEPTH {
        return Ok(false);
    }
    let Some((node, parts)) = halves(propagation.nodes, &propagation.known) else { return Ok(false) };
    for part in parts {
        let mark = propagation.mark();
        let narrowed = propagation.learn(node, part).map_err(Stop::from);
        let closed = match narrowed.and_then(|()| propagation.propagate()) {
            Err(Stop::Closed) => true,
            Err(Stop::Interrupted(why)) => return Err(why),
            Ok(()) => split(propagation, patience, depth + 1)?,
        };
        propagation.back_to(mark);
        if !closed {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::known::OPEN;
    use super::*;

    fn clause(nodes: usize) -> Clauses {
        let mut clauses = Clauses::new(nodes);
        let literal = |node| Literal { node, yes: Known::truth(true), no: Known::truth(false) };
        clauses.add((0..nodes).map(literal).collect());
        clauses
    }

    /// What a clause narrows with the terms that are false, if these are looked at in some order.
    fn narrowed(nodes: usize, failing: &[usize], order: &[usize]) -> Vec<usize> {
        let mut clauses = clause(nodes);
        let mut known = vec![OPEN; nodes];
        for &node in failing {
            known[node] = Known::truth(false);
        }
        let mut found = Vec::new();
        for &number in order {
            let units = clauses.units(number, &known).unwrap_or_default();
            found.extend(units.into_iter().map(|it| it.node));
        }
        found
    }

    /// Several terms may have changed before a clause is looked at because of one of them.
    #[test]
    fn a_clause_narrows_only_its_last_literal() {
        assert!(narrowed(3, &[0], &[1]).is_empty());
        assert!(narrowed(4, &[0, 1], &[1, 0]).is_empty());
        assert!(narrowed(4, &[0, 1], &[0, 1]).is_empty());
        assert_eq!(narrowed(3, &[0, 1], &[1]), [2]);
        assert_eq!(narrowed(2, &[1], &[1]), [0]);
        assert!(clause(2).units(0, &[Known::truth(false); 2]).is_err());
    }
}
