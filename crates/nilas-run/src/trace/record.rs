//! Where the machine tells the tracer what it does. Every method returns at once if there is none.

use super::name::Leaf;
use super::{Level, Part, Parts, Tracer, What, show};
use crate::call::Typed;
use crate::choice::{Choice, ChoiceKind, ChoiceType};
use crate::end::End;
use crate::machine::Machine;
use crate::memory::{AllocationId, Kind};
use crate::value::{Pointer, Shape, Value, wrap};
use nilas_c::catalogue;
use nilas_c::source::Span;
use nilas_c::tree::{Callee, ExprId, ExprKind, FunctionId, LabelId, StmtId, StmtKind, VarRole};
use nilas_c::types::{BitRange, IntKind, TypeId, TypeKind};

/// Elements of an array that change together are told one by one up to this many.
const FEW: usize = 3;
/// Of more, so many are shown.
const SHOWN: usize = 8;

/// What unit of the library has no place in the user's text.
const LIBRARY: &str = "<nilas>";

impl<'a> Machine<'a> {
    /// Records what the execution does.
    pub(crate) fn traced_by(mut self, tracer: &'a mut Tracer) -> Self {
        self.tracer = Some(tracer);
        self.memory.watch();
        self
    }

    fn tell(&mut self, what: What) {
        if let Some(tracer) = &mut self.tracer {
            tracer.push(what);
        }
    }

    /// A statement with a full expression begins.
    pub(crate) fn trace_statement(&mut self, stmt: StmtId) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_changes();
        if let Some(parts) = self.tracer.as_mut().and_then(|tracer| tracer.parts.last_mut()) {
            parts.statement.clear();
        }
        let node = &self.program.stmts[stmt];
        let text = |span| one_line(&self.program.sources.expression(span));
        let (at, text, core) = match &node.kind {
            StmtKind::If { condition, .. } => {
                let span = self.program.exprs[*condition].span;
                (span, format!("if ({})", text(span)), text(span))
            }
            StmtKind::Switch { value, .. } => {
                let span = self.program.exprs[*value].span;
                (span, format!("switch ({})", text(span)), text(span))
            }
            StmtKind::Declare(variable) => {
                let declared = &self.program.variables[*variable];
                // A declaration that stores nothing is no step.
                if declared.role != VarRole::Named || declared.init.is_none() {
                    return;
                }
                // The span is that of the declarator: the line says more.
                (declared.span, text(node.span), "\0".to_owned())
            }
            _ => (node.span, text(node.span), text(node.span)),
        };
        self.tell(What::Statement { at, text, core });
    }

    /// A condition of a branch held, or not.
    pub(crate) fn trace_branch(&mut self, holds: bool) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_changes();
        if let Some(parts) = self.tracer.as_mut().and_then(|tracer| tracer.parts.last_mut()) {
            parts.condition = std::mem::take(&mut parts.statement);
        }
        self.tell(What::Branch(holds));
    }

    /// A `switch` goes to a label, or behind its body.
    pub(crate) fn trace_case(&mut self, label: Option<LabelId>) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_changes();
        let text = match label {
            Some(label) => {
                let text = one_line(&self.program.sources.text(self.program.labels[label].span));
                text.split(':').next().unwrap_or_default().trim().to_owned()
            }
            None => "no case".to_owned(),
        };
        self.tell(What::Case(text));
    }

    /// A loop begins; returns what [`Machine::trace_loop_left`] wants.
    pub(crate) fn trace_loop(&mut self, stmt: StmtId) -> usize {
        if self.tracer.is_none() {
            return 0;
        }
        self.trace_changes();
        let node = &self.program.stmts[stmt];
        let text = |expr: ExprId| one_line(&self.program.sources.expression(self.program.exprs[expr].span));
        let (text, core) = match &node.kind {
            StmtKind::While { condition, .. } => (format!("while ({})", text(*condition)), text(*condition)),
            StmtKind::DoWhile { condition, .. } => {
                (format!("do … while ({})", text(*condition)), "do".to_owned())
            }
            StmtKind::For { condition, step, .. } => {
                let [condition, step] = [condition, step].map(|part| part.map(text).unwrap_or_default());
                (format!("for (…; {condition}; {step})"), "\0".to_owned())
            }
            _ => (String::new(), String::new()),
        };
        self.tell(What::Loop { at: node.span, text, core });
        let Some(tracer) = &mut self.tracer else { return 0 };
        tracer.levels.push(Level::Loop(0));
        tracer.levels.len() - 1
    }

    /// The head of the innermost loop is reached.
    pub(crate) fn trace_iteration(&mut self) {
        if self.tracer.is_none() {
            return;
        }
        let Some(tracer) = &mut self.tracer else { return };
        let Some(Level::Loop(number)) = tracer.levels.last_mut() else { return };
        *number += 1;
        let number = *number;
        if let Some(parts) = tracer.parts.last_mut() {
            parts.statement.clear();
        }
        self.tell(What::Iteration(number));
        self.trace_changes();
    }

    /// The condition of the innermost loop held, or not.
    pub(crate) fn trace_loop_condition(&mut self, holds: bool) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_changes();
        if let Some(parts) = self.tracer.as_mut().and_then(|tracer| tracer.parts.last_mut()) {
            parts.condition = std::mem::take(&mut parts.statement);
        }
        if !holds {
            self.tell(What::LoopEnds);
        }
    }

    /// A loop was left, in whatever way.
    pub(crate) fn trace_loop_left(&mut self, levels: usize) {
        if self.tracer.is_some() {
            self.trace_changes();
        }
        if let Some(tracer) = &mut self.tracer {
            tracer.levels.truncate(levels);
        }
    }

    /// A part of an expression has a value.
    pub(crate) fn trace_part(&mut self, expr: ExprId, value: &Value) {
        let Some(tracer) = &mut self.tracer else { return };
        if tracer.muted > 0 || matches!(value, Value::Bytes(_) | Value::Void) {
            return;
        }
        let Some(parts) = tracer.parts.last_mut() else { return };
        match parts.statement.iter_mut().find(|part| part.expr == expr) {
            Some(part) => part.value = value.clone(),
            None => parts.statement.push(Part { expr, value: value.clone(), string: None }),
        }
    }

    /// A function of the library is called: strings that it is given say more than where they lie.
    pub(crate) fn trace_strings(&mut self, call: ExprId, function: FunctionId, values: &[Typed]) {
        if self.tracer.as_ref().is_none_or(|tracer| tracer.muted > 0) {
            return;
        }
        let program = self.program;
        if catalogue::row(&program.functions[function].name).is_none() {
            return;
        }
        let ExprKind::Call { arguments, .. } = &program.exprs[call].kind else { return };
        for (&argument, (_, value)) in arguments.iter().zip(values) {
            let expr = super::plain(program, argument);
            let text = match (&program.exprs[expr].kind, value) {
                // A literal stands in the text.
                (ExprKind::ArrayDecay(place), _)
                    if matches!(program.exprs[*place].kind, ExprKind::String(_)) =>
                {
                    None
                }
                (_, Value::Pointer(pointer)) => self.string_at(*pointer, program.exprs[expr].ty),
                _ => None,
            };
            let Some(text) = text else { continue };
            let Some(parts) = self.tracer.as_mut().and_then(|it| it.parts.last_mut()) else { return };
            let known = parts.statement.iter_mut().find(|it| super::plain(program, it.expr) == expr);
            match known {
                Some(part) => part.string = Some(text),
                None => {
                    let string = Some(text);
                    parts.statement.push(Part { expr: argument, value: value.clone(), string });
                }
            }
        }
    }

    /// The string that a pointer of a type (or an array that becomes one) points to.
    fn string_at(&self, pointer: Pointer, ty: TypeId) -> Option<String> {
        let types = &self.program.types;
        let element = match types.kind(ty) {
            TypeKind::Array(element, _) => *element,
            _ => types.pointee(ty)?,
        };
        if !self.is_character(element) {
            return None;
        }
        let object = self.memory.get(pointer.provenance?)?;
        let start = usize::try_from(pointer.address.checked_sub(object.base)?).ok()?;
        let bytes = object.data.get(start..)?;
        let length = bytes.iter().position(|&byte| byte == 0)?;
        object.is_initialised(start, length + 1).then(|| show::string(&bytes[..length]))
    }

    /// A function of which nothing is known is called: its arguments say which of its results is meant.
    pub(crate) fn trace_arguments(&mut self, values: &[Typed]) {
        if self.tracer.is_none() {
            return;
        }
        let shown: Vec<String> = values.iter().map(|(ty, value)| self.show(*ty, value, false)).collect();
        if let Some(tracer) = &mut self.tracer {
            tracer.given = shown.join(", ");
        }
    }

    /// Something is undefined here, and the execution goes on as machines do.
    pub(crate) fn trace_undefined(&mut self, what: impl FnOnce() -> String) {
        if self.tracer.is_some() {
            self.tell(What::Choice(format!("undefined: {}", what())));
        }
    }

    /// A volatile object outside of the program is about to be read.
    pub(crate) fn trace_volatile(&mut self, pointer: Pointer, bits: Option<BitRange>) {
        if self.tracer.is_none() {
            return;
        }
        let leaf = pointer.provenance.and_then(|id| {
            let base = self.memory.get(id)?.base;
            let offset = usize::try_from(pointer.address.checked_sub(base)?).ok()?;
            let mut leaves = self.leaves(id, offset..offset + 1).into_iter();
            leaves.find(|leaf| leaf.offset == offset && leaf.bits == bits)
        });
        if let Some(tracer) = &mut self.tracer {
            tracer.register = leaf.map(|leaf| (leaf.name, leaf.ty));
        }
    }

    /// A function of the program was entered and its parameters are set.
    pub(crate) fn trace_enter(&mut self, function: FunctionId) {
        if self.tracer.is_none() {
            return;
        }
        let definition = &self.program.functions[function];
        let library = self.program.sources.file(definition.span.file).base_name() == LIBRARY;
        let mut arguments = Vec::new();
        for &parameter in &definition.parameters {
            let slot = self.tables.slot(parameter);
            let id = self.frames.last().and_then(|frame| frame.slots.get(slot).copied().flatten());
            let Some(id) = id else { continue };
            let leaves = self.leaves(id, 0..usize::MAX / 2);
            let name = self.program.variables[parameter].name.clone();
            let value = match &leaves[..] {
                [leaf] => self.held_value(id, leaf).map(|it| self.show(leaf.ty, &it, leaf.bitwise)),
                _ => Some("{…}".to_owned()),
            };
            arguments.push((name, value.unwrap_or_else(|| "?".to_owned())));
        }
        self.memory.forget_changes();
        // The program begins with `main`, which nobody calls.
        let first = self.frames.len() == 1;
        let Some(tracer) = &mut self.tracer else { return };
        if !first && !library {
            tracer.push(What::Enter { function: definition.name.clone(), arguments });
        }
        tracer.muted += usize::from(library);
        if !first {
            tracer.levels.push(Level::Call);
        }
        tracer.parts.push(Parts::default());
    }

    /// A function of the program is left.
    pub(crate) fn trace_leave(&mut self, function: FunctionId, value: &Value) {
        if self.tracer.is_none() {
            return;
        }
        let definition = &self.program.functions[function];
        let library = self.program.sources.file(definition.span.file).base_name() == LIBRARY;
        self.trace_changes();
        let result = self.program.types.as_function(definition.ty).map(|it| it.result);
        let shown = match (value, result) {
            (Value::Void, _) | (_, None) => None,
            (value, Some(ty)) => Some(self.show(ty, value, false)),
        };
        let Some(tracer) = &mut self.tracer else { return };
        tracer.parts.pop();
        while let Some(Level::Loop(_)) = tracer.levels.last() {
            tracer.levels.pop();
        }
        tracer.levels.pop();
        tracer.muted -= usize::from(library).min(tracer.muted);
        if !library && !tracer.parts.is_empty() {
            tracer.push(What::Leave(shown));
        }
    }

    /// A choice was made.
    pub(crate) fn trace_choice(&mut self, choice: &Choice, value: i128) {
        if self.tracer.is_none() {
            return;
        }
        self.trace_changes();
        let text = match choice.ty {
            ChoiceType::Int { bits, signed, .. } => self.input_text(choice, wrap(value, bits, signed)),
            ChoiceType::Float { bits } => {
                let kinds = [nilas_c::types::FloatKind::Float, nilas_c::types::FloatKind::Double];
                let kind = kinds.into_iter().find(|&kind| crate::float::width(kind) == bits);
                match kind {
                    Some(kind) => show::float_text(kind, wrap(value, bits, false).cast_unsigned()),
                    None => format!("{:#x}", value.cast_unsigned()),
                }
            }
            ChoiceType::Pointer { .. } if value == 0 => "NULL".to_owned(),
            ChoiceType::Pointer { bits } => format!("{:#x}", wrap(value, bits, false)),
            ChoiceType::Option(_) => value.to_string(),
        };
        let name = choice.name.clone();
        let what = match choice.kind {
            ChoiceKind::Input | ChoiceKind::UnknownResult => {
                let given = self.tracer.as_mut().map(|tracer| std::mem::take(&mut tracer.given));
                let given = given.unwrap_or_default();
                let shown = catalogue::shown_input(&name);
                let name = shown.strip_suffix("()").map(|name| format!("{name}({given})"));
                What::Input { name: name.unwrap_or(shown), value: text }
            }
            ChoiceKind::VolatileRead => {
                let register = self.tracer.as_mut().and_then(|tracer| tracer.register.take());
                match (register, choice.ty) {
                    (Some((name, ty)), ChoiceType::Int { bits, signed, .. }) => {
                        let value = Value::Int(wrap(value, bits, signed));
                        What::Input { name, value: self.show(ty, &value, true) }
                    }
                    (Some((name, _)), _) => What::Input { name, value: text },
                    (None, _) => What::Input { name, value: text },
                }
            }
            // The object is named when it has its value.
            ChoiceKind::Uninitialised => return,
            ChoiceKind::AllocationFailure if value != 0 => What::Choice(format!("`{name}` fails")),
            ChoiceKind::EvaluationOrder if value != 0 => {
                What::Choice("operands are evaluated in the other order".to_owned())
            }
            ChoiceKind::UnknownWrite => What::Input { name: format!("what {name}() writes"), value: text },
            _ => return,
        };
        self.tell(what);
    }

    /// An integer from outside, as the function that gives it is declared: characters, truth values,
    /// enumerators.
    fn input_text(&self, choice: &Choice, value: i128) -> String {
        let types = &self.program.types;
        let result = matches!(choice.kind, ChoiceKind::Input | ChoiceKind::UnknownResult)
            .then(|| self.program.functions.iter().find(|it| it.name == choice.name))
            .flatten()
            .and_then(|function| types.as_function(function.ty))
            .map(|it| it.result)
            .filter(|&ty| matches!(self.shape(ty), Shape::Int { .. } | Shape::Bool));
        match result {
            Some(ty) => self.show(ty, &Value::Int(value), false),
            None => value.to_string(),
        }
    }

    /// Bytes that nothing was stored to have got values.
    pub(crate) fn trace_uninitialised(&mut self, id: AllocationId, offset: usize, size: usize) {
        if self.tracer.is_none() {
            return;
        }
        let mut leaves = self.leaves(id, offset..offset + size);
        // A register that is read has the value that the hardware gives it then, which is told.
        if let Some(Kind::Static(variable)) = self.memory.kind_of(id)
            && let variable = &self.program.variables[variable]
            && !variable.defined
        {
            let volatile = |ty| self.program.types.qualifiers(ty).is_volatile;
            leaves.retain(|leaf| !volatile(leaf.ty));
            if leaves.is_empty() || volatile(variable.ty) {
                self.memory.forget_changes();
                return;
            }
        }
        if leaves.is_empty() {
            let number = self.memory.get(id).map_or(0, |it| it.number(offset, size.min(16)));
            let name = self.pointer_name(id, self.memory.pointer_to(id).address + offset as u64, None);
            self.tell(What::Uninitialised {
                name: format!("{size} bytes at {name}"),
                value: number.to_string(),
            });
        }
        for leaf in leaves {
            if let Some(value) = self.held_value(id, &leaf) {
                let value = self.show(leaf.ty, &value, leaf.bitwise);
                self.tell(What::Uninitialised { name: leaf.name, value });
            }
        }
        self.memory.forget_changes();
    }

    /// Memory was allocated.
    pub(crate) fn trace_allocation(&mut self, id: AllocationId, kind: Kind) {
        if let Some(tracer) = &mut self.tracer
            && kind == Kind::Heap
        {
            let number = tracer.heap.len() + 1;
            tracer.heap.insert(id, (number, None));
        }
    }

    /// An lvalue is stored to: what is behind its pointer is of that type.
    pub(crate) fn trace_target(&mut self, target: ExprId, id: Option<AllocationId>) {
        let Some(tracer) = &mut self.tracer else { return };
        let Some((_, known @ None)) = id.and_then(|id| tracer.heap.get_mut(&id)) else { return };
        let mut root = target;
        while let ExprKind::Member { base, .. } = self.program.exprs[root].kind {
            root = base;
        }
        if let ExprKind::Deref(_) = self.program.exprs[root].kind {
            *known = Some(self.program.exprs[root].ty);
        }
    }

    /// Tells which objects have changed since it was asked last.
    pub(crate) fn trace_changes(&mut self) {
        if self.tracer.is_none() {
            return;
        }
        let changed = self.memory.take_changes();
        // Before `main` objects get what the text says.
        if self.tracer.as_ref().is_some_and(|tracer| tracer.muted > 0 || tracer.parts.is_empty()) {
            return;
        }
        for changed in changed {
            let id = changed.id;
            let Some(kind) = self.memory.kind_of(id) else { continue };
            let owner = match kind {
                Kind::Automatic(variable) => {
                    let declared = &self.program.variables[variable];
                    if !matches!(declared.role, VarRole::Named | VarRole::Parameter(_)) {
                        continue;
                    }
                    let slot = self.tables.slot(variable);
                    let frame = |frame: &crate::machine::Activation| {
                        Some(frame.function) == declared.function
                            && frame.slots.get(slot).copied().flatten() == Some(id)
                    };
                    self.frames.iter().rposition(frame).map_or(0, |frame| frame + 1)
                }
                Kind::Static(_) | Kind::Heap | Kind::Alloca => 0,
                _ => continue,
            };
            // A part of which several bytes changed is one.
            let mut leaves: Vec<Leaf> =
                changed.runs.iter().flat_map(|run| self.leaves(id, run.clone())).collect();
            leaves.dedup_by(|next, leaf| next.offset == leaf.offset && next.bits == leaf.bits);
            // Bit-fields share bytes.
            leaves.retain(|leaf| match leaf.bits {
                Some(bits) => {
                    let first = leaf.offset as u64 * 8 + u64::from(bits.offset);
                    changed.has_bits(first..first + u64::from(bits.width))
                }
                None => true,
            });
            let changes = self.grouped(id, &leaves);
            for (name, value) in changes {
                self.tell(What::Change { name, value, owner });
            }
        }
    }

    /// Changed parts with their values; many elements of one array are one, and characters a string.
    fn grouped(&self, id: AllocationId, leaves: &[Leaf]) -> Vec<(String, String)> {
        let mut told = Vec::new();
        let mut rest = leaves;
        while let Some(first) = rest.first() {
            let array = first.element.as_ref().map(|(array, _)| array);
            let run = rest
                .iter()
                .take_while(|leaf| array.is_some() && leaf.element.as_ref().map(|(it, _)| it) == array)
                .count();
            let (these, behind) = rest.split_at(run.max(1));
            rest = behind;
            if let Some(text) = self.string_text(id, these) {
                told.push(text);
                continue;
            }
            // Those in a row.
            let mut these = these;
            while !these.is_empty() {
                let index = |leaf: &Leaf| leaf.element.as_ref().map(|&(_, index)| index);
                let next = |pair: &&[Leaf]| match (index(&pair[0]), index(&pair[1])) {
                    (Some(one), Some(other)) => one + 1 == other,
                    _ => false,
                };
                let run = these.windows(2).take_while(next).count() + 1;
                let (row, behind) = these.split_at(run);
                these = behind;
                match self.elements_text(id, row).filter(|_| run > FEW) {
                    Some(text) => told.push(text),
                    None => told.extend(row.iter().filter_map(|leaf| {
                        let value = self.held_value(id, leaf)?;
                        Some((leaf.name.clone(), self.show(leaf.ty, &value, leaf.bitwise)))
                    })),
                }
            }
        }
        told
    }

    /// An array of characters of which several have changed: the string that it holds now.
    fn string_text(&self, id: AllocationId, leaves: &[Leaf]) -> Option<(String, String)> {
        let [first, _, ..] = leaves else { return None };
        let (array, index) = first.element.clone()?;
        if !self.is_character(first.ty) {
            return None;
        }
        let start = first.offset.checked_sub(usize::try_from(index).ok()?)?;
        let last = leaves.last()?.offset;
        let object = self.memory.get(id)?;
        let bytes = object.data.get(start..)?;
        let length = bytes.iter().position(|&byte| byte == 0)?;
        // Bytes behind the end of the string are no part of it, unless all became zero.
        let told = start + length >= last || bytes.get(length..=last - start)?.iter().all(|&byte| byte == 0);
        let held = object.is_initialised(start, length + 1);
        (told && held).then(|| (array, show::string(&bytes[..length])))
    }

    /// Whether a type is that of characters, not of small numbers.
    fn is_character(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        matches!(types.int_kind(ty), Some(IntKind::Char | IntKind::CharUnsigned))
            && matches!(types.kind(ty), TypeKind::Int(_))
    }

    /// Elements of one array, in a row.
    fn elements_text(&self, id: AllocationId, leaves: &[Leaf]) -> Option<(String, String)> {
        let (array, low) = leaves.first()?.element.clone()?;
        let (_, high) = leaves.last()?.element.clone()?;
        let ty = leaves.first()?.ty;
        let values: Option<Vec<Value>> = leaves.iter().map(|leaf| self.held_value(id, leaf)).collect();
        let texts: Vec<String> = values?.iter().map(|it| self.show(ty, it, false)).collect();
        let name = format!("{array}[{low}..{high}]");
        if texts.iter().all(|text| *text == texts[0]) {
            return Some((name, texts[0].clone()));
        }
        let more = if texts.len() > SHOWN { ", …" } else { "" };
        let shown = &texts[..texts.len().min(SHOWN)];
        Some((name, format!("{{{}{more}}}", shown.join(", "))))
    }

    /// The execution has ended: a failure is told with the parts of its expression.
    pub(crate) fn trace_end(&mut self, end: &End) {
        if self.tracer.is_none() || !matches!(end, End::Error { .. } | End::Undefined(_)) {
            return;
        }
        self.trace_changes();
        let Some(tracer) = &mut self.tracer else { return };
        tracer.muted = 0;
        let mut frames = std::mem::take(&mut tracer.parts);
        let depth = frames.len();
        let mut parts: Vec<Part> = Vec::new();
        // Where a function only looks at its parameters (an assertion of the user), its call says more.
        for at in (0..depth).rev().take(2) {
            let frame = &mut frames[at];
            // The condition before is what an assertion fails by; undefined behaviour has its own expression.
            let asserted = frame.statement.is_empty() && matches!(end, End::Error { .. });
            let from = if asserted { &mut frame.condition } else { &mut frame.statement };
            let program = self.program;
            let parameter = |expr: ExprId| match program.exprs[super::plain(program, expr)].kind {
                ExprKind::Variable(variable) => {
                    matches!(program.variables[variable].role, VarRole::Parameter(_))
                }
                _ => false,
            };
            let told = !from.is_empty() && from.iter().all(|part| parameter(part.expr));
            parts.append(from);
            if !told || !matches!(end, End::Error { .. }) {
                break;
            }
        }
        let parts = self.parts_text(&parts);
        let at = self.failed_at();
        if let Some(tracer) = &mut self.tracer {
            tracer.parts = frames;
            let what = match end {
                End::Undefined(undefined) => {
                    let word = if undefined.kind.is_defined() { undefined.kind.name() } else { "undefined" };
                    Some(format!("{word}: {}", undefined.sentence))
                }
                _ => None,
            };
            tracer.push(What::Failure { at, what, parts });
        }
    }

    /// Where the execution is: in the user's text.
    fn failed_at(&self) -> Span {
        let library = |span: Span| self.program.sources.file(span.file).base_name() == LIBRARY;
        let calls = self.frames.iter().rev().map(|frame| frame.called_at);
        std::iter::once(self.here).chain(calls).find(|&span| !library(span)).unwrap_or(self.here)
    }

    fn parts_text(&self, parts: &[Part]) -> Vec<(String, String)> {
        let mut told: Vec<(String, String, bool)> = Vec::new();
        for Part { expr, value, string } in parts {
            let node = &self.program.exprs[*expr];
            let text = one_line(&self.program.sources.expression(node.span));
            if text.is_empty() || told.iter().any(|(other, ..)| *other == text) {
                continue;
            }
            // Where a function of the library points to is a matter of its arguments.
            if let ExprKind::Call { callee: Callee::Function(function), .. } = node.kind
                && matches!(value, Value::Pointer(_))
                && self.program.sources.file(self.program.functions[function].span.file).base_name()
                    == LIBRARY
            {
                continue;
            }
            if let Some(string) = string {
                told.push((text, string.clone(), false));
                continue;
            }
            let pointer = matches!(value, Value::Pointer(it) if !it.is_null());
            told.push((text, self.show(node.ty, value, self.is_bitwise(*expr)), pointer));
        }
        // A pointer that only leads to another part is of no interest by itself.
        let leads = |text: &str, told: &[(String, String, bool)]| {
            told.iter().any(|(other, ..)| other.len() > text.len() && other.starts_with(text))
        };
        let kept = told.iter().filter(|(text, _, pointer)| !(*pointer && leads(text, &told)));
        kept.map(|(text, value, _)| (text.clone(), value.clone())).collect()
    }

    fn is_bitwise(&self, expr: ExprId) -> bool {
        let Some(tracer) = &self.tracer else { return false };
        match self.program.exprs[super::plain(self.program, expr)].kind {
            ExprKind::Variable(variable) => tracer.bitwise.variables.contains(&variable),
            ExprKind::Member { base, offset, .. } => {
                let record = self.program.types.as_record(self.program.exprs[base].ty);
                record.is_some_and(|record| tracer.bitwise.members.contains(&(record, offset)))
            }
            _ => false,
        }
    }
}

/// A text without line breaks and runs of blanks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
