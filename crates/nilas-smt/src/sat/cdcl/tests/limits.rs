//! Budgets and memory.

use super::*;
use crate::budget::{CancelFlag, Interrupt};
use std::time::{Duration, Instant};

#[test]
fn an_interrupted_call_leaves_the_solver_usable() {
    let mut solver = Cdcl::new();
    pigeonhole(&mut solver, 7);
    let free = solver.new_var().lit();
    let few = Budget { conflicts: Some(50), ..Budget::unlimited() };
    for _ in 0..3 {
        assert_eq!(solver.solve(&[free], &few), SatAnswer::Unknown(Interrupt::Conflicts));
        assert_eq!(solver.value(free.var()), None);
    }
    assert_eq!(solver.counters().conflicts, 150);
    assert_eq!(check(&mut solver, &[free]), SatAnswer::Unsat);
    assert_eq!(solver.core(), []);
}

#[test]
fn a_hard_call_is_handed_over_with_the_rest_of_the_budget() {
    let mut solver = Cdcl::handing_over_after(50);
    pigeonhole(&mut solver, 7);
    let free = solver.new_var().lit();
    let budget = |conflicts: u64| Budget { conflicts: Some(conflicts), ..Budget::unlimited() };
    assert_eq!(solver.solve(&[free], &budget(40)), SatAnswer::Unknown(Interrupt::Conflicts));
    assert_eq!(solver.counters().handed_over, 0);
    assert_eq!(solver.solve(&[free], &budget(60)), SatAnswer::Unknown(Interrupt::Conflicts));
    assert_eq!(solver.counters().handed_over, 1);
    assert_eq!(check(&mut solver, &[free]), SatAnswer::Unsat);
    assert_eq!((solver.counters().handed_over, solver.core()), (2, &[][..]));
    let deadline = Some(Instant::now());
    let late = Budget { deadline, ..Budget::unlimited() };
    let mut solver = Cdcl::handing_over_after(50);
    pigeonhole(&mut solver, 12);
    assert_eq!(solver.solve(&[], &late), SatAnswer::Unknown(Interrupt::Timeout));
}

#[test]
fn the_deadline_is_kept() {
    let mut solver = Cdcl::alone();
    pigeonhole(&mut solver, 12);
    let start = Instant::now();
    let budget = Budget { deadline: Some(start + Duration::from_millis(100)), ..Budget::unlimited() };
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Unknown(Interrupt::Timeout));
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn the_cancel_flag_is_heard() {
    let mut solver = Cdcl::alone();
    pigeonhole(&mut solver, 12);
    let budget = Budget { cancel: CancelFlag::new(), ..Budget::unlimited() };
    let flag = budget.cancel.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.cancel(Interrupt::OutOfMemory);
    });
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Unknown(Interrupt::OutOfMemory));
    assert!(canceller.join().is_ok());
    // Cancelled before it began.
    assert_eq!(solver.solve(&[], &budget), SatAnswer::Unknown(Interrupt::OutOfMemory));
}

/// A million temporary clauses, with conflicts now and then so that clauses are learnt under them.
#[test]
fn retired_activations_leave_nothing_behind() {
    let mut random = Random(1);
    let mut solver = Cdcl::new();
    let inputs: Vec<Lit> = (0..24).map(|_| solver.new_var().lit()).collect();
    let mut nodes = inputs;
    for _ in 0..60 {
        let mut pick = || {
            let lit = nodes[random.below(nodes.len())];
            if random.bool() { lit } else { !lit }
        };
        let (a, b) = (pick(), pick());
        let o = solver.new_var().lit();
        let clauses: [&[Lit]; 4] = [&[!a, !b, !o], &[a, b, !o], &[!a, b, o], &[a, !b, o]];
        solver.add_gate(o.var(), &[a, b], &clauses);
        nodes.push(o);
    }
    let level = solver.new_activation();
    let mut peak_early = 0;
    let mut peak_late = 0;
    let mut highest = 0;
    const CYCLES: usize = 1_000_000;
    for cycle in 0..CYCLES {
        let activation = solver.new_activation();
        highest = highest.max(activation.0);
        let clause: Vec<Lit> = (0..3 + cycle % 4)
            .map(|_| Lit::new(nodes[random.below(nodes.len())].var(), random.bool()))
            .collect();
        solver.add_clause_under(activation, &clause);
        if cycle % 64 == 0 {
            let mut assumptions = vec![level.lit(), activation.lit()];
            for _ in 0..4 {
                assumptions.push(Lit::new(nodes[random.below(nodes.len())].var(), random.bool()));
            }
            let answer = check(&mut solver, &assumptions);
            assert!(!matches!(answer, SatAnswer::Unknown(_)), "cycle {cycle}");
        }
        solver.retire(activation);
        assert_eq!(highest, level.0 + 1, "cycle {cycle}: one activation variable is enough");
        if cycle % 61 == 0 {
            let peak = if cycle < CYCLES / 2 { &mut peak_early } else { &mut peak_late };
            *peak = solver.memory_words().max(*peak);
        }
    }
    assert!(solver.counters().collections > 100);
    assert!(
        peak_late <= peak_early * 5 / 4 + 1000,
        "{peak_early} words in the first half, {peak_late} later"
    );
}
