//! The bits of floats.
//!
//! A float of C has bits, a float of SMT has one NaN. The sign and the payload of a NaN are state of the
//! program, but few programs look at them. So a program is lowered *by value* first: floats in memory are
//! variables of a float sort. If that meets a place where the bits of a NaN could matter (a union, `memcpy`
//! into integers, `signbit`, …), it notes that in [`Floats::looked`], and the next round lowers the program
//! *with bits*. No automaton is handed out that was lowered by value and looks at bits.
//!
//! With bits, variables hold bit-vectors ([`Kind::FloatBits`]), and values on the way are terms of a float
//! sort still, in one of two forms:
//! - `FpFromIeeeBits(b)` carries its bits `b`: loads, constants, conversions, and what changes the sign
//!   alone;
//! - everything else was computed. Its bits are its value's, or those of any quiet NaN, chosen where it is
//!   stored or looked at. The hardware and the compiler make that choice, C does not.

use crate::lower::HavocOrigin;
use crate::lower::lowering::Lowering;
use crate::lower::memory::layout::Kind;
use nilas_fault::{Fault, planted};
use nilas_term::{BitVec, Op, Sort, Term, Value};
use num_bigint::BigUint;

/// What floats are in this round.
#[derive(Default)]
pub(in crate::lower) struct Floats {
    /// Variables hold their bits.
    pub(in crate::lower) with_bits: bool,
    /// The bits of something that may be a NaN mattered.
    pub(in crate::lower) looked: bool,
}

impl Floats {
    /// Whether the round has to be repeated with bits.
    pub(in crate::lower) fn need_bits(&self) -> bool {
        self.looked && !self.with_bits
    }
}

impl Lowering<'_> {
    /// What a variable holds for a value of a kind.
    pub(in crate::lower) fn held_kind(&self, kind: Kind) -> Kind {
        match kind {
            Kind::Float(exponent, significand) if self.floats.with_bits => {
                Kind::FloatBits(exponent, significand)
            }
            other => other,
        }
    }

    /// A value as a variable holds it.
    pub(in crate::lower) fn held(&mut self, value: Term) -> Term {
        if self.floats.with_bits && matches!(self.build.arena.sort(value), Sort::Float(..)) {
            return self.float_bits(value);
        }
        value
    }

    /// What a variable holds as a value of a kind.
    pub(in crate::lower) fn unheld(&mut self, held: Term, kind: Kind) -> Term {
        match kind {
            Kind::Float(exponent, significand) if self.floats.with_bits => {
                self.float_of_bits(held, exponent, significand)
            }
            _ => held,
        }
    }

    /// One of two values.
    pub(in crate::lower) fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if (self.carried(then).is_some() || self.carried(otherwise).is_some())
            && let Sort::Float(exponent, significand) = *self.build.arena.sort(then)
        {
            let (then, otherwise) = (self.float_bits(then), self.float_bits(otherwise));
            let bits = self.build.arena.ite(condition, then, otherwise);
            return self.float_of_bits(bits, exponent, significand);
        }
        self.build.arena.ite(condition, then, otherwise)
    }

    /// The bits that a value carries.
    pub(super) fn carried(&self, value: Term) -> Option<Term> {
        let arena = &self.build.arena;
        let carries = self.floats.with_bits && matches!(arena.op(value), Op::FpFromIeeeBits(..));
        carries.then(|| arena.children(value)[0])
    }

    /// The bits of a float.
    pub(in crate::lower) fn float_bits(&mut self, value: Term) -> Term {
        if let Some(bits) = self.carried(value) {
            return bits;
        }
        let number = self.build.arena.mk(Op::FpToIeeeBits, &[value]);
        let nan = self.build.arena.mk(Op::FpIsNan, &[value]);
        if self.build.arena.as_bool(nan) == Some(false) {
            return number;
        }
        if !self.floats.with_bits {
            self.floats.looked = true;
            return number;
        }
        let Sort::Float(exponent, significand) = *self.build.arena.sort(value) else { return number };
        let chosen = self.any_nan(exponent, significand);
        self.build.arena.ite(nan, chosen, number)
    }

    /// The bits of some quiet NaN: operations give no others.
    fn any_nan(&mut self, exponent: u32, significand: u32) -> Term {
        let name = format!("{}::nan", self.context());
        let (variable, any) = self.build.new_variable(&name, &Sort::BitVec(significand - 1));
        self.with_origin(HavocOrigin::FloatBits, |this| this.build.havoc(variable));
        let arena = &mut self.build.arena;
        let sign = arena.extract(any, significand - 2, significand - 2);
        let payload = arena.extract(any, significand - 3, 0);
        let quiet = arena.bv_constant(BitVec::ones(exponent + 1));
        let high = arena.concat(sign, quiet);
        arena.concat(high, payload)
    }

    /// Functions that take a NaN for a missing argument may give a NaN for a signalling one; C does not say.
    pub(super) fn refuse_signalling(&mut self, values: &[Term]) {
        for &value in values {
            let Some(bits) = self.carried(value) else { continue };
            let Sort::Float(_, significand) = *self.build.arena.sort(value) else { continue };
            let arena = &mut self.build.arena;
            let nan = arena.mk(Op::FpIsNan, &[value]);
            let quiet = arena.extract(bits, significand - 2, significand - 2);
            let zero = arena.bv(1, 0);
            let signalling = arena.eq(quiet, zero);
            let both = arena.and(&[nan, signalling]);
            self.build.unmodelled_if(both, "a signalling NaN given to a function of `math.h`");
        }
    }

    /// The float with these bits.
    pub(in crate::lower) fn float_of_bits(&mut self, bits: Term, exponent: u32, significand: u32) -> Term {
        let from = Op::FpFromIeeeBits(exponent, significand);
        let float = self.build.arena.mk(from, &[bits]);
        let nan = self.build.arena.mk(Op::FpIsNan, &[float]);
        match self.build.arena.as_bool(nan) {
            Some(false) => float,
            _ if !self.floats.with_bits => {
                self.floats.looked = true;
                float
            }
            // As a constant it would be the one NaN.
            Some(true) => {
                let name = format!("{}::nan", self.context());
                let sort = Sort::BitVec(exponent + significand);
                let (variable, constant) = self.build.new_variable(&name, &sort);
                self.build.assign(variable, bits);
                self.build.arena.mk(from, &[constant])
            }
            None => float,
        }
    }

    /// The result of an operation that is more than a move of bits: if it is a NaN, it may be any.
    pub(super) fn computed(&mut self, result: Term) -> Term {
        let Sort::Float(exponent, significand) = *self.build.arena.sort(result) else { return result };
        let constant =
            matches!(self.build.arena.as_value(result), Some(Value::Float(value)) if value.is_nan());
        if !self.floats.with_bits || !(constant || self.carried(result).is_some()) {
            return result;
        }
        // Simplification made it an operand, whose bits it need not have, or the one NaN.
        let nan = self.build.arena.mk(Op::FpIsNan, &[result]);
        let number = self.build.arena.mk(Op::FpToIeeeBits, &[result]);
        let chosen = self.any_nan(exponent, significand);
        let bits = self.build.arena.ite(nan, chosen, number);
        self.float_of_bits(bits, exponent, significand)
    }

    /// A float of another format. A NaN keeps its sign and the upper bits of its payload, and becomes quiet.
    pub(super) fn change_format(&mut self, value: Term, exponent: u32, significand: u32) -> Term {
        let mode = self.current_mode();
        let converted = self.build.arena.mk(Op::FpToFp(exponent, significand), &[mode, value]);
        let Some(bits) = self.carried(value) else { return self.computed(converted) };
        let Sort::Float(_, before) = *self.build.arena.sort(value) else { return converted };
        let arena = &mut self.build.arena;
        let nan = arena.mk(Op::FpIsNan, &[value]);
        let number = arena.mk(Op::FpToIeeeBits, &[converted]);
        let sign = arena.extract(bits, arena.width(bits) - 1, arena.width(bits) - 1);
        let payload = if significand >= before {
            let payload = arena.extract(bits, before - 3, 0);
            let below = arena.bv(significand - before, 0);
            if significand > before { arena.concat(payload, below) } else { payload }
        } else {
            arena.extract(bits, before - 3, before - significand)
        };
        let quiet = arena.bv_constant(BitVec::ones(exponent + 1));
        let high = arena.concat(sign, quiet);
        let moved = arena.concat(high, payload);
        let bits = arena.ite(nan, moved, number);
        self.float_of_bits(bits, exponent, significand)
    }

    /// Unary minus.
    pub(in crate::lower) fn negate_float(&mut self, value: Term) -> Term {
        if let Some(bits) = self.carried(value) {
            let sign = self.sign_of_bits(bits);
            let arena = &mut self.build.arena;
            let opposite = arena.bv_not(sign);
            return self.with_sign(value, bits, opposite);
        }
        let minus = self.build.arena.mk(Op::FpNeg, &[value]);
        if planted(Fault::MinusAsDifference)
            && let Sort::Float(exponent, significand) = *self.build.arena.sort(value)
        {
            let (mode, zero) = (self.current_mode(), self.zero(Kind::Float(exponent, significand)));
            return self.build.arena.mk(Op::FpAdd, &[mode, zero, minus]);
        }
        minus
    }

    /// `fabs`
    pub(super) fn absolute(&mut self, value: Term) -> Term {
        if let Some(bits) = self.carried(value) {
            let positive = self.build.arena.bv(1, 0);
            return self.with_sign(value, bits, positive);
        }
        self.build.arena.mk(Op::FpAbs, &[value])
    }

    /// `copysign`
    pub(super) fn copy_sign(&mut self, value: Term, other: Term) -> Term {
        if self.floats.with_bits {
            let (bits, other) = (self.float_bits(value), self.float_bits(other));
            let sign = self.sign_of_bits(other);
            return self.with_sign(value, bits, sign);
        }
        let negative = self.is_negative(other);
        let magnitude = self.build.arena.mk(Op::FpAbs, &[value]);
        let minus = self.build.arena.mk(Op::FpNeg, &[magnitude]);
        self.build.arena.ite(negative, minus, magnitude)
    }

    /// `signbit`
    pub(super) fn is_negative(&mut self, value: Term) -> Term {
        let nan = self.build.arena.mk(Op::FpIsNan, &[value]);
        if self.build.arena.as_bool(nan) == Some(false) || !self.floats.with_bits {
            self.floats.looked |= self.build.arena.as_bool(nan) != Some(false);
            return self.build.arena.mk(Op::FpIsNegative, &[value]);
        }
        let bits = self.float_bits(value);
        let sign = self.sign_of_bits(bits);
        let one = self.build.arena.bv(1, 1);
        self.build.arena.eq(sign, one)
    }

    fn sign_of_bits(&mut self, bits: Term) -> Term {
        let last = self.build.arena.width(bits) - 1;
        self.build.arena.extract(bits, last, last)
    }

    /// The float like `value` with these bits, but another sign.
    fn with_sign(&mut self, value: Term, bits: Term, sign: Term) -> Term {
        let Sort::Float(exponent, significand) = *self.build.arena.sort(value) else { return value };
        let rest = self.build.arena.extract(bits, exponent + significand - 2, 0);
        let bits = self.build.arena.concat(sign, rest);
        self.float_of_bits(bits, exponent, significand)
    }
}

/// The quiet NaN without sign and payload.
pub(super) fn quiet_nan(exponent: u32, significand: u32) -> BitVec {
    let ones = (BigUint::from(1_u32) << (exponent + 1)) - 1_u32;
    BitVec::from_big(exponent + significand, ones << (significand - 2))
}
