//! Operators that are made concrete, for the variables concerned: questions of EUF and bits together.
//!
//! Lemmas tell EUF of an operator case by case. Where the same operator over the same variables keeps needing
//! them, that is the slow way: from a number of refinement lemmas on, it is *concrete* there
//! ([`Concrete`]). What a model of EUF then says of its applications, of their operands and of the constants
//! they are equal to is asked of bits, too ([`Applications`]); a few literals that contradict each other
//! there make a clause for the solver of the edge. Every clause holds of all values.
//!
//! All other operators stay functions, so the questions for bits are small.

use super::refine::CONFLICTS;
use nilas_smt::euf::{Class, Partition};
use nilas_smt::{Answer, Budget, Embedded, Solver};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// An operator over variables.
type Concern = (Op, Vec<Term>);

/// How often operators needed lemmas, and which are concrete.
#[derive(Default)]
pub(super) struct Concrete {
    /// So many lemmas are learnt before; never if not set.
    pub(super) after: Option<u64>,
    counts: FxHashMap<Concern, u64>,
    chosen: FxHashSet<Concern>,
}

impl Concrete {
    /// Counts a refinement lemma.
    pub(super) fn needed(&mut self, arena: &Arena, clause: &[Term]) {
        let Some(after) = self.after else { return };
        // Each is counted once.
        let mut concerns: Vec<Concern> = Vec::new();
        let (mut stack, mut seen) = (clause.to_vec(), FxHashSet::default());
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                concerns.extend(concern(arena, term).filter(|concern| !concerns.contains(concern)));
                stack.extend_from_slice(arena.children(term));
            }
        }
        for concern in concerns {
            let count = self.counts.entry(concern.clone()).or_default();
            *count += 1;
            if *count >= after {
                self.chosen.insert(concern);
            }
        }
    }

    /// How many are concrete.
    pub(super) fn len(&self) -> usize {
        self.chosen.len()
    }

    fn contains(&self, arena: &Arena, term: Term) -> bool {
        concern(arena, term).is_some_and(|concern| self.chosen.contains(&concern))
    }
}

/// What a term is an application of, if EUF does not understand that.
fn concern(arena: &Arena, term: Term) -> Option<Concern> {
    let op = arena.op(term);
    let understood =
        op.is_leaf() || matches!(op, Op::Not | Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ite | Op::Apply(_));
    let mut variables = if understood { return None } else { arena.free_variables(term) };
    variables.sort_unstable();
    Some((op, variables))
}

/// The applications of concrete operators at an edge.
#[derive(Default)]
pub(super) struct Applications {
    seen: FxHashSet<Term>,
    /// All terms that questions are about, in the order in which they came.
    terms: Vec<Term>,
    /// How many of them were looked at, and for how many operators.
    looked_at: (usize, usize),
    /// The applications and their operands.
    words: Vec<Term>,
    /// Comparisons and equalities of these.
    atoms: Vec<Term>,
    bits: Option<Embedded>,
    /// The clauses that came of it.
    pub(super) clauses: FxHashSet<Vec<Term>>,
}

impl Applications {
    /// Takes note of a formula that questions are about from now on.
    pub(super) fn add(&mut self, arena: &Arena, formula: Term) {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if self.seen.insert(term) {
                self.terms.push(term);
                stack.extend_from_slice(arena.children(term));
            }
        }
    }

    /// What of all terms is concerned.
    fn look(&mut self, arena: &Arena, concrete: &Concrete) {
        let state = (self.terms.len(), concrete.len());
        if self.looked_at == state {
            return;
        }
        self.looked_at = state;
        let is_word = |&term: &Term| *arena.sort(term) != Sort::Bool;
        let concerned = self.terms.iter().copied().filter(|&term| concrete.contains(arena, term));
        let concerned: Vec<Term> = concerned.collect();
        let mut words: Vec<Term> = concerned.iter().flat_map(|&term| arena.children(term)).copied().collect();
        words.extend(&concerned);
        words.retain(is_word);
        words.sort_unstable();
        words.dedup();
        let equality = |&&term: &&Term| {
            arena.op(term) == Op::Eq
                && arena.children(term).iter().all(|side| words.binary_search(side).is_ok())
        };
        self.atoms = self.terms.iter().filter(equality).copied().collect();
        self.atoms.extend(concerned.into_iter().filter(|term| !is_word(term)));
        self.words = words;
    }

    /// A clause that holds of all values and does not hold in the model, if bits show one in time.
    pub(super) fn violated(
        &mut self,
        arena: &mut Arena,
        concrete: &Concrete,
        partition: &mut Partition<'_>,
        budget: &Budget,
    ) -> Option<Vec<Term>> {
        self.look(arena, concrete);
        if self.words.is_empty() {
            return None;
        }
        let literals = self.literals(arena, partition);
        let budget = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
        let bits = self.bits.get_or_insert_with(Embedded::default);
        if bits.check(arena, &[], &literals, &budget) != Answer::Unsat {
            return None;
        }
        let failed = bits.failed().to_vec();
        let mut clause: Vec<Term> = failed.into_iter().map(|literal| arena.not(literal)).collect();
        clause.sort_unstable();
        self.clauses.insert(clause.clone()).then_some(clause)
    }

    /// What the model says of the words and comparisons: which of them are equal, and to which values.
    fn literals(&self, arena: &mut Arena, partition: &mut Partition<'_>) -> Vec<Term> {
        let mut literals = Vec::new();
        for &atom in &self.atoms {
            match partition.holds(arena, atom) {
                Some(true) => literals.push(atom),
                Some(false) => literals.push(arena.not(atom)),
                None => {}
            }
        }
        let mut firsts: FxHashMap<Class, Term> = FxHashMap::default();
        for &word in &self.words {
            let Some(class) = partition.class(arena, word) else { continue };
            let first = *firsts.entry(class.clone()).or_insert_with(|| {
                let value = partition.value(&class);
                value.map_or(word, |value| arena.constant(value))
            });
            let equal = arena.eq(word, first);
            // Congruence and computation may have simplified it away.
            if arena.as_bool(equal).is_none() {
                literals.push(equal);
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }
}
