//! Weakest existential preconditions (§5.2 of the generalisation thesis), along one path.
//!
//! The thesis computes the precondition of a cube over a whole command and makes it a set of cubes. Here a
//! model has picked one path through the command, and one value for each `havoc` on it, which the papers have
//! no rule for: the result is an under-approximation of the precondition, but each of its states really leads
//! into the cube. `split` (Def. 5.2.4, and the normal form of Def. 5.2.5) is only ever done for the part that
//! a model satisfies.

use crate::automaton::Automaton;
use crate::command::{Basic, Command};
use crate::ids::ArcId;
use nilas_term::{Arena, Cube, Op, Sort, Substitution, Term};
use rustc_hash::FxHashSet;

/// Formulas over the state before a path, whose conjunction says: the execution over that path, with these
/// terms for the values of its `havoc`s, ends in the cube. The terms are over the state before the path, or
/// variables of their own.
///
/// The rules of the thesis go backwards; going forwards and substituting once per formula gives the
/// same terms, without rewriting all of them at each assignment.
pub fn wep(
    arena: &mut Arena,
    automaton: &Automaton,
    command: &Command,
    path: &[ArcId],
    havoc_value: &mut dyn FnMut(&mut Arena, ArcId) -> Term,
    cube: &Cube,
) -> Vec<Term> {
    let mut held = Substitution::new();
    let mut formulas = Vec::new();
    for &id in path {
        match command.arc(id).basic {
            Basic::Skip => {}
            Basic::Assume(term) => formulas.push(held.apply(arena, term)),
            Basic::Assign(variable, term) => {
                let value = held.apply(arena, term);
                held.insert(automaton.variable(variable).term, value);
            }
            Basic::Havoc(variable, _) => {
                let value = havoc_value(arena, id);
                held.insert(automaton.variable(variable).term, value);
            }
        }
    }
    formulas.extend(cube.literals().iter().map(|&literal| held.apply(arena, literal)));
    formulas.retain(|&formula| arena.as_bool(formula) != Some(true));
    formulas
}

/// A cube that a model satisfies and that implies the formulas, which the model satisfies too.
///
/// Conjunctions fall apart; of a disjunction one disjunct stays that holds in the model, of a Boolean
/// if-then-else the branch that is taken, of an equivalence the two sides as they are. `holds` is asked only
/// where there is a choice.
pub fn split(arena: &mut Arena, formulas: &[Term], holds: &mut dyn FnMut(&Arena, Term) -> bool) -> Cube {
    let mut literals: Vec<Term> = Vec::new();
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut stack: Vec<(Term, bool)> = formulas.iter().rev().map(|&formula| (formula, true)).collect();
    while let Some((term, positive)) = stack.pop() {
        if !seen.insert((term, positive)) {
            continue;
        }
        let children = arena.children(term).to_vec();
        let of_booleans = children.first().is_some_and(|&child| *arena.sort(child) == Sort::Bool);
        match (arena.op(term), &children[..]) {
            (Op::Not, &[child]) => stack.push((child, !positive)),
            (Op::And, _) if positive => stack.extend(children.iter().map(|&child| (child, true))),
            (Op::Or, _) if !positive => stack.extend(children.iter().map(|&child| (child, false))),
            (Op::And | Op::Or, _) => {
                // The last one needs no question: one of them is as it must be.
                let witness = children
                    .iter()
                    .find(|&&child| Some(&child) == children.last() || holds(arena, child) == positive);
                stack.extend(witness.map(|&child| (child, positive)));
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let taken = holds(arena, condition);
                stack.push((if taken { then } else { otherwise }, positive));
                stack.push((condition, taken));
            }
            (Op::Xor | Op::Eq, &[left, right]) if of_booleans => {
                let value = holds(arena, left);
                let equal = (arena.op(term) == Op::Eq) == positive;
                stack.push((right, value == equal));
                stack.push((left, value));
            }
            _ => {
                let literal = if positive { term } else { arena.not(term) };
                if arena.as_bool(literal) != Some(true) {
                    literals.push(literal);
                }
            }
        }
    }
    Cube::new(literals)
}
