//! The one-point rule: `∃v. v = t ∧ φ(v)` is `φ(t)`, where `t` does not mention `v`.
//!
//! Proofs are checked on clauses after this rule, so it is all that is done here: conjuncts of the constraint
//! are looked at, nothing is rearranged or split (a sum that the normal form has on the other side stays).
//! Without it every variable after a step is a choice with an equation, and what a solver would see at once in
//! `φ(t)` it has to find out bit by bit.

use crate::system::{Atom, Clause};
use nilas_term::{Arena, Op, Substitution, Term};
use rustc_hash::FxHashSet;

/// A clause that says the same, in which variables that the body does not mention are replaced by what they are.
pub(super) fn one_point(arena: &mut Arena, clause: &Clause) -> Clause {
    let body: Vec<Term> = clause.body.iter().flat_map(|atom| atom.arguments.iter().copied()).collect();
    let given: FxHashSet<Term> = arena.free_variables_of(&body).into_iter().collect();
    let mut constraint = clause.constraint;
    let mut head = clause.head.as_ref().map_or_else(|_| Vec::new(), |atom| atom.arguments.clone());
    loop {
        let conjuncts = conjuncts(arena, constraint);
        // Definitions that are put in at once must not mention each other's variables.
        let mut touched: FxHashSet<Term> = FxHashSet::default();
        let (mut known, mut rest) = (Substitution::new(), Vec::new());
        for conjunct in conjuncts {
            match definition(arena, conjunct, &given) {
                Some((variable, value)) => {
                    let mut mentioned = arena.free_variables(value);
                    mentioned.push(variable);
                    if mentioned.iter().any(|variable| touched.contains(variable)) {
                        rest.push(conjunct);
                    } else {
                        touched.extend(mentioned);
                        known.insert(variable, value);
                    }
                }
                None => rest.push(conjunct),
            }
        }
        if known.is_empty() {
            break;
        }
        let remaining = arena.and(&rest);
        constraint = known.apply(arena, remaining);
        for argument in &mut head {
            *argument = known.apply(arena, *argument);
        }
    }
    let head = match &clause.head {
        Ok(atom) => Ok(Atom { predicate: atom.predicate, arguments: head }),
        Err(goal) => Err(*goal),
    };
    Clause { body: clause.body.clone(), constraint, head, span: clause.span }
}

/// The conjuncts of a formula, which may be a disjunction that does not hold.
fn conjuncts(arena: &mut Arena, formula: Term) -> Vec<Term> {
    match (arena.op(formula), arena.children(formula)) {
        (Op::And, children) => children.to_vec(),
        (Op::Not, &[inner]) if arena.op(inner) == Op::Or => {
            let disjuncts = arena.children(inner).to_vec();
            disjuncts.into_iter().map(|disjunct| arena.not(disjunct)).collect()
        }
        _ => vec![formula],
    }
}

/// The variable that a conjunct defines, with its value.
fn definition(arena: &mut Arena, conjunct: Term, given: &FxHashSet<Term>) -> Option<(Term, Term)> {
    let is_open = |arena: &Arena, term: Term| arena.as_variable(term).is_some() && !given.contains(&term);
    match (arena.op(conjunct), arena.children(conjunct)) {
        (Op::Eq, &[left, right]) => [(left, right), (right, left)].into_iter().find(|&(variable, value)| {
            is_open(arena, variable) && !arena.free_variables(value).contains(&variable)
        }),
        (Op::Not, &[inner]) if is_open(arena, inner) => Some((inner, arena.mk_false())),
        _ if is_open(arena, conjunct) => Some((conjunct, arena.mk_true())),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::{GoalId, read_horn};

    /// The second clause: how many variables that the body does not have its constraint and its head mention.
    fn open(constraint: &str, head: &str) -> (usize, usize) {
        let text = format!(
            "(set-logic HORN) (declare-fun P ((_ BitVec 8) Bool) Bool) (assert (P #x00 false))
             (assert (forall ((x (_ BitVec 8)) (b Bool) (y (_ BitVec 8)) (z (_ BitVec 8)) (c Bool))
               (=> (and (P x b) {constraint}) (P {head}))))
             (assert (forall ((x (_ BitVec 8))) (=> (P x true) false)))"
        );
        let mut system = read_horn(&text).unwrap();
        assert_eq!(system.clauses[2].head, Err(GoalId(0)));
        let clause = one_point(&mut system.arena, &system.clauses[1].clone());
        let given = &clause.body[0].arguments;
        let count = |terms: &[Term]| {
            let mut free = system.arena.free_variables_of(terms);
            free.retain(|variable| !given.contains(variable));
            free.len()
        };
        (count(&[clause.constraint]), count(&clause.head.unwrap().arguments))
    }

    #[test]
    fn definitions_are_put_in() {
        let constraint = "(= y (bvmul x x)) (= z (bvmul y y)) (not c) (bvult z #x10)";
        assert_eq!(open(constraint, "z c"), (0, 0));
    }

    #[test]
    fn what_is_no_definition_stays() {
        // In a circle, under a disjunction, or not said.
        assert_eq!(open("(= x #x01) (= y (bvmul y x)) (or (= z #x02) b)", "y c"), (2, 2));
        // Of two that mention each other one is put in, and the other is a condition.
        assert_eq!(open("(= y (bvmul z x)) (= z (bvmul y #x03))", "y b"), (1, 1));
    }
}
