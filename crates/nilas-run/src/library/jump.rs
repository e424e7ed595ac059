//! `setjmp` and `longjmp`.
//!
//! `setjmp` may stand in a few places only (7.13.1.1p4): as a statement, or in the condition of one, compared
//! with a constant. So coming back to it means executing its statement again, with `setjmp` giving the other
//! value.

use super::{Call, Native};
use crate::machine::{Eval, Flow, Machine, Stop};
use crate::undefined::UndefinedKind;
use crate::value::Value;
use nilas_c::tree::{ExprId, StmtId};

/// What `setjmp` keeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Buffer {
    frame: u64,
    statement: StmtId,
    call: ExprId,
    mark: (usize, u64),
}

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "setjmp" | "sigsetjmp" => set,
        "longjmp" | "siglongjmp" => jump,
        _ => return None,
    })
}

fn set(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let key = i128::from(call.pointer(0).address);
    let mark = machine.memory.mark();
    let Some(frame) = machine.frames.last_mut() else { return machine.unsupported("`setjmp` here") };
    let (Some(statement), Some(expr)) = (frame.statement, call.expr) else {
        return machine.unsupported("`setjmp` here");
    };
    if let Some((resumed, value)) = frame.resumed
        && resumed == expr
    {
        frame.resumed = None;
        return Ok(Value::Int(value));
    }
    let buffer = Buffer { frame: frame.serial, statement, call: expr, mark };
    machine.library.jumps.insert(key, buffer);
    Ok(Value::Int(0))
}

fn jump(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let key = i128::from(call.pointer(0).address);
    let Some(&Buffer { frame, statement, call: expr, mark }) = machine.library.jumps.get(&key) else {
        return machine.undefined(
            UndefinedKind::JumpOutOfScope,
            "`longjmp` with a buffer that was not set",
            None,
        );
    };
    if !machine.frames.iter().any(|it| it.serial == frame) {
        let sentence = "`longjmp` to a function that has returned";
        return machine.undefined(UndefinedKind::JumpOutOfScope, sentence, None);
    }
    let value = if call.int(1) == 0 { 1 } else { call.int(1) };
    Err(Box::new(Stop::Jump(Flow::LongJump { frame, statement, call: expr, value, mark })))
}
