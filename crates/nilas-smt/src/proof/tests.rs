//! Proofs that must be accepted, and mistakes that must not.

use super::*;
use crate::solver::{Answer, Reason, Solver};
use nilas_term::{Arena, Op, Sort};

fn lits(numbers: &[i32]) -> Vec<Lit> {
    numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs()), n > 0)).collect()
}

#[test]
fn clauses_follow_or_do_not() {
    let mut checker = Checker::default();
    for clause in [[1, 2, 3], [1, 2, -3], [1, -2, 4], [1, -2, -4]] {
        checker.add(&lits(&clause));
    }
    assert!(checker.follows(&lits(&[1, 2])));
    assert!(checker.follows(&lits(&[5, -5])));
    assert!(!checker.follows(&lits(&[1])), "needs the clause of 1 and 2 first");
    assert!(!checker.follows(&lits(&[2, 3])));
    checker.add(&lits(&[1, 2]));
    assert!(checker.follows(&lits(&[1])));
    assert!(!checker.follows(&[]));
    checker.add(&lits(&[-1]));
    assert!(checker.follows(&[]), "a unit clause is propagated when it comes");
}

#[test]
fn deleted_clauses_are_gone() {
    let mut checker = Checker::default();
    checker.add(&lits(&[1, 2, 3]));
    checker.delete(&lits(&[2, 1]));
    assert!(checker.follows(&lits(&[3, 2, 1])));
    checker.delete(&lits(&[2, 3, 1]));
    assert!(!checker.follows(&lits(&[3, 2, 1])));
}

#[test]
fn gates_are_total_functions() {
    let named = |clauses: &[&[i32]]| clauses.iter().map(|clause| lits(clause)).collect::<Vec<_>>();
    let and = named(&[&[-3, 1], &[-3, 2], &[3, -1, -2]]);
    assert!(gates::is_total(Var(3), &lits(&[1, 2]), &and));
    assert!(!gates::is_total(Var(3), &lits(&[1, 2]), &and[..2]), "the output is open");
    assert!(!gates::is_total(Var(3), &lits(&[1]), &and), "2 is no input");
    let contradictory = named(&[&[-3, 1], &[3, 1], &[3, -1]]);
    assert!(!gates::is_total(Var(3), &lits(&[1]), &contradictory), "1 is constrained");
    let inputs = lits(&[1, 2, 3, 4, 5, 6, 7, 8]);
    let mut wide: Vec<Vec<Lit>> = inputs.iter().map(|&input| vec![!Var(9).lit(), input]).collect();
    wide.push(inputs.iter().map(|&input| !input).chain([Var(9).lit()]).collect());
    assert!(gates::is_total(Var(9), &inputs, &wide));
    wide[8].pop();
    assert!(!gates::is_total(Var(9), &inputs, &wide));
}

/// A solver with three variables, x0 to x2, and the index words x0 and x1 of two cells with contents.
fn two_cells() -> (Proved, [Lit; 2], [Lit; 2], Lit) {
    let mut solver = Proved::default();
    let [i, j, same, a, b] = std::array::from_fn(|_| solver.new_var().lit());
    let clauses: [&[Lit]; 4] = [&[!same, i, !j], &[!same, !i, j], &[same, i, j], &[same, !i, !j]];
    solver.add_gate(same.var(), &[i, j], &clauses);
    for (index, content) in [(i, a), (j, b)] {
        solver.announce(Announcement::Cell { table: 7, index: &[index], content: &[content] });
    }
    (solver, [i, j], [a, b], same)
}

#[test]
fn a_congruence_is_accepted() {
    let (mut solver, _, [a, b], same) = two_cells();
    let lemma = Lemma::Congruence { table: 7, left: &[a], right: &[b], same };
    solver.add_lemma(lemma, &[!same, !a, b]);
    solver.add_lemma(lemma, &[!same, a, !b]);
    assert_eq!(solver.rejected(), None);
    assert_eq!(solver.solve(&[same, a, !b], &Budget::unlimited()), SatAnswer::Unsat);
    assert_eq!(solver.rejected(), None);
}

#[test]
fn wrong_lemmas_are_rejected() {
    type Try = fn(&mut Proved, [Lit; 2], [Lit; 2], Lit);
    let tries: [Try; 5] = [
        // Different indices say nothing.
        |solver, _, [a, b], same| {
            let lemma = Lemma::Congruence { table: 7, left: &[a], right: &[b], same };
            solver.add_lemma(lemma, &[same, !a, b]);
        },
        // Contents differ.
        |solver, _, [a, b], same| {
            let lemma = Lemma::Congruence { table: 7, left: &[a], right: &[b], same };
            solver.add_lemma(lemma, &[!same, a, b]);
        },
        // Another table.
        |solver, _, [a, b], same| {
            let lemma = Lemma::Congruence { table: 8, left: &[a], right: &[b], same };
            solver.add_lemma(lemma, &[!same, !a, b]);
        },
        // Content that has a meaning already.
        |solver, [i, j], _, _| {
            solver.announce(Announcement::Cell { table: 7, index: &[i], content: &[j] });
        },
        // Equal arrays, of which nothing was said.
        |solver, [i, _], [a, b], same| {
            solver.add_lemma(Lemma::Instance { truth: same, index: &[i] }, &[!same, !a, b]);
        },
    ];
    for (number, wrong) in tries.into_iter().enumerate() {
        let (mut solver, indices, contents, same) = two_cells();
        assert_eq!(solver.rejected(), None);
        wrong(&mut solver, indices, contents, same);
        assert!(solver.rejected().is_some(), "{number}");
    }
}

#[test]
fn a_rejected_step_is_no_answer() {
    let mut arena = Arena::new();
    let x = arena.variable("x", &Sort::Bool).unwrap();
    let not_x = arena.not(x);
    let mut solver = Embedded::on(|| {
        let mut proved = Proved::default();
        proved.reject("for a test".to_owned());
        proved
    });
    solver.assert(&arena, x);
    solver.assert(&arena, not_x);
    let answer = solver.check(&arena, &[], &[], &Budget::unlimited());
    assert!(
        matches!(&answer, Answer::Unknown(Reason::Failed(why)) if why.contains("for a test")),
        "{answer:?}"
    );
}

/// A step that the solver tells but that does not follow.
#[test]
fn a_wrong_step_is_rejected() {
    let mut solver = Proved::default();
    let [x, y] = std::array::from_fn(|_| solver.new_var().lit());
    solver.add_clause(&[x, y]);
    solver.waiting.push(ProofStep::Derived(vec![x]));
    assert_eq!(solver.solve(&[!x, !y], &Budget::unlimited()), SatAnswer::Unsat);
    assert!(solver.rejected().is_some());
}

/// Retired activations come back as other variables of the checker.
#[test]
fn lives_of_activations_are_apart() {
    let mut arena = Arena::new();
    let byte = Sort::BitVec(8);
    let x = arena.variable("x", &byte).unwrap();
    let y = arena.variable("y", &byte).unwrap();
    let product = arena.bv_mul(x, y);
    let budget = Budget::unlimited();
    let mut solver = proved_solver(Transcript::default());
    for round in 0..40 {
        let activation = solver.activation();
        let wanted = arena.bv(8, 251 + 2 * round);
        let equal = arena.eq(product, wanted);
        let (zero, small) = (arena.bv(8, 16), arena.bv_ult(x, wanted));
        let low = arena.bv_ult(y, zero);
        solver.assert_under(&arena, activation, equal);
        let even = arena.extract(x, 0, 0);
        let bit = arena.bv(1, 0);
        let even = arena.eq(even, bit);
        let answer = solver.check(&arena, &[activation], &[low, small, even], &budget);
        assert_eq!(answer, Answer::Unsat, "an even number times another is odd");
        assert!(matches!(solver.check(&arena, &[activation], &[], &budget), Answer::Sat));
        solver.retire(activation);
    }
}

#[test]
fn arrays_and_functions_are_proved() {
    let mut arena = Arena::new();
    let byte = Sort::BitVec(8);
    let float = Sort::Float(3, 4);
    let budget = Budget::unlimited();
    for element in [byte.clone(), float.clone(), Sort::Uninterpreted("U".into())] {
        for index in [byte.clone(), float.clone()] {
            let sort = Sort::array(index.clone(), element.clone());
            let a = arena.fresh_variable("a", &sort);
            let b = arena.fresh_variable("b", &sort);
            let (i, j) = (arena.fresh_variable("i", &index), arena.fresh_variable("j", &index));
            let (v, w) = (arena.fresh_variable("v", &element), arena.fresh_variable("w", &element));
            let name = format!("f{}", arena.len());
            let f = arena.declare(&name, vec![element.clone(), index.clone()], element.clone()).unwrap();
            // Writes at different places commute; so do not those at one place.
            let (first, second) = (arena.store(a, i, v), arena.store(b, j, w));
            let (one, other) = (arena.store(first, j, w), arena.store(second, i, v));
            let (differ, equal, apart) = (arena.ne(one, other), arena.eq(a, b), arena.ne(i, j));
            let mut solver = proved_solver(Transcript::default());
            assert_eq!(solver.check(&arena, &[], &[differ, equal, apart], &budget), Answer::Unsat);
            assert_eq!(solver.failed().len(), 3);
            assert_eq!(solver.check(&arena, &[], &[differ, equal], &budget), Answer::Sat);
            // Functions of equal arguments are equal.
            let (ai, bj) = (arena.select(a, i), arena.select(b, j));
            let (fa, fb) = (arena.mk(Op::Apply(f), &[ai, i]), arena.mk(Op::Apply(f), &[bj, j]));
            let (unequal, same) = (arena.ne(fa, fb), arena.eq(i, j));
            assert_eq!(solver.check(&arena, &[], &[unequal, equal, same], &budget), Answer::Unsat);
            assert_eq!(solver.check(&arena, &[], &[unequal, same], &budget), Answer::Sat);
        }
    }
}
