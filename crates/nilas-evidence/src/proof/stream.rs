//! The way of our core's proof into the database.
//!
//! Our core names clauses by their literals, so clauses are found again by a hash of these. Not trusted: if a
//! hash or a name goes wrong, a step is refused, and the proof is lost. What is trusted here is that clauses
//! of the encoder, and these alone, are given ([`Checked::root`], [`Checked::gate`]).

use super::clauses::{ClauseId, Clauses};
use nilas_smt::sat::{Antecedents, Lit, ProofSink, Var};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The database, to which the solver's proof streams while the prover owns the solver.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Checked>>);

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Checked> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The database, and the names of clauses.
#[derive(Default)]
pub(super) struct Checked {
    pub(super) clauses: Clauses,
    /// Per variable, the first and the last clause of its gate. The output is the youngest variable of each.
    pub(super) gates: Vec<Option<(ClauseId, ClauseId)>>,
    /// The other clauses by name.
    names: HashMap<Name, Named, BuildNameHasher>,
    /// The clause that the solver told of last.
    pub(super) last: Option<ClauseId>,
    /// Derived clauses to be deleted when the next one comes: the last one is still looked at.
    waiting: Vec<ClauseId>,
    hints: Vec<ClauseId>,
    pub(super) steps: u64,
}

/// A gate with so many clauses is searched by halves.
const MANY: u32 = 8;

/// A hash of a clause that does not depend on the order of its literals.
type Name = u64;

/// A clause with a name. A clause that is there twice is kept once and counted.
struct Named {
    id: ClauseId,
    count: u32,
    given: bool,
}

fn name(clause: &[Lit]) -> Name {
    // The finaliser of splitmix64 (Steele, Lea and Flood 2014) spreads each literal; sums commute.
    let spread = |lit: &Lit| {
        let mut word = (u64::from(lit.code()) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    };
    clause.iter().map(spread).fold(clause.len() as u64, u64::wrapping_add)
}

impl Checked {
    /// Takes a clause of the encoder that is of no gate.
    pub(super) fn root(&mut self, clause: &[Lit]) -> Option<ClauseId> {
        let id = self.clauses.give(clause).ok()?;
        self.names.entry(name(clause)).or_insert(Named { id, count: 0, given: true }).count += 1;
        Some(id)
    }

    /// Takes the clauses of a gate. Those that are no definition are left out: that can only make more
    /// satisfiable.
    pub(super) fn gate(&mut self, output: Var, clauses: &[&[Lit]]) {
        if let (Ok(range), Some(gate)) =
            (self.clauses.define(output, clauses), self.gates.get_mut(output.0 as usize))
        {
            *gate = Some(range);
        }
    }

    pub(super) fn of_gate(&self, output: Var) -> impl Iterator<Item = ClauseId> + use<> {
        let gate = self.gates.get(output.0 as usize).copied().flatten();
        gate.into_iter().flat_map(|(first, last)| first.up_to(last))
    }

    /// A clause with these literals.
    fn find(&self, clause: &[Lit]) -> Option<ClauseId> {
        // Most antecedents are clauses of gates, and those are found without a name.
        self.find_in_gate(clause).or_else(|| self.names.get(&name(clause)).map(|named| named.id))
    }

    /// The clause of a gate with these literals: the output is the youngest of its variables.
    fn find_in_gate(&self, clause: &[Lit]) -> Option<ClauseId> {
        let youngest = clause.iter().map(|lit| lit.var()).max().filter(|_| clause.len() > 1)?;
        let (first, last) = (*self.gates.get(youngest.0 as usize)?)?;
        let same = |id: &ClauseId| {
            let literals = self.clauses.literals(*id);
            literals.len() == clause.len() && literals.iter().all(|lit| clause.contains(lit))
        };
        // A conjunction of many has a clause for each input, in the order of inputs, and then a long one.
        if clause.len() == 2 && last.0 - first.0 >= MANY {
            let input = clause.iter().find(|lit| lit.var() != youngest)?;
            let (mut low, mut high) = (first.0, last.0);
            while low < high {
                let middle = low + (high - low) / 2;
                let is_before = self.clauses.literals(ClauseId(middle)).get(1).is_some_and(|lit| lit < input);
                if is_before { low = middle + 1 } else { high = middle }
            }
            return Some(ClauseId(low)).filter(same);
        }
        first.up_to(last).find(same)
    }

    /// Whether the assumptions are shown to contradict the clauses: by the clause told last, if it says so.
    pub(super) fn refutes(&self, assumptions: &[Lit]) -> bool {
        self.last.is_some_and(|last| self.clauses.excludes(last, assumptions))
    }
}

impl ProofSink for Shared {
    fn original(&mut self, _: &[Lit]) {
        // The database has it from the encoder.
    }

    fn derived(&mut self, clause: &[Lit], antecedents: &Antecedents) {
        let mut checked = self.lock();
        let checked = &mut *checked;
        for id in checked.waiting.drain(..) {
            checked.clauses.delete(id);
        }
        if let Some(known) = checked.names.get_mut(&name(clause)) {
            known.count += 1;
            checked.last = Some(known.id);
            return;
        }
        checked.steps += 1;
        let mut hints = std::mem::take(&mut checked.hints);
        hints.clear();
        hints.extend(antecedents.iter().filter_map(|antecedent| checked.find(antecedent)));
        // A step that is refused is left out: what rests on it is refused, too.
        checked.last = checked.clauses.derive(clause, &hints).ok();
        checked.hints = hints;
        if let Some(id) = checked.last {
            checked.names.insert(name(clause), Named { id, count: 1, given: false });
        }
    }

    fn deleted(&mut self, clause: &[Lit]) {
        let mut checked = self.lock();
        let Checked { names, waiting, .. } = &mut *checked;
        let name = name(clause);
        let Some(known) = names.get_mut(&name) else { return };
        known.count = known.count.saturating_sub(1);
        if known.count == 0 && !known.given {
            waiting.push(known.id);
            names.remove(&name);
        }
    }

    fn wants_antecedents(&self) -> bool {
        true
    }
}

/// Names are hashes already.
#[derive(Clone, Copy, Default)]
struct BuildNameHasher;

struct NameHasher(u64);

impl std::hash::BuildHasher for BuildNameHasher {
    type Hasher = NameHasher;
    fn build_hasher(&self) -> NameHasher {
        NameHasher(0)
    }
}

impl std::hash::Hasher for NameHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }
}
