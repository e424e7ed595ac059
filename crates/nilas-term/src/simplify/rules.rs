//! The rewrite rules by name.
//!
//! Every rule announces itself when it fires. Tests count, so that a rule which the exhaustive check never
//! reaches is found; otherwise announcing costs nothing.

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A rewrite rule.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Rule { $($(#[$doc])* $name,)* }

        /// All rules.
        #[cfg(test)]
        pub(crate) const RULES: &[Rule] = &[$(Rule::$name,)*];
    };
}

rules! {
    // Any sort.
    /// An operator of constants is a constant.
    FoldConstants,
    /// `f(ite(c, k, l))` is `ite(c, f(k), f(l))` when k, l and the other arguments of f are constants.
    LiftConstantIte,

    // Core.
    /// `¬¬a = a`.
    NotNot,
    /// `¬(a < b) = b ≤ a`, `¬(a ≤ b) = b < a`.
    NotComparison,
    /// `¬(a ∧ b) = ¬a ∨ ¬b` for atoms, and the dual.
    NotClause,
    /// `(a ∧ b) ∧ c = a ∧ b ∧ c`, and the dual.
    AndFlatten,
    /// `a ∧ true = a`, `a ∧ false = false`, and the dual.
    AndConstant,
    /// `a ∧ a = a`, and the dual.
    AndDuplicate,
    /// `a ∧ ¬a = false`, and the dual.
    AndComplement,
    /// `a ∧ (a ∨ b) = a`, and the dual.
    AndAbsorb,
    /// `a ∧ (¬a ∨ b) = a ∧ b`, and the dual.
    AndResolve,
    /// `a xor b = ¬(a = b)`.
    XorIsInequality,

    // Equality.
    /// `a = a`.
    EqSame,
    /// `(a = true) = a`, `(a = false) = ¬a`.
    EqBoolConstant,
    /// `(¬a = b) = ¬(a = b)`.
    EqBoolNegation,
    /// `(ite(c, k, l) = ite(d, k, l)) = (c = d)` for different k and l.
    EqConstantItes,
    /// `(x = 0) = ¬(x = 1)` for one bit.
    EqOneBit,
    /// `(~x = y) = ¬(x = y)` for one bit.
    EqOneBitNegation,
    /// The sign bit is set: `x ≤ -1`, signed.
    EqSignBit,
    /// Summands common to both sides cancel, constants meet on one side.
    EqLinear,
    /// `c·x = d` with odd c is `x = d/c`.
    EqOddFactor,
    /// `2^k·x = d` is about the low bits of x.
    EqEvenFactor,
    /// `2^k·x = d` where the low bits of d are not zero.
    EqEvenFactorFalse,
    /// Extended terms are equal if what is extended is; constants must fit.
    EqExtend,
    /// `zext(x)` or `sext(x)` is no constant out of its range.
    EqExtendFalse,
    /// Constant parts of concatenations are compared at once.
    EqConcat,
    /// Equal parts of concatenations need no comparison.
    EqConcatPair,
    /// `(x ^ c = d) = (x = c ^ d)`, `(x ^ y = 0) = (x = y)`, `(x ^ y = x) = (y = 0)`.
    EqXor,
    /// `x & 2^k = 0` and `x & 2^k = 2^k` test a bit.
    EqMaskBit,
    /// `x & 2^k` is no other constant.
    EqMaskBitFalse,

    // If-then-else.
    /// The condition is a constant.
    IteConstant,
    /// Both branches are the same.
    IteSame,
    /// `ite(¬c, a, b) = ite(c, b, a)`.
    IteNegated,
    /// A Boolean branch is a constant or the condition.
    IteBool,
    /// `ite(c, a, ¬a) = (c = a)`.
    IteIff,
    /// `ite(c, ite(c, a, b), d) = ite(c, a, d)`.
    IteNested,
    /// `ite(c, a, ite(d, a, b)) = ite(c ∨ d, a, b)` and its kin.
    IteMerge,

    // Comparisons.
    /// `a ≤ a`, `a < a`.
    CompareSame,
    /// `x < c` is `x ≤ c - 1`, `c < x` is `c + 1 ≤ x`, false at the end of the range.
    CompareStrictConstant,
    /// Every number is at least the least and at most the greatest.
    CompareTrivial,
    /// `x ≤ least` is an equality, as is `greatest ≤ x`.
    CompareExtreme,
    /// `least + 1 ≤ x` is an inequality, as is `x ≤ greatest - 1`.
    CompareNextToExtreme,
    /// Unsigned comparison with the sign bit is signed comparison with zero.
    CompareSign,
    /// `~a ≤ ~b` is `b ≤ a`.
    CompareComplement,
    /// Extended terms compare as what is extended does.
    CompareExtended,
    /// An extended term compares with a constant as what is extended does.
    CompareExtendedConstant,
    /// An extended term and a constant out of its range.
    CompareOutOfRange,

    // Arithmetic.
    /// Sums are sorted, equal summands collected.
    Linear,
    /// `-x - 1 = ~x`.
    LinearNot,
    /// A multiple of an if-then-else of constants is one.
    LinearIte,
    /// `~(x + c) = -x - c - 1`.
    NotLinear,
    /// `x·0 = 0`.
    MulZero,
    /// Constants of a product are collected, also from its factors.
    MulConstant,
    /// Products are sorted.
    MulSort,
    /// By 1, 0 or a power of two.
    UdivConstant,
    /// By 1, 0 or a power of two; of the same; of 0.
    UremConstant,
    /// `x mod x = 0`, `0 mod x = 0`, signed ones too.
    RemTrivial,
    /// By 1, -1 or 0.
    SdivConstant,
    /// By 1, -1 or 0.
    SremConstant,
    /// Signed division of terms that are not negative is unsigned.
    DivNonnegative,
    /// A product of extended terms is computed with as many bits as it can have.
    MulExtended,
    /// Division of zero-extended terms is done on what is extended.
    DivExtended,

    // Bitwise.
    /// `~~x = x`.
    BvNotNot,
    /// `x & 0 = 0`, `x | ones = ones`.
    BitwiseZero,
    /// `x & ones = x`, `x | 0 = x`.
    BitwiseUnit,
    /// `x & x = x`.
    BitwiseDuplicate,
    /// `x & ~x = 0`, `x | ~x = ones`.
    BitwiseComplement,
    /// `x & (x | y) = x`.
    BitwiseAbsorb,
    /// `~x & ~y = ~(x | y)`.
    BitwiseDeMorgan,
    /// `x ^ x = 0`.
    XorCancel,
    /// Complements come out of exclusive ors.
    XorNot,
    /// Nested bitwise operators of one kind are sorted, their constants collected.
    BitwiseSort,
    /// `x & 0…01…1` is an extension of low bits, `x & 1…10…0` is high bits and zeros.
    AndMask,
    /// A constant meets an extension.
    BitwiseExtend,
    /// A constant meets a concatenation.
    BitwiseConcat,
    /// `ite(c, k, 0) & ite(d, k, 0) = ite(c ∧ d, k, 0)` and its kin.
    BitwiseBooleans,
    /// An or of bits that do not overlap is a concatenation.
    OrDisjoint,

    // Structure.
    /// All bits.
    ExtractAll,
    /// Bits of bits.
    ExtractExtract,
    /// Bits of one part of a concatenation.
    ExtractConcat,
    /// Bits across a concatenation, when a part is taken whole.
    ExtractAcross,
    /// Bits of a zero extension.
    ExtractZeroExtend,
    /// Bits of a sign extension.
    ExtractSignExtend,
    /// Bits of a bitwise operator with a constant, or of a complement.
    ExtractBitwise,
    /// Low bits of sums and products are sums and products of low bits.
    ExtractArithmetic,
    /// Bits of a multiple of a power of two.
    ExtractShifted,
    /// By nothing.
    ExtendNone,
    /// Extension of an extension.
    ExtendExtend,
    /// Neighbouring constants become one.
    ConcatConstants,
    /// Neighbouring bits of one term become one.
    ConcatExtracts,
    /// Leading zeros are an extension.
    ConcatZeros,
    /// Nested concatenations lean to the right.
    ConcatNested,
    /// Low bits followed by zeros are a multiple of a power of two.
    ConcatShifted,
    /// Shift by a constant.
    ShiftConstant,
    /// Shift of zero.
    ShiftZero,

    // Arrays and numbers.
    /// `select(store(a, i, v), i) = v`.
    SelectHit,
    /// `select(store(a, i, v), j) = select(a, j)` for different constants.
    SelectMiss,
    /// `select(const(v), i) = v`.
    SelectConstant,
    /// `store(store(a, i, v), i, w) = store(a, i, w)`.
    StoreStore,
    /// `store(a, i, select(a, i)) = a`.
    StoreSelect,
    /// `-(-x) = x`.
    NegNeg,
    /// `x ≤ x`, `x < x`.
    CompareSameNumber,
}
