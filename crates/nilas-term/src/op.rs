//! Operators of terms.
//!
//! Operators that SMT-LIB defines by others (`bvsub`, `bvuge`, `=>`, `distinct`, rotations, …) have no
//! entry here: the constructors of [`crate::Arena`] build their definitions, so that terms of the same
//! meaning meet.

use crate::arena::{SortId, SymbolId, ValueId};

/// What a term applies to its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    // Leaves.
    /// A free variable (a constant symbol of SMT-LIB).
    Var(SymbolId),
    /// A value.
    Const(ValueId),
    /// An uninterpreted function applied to arguments.
    Apply(SymbolId),

    // Core. `And` and `Or` take two or more children.
    /// Negation.
    Not,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or of two Booleans.
    Xor,
    /// Equality of two terms of the same sort.
    Eq,
    /// If-then-else, of any sort.
    Ite,

    // Bit-vectors. The arithmetic ones take two children.
    /// First child is the high part.
    Concat,
    /// Bits `hi` down to `lo`.
    Extract {
        /// Highest bit, inclusive.
        hi: u32,
        /// Lowest bit.
        lo: u32,
    },
    /// Prepends that many zeros.
    ZeroExtend(u32),
    /// Prepends that many copies of the sign bit.
    SignExtend(u32),
    /// Bitwise complement.
    BvNot,
    /// Bitwise and.
    BvAnd,
    /// Bitwise or.
    BvOr,
    /// Bitwise exclusive or.
    BvXor,
    /// Two's complement negation.
    BvNeg,
    /// Sum.
    BvAdd,
    /// Product.
    BvMul,
    /// Unsigned quotient; all ones when the divisor is zero.
    BvUdiv,
    /// Unsigned remainder; the dividend when the divisor is zero.
    BvUrem,
    /// Signed quotient, rounding towards zero.
    BvSdiv,
    /// Signed remainder, sign follows the dividend.
    BvSrem,
    /// Signed remainder, sign follows the divisor.
    BvSmod,
    /// Shift left.
    BvShl,
    /// Shift right, filling with zeros.
    BvLshr,
    /// Shift right, filling with the sign.
    BvAshr,
    /// Unsigned less than.
    BvUlt,
    /// Unsigned less or equal.
    BvUle,
    /// Signed less than.
    BvSlt,
    /// Signed less or equal.
    BvSle,

    // Arrays.
    /// Element of an array at an index.
    Select,
    /// Array with one element replaced: array, index, element.
    Store,
    /// The array of the given sort that holds its child everywhere.
    ConstArray(SortId),

    // Integers and reals.
    /// Negation of a number.
    Neg,
    /// Sum of two or more numbers.
    Add,
    /// Product of two or more numbers.
    Mul,
    /// Integer quotient as SMT-LIB defines it.
    IntDiv,
    /// Integer remainder as SMT-LIB defines it.
    IntMod,
    /// Absolute value of an integer.
    IntAbs,
    /// Quotient of reals.
    RealDiv,
    /// Less or equal, on numbers.
    Le,
    /// Less than, on numbers.
    Lt,
    /// An integer as a real.
    ToReal,
    /// The floor of a real.
    ToInt,
    /// Whether a real is an integer.
    IsInt,
    /// Whether an integer is a multiple of the given number.
    Divisible(u32),

    // IEEE floats; rounding mode first where there is one.
    /// A float from sign, exponent and significand bits.
    FpFromBits,
    /// Absolute value.
    FpAbs,
    /// Negation.
    FpNeg,
    /// Sum.
    FpAdd,
    /// Product.
    FpMul,
    /// Quotient.
    FpDiv,
    /// Fused multiply and add.
    FpFma,
    /// Square root.
    FpSqrt,
    /// IEEE remainder.
    FpRem,
    /// Round to an integral value.
    FpRoundToIntegral,
    /// Minimum.
    FpMin,
    /// Maximum.
    FpMax,
    /// IEEE less or equal.
    FpLe,
    /// IEEE less than.
    FpLt,
    /// IEEE equality.
    FpEq,
    /// Is it normal?
    FpIsNormal,
    /// Is it subnormal?
    FpIsSubnormal,
    /// Is it a zero?
    FpIsZero,
    /// Is it infinite?
    FpIsInfinite,
    /// Is it not a number?
    FpIsNan,
    /// Is it negative (and a number)?
    FpIsNegative,
    /// Is it positive (and a number)?
    FpIsPositive,
    /// A float of the given format from another float.
    FpToFp(u32, u32),
    /// A float of the given format from its IEEE bits.
    FpFromIeeeBits(u32, u32),
    /// The IEEE bits of a float; those of the NaN are the quiet one's without sign and payload.
    FpToIeeeBits,
    /// A float of the given format from a signed bit-vector.
    FpFromSigned(u32, u32),
    /// A float of the given format from an unsigned bit-vector.
    FpFromUnsigned(u32, u32),
    /// A float of the given format from a real.
    FpFromReal(u32, u32),
    /// An unsigned bit-vector of the given width from a float.
    FpToUnsigned(u32),
    /// A signed bit-vector of the given width from a float.
    FpToSigned(u32),
    /// A real from a float.
    FpToReal,
}

impl Op {
    /// Whether the order of the children does not matter.
    #[must_use]
    pub fn is_commutative(self) -> bool {
        use Op::{Add, And, BvAdd, BvAnd, BvMul, BvOr, BvXor, Eq, FpEq, Mul, Or, Xor};
        matches!(self, And | Or | Xor | Eq | BvAnd | BvOr | BvXor | BvAdd | BvMul | Add | Mul | FpEq)
    }

    /// Whether it is a leaf without children.
    #[must_use]
    pub fn is_leaf(self) -> bool {
        matches!(self, Op::Var(_) | Op::Const(_))
    }
}
