//! C types: interned, with sizes, layouts, conversions and compatibility for a data model.
//!
//! A [`TypeId`] names a type together with its qualifiers; equal ids mean identical types (records and enums
//! are identical only to themselves, as in C). [`TypeTable`] owns them all and knows the [`DataModel`].
//!
//! Invariants: qualifiers of an array are on its element type; functions are never qualified; a record's
//! members are known once [`Record::layout`] is `Some`.

mod arith;
mod compat;
mod layout;
mod model;
mod print;
mod table;
mod unite;

pub use layout::{BitRange, Field, Layout, MemberSpec, RecordAttributes};
pub use model::{DataModel, FloatKind, IntKind, Target};
pub(crate) use print::{float_name, int_name};
pub use table::{ArrayLength, Enumeration, FunctionType, Record, TypeKind, TypeTable};

pub use crate::ast::Qualifiers;
use crate::define_id;

define_id!(
    /// A type with its qualifiers.
    pub TypeId
);
define_id!(
    /// A struct or union.
    pub RecordId
);
define_id!(
    /// An enumeration.
    pub EnumId
);

#[cfg(test)]
mod tests;
