//! The `scanf` family. What is read from outside is an input: how many items are found, and each of them.
//! What `sscanf` reads is in its text.

use super::{Call, Native, ctype, number};
use crate::choice::{ChoiceKind, ChoiceType};
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Shape, Value};
use nilas_c::catalogue::{Meaning, Model};
use nilas_c::types::FloatKind;

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "scanf" | "fscanf" => from_outside,
        "sscanf" => from_text,
        _ => return None,
    })
}

/// A directive of a format.
struct Directive {
    suppressed: bool,
    width: Option<usize>,
    /// Bytes of an integer.
    size: usize,
    /// Which float it is.
    float: FloatKind,
    conversion: u8,
    /// The bytes between the brackets of `%[`.
    set: Vec<u8>,
}

/// A part of a format.
enum Part {
    Space,
    Byte(u8),
    Directive(Directive),
}

fn parts(machine: &Machine<'_>, format: &[u8]) -> Eval<Vec<Part>> {
    let mut parts = Vec::new();
    let mut at = 0;
    let byte = |at: usize| format.get(at).copied().unwrap_or(0);
    while at < format.len() {
        if ctype::is_space(byte(at)) {
            parts.push(Part::Space);
            at += 1;
            continue;
        }
        if byte(at) != b'%' || byte(at + 1) == b'%' {
            parts.push(Part::Byte(byte(at)));
            at += if byte(at) == b'%' { 2 } else { 1 };
            continue;
        }
        at += 1;
        let suppressed = byte(at) == b'*';
        at += usize::from(suppressed);
        let mut width = None;
        while byte(at).is_ascii_digit() {
            width = Some(width.unwrap_or(0_usize).saturating_mul(10) + usize::from(byte(at) - b'0'));
            at += 1;
        }
        let (mut size, mut float) = (4, FloatKind::Float);
        match (byte(at), byte(at + 1)) {
            (b'h', b'h') => (size, at) = (1, at + 2),
            (b'h', _) => (size, at) = (2, at + 1),
            (b'l', b'l') => (size, at) = (8, at + 2),
            (b'l', _) => (size, float, at) = (machine.pointer_size(), FloatKind::Double, at + 1),
            (b'q' | b'j', _) => (size, at) = (8, at + 1),
            (b'z' | b't', _) => (size, at) = (machine.pointer_size(), at + 1),
            (b'L', _) => (size, float, at) = (8, machine.program.types.model().target().long_double, at + 1),
            _ => {}
        }
        let conversion = byte(at);
        at += 1;
        let mut set = Vec::new();
        if conversion == b'[' {
            let first = at;
            at += usize::from(byte(at) == b'^');
            at += usize::from(byte(at) == b']');
            while at < format.len() && byte(at) != b']' {
                at += 1;
            }
            set = format[first..at].to_vec();
            at += 1;
        }
        parts.push(Part::Directive(Directive { suppressed, width, size, float, conversion, set }));
    }
    Ok(parts)
}

fn format_position(call: &Call<'_>) -> usize {
    match call.row.model {
        Model::Lowering(Meaning::Scan { format, .. }) => usize::from(format),
        _ => 0,
    }
}

/// The pointers behind the format.
struct Targets<'a> {
    call: &'a Call<'a>,
    next: usize,
}

impl Targets<'_> {
    fn next(&mut self, machine: &Machine<'_>) -> Eval<Pointer> {
        let number = self.next;
        self.next += 1;
        match self.call.arguments.get(number) {
            Some((ty, value)) if matches!(machine.shape(*ty), Shape::Pointer) => Ok(value.pointer()),
            Some(_) => {
                machine.undefined(UndefinedKind::Format, "a format with an argument that is no pointer", None)
            }
            None => machine.undefined(
                UndefinedKind::Format,
                "a format asks for an argument that was not passed",
                None,
            ),
        }
    }
}

fn from_outside(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    // What `fscanf` reads may be what the program wrote itself: the text of the catalogue knows.
    let reading = call.row.helpers.get(1).and_then(|name| machine.program.function(name));
    if let (Some(reading), Some(stream)) = (reading, call.arguments.first()) {
        machine.run_body(reading, vec![stream.clone()], call.span)?;
        machine.here = call.span;
    }
    let position = format_position(call);
    let format = machine.c_string(call.pointer(position), u64::MAX)?;
    let parts = parts(machine, &format)?;
    let items = parts
        .iter()
        .filter(|part| matches!(part, Part::Directive(it) if !it.suppressed && it.conversion != b'n'));
    let items = items.count() as i128;
    // What a width, a set or the number of characters allow is not any value.
    let narrow =
        |it: &Directive| it.width.is_some() && it.conversion != b'c' || matches!(it.conversion, b'[' | b'n');
    if parts.iter().any(|part| matches!(part, Part::Directive(it) if narrow(it))) {
        return machine.unsupported("reading this format from outside");
    }
    let name = call.name.to_owned();
    let ty = ChoiceType::Int { bits: 32, signed: true, range: Some((-1, items)) };
    let found = machine.choose(ChoiceKind::Input, call.span, || name, ty, items)?.clamp(-1, items);
    let mut targets = Targets { call, next: position + 1 };
    let mut left = found;
    for part in &parts {
        let Part::Directive(directive) = part else { continue };
        if directive.suppressed {
            continue;
        }
        if left <= 0 {
            break;
        }
        left -= 1;
        let target = targets.next(machine)?;
        let name = call.name.to_owned();
        match directive.conversion {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c'
                if directive.width.unwrap_or(1) == 1 || directive.conversion != b'c' =>
            {
                let size = if directive.conversion == b'c' { 1 } else { directive.size };
                let signed = matches!(directive.conversion, b'd' | b'i');
                let ty = ChoiceType::Int { bits: 8 * size as u32, signed, range: None };
                let value = machine.choose(ChoiceKind::Input, call.span, || name, ty, 0)?;
                machine.put_bytes(target, &value.to_le_bytes()[..size])?;
            }
            b'f' | b'e' | b'g' | b'a' | b'E' | b'G'
                if matches!(directive.float, FloatKind::Float | FloatKind::Double) =>
            {
                let size = if directive.float == FloatKind::Float { 4 } else { 8 };
                let ty = ChoiceType::Float { bits: 8 * size as u32 };
                let value = machine.choose(ChoiceKind::Input, call.span, || name, ty, 0)?;
                machine.put_bytes(target, &value.to_le_bytes()[..size])?;
            }
            _ => return machine.unsupported("reading this directive from outside"),
        }
    }
    Ok(machine.number(call, found))
}

fn from_text(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    let position = format_position(call);
    let format = machine.c_string(call.pointer(position), u64::MAX)?;
    let mut targets = Targets { call, next: position + 1 };
    let (mut at, mut stored) = (0, 0);
    for part in parts(machine, &format)? {
        match part {
            Part::Space => at += text[at..].iter().take_while(|&&byte| ctype::is_space(byte)).count(),
            Part::Byte(byte) => {
                if byte == b'%' {
                    at += text[at..].iter().take_while(|&&byte| ctype::is_space(byte)).count();
                }
                match text.get(at) {
                    Some(&found) if found == byte => at += 1,
                    Some(_) => return Ok(machine.number(call, stored)),
                    None => return Ok(machine.number(call, if stored == 0 { -1 } else { stored })),
                }
            }
            Part::Directive(directive) => {
                if directive.conversion == b'n' {
                    let target = targets.next(machine)?;
                    machine.put_bytes(target, &(at as u128).to_le_bytes()[..directive.size])?;
                    continue;
                }
                let skips = !matches!(directive.conversion, b'c' | b'[');
                if skips {
                    at += text[at..].iter().take_while(|&&byte| ctype::is_space(byte)).count();
                }
                if at >= text.len() {
                    return Ok(machine.number(call, if stored == 0 { -1 } else { stored }));
                }
                let end = directive.width.map_or(text.len(), |width| text.len().min(at + width));
                let Some((length, bytes)) = item(machine, &directive, &text[at..end])? else {
                    return Ok(machine.number(call, stored));
                };
                at += length;
                if !directive.suppressed {
                    let target = targets.next(machine)?;
                    machine.put_bytes(target, &bytes)?;
                    stored += 1;
                }
            }
        }
    }
    Ok(machine.number(call, stored))
}

/// What a directive finds at the start of a text: how long it is, and the bytes to store.
fn item(machine: &Machine<'_>, directive: &Directive, text: &[u8]) -> Eval<Option<(usize, Vec<u8>)>> {
    let word = |length: usize| {
        let mut bytes = text[..length].to_vec();
        bytes.push(0);
        (length > 0).then_some((length, bytes))
    };
    Ok(match directive.conversion {
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
            let base = match directive.conversion {
                b'i' => 0,
                b'o' => 8,
                b'x' | b'X' | b'p' => 16,
                _ => 10,
            };
            let found = number::scan_integer(text, base, false);
            let value = i128::try_from(found.magnitude).unwrap_or(i128::MAX);
            let value = if found.negative { -value } else { value };
            let size = if directive.conversion == b'p' { machine.pointer_size() } else { directive.size };
            (found.length > 0).then(|| (found.length, value.to_le_bytes()[..size].to_vec()))
        }
        b'f' | b'e' | b'g' | b'a' | b'E' | b'G' | b'A' => {
            let size = match directive.float {
                FloatKind::Float => 4,
                FloatKind::Double => 8,
                _ => 10,
            };
            let found = number::scan_float(directive.float, text, machine.rounding);
            found.map(|(length, bits)| (length, bits.to_le_bytes()[..size].to_vec()))
        }
        b's' => word(text.iter().take_while(|&&byte| !ctype::is_space(byte)).count()),
        b'c' => {
            let length = directive.width.unwrap_or(1);
            text.get(..length).map(|bytes| (length, bytes.to_vec()))
        }
        b'[' => {
            let (negated, set) = match directive.set.split_first() {
                Some((b'^', rest)) => (true, rest),
                _ => (false, &directive.set[..]),
            };
            word(text.iter().take_while(|&&byte| in_set(set, byte) != negated).count())
        }
        _ => return machine.unsupported("this directive of `sscanf`"),
    })
}

/// Whether a byte is in the set of `%[`, in which `a-z` is a range.
fn in_set(set: &[u8], byte: u8) -> bool {
    let mut at = 0;
    while at < set.len() {
        if at + 2 < set.len() && set[at + 1] == b'-' {
            if (set[at]..=set[at + 2]).contains(&byte) {
                return true;
            }
            at += 3;
        } else {
            if set[at] == byte {
                return true;
            }
            at += 1;
        }
    }
    false
}
