//! Contractors: what a constraint says about the boxes of its columns.
//!
//! A [`Constraint`] relates columns; [`Constraint::contract`] narrows their intervals and never removes a
//! solution. It is a function of the intervals alone, so the search can ask it again with wider ones to see
//! which of them a conclusion needs. On points it decides: the result of an operator on points is a point.

pub mod bits;
pub mod float;
pub mod linear;
pub mod order;

use crate::boxes::bits::BitSet;
use crate::boxes::interval::Interval;
use bits::{Binary, BitOp, Unary};
use float::{Extreme, FloatBox, IntegerRange, Operation};
use linear::Linear;
use nilas_term::Format;
use order::Order;

/// A constraint on columns, which are in the order that the variants tell. A bit-vector is two columns, its
/// unsigned and its signed reading; a float is a rank and a flag. `b` and `c` are truth values, `m` is a
/// rounding mode, `z` is what the constraint defines.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// `u`, `s`: two readings of one bit-vector.
    Readings {
        /// The width.
        width: u32,
    },
    /// `b`, `x`, `y`: `b` says whether `x` and `y` are in an order.
    Order(Order),
    /// `c`, `z`, `x`, `y`: `z` is `x` if `c`, else `y`.
    Choice,
    /// `z`, `x`, and perhaps `y`: bit-vectors.
    Bits {
        /// The operator.
        op: BitOp,
        /// The widths of `z`, `x` and `y`.
        widths: [u32; 3],
    },
    /// `m`, `z` and operands: floats.
    Rounded {
        /// The operation.
        operation: Operation,
        /// The format of the result.
        format: Format,
    },
    /// `z`, `x`, ranks of floats.
    FloatNegation,
    /// `z`, `x`, ranks of floats.
    FloatAbsolute,
    /// `z`, `x`, `y`: floats.
    FloatExtreme(Extreme),
    /// `z`, `x`, `y`: floats.
    FloatRemainder(Format),
    /// `z` a float, `x` a bit-vector.
    FloatFromBits(Format),
    /// `z` a bit-vector, `x` a float.
    FloatToBits(Format),
    /// `m`, `z` the rank of a float, `x` one reading of a bit-vector.
    FloatFromInteger(Format),
    /// `m`, `z` one reading of a bit-vector, `x` a float.
    FloatToInteger(Box<IntegerRange>),
    /// `z`, operands and results on the way: ranks of floats.
    Linear(Box<Linear>),
}

impl Constraint {
    /// Narrows the columns; `None` when there is no solution.
    #[must_use]
    pub fn contract(&self, columns: &mut [Interval]) -> Option<()> {
        match self {
            Constraint::Readings { width } => {
                let set = get_bits(columns, 0, *width);
                set_bits(columns, 0, set)
            }
            Constraint::Order(order) => order.contract(columns),
            Constraint::Choice => order::choice(columns),
            Constraint::Bits { op, widths } => contract_bits(*op, *widths, columns),
            Constraint::Rounded { operation, format } => {
                let arity = operation.arity();
                let mut z = get_float(columns, 1);
                let mut operands = [z; 3];
                for (index, operand) in operands.iter_mut().take(arity).enumerate() {
                    *operand = get_float(columns, 3 + 2 * index);
                }
                float::rounded(*operation, *format, &mut columns[0], &mut z, &mut operands[..arity])?;
                set_float(columns, 1, z);
                for (index, &operand) in operands.iter().take(arity).enumerate() {
                    set_float(columns, 3 + 2 * index, operand);
                }
                Some(())
            }
            Constraint::FloatNegation | Constraint::FloatAbsolute => {
                let (mut z, mut x) = (columns[0], columns[1]);
                if *self == Constraint::FloatNegation {
                    float::negated(&mut z, &mut x)?;
                } else {
                    float::absolute(&mut z, &mut x)?;
                }
                (columns[0], columns[1]) = (z, x);
                Some(())
            }
            Constraint::FloatExtreme(_) | Constraint::FloatRemainder(_) => {
                let [mut z, mut x, mut y] = [0, 2, 4].map(|at| get_float(columns, at));
                match self {
                    Constraint::FloatExtreme(which) => float::extreme(*which, &mut z, &mut x, &mut y)?,
                    Constraint::FloatRemainder(format) => float::remainder(*format, &mut z, &mut x, &mut y)?,
                    _ => {}
                }
                for (at, float) in [(0, z), (2, x), (4, y)] {
                    set_float(columns, at, float);
                }
                Some(())
            }
            Constraint::FloatFromBits(format) => {
                let (mut z, mut x) = (get_float(columns, 0), get_bits(columns, 2, format.width()));
                float::from_bits(*format, &mut z, &mut x)?;
                set_float(columns, 0, z);
                set_bits(columns, 2, x)
            }
            Constraint::FloatToBits(format) => {
                let (mut z, mut x) = (get_bits(columns, 0, format.width()), get_float(columns, 2));
                float::to_bits(*format, &mut z, &mut x)?;
                set_float(columns, 2, x);
                set_bits(columns, 0, z)
            }
            Constraint::FloatFromInteger(format) => {
                let [mut mode, mut z, mut x] = [columns[0], columns[1], columns[2]];
                float::from_integer(*format, &mut mode, &mut z, &mut x)?;
                columns[..3].copy_from_slice(&[mode, z, x]);
                Some(())
            }
            Constraint::Linear(linear) => linear.contract(columns),
            Constraint::FloatToInteger(range) => {
                let [mut mode, mut z] = [columns[0], columns[1]];
                let mut x = get_float(columns, 2);
                float::to_integer(range, &mut mode, &mut z, &mut x)?;
                columns[..2].copy_from_slice(&[mode, z]);
                set_float(columns, 2, x);
                Some(())
            }
        }
    }
}

fn contract_bits(op: BitOp, widths: [u32; 3], columns: &mut [Interval]) -> Option<()> {
    let (z, x) = (get_bits(columns, 0, widths[0]), get_bits(columns, 2, widths[1]));
    if columns.len() == 4 {
        let Unary { z, x } = bits::unary(op, Unary { z, x });
        set_bits(columns, 0, z)?;
        return set_bits(columns, 2, x);
    }
    let y = get_bits(columns, 4, widths[2]);
    let Binary { z, x, y } = bits::binary(op, Binary { z, x, y });
    set_bits(columns, 0, z)?;
    set_bits(columns, 2, x)?;
    set_bits(columns, 4, y)
}

fn get_bits(columns: &[Interval], at: usize, width: u32) -> BitSet {
    BitSet::of_readings(width, columns[at], columns[at + 1])
}

fn set_bits(columns: &mut [Interval], at: usize, set: BitSet) -> Option<()> {
    columns[at] = set.unsigned_hull()?;
    columns[at + 1] = set.signed_hull()?;
    Some(())
}

fn get_float(columns: &[Interval], at: usize) -> FloatBox {
    FloatBox { rank: columns[at], nan: columns[at + 1] }
}

fn set_float(columns: &mut [Interval], at: usize, float: FloatBox) {
    columns[at] = float.rank;
    columns[at + 1] = float.nan;
}
