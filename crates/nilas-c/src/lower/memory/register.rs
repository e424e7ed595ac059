//! Pointers to memory at fixed addresses (see `crate::registers`).
//!
//! What lies beside a register is another register, so a pointer that leaves its object there is not known to
//! be undefined: it leaves the model.

use super::Key;
use super::object::ObjectId;
use super::points::Class;
use crate::lower::lowering::Lowering;
use crate::property::Claim;
use crate::tree::VarRole;
use nilas_term::Term;

const BESIDE: &str = "an address beside a register";

impl Lowering<'_> {
    /// Whether an object is a register.
    pub(in crate::lower) fn is_register(&self, object: ObjectId) -> bool {
        match self.memory.objects[object.0].key {
            Key::Static(variable) => self.tree.variables[variable].role == VarRole::Register,
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
