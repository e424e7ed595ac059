//! Sizes, alignments, and the layout of structs and unions as GCC lays them out on Linux (System V).

use super::{ArrayLength, RecordId, TypeId, TypeKind, TypeTable};

/// Where a bit-field lies, in bits from the byte that [`Field::offset`] names; bit 0 is the least
/// significant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct BitRange {
    /// The first bit, 0 to 7.
    pub offset: u32,
    /// How many bits, at least 1.
    pub width: u32,
}

/// A member of a struct or union.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The name; `None` for an anonymous struct or union.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// The first byte. Of a bit-field, the byte that holds its first bit.
    pub offset: u64,
    /// The bits, if it is a bit-field.
    pub bits: Option<BitRange>,
    /// The alignment in bytes that it has as a member, which `__alignof__` gives.
    pub alignment: u64,
}

/// The members of a struct or union and its size.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The members in order, without unnamed bit-fields.
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
}

/// A member before it has a place.
#[derive(Clone, Debug)]
pub struct MemberSpec {
    /// The name; `None` for an anonymous struct or union, or an unnamed bit-field.
    pub name: Option<String>,
    /// The type.
    pub ty: TypeId,
    /// The width, if it is a bit-field; zero only without a name.
    pub width: Option<u32>,
    /// `aligned(n)` or `_Alignas(n)`.
    pub alignment: Option<u64>,
    /// Has the attribute `packed`.
    pub packed: bool,
}

/// What attributes and pragmas say about a whole struct or union.
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordAttributes {
    /// `packed`
    pub packed: bool,
    /// `aligned(n)`
    pub alignment: Option<u64>,
    /// `#pragma pack(n)`
    pub pack: Option<u64>,
}

/// `value` rounded up to a multiple of `unit`; saturates.
fn round_up(value: u64, unit: u64) -> u64 {
    value.checked_next_multiple_of(unit.max(1)).unwrap_or(u64::MAX)
}

impl TypeTable {
    /// The size in bytes; `None` if the type is incomplete, has a variable length, or is larger than the
    /// address space. As in GNU C, `void` and functions count as one byte.
    pub fn size_of(&self, ty: TypeId) -> Option<u64> {
        let size = match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => 1,
            TypeKind::Int(kind) => kind.size(self.model()),
            TypeKind::Float(kind) => kind.size(self.model()),
            TypeKind::Complex(kind) => 2 * kind.size(self.model()),
            TypeKind::Enum(id) => self.enums[*id].int.size(self.model()),
            TypeKind::Pointer(_) => self.model().pointer_size(),
            TypeKind::Array(element, ArrayLength::Fixed(length)) => {
                self.size_of(*element)?.checked_mul(*length)?
            }
            TypeKind::Array(..) => return None,
            TypeKind::Record(id) => self.records[*id].layout.as_ref()?.size,
        };
        let limit = 1u64 << (8 * self.model().pointer_size() - 1);
        (size < limit).then_some(size)
    }

    /// The alignment in bytes of objects of this type, which `__alignof__` gives; 1 for incomplete types.
    pub fn align_of(&self, ty: TypeId) -> u64 {
        if let Some(&alignment) = self.alignments.get(&ty) {
            return alignment;
        }
        let natural = match self.kind(ty) {
            TypeKind::Void | TypeKind::Function(_) => 1,
            TypeKind::Array(element, _) => self.align_of(*element),
            TypeKind::Record(id) => self.records[*id].layout.as_ref().map_or(1, |layout| layout.alignment),
            _ => self.scalar_alignment(ty, false),
        };
        natural.max(self.atomic_alignment(ty))
    }

    /// GCC aligns what is atomic to its size where the machine has an atomic access of that size; 1 for
    /// everything else.
    fn atomic_alignment(&self, ty: TypeId) -> u64 {
        if matches!(self.kind(ty), TypeKind::Array(..)) || !self.qualifiers(ty).is_atomic {
            return 1;
        }
        self.size_of(ty).filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16)).unwrap_or(1)
    }

    /// The least alignment that an object of this type needs, which members get and `_Alignof` gives: on
    /// i386, 8-byte scalars are aligned to 4 in a struct.
    pub fn member_alignment(&self, ty: TypeId) -> u64 {
        if let Some(&alignment) = self.alignments.get(&ty) {
            return alignment;
        }
        match self.kind(ty) {
            TypeKind::Array(element, _) => self.member_alignment(*element),
            TypeKind::Record(_) | TypeKind::Void | TypeKind::Function(_) => self.align_of(ty),
            _ => self.scalar_alignment(ty, true).max(self.atomic_alignment(ty)),
        }
    }

    fn scalar_alignment(&self, ty: TypeId, member: bool) -> u64 {
        let size = match self.kind(ty) {
            TypeKind::Complex(kind) => kind.size(self.model()),
            TypeKind::Float(super::FloatKind::Float128) => return 16,
            _ => self.size_of(ty).unwrap_or(1),
        };
        match (self.model(), size) {
            (_, 12) => 4,
            (model, 8) if member && !model.target().aligned_members => 4,
            _ => size,
        }
    }

    /// Lays out a struct or union and completes it. Members must be complete, except that the last may be an
    /// array of unknown length.
    pub fn complete_record(&mut self, id: RecordId, members: &[MemberSpec], attributes: RecordAttributes) {
        let mut builder = Builder {
            table: self,
            attributes,
            is_union: self.records[id].is_union,
            fields: Vec::new(),
            bit_position: 0,
            size_bits: 0,
            alignment: 1,
        };
        for member in members {
            builder.place(member);
        }
        let layout = builder.finish();
        self.records[id].layout = Some(layout);
    }
}

struct Builder<'a> {
    table: &'a TypeTable,
    attributes: RecordAttributes,
    is_union: bool,
    fields: Vec<Field>,
    /// The first free bit of a struct.
    bit_position: u64,
    size_bits: u64,
    alignment: u64,
}

impl Builder<'_> {
    fn place(&mut self, member: &MemberSpec) {
        let packed = member.packed || self.attributes.packed;
        let mut alignment = if packed { 1 } else { self.table.member_alignment(member.ty) };
        if let Some(wanted) = member.alignment {
            alignment = alignment.max(wanted);
        }
        if let Some(limit) = self.attributes.pack {
            alignment = alignment.min(limit);
        }
        if self.is_union {
            self.bit_position = 0;
        }
        match member.width {
            None => self.place_plain(member, alignment),
            Some(width) => self.place_bits(member, u64::from(width), packed),
        }
        self.size_bits = self.size_bits.max(self.bit_position);
    }

    fn place_plain(&mut self, member: &MemberSpec, alignment: u64) {
        let offset = round_up(self.bit_position.div_ceil(8), alignment);
        let size = match self.table.kind(member.ty) {
            TypeKind::Array(_, ArrayLength::Unknown) => 0,
            _ => self.table.size_of(member.ty).unwrap_or(0),
        };
        self.alignment = self.alignment.max(alignment);
        self.bit_position = offset.saturating_add(size).saturating_mul(8);
        self.fields.push(Field { name: member.name.clone(), ty: member.ty, offset, bits: None, alignment });
    }

    /// A bit-field never crosses a boundary of its declared type unless packed; width zero closes the unit.
    fn place_bits(&mut self, member: &MemberSpec, width: u64, packed: bool) {
        let unit = 8 * self.table.size_of(member.ty).unwrap_or(1);
        if width == 0 {
            // Packing does not weaken `: 0`, it closes the storage unit of the declared type.
            let natural = self.table.member_alignment(member.ty).max(member.alignment.unwrap_or(1));
            self.bit_position = round_up(self.bit_position, 8 * natural);
            return;
        }
        // `#pragma pack` weakens what attributes ask for, too.
        let wanted = member.alignment.map(|wanted| self.attributes.pack.map_or(wanted, |k| wanted.min(k)));
        if let Some(wanted) = wanted {
            self.bit_position = round_up(self.bit_position, 8 * wanted);
        }
        let natural = self.table.member_alignment(member.ty);
        if !packed && self.attributes.pack.is_none() {
            // GCC counts storage units of the type's alignment: the field may not touch more of them than fit
            // in one object of the type. Packing of either sort switches this off.
            let align_bits = 8 * natural;
            let first = self.bit_position / align_bits;
            let last = (self.bit_position + width).div_ceil(align_bits);
            if last - first > unit / align_bits {
                self.bit_position = round_up(self.bit_position, align_bits);
            }
        }
        // Under `#pragma pack` the attribute `packed` does not weaken the alignment that a bit-field gives
        // the whole.
        let weakened = match self.attributes.pack {
            Some(limit) => natural.min(limit),
            None if packed => 1,
            None => natural,
        };
        let alignment = weakened.max(wanted.unwrap_or(1));
        // On most machines unnamed bit-fields do not raise the alignment.
        if member.name.is_some() || self.table.model().target().aligning_bits {
            self.alignment = self.alignment.max(alignment);
        }
        if member.name.is_some() {
            let bits = BitRange {
                offset: u32::try_from(self.bit_position % 8).unwrap_or(0),
                width: u32::try_from(width).unwrap_or(1),
            };
            let offset = self.bit_position / 8;
            self.fields.push(Field {
                name: member.name.clone(),
                ty: member.ty,
                offset,
                bits: Some(bits),
                alignment,
            });
        }
        self.bit_position += width;
    }

    fn finish(self) -> Layout {
        let alignment = self.alignment.max(self.attributes.alignment.unwrap_or(1));
        let size = round_up(self.size_bits.div_ceil(8), alignment);
        Layout { fields: self.fields, size, alignment }
    }
}
