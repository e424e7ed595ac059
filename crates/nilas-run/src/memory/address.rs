//! Where objects lie: code, constants and statics low, the heap above, the stack from the top down.
//!
//! Addresses of memory that lasts are never used twice. The stack uses its addresses again, as machines do.
//! Between two objects there is a gap, so that the end of one is not the start of the next. The upper half of
//! all addresses is memory of unknown origin: what pointers point to that the program did not make.

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
}

impl AddressSpace {
    /// The seed moves every part a little.
    pub(super) fn new(model: DataModel, seed: u64) -> AddressSpace {
        let shift = (seed % 1009) * 16;
        let (code, data, heap, top): (u64, u64, u64, u64) = match model {
            DataModel::Lp64 => (0x40_0000, 0x5555_0000_0000, 0x6000_0000_0000, 0x7fff_f000_0000),
            DataModel::Ilp32 => (0x0804_8000, 0x1000_0000, 0x2000_0000, 0x7ff0_0000),
        };
        AddressSpace {
            code: code + shift,
            data: data + shift,
            heap: heap + shift,
            stack: top - shift,
            data_end: heap,
            heap_end: top - 2 * STACK,
            stack_end: top - STACK,
        }
    }

    /// An address for an object that lasts.
    pub(super) fn place(&mut self, kind: Kind, size: u64, align: u64) -> Option<u64> {
        let (next, end) = match kind {
            Kind::Function(_) | Kind::Label(_) => (&mut self.code, self.data_end),
            Kind::External => return None,
            Kind::Heap | Kind::Alloca | Kind::Arguments => (&mut self.heap, self.heap_end),
            _ => (&mut self.data, self.data_end),
        };
        let base = next.checked_next_multiple_of(align.max(16))?;
        let behind = base.checked_add(size)?.checked_add(GAP)?;
        if behind >= end {
            return None;
        }
        *next = behind;
        Some(base)
    }

    /// An address for an automatic object.
    pub(super) fn push(&mut self, size: u64, align: u64) -> Option<u64> {
        let align = align.max(1);
        let base = self.stack.checked_sub(size.checked_add(GAP)?)? / align * align;
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
        self.stack = pointer;
    }
}
