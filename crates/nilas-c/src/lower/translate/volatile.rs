//! Volatile objects outside of the program: something else may change them, so that every read gives any
//! value.
//!
//! These are `extern volatile` objects that the program does not define, and what volatile lvalues designate
//! through pointers of unknown origin. A volatile object that the program defines keeps its value: there is
//! one thread, and nothing outside knows the object.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::Key;
use crate::lower::memory::access::{Base, Place};
use crate::lower::memory::layout::{Kind, scalar};
use crate::lower::translate::temporary::Purpose;
use crate::tree::ExprId;
use nilas_fault::{Fault, planted};
use nilas_term::Term;

impl Lowering<'_> {
    /// The value of an lvalue whose place is known.
    pub(in crate::lower) fn read_lvalue(&mut self, lvalue: ExprId, place: &Place) -> Term {
        self.check_set(lvalue, place);
        let held = self.read(place);
        let ty = self.tree.exprs[lvalue].ty;
        let plain = !self.tree.types.qualifiers(ty).is_volatile || self.is_open(&place.base);
        if plain || !self.build.reachable() {
            return held;
        }
        let outside = self.is_outside(place);
        if self.build.arena.as_bool(outside) == Some(false) || planted(Fault::VolatileCached) {
            return held;
        }
        let kind = match place.bits {
            Some(bits) => Kind::Bits(bits.width),
            None => match scalar(&self.tree.types, ty) {
                Some((kind, _)) => kind,
                None => return held,
            },
        };
        let sort = self.held_kind(kind).sort();
        let (variable, any) = self.temporary(lvalue, Purpose::Volatile, &sort);
        let pointer = self.tree.types.pointee(ty).is_some();
        self.with_origin(HavocOrigin::Volatile(self.tree.exprs[lvalue].span), |this| {
            if pointer {
                this.build.havoc_pointer(variable);
                this.unknown_temporary(variable, ty);
            } else {
                this.build.havoc(variable);
            }
        });
        let any = self.unheld(any, kind);
        let any = match place.bits {
            Some(bits) => self.widen_bits(any, bits, ty),
            None => any,
        };
        self.build.arena.ite(outside, any, held)
    }

    /// A struct of which volatile parts may lie outside of the program is read as a whole.
    pub(in crate::lower) fn read_volatile_struct(&mut self, lvalue: ExprId, place: &Place) {
        if self.tree.types.qualifiers(self.tree.exprs[lvalue].ty).is_volatile && !self.is_open(&place.base) {
            let outside = self.is_outside(place);
            self.build.unmodelled_if(outside, "reading a volatile struct that the program does not define");
        }
    }

    /// Whether a place lies outside of the program.
    fn is_outside(&mut self, place: &Place) -> Term {
        match &place.base {
            Base::Known(address) => {
                let outside = match self.memory.objects[address.object.0].key {
                    Key::Static(variable) => !self.tree.variables[variable].defined,
                    Key::External(..) => true,
                    _ => false,
                };
                self.build.arena.mk_bool(outside)
            }
            Base::Raw(raw) => self.build.arena.bv_is_negative(raw.address),
            Base::Nowhere => self.build.arena.mk_false(),
        }
    }
}
