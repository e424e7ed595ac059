//! Statements as written.

use super::{Declaration, ExprId, FunctionDefinition, Name, StaticAssert, StmtId};
use crate::source::Span;

/// A statement with its place.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// The whole statement.
    pub span: Span,
}

/// A label in front of a statement.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are named for their part in the grammar")]
pub(crate) enum Label {
    /// `name:`
    Named(Name),
    /// `case low:` or `case low ... high:`
    Case { low: ExprId, high: Option<ExprId>, span: Span },
    /// `default:`
    Default(Span),
}

/// An operand of an `asm` statement: `[name] "constraint" (value)`.
#[derive(Clone, Debug)]
pub(crate) struct AsmOperand {
    /// The constraint.
    pub constraint: String,
    /// The value or target.
    pub value: ExprId,
}

/// An `asm` statement.
#[derive(Clone, Debug)]
pub(crate) struct Asm {
    /// The template.
    pub template: String,
    /// Declared volatile.
    pub volatile: bool,
    /// Written operands.
    pub outputs: Vec<AsmOperand>,
    /// Read operands.
    pub inputs: Vec<AsmOperand>,
    /// Clobbered registers.
    pub clobbers: Vec<String>,
    /// Labels it may jump to.
    pub labels: Vec<Name>,
}

/// One item of a block.
#[derive(Clone, Debug)]
pub(crate) enum BlockItem {
    /// A declaration.
    Declaration(Declaration),
    /// A statement.
    Statement(StmtId),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
    /// `__label__ a, b;`
    LocalLabels(Vec<Name>),
    /// A nested function (GNU).
    Function(Box<FunctionDefinition>),
}

/// What a statement is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "fields are named for their part in the grammar")]
pub(crate) enum StmtKind {
    /// `;`
    Empty,
    /// `a;`
    Expr(ExprId),
    /// `{ … }`
    Block(Vec<BlockItem>),
    /// Labels and the statement they stand before.
    Labelled { labels: Vec<Label>, body: StmtId },
    /// `if`. Chains of `else if` can be very long.
    If { condition: ExprId, then: StmtId, otherwise: Option<StmtId> },
    /// `switch`
    Switch { value: ExprId, body: StmtId },
    /// `while`
    While { condition: ExprId, body: StmtId },
    /// `do … while`
    DoWhile { body: StmtId, condition: ExprId },
    /// `for`; the first part is a declaration or an expression statement.
    For { init: Vec<BlockItem>, condition: Option<ExprId>, step: Option<ExprId>, body: StmtId },
    /// `goto name;`
    Goto(Name),
    /// `goto *a;`
    ComputedGoto(ExprId),
    /// `continue;`
    Continue,
    /// `break;`
    Break,
    /// `return;` or `return a;`
    Return(Option<ExprId>),
    /// `asm(…);`
    Asm(Box<Asm>),
}
