//! Contractors of bit-vector operators.
//!
//! A contractor takes the sets of a result and of its operands and returns subsets that lose no solution;
//! empty ones when there is none.

mod bitwise;
mod division;
mod product;
mod shift;
mod structure;
mod sum;

use crate::boxes::bits::BitSet;

/// A result and its operand.
#[derive(Clone, Copy, Debug)]
pub struct Unary {
    /// The result.
    pub z: BitSet,
    /// The operand.
    pub x: BitSet,
}

/// A result and its operands.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// The result.
    pub z: BitSet,
    /// The first operand.
    pub x: BitSet,
    /// The second operand.
    pub y: BitSet,
}

/// Operators on bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BitOp {
    // Of one operand.
    Not,
    Negate,
    Extract { lo: u32 },
    ZeroExtend,
    SignExtend,
    // Of two.
    Concat,
    Add,
    Multiply,
    UnsignedDivide,
    UnsignedRemainder,
    SignedDivide,
    SignedRemainder,
    SignedModulo,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    And,
    Or,
    Xor,
}

/// Contracts an operator of one operand.
#[must_use]
pub fn unary(op: BitOp, sets: Unary) -> Unary {
    match op {
        BitOp::Not => sum::complement(sets),
        BitOp::Negate => sum::negation(sets),
        BitOp::Extract { lo } => structure::extraction(lo, sets),
        BitOp::ZeroExtend => structure::zero_extension(sets),
        BitOp::SignExtend => structure::sign_extension(sets),
        _ => sets,
    }
}

/// Contracts an operator of two operands.
#[must_use]
pub fn binary(op: BitOp, sets: Binary) -> Binary {
    match op {
        BitOp::Concat => structure::concatenation(sets),
        BitOp::Add => sum::sum(sets),
        BitOp::Multiply => product::product(sets),
        BitOp::UnsignedDivide => division::unsigned_quotient(sets),
        BitOp::UnsignedRemainder => division::unsigned_remainder(sets),
        BitOp::SignedDivide => division::signed_quotient(sets),
        BitOp::SignedRemainder => division::signed_remainder(sets),
        BitOp::SignedModulo => division::signed_modulo(sets),
        BitOp::ShiftLeft | BitOp::ShiftRight | BitOp::ShiftRightSigned => shift::shift(op, sets),
        BitOp::And => bitwise::conjunction(sets),
        BitOp::Or => bitwise::disjunction(sets),
        BitOp::Xor => bitwise::exclusive(sets),
        _ => sets,
    }
}

#[cfg(test)]
mod tests;
