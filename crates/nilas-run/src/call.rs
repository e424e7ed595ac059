//! Calls.

use crate::choice::ChoiceKind;
use crate::expr::order::Watch;
use crate::machine::{Activation, Eval, Flow, Machine, Stop};
use crate::memory::Kind;
use crate::stmt::Entry;
use crate::undefined::UndefinedKind;
use crate::value::{Shape, Value};
use nilas_c::source::Span;
use nilas_c::tree::{Callee, ExprId, FunctionId};
use nilas_c::types::TypeId;

/// A value with its type.
pub(crate) type Typed = (TypeId, Value);

impl Machine<'_> {
    pub(crate) fn call_expression(
        &mut self,
        expr: ExprId,
        callee: Callee,
        arguments: &[ExprId],
    ) -> Eval<Value> {
        let program = self.program;
        let node = &program.exprs[expr];
        let unused = self.discarded.take() == Some(expr);
        if !self.has_stack() {
            self.here = node.span;
            return self.out_of_stack("a call");
        }
        // As gcc does: the function first, then the arguments from right to left.
        let mut operands: Vec<ExprId> = Vec::with_capacity(arguments.len() + 1);
        if let Callee::Pointer(pointer) = callee {
            operands.push(pointer);
        }
        operands.extend(arguments.iter().rev());
        let start = self.footprints.start();
        let mut values = self.unsequenced(expr, &operands, Machine::eval_any)?;
        // Behind the arguments is a sequence point.
        self.footprints.complete(start);
        values.reverse();
        let (function, declared) = match callee {
            Callee::Function(function) => (function, program.functions[function].ty),
            Callee::Pointer(pointer) => {
                let target = values.pop().unwrap_or(Value::Void).pointer();
                self.here = node.span;
                let kind = target.provenance.and_then(|id| self.memory.get(id)).map(|it| (it.kind, it.base));
                let function = match kind {
                    Some((Kind::Function(function), base)) if base == target.address => function,
                    _ if target.is_null() => {
                        let sentence = "a call through a null pointer";
                        return self.undefined(UndefinedKind::CallOfNoFunction, sentence, None);
                    }
                    // As an unknown function does: nothing, but it returns any value.
                    None | Some((Kind::External, _)) if self.memory.is_external(target.address) => {
                        self.trace_arguments(&[]);
                        let (what, name) = (ChoiceKind::UnknownResult, "a function of unknown origin");
                        self.memory.changes += 1;
                        if !self.unknown.iter().any(|known| known == name) {
                            self.unknown.push(name.to_owned());
                        }
                        return self.any_result(what, name, node.ty, node.span, None);
                    }
                    _ => {
                        let sentence = "a call through a pointer that points to no function";
                        let object = self.describe_pointer(target);
                        return self.undefined(UndefinedKind::CallOfNoFunction, sentence, object);
                    }
                };
                let ty = program.exprs[pointer].ty;
                (function, program.types.pointee(ty).unwrap_or(program.functions[function].ty))
            }
        };
        let typed: Vec<Typed> =
            arguments.iter().zip(values).map(|(&e, value)| (program.exprs[e].ty, value)).collect();
        self.here = node.span;
        self.call(expr, function, declared, typed, unused)
    }

    /// Calls a function as the expression `expr`, as if it had the type `declared`.
    fn call(
        &mut self,
        expr: ExprId,
        function: FunctionId,
        declared: TypeId,
        arguments: Vec<Typed>,
        unused: bool,
    ) -> Eval<Value> {
        let program = self.program;
        let node = &program.exprs[expr];
        let definition = &program.functions[function];
        if !program.types.compatible_unqualified(declared, definition.ty) {
            let name = &definition.name;
            let sentence = format!("`{name}` is called as a function of another type than it has");
            self.lenient(UndefinedKind::CallOfOtherType, |_| sentence, None)?;
        }
        self.trace_strings(expr, function, &arguments);
        let level = self.footprints.enter_call();
        let result = self.apply(function, arguments, node.span, Some(expr), node.ty);
        self.footprints.leave_call(level);
        // Where an execution ends is told later.
        if !matches!(&result, Err(stop) if matches!(**stop, Stop::End(_))) {
            self.here = node.span;
        }
        let result = result?;
        let result_ty = program.types.as_function(definition.ty).map_or(node.ty, |it| it.result);
        if matches!(self.shape(node.ty), Shape::Void) {
            return Ok(Value::Void);
        }
        self.trace_part(expr, &result);
        if result == Value::Void {
            if unused {
                return Ok(Value::Void);
            }
            return self.missing_result(function, node.ty);
        }
        if definition.body.is_some() && result_ty != node.ty {
            self.convert_value(result, result_ty, node.ty)
        } else {
            Ok(result)
        }
    }

    /// The function ended without a value, and the caller uses it: it may be any.
    fn missing_result(&mut self, function: FunctionId, ty: TypeId) -> Eval<Value> {
        let definition = &self.program.functions[function];
        let name = definition.name.clone();
        let sentence = format!("the value of a call of `{name}`, which ended without one, is used");
        self.lenient(UndefinedKind::NoReturnValue, |_| sentence, None)?;
        if let Shape::Aggregate(size) = self.shape(ty) {
            let size = usize::try_from(size).unwrap_or(0);
            let bytes = crate::value::Bytes {
                data: vec![0; size],
                initialised: vec![false; size],
                provenance: Vec::new(),
            };
            return Ok(Value::Bytes(Box::new(bytes)));
        }
        self.choose_value(ChoiceKind::Uninitialised, definition.span, || name, ty, None)
    }

    /// Runs a function: its body, or what it means in the library.
    pub(crate) fn apply(
        &mut self,
        function: FunctionId,
        arguments: Vec<Typed>,
        called_at: Span,
        expr: Option<ExprId>,
        result: TypeId,
    ) -> Eval<Value> {
        // A text that runs for what it leaves open does nothing else: functions of the library that it calls
        // are texts, too.
        let as_text = self.library.in_text && self.program.functions[function].body.is_some();
        if as_text || self.tables.runs_body(function) {
            self.run_body(function, arguments, called_at)
        } else {
            self.library_call(function, &arguments, called_at, expr, result)
        }
    }

    /// Runs the body of a function.
    pub(crate) fn run_body(
        &mut self,
        function: FunctionId,
        arguments: Vec<Typed>,
        called_at: Span,
    ) -> Eval<Value> {
        let program = self.program;
        let definition = &program.functions[function];
        let Some(body) = definition.body else { return self.unsupported(format!("`{}`", definition.name)) };
        if self.frames.len() >= self.options.depth || !self.has_stack() {
            return self.out_of_stack(&definition.name);
        }
        self.trace_changes();
        let mark = self.memory.mark();
        let levels = self.levels();
        self.serial += 1;
        let serial = self.serial;
        let mut arguments = arguments.into_iter();
        let given: Vec<Option<Typed>> = definition.parameters.iter().map(|_| arguments.next()).collect();
        self.frames.push(Activation {
            function,
            slots: vec![None; definition.locals.len()],
            called_at,
            more: arguments.collect(),
            until_return: Vec::new(),
            cleanups: Vec::new(),
            serial,
            statement: None,
            resumed: None,
        });
        for (&parameter, given) in definition.parameters.iter().zip(given) {
            let id = self.new_object(parameter)?;
            self.declared_again(parameter, id);
            let ty = program.variables[parameter].ty;
            if let Some((from, value)) = given {
                let value = self.convert_value(value, from, ty)?;
                let pointer = self.memory.pointer_to(id);
                self.store(pointer, None, ty, &value)?;
            }
            if program.types.qualifiers(ty).is_const
                && let Some(allocation) = self.memory.get_mut(id)
            {
                allocation.read_only = true;
            }
        }
        self.trace_enter(function);
        let mut entry = Entry::Start;
        let flow = loop {
            match self.exec(body, entry) {
                Ok(Flow::Goto(label)) if self.tables.holds(body, label) => entry = Entry::At(label),
                Ok(flow) => break flow,
                Err(stop) => match *stop {
                    Stop::Jump(Flow::LongJump { frame, statement, call, value, mark }) if frame == serial => {
                        self.memory.release(mark, Some(self.here));
                        self.restore(levels);
                        if let Some(frame) = self.frames.last_mut() {
                            frame.resumed = Some((call, value));
                        }
                        entry = Entry::Again(statement);
                    }
                    Stop::Jump(Flow::LongJump { .. }) => {
                        self.trace_leave(function, &Value::Void);
                        self.leave(mark, called_at);
                        return Err(stop);
                    }
                    _ => return Err(stop),
                },
            }
        };
        if definition.noreturn {
            let sentence = format!("`{}` is declared not to return, and returns", definition.name);
            return self.undefined(UndefinedKind::NoreturnReturns, sentence, None);
        }
        match &flow {
            Flow::Return(value) => self.trace_leave(function, value),
            _ => self.trace_leave(function, &Value::Void),
        }
        self.leave(mark, program.stmts[body].span.after());
        match flow {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::Void),
        }
    }

    /// A function is left: its objects die.
    fn leave(&mut self, mark: (usize, u64), at: Span) {
        if let Some(frame) = self.frames.pop() {
            for id in frame.until_return {
                self.memory.end(id, Some(at));
            }
        }
        self.memory.release(mark, Some(at));
    }

    /// How many values of enclosing expressions are kept.
    pub(crate) fn levels(&self) -> (usize, usize, Watch) {
        (self.old.len(), self.early.len(), self.footprints.level())
    }

    /// Expressions were left by a jump: what they kept is dropped.
    pub(crate) fn restore(&mut self, (old, early, footprints): (usize, usize, Watch)) {
        self.old.truncate(old);
        self.early.truncate(early);
        self.footprints.leave_call(footprints);
    }
}
