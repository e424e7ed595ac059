//! Whether two lvalues of one expression designate overlapping objects.

use crate::lower::translate::facts::root;
use crate::tree::{ExprId, ExprKind, Program, Scale, VarId};

/// See [`overlap`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Overlap {
    Never,
    Maybe,
    Always,
}

/// Where an lvalue starts, if it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    Variable(VarId),
    /// What a variable points to.
    Behind(VarId),
}

/// An lvalue as bits from a start.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: Start,
    first: i128,
    count: i128,
    /// It is all of these bits, not some of them.
    whole: bool,
}

/// Whether two lvalues overlap, as far as their form tells.
pub(super) fn overlap(tree: &Program, a: Option<ExprId>, b: Option<ExprId>) -> Overlap {
    let (Some(a), Some(b)) = (a, b) else { return Overlap::Maybe };
    if let (Some(x), Some(y)) = (root(tree, a), root(tree, b))
        && x != y
    {
        return Overlap::Never;
    }
    let (Some(x), Some(y)) = (extent(tree, a), extent(tree, b)) else { return Overlap::Maybe };
    if x.start != y.start {
        return Overlap::Maybe;
    }
    match x.first < y.first + y.count && y.first < x.first + x.count {
        false => Overlap::Never,
        true if x.whole && y.whole => Overlap::Always,
        true => Overlap::Maybe,
    }
}

fn extent(tree: &Program, lvalue: ExprId) -> Option<Extent> {
    let node = &tree.exprs[lvalue];
    let mut bits = i128::from(tree.types.size_of(node.ty)?) * 8;
    let mut first = 0;
    if let ExprKind::Member { bits: Some(range), .. } = node.kind {
        first = i128::from(range.offset);
        bits = i128::from(range.width);
    }
    let Place { start, bytes, array } = start(tree, lvalue)?;
    Some(match array {
        None => Extent { start, first: bytes * 8 + first, count: bits, whole: true },
        Some(size) => Extent { start, first: bytes * 8, count: size * 8, whole: false },
    })
}

/// Where an lvalue is.
struct Place {
    start: Start,
    /// The bytes from there.
    bytes: i128,
    /// The size of the array that begins there, if the lvalue is somewhere in one.
    array: Option<i128>,
}

/// The start of an lvalue, and the bytes to it.
fn start(tree: &Program, mut lvalue: ExprId) -> Option<Place> {
    let mut bytes = 0;
    let mut array = None;
    loop {
        match tree.exprs[lvalue].kind {
            ExprKind::Variable(variable) => {
                return Some(Place { start: Start::Variable(variable), bytes, array });
            }
            ExprKind::Member { base, offset, .. } => {
                bytes += i128::from(offset);
                lvalue = base;
            }
            ExprKind::Deref(mut pointer) => loop {
                match tree.exprs[pointer].kind {
                    ExprKind::PointerOffset { pointer: inner, index, scale: Scale::Bytes(scale), negate } => {
                        if let ExprKind::Int(index) = tree.exprs[index].kind {
                            let distance = index.checked_mul(i128::from(scale))?;
                            bytes += if negate { -distance } else { distance };
                        } else {
                            // Any element: an index outside of its array is undefined.
                            let ExprKind::ArrayDecay(place) = tree.exprs[inner].kind else { return None };
                            bytes = 0;
                            array = Some(i128::from(tree.types.size_of(tree.exprs[place].ty)?));
                        }
                        pointer = inner;
                    }
                    ExprKind::ArrayDecay(place) | ExprKind::AddressOf(place) => {
                        lvalue = place;
                        break;
                    }
                    ExprKind::Load(place) => {
                        let ExprKind::Variable(variable) = tree.exprs[place].kind else { return None };
                        return Some(Place { start: Start::Behind(variable), bytes, array });
                    }
                    _ => return None,
                }
            },
            _ => return None,
        }
    }
}
