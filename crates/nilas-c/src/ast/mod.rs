//! The tree that the parser builds: C as written, names unresolved, no types yet.
//!
//! Expressions and statements live in arenas, so that dropping and walking long chains needs no deep stack.
//! Declarations own their parts; their nesting is bounded by the parser. The shape follows the grammar except
//! that
//! - declarators are flat lists ([`Declarator::derived`], from the name outwards),
//! - labels in front of one statement are one list ([`StmtKind::Labelled`]),
//! - parentheses leave no trace.

mod decl;
mod expr;
mod stmt;

pub use decl::Qualifiers;
pub(crate) use decl::{
    AlignAs, ArrayLength, Attribute, AttributeKind, BuiltinType, Declaration, Declarator, Derived,
    Designator, EnumSpec, Enumerator, External, FunctionDefinition, InitDeclarator, InitItem, Initialiser,
    MemberDeclarator, MemberGroup, Parameter, RecordSpec, Specifiers, StaticAssert, Storage, TypeName,
    TypeSpec,
};
pub(crate) use expr::{AssignOp, BinaryOp, Expr, ExprKind, GenericArm, OffsetofStep, UnaryOp};
pub(crate) use stmt::{Asm, AsmOperand, BlockItem, Label, Stmt, StmtKind};

use crate::define_id;
use crate::index::Arena;
use crate::lex::{FloatLiteral, IntLiteral, Symbol};
use crate::source::Span;

define_id!(
    /// An expression of [`Ast::exprs`].
    pub(crate) ExprId
);
define_id!(
    /// A statement of [`Ast::stmts`].
    pub(crate) StmtId
);

/// An identifier where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Name {
    /// The identifier.
    pub symbol: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A translation unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ast {
    /// All expressions.
    pub exprs: Arena<ExprId, Expr>,
    /// All statements.
    pub stmts: Arena<StmtId, Stmt>,
    /// Integer constants, as [`ExprKind::Int`] numbers them.
    pub ints: Vec<IntLiteral>,
    /// Floating constants, as [`ExprKind::Float`] numbers them.
    pub floats: Vec<FloatLiteral>,
    /// The external declarations in order.
    pub externals: Vec<External>,
    /// What pragmas say about symbols.
    pub symbol_pragmas: crate::lex::SymbolPragmas,
}
