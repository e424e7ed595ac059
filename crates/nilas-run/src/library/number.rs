//! Numbers in texts: `atoi`, `strtol`, `strtod` and kin.

use super::{Call, Native, ctype};
use crate::float;
use crate::machine::{Eval, Machine};
use crate::value::{Pointer, Shape, Value};
use nilas_c::types::FloatKind;

/// `errno` where a result is out of range.
const ERANGE: i128 = 34;
/// `errno` where an argument makes no sense.
const EINVAL: i128 = 22;

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "atoi" | "atol" | "atoll" => atoi,
        "strtol" | "strtoul" | "strtoll" | "strtoull" => |m, c| strtol(m, c, false),
        "__isoc23_strtol" | "__isoc23_strtoul" | "__isoc23_strtoll" | "__isoc23_strtoull" => {
            |m, c| strtol(m, c, true)
        }
        "atof" | "strtod" | "strtof" | "strtold" => strtod,
        "__errno_location" => errno_location,
        _ => return None,
    })
}

/// An integer at the start of a text.
pub(super) struct Scanned {
    /// How many bytes it takes; 0 if there is none.
    pub(super) length: usize,
    pub(super) negative: bool,
    pub(super) magnitude: u128,
}

/// Reads an integer as `strtol` does, behind white space.
pub(super) fn scan_integer(text: &[u8], base: u32, binary: bool) -> Scanned {
    let space = text.iter().take_while(|&&byte| ctype::is_space(byte)).count();
    let mut at = space;
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |at: usize, base: u32| text.get(at).and_then(|&byte| char::from(byte).to_digit(base));
    let prefixed = |letter: u8, base: u32| {
        text.get(at) == Some(&b'0')
            && text.get(at + 1).is_some_and(|byte| byte.to_ascii_lowercase() == letter)
            && digit(at + 2, base).is_some()
    };
    let base = match base {
        0 | 16 if prefixed(b'x', 16) => {
            at += 2;
            16
        }
        0 | 2 if binary && prefixed(b'b', 2) => {
            at += 2;
            2
        }
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    let first = at;
    let mut magnitude: u128 = 0;
    while let Some(value) = digit(at, base) {
        magnitude = magnitude.saturating_mul(u128::from(base)).saturating_add(u128::from(value));
        at += 1;
    }
    Scanned { length: if at == first { 0 } else { at }, negative, magnitude }
}

fn atoi(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    let Scanned { negative, magnitude, .. } = scan_integer(&text, 10, false);
    // As glibc does: `strtol`, cut to the type.
    let long = if call.row.base == "atoll" { 64 } else { machine.pointer_bits() };
    let (low, high) = (-(1_i128 << (long - 1)), (1_i128 << (long - 1)) - 1);
    let number = i128::try_from(magnitude).unwrap_or(i128::MAX);
    let number = if negative { -number } else { number };
    Ok(machine.number(call, number.clamp(low, high)))
}

fn strtol(machine: &mut Machine<'_>, call: &Call<'_>, binary: bool) -> Eval<Value> {
    let start = call.pointer(0);
    let text = machine.c_string(start, u64::MAX)?;
    let Ok(base @ (0 | 2..=36)) = u32::try_from(call.int(2)) else {
        machine.set_errno(EINVAL)?;
        return Ok(machine.number(call, 0));
    };
    let Scanned { length, negative, magnitude } = scan_integer(&text, base, binary);
    machine.set_end(call.pointer(1), start, length)?;
    let Shape::Int { size, signed } = machine.shape(call.result) else {
        return machine.unsupported("`strtol` of this type");
    };
    let bits = u32::from(size) * 8;
    let number = i128::try_from(magnitude).unwrap_or(i128::MAX);
    let (low, high) = if signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    // An unsigned number is negated in its type.
    let (number, fits) = if signed {
        let number = if negative { -number } else { number };
        (number.clamp(low, high), (low..=high).contains(&number))
    } else if number > high {
        (high, false)
    } else {
        (if negative { -number } else { number }, true)
    };
    if !fits {
        machine.set_errno(ERANGE)?;
    }
    Ok(machine.number(call, number))
}

/// How many bytes at the start of a text are a floating number, and that number.
pub(super) fn scan_float(kind: FloatKind, text: &[u8], rounding: float::Rounding) -> Option<(usize, u128)> {
    let mut at = text.iter().take_while(|&&byte| ctype::is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let sign = if negative { float::sign_bit(kind) } else { 0 };
    let starts = |word: &[u8]| text.get(at..at + word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word));
    if starts(b"infinity") {
        return Some((at + 8, float::infinity(kind) | sign));
    }
    if starts(b"inf") {
        return Some((at + 3, float::infinity(kind) | sign));
    }
    if starts(b"nan") {
        let nan = float::default_nan(kind) & !float::sign_bit(kind);
        let end = match text.get(at + 3) {
            Some(b'(') => text[at + 4..].iter().position(|&byte| byte == b')').map_or(3, |length| 5 + length),
            _ => 3,
        };
        return Some((at + end, nan | sign));
    }
    let hexadecimal = starts(b"0x");
    let start = at;
    let is_digit = |byte: u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    if hexadecimal {
        at += 2;
    }
    let (mut digits, mut point) = (0, false);
    while let Some(&byte) = text.get(at) {
        if is_digit(byte) {
            digits += 1;
        } else if byte == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    if digits == 0 {
        // `0x` without digits is the number 0.
        return hexadecimal.then_some((start + 1, sign));
    }
    let mut number = String::from_utf8_lossy(&text[start..at]).into_owned();
    let letter = if hexadecimal { b'p' } else { b'e' };
    if text.get(at).is_some_and(|byte| byte.to_ascii_lowercase() == letter) {
        let mut end = at + 1;
        if matches!(text.get(end), Some(b'-' | b'+')) {
            end += 1;
        }
        let first = end;
        while text.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        if end > first {
            let exponent: i64 = String::from_utf8_lossy(&text[at + 1..end]).parse().unwrap_or(1 << 30);
            number.push(char::from(letter));
            number += &exponent.clamp(-200_000, 200_000).to_string();
            at = end;
        }
    }
    if hexadecimal && !number.contains('p') {
        number += "p0";
    }
    let bits = float::parse(kind, &number, rounding)?;
    Some((at, bits | sign))
}

fn strtod(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let start = call.pointer(0);
    let text = machine.c_string(start, u64::MAX)?;
    let Shape::Float(kind) = machine.shape(call.result) else {
        return machine.unsupported("`strtod` of this type");
    };
    let found = scan_float(kind, &text, machine.rounding);
    let (length, bits) = found.unwrap_or((0, 0));
    if call.row.base != "atof" {
        machine.set_end(call.pointer(1), start, length)?;
    }
    let written = text[..length].iter().any(|byte| (b'1'..=b'9').contains(byte));
    let extreme = float::is_infinite(kind, bits) || (float::is_zero(kind, bits) && written);
    let word = text[..length].iter().any(|byte| byte.eq_ignore_ascii_case(&b'n'));
    if extreme && !word {
        machine.set_errno(ERANGE)?;
    }
    Ok(Value::Float(bits))
}

fn errno_location(machine: &mut Machine<'_>, _: &Call<'_>) -> Eval<Value> {
    let id = machine.errno()?;
    Ok(Value::Pointer(machine.memory.pointer_to(id)))
}

impl Machine<'_> {
    /// The object of `errno`.
    fn errno(&mut self) -> Eval<crate::memory::AllocationId> {
        match self.text_object("__nilas_errno") {
            Some(id) => Ok(id),
            None => self.shared_object("errno", &[0; 4]),
        }
    }

    pub(super) fn set_errno(&mut self, number: i128) -> Eval<()> {
        let id = self.errno()?;
        if let Some(allocation) = self.memory.get_mut(id) {
            allocation.set_number(0, 4, number.cast_unsigned());
        }
        Ok(())
    }

    /// Stores where the text behind a number begins, unless nobody asks.
    fn set_end(&mut self, to: Pointer, start: Pointer, length: usize) -> Eval<()> {
        if to.is_null() {
            return Ok(());
        }
        let size = self.pointer_size();
        let end = Pointer { address: start.address.wrapping_add(length as u64), ..start };
        match self.memory.resolve_write(to, size as u64) {
            Ok((id, offset)) => {
                if let Some(allocation) = self.memory.get_mut(id) {
                    allocation.set_pointer(offset, size, end);
                }
                Ok(())
            }
            Err(fault) => self.fault(fault, to, size as u64, true),
        }
    }
}
