//! Values: what expressions evaluate to.

use crate::memory::AllocationId;
use nilas_c::types::{FloatKind, TypeId, TypeKind, TypeTable};

/// A pointer: a number, and the object that it was made from. A pointer without provenance is a number that
/// nothing is known about: null, or an integer that was no address of an object when it became a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pointer {
    /// The address.
    pub(crate) address: u64,
    /// The object that it was computed from.
    pub(crate) provenance: Option<AllocationId>,
}

impl Pointer {
    /// The null pointer.
    pub(crate) const NULL: Pointer = Pointer { address: 0, provenance: None };

    /// Whether it is null.
    #[must_use]
    pub(crate) fn is_null(self) -> bool {
        self.address == 0
    }
}

/// The bytes of a struct, a union or an array, each with whether it is initialised and, if it is a part of a
/// pointer, the object of that.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bytes {
    /// What is stored.
    pub(crate) data: Vec<u8>,
    /// Which bytes are initialised.
    pub(crate) initialised: Vec<bool>,
    /// Parts of pointers; empty if there are none.
    pub(crate) provenance: Vec<Option<AllocationId>>,
}

/// A value. Its type is that of the expression: numbers are reduced to it as
/// [`IntKind::wrap`](nilas_c::types::IntKind::wrap) does, floats are their bits.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    /// No value.
    Void,
    /// An integer, an enumeration or a `_Bool`.
    Int(i128),
    /// The bits of a float.
    Float(u128),
    /// A pointer.
    Pointer(Pointer),
    /// A struct, a union or an array.
    Bytes(Box<Bytes>),
}

impl Value {
    /// The integer; other values have none.
    #[must_use]
    pub(crate) fn int(&self) -> i128 {
        match self {
            Value::Int(value) => *value,
            Value::Pointer(pointer) => i128::from(pointer.address),
            _ => 0,
        }
    }

    /// The pointer; an integer is one without provenance.
    #[must_use]
    pub(crate) fn pointer(&self) -> Pointer {
        match self {
            Value::Pointer(pointer) => *pointer,
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            Value::Int(value) => Pointer { address: *value as u64, provenance: None },
            _ => Pointer::NULL,
        }
    }

    /// The bits of a float.
    #[must_use]
    pub(crate) fn bits(&self) -> u128 {
        match self {
            Value::Float(bits) => *bits,
            _ => 0,
        }
    }
}

/// How values of a type lie in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer.
    Int {
        /// Bytes.
        size: u8,
        /// Whether it can be negative.
        signed: bool,
    },
    /// A float.
    Float(FloatKind),
    /// A pointer.
    Pointer,
    /// A struct, union or array of this size.
    Aggregate(u64),
    /// A function.
    Function,
    /// A type without a constant size, or of no known meaning.
    Open,
}

impl Shape {
    /// The shape of a type.
    #[must_use]
    pub(crate) fn of(types: &TypeTable, ty: TypeId) -> Shape {
        match types.kind(ty) {
            TypeKind::Void => Shape::Void,
            TypeKind::Int(nilas_c::types::IntKind::Bool) => Shape::Bool,
            TypeKind::Int(_) | TypeKind::Enum(_) => match types.int_kind(ty) {
                Some(nilas_c::types::IntKind::Bool) => Shape::Bool,
                Some(kind) => Shape::Int {
                    size: u8::try_from(kind.size(types.model())).unwrap_or(16),
                    signed: kind.is_signed(),
                },
                None => Shape::Open,
            },
            TypeKind::Float(kind) => Shape::Float(*kind),
            TypeKind::Pointer(_) => Shape::Pointer,
            TypeKind::Function(_) => Shape::Function,
            TypeKind::Complex(_) | TypeKind::Array(..) | TypeKind::Record(_) => {
                types.size_of(ty).map_or(Shape::Open, Shape::Aggregate)
            }
        }
    }
}

/// Reduces a number to a width.
#[must_use]
pub(crate) fn wrap(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    let shift = 128 - bits.max(1);
    if signed { (value << shift) >> shift } else { ((value << shift).cast_unsigned() >> shift).cast_signed() }
}
