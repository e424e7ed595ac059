//! The state of an execution.

use crate::choice::{Choice, ChoiceKind, ChoiceType, Chooser, Made};
use crate::end::{End, ErrorKind, Frame, Place};
use crate::endless::Again;
use crate::expr::order::Footprints;
use crate::float::Rounding;
use crate::interpreter::{Execution, Options, Output};
use crate::library::LibraryState;
use crate::memory::{AllocationId, Kind, Memory, NoRoom, Request};
use crate::observe::Observer;
use crate::prepare::Tables;
use crate::trace::Tracer;
use crate::undefined::{ObjectInfo, Undefined, UndefinedKind};
use crate::value::{Pointer, Shape, Value};
use nilas_c::index::Id;
use nilas_c::source::Span;
use nilas_c::tree::{ExprId, FunctionId, LabelId, Program, StmtId, VarId};
use nilas_c::types::TypeId;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Why an evaluation does not give a value.
pub(crate) enum Stop {
    /// The execution ends.
    End(End),
    /// Control leaves the expression: out of a statement expression, or by `longjmp`.
    Jump(Flow),
    /// `exit` was called: functions that were registered run, then the execution ends.
    Exit(i32),
}

/// The result of an evaluation.
pub(crate) type Eval<T> = Result<T, Box<Stop>>;

/// Where control goes behind a statement.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Flow {
    /// To the next statement.
    Next,
    Break,
    Continue,
    Goto(LabelId),
    Return(Value),
    /// `longjmp`: to the function with this number, where the buffer was set, with this value.
    LongJump {
        frame: u64,
        statement: StmtId,
        call: ExprId,
        value: i128,
        mark: (usize, u64),
    },
}

/// A call that has not returned.
pub(crate) struct Activation {
    pub(crate) function: FunctionId,
    /// The objects of its variables, by slot.
    pub(crate) slots: Vec<Option<AllocationId>>,
    /// Where it is called from.
    pub(crate) called_at: Span,
    /// Arguments without parameter, with their types.
    pub(crate) more: Vec<(TypeId, Value)>,
    /// What lives until it returns: `alloca`, lists of arguments.
    pub(crate) until_return: Vec<AllocationId>,
    /// Variables whose clean-up is due, in order of their declarations.
    pub(crate) cleanups: Vec<VarId>,
    /// A number of its own.
    pub(crate) serial: u64,
    /// The innermost statement that is executed and holds a full expression.
    pub(crate) statement: Option<StmtId>,
    /// `setjmp` that a `longjmp` came back to, and its value.
    pub(crate) resumed: Option<(ExprId, i128)>,
}

/// The machine.
pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) tables: &'a Tables,
    pub(crate) options: &'a Options,
    chooser: &'a mut dyn Chooser,
    pub(crate) output: &'a mut dyn Output,
    /// Who looks on.
    pub(crate) observer: Option<&'a mut dyn Observer>,
    /// Who records what happens.
    pub(crate) tracer: Option<&'a mut Tracer>,
    pub(crate) memory: Memory,
    pub(crate) frames: Vec<Activation>,
    /// Objects of variables of static duration.
    pub(crate) statics: Vec<Option<AllocationId>>,
    pub(crate) strings: Vec<Option<AllocationId>>,
    pub(crate) functions: Vec<Option<AllocationId>>,
    pub(crate) labels: Vec<Option<AllocationId>>,
    /// Values that [`nilas_c::tree::ExprKind::Old`] stands for, the innermost last.
    pub(crate) old: Vec<Value>,
    /// Operands that are evaluated before their turn.
    pub(crate) early: Vec<(ExprId, Value)>,
    pub(crate) footprints: Footprints,
    pub(crate) rounding: Rounding,
    pub(crate) library: LibraryState,
    /// Where the execution is, for messages.
    pub(crate) here: Span,
    pub(crate) steps: u64,
    poll_at: u64,
    stack_base: usize,
    stack: usize,
    pub(crate) made: Vec<Made>,
    occurrences: FxHashMap<(ChoiceKind, Span), u64>,
    /// How often each variable was declared.
    births: Vec<u64>,
    lenient: Option<Box<Undefined>>,
    /// Objects for values of the full expressions that are being evaluated.
    pub(crate) temporaries: Vec<AllocationId>,
    /// See [`Execution::covered`].
    covered: Vec<u8>,
    pub(crate) unknown: Vec<String>,
    pub(crate) serial: u64,
    /// The pointer that is about to be followed.
    pub(crate) followed: Option<ExprId>,
    /// The call whose value nobody uses.
    pub(crate) discarded: Option<ExprId>,
    pub(crate) again: Again,
}

/// How many steps are made between two looks at the clock.
const POLL: u64 = 1 << 13;

/// How much of the host's stack is kept for what is not counted.
const RESERVE: usize = 1 << 20;

impl<'a> Machine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        tables: &'a Tables,
        options: &'a Options,
        chooser: &'a mut dyn Chooser,
        output: &'a mut dyn Output,
        stack: usize,
    ) -> Machine<'a> {
        let here = Span::default();
        Machine {
            program,
            tables,
            options,
            chooser,
            output,
            observer: None,
            tracer: None,
            memory: Memory::new(program.types.model(), options),
            frames: Vec::new(),
            statics: vec![None; program.variables.len()],
            strings: vec![None; program.strings.len()],
            functions: vec![None; program.functions.len()],
            labels: vec![None; program.labels.len()],
            old: Vec::new(),
            early: Vec::new(),
            footprints: Footprints::default(),
            rounding: Rounding::default(),
            library: LibraryState::default(),
            here,
            steps: 0,
            poll_at: POLL.min(options.steps),
            stack_base: 0,
            stack: stack.saturating_sub(RESERVE.min(stack / 4)),
            made: Vec::new(),
            occurrences: FxHashMap::default(),
            births: vec![0; program.variables.len()],
            lenient: None,
            temporaries: Vec::new(),
            covered: if options.cover {
                vec![0; program.exprs.len() + program.labels.len()]
            } else {
                Vec::new()
            },
            unknown: Vec::new(),
            serial: 0,
            followed: None,
            discarded: None,
            again: Again::default(),
        }
    }

    pub(crate) fn run(mut self) -> Execution {
        self.stack_base = stack_pointer();
        let end = self.execute();
        self.trace_end(&end);
        Execution {
            end,
            lenient: self.lenient,
            choices: self.made,
            steps: self.steps,
            covered: self.covered,
            unknown: self.unknown,
        }
    }

    // ---- bounds

    /// Counts a step.
    #[inline]
    pub(crate) fn step(&mut self) -> Eval<()> {
        self.steps += 1;
        if self.steps >= self.poll_at { self.poll() } else { Ok(()) }
    }

    #[cold]
    fn poll(&mut self) -> Eval<()> {
        if self.steps >= self.options.steps {
            return finish(End::OutOfSteps);
        }
        let overdue = self.options.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        let cancelled = self.options.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
        if overdue || cancelled {
            return finish(End::OutOfSteps);
        }
        self.poll_at = (self.steps + POLL).min(self.options.steps);
        Ok(())
    }

    /// Whether the host's stack has room for one more evaluation.
    #[inline]
    pub(crate) fn has_stack(&self) -> bool {
        self.stack_base.abs_diff(stack_pointer()) < self.stack
    }

    // ---- ends

    pub(crate) fn place(&self, span: Span) -> Place {
        let location = self.program.sources.locate(span);
        Place { file: location.file, line: location.line, column: location.column }
    }

    /// The calls that lead to `here`, the innermost first.
    pub(crate) fn call_stack(&self) -> Vec<Frame> {
        const SHOWN: usize = 64;
        let mut at = self.here;
        let mut stack = Vec::new();
        for frame in self.frames.iter().rev().take(SHOWN) {
            let function = self.program.functions[frame.function].name.clone();
            stack.push(Frame { function, place: self.place(at) });
            at = frame.called_at;
        }
        stack
    }

    pub(crate) fn error<T>(&self, kind: ErrorKind) -> Eval<T> {
        finish(End::Error { kind, place: self.place(self.here), stack: self.call_stack() })
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>) -> Eval<T> {
        finish(End::Unsupported { what: what.into(), place: self.place(self.here) })
    }

    pub(crate) fn out_of_stack<T>(&self, function: &str) -> Eval<T> {
        finish(End::OutOfStack { function: function.to_owned(), place: self.place(self.here) })
    }

    fn behaviour(&self, kind: UndefinedKind, sentence: String, object: Option<ObjectInfo>) -> Box<Undefined> {
        let (place, span) = (self.place(self.here), self.here);
        Box::new(Undefined { kind, place, span, sentence, object, stack: self.call_stack() })
    }

    /// The execution ends at undefined behaviour.
    pub(crate) fn undefined<T>(
        &self,
        kind: UndefinedKind,
        sentence: impl Into<String>,
        object: Option<ObjectInfo>,
    ) -> Eval<T> {
        finish(End::Undefined(self.behaviour(kind, sentence.into(), object)))
    }

    /// Undefined behaviour that has a meaning for machines: the end if the user asks for that, else a memory
    /// of it.
    #[cold]
    pub(crate) fn lenient(
        &mut self,
        kind: UndefinedKind,
        sentence: impl FnOnce(&Self) -> String,
        object: Option<ObjectInfo>,
    ) -> Eval<()> {
        if self.options.strict
            || self.options.ends.contains(kind)
            || (self.options.check_undefined && kind.is_checked())
        {
            let sentence = sentence(self);
            return self.undefined(kind, sentence, object);
        }
        if self.lenient.is_none() {
            let sentence = sentence(self);
            self.lenient = Some(self.behaviour(kind, sentence, object));
        }
        Ok(())
    }

    /// Whether behaviour of a kind is looked for that otherwise has a meaning.
    #[inline]
    pub(crate) fn seeks(&self, kind: UndefinedKind) -> bool {
        let options = self.options;
        let by_option = match kind {
            UndefinedKind::SignedOverflow | UndefinedKind::ShiftOverflow => options.check_overflow,
            UndefinedKind::IndexOutOfArray => options.check_undefined || options.strict,
            _ => false,
        };
        by_option || options.ends.contains(kind)
    }

    /// Whether what is executed is a text of the library, whose arithmetic is not the user's.
    pub(crate) fn in_library_text(&self) -> bool {
        let is_text = |frame: &Activation| {
            let span = self.program.functions[frame.function].span;
            nilas_c::is_text(&self.program.sources.locate(span).file)
        };
        self.library.in_text || self.frames.last().is_some_and(is_text)
    }

    // ---- choices

    /// Makes a choice whose occurrence is counted by kind and place.
    pub(crate) fn choose(
        &mut self,
        kind: ChoiceKind,
        span: Span,
        name: impl FnOnce() -> String,
        ty: ChoiceType,
        default: i128,
    ) -> Eval<i128> {
        if !self.chooser.asks(kind) {
            return Ok(default);
        }
        let count = self.occurrences.entry((kind, span)).or_insert(0);
        let occurrence = *count;
        *count += 1;
        self.choose_named(kind, span, name(), occurrence, 0, ty, default)
    }

    /// Makes a choice with all its names.
    #[allow(clippy::too_many_arguments, reason = "they are the names of a choice")]
    pub(crate) fn choose_named(
        &mut self,
        kind: ChoiceKind,
        span: Span,
        name: String,
        occurrence: u64,
        offset: u64,
        ty: ChoiceType,
        default: i128,
    ) -> Eval<i128> {
        if !self.chooser.asks(kind) {
            return Ok(default);
        }
        let asked = Some(self.here);
        let choice = Choice { kind, place: self.place(span), name, occurrence, offset, ty, asked };
        self.memory.changes += 1;
        let value = match self.chooser.choose(&choice) {
            Ok(value) => ty.number(value.unwrap_or(default)),
            Err(_) => return finish(End::OutOfChoices { choice: choice.to_string() }),
        };
        self.trace_choice(&choice, value);
        if self.options.record {
            self.made.push(Made { choice, value });
        }
        Ok(value)
    }

    /// A value of a scalar type by choice.
    pub(crate) fn choose_value(
        &mut self,
        kind: ChoiceKind,
        span: Span,
        name: impl FnOnce() -> String,
        ty: TypeId,
        range: Option<(i128, i128)>,
    ) -> Eval<Value> {
        let shape = self.shape(ty);
        let Some(choice) = self.choice_type(shape, range) else {
            return self.unsupported("a value of this type that is any");
        };
        let default = range.map_or(0, |(low, high)| 0.clamp(low, high));
        let chosen = self.choose(kind, span, name, choice, default)?;
        self.admit_pointer(shape, chosen, span)?;
        Ok(self.chosen(shape, chosen))
    }

    pub(crate) fn choice_type(&self, shape: Shape, range: Option<(i128, i128)>) -> Option<ChoiceType> {
        Some(match shape {
            Shape::Bool => ChoiceType::Int { bits: 1, signed: false, range: Some((0, 1)) },
            Shape::Int { size, signed } => {
                let bits = u32::from(size) * 8;
                // Bounds that the type has anyway are none.
                let most = if bits < 127 { (1 << (bits - u32::from(signed))) - 1 } else { i128::MAX };
                let range = range.map(|(low, high): (i128, i128)| (low, high.min(most)));
                ChoiceType::Int { bits, signed, range }
            }
            Shape::Float(kind) => ChoiceType::Float { bits: crate::float::width(kind) },
            Shape::Pointer => ChoiceType::Pointer { bits: self.pointer_bits() },
            _ => return None,
        })
    }

    /// A chosen pointer may point to memory that the program did not make.
    pub(crate) fn admit_pointer(&mut self, shape: Shape, number: i128, span: Span) -> Eval<()> {
        if shape != Shape::Pointer {
            return Ok(());
        }
        let address = crate::value::wrap(number, self.pointer_bits(), false);
        let address = u64::try_from(address).unwrap_or(0);
        self.memory.make_external(address, Some(span)).or_else(|_| finish(End::OutOfMemory))
    }

    /// A chosen number as a value.
    pub(crate) fn chosen(&self, shape: Shape, number: i128) -> Value {
        match shape {
            Shape::Bool => Value::Int(i128::from(number != 0)),
            Shape::Int { size, signed } => {
                Value::Int(crate::value::wrap(number, u32::from(size) * 8, signed))
            }
            Shape::Float(kind) => {
                let width = crate::float::width(kind);
                Value::Float(crate::value::wrap(number, width, false).cast_unsigned())
            }
            _ => {
                let address = crate::value::wrap(number, self.pointer_bits(), false);
                Value::Pointer(self.memory.pointer_of(u64::try_from(address).unwrap_or(0)))
            }
        }
    }

    // ---- types

    #[inline]
    pub(crate) fn shape(&self, ty: TypeId) -> Shape {
        self.tables.shape(ty)
    }

    pub(crate) fn pointer_size(&self) -> usize {
        if self.pointer_bits() == 64 { 8 } else { 4 }
    }

    pub(crate) fn pointer_bits(&self) -> u32 {
        u32::try_from(8 * self.program.types.model().pointer_size()).unwrap_or(64)
    }

    // ---- objects

    pub(crate) fn allocate(&mut self, request: &Request) -> Eval<AllocationId> {
        match self.memory.allocate(request) {
            Ok(id) => {
                self.trace_allocation(id, request.kind);
                Ok(id)
            }
            Err(NoRoom::Memory) => finish(End::OutOfMemory),
            Err(NoRoom::Stack) => {
                let function =
                    self.frames.last().map(|frame| self.program.functions[frame.function].name.clone());
                self.out_of_stack(&function.unwrap_or_default())
            }
        }
    }

    /// The object of a variable. Temporaries come to life when they are used.
    #[inline]
    pub(crate) fn object(&mut self, variable: VarId) -> Eval<AllocationId> {
        if let Some(id) = self.statics[variable.index()] {
            return Ok(id);
        }
        let slot = self.tables.slot(variable);
        if let Some(frame) = self.frames.last()
            && let Some(&Some(id)) = frame.slots.get(slot)
            && self.memory.get(id).is_some()
        {
            return Ok(id);
        }
        self.new_object(variable)
    }

    /// A new object for an automatic variable.
    pub(crate) fn new_object(&mut self, variable: VarId) -> Eval<AllocationId> {
        let declared = &self.program.variables[variable];
        if crate::prepare::is_lasting(self.program, variable) {
            return self.unsupported(format!("`{}` before the program has started", declared.name));
        }
        let size = self.size_of(declared.ty)?.max(self.size_with_init(variable));
        let align = self.program.types.align_of(declared.ty).max(declared.alignment.unwrap_or(1));
        let occurrence = self.births[variable.index()];
        let request = Request {
            kind: Kind::Automatic(variable),
            size,
            align,
            span: Some(declared.span),
            occurrence,
            at: None,
        };
        let id = self.allocate(&request)?;
        let slot = self.tables.slot(variable);
        if let Some(place) = self.frames.last_mut().and_then(|frame| frame.slots.get_mut(slot)) {
            *place = Some(id);
        }
        Ok(id)
    }

    /// The declaration of a variable is reached: it holds anything.
    pub(crate) fn declared_again(&mut self, variable: VarId, id: AllocationId) {
        let count = &mut self.births[variable.index()];
        let occurrence = *count;
        *count += 1;
        if let Some(allocation) = self.memory.get_mut(id) {
            allocation.occurrence = occurrence;
            allocation.forgotten = false;
            allocation.initialised.fill(false);
            allocation.provenance.clear();
            allocation.read_only = false;
            allocation.constants.clear();
        }
    }

    /// A condition held, or not.
    pub(crate) fn met(&mut self, condition: ExprId, holds: bool) {
        if let Some(met) = self.covered.get_mut(condition.index()) {
            *met |= 1 << u8::from(holds);
        }
    }

    /// A `switch` went to a label.
    pub(crate) fn met_label(&mut self, label: nilas_c::tree::LabelId) {
        if let Some(met) = self.covered.get_mut(self.program.exprs.len() + label.index()) {
            *met = 1;
        }
    }

    /// How often memory was allocated at a place before.
    pub(crate) fn allocated_before(&mut self, span: Span) -> u64 {
        let count = self.occurrences.entry((ChoiceKind::Uninitialised, span)).or_insert(0);
        *count += 1;
        *count - 1
    }

    /// The size of a type, of variable length perhaps.
    pub(crate) fn size_of(&mut self, ty: TypeId) -> Eval<u64> {
        use nilas_c::types::{ArrayLength, TypeKind};
        if let Some(size) = self.program.types.size_of(ty) {
            return Ok(size);
        }
        match *self.program.types.kind(ty) {
            TypeKind::Array(element, ArrayLength::Variable(length)) => {
                let element = self.size_of(element)?;
                let id = self.object(length)?;
                let pointer = self.memory.pointer_to(id);
                let ty = self.program.variables[length].ty;
                let count = self.load(pointer, None, ty)?.int();
                let count = u64::try_from(count).unwrap_or(u64::MAX);
                match element.checked_mul(count) {
                    Some(size) if size < 1 << (self.pointer_bits() - 1) => Ok(size),
                    _ => finish(End::OutOfMemory),
                }
            }
            TypeKind::Array(element, ArrayLength::Fixed(length)) => {
                let element = self.size_of(element)?;
                element.checked_mul(length).map_or_else(|| finish(End::OutOfMemory), Ok)
            }
            _ => Ok(0),
        }
    }

    /// The object as the user knows it.
    pub(crate) fn describe(&self, id: AllocationId, address: u64) -> ObjectInfo {
        let (kind, base, size, span, ended) = match (self.memory.get(id), self.memory.grave(id)) {
            (Some(it), _) => (it.kind, it.base, it.size, it.span, None),
            (None, Some(it)) => (it.kind, it.base, it.size, it.span, it.ended),
            (None, None) => {
                let name = "an object whose lifetime has ended".to_owned();
                return ObjectInfo { name, size: 0, offset: 0, declared: None, ended: None };
            }
        };
        let program = self.program;
        let name = match kind {
            Kind::Static(id) | Kind::Automatic(id) => format!("`{}`", program.variables[id].name),
            Kind::Heap => "allocated memory".to_owned(),
            Kind::Alloca => "memory from `alloca`".to_owned(),
            Kind::String(_) => "a string literal".to_owned(),
            Kind::Function(id) => format!("the function `{}`", program.functions[id].name),
            Kind::Label(_) => "a label".to_owned(),
            Kind::Arguments => "a list of arguments".to_owned(),
            Kind::External => "memory of unknown origin".to_owned(),
            Kind::Library(name) => format!("`{name}`"),
        };
        ObjectInfo {
            name,
            size,
            offset: i128::from(address) - i128::from(base),
            declared: span.map(|span| self.place(span)),
            ended: ended.map(|span| self.place(span)),
        }
    }

    /// The object that a pointer was made from, as the user knows it.
    pub(crate) fn describe_pointer(&self, pointer: Pointer) -> Option<ObjectInfo> {
        pointer.provenance.map(|id| self.describe(id, pointer.address))
    }
}

/// The execution ends.
pub(crate) fn finish<T>(end: End) -> Eval<T> {
    Err(Box::new(Stop::End(end)))
}

/// About where the host's stack is.
#[inline(never)]
fn stack_pointer() -> usize {
    let marker = 0_u8;
    std::ptr::addr_of!(marker) as usize
}
