//! The `.cfa` text as a tree, names not looked up yet.

use crate::source::Span;
use nilas_term::Sort;
use num_bigint::BigInt;

/// A name with its place.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A whole file.
#[derive(Debug, Default)]
pub(super) struct File<'t> {
    pub(super) name: Option<Name>,
    pub(super) sorts: Vec<Name>,
    pub(super) functions: Vec<Function>,
    pub(super) variables: Vec<(Name, Sort)>,
    pub(super) entry: Option<Name>,
    pub(super) errors: Vec<Name>,
    pub(super) unmodelled: Option<Name>,
    /// With the number of the procedure where they are declared.
    pub(super) locations: Vec<(Name, Option<usize>)>,
    pub(super) edges: Vec<EdgeText<'t>>,
    pub(super) procedures: Vec<ProcedureText>,
    /// Sites of `havoc`s that occur in no command.
    pub(super) sites: Vec<(Name, Site)>,
}

#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Name,
    pub(super) arguments: Vec<Sort>,
    pub(super) result: Sort,
}

/// A procedure without its edges and locations.
#[derive(Debug)]
pub(super) struct ProcedureText {
    pub(super) name: Name,
    pub(super) parameters: Vec<(Name, Sort)>,
    pub(super) results: Vec<(Name, Sort)>,
    pub(super) locals: Vec<(Name, Sort)>,
    pub(super) entry: Option<Name>,
    pub(super) exit: Option<Name>,
}

#[derive(Debug)]
pub(super) struct EdgeText<'t> {
    /// The number of the procedure that it stands in.
    pub(super) owner: Option<usize>,
    pub(super) source: Name,
    pub(super) target: Name,
    /// From the source's to the target's name.
    pub(super) span: Span,
    pub(super) body: Vec<Statement<'t>>,
}

#[derive(Debug)]
pub(super) struct Statement<'t> {
    pub(super) kind: StatementKind<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StatementKind<'t> {
    Skip,
    Assume(Expression<'t>),
    Assign(Name, Expression<'t>),
    Havoc(Name, Option<Site>),
    Choice(Vec<Vec<Statement<'t>>>),
    Block(Vec<ArcText<'t>>),
    Call(CallText<'t>),
}

/// `x, y := call f(a, b)`
#[derive(Debug)]
pub(super) struct CallText<'t> {
    pub(super) callee: Name,
    pub(super) arguments: Vec<Expression<'t>>,
    pub(super) results: Vec<Name>,
}

/// The number of a `havoc`'s site, written out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) number: usize,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct ArcText<'t> {
    pub(super) source: (usize, Span),
    pub(super) target: (usize, Span),
    pub(super) basic: Statement<'t>,
}

/// An expression: children stand before their parents, the root is last. So passes over it are loops.
#[derive(Debug, Default)]
pub(super) struct Expression<'t> {
    pub(super) nodes: Vec<Node<'t>>,
}

#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) kind: NodeKind<'t>,
    pub(super) children: Vec<usize>,
    /// All of it.
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum NodeKind<'t> {
    Variable(String),
    /// A number, with its sort if that is written.
    Literal(BigInt, Option<Sort>),
    /// A number with a fraction.
    Decimal(&'t str),
    /// `#x…` or `#b…`.
    Bits(&'t str),
    Bool(bool),
    /// SMT-LIB text between backticks; the text includes them.
    Smt(&'t str),
    /// `-`, `~` or `!`.
    Unary(&'t str),
    /// An operator with two children, or `&&` and `||` with two or more.
    Binary(&'t str),
    /// Condition, then, otherwise.
    Ite,
    /// Bits from the first down to the second number.
    Extract(u32, u32),
    /// Array and index.
    Select,
    /// Array, index, element.
    Store,
    /// Signed or not, to a width.
    Extend(bool, u32),
    /// A declared function.
    Apply(String),
}
