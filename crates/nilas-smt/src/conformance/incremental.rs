//! Activations, retirement and long use.

use super::Case;
use super::stage::{Stage, ensure};

pub(super) const CASES: &[Case] = &[
    ("assertions under an activation", under_activation),
    ("several activations", several_activations),
    ("activations in cores", activations_in_cores),
    ("an activation named twice", activation_twice),
    ("an activation with nothing under it", empty_activation),
    ("retired assertions are gone", retired),
    ("a retired activation that is named again is no answer", retired_and_named),
    ("adding under an activation after a check", late_assertion),
    ("models outlive assertions and retirement", model_outlives),
    ("many activations come and go", many_activations),
    ("new terms after checks", new_terms),
];

fn under_activation(stage: &mut Stage) -> Result<(), String> {
    let activation = stage.solver.activation();
    let not_p = stage.not(stage.p);
    stage.assert(stage.p);
    stage.under(activation, not_p);
    stage.sat(&[], &[])?;
    stage.unsat(&[activation], &[])?;
    ensure(stage.solver.failed_activations() == [activation], || "the activation is not blamed".to_owned())?;
    stage.sat(&[], &[stage.p])
}

fn several_activations(stage: &mut Stage) -> Result<(), String> {
    let (a, b, c) = (stage.solver.activation(), stage.solver.activation(), stage.solver.activation());
    let not_both = {
        let both = stage.arena.and(&[stage.p, stage.q]);
        stage.not(both)
    };
    stage.under(a, stage.p);
    stage.under(b, stage.q);
    stage.under(c, not_both);
    stage.sat(&[a, b], &[])?;
    stage.holds(stage.p)?;
    stage.holds(stage.q)?;
    stage.sat(&[a, c], &[])?;
    stage.sat(&[b, c], &[])?;
    stage.unsat(&[a, b, c], &[])?;
    stage.unsat(&[c, b, a], &[])?;
    stage.sat(&[c], &[])
}

fn activations_in_cores(stage: &mut Stage) -> Result<(), String> {
    let (a, b) = (stage.solver.activation(), stage.solver.activation());
    let implied = stage.arena.implies(stage.p, stage.q);
    let not_q = stage.not(stage.q);
    stage.under(a, implied);
    stage.under(b, stage.r);
    stage.unsat(&[b, a], &[stage.r, stage.p, not_q])?;
    // `unsat` ended with a check of the core alone, so this is the core of the core.
    ensure(stage.solver.failed() == [stage.p, not_q], || format!("failed is {:?}", stage.solver.failed()))?;
    ensure(stage.solver.failed_activations() == [a], || {
        format!("failed activations are {:?}", stage.solver.failed_activations())
    })
}

fn activation_twice(stage: &mut Stage) -> Result<(), String> {
    let a = stage.solver.activation();
    let not_p = stage.not(stage.p);
    stage.under(a, not_p);
    stage.sat(&[a, a], &[])?;
    stage.unsat(&[a, a], &[stage.p])
}

fn empty_activation(stage: &mut Stage) -> Result<(), String> {
    let a = stage.solver.activation();
    stage.sat(&[a], &[stage.p])?;
    stage.solver.retire(a);
    stage.sat(&[], &[stage.p])
}

fn retired(stage: &mut Stage) -> Result<(), String> {
    let (a, b) = (stage.solver.activation(), stage.solver.activation());
    let not_p = stage.not(stage.p);
    stage.under(a, not_p);
    stage.under(b, stage.q);
    stage.unsat(&[a, b], &[stage.p])?;
    stage.solver.retire(a);
    stage.sat(&[b], &[stage.p])?;
    stage.holds(stage.q)?;
    // A later activation must not inherit anything.
    let c = stage.solver.activation();
    ensure(c != a && c != b, || "the handle of another activation is given out".to_owned())?;
    stage.sat(&[b, c], &[stage.p])?;
    let not_q = stage.not(stage.q);
    stage.under(c, not_q);
    stage.unsat(&[b, c], &[])
}

fn retired_and_named(stage: &mut Stage) -> Result<(), String> {
    let a = stage.solver.activation();
    stage.under(a, stage.p);
    stage.sat(&[a], &[])?;
    stage.solver.retire(a);
    let answer = stage.check(&[a], &[]);
    ensure(matches!(answer, crate::Answer::Unknown(_)), || format!("the answer is {answer:?}"))?;
    stage.sat(&[], &[])
}

fn late_assertion(stage: &mut Stage) -> Result<(), String> {
    let a = stage.solver.activation();
    let (one, two) = (stage.is(stage.x, 1), stage.is(stage.x, 2));
    let either = stage.arena.or(&[one, two]);
    stage.under(a, either);
    stage.sat(&[a], &[two])?;
    let not_two = stage.not(two);
    stage.under(a, not_two);
    stage.unsat(&[a], &[two])?;
    stage.sat(&[a], &[])?;
    stage.holds_value(stage.x, 1)?;
    stage.assert(two);
    stage.unsat(&[a], &[])?;
    stage.sat(&[], &[])
}

fn model_outlives(stage: &mut Stage) -> Result<(), String> {
    let a = stage.solver.activation();
    let (seven, eight) = (stage.is(stage.x, 7), stage.is(stage.x, 8));
    stage.under(a, seven);
    stage.sat(&[a], &[])?;
    stage.solver.retire(a);
    let b = stage.solver.activation();
    stage.under(b, eight);
    stage.assert(eight);
    stage.holds_value(stage.x, 7)?;
    stage.holds(seven)?;
    stage.sat(&[b], &[])?;
    stage.holds_value(stage.x, 8)
}

fn many_activations(stage: &mut Stage) -> Result<(), String> {
    let (low, high) = (stage.arena.bv(8, 10), stage.arena.bv(8, 20));
    let (above, below) = (stage.arena.bv_ule(low, stage.x), stage.arena.bv_ult(stage.x, high));
    stage.assert(above);
    stage.assert(below);
    for round in 0..200u64 {
        let a = stage.solver.activation();
        let value = round % 30;
        let here = stage.is(stage.x, value);
        stage.under(a, here);
        if (10..20).contains(&value) {
            stage.sat(&[a], &[])?;
            stage.holds_value(stage.x, value)?;
        } else {
            stage.unsat(&[a], &[])?;
        }
        stage.solver.retire(a);
    }
    stage.sat(&[], &[])
}

fn new_terms(stage: &mut Stage) -> Result<(), String> {
    let mut sum = stage.x;
    for round in 1..20 {
        sum = stage.arena.bv_add(sum, stage.y);
        let (term, value) = (stage.is(sum, round), stage.is(stage.y, 1));
        stage.sat(&[], &[term, value])?;
        stage.holds_value(stage.x, 0)?;
    }
    Ok(())
}
