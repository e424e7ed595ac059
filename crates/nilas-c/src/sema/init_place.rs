//! Walking through the places of an aggregate while a list of values is read.

use super::init::{Place, Reader, Stores};
use super::{Check, Checker};
use crate::ast::Initialiser as AstInit;
use crate::types::{ArrayLength, TypeId, TypeKind};

/// One step from an aggregate to a part of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The field with this number.
    Field(usize),
    /// The elements from the first to the last number.
    Range(u64, u64),
}

impl Checker<'_> {
    pub(super) fn step_type(&self, ty: TypeId, field: usize) -> TypeId {
        let types = &self.program.types;
        let layout = types.as_record(ty).and_then(|record| types.record(record).layout.as_ref());
        layout.and_then(|layout| layout.fields.get(field)).map_or(ty, |field| field.ty)
    }

    /// How many parts are initialised one after the other.
    fn part_count(&self, ty: TypeId) -> u64 {
        match self.program.types.kind(ty) {
            TypeKind::Array(_, ArrayLength::Fixed(n)) => *n,
            TypeKind::Array(..) => u64::MAX,
            TypeKind::Record(id) => {
                let record = self.program.types.record(*id);
                let fields = record.layout.as_ref().map_or(0, |layout| layout.fields.len() as u64);
                if record.is_union { fields.min(1) } else { fields }
            }
            _ => 0,
        }
    }

    /// The part with this number.
    fn part(&self, place: Place, index: u64) -> Option<Place> {
        match *self.program.types.kind(place.ty) {
            TypeKind::Array(element, _) => {
                let size = self.program.types.size_of(element)?;
                let offset = place.offset.checked_add(index.checked_mul(size)?)?;
                Some(Place { ty: element, offset, bits: None })
            }
            TypeKind::Record(id) => {
                let layout = self.program.types.record(id).layout.as_ref()?;
                let field = layout.fields.get(usize::try_from(index).ok()?)?;
                Some(Place {
                    ty: field.ty,
                    offset: place.offset.checked_add(field.offset)?,
                    bits: field.bits,
                })
            }
            _ => None,
        }
    }

    /// Reads values into the parts of an aggregate. Without braces of its own it stops when it is full or
    /// when a designator comes, which belongs to the list around.
    pub(super) fn fill(
        &mut self,
        place: Place,
        reader: &mut Reader<'_>,
        stores: &mut Stores,
        braced: bool,
        whole: bool,
    ) -> Check<()> {
        if let (Some(what), Some(item)) = (self.unsupported(place.ty), reader.peek()) {
            return self.fail(item.span, what);
        }
        self.fill_from(place, reader, stores, braced, whole, 0)
    }

    fn fill_from(
        &mut self,
        place: Place,
        reader: &mut Reader<'_>,
        stores: &mut Stores,
        braced: bool,
        whole: bool,
        start: u64,
    ) -> Check<()> {
        let count = self.part_count(place.ty);
        let mut index = start;
        while let Some(item) = reader.peek() {
            if !item.designators.is_empty() {
                if !braced {
                    return Ok(());
                }
                let steps = self.steps(place.ty, &item.designators)?;
                index = self.designated(place, &steps, reader, stores)?;
            } else if index >= count {
                if !braced {
                    return Ok(());
                }
                self.warn(item.span, "more values than the object has room for");
                // Errors in what is dropped are still errors.
                if let AstInit::Expr(expr) = item.value {
                    self.init_expr(expr)?;
                }
                reader.next += 1;
                continue;
            } else {
                let Some(part) = self.part(place, index) else {
                    return self.fail(item.span, "the object is too large");
                };
                self.fill_part(part, reader, stores)?;
                index += 1;
            }
            if whole {
                stores.elements = stores.elements.max(index);
            }
        }
        Ok(())
    }

    /// Initialises one part with the next value: in braces, as a whole, or by filling it with as many as it
    /// takes.
    fn fill_part(&mut self, part: Place, reader: &mut Reader<'_>, stores: &mut Stores) -> Check<()> {
        let Some(item) = reader.peek() else { return Ok(()) };
        let span = item.span;
        if let AstInit::Expr(expr) = item.value
            && self.is_aggregate(part.ty)
            && !self.is_whole_value(part.ty, expr)?
        {
            let before = reader.next;
            self.nested(span, |this| this.fill(part, reader, stores, false, false))?;
            if reader.next == before {
                // An aggregate without parts takes nothing; skip the value rather than loop.
                reader.next += 1;
            }
            return Ok(());
        }
        reader.next += 1;
        self.nested(span, |this| this.init_place(part, &item.value, stores, false))
    }

    /// Initialises the part that a designation names, and goes on behind it inside the aggregates on the way.
    /// Returns the number of the part of `place` that comes next.
    fn designated(
        &mut self,
        place: Place,
        steps: &[Step],
        reader: &mut Reader<'_>,
        stores: &mut Stores,
    ) -> Check<u64> {
        let Some((first, rest)) = steps.split_first() else { return Ok(0) };
        let span = reader.peek().map(|item| item.span);
        let (low, high) = match *first {
            Step::Field(field) => (field as u64, field as u64),
            Step::Range(low, high) => (low, high),
        };
        let Some(span) = span else { return Ok(high + 1) };
        let Some(part) = self.part(place, low) else { return self.fail(span, "the object is too large") };
        let is_union =
            self.program.types.as_record(place.ty).is_some_and(|r| self.program.types.record(r).is_union);
        let stride = self.program.types.size_of(part.ty).unwrap_or(0);
        if rest.is_empty() && (is_union || high > low) {
            // Another member of the union, or other elements, are overridden as well as the designated one.
            let size = if is_union { self.program.types.size_of(place.ty).unwrap_or(0) } else { stride };
            let end = part.offset.saturating_add(size.saturating_mul(high - low + 1));
            stores.forget(part.offset, end);
        }
        // Counted from the start of all that was ever stored, since values inside may override earlier ones.
        let first_store = stores.items.len() + stores.forgotten;
        if rest.is_empty() {
            // The designated value itself is never split from its designator, but may start an elided
            // aggregate.
            self.designated_value(part, reader, stores)?;
        } else {
            let next = self.nested(span, |this| this.designated(part, rest, reader, stores))?;
            self.nested(span, |this| this.fill_from(part, reader, stores, false, false, next))?;
        }
        if high > low {
            if stride == 0 || stride.checked_mul(high).is_none() {
                return Ok(high + 1);
            }
            let first_store = first_store.saturating_sub(stores.forgotten);
            self.repeat(stores, first_store, high - low + 1, stride, span)?;
        }
        // A designated member of a union is the only one.
        Ok(if is_union { u64::MAX } else { high + 1 })
    }

    fn designated_value(&mut self, part: Place, reader: &mut Reader<'_>, stores: &mut Stores) -> Check<()> {
        let Some(item) = reader.peek() else { return Ok(()) };
        let span = item.span;
        if let AstInit::Expr(expr) = item.value
            && self.is_aggregate(part.ty)
            && !self.is_whole_value(part.ty, expr)?
        {
            // The first scalar takes this value, the following values fill the rest.
            let Some(inner) = self.part(part, 0).filter(|_| self.part_count(part.ty) > 0) else {
                reader.next += 1;
                return Ok(());
            };
            self.nested(span, |this| this.designated_value(inner, reader, stores))?;
            return self.nested(span, |this| this.fill_from(part, reader, stores, false, false, 1));
        }
        reader.next += 1;
        self.nested(span, |this| this.init_place(part, &item.value, stores, false))
    }
}
