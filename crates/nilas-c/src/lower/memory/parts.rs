//! Accesses that do not match a leaf, at an offset that is a term: a byte of an `int`, an `int` over two
//! `short`s, one member of a union.
//!
//! The offsets where such an access can begin are enumerated in steps of its size, and each is an alternative
//! with the pieces of all leaves that it covers. In an array of structs (or a pool) the offsets of one struct
//! are enumerated, and which struct it is stays a term. There are at most [`super::LowerOptions::parts`] such
//! alternatives per access: with more there are none, and the caller sends the access to *unmodelled*, as it
//! does with everything that is not enumerated.

use crate::lower::lowering::Lowering;
use crate::lower::memory::access::{Alternative, Index, Piece, Raw};
use crate::lower::memory::layout::Kind;
use crate::lower::memory::object::{Leaf, ObjectId};
use nilas_term::Term;

/// From this bound on every offset is enumerated, whether or not it looks meant.
pub(in crate::lower) const THOROUGH: usize = 256;
/// The widest access that is put together from parts.
const WIDEST: u32 = 64;

/// The bits that an access moves: the first one (from an offset in bytes), and how many.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Bits {
    pub(in crate::lower) first: u32,
    pub(in crate::lower) count: u32,
}

/// What says where an access is.
pub(in crate::lower) struct Offset {
    /// Bytes from the start of the object.
    pub(in crate::lower) term: Term,
    /// The same in a form that is compared with constants, and what it is for offset 0.
    pub(in crate::lower) address: (Term, u64),
    /// What holds if the access is in the object at all.
    pub(in crate::lower) inside: Term,
}

impl Lowering<'_> {
    /// Alternatives for the offsets that `wanted` asks for (by leaf, bit in its element, and bytes from the
    /// start of the object or of the first of its elements), `aligned` ones only if that is asked for; and
    /// whether these are all in one element.
    pub(in crate::lower) fn put_together(
        &mut self,
        object: ObjectId,
        offset: &Offset,
        bits: Bits,
        room: &mut usize,
        aligned: bool,
        wanted: &dyn Fn(usize, u32, u64) -> bool,
    ) -> (Vec<Alternative>, bool) {
        let leaves = self.memory.objects[object.0].leaves.clone();
        let bytes = u64::from((bits.first + bits.count).div_ceil(8));
        let (period, repetitions) = period(&leaves, self.memory.objects[object.0].size);
        let whole = bits.first == 0 && bits.count.is_multiple_of(8);
        let step = if aligned && whole { alignment(bits.count) } else { 1 };
        if bits.count > WIDEST || period < bytes || (period - bytes) / step > 16 * *room as u64 {
            return (Vec::new(), false);
        }
        let mut chosen = Vec::new();
        let mut complete = step == 1;
        for start in (0..=period - bytes).step_by(usize::try_from(step).unwrap_or(1)) {
            let position = start * 8 + u64::from(bits.first);
            let Some((number, _, low)) = leaf_at(&leaves, position) else { continue };
            if !wanted(number, low, start) {
                continue;
            }
            match cover(object, &leaves, position, bits.count) {
                Some(pieces) => chosen.push((start, pieces)),
                None => complete = false,
            }
        }
        if chosen.len() > *room {
            return (Vec::new(), false);
        }
        *room -= chosen.len();
        let repeated = (repetitions > 1).then(|| self.repetition(offset, period, repetitions));
        let mut found = Vec::new();
        for (start, pieces) in chosen {
            found.push(match repeated {
                None => {
                    let at = self.build.arena.bv(self.pointer_bits(), offset.address.1 + start);
                    let here = self.build.arena.eq(offset.address.0, at);
                    let condition = self.build.arena.and(&[here, offset.inside]);
                    Alternative { condition, pieces }
                }
                Some(repeated) => self.repeated_part(&leaves, offset, start, pieces, repetitions, repeated),
            });
        }
        found.retain(|alternative| self.build.arena.as_bool(alternative.condition) != Some(false));
        (found, complete)
    }

    /// Which repetition the access is in (if it is in one), and where in that.
    fn repetition(&mut self, offset: &Offset, period: u64, repetitions: u64) -> (Term, Term, Term) {
        let width = self.pointer_bits();
        let (period, count) = (self.build.arena.bv(width, period), self.build.arena.bv(width, repetitions));
        let number = self.build.arena.bv_udiv(offset.term, period);
        let rest = self.build.arena.bv_urem(offset.term, period);
        let inside = self.build.arena.bv_ult(number, count);
        (number, rest, inside)
    }

    fn repeated_part(
        &mut self,
        leaves: &[Leaf],
        offset: &Offset,
        start: u64,
        mut pieces: Vec<Piece>,
        repetitions: u64,
        (number, rest, bounded): (Term, Term, Term),
    ) -> Alternative {
        let width = self.pointer_bits();
        let start = self.build.arena.bv(width, start);
        let here = self.build.arena.eq(rest, start);
        for piece in &mut pieces {
            let each = leaves[piece.leaf].count() / repetitions;
            let first = self.build.arena.bv(width, each);
            let first = self.build.arena.bv_mul(number, first);
            let inner = match piece.index {
                Index::Fixed(inner) => self.build.arena.bv(width, inner),
                Index::Term(inner) => inner,
            };
            piece.index = Index::Term(self.build.arena.bv_add(first, inner));
        }
        let condition = self.build.arena.and(&[offset.inside, bounded, here]);
        Alternative { condition, pieces }
    }

    /// Which bit of a leaf an access through a pointer to its declared type begins at, if it is a member of
    /// the struct or union that the pointer points to.
    pub(in crate::lower) fn meant_bit(&self, raw: Raw, leaf: &Leaf, bits: Bits) -> Meant {
        let record = raw.ty.and_then(|ty| self.tree.types.as_record(ty));
        let (Some(record), Some((member, _))) = (record, raw.member) else { return Meant::Any };
        let Some(&(_, before, array)) = leaf.within.iter().find(|(id, ..)| *id == record) else {
            return Meant::Any;
        };
        // A union that is one leaf is said to be an array, too, because all its parts are in it.
        let own = leaf.within.first().is_some_and(|first| first.0 == record);
        if array && !own {
            return Meant::Any;
        }
        match (8 * member + u64::from(bits.first)).checked_sub(before).map(u32::try_from) {
            Some(Ok(bit)) if bit < leaf.width => Meant::Bit(bit),
            _ => Meant::Nothing,
        }
    }
}

/// Which bits of a leaf an access may begin at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) enum Meant {
    Nothing,
    Any,
    Bit(u32),
}

impl Meant {
    pub(in crate::lower) fn includes(self, bit: u32) -> bool {
        match self {
            Meant::Nothing => false,
            Meant::Any => true,
            Meant::Bit(only) => only == bit,
        }
    }
}

/// What is repeated in an object, in bytes, and how often: the whole object once, if not all its leaves are
/// repeated alike.
pub(in crate::lower) fn period(leaves: &[Leaf], size: u64) -> (u64, u64) {
    let first = leaves.first().and_then(|leaf| leaf.dims.first());
    match first {
        Some(dim) if leaves.iter().all(|leaf| leaf.dims.first() == Some(dim)) => (dim.stride, dim.count),
        _ => (size, 1),
    }
}

/// The alignment of an access of so many bits, where it has any: not more than 4, as inside structs of 32-bit
/// programs.
fn alignment(width: u32) -> u64 {
    let bytes = u64::from(width / 8).max(1);
    (1 << bytes.trailing_zeros()).min(4)
}

/// The leaf that a bit of the object lies in, the element, and the bit there.
fn leaf_at(leaves: &[Leaf], position: u64) -> Option<(usize, u64, u32)> {
    leaves.iter().enumerate().find_map(|(number, leaf)| {
        let (index, low) = leaf.element_at(position)?;
        Some((number, index, low))
    })
}

/// The pieces from a bit on; `None` where there is padding, or a part of a `long double`, whose bytes are not
/// modelled.
pub(in crate::lower) fn cover(
    object: ObjectId,
    leaves: &[Leaf],
    start: u64,
    width: u32,
) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut done = 0;
    while done < width {
        let (leaf, index, low) = leaf_at(leaves, start + u64::from(done))?;
        let whole = low == 0 && width == leaves[leaf].width;
        if !whole
            && matches!(leaves[leaf].kind, Kind::Float(e, s) | Kind::FloatBits(e, s) if e + s != leaves[leaf].width)
        {
            return None;
        }
        let count = (leaves[leaf].width - low).min(width - done);
        pieces.push(Piece { object, leaf, index: Index::Fixed(index), low, width: count });
        done += count;
    }
    Some(pieces)
}
