//! Pointers to memory at fixed addresses (see `crate::registers`).
//!
//! What lies beside a register is another register, so a pointer that leaves its object there is not known to
//! be undefined: it leaves the model.
//!
//! A register keeps its number in C, but gets another one in the plan of addresses, like every object. So what
//! its number is compared with may go either way, and a number that is no constant is never known to be no
//! register: numbers close to null or to the last address are ordinary ones where registers lie there.

use super::Key;
use super::object::ObjectId;
use super::points::Class;
use super::provenance::PAGE;
use crate::lower::lowering::Lowering;
use crate::property::Claim;
use crate::tree::{Program, VarRole};
use nilas_term::Term;

const BESIDE: &str = "an address beside a register";

/// Whether registers lie in the first page or in the last one, where no other object does.
#[derive(Clone, Copy, Default)]
pub(in crate::lower) struct Pages {
    first: bool,
    last: bool,
}

impl Pages {
    pub(in crate::lower) fn of(tree: &Program) -> Pages {
        let bits = 8 * tree.types.model().pointer_size();
        let mut pages = Pages::default();
        for variable in &tree.variables {
            let VarRole::Register(start) = variable.role else { continue };
            let end = start.saturating_add(tree.types.size_of(variable.ty).unwrap_or(0));
            pages.first |= start < PAGE;
            pages.last |= end >= (u64::MAX >> (64 - bits)) - PAGE;
        }
        pages
    }
}

impl Lowering<'_> {
    /// Numbers below are null, or members of null.
    pub(in crate::lower) fn null_page(&self) -> u64 {
        if self.points.register_pages.first { 1 } else { PAGE }
    }

    /// Whether the last addresses stand for errors, not for registers.
    pub(in crate::lower) fn has_error_numbers(&self) -> bool {
        !self.points.register_pages.last
    }

    /// Whether an object is a register.
    pub(in crate::lower) fn is_register(&self, object: ObjectId) -> bool {
        match self.memory.objects[object.0].key {
            Key::Static(variable) => matches!(self.tree.variables[variable].role, VarRole::Register(_)),
            _ => false,
        }
    }

    /// A pointer into an object stays there where the condition holds; elsewhere the behaviour is undefined,
    /// or not modelled if the object is a register.
    pub(in crate::lower) fn stays(&mut self, object: ObjectId, condition: Term, claim: Claim) {
        if self.is_register(object) {
            self.leaves_register(condition);
        } else {
            self.build.defined(condition, claim);
        }
    }

    /// The same for an object of a class.
    pub(in crate::lower) fn stays_in(&mut self, class: Option<Class>, condition: Term, claim: Claim) {
        if self.points.has_registers(class) {
            self.leaves_register(condition);
        } else {
            self.build.defined(condition, claim);
        }
    }

    /// What is not so is an address beside a register.
    pub(in crate::lower) fn leaves_register(&mut self, condition: Term) {
        let not = self.build.arena.not(condition);
        self.build.unmodelled_if(not, BESIDE);
    }
}
