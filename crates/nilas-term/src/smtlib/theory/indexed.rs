//! Symbols with indices: `(_ name index…)`.

use super::floats::{special_float, to_fp};
use super::{Made, exactly, make};
use crate::arena::Arena;
use crate::bitvec::BitVec;
use crate::op::Op;
use crate::sorting::{MAX_WIDTH, format_limit};
use crate::term::Term;
use crate::value::Value;

pub(super) fn indexed(arena: &mut Arena, name: &str, indices: &[u32], arguments: &[Term]) -> Option<Made> {
    Some(match (name, indices) {
        ("extract", [hi, lo]) => make(arena, Op::Extract { hi: *hi, lo: *lo }, arguments),
        ("zero_extend", [by]) => make(arena, Op::ZeroExtend(*by), arguments),
        ("sign_extend", [by]) => make(arena, Op::SignExtend(*by), arguments),
        ("rotate_left" | "rotate_right" | "repeat", [by]) => exactly(arguments, 1).and_then(|()| {
            make(arena, Op::BvNot, arguments)?;
            let width = arena.width(arguments[0]);
            match name {
                "rotate_left" => Ok(arena.bv_rotate_left(arguments[0], *by)),
                "rotate_right" => Ok(arena.bv_rotate_right(arguments[0], *by)),
                _ if *by == 0 => Err("at least one copy expected".to_owned()),
                _ if u64::from(width) * u64::from(*by) > u64::from(MAX_WIDTH) => {
                    Err(format!("bit-vectors have at most {MAX_WIDTH} bits"))
                }
                _ => Ok(arena.bv_repeat(arguments[0], *by)),
            }
        }),
        ("divisible", [by]) if *by > 0 => make(arena, Op::Divisible(*by), arguments),
        ("to_fp", [e, s]) => to_fp(arena, *e, *s, arguments),
        ("to_fp_unsigned", [e, s]) => make(arena, Op::FpFromUnsigned(*e, *s), arguments),
        ("fp.to_ubv", [width]) => make(arena, Op::FpToUnsigned(*width), arguments),
        ("fp.to_sbv", [width]) => make(arena, Op::FpToSigned(*width), arguments),
        ("+oo" | "-oo" | "NaN" | "+zero" | "-zero", [e, s]) => exactly(arguments, 0)
            .and_then(|()| format_limit(*e, *s).map_err(|error| error.message))
            .map(|_| arena.constant(special_float(name, *e, *s))),
        (_, [width]) if name.starts_with("bv") && name[2..].starts_with(|c: char| c.is_ascii_digit()) => {
            exactly(arguments, 0).and_then(|()| {
                if !(1..=MAX_WIDTH).contains(width) {
                    return Err(format!("bit-vectors have between 1 and {MAX_WIDTH} bits"));
                }
                let value = BitVec::parse(*width, &name[2..], 10);
                let value = value.ok_or_else(|| format!("no such constant of {width} bits"))?;
                Ok(arena.constant(Value::BitVec(value)))
            })
        }
        _ => return None,
    })
}
