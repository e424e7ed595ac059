//! Declarations, type names and initialisers as written.

use super::{Asm, ExprId, Name, StmtId};
use crate::lex::Symbol;
use crate::source::Span;

/// Type qualifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

impl Qualifiers {
    /// The qualifiers of both.
    #[must_use]
    pub fn union(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            is_const: self.is_const || other.is_const,
            is_volatile: self.is_volatile || other.is_volatile,
            is_restrict: self.is_restrict || other.is_restrict,
            is_atomic: self.is_atomic || other.is_atomic,
        }
    }
}

/// Storage-class and function specifiers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) struct Storage {
    pub is_typedef: bool,
    pub is_extern: bool,
    pub is_static: bool,
    pub is_auto: bool,
    pub is_register: bool,
    pub is_thread_local: bool,
    pub is_inline: bool,
    pub is_noreturn: bool,
}

/// The types that keywords name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum BuiltinType {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    Float16,
    Float,
    Double,
    LongDouble,
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    ComplexFloat128,
}

/// A type specifier.
#[derive(Clone, Debug)]
pub(crate) enum TypeSpec {
    /// Keywords.
    Builtin(BuiltinType),
    /// `struct` or `union`.
    Record(Box<RecordSpec>),
    /// `enum`.
    Enum(Box<EnumSpec>),
    /// A typedef name.
    Typedef(Name),
    /// `typeof (a)`
    TypeofExpr(ExprId),
    /// `typeof (T)` or `_Atomic (T)`
    TypeofType(Box<TypeName>),
    /// `__auto_type`
    Auto,
    /// None: implicit `int`.
    Missing,
}

/// A GNU attribute that has a meaning here; all others are dropped by the parser.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    /// Which.
    pub kind: AttributeKind,
    /// Where.
    pub span: Span,
}

/// The attributes that have a meaning here.
#[derive(Clone, Debug)]
pub(crate) enum AttributeKind {
    /// `packed`
    Packed,
    /// `aligned` or `aligned(n)`
    Aligned(Option<ExprId>),
    /// `mode(M)`
    Mode(Symbol),
    /// `noreturn`
    Noreturn,
    /// `pure` or `const`
    Pure,
    /// `returns_nonnull`
    ReturnsNonnull,
    /// `gnu_inline`
    GnuInline,
    /// `transparent_union`
    TransparentUnion,
    /// `vector_size(n)`
    VectorSize(ExprId),
    /// `cleanup(f)`
    Cleanup(Name),
    /// `constructor`, `constructor(priority)`
    Constructor(Option<ExprId>),
    /// `destructor`, `destructor(priority)`
    Destructor(Option<ExprId>),
    /// `alias("symbol")`
    Alias(String),
    /// `ifunc("resolver")`
    Ifunc,
    /// `weak`
    Weak,
    /// `weakref`, `weakref("symbol")`
    WeakReference(Option<String>),
    /// `ms_struct`, `scalar_storage_order`: layouts that are not supported
    ForeignLayout,
    /// `section` with the name of a section that the loader runs.
    StartSection,
}

/// `_Alignas(…)`.
#[derive(Clone, Debug)]
pub(crate) enum AlignAs {
    /// Of a constant.
    Expr(ExprId),
    /// Of a type.
    Type(TypeName),
}

/// Everything before the declarators.
#[derive(Clone, Debug)]
pub(crate) struct Specifiers {
    /// Storage class and function specifiers.
    pub storage: Storage,
    /// Qualifiers.
    pub qualifiers: Qualifiers,
    /// The type.
    pub ty: TypeSpec,
    /// `_Alignas`.
    pub alignas: Vec<AlignAs>,
    /// Attributes that belong to what is declared (not those of a struct's body).
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// `struct` or `union`.
#[derive(Clone, Debug)]
pub(crate) struct RecordSpec {
    /// `union`.
    pub is_union: bool,
    /// The tag.
    pub tag: Option<Name>,
    /// The members, if this is a definition.
    pub members: Option<Vec<MemberGroup>>,
    /// Attributes of the body.
    pub attributes: Vec<Attribute>,
    /// `#pragma pack` limit.
    pub pack: Option<u32>,
    /// The keyword, or the whole specifier.
    pub span: Span,
}

/// One line of a struct's body.
#[derive(Clone, Debug)]
pub(crate) enum MemberGroup {
    /// Members; no declarator means an anonymous struct or union.
    Members(Specifiers, Vec<MemberDeclarator>),
    /// `_Static_assert`
    StaticAssert(StaticAssert),
}

/// One member.
#[derive(Clone, Debug)]
pub(crate) struct MemberDeclarator {
    /// Name and type; the name may be missing for a bit-field.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
    /// Attributes behind the declarator.
    pub attributes: Vec<Attribute>,
}

/// `enum`.
#[derive(Clone, Debug)]
pub(crate) struct EnumSpec {
    /// The tag.
    pub tag: Option<Name>,
    /// The constants, if this is a definition.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes of the body.
    pub attributes: Vec<Attribute>,
    /// The keyword, or the whole specifier.
    pub span: Span,
}

/// One enumeration constant.
#[derive(Clone, Debug)]
pub(crate) struct Enumerator {
    /// The name.
    pub name: Name,
    /// The value, if given.
    pub value: Option<ExprId>,
}

/// The length of an array declarator.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArrayLength {
    /// `[]`
    Missing,
    /// `[*]`
    Star,
    /// `[n]`
    Expr(ExprId),
}

/// One layer of a declarator.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "fields are named for their part in the grammar")]
pub(crate) enum Derived {
    /// `*`
    Pointer(Qualifiers),
    /// `[n]`; the qualifiers are those inside the brackets of a parameter.
    Array { length: ArrayLength, qualifiers: Qualifiers, span: Span },
    /// `(T a, …)`
    Function { parameters: Vec<Parameter>, variadic: bool, span: Span },
    /// `()` or the names of an old-style definition.
    OldFunction { names: Vec<Name>, span: Span },
}

/// A declarator, abstract if it has no name.
#[derive(Clone, Debug)]
pub(crate) struct Declarator {
    /// The declared name.
    pub name: Option<Name>,
    /// The layers from the name outwards: for `*a[3]` first the array, then the pointer.
    pub derived: Vec<Derived>,
    /// Attributes inside the declarator.
    pub attributes: Vec<Attribute>,
    /// Where.
    pub span: Span,
}

/// A parameter of a prototype.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    /// Type and storage.
    pub specifiers: Specifiers,
    /// Name and the rest of the type.
    pub declarator: Declarator,
    /// Attributes behind the declarator.
    pub attributes: Vec<Attribute>,
}

/// A type in parentheses.
#[derive(Clone, Debug)]
pub(crate) struct TypeName {
    /// The start of the type.
    pub specifiers: Specifiers,
    /// The rest, without a name.
    pub declarator: Declarator,
}

/// `_Static_assert(c, "text")`
#[derive(Clone, Debug)]
pub(crate) struct StaticAssert {
    /// The condition.
    pub condition: ExprId,
    /// The message.
    pub message: Option<String>,
}

/// One declared name of a declaration.
#[derive(Clone, Debug)]
pub(crate) struct InitDeclarator {
    /// Name and type.
    pub declarator: Declarator,
    /// Attributes behind the declarator.
    pub attributes: Vec<Attribute>,
    /// `asm("name")`
    pub asm_name: Option<String>,
    /// The initialiser.
    pub init: Option<Initialiser>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// What is common to all names.
    pub specifiers: Specifiers,
    /// The names.
    pub declarators: Vec<InitDeclarator>,
}

/// A function with its body.
#[derive(Clone, Debug)]
pub(crate) struct FunctionDefinition {
    /// Return type and storage.
    pub specifiers: Specifiers,
    /// Name and parameters.
    pub declarator: Declarator,
    /// Attributes behind the declarator.
    pub attributes: Vec<Attribute>,
    /// The parameter declarations of an old-style definition.
    pub old_parameters: Vec<Declaration>,
    /// The body, a block.
    pub body: StmtId,
    /// Where.
    pub span: Span,
}

/// A part of an initialiser's designation.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "fields are named for their part in the grammar")]
pub(crate) enum Designator {
    /// `.name` or `name:`
    Member(Name),
    /// `[index]`
    Index(ExprId),
    /// `[low ... high]`
    Range { low: ExprId, high: ExprId },
}

/// An initialiser.
#[derive(Clone, Debug)]
pub(crate) enum Initialiser {
    /// A value.
    Expr(ExprId),
    /// A list in braces.
    List(Vec<InitItem>, Span),
}

/// One item of a list in braces.
#[derive(Clone, Debug)]
pub(crate) struct InitItem {
    /// Where it goes; empty for the next place.
    pub designators: Vec<Designator>,
    /// The value.
    pub value: Initialiser,
    /// Where.
    pub span: Span,
}

/// An item at the outermost level.
#[derive(Clone, Debug)]
pub(crate) enum External {
    /// A function with its body.
    Function(Box<FunctionDefinition>),
    /// A declaration.
    Declaration(Declaration),
    /// `_Static_assert`
    StaticAssert(StaticAssert),
    /// `asm("…");`
    Asm(Box<Asm>, Span),
}
