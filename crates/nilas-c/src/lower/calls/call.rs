//! Calls: inlining, and functions without body.

use crate::library::{self, catalogue};
use crate::lower::Bound;
use crate::lower::build::Blamed;
use crate::lower::calls::Frame;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::layout::scalar;
use crate::lower::memory::object::{Local, ObjectId};
use crate::lower::memory::points::may_call;
use crate::lower::translate::expr::{Val, whole};
use crate::lower::translate::temporary::Purpose;
use crate::lower::{FunctionResult, HavocOrigin};
use crate::property::{Claim, Property};
use crate::tree::{AddressBase, Callee, ExprId, ExprKind, FunctionId, VarId};
use crate::types::{TypeId, TypeKind};
use nilas_fault::{Fault, planted};
use nilas_term::Term;
use rustc_hash::FxHashMap;

/// 6.7.4p8
pub(in crate::lower) const RETURNS: Claim =
    Claim::new(Property::OtherUndefined, "return of a function that must not return");

/// 6.9.1p12
const NO_VALUE: Claim =
    Claim::new(Property::MissingReturn, "use of the value of a function that ended without one");

impl Lowering<'_> {
    /// A call.
    pub(in crate::lower) fn call(&mut self, expr: ExprId, callee: Callee, arguments: &[ExprId]) -> Val {
        match callee {
            Callee::Function(function) => self.call_function(expr, function, arguments),
            Callee::Pointer(pointer) => self.call_pointer(expr, pointer, arguments),
        }
    }

    /// A call of a function by name.
    pub(in crate::lower) fn call_function(
        &mut self,
        expr: ExprId,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> Val {
        let tree = self.tree;
        let declared = &tree.functions[function];
        let ty = tree.exprs[expr].ty;
        if matches!(declared.name.as_str(), "__VERIFIER_error" | "reach_error") {
            self.arguments(arguments);
            self.build.span = tree.exprs[expr].span;
            self.build.fails(&format!("`{}` is called", declared.name), None);
            return self.nothing(ty);
        }
        let mut values = self.arguments(arguments);
        self.build.span = tree.exprs[expr].span;
        if !self.build.reachable() {
            return self.nothing(ty);
        }
        if declared.implicit && declared.body.is_none() && catalogue::has_hidden_type(&declared.name) {
            let construct = format!("`{}` without a declaration", declared.name);
            return self.unmodelled_value(&construct, ty);
        }
        // A function in C of the library has a row, too; a function of the program with a name of the library
        // has none.
        let row = catalogue::row(&declared.name)
            .filter(|row| declared.body.is_none() || row.text_name() == declared.name);
        if let Some(row) = row
            && self.calls_back_openly(row, arguments)
        {
            let construct = format!("`{}` with a function that has effects", row.name);
            return self.unmodelled_value(&construct, ty);
        }
        if let Some(row) = row.filter(|_| self.abstracts)
            && let Some(value) = self.known_abstracted(expr, row, arguments)
        {
            return self.as_result(value, function, ty);
        }
        if let Some(row) = row
            && let Some(value) = self.known(expr, row, arguments, &values, declared.body.is_some())
        {
            return self.as_result(value, function, ty);
        }
        if declared.body.is_some() {
            self.pass_more(function, arguments, &mut values);
            let typed: Vec<(Val, TypeId)> =
                values.into_iter().zip(arguments.iter().map(|&argument| tree.exprs[argument].ty)).collect();
            self.calls.sites.push((function, expr));
            let before = self.build.blamed;
            self.blame_assertion(expr, function, arguments);
            let value = self.inline(function, &typed);
            self.build.blamed = before;
            self.calls.sites.pop();
            return self.as_result(value, function, ty);
        }
        self.must_exist(Key::Function(function));
        if declared.indirect {
            return self.unmodelled_value("attribute `ifunc`", ty);
        }
        let pointers =
            arguments.iter().any(|&argument| tree.types.pointee(tree.exprs[argument].ty).is_some());
        if catalogue::is_input(&declared.name) && !pointers {
            return self.any_value(expr, &declared.name);
        }
        self.call_unknown(expr, function, arguments, &values)
    }

    /// The call answers for the error in a function that is an assertion; unless calls share its body.
    fn blame_assertion(&mut self, expr: ExprId, function: FunctionId, arguments: &[ExprId]) {
        let asserts = self.tree.functions[function].name == "__VERIFIER_assert" && arguments.len() == 1;
        if self.build.blamed.is_none() && asserts && !self.is_shared(function) {
            let asserted = arguments.first().map(|&it| self.tree.exprs[it].span);
            self.build.blamed = Some(Blamed { call: self.tree.exprs[expr].span, asserted, library: false });
        }
    }

    /// The call answers for what is in the text of a function of the library, but not for what that calls
    /// back.
    fn blame_library(&mut self, function: FunctionId) {
        let file = self.tree.sources.locate(self.tree.functions[function].span).file;
        let inside = self.build.blamed.is_some_and(|blamed| blamed.library);
        if !library::is_text(&file) {
            self.build.blamed = self.build.blamed.filter(|_| !inside);
        } else if !inside {
            let call = self.build.span;
            let blamed = Blamed { call, asserted: None, library: true };
            self.build.blamed = Some(blamed).filter(|_| !self.is_shared(function));
        }
    }

    /// Whether a function that sorts or searches calls one whose calls leave something behind. C leaves open
    /// which elements it compares, and how often.
    fn calls_back_openly(&self, row: &catalogue::Row, arguments: &[ExprId]) -> bool {
        let Some(&callback) =
            row.callback.filter(|_| row.determined).and_then(|position| arguments.get(usize::from(position)))
        else {
            return false;
        };
        let mut targets = self.facts.targets.iter().filter(|&&target| may_call(self.tree, callback, target));
        let function = self.designated(callback);
        match function {
            Some(function) => !self.order.is_quiet(function),
            None => targets.any(|&target| !self.order.is_quiet(target)),
        }
    }

    /// The function that an argument names.
    fn designated(&self, mut argument: ExprId) -> Option<FunctionId> {
        let exprs = &self.tree.exprs;
        while let ExprKind::Convert { operand, .. } = exprs[argument].kind {
            argument = operand;
        }
        match exprs[argument].kind {
            ExprKind::Address { base: AddressBase::Function(function), .. } => Some(function),
            ExprKind::FunctionDecay(designator) => match exprs[designator].kind {
                ExprKind::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        }
    }

    /// The result of a function as that of a call. They differ in type where a function is called through a
    /// pointer of another type, which only a few compilers and programs agree about.
    fn as_result(&mut self, value: Val, function: FunctionId, ty: TypeId) -> Val {
        let types = &self.tree.types;
        let declared = types.as_function(self.tree.functions[function].ty).map(|function| function.result);
        let Val::Scalar(term) = value else { return value };
        if types.is_void(ty) {
            return Val::Void;
        }
        let Some((kind, _)) = scalar(types, ty) else {
            return self.unmodelled_value("a function of another type than its pointer", ty);
        };
        let sort = kind.sort();
        if *self.build.arena.sort(term) == sort {
            return value;
        }
        match declared.and_then(|declared| Some((declared, scalar(types, declared)?.0))) {
            Some((from, had)) if *self.build.arena.sort(term) == had.sort() => {
                Val::Scalar(self.adapt(term, from, ty))
            }
            _ => self.unmodelled_value("a function of another type than its pointer", ty),
        }
    }

    /// A value that does not matter: the call does not return.
    pub(in crate::lower) fn nothing(&mut self, ty: TypeId) -> Val {
        if self.tree.types.is_void(ty) {
            Val::Void
        } else if scalar(&self.tree.types, ty).is_some() {
            Val::Scalar(self.default_term(ty))
        } else {
            let base = crate::lower::memory::access::Base::Nowhere;
            Val::Aggregate(crate::lower::memory::access::Place { base, ty, bits: None })
        }
    }

    /// The values of arguments, saved where a later one has effects.
    pub(in crate::lower) fn arguments(&mut self, arguments: &[ExprId]) -> Vec<Val> {
        let mut values = Vec::new();
        for (number, &argument) in arguments.iter().enumerate() {
            let value = self.value(argument);
            let later = arguments[number + 1..].iter().any(|&later| self.facts.has_effects(later));
            let saved = later && !planted(Fault::ArgumentNotSaved);
            values.push(if saved { self.save_value(argument, value) } else { value });
        }
        values
    }

    /// The term of an argument.
    pub(in crate::lower) fn argument_term(&mut self, value: &Val, ty: TypeId) -> Term {
        match value {
            Val::Scalar(term) => *term,
            Val::Pointer(address) => self.address_term(address),
            Val::Void | Val::Aggregate(_) => self.default_term(ty),
        }
    }

    /// The body of a function in place of its call.
    pub(in crate::lower) fn inline(&mut self, function: FunctionId, arguments: &[(Val, TypeId)]) -> Val {
        let tree = self.tree;
        let declared = &tree.functions[function];
        let result_ty = tree.types.as_function(declared.ty).map(|f| f.result);
        let Some(result_ty) = result_ty else { return Val::Void };
        if self.is_kept(function) {
            return self.call_kept(function, arguments, result_ty);
        }
        let active = self.calls.depths.get(&function).copied().unwrap_or(0) + 1;
        let depth = self.calls.base + active;
        if active > self.options.recursion {
            let construct =
                format!("recursion of `{}` deeper than {} calls", declared.name, self.options.recursion);
            if planted(Fault::RecursionCut) {
                self.build.stop();
            }
            self.build.cut(Bound::Recursion, &construct);
            return self.nothing(result_ty);
        }
        self.calls.too_large |= !self.sharing && self.build.edge_count() > self.options.inlined;
        if self.calls.too_large || self.build.edge_count() > self.options.edges {
            return self.unmodelled_value("a program too large to inline its calls", result_ty);
        }
        let shared = self.is_shared(function);
        let once = !shared && self.is_lowered_once(function);
        let more = self.calls.more.take();
        let blamed = self.build.blamed;
        self.blame_library(function);
        self.calls.entered.push(function);
        let mut bound = FxHashMap::default();
        for (number, &parameter) in declared.parameters.iter().enumerate() {
            let ty = tree.variables[parameter].ty;
            self.begin_life(Key::Local(Local { function, depth, variable: parameter }));
            let object =
                |this: &mut Self| this.object(Key::Local(Local { function, depth, variable: parameter }));
            let Some((value, from)) = arguments.get(number) else {
                let object = object(self);
                self.havoc_object(object);
                continue;
            };
            match value {
                Val::Void => {}
                Val::Aggregate(_) => {
                    let object = object(self);
                    self.initialising(|this| this.store(&whole(object, ty), value.clone()));
                }
                _ => {
                    let term = self.argument_term(value, *from);
                    let term = self.adapt(term, *from, ty);
                    let constant =
                        self.build.arena.as_value(term).is_some() && !self.facts.is_written(parameter);
                    let constant = constant
                        || planted(Fault::WrittenParameterBound) && self.build.arena.as_value(term).is_some();
                    if constant && !shared {
                        bound.insert(parameter, term);
                        continue;
                    }
                    let object = object(self);
                    self.initialising(|this| this.write(&whole(object, ty), term));
                }
            }
        }
        let has_result = !tree.types.is_void(result_ty);
        let result = has_result.then(|| self.object(Key::Result(function, depth)));
        if shared || once {
            self.call_body(function, depth, bound, result, shared);
        } else {
            self.calls.more = more;
            self.body(function, depth, bound, result, false);
        }
        self.build.blamed = blamed;
        // 6.7.4p8
        if declared.noreturn {
            self.build.never(RETURNS);
            return self.nothing(result_ty);
        }
        match result {
            Some(object) if scalar(&tree.types, result_ty).is_some() => {
                Val::Scalar(self.read(&whole(object, result_ty)))
            }
            Some(object) => Val::Aggregate(whole(object, result_ty)),
            None => Val::Void,
        }
    }

    /// The body of a function, its parameters being set; goes on behind it.
    pub(in crate::lower) fn body(
        &mut self,
        function: FunctionId,
        depth: usize,
        bound: FxHashMap<VarId, Term>,
        result: Option<ObjectId>,
        shared: bool,
    ) {
        let declared = &self.tree.functions[function];
        let (exit, more) = (self.build.new_location(), self.calls.more.take());
        self.calls.instances += 1;
        self.calls.depths.insert(function, depth - self.calls.base);
        self.calls.frames.push(Frame {
            function,
            depth,
            bound,
            labels: FxHashMap::default(),
            exit,
            result,
            more,
            shared,
            breaks: Vec::new(),
            continues: Vec::new(),
            blocks: Vec::new(),
            cleanups: Vec::new(),
        });
        let guard = self.build.guard.take();
        let reads = std::mem::take(&mut self.memory.reads.pending);
        let made = self.tree.entry.as_ref().is_some_and(|entry| entry.function == function);
        let before = std::mem::replace(&mut self.build.made, made);
        if let Some(body) = declared.body {
            self.stmt(body);
        }
        self.build.made = before;
        if self.build.reachable()
            && let Some(result) = result
            && declared.name != "main"
            && !planted(Fault::MissingReturnKeepsLast)
        {
            self.no_value(function, result);
        }
        self.build.guard = guard;
        self.memory.reads.pending = reads;
        self.calls.frames.pop();
        self.calls.depths.insert(function, depth - self.calls.base - 1);
        if self.build.has_incoming(exit) {
            self.build.goto(exit);
            self.build.continue_at(exit);
        }
        self.end_of_stack(function, depth);
    }

    /// The function ends without a value: any, if nobody uses it; else the behaviour is undefined (6.9.1p12),
    /// and machines take what they find.
    pub(in crate::lower) fn no_value(&mut self, function: FunctionId, result: ObjectId) {
        let call = self.calls.sites.last().filter(|(called, _)| *called == function).map(|(_, call)| *call);
        if self.build.asks(Property::MissingReturn) && self.facts.uses_result_of(function) {
            self.ask_for_own(None);
            match call.filter(|_| !self.in_shared() && self.frame().cleanups.is_empty()) {
                Some(call) if self.facts.is_dropped(call) => {}
                Some(call) => {
                    let here = std::mem::replace(&mut self.build.span, self.tree.exprs[call].span);
                    self.build.never(NO_VALUE);
                    self.build.span = here;
                }
                None => self.build.unmodelled("the value of a function that ended without one"),
            }
        } else if self.facts.uses_result_of(function) {
            self.build.presume("the value of a function that ended without one");
        }
        self.havoc_object(result);
    }

    /// An argument of one type as a parameter of another (calls without prototype).
    pub(in crate::lower) fn adapt(&mut self, term: Term, from: TypeId, to: TypeId) -> Term {
        use crate::tree::Conversion as C;
        let types = &self.tree.types;
        let is_pointer = |ty| matches!(types.kind(ty), TypeKind::Pointer(_));
        let is_float = |ty| matches!(types.kind(ty), TypeKind::Float(_));
        let conversion = match (is_float(from), is_float(to)) {
            (true, true) => C::FloatToFloat,
            (true, false) => C::FloatToInt,
            (false, true) => C::IntToFloat,
            _ if is_pointer(from) && is_pointer(to) => C::PointerToPointer,
            _ => C::IntToInt,
        };
        self.convert(conversion, term, from, to)
    }

    /// Any value of the type of a call of a function.
    pub(in crate::lower) fn any_value(&mut self, expr: ExprId, function: &str) -> Val {
        let node = &self.tree.exprs[expr];
        let ty = node.ty;
        if self.tree.types.is_void(ty) {
            return Val::Void;
        }
        let result = FunctionResult { function: function.to_owned(), ty, span: node.span };
        let origin = if catalogue::is_input(function) {
            HavocOrigin::Input(result)
        } else if self.is_pure(function) {
            HavocOrigin::Determined(result.function)
        } else {
            HavocOrigin::Unknown(result)
        };
        let (function, depth) = (self.frame().function, self.frame().depth);
        if let Some((kind, _)) = scalar(&self.tree.types, ty) {
            let held = self.held_kind(kind).sort();
            let (variable, term) = self.temporary(expr, Purpose::AnyResult, &held);
            let term = self.unheld(term, kind);
            if self.tree.types.pointee(ty).is_some() {
                self.with_origin(origin, |this| this.build.havoc_pointer(variable));
                self.unknown_temporary(variable, ty);
            } else {
                self.with_origin(origin, |this| this.build.havoc(variable));
            }
            return Val::Scalar(term);
        }
        let object = self.object(Key::Aggregate(function, depth, expr));
        self.with_origin(origin, |this| this.havoc_object(object));
        Val::Aggregate(whole(object, ty))
    }
}
