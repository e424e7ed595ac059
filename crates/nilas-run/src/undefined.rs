//! The kinds of undefined behaviour.
//!
//! Each kind has a name for machines and the clause of C11 that leaves the behaviour undefined. Some kinds
//! always end an execution: there is nothing that it could go on with. Others are *lenient*
//! ([`UndefinedKind::is_lenient`]): machines and compilers give them a meaning that programs rely on. By
//! default such an execution goes on and remembers the first one; `strict` makes them its end, and
//! `check_undefined` those of them that `nilas check --check-undefined` looks for. [`Kinds`] is a set of them,
//! for those who ask about some.
//!
//! The last kinds are not undefined in C, and looked for only when they are asked about.

use crate::end::{Frame, Place};
use nilas_c::source::Span;
use std::fmt;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $clause:literal, $lenient:literal;)*) => {
        /// A kind of undefined behaviour.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum UndefinedKind { $($(#[$doc])* $name,)* }

        impl UndefinedKind {
    /// Whether C defines what happens, and only a property forbids it.
    #[must_use]
    pub fn is_defined(self) -> bool {
        use UndefinedKind as K;
        matches!(self, K::Leak | K::UnsignedOverflow | K::SignedConversion | K::NotANumber)
    }

            /// Every kind.
            pub const ALL: &'static [UndefinedKind] = &[$(UndefinedKind::$name,)*];

            /// The name, as `nilas run` prints it.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(UndefinedKind::$name => $text,)* }
            }

            /// Where C11 says so; empty where the rule is one of a library or compiler.
            #[must_use]
            pub fn clause(self) -> &'static str {
                match self { $(UndefinedKind::$name => $clause,)* }
            }

            /// Whether compilers give it a meaning that programs rely on, so that an execution may go on.
            #[must_use]
            pub fn is_lenient(self) -> bool {
                match self { $(UndefinedKind::$name => $lenient,)* }
            }
        }
    };
}

kinds! {
    /// A read outside of an object.
    OutOfBoundsRead = "out-of-bounds-read", "6.5.6p8", false;
    /// A write outside of an object.
    OutOfBoundsWrite = "out-of-bounds-write", "6.5.6p8", false;
    /// An access to memory that was freed.
    UseAfterFree = "use-after-free", "6.2.4p2", false;
    /// An access to an automatic object whose lifetime has ended.
    DeadObject = "dead-object", "6.2.4p2", false;
    /// An access through a null pointer, or a number close to it.
    NullDereference = "null-dereference", "6.5.3.2p4", false;
    /// An access through a pointer that points to no object.
    WildPointer = "wild-pointer", "6.5.3.2p4", false;
    /// An access to a function or a label as if it were an object.
    NotAnObject = "not-an-object", "6.5.3.2p4", false;
    /// An access whose address is not aligned as its type asks.
    Misaligned = "misaligned-access", "6.3.2.3p7", true;
    /// `a / 0`, `a % 0`
    DivisionByZero = "division-by-zero", "6.5.5p5", false;
    /// The smallest number divided by −1.
    DivisionOverflow = "division-overflow", "6.5.5p6", false;
    /// A shift by a negative distance, or by the width or more.
    ShiftTooFar = "shift-too-far", "6.5.7p3", false;
    /// A left shift of a negative number, or out of a signed type.
    ShiftOverflow = "shift-overflow", "6.5.7p4", true;
    /// A result that its signed type does not have.
    SignedOverflow = "signed-overflow", "6.5p5", true;
    /// A float becomes an integer of a type that does not have its value.
    FloatToInt = "float-to-int-overflow", "6.3.1.4p1", false;
    /// `free` or `realloc` of what was never allocated, or of the middle of an object.
    InvalidFree = "invalid-free", "7.22.3.3p2", false;
    /// `free` or `realloc` of what was freed before.
    DoubleFree = "double-free", "7.22.3.3p2", false;
    /// A call through a pointer to no function.
    CallOfNoFunction = "call-of-no-function", "6.5.2.2p1", false;
    /// A call of a function with other parameters or another result than it has.
    CallOfOtherType = "call-of-other-type", "6.5.2.2p9", true;
    /// Two accesses of one object without order, of which one is a write.
    Unsequenced = "unsequenced-conflict", "6.5p2", false;
    /// The value of a call of a function that ended without one.
    NoReturnValue = "missing-return-value", "6.9.1p12", true;
    /// A write to an object that is defined `const`.
    ConstWrite = "const-write", "6.7.3p6", false;
    /// A write to a string literal.
    StringLiteralWrite = "string-literal-write", "6.4.5p7", false;
    /// Source and target of a copy overlap.
    OverlappingCopy = "overlapping-copy", "7.24.2.1p2", true;
    /// The length of an array is not positive.
    ArrayLength = "array-length", "6.7.6.2p5", true;
    /// An index outside of its array, inside of the object around it.
    IndexOutOfArray = "index-out-of-array", "6.5.6p8", true;
    /// Arithmetic that leaves the object of a pointer.
    PointerArithmetic = "pointer-arithmetic", "6.5.6p8", true;
    /// `<` and kin of pointers to different objects.
    PointerComparison = "pointer-comparison", "6.5.8p5", true;
    /// The difference of pointers to different objects.
    PointerDifference = "pointer-difference", "6.5.6p9", true;
    /// Use of the address of an object whose lifetime has ended.
    DeadPointer = "dead-pointer", "6.2.4p2", true;
    /// A variable whose address is never taken is read before a value was stored to it.
    UninitialisedRead = "uninitialised-read", "6.3.2.1p2", true;
    /// A `_Bool` that holds neither 0 nor 1.
    TrapRepresentation = "trap-representation", "6.2.6.1p5", true;
    /// An argument that a library function does not take (`__builtin_clz(0)`, a null string, …).
    LibraryArgument = "library-argument", "7.1.4p1", false;
    /// A function whose result is open for these arguments.
    OpenResult = "open-result", "", true;
    /// `va_arg` of an argument that was not passed.
    MissingArgument = "missing-argument", "7.16.1.1p2", false;
    /// `va_arg` of another type than was passed.
    ArgumentType = "argument-type", "7.16.1.1p2", false;
    /// A list of arguments that was not started, or was ended.
    ArgumentList = "argument-list", "7.16.1p3", false;
    /// A directive of `printf` or `scanf` that does not fit its argument.
    Format = "format", "7.21.6.1p9", false;
    /// `__builtin_unreachable()` is reached.
    Unreachable = "unreachable-reached", "", false;
    /// A jump to a label that is gone, or `longjmp` to a function that has returned.
    JumpOutOfScope = "jump-out-of-scope", "7.13.2.1p2", false;
    /// A function that must not return does.
    NoreturnReturns = "noreturn-returns", "6.7.4p8", false;
    /// Not undefined: the program ends, and memory that it allocated is not freed.
    Leak = "leak", "", true;
    /// Not undefined: a result that wraps around in its unsigned type.
    UnsignedOverflow = "unsigned-overflow", "", true;
    /// Not undefined: an integer becomes one of a signed type that does not have it (6.3.1.3p3).
    SignedConversion = "signed-conversion", "", true;
    /// Not undefined: arithmetic on numbers gives none.
    NotANumber = "not-a-number", "", true;
}

impl UndefinedKind {
    /// Whether `nilas check --check-undefined` looks for all behaviour of this kind.
    #[must_use]
    pub fn is_checked(self) -> bool {
        use UndefinedKind as K;
        matches!(
            self,
            K::OutOfBoundsRead
                | K::OutOfBoundsWrite
                | K::UseAfterFree
                | K::DeadObject
                | K::NullDereference
                | K::DivisionByZero
                | K::DivisionOverflow
                | K::ShiftTooFar
                | K::FloatToInt
                | K::InvalidFree
                | K::DoubleFree
                | K::Unsequenced
                | K::StringLiteralWrite
                | K::ArrayLength
                | K::IndexOutOfArray
                | K::Unreachable
                | K::NoreturnReturns
        )
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds(u64);

impl Kinds {
    /// Whether a kind is in the set.
    #[must_use]
    pub fn contains(self, kind: UndefinedKind) -> bool {
        self.0 & (1 << kind as u64) != 0
    }
}

impl FromIterator<UndefinedKind> for Kinds {
    fn from_iter<T: IntoIterator<Item = UndefinedKind>>(kinds: T) -> Kinds {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u64))
    }
}

impl UndefinedKind {
    /// Whether C leaves the behaviour undefined; the others are only looked for when they are asked about.
    #[must_use]
    pub fn is_undefined(self) -> bool {
        use UndefinedKind as K;
        !matches!(self, K::Leak | K::UnsignedOverflow | K::SignedConversion | K::NotANumber)
    }
}

impl fmt::Display for UndefinedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One undefined behaviour that an execution met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Undefined {
    /// What it is.
    pub kind: UndefinedKind,
    /// Where it happens.
    pub place: Place,
    /// The same as a part of the text.
    pub span: Span,
    /// A sentence for the user.
    pub sentence: String,
    /// The object that it is about.
    pub object: Option<ObjectInfo>,
    /// The calls that lead there, the innermost first.
    pub stack: Vec<Frame>,
}

/// An object as the user knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectInfo {
    /// What it is called: the name of a variable, or what allocated it.
    pub name: String,
    /// Its size in bytes.
    pub size: u64,
    /// The offset in bytes of the access from its start.
    pub offset: i128,
    /// Where it is declared or allocated.
    pub declared: Option<Place>,
    /// Where its lifetime ended.
    pub ended: Option<Place>,
}
