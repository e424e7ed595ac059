//! Float operators and predicates.

use super::{Decomposition, Unsupported, View, ill_sorted, supported_width};
use crate::boxes::float::{
    greatest_of_key, infinity, key, largest, least_normal, least_of_key, numbers, opposite,
};
use crate::contract::Constraint;
use crate::contract::bits::BitOp;
use crate::contract::float::{Extreme, Operation};
use crate::contract::order::{Order, Relation};
use crate::search::{Bound, Column, Search};
use nilas_term::{Format, Op};

impl Decomposition {
    fn new_float(&mut self, search: &mut Search, format: Format) -> (Column, Column) {
        let rank = search.column(numbers(format));
        (rank, self.boolean(search).column)
    }

    pub(super) fn float(
        &mut self,
        search: &mut Search,
        op: Op,
        format: Format,
        children: &[View],
    ) -> Result<View, Unsupported> {
        let operation = match op {
            Op::FpAdd => Operation::Add,
            Op::FpMul => Operation::Multiply,
            Op::FpDiv => Operation::Divide,
            Op::FpFma => Operation::Fma,
            Op::FpSqrt => Operation::Sqrt,
            Op::FpRoundToIntegral => Operation::RoundToIntegral,
            Op::FpToFp(..) => match children {
                [_, View::Float { format: from, .. }] => Operation::Convert { from: *from },
                _ => return Err(ill_sorted(op)),
            },
            _ => return self.other_float(search, op, format, children),
        };
        let [View::Mode(mode), operands @ ..] = children else { return Err(ill_sorted(op)) };
        let (rank, nan) = self.new_float(search, format);
        let mut columns = vec![*mode, rank, nan];
        for operand in operands {
            let View::Float { rank, nan, .. } = operand else { return Err(ill_sorted(op)) };
            columns.extend([*rank, *nan]);
        }
        self.constrain(search, Constraint::Rounded { operation, format }, columns);
        if let [View::Float { rank: x, .. }, View::Float { rank: y, .. }] = operands {
            match operation {
                Operation::Add => self.linear_sum(search, rank, format, *x, *y),
                Operation::Multiply => self.linear_product(search, rank, format, *x, *y),
                _ => {}
            }
        }
        Ok(View::Float { rank, nan, format })
    }

    fn other_float(
        &mut self,
        search: &mut Search,
        op: Op,
        format: Format,
        children: &[View],
    ) -> Result<View, Unsupported> {
        match (op, children) {
            (Op::FpNeg | Op::FpAbs, [View::Float { rank: x, nan, .. }]) => {
                let rank = search.column(numbers(format));
                let constraint =
                    if op == Op::FpNeg { Constraint::FloatNegation } else { Constraint::FloatAbsolute };
                self.constrain(search, constraint, vec![rank, *x]);
                if op == Op::FpNeg {
                    self.linear_negation(search, rank, format, *x);
                }
                Ok(View::Float { rank, nan: *nan, format })
            }
            (
                Op::FpMin | Op::FpMax | Op::FpRem,
                [View::Float { rank: x, nan: x_nan, .. }, View::Float { rank: y, nan: y_nan, .. }],
            ) => {
                let (rank, nan) = self.new_float(search, format);
                let constraint = match op {
                    Op::FpMin => Constraint::FloatExtreme(Extreme::Minimum),
                    Op::FpMax => Constraint::FloatExtreme(Extreme::Maximum),
                    _ => Constraint::FloatRemainder(format),
                };
                self.constrain(search, constraint, vec![rank, nan, *x, *x_nan, *y, *y_nan]);
                Ok(View::Float { rank, nan, format })
            }
            (Op::FpFromIeeeBits(..), [bits @ View::Bits { .. }]) => {
                Ok(self.float_of_bits(search, format, *bits))
            }
            (Op::FpFromBits, [sign, exponent, fraction]) if supported_width(format.width()) => {
                let high = self.apply_bits(search, BitOp::Concat, format.exponent + 1, &[*sign, *exponent]);
                let bits = self.apply_bits(search, BitOp::Concat, format.width(), &[high, *fraction]);
                Ok(self.float_of_bits(search, format, bits))
            }
            (
                Op::FpFromSigned(..) | Op::FpFromUnsigned(..),
                [View::Mode(mode), View::Bits { unsigned, signed, .. }],
            ) => {
                let reading = if matches!(op, Op::FpFromSigned(..)) { *signed } else { *unsigned };
                let rank = search.column(numbers(format));
                let nan = self.point(search, 0);
                self.constrain(search, Constraint::FloatFromInteger(format), vec![*mode, rank, reading]);
                Ok(View::Float { rank, nan, format })
            }
            _ => Err(Unsupported(format!("{op:?}"))),
        }
    }

    fn float_of_bits(&mut self, search: &mut Search, format: Format, bits: View) -> View {
        let (rank, nan) = self.new_float(search, format);
        if let View::Bits { unsigned, signed, .. } = bits {
            let columns = vec![rank, nan, unsigned, signed];
            self.constrain(search, Constraint::FloatFromBits(format), columns);
        }
        View::Float { rank, nan, format }
    }

    pub(super) fn float_predicate(
        &mut self,
        search: &mut Search,
        op: Op,
        children: &[View],
    ) -> Result<View, Unsupported> {
        Ok(View::Bool(match *children {
            [View::Float { rank, nan, format }] => self.class(search, op, rank, nan, format)?,
            [View::Float { rank: x, nan: x_nan, .. }, View::Float { rank: y, nan: y_nan, .. }] => {
                let relation = match op {
                    Op::FpLt => Relation::Less,
                    Op::FpLe => Relation::LessOrEqual,
                    Op::FpEq => Relation::Equal,
                    _ => return Err(Unsupported(format!("{op:?}"))),
                };
                let ordered = self.ieee_order(search, relation, x, y);
                let [x_nan, y_nan] = [x_nan, y_nan].map(|column| Bound::at_most(column, 0));
                self.all(search, &[x_nan, y_nan, ordered])
            }
            _ => return Err(Unsupported(format!("{op:?}"))),
        }))
    }

    /// An IEEE comparison of numbers, by bounds where one side is known.
    fn ieee_order(&mut self, search: &mut Search, relation: Relation, x: Column, y: Column) -> Bound {
        let gap = i128::from(relation == Relation::Less);
        let (x_range, y_range) = (search.range(x), search.range(y));
        let up_to = |column: Column, key: i128| Bound::at_most(column, greatest_of_key(key));
        let from = |column: Column, key: i128| Bound::at_least(column, least_of_key(key));
        for (constant, column) in [(x_range, y), (y_range, x)] {
            if relation == Relation::Equal && constant.is_point() {
                let key = key(constant.lo);
                return self.all(search, &[from(column, key), up_to(column, key)]);
            }
        }
        let bound = if y_range.is_point() {
            up_to(x, key(y_range.lo) - gap)
        } else if x_range.is_point() {
            from(y, key(x_range.lo) + gap)
        } else {
            return self.related(search, Order { relation, ieee: true }, x, y);
        };
        Bound::at_least(self.named(search, bound), 1)
    }

    /// Whether a float is of a class.
    fn class(
        &mut self,
        search: &mut Search,
        op: Op,
        rank: Column,
        nan: Column,
        format: Format,
    ) -> Result<Bound, Unsupported> {
        let number = Bound::at_most(nan, 0);
        let mut between = |low: i128, high: i128| {
            self.all(search, &[Bound::at_least(rank, low), Bound::at_most(rank, high)])
        };
        let (top, most, normal) = (infinity(format), largest(format), least_normal(format));
        let of_class = match op {
            Op::FpIsNan => return Ok(number.negated()),
            Op::FpIsZero => between(-1, 0),
            Op::FpIsNegative => Bound::at_most(rank, -1),
            Op::FpIsPositive => Bound::at_least(rank, 0),
            _ => {
                let (low, high) = match op {
                    Op::FpIsInfinite => (top, top),
                    Op::FpIsNormal => (normal, most),
                    Op::FpIsSubnormal => (1, normal - 1),
                    _ => return Err(Unsupported(format!("{op:?}"))),
                };
                let parts = [between(low, high), between(opposite(high), opposite(low))];
                self.any(search, &parts)
            }
        };
        Ok(self.all(search, &[number, of_class]))
    }
}
