//! Budgets: an interrupted check is unknown, and the solver is as good as before.

use super::Case;
use super::stage::{Stage, ensure};
use crate::budget::{Budget, CancelFlag, Interrupt};
use crate::solver::{Answer, Reason};
use nilas_term::{Sort, Term};
use std::time::Instant;

pub(super) const CASES: &[Case] =
    &[("a cancelled check", cancelled), ("a deadline that has passed", deadline)];

/// Cases that limit conflicts.
pub(super) const LIMITED: &[Case] = &[("a conflict limit", conflicts), ("re-use after unknown", reuse)];

fn interrupted(stage: &mut Stage, budget: &Budget, assumptions: &[Term]) -> Result<Interrupt, String> {
    match stage.solver.check(&stage.arena, &[], assumptions, budget) {
        Answer::Unknown(Reason::Interrupted(why)) => {
            ensure(stage.solver.failed().is_empty(), || "failed assumptions after unknown".to_owned())?;
            let value = stage.solver.value(&stage.arena, stage.p);
            ensure(value.is_err(), || "a value after unknown".to_owned())?;
            Ok(why)
        }
        other => Err(format!("the answer is {other:?}")),
    }
}

fn cancelled(stage: &mut Stage) -> Result<(), String> {
    let cancel = CancelFlag::new();
    let budget = Budget { cancel: cancel.clone(), ..Budget::default() };
    stage.assert(stage.p);
    let answer = stage.solver.check(&stage.arena, &[], &[], &budget);
    ensure(answer == Answer::Sat, || format!("with an unset flag the answer is {answer:?}"))?;
    cancel.cancel(Interrupt::OutOfMemory);
    let why = interrupted(stage, &budget, &[])?;
    ensure(why == Interrupt::OutOfMemory, || format!("the reason is {why:?}"))?;
    stage.sat(&[], &[stage.p])
}

fn deadline(stage: &mut Stage) -> Result<(), String> {
    let budget = Budget { deadline: Some(Instant::now()), ..Budget::default() };
    let why = interrupted(stage, &budget, &[stage.p])?;
    ensure(why == Interrupt::Timeout, || format!("the reason is {why:?}"))?;
    stage.sat(&[], &[stage.p])
}

/// Two factors of a prime: no solver refutes this without conflicts.
fn factors(stage: &mut Stage) -> Result<Vec<Term>, String> {
    let sort = Sort::BitVec(22);
    let mut variable = |name: &str| stage.arena.variable(name, &sort).map_err(|error| error.to_string());
    let (a, b) = (variable("a")?, variable("b")?);
    let (one, limit, prime) =
        (stage.arena.bv(22, 1), stage.arena.bv(22, 2048), stage.arena.bv(22, 2_097_143));
    let product = stage.arena.bv_mul(a, b);
    let same = stage.arena.eq(product, prime);
    let mut terms = vec![same];
    for factor in [a, b] {
        terms.push(stage.arena.bv_ult(one, factor));
        terms.push(stage.arena.bv_ult(factor, limit));
    }
    Ok(terms)
}

fn conflicts(stage: &mut Stage) -> Result<(), String> {
    let terms = factors(stage)?;
    let budget = Budget { conflicts: Some(5), ..Budget::default() };
    let why = interrupted(stage, &budget, &terms)?;
    ensure(why == Interrupt::Conflicts, || format!("the reason is {why:?}"))?;
    // The limit is one of that check, not of the solver.
    let (three, less) = (stage.is(stage.x, 3), stage.arena.bv_ult(stage.x, stage.y));
    stage.sat(&[], &[three, less])
}

fn reuse(stage: &mut Stage) -> Result<(), String> {
    let terms = factors(stage)?;
    let activation = stage.solver.activation();
    for &term in &terms {
        stage.under(activation, term);
    }
    let stopped = CancelFlag::new();
    stopped.cancel(Interrupt::Cancelled);
    for budget in [
        Budget { conflicts: Some(3), ..Budget::default() },
        Budget { cancel: stopped, ..Budget::default() },
        Budget { conflicts: Some(4), ..Budget::default() },
    ] {
        let answer = stage.solver.check(&stage.arena, &[activation], &[], &budget);
        ensure(matches!(answer, Answer::Unknown(Reason::Interrupted(_))), || format!("answer {answer:?}"))?;
    }
    stage.sat(&[], &[stage.q])?;
    let easy = stage.is(stage.x, 9);
    stage.assert(easy);
    stage.sat(&[], &[])?;
    stage.holds_value(stage.x, 9)?;
    stage.solver.retire(activation);
    let other = stage.is(stage.x, 8);
    stage.unsat(&[], &[other])
}
