//! Single checks: assertions, assumptions, cores, values.

use super::Case;
use super::stage::{Stage, ensure};
use nilas_term::Value;

pub(super) const CASES: &[Case] = &[
    ("nothing asserted", nothing_asserted),
    ("true and false as assertions", constant_assertions),
    ("true and false as assumptions", constant_assumptions),
    ("assertions hold in models", assertions_hold),
    ("a contradiction needs no assumption", contradiction),
    ("the core leaves irrelevant assumptions out", small_core),
    ("contradictory assumptions", contradictory_assumptions),
    ("assumptions given twice", duplicate_assumptions),
    ("assumptions that are equal in disguise", disguised_duplicates),
    ("values of terms", values_of_terms),
    ("values of variables nobody mentions", unmentioned_variables),
    ("no value without a model", no_model),
    ("arithmetic", arithmetic),
    ("division by zero", division_by_zero),
    ("disjunctions and nested conjunctions", connectives),
];

fn nothing_asserted(stage: &mut Stage) -> Result<(), String> {
    stage.sat(&[], &[])?;
    ensure(stage.solver.failed().is_empty(), || "failed assumptions after sat".to_owned())
}

fn constant_assertions(stage: &mut Stage) -> Result<(), String> {
    let (yes, no) = (stage.arena.mk_true(), stage.arena.mk_false());
    stage.assert(yes);
    stage.sat(&[], &[])?;
    stage.assert(no);
    stage.unsat(&[], &[])?;
    stage.unsat(&[], &[stage.p])?;
    ensure(stage.solver.failed().is_empty(), || "an assumption is blamed for an asserted `false`".to_owned())
}

fn constant_assumptions(stage: &mut Stage) -> Result<(), String> {
    let (yes, no) = (stage.arena.mk_true(), stage.arena.mk_false());
    stage.sat(&[], &[yes, stage.p])?;
    stage.unsat(&[], &[stage.p, no, yes])?;
    ensure(stage.solver.failed() == [no], || format!("failed is {:?}", stage.solver.failed()))?;
    stage.sat(&[], &[yes])
}

fn assertions_hold(stage: &mut Stage) -> Result<(), String> {
    let either = stage.arena.or(&[stage.p, stage.q]);
    let not_p = stage.not(stage.p);
    let three = stage.is(stage.x, 3);
    for term in [either, not_p, three] {
        stage.assert(term);
    }
    stage.sat(&[], &[])?;
    for term in [either, not_p, three, stage.q] {
        stage.holds(term)?;
    }
    stage.holds_value(stage.x, 3)
}

fn contradiction(stage: &mut Stage) -> Result<(), String> {
    let not_p = stage.not(stage.p);
    stage.assert(stage.p);
    stage.assert(not_p);
    stage.unsat(&[], &[stage.q, stage.r])?;
    ensure(stage.solver.failed().is_empty(), || "assumptions are blamed".to_owned())?;
    stage.unsat(&[], &[])
}

fn small_core(stage: &mut Stage) -> Result<(), String> {
    let not_q = stage.not(stage.q);
    let implied = stage.arena.implies(stage.p, stage.q);
    stage.assert(implied);
    let irrelevant = stage.is(stage.x, 7);
    stage.unsat(&[], &[irrelevant, not_q, stage.r, stage.p])?;
    ensure(stage.solver.failed() == [not_q, stage.p], || {
        format!("failed is {:?}, expected {:?}", stage.solver.failed(), [not_q, stage.p])
    })
}

fn contradictory_assumptions(stage: &mut Stage) -> Result<(), String> {
    let not_p = stage.not(stage.p);
    stage.unsat(&[], &[stage.q, stage.p, stage.r, not_p])?;
    ensure(stage.solver.failed() == [stage.p, not_p], || format!("failed is {:?}", stage.solver.failed()))?;
    let (three, four) = (stage.is(stage.x, 3), stage.is(stage.x, 4));
    stage.unsat(&[], &[three, stage.q, four])?;
    ensure(stage.solver.failed() == [three, four], || format!("failed is {:?}", stage.solver.failed()))?;
    stage.sat(&[], &[stage.p, three])
}

fn duplicate_assumptions(stage: &mut Stage) -> Result<(), String> {
    let not_p = stage.not(stage.p);
    stage.sat(&[], &[stage.p, stage.q, stage.p, stage.p])?;
    stage.unsat(&[], &[stage.p, stage.q, stage.p, not_p, not_p])?;
    ensure(stage.solver.failed() == [stage.p, not_p], || {
        format!("failed is {:?}, expected each assumption once", stage.solver.failed())
    })
}

fn disguised_duplicates(stage: &mut Stage) -> Result<(), String> {
    // The same in meaning; the arena may or may not know.
    let (one, two) = (stage.arena.bv(8, 1), stage.arena.bv(8, 2));
    let sum = stage.arena.bv_add(stage.x, stage.x);
    let shifted = stage.arena.bv_shl(stage.x, one);
    let product = stage.arena.bv_mul(stage.x, two);
    let terms = [sum, shifted, product].map(|term| stage.is(term, 6));
    stage.sat(&[], &terms)?;
    let odd = stage.is(stage.x, 4);
    stage.unsat(&[], &[terms[0], terms[1], terms[2], odd])
}

fn values_of_terms(stage: &mut Stage) -> Result<(), String> {
    let (five, nine) = (stage.is(stage.x, 5), stage.is(stage.y, 9));
    stage.assert(five);
    stage.sat(&[], &[nine])?;
    let sum = stage.arena.bv_add(stage.x, stage.y);
    let product = stage.arena.bv_mul(stage.x, stage.y);
    let less = stage.arena.bv_ult(stage.x, stage.y);
    stage.holds_value(sum, 14)?;
    stage.holds_value(product, 45)?;
    stage.holds(less)?;
    stage.holds(nine)?;
    stage.sat(&[], &[])?;
    stage.holds_value(stage.x, 5)
}

fn unmentioned_variables(stage: &mut Stage) -> Result<(), String> {
    stage.assert(stage.p);
    stage.sat(&[], &[])?;
    stage.holds_value(stage.y, 0)?;
    let value = stage.value(stage.q)?;
    ensure(value == Value::Bool(false), || format!("an unmentioned Boolean is {value:?}"))
}

fn no_model(stage: &mut Stage) -> Result<(), String> {
    let before = stage.solver.value(&stage.arena, stage.p);
    ensure(before.is_err(), || format!("{before:?} is a value before any check"))?;
    let not_p = stage.not(stage.p);
    stage.unsat(&[], &[stage.p, not_p])?;
    let after = stage.solver.value(&stage.arena, stage.p);
    ensure(after.is_err(), || format!("{after:?} is a value after unsat"))
}

fn arithmetic(stage: &mut Stage) -> Result<(), String> {
    let (three, limit) = (stage.arena.bv(8, 3), stage.arena.bv(8, 10));
    let product = stage.arena.bv_mul(stage.x, three);
    let same = stage.arena.eq(product, stage.y);
    let small = stage.arena.bv_ult(stage.x, limit);
    stage.assert(same);
    stage.assert(small);
    let twelve = stage.is(stage.y, 12);
    stage.sat(&[], &[twelve])?;
    stage.holds_value(stage.x, 4)?;
    let thirteen = stage.is(stage.y, 13);
    stage.unsat(&[], &[thirteen])
}

fn division_by_zero(stage: &mut Stage) -> Result<(), String> {
    let (quotient, remainder) =
        (stage.arena.bv_udiv(stage.x, stage.y), stage.arena.bv_urem(stage.x, stage.y));
    let zero = stage.is(stage.y, 0);
    let (ones, dividend) = (stage.is(quotient, 255), stage.arena.eq(remainder, stage.x));
    let (not_ones, not_dividend) = (stage.not(ones), stage.not(dividend));
    stage.sat(&[], &[zero, ones, dividend])?;
    stage.unsat(&[], &[zero, not_ones])?;
    stage.unsat(&[], &[zero, not_dividend])
}

fn connectives(stage: &mut Stage) -> Result<(), String> {
    let (not_q, not_r) = (stage.not(stage.q), stage.not(stage.r));
    let inner = stage.arena.or(&[not_q, stage.r]);
    let both = stage.arena.and(&[stage.p, inner]);
    let nested = stage.arena.or(&[both, not_r]);
    let shared = stage.arena.and(&[nested, inner]);
    stage.assert(shared);
    stage.sat(&[], &[stage.q])?;
    stage.holds(shared)?;
    stage.holds(stage.r)?;
    stage.holds(stage.p)?;
    let not_p = stage.not(stage.p);
    stage.unsat(&[], &[stage.q, not_p])
}
