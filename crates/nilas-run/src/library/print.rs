//! The `printf` family.

use super::{Call, Native, format_float};
use crate::call::Typed;
use crate::float;
use crate::interpreter::Stream;
use crate::machine::{Eval, Machine};
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value, wrap};
use nilas_c::catalogue::{Meaning, Model};
use nilas_c::types::{FloatKind, TypeId};

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "printf" | "vprintf" | "__printf_chk" | "__vprintf_chk" | "printk" => to_output,
        "fprintf" | "vfprintf" | "__fprintf_chk" | "__vfprintf_chk" => to_stream,
        "dprintf" | "vdprintf" => to_descriptor,
        "sprintf" | "vsprintf" | "snprintf" | "vsnprintf" | "__sprintf_chk" | "__vsprintf_chk"
        | "__snprintf_chk" | "__vsnprintf_chk" => to_buffer,
        _ => return None,
    })
}

/// The position of the format and, if it prints into a buffer, of the size.
fn positions(call: &Call<'_>) -> (usize, Option<usize>) {
    match call.row.model {
        Model::Lowering(Meaning::Print(format)) => (usize::from(format), None),
        Model::Lowering(Meaning::PrintInto { size, format }) => (usize::from(format), size.map(usize::from)),
        _ => (0, None),
    }
}

/// What is printed.
fn text(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Vec<u8>> {
    let (format, _) = positions(call);
    let arguments = call.arguments.get(format + 1..).unwrap_or(&[]).to_vec();
    // Functions with a list take it in place of the arguments.
    let takes_list = call.row.signature.ends_with('p');
    let arguments = if takes_list { machine.arguments_left(call.value(format + 1))? } else { arguments };
    let format = machine.c_string(call.pointer(format), u64::MAX)?;
    machine.here = call.span;
    machine.formatted(&format, &arguments)
}

fn to_output(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = text(machine, call)?;
    machine.output.write(Stream::Output, &text);
    machine.usual_result(call, text.len() as i128)
}

fn to_stream(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = text(machine, call)?;
    machine.print_to(call.pointer(0), &text)?;
    machine.usual_result(call, text.len() as i128)
}

fn to_descriptor(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = text(machine, call)?;
    match call.int(0) {
        1 => machine.output.write(Stream::Output, &text),
        2 => machine.output.write(Stream::Error, &text),
        _ => return machine.unsupported("printing to a descriptor other than 1 and 2"),
    }
    machine.usual_result(call, text.len() as i128)
}

fn to_buffer(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = text(machine, call)?;
    let (_, size) = positions(call);
    let length = text.len();
    let mut stored = text;
    match size.map(|size| call.size(size)) {
        Some(0) => return Ok(machine.number(call, length as i128)),
        Some(size) => stored.truncate(usize::try_from(size - 1).unwrap_or(usize::MAX)),
        None => {}
    }
    stored.push(0);
    machine.put_bytes(call.pointer(0), &stored)?;
    Ok(machine.number(call, length as i128))
}

/// A directive of a format.
#[derive(Default, Debug)]
struct Directive {
    minus: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: Length,
    conversion: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Length {
    #[default]
    None,
    Char,
    Short,
    Long,
    LongLong,
    Size,
    LongDouble,
}

/// Reads arguments and formats one after the other.
struct Reader<'a> {
    format: &'a [u8],
    at: usize,
    arguments: &'a [Typed],
    next: usize,
}

impl Reader<'_> {
    fn peek(&self) -> u8 {
        self.format.get(self.at).copied().unwrap_or(0)
    }

    fn argument(&mut self, machine: &Machine<'_>) -> Eval<Typed> {
        let number = self.next;
        self.next += 1;
        match self.arguments.get(number) {
            Some(argument) => Ok(argument.clone()),
            None => {
                let sentence = format!("the format asks for argument {}, which was not passed", number + 1);
                machine.undefined(UndefinedKind::Format, sentence, None)
            }
        }
    }

    fn number(&mut self) -> usize {
        let mut number = 0_usize;
        while self.peek().is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(usize::from(self.peek() - b'0'));
            self.at += 1;
        }
        number.min(1 << 20)
    }
}

impl Machine<'_> {
    /// What `printf` prints.
    fn formatted(&mut self, format: &[u8], arguments: &[Typed]) -> Eval<Vec<u8>> {
        let mut reader = Reader { format, at: 0, arguments, next: 0 };
        let mut text = Vec::new();
        while reader.at < format.len() {
            self.step()?;
            let byte = reader.peek();
            reader.at += 1;
            if byte != b'%' {
                text.push(byte);
                continue;
            }
            let directive = self.directive(&mut reader)?;
            self.convert_directive(&directive, &mut reader, &mut text)?;
        }
        Ok(text)
    }

    fn directive(&mut self, reader: &mut Reader<'_>) -> Eval<Directive> {
        let mut directive = Directive::default();
        loop {
            match reader.peek() {
                b'-' => directive.minus = true,
                b'+' => directive.plus = true,
                b' ' => directive.space = true,
                b'#' => directive.alternative = true,
                b'0' => directive.zero = true,
                b'\'' => {}
                _ => break,
            }
            reader.at += 1;
        }
        if reader.peek() == b'*' {
            reader.at += 1;
            let (_, value) = reader.argument(self)?;
            directive.minus |= value.int() < 0;
            directive.width = usize::try_from(value.int().unsigned_abs()).unwrap_or(0).min(1 << 20);
        } else {
            directive.width = reader.number();
        }
        if reader.peek() == b'$' {
            return self.unsupported("numbered arguments of a format");
        }
        if reader.peek() == b'.' {
            reader.at += 1;
            if reader.peek() == b'*' {
                reader.at += 1;
                let (_, value) = reader.argument(self)?;
                directive.precision = usize::try_from(value.int()).ok().map(|p| p.min(1 << 20));
            } else {
                directive.precision = Some(reader.number());
            }
        }
        directive.length = match reader.peek() {
            b'h' if reader.format.get(reader.at + 1) == Some(&b'h') => Length::Char,
            b'h' => Length::Short,
            b'l' if reader.format.get(reader.at + 1) == Some(&b'l') => Length::LongLong,
            b'l' => Length::Long,
            b'q' | b'j' => Length::LongLong,
            b'z' | b't' | b'Z' => Length::Size,
            b'L' => Length::LongDouble,
            _ => Length::None,
        };
        reader.at += match directive.length {
            Length::None => 0,
            Length::Char => 2,
            Length::LongLong if reader.peek() == b'l' => 2,
            _ => 1,
        };
        directive.conversion = reader.peek();
        reader.at += 1;
        Ok(directive)
    }

    fn convert_directive(
        &mut self,
        directive: &Directive,
        reader: &mut Reader<'_>,
        text: &mut Vec<u8>,
    ) -> Eval<()> {
        match directive.conversion {
            b'%' => text.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let (ty, value) = reader.argument(self)?;
                self.print_int(directive, ty, &value, text)?;
            }
            b'c' => {
                let (ty, value) = reader.argument(self)?;
                self.expect(directive, ty, matches!(self.shape(ty), Shape::Int { .. } | Shape::Bool))?;
                if directive.length == Length::Long {
                    return self.unsupported("printing wide characters");
                }
                let byte = u8::try_from(value.int() & 0xff).unwrap_or(0);
                pad(directive, b"", &[byte], false, text);
            }
            b's' => {
                let (ty, value) = reader.argument(self)?;
                self.expect(directive, ty, matches!(self.shape(ty), Shape::Pointer))?;
                if directive.length == Length::Long {
                    return self.unsupported("printing wide strings");
                }
                let most = directive.precision.map_or(u64::MAX, |precision| precision as u64);
                // What glibc prints for null.
                let string = if value.pointer().is_null() {
                    b"(null)".to_vec()
                } else {
                    self.c_string(value.pointer(), most)?
                };
                pad(directive, b"", &string, false, text);
            }
            b'p' => {
                let (ty, value) = reader.argument(self)?;
                self.expect(directive, ty, matches!(self.shape(ty), Shape::Pointer))?;
                self.memory.expose(value.pointer());
                let shown = match value.pointer().address {
                    0 => "(nil)".to_owned(),
                    address => format!("{address:#x}"),
                };
                pad(directive, b"", shown.as_bytes(), false, text);
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let (ty, value) = reader.argument(self)?;
                self.print_float(directive, ty, &value, text)?;
            }
            b'n' => {
                let (ty, value) = reader.argument(self)?;
                self.expect(directive, ty, matches!(self.shape(ty), Shape::Pointer))?;
                let size = self.length_bytes(directive.length);
                let bytes = (text.len() as u128).to_le_bytes();
                self.put_bytes(value.pointer(), &bytes[..size])?;
            }
            b'm' => return self.unsupported("`%m`"),
            0 => {
                return self.undefined(
                    UndefinedKind::Format,
                    "a format ends in the middle of a directive",
                    None,
                );
            }
            other => {
                let sentence = format!("the directive `%{}` is none", char::from(other));
                return self.undefined(UndefinedKind::Format, sentence, None);
            }
        }
        Ok(())
    }

    /// An argument that does not fit its directive is undefined.
    fn expect(&self, directive: &Directive, ty: TypeId, fits: bool) -> Eval<()> {
        if fits {
            return Ok(());
        }
        let shown = self.program.types.display(ty);
        let sentence = format!("`%{}` with an argument of type `{shown}`", char::from(directive.conversion));
        self.undefined(UndefinedKind::Format, sentence, None)
    }

    fn length_bytes(&self, length: Length) -> usize {
        match length {
            Length::Char => 1,
            Length::Short => 2,
            Length::None => 4,
            Length::Long | Length::Size => self.pointer_size(),
            Length::LongLong | Length::LongDouble => 8,
        }
    }

    fn print_int(
        &mut self,
        directive: &Directive,
        ty: TypeId,
        value: &Value,
        text: &mut Vec<u8>,
    ) -> Eval<()> {
        let bytes = self.length_bytes(directive.length);
        let fits = match self.shape(ty) {
            Shape::Int { size, .. } => usize::from(size) == bytes.max(4),
            Shape::Bool => bytes <= 4,
            // Many programs print pointers as numbers; they are passed alike.
            Shape::Pointer => bytes == self.pointer_size(),
            _ => false,
        };
        self.expect(directive, ty, fits)?;
        let bits = u32::try_from(bytes * 8).unwrap_or(32);
        let signed = matches!(directive.conversion, b'd' | b'i');
        let number = wrap(value.int(), bits, signed);
        let magnitude = number.unsigned_abs();
        let digits = match directive.conversion {
            b'x' => format!("{magnitude:x}"),
            b'X' => format!("{magnitude:X}"),
            b'o' => format!("{magnitude:o}"),
            _ => magnitude.to_string(),
        };
        let mut digits =
            if magnitude == 0 && directive.precision == Some(0) { String::new() } else { digits };
        while digits.len() < directive.precision.unwrap_or(0) {
            digits.insert(0, '0');
        }
        let prefix: &[u8] = match directive.conversion {
            b'd' | b'i' => sign(directive, number < 0),
            b'x' if directive.alternative && magnitude != 0 => b"0x",
            b'X' if directive.alternative && magnitude != 0 => b"0X",
            b'o' if directive.alternative && !digits.starts_with('0') => b"0",
            _ => b"",
        };
        pad(directive, prefix, digits.as_bytes(), directive.precision.is_none(), text);
        Ok(())
    }

    fn print_float(
        &mut self,
        directive: &Directive,
        ty: TypeId,
        value: &Value,
        text: &mut Vec<u8>,
    ) -> Eval<()> {
        let long_double = self.program.types.model().target().long_double;
        let Shape::Float(kind @ (FloatKind::Double | FloatKind::LongDouble)) = self.shape(ty) else {
            if self.shape(ty) == Shape::Float(long_double) && directive.length == Length::LongDouble {
                return self.unsupported("printing a `long double` of this machine");
            }
            return self.expect(directive, ty, false);
        };
        self.expect(
            directive,
            ty,
            kind == if directive.length == Length::LongDouble { long_double } else { FloatKind::Double },
        )?;
        let bits = value.bits();
        let prefix = sign(directive, float::is_negative(kind, bits));
        let magnitude = bits & !float::sign_bit(kind);
        let upper = directive.conversion.is_ascii_uppercase();
        if let Some(special) = format_float::special(kind, magnitude) {
            let shown = if upper { special.to_uppercase() } else { special.to_owned() };
            pad(directive, prefix, shown.as_bytes(), false, text);
            return Ok(());
        }
        let (precision, point) = (directive.precision.unwrap_or(6), directive.alternative);
        let shown = match directive.conversion.to_ascii_lowercase() {
            b'f' => format_float::fixed(kind, magnitude, precision, point),
            b'e' => format_float::scientific(kind, magnitude, precision, point),
            b'g' => format_float::general(kind, magnitude, precision, point),
            _ => {
                let shown = format_float::hexadecimal(kind, magnitude, directive.precision, point, upper);
                let (start, rest) = shown.split_at(2);
                let prefix = [prefix, start.as_bytes()].concat();
                pad(directive, &prefix, rest.as_bytes(), true, text);
                return Ok(());
            }
        };
        let shown = if upper { shown.to_uppercase() } else { shown };
        pad(directive, prefix, shown.as_bytes(), true, text);
        Ok(())
    }
}

fn sign(directive: &Directive, negative: bool) -> &'static [u8] {
    if negative {
        b"-"
    } else if directive.plus {
        b"+"
    } else if directive.space {
        b" "
    } else {
        b""
    }
}

/// Fills up to the width, with zeros behind the prefix if they are asked for and mean something here.
fn pad(directive: &Directive, prefix: &[u8], body: &[u8], zeros: bool, text: &mut Vec<u8>) {
    let fill = directive.width.saturating_sub(prefix.len() + body.len());
    let zeros = zeros && directive.zero && !directive.minus;
    if !directive.minus && !zeros {
        text.resize(text.len() + fill, b' ');
    }
    text.extend_from_slice(prefix);
    if zeros {
        text.resize(text.len() + fill, b'0');
    }
    text.extend_from_slice(body);
    if directive.minus {
        text.resize(text.len() + fill, b' ');
    }
}
