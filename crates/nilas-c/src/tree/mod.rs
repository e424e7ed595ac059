//! The typed tree: what the front end hands to the lowering.
//!
//! A [`Program`] is a C program in which nothing is implicit any more:
//!
//! - Every expression has a type and a span. It is either an **lvalue** (it designates an object; see
//!   [`ExprKind::is_lvalue`]), a **function designator** ([`ExprKind::Function`], or a dereferenced function
//!   pointer), or a **value**. Lvalues occur only where an object is meant: under `Load`, `AddressOf`,
//!   `ArrayDecay`, `Member`, as targets of assignments, and as operands of assembly. Everything else takes
//!   values.
//! - Every conversion is a node: reading an object ([`ExprKind::Load`]), arrays and functions to pointers,
//!   all changes of type ([`ExprKind::Convert`]). The type of a value is never qualified.
//! - The operands of an arithmetic operator have the operator's type; the operands of a comparison have a
//!   common type; shifts have the type of their left operand. Conditions are always of type `_Bool`.
//! - Integer constant expressions are folded to [`ExprKind::Int`], `sizeof` and kin included.
//! - Names are ids. Labels, `case` and `default` are [`Label`]s, and jumps name them.
//! - Initialisers are flat lists of stores into an object, with zero filling as a flag.
//!
//! The arenas only grow, and expressions are made after their operands: **an expression's operands have
//! smaller ids** (statement expressions are the exception: their statements may be anywhere). Left-deep
//! operator chains and `else if` chains can be tens of thousands of nodes deep; walk them by a loop or on a
//! large stack.

mod expr;
mod float;
mod folded;
mod keep;
mod object;
mod print;
mod stmt;
mod visit;

pub use expr::{
    AddressBase, BinaryOp, Builtin, Callee, CompareOp, Conversion, Expr, ExprKind, Scale, UnaryOp,
};
pub use float::FloatConstant;
pub use object::{
    Duration, Function, InitItem, InitValue, Initialiser, Linkage, StringLiteral, VarRole, Variable,
};
pub use stmt::{Asm, AsmOperand, Label, Stmt, StmtKind, SwitchCase};

use crate::caller::Caller;
use crate::define_id;
use crate::index::Arena;
use crate::source::{Diagnostic, SourceMap};
use crate::types::{DataModel, TypeTable};

define_id!(
    /// A variable, parameter, temporary or compound literal.
    pub VarId
);
define_id!(
    /// A function, declared or defined.
    pub FunctionId
);
define_id!(
    /// A string literal.
    pub StringId
);
define_id!(
    /// A typed expression.
    pub ExprId
);
define_id!(
    /// A typed statement.
    pub StmtId
);
define_id!(
    /// A place in a function's body that jumps can name.
    pub LabelId
);

/// A function that is checked alone; see `caller`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What runs in the place of `main`.
    pub function: FunctionId,
    /// The function that it calls.
    pub checked: FunctionId,
    /// What it is called with.
    pub caller: Caller,
    /// What an answer rests on by that, in sentences.
    pub assumptions: Vec<String>,
}

/// A type-checked C program.
#[derive(Clone, Debug)]
pub struct Program {
    /// All types, and the data model.
    pub types: TypeTable,
    /// All variables: globals, statics, locals, parameters, and those that the checker made.
    pub variables: Arena<VarId, Variable>,
    /// All functions. One entry per name with linkage, static ones in every file of their own. What linking
    /// gave up has no name.
    pub functions: Arena<FunctionId, Function>,
    /// All string literals.
    pub strings: Arena<StringId, StringLiteral>,
    /// All expressions.
    pub exprs: Arena<ExprId, Expr>,
    /// All statements.
    pub stmts: Arena<StmtId, Stmt>,
    /// All labels.
    pub labels: Arena<LabelId, Label>,
    /// What runs in the place of `main`, if one function is checked alone.
    pub entry: Option<Entry>,
    /// Functions that may run between any two accesses; their calls are in the bodies.
    pub interrupts: Vec<FunctionId>,
    /// Expressions that atomic operations became. What belongs to the operation itself has its span.
    pub atomics: Vec<ExprId>,
    /// Assembly outside functions.
    pub file_asm: Vec<Asm>,
    /// The source texts that spans point into.
    pub sources: SourceMap,
    /// What is suspicious, but was taken.
    pub warnings: Vec<Diagnostic>,
    /// Declarations of one symbol in different files that differ, and were taken.
    pub differences: Vec<Diagnostic>,
}

impl Program {
    /// A program that nothing has been added to.
    pub fn new(model: DataModel) -> Program {
        Program {
            types: TypeTable::new(model),
            variables: Arena::new(),
            functions: Arena::new(),
            strings: Arena::new(),
            exprs: Arena::new(),
            stmts: Arena::new(),
            labels: Arena::new(),
            entry: None,
            interrupts: Vec::new(),
            atomics: Vec::new(),
            file_asm: Vec::new(),
            sources: SourceMap::new(),
            warnings: Vec::new(),
            differences: Vec::new(),
        }
    }

    /// The function of this name, if the program declares or defines one. One that all files see comes before
    /// static ones.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        let mut named = self.functions.enumerate().filter(|(_, function)| function.name == name);
        let (first, function) = named.next()?;
        let external = |function: &Function| function.linkage == Linkage::External;
        if external(function) {
            return Some(first);
        }
        named.find(|(_, function)| external(function)).map_or(Some(first), |(id, _)| Some(id))
    }

    /// The function that the program starts with: `main`, or the caller of a function that is checked alone.
    pub fn start(&self) -> Option<FunctionId> {
        let start = self.entry.as_ref().map(|entry| entry.function).or_else(|| self.function("main"))?;
        self.functions[start].body.is_some().then_some(start)
    }

    /// The function of the user's text that runs first: `main`, or the one that is checked alone.
    pub fn first(&self) -> Option<FunctionId> {
        self.entry.as_ref().map(|entry| entry.checked).or_else(|| self.function("main"))
    }

    /// Variables with static storage duration that the program defines or declares, in order of declaration.
    pub fn statics(&self) -> impl Iterator<Item = VarId> {
        self.variables.enumerate().filter(|(_, v)| v.duration != Duration::Automatic).map(|(id, _)| id)
    }
}
