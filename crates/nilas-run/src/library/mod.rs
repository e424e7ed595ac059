//! Functions of the library, by the exact names of the catalogue's rows.
//!
//! A family of functions is a file here, as it is a file of the catalogue. What a name means is decided in
//! this order:
//!
//! 1. `reach_error` and `__VERIFIER_error` are the error.
//! 2. A function that the program defines is what its body says.
//! 3. `__VERIFIER_nondet_…` is an input.
//! 4. A function with a row is what is written here ([`native`]); where nothing is, what its text in C says;
//!    where there is none, any value within the bounds of the row.
//! 5. A function without row is unknown: its result is a choice, and it writes nothing.

mod arguments;
mod bits;
mod ctype;
pub(crate) mod format_float;
mod jump;
mod math;
mod number;
mod print;
mod scan;
mod stdio;
mod stdlib;
mod string;
mod verifier;

use crate::call::Typed;
use crate::choice::ChoiceKind;
use crate::end::ErrorKind;
use crate::machine::{Eval, Machine};
use crate::memory::AllocationId;
use crate::undefined::UndefinedKind;
use crate::value::{Bytes, Pointer, Shape, Value};
use nilas_c::catalogue::{self, Model, Row, Writes};
use nilas_c::index::Id;
use nilas_c::source::Span;
use nilas_c::tree::{ExprId, FunctionId, Program};
use nilas_c::types::TypeId;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What the library remembers.
#[derive(Default)]
pub(crate) struct LibraryState {
    /// Functions that run at exit.
    pub(crate) at_exit: Vec<FunctionId>,
    /// Lists of variable arguments.
    pub(crate) lists: FxHashMap<AllocationId, Vec<Typed>>,
    /// Buffers of `setjmp`.
    pub(crate) jumps: FxHashMap<i128, jump::Buffer>,
    /// Where `strtok` goes on.
    pub(crate) token: Pointer,
    /// Objects that are made when they are asked for.
    pub(crate) objects: FxHashMap<&'static str, AllocationId>,
    /// What the text of a function leaves open, as this machine has it: the values that nobody chooses
    /// otherwise.
    pub(crate) usual: VecDeque<i128>,
    /// Such a text runs.
    pub(crate) in_text: bool,
}

/// A call of a function of the library.
pub(crate) struct Call<'a> {
    /// The name that the program uses.
    pub(crate) name: &'a str,
    /// What is known of it.
    pub(crate) row: &'static Row,
    pub(crate) arguments: &'a [Typed],
    /// The type of the call.
    pub(crate) result: TypeId,
    pub(crate) span: Span,
    /// The expression, unless the library calls it.
    pub(crate) expr: Option<ExprId>,
    pub(crate) function: FunctionId,
}

impl Call<'_> {
    /// An argument; one that is missing has no value.
    pub(crate) fn value(&self, index: usize) -> &Value {
        self.arguments.get(index).map_or(&Value::Void, |(_, value)| value)
    }

    pub(crate) fn int(&self, index: usize) -> i128 {
        self.value(index).int()
    }

    pub(crate) fn pointer(&self, index: usize) -> Pointer {
        self.value(index).pointer()
    }

    /// A size; negative numbers are none.
    pub(crate) fn size(&self, index: usize) -> u64 {
        u64::try_from(self.int(index)).unwrap_or(u64::MAX)
    }
}

/// A function that is written here.
pub(crate) type Native = fn(&mut Machine<'_>, &Call<'_>) -> Eval<Value>;

/// The function of a row, if it is written here.
fn native(row: &Row) -> Option<Native> {
    let base = row.base;
    verifier::native(base)
        .or_else(|| string::native(base))
        .or_else(|| stdlib::native(base))
        .or_else(|| number::native(base))
        .or_else(|| ctype::native(base))
        .or_else(|| stdio::native(base))
        .or_else(|| print::native(base))
        .or_else(|| scan::native(base))
        .or_else(|| bits::native(base))
        .or_else(|| math::native(base))
        .or_else(|| jump::native(base))
}

/// What calls of a function mean.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Resolution {
    /// The body, of the program or of a text of the catalogue.
    Body,
    /// A function that is written here.
    Native(Native, &'static Row),
    /// An input.
    Input,
    /// Any value, as the row says.
    Any(&'static Row),
    /// Not known here.
    Unsupported(&'static str),
    /// A function without row.
    Unknown,
}

/// What each function of a program means.
pub(crate) fn resolutions(program: &Program) -> Vec<Resolution> {
    program.functions.ids().map(|id| resolve(program, id)).collect()
}

fn resolve(program: &Program, id: FunctionId) -> Resolution {
    let function = &program.functions[id];
    let row = catalogue::row(&function.name);
    if let Some(row) = row.filter(|row| row.base == "reach_error") {
        return Resolution::Native(verifier::reach_error, row);
    }
    // Texts of the catalogue have names of their own, with the row of the function that they stand for.
    let is_text = row.is_some_and(|row| row.name != function.name);
    if function.body.is_some() && !is_text {
        return Resolution::Body;
    }
    if catalogue::is_input(&function.name) {
        return Resolution::Input;
    }
    if function.indirect {
        return Resolution::Unsupported("a function whose body is chosen when the program is loaded");
    }
    if function.implicit && function.body.is_none() && catalogue::has_hidden_type(&function.name) {
        return Resolution::Unsupported("a function whose type only the compiler knows");
    }
    let Some(row) = row else {
        return if function.body.is_some() { Resolution::Body } else { Resolution::Unknown };
    };
    if catalogue::sets_named(program, row.base).is_some() {
        return Resolution::Unsupported("it sets an object of the library");
    }
    if let Some(native) = native(row) {
        return Resolution::Native(native, row);
    }
    if function.body.is_some() {
        return Resolution::Body;
    }
    match row.model {
        // What it writes is not any bytes: an execution that relies on them would not be a real one.
        Model::Any(_) if row.partial && row.writes != Writes::Nothing => {
            Resolution::Unsupported("what it writes is not known")
        }
        Model::Any(_) if !row.determined => Resolution::Any(row),
        Model::Unmodelled(what) | Model::Refused(what) => Resolution::Unsupported(what),
        _ => Resolution::Unsupported("a function of the library that is not written here"),
    }
}

impl Machine<'_> {
    /// Calls a function that has no body to run.
    pub(crate) fn library_call(
        &mut self,
        function: FunctionId,
        arguments: &[Typed],
        span: Span,
        expr: Option<ExprId>,
        result: TypeId,
    ) -> Eval<Value> {
        let name = &self.program.functions[function].name;
        self.here = span;
        self.memory.changes += 1;
        self.trace_arguments(arguments);
        match self.tables.resolution(function) {
            Resolution::Native(native, row) => {
                native(self, &Call { name, row, arguments, result, span, expr, function })
            }
            Resolution::Input => self.any_result(ChoiceKind::Input, name, result, span, None),
            Resolution::Any(row) => {
                for (index, (_, value)) in arguments.iter().enumerate() {
                    if row.writes_through(index) && !value.pointer().is_null() {
                        self.forget(value.pointer())?;
                    }
                }
                let range = match row.model {
                    Model::Any(Some((low, high))) => Some((i128::from(low), i128::from(high))),
                    _ => None,
                };
                self.any_result(ChoiceKind::UnknownResult, name, result, span, range)
            }
            Resolution::Unknown => {
                if !self.unknown.contains(name) {
                    self.unknown.push(name.clone());
                }
                let declared = &self.program.functions[function];
                if declared.noreturn {
                    return self.unsupported(format!("`{name}`, which has no body and does not return"));
                }
                if declared.pure || declared.nonnull {
                    return self.unsupported(format!("`{name}`, which has no body and not any result"));
                }
                self.any_result(ChoiceKind::UnknownResult, name, result, span, None)
            }
            Resolution::Unsupported(what) => self.unsupported(format!("`{name}`: {what}")),
            Resolution::Body => self.unsupported(format!("`{name}`")),
        }
    }

    /// A result that is any value of its type.
    pub(crate) fn any_result(
        &mut self,
        kind: ChoiceKind,
        name: &str,
        ty: TypeId,
        span: Span,
        range: Option<(i128, i128)>,
    ) -> Eval<Value> {
        match self.shape(ty) {
            Shape::Void => Ok(Value::Void),
            Shape::Aggregate(size) => {
                let byte = crate::choice::ChoiceType::Int { bits: 8, signed: false, range: None };
                let mut bytes = Bytes::default();
                for _ in 0..size {
                    let chosen = self.choose(kind, span, || name.to_owned(), byte, 0)?;
                    bytes.data.push(u8::try_from(chosen & 0xff).unwrap_or(0));
                    bytes.initialised.push(true);
                }
                Ok(Value::Bytes(Box::new(bytes)))
            }
            _ => self.choose_value(kind, span, || name.to_owned(), ty, range),
        }
    }

    /// An object was written by code that nobody knows: it holds any value from its pointer on.
    fn forget(&mut self, pointer: Pointer) -> Eval<()> {
        let (id, offset) = match self.memory.resolve_write(pointer, 0) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, pointer, 1, true),
        };
        if let Some(allocation) = self.memory.get_mut(id) {
            allocation.initialised[offset..].fill(false);
            allocation.forgotten = true;
            if let Some(parts) = allocation.provenance.get_mut(offset..) {
                parts.fill(None);
            }
        }
        Ok(())
    }

    /// Calls a function of the program from the library: `qsort`, `bsearch`.
    pub(crate) fn call_back(&mut self, pointer: Pointer, arguments: Vec<Typed>, span: Span) -> Eval<Value> {
        let kind = pointer.provenance.and_then(|id| self.memory.kind_of(id));
        let Some(crate::memory::Kind::Function(function)) = kind else {
            let sentence = "the library is given a pointer to no function";
            return self.undefined(UndefinedKind::CallOfNoFunction, sentence, None);
        };
        let ty = self.program.types.as_function(self.program.functions[function].ty).map(|it| it.result);
        let Some(ty) = ty else { return self.unsupported("this call") };
        let level = self.footprints.enter_call();
        let result = self.apply(function, arguments, span, None, ty)?;
        self.footprints.leave_call(level);
        self.here = span;
        Ok(result)
    }

    /// An error that an assertion of the library tells.
    pub(crate) fn assertion<T>(&self, text: String) -> Eval<T> {
        self.error(ErrorKind::Assertion(text))
    }

    /// One byte of memory, for functions of the library.
    pub(crate) fn byte_at(&mut self, pointer: Pointer, offset: u64) -> Eval<u8> {
        let at = Pointer { address: pointer.address.wrapping_add(offset), ..pointer };
        let (id, offset) = match self.memory.resolve(at, 1) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, at, 1, false),
        };
        if self.memory.get(id).is_some_and(|it| !it.initialised[offset]) {
            self.settle(id, offset, 1, None)?;
        }
        Ok(self.memory.get(id).map_or(0, |it| it.data[offset]))
    }

    pub(crate) fn set_byte(&mut self, pointer: Pointer, offset: u64, byte: u8) -> Eval<()> {
        let at = Pointer { address: pointer.address.wrapping_add(offset), ..pointer };
        let (id, offset) = match self.memory.resolve_write(at, 1) {
            Ok(found) => found,
            Err(fault) => return self.fault(fault, at, 1, true),
        };
        if let Some(allocation) = self.memory.get_mut_at(id, offset, 1) {
            allocation.set_number(offset, 1, u128::from(byte));
        }
        Ok(())
    }

    /// The bytes of a string, up to its end or to `most` bytes.
    pub(crate) fn c_string(&mut self, pointer: Pointer, most: u64) -> Eval<Vec<u8>> {
        let mut text = Vec::new();
        while (text.len() as u64) < most {
            self.step()?;
            match self.byte_at(pointer, text.len() as u64)? {
                0 => break,
                byte => text.push(byte),
            }
        }
        Ok(text)
    }

    /// Stores bytes of the library.
    pub(crate) fn put_bytes(&mut self, pointer: Pointer, bytes: &[u8]) -> Eval<()> {
        let value =
            Bytes { data: bytes.to_vec(), initialised: vec![true; bytes.len()], provenance: Vec::new() };
        self.write_bytes(pointer, &value)
    }

    /// A pointer that many bytes further.
    pub(crate) fn shifted(pointer: Pointer, offset: u64) -> Value {
        Value::Pointer(Pointer { address: pointer.address.wrapping_add(offset), ..pointer })
    }

    /// A named object of the library with its first bytes, made when it is asked for.
    pub(crate) fn shared_object(&mut self, name: &'static str, bytes: &[u8]) -> Eval<AllocationId> {
        if let Some(&id) = self.library.objects.get(name) {
            return Ok(id);
        }
        let id = self.library_object(name, bytes.len() as u64)?;
        if let Some(allocation) = self.memory.get_mut(id) {
            allocation.data.copy_from_slice(bytes);
            allocation.initialised.fill(true);
        }
        self.library.objects.insert(name, id);
        Ok(id)
    }

    /// The object of a variable that the texts of the catalogue define.
    pub(crate) fn text_object(&self, name: &str) -> Option<AllocationId> {
        let found = self.program.variables.enumerate().find(|(_, variable)| variable.name == name);
        found.and_then(|(id, _)| self.statics[id.index()])
    }

    /// A result that C leaves open: the text of the function says what it may be, `value` is what it is on
    /// this machine if nobody chooses otherwise. The text asks for open values, for which `usual` has the
    /// defaults.
    pub(crate) fn open_result(&mut self, call: &Call<'_>, value: Value, usual: &[i128]) -> Eval<Value> {
        if self.program.functions[call.function].body.is_none() {
            return Ok(value);
        }
        self.library.usual = usual.iter().copied().collect();
        self.library.in_text = true;
        let result = self.run_body(call.function, call.arguments.to_vec(), call.span);
        self.library.in_text = false;
        self.library.usual.clear();
        self.here = call.span;
        result
    }

    /// The same where C leaves open only which of several numbers it is: `same` says whether another one is a
    /// result as good as `value`. What the text says does not count against what was computed here.
    pub(crate) fn open_number(
        &mut self,
        call: &Call<'_>,
        number: i128,
        usual: &[i128],
        same: fn(i128, i128) -> bool,
    ) -> Eval<Value> {
        let value = self.number(call, number);
        let open = self.open_result(call, value.clone(), usual)?;
        Ok(if same(open.int(), number) { open } else { value })
    }

    /// A result that is any within bounds, and this number if nobody chooses otherwise. Without bounds it is
    /// this number, or a failure: -1 instead of 0 is chosen.
    pub(crate) fn usual_result(&mut self, call: &Call<'_>, usual: i128) -> Eval<Value> {
        let range = match call.row.model {
            Model::Any(Some((low, high))) => Some((i128::from(low), i128::from(high))),
            _ => {
                let Some(ty) = self.choice_type(self.shape(call.result), Some((-1, 0))) else {
                    return Ok(Value::Void);
                };
                let name = call.name.to_owned();
                let fails = self.choose(ChoiceKind::UnknownResult, call.span, || name, ty, 0)? == -1;
                return Ok(self.number(call, if fails { -1 } else { usual }));
            }
        };
        let Some(ty) = self.choice_type(self.shape(call.result), range) else { return Ok(Value::Void) };
        let name = call.name.to_owned();
        let number = self.choose(ChoiceKind::UnknownResult, call.span, || name, ty, usual)?;
        Ok(self.number(call, number))
    }

    /// A number as an `int`, or another integer type of the call.
    pub(crate) fn number(&self, call: &Call<'_>, number: i128) -> Value {
        self.chosen(self.shape(call.result), number)
    }
}
