//! Typed statements.

use super::{ExprId, LabelId, StmtId, VarId};
use crate::source::Span;

/// A statement with its place.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where it is written.
    pub span: Span,
}

/// A place that jumps can name: a label of the user, or a `case` or `default`.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name; `None` for `case` and `default`.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// Whether its address is taken: a computed `goto` may come here.
    pub address_taken: bool,
}

/// One `case` of a `switch`: values from `low` to `high`, both included, compared in the type of the switched
/// value.
#[derive(Clone, Copy, Debug)]
pub struct SwitchCase {
    /// The smallest value.
    pub low: i128,
    /// The largest value.
    pub high: i128,
    /// Where it leads.
    pub label: LabelId,
}

/// An operand of assembly.
#[derive(Clone, Debug)]
pub struct AsmOperand {
    /// The constraint.
    pub constraint: String,
    /// An lvalue for outputs and memory operands, a value else.
    pub value: ExprId,
}

/// Assembly.
#[derive(Clone, Debug)]
pub struct Asm {
    /// The template.
    pub template: String,
    /// Declared volatile.
    pub volatile: bool,
    /// What it writes.
    pub outputs: Vec<AsmOperand>,
    /// What it reads.
    pub inputs: Vec<AsmOperand>,
    /// What it clobbers.
    pub clobbers: Vec<String>,
    /// Where it may jump.
    pub labels: Vec<LabelId>,
    /// Where it stands.
    pub span: Span,
}

/// What a statement is.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "explained at the variants")]
pub enum StmtKind {
    /// Nothing.
    Empty,
    /// An expression, evaluated for its effects. Of any type, an lvalue only if it is a struct or an array.
    Expr(ExprId),
    /// Statements in order. `variables` are the automatic variables whose scope this is; they begin to live
    /// at entry, however it is entered, and die at exit.
    Block { items: Vec<StmtId>, variables: Vec<VarId> },
    /// The declaration of an automatic variable is reached: it is initialised, or holds anything from here
    /// on.
    Declare(VarId),
    /// A label stands here; the next statement follows.
    Label(LabelId),
    /// `if`. The condition is a `_Bool`.
    If { condition: ExprId, then: StmtId, otherwise: Option<StmtId> },
    /// `switch`: jumps to the label of the matching case, else to `default`, else behind the body. Cases do
    /// not overlap, and are sorted by value. `value` is a promoted integer.
    Switch { value: ExprId, body: StmtId, cases: Vec<SwitchCase>, default: Option<LabelId> },
    /// `while`. The condition is a `_Bool`.
    While { condition: ExprId, body: StmtId },
    /// `do … while`. The condition is a `_Bool`.
    DoWhile { body: StmtId, condition: ExprId },
    /// `for`; its first part stands before it, in a block around it. `continue` leads to the step.
    For { condition: Option<ExprId>, step: Option<ExprId>, body: StmtId },
    /// `goto`
    Goto(LabelId),
    /// `goto *a`: the value is a `void *`.
    ComputedGoto {
        /// The address of a label.
        target: ExprId,
        /// Labels that it may not lead to: a jump into a statement expression, or into the scope of a name
        /// with
        /// a type of variable length, is undefined.
        barred: Vec<LabelId>,
    },
    /// `break` out of the innermost loop or switch.
    Break,
    /// `continue` the innermost loop.
    Continue,
    /// `return`, with a value of the function's result type. In a function with a result, no value means any.
    Return(Option<ExprId>),
    /// Assembly.
    Asm(Box<Asm>),
}
