//! Functions of verification benchmarks, and what `assert` expands to.

use super::{Call, Native};
use crate::choice::ChoiceKind;
use crate::end::{End, ErrorKind};
use crate::machine::{Eval, Machine, finish};
use crate::value::Value;
use nilas_c::catalogue;

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "__VERIFIER_assume" | "__CPROVER_assume" | "klee_assume" => assume,
        "__VERIFIER_assert" | "__CPROVER_assert" => assert,
        "__assert_fail" | "__assert" => assert_fail,
        "__assert_perror_fail" => perror_fail,
        "__nilas_any_int"
        | "__nilas_any_char"
        | "__nilas_any_size"
        | "__nilas_any_long"
        | "__nilas_any_double"
        | "__nilas_any_float"
        | "__nilas_any_long_double" => any,
        "__nilas_not_covered" => not_covered,
        _ => return None,
    })
}

pub(super) fn reach_error(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.error(ErrorKind::Reached(call.name.to_owned()))
}

fn assume(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    if call.int(0) != 0 {
        return Ok(Value::Void);
    }
    finish(End::Assumed { place: machine.place(call.span) })
}

fn assert(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    if call.int(0) != 0 {
        return Ok(Value::Void);
    }
    let text = machine.program.sources.expression(call.span);
    machine.assertion(text)
}

fn assert_fail(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    // The texts of some systems come in another order; what is no string is not shown.
    let text =
        if call.pointer(0).is_null() { Vec::new() } else { machine.c_string(call.pointer(0), 1000)? };
    machine.assertion(String::from_utf8_lossy(&text).into_owned())
}

fn perror_fail(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.assertion(format!("error {}", call.int(0)))
}

/// What the texts of the catalogue leave open: an input, unless the arguments of the function fix it.
fn any(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let functions = machine.frames.iter().rev().map(|frame| &machine.program.functions[frame.function].name);
    let row = functions.filter_map(|name| catalogue::row(name).filter(|row| row.name != *name)).next();
    if let Some(row) = row.filter(|row| row.determined) {
        return machine.unsupported(format!("`{}`: a result that is not computed", row.name));
    }
    let name = call.name.to_owned();
    let shape = machine.shape(call.result);
    let usual = machine.library.usual.pop_front().unwrap_or(0);
    let Some(ty) = machine.choice_type(shape, None) else {
        return machine.unsupported("an open value of this type");
    };
    let number = machine.choose(ChoiceKind::UnknownResult, call.span, || name, ty, usual)?;
    Ok(machine.chosen(shape, number))
}

fn not_covered(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let what = machine.c_string(call.pointer(0), 1000)?;
    machine.unsupported(String::from_utf8_lossy(&what).into_owned())
}
