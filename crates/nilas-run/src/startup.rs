//! How a program starts and ends: static objects, constructors, `main`, functions that run at exit,
//! destructors.

use crate::end::End;
use crate::machine::{Eval, Flow, Machine, Stop};
use crate::memory::{Kind, Request};
use crate::undefined::UndefinedKind;
use crate::value::{Pointer, Value};
use nilas_c::tree::{Function, FunctionId};

impl Machine<'_> {
    /// Runs the program.
    pub(crate) fn execute(&mut self) -> End {
        let status = match self.start() {
            Ok(status) => status,
            Err(stop) => match *stop {
                Stop::Exit(status) => status,
                other => return self.ended(other),
            },
        };
        match self.shut_down().and_then(|()| self.check_leaks()) {
            Ok(()) => End::Exit(status & 0xff),
            Err(stop) => match *stop {
                // `exit` in a function that runs at exit is undefined; glibc goes on with the next one.
                Stop::Exit(status) => End::Exit(status & 0xff),
                other => self.ended(other),
            },
        }
    }

    fn ended(&self, stop: Stop) -> End {
        match stop {
            Stop::End(end) => end,
            Stop::Exit(status) => End::Exit(status & 0xff),
            Stop::Jump(Flow::LongJump { .. }) => {
                let sentence = "`longjmp` to a function that has returned";
                match self.undefined::<()>(UndefinedKind::JumpOutOfScope, sentence, None) {
                    Err(stop) => match *stop {
                        Stop::End(end) => end,
                        _ => End::Exit(0),
                    },
                    Ok(()) => End::Exit(0),
                }
            }
            Stop::Jump(_) => {
                End::Unsupported { what: "a jump out of a function".to_owned(), place: self.place(self.here) }
            }
        }
    }

    fn start(&mut self) -> Eval<i32> {
        let program = self.program;
        let Some(main) = program.start() else {
            return self.unsupported("a program that does not define `main`");
        };
        self.here = program.functions[main].span;
        if let Some(asm) = program.file_asm.iter().find(|asm| !asm.template.trim().is_empty()) {
            self.here = asm.span;
            return self.unsupported("assembly outside functions");
        }
        self.make_statics()?;
        for function in self.by_priority(|function| function.constructor) {
            self.run_alone(function)?;
        }
        let arguments = self.main_arguments(main)?;
        let span = program.functions[main].span;
        let result_ty = program.types.as_function(program.functions[main].ty).map(|it| it.result);
        let result_ty = result_ty.unwrap_or(program.functions[main].ty);
        let value = self.apply(main, arguments, span, None, result_ty)?;
        // `main` that ends without a value returns 0.
        Ok(i32::try_from(crate::value::wrap(value.int(), 32, true)).unwrap_or(0))
    }

    /// `argc`, `argv` and the environment.
    fn main_arguments(&mut self, main: FunctionId) -> Eval<Vec<crate::call::Typed>> {
        let program = self.program;
        let parameters: Vec<_> = program.functions[main]
            .parameters
            .iter()
            .map(|&parameter| program.variables[parameter].ty)
            .collect();
        let [count_ty, ..] = parameters[..] else { return Ok(Vec::new()) };
        let mut strings = vec!["program".to_owned()];
        strings.extend(self.options.arguments.clone().unwrap_or_default());
        let count = strings.len();
        let mut typed = vec![(count_ty, Value::Int(count as i128))];
        if let Some(&vector_ty) = parameters.get(1) {
            let vector = self.string_vector("argv", &strings)?;
            typed.push((vector_ty, Value::Pointer(vector)));
        }
        if let Some(&environment_ty) = parameters.get(2) {
            let environment = self.string_vector("environ", &[])?;
            typed.push((environment_ty, Value::Pointer(environment)));
        }
        Ok(typed)
    }

    fn string_vector(&mut self, name: &'static str, strings: &[String]) -> Eval<Pointer> {
        let unit = self.pointer_size();
        let size = (unit * (strings.len() + 1)) as u64;
        let vector = self.library_object(name, size)?;
        for (number, string) in strings.iter().enumerate() {
            let size = string.len() as u64 + 1;
            let text = self.library_object(name, size)?;
            let pointer = self.memory.pointer_to(text);
            if let Some(allocation) = self.memory.get_mut(text) {
                allocation.data[..string.len()].copy_from_slice(string.as_bytes());
                allocation.initialised.fill(true);
            }
            if let Some(allocation) = self.memory.get_mut(vector) {
                allocation.set_pointer(number * unit, unit, pointer);
            }
        }
        if let Some(allocation) = self.memory.get_mut(vector) {
            allocation.set_pointer(strings.len() * unit, unit, Pointer::NULL);
        }
        Ok(self.memory.pointer_to(vector))
    }

    /// An object that belongs to the environment.
    pub(crate) fn library_object(
        &mut self,
        name: &'static str,
        size: u64,
    ) -> Eval<crate::memory::AllocationId> {
        let request =
            Request { kind: Kind::Library(name), size, align: 16, span: None, occurrence: 0, at: None };
        self.allocate(&request)
    }

    /// What was registered, in the opposite order; then destructors.
    fn shut_down(&mut self) -> Eval<()> {
        self.frames.clear();
        while let Some(function) = self.library.at_exit.pop() {
            self.run_alone(function)?;
        }
        let mut destructors = self.by_priority(|function| function.destructor);
        destructors.reverse();
        for function in destructors {
            self.run_alone(function)?;
        }
        Ok(())
    }

    /// The program ends: all memory that it allocated is freed, if somebody asks.
    fn check_leaks(&mut self) -> Eval<()> {
        if !self.seeks(UndefinedKind::Leak) {
            return Ok(());
        }
        let Some(id) = self.memory.first_on_heap() else { return Ok(()) };
        let object = self.describe(id, self.memory.pointer_to(id).address);
        self.here = self.memory.get(id).and_then(|it| it.span).unwrap_or(self.here);
        let bytes = if object.size == 1 { "1 byte".to_owned() } else { format!("{} bytes", object.size) };
        let sentence = format!("the program ends, and {} of {bytes} is not freed", object.name);
        self.undefined(UndefinedKind::Leak, sentence, Some(object))
    }

    fn run_alone(&mut self, function: FunctionId) -> Eval<()> {
        let definition = &self.program.functions[function];
        self.here = definition.span;
        if !definition.parameters.is_empty() {
            return self.unsupported("a constructor, destructor or function at exit with parameters");
        }
        let level = self.footprints.enter_call();
        let ty = self.program.types.as_function(definition.ty).map_or(definition.ty, |it| it.result);
        self.apply(function, Vec::new(), definition.span, None, ty)?;
        self.footprints.leave_call(level);
        Ok(())
    }

    fn by_priority(&self, priority: impl Fn(&Function) -> Option<u32>) -> Vec<FunctionId> {
        let functions = self.program.functions.enumerate();
        // Those with the same priority run in the order of their definitions, file by file.
        let place = |function: &Function| (function.span.file.index(), function.span.start);
        let mut found: Vec<_> = functions
            .filter(|(_, function)| function.body.is_some())
            .filter_map(|(id, function)| Some(((priority(function)?, place(function)), id)))
            .collect();
        found.sort_by_key(|(order, _)| *order);
        found.into_iter().map(|(_, id)| id).collect()
    }
}
