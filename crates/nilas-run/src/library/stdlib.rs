//! `stdlib.h` but for numbers: allocation, the end of the program, sorting.

use super::{Call, Native};
use crate::choice::{ChoiceKind, ChoiceType};
use crate::end::End;
use crate::machine::{Eval, Machine, Stop, finish};
use crate::memory::{AllocationId, Kind, Request};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Value};

pub(super) fn native(base: &str) -> Option<Native> {
    Some(match base {
        "malloc" => malloc,
        "alloca" | "__builtin_alloca_with_align" => alloca,
        "calloc" => calloc,
        "realloc" => realloc,
        "reallocarray" => reallocarray,
        "free" => free,
        "aligned_alloc" => aligned_alloc,
        "exit" => exit,
        "_exit" | "_Exit" | "quick_exit" => stop,
        "abort" => abort,
        "atexit" => at_exit,
        "qsort" | "qsort_r" => sort,
        "bsearch" => search,
        _ => return None,
    })
}

impl Machine<'_> {
    /// Memory of the heap; `None` if the chooser lets it fail.
    pub(crate) fn new_memory(
        &mut self,
        call: &Call<'_>,
        size: u64,
        align: u64,
    ) -> Eval<Option<AllocationId>> {
        let name = call.name.to_owned();
        let ty = ChoiceType::Option(2);
        if self.choose(ChoiceKind::AllocationFailure, call.span, || name, ty, 0)? != 0 {
            return Ok(None);
        }
        let occurrence = self.allocated_before(call.span);
        let request = Request { kind: Kind::Heap, size, align, span: Some(call.span), occurrence, at: None };
        self.allocate(&request).map(Some)
    }

    fn memory_result(&self, id: Option<AllocationId>) -> Value {
        Value::Pointer(id.map_or(Pointer::NULL, |id| self.memory.pointer_to(id)))
    }

    /// The allocated object that a pointer to free points to.
    fn freed(&mut self, pointer: Pointer, name: &str) -> Eval<AllocationId> {
        let object = self.describe_pointer(pointer);
        let shown = object.as_ref().map_or_else(|| "no object".to_owned(), |object| object.name.clone());
        let Some(id) = pointer.provenance else {
            let sentence = format!("`{name}` of a pointer to no object");
            return self.undefined(UndefinedKind::InvalidFree, sentence, None);
        };
        match self.memory.get(id) {
            None => {
                let heap = self.memory.grave(id).is_none_or(|grave| grave.kind == Kind::Heap);
                let kind = if heap { UndefinedKind::DoubleFree } else { UndefinedKind::InvalidFree };
                self.undefined(kind, format!("`{name}` of {shown}, which is gone already"), object)
            }
            Some(allocation) if allocation.kind != Kind::Heap => {
                let sentence = format!("`{name}` of {shown}, which was not allocated");
                self.undefined(UndefinedKind::InvalidFree, sentence, object)
            }
            Some(allocation) if allocation.base != pointer.address => {
                let sentence = format!("`{name}` of a pointer into the middle of {shown}");
                self.undefined(UndefinedKind::InvalidFree, sentence, object)
            }
            Some(_) => Ok(id),
        }
    }
}

fn malloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let id = machine.new_memory(call, call.size(0), 16)?;
    Ok(machine.memory_result(id))
}

fn alloca(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let occurrence = machine.allocated_before(call.span);
    let request = Request {
        kind: Kind::Alloca,
        size: call.size(0),
        align: 16,
        span: Some(call.span),
        occurrence,
        at: None,
    };
    let id = machine.allocate(&request)?;
    if let Some(frame) = machine.frames.last_mut() {
        frame.until_return.push(id);
    }
    Ok(machine.memory_result(Some(id)))
}

fn calloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let Some(size) = call.size(0).checked_mul(call.size(1)).filter(|&size| fits(machine, size)) else {
        return Ok(Value::Pointer(Pointer::NULL));
    };
    let id = machine.new_memory(call, size, 16)?;
    if let Some(allocation) = id.and_then(|id| machine.memory.get_mut(id)) {
        allocation.initialised.fill(true);
    }
    Ok(machine.memory_result(id))
}

/// Whether an object of this size can exist.
fn fits(machine: &Machine<'_>, size: u64) -> bool {
    size < 1 << (machine.pointer_bits() - 1)
}

fn realloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    resize(machine, call, call.size(1))
}

fn reallocarray(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    match call.size(1).checked_mul(call.size(2)).filter(|&size| fits(machine, size)) {
        Some(size) => resize(machine, call, size),
        None => Ok(Value::Pointer(Pointer::NULL)),
    }
}

fn resize(machine: &mut Machine<'_>, call: &Call<'_>, size: u64) -> Eval<Value> {
    let pointer = call.pointer(0);
    if pointer.is_null() {
        let id = machine.new_memory(call, size, 16)?;
        return Ok(machine.memory_result(id));
    }
    let old = machine.freed(pointer, call.name)?;
    if size == 0 {
        // As glibc does.
        machine.memory.end(old, Some(call.span));
        return Ok(Value::Pointer(Pointer::NULL));
    }
    let Some(new) = machine.new_memory(call, size, 16)? else { return Ok(Value::Pointer(Pointer::NULL)) };
    let kept = machine.memory.get(old).map_or(0, |it| it.size).min(size);
    let bytes = machine.memory.copy_out(old, 0, usize::try_from(kept).unwrap_or(0));
    machine.memory.copy_in(new, 0, &bytes);
    machine.memory.end(old, Some(call.span));
    Ok(machine.memory_result(Some(new)))
}

fn free(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let pointer = call.pointer(0);
    if !pointer.is_null() {
        let id = machine.freed(pointer, call.name)?;
        machine.memory.end(id, Some(call.span));
    }
    Ok(Value::Void)
}

fn aligned_alloc(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let align = call.size(0);
    if !align.is_power_of_two() {
        return Ok(Value::Pointer(Pointer::NULL));
    }
    let id = machine.new_memory(call, call.size(1), align)?;
    Ok(machine.memory_result(id))
}

fn exit(_: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    Err(Box::new(Stop::Exit(status(call))))
}

fn status(call: &Call<'_>) -> i32 {
    i32::try_from(crate::value::wrap(call.int(0), 32, true)).unwrap_or(0)
}

fn stop(_: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    finish(End::Exit(status(call) & 0xff))
}

fn abort(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    finish(End::Abort { what: "abort".to_owned(), place: machine.place(call.span) })
}

fn at_exit(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let kind = call.pointer(0).provenance.and_then(|id| machine.memory.kind_of(id));
    let Some(Kind::Function(function)) = kind else {
        let sentence = "`atexit` of a pointer to no function";
        return machine.undefined(UndefinedKind::LibraryArgument, sentence, None);
    };
    machine.library.at_exit.push(function);
    Ok(machine.number(call, 0))
}

/// `qsort` as glibc 2.36 does it: a stable merge sort, which compares elements where they lie.
fn sort(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (base, count, size) = (call.pointer(0), call.size(1), call.size(2));
    let Some(bytes) = count.checked_mul(size) else {
        return machine.undefined(
            UndefinedKind::LibraryArgument,
            "`qsort` of more bytes than there are",
            None,
        );
    };
    if bytes > 0
        && let Err(fault) = machine.memory.resolve(base, bytes)
    {
        return machine.fault(fault, base, bytes, true);
    }
    merge_sort(machine, call, base, count, size)?;
    Ok(Value::Void)
}

fn merge_sort(machine: &mut Machine<'_>, call: &Call<'_>, base: Pointer, count: u64, size: u64) -> Eval<()> {
    if count <= 1 || size == 0 {
        return Ok(());
    }
    machine.step()?;
    let at = |index: u64| Pointer { address: base.address.wrapping_add(index * size), ..base };
    let half = count / 2;
    merge_sort(machine, call, base, half, size)?;
    merge_sort(machine, call, at(half), count - half, size)?;
    let (mut left, mut right) = (0, half);
    let mut merged = Vec::new();
    while left < half && right < count {
        let order = compare(machine, call, at(left), at(right))?;
        if order == 0 && machine.read_bytes(at(left), size)? != machine.read_bytes(at(right), size)? {
            let sentence = "the order of elements that are equal is open".to_owned();
            machine.lenient(UndefinedKind::OpenResult, |_| sentence, None)?;
        }
        let next = if order <= 0 { &mut left } else { &mut right };
        merged.push(machine.read_bytes(at(*next), size)?);
        *next += 1;
    }
    while left < half {
        merged.push(machine.read_bytes(at(left), size)?);
        left += 1;
    }
    for (index, bytes) in merged.iter().enumerate() {
        machine.write_bytes(at(index as u64), bytes)?;
    }
    Ok(())
}

/// Calls the function that compares two elements; the other two arguments are pointers.
fn compare(machine: &mut Machine<'_>, call: &Call<'_>, a: Pointer, b: Pointer) -> Eval<i128> {
    let with_extra = call.row.base == "qsort_r";
    let function = call.pointer(if call.row.base == "bsearch" { 4 } else { 3 });
    let Some(&(pointer_ty, _)) = call.arguments.first() else { return Ok(0) };
    let mut arguments = vec![(pointer_ty, Value::Pointer(a)), (pointer_ty, Value::Pointer(b))];
    if with_extra {
        arguments.extend(call.arguments.get(4).cloned());
    }
    let order = machine.call_back(function, arguments, call.span)?;
    Ok(crate::value::wrap(order.int(), 32, true))
}

fn search(machine: &mut Machine<'_>, call: &Call<'_>) -> Eval<Value> {
    let (key, base, count, size) = (call.pointer(0), call.pointer(1), call.size(2), call.size(3));
    let (mut low, mut high) = (0, count);
    while low < high {
        machine.step()?;
        let middle = low + (high - low) / 2;
        let element = Pointer { address: base.address.wrapping_add(middle.wrapping_mul(size)), ..base };
        match compare(machine, call, key, element)? {
            0 => return Ok(Value::Pointer(element)),
            order if order < 0 => high = middle,
            _ => low = middle + 1,
        }
    }
    Ok(Value::Pointer(Pointer::NULL))
}
