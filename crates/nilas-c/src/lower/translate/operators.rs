//! Integer arithmetic, comparisons and conversions as terms.

use crate::lower::build::levels::Level;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::{Kind, scalar};
use crate::property::{Claim, Property};
use crate::tree::{BinaryOp, CompareOp, Conversion, ExprId};
use crate::types::TypeId;
use nilas_fault::{Fault, planted};
use nilas_term::{BitVec, Sort, Term};
use num_bigint::BigUint;

const TOO_LARGE: &str = "a quotient that is too large for its type";

impl Lowering<'_> {
    /// An integer constant of a type.
    pub(in crate::lower) fn int_constant(&mut self, value: i128, ty: TypeId) -> Term {
        match scalar(&self.tree.types, ty) {
            Some((Kind::Bool, _)) => self.build.arena.mk_bool(value != 0),
            Some((Kind::Bits(width), _)) => self.big_constant(value, width),
            _ => self.big_constant(value, 32),
        }
    }

    pub(in crate::lower) fn big_constant(&mut self, value: i128, width: u32) -> Term {
        let bits = BigUint::from(value.cast_unsigned());
        self.build.arena.bv_constant(BitVec::from_big(width, bits))
    }

    pub(in crate::lower) fn is_signed(&self, ty: TypeId) -> bool {
        self.tree.types.int_kind(ty).is_some_and(crate::types::IntKind::is_signed)
    }

    /// A bit-vector cut or extended to a width.
    pub(in crate::lower) fn extend(&mut self, term: Term, width: u32, signed: bool) -> Term {
        let old = self.build.arena.width(term);
        match width.cmp(&old) {
            std::cmp::Ordering::Equal => term,
            std::cmp::Ordering::Less => self.build.arena.extract(term, width - 1, 0),
            std::cmp::Ordering::Greater if signed => self.build.arena.sign_extend(term, width - old),
            std::cmp::Ordering::Greater => self.build.arena.zero_extend(term, width - old),
        }
    }

    /// An integer value at a width; a `_Bool` is 0 or 1.
    pub(in crate::lower) fn int_to_width(&mut self, term: Term, from: TypeId, width: u32) -> Term {
        if *self.build.arena.sort(term) == Sort::Bool {
            return self.build.arena.bool_to_bv(term, width);
        }
        let signed = self.is_signed(from) && !planted(Fault::SignExtensionLost);
        self.extend(term, width, signed)
    }

    /// A value converted from one type to another.
    pub(in crate::lower) fn convert(
        &mut self,
        conversion: Conversion,
        value: Term,
        from: TypeId,
        to: TypeId,
    ) -> Term {
        let Some((kind, _)) = scalar(&self.tree.types, to) else {
            return value;
        };
        match conversion {
            Conversion::IntToInt | Conversion::IntToPointer | Conversion::PointerToInt => match kind {
                Kind::Bits(width) => self.int_to_width(value, from, width),
                _ => self.truth(value),
            },
            Conversion::IntToBool
                if planted(Fault::BoolLowBit) && matches!(self.build.arena.sort(value), Sort::BitVec(_)) =>
            {
                let lowest = self.build.arena.extract(value, 0, 0);
                self.truth(lowest)
            }
            Conversion::IntToBool | Conversion::PointerToBool | Conversion::FloatToBool => self.truth(value),
            Conversion::IntToFloat | Conversion::FloatToInt | Conversion::FloatToFloat => {
                self.convert_float(value, from, kind, to)
            }
            Conversion::PointerToPointer | Conversion::ToVoid | Conversion::Same => value,
        }
    }

    /// Whether a scalar is not zero.
    pub(in crate::lower) fn truth(&mut self, value: Term) -> Term {
        if self.build.level(value) == Level::Scrambled || !self.is_not_moved(value) {
            return self.open_truth();
        }
        match self.build.arena.sort(value).clone() {
            Sort::Bool => value,
            Sort::Float(..) => {
                let zero = self.build.arena.mk(nilas_term::Op::FpIsZero, &[value]);
                self.build.arena.not(zero)
            }
            _ => {
                let zero = self.build.arena.bv(self.build.arena.width(value), 0);
                self.build.arena.ne(value, zero)
            }
        }
    }

    /// A condition as an `int`.
    pub(in crate::lower) fn int_of(&mut self, condition: Term) -> Term {
        self.build.arena.bool_to_bv(condition, 32)
    }

    /// Integer arithmetic; undefined cases stop the execution.
    pub(in crate::lower) fn int_binary(
        &mut self,
        op: BinaryOp,
        left: Term,
        right: Term,
        ty: TypeId,
        right_ty: TypeId,
    ) -> Term {
        let width = self.build.arena.width(left);
        let signed = self.is_signed(ty);
        if matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            self.check_overflow(op, left, right, signed);
        }
        if matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            self.note_moved(left, right);
            self.note_moved(right, left);
        }
        match op {
            BinaryOp::Add => self.build.arena.bv_add(left, right),
            BinaryOp::Sub if planted(Fault::SubtractionSwapped) => self.build.arena.bv_sub(right, left),
            BinaryOp::Sub => self.build.arena.bv_sub(left, right),
            BinaryOp::Mul => self.build.arena.bv_mul(left, right),
            BinaryOp::BitAnd => self.build.arena.bv_and(left, right),
            BinaryOp::BitXor => self.build.arena.bv_xor(left, right),
            BinaryOp::BitOr => self.build.arena.bv_or(left, right),
            BinaryOp::Div | BinaryOp::Rem => {
                let zero = self.build.arena.bv(width, 0);
                let defined = self.build.arena.ne(right, zero);
                self.defined_for(right, defined, Claim::new(Property::Division, "division by zero"));
                if signed {
                    // The machine's instruction stops here, though other arithmetic wraps around.
                    let least = self.big_constant(-1 << (width - 1), width);
                    let minus_one = self.big_constant(-1, width);
                    let both = [self.build.arena.eq(left, least), self.build.arena.eq(right, minus_one)];
                    let too_large = self.build.arena.and(&both);
                    let fits = self.build.arena.not(too_large);
                    let clean = self.build.level(left) == Level::Clean;
                    let value = if clean { right } else { left };
                    // Compilers make a negation of a division by the constant, and call a function of theirs
                    // for integers that are wider than registers: both wrap around.
                    let instruction =
                        width <= self.pointer_bits() && self.build.arena.as_value(right).is_none();
                    if instruction || self.build.asks(Property::SignedOverflow) {
                        self.defined_for(value, fits, Claim::new(Property::SignedOverflow, TOO_LARGE));
                    } else {
                        self.build.presume_if(too_large, TOO_LARGE);
                    }
                }
                match (op, signed && !planted(Fault::DivisionUnsigned)) {
                    (BinaryOp::Rem, true) if planted(Fault::RemainderOfDivisor) => {
                        let rest = self.build.arena.bv_srem(left, right);
                        let differ = self.build.arena.bv_xor(left, right);
                        let opposite = self.build.arena.bv_is_negative(differ);
                        let minus = self.build.arena.bv_neg(rest);
                        self.build.arena.ite(opposite, minus, rest)
                    }
                    (BinaryOp::Div, true) => self.build.arena.bv_sdiv(left, right),
                    (BinaryOp::Div, false) => self.build.arena.bv_udiv(left, right),
                    (_, true) => self.build.arena.bv_srem(left, right),
                    (_, false) => self.build.arena.bv_urem(left, right),
                }
            }
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let right_width = self.build.arena.width(right);
                // A negative distance is a large unsigned one.
                if right_width >= 8 {
                    let limit = self.build.arena.bv(right_width, u64::from(width));
                    let defined = self.build.arena.bv_ult(right, limit);
                    self.defined_for(
                        right,
                        defined,
                        Claim::new(Property::Shift, "shift by the width or more"),
                    );
                }
                let signed_distance = self.is_signed(right_ty);
                let distance = self.extend(right, width, signed_distance);
                if op == BinaryOp::ShiftLeft && signed {
                    self.check_shifted(left, distance);
                }
                match (op, signed) {
                    (BinaryOp::ShiftLeft, _) => self.build.arena.bv_shl(left, distance),
                    (_, true) if !planted(Fault::ShiftRightLogical) => {
                        self.build.arena.bv_ashr(left, distance)
                    }
                    _ => self.build.arena.bv_lshr(left, distance),
                }
            }
        }
    }

    /// A comparison of two values of one type, of which one may be an address.
    pub(in crate::lower) fn compare_values(
        &mut self,
        expr: ExprId,
        op: CompareOp,
        (lhs, left): (ExprId, Term),
        (rhs, right): (ExprId, Term),
    ) -> Term {
        let ty = self.tree.exprs[lhs].ty;
        let is_pointer = |ty| self.tree.types.pointee(ty).is_some();
        if is_pointer(ty) || is_pointer(self.tree.exprs[rhs].ty) {
            return self.compare_pointers(expr, op, (lhs, left), (rhs, right));
        }
        let exact = self.compare(op, left, right, ty);
        self.compare_integers(expr, op, (lhs, left), (rhs, right), exact)
    }

    /// A comparison of two values of one type.
    pub(in crate::lower) fn compare(&mut self, op: CompareOp, left: Term, right: Term, ty: TypeId) -> Term {
        match self.build.arena.sort(left) {
            Sort::Float(..) => return self.float_compare(op, left, right),
            Sort::Bool => {
                let (left, right) =
                    (self.build.arena.bool_to_bv(left, 8), self.build.arena.bool_to_bv(right, 8));
                return self.compare_bits(op, left, right, false);
            }
            _ => {}
        }
        let signed = self.is_signed(ty);
        self.compare_bits(op, left, right, signed)
    }

    pub(in crate::lower) fn compare_bits(
        &mut self,
        op: CompareOp,
        left: Term,
        right: Term,
        signed: bool,
    ) -> Term {
        match (op, signed) {
            (CompareOp::Less, true) if planted(Fault::LessUnsigned) => self.build.arena.bv_ult(left, right),
            (CompareOp::LessEqual, false) if planted(Fault::LessEqualStrict) => {
                self.build.arena.bv_ult(left, right)
            }
            (CompareOp::Less, true) => self.build.arena.bv_slt(left, right),
            (CompareOp::Less, false) => self.build.arena.bv_ult(left, right),
            (CompareOp::LessEqual, true) => self.build.arena.bv_sle(left, right),
            (CompareOp::LessEqual, false) => self.build.arena.bv_ule(left, right),
            (CompareOp::Greater, true) => self.build.arena.bv_slt(right, left),
            (CompareOp::Greater, false) => self.build.arena.bv_ult(right, left),
            (CompareOp::GreaterEqual, true) => self.build.arena.bv_sle(right, left),
            (CompareOp::GreaterEqual, false) => self.build.arena.bv_ule(right, left),
            (CompareOp::Equal, _) => self.build.arena.eq(left, right),
            (CompareOp::NotEqual, _) => self.build.arena.ne(left, right),
        }
    }
}
