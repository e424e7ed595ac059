//! Typed expressions.

use super::float::FloatConstant;
use super::{ExprId, FunctionId, LabelId, StmtId, StringId, VarId};
use crate::source::Span;
use crate::types::{BitRange, TypeId};

/// An expression with its type and place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type; of an lvalue with qualifiers, of a value without.
    pub ty: TypeId,
    /// Where it is written. Implicit conversions have the span of their operand.
    pub span: Span,
}

/// A change of type. The kinds of source and target type follow from the operand's and the node's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// Integer or enumeration to integer or enumeration (not `_Bool`): extend or truncate.
    IntToInt,
    /// Integer to `_Bool`: is not zero.
    IntToBool,
    /// Floating to `_Bool`: is not zero; NaN is true.
    FloatToBool,
    /// Pointer to `_Bool`: is not null.
    PointerToBool,
    /// Integer (or `_Bool`) to floating, rounded.
    IntToFloat,
    /// Floating to integer, towards zero.
    FloatToInt,
    /// Between floating types, rounded.
    FloatToFloat,
    /// Integer to pointer. Of the constant 0: the null pointer.
    IntToPointer,
    /// Pointer to integer.
    PointerToInt,
    /// Between pointer types, or to the same type: no change of value.
    PointerToPointer,
    /// The value is dropped. The operand may be an lvalue (of a type that is never read as a whole): only the
    /// effects of finding it count.
    ToVoid,
    /// To the same struct or union type without qualifiers.
    Same,
}

/// Operators with one operand of the result's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// `-a`, integer or floating.
    Negate,
    /// `~a`, integer.
    BitNot,
}

/// Arithmetic operators; both operands and the result have the same type, except that the right operand of a
/// shift is any promoted integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitXor,
    BitOr,
}

/// Comparisons; both operands have the same type (arithmetic or pointer), the result is `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum CompareOp {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// The distance between neighbouring elements in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Known.
    Bytes(u64),
    /// Elements of variable length: a value of type `size_t`.
    Dynamic(ExprId),
}

/// What is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function by name.
    Function(FunctionId),
    /// A value of type pointer to function.
    Pointer(ExprId),
}

/// What an address constant starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    /// A variable of static storage duration.
    Variable(VarId),
    /// A function.
    Function(FunctionId),
    /// A string literal.
    String(StringId),
}

/// Builtins that are no functions: generic over types, or without address. Others (`__builtin_memcpy`,
/// `__builtin_fabs`, `__builtin_popcount`, …) are ordinary calls of a function with that name, whose type is
/// known. `__sync_*`, `__atomic_*` and builtins of no known meaning are calls of an implicit function without
/// prototype, too; there the type of the call may differ from the result type of the function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// `__builtin_va_start(list, last)`: the lvalue of the list.
    VaStart,
    /// `__builtin_va_end(list)`: the lvalue of the list.
    VaEnd,
    /// `__builtin_va_copy(to, from)`: two lvalues.
    VaCopy,
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_trap()`
    Trap,
    /// `__builtin_isnan(x)` and the like: one floating value, the result is `int`.
    IsNan,
    /// Is ±∞.
    IsInf,
    /// Is +∞ → 1, −∞ → −1, else 0.
    IsInfSign,
    /// Is neither infinite nor NaN.
    IsFinite,
    /// Is finite, not zero, not subnormal.
    IsNormal,
    /// The sign bit is set.
    SignBit,
    /// `__builtin_isgreater(x, y)`: two values of one floating type, no exception on NaN.
    IsGreater,
    /// `x >= y`, quiet.
    IsGreaterEqual,
    /// `x < y`, quiet.
    IsLess,
    /// `x <= y`, quiet.
    IsLessEqual,
    /// `x < y || x > y`, quiet.
    IsLessGreater,
    /// One of them is NaN.
    IsUnordered,
    /// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: five `int`s and a floating value.
    FpClassify,
    /// `__builtin_add_overflow(a, b, p)`: two integers, and a pointer to the integer result; the result is
    /// `_Bool`.
    AddOverflow,
    /// `a - b`
    SubOverflow,
    /// `a * b`
    MulOverflow,
}

/// What an expression is. Fields that are not said to be lvalues are values.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "explained at the variants")]
pub enum ExprKind {
    /// An integer constant, reduced to its type (see [`crate::types::IntKind::wrap`]). The type is an integer
    /// or an enumeration.
    Int(i128),
    /// A floating constant.
    Float(FloatConstant),
    /// *Lvalue*: a variable.
    Variable(VarId),
    /// *Lvalue*: a string literal, of array type.
    String(StringId),
    /// *Function designator*: only under `FunctionDecay`.
    Function(FunctionId),
    /// *Lvalue*: an unnamed variable; its initialiser runs when this is evaluated (unless it is static).
    CompoundLiteral(VarId),
    /// *Lvalue*: evaluates a struct or union value and stores it into a temporary, which this designates.
    Materialise { value: ExprId, variable: VarId },
    /// *Lvalue* (or function designator): what a pointer points to.
    Deref(ExprId),
    /// *Lvalue*: a member of the lvalue `base`, `offset` bytes from its start. For nested anonymous members
    /// the offset is the sum. `bits` counts from byte `offset`.
    Member { base: ExprId, offset: u64, bits: Option<BitRange> },
    /// The value of an lvalue.
    Load(ExprId),
    /// The pointer to an lvalue (never a bit-field).
    AddressOf(ExprId),
    /// The pointer to the first element of an array lvalue.
    ArrayDecay(ExprId),
    /// The pointer to a function designator.
    FunctionDecay(ExprId),
    /// An address constant: `offset` bytes from the base. Pointers in static initialisers have this form, and
    /// it may stand under `Convert`.
    Address { base: AddressBase, offset: i64 },
    /// The address of a label, a `void *`.
    LabelAddress(LabelId),
    /// A change of type, implicit or written.
    Convert { conversion: Conversion, operand: ExprId },
    /// `-a`, `~a`
    Unary { op: UnaryOp, operand: ExprId },
    /// `!a`: an `int`; the operand is a condition.
    Not(ExprId),
    /// Arithmetic.
    Binary { op: BinaryOp, lhs: ExprId, rhs: ExprId },
    /// A comparison: an `int`.
    Compare { op: CompareOp, lhs: ExprId, rhs: ExprId },
    /// `pointer + index · scale`, or minus if `negate`. The index is any promoted integer.
    PointerOffset { pointer: ExprId, index: ExprId, scale: Scale, negate: bool },
    /// `(lhs - rhs) / scale`, a `ptrdiff_t`.
    PointerDifference { lhs: ExprId, rhs: ExprId, scale: Scale },
    /// `a && b`: an `int`; operands are conditions, the second is evaluated only if the first is true.
    And(ExprId, ExprId),
    /// `a || b`: an `int`; operands are conditions, the second is evaluated only if the first is false.
    Or(ExprId, ExprId),
    /// `c ? a : b`: only one of the two is evaluated. Both have the type of the whole (which may be `void`).
    Conditional { condition: ExprId, then: ExprId, otherwise: ExprId },
    /// `a, b`: the first is evaluated for its effects.
    Comma(ExprId, ExprId),
    /// Stores a value of the target's unqualified type into the lvalue. The value of the whole is what the
    /// target then holds (a bit-field may have cut it).
    Assign { target: ExprId, value: ExprId },
    /// Compound assignment, `++` and `--`. The lvalue `target` is evaluated once; `old` is the
    /// [`ExprKind::Old`] node inside `value` that stands for what it held; `value` has the target's type and
    /// is stored. The whole is the new value, or the old one if `postfix`. The type in which the operation is
    /// computed is the type of the operator inside `value`.
    Update { target: ExprId, old: ExprId, value: ExprId, postfix: bool },
    /// What the target of the enclosing [`ExprKind::Update`] held before.
    Old,
    /// A call. Arguments are converted to the parameter types, or promoted where there is none.
    Call { callee: Callee, arguments: Box<[ExprId]> },
    /// A builtin that is no function.
    Builtin { builtin: Builtin, arguments: Box<[ExprId]> },
    /// `__builtin_va_arg(list, T)`: the lvalue of the list; the type is the node's.
    VaArg(ExprId),
    /// `({ … })`: a block, then the value of its last expression, evaluated inside the block's scope. Without
    /// a value the type is `void`.
    Statement { block: StmtId, value: Option<ExprId> },
}

impl ExprKind {
    /// Whether the expression designates an object. (`Deref` of a function pointer designates a function.)
    pub fn is_lvalue(&self) -> bool {
        matches!(
            self,
            ExprKind::Variable(_)
                | ExprKind::String(_)
                | ExprKind::CompoundLiteral(_)
                | ExprKind::Materialise { .. }
                | ExprKind::Deref(_)
                | ExprKind::Member { .. }
        )
    }
}
