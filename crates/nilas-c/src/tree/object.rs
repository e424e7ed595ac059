//! Variables, functions, string literals and initialisers.

use super::{ExprId, FunctionId, LabelId, StmtId, StringId, VarId};
use crate::source::Span;
use crate::types::{BitRange, TypeId};

/// How long an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duration {
    /// From program start to end: globals, `static` locals, compound literals outside functions.
    Static,
    /// One per thread.
    Thread,
    /// One per entry into its block.
    Automatic,
}

/// Whether other files can see a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// They can.
    External,
    /// Only this file can (`static`).
    Internal,
    /// It is local to a block.
    None,
}

/// Why a variable exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarRole {
    /// The user declared it.
    Named,
    /// A parameter, in this position.
    Parameter(usize),
    /// A compound literal.
    CompoundLiteral,
    /// Made by the checker: the condition of `a ?: b`, a struct value whose member is read.
    Temporary,
    /// Made by the checker: the array length of a variable-length type.
    Length,
    /// Memory at this fixed address, see `registers`.
    Register(u64),
}

/// An object with a name or made by the checker.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name; temporaries have one that no C program can use.
    pub name: String,
    /// The type, complete unless the program never defines it. `[]` is already replaced by the length that
    /// the initialiser gives. A variable-length array has the length in a hidden variable.
    pub ty: TypeId,
    /// How long it lives.
    pub duration: Duration,
    /// Who can see it.
    pub linkage: Linkage,
    /// Why it exists.
    pub role: VarRole,
    /// Static duration: whether this program defines it. `extern` objects without definition hold any value.
    pub defined: bool,
    /// Static duration: it holds any value at first, whatever its initialiser says; see `caller`.
    pub any: bool,
    /// What it holds at first. Static objects without one are zero, automatic ones hold anything.
    pub init: Option<Initialiser>,
    /// `_Alignas` or `aligned`, if stronger than the type's.
    pub alignment: Option<u64>,
    /// `cleanup(f)` of an automatic variable: the call `f(&variable)`, evaluated when its scope is left
    /// behind the declaration, in whatever way.
    pub cleanup: Option<ExprId>,
    /// `register asm("…")`, or `asm("symbol")` of a variable with linkage.
    pub asm_name: Option<String>,
    /// `weak`: if the program does not define it, it may not exist, and its address is null then.
    pub weak: bool,
    /// A variable of static duration of another file has the same name, so whoever names it names the file.
    pub shared_name: bool,
    /// The function it is declared in.
    pub function: Option<FunctionId>,
    /// Where it is declared (the defining declaration, if there is one).
    pub span: Span,
}

impl Variable {
    /// A variable of static storage duration that the program does not define and that nobody else can name.
    pub(crate) fn new(name: String, ty: TypeId, span: Span) -> Variable {
        Variable {
            name,
            ty,
            duration: Duration::Static,
            linkage: Linkage::None,
            role: VarRole::Named,
            defined: false,
            any: false,
            init: None,
            alignment: None,
            cleanup: None,
            asm_name: None,
            weak: false,
            shared_name: false,
            function: None,
            span,
        }
    }
}

/// What an object holds at first, as stores into it.
#[derive(Clone, Debug)]
pub struct Initialiser {
    /// Bytes that no item covers are zero. False only where the items cover the whole object (a scalar, or a
    /// struct initialised by a struct value).
    pub zero_fill: bool,
    /// The stores in the order of the list; a later item overrides an earlier one at the same place. Values
    /// are evaluated in this order. One expression may occur in several items (`[0 ... 9] = f()`): it is
    /// evaluated once. Items for a flexible array member lie beyond the size of the type, and make the object
    /// larger.
    pub items: Vec<InitItem>,
    /// Where it is written.
    pub span: Span,
}

/// One store of an initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitItem {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// Bits from byte `offset`, if the place is a bit-field.
    pub bits: Option<BitRange>,
    /// The type of the place, unqualified.
    pub ty: TypeId,
    /// What is stored.
    pub value: InitValue,
}

/// What an item stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InitValue {
    /// A value of the item's type. For static objects: a constant (`Int`, `Float`, `Address`, or arithmetic
    /// and conversions over these).
    Expr(ExprId),
    /// The first `units` code units of a string literal (with its terminating zero if it fits) into an array;
    /// the rest of the array is zero.
    String {
        /// The literal.
        string: StringId,
        /// How many of its code units, the terminating zero included.
        units: u64,
    },
}

/// A string literal: an object of array type with static storage.
#[derive(Clone, Debug)]
pub struct StringLiteral {
    /// The code units, without the terminating zero that the object ends with.
    pub units: Vec<u32>,
    /// The element type.
    pub element: TypeId,
    /// The array type.
    pub ty: TypeId,
    /// Where it is written.
    pub span: Span,
}

/// A function, declared or defined.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The type: always a function type.
    pub ty: TypeId,
    /// Who can see it.
    pub linkage: Linkage,
    /// Declared `inline` (and not `extern` as well).
    pub inline: bool,
    /// Declared not to return.
    pub noreturn: bool,
    /// `pure` or `const`: it writes nothing, and what it returns depends on nothing but arguments and memory.
    pub pure: bool,
    /// `returns_nonnull`: the pointer that it returns is not null.
    pub nonnull: bool,
    /// Called without declaration, or a builtin that no declaration names.
    pub implicit: bool,
    /// `constructor`: runs before `main`, those with small priorities first, and those with the same priority
    /// in the order of their definitions.
    pub constructor: Option<u32>,
    /// `destructor`: runs when the program ends, in the opposite order.
    pub destructor: Option<u32>,
    /// `ifunc("f")`: which body it has is decided when the program is loaded.
    pub indirect: bool,
    /// `weak`: if the program does not define it, it may not exist, and its address is null then.
    pub weak: bool,
    /// `asm("symbol")`.
    pub asm_name: Option<String>,
    /// The parameters of the definition, in order. Where the function is called without a prototype (an
    /// old-style definition, a pointer without prototype), arguments have their promoted types and may differ
    /// in number: binding them to parameters is a conversion.
    pub parameters: Vec<VarId>,
    /// The body, a block; `None` if the program does not define it.
    pub body: Option<StmtId>,
    /// All variables with automatic duration that are declared in the body, temporaries and parameters
    /// included.
    pub locals: Vec<VarId>,
    /// All labels of the body.
    pub labels: Vec<LabelId>,
    /// Where it is declared (the definition, if there is one): the name.
    pub span: Span,
}
