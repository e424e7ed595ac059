//! Questions that need no bits: congruence as a step of proofs.
//!
//! Many questions about large programs are decided by their connectives, and by equal operands giving equal
//! results. Here a comparison of words is a variable, and what is shown without looking into it needs no
//! circuit. Where there is a model, the truth values in it may contradict each other by congruence; the clause
//! that says so is one more of the proof. *No* says nothing: then bits are looked at.
//!
//! Trusted: that a clause is added only if [`closure`] says that it holds ([`Skeleton::learn`]), and that
//! connectives are what they are ([`Skeleton::gate`]). Whether asking further is worth it, and which truth
//! values a clause is about, is told by the EUF solver of the engines, whose word counts for nothing else.

mod closure;

use crate::gates::Gates;
use crate::proof::Listener;
use closure::contradicts;
use nilas_smt::sat::Lit;
use nilas_smt::{Answer, Budget, Euf, Reason, Solver};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many clauses a question is worth.
const ROUNDS: usize = 60;

/// Conflicts after which the oracle is not asked any further.
const CONFLICTS: u64 = 5_000;

/// Questions are asked here until so many more than twice those that were answered were not.
const FAILURES: u64 = 24;

/// The connectives of formulas, and what is known of their atoms.
pub(crate) struct Skeleton {
    pub(crate) gates: Gates,
    /// The literals of formulas.
    literals: FxHashMap<Term, Lit>,
    /// For words, a variable that conditions inside of them depend on: a question about the word is one about
    /// those, too.
    inside: FxHashMap<Term, Option<Lit>>,
    oracle: Euf,
    answered: u64,
    failed: u64,
}

impl Skeleton {
    pub(crate) fn new(listener: Option<Listener>) -> Self {
        Skeleton {
            gates: Gates::new(listener),
            literals: FxHashMap::default(),
            inside: FxHashMap::default(),
            oracle: Euf::computing(),
            answered: 0,
            failed: 0,
        }
    }

    /// Whether connectives and congruence show that the formulas cannot hold together. *No* says nothing.
    pub(crate) fn refutes(
        &mut self,
        arena: &mut Arena,
        formulas: &[Term],
        budget: &Budget,
    ) -> Result<bool, Reason> {
        if self.failed > 2 * self.answered + FAILURES {
            return Ok(false);
        }
        let refuted = self.search(arena, formulas, budget)?;
        *if refuted { &mut self.answered } else { &mut self.failed } += 1;
        Ok(refuted)
    }

    /// Takes a formula that was shown to hold always.
    pub(crate) fn add_fact(&mut self, arena: &Arena, formula: Term, budget: &Budget) -> Result<(), Reason> {
        let fact = self.literal(arena, formula, budget)?;
        self.gates.prover.add_clause(&[fact]);
        self.oracle.assert(arena, formula);
        Ok(())
    }

    fn search(&mut self, arena: &mut Arena, formulas: &[Term], budget: &Budget) -> Result<bool, Reason> {
        let mut assumptions = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            assumptions.push(self.literal(arena, formula, budget)?);
        }
        let few = Budget { conflicts: Some(CONFLICTS), ..budget.clone() };
        for round in 0..ROUNDS {
            if !self.gates.prover.ask(&assumptions, budget)? {
                return Ok(true);
            }
            if round == 0 && self.oracle.check(arena, &[], formulas, &few) != Answer::Unsat {
                return Ok(false);
            }
            if !self.learn(arena, formulas, &few) {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// Adds a clause that the model violates; whether there is one.
    fn learn(&mut self, arena: &mut Arena, formulas: &[Term], budget: &Budget) -> bool {
        let mut core = self.core(arena, formulas, budget);
        if core.is_empty() {
            return false;
        }
        if !contradicts(arena, &core) {
            // The oracle may have looked at conditions inside of terms from both sides; here it is this one.
            let atoms: Vec<Term> = core.iter().map(|&(atom, _)| atom).collect();
            core = self.truths(arena, &atoms);
            if !contradicts(arena, &core) {
                return false;
            }
        }
        let excluded = |&(atom, value): &(Term, bool)| {
            let lit = self.literals[&atom];
            if value { !lit } else { lit }
        };
        let clause: Vec<Lit> = core.iter().map(excluded).collect();
        self.gates.prover.add_clause(&clause);
        true
    }

    /// Truth values of atoms in the model that the oracle says contradict each other; none if it does not.
    fn core(&mut self, arena: &mut Arena, formulas: &[Term], budget: &Budget) -> Vec<(Term, bool)> {
        let truths = self.truths(arena, formulas);
        let literal = |&(atom, value): &(Term, bool)| if value { atom } else { arena.not(atom) };
        let literals: Vec<Term> = truths.iter().map(literal).collect();
        if self.oracle.check(arena, &[], &literals, budget) != Answer::Unsat {
            return Vec::new();
        }
        let failed: FxHashSet<Term> = self.oracle.failed().iter().copied().collect();
        let needed = truths.into_iter().zip(&literals).filter(|(_, literal)| failed.contains(literal));
        needed.map(|(truth, _)| truth).collect()
    }

    /// The truth values of all atoms of the formulas in the model, as far as it has any.
    fn truths(&self, arena: &Arena, formulas: &[Term]) -> Vec<(Term, bool)> {
        let (mut truths, mut seen, mut stack) = (Vec::new(), FxHashSet::default(), formulas.to_vec());
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            stack.extend_from_slice(arena.children(term));
            if *arena.sort(term) == Sort::Bool && !is_connective(arena, term) {
                let lit = self.literals[&term];
                let value = self.gates.prover.value(lit.var());
                truths.extend(value.map(|value| (term, value == lit.is_positive())));
            }
        }
        truths
    }

    /// The literal of a formula. Children come before parents.
    fn literal(&mut self, arena: &Arena, formula: Term, budget: &Budget) -> Result<Lit, Reason> {
        let mut stack = vec![formula];
        while let Some(&term) = stack.last() {
            if self.inside.contains_key(&term) {
                stack.pop();
                continue;
            }
            let waiting = stack.len();
            stack.extend(arena.children(term).iter().filter(|child| !self.inside.contains_key(child)));
            if stack.len() > waiting {
                continue;
            }
            stack.pop();
            if let Some(why) = budget.exhausted() {
                return Err(Reason::Interrupted(why));
            }
            let inside = match arena.sort(term) {
                Sort::Bool => {
                    let lit = self.gate(arena, term);
                    self.literals.insert(term, lit);
                    Some(lit)
                }
                _ => self.conditions_of(arena, term),
            };
            self.inside.insert(term, inside);
        }
        Ok(self.literals[&formula])
    }

    /// The literal of a formula whose children are known.
    fn gate(&mut self, arena: &Arena, term: Term) -> Lit {
        if let Some(value) = arena.as_bool(term) {
            return self.gates.constant(value);
        }
        if !is_connective(arena, term) {
            let inside = self.conditions_below(arena, term);
            let atom = self.gates.fresh();
            self.gates.prover.depends(atom, &inside);
            return atom;
        }
        let of: Vec<Lit> = arena.children(term).iter().map(|child| self.literals[child]).collect();
        match arena.op(term) {
            Op::Not => !of[0],
            Op::And => self.gates.conjunction(&of),
            Op::Or => {
                let none: Vec<Lit> = of.iter().map(|&lit| !lit).collect();
                !self.gates.conjunction(&none)
            }
            Op::Xor => self.gates.xor(of[0], of[1]),
            Op::Eq => !self.gates.xor(of[0], of[1]),
            _ => self.gates.mux(of[0], of[1], of[2]),
        }
    }

    /// What stands for the conditions inside of the children of a term.
    fn conditions_below(&self, arena: &Arena, term: Term) -> Vec<Lit> {
        let mut below: Vec<Lit> =
            arena.children(term).iter().filter_map(|child| self.inside[child]).collect();
        below.sort_unstable();
        below.dedup();
        below
    }

    /// What stands for the conditions inside of a word.
    fn conditions_of(&mut self, arena: &Arena, term: Term) -> Option<Lit> {
        match self.conditions_below(arena, term)[..] {
            [] => None,
            [only] => Some(only),
            ref several => {
                let all = self.gates.fresh();
                self.gates.prover.depends(all, several);
                Some(all)
            }
        }
    }
}

/// Whether a formula is made of formulas by a connective.
fn is_connective(arena: &Arena, formula: Term) -> bool {
    match arena.op(formula) {
        Op::Const(_) | Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => true,
        Op::Eq => *arena.sort(arena.children(formula)[0]) == Sort::Bool,
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refuted(arena: &mut Arena, formulas: &[Term]) -> bool {
        Skeleton::new(None).refutes(arena, formulas, &Budget::unlimited()).unwrap()
    }

    /// What needs arithmetic is left to others.
    #[test]
    fn arithmetic_is_not_known_here() {
        let mut arena = Arena::new();
        let x = arena.variable("x", &Sort::BitVec(8)).unwrap();
        let [three, four] = [3, 4].map(|value| arena.bv(8, value));
        let (below, above) = (arena.bv_ult(x, three), arena.bv_ugt(x, four));
        assert!(!refuted(&mut arena, &[below, above]));
    }
}
