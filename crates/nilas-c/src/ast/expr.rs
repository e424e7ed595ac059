//! Expressions as written.

use super::{ExprId, Initialiser, Name, StmtId, TypeName};
use crate::lex::{Encoding, Piece, Symbol};
use crate::source::Span;

/// An expression with its place.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The whole expression, without enclosing parentheses.
    pub span: Span,
}

/// Prefix and postfix operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnaryOp {
    /// `+a`
    Plus,
    /// `-a`
    Minus,
    /// `~a`
    BitNot,
    /// `!a`
    Not,
    /// `*a`
    Deref,
    /// `&a`
    AddressOf,
    /// `++a`
    PreIncrement,
    /// `--a`
    PreDecrement,
    /// `a++`
    PostIncrement,
    /// `a--`
    PostDecrement,
    /// `__real__ a`
    Real,
    /// `__imag__ a`
    Imag,
}

/// Binary operators other than assignment and comma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
    LogicalOr,
}

impl BinaryOp {
    /// The operator as written.
    pub(crate) fn text(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::Less => "<",
            BinaryOp::Greater => ">",
            BinaryOp::LessEqual => "<=",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }
}

/// `=` or an operator with `=`.
pub(crate) type AssignOp = Option<BinaryOp>;

/// One arm of `_Generic`.
#[derive(Clone, Debug)]
pub(crate) struct GenericArm {
    /// The type; `None` for `default`.
    pub ty: Option<TypeName>,
    /// The value.
    pub value: ExprId,
}

/// One step of the path of `__builtin_offsetof`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OffsetofStep {
    /// `.name`
    Member(Name),
    /// `[index]`
    Index(ExprId),
}

/// What an expression is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "fields are named for their part in the grammar")]
pub(crate) enum ExprKind {
    /// A name.
    Ident(Symbol),
    /// An integer constant, by number.
    Int(u32),
    /// A floating constant, by number.
    Float(u32),
    /// A character constant.
    Char { encoding: Encoding, pieces: Box<[Piece]> },
    /// Joined string literals.
    String { encoding: Encoding, pieces: Box<[Piece]> },
    /// A prefix or postfix operator.
    Unary { op: UnaryOp, operand: ExprId },
    /// A binary operator. Left-deep chains can be very long.
    Binary { op: BinaryOp, lhs: ExprId, rhs: ExprId },
    /// An assignment.
    Assign { op: AssignOp, target: ExprId, value: ExprId },
    /// `c ? a : b`, or `c ?: b`.
    Conditional { condition: ExprId, then: Option<ExprId>, otherwise: ExprId },
    /// `a, b`. Left-deep chains can be very long.
    Comma { lhs: ExprId, rhs: ExprId },
    /// `(T)a`
    Cast { ty: Box<TypeName>, operand: ExprId },
    /// `(T){…}`
    CompoundLiteral { ty: Box<TypeName>, init: Box<Initialiser> },
    /// `sizeof a`
    SizeofExpr(ExprId),
    /// `sizeof (T)`
    SizeofType(Box<TypeName>),
    /// `_Alignof a` (GNU)
    AlignofExpr(ExprId),
    /// `_Alignof (T)`, or `__alignof__ (T)`, which gives the alignment that objects have where nothing is in
    /// the way
    AlignofType {
        /// The type.
        ty: Box<TypeName>,
        /// `__alignof__`
        preferred: bool,
    },
    /// `f(a, …)`
    Call { callee: ExprId, arguments: Box<[ExprId]> },
    /// `a[i]`
    Index { base: ExprId, index: ExprId },
    /// `a.m` or `a->m`
    Member { base: ExprId, member: Name, arrow: bool },
    /// `({ … })`; the statement is a block.
    Statement(StmtId),
    /// `&&label`
    LabelAddress(Name),
    /// `_Generic(a, …)`
    Generic { control: ExprId, arms: Box<[GenericArm]> },
    /// `__builtin_va_arg(list, T)`
    VaArg { list: ExprId, ty: Box<TypeName> },
    /// `__builtin_offsetof(T, path)`
    Offsetof { ty: Box<TypeName>, path: Box<[OffsetofStep]> },
    /// `__builtin_types_compatible_p(T, U)`
    TypesCompatible(Box<(TypeName, TypeName)>),
    /// `__builtin_choose_expr(c, a, b)`
    Choose { condition: ExprId, then: ExprId, otherwise: ExprId },
}
