//! What runs before `main` and after it.
//!
//! Constructors run in the order of their priorities, those of one priority in the order of their definitions, as GCC and
//! the ELF loader do it. When the program ends by `exit` or by leaving `main`, destructors run in the opposite order.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::object::Local;
use crate::lower::translate::expr::{Val, whole};
use crate::tree::{Function, FunctionId};

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

    /// The arguments of `main`: the number of arguments is not negative (5.1.2.2.1), everything else is any value.
    fn main_arguments(&mut self, main: FunctionId) -> Vec<(Val, crate::types::TypeId)> {
        let tree = self.tree;
        let mut values = Vec::new();
        for (position, &parameter) in tree.functions[main].parameters.iter().enumerate() {
            let ty = tree.variables[parameter].ty;
            let object = self.object(Key::Local(Local { function: main, depth: 1, variable: parameter }));
            self.with_origin(HavocOrigin::MainArgument, |this| this.havoc_object(object));
            if position == 0 && self.is_signed(ty) {
                let count = self.read(&whole(object, ty));
                let negative = self.build.arena.bv_is_negative(count);
                let possible = self.build.arena.not(negative);
                self.build.assume(possible);
            }
            values.push((Val::Void, ty));
        }
        values
    }

    /// What runs when the program ends by `exit` or by leaving `main`.
    pub(in crate::lower) fn at_exit(&mut self) {
        if std::mem::replace(&mut self.calls.ending, true) {
            // `exit` from what runs at the end: undefined (7.22.4.4), and the library goes on with what is left.
            self.build.unmodelled("`exit` while the program ends");
            return;
        }
        for destructor in self.by_priority(|function| function.destructor).into_iter().rev() {
            self.run_alone(destructor);
        }
        self.calls.ending = false;
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
            .filter_map(|(id, function)| Some((priority(function)?, function.span.start, id)))
            .collect();
        found.sort_by_key(|&(priority, place, _)| (priority, place));
        found.into_iter().map(|(.., id)| id).collect()
    }
}
