//! The one-point rule: `∃v. v = t ∧ φ(v)` is `φ(t)`, where `t` does not mention `v`.
//!
//! Proofs are checked on clauses after this rule, so it is all that is done here: conjuncts of the constraint are
//! looked at, nothing is rearranged or split. Without it every variable after a step is a choice with an equation,
//! and what a solver would see at once in `φ(t)` it has to find out bit by bit.

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
        let conjuncts = match arena.op(constraint) {
            Op::And => arena.children(constraint).to_vec(),
            _ => vec![constraint],
        };
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
    use nilas_term::smtlib::print_term;

    /// The constraint and the head of the second clause.
    fn shown(constraint: &str, head: &str) -> (String, Vec<String>) {
        let text = format!(
            "(set-logic HORN) (declare-fun P ((_ BitVec 8) Bool) Bool) (assert (P #x00 false))
             (assert (forall ((x (_ BitVec 8)) (b Bool) (y (_ BitVec 8)) (z (_ BitVec 8)) (c Bool))
               (=> (and (P x b) {constraint}) (P {head}))))
             (assert (forall ((x (_ BitVec 8))) (=> (P x true) false)))"
        );
        let mut system = read_horn(&text).unwrap();
        assert_eq!(system.clauses[2].head, Err(GoalId(0)));
        let clause = one_point(&mut system.arena, &system.clauses[1].clone());
        let print = |term: Term| print_term(&system.arena, term);
        (print(clause.constraint), clause.head.unwrap().arguments.into_iter().map(print).collect())
    }

    #[test]
    fn definitions_are_put_in() {
        let (constraint, head) =
            shown("(= y (bvadd x #x01)) (= z (bvmul y y)) (not c) (bvult z #x10)", "z c");
        assert!(!constraint.contains('y') && !constraint.contains('z'), "{constraint}");
        assert_eq!(head[1], "false");
        assert!(head[0].starts_with("(bvmul") && head[0].contains('x'), "{}", head[0]);
    }

    #[test]
    fn what_is_no_definition_stays() {
        // About given values, in a circle, or under a disjunction.
        let (constraint, _) = shown("(= x #x01) (= y (bvmul y x)) (or (= z #x02) b)", "y c");
        assert!(constraint.contains("(= x #x01)") || constraint.contains("(= #x01 x)"), "{constraint}");
        assert!(constraint.contains("bvmul") && constraint.contains("or"), "{constraint}");
        // Two that mention each other: one is put in, the other is kept as a condition.
        let (constraint, head) = shown("(= y (bvadd z x)) (= z (bvadd y #x01))", "y c");
        assert_ne!(constraint, "true");
        assert!(head[0].contains('x') || head[0].contains('z') || head[0].contains('y'), "{}", head[0]);
    }
}
