//! Symbolic transition systems: initial states, one relation, bad states.
//!
//! A system is what automata ([`SymbolicAutomaton`]), VMT files and Horn clauses have in common: state
//! variables `X` of any sort, inputs `I`, an initial formula over `X`, a relation `T(X, I, X')` and a bad
//! formula over `X` and `I`.
//!
//! The relation is kept in two parts. Most variables are *updated*: their next value is a term, and no
//! next-state variable is needed to speak about them. What remains is a constraint. Invariant of the parts:
//! updates and constraint mention current variables, inputs and the next-state variables of variables
//! *without* update, nothing else. So a formula about the next state becomes one about the step by
//! substitution ([`TransitionSystem::step`]).

mod automaton;
mod counter;
mod solve;

pub use automaton::{SymbolicAutomaton, SymbolicEdge};
pub use counter::ProgramCounter;
pub use solve::solve_for;

use nilas_term::{Arena, Op, Substitution, Term};

/// A variable of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateVariable {
    /// The variable before a step.
    pub current: Term,
    /// The variable after a step.
    pub next: Term,
    /// What it holds after a step, where that is a function.
    pub update: Option<Term>,
}

/// A transition system, see the module's text.
#[derive(Clone, Debug)]
pub struct TransitionSystem {
    /// The state variables.
    pub variables: Vec<StateVariable>,
    /// Variables that are chosen anew at every step.
    pub inputs: Vec<Term>,
    /// The initial states, over current variables.
    pub initial: Term,
    /// What a step must satisfy beside the updates.
    pub constraint: Term,
    /// The bad states, over current variables and inputs: a state is bad with some inputs.
    pub bad: Term,
}

impl TransitionSystem {
    /// The system with the relation `relation` over current variables, inputs and next variables; updates are
    /// found among its conjuncts.
    pub fn from_relation(
        arena: &mut Arena,
        variables: &[(Term, Term)],
        inputs: Vec<Term>,
        initial: Term,
        relation: Term,
        bad: Term,
    ) -> Self {
        let mut updates: Vec<(Term, Term)> = Vec::new();
        let mut conjuncts = match arena.op(relation) {
            Op::And => arena.children(relation).to_vec(),
            _ => vec![relation],
        };
        let mut index = 0;
        while index < conjuncts.len() {
            let found = variables
                .iter()
                .map(|&(_, next)| next)
                .filter(|next| updates.iter().all(|(updated, _)| updated != next))
                .find_map(|next| Some((next, solve::definition(arena, next, conjuncts[index])?)));
            let Some((next, update)) = found else {
                index += 1;
                continue;
            };
            conjuncts.remove(index);
            // What is known of this variable is put in everywhere, so that no update speaks about an updated
            // one.
            let mut known = Substitution::new();
            known.insert(next, update);
            for (_, earlier) in &mut updates {
                *earlier = known.apply(arena, *earlier);
            }
            for conjunct in &mut conjuncts {
                *conjunct = known.apply(arena, *conjunct);
            }
            updates.push((next, update));
            // Conjuncts that were none before may be definitions now.
            index = 0;
        }
        let variables = variables
            .iter()
            .map(|&(current, next)| {
                let update = updates.iter().find(|(updated, _)| *updated == next).map(|(_, update)| *update);
                StateVariable { current, next, update }
            })
            .collect();
        let constraint = arena.and(&conjuncts);
        TransitionSystem { variables, inputs, initial, constraint, bad }
    }

    /// The whole relation over current variables, inputs and next variables.
    pub fn relation(&self, arena: &mut Arena) -> Term {
        let mut conjuncts = vec![self.constraint];
        for variable in &self.variables {
            if let Some(update) = variable.update {
                conjuncts.push(arena.eq(variable.next, update));
            }
        }
        arena.and(&conjuncts)
    }

    /// From current variables to what they hold after a step: their update, or the next-state variable.
    #[must_use]
    pub fn step(&self) -> Substitution {
        let held = |variable: &StateVariable| (variable.current, variable.update.unwrap_or(variable.next));
        self.variables.iter().map(held).filter(|(before, after)| before != after).collect()
    }

    /// What a step chooses: the inputs, then the next-state variables without update.
    #[must_use]
    pub fn choices(&self) -> Vec<Term> {
        let free = self.variables.iter().filter(|variable| variable.update.is_none());
        self.inputs.iter().copied().chain(free.map(|variable| variable.next)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nilas_term::Sort;
    use nilas_term::smtlib::{parse_term, print_term};

    /// The updates and the constraint that are found in a relation over `x`, `y` and `b`.
    #[track_caller]
    fn check(relation: &str, updates: [Option<&str>; 3], constraint: &str) {
        let mut arena = Arena::new();
        let sorts = [("x", Sort::BitVec(8)), ("y", Sort::BitVec(8)), ("b", Sort::Bool)];
        let variables: Vec<(Term, Term)> = sorts
            .iter()
            .map(|(name, sort)| {
                let current = arena.variable(name, sort).expect("a new name");
                (current, arena.prime(current))
            })
            .collect();
        let parse = |arena: &mut Arena, text: &str| {
            let text = ["x'", "y'", "b'"]
                .iter()
                .fold(text.to_owned(), |text, name| text.replace(name, &format!("|{name}|")));
            parse_term(arena, &text).expect("a formula")
        };
        let relation = parse(&mut arena, relation);
        let truth = arena.mk_true();
        let system =
            TransitionSystem::from_relation(&mut arena, &variables, Vec::new(), truth, relation, truth);
        let found: Vec<Option<String>> = system
            .variables
            .iter()
            .map(|variable| variable.update.map(|update| print_term(&arena, update)))
            .collect();
        assert_eq!(found.iter().map(Option::as_deref).collect::<Vec<_>>(), updates, "{relation:?}");
        let constraint = parse(&mut arena, constraint);
        assert_eq!(system.constraint, constraint, "{}", print_term(&arena, system.constraint));
        // Nothing speaks about the next value of what is updated.
        let updated = system.variables.iter().filter(|variable| variable.update.is_some());
        let updated: Vec<Term> = updated.map(|variable| variable.next).collect();
        let mut terms: Vec<Term> = system.variables.iter().filter_map(|variable| variable.update).collect();
        terms.push(system.constraint);
        assert!(arena.free_variables_of(&terms).iter().all(|free| !updated.contains(free)));
    }

    #[test]
    fn updates_are_found_in_relations() {
        check(
            "(and (= x' (bvadd x #x01)) (= y' x) b')",
            [Some("(bvadd x #x01)"), Some("x"), Some("true")],
            "true",
        );
        // Through each other, in any order.
        check("(and (= y' (bvmul x' y)) (= x' y))", [Some("y"), Some("(bvmul y y)"), None], "true");
        // Not twice, and not through itself.
        check("(and (= x' y) (= x' (bvmul x y)))", [Some("y"), None, None], "(= y (bvmul x y))");
        check("(and (= x' (bvmul x' x)) (not b'))", [None, None, Some("false")], "(= x' (bvmul x x'))");
        check("(= b' (bvult x y))", [None, None, Some("(bvult x y)")], "true");
        check("(or (= x' y) (= y' x))", [None, None, None], "(or (= x y') (= y x'))");
    }
}
