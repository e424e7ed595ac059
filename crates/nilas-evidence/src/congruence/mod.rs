//! Questions that need no bits: congruence as a step of proofs.
//!
//! Many questions about large programs are decided by their connectives, and by equal operands giving equal
//! results. Here a comparison of words is a variable without a circuit. Where connectives leave a model, the
//! truth values in it may contradict each other by congruence ([`closure`]); the clause that says so is one
//! more of the proof. *No* says nothing: then bits are looked at.
//!
//! Cases are those of the search over connectives alone. A closure is made for the truth values of one model
//! and thrown away, so nothing that was merged in one case is there in another one. A condition inside of a
//! word is a formula with a literal like any other: what was concluded from a branch is concluded under it,
//! and the clause has the condition in it.
//!
//! Trusted:
//! - that connectives are what they are ([`Skeleton::gate`]), that a comparison of `if c then a else b` with
//!   something is that of `a` where `c` holds and that of `b` elsewhere, and that `a < b` is the negation of
//!   `b ≤ a` ([`reading`]);
//! - that a clause is added only if the truth values that it excludes contradict each other
//!   ([`Skeleton::learn`]).
//!
//! Which truth values these are ([`Skeleton::truths`]) and how long to go on is nobody's business but the
//! clock's. Nothing of the engines' EUF solver is used.

mod closure;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use crate::gates::Gates;
use closure::contradiction;
use nilas_smt::sat::Lit;
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many clauses a question is worth.
const ROUNDS: usize = 100;

/// Conflicts after which the search over connectives is given up.
const CONFLICTS: u64 = 2_000;

/// Questions are asked here until so many more than twice those that were answered were not.
const FAILURES: u64 = 24;

/// The connectives of formulas, and what is known of their atoms.
pub(crate) struct Skeleton {
    pub(crate) gates: Gates,
    /// The literals of formulas.
    literals: FxHashMap<Term, Lit>,
    /// Words whose formulas inside have literals.
    words: FxHashSet<Term>,
    /// Comparisons that are read as a connective of other formulas.
    readings: FxHashMap<Term, (Op, Vec<Term>)>,
    answered: u64,
    failed: u64,
}

impl Skeleton {
    pub(crate) fn new() -> Self {
        Skeleton {
            gates: Gates::new(None),
            literals: FxHashMap::default(),
            words: FxHashSet::default(),
            readings: FxHashMap::default(),
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
    pub(crate) fn add_fact(
        &mut self,
        arena: &mut Arena,
        formula: Term,
        budget: &Budget,
    ) -> Result<(), Reason> {
        let fact = self.literal(arena, formula, budget)?;
        self.gates.prover.add_clause(&[fact]);
        Ok(())
    }

    fn search(&mut self, arena: &mut Arena, formulas: &[Term], budget: &Budget) -> Result<bool, Reason> {
        let mut assumptions = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            assumptions.push(self.literal(arena, formula, budget)?);
        }
        for _ in 0..ROUNDS {
            match self.gates.prover.within(&assumptions, CONFLICTS, budget)? {
                Some(false) => return Ok(true),
                Some(true) if self.learn(arena, formulas) => {}
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Adds a clause that the model violates, if congruence shows one; whether it does.
    fn learn(&mut self, arena: &Arena, formulas: &[Term]) -> bool {
        let truths = self.truths(arena, formulas);
        let Some(needed) = contradiction(arena, &truths) else { return false };
        let few: Vec<(Term, bool)> = needed.into_iter().map(|number| truths[number]).collect();
        // What the few rest on is shown anew, of them alone.
        let excluded = if contradiction(arena, &few).is_some() { few } else { truths };
        let excluded = excluded.into_iter().map(|(formula, value)| {
            let lit = *self.literals.get(&formula)?;
            Some(if value { !lit } else { lit })
        });
        // A clause with a literal less would say more.
        let Some(clause) = excluded.collect::<Option<Vec<Lit>>>() else { return false };
        self.gates.prover.add_clause(&clause);
        true
    }

    /// Truth values in the model that suffice for the formulas, and those of all formulas inside of words
    /// there. Where a disjunction holds, one of its operands is looked at; of an if-then-else, one branch.
    fn truths(&self, arena: &Arena, formulas: &[Term]) -> Vec<(Term, bool)> {
        let mut model = Values { skeleton: self, known: FxHashMap::default() };
        let (mut truths, mut told, mut seen) = (Vec::new(), FxHashSet::default(), FxHashSet::default());
        let mut stack = formulas.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) {
                continue;
            }
            let children = arena.children(term);
            if *arena.sort(term) != Sort::Bool {
                // Inside of a word, all formulas are looked at, and of both branches the one.
                let inside = match (arena.op(term), children) {
                    (Op::Ite, &[condition, then, otherwise]) => {
                        let branch = if model.of(arena, condition) { then } else { otherwise };
                        vec![condition, branch]
                    }
                    _ => children.to_vec(),
                };
                for child in inside {
                    if *arena.sort(child) == Sort::Bool && told.insert(child) {
                        truths.push((child, model.of(arena, child)));
                    }
                    stack.push(child);
                }
                continue;
            }
            let value = model.of(arena, term);
            match self.connective(arena, term) {
                Some((op @ (Op::And | Op::Or), parts)) if value == (op == Op::Or) => {
                    stack.extend(parts.iter().find(|&&part| model.of(arena, part) == value));
                }
                Some((Op::Ite, &[condition, then, otherwise])) => {
                    stack.extend([condition, if model.of(arena, condition) { then } else { otherwise }]);
                }
                Some((_, parts)) => stack.extend_from_slice(parts),
                None => {
                    if !arena.op(term).is_leaf() && told.insert(term) {
                        truths.push((term, value));
                    }
                    stack.extend_from_slice(children);
                }
            }
        }
        truths
    }

    /// The literal of a formula. What it is made of comes first.
    fn literal(&mut self, arena: &mut Arena, formula: Term, budget: &Budget) -> Result<Lit, Reason> {
        let (mut stack, mut entered) = (vec![formula], FxHashSet::default());
        while let Some(&term) = stack.last() {
            if self.is_done(term) {
                stack.pop();
                continue;
            }
            if entered.insert(term) {
                if let Some(reading) = reading(arena, term) {
                    self.readings.insert(term, reading);
                }
                let below = self.readings.get(&term).map_or(arena.children(term), |(_, parts)| &parts[..]);
                stack.extend(below.iter().filter(|&&child| !self.is_done(child)));
                continue;
            }
            stack.pop();
            if let Some(why) = budget.exhausted() {
                return Err(Reason::Interrupted(why));
            }
            if *arena.sort(term) == Sort::Bool {
                let lit = self.gate(arena, term);
                self.literals.insert(term, lit);
            } else {
                self.words.insert(term);
            }
        }
        Ok(self.literals[&formula])
    }

    fn is_done(&self, term: Term) -> bool {
        self.literals.contains_key(&term) || self.words.contains(&term)
    }

    /// The connective that a formula is made by, and of what; nothing for an atom.
    fn connective<'t>(&'t self, arena: &'t Arena, formula: Term) -> Option<(Op, &'t [Term])> {
        match self.readings.get(&formula) {
            Some((op, parts)) => Some((*op, parts)),
            None => is_connective(arena, formula).then(|| (arena.op(formula), arena.children(formula))),
        }
    }

    /// The literal of a formula from the literals of what it is made of. One of these is missing only if
    /// simplification goes round in circles; then nothing is said of the formula.
    fn gate(&mut self, arena: &Arena, term: Term) -> Lit {
        if let Some(value) = arena.as_bool(term) {
            return self.gates.constant(value);
        }
        let Some((op, parts)) = self.connective(arena, term) else { return self.gates.fresh() };
        let parts: Option<Vec<Lit>> = parts.iter().map(|part| self.literals.get(part).copied()).collect();
        match (op, parts.as_deref()) {
            (Op::Not, Some(&[only])) => !only,
            (Op::And, Some(all)) => self.gates.conjunction(all),
            (Op::Or, Some(any)) => {
                let none: Vec<Lit> = any.iter().map(|&lit| !lit).collect();
                !self.gates.conjunction(&none)
            }
            (Op::Xor, Some(&[left, right])) => self.gates.xor(left, right),
            (Op::Eq, Some(&[left, right])) => !self.gates.xor(left, right),
            (Op::Ite, Some(&[condition, then, otherwise])) => self.gates.mux(condition, then, otherwise),
            _ => self.gates.fresh(),
        }
    }
}

/// The truth values of a model. Where the search left some open, atoms are false, and what is made of them
/// is what it is.
struct Values<'s> {
    skeleton: &'s Skeleton,
    known: FxHashMap<Term, bool>,
}

impl Values<'_> {
    fn of(&mut self, arena: &Arena, formula: Term) -> bool {
        let (mut stack, mut entered) = (vec![formula], FxHashSet::default());
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            let found = self.found(term);
            let made = if found.is_some() { None } else { self.skeleton.connective(arena, term) };
            let (op, below) = made.unwrap_or((arena.op(term), &[]));
            if entered.insert(term) {
                stack.extend(below.iter().filter(|child| !self.known.contains_key(child)));
                continue;
            }
            stack.pop();
            let of: Vec<bool> = below.iter().map(|part| self.known.get(part) == Some(&true)).collect();
            let computed = match (op, &of[..]) {
                (Op::Const(_), _) => arena.as_bool(term) == Some(true),
                (Op::Not, &[only]) => !only,
                (Op::And, all) => all.iter().all(|&it| it),
                (Op::Or, any) => any.iter().any(|&it| it),
                (Op::Xor, &[left, right]) => left != right,
                (Op::Eq, &[left, right]) => left == right,
                (Op::Ite, &[condition, then, otherwise]) => condition && then || !condition && otherwise,
                _ => false,
            };
            self.known.insert(term, found.unwrap_or(computed));
        }
        self.known[&formula]
    }

    /// What the search says.
    fn found(&self, formula: Term) -> Option<bool> {
        let lit = self.skeleton.literals.get(&formula)?;
        self.skeleton.gates.prover.value(lit.var()).map(|value| value == lit.is_positive())
    }
}

/// How a comparison is read as a connective of others. One that is strict, or whose left side is a constant,
/// is the negation of one that is neither: so both have one literal. One of two words, of which one is an
/// if-then-else, is made by cases: the condition, and the comparisons with both branches.
fn reading(arena: &mut Arena, term: Term) -> Option<(Op, Vec<Term>)> {
    let (op, &[left, right]) = (arena.op(term), arena.children(term)) else { return None };
    if *arena.sort(term) != Sort::Bool || is_connective(arena, term) {
        return None;
    }
    let is_constant = arena.as_value(left).is_some();
    if matches!(op, Op::BvUlt | Op::BvSlt) || matches!(op, Op::BvUle | Op::BvSle) && is_constant {
        let negation = arena.not(term);
        return (arena.op(negation) != Op::Not).then(|| (Op::Not, vec![negation]));
    }
    let (choice, is_left) = match [left, right].map(|side| arena.op(side) == Op::Ite) {
        [true, false] => (left, true),
        [false, true] => (right, false),
        _ => return None,
    };
    let &[condition, then, otherwise] = arena.children(choice) else { return None };
    let [then, otherwise] = [then, otherwise].map(|branch| {
        let sides = if is_left { [branch, right] } else { [left, branch] };
        arena.mk(op, &sides)
    });
    Some((Op::Ite, vec![condition, then, otherwise]))
}

/// Whether a formula is made of formulas by a connective.
fn is_connective(arena: &Arena, formula: Term) -> bool {
    match arena.op(formula) {
        Op::Const(_) | Op::Not | Op::And | Op::Or | Op::Xor => true,
        Op::Ite => *arena.sort(formula) == Sort::Bool,
        Op::Eq => *arena.sort(arena.children(formula)[0]) == Sort::Bool,
        _ => false,
    }
}
