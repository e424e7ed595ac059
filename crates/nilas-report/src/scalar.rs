//! How the values of a C program are written: what the variables of its automaton hold, and what addresses
//! belong to.

use std::collections::BTreeMap;

/// A scalar type, as far as it matters to who writes a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A signed integer.
    Signed,
    /// An unsigned integer, or `_Bool`.
    Unsigned,
    /// An enumeration: whether its integers are signed, and its constants.
    Enumeration {
        /// See [`Scalar::Enumeration`].
        signed: bool,
        /// In order.
        constants: Vec<(String, i128)>,
    },
    /// A pointer.
    Pointer,
    /// A float.
    Float,
}

/// The scalars of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scalars {
    /// By the names of variables of the automaton: what each of them holds, or the elements of an array.
    pub types: BTreeMap<String, Scalar>,
    /// What begins at an address of the automaton, as C writes the address.
    pub addresses: BTreeMap<u64, String>,
}
