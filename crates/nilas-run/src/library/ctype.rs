//! `ctype.h` in the C locale. A class that holds is the bit that glibc gives.

use super::{Call, Native};
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::Value;

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "isupper" => |m, c| class(m, c, 256, |b| b.is_ascii_uppercase()),
        "islower" => |m, c| class(m, c, 512, |b| b.is_ascii_lowercase()),
        "isalpha" => |m, c| class(m, c, 1024, |b| b.is_ascii_alphabetic()),
        "isdigit" => |m, c| class(m, c, 2048, |b| b.is_ascii_digit()),
        "isxdigit" => |m, c| class(m, c, 4096, |b| b.is_ascii_hexdigit()),
        "isspace" => |m, c| class(m, c, 8192, is_space),
        "isprint" => |m, c| class(m, c, 16384, |b| (b' '..=b'~').contains(&b)),
        "isgraph" => |m, c| class(m, c, 32768, |b| b.is_ascii_graphic()),
        "isblank" => |m, c| class(m, c, 1, |b| b == b' ' || b == b'\t'),
        "iscntrl" => |m, c| class(m, c, 2, |b| b.is_ascii_control()),
        "ispunct" => |m, c| class(m, c, 4, |b| b.is_ascii_punctuation()),
        "isalnum" => |m, c| class(m, c, 8, |b| b.is_ascii_alphanumeric()),
        "tolower" => |m, c| change(m, c, |b| b.to_ascii_lowercase()),
        "toupper" => |m, c| change(m, c, |b| b.to_ascii_uppercase()),
        "isascii" => |m, c| {
            let value = i128::from((0..128).contains(&c.int(0)));
            m.open_number(c, value, &[1], |a, b| (a == 0) == (b == 0))
        },
        "toascii" => |m, c| Ok(m.number(c, c.int(0) & 0x7f)),
        _ => return None,
    })
}

/// White space of the C locale.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The argument is an `unsigned char` or `EOF` (7.4p1). As in glibc, negative numbers of `char` are
/// characters of no class.
fn class(machine: &mut Machine<'_>, call: &Call<'_>, bit: i128, holds: fn(u8) -> bool) -> Eval<Value> {
    let holds = argument(machine, call)?.is_some_and(holds);
    machine.open_number(call, if holds { bit } else { 0 }, &[bit], |a, b| (a == 0) == (b == 0))
}

fn change(machine: &mut Machine<'_>, call: &Call<'_>, new: fn(u8) -> u8) -> Eval<Value> {
    Ok(match argument(machine, call)? {
        Some(byte) => machine.number(call, i128::from(new(byte))),
        // glibc's tables have the same for a `char` and the `unsigned char` of its bits.
        None => machine.number(call, if call.int(0) == -1 { -1 } else { call.int(0) + 256 }),
    })
}

fn argument(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Option<u8>> {
    let number = call.int(0);
    if !(-128..256).contains(&number) {
        let sentence = format!("`{}` of {number}, which is no character", call.name);
        return machine.undefined(UndefinedKind::LibraryArgument, sentence, None);
    }
    Ok(u8::try_from(number).ok())
}
