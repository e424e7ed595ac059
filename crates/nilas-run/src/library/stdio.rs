//! `stdio.h` but for formats. What is printed to standard output and standard error is printed; what is read
//! is an input.

use super::{Call, Native};
use crate::interpreter::Stream;
use crate::machine::{Eval, Machine};
use crate::value::{Pointer, Value};

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "puts" => puts,
        "fputs" => fputs,
        "putchar" => putchar,
        "putc" => putc,
        "fwrite" => fwrite,
        "fflush" => zero,
        "write" => write,
        "perror" => perror,
        "getchar" => read_byte,
        "getc" => read_byte_of,
        "setbuf" | "setlinebuf" | "setbuffer" | "setvbuf" => zero,
        _ => return None,
    })
}

impl Machine<'_> {
    /// The stream that a `FILE *` means, if it is one of the standard ones.
    fn stream(&self, pointer: Pointer) -> Option<Stream> {
        let id = pointer.provenance?;
        if self.text_object("__nilas_stdout") == Some(id) {
            Some(Stream::Output)
        } else if self.text_object("__nilas_stderr") == Some(id) {
            Some(Stream::Error)
        } else {
            None
        }
    }

    /// Prints to a stream. What goes into other files is seen by nobody.
    pub(super) fn print_to(&mut self, stream: Pointer, text: &[u8]) -> Eval<()> {
        if let Err(fault) = self.memory.resolve(stream, 1) {
            return self.fault(fault, stream, 1, true);
        }
        if let Some(stream) = self.stream(stream) {
            self.output.write(stream, text);
        }
        Ok(())
    }
}

fn puts(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let mut text = machine.c_string(call.pointer(0), u64::MAX)?;
    text.push(b'\n');
    machine.output.write(Stream::Output, &text);
    machine.usual_result(call, text.len() as i128)
}

fn fputs(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text = machine.c_string(call.pointer(0), u64::MAX)?;
    machine.print_to(call.pointer(1), &text)?;
    machine.usual_result(call, 1)
}

fn putchar(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let byte = call.int(0).to_le_bytes()[0];
    machine.output.write(Stream::Output, &[byte]);
    let value = machine.number(call, i128::from(byte));
    machine.open_result(call, value, &[1])
}

fn putc(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let byte = call.int(0).to_le_bytes()[0];
    machine.print_to(call.pointer(1), &[byte])?;
    let value = machine.number(call, i128::from(byte));
    machine.open_result(call, value, &[1])
}

fn fwrite(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (size, count) = (call.size(1), call.size(2));
    let mut text = Vec::new();
    for offset in 0..size.saturating_mul(count) {
        machine.step()?;
        text.push(machine.byte_at(call.pointer(0), offset)?);
    }
    machine.print_to(call.pointer(3), &text)?;
    let value = machine.number(call, if size == 0 { 0 } else { i128::from(count) });
    machine.open_result(call, value, &[i128::from(count)])
}

/// `write` to standard output or standard error writes everything.
fn write(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let mut text = Vec::new();
    for offset in 0..call.size(2) {
        machine.step()?;
        text.push(machine.byte_at(call.pointer(1), offset)?);
    }
    match call.int(0) {
        1 => machine.output.write(Stream::Output, &text),
        2 => machine.output.write(Stream::Error, &text),
        // Nobody sees what goes elsewhere.
        _ => {}
    }
    let value = machine.number(call, text.len() as i128);
    machine.open_result(call, value, &[text.len() as i128, 0])
}

fn perror(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let text =
        if call.pointer(0).is_null() { Vec::new() } else { machine.c_string(call.pointer(0), u64::MAX)? };
    machine.output.write(Stream::Error, &text);
    machine.output.write(Stream::Error, b": error\n");
    Ok(Value::Void)
}

fn zero(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.usual_result(call, 0)
}

/// A byte from outside, or the end of the input: that is what comes if nobody chooses.
fn read_byte(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    machine.usual_result(call, -1)
}

/// The same of a stream, as the text of the catalogue says: it may hold what the program wrote.
fn read_byte_of(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let end = machine.number(call, -1);
    machine.open_result(call, end, &[-1])
}
