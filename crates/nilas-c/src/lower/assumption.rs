//! What a verdict rests on besides the text of the program.
//!
//! Each is a sentence of the answer. An assumption is met where the lowering makes use of it, so that a
//! program that never gets there does not list it.

use crate::source::Span;

/// What is assumed of functions that have neither a body nor a row in the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum UnknownFunctions {
    /// They return any value and do nothing else; pointers that they return are null or point into memory of
    /// their own.
    Nothing,
    /// They also write through everything that their arguments reach, now or in a later call, and call the
    /// functions that they were given.
    #[default]
    Arguments,
    /// They also write every object and call every function with external linkage.
    Anything,
}

impl UnknownFunctions {
    /// All of them, from the least to the most that such a function may do.
    pub const ALL: [UnknownFunctions; 3] =
        [UnknownFunctions::Nothing, UnknownFunctions::Arguments, UnknownFunctions::Anything];

    /// The word on the command line and in saved evidence.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            UnknownFunctions::Nothing => "nothing",
            UnknownFunctions::Arguments => "arguments",
            UnknownFunctions::Anything => "anything",
        }
    }

    /// What the answer says of a function.
    pub(in crate::lower) fn sentence(self, function: &str) -> String {
        let what = match self {
            UnknownFunctions::Nothing => "returns any value and does nothing else",
            UnknownFunctions::Arguments => {
                "returns any value, writes only what it was given, frees and closes none of it, calls only functions it was given, and registers none to run at exit"
            }
            UnknownFunctions::Anything => {
                "returns any value, may write and call whatever it was given or has external linkage, frees and closes nothing, and registers nothing to run at exit"
            }
        };
        format!("`{function}` has no body: it {what}")
    }
}

impl std::str::FromStr for UnknownFunctions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = UnknownFunctions::ALL.into_iter().find(|known| known.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of `nothing`, `arguments` and `anything`"))
    }
}

/// The kinds of assumptions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssumptionKind {
    /// What a function without body does.
    UnknownFunction,
    /// Such functions do not write through pointers to `const`.
    ConstPointee,
    /// What a function is called with that is checked alone.
    Caller,
    /// What pointers point to that come from outside of the program.
    UnknownPointer,
    /// An object that is declared, but not defined.
    ExternObject,
    /// What lies at fixed addresses.
    FixedAddress,
    /// When interrupt handlers run.
    Interrupt,
    /// Allocations succeed.
    AllocationNeverFails,
    /// The order in which operands are evaluated.
    EvaluationOrder,
    /// What inline assembly does.
    InlineAssembly,
    /// The precision of floating-point operations.
    FloatPrecision,
    /// What a function of the library does beyond its manual.
    Library,
}

impl AssumptionKind {
    /// The word in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AssumptionKind::UnknownFunction => "unknown-function",
            AssumptionKind::ConstPointee => "const-pointee",
            AssumptionKind::Caller => "caller",
            AssumptionKind::UnknownPointer => "unknown-pointer",
            AssumptionKind::ExternObject => "extern-object",
            AssumptionKind::FixedAddress => "fixed-address",
            AssumptionKind::Interrupt => "interrupt",
            AssumptionKind::AllocationNeverFails => "allocation-never-fails",
            AssumptionKind::EvaluationOrder => "evaluation-order",
            AssumptionKind::InlineAssembly => "inline-assembly",
            AssumptionKind::FloatPrecision => "float-precision",
            AssumptionKind::Library => "library",
        }
    }
}

/// An assumption that a program gave rise to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Its kind.
    pub kind: AssumptionKind,
    /// One sentence, without a full stop.
    pub text: String,
    /// Where it was first met.
    pub span: Span,
}
