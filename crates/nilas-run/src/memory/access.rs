//! Reading and writing bytes.

use super::{Allocation, AllocationId, Kind, Memory};
use crate::value::{Bytes, Pointer};

/// Why an access is undefined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// Null, or a number close to it.
    Null,
    /// No object lies there.
    Wild,
    /// The object is dead.
    Dead(AllocationId),
    /// The access leaves the object.
    Outside(AllocationId),
    /// It is no object: a function, a label.
    NotAnObject(AllocationId),
    /// The object is constant.
    Constant(AllocationId),
}

/// Addresses below are those of members and elements of null.
const PAGE: u64 = 4096;

impl Memory {
    /// The object that an access of `size` bytes means, and the offset in it.
    pub(crate) fn resolve(&self, pointer: Pointer, size: u64) -> Result<(AllocationId, usize), Fault> {
        let Some(id) = pointer.provenance else {
            return Err(if pointer.address < PAGE { Fault::Null } else { Fault::Wild });
        };
        let Some(allocation) = self.get(id) else { return Err(Fault::Dead(id)) };
        if !allocation.kind.is_object() {
            return Err(Fault::NotAnObject(id));
        }
        let offset = pointer.address.wrapping_sub(allocation.base);
        if offset > allocation.size || size > allocation.size - offset {
            return Err(Fault::Outside(id));
        }
        let offset = usize::try_from(offset).map_err(|_| Fault::Outside(id))?;
        Ok((id, offset))
    }

    /// The same for a write.
    pub(crate) fn resolve_write(&self, pointer: Pointer, size: u64) -> Result<(AllocationId, usize), Fault> {
        let found = self.resolve(pointer, size)?;
        match self.get(found.0) {
            Some(allocation) if allocation.read_only => Err(Fault::Constant(found.0)),
            Some(allocation) if !allocation.constants.is_empty() => {
                let end = found.1 + usize::try_from(size).unwrap_or(usize::MAX - found.1);
                let hit = |&(from, to): &(usize, usize)| found.1 < to && from < end;
                if allocation.constants.iter().any(hit) { Err(Fault::Constant(found.0)) } else { Ok(found) }
            }
            _ => Ok(found),
        }
    }

    /// Copies bytes out, with all that is known about them.
    pub(crate) fn copy_out(&self, id: AllocationId, offset: usize, size: usize) -> Bytes {
        let Some(allocation) = self.get(id) else { return Bytes::default() };
        let range = offset..offset + size;
        let provenance = match allocation.provenance.get(range.clone()) {
            Some(parts) if parts.iter().any(Option::is_some) => parts.to_vec(),
            _ => Vec::new(),
        };
        Bytes {
            data: allocation.data[range.clone()].to_vec(),
            initialised: allocation.initialised[range].to_vec(),
            provenance,
        }
    }

    /// Copies bytes in. The range must lie in the object.
    pub(crate) fn copy_in(&mut self, id: AllocationId, offset: usize, bytes: &Bytes) {
        let Some(allocation) = self.get_mut_at(id, offset, bytes.data.len()) else { return };
        let range = offset..offset + bytes.data.len();
        allocation.data[range.clone()].copy_from_slice(&bytes.data);
        allocation.initialised[range.clone()].copy_from_slice(&bytes.initialised);
        if bytes.provenance.is_empty() {
            allocation.forget_pointers(offset, bytes.data.len());
        } else {
            allocation.room_for_pointers();
            allocation.provenance[range].copy_from_slice(&bytes.provenance);
        }
    }

    /// Whether an object is one of static or automatic duration that is declared `const`, or a literal.
    pub(crate) fn kind_of(&self, id: AllocationId) -> Option<Kind> {
        self.get(id).map(|allocation| allocation.kind)
    }
}

impl Allocation {
    /// The bytes at an offset as a number, little end first.
    pub(crate) fn number(&self, offset: usize, size: usize) -> u128 {
        let bytes = &self.data[offset..offset + size];
        if let Ok(bytes) = <[u8; 4]>::try_from(bytes) {
            return u128::from(u32::from_le_bytes(bytes));
        }
        if let Ok(bytes) = <[u8; 8]>::try_from(bytes) {
            return u128::from(u64::from_le_bytes(bytes));
        }
        bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
    }

    /// Stores a number.
    pub(crate) fn set_number(&mut self, offset: usize, size: usize, number: u128) {
        self.data[offset..offset + size].copy_from_slice(&number.to_le_bytes()[..size]);
        self.initialised[offset..offset + size].fill(true);
        self.forget_pointers(offset, size);
    }

    /// Stores the parts of a pointer.
    pub(crate) fn set_pointer(&mut self, offset: usize, size: usize, pointer: Pointer) {
        self.set_number(offset, size, u128::from(pointer.address));
        if pointer.provenance.is_some() {
            self.room_for_pointers();
            self.provenance[offset..offset + size].fill(pointer.provenance);
        }
    }

    /// The object that all bytes are parts of a pointer to.
    pub(crate) fn common_provenance(&self, offset: usize, size: usize) -> Option<AllocationId> {
        let parts = self.provenance.get(offset..offset + size)?;
        let first = *parts.first()?;
        parts.iter().all(|part| *part == first).then_some(first)?
    }

    pub(crate) fn is_initialised(&self, offset: usize, size: usize) -> bool {
        self.initialised[offset..offset + size].iter().all(|&it| it)
    }

    fn forget_pointers(&mut self, offset: usize, size: usize) {
        if !self.provenance.is_empty() {
            self.provenance[offset..offset + size].fill(None);
        }
    }

    fn room_for_pointers(&mut self) {
        if self.provenance.is_empty() {
            self.provenance.resize(self.data.len(), None);
        }
    }
}
