//! `string.h` and `strings.h` in the C locale. Copies keep what is known about the bytes: parts of pointers
//! stay such.

use super::{Call, Native};
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Bytes, Pointer, Value};

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "strlen" => |m, c| length(m, c, u64::MAX),
        "strnlen" => |m, c| length(m, c, c.size(1)),
        "memcpy" | "__memcpy_chk" => |m, c| copy(m, c, false, false),
        "mempcpy" | "__mempcpy_chk" => |m, c| copy(m, c, false, true),
        "memmove" | "__memmove_chk" => |m, c| copy(m, c, true, false),
        "bcopy" => bcopy,
        "memset" | "__memset_chk" => |m, c| fill(m, c.pointer(0), c.int(1), c.size(2)),
        "bzero" => |m, c| fill(m, c.pointer(0), 0, c.size(1)).map(|_| Value::Void),
        "strcpy" | "__strcpy_chk" => |m, c| string_copy(m, c, false),
        "stpcpy" | "__stpcpy_chk" => |m, c| string_copy(m, c, true),
        "strncpy" | "__strncpy_chk" => |m, c| padded_copy(m, c, false),
        "stpncpy" => |m, c| padded_copy(m, c, true),
        "strcat" | "__strcat_chk" => |m, c| append(m, c, u64::MAX),
        "strncat" | "__strncat_chk" => |m, c| append(m, c, c.size(2)),
        "strcmp" | "strcoll" => |m, c| compare_strings(m, c, u64::MAX, false),
        "strncmp" => |m, c| compare_strings(m, c, c.size(2), false),
        "strcasecmp" => |m, c| compare_strings(m, c, u64::MAX, true),
        "strncasecmp" => |m, c| compare_strings(m, c, c.size(2), true),
        "memcmp" => compare_memory,
        "strchr" => |m, c| find_byte(m, c, false),
        "strchrnul" => |m, c| find_byte(m, c, true),
        "strrchr" => find_last_byte,
        "memchr" => |m, c| find_in_memory(m, c, c.size(2)),
        "rawmemchr" => |m, c| find_in_memory(m, c, u64::MAX),
        "memrchr" => find_last_in_memory,
        "strstr" => |m, c| find_string(m, c, false),
        "strcasestr" => |m, c| find_string(m, c, true),
        "strspn" => |m, c| span(m, c, true),
        "strcspn" => |m, c| span(m, c, false),
        "strpbrk" => find_any,
        "strtok" => token,
        "strtok_r" => token_reentrant,
        "strdup" => |m, c| duplicate(m, c, u64::MAX),
        "strndup" => |m, c| duplicate(m, c, c.size(1)),
        _ => return None,
    })
}

fn length(machine: &mut Machine<'_>, call: &Call<'_>, most: u64) -> Eval<Value> {
    let length = machine.c_string(call.pointer(0), most)?.len();
    Ok(machine.number(call, length as i128))
}

fn at(pointer: Pointer, offset: u64) -> Pointer {
    Pointer { address: pointer.address.wrapping_add(offset), ..pointer }
}

fn copy(machine: &mut Machine<'_>, call: &Call<'_>, may_overlap: bool, end: bool) -> Eval<Value> {
    let (to, from, size) = (call.pointer(0), call.pointer(1), call.size(2));
    transfer(machine, to, from, size, may_overlap)?;
    Ok(if end { Machine::shifted(to, size) } else { Value::Pointer(to) })
}

fn transfer(machine: &mut Machine<'_>, to: Pointer, from: Pointer, size: u64, may_overlap: bool) -> Eval<()> {
    if size == 0 {
        return Ok(());
    }
    machine.steps += size / 16;
    machine.step()?;
    let bytes = machine.read_bytes(from, size)?;
    let distance = to.address.abs_diff(from.address);
    // A copy onto itself is what compilers make of assignments.
    if !may_overlap && distance != 0 && distance < size {
        let object = machine.describe_pointer(to);
        let sentence = format!("source and target of a copy of {size} bytes lie {distance} bytes apart");
        machine.lenient(UndefinedKind::OverlappingCopy, |_| sentence, object)?;
    }
    machine.write_bytes(to, &bytes)
}

fn bcopy(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    transfer(machine, call.pointer(1), call.pointer(0), call.size(2), true)?;
    Ok(Value::Void)
}

fn fill(machine: &mut Machine<'_>, to: Pointer, byte: i128, size: u64) -> Eval<Value> {
    if size > 0 {
        machine.steps += size / 16;
        machine.step()?;
        if let Err(fault) = machine.memory.resolve_write(to, size) {
            return machine.fault(fault, to, size, true);
        }
        let bytes = vec![byte.to_le_bytes()[0]; usize::try_from(size).unwrap_or(0)];
        machine.put_bytes(to, &bytes)?;
    }
    Ok(Value::Pointer(to))
}

/// The bytes of a string with its end, with all that is known about them.
fn whole_string(machine: &mut Machine<'_>, from: Pointer) -> Eval<Bytes> {
    let length = machine.c_string(from, u64::MAX)?.len() as u64;
    machine.read_bytes(from, length + 1)
}

fn string_copy(machine: &mut Machine<'_>, call: &Call<'_>, end: bool) -> Eval<Value> {
    let (to, from) = (call.pointer(0), call.pointer(1));
    let bytes = whole_string(machine, from)?;
    let size = bytes.data.len() as u64;
    overlap(machine, to, from, size)?;
    machine.write_bytes(to, &bytes)?;
    Ok(if end { Machine::shifted(to, size - 1) } else { Value::Pointer(to) })
}

fn overlap(machine: &mut Machine<'_>, to: Pointer, from: Pointer, size: u64) -> Eval<()> {
    if to.address.abs_diff(from.address) >= size {
        return Ok(());
    }
    let object = machine.describe_pointer(to);
    let sentence = "source and target of a copy of a string overlap".to_owned();
    machine.lenient(UndefinedKind::OverlappingCopy, |_| sentence, object)
}

fn padded_copy(machine: &mut Machine<'_>, call: &Call<'_>, end: bool) -> Eval<Value> {
    let (to, size) = (call.pointer(0), call.size(2));
    let mut text = machine.c_string(call.pointer(1), size)?;
    let length = text.len() as u64;
    if let Err(fault) = machine.memory.resolve_write(to, size)
        && size > 0
    {
        return machine.fault(fault, to, size, true);
    }
    text.resize(usize::try_from(size).unwrap_or(0), 0);
    machine.put_bytes(to, &text)?;
    Ok(if end { Machine::shifted(to, length) } else { Value::Pointer(to) })
}

fn append(machine: &mut Machine<'_>, call: &Call<'_>, most: u64) -> Eval<Value> {
    let to = call.pointer(0);
    let mut text = machine.c_string(call.pointer(1), most)?;
    text.push(0);
    let old = machine.c_string(to, u64::MAX)?.len() as u64;
    machine.put_bytes(at(to, old), &text)?;
    Ok(Value::Pointer(to))
}

/// The difference of the first bytes that differ, as glibc gives it.
fn compare_strings(machine: &mut Machine<'_>, call: &Call<'_>, most: u64, fold: bool) -> Eval<Value> {
    let (left, right) = (call.pointer(0), call.pointer(1));
    let mut offset = 0;
    while offset < most {
        machine.step()?;
        let (mut a, mut b) = (machine.byte_at(left, offset)?, machine.byte_at(right, offset)?);
        if fold {
            (a, b) = (a.to_ascii_lowercase(), b.to_ascii_lowercase());
        }
        if a != b {
            return difference(machine, call, a, b);
        }
        if a == 0 {
            break;
        }
        offset += 1;
    }
    difference(machine, call, 0, 0)
}

fn compare_memory(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (left, right) = (call.pointer(0), call.pointer(1));
    // Both objects must have all bytes, also behind the first difference.
    for pointer in [left, right] {
        if call.size(2) > 0
            && let Err(fault) = machine.memory.resolve(pointer, call.size(2))
        {
            return machine.fault(fault, pointer, call.size(2), false);
        }
    }
    for offset in 0..call.size(2) {
        machine.step()?;
        let (a, b) = (machine.byte_at(left, offset)?, machine.byte_at(right, offset)?);
        if a != b {
            return difference(machine, call, a, b);
        }
    }
    difference(machine, call, 0, 0)
}

/// Only the sign of the result is fixed.
fn difference(machine: &mut Machine<'_>, call: &Call<'_>, a: u8, b: u8) -> Eval<Value> {
    let difference = i128::from(a) - i128::from(b);
    machine.open_number(call, difference, &[difference, difference], |a, b| a.signum() == b.signum())
}

fn null() -> Value {
    Value::Pointer(Pointer::NULL)
}

fn wanted(call: &Call<'_>) -> u8 {
    call.int(1).to_le_bytes()[0]
}

fn find_byte(machine: &mut Machine<'_>, call: &Call<'_>, or_end: bool) -> Eval<Value> {
    let (text, wanted) = (call.pointer(0), wanted(call));
    for offset in 0.. {
        machine.step()?;
        let byte = machine.byte_at(text, offset)?;
        if byte == wanted {
            return Ok(Machine::shifted(text, offset));
        }
        if byte == 0 {
            return Ok(if or_end { Machine::shifted(text, offset) } else { null() });
        }
    }
    Ok(null())
}

fn find_last_byte(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (text, wanted) = (call.pointer(0), wanted(call));
    let mut bytes = machine.c_string(text, u64::MAX)?;
    bytes.push(0);
    let found = bytes.iter().rposition(|&byte| byte == wanted);
    Ok(found.map_or_else(null, |offset| Machine::shifted(text, offset as u64)))
}

fn find_in_memory(machine: &mut Machine<'_>, call: &Call<'_>, most: u64) -> Eval<Value> {
    let (text, wanted) = (call.pointer(0), wanted(call));
    for offset in 0..most {
        machine.step()?;
        if machine.byte_at(text, offset)? == wanted {
            return Ok(Machine::shifted(text, offset));
        }
    }
    Ok(null())
}

fn find_last_in_memory(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (text, wanted) = (call.pointer(0), wanted(call));
    for offset in (0..call.size(2)).rev() {
        machine.step()?;
        if machine.byte_at(text, offset)? == wanted {
            return Ok(Machine::shifted(text, offset));
        }
    }
    Ok(null())
}

fn find_string(machine: &mut Machine<'_>, call: &Call<'_>, fold: bool) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    let wanted = machine.c_string(call.pointer(1), u64::MAX)?;
    let same = |part: &[u8]| if fold { part.eq_ignore_ascii_case(&wanted) } else { part == wanted };
    if wanted.is_empty() {
        return Ok(Value::Pointer(call.pointer(0)));
    }
    let found = text.windows(wanted.len()).position(same);
    Ok(found.map_or_else(null, |offset| Machine::shifted(call.pointer(0), offset as u64)))
}

fn span(machine: &mut Machine<'_>, call: &Call<'_>, inside: bool) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    let set = machine.c_string(call.pointer(1), u64::MAX)?;
    let length = text.iter().take_while(|byte| set.contains(byte) == inside).count();
    Ok(machine.number(call, length as i128))
}

fn find_any(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    let set = machine.c_string(call.pointer(1), u64::MAX)?;
    let found = text.iter().position(|byte| set.contains(byte));
    Ok(found.map_or_else(null, |offset| Machine::shifted(call.pointer(0), offset as u64)))
}

fn token(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let start = if call.pointer(0).is_null() { machine.library.token } else { call.pointer(0) };
    let (token, rest) = next_token(machine, start, call.pointer(1))?;
    machine.library.token = rest;
    Ok(token)
}

fn token_reentrant(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let size = machine.pointer_size() as u64;
    let place = call.pointer(2);
    let start = if call.pointer(0).is_null() {
        let (id, offset) = match machine.memory.resolve(place, size) {
            Ok(found) => found,
            Err(fault) => return machine.fault(fault, place, size, false),
        };
        let width = machine.pointer_size();
        machine.memory.get(id).map_or(Pointer::NULL, |it| {
            let address = u64::try_from(it.number(offset, width)).unwrap_or(0);
            Pointer { address, provenance: it.common_provenance(offset, width) }
        })
    } else {
        call.pointer(0)
    };
    let (token, rest) = next_token(machine, start, call.pointer(1))?;
    let (id, offset) = match machine.memory.resolve_write(place, size) {
        Ok(found) => found,
        Err(fault) => return machine.fault(fault, place, size, true),
    };
    let width = machine.pointer_size();
    if let Some(allocation) = machine.memory.get_mut(id) {
        allocation.set_pointer(offset, width, rest);
    }
    Ok(token)
}

/// The next token, and where the search goes on.
fn next_token(machine: &mut Machine<'_>, start: Pointer, separators: Pointer) -> Eval<(Value, Pointer)> {
    if start.is_null() {
        return Ok((null(), Pointer::NULL));
    }
    let set = machine.c_string(separators, u64::MAX)?;
    let text = machine.c_string(start, u64::MAX)?;
    let Some(first) = text.iter().position(|byte| !set.contains(byte)) else {
        return Ok((null(), at(start, text.len() as u64)));
    };
    let length = text[first..].iter().position(|byte| set.contains(byte));
    let token = Machine::shifted(start, first as u64);
    let rest = match length {
        Some(length) => {
            let end = (first + length) as u64;
            machine.set_byte(start, end, 0)?;
            at(start, end + 1)
        }
        None => at(start, text.len() as u64),
    };
    Ok((token, rest))
}

fn duplicate(machine: &mut Machine<'_>, call: &Call<'_>, most: u64) -> Eval<Value> {
    let mut text = machine.c_string(call.pointer(0), most)?;
    text.push(0);
    match machine.new_memory(call, text.len() as u64, 16)? {
        Some(id) => {
            let pointer = machine.memory.pointer_to(id);
            machine.put_bytes(pointer, &text)?;
            Ok(Value::Pointer(pointer))
        }
        None => Ok(null()),
    }
}
