//! Where pointers lie in an object of a type.

use crate::types::{ArrayLength, TypeId, TypeKind, TypeTable};

/// More pointers in one object are not looked at.
pub(super) const MOST: usize = 256;

/// A pointer in an object.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// Bytes from the start of the object.
    pub(super) offset: u64,
    /// Its type, without qualifiers.
    pub(super) ty: TypeId,
    /// How it is reached from the object: `[1].next`.
    pub(super) path: String,
}

/// The pointers in an object of a type, up to a number; not those in unions, and no constant ones.
pub(super) fn slots(types: &mut TypeTable, ty: TypeId) -> Vec<Slot> {
    let mut found = Vec::new();
    let mut todo = vec![Slot { offset: 0, ty, path: String::new() }];
    while let Some(Slot { offset, ty, path }) = todo.pop() {
        if found.len() >= MOST {
            break;
        }
        let first = todo.len();
        match types.kind(ty).clone() {
            TypeKind::Pointer(_) if !types.qualifiers(ty).is_const => {
                let ty = types.unqualified(ty);
                found.push(Slot { offset, ty, path });
            }
            TypeKind::Array(element, ArrayLength::Fixed(count)) if has_pointers(types, element) => {
                let size = types.size_of(element).unwrap_or(0);
                let slot = |number: u64| Slot {
                    offset: offset + number * size,
                    ty: element,
                    path: format!("{path}[{number}]"),
                };
                todo.extend((0..count.min(MOST as u64)).map(slot));
            }
            TypeKind::Record(id) if !types.record(id).is_union && !types.qualifiers(ty).is_const => {
                let fields = types.record(id).layout.iter().flat_map(|layout| &layout.fields);
                let slot = |field: &crate::types::Field| Slot {
                    offset: offset + field.offset,
                    ty: field.ty,
                    path: match &field.name {
                        Some(name) => format!("{path}.{name}"),
                        None => path.clone(),
                    },
                };
                todo.extend(fields.filter(|field| field.bits.is_none()).map(slot));
            }
            _ => {}
        }
        todo[first..].reverse();
    }
    found
}

/// Whether a pointer lies in an object of a type, so that its elements need to be looked at.
fn has_pointers(types: &TypeTable, ty: TypeId) -> bool {
    match types.kind(ty) {
        TypeKind::Pointer(_) => true,
        TypeKind::Array(element, _) => has_pointers(types, *element),
        TypeKind::Record(id) => {
            let layout = types.record(*id).layout.as_ref();
            layout.is_some_and(|layout| layout.fields.iter().any(|field| has_pointers(types, field.ty)))
        }
        _ => false,
    }
}
