//! Making one type of compatible types of different translation units (C11 6.2.7p1).
//!
//! Two structs are one if they have the same tag (or none) and the same members in the same places, of types
//! that are the same. The last condition is circular: what is looked for is the coarsest partition that
//! agrees with it. It starts from tags and places, and is refined by the types of members until nothing
//! changes. An incomplete struct belongs to the complete ones of its tag, if those are all one type.
//!
//! C keeps structs of one unit apart, however alike they are. Nothing behind the type checker depends on
//! that, so they become one here, too.

use super::{EnumId, IntKind, Qualifiers, RecordId, TypeId, TypeKind, TypeTable};
use crate::index::Id;
use std::collections::HashMap;

/// The first record, enumeration or type of each class, by id.
struct Classes {
    records: Vec<RecordId>,
    enums: Vec<EnumId>,
}

impl TypeTable {
    /// Whether the default argument promotions leave a type as it is.
    pub(crate) fn is_promoted(&self, ty: TypeId) -> bool {
        match (self.int_kind(ty), self.float_kind(ty)) {
            (Some(kind), _) => kind.rank() >= IntKind::Int.rank(),
            (_, Some(kind)) => kind != super::FloatKind::Float,
            _ => true,
        }
    }

    /// Makes one type of all that are compatible; the type that each type has become.
    pub(crate) fn unite_compatible(&mut self) -> Vec<TypeId> {
        let mut classes = Classes { records: self.by_place(), enums: self.by_constants() };
        loop {
            self.place_incomplete(&mut classes.records);
            let types = self.representatives(&classes);
            let refined = self.by_member_types(&classes.records, &types);
            if refined == classes.records {
                break;
            }
            classes.records = refined;
        }
        let types = self.representatives(&classes);
        self.rewrite(&classes, &types);
        types
    }

    /// Records by all but the types of their members.
    fn by_place(&self) -> Vec<RecordId> {
        let key = |id: RecordId| {
            let record = &self.records[id];
            let layout = record.layout.as_ref().map(|layout| {
                let members: Vec<_> =
                    layout.fields.iter().map(|f| (f.name.clone(), f.offset, f.bits, f.alignment)).collect();
                (layout.size, layout.alignment, members)
            });
            (record.is_union, record.tag.clone(), record.transparent, layout)
        };
        firsts(self.records.ids(), key)
    }

    /// Enumerations by tags and constants.
    fn by_constants(&self) -> Vec<EnumId> {
        let key = |id: EnumId| {
            let enumeration = &self.enums[id];
            let mut constants = enumeration.constants.clone();
            constants.sort();
            (enumeration.tag.clone(), enumeration.int, enumeration.complete, constants)
        };
        firsts(self.enums.ids(), key)
    }

    /// Puts the incomplete records of a tag into the one class of complete ones, if there is one; else they
    /// are a class of their own.
    fn place_incomplete(&self, classes: &mut [RecordId]) {
        let name = |id: RecordId| (self.records[id].is_union, self.records[id].tag.as_deref());
        // `None`: there are several.
        let mut complete: HashMap<_, Option<RecordId>> = HashMap::new();
        let mut incomplete: HashMap<_, RecordId> = HashMap::new();
        for id in self.records.ids() {
            if self.records[id].layout.is_none() {
                incomplete.entry(name(id)).or_insert(id);
                continue;
            }
            let class = classes[id.index()];
            complete
                .entry(name(id))
                .and_modify(|known| *known = known.filter(|&known| known == class))
                .or_insert(Some(class));
        }
        for id in self.records.ids() {
            if self.records[id].layout.is_none() {
                let own = incomplete.get(&name(id)).copied().unwrap_or(id);
                let joined = complete.get(&name(id)).copied().flatten();
                classes[id.index()] = if name(id).1.is_some() { joined.unwrap_or(own) } else { id };
            }
        }
    }

    /// The classes, refined by the types of members.
    fn by_member_types(&self, classes: &[RecordId], types: &[TypeId]) -> Vec<RecordId> {
        let key = |id: RecordId| {
            let layout = self.records[id].layout.as_ref()?;
            let members: Vec<TypeId> = layout.fields.iter().map(|field| types[field.ty.index()]).collect();
            Some((classes[id.index()], members))
        };
        let mut refined = firsts(self.records.ids(), key);
        for id in self.records.ids().filter(|&id| self.records[id].layout.is_none()) {
            refined[id.index()] = classes[id.index()];
        }
        self.place_incomplete(&mut refined);
        refined
    }

    /// The first type that is the same as each type.
    fn representatives(&self, classes: &Classes) -> Vec<TypeId> {
        let mut known: HashMap<(TypeKind, Qualifiers, Option<u64>), TypeId> = HashMap::new();
        let mut types: Vec<TypeId> = Vec::with_capacity(self.ids().count());
        // Parts of a type have smaller ids.
        for id in self.ids() {
            let (kind, qualifiers) = self.entry(id);
            let key = (mapped(kind, classes, &types), *qualifiers, self.alignments.get(&id).copied());
            types.push(*known.entry(key).or_insert(id));
        }
        types
    }

    /// Lets all types speak of representatives.
    fn rewrite(&mut self, classes: &Classes, types: &[TypeId]) {
        self.rewrite_kinds(|kind| mapped(kind, classes, types));
        for id in self.records.ids().collect::<Vec<_>>() {
            for field in self.records[id].layout.iter_mut().flat_map(|layout| &mut layout.fields) {
                field.ty = types[field.ty.index()];
            }
        }
    }
}

/// The first id with the same key, for each id.
fn firsts<I: Id, K: std::hash::Hash + Eq>(ids: impl Iterator<Item = I>, key: impl Fn(I) -> K) -> Vec<I> {
    let mut known: HashMap<K, I> = HashMap::new();
    ids.map(|id| *known.entry(key(id)).or_insert(id)).collect()
}

/// A type over representatives.
fn mapped(kind: &TypeKind, classes: &Classes, types: &[TypeId]) -> TypeKind {
    let of = |ty: TypeId| types.get(ty.index()).copied().unwrap_or(ty);
    match kind {
        TypeKind::Void | TypeKind::Int(_) | TypeKind::Float(_) | TypeKind::Complex(_) => kind.clone(),
        TypeKind::Enum(id) => TypeKind::Enum(classes.enums[id.index()]),
        TypeKind::Record(id) => TypeKind::Record(classes.records[id.index()]),
        TypeKind::Pointer(to) => TypeKind::Pointer(of(*to)),
        TypeKind::Array(element, length) => TypeKind::Array(of(*element), *length),
        TypeKind::Function(function) => {
            let mut function = function.clone();
            function.result = of(function.result);
            function.parameters.iter_mut().for_each(|parameter| *parameter = of(*parameter));
            TypeKind::Function(function)
        }
    }
}
