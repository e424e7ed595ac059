//! Inline assembly: its outputs hold any value, and it does nothing else that its clobbers do not name.
//!
//! The template is never read, but where it is empty there is nothing to execute: then memory and operands
//! that are read and written keep their values, and an output that shares the place of an input gets the
//! input's value.
//!
//! Assembly that clobbers memory may write whatever it can find, so it is unmodelled. Only where unknown code
//! is said to have no effects (`--unknown-functions nothing`) and the assembly is given no address, it is
//! taken for a barrier. That is an assumption of the answer; a proof rests on it, but no execution: those
//! that go through such a barrier depend on a choice that is not known to be real.

use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::scalar;
use crate::lower::translate::temporary::{Purpose, Scratch};
use crate::lower::{AssumptionKind, HavocOrigin, UnknownFunctions};
use crate::tree::{Asm, AsmOperand};
use nilas_term::{Sort, Term};

impl Lowering<'_> {
    /// An assembly statement.
    pub(in crate::lower) fn assembly(&mut self, asm: &Asm) {
        if !asm.labels.is_empty() {
            self.build.refuse("assembly that jumps is not supported");
            return;
        }
        let empty = asm.template.trim().is_empty();
        if !empty {
            let text = "inline assembly gives its outputs any value and does nothing else";
            self.build.rests_on(AssumptionKind::InlineAssembly, text);
        }
        let inputs: Vec<Option<Term>> = asm.inputs.iter().map(|input| self.assembly_input(input)).collect();
        if !empty
            && !self.abstracts
            && asm.clobbers.iter().any(|clobber| clobber == "memory")
            && !self.barrier(asm, &inputs)
        {
            self.build.unmodelled("assembly that writes memory");
            return;
        }
        for (number, output) in asm.outputs.iter().enumerate() {
            let shared = number.to_string();
            let shares = asm.inputs.iter().position(|input| input.constraint == shared);
            match shares {
                Some(input) if empty => self.assembly_output(output, inputs[input]),
                None if empty && output.constraint.contains('+') => {}
                _ => self.assembly_output(output, None),
            }
        }
    }

    /// Goes on where assembly that clobbers memory, but is given no address, writes nothing but its outputs;
    /// whether it is such.
    fn barrier(&mut self, asm: &Asm, inputs: &[Option<Term>]) -> bool {
        let pointer =
            |operand: &AsmOperand| self.tree.types.pointee(self.tree.exprs[operand.value].ty).is_some();
        let idle = self.options.unknown_functions == UnknownFunctions::Nothing;
        if !idle || asm.inputs.iter().any(pointer) {
            return false;
        }
        // Operands in memory have no value here.
        let is_clean = |&input: &Option<Term>| input.is_some_and(|it| self.build.level(it) == Level::Clean);
        if !inputs.iter().all(is_clean) {
            return false;
        }
        let text =
            "inline assembly that clobbers memory, but is given no address, writes nothing but its outputs";
        self.build.rests_on(AssumptionKind::InlineAssembly, text);
        let (variable, idle) = self.scratch(Scratch::Callback, &Sort::Bool);
        self.with_origin(HavocOrigin::Assembly, |this| this.build.havoc(variable));
        self.build.assume(idle);
        true
    }

    /// Evaluates an input; its value, if it is one number.
    fn assembly_input(&mut self, input: &AsmOperand) -> Option<Term> {
        let node = &self.tree.exprs[input.value];
        if node.kind.is_lvalue() || scalar(&self.tree.types, node.ty).is_none() {
            return None;
        }
        let term = self.term(input.value);
        Some(self.save(input.value, Purpose::Saved, term))
    }

    /// An output gets a value, or any.
    fn assembly_output(&mut self, output: &AsmOperand, value: Option<Term>) {
        let ty = self.tree.exprs[output.value].ty;
        let plain = self.abstracts || self.tree.types.pointee(ty).is_none();
        let number = scalar(&self.tree.types, ty).filter(|_| plain);
        let Some((kind, _)) = number else {
            self.build.unmodelled("assembly that gives a pointer or a struct");
            return;
        };
        let value = match value {
            Some(value) if *self.build.arena.sort(value) == kind.sort() => value,
            _ => {
                let held = self.held_kind(kind).sort();
                let (variable, held) = self.temporary(output.value, Purpose::AnyResult, &held);
                self.with_origin(HavocOrigin::Assembly, |this| this.build.havoc(variable));
                self.unheld(held, kind)
            }
        };
        let place = self.place(output.value);
        self.write(&place, value);
    }
}
