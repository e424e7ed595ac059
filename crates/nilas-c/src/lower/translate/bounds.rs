//! Undefined behaviour that is looked for only when it is asked about: it means nothing to the machine.
//!
//! An index must lie inside of its own array, also where the struct or array around it goes on behind that
//! (6.5.6p8), and the length of an array is positive (6.7.6.2p5). Otherwise such an access means the
//! bytes that are there.

use crate::lower::lowering::Lowering;
use crate::lower::translate::expr::Val;
use crate::property::{Claim, Property};
use crate::tree::{ExprId, ExprKind, VarId, VarRole};
use crate::types::{ArrayLength, TypeKind};
use nilas_term::Term;

impl Lowering<'_> {
    /// `a[index]` for an array with a known length.
    pub(in crate::lower) fn check_index(&mut self, pointer: ExprId, value: &Val) {
        if !self.build.asks(Property::Bounds) {
            return;
        }
        let tree = self.tree;
        let ExprKind::PointerOffset { pointer: base, index, negate: false, .. } = tree.exprs[pointer].kind
        else {
            return;
        };
        let ExprKind::ArrayDecay(array) = tree.exprs[base].kind else { return };
        // An array without elements at the end of a struct is as long as its object.
        let TypeKind::Array(_, ArrayLength::Fixed(length @ 1..)) = *tree.types.kind(tree.exprs[array].ty)
        else {
            return;
        };
        let width = self.pointer_bits();
        let term = if self.facts.has_effects(index) {
            // It was evaluated already, and is the last thing that the address was moved by.
            let size =
                tree.types.pointee(tree.exprs[base].ty).and_then(|element| tree.types.size_of(element));
            match value {
                Val::Pointer(address) => match (address.parts.last(), size) {
                    (Some(&(scale, term)), Some(size)) if scale == size.cast_signed() => term,
                    _ => return,
                },
                _ => return,
            }
        } else {
            let term = self.term(index);
            self.int_to_width(term, tree.exprs[index].ty, width)
        };
        let length = self.build.arena.bv(width, length);
        let inside = self.build.arena.bv_ult(term, length);
        self.build.span = tree.exprs[pointer].span;
        self.defined_for(term, inside, Claim::new(Property::Bounds, "index outside of its array"));
    }

    /// The length of a type of variable length is set to a value.
    pub(in crate::lower) fn check_length(&mut self, variable: VarId, value: ExprId, length: Term) {
        let tree = self.tree;
        if tree.variables[variable].role != VarRole::Length {
            return;
        }
        let negative = match tree.exprs[value].kind {
            ExprKind::Convert { operand, .. } if self.is_signed(tree.exprs[operand].ty) => {
                self.build.arena.bv_is_negative(length)
            }
            _ => self.build.arena.mk_false(),
        };
        if self.build.asks(Property::OtherUndefined) {
            let zero = self.build.arena.bv(self.build.arena.width(length), 0);
            let none = self.build.arena.eq(length, zero);
            let wrong = self.build.arena.or(&[none, negative]);
            let positive = self.build.arena.not(wrong);
            let claim = Claim::new(Property::OtherUndefined, "an array whose length is not positive");
            self.build.defined(positive, claim);
        }
        // Nothing happens on most machines before an element is accessed.
        self.build.unmodelled_if(negative, "an array of negative length");
    }
}
