//! How a type falls apart into scalar leaves.
//!
//! A leaf lies at a bit offset of its object and is repeated by dimensions. Neighbouring dimensions without
//! gap are one: `int a[3][4]` is one leaf with one dimension of 12. A union is one leaf of all its bits, or
//! of bytes if it is large.

use crate::types::{ArrayLength, RecordId, TypeId, TypeKind, TypeTable};
use nilas_term::Sort;

/// What a leaf holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Kind {
    /// A `_Bool`.
    Bool,
    /// An integer, a pointer, a bit-field or the bytes of a union.
    Bits(u32),
    /// A float: exponent and significand.
    Float(u32, u32),
    /// The same, held as its bits (see [`crate::lower::translate::float::bits`]).
    FloatBits(u32, u32),
}

impl Kind {
    pub(in crate::lower) fn sort(self) -> Sort {
        match self {
            Kind::Bool => Sort::Bool,
            Kind::Bits(width) => Sort::BitVec(width),
            Kind::Float(exponent, significand) => Sort::Float(exponent, significand),
            Kind::FloatBits(exponent, significand) => Sort::BitVec(exponent + significand),
        }
    }
}

/// A repetition: bytes from element to element, and how many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Dim {
    pub(in crate::lower) stride: u64,
    pub(in crate::lower) count: u64,
}

/// A scalar part of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Spec {
    /// Bits from the start of the object to the first element.
    pub(in crate::lower) offset: u64,
    /// Bits in memory.
    pub(in crate::lower) width: u32,
    pub(in crate::lower) kind: Kind,
    /// Outermost first.
    pub(in crate::lower) dims: Vec<Dim>,
    /// The path from the object's name, with `[]` for each dimension as written.
    pub(in crate::lower) path: String,
    /// The dimensions as written.
    pub(in crate::lower) shape: Vec<u64>,
    /// It is all the bytes of a union.
    pub(in crate::lower) union: bool,
    /// It is declared `const`, or a part of what is.
    pub(in crate::lower) constant: bool,
    /// What it points to, if it is a pointer.
    pub(in crate::lower) pointee: Option<TypeId>,
    /// The structs it is a member of, innermost first: bits from their start, and whether it is an array
    /// there.
    pub(in crate::lower) within: Vec<(RecordId, u64, bool)>,
}

impl Spec {
    /// How many elements it has.
    pub(in crate::lower) fn count(&self) -> u64 {
        self.dims.iter().fold(1, |product, dim| product.saturating_mul(dim.count))
    }

    /// The path of one element.
    pub(in crate::lower) fn element_path(&self, mut index: u64) -> String {
        let mut indices = Vec::new();
        for &count in self.shape.iter().rev() {
            indices.push(index % count.max(1));
            index /= count.max(1);
        }
        let mut path = String::new();
        for (position, piece) in self.path.split("[]").enumerate() {
            if position > 0 {
                path.push_str(&format!("[{}]", indices.pop().unwrap_or(0)));
            }
            path.push_str(piece);
        }
        path
    }
}

/// Types with more leaves are not modelled.
const MOST_LEAVES: usize = 4096;
/// Unions with more bytes are arrays of bytes, not one leaf.
const LARGEST_UNION: u64 = 128;

/// What a scalar type holds, and its bits in memory; `None` for other types.
pub(in crate::lower) fn scalar(types: &TypeTable, ty: TypeId) -> Option<(Kind, u32)> {
    let bits = u32::try_from(8 * types.size_of(ty)?).ok()?;
    let kind = match types.kind(ty) {
        TypeKind::Pointer(_) => Kind::Bits(bits),
        TypeKind::Float(kind) => {
            let (exponent, significand) = kind.format();
            Kind::Float(exponent, significand)
        }
        _ => match types.int_kind(ty)?.value_bits(types.model()) {
            1 => Kind::Bool,
            bits => Kind::Bits(bits),
        },
    };
    Some((kind, bits))
}

/// The leaves of a type by offset; `None` if it is not modelled.
pub(in crate::lower) fn flatten(types: &TypeTable, ty: TypeId) -> Option<Vec<Spec>> {
    flatten_with(types, ty, 0)
}

/// The same, where an array of unknown length at its end has so many elements.
pub(in crate::lower) fn flatten_with(types: &TypeTable, ty: TypeId, open: u64) -> Option<Vec<Spec>> {
    if let Some((kind, width)) = scalar(types, ty) {
        return Some(vec![Spec {
            offset: 0,
            width,
            kind,
            dims: Vec::new(),
            path: String::new(),
            shape: Vec::new(),
            union: false,
            constant: types.qualifiers(ty).is_const,
            pointee: types.pointee(ty),
            within: Vec::new(),
        }]);
    }
    match types.kind(ty) {
        TypeKind::Array(element, length) => {
            let count = match length {
                ArrayLength::Unknown | ArrayLength::Fixed(0) => open,
                ArrayLength::Fixed(count) => *count,
                _ => return None,
            };
            if count == 0 {
                return Some(Vec::new());
            }
            let stride = types.size_of(*element)?;
            let mut leaves = flatten(types, *element)?;
            for leaf in &mut leaves {
                repeat(leaf, stride, count);
            }
            Some(leaves)
        }
        TypeKind::Record(id) => {
            let record = types.record(*id);
            let layout = record.layout.as_ref()?;
            if record.is_union && layout.fields.len() > 1 {
                if layout.size == 0 {
                    return None;
                }
                let (width, dims, shape, path) = if layout.size > LARGEST_UNION {
                    let dims = vec![Dim { stride: 1, count: layout.size }];
                    (8, dims, vec![layout.size], "[]".to_owned())
                } else {
                    (u32::try_from(8 * layout.size).ok()?, Vec::new(), Vec::new(), String::new())
                };
                let within = vec![(*id, 0, true)];
                let kind = Kind::Bits(width);
                return Some(vec![Spec {
                    offset: 0,
                    width,
                    kind,
                    dims,
                    path,
                    shape,
                    union: true,
                    constant: types.qualifiers(ty).is_const,
                    pointee: None,
                    within,
                }]);
            }
            let mut leaves = Vec::new();
            let constant = types.qualifiers(ty).is_const;
            for (number, field) in layout.fields.iter().enumerate() {
                let open = if number + 1 == layout.fields.len() { open } else { 0 };
                let name = field.name.as_ref().map_or(String::new(), |name| format!(".{name}"));
                if let Some(bits) = field.bits {
                    leaves.push(Spec {
                        offset: 8 * field.offset + u64::from(bits.offset),
                        width: bits.width,
                        kind: Kind::Bits(bits.width),
                        dims: Vec::new(),
                        path: name,
                        shape: Vec::new(),
                        union: false,
                        constant: types.qualifiers(field.ty).is_const,
                        pointee: None,
                        within: vec![(*id, 8 * field.offset + u64::from(bits.offset), false)],
                    });
                    continue;
                }
                for mut leaf in flatten_with(types, field.ty, open)? {
                    leaf.offset += 8 * field.offset;
                    leaf.path.insert_str(0, &name);
                    let array = !leaf.dims.is_empty();
                    leaf.constant |= types.qualifiers(field.ty).is_const;
                    leaf.within.push((*id, leaf.offset, array));
                    leaves.push(leaf);
                }
                if leaves.len() > MOST_LEAVES {
                    return None;
                }
            }
            leaves.iter_mut().for_each(|leaf| leaf.constant |= constant);
            Some(leaves)
        }
        _ => None,
    }
}

/// Whether it ends with an array of unknown length (or of none, as GNU C has it).
pub(in crate::lower) fn has_open_end(types: &TypeTable, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Array(_, ArrayLength::Unknown | ArrayLength::Fixed(0)) => true,
        TypeKind::Record(id) => {
            let last = types.record(*id).layout.as_ref().and_then(|layout| layout.fields.last());
            last.is_some_and(|field| has_open_end(types, field.ty))
        }
        _ => false,
    }
}

/// The array of unknown length that a type ends with: where it begins, and its elements. None inside a union,
/// whose members are one leaf.
pub(in crate::lower) fn open_array(types: &TypeTable, ty: TypeId) -> Option<(u64, TypeId)> {
    match types.kind(ty) {
        TypeKind::Array(element, ArrayLength::Unknown | ArrayLength::Fixed(0)) => Some((0, *element)),
        TypeKind::Record(id) => {
            let record = types.record(*id);
            let fields = &record.layout.as_ref()?.fields;
            let last = fields.last().filter(|_| !record.is_union || fields.len() == 1)?;
            let (offset, element) = open_array(types, last.ty)?;
            Some((last.offset + offset, element))
        }
        _ => None,
    }
}

/// Adds an outermost dimension.
pub(in crate::lower) fn repeat(leaf: &mut Spec, stride: u64, count: u64) {
    leaf.dims.insert(0, Dim { stride, count });
    leaf.shape.insert(0, count);
    leaf.path.insert_str(0, "[]");
    if let [outer, inner, ..] = leaf.dims[..]
        && Some(outer.stride) == inner.stride.checked_mul(inner.count)
        && let Some(product) = inner.count.checked_mul(outer.count)
    {
        leaf.dims.remove(0);
        leaf.dims[0].count = product;
    }
}
