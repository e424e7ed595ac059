//! Choices: what an execution depends on and C does not fix.
//!
//! An execution is the program and the list of its choices. A choice is named by its kind, the place in the
//! source where it is made, the function or variable that it is made for, and its occurrence: how often a
//! choice of this kind was made at this place before. An uninitialised value is named by the declaration (or
//! allocation) of its object, by how many objects of this declaration came to life before, and by the offset
//! in it; so a value is the same whichever access reads it first.

mod file;
mod fixed;
mod mutated;
mod random;

pub use file::{ChoiceFile, EVIDENCE, FileError};
pub use fixed::{Defaults, Inputs};
pub use mutated::Mutated;
pub use random::Seeded;

use crate::end::Place;
use nilas_c::source::Span;
use std::fmt;

/// The name of an order of operands of which several call functions.
pub const CALLS: &str = "operands";
/// The name of an order of operands of which one calls a function, and others access objects.
pub const ACCESSES: &str = "accesses";

/// What a choice decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChoiceKind {
    /// An input: the result of `__VERIFIER_nondet_…`, what is read from outside, the arguments of `main`.
    Input,
    /// The value of memory that nothing was stored to.
    Uninitialised,
    /// The result of a function of which nothing else is known.
    UnknownResult,
    /// What such a function writes.
    UnknownWrite,
    /// Which of two unrelated pointers is smaller, or whether they are equal.
    AddressRelation,
    /// Whether operands of which C leaves the order open are evaluated in the other order: 0 as gcc does, 1
    /// reversed.
    EvaluationOrder,
    /// Whether an allocation fails: 0 it succeeds, 1 it gives null.
    AllocationFailure,
    /// What C leaves open about floats: the sign and payload of a NaN.
    FloatBits,
    /// What a volatile object outside of the program holds when it is read.
    VolatileRead,
}

impl ChoiceKind {
    /// Every kind.
    pub const ALL: [ChoiceKind; 9] = [
        ChoiceKind::Input,
        ChoiceKind::Uninitialised,
        ChoiceKind::UnknownResult,
        ChoiceKind::UnknownWrite,
        ChoiceKind::AddressRelation,
        ChoiceKind::EvaluationOrder,
        ChoiceKind::AllocationFailure,
        ChoiceKind::FloatBits,
        ChoiceKind::VolatileRead,
    ];

    /// The name in files of choices.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ChoiceKind::Input => "input",
            ChoiceKind::Uninitialised => "uninitialised",
            ChoiceKind::UnknownResult => "unknown-result",
            ChoiceKind::UnknownWrite => "unknown-write",
            ChoiceKind::AddressRelation => "address-relation",
            ChoiceKind::EvaluationOrder => "evaluation-order",
            ChoiceKind::AllocationFailure => "allocation-failure",
            ChoiceKind::FloatBits => "float-bits",
            ChoiceKind::VolatileRead => "volatile-read",
        }
    }
}

/// The type of a chosen value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChoiceType {
    /// One of `0..n`.
    Option(u32),
    /// A number in two's complement.
    Int {
        /// Its width.
        bits: u32,
        /// Whether it can be negative.
        signed: bool,
        /// The smallest and the largest number that are meant.
        range: Option<(i128, i128)>,
    },
    /// A float, given by its bits.
    Float {
        /// How many bits it has.
        bits: u32,
    },
    /// A pointer, given by its address. Null is 0.
    Pointer {
        /// How many bits it has.
        bits: u32,
    },
}

impl ChoiceType {
    /// What was chosen as a number of this type: a chooser may say the same in more bits, or in unsigned
    /// ones.
    pub(crate) fn number(self, value: i128) -> i128 {
        match self {
            ChoiceType::Int { bits, signed, .. } => crate::value::wrap(value, bits, signed),
            _ => value,
        }
    }

    /// How many bits a value has.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            ChoiceType::Option(_) => 32,
            ChoiceType::Int { bits, .. } | ChoiceType::Float { bits } | ChoiceType::Pointer { bits } => bits,
        }
    }
}

/// A choice to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// What it decides.
    pub kind: ChoiceKind,
    /// Where it is made, see the module's text.
    pub place: Place,
    /// The function or variable.
    pub name: String,
    /// How often it was made before.
    pub occurrence: u64,
    /// The offset in bytes in an uninitialised object, or in what an unknown function writes; else 0.
    pub offset: u64,
    /// What may be chosen.
    pub ty: ChoiceType,
    /// What is evaluated when it is asked for: of uninitialised memory, the lvalue that reads it.
    pub asked: Option<Span>,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Choice { kind, place, name, occurrence, offset, .. } = self;
        write!(f, "{} {place} {name} {occurrence}", kind.name())?;
        if *offset > 0 { write!(f, "+{offset}") } else { Ok(()) }
    }
}

/// A choice that was made: the value as a number of its type, floats by their bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Made {
    /// The choice.
    pub choice: Choice,
    /// The value.
    pub value: i128,
}

/// Makes the choices of an execution.
pub trait Chooser: Send {
    /// The value of a choice; `None` leaves it to the interpreter's default (see [`Defaults`]).
    ///
    /// # Errors
    /// [`NoChoice`] where the execution must not go on without a value.
    fn choose(&mut self, choice: &Choice) -> Result<Option<i128>, NoChoice>;

    /// Whether choices of this kind are made here at all. Those that are not are not even named, which is
    /// faster.
    fn asks(&self, kind: ChoiceKind) -> bool {
        let _ = kind;
        true
    }
}

/// There is no value for a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoChoice;
