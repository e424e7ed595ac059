//! What runs before `main` and after it.
//!
//! Constructors run in the order of their priorities, those of one priority in the order of their
//! definitions, as GCC and the ELF loader do it. When the program ends by `exit` or by leaving `main`,
//! destructors run in the opposite order.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Base, Place};
use crate::lower::memory::object::Local;
use crate::lower::memory::points::Class;
use crate::lower::translate::expr::{Val, whole};
use crate::lower::translate::facts::root;
use crate::tree::{Callee, ExprId, ExprKind, Function, FunctionId};
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_term::{Sort, Term};

/// The argument vector of `main`, which lies outside of the program.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Arguments {
    /// The class of what `argv` points to.
    class: Class,
    /// Where it begins, and the bytes up to the null pointer at its end.
    start: Term,
    length: Term,
    /// The program may write into it.
    changed: bool,
}

impl Lowering<'_> {
    /// Runs what comes before `main`, and `main`.
    pub(in crate::lower) fn start(&mut self, main: FunctionId) {
        for constructor in self.by_priority(|function| function.constructor) {
            self.run_alone(constructor);
        }
        let values = self.main_arguments(main);
        self.inline(main, &values);
        self.at_exit();
        self.build.stop();
    }

    /// The arguments of `main` are any values that 5.1.2.2.1 allows: their number is not negative, and the
    /// vector exists.
    fn main_arguments(&mut self, main: FunctionId) -> Vec<(Val, TypeId)> {
        let tree = self.tree;
        let parameters = &tree.functions[main].parameters;
        let mut values = Vec::new();
        let mut terms = Vec::new();
        for (position, &parameter) in parameters.iter().enumerate() {
            let ty = tree.variables[parameter].ty;
            let object = self.object(Key::Local(Local { function: main, depth: 1, variable: parameter }));
            self.with_origin(HavocOrigin::MainArgument, |this| this.havoc_object(object));
            let is_pointer = tree.types.pointee(ty).is_some();
            if (position == 0 && self.is_signed(ty)) || (position > 0 && is_pointer) {
                let term = self.read(&whole(object, ty));
                let negative = self.build.arena.bv_is_negative(term);
                // The vectors lie outside of the program.
                let possible = if position == 0 { self.build.arena.not(negative) } else { negative };
                self.build.assume(possible);
                terms.push(term);
            }
            values.push((Val::Void, ty));
        }
        if let ([count, start, ..], [_, vector, ..]) = (&terms[..], &parameters[..])
            && let Some(class) = self.points.content_of(self.points.of_variable(*vector))
        {
            self.calls.arguments = Some(self.argument_vector(*count, *start, class));
        }
        values
    }

    /// Keeps number and place of the arguments as they were at first.
    fn argument_vector(&mut self, count: Term, start: Term, class: Class) -> Arguments {
        let width = self.pointer_bits();
        let sort = Sort::BitVec(width);
        let (size, length) = self.build.new_variable("main::%argc", &sort);
        let bytes = self.build.arena.bv(width, u64::from(width / 8));
        let count = self.extend(count, width, true);
        // No object is larger than the address space.
        let most = self.build.arena.bv(width, (1 << (width - 1)) / u64::from(width / 8));
        let possible = self.build.arena.bv_ule(count, most);
        self.build.assume(possible);
        let scaled = self.build.arena.bv_mul(count, bytes);
        self.build.assign(size, scaled);
        let (place, first) = self.build.new_variable("main::%argv", &sort);
        self.build.assign(place, start);
        let zero = self.build.arena.bv(width, 0);
        let rest = self.build.arena.bv_urem(first, bytes);
        let aligned = self.build.arena.eq(rest, zero);
        self.build.assume(aligned);
        Arguments { class, start: first, length, changed: self.is_written(class) }
    }

    /// Whether the program, or a function that it gives a pointer to, may write into a class of objects.
    fn is_written(&self, class: Class) -> bool {
        let tree = self.tree;
        let into = |lvalue: ExprId| root(tree, lvalue).is_none() && self.points.of_expr(lvalue) == class;
        tree.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Assign { target, .. } | ExprKind::Update { target, .. } => into(*target),
            ExprKind::Call { callee: Callee::Function(function), arguments } => {
                let given = |&argument: &ExprId| {
                    let pointee = tree.types.pointee(tree.exprs[argument].ty);
                    pointee.is_some_and(|ty| !tree.types.qualifiers(ty).is_const)
                        && self.points.of_expr(argument) == class
                };
                tree.functions[*function].body.is_none() && arguments.iter().any(given)
            }
            ExprKind::Builtin { arguments, .. } => {
                arguments.iter().any(|&argument| self.points.of_expr(argument) == class)
            }
            _ => false,
        })
    }

    /// What was read is an element of the argument vector of `main`: a string, or the null pointer at its
    /// end.
    pub(in crate::lower) fn assume_argument(&mut self, lvalue: ExprId, place: &Place, value: Term) {
        let Some(arguments) = self.calls.arguments else { return };
        let Base::Raw(raw) = place.base else { return };
        let is_pointer = self.tree.types.pointee(self.tree.exprs[lvalue].ty).is_some();
        if !is_pointer || self.points.of_expr(lvalue) != arguments.class {
            return;
        }
        let distance = self.build.arena.bv_sub(raw.address, arguments.start);
        let before = self.build.arena.bv_ult(distance, arguments.length);
        let last = self.build.arena.eq(distance, arguments.length);
        if arguments.changed {
            let element = self.build.arena.or(&[before, last]);
            self.build.unmodelled_if(element, "an argument vector of `main` that the program changes");
            return;
        }
        let outside = self.build.arena.bv_is_negative(value);
        let null = self.build.arena.bv(self.pointer_bits(), 0);
        let null = self.build.arena.eq(value, null);
        let before = match planted(Fault::ArgvLonger) {
            true => self.build.arena.or(&[before, last]),
            false => before,
        };
        let last = if planted(Fault::ArgvLonger) { self.build.arena.mk_false() } else { last };
        let string = self.build.arena.implies(before, outside);
        let end = self.build.arena.implies(last, null);
        self.build.assume(string);
        self.build.assume(end);
    }

    /// What runs when the program ends by `exit` or by leaving `main`.
    pub(in crate::lower) fn at_exit(&mut self) {
        if std::mem::replace(&mut self.calls.ending, true) {
            // `exit` from what runs at the end: undefined (7.22.4.4), and the library goes on with what is
            // left.
            self.build.unmodelled("`exit` while the program ends");
            return;
        }
        // What `atexit` registered.
        if let Some(handlers) = self.tree.function("__nilas_run_at_exit") {
            self.run_alone(handlers);
        }
        for destructor in self.by_priority(|function| function.destructor).into_iter().rev() {
            if planted(Fault::DestructorSkipped) {
                continue;
            }
            self.run_alone(destructor);
        }
        self.calls.ending = false;
        self.ends();
    }

    /// The loader gives constructors and destructors the arguments of `main`.
    fn run_alone(&mut self, function: FunctionId) {
        if self.build.reachable() {
            self.build.span = self.tree.functions[function].span;
            if !self.tree.functions[function].parameters.is_empty() {
                self.build.unmodelled("a constructor or destructor with parameters");
            }
            self.inline(function, &[]);
        }
    }

    /// The functions with a priority, smallest first.
    fn by_priority(&self, priority: impl Fn(&Function) -> Option<u32>) -> Vec<FunctionId> {
        let functions = self.tree.functions.enumerate().filter(|(_, function)| function.body.is_some());
        let mut found: Vec<_> = functions
            .filter_map(|(id, function)| {
                Some((priority(function)?, (function.span.file.index(), function.span.start), id))
            })
            .collect();
        found.sort_by_key(|&(priority, place, _)| {
            (if planted(Fault::ConstructorPriorityIgnored) { 0 } else { priority }, place)
        });
        found.into_iter().map(|(.., id)| id).collect()
    }
}
