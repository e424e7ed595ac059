//! Functions of GCC about bits, and a few more builtins.

use super::{Call, Native};
use crate::choice::ChoiceKind;
use crate::float::Rounding;
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value, wrap};
use nilas_c::catalogue::{Meaning, Model};

pub(super) fn native(base: &str) -> Option<Native> {
    let row = nilas_c::catalogue::row(base)?;
    let Model::Lowering(meaning) = row.model else {
        return match base {
            "__builtin_prefetch" | "__builtin___clear_cache" => Some(|_, _| Ok(Value::Void)),
            _ => None,
        };
    };
    Some(match meaning {
        Meaning::PopulationCount => |m, c| count(m, c, |n, _| Some(n.count_ones())),
        Meaning::Parity => |m, c| count(m, c, |n, _| Some(n.count_ones() % 2)),
        Meaning::LeadingZeros => |m, c| count(m, c, |n, w| (n != 0).then(|| n.leading_zeros() - (128 - w))),
        Meaning::TrailingZeros => |m, c| count(m, c, |n, _| (n != 0).then(|| n.trailing_zeros())),
        Meaning::FindFirstSet => {
            |m, c| count(m, c, |n, _| Some(if n == 0 { 0 } else { n.trailing_zeros() + 1 }))
        }
        Meaning::LeadingSigns => |m, c| {
            count(m, c, |n, w| {
                let sign = wrap(n.cast_signed(), w, true);
                let folded = if sign < 0 { !sign } else { sign };
                Some(folded.leading_zeros() - (128 - w) - 1)
            })
        },
        Meaning::SwapBytes => swap,
        Meaning::First => |_, c| Ok(c.value(0).clone()),
        Meaning::Absolute => absolute,
        Meaning::SetRounding => set_rounding,
        Meaning::GetRounding => |m, c| {
            let mode = match m.rounding {
                Rounding::Nearest => 0,
                Rounding::Down => 0x400,
                Rounding::Up => 0x800,
                Rounding::Zero => 0xc00,
            };
            Ok(m.number(c, mode))
        },
        Meaning::FloatRounds => |m, c| {
            let mode = match m.rounding {
                Rounding::Zero => 0,
                Rounding::Nearest => 1,
                Rounding::Up => 2,
                Rounding::Down => 3,
            };
            Ok(m.number(c, mode))
        },
        Meaning::ObjectSize => object_size,
        _ => return None,
    })
}

/// The width of the argument of a builtin, by the letter of its row.
fn argument_width(machine: &Machine<'_>, call: &Call<'_>) -> u32 {
    match call.arguments.first().map(|(ty, _)| machine.shape(*ty)) {
        Some(Shape::Int { size, .. }) => u32::from(size) * 8,
        _ => 32,
    }
}

fn count(machine: &mut Machine<'_>, call: &Call<'_>, count: fn(u128, u32) -> Option<u32>) -> Eval<Value> {
    let width = argument_width(machine, call);
    let number = wrap(call.int(0), width, false).cast_unsigned();
    match count(number, width) {
        Some(count) => Ok(machine.number(call, i128::from(count))),
        None => {
            // GCC leaves the result open, not what the program does.
            let sentence = format!("`{}` of zero", call.name);
            machine.lenient(UndefinedKind::OpenResult, |_| sentence, None)?;
            let (kind, name) = (ChoiceKind::UnknownResult, call.name.to_owned());
            machine.choose_value(kind, call.span, || name, call.result, None)
        }
    }
}

fn swap(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let bytes = match machine.shape(call.result) {
        Shape::Int { size, .. } => usize::from(size),
        _ => 4,
    };
    let mut number = call.int(0).to_le_bytes();
    number[..bytes].reverse();
    Ok(machine.number(call, i128::from_le_bytes(number)))
}

fn absolute(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let result = machine.number(call, call.int(0).abs());
    if result.int() < 0 && machine.seeks(UndefinedKind::SignedOverflow) {
        let sentence = format!("`{}` of the smallest number", call.name);
        return machine.undefined(UndefinedKind::SignedOverflow, sentence, None);
    }
    Ok(result)
}

fn set_rounding(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    if matches!(call.int(0), 0x400 | 0x800 | 0xc00) && machine.program.folded_floats().contains(&true) {
        return machine.unsupported("constant expressions in another rounding mode");
    }
    machine.rounding = match call.int(0) {
        0 => Rounding::Nearest,
        0x400 => Rounding::Down,
        0x800 => Rounding::Up,
        0xc00 => Rounding::Zero,
        _ => return Ok(machine.number(call, 1)),
    };
    Ok(machine.number(call, 0))
}

/// GCC knows the size of a variable by its name, and of other objects what it finds out.
fn object_size(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.unsupported(format!("`{}`: what GCC knows of an object", call.name))
}
