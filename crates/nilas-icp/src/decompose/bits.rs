//! Bit-vector operators, and predicates of bit-vectors and floats.

use super::{Decomposition, Unsupported, View, ill_sorted};
use crate::boxes::bits::modulus;
use crate::boxes::interval::Interval;
use crate::contract::Constraint;
use crate::contract::bits::BitOp;
use crate::contract::float::IntegerRange;
use crate::contract::order::{Order, Relation};
use crate::search::{Bound, Column, Search};
use nilas_term::Op;

impl Decomposition {
    /// Two new columns for a bit-vector.
    pub(super) fn new_bits(&mut self, search: &mut Search, width: u32) -> View {
        let (size, half) = (modulus(width), modulus(width - 1));
        let unsigned = search.column(Interval { lo: 0, hi: size - 1 });
        let signed = search.column(Interval { lo: -half, hi: half - 1 });
        self.constrain(search, Constraint::Readings { width }, vec![unsigned, signed]);
        View::Bits { unsigned, signed, width }
    }

    /// The bit-vector that an operator makes of others.
    pub(super) fn apply_bits(
        &mut self,
        search: &mut Search,
        op: BitOp,
        width: u32,
        operands: &[View],
    ) -> View {
        let view = self.new_bits(search, width);
        let mut columns = Vec::new();
        let mut widths = [width; 3];
        for (at, operand) in [view].iter().chain(operands).enumerate() {
            if let View::Bits { unsigned, signed, width } = operand {
                columns.extend([*unsigned, *signed]);
                widths[at.min(2)] = *width;
            }
        }
        self.constrain(search, Constraint::Bits { op, widths }, columns);
        view
    }

    pub(super) fn bits(
        &mut self,
        search: &mut Search,
        op: Op,
        width: u32,
        children: &[View],
    ) -> Result<View, Unsupported> {
        let bit_op = match op {
            Op::BvNot => BitOp::Not,
            Op::BvNeg => BitOp::Negate,
            Op::Extract { lo, .. } => BitOp::Extract { lo },
            Op::ZeroExtend(_) => BitOp::ZeroExtend,
            Op::SignExtend(_) => BitOp::SignExtend,
            Op::Concat => BitOp::Concat,
            Op::BvAdd => BitOp::Add,
            Op::BvMul => BitOp::Multiply,
            Op::BvUdiv => BitOp::UnsignedDivide,
            Op::BvUrem => BitOp::UnsignedRemainder,
            Op::BvSdiv => BitOp::SignedDivide,
            Op::BvSrem => BitOp::SignedRemainder,
            Op::BvSmod => BitOp::SignedModulo,
            Op::BvShl => BitOp::ShiftLeft,
            Op::BvLshr => BitOp::ShiftRight,
            Op::BvAshr => BitOp::ShiftRightSigned,
            Op::BvAnd => BitOp::And,
            Op::BvOr => BitOp::Or,
            Op::BvXor => BitOp::Xor,
            Op::FpToIeeeBits => {
                let &[View::Float { rank, nan, format }] = children else { return Err(ill_sorted(op)) };
                let view = self.new_bits(search, width);
                if let View::Bits { unsigned, signed, .. } = view {
                    let columns = vec![unsigned, signed, rank, nan];
                    self.constrain(search, Constraint::FloatToBits(format), columns);
                }
                return Ok(view);
            }
            Op::FpToUnsigned(_) | Op::FpToSigned(_) => {
                let &[View::Mode(mode), View::Float { rank, nan, format }] = children else {
                    return Err(ill_sorted(op));
                };
                let is_signed = matches!(op, Op::FpToSigned(_));
                let view = self.new_bits(search, width);
                if let View::Bits { unsigned, signed, .. } = view {
                    let reading = if is_signed { signed } else { unsigned };
                    let range = Box::new(IntegerRange::new(format, width, is_signed));
                    self.constrain(search, Constraint::FloatToInteger(range), vec![mode, reading, rank, nan]);
                }
                return Ok(view);
            }
            _ => return Err(Unsupported(format!("{op:?}"))),
        };
        if children.iter().any(|child| !matches!(child, View::Bits { .. })) {
            return Err(ill_sorted(op));
        }
        Ok(self.apply_bits(search, bit_op, width, children))
    }

    pub(super) fn predicate(
        &mut self,
        search: &mut Search,
        op: Op,
        children: &[View],
    ) -> Result<View, Unsupported> {
        let relation = match op {
            Op::BvUlt | Op::BvSlt => Relation::Less,
            Op::BvUle | Op::BvSle => Relation::LessOrEqual,
            _ => return self.float_predicate(search, op, children),
        };
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        let reading = |view: &View| match *view {
            View::Bits { unsigned, signed: s, .. } => Ok(if signed { s } else { unsigned }),
            _ => Err(ill_sorted(op)),
        };
        let [x, y] = children else { return Err(ill_sorted(op)) };
        Ok(self.compared(search, relation, reading(x)?, reading(y)?))
    }

    /// A comparison, which is a bound where one side is known.
    fn compared(&mut self, search: &mut Search, relation: Relation, x: Column, y: Column) -> View {
        let gap = i128::from(relation == Relation::Less);
        let (x_range, y_range) = (search.range(x), search.range(y));
        if y_range.is_point() {
            return self.atom(search, Bound::at_most(x, y_range.lo - gap));
        }
        if x_range.is_point() {
            return self.atom(search, Bound::at_least(y, x_range.lo + gap));
        }
        View::Bool(self.related(search, Order { relation, ieee: false }, x, y))
    }
}
