//! Where objects lie: code, constants and statics low, the heap above, the stack from the top down.
//!
//! Addresses of memory that lasts are never used twice. The stack uses its addresses again, as machines do.
//! With another seed objects lie elsewhere, in another order, at other distances, aligned no better than they
//! must be, and with an odd one the stack uses no address twice: what holds for several seeds does not depend
//! on where objects lie. Between two objects there is a gap, so that the end of one is not the start of the
//! next. The upper half of all addresses is memory of unknown origin: what pointers point to that the program
//! did not make.

use super::Kind;
use nilas_c::types::DataModel;

/// Bytes between two objects, at least.
const GAP: u64 = 16;

/// Bytes of the stack.
const STACK: u64 = 64 << 20;

pub(super) struct AddressSpace {
    code: u64,
    data: u64,
    heap: u64,
    stack: u64,
    data_end: u64,
    heap_end: u64,
    stack_end: u64,
    /// The upper part of the addresses for data and for the heap: where every other object lies, by the seed.
    upper: [u64; 2],
    /// Where these begin.
    middle: [u64; 2],
    seed: u64,
    placed: u64,
    /// Where memory at fixed addresses begins and ends: nothing else lies there.
    fixed: Vec<(u64, u64)>,
}

impl AddressSpace {
    /// Statics and the heap lie below 4 GiB if that is asked for. The seed moves every part a little.
    pub(super) fn new(model: DataModel, low: bool, seed: u64) -> AddressSpace {
        let shift = (seed % 1009) * 16;
        let narrow = model.is_narrow();
        let (code, data, heap): (u64, u64, u64) = match (narrow, low) {
            (true, _) => (0x0804_8000, 0x1000_0000, 0x2000_0000),
            (false, true) => (0x40_0000, 0x1000_0000, 0x2000_0000),
            (false, false) => (0x40_0000, 0x5555_0000_0000, 0x6000_0000_0000),
        };
        let top: u64 = if narrow { 0x7ff0_0000 } else { 0x7fff_f000_0000 };
        let heap_end = if low { 0x7f00_0000 } else { top - 2 * STACK };
        let middle = [data + (heap - data) / 2, heap + (heap_end - heap) / 2];
        AddressSpace {
            code: code + shift,
            data: data + shift,
            heap: heap + shift,
            stack: top - shift,
            data_end: heap,
            heap_end,
            stack_end: top - STACK,
            upper: middle,
            middle,
            seed,
            placed: 0,
            fixed: Vec::new(),
        }
    }

    /// A number that depends on the seed and on how many objects there were; 0 for the first seed.
    fn scatter(&mut self) -> u64 {
        self.placed += 1;
        let mixed = (self.seed << 32 ^ self.placed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.seed == 0 { 0 } else { mixed >> 40 }
    }

    /// Nothing but the object of a fixed address lies there and close to it.
    pub(super) fn reserve(&mut self, base: u64, size: u64) {
        self.fixed.push((base.saturating_sub(GAP), base.saturating_add(size).saturating_add(GAP)));
    }

    pub(super) fn has_fixed(&self) -> bool {
        !self.fixed.is_empty()
    }

    /// The reserved addresses that an object would meet.
    fn met(fixed: &[(u64, u64)], base: u64, behind: u64) -> Option<(u64, u64)> {
        fixed.iter().copied().find(|&(start, end)| base < end && start < behind)
    }

    /// An address for an object that lasts.
    pub(super) fn place(&mut self, kind: Kind, size: u64, align: u64) -> Option<u64> {
        let scatter = self.scatter();
        let first = self.seed == 0;
        let (next, end) = match (kind, scatter % 2 == 1) {
            (Kind::Function(_) | Kind::Label(_), _) => (&mut self.code, self.data_end),
            (Kind::External, _) => return None,
            (Kind::Heap | Kind::Alloca | Kind::Arguments, false) => {
                (&mut self.heap, if first { self.heap_end } else { self.middle[1] })
            }
            (Kind::Heap | Kind::Alloca | Kind::Arguments, true) => (&mut self.upper[1], self.heap_end),
            (_, false) => (&mut self.data, if first { self.data_end } else { self.middle[0] }),
            (_, true) => (&mut self.upper[0], self.data_end),
        };
        // What is allocated can hold every scalar.
        let least = if first || kind == Kind::Heap { 16 } else { 1 };
        let align = align.max(least);
        let mut base = next.checked_add(scatter / 2 % 64 * align)?.checked_next_multiple_of(align)?;
        let mut behind = base.checked_add(size)?.checked_add(GAP)?;
        while let Some((_, end)) = Self::met(&self.fixed, base, behind) {
            base = end.checked_next_multiple_of(align)?;
            behind = base.checked_add(size)?.checked_add(GAP)?;
        }
        if behind >= end {
            return None;
        }
        *next = behind;
        Some(base)
    }

    /// An address for an automatic object.
    pub(super) fn push(&mut self, size: u64, align: u64) -> Option<u64> {
        let align = align.max(1);
        let gap = GAP + self.scatter() % 8 * align;
        let mut base = self.stack.checked_sub(size.checked_add(gap)?)? / align * align;
        while let Some((start, _)) = Self::met(&self.fixed, base, base + size + GAP) {
            base = start.checked_sub(size.checked_add(gap)?)? / align * align;
        }
        if base < self.stack_end {
            return None;
        }
        self.stack = base;
        Some(base)
    }

    pub(super) fn stack(&self) -> u64 {
        self.stack
    }

    pub(super) fn pop(&mut self, pointer: u64) {
        // Half of the stack is for addresses that are used once.
        if self.seed % 2 == 1 && self.stack > self.stack_end + STACK / 2 {
            return;
        }
        self.stack = pointer;
    }
}
